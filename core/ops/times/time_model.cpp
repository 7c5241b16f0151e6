#include "core/ops/times/time_model.h"

#include <algorithm>
#include <cmath>

namespace tessera {

namespace {

// cycles at `clockMhz` to nanoseconds, rounded up.
// No op takes longer (a quarter of an hour) or moves more (a terabyte): a million ops still add up within 63 bits.
constexpr int64_t kLongest = 1'000'000'000'000;
constexpr int64_t kMostBytes = 1'000'000'000'000;

Nanoseconds cyclesToTime(double cycles, int64_t clockMhz) {
  double time = std::ceil(cycles * 1000 / static_cast<double>(clockMhz));
  return Nanoseconds(time < static_cast<double>(kLongest) ? static_cast<int64_t>(time) : kLongest);
}

// Reads and writes at the same time share the banks: what both together reach, bytes per clock of all cores. Wormhole
// from element-wise f32 ops that nothing else bounds (ttnn-op-runtime-predictor: 153-158); Blackhole 36 per bank:
// published 143-202 each way with 8 banks (1.6), profiled typecasts, slices and heads on 110 cores 242-274.
double mixedBytesPerClock(const DeviceSpec& device) {
  return device.arch == Arch::Blackhole ? 36 * static_cast<double>(device.dramBanks) : 153;
}

double dramCycles(const DeviceSpec& device, int64_t read, int64_t write, double bankwise) {
  double r = static_cast<double>(read), w = static_cast<double>(write);
  if (bankwise > 0) return r / bankwise + w / static_cast<double>(device.dramWriteBytesPerClock);
  double alone = std::max(r / static_cast<double>(device.dramReadBytesPerClock),
                          w / static_cast<double>(device.dramWriteBytesPerClock));
  return read > 0 && write > 0 ? std::max(alone, (r + w) / mixedBytesPerClock(device)) : alone;
}

struct Traffic {
  int64_t dramRead = 0;
  int64_t dramWrite = 0;
  int64_t noc = 0;
};

// A sharded operand that is computed where it lies costs nothing; everything else crosses the NoC.
Traffic trafficOf(const OpView& view, const FamilyTime& rules) {
  Traffic traffic;
  for (int i = 0; i < view.operandCount(); ++i) {
    if (!view.hasInput(i)) continue;
    int64_t bytes = rules.readBytes(view, i);
    const TensorLayout& layout = view.input(i);
    bool inDram =
        layout.isDram() || layout.buffer == BufferType::SystemMemory;  // host weights are read as prepared in DRAM
    if (inDram) traffic.dramRead = addSaturated(traffic.dramRead, bytes);
    bool local = shardedInL1(layout) && (!view.hasResult() || shardedLikeOutput(view, i));
    if (layout.isL1() && !local) traffic.noc = addSaturated(traffic.noc, bytes);
  }
  for (size_t i = 0; i < view.op.results.size(); ++i) {
    if (!view.query.graph.values[view.op.results[i]].type.isTensor()) continue;
    int64_t bytes = bytesOfPages(view.facts.results[i].in(view.output().page), view.output()).count;
    if (view.output().isDram()) traffic.dramWrite = addSaturated(traffic.dramWrite, bytes);
    else if (view.output().isL1() && !view.output().sharded()) traffic.noc = addSaturated(traffic.noc, bytes);
  }
  return traffic;
}

// Every part by the same factor: what bounds the op stays what it is.
void calibrate(OpTime& time, int64_t permille) {
  for (Nanoseconds* part : {&time.fixed, &time.compute, &time.dram, &time.noc})
    *part = Nanoseconds(std::min(ceilDiv(part->count * permille, 1000), kLongest));
}

}  // namespace

const FamilyTime& familyTime(Family family) {
  switch (family) {
    case Family::EltwiseUnary:
    case Family::Typecast:
    case Family::EltwiseBinary:
    case Family::EltwiseTernary: return kEltwiseTime;
    case Family::Quantize: return kQuantizeTime;
    case Family::Matmul: return kMatmulTime;
    case Family::Conv: return kConvTime;
    case Family::Pool: return kPoolTime;
    case Family::Reduction: return kReductionTime;
    case Family::Softmax: return kSoftmaxTime;
    case Family::Sort: return kSortTime;
    case Family::Norm: return kNormTime;
    case Family::ToLayout: return kLayoutTime;
    case Family::Concat: return kConcatTime;
    case Family::HeadReshape: return kMoveTime;
    case Family::Reshape: return kReshapeTime;
    case Family::Permute: return kPermuteTime;
    case Family::Pad:
    case Family::Repeat: return kViewTime;
    case Family::Slice: return kSliceTime;
    case Family::Upsample: return kUpsampleTime;
    case Family::Embedding: return kEmbeddingTime;
    case Family::Gather: return kPickTime;
    case Family::Attention: return kAttentionTime;
    case Family::KvCache: return kCacheTime;
    case Family::RotaryEmbedding: return kRotaryTime;
    case Family::Collective: return kCollectiveTime;
    case Family::Creation:
    case Family::D2m:
    case Family::Stablehlo:
    case Family::PrepareWeights:
    case Family::Call:
    case Family::Opaque: return kGenericTime;
    case Family::Device:
    case Family::Return: return kNoTime;
  }
  return kGenericTime;
}

OpTime opTime(const OpView& view) {
  OpTime time;
  if (view.info.has(kNoCompute) || isViewOf(view)) return time;
  const FamilyTime& rules = familyTime(view.info.family);
  Traffic traffic = trafficOf(view, rules);
  time.cores = computeCores(view);
  int64_t clock = view.device.clockMhz;
  time.fixed = cyclesToTime(rules.startCycles(view), clock);
  time.compute = cyclesToTime(rules.computeCycles(view), clock);
  time.dram = cyclesToTime(
      dramCycles(view.device, traffic.dramRead, traffic.dramWrite, rules.dramPerClock ? rules.dramPerClock(view) : 0),
      clock);
  double cores = static_cast<double>(std::max<int64_t>(time.cores, 1));
  time.noc = cyclesToTime(
      static_cast<double>(traffic.noc) / (static_cast<double>(view.device.nocBytesPerClock) * cores), clock);
  time.dramBytes = std::min(addSaturated(traffic.dramRead, traffic.dramWrite), kMostBytes);
  time.nocBytes = std::min(traffic.noc, kMostBytes);
  if (const int32_t factor = view.device.timeFactors[static_cast<size_t>(view.info.family)]; factor != 0)
    calibrate(time, factor);
  return time;
}

int64_t tilesTimesCycles(const OpView& view, int64_t tiles, int64_t cyclesPerTile) {
  return mulSaturated(ceilDiv(tiles, std::max<int64_t>(computeCores(view), 1)), cyclesPerTile);
}

int64_t readWhole(const OpView& view, int operand) {
  return bytesOfPages(view.facts.operands[static_cast<size_t>(operand)].in(view.input(operand).page),
                      view.input(operand))
      .count;
}

int64_t readResultSized(const OpView& view, int operand) {
  int64_t whole = readWhole(view, operand);
  if (!view.hasResult()) return whole;
  const Shape& shape = view.resultShape();
  bool tiles = view.input(operand).page == PageLayout::Tile;
  double bytes = tiles ? static_cast<double>(tileCount(shape)) * static_cast<double>(view.inputTile(operand))
                       : static_cast<double>(rowCount(shape)) * rowBytes(shape, view.input(operand).dtype);
  return bytes < static_cast<double>(whole) ? static_cast<int64_t>(bytes) : whole;
}

double moveCycles(const OpView& view) {
  constexpr int64_t kMoveCycles = 64;  // per tile: unpack and pack of 2 KiB at 64 B per cycle
  return view.hasResult() ? tilesTimesCycles(view, tileCount(view.resultShape()), kMoveCycles) : 0;
}

// Wormhole: fitted to the exponentials of the published table: 2,735 (u16), 2,852 (bf16), 1,691 (bfp8) ns from DRAM,
// 300-600 less from L1 (ttnn-op-runtime-predictor). Blackhole: from profiled kernels of few tiles, which do not differ
// by place; work on shards where they lie starts at once.
double kernelStart(const OpView& view) {
  constexpr double kWormholeLocal = 700, kBlackholeLocal = 350, kBlackholePair = 650, kWormholeStart = 900,
                   kBlackholeStart = 1100, kCyclesPerByte = 0.9, kNearerInL1 = 300;
  bool blackhole = view.device.arch == Arch::Blackhole;
  bool local = view.hasResult() && view.inputs > 0 && view.hasInput(0) && shardedLikeOutput(view, 0);
  if (local) return !blackhole ? kWormholeLocal : view.hasInput(1) ? kBlackholePair : kBlackholeLocal;
  if (blackhole) return kBlackholeStart;
  double start = kWormholeStart;
  if (!view.hasResult() || !view.hasInput(0)) return start;
  start += kCyclesPerByte * static_cast<double>(std::min<int64_t>(view.inputTile(0), 2048));
  return view.input(0).isL1() && view.output().isL1() ? start - kNearerInL1 : start;
}

}  // namespace tessera
