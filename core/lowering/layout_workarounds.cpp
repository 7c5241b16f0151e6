#include <algorithm>

#include "core/lowering/rewriter.h"
#include "core/lowering/ttnn_attrs.h"
#include "core/lowering/workarounds.h"
#include "core/ops/table/op_table.h"

namespace tessera {

namespace {

// What an operand or a result must be; what is not given is free.
struct Wanted {
  std::optional<PageLayout> page = {};
  std::optional<DType> dtype = {};
  bool any() const { return page || dtype; }
};

// The op as the tables see it.
struct OpTypes {
  const Op& op;
  const Graph& graph;
  bool specificationRules;

  const TensorType* operand(size_t i) const { return i < op.operands.size() ? tensorOf(op.operands[i]) : nullptr; }
  const TensorType* result() const { return op.results.empty() ? nullptr : tensorOf(op.results[0]); }
  const TensorType* tensorOf(ValueId value) const {
    const ValueType& type = graph.values[value].type;
    return type.isTensor() && type.tensor->layout ? &*type.tensor : nullptr;
  }
  DType dtype(size_t i) const { return operand(i) ? operand(i)->layout->dtype : DType::BF16; }
};

constexpr int kResults = -1;  // the first result
constexpr int kSecondResult = -3;
constexpr int kAllOperands = -2;

struct WorkaroundRow {
  OpKind op;
  int which;  // operand number, kResults or kAllOperands
  Wanted (*wanted)(const OpTypes&);
  std::string_view reason;
  bool withoutOptimizerOnly = false;  // with one, its choice of layout stands
  bool compilerOnly = false;          // the seed does not know it
};

constexpr Wanted kRows32{PageLayout::RowMajor, DType::U32};

Wanted rowsOfU32(const OpTypes&) { return kRows32; }
Wanted rowsOnly(const OpTypes&) { return {PageLayout::RowMajor, {}}; }
Wanted rowsOfBf16(const OpTypes&) { return {PageLayout::RowMajor, DType::BF16}; }
Wanted bf16(const OpTypes&) { return {{}, DType::BF16}; }
Wanted u32(const OpTypes&) { return {{}, DType::U32}; }
Wanted u32IfSigned(const OpTypes& t) { return t.dtype(2) == DType::I32 ? Wanted{{}, DType::U32} : Wanted{}; }
Wanted f32IfInteger(const OpTypes& t) {
  return isInteger(t.dtype(0)) || isInteger(t.dtype(1)) ? Wanted{{}, DType::F32} : Wanted{};
}
Wanted i32IfFloat(const OpTypes& t) { return isInteger(t.dtype(0)) ? Wanted{} : Wanted{{}, DType::I32}; }
Wanted bf16IfInteger(const OpTypes& t) { return isInteger(t.dtype(0)) ? Wanted{{}, DType::BF16} : Wanted{}; }
// The seed reduces integers as bf16, the compiler of 2026 as f32.
Wanted floatIfInteger(const OpTypes& t) {
  if (!isInteger(t.dtype(0))) return {};
  return {{}, t.specificationRules ? DType::BF16 : DType::F32};
}
Wanted tiles(const OpTypes&) { return {PageLayout::Tile, {}}; }
Wanted tilesOfIndices(const OpTypes& t) {
  bool isUnsigned = t.dtype(1) == DType::U32 || t.dtype(1) == DType::U16;
  return {PageLayout::Tile, isUnsigned ? std::nullopt : std::optional(DType::U32)};
}
Wanted bf16IfF32(const OpTypes& t) { return t.dtype(0) == DType::F32 ? Wanted{{}, DType::BF16} : Wanted{}; }
// Places along a dim that 16 bits can count.
Wanted shortIndices(const OpTypes& t) {
  const AttrValue* dim = findAttr(t.op, "dim");
  const TensorType* type = t.operand(0);
  if (!type || type->shape.empty()) return {};
  auto rank = static_cast<int64_t>(type->shape.size());
  int64_t at = dim == nullptr ? rank - 1 : dim->integer < 0 ? dim->integer + rank : dim->integer;
  if (at < 0 || at >= rank) return {};
  return {{}, type->shape[static_cast<size_t>(at)] <= 65535 ? DType::U16 : DType::U32};
}
Wanted f32IfLongInteger(const OpTypes& t) {
  return t.dtype(0) == DType::I32 || t.dtype(0) == DType::U32 ? Wanted{{}, DType::F32} : Wanted{};
}
Wanted i32IfByte(const OpTypes& t) { return t.dtype(0) == DType::U8 ? Wanted{{}, DType::I32} : Wanted{}; }

// The predicate has the type of the values; integers are compared as f32.
Wanted predicateLikeValues(const OpTypes& t) {
  if (isInteger(t.dtype(2))) return {{}, DType::F32};
  return t.dtype(0) != t.dtype(2) ? Wanted{{}, t.dtype(2)} : Wanted{};
}
Wanted valuesAsF32(const OpTypes& t) { return isInteger(t.dtype(2)) ? Wanted{{}, DType::F32} : Wanted{}; }

// Elements are put in front: tiles would have to be taken apart.
Wanted padded(const OpTypes& t) {
  Wanted wanted = bf16IfInteger(t);
  const AttrValue* padding = findAttr(t.op, "padding");
  for (size_t i = 0; padding && i < padding->ints.size(); i += 2) {
    if (padding->ints[i] != 0) wanted.page = PageLayout::RowMajor;
  }
  return wanted;
}

// Ragged tiles are padded before they are joined, and only floats are.
Wanted joined(const OpTypes& t) {
  const AttrValue* dim = findAttr(t.op, "dim");
  if (!dim || !isInteger(t.dtype(0))) return {};
  for (size_t i = 0; i < t.op.operands.size(); ++i) {
    const TensorType* type = t.operand(i);
    if (!type) return {};
    auto rank = static_cast<int64_t>(type->shape.size());
    int64_t at = dim->integer < 0 ? dim->integer + rank : dim->integer;
    if (at >= 0 && at < rank && type->shape[static_cast<size_t>(at)] % kTileSide != 0) return {{}, DType::BF16};
  }
  return {};
}

// Facts: the compiler's tables of operand workarounds as of 2026, with the library's issues where they name one.
constexpr WorkaroundRow kLayoutWorkarounds[] = {
    {OpKind::TtnnEmbedding, 0, rowsOfU32,
     "the library reads indices as rows of unsigned numbers (tt-metal issue 14915)"},
    {OpKind::TtnnEmbedding, 1, bf16, "the table must be bf16"},
    {OpKind::TtnnEmbedding, kResults, bf16, "the result has the table's type, bf16"},
    {OpKind::TtnnEmbeddingBackward, 0, rowsOfU32,
     "the library reads indices as rows of unsigned numbers (tt-metal issue 14915)"},
    {OpKind::TtnnArgmax, 0, rowsOnly, "argmax reads rows"},
    {OpKind::TtnnArgmax, kResults, rowsOfU32, "argmax writes rows of unsigned indices"},
    {OpKind::TtnnUpdateCache, 2, u32IfSigned, "the update index must be unsigned"},
    {OpKind::TtnnWhere, 0, predicateLikeValues,
     "the predicate must have the type of the values (tt-metal issue 17998)"},
    {OpKind::TtnnWhere, 1, valuesAsF32, "integers are selected as f32 (tt-metal issue 24511)"},
    {OpKind::TtnnWhere, 2, valuesAsF32, "integers are selected as f32 (tt-metal issue 24511)"},
    {OpKind::TtnnWhere, kResults, valuesAsF32, "integers are selected as f32 (tt-metal issue 24511)"},
    {OpKind::TtnnDivide, kAllOperands, f32IfInteger, "integers are divided as f32 (tt-metal issue 25112)"},
    {OpKind::TtnnDivide, kResults, f32IfInteger, "integers are divided as f32 (tt-metal issue 25112)"},
    {OpKind::TtnnPowTensor, kAllOperands, f32IfInteger, "integers are raised to powers as f32 (tt-metal issue 25112)"},
    {OpKind::TtnnPowTensor, kResults, f32IfInteger, "integers are raised to powers as f32 (tt-metal issue 25112)"},
    {OpKind::TtnnLogicalLeftShift, kAllOperands, i32IfFloat, "shifts work on 32-bit integers only"},
    {OpKind::TtnnLogicalLeftShift, kResults, i32IfFloat, "shifts work on 32-bit integers only"},
    {OpKind::TtnnLogicalRightShift, kAllOperands, i32IfFloat, "shifts work on 32-bit integers only"},
    {OpKind::TtnnLogicalRightShift, kResults, i32IfFloat, "shifts work on 32-bit integers only"},
    {OpKind::TtnnPad, 0, padded, "no padding in front of tiles, and of floats only (tt-metal issue 10987)"},
    {OpKind::TtnnPad, kResults, padded, "no padding in front of tiles, and of floats only (tt-metal issue 10987)"},
    {OpKind::TtnnPermute, 0, f32IfLongInteger, "32-bit integers are permuted as f32 (tt-metal issue 19950)"},
    {OpKind::TtnnPermute, kResults, f32IfLongInteger, "32-bit integers are permuted as f32 (tt-metal issue 19950)"},
    {OpKind::TtnnReshape, 0, i32IfByte, "bytes are reshaped as si32 (tt-metal issue 27843)"},
    {OpKind::TtnnReshape, kResults, i32IfByte, "bytes are reshaped as si32 (tt-metal issue 27843)"},
    {OpKind::TtnnConcat, kAllOperands, joined, "ragged tiles are padded before they are joined, and only floats are"},
    {OpKind::TtnnConcat, kResults, joined, "ragged tiles are padded before they are joined, and only floats are"},
    {OpKind::TtnnSum, 0, floatIfInteger, "integers are reduced as floats (tt-metal issue 21071)"},
    {OpKind::TtnnSum, kResults, floatIfInteger, "integers are reduced as floats (tt-metal issue 21071)"},
    {OpKind::TtnnMax, 0, floatIfInteger, "integers are reduced as floats (tt-metal issue 21071)"},
    {OpKind::TtnnMax, kResults, floatIfInteger, "integers are reduced as floats (tt-metal issue 21071)"},
    {OpKind::TtnnMin, 0, floatIfInteger, "integers are reduced as floats (tt-metal issue 21071)"},
    {OpKind::TtnnMin, kResults, floatIfInteger, "integers are reduced as floats (tt-metal issue 21071)"},
    {OpKind::TtnnMean, 0, floatIfInteger, "integers are reduced as floats (tt-metal issue 21071)"},
    {OpKind::TtnnMean, kResults, floatIfInteger, "integers are reduced as floats (tt-metal issue 21071)"},
    {OpKind::TtnnGather, 0, tiles, "gathers read tiles", false, true},
    {OpKind::TtnnGather, 1, tilesOfIndices, "gathers read tiles of unsigned indices", false, true},
    {OpKind::TtnnSort, 0, bf16IfF32, "sorting knows bf16, not f32", false, true},
    {OpKind::TtnnSort, kResults, bf16IfF32, "sorting knows bf16, not f32", false, true},
    {OpKind::TtnnSort, kSecondResult, shortIndices, "places are counted in 16 bits where they fit", false, true},
    {OpKind::TtnnTopk, 0, bf16IfF32, "topk knows bf16, not f32", false, true},
    {OpKind::TtnnTopk, kResults, bf16IfF32, "topk knows bf16, not f32", false, true},
    {OpKind::TtnnTopk, kSecondResult, shortIndices, "places are counted in 16 bits where they fit", false, true},
    {OpKind::TtnnErf, 0, bf16IfInteger, "the error function reads floats", false, true},
    {OpKind::TtnnErf, kResults, bf16IfInteger, "the error function reads floats", false, true},
    {OpKind::TtnnErfc, 0, bf16IfInteger, "the error function reads floats", false, true},
    {OpKind::TtnnErfc, kResults, bf16IfInteger, "the error function reads floats", false, true},
    {OpKind::TtnnSliceDynamic, 1, u32, "bounds are unsigned"},
    {OpKind::TtnnSliceDynamic, 2, u32, "bounds are unsigned"},
    {OpKind::TtnnConv2d, 0, rowsOnly, "large activations come in rows (tt-metal issue 19762)", true},
    {OpKind::TtnnConvTranspose2d, 0, rowsOnly, "large activations come in rows (tt-metal issue 19762)", true},
    {OpKind::TtnnMaxPool2d, 0, rowsOfBf16, "pools write rows of bf16, so they read them", true},
    {OpKind::TtnnMaxPool2d, kResults, rowsOfBf16, "pools write rows of bf16", true},
    {OpKind::TtnnAvgPool2d, 0, rowsOfBf16, "pools write rows of bf16, so they read them", true},
    {OpKind::TtnnAvgPool2d, kResults, rowsOfBf16, "pools write rows of bf16", true},
    {OpKind::TtnnUpsample, 0, rowsOfBf16, "upsampling reads and writes rows of bf16", true},
    {OpKind::TtnnUpsample, kResults, rowsOfBf16, "upsampling reads and writes rows of bf16", true},
};

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
    Wanted result, second;
    std::vector<std::string> reasons;
    for (const WorkaroundRow& row : kLayoutWorkarounds) {
      if (row.op != op.kind || (row.withoutOptimizerOnly && context_.options.optimizer) ||
          (row.compilerOnly && types.specificationRules))
        continue;
      Wanted wanted = row.wanted(types);
      if (!wanted.any()) continue;
      bool changed = false;
      if (row.which == kResults) {
        result = wanted;
        changed = types.result() && differs(*types.result(), wanted);
      }
      if (row.which == kSecondResult && op.results.size() > 1) {
        second = wanted;
        const TensorType* type = types.tensorOf(op.results[1]);
        changed = type != nullptr && differs(*type, wanted);
      }
      for (size_t i = 0; i < operands.size(); ++i) {
        bool meant = row.which == kAllOperands || row.which == static_cast<int>(i);
        if (meant) changed |= adapt(old, operands[i], wanted);
      }
      bool isNew = std::find(reasons.begin(), reasons.end(), row.reason) == reasons.end();
      if (changed && isNew) reasons.push_back(std::string(row.reason));
    }
    OpId made = rewriter_.copy(old);
    rewriter_.graph().ops[made].operands = std::move(operands);
    if (second.any()) adaptResult(old, made, 1, second);
    if (result.any()) adaptResult(old, made, 0, result);
    for (std::string& reason : reasons) notes_.push_back({made, std::move(reason)});
  }

  static bool differs(const TensorType& type, const Wanted& wanted) {
    return type.layout && ((wanted.page && type.layout->page != *wanted.page) ||
                           (wanted.dtype && type.layout->dtype != *wanted.dtype));
  }

  std::optional<ValueType> adaptedType(const ValueType& type, const Wanted& wanted) const {
    const TensorLayout& from = *type.tensor->layout;
    LayoutRequest request{wanted.dtype.value_or(from.dtype), from.buffer, from.memory, wanted.page.value_or(from.page),
                          from.grid};
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
    bool typeOnly = from.tensor->layout->page == to.tensor->layout->page;
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
    rewriter_.graph().values[result].type = *written;
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
