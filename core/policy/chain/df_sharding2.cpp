// DFSharding2: the chains of DFSharding, and then their results kept in L1 where every op up to the last reader allows
// it (ttnn-optimizer.md 4.1), with fused kernels between chains (docs/rules/d2m-chains.md).

#include "core/policy/chain/chain_passes.h"
#include "core/policy/chain/chain_run.h"
#include "core/policy/chain/dispatch_d2m.h"
#include "core/policy/policy.h"

namespace tessera {

// The seven steps of ttnn-optimizer.md 4.1.7.
Plan decideDfSharding2(const Problem& given, const PolicyOptions& options, PolicyMemory&, DecisionLog& log) {
  // 1. Chains; a concat stands alone, a fused kernel between chains.
  ChainRun run(given, options.chain, {.isolateConcats = true}, log);
  if (options.keepsSchedule && run.reorders()) return {};
  ChainWork& work = run.work();
  std::vector<DispatchChainRelationship> dispatches = buildDispatchChainRelationships(work);
  // 2. What concats would like their neighbours to write.
  setConcatChainPreferences(work);
  // 3. Regular chains, producers of fused kernels before their consumers.
  solveChains(run, dispatches);
  // 4. Concats that read all inputs from L1.
  resolveConcatChains(work);
  // 5. Reshapes without a copy between a chain and interleaved readers.
  applyL1ReservationsForReshapes(work);
  // 6. Results with several readers.
  applyL1ReservationsForForkOps(work);
  // 7. Results with one reader.
  applyChainMerges(work);
  Plan plan = run.finish();
  log.chain->dispatches = computeDispatchD2MConfigs(work, dispatches);
  for (const DispatchD2MConfig& config : log.chain->dispatches) {
    ChainEvent event;
    event.kind = ChainEventKind::DispatchConfigured;
    event.op = config.dispatch;
    event.before = config.l1Budget.count;
    event.layout = config.output;
    log.chain->events.push_back(std::move(event));
  }
  return plan;
}

}  // namespace tessera
