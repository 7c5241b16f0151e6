#pragma once
// L1-interleaved fallback (ttnn-optimizer.md 3.5.1; tt-mlir Analysis/L1InterleavedFallbackAnalysis.cpp of 2026-07):
// after the chains, results in DRAM whose only reader runs right after them move to L1 interleaved where both ops and
// L1 allow it.

#include "core/policy/chain/chain_work.h"

namespace tessera {

void applyL1InterleavedFallback(ChainWork& work);

}  // namespace tessera
