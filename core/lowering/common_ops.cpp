#include "core/lowering/common_ops.h"

#include <algorithm>

#include "core/lowering/rewriter.h"
#include "core/ops/table/op_table.h"
#include "core/support/key_index.h"

namespace tessera {

namespace {

bool mayMerge(const Op& op) {
  const OpInfo& info = opInfo(op.kind);
  bool pure = !info.has(kInPlace) && !info.has(kCollective) && !info.has(kTerminator) && op.kind != OpKind::Opaque &&
              info.family != Family::Call && info.family != Family::Device && info.family != Family::Creation;
  bool number = op.kind == OpKind::TtirFull || op.kind == OpKind::TtirZeros || op.kind == OpKind::TtirOnes ||
                op.kind == OpKind::TtirConstant || op.kind == OpKind::TtirArange;
  const AttrValue* value = findAttr(op, "value");
  if (value != nullptr && value->text.rfind("dense_resource", 0) == 0)
    return false;  // numbers that are not in the text
  return (pure || number) && op.kind != OpKind::TtirDropout && op.results.size() == 1;
}

// Ops that are alike: one name, the same operands, attributes as written and result type.
class EqualOps {
 public:
  explicit EqualOps(const Graph& graph) : graph_(graph), first_(graph.ops.size()), value_(graph.values.size()) {
    for (ValueId id : graph.values.ids()) value_[id] = id;
    for (const Function& func : graph.funcs) findIn(func);
  }

  bool any() const { return any_; }
  // The earlier op that `op` is like, invalid where there is none.
  OpId first(OpId op) const { return first_[op]; }
  // The value, or that of the earlier op that makes the same.
  ValueId now(ValueId value) const { return value_[value]; }

 private:
  void findIn(const Function& func) {
    HashIndex seen;
    std::vector<OpId> ops;  // by their number in `seen`
    for (OpId id : func.ops) {
      const Op& op = graph_.ops[id];
      if (!mayMerge(op)) continue;
      const uint64_t hash = hashOf(op);
      const int32_t number =
          seen.find(hash, [&](int32_t at) { return alike(graph_.ops[ops[static_cast<size_t>(at)]], op); });
      if (number < 0) {
        seen.add(hash);
        ops.push_back(id);
        continue;
      }
      any_ = true;
      first_[id] = ops[static_cast<size_t>(number)];
      value_[op.results[0]] = graph_.ops[first_[id]].results[0];
    }
  }

  uint64_t hashOf(const Op& op) const {
    uint64_t hash = static_cast<uint64_t>(op.kind);
    for (ValueId operand : op.operands) hash = mixHash(hash, static_cast<uint64_t>(value_[operand].index));
    const ValueType& type = graph_.values[op.results[0]].type;
    if (type.isTensor()) {
      for (int64_t dim : type.tensor->shape) hash = mixHash(hash, static_cast<uint64_t>(dim));
    }
    return hash;
  }

  template <class T, class Same>
  static bool equal(const std::vector<T>& a, const std::vector<T>& b, Same same) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
  }

  bool alike(const Op& a, const Op& b) const {
    auto sameValue = [&](ValueId x, ValueId y) { return value_[x] == value_[y]; };
    auto sameAttr = [](const Attribute& x, const Attribute& y) {
      return x.name == y.name && x.value.text == y.value.text;
    };
    return a.name == b.name && equal(a.operands, b.operands, sameValue) &&
           equal(a.attrs.list(), b.attrs.list(), sameAttr) &&
           graph_.values[a.results[0]].type == graph_.values[b.results[0]].type;
  }

  const Graph& graph_;
  IdVec<OpId, OpId> first_;
  IdVec<ValueId, ValueId> value_;  // with the results of repeated ops replaced by those of the first
  bool any_ = false;
};

}  // namespace

Graph withEqualOpsMerged(Graph graph) {
  const EqualOps equal(graph);
  if (!equal.any()) return graph;
  for (Function& func : graph.funcs) {
    for (OpId id : func.ops) {
      for (size_t i = 0; i < graph.ops[id].operands.size(); ++i) {
        const ValueId operand = graph.ops[id].operands[i];
        if (equal.now(operand) != operand) graph.ops.edit(id).operands[i] = equal.now(operand);
      }
      if (!equal.first(id).valid()) continue;
      Op& first = graph.ops.edit(equal.first(id));
      first.origins = joinOrigins(first.origins, graph.ops[id].origins);
    }
    setResultTypes(graph, func);
  }
  return graph;
}

PassResult mergeEqualOps(const Graph& graph, const PassContext&) {
  const EqualOps equal(graph);
  if (!equal.any()) return {graph};
  Graph merged = withEqualOpsMerged(graph);
  IdVec<OpId, bool> repeated(graph.ops.size(), false);
  for (OpId op : graph.ops.ids()) repeated[op] = equal.first(op).valid();
  GraphBuilder builder(merged);
  for (FuncId func : graph.funcs.ids()) builder.removeOps(func, repeated);
  return {compactGraph(merged)};
}

}  // namespace tessera
