// Graphs as wholes: renumbering and structural equality.

#include "core/ir/builder.h"
#include "core/support/check.h"

namespace tessera {

namespace {

// Copies live functions, values and ops in program order and remembers where they went.
struct Compactor {
  const Graph& from;
  Graph to;
  IdVec<ValueId, ValueId> newValue;

  ValueId copyValue(ValueId id, OpId producer) {
    if (from.values[id].producer == producer) return newValue[id] = to.values.push(from.values, id);
    Value value = from.values[id];
    value.producer = producer;
    return newValue[id] = to.values.push(std::move(value));
  }

  void copyOp(OpId id, Function& func) {
    const OpId copy = to.ops.push(from.ops, id);
    std::vector<ValueId> results;
    for (ValueId result : from.ops[id].results) results.push_back(copyValue(result, copy));
    if (results != from.ops[id].results) to.ops.edit(copy).results = std::move(results);
    func.ops.push_back(copy);
  }

  void renumberOperands(OpId op) {
    for (size_t i = 0; i < to.ops[op].operands.size(); ++i) {
      const ValueId operand = to.ops[op].operands[i];
      if (newValue[operand] != operand) to.ops.edit(op).operands[i] = newValue[operand];
    }
  }

  void copyFunction(FuncId id) {
    Function func = from.funcs[id];
    std::vector<ValueId> args = std::move(func.args);
    std::vector<OpId> ops = std::move(func.ops);
    func.args.clear();
    func.ops.clear();
    for (ValueId arg : args) func.args.push_back(copyValue(arg, {}));
    for (OpId op : ops) copyOp(op, func);
    for (OpId op : func.ops) renumberOperands(op);
    to.funcs.push(std::move(func));
  }
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

Graph compactGraph(const Graph& graph) {
  Compactor compactor{graph, Graph{}, IdVec<ValueId, ValueId>(graph.values.size())};
  copyModule(graph, compactor.to);
  compactor.to.forward = graph.forward;  // functions keep their ids
  for (FuncId id : graph.funcs.ids()) compactor.copyFunction(id);
  return std::move(compactor.to);
}

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
