// Convolutions and pooling. Device reference 4.5, 4.12.

#include "core/ops/time_model.h"

#include <algorithm>

#include "core/ops/window_plan.h"

namespace tessera {

namespace {

// Prepared weights are a matrix of depth x channels, in tiles; a prepared bias is one row of tiles. What still waits on the host will
// be prepared before the program runs.
int64_t convReadBytes(const OpView& view, int operand) {
  const bool bias = operand == 2 && view.hasInput(2) && view.input(2).buffer == BufferType::SystemMemory;
  if (operand != 1 && !bias) return readWhole(view, operand);
  WeightMatrix weight = weightMatrix(view);
  if (bias) return ceilDiv(weight.channels, kTileSide) * view.inputTile(2);
  return ceilDiv(weight.depth, kTileSide) * ceilDiv(weight.channels, kTileSide) * view.inputTile(1);
}

double convCycles(const OpView& view) {
  if (!view.hasInput(0) || !view.hasInput(1) || !view.hasResult()) return 0;
  int64_t depth = ceilDiv(weightMatrix(view).depth, kTileSide);
  if (std::optional<WindowPlan> plan = convPlan(view)) return mulSaturated(mulSaturated(plan->outRows, plan->outCols), mulSaturated(depth, tileMacCycles(view)));
  return tilesTimesCycles(view, tileCount(view.resultShape()), mulSaturated(depth, tileMacCycles(view)));
}

int64_t kernelArea(const OpView& view) {
  const std::optional<Window2d>& window = view.facts.window;
  if (!window) return 1;
  return std::clamp<int64_t>(window->kernelH, 1, 1024) * std::clamp<int64_t>(window->kernelW, 1, 1024);
}

double poolCycles(const OpView& view) {
  if (!view.hasResult()) return 0;
  constexpr int64_t kOpsPerCycle = 2048;  // device reference 4.12
  int64_t perTile = std::max<int64_t>(1, kTileSide * kTileSide * kernelArea(view) / kOpsPerCycle) * 16;
  return tilesTimesCycles(view, tileCount(view.resultShape()), perTile);
}

}  // namespace

const FamilyTime kConvTime = {convCycles, convReadBytes, kernelStart};
const FamilyTime kPoolTime = {poolCycles, readWhole, kernelStart};

}  // namespace tessera
