#pragma once
// A kernel called by itself on numbers, and what it leaves.

#include "tests/execute/kernel_row.h"
#include "tests/execute/numbers.h"

namespace tessera::test {

struct Outcome {
  std::string error;
  std::vector<HostTensor> results, operands;  // operands: as they are afterwards
};

// `attrs` as in KernelRow, operands as numbers() reads them; results are real.
inline Outcome outcomeOf(const std::string& op, const std::string& attrs, const std::vector<std::string>& operands,
                         const std::vector<Shape>& results) {
  Graph graph;
  GraphBuilder builder(graph);
  const FuncId func = builder.addFunction("main");
  Outcome out;
  std::vector<ValueId> values;
  for (const std::string& text : operands) {
    const HostTensor one = numbers(text).tensor;
    values.push_back(builder.addArgument(func, "a", tensor(one.shape, one.real ? DType::F32 : DType::I32)));
    out.operands.push_back(one);
  }
  std::vector<ValueType> types;
  for (const Shape& shape : results) types.push_back(tensor(shape, DType::F32));
  OpSpec spec = makeOp(opKindFromName(op), values, types);
  spec.attrs = attrsOf(attrs);
  const OpId id = builder.append(func, std::move(spec));
  KernelCall call{graph, graph.ops[id], {}, std::vector<HostTensor>(results.size()), {}};
  for (HostTensor& operand : out.operands) call.in.push_back(&operand);
  findKernel(op)(call);
  out.error = call.error;
  out.results = std::move(call.out);
  return out;
}

}  // namespace tessera::test
