// Rotary embedding, ops that stay in DRAM, and ops that are no device programs. Device reference 4.0, 4.9; compiler reference 1.6.

#include <algorithm>

#include "core/ops/family_rules.h"

namespace tessera {

namespace {

constexpr int64_t kGenericCycles = 300;  // per tile of the result, where nothing better is known

// Height sharded or interleaved, operand and result alike.
Refused rotaryLegality(const OpView& view) {
  if (Refused refused = requireTiles(view); refused.reason != Refusal::None) return refused;
  if (!view.hasInput(0) || !view.hasResult()) return {};
  for (int i = 0; i < view.operandCount(); ++i) {
    if (!view.hasInput(i) || !view.input(i).sharded()) continue;
    if (i > 0) return {Refusal::InputMustBeInterleaved, i};
    if (view.input(i).memory == TensorMemoryLayout::WidthSharded) return {Refusal::InputWidthSharded, i};
  }
  bool alike = view.input(0).memory == view.output().memory && view.input(0).grid == view.output().grid;
  if ((view.input(0).sharded() || view.output().sharded()) && !alike) return {Refusal::ShardingMismatch, 0};
  return {};
}

Bytes rotaryBuffers(const OpView& view) { return Bytes(view.hasResult() ? 24 * tileBytes(view.output().dtype) : 0); }

Refused dramOnly(const OpView& view) {
  for (int i = 0; i < view.operandCount(); ++i) {
    if (view.hasInput(i) && (view.input(i).isL1() || view.input(i).sharded())) return {Refusal::InputMustBeDramInterleaved, i};
  }
  bool inDram = !view.hasResult() || (view.output().isDram() && !view.output().sharded());
  bool onHost = view.info.has(kNoCompute) && view.hasResult() && view.output().buffer == BufferType::SystemMemory;
  if (inDram || onHost) return {};
  return {view.info.family == Family::Opaque ? Refusal::UnknownOp : Refusal::OutputMustBeDramInterleaved};
}

Bytes dramOnlyBuffers(const OpView& view) {
  if (view.info.has(kNoCompute)) return Bytes(0);
  int64_t bytes = 0;
  for (int i = 0; i < view.operandCount(); ++i) {
    if (view.hasInput(i)) bytes += 2 * tileBytes(view.input(i).dtype);
  }
  if (view.hasResult()) bytes += 2 * tileBytes(view.output().dtype);
  return Bytes(bytes);
}

int64_t genericCycles(const OpView& view) {
  return view.hasResult() ? tilesTimesCycles(view, tileCount(view.resultShape()), kGenericCycles) : 0;
}

// An op that writes into operand 0 touches as much of it as its other operand holds.
int64_t dramOnlyReadBytes(const OpView& view, int operand) {
  bool cacheUpdate = view.info.has(kInPlace) && operand == 0 && view.hasInput(1);
  return cacheUpdate ? readWhole(view, 1) : readWhole(view, operand);
}

Refused always(const OpView&) { return {}; }
Bytes none(const OpView&) { return Bytes(0); }
int64_t noCycles(const OpView&) { return 0; }
int64_t noBytes(const OpView&, int) { return 0; }

}  // namespace

const FamilyRules kRotaryRules = {rotaryLegality, rotaryBuffers, genericCycles, readWhole};
const FamilyRules kDramOnlyRules = {dramOnly, dramOnlyBuffers, genericCycles, dramOnlyReadBytes};
const FamilyRules kNoDeviceRules = {always, none, noCycles, noBytes};

}  // namespace tessera
