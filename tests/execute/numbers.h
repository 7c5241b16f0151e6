#pragma once
// Tensors of a few numbers, written by hand.

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "core/execute/interpreter.h"

namespace tessera::test {

// "f32 2x3: 1 2 3 4 5 6"; words behind the type are those of MLIR.
struct Numbers {
  std::string type;  // tensor<2x3xf32>
  HostTensor tensor;
};

inline Numbers numbers(const std::string& text) {
  Numbers out;
  std::istringstream in(text);
  std::string element, dims;
  in >> element >> dims;
  if (!dims.empty() && dims.back() == ':') dims.pop_back();
  out.type = "tensor<" + dims + "x" + element + ">";
  std::istringstream sizes(dims);
  for (std::string dim; std::getline(sizes, dim, 'x');) out.tensor.shape.push_back(std::stoll(dim));
  out.tensor.real = element == "f32" || element == "bf16";
  for (std::string word; in >> word;) {
    if (out.tensor.real) out.tensor.f.push_back(std::stof(word));
    else out.tensor.i.push_back(std::stoll(word));
  }
  return out;
}

inline void expectResults(const Execution& run, const std::vector<Numbers>& out) {
  ASSERT_EQ(run.status, ExecutionStatus::Done) << run.text;
  ASSERT_EQ(run.results.size(), out.size());
  for (size_t r = 0; r < out.size(); ++r) {
    const HostTensor &is = run.results[r], &wanted = out[r].tensor;
    EXPECT_EQ(is.shape, wanted.shape);
    ASSERT_EQ(is.size(), wanted.size());
    for (size_t i = 0; i < wanted.size(); ++i)
      EXPECT_TRUE(is.at(i) == wanted.at(i) || std::fabs(is.at(i) - wanted.at(i)) < 2e-5)
          << is.at(i) << ", not " << wanted.at(i) << "; element " << i;
  }
}

}  // namespace tessera::test
