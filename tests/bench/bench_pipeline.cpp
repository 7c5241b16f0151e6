// bench_pipeline [GRAPH...]: time of each step from text to report, for each policy, and peak memory. Prints, asserts
// nothing.
//
//   bench_pipeline GRAPH...   milliseconds per step, best of several; the last columns are what a run costs in all, and
//   what it costs
//                             again when only an option of the policy changed (parsing and lowering are remembered),
//                             and the whole for every 1,000 ops of the text
//   bench_pipeline            growth with the graph: a repeated block of 100 to 20,000 ops
//
// tests/wasm/bench.mjs measures the engine; scripts/bench runs both.

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/driver/pipeline.h"
#include "core/lowering/lower.h"
#include "core/plan/check_plan.h"
#include "core/policy/policy.h"
#include "core/sim/check_run.h"
#include "core/transform/apply_plan.h"

namespace tessera {
namespace {

// Processor time: other programs on the machine do not count.
double milliseconds() { return static_cast<double>(std::clock()) * 1000 / CLOCKS_PER_SEC; }

double peakMegabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

enum Step { Load, Lower, Analyse, Decide, Apply, Simulate, Report, Whole, Again, kSteps };
constexpr const char* kStepNames[] = {"load",     "lower",  "analyse", "policy", "apply",
                                      "simulate", "report", "whole",   "again"};

struct Times {
  double best[kSteps];
  size_t ops = 0;  // of the graph as imported
  Times() { std::fill(best, best + kSteps, 1e9); }
  template <class Work>
  auto measure(Step step, Work work) {
    double start = milliseconds();
    auto result = work();
    best[step] = std::min(best[step], milliseconds() - start);
    return result;
  }
};

Options optionsOf(std::string_view policy, std::string_view score = {}) {
  Options options;
  options.policy = std::string(policy);
  options.layoutScore = std::string(score);
  return options;
}

// The steps of runPolicy() one by one, as far as they take time.
void measureSteps(const LoadedGraph& loaded, const Options& given, Times& times) {
  Options options = given.resolved();
  const DeviceSpec& device = *findDevice(options.device);
  LoweringOptions loweringOptions = options.loweringOptions();
  L1Budget budget(options.l1Budget(device));
  PolicyMemory memory;
  Diagnostics diags;
  LoweringResult lowered = times.measure(Lower, [&] {
    return lower(*loaded.graph, {device, OpModel(device), budget, loweringOptions});
  });
  auto problem = times.measure(Analyse, [&] {
    const OpModel model(device, memory.answers, memory.answers.classify(lowered.graph));
    const ProblemOptions asked = options.problemOptions(*loaded.graph, lowered.graph, device, diags);
    return std::make_unique<Problem>(analyse(lowered.graph, model, asked, budget, diags));
  });
  DecisionLog log;
  Plan plan = times.measure(Decide, [&] {
    Plan decided = planBy(*findPolicy(options.policy), *problem, options.policyOptions(), memory, log);
    checkPlan(*problem, decided);
    return decided;
  });
  AppliedPlan applied = times.measure(Apply, [&] {
    AppliedPlan made = applyPlan(lowered.graph, plan);
    LoweringResult finalized = finalize(made.graph, {.device = device,
                                                     .model = problem->model,
                                                     .budget = budget,
                                                     .options = loweringOptions,
                                                     .configs = &plan.config});
    replaceGraph(made, std::move(finalized.graph));
    return made;
  });
  times.measure(Simulate, [&] {
    SimResult sim = simulate(applied.graph, problem->model, budget.bytes(), plan.config);
    checkRun(applied.graph, sim, device);
    return sim;
  });
}

bool measureRun(const std::string& name, const std::string& text, const Options& options, int rounds, Times& times) {
  for (int i = 0; i < rounds; ++i) {
    double start = milliseconds();
    Session session;
    times.measure(Load, [&] { return session.load(name, text).graph.has_value(); });
    const LoadedGraph& loaded = *session.loaded();
    size_t bytes = reportJson(runPolicy(session, options, Diagnostics())->report).size();
    times.best[Whole] = std::min(times.best[Whole], milliseconds() - start);
    if (!loaded.graph) return std::printf("%s: cannot be read\n", name.c_str()), false;
    times.ops = loaded.graph->ops.size();
    auto finished = runPolicy(session, options, Diagnostics());
    if (!finished->report.run) return std::printf("%s: no run\n", name.c_str()), false;
    times.measure(Report, [&] { return reportJson(finished->report).size() == bytes; });
    times.measure(Again, [&] { return reportJson(runPolicy(session, options, Diagnostics())->report); });
    measureSteps(loaded, options, times);
  }
  return true;
}

void printHead(const char* first) {
  std::printf("%-44s", first);
  for (const char* name : kStepNames) std::printf(" %8s", name);
  std::printf(" %8s %8s\n", "per 1000", "peak MB");
}

void printRow(const std::string& name, const Times& times) {
  std::printf("%-44s", name.c_str());
  for (double ms : times.best) std::printf(" %8.1f", ms);
  const double thousands = static_cast<double>(std::max<size_t>(1, times.ops)) / 1000;
  std::printf(" %8.1f %8.1f\n", times.best[Whole] / thousands, peakMegabytes());
}

void measureGraph(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  std::string name = path.substr(path.find_last_of('/') + 1);
  for (const PolicyInfo& policy : allPolicies()) {
    if (policy.id == "Exact") continue;  // takes the time that it is given
    Times times;
    if (!measureRun(name, text.str(), optionsOf(policy.id), 5, times)) return;
    printRow(name + " " + std::string(policy.id), times);
  }
}

// Blocks of a matmul, an activation, a residual addition and a softmax.
std::string repeatedBlocks(int ops) {
  std::string type = "tensor<512x512xbf16>",
              text = "func.func @main(%x0: " + type + ", %w: " + type + ") -> " + type + " {\n";
  std::string last = "%x0";
  int block = 0;
  for (int made = 0; made + 4 <= ops; made += 4, ++block) {
    std::string n = std::to_string(block);
    text += "  %m" + n + " = \"ttir.matmul\"(" + last + ", %w) <{transpose_a = false, transpose_b = false}> : (" +
            type + ", " + type + ") -> " + type + "\n";
    text += "  %g" + n + " = \"ttir.gelu\"(%m" + n + ") : (" + type + ") -> " + type + "\n";
    text += "  %a" + n + " = \"ttir.add\"(%g" + n + ", " + last + ") : (" + type + ", " + type + ") -> " + type + "\n";
    text +=
        "  %s" + n + " = \"ttir.softmax\"(%a" + n + ") <{dimension = -1 : si32}> : (" + type + ") -> " + type + "\n";
    last = "%s" + n;
  }
  return text + "  return " + last + " : " + type + "\n}\n";
}

void printGrowth(const char* policy, const char* score) {
  constexpr int kSizes[] = {100, 300, 1000, 3000, 10000, 20000};
  Times all[std::size(kSizes)];
  printHead((std::string(policy) + " " + score + ", ops").c_str());
  for (size_t i = 0; i < std::size(kSizes); ++i) {
    if (!measureRun("blocks", repeatedBlocks(kSizes[i]), optionsOf(policy, score), kSizes[i] > 1000 ? 2 : 5, all[i]))
      return;
    printRow(std::to_string(kSizes[i]), all[i]);
  }
  std::printf("%-44s", "exponent from 1,000 to 20,000");
  for (int step = 0; step < kSteps; ++step)
    std::printf(" %8.2f", std::log(all[5].best[step] / all[2].best[step]) / std::log(20.0));
  std::printf("\n\n");
}

}  // namespace
}  // namespace tessera

int main(int argc, char** argv) {
  if (argc == 1) {
    tessera::printGrowth("Beam", "cores");
    tessera::printGrowth("Beam", "time");
    tessera::printGrowth("DFSharding", "");
    return 0;
  }
  tessera::printHead("graph, policy");
  for (int i = 1; i < argc; ++i) tessera::measureGraph(argv[i]);
}
