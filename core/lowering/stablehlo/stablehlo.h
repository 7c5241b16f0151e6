#pragma once
// From StableHLO to TTIR, in the order of the compiler's stablehlo-to-ttir-pipeline (tt-mlir
// lib/Dialect/TTIR/Pipelines/TTIRPipelines.cpp@19c86fca). One row per op in stablehlo_rules.def says what becomes of
// it.

#include <span>
#include <string_view>

#include "core/lowering/pass.h"

namespace tessera {

// Marks of the front ends go (tt.mark_argument, Sharding), calls and loops are replaced by the bodies they run; only
// the forward function and what its ops still name stays.
PassResult inlineStablehlo(const Graph& graph, const PassContext& context);
// Composites of the compiler (tenstorrent.*) become TTIR ops, all others the ops of their decomposition.
PassResult legalizeStablehloComposites(const Graph& graph, const PassContext& context);
// One TTIR op, or a few, for each StableHLO op. What has no rule becomes an opaque op, with the reason as a problem.
PassResult convertStablehloToTtir(const Graph& graph, const PassContext& context);

// Composites and targets of custom calls that have a rule of their own.
bool hasCompositeRule(std::string_view name);

}  // namespace tessera
