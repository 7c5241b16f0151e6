#include "core/lowering/convert_ttir_to_ttnn.h"

#include <algorithm>

#include "core/lowering/rewriter.h"
#include "core/lowering/ttnn_attrs.h"
#include "core/lowering/window_conversion.h"
#include "core/ops/shapes/shape_rules.h"
#include "core/ops/table/op_table.h"
#include "core/support/check.h"

namespace tessera {

namespace {

class Converter;
// Makes the new op (or ops) of `old` and maps its results.
using Rule = void (*)(Converter&, OpId old);

struct ConversionRow {
  OpKind from;
  OpKind to;
  Rule rule;
};

bool isTtir(const Op& op) { return std::string_view(op.name).substr(0, 5) == "ttir."; }

void setAttr(OpSpec& spec, std::string_view name, AttrValue value) {
  for (Attribute& attr : spec.attrs) {
    if (attr.name == name) {
      attr.value = std::move(value);
      return;
    }
  }
  spec.attrs.push_back({std::string(name), std::move(value)});
}

void dropAttr(OpSpec& spec, std::string_view name) {
  std::erase_if(spec.attrs, [&](const Attribute& attr) { return attr.name == name; });
}

bool hasAttr(const OpSpec& spec, std::string_view name) {
  return std::any_of(spec.attrs.begin(), spec.attrs.end(), [&](const Attribute& attr) { return attr.name == name; });
}

class Converter {
 public:
  Converter(const Graph& graph, const DeviceSpec& device)
      : graph_(graph), device_(device), rewriter_(graph), devices_(graph.funcs.size()) {}

  PassResult run();

  const Op& op(OpId old) const { return graph_.ops[old]; }
  const TensorType& resultTensor(OpId old) const { return *graph_.values[op(old).results[0]].type.tensor; }
  const Shape* operandShape(OpId old, size_t index) const {
    const ValueType& type = graph_.values[op(old).operands[index]].type;
    return type.isTensor() ? &type.tensor->shape : nullptr;
  }
  OpKind target() const { return target_; }
  GraphRewriter& rewriter() { return rewriter_; }
  const Graph& source() const { return graph_; }

  // The op as `kind`, with the operands that are read, the device if the op takes one, and the attributes it had.
  OpSpec plain(OpId old, OpKind kind) {
    const Op& from = op(old);
    OpSpec spec = makeOp(kind, {}, {});
    size_t inputs = static_cast<size_t>(inputCount(graph_, old));
    for (size_t i = 0; i < inputs; ++i) spec.operands.push_back(rewriter_.now(from.operands[i]));
    bool takesDevice =
        opInfo(kind).roles.find("device?") != std::string_view::npos && opInfo(kind).family != Family::ToLayout;
    if (takesDevice) spec.operands.push_back(device(from.func));
    for (ValueId result : from.results) spec.resultTypes.push_back(graph_.values[result].type);
    spec.attrs = from.attrs;
    fitSegments(spec, from, inputs, takesDevice);
    return spec;
  }

  // The device of a function: of its first op, or got here.
  ValueId device(FuncId func) {
    ValueId& device = devices_[static_cast<size_t>(func.index)];
    if (!device.valid()) device = getDevice(func);
    return device;
  }
  const DeviceSpec& deviceSpec() const { return device_; }

  void problem(OpId made, std::string why) { problems_.push_back({made, std::move(why)}); }

 private:
  ValueId getDevice(FuncId func);
  // operandSegmentSizes counts the operands of each role of the new op: no outputs, the device.
  static void fitSegments(OpSpec& spec, const Op& from, size_t inputs, bool device);

