#pragma once
// ChainRun: what DFSharding and DFSharding2 share: the problem in the chains' order, solving a chain, and the plan that
// comes out.

#include <memory>

#include "core/plan/decision_log.h"
#include "core/plan/plan.h"
#include "core/policy/chain/chain_builder.h"
#include "core/policy/chain/chain_options.h"
#include "core/policy/chain/chain_work.h"
#include "core/policy/chain/shard_solver.h"

namespace tessera {

class ChainRun {
 public:
  // Builds the chains. `given` and `log` outlive the run.
  ChainRun(const Problem& given, const ChainOptions& options, const ChainBuildOptions& build, DecisionLog& log);

  const Problem& problem() const { return problem_; }
  ChainWork& work() { return *work_; }
  bool reorders() const { return reorders_; }  // the chains' order is another one than the given
  // Resolves a built chain and picks its configs; a fused kernel before it (invalid: none) will write what suits the
  // first op, which is returned when the chain is completed.
  std::optional<TensorLayout> resolveChain(int32_t chain, OpId dispatch);
  // What the user fixed outside the chains, L1-interleaved fallback where it is asked for, the plan, one decision per
  // op.
  Plan finish();

 private:
  void keepOverrides();
  bool pickOpShardConfigs(ShardSolver& solver, int32_t chain);
  void logDecision(OpId op);
  std::string summaryOf(OpId op) const;

  const Problem& given_;
  const ChainOptions& options_;
  DecisionLog& log_;
  ChainTrace trace_;
  std::vector<OverrideReshardEdge> overrideReshardEdges_;
  ChainConfigs configs_;
  BuiltChains built_;
  bool reorders_ = false;
  Problem problem_;  // in the chains' order
  std::unique_ptr<ChainWork> work_;
  IdVec<OpId, std::vector<Candidate>> candidates_;  // of ops in resolved chains
};

}  // namespace tessera
