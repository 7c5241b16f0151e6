#include "core/lowering/convert_ttir_to_ttnn.h"

#include <algorithm>

#include "core/lowering/ttir_converter.h"
#include "core/lowering/ttnn_attrs.h"
#include "core/lowering/window_conversion.h"

namespace tessera {

void sameAttrs(TtirConverter& c, OpId old) { c.rewriter().replace(old, c.plain(old, c.target())); }

namespace {

struct ConversionRow {
  OpKind from;
  OpKind to;
  ConversionRule rule;
};

bool isTtir(const Op& op) { return std::string_view(op.name).substr(0, 5) == "ttir."; }

// --- rules -----------------------------------------------------------------------------------------------------------

// The library names the running statistics before the weights.
void batchNormTraining(TtirConverter& c, OpId old) {
  OpSpec spec = c.plain(old, c.target());
  if (spec.operands.size() == 5) std::rotate(spec.operands.begin() + 1, spec.operands.begin() + 3, spec.operands.end());
  c.rewriter().replace(old, std::move(spec));
}

// Says what is made and where (docs/rules/lowering.md#empty-and-full).
void creation(TtirConverter& c, OpId old) {
  OpSpec spec = c.plain(old, c.target());
  if (const AttrValue* value = findAttr(c.op(old), "value"); value != nullptr && !c.specificationRules()) {
    // The numbers are those of the tensor's own type.
    size_t at = value->text.rfind(" : tensor<");
    const TensorType& made = c.resultTensor(old);
    if (at != std::string::npos && value->text.rfind("dense<\"", 0) != 0) {
      AttrValue typed = *value;
      typed.text.erase(at);
      typed.text += " : tensor<";
      for (int64_t dim : made.shape) typed.text += std::to_string(dim) + "x";
      typed.text += std::string(dtypeName(made.dtype)) + ">";
      setAttr(spec, "value", std::move(typed));
    }
  }
  if (c.target() == OpKind::TtnnFull) spec.operands.push_back(c.device(c.op(old).func));
  const TensorType& type = c.resultTensor(old);
  if (c.target() != OpKind::TtnnConstant && c.target() != OpKind::TtnnArange)
    setAttr(spec, "shape", shapeAttr(type.shape));
  if (type.layout) {
    for (Attribute& attr : toLayoutAttrs(*type.layout)) setAttr(spec, attr.name, std::move(attr.value));
  }
  c.rewriter().replace(old, std::move(spec));
}

// The library counts along one dim; what TTIR spreads over more is reshaped and repeated.
void arange(TtirConverter& c, OpId old) {
  const TensorType& type = c.resultTensor(old);
  const AttrValue* along = findAttr(c.op(old), "arange_dimension");
  int64_t dim = along ? along->integer : 0;
  if (type.shape.size() < 2 || dim < 0 || dim >= static_cast<int64_t>(type.shape.size()) || !type.layout) {
    creation(c, old);
    return;
  }
  const ValueType whole = c.source().values[c.op(old).results[0]].type;
  auto typed = [&](Shape shape) { return typeWithShape(whole, std::move(shape), c.deviceSpec()); };
  int64_t count = type.shape[static_cast<size_t>(dim)];
  OpSpec first = c.plain(old, OpKind::TtnnArange);
  dropAttr(first, "arange_dimension");
  first.resultTypes = {typed({count})};
  for (Attribute& attr : toLayoutAttrs(*type.layout)) setAttr(first, attr.name, std::move(attr.value));
  ValueId line = c.rewriter().result(c.rewriter().emitFor(old, std::move(first)));
  Shape alone(type.shape.size(), 1), factors = type.shape;
  alone[static_cast<size_t>(dim)] = count;
  factors[static_cast<size_t>(dim)] = 1;
  OpSpec reshape = makeOp(OpKind::TtnnReshape, {line}, {typed(alone)});
  reshape.attrs = {{"shape", intArrayAttr(alone, "i32")}};
  bool repeated = alone != type.shape;
  if (!repeated) {
    c.rewriter().replace(old, std::move(reshape));
    return;
  }
  OpSpec repeat =
      makeOp(OpKind::TtnnRepeat, {c.rewriter().result(c.rewriter().emitFor(old, std::move(reshape)))}, {whole});
  repeat.attrs = {{"repeat_dims", shapeAttr(factors)}};
  c.rewriter().replace(old, std::move(repeat));
}

void toLayout(TtirConverter& c, OpId old) {
  if (c.op(old).results.size() != 1 || !givesTensors(c.source(), c.op(old))) {
    c.problem(c.rewriter().copy(old), "TTNN has no op for memory references");
    return;
  }
  OpSpec spec = c.plain(old, c.target());
  const TensorType& type = c.resultTensor(old);
  if (type.layout) {
    for (Attribute& attr : toLayoutAttrs(*type.layout)) setAttr(spec, attr.name, std::move(attr.value));
  }
  c.rewriter().replace(old, std::move(spec));
}

void typecast(TtirConverter& c, OpId old) {
  OpSpec spec = c.plain(old, c.target());
  dropAttr(spec, "conservative_folding");
  setAttr(spec, "dtype", dtypeAttr(deviceDType(c.resultTensor(old).dtype)));
  c.rewriter().replace(old, std::move(spec));
}

void matmul(TtirConverter& c, OpId old) {
  OpSpec spec = c.plain(old, c.target());
  for (const char* name : {"transpose_a", "transpose_b"}) {
    if (!hasAttr(spec, name)) setAttr(spec, name, boolAttr(false));
  }
  c.rewriter().replace(old, std::move(spec));
}

void softmax(TtirConverter& c, OpId old) {
  OpSpec spec = c.plain(old, c.target());
  if (c.specificationRules() && !hasAttr(spec, "numericStable") && !hasAttr(spec, "numeric_stable"))
    setAttr(spec, "numericStable", boolAttr(true));
  c.rewriter().replace(old, std::move(spec));
}

// squeeze and unsqueeze become a reshape.
void asReshape(TtirConverter& c, OpId old) {
  OpSpec spec = c.plain(old, OpKind::TtnnReshape);
  spec.attrs = {{"shape", intArrayAttr(c.resultTensor(old).shape, "i32")}};
  c.rewriter().replace(old, std::move(spec));
}

void asRepeat(TtirConverter& c, OpId old) {
  OpSpec spec = c.plain(old, OpKind::TtnnRepeat);
  const char* name = c.op(old).kind == OpKind::TtirBroadcast ? "broadcast_dimensions" : "repeat_dimensions";
  const AttrValue* factors = findAttr(c.op(old), name);
  if (factors && factors->kind == AttrValueKind::IntArray) {
    setAttr(spec, "repeat_dims", shapeAttr(factors->ints));
    dropAttr(spec, name);
  }
  c.rewriter().replace(old, std::move(spec));
}

// The library takes one dim.
void argReduction(TtirConverter& c, OpId old) {
  OpSpec spec = c.plain(old, c.target());
  const AttrValue* dims = findAttr(c.op(old), "dim_arg");
  if (dims && dims->kind == AttrValueKind::IntArray && dims->ints.size() == 1) {
    setAttr(spec, "dim", intAttr(dims->ints[0], "i32"));
    dropAttr(spec, "dim_arg");
  }
  c.rewriter().replace(old, std::move(spec));
}

// Writes into the cache, so what reads the op's result reads the cache.
void cacheUpdate(TtirConverter& c, OpId old) {
  OpSpec spec = c.plain(old, c.target());
  const Op& from = c.op(old);
  if (from.results.empty()) {
    c.rewriter().replace(old, std::move(spec));
    return;
  }
  spec.resultTypes.clear();
  c.rewriter().emitFor(old, std::move(spec));
  for (ValueId result : from.results) c.rewriter().map(result, c.rewriter().now(from.operands[0]));
}

void deallocate(TtirConverter& c, OpId old) {
  OpSpec spec = c.plain(old, c.target());
  setAttr(spec, "force", boolAttr(false));
  c.rewriter().replace(old, std::move(spec));
}

// The type that the library writes.
void quantized(TtirConverter& c, OpId old) {
  OpSpec spec = c.plain(old, c.target());
  setAttr(spec, "output_dtype", dtypeAttr(deviceDType(c.resultTensor(old).dtype)));
  c.rewriter().replace(old, std::move(spec));
}

// The dim is a number of another width.
void alongDim(TtirConverter& c, OpId old) {
  OpSpec spec = c.plain(old, c.target());
  const AttrValue* dim = findAttr(c.op(old), "dim");
  if (dim != nullptr) setAttr(spec, "dim", intAttr(dim->integer, "si32"));
  c.rewriter().replace(old, std::move(spec));
}

void window(TtirConverter& c, OpId old) {
  const AttrValue* dilation = findAttr(c.op(old), "dilation");
  bool spread = c.op(old).kind == OpKind::TtirAvgPool2d && dilation != nullptr &&
                (dilation->integer > 1 ||
                 std::any_of(dilation->ints.begin(), dilation->ints.end(), [](int64_t step) { return step != 1; }));
  if (spread && !c.specificationRules()) {
    c.problem(c.rewriter().copy(old), "the library averages windows without dilation only");
    return;
  }
  std::string why = convertWindow(c.source(), old, c.plain(old, c.target()), c.deviceSpec(), c.rewriter());
  if (!why.empty()) c.problem(c.rewriter().copy(old), std::move(why));
}

// Ops that are more than another name for the same operands and attributes. All others of TTIR become the TTNN op of
// that name.
constexpr ConversionRow kConversions[] = {
    {OpKind::TtirEmpty, OpKind::TtnnEmpty, creation},
    {OpKind::TtirConstant, OpKind::TtnnConstant, creation},
    {OpKind::TtirZeros, OpKind::TtnnZeros, creation},
    {OpKind::TtirOnes, OpKind::TtnnOnes, creation},
    {OpKind::TtirFull, OpKind::TtnnFull, creation},
    {OpKind::TtirRand, OpKind::TtnnRand, creation},
    {OpKind::TtirArange, OpKind::TtnnArange, arange},
    {OpKind::TtirDealloc, OpKind::TtnnDeallocate, deallocate},
    {OpKind::TtirToLayout, OpKind::TtnnToLayout, toLayout},
    {OpKind::TtirTypecast, OpKind::TtnnTypecast, typecast},
    {OpKind::TtirDiv, OpKind::TtnnDivide, sameAttrs},
    {OpKind::TtirBatchNormTraining, OpKind::TtnnBatchNormTraining, batchNormTraining},
    {OpKind::TtirPow, OpKind::TtnnPowTensor, power},
    {OpKind::TtirProd, OpKind::TtnnProd, product},
    {OpKind::TtirEmbeddingBackward, OpKind::TtnnEmbeddingBackward, embeddingBackward},
    {OpKind::TtirAdamw, OpKind::TtnnAdamw, adamw},
    {OpKind::TtirScaledDotProductAttention, OpKind::TtnnScaledDotProductAttention, attention},
    {OpKind::TtirMatmul, OpKind::TtnnMatmul, matmul},
    {OpKind::TtirLinear, OpKind::TtnnLinear, matmul},
    {OpKind::TtirSoftmax, OpKind::TtnnSoftmax, softmax},
    {OpKind::TtirSqueeze, OpKind::TtnnReshape, asReshape},
    {OpKind::TtirUnsqueeze, OpKind::TtnnReshape, asReshape},
    {OpKind::TtirBroadcast, OpKind::TtnnRepeat, asRepeat},
    {OpKind::TtirRepeat, OpKind::TtnnRepeat, asRepeat},
    {OpKind::TtirArgmax, OpKind::TtnnArgmax, argReduction},
    {OpKind::TtirArgmin, OpKind::TtnnArgmin, argReduction},
    {OpKind::TtirConv1d, OpKind::TtnnConv1d, conv1d},
    {OpKind::TtirConv2d, OpKind::TtnnConv2d, window},
    {OpKind::TtirConvTranspose2d, OpKind::TtnnConvTranspose2d, window},
    {OpKind::TtirMaxPool2d, OpKind::TtnnMaxPool2d, window},
    {OpKind::TtirAvgPool2d, OpKind::TtnnAvgPool2d, window},
    {OpKind::TtirMaxPool2dWithIndices, OpKind::TtnnMaxPool2dWithIndices, window},
    {OpKind::TtirBatchNorm, OpKind::TtnnBatchNormInference, batchNorm},
    {OpKind::TtirBatchNormInference, OpKind::TtnnBatchNormInference, batchNorm},
    {OpKind::TtirFillCache, OpKind::TtnnFillCache, cacheUpdate},
    {OpKind::TtirUpdateCache, OpKind::TtnnUpdateCache, cacheUpdate},
    {OpKind::TtirPagedFillCache, OpKind::TtnnPagedFillCache, cacheUpdate},
    {OpKind::TtirPagedUpdateCache, OpKind::TtnnPagedUpdateCache, cacheUpdate},
    {OpKind::TtirQuantizeUnrolled, OpKind::TtnnQuantize, quantized},
    {OpKind::TtirDequantizeUnrolled, OpKind::TtnnDequantize, quantized},
    {OpKind::TtirRequantizeUnrolled, OpKind::TtnnRequantize, quantized},
    {OpKind::TtirCumprod, OpKind::TtnnCumprod, alongDim},
    {OpKind::TtirAllGather, OpKind::TtnnAllGather, collective},
    {OpKind::TtirAllReduce, OpKind::TtnnAllReduce, collective},
    {OpKind::TtirReduceScatter, OpKind::TtnnReduceScatter, collective},
    {OpKind::TtirMeshShard, OpKind::TtnnMeshShard, meshShard},
};

// The table's row, or the op of the same name; kind Opaque when there is none.
ConversionRow conversionOf(const Op& op) {
  for (const ConversionRow& row : kConversions) {
    if (row.from == op.kind) return row;
  }
  OpKind same = op.kind == OpKind::Opaque ? OpKind::Opaque : opKindFromName("ttnn." + op.name.substr(5));
  bool region =
      op.kind == OpKind::TtirGeneric || op.kind == OpKind::TtirComposite;  // wrappers around regions that were not read
  return {op.kind, region ? OpKind::Opaque : same, sameAttrs};
}

}  // namespace

PassResult convertTtirToTtnn(const Graph& graph, const PassContext& context) {
  TtirConverter converter(graph, context);
  for (FuncId func : graph.funcs.ids()) {
    const std::vector<OpId>& ops = graph.funcs[func].ops;
    // The forward function starts with its device (docs/rules/lowering.md#device).
    if (func == graph.forward && graph.ops[ops.front()].kind != OpKind::TtnnGetDevice) (void)converter.device(func);
    for (OpId old : ops) {
      const Op& from = graph.ops[old];
      if (!isTtir(from)) {
        OpId made = converter.rewriter().copy(old);
        if (from.kind == OpKind::TtnnGetDevice) converter.takeDevice(func, converter.rewriter().result(made));
        continue;
      }
      ConversionRow row = conversionOf(from);
      if (row.to == OpKind::Opaque) {
        converter.problem(converter.rewriter().copy(old),
                          "TTNN has no op for it; it should have been decomposed before");
        continue;
      }
      converter.startOp(row.to);
      row.rule(converter, old);
    }
  }
  return converter.finish();
}

}  // namespace tessera
