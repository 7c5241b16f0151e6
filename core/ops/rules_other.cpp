// Creation ops, ops that stay in DRAM, and ops that are no device programs. Device reference 4.0; compiler reference 1.6, 4.3.

#include <algorithm>

#include "core/ops/family_rules.h"

namespace tessera {

namespace {

// --- in DRAM ---------------------------------------------------------------------------------------------------------

Refused dramOnly(const OpView& view) {
  for (int i = 0; i < view.operandCount(); ++i) {
    if (view.hasInput(i) && (view.input(i).isL1() || view.input(i).sharded())) return {Refusal::InputMustBeDramInterleaved, i};
  }
  bool inDram = !view.hasResult() || (view.output().isDram() && !view.output().sharded());
  bool onHost = view.info.has(kNoCompute) && view.hasResult() && view.output().buffer == BufferType::SystemMemory;
  if (inDram || onHost) return {};
  return {view.info.family == Family::Opaque ? Refusal::UnknownOp : Refusal::OutputMustBeDramInterleaved};
}

int64_t dramOnlyBuffers(const OpView& view) {
  bool onHost = view.info.has(kNoCompute) || view.info.family == Family::PrepareWeights;
  return onHost ? 0 : twoTilesEach(view);
}

// --- creation --------------------------------------------------------------------------------------------------------

// Interleaved anywhere. Before lowering, constants are made in DRAM, where const-eval keeps them, and buffers are placeholders.
Refused creationLegality(const OpView& view) {
  if (view.info.name.substr(0, 5) != "ttnn.") return dramOnly(view);
  return view.output().buffer == BufferType::SystemMemory ? Refused{} : interleavedOnly(view);
}

// Constants are made on the host and copied. Random numbers are drawn in f32: two tiles of state, one of results.
int64_t creationBuffers(const OpView& view) {
  constexpr int64_t kF32Tile = 4096;
  return view.is("rand") ? 3 * kF32Tile : 0;
}

Refused always(const OpView&) { return {}; }

}  // namespace

const FamilyRules kCreationRules = {creationLegality, creationBuffers};
const FamilyRules kDramOnlyRules = {dramOnly, dramOnlyBuffers};
const FamilyRules kNoDeviceRules = {always, noBytes};

}  // namespace tessera
