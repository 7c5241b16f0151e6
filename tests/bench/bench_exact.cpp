// bench_exact MODE GRAPH...: what the exact solvers reach on graphs. Prints, asserts nothing. Processor times.
//
//   layouts     layout selection: size, optimum, milliseconds for the model, the solve and one forced config
//   slider      a run of Exact when only the cap on L1 changed: without pricing L1, and the whole run
//   spill       spilling at 25, 50, 75 and 90 % of the greatest demand: optimum beside the heuristics
//   joint       layouts and L1 together at 60 to 90 % of the unconstrained peak: bounds and gap
//   policies    simulated time of every policy beside the optimum, as a table in Markdown
//   beams       greedy, beams by width, fork rule and score, and chains, in multiples of the optimum
//   addresses   L1 by the runtime's first fit and by planned addresses
//   strategies  the certified spill decision in multiples of the policy's own

#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>

#include "core/driver/pipeline.h"
#include "core/policy/exact/exact_search.h"
#include "tests/policy/spill_demand.h"

namespace tessera {
namespace {

// Processor time: other programs on the machine do not count.
double milliseconds() { return static_cast<double>(std::clock()) * 1000 / CLOCKS_PER_SEC; }

std::string baseName(const std::string& path) {
  const std::string file = path.substr(path.rfind('/') + 1);
  return file.substr(0, file.rfind('.'));
}

struct Loaded {
  Session session;
  std::unique_ptr<FinishedRun> run;  // of DRAM: it has the problem
  Options options;
};

bool load(const std::string& path, Loaded& out, int64_t capPermille = -1) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  out.session.load(path, text.str());
  out.options.policy = "DRAM";
  out.options.l1UsageCapPermille = capPermille;
  out.run = runPolicy(out.session, out.options, Diagnostics());
  if (out.run->report.run) return true;
  std::printf("%s cannot be read\n", path.c_str());
  return false;
}

void benchLayouts(const std::string& path) {
  Loaded loaded;
  if (!load(path, loaded)) return;
  const Problem& problem = *loaded.run->problem;
  const auto baselines = baselinePlans(problem, loaded.options.resolved().policyOptions(), loaded.session.memory);
  double start = milliseconds();
  ExactSearch search(problem, baselines, loaded.session.memory.exact);
  const double model = milliseconds() - start;
  start = milliseconds();
  const SelectionResult& best = search.layouts();
  const double first = milliseconds() - start;
  if (!search.tree()) {
    std::printf("%-34s no elimination order is small enough; bound %lld\n", baseName(path).c_str(),
                static_cast<long long>(best.lowerBound));
    return;
  }
  EliminationTree& tree = *search.tree();
  // One op's result is forced and freed again.
  int forced = 0;
  start = milliseconds();
  for (OpId op : problem.schedule.order) {
    const int variable = search.choices().ops[op].variable;
    if (variable < 0 || search.graph().domain(variable) < 2 || forced >= 200) continue;
    tree.force(variable, 0);
    tree.solve();
    tree.force(variable, -1);
    tree.solve();
    forced += 2;
  }
  const double edit = forced > 0 ? (milliseconds() - start) / forced : 0;
  start = milliseconds();
  EliminationTree again(search.graph(), search.order());
  again.solve();
  const double solve = milliseconds() - start;
  start = milliseconds();
  chooseOrder(search.graph(), int64_t{1} << 24);
  const double order = milliseconds() - start;
  std::printf(
      "%-34s %5d variables %7lld candidates width %d %8lld cells  optimum %10lld %s  model %7.1f  order+solve, first "
      "%6.1f  "
      "order %5.1f  solve %5.1f  forced %6.3f ms\n",
      baseName(path).c_str(), search.graph().variableCount(), static_cast<long long>(search.choices().candidateCount),
      best.width, static_cast<long long>(best.cells), static_cast<long long>(best.cost),
      best.proven ? "proven" : "open", model, first, order, solve, edit);
}

// The cap goes down to half of L1 and up again in steps of 2 %. "first": without rounds of pricing L1, what the page
// shows while the slider moves; "whole": the run that follows when the slider rests. The graph has been run before.
void benchSlider(const std::string& path) {
  Loaded loaded;
  if (!load(path, loaded)) return;
  Options options;
  options.policy = "Exact";
  const auto run = [&](int64_t cap, int64_t rounds) {
    options.l1UsageCapPermille = cap;
    options.exactRounds = rounds;
    const double start = milliseconds();
    const std::string json = reportJson(runPolicy(loaded.session, options, Diagnostics())->report);
    return milliseconds() - start;
  };
  struct Taken {
    double time;
    int64_t cap;
    bool operator<(const Taken& other) const { return time < other.time; }
  };
  const int64_t rounds = options.exactRounds;
  std::printf("%-34s  cold %4.0f ms", baseName(path).c_str(), run(1000, rounds));
  for (const int64_t asked : {int64_t{0}, rounds}) {
    std::vector<Taken> taken;
    for (int64_t cap = 980; cap >= 500; cap -= 20) taken.push_back({run(cap, asked), cap});
    for (int64_t cap = 520; cap <= 1000; cap += 20) taken.push_back({run(cap, asked), cap});
    std::sort(taken.begin(), taken.end());
    std::printf("  %s: median %4.0f ms, worst %4.0f ms at %.2f", asked == 0 ? "first" : "whole",
                taken[taken.size() / 2].time, taken.back().time, static_cast<double>(taken.back().cap) / 1000);
  }
  std::printf("\n");
}

void benchSpill(const std::string& path) {
  Loaded loaded;
  if (!load(path, loaded)) return;
  const Problem& problem = *loaded.run->problem;
  const auto baselines = baselinePlans(problem, loaded.options.resolved().policyOptions(), loaded.session.memory);
  ExactSearch search(problem, baselines, loaded.session.memory.exact);
  const SelectionResult& best = search.layouts();
  const SpillDemand demand = spillDemand(search.costs(), readAssignment(search.costs(), best.values));
  const int64_t peak = demand.demand.empty() ? 0 : *std::max_element(demand.demand.begin(), demand.demand.end());
  for (const int share : {25, 50, 75, 90}) {
    const SpillProblem spill = atBudget(demand, peak * share / 100);
    const double start = milliseconds();
    const SpillResult result = solveSpill(spill, {});
    const double time = milliseconds() - start;
    std::printf("%-34s %2d %%  contested %4zu  optimum %9lld bound %9lld %s", baseName(path).c_str(), share,
                result.contested, static_cast<long long>(result.cost), static_cast<long long>(result.lowerBound),
                result.proven ? "proven" : "OPEN  ");
    for (const SpillRule rule : {SpillRule::FarthestLastUse, SpillRule::FarthestNextUse, SpillRule::CostAware}) {
      const Cost cost = evaluateSpill(spill, spillByRule(spill, rule));
      std::printf(
          "  %s %.3f",
          rule == SpillRule::FarthestLastUse ? "last use" : (rule == SpillRule::FarthestNextUse ? "next use" : "cost"),
          result.cost > 0 ? static_cast<double>(cost) / static_cast<double>(result.cost) : 1.0);
    }
    std::printf("  %.1f ms\n", time);
  }
}

struct JointTally {
  int cases = 0, within = 0, proven = 0, unfit = 0;
};

// The cap is a share of the peak that the optimum without a cap takes, as a part of the usable L1.
void benchJoint(const std::string& path, JointTally& tally) {
  Loaded loaded;
  if (!load(path, loaded)) return;
  int64_t peak = 0;
  {
    const auto baselines =
        baselinePlans(*loaded.run->problem, loaded.options.resolved().policyOptions(), loaded.session.memory);
    ExactSearch search(*loaded.run->problem, baselines, loaded.session.memory.exact);
    const std::vector<int64_t> usage = l1Usage(search.costs(), readAssignment(search.costs(), search.layouts().values));
    peak = usage.empty() ? 0 : *std::max_element(usage.begin(), usage.end());
  }
  const int64_t usable = loaded.run->device.usableL1().count;
  for (const int share : {60, 70, 80, 90}) {
    Loaded capped;
    if (!load(path, capped, std::max<int64_t>(10, peak * share * 10 / usable))) continue;
    const Problem& problem = *capped.run->problem;
    const auto baselines = baselinePlans(problem, capped.options.resolved().policyOptions(), capped.session.memory);
    const double start = milliseconds();
    ExactSearch search(problem, baselines, capped.session.memory.exact);
    ExactTrace trace;
    search.best({}, trace);
    const double time = milliseconds() - start;
    const double gap = trace.time >= 0 && trace.lowerBound > 0
                           ? static_cast<double>(trace.time - trace.lowerBound) / static_cast<double>(trace.lowerBound)
                           : 9.99;
    ++tally.cases;
    tally.within += gap <= 0.05 && time <= 2000;
    tally.proven += trace.proven;
    tally.unfit += trace.time < 0;
    std::printf("%-34s %2d %%  cap %7lld B  upper %10lld lower %10lld  gap %6.2f %%  %-12s rounds %2zu  %7.0f ms%s\n",
                baseName(path).c_str(), share, static_cast<long long>(problem.budget.bytes().count),
                static_cast<long long>(trace.time), static_cast<long long>(trace.lowerBound), gap * 100,
                trace.source.c_str(), trace.bounds.size(), time, trace.proven ? "  proven" : "");
  }
}

int64_t timeOf(Loaded& loaded, const Options& options) {
  const auto finished = runPolicy(loaded.session, options, Diagnostics());
  if (!finished->report.run || finished->report.run->program->sim.failures > 0) return -1;
  return finished->report.run->program->sim.time.count;
}

std::string ratio(int64_t time, int64_t optimum) {
  char text[32];
  if (time < 0) return "fails";
  std::snprintf(text, sizeof text, "%.3f",
                static_cast<double>(time) / static_cast<double>(std::max<int64_t>(optimum, 1)));
  return text;
}

void benchPolicies(const std::vector<std::string>& paths) {
  std::string head = "| graph | optimum, ns |", line = "|---|--:|";
  for (const PolicyInfo& info : allPolicies()) {
    head += " " + std::string(info.id) + " |";
    line += "--:|";
  }
  std::printf("%s\n%s\n", head.c_str(), line.c_str());
  for (const std::string& path : paths) {
    Loaded loaded;
    if (!load(path, loaded)) continue;
    Options options;
    options.policy = "Exact";
    const auto exact = runPolicy(loaded.session, options, Diagnostics());
    const ExactTrace& trace = *exact->report.run->log.exact;
    std::string row =
        "| " + baseName(path) + " | " + (trace.proven ? "" : ">= ") + std::to_string(trace.lowerBound) + " |";
    for (const PolicyInfo& info : allPolicies()) {
      options.policy = info.id;
      row += " " + ratio(timeOf(loaded, options), trace.lowerBound) + " |";
    }
    std::printf("%s\n", row.c_str());
  }
}

// L1 by the runtime's first fit and by planned addresses.
void benchAddresses(const std::vector<std::string>& paths) {
  std::string head = "| graph |", line = "|---|";
  for (const PolicyInfo& info : allPolicies()) {
    if (info.id == "DRAM") continue;
    head += " " + std::string(info.id) + " |";
    line += "--:|";
  }
  std::printf("%s\n%s\n", head.c_str(), line.c_str());
  int runs = 0, fragmented = 0, proven = 0;
  double worst = 1.0;
  for (const std::string& path : paths) {
    Loaded loaded;
    if (!load(path, loaded)) continue;
    std::string row = "| " + baseName(path) + " |";
    for (const PolicyInfo& info : allPolicies()) {
      if (info.id == "DRAM") continue;
      Options options;
      options.policy = info.id;
      const auto run = runPolicy(loaded.session, options, Diagnostics());
      const PlannedPlacement& placement = run->report.run->program->placement;
      ++runs;
      fragmented += placement.fragmentation() > 0;
      proven += placement.proven();
      if (placement.planned > 0)
        worst = std::max(worst, static_cast<double>(placement.firstFit) / static_cast<double>(placement.planned));
      row += " " + std::to_string(placement.firstFit) +
             (placement.fragmentation() > 0 ? " / " + std::to_string(placement.planned) : "") +
             (placement.proven() ? " |" : " (?) |");
    }
    std::printf("%s\n", row.c_str());
  }
  std::printf(
      "\n%d of %d runs lose L1 to fragmentation, at worst %.3f times what planned addresses take; %d of %d planned "
      "placements reach the load.\n",
      fragmented, runs, worst, proven, runs);
}

// The certified spill decision against the policy's own, in time.
void benchStrategies(const std::vector<std::string>& paths) {
  constexpr const char* kSpilling[] = {"Greedy", "Beam", "DFSharding", "DFSharding2", "BFInterleaved"};
  std::string head = "| graph |", line = "|---|";
  for (const char* cap : {"100 %", "20 %"}) {
    for (const char* policy : kSpilling) head += " " + std::string(policy) + " " + cap + " |", line += "--:|";
  }
  std::printf("%s\n%s\n", head.c_str(), line.c_str());
  for (const std::string& path : paths) {
    Loaded loaded;
    if (!load(path, loaded)) continue;
    std::string row = "| " + baseName(path) + " |";
    for (int64_t permille : {1000, 200}) {
      for (const char* policy : kSpilling) {
        Options options;
        options.policy = policy;
        options.l1UsageCapPermille = permille;
        const int64_t own = timeOf(loaded, options);
        options.spillStrategy = "certified";
        row += " " + ratio(timeOf(loaded, options), own) + " |";
      }
    }
    std::printf("%s\n", row.c_str());
  }
}

struct Variant {
  const char* title;
  const char* policy;
  const char* score;
  const char* fork;
  int width;
};
constexpr Variant kVariants[] = {
    {"greedy", "Greedy", "", "", -1},
    {"cores, least reshards: K=1", "Beam", "cores", "reshard-cost", 1},
    {"K=4", "Beam", "cores", "reshard-cost", 4},
    {"K=8", "Beam", "cores", "reshard-cost", 8},
    {"K=32", "Beam", "cores", "reshard-cost", 32},
    {"cores, most consumers: K=8", "Beam", "cores", "most-consumers", 8},
    {"K=32", "Beam", "cores", "most-consumers", 32},
    {"time, least reshards: K=1", "Beam", "time", "reshard-cost", 1},
    {"K=4", "Beam", "time", "reshard-cost", 4},
    {"K=8", "Beam", "time", "reshard-cost", 8},
    {"K=32", "Beam", "time", "reshard-cost", 32},
    {"time, most consumers: K=8", "Beam", "time", "most-consumers", 8},
    {"K=32", "Beam", "time", "most-consumers", 32},
    {"upstream's score: K=8", "Beam", "upstream", "most-consumers", 8},
    {"DFSharding", "DFSharding", "", "", -1},
    {"DFSharding2", "DFSharding2", "", "", -1},
};

void benchBeams(const std::vector<std::string>& paths) {
  std::string head = "| graph |", line = "|---|";
  for (const Variant& v : kVariants) {
    head += " " + std::string(v.title) + " |";
    line += "--:|";
  }
  std::printf("%s\n%s\n", head.c_str(), line.c_str());
  for (const std::string& path : paths) {
    Loaded loaded;
    if (!load(path, loaded)) continue;
    Options options;
    options.policy = "Exact";
    const int64_t optimum = runPolicy(loaded.session, options, Diagnostics())->report.run->log.exact->lowerBound;
    std::string row = "| " + baseName(path) + " |";
    for (const Variant& v : kVariants) {
      Options variant;
      variant.policy = v.policy;
      variant.layoutScore = v.score;
      variant.forkRule = v.fork;
      variant.beamWidth = v.width;
      row += " " + ratio(timeOf(loaded, variant), optimum) + " |";
    }
    std::printf("%s\n", row.c_str());
  }
}

int run(int argc, char** argv) {
  if (argc < 3)
    return std::printf("usage: bench_exact layouts|slider|spill|joint|policies|beams|addresses|strategies GRAPH...\n"),
           2;
  const std::string mode = argv[1];
  const std::vector<std::string> paths(argv + 2, argv + argc);
  JointTally tally;
  if (mode == "policies") benchPolicies(paths);
  if (mode == "beams") benchBeams(paths);
  if (mode == "addresses") benchAddresses(paths);
  if (mode == "strategies") benchStrategies(paths);
  for (const std::string& path : paths) {
    if (mode == "layouts") benchLayouts(path);
    if (mode == "slider") benchSlider(path);
    if (mode == "spill") benchSpill(path);
    if (mode == "joint") benchJoint(path, tally);
  }
  if (mode == "joint")
    std::printf("%d cases: %d with a gap of at most 5 %% in 2 s, %d proven, %d fit nowhere\n", tally.cases,
                tally.within, tally.proven, tally.unfit);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  if (mode == "layouts" || mode == "slider" || mode == "spill" || mode == "joint")
    std::printf("peak memory %ld MB\n", usage.ru_maxrss / 1024);
  return 0;
}

}  // namespace
}  // namespace tessera

int main(int argc, char** argv) { return tessera::run(argc, argv); }
