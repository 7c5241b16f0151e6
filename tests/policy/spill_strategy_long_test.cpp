// Pass 2 decided ahead: absences in the sweep, and every strategy under every policy, on random graphs and real ones.

#include "core/driver/pipeline.h"
#include "core/policy/propagate/spill_sweep.h"
#include "tests/policy/random_graph.h"
#include "tests/policy/test_graphs.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

// Step i makes tensor i of so many bytes; nothing else takes room.
class Sizes final : public SpillModel {
 public:
  struct Step {
    std::vector<SpillTensor> reads;
    int64_t bytes = 0;
  };
  explicit Sizes(std::vector<Step> steps) : steps_(std::move(steps)) {
    for (SpillTensor t = 0; t < static_cast<SpillTensor>(steps_.size()); ++t) {
      SpillTensorInfo info{.def = t, .lastUse = t, .lifetimeEnd = t, .evictable = true};
      for (int32_t step = t; step < static_cast<int32_t>(steps_.size()); ++step) {
        const auto& read = reads(step);
        if (std::find(read.begin(), read.end(), t) != read.end()) info.lastUse = info.lifetimeEnd = step;
      }
      tensors_.push_back(info);
      makes_.push_back({t});
    }
  }
  int32_t steps() const override { return static_cast<int32_t>(steps_.size()); }
  const std::vector<SpillTensorInfo>& tensors() const override { return tensors_; }
  const std::vector<SpillTensor>& reads(int32_t step) const override { return steps_[static_cast<size_t>(step)].reads; }
  const std::vector<SpillTensor>& makes(int32_t step) const override { return makes_[static_cast<size_t>(step)]; }
  int64_t initialBytes(SpillTensor) const override { return -1; }
  SpillAnswer ask(int32_t step, ResultLocation location, const std::vector<Residency>& residency, Bytes) override {
    SpillAnswer answer;
    asked_ = residency;
    if (location == ResultLocation::Planned) answer.result = Bytes(steps_[static_cast<size_t>(step)].bytes);
    if (answer.result.count > 0) answer.moves.push_back({.allocate = answer.result, .tensor = step});
    return answer;
  }
  const std::vector<ResultLocation>& fallbacks(int32_t) const override { return fallbacks_; }
  void commit(int32_t) override { residencies.push_back(asked_); }
  int64_t evictionCost(SpillTensor, int32_t) const override { return 1; }
  int32_t nextUse(SpillTensor, int32_t) const override { return 0; }

  std::vector<std::vector<Residency>> residencies;  // by step: where everything was when the step ran

 private:
  std::vector<Step> steps_;
  std::vector<SpillTensorInfo> tensors_;
  std::vector<std::vector<SpillTensor>> makes_;
  std::vector<ResultLocation> fallbacks_ = {ResultLocation::Dram};
  std::vector<Residency> asked_;
};

SpillSettings roomOf(int64_t bytes) { return {.begin = 0, .end = bytes}; }

// a is read at 2, 4 and 5; b, which takes all of L1 but a little, lives from 1 to 3.
std::vector<Sizes::Step> around() { return {{{}, 320}, {{}, 640}, {{0}, 0}, {{1}, 0}, {{0}, 0}, {{0}, 0}}; }

TEST(SpillStrategy, AValueLeavesAndComesBackForAReader) {
  Sizes model(around());
  const SpillOutcome outcome =
      sweepSpills(model, roomOf(640), {.startsInDram = {}, .evictBefore = {}, .absences = {{0, 1, 4}}});
  ASSERT_EQ(outcome.absences.size(), 1u);
  EXPECT_EQ(outcome.absences[0].from, 1);
  EXPECT_EQ(outcome.absences[0].until, 4);
  EXPECT_EQ(outcome.evictedAt[0], -1);
  EXPECT_EQ(model.residencies[2][0], Residency::InDram);
  EXPECT_EQ(model.residencies[3][1], Residency::InL1);
  EXPECT_EQ(model.residencies[4][0], Residency::InL1);
  EXPECT_EQ(model.residencies[5][0], Residency::InL1);
  EXPECT_EQ(outcome.finalOccupied, 0);
}

TEST(SpillStrategy, WithoutRoomItStaysAway) {
  std::vector<Sizes::Step> steps = around();
  steps[5].reads = {0, 1};  // b lives on
  Sizes model(steps);
  const SpillOutcome outcome =
      sweepSpills(model, roomOf(640), {.startsInDram = {}, .evictBefore = {}, .absences = {{0, 1, 4}}});
  EXPECT_TRUE(outcome.absences.empty());
  EXPECT_EQ(outcome.evictedAt[0], 1);
  EXPECT_EQ(model.residencies[4][0], Residency::InDram);
  EXPECT_EQ(model.residencies[4][1], Residency::InL1);
}

// The step for which it comes back needs the room for its own result: then it was never back.
TEST(SpillStrategy, ComingBackForNothingIsTakenBack) {
  std::vector<Sizes::Step> steps = around();
  steps[4].bytes = 640;
  steps[5].reads = {0, 4};
  Sizes model(steps);
  SpillSettings settings = roomOf(640);
  settings.selfMayLeave = false;
  const SpillOutcome outcome =
      sweepSpills(model, settings, {.startsInDram = {}, .evictBefore = {}, .absences = {{0, 1, 4}}});
  EXPECT_TRUE(outcome.absences.empty());
  EXPECT_EQ(outcome.evictedAt[0], 1);
  EXPECT_EQ(model.residencies[4][0], Residency::InDram);
}

