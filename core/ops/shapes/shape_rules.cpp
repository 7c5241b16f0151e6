#include "core/ops/shapes/shape_rules.h"

#include <algorithm>
#include <charconv>

#include "core/ops/shapes/shape_context.h"
#include "core/ops/table/op_attrs.h"
#include "core/support/check.h"

namespace tessera {

namespace {

const Shape* shapeOf(const Graph& graph, ValueId id) {
  if (!graph.values.contains(id) || !graph.values[id].type.isTensor()) return nullptr;
  return &graph.values[id].type.tensor->shape;
}

bool madeByEmpty(const Graph& graph, ValueId id) {
  if (!graph.values.contains(id) || !graph.values[id].producer.valid()) return false;
  OpKind kind = graph.ops[graph.values[id].producer].kind;
  return kind == OpKind::TtirEmpty || kind == OpKind::TtnnEmpty || kind == OpKind::TensorEmpty;
}

std::string countText(OperandBounds bounds) {
  if (bounds.most == bounds.least) return std::to_string(bounds.least);
  if (bounds.most < 0) return "at least " + std::to_string(bounds.least);
  return std::to_string(bounds.least) + " to " + std::to_string(bounds.most);
}

// Collectives of one tensor; those of experts give counts and places as well.
bool isPlainCollective(std::string_view name) {
  constexpr std::string_view kNames[] = {"all_reduce",         "all_gather",           "reduce_scatter", "all_to_all",
                                         "collective_permute", "collective_broadcast", "point_to_point", "mesh_shard"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

// Results that every op of a family has; -1: not checked.
int expectedResults(const OpInfo& info) {
  switch (info.family) {
    case Family::EltwiseUnary:
    case Family::EltwiseBinary:
    case Family::EltwiseTernary:
    case Family::Matmul:
    case Family::Conv:
    case Family::Softmax:
    case Family::Concat:
    case Family::Reshape:
    case Family::Permute:
    case Family::Slice:
    case Family::Pad:
    case Family::Repeat:
    case Family::Typecast:
    case Family::Embedding:
    case Family::Upsample:
    case Family::Reduction:
    case Family::Gather:
    case Family::RotaryEmbedding:
    case Family::PrepareWeights:
    case Family::Quantize: return 1;
    case Family::Sort: return 2;
    case Family::Attention: return info.name.find("joint_") == std::string_view::npos ? 1 : 2;
    case Family::HeadReshape: return info.name.find("concat") != std::string_view::npos ? 1 : 3;
    case Family::Pool:
      if (info.kind == OpKind::TtirPooling) return -1;  // as many as it has inputs
      return info.name.ends_with("_with_indices") ? 2 : 1;
    case Family::ToLayout: return info.kind == OpKind::TtirToLayout ? -1 : 1;  // -1: of memory references, too
    case Family::Norm:
      if (info.kind == OpKind::TtnnBatchNormTraining) return -1;  // it may update the running figures in place
      return info.kind == OpKind::TtirBatchNormTraining ? 3 : 1;
    case Family::Creation: return info.kind == OpKind::TtirAlloc || info.kind == OpKind::TtnnAlloc ? -1 : 1;
    case Family::Collective: return isPlainCollective(info.name.substr(5)) ? 1 : -1;
    case Family::Return: return 0;
    case Family::Device: return info.kind == OpKind::TtnnGetDevice ? 1 : info.kind == OpKind::TtnnDeallocate ? 0 : -1;
    default: return -1;
  }
}

// Sizes of segments are not negative and count every operand once, as MLIR itself asks.
bool checkSegments(const ShapeContext& c) {
  if (!c.has("operandSegmentSizes")) return true;
  const std::vector<int64_t>* sizes = c.ints("operandSegmentSizes");
  auto left = sizes != nullptr ? static_cast<int64_t>(c.op.operands.size()) : -1;
  for (size_t i = 0; left >= 0 && i < sizes->size(); ++i) {
    const int64_t size = (*sizes)[i];
    left = size < 0 || size > left ? -1 : left - size;
  }
  if (left != 0) c.badAttr("operandSegmentSizes", "sizes that sum up to " + std::to_string(c.op.operands.size()));
  return left == 0;
}

// Is the value none of the type ("si32", "i32|array<i32>") that the op's definition gives the attribute? Numbers of
// either kind stand for a float, integers and lists of them for one another, as files of other revisions have them.
bool hasOtherKind(const AttrValue& value, std::string_view type) {
  const bool list = type.find('<') != std::string_view::npos;
  const bool integer = type.size() > 1 && type.find_first_not_of("usi0123456789") == std::string_view::npos;
  switch (value.kind) {
    case AttrValueKind::Float: return list || integer || type == "bool";
    case AttrValueKind::String: return list || integer || type == "bool" || type == "f32";
    case AttrValueKind::IntArray: return type == "bool" || type == "f32";
    default: return false;
  }
}

bool checkAttributes(const ShapeContext& c) {
  for (const OpAttr& attr : opAttributes(c.op.name)) {
    const AttrValue* value = findAttr(c.op, attr.name);
    if (value == nullptr || !hasOtherKind(*value, attr.type)) continue;
    c.badAttr(attr.name, std::string(attr.type));
    return false;
  }
  return true;
}

bool checkCounts(const ShapeContext& c) {
  OperandBounds bounds = operandBounds(c.info);
  auto operands = static_cast<int>(c.op.operands.size());
  if (operands < bounds.least || (bounds.most >= 0 && operands > bounds.most)) {
    c.diags->report(DiagKind::WrongOperandCount, c.op.span, {c.op.name, countText(bounds), std::to_string(operands)});
    return false;
  }
  int results = expectedResults(c.info);
  if (results >= 0 && c.op.results.size() != static_cast<size_t>(results)) {
    c.diags->report(DiagKind::WrongResultCount, c.op.span,
                    {c.op.name, std::to_string(results), std::to_string(c.op.results.size())});
    return false;
  }
  return true;
}

// Families whose ops compute tensors from tensors.
bool isOfTensors(const OpInfo& info) {
  if (info.name.substr(0, 5) != "ttir." && info.name.substr(0, 5) != "ttnn.") return false;
  switch (info.family) {
    case Family::Opaque:
    case Family::Stablehlo:
    case Family::PrepareWeights:
    case Family::Device:
    case Family::D2m:
    case Family::Call:
    case Family::Return: return false;
    case Family::Creation: return info.kind != OpKind::TtirAlloc && info.kind != OpKind::TtnnAlloc;
    case Family::ToLayout: return info.kind != OpKind::TtirToLayout;  // of memory references, too
    default: return true;
  }
}

// Leading operands that are tensors: not the device at the end, nor `operands*`, which may be anything.
int tensorOperands(const ShapeContext& c) {
  const size_t last = c.info.roles.rfind(' ') + 1;  // 0 when there is one role
  const std::string_view role = c.info.roles.substr(last);
  const OperandBounds bounds = operandBounds(c.info);
  if (role == "operands*") return std::min(c.inputs, bounds.least);
  return role == "device?" && c.inputs > bounds.least ? c.inputs - 1 : c.inputs;
}

bool checkTensors(const ShapeContext& c) {
  if (c.info.family == Family::Stablehlo) return checkStablehlo(c);
  if (!isOfTensors(c.info)) return true;
  if (c.op.results.empty() && !c.info.has(kInPlace)) {
    c.diags->report(DiagKind::WrongResultCount, c.op.span, {c.op.name, "at least 1", "0"});
    return false;
  }
  return c.areTensors(tensorOperands(c));
}

// A destination-passing output has the shape of the result it becomes.
void checkOutputs(const ShapeContext& c) {
  const size_t outputs = c.op.operands.size() - static_cast<size_t>(c.inputs);
  if (outputs > c.op.results.size())
    return c.mismatch(std::to_string(outputs) + " operands are outputs, of " + std::to_string(c.op.results.size()) +
                      " results");
  for (size_t i = static_cast<size_t>(c.inputs); i < c.op.operands.size(); ++i) {
    size_t index = i - static_cast<size_t>(c.inputs);
    const Shape* out = shapeOf(c.graph, c.op.operands[i]);
    const Shape* result = c.result(static_cast<int>(index));
    if (out == nullptr || result == nullptr || *out == *result) continue;
    c.mismatch("the output operand is " + shapeText(*out) + ", the result is " + shapeText(*result));
  }
}

void checkFamily(const ShapeContext& c) {
  switch (c.info.family) {
    case Family::EltwiseUnary:
    case Family::EltwiseBinary:
    case Family::EltwiseTernary: return checkElementwise(c);
    case Family::Typecast:
    case Family::ToLayout:
    case Family::Quantize: return checkSameShape(c);
    case Family::RotaryEmbedding: return checkRotaryEmbedding(c);
    case Family::Matmul: return checkMatmul(c);
    case Family::Conv: return checkConv(c);
    case Family::Pool: return checkPool(c);
    case Family::Upsample: return checkUpsample(c);
    case Family::Concat: return checkConcat(c);
    case Family::Reshape: return checkReshape(c);
    case Family::Permute: return checkPermute(c);
    case Family::Slice: return checkSlice(c);
    case Family::Pad: return checkPad(c);
    case Family::Repeat: return checkRepeat(c);
    case Family::Embedding: return checkEmbedding(c);
    case Family::Gather: return checkGather(c);
    case Family::Reduction: return checkReduction(c);
    case Family::Softmax: return checkSoftmax(c);
    case Family::Norm: return checkNorm(c);
    case Family::Sort: return checkSort(c);
    case Family::Attention: return checkAttention(c);
    case Family::HeadReshape: return checkHeadReshape(c);
    case Family::KvCache: return checkKvCache(c);
    case Family::Collective: return checkCollective(c);
    case Family::Creation: return checkCreation(c);
    case Family::Opaque:
    case Family::Stablehlo:
    case Family::PrepareWeights:
    case Family::Device:
    case Family::D2m:
    case Family::Call:
    case Family::Return: return;
  }
}

ShapeContext contextOf(const Graph& graph, OpId id, Diagnostics* diags) {
  const Op& op = graph.ops[id];
  return {graph, op, opInfo(op.kind), inputCount(graph, id), diags};
}

}  // namespace

OperandBounds inputBounds(const OpInfo& info) {
  OperandBounds bounds = operandBounds(info);
  size_t out = info.roles.rfind("out");
  bool outOptional = out != std::string_view::npos && info.roles.substr(out) == "out?";
  bool outVariadic = out != std::string_view::npos && info.roles.substr(out) == "out*";
  if (outOptional && bounds.most > 0) --bounds.most;
  if (outVariadic) {  // nothing else is variadic then
    bounds.most = 0;
    for (char c : info.roles) bounds.most += c == ' ' ? 1 : 0;
  }
  return bounds;
}

int inputCount(const Graph& graph, OpId id) {
  const Op& op = graph.ops[id];
  const OpInfo& info = opInfo(op.kind);
  auto count = static_cast<int>(op.operands.size());
  if (!info.has(kDpsOutput) || op.results.empty()) return count;
  OperandBounds bounds = inputBounds(info);
  if (bounds.most >= 0 && count > bounds.most) return bounds.most;
  // A trailing `empty` of a result's type: as many of them as there are results.
  int outputs = 0;
  while (outputs < static_cast<int>(op.results.size()) && count - outputs > bounds.least) {
    ValueId last = op.operands[static_cast<size_t>(count - 1 - outputs)];
    ValueId result = op.results[op.results.size() - 1 - static_cast<size_t>(outputs)];
    if (!madeByEmpty(graph, last) || graph.values[last].type != graph.values[result].type) break;
    ++outputs;
  }
  return count - outputs;
}

void checkShapes(const Graph& graph, OpId id, Diagnostics& diags) {
  size_t before = diags.errorCount();
  if (graph.ops[id].kind != OpKind::Opaque) {
    ShapeContext c = contextOf(graph, id, &diags);
    if (!checkCounts(c) || !checkSegments(c) || !checkAttributes(c) || !checkTensors(c)) return;
    checkOutputs(c);
    checkFamily(c);
  }
  if (diags.errorCount() == before) checkOpRules(graph, graph.ops[id], inputCount(graph, id), diags);
}

std::string shapeMistake(OpSpec spec, const std::vector<ValueType>& operands) {
  Graph alone;
  GraphBuilder builder(alone);
  const FuncId func = builder.addFunction("op");
  spec.operands.clear();
  for (const ValueType& type : operands)
    spec.operands.push_back(builder.addArgument(func, "x" + std::to_string(spec.operands.size()), type));
  Diagnostics mistakes;
  checkShapes(alone, builder.append(func, std::move(spec)), mistakes);
  return mistakes.firstError();
}

std::optional<Window2d> window2d(const Graph& graph, OpId id) { return readWindow2d(contextOf(graph, id, nullptr)); }

const Shape* ShapeContext::input(int index) const {
  if (index < 0 || index >= inputs) return nullptr;
  return shapeOf(graph, op.operands[static_cast<size_t>(index)]);
}

const Shape* ShapeContext::result(int index) const {
  if (index < 0 || static_cast<size_t>(index) >= op.results.size()) return nullptr;
  return shapeOf(graph, op.results[static_cast<size_t>(index)]);
}

void ShapeContext::mismatch(const std::string& text) const {
  if (diags != nullptr) diags->report(DiagKind::ShapeMismatch, op.span, {op.name, text});
}

void ShapeContext::badAttr(std::string_view name, const std::string& expected) const {
  const AttrValue* attr = findAttr(op, name);
  std::string seen = attr != nullptr ? "`" + attr->text + "`" : "missing";
  if (diags != nullptr) diags->report(DiagKind::BadAttribute, op.span, {name, op.name, seen, expected});
}

std::optional<int64_t> ShapeContext::integer(std::string_view name) const {
  const AttrValue* attr = findAttr(op, name);
  if (attr == nullptr || (attr->kind != AttrValueKind::Integer && attr->kind != AttrValueKind::Bool)) return {};
  return attr->integer;
}

const std::vector<int64_t>* ShapeContext::ints(std::string_view name) const {
  const AttrValue* attr = findAttr(op, name);
  return attr != nullptr && attr->kind == AttrValueKind::IntArray ? &attr->ints : nullptr;
}

bool ShapeContext::flag(std::string_view name, bool fallback) const {
  const AttrValue* attr = findAttr(op, name);
  if (attr == nullptr) return fallback;
  if (attr->kind == AttrValueKind::Unit) return true;
  return integer(name).value_or(fallback ? 1 : 0) != 0;
}

std::optional<int64_t> ShapeContext::needInteger(std::string_view name) const {
  std::optional<int64_t> value = integer(name);
  if (value || diags == nullptr) return value;
  if (!has(name)) diags->report(DiagKind::MissingAttribute, op.span, {op.name, name});
  else badAttr(name, "an integer");
  return {};
}

const std::vector<int64_t>* ShapeContext::needInts(std::string_view name, size_t count) const {
  const std::vector<int64_t>* values = ints(name);
  if (values != nullptr && values->size() == count) return values;
  if (diags == nullptr) return nullptr;
  if (!has(name)) diags->report(DiagKind::MissingAttribute, op.span, {op.name, name});
  else badAttr(name, std::to_string(count) + " integers");
  return nullptr;
}

std::optional<size_t> ShapeContext::dim(std::string_view name, int64_t value, size_t rank) const {
  auto signedRank = static_cast<int64_t>(rank);
  if (value >= -signedRank && value < signedRank) return static_cast<size_t>(value < 0 ? value + signedRank : value);
  badAttr(name, "a dim of a tensor of rank " + std::to_string(rank));
  return {};
}

bool ShapeContext::areTensors(int operands) const {
  const auto isOne = [&](const char* role, int index, ValueId value) {
    const ValueType& type = graph.values[value].type;
    if (type.isTensor()) return true;
    const bool unread = type.opaque == "none" || type.opaque.rfind("tensor<", 0) == 0;
    const bool reported = unread && diags->hasErrors();  // where it was read
    if (!reported) mismatch(role + std::to_string(index) + " is no tensor");
    return false;
  };
  for (int i = 0; i < operands; ++i) {
    if (!isOne("operand ", i, op.operands[static_cast<size_t>(i)])) return false;
  }
  for (size_t i = 0; i < op.results.size(); ++i) {
    if (!isOne("result ", static_cast<int>(i), op.results[i])) return false;
  }
  return true;
}

void ShapeContext::expectResult(int index, const Shape& expected, const std::string& rule) const {
  const Shape* shape = result(index);
  if (shape == nullptr || *shape == expected) return;
  mismatch("the result is " + shapeText(*shape) + ", expected " + shapeText(expected) + " (" + rule + ")");
}

std::optional<int64_t> attrField(const AttrValue& attr, std::string_view name) {
  std::string_view text = attr.text;
  size_t at = text.find(std::string(name) + " = ");
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + name.size() + 3);
  text = text.substr(0, text.find_first_not_of("-0123456789"));
  int64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

std::string shapesText(const Shape& a, const Shape& b) { return shapeText(a) + " and " + shapeText(b); }

}  // namespace tessera
