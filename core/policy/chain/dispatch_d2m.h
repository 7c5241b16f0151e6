#pragma once
// Fused kernels between chains (docs/rules/d2m-chains.md): which chains they connect, in which order those are solved,
// and what the kernels read and write in the end.

#include "core/policy/chain/chain_run.h"

namespace tessera {

struct DispatchChainRelationship {
  OpId dispatch;
  int32_t producerChain = -1;  // ends with an input of the kernel; -1: none
  int32_t consumerChain = -1;  // starts with a reader of its result; -1: none
  friend bool operator==(const DispatchChainRelationship&, const DispatchChainRelationship&) = default;
};

// One per fused kernel, in schedule order.
std::vector<DispatchChainRelationship> buildDispatchChainRelationships(const ChainWork& work);
// All chains, producers of a kernel before its consumers, otherwise in their order.
std::vector<int32_t> computeChainSolvingOrder(int32_t chains,
                                              const std::vector<DispatchChainRelationship>& relationships);
// Solves every chain but concats in that order; a kernel writes what suits the chain after it, and reads what the chain
// before it left in L1.
void solveChains(ChainRun& run, const std::vector<DispatchChainRelationship>& relationships);
// Per kernel the layouts and the L1 that is left for its buffers: usable L1 less the chain's result it reads and the
// input it writes.
std::vector<DispatchD2MConfig> computeDispatchD2MConfigs(const ChainWork& work,
                                                         const std::vector<DispatchChainRelationship>& relationships);

}  // namespace tessera
