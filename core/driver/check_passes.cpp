#include "core/driver/check_passes.h"

#include <cstdio>

#include "core/execute/shrink_graph.h"
#include "core/lowering/lower.h"
#include "core/lowering/release.h"

namespace tessera {

PassChecks checkPasses(const Graph& graph, const DeviceSpec& device, const PassCheckOptions& check) {
  PassChecks found;
  Graph now = graph;
  if (!check.whole) {
    ShrunkGraph small = shrinkGraph(now);
    if (!small.shrunk) found.problem = small.problem;
    now = std::move(small.graph);
  }
  startOrigins(now);
  const OpModel model(device);
  L1Budget budget(device.usableL1());
  LoweringOptions options;
  options.specificationRules = check.specificationRules;
  options = optionsFor(now, std::move(options));
  PassContext context{device, model, budget, options};
  const PassStage first = firstStage(now);
  for (const PassInfo& pass : allPasses()) {
    bool wanted = pass.run != nullptr && pass.stage >= first &&
                  (pass.enabled == nullptr || pass.enabled(options) || pass.name == check.pass);
    if (!wanted) continue;
    Graph next = pass.run(now, context).graph;
    if (check.pass.empty() || check.pass == pass.name)
      found.checks.push_back({&pass, compareGraphs(now, next, check.seed, check.tolerance)});
    now = std::move(next);
  }
  return found;
}

std::string errorText(const ComparisonVerdict& verdict) {
  char text[64];
  std::snprintf(text, sizeof text, "%.1e", verdict.maxRel);
  return text;
}

}  // namespace tessera
