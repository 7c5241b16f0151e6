// Graphs as wholes: renumbering and structural equality.

#include "core/ir/builder.h"
#include "core/support/check.h"

namespace tessera {

namespace {

// Moves what is in the functions into a graph in program order. Operands are moved before the ops that read them.
class Compactor {
 public:
  explicit Compactor(Graph from) : from_(std::move(from)), now_(from_.values.size()) {
    out_.ops.reserve(from_.ops.size());
    out_.values.reserve(from_.values.size());
    copyModule(from_, out_);
    out_.forward = from_.forward;
  }

  Graph run() {
    for (Function& func : from_.funcs) {
      for (ValueId& arg : func.args) arg = moveValue(arg);
    }
    for (Function& func : from_.funcs) {
      for (OpId& op : func.ops) op = moveOp(op);
    }
    out_.funcs = std::move(from_.funcs);
    return std::move(out_);
  }

 private:
  ValueId moveValue(ValueId old) { return now_[old] = out_.values.push(std::move(from_.values), old); }

  OpId moveOp(OpId old) {
    const OpId made = out_.ops.push(std::move(from_.ops), old);
    for (size_t i = 0; i < out_.ops[made].operands.size(); ++i) {
      const ValueId was = out_.ops[made].operands[i];
      if (now_[was] != was) out_.ops.edit(made).operands[i] = now_[was];
    }
    for (size_t i = 0; i < out_.ops[made].results.size(); ++i) {
      const ValueId was = out_.ops[made].results[i], now = moveValue(was);
      if (made != old) out_.values.edit(now).producer = made;
      if (now != was) out_.ops.edit(made).results[i] = now;
    }
    return made;
  }

  Graph from_, out_;
  IdVec<ValueId, ValueId> now_;
};

bool sameValue(const Value& a, const Value& b) {
  return a.name == b.name && a.type == b.type && a.index == b.index && a.role == b.role && a.label == b.label &&
         a.attrs == b.attrs;
}

bool sameOperands(const Graph& a, const Op& opA, const Graph& b, const Op& opB) {
  if (opA.operands.size() != opB.operands.size()) return false;
  for (size_t i = 0; i < opA.operands.size(); ++i) {
    const ValueId operandA = opA.operands[i], operandB = opB.operands[i];
    if (!a.values.sharesItem(operandA, b.values, operandB) && a.values[operandA].name != b.values[operandB].name)
      return false;
  }
  return true;
}

bool sameValues(const Graph& a, const std::vector<ValueId>& listA, const Graph& b, const std::vector<ValueId>& listB) {
  if (listA.size() != listB.size()) return false;
  for (size_t i = 0; i < listA.size(); ++i) {
    if (!a.values.sharesItem(listA[i], b.values, listB[i]) && !sameValue(a.values[listA[i]], b.values[listB[i]]))
      return false;
  }
  return true;
}

bool sameOp(const Graph& a, OpId idA, const Graph& b, OpId idB) {
  const Op &opA = a.ops[idA], &opB = b.ops[idB];
  const bool same = a.ops.sharesItem(idA, b.ops, idB) ||
                    (opA.kind == opB.kind && opA.name == opB.name && opA.loc == opB.loc && opA.attrs == opB.attrs);
  return same && sameOperands(a, opA, b, opB) && sameValues(a, opA.results, b, opB.results);
}

bool sameFunction(const Graph& a, const Function& funcA, const Graph& b, const Function& funcB) {
  bool sameHead = funcA.name == funcB.name && funcA.isPrivate == funcB.isPrivate && funcA.attrs == funcB.attrs &&
                  funcA.resultTypes == funcB.resultTypes && funcA.ops.size() == funcB.ops.size();
  if (!sameHead || !sameValues(a, funcA.args, b, funcB.args)) return false;
  for (size_t i = 0; i < funcA.ops.size(); ++i) {
    if (!sameOp(a, funcA.ops[i], b, funcB.ops[i])) return false;
  }
  return true;
}

}  // namespace

bool idsInOrder(const Graph& graph) {
  int32_t ops = 0, values = 0;
  bool same = true;
  for (const Function& func : graph.funcs) {
    for (ValueId arg : func.args) same = same && arg.index == values++;
  }
  for (const Function& func : graph.funcs) {
    for (OpId op : func.ops) {
      same = same && op.index == ops++;
      for (ValueId result : graph.ops[op].results) same = same && result.index == values++;
    }
  }
  return same && graph.ops.size() == static_cast<size_t>(ops) && graph.values.size() == static_cast<size_t>(values);
}

Graph compactGraph(Graph graph) { return idsInOrder(graph) ? std::move(graph) : Compactor(std::move(graph)).run(); }

bool sameGraph(const Graph& a, const Graph& b) {
  if (a.name != b.name || a.attrs != b.attrs || a.forward != b.forward || a.funcs.size() != b.funcs.size() ||
      a.bodies.has_value() != b.bodies.has_value())
    return false;
  if (a.bodies && !sameGraph(*a.bodies, *b.bodies)) return false;
  for (FuncId id : a.funcs.ids()) {
    if (!sameFunction(a, a.funcs[id], b, b.funcs[id])) return false;
  }
  return true;
}

}  // namespace tessera
