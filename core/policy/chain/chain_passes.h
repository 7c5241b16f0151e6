#pragma once
// The steps of DFSharding2 after its chains are built (ttnn-optimizer.md 4.1.7), one file each.

#include "core/policy/chain/chain_work.h"

namespace tessera {

// concat_chains.cpp (4.1.2, 4.1.6). The inputs of a concat, and the chain after it, are asked for the sharding it
// needs.
void setConcatChainPreferences(ChainWork& work);
// A concat whose inputs are ends of completed chains with that sharding over one grid reads them all from L1.
void resolveConcatChains(ChainWork& work);
// What a concat along its dim asks of its inputs: height sharded for the last dim, width sharded for the one before;
// else nothing.
std::optional<TensorMemoryLayout> concatInputSharding(const Graph& graph, OpId concat);

// reshape_reservations.cpp (4.1.7, step 5). A chain's result that only a reshape without a copy reads goes to L1
// interleaved, and so does the reshape's, when all its readers take that.
void applyL1ReservationsForReshapes(ChainWork& work);

// fork_reservations.cpp (4.1.4). A result with several readers stays sharded, else goes to L1 interleaved, else to
// DRAM.
void applyL1ReservationsForForkOps(ChainWork& work);

// chain_merges.cpp (4.1.2, appendix C). Results with one reader stay in L1 up to it. A chain receives one merge: two
// operands of its first op together if they work, else the largest candidate that works.
void applyChainMerges(ChainWork& work);

}  // namespace tessera
