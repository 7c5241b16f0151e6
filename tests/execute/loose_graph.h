#pragma once
// Graphs that are put together without a check of their shapes. Tensors are written as in KernelRow; "@" is a value
// that is no tensor.

#include "core/ir/functions.h"
#include "tests/execute/kernel_row.h"
#include "tests/execute/numbers.h"
#include "tests/import/import_testing.h"

namespace tessera::test {

inline ValueType typeOfCell(const std::string& text) {
  if (text == "@") return {.tensor = {}, .opaque = "!ttnn.device"};
  const Cell cell = cellOf(text);
  return tensor(cell.shape, cell.real ? DType::F32 : DType::I32);
}

// An op of @main between its arguments and the return, and the functions that its attributes name.
struct LooseOp {
  std::string op;
  std::vector<std::string> operands, results;
  std::string attrs;
  std::vector<std::pair<std::string, std::string>> functions = {};  // attribute and name
};

class LooseGraph {
 public:
  LooseGraph() : builder(graph) {}
  FuncId function(const std::string& name, const std::vector<std::string>& arguments) {
    const FuncId func = builder.addFunction(name, name != "main");
    for (const std::string& argument : arguments) builder.addArgument(func, "a", typeOfCell(argument));
    return func;
  }
  ValueId argument(FuncId func, size_t index) const { return graph.funcs[func].args.at(index); }
  OpId add(FuncId func, const std::string& op, std::vector<ValueId> operands, const std::vector<std::string>& results,
           const std::string& attrs = "") {
    std::vector<ValueType> types;
    for (const std::string& result : results) types.push_back(typeOfCell(result));
    OpSpec spec = makeOp(opKindFromName(op), std::move(operands), std::move(types));
    spec.attrs = attrsOf(attrs);
    return builder.append(func, std::move(spec));
  }
  ValueId value(OpId op, size_t index = 0) const { return graph.ops[op].results.at(index); }
  void giveBack(FuncId func, std::vector<ValueId> values) {
    builder.append(func, makeOp(OpKind::FuncReturn, std::move(values), {}));
    setResultTypes(graph, graph.funcs[func]);
  }
  OpId main(const LooseOp& row) {
    const FuncId func = function("main", row.operands);
    graph.forward = func;
    const OpId op = add(func, row.op, graph.funcs[func].args, row.results, row.attrs);
    for (const auto& [attribute, name] : row.functions) builder.setAttr(op, attribute, symbolAttr(name));
    giveBack(func, graph.ops[op].results);
    return op;
  }
  Execution run(const ExecutionBudget& budget = {}) const { return execute(graph, randomInputs(graph, 1), budget); }

  Graph graph;
  GraphBuilder builder;
};

inline Graph readProgram(const std::string& text) {
  const Imported imported = importText(text, {1 << 16});
  EXPECT_TRUE(imported.graph) << imported.report();
  return imported.graph ? *imported.graph : Graph();
}

}  // namespace tessera::test
