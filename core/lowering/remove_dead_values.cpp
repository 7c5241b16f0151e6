#include "core/lowering/remove_dead_values.h"

#include "core/ir/builder.h"
#include "core/ops/table/op_table.h"

namespace tessera {

namespace {

// An op that does something besides making its results.
bool hasEffect(const Op& op) {
  const OpInfo& info = opInfo(op.kind);
  bool pureCall = op.kind == OpKind::TtcoreLoadCached;
  bool manages = info.family == Family::Device && op.kind != OpKind::TtnnGetDevice;
  return op.results.empty() || info.has(kTerminator) || info.has(kInPlace) || info.has(kCollective) ||
         op.kind == OpKind::Opaque || manages || (info.family == Family::Call && !pureCall);
}

IdVec<OpId, bool> liveOps(const Graph& graph) {
  IdVec<OpId, bool> live(graph.ops.size(), false);
  for (const Function& func : graph.funcs) {
    for (size_t i = func.ops.size(); i > 0; --i) {
      const Op& op = graph.ops[func.ops[i - 1]];
      if (hasEffect(op)) live[func.ops[i - 1]] = true;
      if (!live[func.ops[i - 1]]) continue;
      for (ValueId operand : op.operands) {
        if (graph.values[operand].producer.valid()) live[graph.values[operand].producer] = true;
      }
    }
  }
  return live;
}

}  // namespace

Graph withoutDeadOps(Graph graph) {
  takeOutDeadOps(graph);
  return compactGraph(std::move(graph));
}

void takeOutDeadOps(Graph& graph) {
  const IdVec<OpId, bool> live = liveOps(graph);
  for (Function& func : graph.funcs) std::erase_if(func.ops, [&](OpId op) { return !live[op]; });
}

PassResult removeDeadValues(const Graph& graph, const PassContext&) { return {withoutDeadOps(graph)}; }

}  // namespace tessera
