// ChainWork by itself: what an op sees of chains, decisions and kept results, what L1 they take at each step, and that
// taking something back restores all of it.

#include "core/policy/chain/chain_work.h"

#include "core/policy/kit/op_choice.h"
#include "tests/policy/chain/chain_testing.h"

namespace tessera::test {
namespace {

// %0 = relu %a; %1 = gelu %0; %2 = exp %b; %3 = add %1, %2; %4 = multiply %3, %0; %5 = abs %b; all 512x512. The chains
// are %0 %1 | %2 | %3 %4; %5 is in none. 512x512 bf16 are 524,288 bytes, 8,192 on each of 64 cores.
class ChainWorkTest : public testing::Test {
 protected:
  static constexpr int64_t kPart = 8192;

  ChainWorkTest() : graph_(graphOf(text())), problem_(analysed(graph_, allDevices()[0], {})), configs_(problem_) {}

  static std::string text() {
    GraphText t;
    t.arg("%a").arg("%b").op("%0", "ttnn.relu", {"%a"}).op("%1", "ttnn.gelu", {"%0"}).op("%2", "ttnn.exp", {"%b"});
    t.op("%3", "ttnn.add", {"%1", "%2"}).op("%4", "ttnn.multiply", {"%3", "%0"}).op("%5", "ttnn.abs", {"%b"});
    return t.returning({"%4", "%5"});
  }
  OpId op(const char* result) const { return producerOf(graph_, result); }
  ValueId value(const char* name) const { return valueNamed(graph_, name); }

  // Block sharded over 8x8 cores.
  TensorLayout block(const char* name) {
    for (const TensorLayout& layout : configs_.sharded(value(name))) {
      if (layout.memory == TensorMemoryLayout::BlockSharded && layout.grid.volume() == 64) return layout;
    }
    ADD_FAILURE() << "no block sharding of " << name;
    return {};
  }
  TensorLayout height(const char* name) {
    for (const TensorLayout& layout : configs_.sharded(value(name))) {
      if (layout.memory == TensorMemoryLayout::HeightSharded) return layout;
    }
    ADD_FAILURE() << "no height sharding of " << name;
    return {};
  }
  static std::vector<L1ChainConfig> built(const std::vector<std::vector<OpId>>& ops) {
    std::vector<L1ChainConfig> chains;
    for (const std::vector<OpId>& of : ops) {
      for (chains.emplace_back(); OpId one : of) chains.back().addOp(one);
      chains.back().build();
    }
    return chains;
  }
  std::vector<L1ChainConfig> chains() const { return built({{op("0"), op("1")}, {op("2")}, {op("3"), op("4")}}); }
  // All results block sharded; `reshards` are read through copies.
  void complete(ChainWork& work, int32_t index, std::vector<MemReconfigEntry> reshards = {}) {
    ShardSolverSolution solution;
    for (const OpId one : work.chain(index).ops())
      solution.configs.push_back({block(graph_.values[work.resultOf(one)].name.c_str()), {}});
    solution.memReconfig = std::move(reshards);
    L1ChainConfig& chain = work.changeChain(index);
    chain.resolved();
    chain.complete(solution);
  }
  // Every answer of the work, as text.
  std::string seen(ChainWork& work) const {
    std::string all;
    for (const OpId one : problem_.schedule.order) {
      if (opInfo(graph_.ops[one].kind).has(kTerminator)) continue;
      all += nameOf(graph_, one) + " " + layoutText(work.configOf(one).output) + " from";
      for (const auto& input : work.inputLayouts(one)) all += " " + (input ? layoutText(*input) : "-");
      all += ", beside " + std::to_string(work.additionalL1(one).count) + ", needs " +
             std::to_string(work.check(one).needed.count) + "\n";
    }
    for (int32_t step = 0; step < problem_.schedule.steps(); ++step)
      all += std::to_string(work.activeReservations(step).count) + " ";
    return all + std::to_string(work.reservations().size());
  }

