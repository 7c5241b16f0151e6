#include "core/policy/policy.h"
#include "core/policy/propagate/spill_strategy.h"

namespace tessera {

namespace {

constexpr PolicyInfo kPolicies[] = {
    {"Greedy", "Greedy",
     "Goes through the ops in order and keeps each result in L1 with the first layout that works with its operands, DRAM otherwise.",
     makeGreedy},
    {"DFSharding", "DFSharding",
     "Strings shardable ops into chains depth first and solves each chain for the configs with most cores; a chain's result goes to DRAM.",
     makeDfSharding},
    {"DFSharding2", "DFSharding 2.0",
     "The chains of DFSharding, whose results then stay in L1 for other chains, forks, concats and fused kernels where every op in between allows it.",
     makeDfSharding2},
    {"Beam", "Beam search",
     "Keeps the K best ways to run each op, traces the best path back from the results, then lets tensors leave L1 where it is full.",
     makeBeam},
    {"Exact", "Exact", "The proven least time over all layouts, made to fit L1; says how far from the optimum it can be at most.", makeExact},
    {"GreedyL1Interleaved", "Greedy L1 interleaved (deprecated)",
     "Each op keeps the most bytes of its operands and result L1 interleaved that its bookkeeping allows. With its published bugs.", makeGreedyL1Interleaved},
    {"BFInterleaved", "Breadth-first interleaved (deprecated)",
     "The op that changes the L1 in use least runs next; results go to L1 interleaved while they fit. With its published bugs.", makeBfInterleaved},
    {"DRAM", "DRAM only", "Every tensor is interleaved in DRAM: the floor that every other policy must beat.", makeDramOnly},
};

}  // namespace

std::span<const PolicyInfo> allPolicies() { return kPolicies; }

Plan decidePlan(const PolicyInfo& policy, const Problem& problem, const PolicyOptions& options, DecisionLog& log) {
  Plan plan = policy.make()->decide(problem, options, log);
  // Greedy and Beam have done it themselves, on the layouts that they wanted.
  const bool open = options.propagate.strategy != SpillStrategy::Policy && !log.spilling && !log.exact;
  return open ? respill(problem, plan, options.propagate, log) : plan;
}

const PolicyInfo* findPolicy(std::string_view id) {
  for (const PolicyInfo& info : kPolicies) {
    if (info.id == id) return &info;
  }
  return nullptr;
}

}  // namespace tessera
