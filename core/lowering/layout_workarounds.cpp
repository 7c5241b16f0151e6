#include <algorithm>

#include "core/lowering/layout_workaround_table.h"
#include "core/lowering/rewriter.h"
#include "core/lowering/ttnn_attrs.h"
#include "core/lowering/workarounds.h"
#include "core/ops/table/op_table.h"

namespace tessera {

namespace {

// The operands that a row means: by number, or by role where the op counts its operands.
std::pair<size_t, size_t> operandsMeant(const Op& op, int which) {
  if (which == kAllOperands) return {0, op.operands.size()};
  if (which < 0) return {0, 0};
  const AttrValue* sizes = findAttr(op, "operandSegmentSizes");
  auto role = static_cast<size_t>(which);
  if (sizes == nullptr || role >= sizes->ints.size()) return {role, std::min(role + 1, op.operands.size())};
  int64_t begin = 0;
  for (size_t i = 0; i < role; ++i) begin += std::max<int64_t>(sizes->ints[i], 0);
  int64_t end = begin + std::max<int64_t>(sizes->ints[role], 0);
  auto most = static_cast<int64_t>(op.operands.size());
  return {static_cast<size_t>(std::min(begin, most)), static_cast<size_t>(std::min(end, most))};
}

class LayoutWorkaroundPass {
 public:
  LayoutWorkaroundPass(const Graph& graph, const PassContext& context)
      : graph_(graph), context_(context), rewriter_(graph) {}

  PassResult run() {
    for (FuncId func : graph_.funcs.ids()) {
      for (OpId op : graph_.funcs[func].ops) rewrite(op);
    }
    return {rewriter_.finish(), std::move(notes_)};
  }

 private:
  void rewrite(OpId old) {
    const Op& op = graph_.ops[old];
    OpTypes types{op, graph_, context_.options.specificationRules};
    std::vector<ValueId> operands;
    for (ValueId operand : op.operands) operands.push_back(rewriter_.now(operand));
    Wanted results[3];
    std::vector<std::string> reasons;
    for (const WorkaroundRow& row : layoutWorkaroundRows()) {
      if (row.op != op.kind || (row.withoutOptimizerOnly && context_.options.optimizer) ||
          (row.compilerOnly && types.specificationRules))
        continue;
      use(old, row.which, row.wanted(types), row.reason, operands, results, reasons);
    }
    bool binary =
        !types.specificationRules && opInfo(op.kind).family == Family::EltwiseBinary && op.operands.size() == 2;
    if (binary) {
      Wanted wanted = binaryOperands(types);
      constexpr std::string_view kReason = "element-wise ops read tiles, and no bytes (tt-metal issue 36217)";
      for (int which : {kAllOperands, kResults}) use(old, which, wanted, kReason, operands, results, reasons);
    }
    OpId made = rewriter_.copy(old, std::move(operands));
    for (size_t i = std::min<size_t>(3, op.results.size()); i-- > 0;) {
      if (results[i].any()) adaptResult(old, made, i, results[i]);
    }
    for (std::string& reason : reasons) notes_.push_back({made, std::move(reason)});
  }

  void use(OpId old, int which, const Wanted& wanted, std::string_view reason, std::vector<ValueId>& operands,
           Wanted (&results)[3], std::vector<std::string>& reasons) {
    if (!wanted.any()) return;
    const Op& op = graph_.ops[old];
    bool changed = false;
    size_t result = which == kResults ? 0 : which == kSecondResult ? 1 : 2;
    if (which < 0 && which != kAllOperands && result < op.results.size()) {
      results[result] = wanted;
      const ValueType& type = graph_.values[op.results[result]].type;
      changed = type.isTensor() && differs(*type.tensor, wanted) && adaptedType(type, wanted);
    }
    auto [begin, end] = operandsMeant(op, which);
    for (size_t i = begin; i < end; ++i) changed |= adapt(old, operands[i], wanted);
    if (changed && std::find(reasons.begin(), reasons.end(), reason) == reasons.end())
      reasons.push_back(std::string(reason));
  }

  static bool differs(const TensorType& type, const Wanted& wanted) {
    return type.layout && ((wanted.page && type.layout->page != *wanted.page) ||
                           (wanted.dtype && type.layout->dtype != *wanted.dtype) ||
                           (wanted.buffer && type.layout->buffer != *wanted.buffer));
  }

