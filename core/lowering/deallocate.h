#pragma once
// Deallocate: `ttnn.deallocate` after the last use of every tensor (docs/rules/lowering.md#finalization; tt-mlir
// Transforms/Passes.cpp).

#include "core/lowering/pass.h"

namespace tessera {

// In functions that run every time: results, and arguments that are inputs. Not: what is returned, host tensors,
// weights and caches (the caller's, wanted again in the next run), what is written in place, what the program frees
// itself, the input of a convolution that frees it (deallocate_activation) when it lies in L1. A use after a deallocate
// is a problem.
PassResult insertDeallocates(const Graph& graph, const PassContext& context);

}  // namespace tessera
