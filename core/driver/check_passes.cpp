#include "core/driver/check_passes.h"

#include <algorithm>
#include <cstdio>
#include <optional>

#include "core/driver/optimizer_pass.h"
#include "core/driver/pipeline.h"
#include "core/execute/shrink_graph.h"
#include "core/lowering/as_it_stands.h"
#include "core/lowering/lower.h"
#include "core/lowering/release.h"

namespace tessera {

namespace {

// A difference that the pass itself warns of, a turn of a loop that stands for all, is none of its mistakes.
void announce(const PassResult& result, ComparisonVerdict& verdict) {
  for (const PassNote& problem : result.problems) {
    if (verdict.comparison != Comparison::Different || !problem.computesOther) continue;
    verdict.comparison = Comparison::NotExecutable;
    verdict.text = "the pass says so: " + problem.text;
  }
}

// Those of the pipeline, and `asked` at its place where it is none of them. The optimizer alone runs in place of the
// whole one where a part of it is asked for.
std::vector<const PassInfo*> passesToRun(PassStage first, const LoweringOptions& options, const PassInfo* asked) {
  std::vector<const PassInfo*> passes;
  const bool part = asked != nullptr && asked->stage == PassStage::Optimize;
  for (const PassInfo& pass : allPasses()) {
    const bool replaced = part && pass.stage == PassStage::Optimize && &pass != asked;
    const bool enabled = pass.enabled == nullptr || pass.enabled(options) || &pass == asked;
    if (pass.stage >= first && enabled && !replaced) passes.push_back(&pass);
  }
  if (asked == nullptr || std::find(passes.begin(), passes.end(), asked) != passes.end()) return passes;
  const auto behind =
      std::find_if(passes.begin(), passes.end(), [&](const PassInfo* pass) { return pass->stage > asked->stage; });
  passes.insert(behind, asked);
  return passes;
}

Options optionsOf(const PassCheckOptions& check) {
  Options options = check.run;
  if (!options.policyGiven) options.policy = presetOf(options.preset).policy;
  return options.resolved();
}

// The graph that is executed: small, with the constants that its ops need.
Graph executable(const Graph& graph, const PassCheckOptions& check, std::string& problem) {
  Graph out = graph;
  if (!check.whole) {
    ShrunkGraph small = shrinkGraph(out);
    if (!small.shrunk) problem = small.problem;
    out = std::move(small.graph);
  }
  out = withNeededConstants(std::move(out), check.seed);
  startOrigins(out);  // overrides name its ops
  return out;
}

}  // namespace

PassChecks checkPasses(const Graph& graph, const PassCheckOptions& check) {
  PassChecks found;
  const Options asked = optionsOf(check);
  if (policyHas(asked.policy, kAsItStands) && carriesLayouts(graph)) return found;
  const Graph source = executable(graph, check, found.problem);
  const DeviceSpec device = deviceFor(*findDevice(asked.device), asked);
  const OpModel model(device);
  L1Budget budget(asked.l1Budget(device));
  const LoweringOptions options = optionsFor(source, asked.loweringOptions());
  PassContext context{device, model, budget, options};
  PolicyMemory memory;
  IdVec<OpId, OpConfig> configs;
  std::optional<GraphSeries> series;
  LoweringStart start = startLowering(source, context);
  context.ownLayouts = start.ownLayouts;
  Graph now = std::move(start.graph);
  const std::vector<const PassInfo*> passes = passesToRun(start.first, options, check.pass);
  for (size_t i = 0; i < passes.size(); ++i) {
    const PassInfo* pass = passes[i];
    const bool last = i + 1 == passes.size() || passes[i + 1]->stage != pass->stage;
    PassResult result{now};
    std::string refused;  // what the optimizer was asked cannot be done
    if (pass->run != nullptr) {
      result = pass->run(now, context);
      if (result.unchanged) result.graph = now;
    } else {
      OptimizedGraph optimized = optimizeAlone(memory, pass->part, asked, source, now, context);
      refused = optimized.diagnostics.firstError();
      result.graph = std::move(optimized.graph);
      configs = std::move(optimized.configs);
      context.configs = refused.empty() ? &configs : nullptr;
    }
    if (check.pass == nullptr || check.pass == pass) {
      if (!series) series.emplace(i == 0 ? source : now, check.seed);
      if (!check.stageEnds || last) {
        ComparisonVerdict verdict = series->next(result.graph, check.tolerance);
        if (pass->stage == PassStage::Stablehlo) announce(result, verdict);
        if (!refused.empty() && verdict.equal()) verdict = {Comparison::NotExecutable, "it did not run: " + refused};
        found.checks.push_back({pass, std::move(verdict)});
      }
      if (check.pass == pass) break;
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
