#include "core/lowering/const_eval_inputs.h"

#include <string>
#include <unordered_map>

#include "core/lowering/rewriter.h"
#include "core/lowering/ttnn_attrs.h"
#include "core/ops/table/op_table.h"

namespace tessera {

namespace {

bool isLoaded(ArgRole role) { return role == ArgRole::Parameter || role == ArgRole::Constant; }

class HostInputs {
 public:
  HostInputs(const Graph& graph, const DeviceSpec& device)
      : graph_(graph), device_(device), uses_(collectUses(graph)), host_(graph.values.size()) {
    for (FuncId id : graph.funcs.ids()) byName_.emplace(graph.funcs[id].name, id);
  }

  Graph run() {
    findHostArguments();
    GraphRewriter rewriter(graph_);
    for (FuncId func : graph_.funcs.ids()) {
      for (ValueId arg : graph_.funcs[func].args) setArgument(rewriter, arg);
      for (OpId op : graph_.funcs[func].ops) rewrite(rewriter, op);
    }
    return rewriter.finish();
  }

 private:
  // The function that an op loads from, when every op that names it is a load.
  FuncId calleeOf(const Op& op) const {
    const AttrValue* callee = op.kind == OpKind::TtcoreLoadCached ? findAttr(op, "callee") : nullptr;
    auto at = callee ? byName_.find(callee->string) : byName_.end();
    return at == byName_.end() ? FuncId() : at->second;
  }

  void findHostArguments() {
    std::vector<ValueId> staying;
    IdVec<ValueId, std::vector<ValueId>> handedTo(graph_.values.size());  // per parameter, the arguments it stands for
    for (ValueId arg : graph_.funcs[graph_.forward].args) {
      const Value& value = graph_.values[arg];
      bool onlyLoads = isLoaded(value.role) && value.type.isTensor() && !uses_[arg].empty();
      for (const Use& use : uses_[arg]) onlyLoads = onlyLoads && calleeOf(graph_.ops[use.op]).valid();
      if (onlyLoads && value.type.tensor->encoding.empty()) host_[arg] = hostLayout(*value.type.tensor, device_);
      else staying.push_back(arg);
      for (const Use& use : uses_[arg]) {
        ValueId parameter = parameterOf(use);
        if (!parameter.valid()) continue;
        handedTo[parameter].push_back(arg);
        if (host_[arg]) host_[parameter] = host_[arg];
      }
    }
    keepSharedOnDevice(std::move(staying), handedTo);
  }

  // What a const-eval function reads from both places stays on the device, and with it all that is handed over there.
  void keepSharedOnDevice(std::vector<ValueId> staying, const IdVec<ValueId, std::vector<ValueId>>& handedTo) {
    while (!staying.empty()) {
      ValueId arg = staying.back();
      staying.pop_back();
      for (const Use& use : uses_[arg]) {
        ValueId parameter = parameterOf(use);
        if (!parameter.valid() || !host_[parameter]) continue;
        host_[parameter].reset();
        for (ValueId other : handedTo[parameter]) {
          if (host_[other]) staying.push_back(other);
          host_[other].reset();
        }
      }
    }
  }

  // The argument of the const-eval function that a load hands the operand to; invalid when the op is no load.
  ValueId parameterOf(const Use& use) const {
    FuncId callee = calleeOf(graph_.ops[use.op]);
    if (!callee.valid() || static_cast<size_t>(use.operand) >= graph_.funcs[callee].args.size()) return {};
    return graph_.funcs[callee].args[static_cast<size_t>(use.operand)];
  }

  void setArgument(GraphRewriter& rewriter, ValueId arg) {
    if (host_[arg])
      rewriter.graph().values.edit(rewriter.now(arg)).type = typeWithLayout(graph_.values[arg].type, *host_[arg]);
  }

  // The first op of a const-eval function that reads an argument moves it to where it was expected.
  void rewrite(GraphRewriter& rewriter, OpId old) {
    const Op& op = graph_.ops[old];
    for (ValueId operand : op.operands) {
      bool parameter = host_[operand] && op.func != graph_.forward && !graph_.values[operand].producer.valid();
      if (!parameter || rewriter.graph().values[rewriter.now(operand)].producer.valid()) continue;
      const ValueType& type = graph_.values[operand].type;
      if (!type.tensor->layout || type.tensor->layout->buffer == BufferType::SystemMemory) continue;
      OpSpec spec = makeOp(OpKind::TtnnToLayout, {rewriter.now(operand)}, {type});
      spec.attrs = toLayoutAttrs(*type.tensor->layout);
      rewriter.map(operand, rewriter.result(rewriter.emitFor(old, std::move(spec))));
    }
    rewriter.copy(old);
  }

  const Graph& graph_;
  const DeviceSpec& device_;
  IdVec<ValueId, std::vector<Use>> uses_;
  IdVec<ValueId, std::optional<TensorLayout>> host_;  // arguments that move, with their new layout
  std::unordered_map<std::string_view, FuncId> byName_;
};

}  // namespace

PassResult constEvalInputsToSystemMemory(const Graph& graph, const PassContext& context) {
  if (!context.ownLayouts) return {graph};  // where a TTNN program wants its arguments is its own affair
  return {HostInputs(graph, context.device).run()};
}

}  // namespace tessera
