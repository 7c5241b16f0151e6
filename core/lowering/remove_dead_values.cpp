#include "core/lowering/remove_dead_values.h"

#include "core/lowering/rewriter.h"
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

}  // namespace

PassResult removeDeadValues(const Graph& graph, const PassContext&) {
  IdVec<OpId, bool> live(graph.ops.size(), false);
  GraphRewriter rewriter(graph);
  for (FuncId func : graph.funcs.ids()) {
    const std::vector<OpId>& ops = graph.funcs[func].ops;
    for (size_t i = ops.size(); i > 0; --i) {
      const Op& op = graph.ops[ops[i - 1]];
      if (hasEffect(op)) live[ops[i - 1]] = true;
      if (!live[ops[i - 1]]) continue;
      for (ValueId operand : op.operands) {
        if (graph.values[operand].producer.valid()) live[graph.values[operand].producer] = true;
      }
    }
    for (OpId op : ops) {
      if (live[op]) rewriter.copy(op);
    }
  }
  return {rewriter.finish()};
}

}  // namespace tessera
