#include "core/driver/check_passes.h"

#include <cstdio>
#include <optional>

#include "core/execute/shrink_graph.h"
#include "core/lowering/lower.h"
#include "core/lowering/release.h"

namespace tessera {

namespace {

// A difference that the pass itself warns of, a turn of a loop that stands for all, is none of its mistakes.
void announce(const PassResult& result, ComparisonVerdict& verdict) {
  for (const PassNote& problem : result.problems) {
    if (verdict.comparison != Comparison::Different || problem.text.find("stands for") == std::string::npos) continue;
    verdict.comparison = Comparison::NotExecutable;
    verdict.text = "the pass says so: " + problem.text;
  }
}

}  // namespace

PassChecks checkPasses(const Graph& graph, const DeviceSpec& device, const PassCheckOptions& check) {
  PassChecks found;
  Graph now = graph;
  if (!check.whole) {
    ShrunkGraph small = shrinkGraph(now);
    if (!small.shrunk) found.problem = small.problem;
    now = std::move(small.graph);
  }
  now = withNeededConstants(std::move(now), check.seed);
  startOrigins(now);
  const OpModel model(device);
  L1Budget budget(device.usableL1());
  LoweringOptions options;
  options.specificationRules = check.specificationRules;
  options = optionsFor(now, std::move(options));
  PassContext context{device, model, budget, options};
  const PassStage first = firstStage(now);
  std::optional<GraphSeries> series;
  for (const PassInfo& pass : allPasses()) {
    bool wanted = pass.run != nullptr && pass.stage >= first &&
                  (pass.enabled == nullptr || pass.enabled(options) || pass.name == check.pass);
    if (!wanted) continue;
    PassResult result = pass.run(now, context);
    if (check.pass.empty() || check.pass == pass.name) {
      if (!series) series.emplace(now, check.seed);
      ComparisonVerdict verdict = series->next(result.graph, check.tolerance);
      if (pass.stage == PassStage::Stablehlo) announce(result, verdict);
      found.checks.push_back({&pass, std::move(verdict)});
    }
    now = std::move(result.graph);
  }
  return found;
}

std::string errorText(const ComparisonVerdict& verdict) {
  char text[64];
  std::snprintf(text, sizeof text, "%.1e", verdict.maxRel);
  return text;
}

}  // namespace tessera
