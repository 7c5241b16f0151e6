// What policies decide on many graphs under options that change their way: a line per run, with its figures and the
// fingerprints of its plan, of the reasons told and of what the policy went through. A choice that is as legal and as
// fast as another is seen here and nowhere else. The graphs are the golden cases and random ones.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "core/driver/pipeline.h"
#include "core/plan/moves.h"
#include "core/report/chain_trace_json.h"
#include "core/report/decision_trace_json.h"
#include "core/report/exact_json.h"
#include "core/report/plan_text.h"
#include "tests/files.h"
#include "tests/pinned.h"
#include "tests/policy/random_graph.h"
#include "tests/sizes.h"

namespace fs = std::filesystem;

namespace tessera::test {
namespace {

using Settings = std::vector<std::pair<std::string_view, std::string_view>>;

struct Pinned {
  std::string_view policy;
  Settings settings;
};

constexpr std::string_view kCap = "tensor-l1-usage-cap";
constexpr std::string_view kFixed = "override-output-layout";  // of values of random graphs

const Pinned kPinned[] = {
    {"DRAM", {}},
    {"Greedy", {{kFixed, "%v0_6=l1:interleaved,%v0_8=dram,%v0_9=l1"}}},
    {"Beam", {{kFixed, "%v0_5=row_major,%v0_7=l1,%v0_10=height_sharded"}, {kCap, "0.3"}}},
    {"DFSharding2", {{kFixed, "%v0_6=l1:interleaved,%v0_8=dram,%v0_9=l1"}}},
    {"GreedyL1Interleaved", {{kFixed, "%v0_7=dram,%v0_8=l1"}, {kCap, "0.1"}}},
    {"BFInterleaved", {{kFixed, "%v0_6=l1:interleaved,%v0_9=l1,%v0_11=dram"}, {kCap, "0.05"}}},
    {"Exact", {{kFixed, "%v0_6=l1:interleaved,%v0_8=dram,%v0_9=block_sharded"}, {kCap, "0.3"}, {"exact-rounds", "4"}}},
    {"Greedy", {}},
    {"Greedy", {{kCap, "0.1"}}},
    {"Greedy", {{kCap, "0.04"}, {"spill-victim", "farthest-next-use"}}},
    {"Greedy", {{kCap, "0.04"}, {"spill-victim", "farthest-last-use"}, {"spill-point", "early"}}},
    {"Greedy", {{kCap, "0.04"}, {"spill-victim", "cost-per-byte"}}},
    {"Greedy", {{kCap, "0.06"}, {"spill-search", "true"}}},
    {"Greedy", {{kCap, "0.08"}, {"spill-strategy", "certified"}}},
    {"Greedy", {{kCap, "0.08"}, {"spill-strategy", "cost-aware"}}},
    {"Greedy", {{kCap, "0.08"}, {"spill-strategy", "farthest-next-use"}}},
    {"Greedy", {{kCap, "0.08"}, {"spill-strategy", "farthest-last-use"}}},
    {"Greedy", {{"preset", "upstream"}}},
    {"Greedy", {{"preset", "upstream"}, {kCap, "0.1"}}},
    {"Greedy", {{"op-rules", "rule-books"}, {kCap, "0.2"}}},
    {"Beam", {}},
    {"Beam", {{kCap, "0.1"}, {"beam-width", "3"}}},
    {"Beam", {{kCap, "0.05"}, {"layout-score", "time"}}},
    {"Beam", {{"layout-score", "time"}, {"fork-rule", "most-consumers"}}},
    {"Beam", {{"layout-score", "upstream"}, {kCap, "0.3"}}},
    {"Beam", {{"preset", "upstream"}, {kCap, "0.15"}, {"spill-search", "true"}}},
    {"Beam", {{"row-major-enabled", "true"}, {"max-legal-layouts", "24"}, {"beam-width", "4"}}},
    {"Beam", {{"device", "p150"}, {kCap, "0.06"}, {"spill-strategy", "certified"}}},
    {"DFSharding", {}},
    {"DFSharding", {{kCap, "0.1"}}},
    {"DFSharding", {{"memreconfig-enabled", "false"}}},
    {"DFSharding", {{"l1-interleaved-fallback-analysis-enabled", "true"}, {kCap, "0.25"}}},
    {"DFSharding", {{"spill-strategy", "certified"}, {kCap, "0.2"}}},
    {"DFSharding", {{"max-legal-layouts", "24"}, {"device", "p100"}}},
    {"DFSharding2", {}},
    {"DFSharding2", {{kCap, "0.3"}}},
    {"DFSharding2", {{kCap, "0.1"}, {"l1-interleaved-fallback-analysis-enabled", "true"}}},
    {"DFSharding2", {{"enable-create-d2m-subgraphs", "true"}}},
    {"DFSharding2", {{"enable-create-d2m-subgraphs", "true"}, {kCap, "0.15"}, {"device", "p150"}}},
    {"DFSharding2", {{"preset", "upstream"}, {"memreconfig-enabled", "false"}}},
    {"GreedyL1Interleaved", {}},
    {"GreedyL1Interleaved", {{kCap, "0.1"}}},
    {"GreedyL1Interleaved", {{kCap, "0.03"}, {"spill-strategy", "cost-aware"}}},
    {"BFInterleaved", {}},
    {"BFInterleaved", {{kCap, "0.1"}}},
    {"BFInterleaved", {{kCap, "0.03"}}},
    {"Exact", {}},
    {"Exact", {{kCap, "0.2"}, {"exact-rounds", "12"}}},
    {"Exact", {{kCap, "0.08"}, {"exact-rounds", "12"}}},
    {"Exact", {{kCap, "0.03"}, {"exact-rounds", "6"}}},
    {"Exact", {{kCap, "0.05"}, {"exact-rounds", "5"}}},
    {"Exact", {{kCap, "0.12"}, {"exact-rounds", "5"}}},
    {"Exact", {{kCap, "0.4"}, {"exact-rounds", "5"}}},
    {"Exact", {{"max-legal-layouts", "20"}, {"exact-rounds", "0"}}},
    {"Exact", {{"row-major-enabled", "true"}, {kCap, "0.1"}, {"exact-rounds", "4"}}},
    {"Exact", {{"preset", "upstream"}, {"exact-rounds", "2"}, {"max-legal-layouts", "6"}}},
};

struct Subject {
  std::string name, text;
};
constexpr size_t kRandomSubjects = 24;  // they come first

const fs::path kGolden = fs::path(TESSERA_SOURCE_DIR) / "tests/golden";

const std::vector<Subject>& subjects() {
  static const std::vector<Subject> all = [] {
    std::vector<Subject> out;
    for (uint64_t seed = 1; seed <= kRandomSubjects; ++seed) {
      const bool images = seed % 3 == 0;
      out.push_back({(images ? "images " : "random ") + std::to_string(seed),
                     randomGraphText(seed, RandomGraphOptions{.images = images})});
    }
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(kGolden / "cases")) {
      const std::string name = entry.path().stem().string();
      if (entry.path().extension() == ".mlir" && name.rfind("fail_", 0) != 0) paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    for (const fs::path& path : paths) out.push_back({path.stem().string(), readFile(path)});
    return out;
  }();
  return all;
}

std::string reasonsOf(const DecisionLog& log) {
  Fingerprint print;
  for (const Decision& decision : log.decisions) {
    print.add(int64_t{decision.op.index});
    for (const Candidate& candidate : decision.candidates) {
      print.add(layoutText(candidate.layout));
      print.add(static_cast<int64_t>(candidate.status));
      print.add(verdictText(candidate.verdict));
      print.add(int64_t{candidate.reshards});
      print.add(candidate.note);
    }
    print.add(decision.summary);
  }
  for (const std::string& warning : log.warnings) print.add(warning);
  return digits(print);
}

void addPropagation(Fingerprint& print, const PropagationTrace& trace) {
  print.add(decisionTraceJson(trace.decisions));
  for (const TracedBeam& beam : trace.beams) {
    print.add(int64_t{beam.chosen});
    for (const TracedEntry& entry : beam.entries) {
      for (const int64_t figure : {entry.minCores, entry.reshards, entry.time}) print.add(figure);
      for (const TracedLink& link : entry.links) {
        for (const int64_t figure : {link.operand, link.producerOpIndex, int64_t{link.slot}}) print.add(figure);
        print.add(link.reshard);
      }
    }
  }
  for (const int64_t figure : {trace.evaluations, int64_t{trace.combinationsCut}, int64_t{trace.evictions},
                               int64_t{trace.demotions}, int64_t{trace.rewinds}, trace.lateSpillGain,
                               int64_t{trace.spillSearchUsed}, int64_t{trace.spillSearchPruned}, trace.spillSearchCost})
    print.add(figure);
}

std::string traceOf(const RunOutcome& run) {
  Fingerprint print;
  const Graph& graph = run.problem->graph;
  JsonWriter w;
  w.beginArray();
  if (run.log.chain) {
    IdVec<OpId, int32_t> rows(graph.ops.size());
    for (const OpId op : graph.ops.ids()) rows[op] = op.index;
    writeChainTrace(w, *run.log.chain, graph, rows);
  }
  if (run.log.exact) {
    writeExact(w, *run.log.exact);
    writeRegrets(w, graph, run.log.exact->ops);
    for (const int64_t price : run.log.exact->stepPrices) print.add(price);
    print.add(run.log.exact->certificate);
  }
  w.endArray();
  print.add(w.take());
  if (run.log.propagation) addPropagation(print, *run.log.propagation);
  print.add(spillingText(run));
  if (run.log.spilling) print.add(run.log.spilling->values), print.add(run.log.spilling->contested);
  return digits(print);
}

std::string lineOf(const FinishedRun& finished) {
  const RunOutcome& run = *finished.report.run;
  int inL1 = 0;
  for (const ValueId value : run.plan.layout.ids()) inL1 += run.plan.layout[value] && run.plan.layout[value]->isL1();
  Fingerprint plan;
  plan.add(planText(run));
  plan.add(planOut(finished));
  Fingerprint problem;
  problem.add(problemOut(finished));
  return std::to_string(run.program->sim.time.count) + " ns, " + std::to_string(inL1) + " in L1, " +
         moveCountsText(planMoves(run.problem->graph, run.plan)) + ", problem " + digits(problem) + " plan " +
         digits(plan) + " reasons " + reasonsOf(run.log) + " trace " + traceOf(run);
}

std::string nameOf(const Pinned& pinned) {
  std::string name(pinned.policy);
  for (const auto& [id, value] : pinned.settings) name += " " + std::string(id) + "=" + std::string(value);
  return name;
}

// Which graphs a row runs: each one comes in turn, and where L1 is short more of the random ones.
std::vector<const Subject*> subjectsOf(size_t row) {
  constexpr size_t kOfRow = 7, kMoreRandom = 5;
  const std::vector<Subject>& all = subjects();
  const Settings& settings = kPinned[row].settings;
  const bool fixed = !settings.empty() && settings[0].first == kFixed;
  std::set<size_t> chosen;
  for (size_t i = 0; i < kOfRow; ++i) chosen.insert((row * kOfRow + i * 17) % (fixed ? kRandomSubjects : all.size()));
  const bool tight = std::any_of(settings.begin(), settings.end(), [](const auto& one) { return one.first == kCap; });
  for (size_t i = 0; i < kMoreRandom && tight; ++i) chosen.insert((row * kOfRow + i * 5) % kRandomSubjects);
  std::vector<const Subject*> out;
  for (const size_t subject : chosen) out.push_back(&all[subject]);
  if (smallTests()) out.resize(1);
  return out;
}

PinnedFile& pins = PinnedFile::named("pinned_runs");

class PinnedRuns : public testing::TestWithParam<size_t> {};

TEST_P(PinnedRuns, AreAsTheyWere) {
  const Pinned& pinned = kPinned[GetParam()];
  for (const Subject* subject : subjectsOf(GetParam())) {
    const std::string key = nameOf(pinned) + " on " + subject->name;
    Session session;
    session.load(subject->name, subject->text);
    Options options;
    Diagnostics diags;
    ASSERT_TRUE(setOption(options, "policy", pinned.policy, diags));
    for (const auto& [id, value] : pinned.settings)
      ASSERT_TRUE(setOption(options, id, value, diags)) << diags.all().back().message;
    options.trace = options.keepEvaluations = options.certificate = true;
    const auto finished = runPolicy(session, options, {});
    const bool ran = finished->report.run.has_value();
    const std::string line = ran ? lineOf(*finished) : "not run";
    pins.expect(key, line);
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, PinnedRuns, testing::Range<size_t>(0, std::size(kPinned)));

}  // namespace
}  // namespace tessera::test
