#pragma once
// Which of a tensor's layouts an op may produce, and with which settings (ttnn-optimizer.md 3.1.3 - 3.1.5).

#include <span>
#include <vector>

#include "core/analysis/layout_overrides.h"
#include "core/ir/legal_tensor_layouts.h"
#include "core/ops/model/op_model.h"

namespace tessera {

struct LegalOpLayoutOptions {
  int32_t maxLegalLayouts = 8;   // --max-legal-layouts: sharded layouts kept per op; interleaved ones are never cut
  bool rowMajorEnabled = false;  // with it, row-major and tile layouts each get half of the sharded ones
  // Seed: a candidate counts only when the op model accepts it. Upstream (2026-08) keeps the first ones unasked.
  bool askOpModel = true;
};

struct RejectedLayout {
  TensorLayout layout;
  OpVerdict verdict;
};

struct LegalOpLayouts {
  std::vector<TensorLayout>
      layouts;  // interleaved, then sharded, each in the order of LegalTensorLayouts, tiles before row-major
  std::vector<RejectedLayout> rejected;
  size_t notTried = 0;  // sharded candidates behind the cut
};

// Layouts of the op's first tensor result. `inputs` as in OpQuery. An op whose result's layout the program fixed
// (layout ops, `ttnn.empty`) keeps that one. A full override gives exactly its layout, unasked; a partial one filters
// what the cut left, and may leave nothing (OverrideLeavesNothing).
LegalOpLayouts legalOpLayouts(const Graph& graph, OpId op, std::span<const std::optional<TensorLayout>> inputs,
                              LegalLayoutCache& cache, const OpModel& model, L1Budget& budget,
                              const LegalOpLayoutOptions& options, const OutputLayoutOverride* fixed,
                              Diagnostics& diags);

// The settings searched for a convolution. Every combination is tried.
struct Conv2dSearchSpace {
  std::vector<int64_t> actBlockHOverride = {0, 64, 32};
  std::vector<bool> deallocateActivation = {true};
  std::vector<bool> reshardIfNotOptimal;  // empty: left to the library
};

// Every layout with every setting. Settings the user fixed are not searched. Layouts stay in order; within one, the
// last setting changes fastest.
std::vector<OpConfig> legalOpConfigs(const Graph& graph, OpId op, const std::vector<TensorLayout>& layouts,
                                     const Conv2dSearchSpace& space, const Conv2dConfigOverride* fixed = nullptr);

// The program config of a matmul whose result has this L1-sharded layout (tt-mlir TTNNOpsAttrs.td); nothing when it
// takes none: a result that is not L1-sharded, or a batched second operand.
std::optional<MatmulAttrs> matmulProgramConfig(const Graph& graph, OpId op, const TensorLayout& output);

}  // namespace tessera
