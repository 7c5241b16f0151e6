#include "core/lowering/graph_editor.h"

#include "core/lowering/rewriter.h"

namespace tessera {

OpId GraphEditor::insert(IdVec<OpId, std::vector<OpId>>& where, OpId anchor, OpSpec spec) {
  const Op& op = graph_.ops[anchor];
  if (spec.loc.empty()) spec.loc = op.loc;
  if (spec.span == Span{}) spec.span = op.span;
  if (spec.origins.empty()) spec.origins = op.origins;
  FuncId func = op.func;
  OpId made = builder_.append(func, std::move(spec));  // its place in the order is set at the end
  where[anchor].push_back(made);
  return made;
}

Graph GraphEditor::finish() {
  for (FuncId func : graph_.funcs.ids()) {
    std::vector<OpId> order;
    order.reserve(graph_.funcs[func].ops.size());
    for (OpId op : static_cast<size_t>(func.index) < orders_.size() ? orders_[static_cast<size_t>(func.index)]
                                                                    : graph_.funcs[func].ops) {
      if (!before_.contains(op)) {  // of a function added since
        order.push_back(op);
        continue;
      }
      order.insert(order.end(), before_[op].begin(), before_[op].end());
      order.push_back(op);
      order.insert(order.end(), after_[op].begin(), after_[op].end());
    }
    graph_.funcs[func].ops = std::move(order);
    setResultTypes(graph_, graph_.funcs[func]);
  }
  return std::move(graph_);
}

}  // namespace tessera
