#include "core/lowering/convert_ttir_to_ttnn.h"

#include <algorithm>
#include <cmath>

#include "core/ir/constant_value.h"
#include "core/lowering/prepare/pattern.h"
#include "core/lowering/rewriter.h"
#include "core/lowering/ttnn_attrs.h"
#include "core/lowering/ttnn_ops.h"
#include "core/lowering/window_conversion.h"
#include "core/ops/shapes/shape_rules.h"
#include "core/ops/table/op_table.h"
#include "core/support/check.h"
#include "core/support/units.h"

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
  std::erase_if(spec.attrs.own(), [&](const Attribute& attr) { return attr.name == name; });
}

bool hasAttr(const OpSpec& spec, std::string_view name) {
  return std::any_of(spec.attrs.begin(), spec.attrs.end(), [&](const Attribute& attr) { return attr.name == name; });
}

class Converter {
 public:
  Converter(const Graph& graph, const PassContext& context)
      : graph_(graph), context_(context), device_(context.device), rewriter_(graph), devices_(graph.funcs.size()) {}

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
    const OpInfo& info = opInfo(kind);
    // What the chips of a mesh say to each other names the mesh in its attributes.
    bool takesDevice = info.roles.find("device?") != std::string_view::npos && info.family != Family::ToLayout &&
                       (specificationRules() || info.family != Family::Collective);
    if (takesDevice) spec.operands.push_back(device(from.func));
    for (ValueId result : from.results) spec.resultTypes.push_back(graph_.values[result].type);
    spec.attrs = from.attrs;
    fitSegments(spec, from, inputs, takesDevice);
    return spec;
  }

  // The device of a function: of its first op, or got here.
  ValueId device(FuncId func) {
    ValueId& device = devices_[func];
    if (!device.valid()) device = getDevice(func);
    return device;
  }
  const DeviceSpec& deviceSpec() const { return device_; }
  TtnnOps ops(OpId old) { return {graph_, context_, rewriter_, devices_, old}; }
  bool rulesOf2025() const { return context_.options.release == CompilerRelease::Autumn2025; }
  const std::vector<int64_t>& meshShape() const { return context_.options.meshShape; }
  bool specificationRules() const { return context_.options.specificationRules; }

  void problem(OpId made, std::string why) { problems_.push_back({made, std::move(why)}); }

 private:
  ValueId getDevice(FuncId func);
  // operandSegmentSizes counts the operands of each role of the new op: no outputs, the device.
  static void fitSegments(OpSpec& spec, const Op& from, size_t inputs, bool device);

  const Graph& graph_;
  const PassContext& context_;
  const DeviceSpec& device_;
  GraphRewriter rewriter_;
  OpKind target_{};
  IdVec<FuncId, ValueId> devices_;
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

// The library names the running statistics before the weights.
void batchNormTraining(Converter& c, OpId old) {
  OpSpec spec = c.plain(old, c.target());
  if (spec.operands.size() == 5) std::rotate(spec.operands.begin() + 1, spec.operands.begin() + 3, spec.operands.end());
  c.rewriter().replace(old, std::move(spec));
}