constexpr std::string_view kStrategies[] = {"farthest-last-use", "farthest-next-use", "cost-aware", "certified"};
constexpr std::string_view kPolicies[] = {"Greedy",       "Beam", "DFSharding", "DFSharding2", "GreedyL1Interleaved",
                                          "BFInterleaved"};

struct Counts {
  int64_t runs = 0, costly = 0, returned = 0, unlike = 0, faster = 0, slower = 0;

  void print() const {
    std::printf(
        "[   INFO   ] %lld runs, spilling costs something in %lld; certified below farthest last use in %lld, %lld "
        "values came back; simulated time against the policy's own: "
        "%lld faster, %lld slower\n",
        static_cast<long long>(runs), static_cast<long long>(costly), static_cast<long long>(unlike),
        static_cast<long long>(returned), static_cast<long long>(faster), static_cast<long long>(slower));
  }
};

// Sound, no more failures than without the strategy, and the bounds in order.
void expectInOrder(Session& session, std::string_view policy, int64_t permille, Counts& counts) {
  Options options;
  options.policy = policy;
  options.l1UsageCapPermille = permille;
  const auto plain = runPolicy(session, options, Diagnostics());
  ASSERT_TRUE(plain->report.run.has_value());
  ASSERT_FALSE(plain->report.run->log.spilling.has_value());
  for (std::string_view strategy : kStrategies) {
    SCOPED_TRACE(std::string(policy) + " " + std::string(strategy));
    options.spillStrategy = strategy;
    const auto run = runPolicy(session, options, Diagnostics());
    ASSERT_TRUE(run->report.run.has_value());
    for (const ReportDefect& d : run->report.run->defects)
      ADD_FAILURE() << d.checker << ": " << d.rule << ": " << d.text;
    EXPECT_LE(run->report.run->program->sim.failures, plain->report.run->program->sim.failures);
    ASSERT_TRUE(run->report.run->log.spilling.has_value());
    const SpillTrace& trace = *run->report.run->log.spilling;
    EXPECT_EQ(trace.strategy, strategy);
    EXPECT_LE(trace.lowerBound, trace.certified);
    EXPECT_EQ(trace.proven, trace.lowerBound == trace.certified);
    for (int64_t rule : {trace.farthestLastUse, trace.farthestNextUse, trace.costAware})
      EXPECT_LE(trace.certified, rule);
    EXPECT_EQ(trace.cost, strategy == "certified"           ? trace.certified
                          : strategy == "cost-aware"        ? trace.costAware
                          : strategy == "farthest-last-use" ? trace.farthestLastUse
                                                            : trace.farthestNextUse);
    ++counts.runs;
    counts.costly += trace.certified > 0;
    counts.faster += run->report.run->program->sim.time < plain->report.run->program->sim.time;
    counts.slower += run->report.run->program->sim.time > plain->report.run->program->sim.time;
    counts.unlike += trace.certified < trace.farthestLastUse;
    for (const Spill& spill : run->report.run->plan.spills) counts.returned += spill.to.isL1();
  }
}

TEST(SpillStrategy, EveryPolicyOnRandomGraphs) {
  Counts counts;
  for (uint64_t seed = 0; seed < (smallTests() ? 7 : 40); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Session session;
    session.load("random.mlir", randomGraphText(seed, {.copies = 2}));
    // Every policy with every second pair of graphs, one of the pair with little L1.
    for (size_t i = seed / 2 % 2; i < std::size(kPolicies); i += 2)
      expectInOrder(session, kPolicies[i], seed % 2 == 0 ? 60 : 250, counts);
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(counts.costly, enough(20));
  EXPECT_GT(counts.unlike, enough(20));
  EXPECT_GT(counts.returned, enough(20));
  counts.print();
}

TEST(SpillStrategy, EveryPolicyOnTheModels) {
  const auto files = corpusSlice();
  if (files.empty()) GTEST_SKIP() << "skipped: no corpus at " << sharedFolder();
  Counts counts;
  for (const auto& path : files) {
    SCOPED_TRACE(path.filename().string());
    Session session;
    session.load(path.filename().string(), readFile(path));
    for (std::string_view policy : {"Greedy", "DFSharding2"}) expectInOrder(session, policy, 200, counts);
  }
  EXPECT_GT(counts.costly, 0);
  counts.print();
}

TEST(SpillStrategy, MeansNothingToExactAndDram) {
  Session session;
  session.load("random.mlir", randomGraphText(1));
  for (std::string_view policy : {"Exact", "DRAM"}) {
    Options options;
    options.policy = policy;
    options.spillStrategy = "certified";
    const auto run = runPolicy(session, options, Diagnostics());
    bool told = false;
    for (const Diagnostic& d : run->diagnostics.all()) told = told || d.kind == DiagKind::OptionIgnored;
    EXPECT_TRUE(told) << policy;
    EXPECT_TRUE(run->report.run.has_value());
  }
}

}  // namespace
}  // namespace tessera::test
