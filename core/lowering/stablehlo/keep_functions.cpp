#include "core/lowering/stablehlo/keep_functions.h"

namespace tessera {

Graph keepFunctions(Graph graph, const IdVec<FuncId, char>& keeps, IdVec<OpId, OpId>* newIds) {
  Graph out;
  if (newIds != nullptr) *newIds = IdVec<OpId, OpId>(graph.ops.size());
  copyModule(graph, out);
  IdVec<ValueId, ValueId> now(graph.values.size());
  for (FuncId id : graph.funcs.ids()) {
    if (keeps[id] == 0) continue;
    FuncId made = out.funcs.push(std::move(graph.funcs[id]));
    if (id == graph.forward) out.forward = made;
    auto moveValue = [&](ValueId old, OpId producer) {
      Value value = std::move(graph.values[old]);
      value.func = made;
      value.producer = producer;
      return now[old] = out.values.push(std::move(value));
    };
    for (ValueId& arg : out.funcs[made].args) arg = moveValue(arg, {});
    for (OpId& op : out.funcs[made].ops) {
      Op moved = std::move(graph.ops[op]);
      moved.func = made;
      OpId next{static_cast<int32_t>(out.ops.size())};
      for (ValueId& operand : moved.operands) operand = now[operand];
      for (ValueId& result : moved.results) result = moveValue(result, next);
      if (newIds != nullptr) (*newIds)[op] = next;
      op = out.ops.push(std::move(moved));
    }
  }
  return out;
}

}  // namespace tessera
