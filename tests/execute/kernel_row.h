#pragma once
// A kernel called by itself on an op that no check of shapes has seen, and what it says.

#include <gtest/gtest.h>

#include <sstream>

#include "core/execute/kernel.h"
#include "core/ir/builder.h"
#include "tests/short_forms.h"

namespace tessera::test {

struct KernelRow {
  std::string op;
  std::vector<std::string> operands, results;  // "2x3" of reals, "#2x3:7" of integers that are all 7
  std::string attrs;                           // "dim=1; padding=[0,1]; mode='x'; causal=true; config={raw}"
  std::string error;                           // "" when the kernel is done
};

struct Cell {
  Shape shape;
  bool real = true;
  int64_t fill = 0;
};

inline Cell cellOf(std::string text) {
  Cell cell;
  if (text[0] == '#') cell.real = false, text.erase(0, 1);
  if (const size_t colon = text.find(':'); colon != std::string::npos) {
    cell.fill = std::stoll(text.substr(colon + 1));
    text.resize(colon);
  }
  std::istringstream sizes(text);
  for (std::string dim; std::getline(sizes, dim, 'x');)
    if (dim != "-") cell.shape.push_back(std::stoll(dim));
  return cell;
}

inline AttrList attrsOf(const std::string& text) {
  AttrList attrs;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ';');) {
    part.erase(0, part.find_first_not_of(' '));
    if (part.empty()) continue;
    const size_t equals = part.find('=');
    const std::string name = part.substr(0, equals), value = part.substr(equals + 1);
    if (value[0] == '[') {
      std::vector<int64_t> numbers;
      std::istringstream list(value.substr(1, value.size() - 2));
      for (std::string one; std::getline(list, one, ',');) numbers.push_back(std::stoll(one));
      attrs.push_back({name, intArrayAttr(numbers)});
    } else if (value[0] == '\'') {
      attrs.push_back({name, stringAttr(value.substr(1, value.size() - 2))});
    } else if (value[0] == '{') {
      attrs.push_back({name, rawAttr(value.substr(1, value.size() - 2))});
    } else if (value == "true" || value == "false") {
      attrs.push_back({name, boolAttr(value == "true")});
    } else if (value.find('.') != std::string::npos) {
      attrs.push_back({name, f32Attr(std::stod(value))});
    } else {
      attrs.push_back({name, intAttr(std::stoll(value))});
    }
  }
  sortAttrs(attrs);
  return attrs;
}

inline std::string errorOf(const KernelRow& row) {
  if (opKindFromName(row.op) == OpKind::Opaque) return "no such op";
  Graph graph;
  GraphBuilder builder(graph);
  const FuncId func = builder.addFunction("main");
  std::vector<HostTensor> inputs;
  std::vector<ValueId> operands;
  const auto typeOf = [](const Cell& cell) { return tensor(cell.shape, cell.real ? DType::F32 : DType::I32); };
  for (const std::string& text : row.operands) {
    const Cell cell = cellOf(text);
    operands.push_back(builder.addArgument(func, "a", typeOf(cell)));
    inputs.push_back(makeTensor(cell.shape, cell.real));
    for (size_t i = 0; i < inputs.back().size(); ++i) inputs.back().set(i, static_cast<double>(cell.fill));
  }
  std::vector<ValueType> results;
  for (const std::string& text : row.results) results.push_back(typeOf(cellOf(text)));
  OpSpec spec = makeOp(opKindFromName(row.op), operands, results);
  spec.attrs = attrsOf(row.attrs);
  const OpId id = builder.append(func, std::move(spec));
  const Kernel kernel = findKernel(row.op);
  if (kernel == nullptr) return "no kernel";
  KernelCall call{graph, graph.ops[id], {}, std::vector<HostTensor>(results.size()), {}};
  for (HostTensor& input : inputs) call.in.push_back(&input);
  kernel(call);
  return call.error;
}

inline void expectErrors(const std::vector<KernelRow>& rows) {
  for (const KernelRow& row : rows) {
    std::string call = row.op + "(";
    for (const std::string& operand : row.operands) call += " " + operand;
    EXPECT_EQ(errorOf(row), row.error) << call << " ) {" << row.attrs << "}";
  }
}

}  // namespace tessera::test
