#include "core/ir/bodies.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/support/check.h"

namespace tessera {

FuncId appendFunction(const Graph& from, FuncId id, Graph& to) {
  const FuncId made{static_cast<int32_t>(to.funcs.size())};
  std::unordered_map<int32_t, ValueId> now;
  auto copyValue = [&](ValueId old, OpId producer) {
    Value value = from.values[old];
    value.func = made;
    value.producer = producer;
    return now[old.index] = to.values.push(std::move(value));
  };
  Function func = from.funcs[id];
  for (ValueId& arg : func.args) arg = copyValue(arg, {});
  for (OpId& opId : func.ops) {
    Op op = from.ops[opId];
    const OpId next{static_cast<int32_t>(to.ops.size())};
    op.func = made;
    for (ValueId& operand : op.operands) operand = now[operand.index];
    for (ValueId& result : op.results) result = copyValue(result, next);
    opId = to.ops.push(std::move(op));
  }
  return to.funcs.push(std::move(func));
}

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

Graph withBodiesInside(Graph graph) {
  const Shared<Graph> bodies = std::exchange(graph.bodies, {});
  if (!bodies) return graph;
  for (FuncId id : bodies->funcs.ids()) appendFunction(*bodies, id, graph);
  return graph;
}

Graph withBodiesBeside(Graph graph, const IdVec<FuncId, char>& bodies) {
  if (std::count(bodies.begin(), bodies.end(), 0) == static_cast<std::ptrdiff_t>(bodies.size())) return graph;
  TESSERA_CHECK(!graph.forward.valid() || bodies[graph.forward] == 0, "the forward function is no body");
  Graph beside;
  IdVec<FuncId, char> others(bodies.size(), 0);
  for (FuncId id : bodies.ids()) {
    others[id] = static_cast<char>(bodies[id] == 0);
    if (bodies[id] != 0) appendFunction(graph, id, beside);
  }
  Graph out = keepFunctions(std::move(graph), others);
  out.bodies = std::move(beside);
  return out;
}

}  // namespace tessera
