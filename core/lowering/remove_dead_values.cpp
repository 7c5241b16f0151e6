#include "core/lowering/remove_dead_values.h"

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

// Moves values and ops into a graph in program order. Operands are moved before the ops that read them.
class GraphMover {
 public:
  explicit GraphMover(Graph from) : from_(std::move(from)), now_(from_.values.size()) {
    out_.ops.reserve(from_.ops.size());
    out_.values.reserve(from_.values.size());
    copyModule(from_, out_);
    out_.forward = from_.forward;
  }

  Graph keep(const IdVec<OpId, bool>& wanted) {
    for (Function& func : from_.funcs) {
      for (ValueId& arg : func.args) arg = moveValue(arg);
    }
    for (Function& func : from_.funcs) {
      std::vector<OpId> ops;
      for (OpId op : func.ops) {
        if (wanted[op]) ops.push_back(moveOp(op));
      }
      func.ops = std::move(ops);
    }
    out_.funcs = std::move(from_.funcs);
    return std::move(out_);
  }

 private:
  ValueId moveValue(ValueId old) { return now_[old] = out_.values.push(std::move(from_.values), old); }

  OpId moveOp(OpId old) {
    const OpId made = out_.ops.push(std::move(from_.ops), old);
    const Op& was = out_.ops[made];
    std::vector<ValueId> operands, results;
    for (ValueId operand : was.operands) operands.push_back(now_[operand]);
    for (ValueId result : was.results) {
      results.push_back(moveValue(result));
      if (made != old) out_.values.edit(results.back()).producer = made;
    }
    if (operands == was.operands && results == was.results) return made;
    Op& op = out_.ops.edit(made);
    op.operands = std::move(operands);
    op.results = std::move(results);
    return made;
  }

  Graph from_, out_;
  IdVec<ValueId, ValueId> now_;
};

}  // namespace

Graph withoutDeadOps(Graph graph) {
  IdVec<OpId, bool> live = liveOps(graph);
  return GraphMover(std::move(graph)).keep(live);
}

PassResult removeDeadValues(const Graph& graph, const PassContext&) { return {withoutDeadOps(graph)}; }

}  // namespace tessera
