// Attention, caches, and what has no model of its own. Device reference 4.9.

#include "core/ops/time_model.h"

#include <algorithm>

namespace tessera {

namespace {

constexpr int64_t kGenericCycles = 300;  // per tile of the result, where nothing better is known

double genericCycles(const OpView& view) {
  return view.hasResult() ? tilesTimesCycles(view, tileCount(view.resultShape()), kGenericCycles) : 0;
}

// Two products over all keys, by the query's rows of tiles.
double attentionCycles(const OpView& view) {
  if (!view.hasInput(0) || !view.hasInput(1)) return genericCycles(view);
  int64_t keys = ceilDiv(dimFromEnd(view.inputShape(1), 1), kTileSide);
  return tilesTimesCycles(view, tileCount(view.inputShape(0)), mulSaturated(2 * keys, tileMacCycles(view)));
}

// Writing touches as much of the cache as the value holds.
int64_t cacheReadBytes(const OpView& view, int operand) {
  return readWhole(view, operand == 0 && view.hasInput(1) ? 1 : operand);
}

// One point of a sampled grid is made of four rows of the image, asked for at once (profiled: 510-655 cycles from L1, 1,210 from DRAM).
double sampleCycles(const OpView& view) {
  constexpr double kFromDram = 1210, kFromL1 = 520;
  int64_t points = view.hasResult() ? rowCount(view.resultShape()) : 0;
  // Points may lie side by side in a row of the result: as many as its channels are multiples of the image's.
  if (view.hasInput(0)) points = mulSaturated(points, std::max<int64_t>(dimFromEnd(view.resultShape(), 0) / dimFromEnd(view.inputShape(0), 0), 1));
  int64_t cores = view.hasResult() && view.output().sharded() ? computeCores(view) : view.device.grid.volume();
  return shareOf(points, cores) * (view.hasInput(0) && view.input(0).isL1() ? kFromL1 : kFromDram);
}

double opaqueCycles(const OpView& view) { return view.is("grid_sample") && view.hasResult() ? sampleCycles(view) : genericCycles(view); }

// Between chips, over Ethernet: what one side has and the other has not (profiled on Blackhole: gathering and scattering 38-54 GB/s;
// Wormhole's links are half as fast, not measured).
double exchangeCycles(const OpView& view) {
  constexpr double kBlackhole = 29, kWormhole = 20;  // bytes per clock
  if (!view.hasResult() || !view.hasInput(0)) return genericCycles(view);
  int64_t in = readWhole(view, 0), out = totalBytes(view.resultShape(), view.output()).count;
  double moved = static_cast<double>(in == out ? in : std::max(in, out) - std::min(in, out));
  return moved / (view.device.arch == Arch::Blackhole ? kBlackhole : kWormhole);
}

// Cosines and sines are read again for every head.
int64_t rotaryReadBytes(const OpView& view, int operand) {
  int64_t whole = readWhole(view, operand);
  bool shared = (operand == 1 || operand == 2) && view.hasInput(0) && !shardedInL1(view.input(operand));
  return shared ? mulSaturated(whole, std::max<int64_t>(dimFromEnd(view.inputShape(0), 2) / dimFromEnd(view.inputShape(operand), 2), 1)) : whole;
}

double noCycles(const OpView&) { return 0; }
int64_t readNothing(const OpView&, int) { return 0; }

}  // namespace

const FamilyTime kAttentionTime = {attentionCycles, readWhole, kernelStart};
const FamilyTime kCacheTime = {genericCycles, cacheReadBytes, kernelStart};
const FamilyTime kGenericTime = {opaqueCycles, readWhole, kernelStart};
const FamilyTime kCollectiveTime = {exchangeCycles, readWhole, kernelStart};
const FamilyTime kRotaryTime = {genericCycles, rotaryReadBytes, kernelStart};
const FamilyTime kNoTime = {noCycles, readNothing, noCycles};

}  // namespace tessera
