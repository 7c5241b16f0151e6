// tessera eval ops: rows of the device profiler. Shapes, layouts and cores are the row's, the op is named as the library names it.

#include <algorithm>
#include <cstdlib>

#include "core/driver/eval/eval_times.h"
#include "core/ir/builder.h"

namespace tessera {

namespace {

struct ProfiledName {
  std::string_view begins;  // of the library's name; the first line that fits counts
  OpKind kind;
};
constexpr ProfiledName kNames[] = {
    {"MinimalMatmul", OpKind::TtnnMatmul},
    {"Matmul", OpKind::TtnnMatmul},
    {"Conv2d", OpKind::TtnnConv2d},
    {"OptimizedConv", OpKind::TtnnConv2d},
    {"Pool2D", OpKind::TtnnMaxPool2d},
    {"Reshape", OpKind::TtnnReshape},
    {"Transpose", OpKind::TtnnTranspose},
    {"Permute", OpKind::TtnnPermute},
    {"Tilize", OpKind::TtnnToLayout},
    {"Untilize", OpKind::TtnnToLayout},
    {"Halo", OpKind::TtnnToMemoryConfig},
    {"InterleavedToSharded", OpKind::TtnnToMemoryConfig},
    {"ShardedToInterleaved", OpKind::TtnnToMemoryConfig},
    {"Reshard", OpKind::TtnnToMemoryConfig},
    {"Move", OpKind::TtnnMove},
    {"Copy", OpKind::TtnnToMemoryConfig},
    {"PaddedSlice", OpKind::TtnnSliceStatic},
    {"SliceWrite", OpKind::TtnnToMemoryConfig},
    {"Slice", OpKind::TtnnSliceStatic},
    {"Split", OpKind::TtnnSliceStatic},
    {"Concat", OpKind::TtnnConcat},
    {"Typecast", OpKind::TtnnTypecast},
    {"Upsample", OpKind::TtnnUpsample},
    {"GridSample", OpKind::TtnnGridSample},
    {"GroupNorm", OpKind::TtnnGroupNorm},
    {"LayerNorm", OpKind::TtnnLayerNorm},
    {"Softmax", OpKind::TtnnSoftmax},
    {"Accumulation", OpKind::TtnnCumsum},
    {"FastReduce", OpKind::TtnnSum},
    {"NLPConcatHeads", OpKind::TtnnConcatenateHeads},
    {"NlpCreateHeads", OpKind::TtnnSplitQueryKeyValueAndSplitHeads},
    {"RotaryEmbeddingLlama", OpKind::TtnnRotaryEmbeddingLlama},
    {"UpdateKVCache", OpKind::TtnnFillCache},
    {"AllGather", OpKind::TtnnAllGather},
    {"ReduceScatter", OpKind::TtnnReduceScatter},
};

// The text behind `key` up to what is no name: "BinaryOpType::ADD;" -> "add".
std::string wordAfter(std::string_view text, std::string_view key) {
  size_t at = text.find(key);
  std::string word;
  if (at == std::string_view::npos) return word;
  for (char c : text.substr(at + key.size())) {
    if (c >= 'A' && c <= 'Z') word += static_cast<char>(c - 'A' + 'a');
    else if (c == '_' || (c >= '0' && c <= '9')) word += c;
    else break;
  }
  return word;
}

OpKind kindOf(std::string_view name, std::string_view attributes) {
  bool binary = name.substr(0, 6) == "Binary", unary = name.substr(0, 5) == "Unary";
  if (binary || unary) {
    std::string word = wordAfter(attributes, binary ? "BinaryOpType::" : "UnaryOpType::");
    if (word == "mul") word = "multiply";
    if (word == "sub") word = "subtract";
    if (word == "rsub") word = "subtract";
    if (word == "recip") word = "reciprocal";
    return opKindFromName("ttnn." + word);
  }
  for (const ProfiledName& known : kNames) {
    if (name.substr(0, known.begins.size()) == known.begins) return known.kind;
  }
  return OpKind::Opaque;
}

// "1x1x32x64"
std::optional<Shape> shapeOfText(std::string_view text) {
  Shape shape;
  for (size_t at = 0; at <= text.size() && shape.size() < 8;) {
    size_t end = std::min(text.find('x', at), text.size());
    std::string digits(text.substr(at, end - at));
    if (digits.empty() || digits.size() > 9 || digits.find_first_not_of("0123456789") != std::string::npos) return {};
    shape.push_back(std::strtol(digits.c_str(), nullptr, 10));
    at = end + 1;
  }
  return shape;
}

std::optional<DType> elementType(std::string_view name) {
  if (name == "BFLOAT16") return DType::BF16;
  if (name == "BFLOAT8_B") return DType::BFP8;
  if (name == "BFLOAT4_B") return DType::BFP4;
  if (name == "FLOAT32") return DType::F32;
  if (name == "UINT32") return DType::U32;
  if (name == "UINT16") return DType::U16;
  if (name == "INT32") return DType::I32;
  return {};
}

// As close to a square as the number allows, more columns than rows.
GridShape gridOfCores(int64_t cores) {
  int64_t rows = 1;
  for (int64_t r = 1; r * r <= cores; ++r) {
    if (cores % r == 0) rows = r;
  }
  return {static_cast<int32_t>(rows), static_cast<int32_t>(cores / rows)};
}

std::optional<TimedTensor> tensorOf(const CsvTable& t, size_t row, const std::string& name, int64_t cores) {
  std::string_view logical = t.text(row, name + "_logical");  // only where it differs from the padded shape
  std::optional<Shape> shape = shapeOfText(logical.empty() ? t.text(row, name + "_padded") : logical);
  std::string_view type = t.text(row, name + "_layout_dtype"), memory = t.text(row, name + "_mem");
  size_t colon = type.find(':');
  if (!shape || colon == std::string_view::npos) return {};
  std::optional<DType> dtype = elementType(type.substr(colon + 1));
  if (!dtype) return {};
  TimedTensor tensor{std::move(*shape), *dtype};
  tensor.page = type.substr(0, colon) == "TILE" ? PageLayout::Tile : PageLayout::RowMajor;
  if (memory.substr(0, 2) == "L1") tensor.buffer = BufferType::L1;
  auto count = static_cast<int32_t>(cores);
  tensor.grid = gridOfCores(cores);
  if (memory == "L1_HEIGHT_SHARDED") tensor.memory = TensorMemoryLayout::HeightSharded, tensor.grid = {count, 1};
  if (memory == "L1_WIDTH_SHARDED") tensor.memory = TensorMemoryLayout::WidthSharded, tensor.grid = {1, count};
  if (memory == "L1_BLOCK_SHARDED") tensor.memory = TensorMemoryLayout::BlockSharded;
  return tensor;
}

std::vector<int64_t> pairAfter(std::string_view text, std::string_view key) {
  size_t at = text.find(key);
  if (at == std::string_view::npos) return {};
  std::string part(text.substr(at + key.size(), 32));
  char* end = nullptr;
  int64_t first = std::strtol(part.c_str(), &end, 10);
  if (*end != ';') return {};
  return {first, std::strtol(end + 1, nullptr, 10)};
}

void addAttributes(TimedOp& op, std::string_view attributes, std::string_view fidelity) {
  std::string passes(fidelity);
  for (char& c : passes) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  if (passes == "lofi" || passes.substr(0, 4) == "hifi") {
    op.attrs.push_back({"compute_config", rawAttr("#ttnn.device_compute_kernel_config<math_fidelity = " + passes + ">")});
  }
  std::vector<int64_t> window = pairAfter(attributes, "window_hw=(");
  if (window.size() == 2) op.attrs.push_back({"kernel_size", intArrayAttr(window)});
}

std::optional<int64_t> profiledTime(const CsvTable& t, size_t row) {
  OpKind kind = kindOf(t.text(row, "op"), t.text(row, "attributes"));
  int64_t cores = t.count(row, "cores"), available = t.count(row, "avail_cores");
  if (kind == OpKind::Opaque || cores < 1 || available < cores || available > 4096) return {};
  DeviceSpec device = *findDevice(t.text(row, "arch") == "blackhole" ? "p150" : "n150");
  device.grid = gridOfCores(available);
  TimedOp op{kind, {}, {}};
  for (const char* name : {"in0", "in1", "in2", "in3", "in4"}) {
    if (t.text(row, std::string(name) + "_padded").empty()) break;
    std::optional<TimedTensor> tensor = tensorOf(t, row, name, cores);
    if (!tensor) return {};
    op.operands.push_back(std::move(*tensor));
  }
  std::optional<TimedTensor> result = tensorOf(t, row, "out0", cores);
  if (!result || op.operands.empty()) return {};
  op.result = std::move(*result);
  // The profiler lists a tensor given for the result among the operands.
  size_t least = static_cast<size_t>(std::max(operandBounds(opInfo(kind)).least, 1));
  bool moves = opInfo(kind).has(kToLayout) || opInfo(kind).family == Family::EltwiseUnary;
  if (moves && op.operands.size() > least) op.operands.resize(least);
  // Only a part of a large tensor is written: as much as is read.
  if (t.text(row, "op").substr(0, 10) == "SliceWrite" || t.text(row, "op").find("InterleavedPartial") != std::string_view::npos) op.result.shape = op.operands[0].shape;
  addAttributes(op, t.text(row, "attributes"), t.text(row, "fidelity"));
  return modelTime(device, std::move(op));
}

}  // namespace

EvalResult evalOps(const EvalRequest& request) {
  EvalResult result;
  CsvTable t;
  if (!readTable(request, t, result)) return result;
  TimedSeries all, wormhole, blackhole;
  for (size_t i = 0; i < t.rows.size(); ++i) {
    double measured = t.number(i, "kernel_ns");
    std::string name;
    for (const char* part : {"arch", "op", "cores", "in0_padded", "in0_layout_dtype", "in0_mem", "out0_padded", "out0_layout_dtype", "out0_mem"}) {
      name += (name.empty() ? "" : " ") + std::string(t.text(i, part));
    }
    TimedRow row{name, measured, profiledTime(t, i)};
    (t.text(i, "arch") == "blackhole" ? blackhole : wormhole).rows.push_back(row);
    all.rows.push_back(std::move(row));
  }
  result = timedResult(all);
  result.summary = "wormhole_b0 " + wormhole.line() + "\nblackhole " + blackhole.line() + "\n";
  return result;
}

}  // namespace tessera
