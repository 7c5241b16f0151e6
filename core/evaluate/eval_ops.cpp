// tessera eval ops: rows of the device profiler. Shapes, layouts and cores are the row's, the op is named as the
// library names it.

#include <algorithm>
#include <cstdlib>

#include "core/evaluate/eval_times.h"
#include "core/evaluate/profile_programs.h"
#include "core/evaluate/profile_window.h"
#include "core/ir/builder.h"
#include "core/profile/profile_text.h"
#include "core/profile/program_names.h"

namespace tessera {

namespace {

constexpr size_t kMostRank = 8;  // of a tensor of the library

// "1x1x32x64"
std::optional<Shape> shapeOfText(std::string_view text) {
  Shape shape;
  for (size_t at = 0; at <= text.size();) {
    size_t end = std::min(text.find('x', at), text.size());
    std::string digits(text.substr(at, end - at));
    if (digits.empty() || digits.size() > 9 || digits.find_first_not_of("0123456789") != std::string::npos) return {};
    if (shape.size() == kMostRank) return {};
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

// A cut of the result that the attributes name takes the place of an even one: so many shards as its size needs.
void cutAsWritten(TimedTensor& tensor, std::string_view attributes) {
  std::vector<int64_t> shard = numbersAfter(textAfter(attributes, "shard_spec=ShardSpec("), "shape={");
  if (shard.size() != 2 || shard[0] < 1 || shard[1] < 1 || tensor.shape.empty()) return;
  int64_t rows = 1;
  for (size_t i = 0; i + 1 < tensor.shape.size(); ++i) rows = mulSaturated(rows, tensor.shape[i]);
  constexpr int64_t kMost = 4096;
  auto parts = [&](int64_t whole, int64_t part) {
    return static_cast<int32_t>(std::clamp<int64_t>(ceilDiv(whole, part), 1, kMost));
  };
  if (tensor.memory == TensorMemoryLayout::HeightSharded) tensor.grid = {parts(rows, shard[0]), 1};
  if (tensor.memory == TensorMemoryLayout::WidthSharded) tensor.grid = {1, parts(tensor.shape.back(), shard[1])};
  if (tensor.memory == TensorMemoryLayout::BlockSharded)
    tensor.grid = {parts(rows, shard[0]), parts(tensor.shape.back(), shard[1])};
}

void addFidelity(TimedOp& op, std::string_view fidelity) {
  std::string passes = lowerCase(fidelity);
  if (passes == "lofi" || passes.substr(0, 4) == "hifi") {
    op.attrs.push_back(
        {"compute_config", rawAttr("#ttnn.device_compute_kernel_config<math_fidelity = " + passes + ">")});
  }
}

// The blocks of a product as its program config says.
void addProgram(TimedOp& op, std::string_view attributes) {
  std::string_view program = textAfter(attributes, "'program_config': '");
  std::optional<int64_t> m = numberAfter(program, "per_core_M="), n = numberAfter(program, "per_core_N="),
                         w = numberAfter(program, "in0_block_w=");
  if (program.substr(0, 15) != "MatmulMultiCore" || !m || !n || !w) return;
  MatmulAttrs asked;
  if (contains(program.substr(0, 64), "1D"))
    asked.program =
        numberAfter(program, "mcast_in0=") == 1 ? MatmulProgram::MultiCast1dIn0 : MatmulProgram::MultiCast1dIn1;
  else if (contains(program.substr(0, 64), "ReuseProgram")) asked.program = MatmulProgram::Reuse;
  asked.perCoreM = *m;
  asked.perCoreN = *n;
  asked.in0BlockW = *w;
  asked.outSubblockH = numberAfter(program, "out_subblock_h=").value_or(0);
  asked.outSubblockW = numberAfter(program, "out_subblock_w=").value_or(0);
  asked.outBlockH = numberAfter(program, "out_block_h=").value_or(0);
  asked.outBlockW = numberAfter(program, "out_block_w=").value_or(0);
  op.config = asked;
}

void addAttributes(TimedOp& op, std::string_view attributes, std::string_view fidelity) {
  addFidelity(op, fidelity);
  auto rank = static_cast<int64_t>(op.operands[0].shape.size());
  auto dims = [&](int64_t a, int64_t b) {
    op.attrs.insert(op.attrs.end(), {{"dim0", intAttr(a)}, {"dim1", intAttr(b)}});
  };
  if (op.kind == OpKind::TtnnMatmul) addProgram(op, attributes);
  if (op.kind == OpKind::TtnnPermute) {
    if (std::vector<int64_t> order = numbersAfter(attributes, "'dims': 'SmallVector("); !order.empty())
      op.attrs.push_back({"permutation", intArrayAttr(order)});
  }
  if (op.kind == OpKind::TtnnTranspose && rank == 4) {
    if (contains(attributes, "TransposeOpDim::CN")) dims(0, 1);
    if (contains(attributes, "TransposeOpDim::HC")) dims(1, 2);
    if (contains(attributes, "TransposeOpDim::WH")) dims(2, 3);
  }
  if (std::optional<int64_t> dim = numberAfter(attributes, "'dim': '")) op.attrs.push_back({"dim", intAttr(*dim)});
  // The mask's tiles, one set per group, tell how many groups there are.
  if (op.kind == OpKind::TtnnGroupNorm && op.operands.size() > 3 && op.operands[3].shape.size() == 4) {
    op.attrs.push_back({"num_groups", intAttr(op.operands[3].shape[1])});
  }
}

// Keys and values of all chips of the ring pass by; a mask of later positions leaves half of them.
void addRing(TimedOp& op, const CsvTable& t, size_t row) {
  if (opInfo(op.kind).family != Family::Attention) return;
  const std::string_view attributes = t.text(row, "attributes");
  const bool causal = contains(attributes, "'is_causal': 'true'") || contains(attributes, "'is_causal': '1'");
  if (causal) op.attrs.push_back({"is_causal", boolAttr(true)});
  for (size_t i = 1; i < op.operands.size() && i < 3; ++i) {
    Shape& shape = op.operands[i].shape;
    if (shape.size() >= 2) shape[shape.size() - 2] = mulSaturated(shape[shape.size() - 2], ringOf(t, row));
  }
}

// The profiler lists tensors given for the result among the operands.
void dropResults(TimedOp& op) {
  size_t least = static_cast<size_t>(std::max(operandBounds(opInfo(op.kind)).least, 1));
  const Family family = opInfo(op.kind).family;
  bool moves = opInfo(op.kind).has(kToLayout) || family == Family::EltwiseUnary || family == Family::Slice;
  if (opInfo(op.kind).family == Family::EltwiseBinary) least = 2;
  else if (!moves) return;
  if (op.operands.size() > least) op.operands.resize(least);
}

std::optional<TimedOp> opOfRow(const CsvTable& t, size_t row, OpKind kind, int64_t cores) {
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
  dropResults(op);
  std::string_view attributes = t.text(row, "attributes");
  cutAsWritten(op.result, attributes);
  for (TimedTensor& operand : op.operands) {
    if (operand.shape == op.result.shape && operand.memory == op.result.memory) operand.grid = op.result.grid;
  }
  // Only a part of the larger tensor is read or written.
  if (contains(t.text(row, "op"), "ToInterleavedPartial") || contains(t.text(row, "op"), "SliceWrite"))
    op.result.shape = op.operands[0].shape;
  if (contains(t.text(row, "op"), "ToShardedPartial")) op.operands[0].shape = op.result.shape;
  // Both halves are written, and the profile lists one.
  if (contains(t.text(row, "op"), "Split")) op.result.shape = op.operands[0].shape;
  addAttributes(op, attributes, t.text(row, "fidelity"));
  addRing(op, t, row);
  return op;
}

// A row names tensors that DRAM cannot have moved in its time, at its nominal width (tt-metal
// Saturating_DRAM_bandwidth: 288 GB/s of a Wormhole, 512 of a Blackhole board): the result, and of each operand no more
// than the result has.
bool fasterThanMemory(const TimedOp& op, const DeviceSpec& device, double measured) {
  const double bytesPerNs = device.arch == Arch::Blackhole ? 512 : 288;
  const auto bytes = [](const TimedTensor& tensor) {
    double all = tensor.buffer == BufferType::DRAM ? static_cast<double>(tileBytes(tensor.dtype)) : 0;
    for (int64_t extent : tensor.shape) all *= static_cast<double>(extent);
    return all / static_cast<double>(kTileSide * kTileSide);
  };
  double least = bytes(op.result);
  for (const TimedTensor& operand : op.operands) least += std::min(bytes(operand), bytes(op.result));
  return least > measured * bytesPerNs;
}

struct ProfiledTime {
  std::optional<int64_t> model = {};
  bool impossible = false;  // to measure
};

ProfiledTime profiledTime(const CsvTable& t, size_t row) {
  int64_t cores = t.count(row, "cores"), available = t.count(row, "avail_cores");
  if (cores < 1 || available < cores || available > 4096) return {};
  bool blackhole = t.text(row, "arch") == "blackhole", p100 = contains(t.text(row, "source"), "p100");
  DeviceSpec device = *findDevice(!blackhole ? "n150" : p100 ? "p100" : "p150");
  device.grid = gridOfCores(available);
  std::string_view name = t.text(row, "op");
  if (name.substr(0, 4) == "Halo") return {profiledHalo(t, row, device)};
  if (name.substr(0, 6) == "Conv2d" || name.substr(0, 13) == "OptimizedConv") return {profiledConv(t, row, device)};
  if (name.substr(0, 6) == "Pool2D") return {profiledPool(t, row, device)};
  if (isOtherProgram(name)) return {profiledOther(t, row, device)};
  if (contains(name, "Split")) device.grid = gridOfCores(cores);  // a core has whole rows of both halves
  OpKind kind = profiledKind(name, t.text(row, "attributes"));
  if (kind == OpKind::Opaque) return {};
  std::optional<TimedOp> op = opOfRow(t, row, kind, cores);
  if (op && op->result.memory == TensorMemoryLayout::BlockSharded && op->result.grid.rows > device.grid.rows)
    std::swap(device.grid.rows, device.grid.cols);
  if (!op) return {};
  const bool impossible = fasterThanMemory(*op, device, t.number(row, "kernel_ns"));
  return {modelTime(device, std::move(*op)), impossible};
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
    for (const char* part : {"arch", "op", "cores", "in0_padded", "in0_layout_dtype", "in0_mem", "out0_padded",
                             "out0_layout_dtype", "out0_mem"}) {
      name += (name.empty() ? "" : " ") + std::string(t.text(i, part));
    }
    const ProfiledTime profiled = profiledTime(t, i);
    TimedRow row{name, measured, profiled.model, std::string(t.text(i, "op"))};
    if (profiled.impossible) row.family = kImpossible;
    (t.text(i, "arch") == "blackhole" ? blackhole : wormhole).rows.push_back(row);
    all.rows.push_back(std::move(row));
  }
  result = timedResult(all);
  result.summary = "wormhole_b0 " + wormhole.line() + "\nblackhole " + blackhole.line() + "\n";
  return result;
}

}  // namespace tessera
