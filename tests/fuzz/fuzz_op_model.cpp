// LIBS: tessera_ops
// Any op with any operands, attributes and layouts: the op model answers every question about it without overflow, its
// figures add up, and a model that remembers answers as one that does not.
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>

#include "core/ir/builder.h"
#include "core/ops/model/op_answers.h"
#include "core/ops/model/op_memory.h"
#include "core/support/check.h"

using namespace tessera;

namespace {

// Zeros when the input is used up.
class Choices {
 public:
  Choices(const uint8_t* data, size_t size) : data_(data), size_(size) {}
  uint64_t below(uint64_t limit) { return limit ? byte() % limit : 0; }
  bool oneIn(uint64_t n) { return below(n) == n - 1; }
  int64_t number() {
    uint64_t bits = 0;
    for (int i = 0; i < 8; ++i) bits = bits << 8 | byte();
    return static_cast<int64_t>(bits);
  }
  bool left() const { return at_ < size_; }

 private:
  uint8_t byte() { return at_ < size_ ? data_[at_++] : 0; }
  const uint8_t* data_;
  size_t size_, at_ = 0;
};

int64_t dim(Choices& choose) {
  constexpr int64_t kUsual[] = {1,   2,   3,   7,   12,  16,   32,   33,   56,   64,
                                100, 128, 224, 256, 512, 1000, 1024, 4096, 8192, 65536};
  if (choose.oneIn(16)) return choose.number();
  if (choose.oneIn(16)) return static_cast<int64_t>(choose.below(3)) - 1;
  return kUsual[choose.below(std::size(kUsual))];
}

Shape shape(Choices& choose) {
  Shape dims;
  for (uint64_t rank = choose.oneIn(8) ? choose.below(9) : 4; rank > 0; --rank) dims.push_back(dim(choose));
  if (choose.oneIn(3) && dims.size() >= 2) dims[0] = dims[1] = 1;
  return dims;
}

constexpr DType kDTypes[] = {DType::BF16, DType::BFP8, DType::BFP4, DType::F32, DType::U32,
                             DType::I32,  DType::U16,  DType::U8,   DType::F16, DType::I64};

TensorLayout layout(Choices& choose, const Shape& dims, DType dtype, const DeviceSpec& device) {
  LayoutRequest request{dtype,
                        static_cast<BufferType>(choose.below(choose.oneIn(8) ? 5 : 2)),
                        static_cast<TensorMemoryLayout>(choose.oneIn(8) ? choose.below(3) : 1),
                        choose.oneIn(4) ? PageLayout::RowMajor : PageLayout::Tile,
                        {static_cast<int32_t>(1 + choose.below(10)), static_cast<int32_t>(1 + choose.below(10))},
                        true};
  if (request.buffer == BufferType::L1) {
    switch (choose.below(4)) {
      case 0: request.grid = device.grid; break;
      case 1: request.memory = TensorMemoryLayout::BlockSharded; break;
      case 2:
        request.memory = TensorMemoryLayout::HeightSharded,
        request.grid = {static_cast<int32_t>(1 + choose.below(64)), 1};
        break;
      case 3:
        request.memory = TensorMemoryLayout::WidthSharded,
        request.grid = {1, static_cast<int32_t>(1 + choose.below(64))};
        break;
    }
  }
  auto made = makeLayout(dims, request, device);
  if (made.ok() && !choose.oneIn(16)) return *made;
  TensorLayout raw{request.buffer, request.memory, request.page, dtype, request.grid, dim(choose), dim(choose)};
  if (choose.oneIn(4)) raw.grid = {static_cast<int32_t>(choose.number()), static_cast<int32_t>(choose.number())};
  return raw;
}

void addAttrs(Choices& choose, AttrList& attrs) {
  constexpr std::string_view kIntegers[] = {
      "dim",           "dimension", "in_channels",  "out_channels", "batch_size",   "input_height", "input_width",
      "groups",        "axis",      "channels",     "num_heads",    "num_kv_heads", "transpose_a",  "transpose_b",
      "transpose_key", "is_causal", "scale_factor", "keep_dim",     "ceil_mode"};
  constexpr std::string_view kLists[] = {
      "kernel_size",         "stride",  "padding",     "dilation", "output_padding",
      "operandSegmentSizes", "dim_arg", "permutation", "shape",    "kernel",
      "normalized_shape",    "begins",  "ends",        "step",     "repeat_dimensions",
      "scale_factor"};
  for (uint64_t n = choose.below(8); n > 0; --n) {
    if (choose.oneIn(2)) {
      int64_t value = choose.oneIn(4) ? dim(choose) : static_cast<int64_t>(choose.below(6)) - 2;
      attrs.push_back({std::string(kIntegers[choose.below(std::size(kIntegers))]), intAttr(value, "i32")});
    } else {
      std::vector<int64_t> values;
      for (uint64_t k = choose.below(7); k > 0; --k)
        values.push_back(choose.oneIn(4) ? dim(choose) : static_cast<int64_t>(choose.below(5)) - 1);
      attrs.push_back({std::string(kLists[choose.below(std::size(kLists))]), intArrayAttr(values, "i32")});
    }
  }
  sortAttrs(attrs);
  for (size_t i = attrs.size(); i > 1; --i) {
    if (attrs[i - 1].name == attrs[i - 2].name) attrs.erase(attrs.begin() + static_cast<std::ptrdiff_t>(i - 1));
  }
}

// Settings in words, as a source has them.
void addProgram(Choices& choose, GraphBuilder& builder, OpId op) {
  constexpr std::string_view kNames[] = {"", "multi_cast_", "multi_cast_1d_", "multi_cast_dram_sharded_"};
  std::string text = "#ttnn.matmul_multi_core_reuse_" + std::string(kNames[choose.below(std::size(kNames))]) +
                     "program_config<mcast_in0 = true";
  for (std::string_view key :
       {"per_core_m", "per_core_n", "in0_block_w", "out_subblock_h", "out_subblock_w", "out_block_h", "out_block_w"}) {
    if (!choose.oneIn(4)) text += ", " + std::string(key) + " = " + std::to_string(dim(choose));
  }
  builder.setAttr(op, "matmul_program_config", rawAttr(text + ">"));
  builder.setAttr(
      op, "compute_config",
      rawAttr(choose.oneIn(2) ? "#ttnn.device_compute_kernel_config<fp32_dest_acc_en = true>" : "<math_fidelity"));
}

auto figures(const OpConstraints& c) {
  return std::tuple(c.cbL1PeakSize, c.cbRegionSize, c.tensorL1PeakSize, c.peakL1MemorySize, c.outputL1BufferSize);
}
auto figures(const OpVerdict& v) { return std::tuple(v.status, v.reason, v.operand, v.needed, v.available); }
auto figures(const OpTime& t) {
  return std::tuple(t.fixed, t.compute, t.dram, t.noc, t.dramBytes, t.nocBytes, t.cores);
}

void checkAnswers(const OpQuery& query, const OpModel& cold, const OpModel& memo) {
  OpVerdict verdict = cold.validateOperation(query, cold.device().usableL1());
  OpConstraints constraints = cold.getOpConstraints(query);
  OpTime time = cold.getOpRuntime(query);
  for (int i = 0; i < 2; ++i) {
    TESSERA_CHECK(figures(memo.getOpRuntime(query)) == figures(time), "another time from the memo");
    TESSERA_CHECK(figures(memo.validateOperation(query, cold.device().usableL1())) == figures(verdict),
                  "another verdict from the memo");
    TESSERA_CHECK(figures(memo.getOpConstraints(query)) == figures(constraints), "other constraints from the memo");
  }
  for (Bytes bytes : {constraints.cbL1PeakSize, constraints.tensorL1PeakSize, constraints.outputL1BufferSize})
    TESSERA_CHECK(bytes.count >= 0, "negative bytes");
  TESSERA_CHECK(constraints.peakL1MemorySize.count ==
                    addSaturated(constraints.cbL1PeakSize.count, constraints.tensorL1PeakSize.count),
                "the peak is no sum");
  for (Nanoseconds part : {time.fixed, time.compute, time.dram, time.noc})
    TESSERA_CHECK(part.count >= 0, "negative time");
  TESSERA_CHECK(time.dramBytes >= 0 && time.nocBytes >= 0 && time.cores >= 0, "negative traffic");
  int64_t sum = 0;
  for (const CircularBuffer& buffer : cold.getCircularBuffers(query)) {
    TESSERA_CHECK(buffer.bytes > 0 && buffer.pages > 0 && !buffer.name.empty(), "an empty circular buffer");
    sum += ownBytes(buffer);
  }
  TESSERA_CHECK(sum == constraints.cbL1PeakSize.count, "circular buffers do not add up");
  TESSERA_CHECK(!cold.ruleOf(query).name.empty(), "no rule");
  verdictText(verdict);
  if (!verdict.ok()) return;
  for (const OpIntermediate& made : opMemory(query, cold.device()).intermediates)
    TESSERA_CHECK(made.bytes.count > 0, "an empty intermediate");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Choices choose(data, size);
  DeviceSpec device = allDevices()[choose.below(allDevices().size())];
  std::span<const OpInfo> ops = allOps();
  const OpInfo& info = ops[1 + (choose.below(256) * 256 + choose.below(256)) % (ops.size() - 1)];
  Graph graph;
  GraphBuilder builder(graph);
  FuncId func = builder.addFunction("main");
  graph.forward = func;
  std::vector<ValueId> operands;
  std::vector<std::optional<TensorLayout>> inputs;
  OperandBounds bounds = operandBounds(info);
  auto least = static_cast<uint64_t>(bounds.least);
  uint64_t count =
      choose.oneIn(8)
          ? choose.below(8)
          : least + choose.below(bounds.most < 0 ? 4 : static_cast<uint64_t>(bounds.most - bounds.least) + 1);
  Shape common = shape(choose);
  for (uint64_t i = 0; i < count; ++i) {
    TensorType type;
    type.shape = choose.oneIn(2) ? shape(choose) : common;
    type.dtype = kDTypes[choose.oneIn(3) ? choose.below(std::size(kDTypes)) : 0];
    operands.push_back(builder.addArgument(func, "a", choose.oneIn(32) ? ValueType{} : ValueType{type, ""}));
    if (choose.oneIn(32)) inputs.push_back(std::nullopt);
    else inputs.push_back(layout(choose, type.shape, type.dtype, device));
  }
  std::vector<ValueType> results;
  for (uint64_t n = choose.oneIn(8) ? choose.below(4) : 1; n > 0; --n) {
    TensorType type;
    type.shape = choose.oneIn(2) ? shape(choose) : common;
    type.dtype = kDTypes[choose.oneIn(3) ? choose.below(std::size(kDTypes)) : 0];
    results.push_back({type, ""});
  }
  OpConfig config;
  if (!results.empty()) config.output = layout(choose, results[0].tensor->shape, results[0].tensor->dtype, device);
  if (choose.oneIn(8))
    config.attrs = MatmulAttrs{static_cast<MatmulProgram>(choose.below(5)),
                               dim(choose),
                               dim(choose),
                               dim(choose),
                               dim(choose),
                               dim(choose),
                               dim(choose),
                               dim(choose)};
  else if (choose.oneIn(4)) config.attrs = Conv2dAttrs{dim(choose), choose.oneIn(2), {}};
  OpSpec spec = makeOp(info.kind, operands, results);
  addAttrs(choose, spec.attrs);
  OpId op = builder.append(func, std::move(spec));
  if (choose.oneIn(32)) inputs.resize(choose.below(8));
  if (choose.oneIn(8)) addProgram(choose, builder, op);
  if (choose.oneIn(4)) device.library = LibraryRelease::R2026_04;
  ComputeConfig compute;
  if (choose.oneIn(4)) compute = {static_cast<MathFidelity>(1 + choose.below(4)), choose.oneIn(2)};
  Interner interner;
  OpAnswers answers(interner);
  const OpModel cold(device), memo(device, answers, answers.classify(graph));
  checkAnswers({graph, op, inputs, config, Bytes(static_cast<int64_t>(choose.below(256)) * 8192), compute}, cold, memo);
  return 0;
}
