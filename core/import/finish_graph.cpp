#include "core/import/finish_graph.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "core/ir/bodies.h"
#include "core/ir/functions.h"
#include "core/ops/shapes/shape_rules.h"
#include "core/ops/table/op_table.h"

namespace tessera {

namespace {

class Finisher {
 public:
  Finisher(Graph& graph, Span place, Diagnostics& diags, const std::unordered_set<int32_t>& damaged)
      : graph_(graph), place_(place), diags_(diags), damaged_(damaged) {}

  void run() {
    for (FuncId id : graph_.funcs.ids()) byName_.emplace(graph_.funcs[id].name, id);
    for (FuncId id : graph_.funcs.ids()) {
      for (OpId op : graph_.funcs[id].ops) {
        if (graph_.ops[op].kind == OpKind::FuncCall || graph_.ops[op].kind == OpKind::TtcoreLoadCached) checkCall(op);
      }
    }
    pickForward();
    for (const Function& func : graph_.funcs) {
      for (OpId op : func.ops) {
        if (damaged_.count(op.index) == 0) checkShapes(graph_, op, diags_);
      }
    }
  }

 private:
  void checkCall(OpId id) {
    const Op& op = graph_.ops[id];
    const AttrValue* callee = findAttr(op, "callee");
    if (callee == nullptr) {
      diags_.report(DiagKind::MissingAttribute, op.span, {op.name, "callee"});
      return;
    }
    auto at = byName_.find(callee->string);
    if (at == byName_.end()) return;  // defined in a module that was not pasted
    const Function& target = graph_.funcs[at->second];
    if (op.operands.size() != target.args.size()) {
      diags_.report(DiagKind::WrongOperandCount, op.span,
                    {op.name, std::to_string(target.args.size()), std::to_string(op.operands.size())});
      return;
    }
    if (op.results.size() != target.resultTypes.size()) {
      diags_.report(DiagKind::WrongResultCount, op.span,
                    {op.name, std::to_string(target.resultTypes.size()), std::to_string(op.results.size())});
      return;
    }
    for (size_t i = 0; i < op.operands.size(); ++i)
      compare("operand", op, i, graph_.values[target.args[i]].type, graph_.values[op.operands[i]].type);
    for (size_t i = 0; i < op.results.size(); ++i)
      compare("result", op, i, target.resultTypes[i], graph_.values[op.results[i]].type);
  }

  // Layouts may differ between caller and callee; shapes may not.
  void compare(const char* what, const Op& op, size_t index, const ValueType& declared, const ValueType& used) {
    bool same = declared.isTensor() == used.isTensor() &&
                (!declared.isTensor() || declared.tensor->shape == used.tensor->shape);
    if (same) return;
    std::string text = std::string(what) + " " + std::to_string(index) + " is " + shortTypeText(used) +
                       ", the function declares " + shortTypeText(declared);
    diags_.report(DiagKind::ShapeMismatch, op.span, {op.name, text});
  }

  void pickForward() {
    const std::vector<FuncId> forward = forwardFunctions(graph_);
    if (!graph_.forward.valid() && !forward.empty()) graph_.forward = forward[0];
    if (!graph_.forward.valid()) {
      if (!diags_.hasErrors()) diags_.report(DiagKind::NoFunction, place_);
      return;
    }
    for (FuncId id : forward) {
      const Function& func = graph_.funcs[id];
      if (id != graph_.forward) diags_.report(DiagKind::ExtraFunction, graph_.ops[func.ops.front()].span, {func.name});
    }
  }

  Graph& graph_;
  Span place_;
  Diagnostics& diags_;
  const std::unordered_set<int32_t>& damaged_;
  std::unordered_map<std::string_view, FuncId> byName_;
};

bool isStablehlo(const Op& op) { return opInfo(op.kind).family == Family::Stablehlo; }

// StableHLO in a TTNN program is what its lowering left (convertStablehloToTtir): opaque, with bodies that no pass
// reads.
void setBodiesAside(Graph& graph) {
  if (std::none_of(graph.ops.begin(), graph.ops.end(), isStablehlo) || !hasOpsOf(graph, "ttnn.")) return;
  const IdVec<FuncId, char> bodies = functionsOnlyOf(graph, isStablehlo);
  for (OpId id : graph.ops.ids()) {
    if (isStablehlo(graph.ops[id]) && bodies[graph.ops[id].func] == 0) graph.ops.edit(id).kind = OpKind::Opaque;
  }
  graph = withBodiesBeside(std::move(graph), bodies);
}

}  // namespace

void finishGraph(Graph& graph, Span place, Diagnostics& diags, const std::unordered_set<int32_t>& damaged) {
  Finisher(graph, place, diags, damaged).run();
  if (!diags.hasErrors() && graph.forward.valid()) setBodiesAside(graph);
}

}  // namespace tessera
