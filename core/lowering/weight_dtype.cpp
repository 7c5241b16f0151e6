#include "core/lowering/weight_dtype.h"

#include <map>

#include "core/lowering/rewriter.h"
#include "core/lowering/ttnn_attrs.h"
#include "core/ops/table/op_table.h"

namespace tessera {

namespace {

class WeightConversion {
 public:
  WeightConversion(const Graph& graph, const PassContext& context)
      : graph_(graph),
        context_(context),
        rewriter_(graph),
        fixed_(graph.values.size(), false),
        devices_(graph.funcs.size()) {
    if (const std::string* target = context.settings.find("target-dtype")) target_ = parseDType(*target);
    else if (context.options.bfp4Weights) target_ = DType::BFP4;
    else if (context.options.bfp8Weights) target_ = DType::BFP8;
  }

  PassResult run() {
    for (FuncId func : graph_.funcs.ids()) {
      for (ValueId arg : graph_.funcs[func].args) {
        ArgRole role = graph_.values[arg].role;
        fixed_[arg] = role == ArgRole::Parameter || role == ArgRole::Constant;
      }
      for (OpId op : graph_.funcs[func].ops) {
        markFixed(graph_.ops[op]);
        rewrite(op);
        if (graph_.ops[op].kind == OpKind::TtnnGetDevice) devices_[func] = rewriter_.now(graph_.ops[op].results[0]);
      }
    }
    return {rewriter_.finish(), std::move(notes_)};
  }

 private:
  // Computed from weights only: the same in every run.
  void markFixed(const Op& op) {
    const OpInfo& info = opInfo(op.kind);
    bool fixed = !info.has(kInPlace) && !info.has(kCollective) && op.kind != OpKind::Opaque && !op.operands.empty();
    for (ValueId operand : op.operands) fixed = fixed && (fixed_[operand] || !graph_.values[operand].type.isTensor());
    for (ValueId result : op.results) fixed_[result] = fixed && graph_.values[result].type.isTensor();
  }

  // What this op's weight shall be stored as; none when it stays as it is.
  std::optional<DType> wanted(const Op& op) const {
    const OpInfo& info = opInfo(op.kind);
    if ((info.family != Family::Matmul && info.family != Family::Conv) || op.operands.size() < 2) return {};
    const ValueType& type = graph_.values[op.operands[1]].type;
    if (!fixed_[op.operands[1]] || !type.isTensor() || !type.tensor->layout) return {};
    DType dtype = type.tensor->layout->dtype;
    const AttrValue* own = findAttr(op, "ttcore.weight_dtype");
    std::optional<DType> to = own != nullptr ? parseDType(own->string) : target_;
    bool wide = dtype == DType::BF16 || dtype == DType::F32;
    return wide && to && *to != dtype ? to : std::nullopt;
  }

  void rewrite(OpId old) {
    const Op& op = graph_.ops[old];
    std::optional<DType> dtype = wanted(op);
    if (!dtype) {
      rewriter_.copy(old);
      return;
    }
    const TensorLayout& layout = *graph_.values[op.operands[1]].type.tensor->layout;
    OpId made;
    if (layout.page == PageLayout::Tile) {
      ValueId weight = converted(old, op.operands[1], *dtype);
      made = rewriter_.copy(old);
      rewriter_.graph().ops.edit(made).operands[1] = weight;
    } else {  // prepared later, and stored in this type then
      made = rewriter_.copy(old);
      AttrList& attrs = rewriter_.graph().ops.edit(made).attrs;
      std::erase_if(attrs.own(), [](const Attribute& attr) { return attr.name == "weights_dtype"; });
      attrs.push_back({"weights_dtype", dtypeAttr(*dtype)});
      sortAttrs(attrs);
    }
    notes_.push_back({made, "reads its weight as " + std::string(dtypeName(*dtype))});
  }

  ValueId converted(OpId reader, ValueId weight, DType dtype) {
    auto [at, isNew] = converted_.insert({{weight, dtype}, ValueId()});
    if (!isNew) return at->second;
    const ValueType& type = graph_.values[weight].type;
    bool onHost = dtype == DType::BFP4;  // the device cannot pack four bits
    ValueId value = rewriter_.now(weight);
    std::optional<ValueType> from = onHost ? stored(type, type.tensor->layout->dtype, true) : type;
    std::optional<ValueType> packed = stored(type, dtype, onHost), last = stored(type, dtype, false);
    if (!from || !packed || !last) return at->second = value;
    if (onHost) value = emit(reader, makeOp(OpKind::TtnnFromDevice, {value}, {*from}));
    OpSpec cast = makeOp(OpKind::TtnnTypecast, {value}, {*packed});
    cast.attrs = {{"dtype", dtypeAttr(dtype)}};
    value = emit(reader, std::move(cast));
    if (onHost) {
      OpSpec back = makeOp(OpKind::TtnnToDevice, {value, device(reader)}, {*last});
      back.attrs = {{"memory_config", memoryConfigAttr(*last->tensor->layout)}};
      value = emit(reader, std::move(back));
    }
    return at->second = value;
  }

  std::optional<ValueType> stored(const ValueType& type, DType dtype, bool onHost) const {
    TensorLayout layout = *type.tensor->layout;
    if (onHost) {
      auto host = makeLayout(type.tensor->shape,
                             {layout.dtype, BufferType::SystemMemory, TensorMemoryLayout::None, layout.page, {}},
                             context_.device);
      if (!host.ok()) return {};
      layout = *host;
    }
    std::optional<TensorLayout> made = withDType(type.tensor->shape, layout, dtype, context_.device);
    if (!made) return {};
    ValueType out = typeWithLayout(type, *made);
    out.tensor->dtype = dtype;
    out.tensor->element.clear();
    return out;
  }

  ValueId emit(OpId reader, OpSpec spec) { return rewriter_.result(rewriter_.emitFor(reader, std::move(spec))); }

  // The device that an earlier op of the function got, or one got here.
  ValueId device(OpId reader) {
    ValueId& found = devices_[graph_.ops[reader].func];
    if (found.valid()) return found;
    return found = emit(reader, getDeviceSpec(context_.options.meshShape));
  }

  const Graph& graph_;
  const PassContext& context_;
  GraphRewriter rewriter_;
  IdVec<ValueId, bool> fixed_;
  std::optional<DType> target_;
  IdVec<FuncId, ValueId> devices_;
  std::map<std::pair<ValueId, DType>, ValueId> converted_;  // a weight that several ops read is converted once
  std::vector<PassNote> notes_;
};

}  // namespace

PassResult convertWeightDtypes(const Graph& graph, const PassContext& context) {
  return WeightConversion(graph, context).run();
}

}  // namespace tessera
