// DFSharding: chains of shardable ops, found depth first, each solved for itself; its result goes to DRAM
// (ttnn-optimizer.md 3.2 - 3.5).

#include "core/policy/chain/chain_run.h"
#include "core/policy/policy.h"

namespace tessera {

Plan decideDfSharding(const Problem& given, const PolicyOptions& options, PolicyMemory&, DecisionLog& log) {
  ChainRun run(given, options.chain, {}, log);
  if (options.keepsSchedule && run.reorders()) return {};
  for (int32_t chain = 0; chain < run.work().chainCount(); ++chain) run.resolveChain(chain, {});
  return run.finish();
}

}  // namespace tessera