  Graph graph_;
  Problem problem_;
  ChainConfigs configs_;
  ChainTrace trace_;
};

TEST_F(ChainWorkTest, ReadersComeInOrderWithoutTheReturn) {
  ChainWork work(problem_, configs_, chains(), trace_);
  EXPECT_EQ(namesOf(graph_, work.readers(value("0"))), "%1 %4");
  EXPECT_EQ(namesOf(graph_, work.readers(value("4"))), "");
  EXPECT_EQ(namesOf(graph_, work.readers(value("b"))), "%2 %5");
  const Graph twice =
      graphOf(GraphText().arg("%a").op("%0", "ttnn.relu", {"%a"}).op("%1", "ttnn.add", {"%0", "%0"}).text());
  const Problem problem = analysed(twice, allDevices()[0], {});
  ChainConfigs configs(problem);
  ChainWork other(problem, configs, {}, trace_);
  EXPECT_EQ(namesOf(twice, other.readers(valueNamed(twice, "0"))), "%1");
  EXPECT_EQ(other.chainCount(), 0);
  EXPECT_EQ(other.chainOf(producerOf(twice, "1")), -1);
}

// Conversions go by reader and operand; a chain that fails has none, and says why.
TEST_F(ChainWorkTest, ConversionsOfAChainGoOneByOne) {
  ChainWork work(problem_, configs_, chains(), trace_);
  const MemReconfigEntry left = {{op("2"), op("3"), 0}, block("2")}, right = {{op("1"), op("3"), 1}, block("2")},
                         later = {{op("3"), op("4"), 0}, block("3")};
  complete(work, 2, {left, right, later});
  L1ChainConfig& chain = work.changeChain(2);
  chain.dropMemReconfig(op("4"), 1);
  EXPECT_EQ(chain.memReconfig(), (std::vector<MemReconfigEntry>{left, right, later}));
  chain.dropMemReconfig(op("3"), 0);
  EXPECT_EQ(chain.memReconfig(), (std::vector<MemReconfigEntry>{right, later}));
  chain.dropMemReconfig(op("4"), 0);
  EXPECT_EQ(chain.memReconfig(), std::vector<MemReconfigEntry>{right});
  chain.fail("no room");
  EXPECT_EQ(chain.memReconfig(), std::vector<MemReconfigEntry>{});
  EXPECT_EQ(chain.state(), L1ChainState::Failed);
  EXPECT_EQ(chain.failure(), "no room");
}

TEST_F(ChainWorkTest, OpsOfCompletedChainsHaveTheirConfigs) {
  ChainWork work(problem_, configs_, chains(), trace_);
  for (const auto& [name, chain] : {std::pair("0", 0), std::pair("1", 0), std::pair("2", 1), std::pair("4", 2)})
    EXPECT_EQ(work.chainOf(op(name)), chain) << name;
  EXPECT_EQ(work.chainOf(op("5")), -1);
  EXPECT_FALSE(work.completed(-1));
  EXPECT_FALSE(work.completed(0));
  EXPECT_EQ(work.configOf(op("1")), defaultConfig(problem_, op("1")));
  complete(work, 0);
  EXPECT_TRUE(work.completed(0));
  EXPECT_EQ(work.configOf(op("0")).output, block("0"));
  EXPECT_EQ(work.configOf(op("1")).output, block("1"));
  EXPECT_EQ(work.configOf(op("2")), defaultConfig(problem_, op("2")));
  EXPECT_EQ(work.chainResult(0), value("1"));
  // A decision for the op comes before its chain's.
  work.setConfig(op("1"), {height("1"), {}});
  EXPECT_EQ(work.configOf(op("1")).output, height("1"));
}

TEST_F(ChainWorkTest, InputsAreWhereTheyWereLeft) {
  ChainWork work(problem_, configs_, chains(), trace_);
  const auto dram = configs_.startingLayouts(op("4"));
  complete(work, 0);
  complete(work, 2, {{{op("2"), op("3"), 1}, height("2")}});
  // Inside a chain the result before; another chain's goes through DRAM; a copy where one is made.
  EXPECT_EQ(*work.inputLayouts(op("1"))[0], block("0"));
  EXPECT_TRUE(work.inputLayouts(op("3"))[0]->isDram());
  EXPECT_EQ(*work.inputLayouts(op("3"))[1], height("2"));
  EXPECT_EQ(*work.inputLayouts(op("4"))[0], block("3"));
  EXPECT_EQ(work.inputLayouts(op("4"))[1], dram[1]);
  // What stays in L1 is read there.
  work.keepInL1(value("1"), block("1"));
  EXPECT_EQ(*work.inputLayouts(op("3"))[0], block("1"));
  work.keepInL1(value("0"), block("0"));
  EXPECT_EQ(*work.inputLayouts(op("4"))[1], block("0"));
  // A result that was decided into DRAM in another form is read in that form.
  TensorLayout rows = defaultConfig(problem_, op("2")).output;
  rows.page = PageLayout::RowMajor;
  work.changeChain(2).dropMemReconfig(op("3"), 1);
  EXPECT_NE(*work.inputLayouts(op("3"))[1], rows);
  work.setConfig(op("2"), {rows, {}});
  EXPECT_EQ(*work.inputLayouts(op("3"))[1], rows);
}

TEST_F(ChainWorkTest, ReservationsReachFromTheNextStepToTheLastReader) {
  ChainWork work(problem_, configs_, chains(), trace_);
  const auto active = [&] {
    std::vector<int64_t> parts;
    for (int32_t step = 0; step < problem_.schedule.steps(); ++step)
      parts.push_back(work.activeReservations(step).count / kPart);
    return parts;
  };
  const int32_t made = work.position(op("0")), last = work.position(op("4"));
  ASSERT_EQ(std::vector<int32_t>({made, work.position(op("1")), work.position(op("2")), work.position(op("3")), last}),
            std::vector<int32_t>({0, 1, 2, 3, 4}));
  work.keepInL1(value("0"), block("0"));
  EXPECT_EQ(active(), (std::vector<int64_t>{0, 1, 1, 1, 1, 0, 0}));
  const ChainWork::Mark second = work.mark();
  work.keepInL1(value("1"), block("1"));
  EXPECT_EQ(active(), (std::vector<int64_t>{0, 1, 2, 2, 1, 0, 0}));
  ASSERT_EQ(work.reservations().size(), 2u);
  EXPECT_EQ(work.reservations()[1].startStep, 2);
  EXPECT_EQ(work.reservations()[1].endStep, 3);
  EXPECT_EQ(work.reservations()[1].size.count, kPart);
  EXPECT_TRUE(work.resident(value("1")));
  work.rollback(second);
  EXPECT_EQ(active(), (std::vector<int64_t>{0, 1, 1, 1, 1, 0, 0}));
  EXPECT_FALSE(work.resident(value("1")));
  EXPECT_TRUE(work.resident(value("0")));
  work.rollback(0);
  EXPECT_EQ(active(), (std::vector<int64_t>{0, 0, 0, 0, 0, 0, 0}));
  EXPECT_TRUE(work.reservations().empty());
}

TEST_F(ChainWorkTest, AnOpSharesL1WithWhatIsKeptBesideIt) {
  ChainWork work(problem_, configs_, chains(), trace_);
  EXPECT_EQ(work.additionalL1(op("1")).count, 0);
  complete(work, 0);
  EXPECT_EQ(work.additionalL1(op("0")).count, 0);
  EXPECT_EQ(work.additionalL1(op("1")).count, kPart) << "the chain's tensor";
  complete(work, 2, {{{op("2"), op("3"), 1}, block("2")}});
  EXPECT_EQ(work.additionalL1(op("3")).count, kPart) << "the copy";
  EXPECT_EQ(work.additionalL1(op("4")).count, kPart) << "the chain's tensor alone";
  work.keepInL1(value("1"), block("1"));
  EXPECT_EQ(work.additionalL1(op("2")).count, kPart);
  EXPECT_EQ(work.additionalL1(op("3")).count, 2 * kPart);
  // Kept up to its readers, the chain's tensor counts once.
  work.keepInL1(value("0"), block("0"));
  EXPECT_EQ(work.additionalL1(op("1")).count, kPart);
  EXPECT_EQ(work.additionalL1(op("2")).count, 2 * kPart);
  EXPECT_EQ(work.additionalL1(op("5")).count, 0);
}

TEST_F(ChainWorkTest, AnAnswerFollowsWhatTheOpSees) {
  ChainWork work(problem_, configs_, chains(), trace_);
  const OpVerdict alone = work.check(op("2"));
  ASSERT_TRUE(alone.ok());
  work.keepInL1(value("0"), block("0"));
  const OpVerdict beside = work.check(op("2"));
  EXPECT_EQ(beside.needed.count, alone.needed.count + kPart);
  // The config of an op, of what it reads, of its chain: each is asked anew.
  const int64_t dram = work.check(op("3")).needed.count;
  work.setConfig(op("3"), {block("3"), {}});
  const OpVerdict sharded = work.check(op("3"));
  EXPECT_NE(sharded.needed.count, dram);
  const ChainWork::Mark mark = work.mark();
  const std::string before = seen(work);
  complete(work, 0);
  EXPECT_EQ(work.check(op("1")).output, block("1"));
  EXPECT_NE(seen(work), before);
  work.rollback(mark);
  EXPECT_EQ(seen(work), before);
  // Only the operations are asked; the return needs nothing.
  const OpId last = problem_.schedule.order.back();
  EXPECT_TRUE(work.check(last).ok());
  EXPECT_EQ(work.check(last).needed.count, 0);
}

TEST_F(ChainWorkTest, TakingBackRestoresAllThatIsSeen) {
  ChainWork work(problem_, configs_, chains(), trace_);
  std::vector<std::string> states = {seen(work)};
  std::vector<ChainWork::Mark> marks = {work.mark()};
  const auto step = [&](auto change) {
    change();
    states.push_back(seen(work));
    marks.push_back(work.mark());
    EXPECT_NE(states.back(), states[states.size() - 2]) << states.size();
  };
  step([&] { complete(work, 0); });
  step([&] { complete(work, 2, {{{op("2"), op("3"), 1}, block("2")}}); });
  step([&] { work.keepInL1(value("1"), block("1")); });
  step([&] { work.setConfig(op("2"), {l1InterleavedLayout(problem_, value("2")), {}}); });
  step([&] { work.keepInL1(value("2"), l1InterleavedLayout(problem_, value("2"))); });
  step([&] { work.changeChain(2).dropMemReconfig(op("3"), 1); });
  step([&] { work.keepInL1(value("0"), height("0")); });
  step([&] { work.keepInL1(value("0"), block("0")); });
  step([&] { work.setConfig(op("2"), {block("2"), {}}); });
  for (size_t i = states.size(); i-- > 0;) {
    work.rollback(marks[i]);
    EXPECT_EQ(seen(work), states[i]) << i;
  }
}

TEST_F(ChainWorkTest, AConfigThatAReaderRefusesIsNotTaken) {
  ChainWork work(problem_, configs_, chains(), trace_);
  const std::string before = seen(work);
  EXPECT_TRUE(work.tryConfig(op("0"), {l1InterleavedLayout(problem_, value("0")), {}}));
  EXPECT_TRUE(work.resident(value("0")));
  work.rollback(0);
  EXPECT_TRUE(work.tryConfig(op("0"), defaultConfig(problem_, op("0"))));
  EXPECT_FALSE(work.resident(value("0"))) << "DRAM is no L1";
  EXPECT_TRUE(work.reservations().empty());
  work.rollback(0);
  // %1 cannot run: neither may what it reads move.
  TensorLayout tooMuch = block("1");
  tooMuch.grid = {1, 1};
  work.setConfig(op("1"), {tooMuch, {}});
  ASSERT_FALSE(work.check(op("1")).ok());
  const std::string stuck = seen(work);
  EXPECT_FALSE(work.tryConfig(op("0"), {l1InterleavedLayout(problem_, value("0")), {}}));
  EXPECT_EQ(seen(work), stuck);
  work.rollback(0);
  EXPECT_EQ(seen(work), before);
}

// The latest decision that keeps something at the step goes, and all that came after it.
TEST_F(ChainWorkTest, TakesBackTheLatestDecisionAtAStep) {
  const auto kept = [&](int32_t step, bool& taken) {
    ChainWork work(problem_, configs_, chains(), trace_);
    for (const char* name : {"2", "0", "1", "3"}) {  // steps 2-3, 0-4, 1-3, 3-4, with the ones they are made at
      const ChainWork::Mark mark = work.mark();
      work.keepInL1(value(name), block(name));
      work.commit(mark);
    }
    taken = work.takeBack(step);
    std::string names;
    for (const char* name : {"0", "1", "2", "3"}) names += work.resident(value(name)) ? name : "";
    return names;
  };
  bool taken = false;
  EXPECT_EQ(kept(4, taken), "012");
  EXPECT_EQ(kept(3, taken), "012") << "where it is made it is in L1";
  EXPECT_EQ(kept(2, taken), "02");
  EXPECT_EQ(kept(1, taken), "02");
  EXPECT_EQ(kept(0, taken), "2");
  EXPECT_TRUE(taken);
  EXPECT_EQ(kept(5, taken), "0123");
  EXPECT_FALSE(taken);
  ChainWork work(problem_, configs_, chains(), trace_);
  EXPECT_FALSE(work.takeBack(2));
}

// Without a decision to go back to, nothing would change, and who asks would ask again.
TEST_F(ChainWorkTest, OnlyDecisionsThatHoldAreTakenBack) {
  ChainWork work(problem_, configs_, chains(), trace_);
  work.keepInL1(value("0"), block("0"));
  EXPECT_DEATH(work.takeBack(2), "belongs to no committed decision");
  const ChainWork::Mark mark = work.mark();
  work.keepInL1(value("3"), block("3"));
  work.commit(mark);
  EXPECT_TRUE(work.takeBack(4));
  EXPECT_DEATH(work.takeBack(4), "belongs to no committed decision");
}

TEST_F(ChainWorkTest, TheTraceHasChainsAsTheyEndedUp) {
  ChainWork work(problem_, configs_, chains(), trace_);
  complete(work, 0);
  complete(work, 1);
  work.changeChain(1).spillLocation = SpillLocation::None;
  work.changeChain(2).fail("nothing fits");
  work.keepInL1(value("2"), block("2"));
  work.acceptFailure(op("3"));
  EXPECT_TRUE(work.failureAccepted(op("3")));
  EXPECT_FALSE(work.failureAccepted(op("4")));
  work.record(ChainEventKind::Rejected, 1, op("2"));
  work.finishTrace();
  ASSERT_EQ(trace_.chains.size(), 3u);
  EXPECT_EQ(chainsText(graph_, trace_), "%0 %1 | %2 | %3 %4");
  const ChainSummary &first = trace_.chains[0], &second = trace_.chains[1], &third = trace_.chains[2];
  EXPECT_EQ(first.state, L1ChainState::Completed);
  EXPECT_EQ(first.spill, SpillLocation::DRAM);
  EXPECT_EQ(first.mergedInto, -1);
  EXPECT_EQ(second.spill, SpillLocation::None);
  EXPECT_EQ(second.mergedInto, 2);
  EXPECT_EQ(third.state, L1ChainState::Failed);
  EXPECT_EQ(third.failure, "nothing fits");
  EXPECT_EQ(third.mergedInto, -1);
  ASSERT_EQ(trace_.reservations.size(), 1u);
  EXPECT_EQ(trace_.reservations[0].source, op("2"));
  ASSERT_EQ(trace_.events.size(), 1u);
  EXPECT_EQ(trace_.events[0].chain, 1);
  EXPECT_EQ(trace_.events[0].op, op("2"));
}

// A tensor that an op reads twice takes its place once.
TEST_F(ChainWorkTest, AnOperandReadTwiceCountsOnce) {
  const Graph graph =
      graphOf(GraphText().arg("%a").op("%0", "ttnn.relu", {"%a"}).op("%1", "ttnn.add", {"%0", "%0"}).text());
  const Problem problem = analysed(graph, allDevices()[0], {});
  ChainConfigs configs(problem);
  const std::vector<OpId> ops = {producerOf(graph, "0"), producerOf(graph, "1")};
  ChainWork work(problem, configs, built({ops}), trace_);
  L1ChainConfig& chain = work.changeChain(0);
  chain.resolved();
  chain.complete({{{block("0"), {}}, {block("1"), {}}}, {}});
  EXPECT_EQ(work.additionalL1(ops[1]).count, kPart);
}

// A result that stays where it is belongs to the last chain that reads it, whoever reads it after that.
TEST_F(ChainWorkTest, AChainIsMergedIntoTheLastOfItsReaders) {
  const Graph graph = graphOf(GraphText()
                                  .arg("%a")
                                  .op("%0", "ttnn.relu", {"%a"})
                                  .op("%1", "ttnn.gelu", {"%0"})
                                  .op("%2", "ttnn.abs", {"%0"})
                                  .returning({"%1", "%2"}));
  const Problem problem = analysed(graph, allDevices()[0], {});
  ChainConfigs configs(problem);
  ChainTrace trace;
  ChainWork work(problem, configs, built({{producerOf(graph, "0")}, {producerOf(graph, "1")}}), trace);
  for (const int32_t index : {0, 1}) {
    L1ChainConfig& chain = work.changeChain(index);
    chain.resolved();
    chain.complete({{{block("0"), {}}}, {}});
    chain.spillLocation = index == 0 ? SpillLocation::None : SpillLocation::DRAM;
  }
  work.finishTrace();
  ASSERT_EQ(trace.chains.size(), 2u);
  EXPECT_EQ(trace.chains[0].mergedInto, 1);
  EXPECT_EQ(trace.chains[1].mergedInto, -1);
}

// A decision asks every reader: here the second one takes no shards as its right operand.
TEST_F(ChainWorkTest, EveryReaderIsAskedAboutADecision) {
  const auto holds = [&](bool product) {
    GraphText text;
    text.arg("%a").arg("%w").matmul("%0", "%a", "%w").op("%1", "ttnn.gelu", {"%0"});
    if (product) text.matmul("%2", "%w", "%0");
    else text.op("%2", "ttnn.silu", {"%0"});
    const Graph graph = graphOf(text.op("%3", "ttnn.add", {"%1", "%2"}).text());
    const Problem problem = analysed(graph, allDevices()[0], {});
    ChainConfigs configs(problem);
    ChainWork work(problem, configs, {}, trace_);
    const OpId op = producerOf(graph, "0");
    for (const char* reader : {"1", "2"}) work.setConfig(producerOf(graph, reader), {block("0"), {}});
    const bool taken = work.tryConfig(op, {block("0"), {}});
    EXPECT_EQ(work.resident(valueNamed(graph, "0")).has_value(), taken);
    return taken;
  };
  EXPECT_TRUE(holds(false));
  EXPECT_FALSE(holds(true));
}

}  // namespace
}  // namespace tessera::test
