// Attention, caches, and what has no model of its own. Sources: tt-metal transformer/sdpa.

#include "core/ops/times/time_model.h"

#include <algorithm>
#include <string_view>

namespace tessera {

namespace {

constexpr int64_t kGenericCycles = 300;  // per tile of the result, where nothing better is known

double genericCycles(const OpView& view) {
  return view.hasResult() ? tilesTimesCycles(view, tileCount(view.resultShape()), kGenericCycles) : 0;
}

bool decodes(const OpView& view) { return view.base.find("decode") != std::string_view::npos; }

// For each row of the query's tiles and each tile of keys: two products over the head, and the running softmax.
// Wormhole: 1,670 cycles in all for heads of 128 (target of a 4,096-token prefill, tt-metal decoder_perf_targets);
// Blackhole: approximate exponential 70 (6.8). A causal mask leaves half of it. Decoding shares the cache's tiles out
// to all cores.
double attentionCycles(const OpView& view) {
  if (!view.hasInput(0) || !view.hasInput(1)) return genericCycles(view);
  constexpr double kWormholeSoftmax = 1100, kBlackholeSoftmax = 200;
  double softmax = view.device.arch == Arch::Blackhole ? kBlackholeSoftmax : kWormholeSoftmax;
  // The values' heads may be shorter than the keys'.
  const Shape& values = view.hasInput(2) && view.inputShape(2).size() == view.inputShape(1).size() && !decodes(view)
                            ? view.inputShape(2)
                            : view.inputShape(0);
  double products = static_cast<double>(
      mulSaturated(addSaturated(tileCols(view.inputShape(0)), tileCols(values)), tileMacCycles(view)));
  int64_t cores = view.device.grid.volume(), keys = ceilDiv(dimFromEnd(view.inputShape(1), 1), kTileSide);
  if (decodes(view)) return shareOf(tileRows(view.inputShape(1)), cores) * (products + softmax);
  double part = attrFlag(view, "is_causal") ? 0.5 : 1.0;
  return shareOf(tileRows(view.inputShape(0)), cores) * std::max(static_cast<double>(keys) * part, 1.0) *
         (products + softmax);
}

// Decoding gathers partial results over cores (tt-metal transformer/sdpa: 13,000 cycles; Wormhole from targets of
// single ops, 5.5).
double attentionStart(const OpView& view) {
  constexpr double kWormholeDecode = 6000, kBlackholeDecode = 13000;
  if (!decodes(view)) return kernelStart(view);
  return view.device.arch == Arch::Blackhole ? kBlackholeDecode : kWormholeDecode;
}

// Writing touches as much of the cache as the value holds.
int64_t cacheReadBytes(const OpView& view, int operand) {
  return readWhole(view, operand == 0 && view.hasInput(1) ? 1 : operand);
}

// One point of a sampled grid is made of four rows of the image, asked for at once (profiled: 510-655 cycles from L1,
// 1,210 from DRAM).
double sampleCycles(const OpView& view) {
  constexpr double kFromDram = 1210, kFromL1 = 520;
  int64_t points = view.hasResult() ? rowCount(view.resultShape()) : 0;
  // Points may lie side by side in a row of the result: as many as its channels are multiples of the image's.
  if (view.hasInput(0))
    points = mulSaturated(points,
                          std::max<int64_t>(dimFromEnd(view.resultShape(), 0) / dimFromEnd(view.inputShape(0), 0), 1));
  int64_t cores = view.hasResult() && view.output().sharded() ? computeCores(view) : view.device.grid.volume();
  return shareOf(points, cores) * (view.hasInput(0) && view.input(0).isL1() ? kFromL1 : kFromDram);
}

double opaqueCycles(const OpView& view) {
  return view.is("grid_sample") && view.hasResult() ? sampleCycles(view) : genericCycles(view);
}

// Between chips, over Ethernet: what one side has and the other has not. Blackhole profiled: gathering and scattering
// 38-54 GB/s; Wormhole from targets of exchanges of 128 to 8,192 rows: 15.3 GB/s.
double exchangeCycles(const OpView& view) {
  constexpr double kBlackhole = 29, kWormhole = 15.3;  // bytes per clock
  if (!view.hasResult() || !view.hasInput(0)) return genericCycles(view);
  int64_t in = readWhole(view, 0), out = totalBytes(view.resultShape(), view.output()).count;
  double moved = static_cast<double>(in == out ? in : std::max(in, out) - std::min(in, out));
  return moved / (view.device.arch == Arch::Blackhole ? kBlackhole : kWormhole);
}

// The first pages have to pass every chip; a reduction adds at every chip (targets of exchanges of 128 rows).
double exchangeStart(const OpView& view) {
  constexpr double kGather = 11000, kReduce = 30000;
  return view.base.find("reduce") != std::string_view::npos ? kReduce : kGather;
}

// Cosines and sines are read again for every head.
int64_t rotaryReadBytes(const OpView& view, int operand) {
  int64_t whole = readWhole(view, operand);
  bool shared = (operand == 1 || operand == 2) && view.hasInput(0) && !shardedInL1(view.input(operand));
  return shared
             ? mulSaturated(whole, std::max<int64_t>(
                                       dimFromEnd(view.inputShape(0), 2) / dimFromEnd(view.inputShape(operand), 2), 1))
             : whole;
}

double noCycles(const OpView&) { return 0; }
int64_t readNothing(const OpView&, int) { return 0; }

}  // namespace

const FamilyTime kAttentionTime = {attentionCycles, readWhole, attentionStart};
const FamilyTime kCacheTime = {genericCycles, cacheReadBytes, kernelStart};
const FamilyTime kGenericTime = {opaqueCycles, readWhole, kernelStart};
const FamilyTime kCollectiveTime = {exchangeCycles, readWhole, exchangeStart};
const FamilyTime kRotaryTime = {genericCycles, rotaryReadBytes, kernelStart};
const FamilyTime kNoTime = {noCycles, readNothing, noCycles};

}  // namespace tessera
