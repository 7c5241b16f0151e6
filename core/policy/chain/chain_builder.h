#pragma once
// buildL1Chains: walks the graph depth first and strings shardable ops together (ttnn-optimizer.md 3.2.2, 3.2.3;
// docs/rules/d2m-chains.md#chains).

#include <vector>

#include "core/policy/chain/chain_configs.h"
#include "core/policy/chain/l1_chain.h"

namespace tessera {

struct ChainBuildOptions {
  bool isolateConcats = false;  // DFSharding2: a concat is a chain of its own
};

struct BuiltChains {
  std::vector<L1ChainConfig> chains;  // all Built
  std::vector<OpId> scheduled;        // ops that take part in scheduling
  std::vector<OpId> order;            // every op of the function
};

// `trace` gets an event for every step of the walk.
BuiltChains buildL1Chains(const Problem& problem, ChainConfigs& configs, const ChainBuildOptions& options,
                          ChainTrace& trace);

// In the list of shardable ops (ttnn-optimizer.md 3.2.3; the op table's kShardable).
bool isShardable(const Graph& graph, OpId op);
// ttnn.dispatch_d2m, ttnn.d2m_subgraph.
bool isDispatch(const Graph& graph, OpId op);
bool isConcat(const Graph& graph, OpId op);

}  // namespace tessera
