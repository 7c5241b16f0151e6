// Rows of published answers of the compiler's op-model tests, read into queries. A row is the call of one test:
// operands and results by name where the test names them, arguments by position elsewhere, and what the test's fixture
// makes by itself left out.

#include "core/evaluate/opmodel_rows.h"

#include <algorithm>

#include "core/ir/builder.h"

namespace tessera {

const DeviceSpec& rowDevice() { return *findDevice("n300"); }

namespace {

// "LogicalNotOp" -> "ttnn.logical_not", with the names that differ.
std::string ttnnName(std::string_view op) {
  static const std::pair<std::string_view, std::string_view> kOthers[] = {
      {"GreaterThanOp", "gt"},
      {"GreaterEqualOp", "ge"},
      {"LessThanOp", "lt"},
      {"LessEqualOp", "le"},
      {"EqualOp", "eq"},
      {"NotEqualOp", "ne"},
      {"IsFiniteOp", "isfinite"},
      {"PowOp", "pow"},
      {"RMSNormOp", "rms_norm"},
      {"ArgMaxOp", "argmax"},
      {"MorehCumSumOp", "moreh_cumsum"},
      {"NLPConcatHeadsOp", "nlp_concat_heads"},
      {"NLPConcatHeadsDecodeOp", "nlp_concat_heads_decode"},
      {"NLPCreateQKVHeadsDecodeOp", "nlp_create_qkv_heads_decode"}};
  for (const auto& [published, name] : kOthers) {
    if (published == op) return "ttnn." + std::string(name);
  }
  if (op.size() < 3) return "";
  std::string name = "ttnn.";
  for (char c : op.substr(0, op.size() - 2)) {
    if (c >= 'A' && c <= 'Z') {
      if (name.back() != '.') name += '_';
      name += static_cast<char>(c - 'A' + 'a');
    } else {
      name += c;
    }
  }
  return name;
}

constexpr int64_t kMostNumber = int64_t{1} << 40;  // of dims in a file; sums of a few stay within 63 bits

std::vector<int64_t> numbers(JsonValue array) {
  std::vector<int64_t> out;
  for (size_t i = 0; i < array.size(); ++i) {
    int64_t number = array.at(i).asInteger().value_or(-1);
    out.push_back(number > kMostNumber || number < -kMostNumber ? -1 : number);
  }
  return out;
}

std::optional<RowTensor> readTensor(std::string_view name, JsonValue row,
                                    const std::vector<int64_t>* otherShape = nullptr) {
  RowTensor tensor;
  tensor.name = name;
  tensor.type.shape = otherShape ? *otherShape : numbers(row.get("shape"));
  auto dtype = parseDType(row.get("dtype").asString().value_or(""));
  std::vector<int64_t> grid = numbers(row.get("grid"));
  if (!dtype || tensor.type.shape.empty() || grid.size() != 2) return {};
  if (grid[0] != static_cast<int32_t>(grid[0]) || grid[1] != static_cast<int32_t>(grid[1])) return {};
  tensor.type.dtype = *dtype;
  std::string_view memory = row.get("memory_layout").asString().value_or("");
  std::string_view buffer = row.get("buffer").asString().value_or("");
  LayoutRequest request{.dtype = *dtype};
  request.buffer = buffer == "L1" ? BufferType::L1 : buffer == "DRAM" ? BufferType::DRAM : BufferType::SystemMemory;
  if (memory == "HeightSharded") request.memory = TensorMemoryLayout::HeightSharded;
  if (memory == "WidthSharded") request.memory = TensorMemoryLayout::WidthSharded;
  if (memory == "BlockSharded") request.memory = TensorMemoryLayout::BlockSharded;
  if (request.buffer == BufferType::SystemMemory) request.memory = TensorMemoryLayout::None;
  request.page = row.get("page_layout").asString() == "tile" ? PageLayout::Tile : PageLayout::RowMajor;
  request.grid = {static_cast<int32_t>(grid[0]), static_cast<int32_t>(grid[1])};
  if (request.buffer == BufferType::L1 && request.memory == TensorMemoryLayout::Interleaved)
    request.grid = rowDevice().grid;
  request.allowIdleCores = true;
  auto made = makeLayout(tensor.type.shape, request, rowDevice());
  if (!made.ok()) return {};
  tensor.layout = *made;
  return tensor;
}

void setInt(RowQuery& q, std::string_view name, int64_t value) {
  q.attrs.push_back({std::string(name), intAttr(value)});
}
void setInts(RowQuery& q, std::string_view name, std::vector<int64_t> values) {
  q.attrs.push_back({std::string(name), intArrayAttr(std::move(values))});
}
void setBool(RowQuery& q, std::string_view name, bool value) {
  q.attrs.push_back({std::string(name), boolAttr(value)});
}

const RowTensor* named(const RowQuery& q, std::string_view name) {
  for (const RowTensor& t : q.inputs) {
    if (t.name == name) return &t;
  }
  return nullptr;
}

// The call's arguments in order, sorted by kind: numbers, and lists of numbers (plain or wrapped in llvm::ArrayRef).
struct CallArgs {
  std::vector<int64_t> ints;
  std::vector<std::vector<int64_t>> lists;
};
CallArgs callArgs(JsonValue args) {
  CallArgs out;
  for (size_t i = 0; i < args.size(); ++i) {
    JsonValue arg = args.at(i);
    if (arg.asInteger()) out.ints.push_back(*arg.asInteger());
    if (arg.isArray()) out.lists.push_back(numbers(arg));
    if (arg.isObject() && arg.get("$call").asString() == "llvm::ArrayRef<int32_t>")
      out.lists.push_back(numbers(arg.get("args").at(0)));
    if (arg.isObject() && arg.get("$mcall").asString() == "getI32IntegerAttr")
      out.ints.push_back(arg.get("args").at(0).asInteger().value_or(0));
  }
  return out;
}

// Window attributes: by name in library rows, by position in interface rows.
void addWindow(RowQuery& q, JsonValue attrs) {
  Family family = opInfo(q.kind).family;
  bool conv = family == Family::Conv, pool = family == Family::Pool;
  if (!conv && !pool) return;
  if (!attrs.get("args").present()) {
    for (const char* name : {"batch_size", "input_height", "input_width", "in_channels", "out_channels", "groups"}) {
      if (auto value = attrs.get(name).asInteger()) setInt(q, name, *value);
    }
    if (auto value = attrs.get("input_channels").asInteger()) setInt(q, "channels", *value);
    for (const char* name : {"kernel_size", "stride", "padding", "dilation", "output_padding"}) {
      if (attrs.get(name).isArray()) setInts(q, name, numbers(attrs.get(name)));
    }
    return;
  }
  CallArgs args = callArgs(attrs.get("args"));
  if (!args.lists.empty() && args.lists[0].size() == 4) args.lists.erase(args.lists.begin());
  size_t lists = conv && q.kind == OpKind::TtnnConvTranspose2d ? 5 : 4;
  if (args.lists.size() < lists || args.ints.size() < (conv ? 5u : 4u)) return;
  setInts(q, "kernel_size", args.lists[0]);
  setInts(q, "stride", args.lists[1]);
  setInts(q, "padding", args.lists[2]);
  setInts(q, "dilation", args.lists[lists - 1]);
  if (conv) {
    setInt(q, "in_channels", args.ints[0]);
    setInt(q, "out_channels", args.ints[1]);
  } else {
    setInt(q, "channels", args.ints[3]);
  }
  size_t first = conv ? 2 : 0;
  setInt(q, "batch_size", args.ints[first]);
  setInt(q, "input_height", args.ints[first + 1]);
  setInt(q, "input_width", args.ints[first + 2]);
}

// Which of the optional operands there are, for ops that say so in operandSegmentSizes.
void addSegments(RowQuery& q) {
  auto has = [&](std::string_view name) -> int64_t { return named(q, name) != nullptr; };
  if (q.kind == OpKind::TtnnBatchNormInference || q.kind == OpKind::TtnnBatchNormTraining) {
    if (named(q, "input"))
      setInts(q, "operandSegmentSizes", {1, has("running_mean"), has("running_var"), has("weight"), has("bias")});
  }
  // The rows name them in the order of the call; the op has the mask before the positions.
  bool paged = q.kind == OpKind::TtnnPagedScaledDotProductAttentionDecode;
  if (paged || q.kind == OpKind::TtnnScaledDotProductAttentionDecode) {
    auto place = [](const RowTensor& t) {
      return t.name == "attentionMask" ? 1 : t.name == "curPosTensor" ? 2 : t.name == "attentionSink" ? 3 : 0;
    };
    std::stable_sort(q.inputs.begin(), q.inputs.end(),
                     [&](const RowTensor& a, const RowTensor& b) { return place(a) < place(b); });
    std::vector<int64_t> segments = {1, 1, 1, has("attentionMask"), has("curPosTensor"), has("attentionSink")};
    if (paged) segments.insert(segments.begin() + 3, 1);
    setInts(q, "operandSegmentSizes", segments);
  }
  if (q.kind == OpKind::TtnnRmsNorm && named(q, "input"))
    setInts(q, "operandSegmentSizes", {1, has("weight"), has("bias"), 0});
}

void addOtherAttrs(RowQuery& q, JsonValue row) {
  JsonValue attrs = row.get("attrs"), args = attrs.get("args");
  CallArgs call = callArgs(args);
  if (attrs.get("dim_arg").present()) setInts(q, "dim_arg", numbers(attrs.get("dim_arg").get("items").at(0)));
  if (auto keep = attrs.get("keep_dim").asBool()) setBool(q, "keep_dim", *keep);
  if (auto axis = attrs.get("axis").asInteger()) setInt(q, "axis", *axis);
  if (attrs.get("permutation").isArray()) setInts(q, "permutation", numbers(attrs.get("permutation")));
  if (auto heads = attrs.get("num_heads").asInteger()) setInt(q, "num_heads", *heads);
  if (auto transpose = attrs.get("transpose_key").asBool()) setBool(q, "transpose_key", *transpose);
  if (auto causal = attrs.get("isCausal").asBool()) setBool(q, "is_causal", *causal);
  Family family = opInfo(q.kind).family;
  bool hasDim = family == Family::Softmax || q.kind == OpKind::TtnnArgmax || q.kind == OpKind::TtnnProd ||
                q.kind == OpKind::TtnnMorehCumsum || family == Family::Concat || family == Family::Sort;
  if (hasDim && !call.ints.empty()) setInt(q, family == Family::Softmax ? "dimension" : "dim", call.ints[0]);
  if (family == Family::Softmax && args.size() == 3) setBool(q, "numeric_stable", args.at(2).asBool().value_or(false));
  if (family == Family::Quantize && args.present() && !call.ints.empty()) setInt(q, "axis", call.ints[0]);
  if (q.kind == OpKind::TtnnNlpConcatHeadsDecode && !call.ints.empty()) setInt(q, "num_heads", call.ints[0]);
}

// A tensor that the row does not spell out, stored as `request` says.
const LayoutRequest kL1Default{.buffer = BufferType::L1,
                               .grid = {8, 8}};  // what the tests' fixture gives a tensor by default
void addTensor(std::vector<RowTensor>& to, std::string_view name, std::vector<int64_t> shape, LayoutRequest request) {
  auto made = makeLayout(shape, request, rowDevice());
  if (made.ok()) to.push_back({std::string(name), {std::move(shape), request.dtype, {}}, *made});
}

// The first tensor among the arguments of the call, however deep ({"shape", "buffer", ...}).
JsonValue tensorWithin(JsonValue args) {
  std::vector<JsonValue> open = {args};
  while (!open.empty()) {
    JsonValue value = open.back();
    open.pop_back();
    if (value.isObject() && value.get("shape").isArray() && value.get("buffer").isString()) return value;
    for (size_t i = value.size(); i-- > 0;) open.push_back(value.at(i));
  }
  return {};
}

// The shape of a RankedTensorType (or ShapeAttr) that is built as an argument, with the element type when it is named.
std::optional<TensorType> typeWithin(JsonValue args) {
  std::vector<JsonValue> open = {args};
  while (!open.empty()) {
    JsonValue value = open.back();
    open.pop_back();
    std::string_view call = value.isObject() ? value.get("$call").asString().value_or("") : "";
    bool type = call.find("RankedTensorType::get") != std::string_view::npos,
         shape = call.find("ShapeAttr::get") != std::string_view::npos;
    JsonValue list = value.get("args").at(type ? 0 : 1);
    if ((type || shape) && list.isArray()) {
      TensorType found;
      found.shape = numbers(list);
      found.dtype = DType::BF16;
      std::string_view name = type ? value.get("args").at(1).get("$type").asString().value_or("") : "";
      if (name == "getF32Type") found.dtype = DType::F32;
      if (name == "getI32Type") found.dtype = DType::I32;
      return found;
    }
    for (size_t i = value.size(); i-- > 0;) open.push_back(value.at(i));
  }
  return {};
}

// "OpModelConstantUInt16Param" names the element type of a constant.
DType constantType(std::string_view test) {
  static const std::pair<std::string_view, DType> kTypes[] = {{"UInt8", DType::U8},    {"UInt16", DType::U16},
                                                              {"UInt32", DType::U32},  {"Int32", DType::I32},
                                                              {"Float32", DType::F32}, {"BFloat16", DType::BF16}};
  for (const auto& [name, dtype] : kTypes) {
    if (test.find("Constant" + std::string(name) + "Param") != std::string_view::npos) return dtype;
  }
  return DType::BF16;
}

// What has no operands, and what a row says of its result only in the arguments. A result of no stated layout ("null:
// backend decides") goes to DRAM, as the library's default has it; tensors of the fixture lie in L1.
void completeResult(RowQuery& q, JsonValue row) {
  const std::vector<int64_t> kFixtureShape = {64, 1024};
  JsonValue attrs = row.get("attrs"), args = attrs.get("args");
  Family family = opInfo(q.kind).family;
  if (!q.outputs.empty()) return;
  std::string_view hint = attrs.get("output_layout_hint").asString().value_or("");
  if (opInfo(q.kind).has(kCreation)) {
    bool constant = attrs.get("tensor_shape").isArray();
    LayoutRequest request = constant ? kL1Default : LayoutRequest{};
    if (constant) request.dtype = constantType(row.get("test").asString().value_or(""));
    std::optional<TensorType> type = typeWithin(args);
    addTensor(q.outputs, "output",
              constant ? numbers(attrs.get("tensor_shape"))
              : type   ? type->shape
                       : kFixtureShape,
              request);
  } else if (family == Family::PrepareWeights) {  // the tests ask for DRAM; nothing depends on the shape
    LayoutRequest host{
        .buffer = BufferType::SystemMemory, .memory = TensorMemoryLayout::None, .page = PageLayout::RowMajor};
    if (q.inputs.empty()) addTensor(q.inputs, "weight", kFixtureShape, host);
    addTensor(q.outputs, "output", kFixtureShape, {});
  } else if (JsonValue tensor = tensorWithin(args); tensor.present()) {
    if (auto output = readTensor("output", tensor)) q.outputs.push_back(*output);
  } else if (std::optional<TensorType> type = typeWithin(args);
             type && q.inputs.empty() && hint.find("fixture default") == 0) {
    LayoutRequest request = kL1Default;
    addTensor(q.inputs, "input", type->shape, request);
    request.dtype = type->dtype;
    addTensor(q.outputs, "output", type->shape, request);
  }
}

// Rows that leave out what the published test makes elsewhere.
void completeOperands(RowQuery& q, JsonValue row) {
  Family family = opInfo(q.kind).family;
  bool interface = row.get("kind").asString().value_or("").substr(0, 9) == "interface";
  if (family == Family::KvCache && interface && !q.outputs.empty()) {
    q.inputs.insert(q.inputs.begin(), q.outputs[0]);  // the cache is the first operand and the answer
    q.inputs[0].name = "cache";
  }
  if (family == Family::Quantize && interface && q.kind != OpKind::TtnnDequantize && !q.outputs.empty()) {
    RowTensor input = q.outputs[0];
    input.layout.dtype = input.type.dtype = q.kind == OpKind::TtnnQuantize ? DType::BF16 : DType::I32;
    q.inputs.insert(q.inputs.begin(), input);
    q.outputs[0].layout.dtype = q.outputs[0].type.dtype = DType::I32;
  }
  if (q.outputs.empty() && row.get("attrs").get("output_layout_hint").present() && q.inputs.size() >= 2 &&
      family == Family::Matmul) {
    if (q.inputs[0].type.shape.size() != 2 || q.inputs[1].type.shape.size() != 2) return;
    addTensor(q.outputs, "output", {q.inputs[0].type.shape[0], q.inputs[1].type.shape[1]}, {});
  }
  if (q.outputs.empty() && q.kind == OpKind::TtnnDequantize && !q.inputs.empty()) {
    q.outputs.push_back(q.inputs[0]);
    q.outputs[0].layout.dtype = q.outputs[0].type.dtype = DType::BF16;
  }
}

// Padding says more than the result's type of the row.
std::optional<std::vector<int64_t>> resultShape(OpKind kind, JsonValue row) {
  if (kind == OpKind::TtnnPad && row.get("kind").asString() == "lib_testf") {
    CallArgs args = callArgs(row.get("attrs").get("args"));
    if (args.lists.size() < 2 || args.lists[1].size() < 2 * args.lists[0].size()) return {};
    std::vector<int64_t> shape = args.lists[0];
    for (size_t i = 0; i < shape.size(); ++i) shape[i] += args.lists[1][2 * i] + args.lists[1][2 * i + 1];
    return shape;
  }
  if (kind == OpKind::TtnnReshape) {
    CallArgs args = callArgs(row.get("attrs").get("args"));
    if (args.lists.size() == 2) return args.lists[1];
  }
  if (kind == OpKind::TtnnRepeat || kind == OpKind::TtnnRepeatInterleave) {  // all of them double dim 0
    std::vector<int64_t> shape = numbers(row.get("inputs").at(0).get("shape"));
    if (shape.empty()) return {};
    shape[0] *= 2;
    return shape;
  }
  JsonValue first = row.get("inputs").at(0), second = row.get("inputs").at(1);
  if (kind == OpKind::TtnnConcat && row.get("inputs").size() == 2) {  // as long as both together
    std::vector<int64_t> shape = numbers(first.get("shape")), other = numbers(second.get("shape"));
    CallArgs args = callArgs(row.get("attrs").get("args"));
    int64_t rank = static_cast<int64_t>(shape.size()), dim = args.ints.empty() ? 0 : args.ints[0];
    if (dim < 0) dim += rank;
    if (dim < 0 || dim >= rank || other.size() != shape.size()) return {};
    shape[static_cast<size_t>(dim)] += other[static_cast<size_t>(dim)];
    return shape;
  }
  return {};
}

}  // namespace

OpKind rowOpKind(JsonValue row) { return opKindFromName(ttnnName(row.get("op").asString().value_or(""))); }

std::string rowName(JsonValue row) {
  return std::string(row.get("op").asString().value_or("")) + " " +
         std::string(row.get("test").asString().value_or("")) + "#" +
         std::to_string(row.get("index").asInteger().value_or(-1));
}

std::optional<RowQuery> readRow(JsonValue row) {
  RowQuery q;
  q.kind = rowOpKind(row);
  if (q.kind == OpKind::TtnnBatchNormTraining && row.get("attrs").get("training").asBool() == false)
    q.kind = OpKind::TtnnBatchNormInference;
  bool creation = opInfo(q.kind).has(kCreation);
  JsonValue inputs = row.get("inputs"), outputs = row.get("outputs");
  for (size_t i = 0; i < inputs.size(); ++i) {
    auto tensor = readTensor(inputs.keyAt(i), inputs.at(i));
    if (!tensor) return {};
    (creation ? q.outputs : q.inputs).push_back(*tensor);
  }
  std::optional<std::vector<int64_t>> shape = resultShape(q.kind, row);
  for (size_t i = 0; i < outputs.size(); ++i) {
    auto tensor = readTensor(outputs.keyAt(i), outputs.at(i), shape ? &*shape : nullptr);
    if (!tensor) return {};
    q.outputs.push_back(*tensor);
  }
  if (q.kind == OpKind::TtnnEmbedding && q.outputs.empty() && q.inputs.size() == 2) {
    std::vector<int64_t> full = q.inputs[0].type.shape;
    full.push_back(q.inputs[1].type.shape.back());
    addTensor(q.outputs, "output", full, kL1Default);
  }
  completeResult(q, row);
  completeOperands(q, row);
  bool oneOperand = opInfo(q.kind).family == Family::Sort || opInfo(q.kind).family == Family::Pool;
  if (oneOperand && q.inputs.empty() && !q.outputs.empty()) q.inputs.push_back(q.outputs[0]);  // the fixture's
  bool indices = opInfo(q.kind).family == Family::Sort || q.kind == OpKind::TtnnMaxPool2dWithIndices;
  if (indices && q.outputs.size() == 1) {  // values and their indices
    q.outputs.push_back(q.outputs[0]);
    q.outputs[1].type.dtype = q.outputs[1].layout.dtype = DType::U16;
  }
  if (q.kind == OpKind::Opaque || q.outputs.empty() || (!creation && q.inputs.empty())) return {};
  addWindow(q, row.get("attrs"));
  addSegments(q);
  addOtherAttrs(q, row);
  return q;
}

RowAnswer askRow(const RowQuery& q) {
  Graph graph;
  GraphBuilder builder(graph);
  FuncId func = builder.addFunction("main");
  graph.forward = func;
  std::vector<ValueId> operands;
  std::vector<std::optional<TensorLayout>> inputs;
  for (const RowTensor& t : q.inputs) {
    operands.push_back(builder.addArgument(func, t.name, {t.type, ""}));
    inputs.push_back(t.layout);
  }
  std::vector<ValueType> results;
  bool inPlace = opInfo(q.kind).has(kInPlace);
  for (const RowTensor& t : q.outputs) {
    if (!inPlace) results.push_back({t.type, ""});
  }
  OpSpec spec = makeOp(q.kind, operands, results);
  spec.attrs = q.attrs;
  OpId op = builder.append(func, std::move(spec));
  OpConfig config{q.outputs[0].layout, {}};
  OpModel model(rowDevice());
  OpQuery query{graph, op, inputs, config, Bytes(0)};
  return {model.validateOperation(query, rowDevice().usableL1()), model.getOpConstraints(query),
          model.getCircularBuffers(query), model.ruleOf(query)};
}

}  // namespace tessera
