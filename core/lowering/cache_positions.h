#pragma once

#include "core/lowering/pass.h"

namespace tessera {

// Arguments that count how far caches are filled, one per layer, go up by the same number in every run: they hold the
// same number, so one is read in place of all (the compiler's ttir-consolidate-static-cache-updates; tt-mlir
// lib/Dialect/TTIR/Transforms/ConsolidateStaticCacheUpdates.cpp). Values stay what they are only for callers that count
// in step.
PassResult consolidateCachePositions(const Graph& graph, const PassContext& context);

}  // namespace tessera
