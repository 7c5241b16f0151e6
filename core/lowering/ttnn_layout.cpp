#include "core/lowering/ttnn_layout.h"

#include <map>

#include "core/lowering/rewriter.h"
#include "core/lowering/ttnn_attrs.h"
#include "core/ops/shapes/shape_rules.h"
#include "core/ops/table/op_table.h"

namespace tessera {

namespace {

enum class Place { Device, Host };  // tiles in DRAM; row-major on the host

class LayoutPass {
 public:
  LayoutPass(const Graph& graph, const DeviceSpec& device)
      : graph_(graph), device_(device), uses_(collectUses(graph)), rewriter_(graph) {}

  PassResult run() {
    for (FuncId func : graph_.funcs.ids()) {
      moved_.clear();
      for (ValueId arg : graph_.funcs[func].args) setArgument(arg);
      for (OpId op : graph_.funcs[func].ops) rewrite(op);
    }
    return {rewriter_.finish(), {}, std::move(problems_)};
  }

 private:
  // Weights of convolutions are prepared on the host (docs/rules/lowering.md#layouts).
  Place wanted(const Use& use) const {
    const OpInfo& info = opInfo(graph_.ops[use.op].kind);
    bool conv2d = info.has(kHasConvConfig) && info.family == Family::Conv;
    bool weight = conv2d && (use.operand == 1 || use.operand == 2) && use.operand < inputCount(graph_, use.op);
    return weight ? Place::Host : Place::Device;
  }

  bool onlyOnHost(ValueId value) const {
    for (const Use& use : uses_[value]) {
      if (wanted(use) == Place::Device) return false;
    }
    return !uses_[value].empty();
  }

  // A cache: what is written must reach the argument, not a copy of it in another layout.
  bool writtenInPlace(ValueId value) const {
    for (const Use& use : uses_[value]) {
      if (use.operand == 0 && opInfo(graph_.ops[use.op].kind).has(kInPlace)) return true;
    }
    return false;
  }

  void setArgument(ValueId arg) {
    const Value& value = graph_.values[arg];
    if (!value.type.isTensor() || value.type.tensor->layout) return;
    const TensorType& type = *value.type.tensor;
    std::optional<TensorLayout> layout = dramTileLayout(type, device_);
    if (onlyOnHost(arg)) layout = hostLayout(type, device_);
    else if (value.role == ArgRole::Input && !writtenInPlace(arg)) layout = dramRowMajorLayout(type, device_);
    if (layout) rewriter_.graph().values.edit(rewriter_.now(arg)).type = typeWithLayout(value.type, *layout);
  }

  void rewrite(OpId old) {
    const Op& op = graph_.ops[old];
    std::vector<ValueId> operands;
    for (size_t i = 0; i < op.operands.size(); ++i) {
      ValueId value = rewriter_.now(op.operands[i]);
      operands.push_back(opInfo(op.kind).has(kToLayout) ? value : converted(value, {old, static_cast<int32_t>(i)}));
    }
    OpId made = rewriter_.copy(old, std::move(operands));
    for (ValueId result : rewriter_.graph().ops[made].results) setResult(made, result);
  }

  void setResult(OpId op, ValueId result) {
    const ValueType& type = rewriter_.graph().values[result].type;
    if (!type.isTensor() || type.tensor->layout) return;
    std::optional<TensorLayout> layout = dramTileLayout(*type.tensor, device_);
    if (layout) rewriter_.graph().values.edit(result).type = typeWithLayout(type, *layout);
    else problems_.push_back({op, "a tensor of " + shapeText(type.tensor->shape) + " cannot be stored on the device"});
  }

  ValueId converted(ValueId value, const Use& use) {
    const ValueType type = rewriter_.graph().values[value].type;
    if (!type.isTensor() || !type.tensor->layout) return value;
    bool host = wanted(use) == Place::Host;
    std::optional<TensorLayout> layout =
        host ? hostLayout(*type.tensor, device_) : dramTileLayout(*type.tensor, device_);
    const TensorLayout& now = *type.tensor->layout;
    // What the source itself placed on the device in tiles, in whatever way, is left there.
    bool fits = host ? now.buffer == BufferType::SystemMemory
                     : now.buffer != BufferType::SystemMemory && now.page == PageLayout::Tile;
    if (!layout || fits) return value;
    auto [at, isNew] = moved_.insert({{value, host}, ValueId()});
    if (!isNew) return at->second;
    OpSpec spec = makeOp(OpKind::TtirToLayout, {value}, {typeWithLayout(type, *layout)});
    spec.resultName = "";
    OpId op = rewriter_.emitFor(use.op, std::move(spec));
    std::string& loc = rewriter_.graph().ops.edit(op).loc;
    if (!loc.empty()) loc += "_in_" + std::to_string(use.operand) + "_layout";
    at->second = rewriter_.result(op);
    return at->second;
  }

  const Graph& graph_;
  const DeviceSpec& device_;
  IdVec<ValueId, std::vector<Use>> uses_;
  GraphRewriter rewriter_;
  std::map<std::pair<ValueId, bool>, ValueId> moved_;  // of the current function: (value, to the host?) -> its copy
  std::vector<PassNote> problems_;
};

}  // namespace

PassResult ttnnLayout(const Graph& graph, const PassContext& context) {
  return LayoutPass(graph, context.device).run();
}

}  // namespace tessera
