#pragma once
// What tests of tables share: a table as text, the model's times of its rows, and tensors put together by hand.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/evaluate/eval_times.h"
#include "core/ir/builder.h"

namespace tessera {

inline EvalResult evalOf(EvalResult (*run)(const EvalRequest&), const std::string& text) {
  EvalRequest request;
  request.file = ::testing::TempDir() + "eval_rows_" + std::to_string(::getpid());
  std::ofstream(request.file) << text;
  EvalResult result = run(request);
  std::filesystem::remove(request.file);
  return result;
}

// The model's time of each row: every measured time is 1 ns or less, so that every row is a miss; -1: no model.
inline std::vector<int64_t> timesIn(const EvalResult& result) {
  std::vector<int64_t> times;
  for (const EvalMiss& miss : result.misses) {
    const size_t at = miss.text.find("model ");
    times.push_back(miss.text.rfind("no model", 0) == 0 ? -1 : std::strtoll(miss.text.c_str() + at + 6, nullptr, 10));
  }
  return times;
}

inline int64_t timeOn(const char* board, TimedOp op) {
  return modelTime(*findDevice(board), std::move(op)).value_or(-2);
}

inline TimedTensor dram(Shape shape, DType dtype = DType::BF16) { return {std::move(shape), dtype}; }
inline TimedTensor inL1(Shape shape, TensorMemoryLayout memory, GridShape grid, DType dtype = DType::BF16,
                        PageLayout page = PageLayout::Tile) {
  return {std::move(shape), dtype, BufferType::L1, memory, grid, page};
}
inline Attribute fidelity(const std::string& name) {
  return {"compute_config", rawAttr("#ttnn.device_compute_kernel_config<math_fidelity = " + name + ">")};
}

// A table of one row: the names of its columns and what stands in them.
inline CsvTable tableOf(const std::vector<std::pair<std::string, std::string>>& cells) {
  std::string names, values;
  for (const auto& [name, value] : cells) {
    names += (names.empty() ? "" : ",") + name;
    values += (values.empty() ? "" : ",") + value;
  }
  CsvTable table;
  EXPECT_TRUE(parseCsv(names + "\n" + values + "\n", table));
  return table;
}

// Of the rows whose windows differ in height and width: 28x30 images of 64 channels in two groups, 3x5 kernels.
inline AttrList unevenConvolution() {
  return {{"batch_size", intAttr(2)},
          {"dilation", intArrayAttr({1, 1})},
          {"groups", intAttr(2)},
          {"in_channels", intAttr(64)},
          {"input_height", intAttr(28)},
          {"input_width", intAttr(30)},
          {"kernel_size", intArrayAttr({3, 5})},
          {"out_channels", intAttr(128)},
          {"padding", intArrayAttr({1, 2})},
          {"stride", intArrayAttr({2, 1})}};
}

}  // namespace tessera