  const Graph& graph_;
  const DeviceSpec& device_;
  GraphRewriter rewriter_;
  OpKind target_{};
  std::vector<ValueId> devices_;  // by function
  std::vector<PassNote> problems_;
};

size_t roleCount(std::string_view roles) {
  return roles.empty() ? 0 : 1 + static_cast<size_t>(std::count(roles.begin(), roles.end(), ' '));
}

void Converter::fitSegments(OpSpec& spec, const Op& from, size_t inputs, bool device) {
  const AttrValue* segments = findAttr(from, "operandSegmentSizes");
  if (segments == nullptr || segments->kind != AttrValueKind::IntArray) return;
  std::vector<int64_t> sizes;
  size_t counted = 0;
  for (int64_t size : segments->ints) {
    if (size < 0 || counted + static_cast<size_t>(size) > inputs) break;  // the outputs
    sizes.push_back(size);
    counted += static_cast<size_t>(size);
  }
  std::string_view roles = opInfo(spec.kind).roles;
  sizes.resize(roleCount(roles), 0);
  if (device && !sizes.empty()) sizes.back() = 1;  // the device is the last role
  setAttr(spec, "operandSegmentSizes", intArrayAttr(std::move(sizes), "i32"));
}

// --- rules -----------------------------------------------------------------------------------------------------------

void sameAttrs(Converter& c, OpId old) { c.rewriter().replace(old, c.plain(old, c.target())); }

// Says what is made and where (docs/rules/lowering.md#empty-and-full).
void creation(Converter& c, OpId old) {
  OpSpec spec = c.plain(old, c.target());
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
void arange(Converter& c, OpId old) {
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

void toLayout(Converter& c, OpId old) {
  OpSpec spec = c.plain(old, c.target());
  const TensorType& type = c.resultTensor(old);
  if (type.layout) {
    for (Attribute& attr : toLayoutAttrs(*type.layout)) setAttr(spec, attr.name, std::move(attr.value));
  }
  c.rewriter().replace(old, std::move(spec));
}

void typecast(Converter& c, OpId old) {
  OpSpec spec = c.plain(old, c.target());
  dropAttr(spec, "conservative_folding");
  setAttr(spec, "dtype", dtypeAttr(deviceDType(c.resultTensor(old).dtype)));
  c.rewriter().replace(old, std::move(spec));
}

void matmul(Converter& c, OpId old) {
  OpSpec spec = c.plain(old, c.target());
  for (const char* name : {"transpose_a", "transpose_b"}) {
    if (!hasAttr(spec, name)) setAttr(spec, name, boolAttr(false));
  }
  c.rewriter().replace(old, std::move(spec));
}

void softmax(Converter& c, OpId old) {
  OpSpec spec = c.plain(old, c.target());
  if (!hasAttr(spec, "numericStable") && !hasAttr(spec, "numeric_stable"))
    setAttr(spec, "numericStable", boolAttr(true));
  c.rewriter().replace(old, std::move(spec));
}

// squeeze and unsqueeze become a reshape.
void asReshape(Converter& c, OpId old) {
  OpSpec spec = c.plain(old, OpKind::TtnnReshape);
  spec.attrs = {{"shape", intArrayAttr(c.resultTensor(old).shape, "i32")}};
  c.rewriter().replace(old, std::move(spec));
}

void asRepeat(Converter& c, OpId old) {
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
void argReduction(Converter& c, OpId old) {
  OpSpec spec = c.plain(old, c.target());
  const AttrValue* dims = findAttr(c.op(old), "dim_arg");
  if (dims && dims->kind == AttrValueKind::IntArray && dims->ints.size() == 1) {
    setAttr(spec, "dim", intAttr(dims->ints[0], "i32"));
    dropAttr(spec, "dim_arg");
  }
  c.rewriter().replace(old, std::move(spec));
}

// Writes into the cache, so what reads the op's result reads the cache.
void cacheUpdate(Converter& c, OpId old) {
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

// TTIR: input scale offset mean variance; TTNN: input mean variance scale offset.
void batchNorm(Converter& c, OpId old) {
  OpSpec spec = c.plain(old, c.target());
  if (spec.operands.size() == 5)
    spec.operands = {spec.operands[0], spec.operands[3], spec.operands[4], spec.operands[1], spec.operands[2]};
  // The library wants one number per channel at the channel's dim of the input's rank.
  const Shape* input = c.operandShape(old, 0);
  const AttrValue* dimension = findAttr(c.op(old), "dimension");
  int64_t dim = dimension ? dimension->integer : 1;
  for (size_t i = 1; input && i < spec.operands.size(); ++i) {
    const ValueType type = c.rewriter().graph().values[spec.operands[i]].type;
    bool vector =
        type.isTensor() && type.tensor->shape.size() == 1 && dim >= 0 && dim < static_cast<int64_t>(input->size());
    if (!vector || input->size() == 1) continue;
    Shape shape(input->size(), 1);
    shape[static_cast<size_t>(dim)] = type.tensor->shape[0];
    OpSpec reshape = makeOp(OpKind::TtnnReshape, {spec.operands[i]}, {typeWithShape(type, shape, c.deviceSpec())});
    reshape.attrs = {{"shape", intArrayAttr(shape, "i32")}};
    spec.operands[i] = c.rewriter().result(c.rewriter().emitFor(old, std::move(reshape)));
  }
  c.rewriter().replace(old, std::move(spec));
}

void deallocate(Converter& c, OpId old) {
  OpSpec spec = c.plain(old, c.target());
  setAttr(spec, "force", boolAttr(false));
  c.rewriter().replace(old, std::move(spec));
}

void window(Converter& c, OpId old) {
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
    {OpKind::TtirPow, OpKind::TtnnPowTensor, sameAttrs},
    {OpKind::TtirMatmul, OpKind::TtnnMatmul, matmul},
    {OpKind::TtirLinear, OpKind::TtnnLinear, matmul},
    {OpKind::TtirSoftmax, OpKind::TtnnSoftmax, softmax},
    {OpKind::TtirSqueeze, OpKind::TtnnReshape, asReshape},
    {OpKind::TtirUnsqueeze, OpKind::TtnnReshape, asReshape},
    {OpKind::TtirBroadcast, OpKind::TtnnRepeat, asRepeat},
    {OpKind::TtirRepeat, OpKind::TtnnRepeat, asRepeat},
    {OpKind::TtirArgmax, OpKind::TtnnArgmax, argReduction},
    {OpKind::TtirArgmin, OpKind::TtnnArgmin, argReduction},
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
    {OpKind::TtirQuantizeUnrolled, OpKind::TtnnQuantize, sameAttrs},
    {OpKind::TtirDequantizeUnrolled, OpKind::TtnnDequantize, sameAttrs},
    {OpKind::TtirRequantizeUnrolled, OpKind::TtnnRequantize, sameAttrs},
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

ValueId Converter::getDevice(FuncId func) {
  ValueType type;
  type.opaque = "!ttnn.device";
  OpSpec spec = makeOp(OpKind::TtnnGetDevice, {}, {type});
  spec.attrs = {{"mesh_offset", rawAttr("#ttnn<mesh_offset 0x0>")}, {"mesh_shape", rawAttr("#ttnn<mesh_shape 1x1>")}};
  spec.resultName = "device";
  return rewriter_.result(rewriter_.emit(func, std::move(spec)));
}

PassResult Converter::run() {
  for (FuncId func : graph_.funcs.ids()) {
    const std::vector<OpId>& ops = graph_.funcs[func].ops;
    // The forward function starts with its device (docs/rules/lowering.md#device).
    if (func == graph_.forward && graph_.ops[ops.front()].kind != OpKind::TtnnGetDevice) (void)device(func);
    for (OpId old : ops) {
      const Op& from = graph_.ops[old];
      if (!isTtir(from)) {
        OpId made = rewriter_.copy(old);
        if (from.kind == OpKind::TtnnGetDevice) devices_[static_cast<size_t>(func.index)] = rewriter_.result(made);
        continue;
      }
      ConversionRow row = conversionOf(from);
      if (row.to == OpKind::Opaque) {
        problem(rewriter_.copy(old), "TTNN has no op for it; it should have been decomposed before");
        continue;
      }
      target_ = row.to;
      row.rule(*this, old);
    }
  }
  return {rewriter_.finish(), {}, std::move(problems_)};
}

}  // namespace

PassResult convertTtirToTtnn(const Graph& graph, const PassContext& context) {
  return Converter(graph, context.device).run();
}

}  // namespace tessera
