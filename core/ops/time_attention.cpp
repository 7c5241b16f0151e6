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

double noCycles(const OpView&) { return 0; }
int64_t readNothing(const OpView&, int) { return 0; }

}  // namespace

const FamilyTime kAttentionTime = {attentionCycles, readWhole, kernelStart};
const FamilyTime kCacheTime = {genericCycles, cacheReadBytes, kernelStart};
const FamilyTime kGenericTime = {genericCycles, readWhole, kernelStart};
const FamilyTime kNoTime = {noCycles, readNothing, noCycles};

}  // namespace tessera