  std::optional<ValueType> adaptedType(const ValueType& type, const Wanted& wanted) const {
    const TensorLayout& from = *type.tensor->layout;
    bool moves = wanted.buffer && *wanted.buffer != from.buffer;
    LayoutRequest request{wanted.dtype.value_or(from.dtype), wanted.buffer.value_or(from.buffer), from.memory,
                          wanted.page.value_or(from.page), from.grid};
    if (moves) {
      request.memory = TensorMemoryLayout::Interleaved;
      request.grid = *wanted.buffer == BufferType::L1 ? context_.device.grid : GridShape{1, 1};
      request.allowIdleCores = true;
    }
    auto layout = makeLayout(type.tensor->shape, request, context_.device);
    if (!layout.ok()) return {};
    ValueType out = typeWithLayout(type, *layout);
    if (wanted.dtype && *wanted.dtype != from.dtype) {
      out.tensor->dtype = *wanted.dtype;
      out.tensor->element.clear();
    }
    return out;
  }

  // A change of type alone is a typecast, which the optimizer may place anywhere.
  // Between passes that are run by name the compiler has one op for all.
  OpSpec conversion(ValueId value, const ValueType& from, const ValueType& to) const {
    if (context_.byName && !context_.options.specificationRules) return makeOp(OpKind::TtnnToTensorSpec, {value}, {to});
    bool typeOnly = from.tensor->layout->page == to.tensor->layout->page &&
                    from.tensor->layout->buffer == to.tensor->layout->buffer;
    OpSpec spec = makeOp(typeOnly ? OpKind::TtnnTypecast : OpKind::TtnnToLayout, {value}, {to});
    if (typeOnly) spec.attrs = {{"dtype", dtypeAttr(to.tensor->layout->dtype)}};
    else spec.attrs = toLayoutAttrs(*to.tensor->layout);
    return spec;
  }

  static bool isLayoutChange(OpKind kind) { return kind == OpKind::TtnnToLayout || kind == OpKind::TtnnToTensorSpec; }

  // What a conversion was made from, when that has the pages that are wanted: there and back is no way.
  ValueId beforeConversion(ValueId value, const Wanted& wanted) {
    const Graph& out = rewriter_.graph();
    OpId producer = out.values[value].producer;
    if (!wanted.page || !producer.valid() || !isLayoutChange(out.ops[producer].kind)) return value;
    ValueId source = out.ops[producer].operands[0];
    const ValueType& type = out.values[source].type;
    bool fits = type.isTensor() && type.tensor->layout && type.tensor->layout->page == *wanted.page &&
                type.tensor->layout->buffer != BufferType::SystemMemory &&
                type.tensor->dtype == out.values[value].type.tensor->dtype;
    return fits ? source : value;
  }

  bool adapt(OpId old, ValueId& operand, const Wanted& wanted) {
    const ValueType& type = rewriter_.graph().values[operand].type;
    if (!type.isTensor() || !differs(*type.tensor, wanted)) return false;
    operand = beforeConversion(operand, wanted);
    const ValueType from = rewriter_.graph().values[operand].type;
    if (!differs(*from.tensor, wanted)) return true;
    std::optional<ValueType> to = adaptedType(from, wanted);
    if (!to) return false;
    operand = rewriter_.result(rewriter_.emitFor(old, conversion(operand, from, *to)));
    return true;
  }

  // The op writes what it can, and what was expected is made from it.
  void adaptResult(OpId old, OpId made, size_t index, const Wanted& wanted) {
    ValueId result = rewriter_.result(made, index);
    const ValueType expected = rewriter_.graph().values[result].type;
    if (!expected.isTensor() || !differs(*expected.tensor, wanted)) return;
    std::optional<ValueType> written = adaptedType(expected, wanted);
    if (!written) return;
    rewriter_.graph().values.edit(result).type = *written;
    ValueId back = rewriter_.result(rewriter_.emitFor(old, conversion(result, *written, expected)));
    rewriter_.map(graph_.ops[old].results[index], back);
  }

  const Graph& graph_;
  const PassContext& context_;
  GraphRewriter rewriter_;
  std::vector<PassNote> notes_;
};

}  // namespace

PassResult layoutWorkarounds(const Graph& graph, const PassContext& context) {
  return LayoutWorkaroundPass(graph, context).run();
}

}  // namespace tessera
