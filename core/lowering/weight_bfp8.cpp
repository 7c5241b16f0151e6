#include "core/lowering/weight_bfp8.h"

#include <map>

#include "core/lowering/rewriter.h"
#include "core/lowering/ttnn_attrs.h"
#include "core/ops/op_table.h"

namespace tessera {

namespace {

class WeightConversion {
 public:
  WeightConversion(const Graph& graph, const PassContext& context) : graph_(graph), context_(context), rewriter_(graph), fixed_(graph.values.size(), false) {}

  PassResult run() {
    for (FuncId func : graph_.funcs.ids()) {
      for (ValueId arg : graph_.funcs[func].args) {
        ArgRole role = graph_.values[arg].role;
        fixed_[arg] = role == ArgRole::Parameter || role == ArgRole::Constant;
      }
      for (OpId op : graph_.funcs[func].ops) {
        markFixed(graph_.ops[op]);
        rewrite(op);
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

  bool takesBfp8(ValueId weight) const {
    const ValueType& type = graph_.values[weight].type;
    if (!fixed_[weight] || !type.isTensor() || !type.tensor->layout) return false;
    DType dtype = type.tensor->layout->dtype;
    return dtype == DType::BF16 || dtype == DType::F32;
  }

  void rewrite(OpId old) {
    const Op& op = graph_.ops[old];
    const OpInfo& info = opInfo(op.kind);
    bool weighted = (info.family == Family::Matmul || info.family == Family::Conv) && op.operands.size() > 1 && takesBfp8(op.operands[1]);
    if (!weighted) {
      rewriter_.copy(old);
      return;
    }
    const TensorLayout& layout = *graph_.values[op.operands[1]].type.tensor->layout;
    OpId made;
    if (layout.page == PageLayout::Tile) {
      ValueId weight = converted(old, op.operands[1]);
      made = rewriter_.copy(old);
      rewriter_.graph().ops[made].operands[1] = weight;
    } else {  // prepared later, and stored in this type then
      made = rewriter_.copy(old);
      std::vector<Attribute>& attrs = rewriter_.graph().ops[made].attrs;
      std::erase_if(attrs, [](const Attribute& attr) { return attr.name == "weights_dtype"; });
      attrs.push_back({"weights_dtype", dtypeAttr(DType::BFP8)});
      sortAttrs(attrs);
    }
    notes_.push_back({made, "reads its weight as bfp_bf8"});
  }

  ValueId converted(OpId reader, ValueId weight) {
    auto [at, isNew] = converted_.insert({weight, ValueId()});
    if (!isNew) return at->second;
    ValueType type = graph_.values[weight].type;
    std::optional<TensorLayout> layout = withDType(type.tensor->shape, *type.tensor->layout, DType::BFP8, context_.device);
    if (!layout) return at->second = rewriter_.now(weight);
    type = typeWithLayout(type, *layout);
    type.tensor->dtype = DType::BFP8;
    type.tensor->element.clear();
    OpSpec spec = makeOp(OpKind::TtnnTypecast, {rewriter_.now(weight)}, {type});
    spec.attrs = {{"dtype", dtypeAttr(DType::BFP8)}};
    return at->second = rewriter_.result(rewriter_.emitFor(reader, std::move(spec)));
  }

  const Graph& graph_;
  const PassContext& context_;
  GraphRewriter rewriter_;
  IdVec<ValueId, bool> fixed_;
  std::map<ValueId, ValueId> converted_;  // a weight that several ops read is converted once
  std::vector<PassNote> notes_;
};

}  // namespace

PassResult convertWeightsToBfp8(const Graph& graph, const PassContext& context) { return WeightConversion(graph, context).run(); }

}  // namespace tessera
