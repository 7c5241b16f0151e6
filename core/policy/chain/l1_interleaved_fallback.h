#pragma once
// L1-interleaved fallback (ttnn-optimizer.md 3.5.1): after the chains, results in DRAM move to L1 interleaved where
// the op, every reader and the L1 of every step up to the last one allow it. The compiler tries less: results with one
// reader, which runs next (tt-mlir Analysis/L1InterleavedFallbackAnalysis.cpp of 2026-07).

#include "core/policy/chain/chain_options.h"
#include "core/policy/chain/chain_work.h"

namespace tessera {

void applyL1InterleavedFallback(ChainWork& work, FallbackBounds bounds);

}  // namespace tessera