// Says what is made and where (docs/rules/lowering.md#empty-and-full).
void creation(Converter& c, OpId old) {
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
  if (c.specificationRules() && !hasAttr(spec, "numericStable") && !hasAttr(spec, "numeric_stable"))
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

// The number in every element of a constant of the source.
std::optional<AttrValue> numberEverywhere(const Graph& graph, ValueId value) {
  OpId made = graph.values[value].producer;
  constexpr int kMostViews = 8;
  for (int depth = 0; depth < kMostViews && made.valid(); ++depth) {
    const Op& view = graph.ops[made];
    if (view.kind != OpKind::TtirReshape && view.kind != OpKind::TtirBroadcast && view.kind != OpKind::TtirPermute)
      break;
    value = view.operands[0];
    made = graph.values[value].producer;
  }
  if (!made.valid()) return {};
  const Op& op = graph.ops[made];
  if (op.kind == OpKind::TtirFull) {
    const AttrValue* fill = findAttr(op, "fill_value");
    return fill != nullptr ? std::optional(*fill) : std::nullopt;
  }
  const AttrValue* text = findAttr(op, "value");
  if (op.kind != OpKind::TtirConstant || text == nullptr) return {};
  const TensorType& type = *graph.values[value].type.tensor;
  std::optional<ConstantValue> read = readConstant(text->text, type.dtype, elementCount(type.shape).value_or(0));
  if (!read || read->elided || read->numbers.size() + read->integers.size() != 1) return {};
  return read->numbers.empty() ? intAttr(read->integers[0], "i32") : f32Attr(read->numbers[0]);
}

// An exponent that is one number, and not negative, is an attribute.
void power(Converter& c, OpId old) {
  std::optional<AttrValue> exponent;
  if (!c.specificationRules() && inputCount(c.source(), old) >= 2)
    exponent = numberEverywhere(c.source(), c.op(old).operands[1]);
  bool negative = exponent && (exponent->kind == AttrValueKind::Float ? exponent->number < 0 : exponent->integer < 0);
  if (!exponent || negative) return sameAttrs(c, old);
  OpSpec spec = c.plain(old, OpKind::TtnnPowScalar);
  spec.operands.resize(1);
  setAttr(spec, "rhs", std::move(*exponent));
  c.rewriter().replace(old, std::move(spec));
}

// One dim is a number, all dims are none.
void product(Converter& c, OpId old) {
  OpSpec spec = c.plain(old, c.target());
  const AttrValue* dims = findAttr(c.op(old), "dim_arg");
  const Shape* input = c.operandShape(old, 0);
  if (!c.specificationRules() && dims != nullptr && dims->kind == AttrValueKind::IntArray && input != nullptr) {
    if (dims->ints.size() == 1) setAttr(spec, "dim_arg", intAttr(dims->ints[0], "i64"));
    else if (dims->ints.size() == input->size()) dropAttr(spec, "dim_arg");
  }
  c.rewriter().replace(old, std::move(spec));
}

// The library takes (1, 1, 1, N) places and (1, 1, N, size) gradients, N in whole tiles, and gives (1, 1, rows, size).
void embeddingBackward(Converter& c, OpId old) {
  TtnnOps t = c.ops(old);
  const Shape* table = c.operandShape(old, 1);
  const Shape* places = c.operandShape(old, 0);
  std::optional<int64_t> count = places != nullptr ? elementCount(*places) : std::nullopt;
  if (c.specificationRules() || table == nullptr || table->size() < 2 || !count || *count < 1) return sameAttrs(c, old);
  int64_t size = table->back(), rows = (*table)[table->size() - 2], padded = alignUp(*count, kTileSide);
  ValueId gradient = t.reshape(t.in(2), {1, 1, *count, size});
  ValueId indices = t.reshape(t.in(0), {1, 1, 1, *count});
  indices = t.padTo(indices, {1, 1, 1, padded});
  gradient = t.padTo(gradient, {1, 1, padded, size});
  ValueType type = t.like(t.resultType(), Shape{1, 1, rows, size});
  ValueId made = t.make(OpKind::TtnnEmbeddingBackward, {indices, t.in(1), gradient}, std::move(type));
  t.becomes(t.reshape(made, t.resultShape()));
}

// Parameters and moments are written where they are.
void adamw(Converter& c, OpId old) {
  const Op& from = c.op(old);
  if (c.specificationRules() || from.operands.size() < 4 || from.results.size() > 4) return sameAttrs(c, old);
  OpSpec spec = c.plain(old, c.target());
  spec.resultTypes.clear();
  c.rewriter().emitFor(old, std::move(spec));
  constexpr size_t kWritten[] = {0, 2, 3, 4};
  for (size_t i = 0; i < from.results.size(); ++i) {
    size_t operand = std::min(kWritten[i], from.operands.size() - 1);
    c.rewriter().map(from.results[i], c.rewriter().now(from.operands[operand]));
  }
}

// A single query per head has a kernel of its own; a mask for all queries is one for each.
void attention(Converter& c, OpId old) {
  TtnnOps t = c.ops(old);
  ValueId q = t.role(0), mask = t.role(3), sink = t.role(4);
  bool known = !c.specificationRules() && t.segments().size() >= 5 && q.valid() && t.shape(q).size() == 4;
  if (!known) return sameAttrs(c, old);
  const Shape query = t.shape(q);
  if (query[2] != 1) {
    bool spread = mask.valid() && t.shape(mask).size() == 4 && t.shape(mask)[2] == 1;
    if (!spread) return sameAttrs(c, old);
    Shape each = t.shape(mask);
    each[2] = query[2];
    OpSpec spec = c.plain(old, c.target());
    for (ValueId& operand : spec.operands) operand = operand == mask ? t.repeatTo(mask, each) : operand;
    c.rewriter().replace(old, std::move(spec));
    return;
  }
  const AttrValue* scale = findAttr(t.op(), "scale");
  double factor = scale != nullptr && scale->number != 0 ? 1 / scale->number : std::sqrt(static_cast<double>(query[3]));
  // The kernel scales the sink, too, which is past scaling (tt-metal issue 40470).
  if (sink.valid()) {
    ValueId inverse = t.full(t.like(t.type(sink), Shape{1, 1, 1, 1}), factor);
    sink = t.binary(OpKind::TtnnMultiply, sink, inverse, t.shape(sink));
  }
  std::vector<ValueId> operands = {t.permute(q, {2, 0, 1, 3}), t.role(1), t.role(2)};
  if (mask.valid()) operands.push_back(t.shape(mask).size() == 4 ? t.permute(mask, {0, 2, 1, 3}) : mask);
  if (sink.valid()) operands.push_back(sink);
  AttrList attrs = {
      {"is_causal", boolAttr(false)},
      {"operandSegmentSizes", intArrayAttr({1, 1, 1, mask.valid() ? 1 : 0, 0, sink.valid() ? 1 : 0}, "i32")}};
  for (const char* name : {"scale", "sliding_window_size"}) {
    if (const AttrValue* value = findAttr(t.op(), name)) attrs.push_back({name, *value});
  }
  ValueId made = t.make(OpKind::TtnnScaledDotProductAttentionDecode, std::move(operands),
                        t.like(t.resultType(), Shape{1, query[0], query[1], t.resultType().tensor->shape.back()}),
                        std::move(attrs));
  t.becomes(t.permute(made, {1, 2, 0, 3}));
}

// The type that the library writes.
void quantized(Converter& c, OpId old) {
  OpSpec spec = c.plain(old, c.target());
  setAttr(spec, "output_dtype", dtypeAttr(deviceDType(c.resultTensor(old).dtype)));
  c.rewriter().replace(old, std::move(spec));
}

// The dim is a number of another width.
void alongDim(Converter& c, OpId old) {
  OpSpec spec = c.plain(old, c.target());
  const AttrValue* dim = findAttr(c.op(old), "dim");
  if (dim != nullptr) setAttr(spec, "dim", intAttr(dim->integer, "si32"));
  c.rewriter().replace(old, std::move(spec));
}

// --- several devices

// Over one chip nothing is exchanged.
void collective(Converter& c, OpId old) {
  const AttrValue* axis = findAttr(c.op(old), "cluster_axis");
  const std::vector<int64_t>& mesh = c.meshShape();
  bool known = mesh != std::vector<int64_t>{1, 1} && axis != nullptr && axis->integer >= 0 &&
               axis->integer < static_cast<int64_t>(mesh.size());
  bool alone = known && mesh[static_cast<size_t>(axis->integer)] == 1 &&
               c.source().values[c.op(old).operands[0]].type == c.source().values[c.op(old).results[0]].type;
  if (alone) c.rewriter().map(c.op(old).results[0], c.rewriter().now(c.op(old).operands[0]));
  else c.rewriter().replace(old, c.plain(old, c.target()));
}

bool saysIn(const Op& op, std::string_view name, std::string_view word) {
  const AttrValue* value = findAttr(op, name);
  return value != nullptr && value->text.find(word) != std::string::npos;
}

// `[1 : ui32, 2 : ui32]`
std::string unsignedList(const std::vector<int64_t>& numbers) {
  std::string out;
  for (int64_t number : numbers) out += (out.empty() ? "" : ", ") + std::to_string(number) + " : ui32";
  return "[" + out + "]";
}

// The whole tensor is spread over the mesh, or put together from it: along each dim of the mesh a dim of the tensor is
// cut, or every chip has all of it (tt-mlir lib/Conversion/TTIRToTTNN @ 19c86fca).
void meshShard(Converter& c, OpId old) {
  const Op& op = c.op(old);
  if (c.rulesOf2025()) {
    OpSpec spec = c.plain(old, OpKind::TtnnMeshShard);
    spec.operands.push_back(c.device(op.func));
    c.rewriter().replace(old, std::move(spec));
    return;
  }
  if (saysIn(op, "shard_type", "identity") || c.specificationRules()) {
    if (c.specificationRules()) c.rewriter().replace(old, c.plain(old, c.target()));
    else c.rewriter().map(op.results[0], c.rewriter().now(op.operands[0]));
    return;
  }
  bool spread = saysIn(op, "shard_direction", "full_to_shard"), replicate = saysIn(op, "shard_type", "replicate");
  const AttrValue* dims = findAttr(op, "shard_dims");
  const AttrValue* parts = findAttr(op, "shard_shape");
  std::string placements, axes;
  std::vector<int64_t> counts;
  for (size_t i = 0; i < c.meshShape().size(); ++i) {
    int64_t dim = dims != nullptr && i < dims->ints.size() && !replicate ? dims->ints[i] : -1;
    placements +=
        (i > 0 ? ", " : "") + (dim < 0 ? std::string("<replicate>") : "<shard, " + std::to_string(dim) + " : i32>");
    bool cut = dim >= 0 && parts != nullptr && static_cast<size_t>(dim) < parts->ints.size();
    // A dim that is not cut is put together from one part.
    axes += (i > 0 ? ", " : "") + std::to_string(std::max<int64_t>(dim, 0)) + " : i32";
    counts.push_back(cut ? parts->ints[static_cast<size_t>(dim)] : 1);
  }
  OpSpec spec = makeOp(spread ? OpKind::TtnnDistributeTensor : OpKind::TtnnAggregateTensor,
                       {c.rewriter().now(op.operands[0]), c.device(op.func)}, {c.source().values[op.results[0]].type});
  std::vector<int64_t> mesh = c.meshShape();
  if (spread)
    spec.attrs = {{"mapper_config", rawAttr("#ttnn.mesh_mapper_config<placements = [" + placements +
                                            "], mesh_shape_override = " + unsignedList(mesh) + ">")}};
  else
    spec.attrs = {{"composer_config", rawAttr("#ttnn.mesh_composer_config<dims = [" + axes +
                                              "], mesh_shape_override = " + unsignedList(counts) + ">")}};
  c.rewriter().replace(old, std::move(spec));
}

void window(Converter& c, OpId old) {
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

ValueId Converter::getDevice(FuncId func) {
  return rewriter_.result(rewriter_.emit(func, getDeviceSpec(context_.options.meshShape)));
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
        if (from.kind == OpKind::TtnnGetDevice) devices_[func] = rewriter_.result(made);
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

PassResult convertTtirToTtnn(const Graph& graph, const PassContext& context) { return Converter(graph, context).run(); }

}  // namespace tessera
