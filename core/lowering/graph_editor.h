#pragma once
// GraphEditor: how a pass after the optimizer makes its result. Ids of ops and values stay valid, since plans, runs and
// reports refer to them; new ops get new ids and stand before or after an old one.

#include <utility>
#include <vector>

#include "core/ir/builder.h"
#include "core/ir/graph.h"

namespace tessera {

class GraphEditor {
 public:
  explicit GraphEditor(const Graph& from)
      : graph_(from), builder_(graph_), before_(from.ops.size()), after_(from.ops.size()) {
    for (const Function& func : graph_.funcs) orders_.push_back(func.ops);
  }

  // A new op next to `anchor`, an op of the given graph; several come in the order of the calls. Location and origins
  // are those of `anchor` unless the spec has its own.
  OpId insertBefore(OpId anchor, OpSpec spec) { return insert(before_, anchor, std::move(spec)); }
  OpId insertAfter(OpId anchor, OpSpec spec) { return insert(after_, anchor, std::move(spec)); }

  // For changes in place (edit() of its vectors): operands, types, attributes, another kind for an op.
  Graph& graph() { return graph_; }
  GraphBuilder& builder() { return builder_; }
  ValueId result(OpId op) const { return graph_.ops[op].results[0]; }

  Graph finish();

 private:
  OpId insert(IdVec<OpId, std::vector<OpId>>& where, OpId anchor, OpSpec spec);

  Graph graph_;
  GraphBuilder builder_;
  IdVec<OpId, std::vector<OpId>> before_, after_;
  std::vector<std::vector<OpId>> orders_;  // of the given graph, by function
};

}  // namespace tessera
