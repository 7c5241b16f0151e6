// Creation ops, ops that stay in DRAM, and ops that are no device programs. Sources: tt-metal ttnn/cpp/ttnn/operations;
// tt-mlir Analysis/OpRules, TTNNOps.td.

#include <algorithm>

#include "core/ops/rules/family_rules.h"

namespace tessera {

namespace {

// --- in DRAM ---------------------------------------------------------------------------------------------------------

// The verifier takes it with tiles or rows on both sides only (AllGatherOp::verify in tt-mlir
// lib/Dialect/TTNN/IR/TTNNOps.cpp @ 19c86fca).
bool changesPages(const OpView& view) {
  return view.is("all_gather") && view.hasInput(0) && view.hasResult() && view.input(0).page != view.output().page;
}

Refused dramOnly(const OpView& view) {
  for (int i = 0; i < view.operandCount(); ++i) {
    if (view.hasInput(i) && (view.input(i).isL1() || view.input(i).sharded()))
      return {Refusal::InputMustBeDramInterleaved, i};
  }
  bool inDram = !view.hasResult() || (view.output().isDram() && !view.output().sharded());
  // A mesh_shard of host tensors moves nothing on the device.
  bool mayBeOnHost = view.info.has(kNoCompute) || view.is("mesh_shard");
  bool onHost = mayBeOnHost && view.hasResult() && view.output().buffer == BufferType::SystemMemory;
  // The router's kernel writes rows in L1 (tt-mlir lib/Dialect/TTNN/IR/TTNNWorkaroundsPass.cpp @ 19c86fca).
  bool byKernel = view.is("topk_router_gpt") && view.hasResult() && view.output().isL1() && !view.output().sharded();
  if (inDram || onHost || byKernel) return changesPages(view) ? Refused{Refusal::PageMismatch, 0} : Refused{};
  return {view.info.family == Family::Opaque ? Refusal::UnknownOp : Refusal::OutputMustBeDramInterleaved};
}

void dramOnlyBuffers(const OpView& view, BufferList& buffers) {
  bool onHost = view.info.has(kNoCompute) || view.info.family == Family::PrepareWeights;
  if (!onHost) twoTilesEach(view, buffers);
}

OpRule dramOnlyRule(const OpView& view) {
  if (view.info.family == Family::Collective) return {"Collective: DRAM interleaved", "tt-mlir Analysis/OpRules"};
  if (view.info.family == Family::Opaque) return {"Unknown op: DRAM interleaved", "docs/rules/lowering.md#unknown-ops"};
  return {"DRAM interleaved", "tt-mlir Analysis/OpRules"};
}

// --- creation --------------------------------------------------------------------------------------------------------

// Interleaved anywhere. Before lowering, constants are made in DRAM, where const-eval keeps them, and buffers are
// placeholders.
Refused creationLegality(const OpView& view) {
  if (view.info.name.substr(0, 5) != "ttnn.") return dramOnly(view);
  return view.output().buffer == BufferType::SystemMemory ? Refused{} : interleavedOnly(view);
}

// Constants are made on the host and copied. Random numbers are drawn in f32: two tiles of state, one of results.
void creationBuffers(const OpView& view, BufferList& buffers) {
  if (!view.is("rand")) return;
  buffers.tiles("intermed0", 2, DType::F32);
  buffers.tiles("out", 1, DType::F32);
}

Refused always(const OpView&) { return {}; }

}  // namespace

const FamilyRules kCreationRules = {{"Creation", "tt-mlir TTNNOps.td"}, creationLegality, creationBuffers};
const FamilyRules kDramOnlyRules = {
    {"DRAM interleaved", "tt-mlir Analysis/OpRules"}, dramOnly, dramOnlyBuffers, nullptr, nullptr, dramOnlyRule};
const FamilyRules kNoDeviceRules = {{"No device program", "tt-mlir Analysis/OpRules"}, always, nullptr};

}  // namespace tessera
