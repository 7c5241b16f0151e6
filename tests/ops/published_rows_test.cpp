// The op model against published answers of the compiler's op-model tests (Wormhole, worker grid 8x8, bytes per core). Every row
// becomes a graph of one op; the test prints a table per family and every difference, and holds lower bounds on what agrees.

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "core/ops/op_model.h"
#include "core/support/json_value.h"

namespace tessera::test {
namespace {

const DeviceSpec& device() { return *findDevice("n300"); }

std::string readRows() {
  const char* given = std::getenv("TESSERA_SHARED");
  std::filesystem::path shared = given ? std::filesystem::path(given) : std::filesystem::path(TESSERA_SOURCE_DIR) / ".." / "shared";
  std::ifstream in(shared / "data/opmodel_rows.json", std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// "LogicalNotOp" -> "ttnn.logical_not", with the names that differ.
std::string ttnnName(std::string_view op) {
  static const std::pair<std::string_view, std::string_view> kOthers[] = {
      {"GreaterThanOp", "gt"}, {"GreaterEqualOp", "ge"}, {"LessThanOp", "lt"}, {"LessEqualOp", "le"}, {"EqualOp", "eq"}, {"NotEqualOp", "ne"},
      {"IsFiniteOp", "isfinite"}, {"PowOp", "pow"}, {"RMSNormOp", "rms_norm"}, {"ArgMaxOp", "argmax"}, {"MorehCumSumOp", "moreh_cumsum"},
      {"NLPConcatHeadsOp", "nlp_concat_heads"}, {"NLPConcatHeadsDecodeOp", "nlp_concat_heads_decode"},
      {"NLPCreateQKVHeadsDecodeOp", "nlp_create_qkv_heads_decode"}};
  for (const auto& [published, name] : kOthers) {
    if (published == op) return "ttnn." + std::string(name);
  }
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

std::vector<int64_t> numbers(JsonValue array) {
  std::vector<int64_t> out;
  for (size_t i = 0; i < array.size(); ++i) out.push_back(array.at(i).asInteger().value_or(-1));
  return out;
}

struct RowTensor {
  std::string name;
  TensorType type;
  TensorLayout layout;
};

std::optional<RowTensor> readTensor(std::string_view name, JsonValue row, const std::vector<int64_t>* otherShape = nullptr) {
  RowTensor tensor;
  tensor.name = name;
  tensor.type.shape = otherShape ? *otherShape : numbers(row.get("shape"));
  auto dtype = parseDType(row.get("dtype").asString().value_or(""));
  std::vector<int64_t> grid = numbers(row.get("grid"));
  if (!dtype || tensor.type.shape.empty() || grid.size() != 2) return {};
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
  if (request.buffer == BufferType::L1 && request.memory == TensorMemoryLayout::Interleaved) request.grid = device().grid;
  request.allowIdleCores = true;
  auto made = makeLayout(tensor.type.shape, request, device());
  if (!made.ok()) return {};
  tensor.layout = *made;
  return tensor;
}

// What a row asks, in our words.
struct RowQuery {
  OpKind kind{};
  std::vector<RowTensor> inputs, outputs;
  std::vector<Attribute> attrs;
  int weightsGiven = 0;
};

void setInt(RowQuery& q, std::string_view name, int64_t value) { q.attrs.push_back({std::string(name), intAttr(value)}); }
void setInts(RowQuery& q, std::string_view name, std::vector<int64_t> values) { q.attrs.push_back({std::string(name), intArrayAttr(std::move(values))}); }
void setBool(RowQuery& q, std::string_view name, bool value) { q.attrs.push_back({std::string(name), boolAttr(value)}); }

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
    if (arg.isObject() && arg.get("$call").asString() == "llvm::ArrayRef<int32_t>") out.lists.push_back(numbers(arg.get("args").at(0)));
    if (arg.isObject() && arg.get("$mcall").asString() == "getI32IntegerAttr") out.ints.push_back(arg.get("args").at(0).asInteger().value_or(0));
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
    if (named(q, "input")) setInts(q, "operandSegmentSizes", {1, has("running_mean"), has("running_var"), has("weight"), has("bias")});
  }
  if (q.kind == OpKind::TtnnRmsNorm && named(q, "input")) setInts(q, "operandSegmentSizes", {1, has("weight"), has("bias"), 0});
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
  bool hasDim = family == Family::Softmax || q.kind == OpKind::TtnnArgmax || q.kind == OpKind::TtnnProd || q.kind == OpKind::TtnnMorehCumsum ||
                family == Family::Concat || family == Family::Sort;
  if (hasDim && !call.ints.empty()) setInt(q, family == Family::Softmax ? "dimension" : "dim", call.ints[0]);
  if (family == Family::Softmax && args.size() == 3) setBool(q, "numeric_stable", args.at(2).asBool().value_or(false));
  if (family == Family::Quantize && args.present() && !call.ints.empty()) setInt(q, "axis", call.ints[0]);
  if (q.kind == OpKind::TtnnNlpConcatHeadsDecode && !call.ints.empty()) setInt(q, "num_heads", call.ints[0]);
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
  if (q.outputs.empty() && row.get("attrs").get("output_layout_hint").present() && q.inputs.size() >= 2 && family == Family::Matmul) {
    std::vector<int64_t> shape = {q.inputs[0].type.shape[0], q.inputs[1].type.shape[1]};
    LayoutRequest dram{};
    q.outputs.push_back({"output", {shape, DType::BF16, {}}, *makeLayout(shape, dram, device())});
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
    if (args.lists.size() < 2) return {};
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
    shape[0] *= 2;
    return shape;
  }
  if (kind == OpKind::TtnnConcat && row.get("inputs").size() == 2) return std::vector<int64_t>{128, 1024};
  return {};
}

std::optional<RowQuery> readRow(JsonValue row) {
  RowQuery q;
  q.kind = opKindFromName(ttnnName(row.get("op").asString().value_or("Op")));
  if (q.kind == OpKind::TtnnBatchNormTraining && row.get("attrs").get("training").asBool() == false) q.kind = OpKind::TtnnBatchNormInference;
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
    LayoutRequest l1{.buffer = BufferType::L1, .grid = device().grid};
    q.outputs.push_back({"output", {full, DType::BF16, {}}, *makeLayout(full, l1, device())});
  }
  completeOperands(q, row);
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

// A check of the published test: "eq", "ge", "gt 0", "eq 0", "le" ...; anything else enforces nothing.
bool holds(std::string_view check, std::optional<int64_t> published, int64_t ours) {
  if (check == "eq 0") return ours == 0;
  if (check == "gt 0") return ours > 0;
  if (!published) return true;
  if (check == "eq") return ours == *published;
  if (check == "ge") return ours >= *published;
  if (check == "gt") return ours > *published;
  if (check == "le") return ours <= *published;
  return true;
}

struct Figure {
  int exact = 0, given = 0;
};
struct Score {
  int rows = 0, asked = 0, legal = 0, held = 0;
  Figure buffers, tensors, total, output;
};

struct Field {
  const char* name;
  const char* published;
  const char* check;
  Figure Score::* figure;
  Bytes OpConstraints::* ours;
};
const Field kFields[] = {
    {"cb", "expected_cb_l1_peak", "cb", &Score::buffers, &OpConstraints::cbL1PeakSize},
    {"tensor", "expected_tensor_l1_peak", "l1_peak", &Score::tensors, &OpConstraints::tensorL1PeakSize},
    {"total", "expected_total_l1_peak", "total_peak", &Score::total, &OpConstraints::peakL1MemorySize},
    {"output", "expected_output_l1_size", "output", &Score::output, &OpConstraints::outputL1BufferSize},
};

std::string rowName(JsonValue row) {
  return std::string(row.get("op").asString().value_or("")) + " " + std::string(row.get("test").asString().value_or("")) + "#" +
         std::to_string(row.get("index").asInteger().value_or(-1));
}

void compareRow(JsonValue row, const RowQuery& q, Score& score) {
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
  OpModel model(device(), device().usableL1());
  OpVerdict verdict = model.validateOperation({graph, op, inputs, config, Bytes(0)});
  bool legal = row.get("expected_legal").asBool().value_or(false);
  ++score.asked;
  score.legal += verdict.ok() == legal;
  if (verdict.ok() != legal) {
    std::printf("  %s: published %s, here: %s\n", rowName(row).c_str(), legal ? "legal" : "illegal", verdictText(verdict).c_str());
  }
  if (!legal) return;
  OpConstraints constraints = model.getOpConstraints({graph, op, inputs, config, Bytes(0)});
  std::string differences;
  bool all = true;
  for (const Field& field : kFields) {
    auto published = row.get(field.published).asInteger();
    int64_t ours = (constraints.*field.ours).count;
    Figure& figure = score.*field.figure;
    figure.given += published.has_value();
    figure.exact += published == ours;
    bool held = holds(row.get("check").get(field.check).asString().value_or(""), published, ours);
    all = all && held;
    if (!held || (published && *published != ours)) {
      differences += std::string(" ") + field.name + " " + std::to_string(ours) + " (published " + (published ? std::to_string(*published) : "none") +
                     (held ? ")" : ", CHECKED)");
    }
  }
  score.held += all;
  if (!differences.empty()) std::printf("  %s:%s\n", rowName(row).c_str(), differences.c_str());
}

void printTable(const std::map<std::string, Score>& table) {
  std::printf("%-34s %5s %6s %6s %7s %9s %9s %9s %9s\n", "family", "rows", "asked", "legal", "checks", "cb", "tensor", "total", "output");
  for (const auto& [name, s] : table) {
    auto part = [](Figure f) { return std::to_string(f.exact) + "/" + std::to_string(f.given); };
    std::printf("%-34s %5d %6d %6d %7d %9s %9s %9s %9s\n", name.c_str(), s.rows, s.asked, s.legal, s.held, part(s.buffers).c_str(),
                part(s.tensors).c_str(), part(s.total).c_str(), part(s.output).c_str());
  }
}

void add(Score& to, const Score& s) {
  to.rows += s.rows, to.asked += s.asked, to.legal += s.legal, to.held += s.held;
  for (const Field& field : kFields) {
    (to.*field.figure).exact += (s.*field.figure).exact;
    (to.*field.figure).given += (s.*field.figure).given;
  }
}

TEST(PublishedRows, EveryFamilyAgreesAsFarAsItDid) {
  std::string text = readRows();
  if (text.empty()) GTEST_SKIP() << "no published rows";
  SourceBuffer source("opmodel_rows.json", text);
  Diagnostics diags;
  JsonDocument document = JsonDocument::parse(source, diags);
  JsonValue rows = document.root().get("rows");
  ASSERT_GT(rows.size(), 0u);
  std::map<std::string, Score> table;
  Score all;
  for (size_t i = 0; i < rows.size(); ++i) {
    JsonValue row = rows.at(i);
    std::optional<RowQuery> query = readRow(row);
    Family family = opInfo(opKindFromName(ttnnName(row.get("op").asString().value_or("Op")))).family;
    Score score;
    score.rows = 1;
    if (query) compareRow(row, *query, score);
    else std::printf("  %s: not asked, the row leaves out operands\n", rowName(row).c_str());
    add(table[std::string(familyTitle(family))], score);
    add(all, score);
  }
  table["~ all"] = all;
  printTable(table);
  // What held when this was last changed; an improvement raises it.
  EXPECT_GE(all.asked, 338);
  EXPECT_GE(all.legal, 337);
  EXPECT_GE(all.held, 285);
  EXPECT_GE(all.buffers.exact, 256);
  EXPECT_GE(all.tensors.exact, 240);
  EXPECT_GE(all.total.exact, 209);
  EXPECT_GE(all.output.exact, 267);
}

}  // namespace
}  // namespace tessera::test
