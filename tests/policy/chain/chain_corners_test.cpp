// Corners of the chains' plans on chains that are made by hand: each result in DRAM has one reason, copies in L1 stand
// beside what they are made of, and whose result comes first.

#include "core/policy/chain/chain_passes.h"
#include "core/policy/chain/chain_plan.h"
#include "core/policy/chain/dispatch_d2m.h"
#include "tests/policy/chain/chain_testing.h"

namespace tessera::test {
namespace {

// A graph whose named ops form chains, each result block sharded over all 64 cores; nothing is read through a copy.
struct Chained {
  Chained(const std::string& text, const std::vector<std::vector<std::string>>& chainOps, int64_t bytes = 1'300'000)
      : graph(graphOf(text)),
        model(allDevices()[0]),
        budget(Bytes(bytes)),
        problem(analyse(graph, model, {}, budget, noDiagnostics())),
        configs(problem) {
    std::vector<L1ChainConfig> chains;
    for (const std::vector<std::string>& names : chainOps) {
      chains.emplace_back();
      for (const std::string& name : names) chains.back().addOp(producerOf(graph, name));
      chains.back().build();
    }
    work.emplace(problem, configs, std::move(chains), trace);
    for (int32_t i = 0; i < work->chainCount(); ++i) complete(i, {});
  }
  void complete(int32_t index, std::vector<MemReconfigEntry> copies,
                TensorMemoryLayout memory = TensorMemoryLayout::BlockSharded) {
    L1ChainConfig chain;
    for (const OpId one : work->chain(index).ops()) chain.addOp(one);
    chain.build();
    chain.resolved();
    ShardSolverSolution solution;
    for (const OpId one : chain.ops()) solution.configs.push_back({sharded(work->resultOf(one), memory), {}});
    solution.memReconfig = std::move(copies);
    chain.complete(solution);
    work->changeChain(index) = chain;
  }
  TensorLayout sharded(ValueId value, TensorMemoryLayout memory = TensorMemoryLayout::BlockSharded) {
    for (const TensorLayout& layout : configs.sharded(value)) {
      if (layout.memory == memory && (memory != TensorMemoryLayout::BlockSharded || layout.grid.volume() == 64))
        return layout;
    }
    ADD_FAILURE() << "no such shards";
    return {};
  }
  OpId op(const char* name) const { return producerOf(graph, name); }
  ValueId value(const char* name) const { return valueNamed(graph, name); }
  std::string spillsOf(const Plan& plan) const {
    std::string text;
    for (const Spill& spill : plan.spills)
      text += "%" + graph.values[spill.value].name + " to " + layoutText(spill.to) + " before " +
              nameOf(graph, spill.before) + "; ";
    return text;
  }

  Graph graph;
  OpModel model;
  L1Budget budget;
  Problem problem;
  ChainConfigs configs;
  ChainTrace trace;
  std::optional<ChainWork> work;
};

GraphText sums(const std::string& shape = "512x512") {
  return GraphText(shape)
      .arg("%a")
      .arg("%b")
      .op("%0", "ttnn.add", {"%a", "%b"})
      .op("%1", "ttnn.add", {"%0", "%a"})
      .op("%2", "ttnn.exp", {"%1"});
}

// %1 needs three parts of 8,192 bytes and two tiles, what its chain holds included: taking back that %0 stays does not
// help, so the chain fails, too. Each result in DRAM has one reason, the last.
TEST(ChainCorners, EachResultInDramHasOneReason) {
  Chained made(sums().text(), {{"0", "1"}}, 28'671);
  const ChainWork::Mark mark = made.work->mark();
  made.work->keepInL1(made.value("0"), made.sharded(made.value("0")));
  made.work->commit(mark);
  std::vector<std::string> warnings;
  const Plan plan = settleChainPlan(*made.work, warnings);
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_EQ(warnings[0].find("A result that was to stay in L1 goes to DRAM after all: %1 needs 28672 B"), 0u);
  EXPECT_EQ(warnings[1].find("The chain of %1 goes back to DRAM: %1 needs 28672 B"), 0u);
  std::vector<std::string> reasons;
  for (const RoomEvent& event : plan.room) {
    reasons.push_back("%" + made.graph.values[event.value].name + " for " + nameOf(made.graph, event.wanted));
    EXPECT_EQ(event.needed, Bytes(28'672));
    EXPECT_EQ(event.available, Bytes(28'671));
    EXPECT_EQ(event.occupied, Bytes(8192)) << "%0";
  }
  std::sort(reasons.begin(), reasons.end());
  EXPECT_EQ(reasons, (std::vector<std::string>{"%0 for %1", "%1 for %1"}));
}

// What stays in L1 in the end needs no reason, even when a decision about it was taken back on the way.
TEST(ChainCorners, WhatStaysInL1HasNoReason) {
  Chained made(GraphText()
                   .arg("%a")
                   .arg("%b")
                   .op("%0", "ttnn.add", {"%a", "%b"})
                   .op("%1", "ttnn.exp", {"%b"})
                   .op("%2", "ttnn.add", {"%1", "%a"})
                   .op("%3", "ttnn.add", {"%2", "%0"})
                   .text(),
               {{"0"}, {"2"}}, 28'671);
  const ChainWork::Mark mark = made.work->mark();
  made.work->changeChain(0).spillLocation = SpillLocation::None;
  made.work->keepInL1(made.value("0"), made.sharded(made.value("0")));
  made.work->commit(mark);
  std::vector<std::string> warnings;
  const Plan plan = settleChainPlan(*made.work, warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("%2 needs 28672 B"), std::string::npos) << "it does not fit beside %0: " << warnings[0];
  EXPECT_TRUE(plan.layout[made.value("0")]->isL1()) << "up to the end of its chain";
  EXPECT_EQ(made.spillsOf(plan), "%0 to DRAM before %1; %2 to DRAM before %3; ");
  EXPECT_TRUE(plan.room.empty());
}

// A conversion reads the shards while it writes the copy: both have to find a place, and its circular buffers of four
// tiles below them. L1 has 1,396,448 bytes for tensors.
TEST(ChainCorners, ACopyInL1StandsBesideItsSource) {
  struct Case {
    const char* shape;
    int64_t part;  // bytes on each core
    Refusal reason;
    int64_t needed, available;
  };
  for (const Case& one :
       {Case{"4096x5376", 688'128, Refusal::None, 0, 0}, Case{"4096x5632", 720'896, Refusal::NoHole, 720'896, 675'552},
        Case{"4352x5120", 696'320, Refusal::CircularBufferClash, 8'192, 3'808}}) {
    SCOPED_TRACE(one.shape);
    Chained made(sums(one.shape).text(), {{"0"}}, 1'396'448);
    EXPECT_EQ(l1BytesPerCore(made.sharded(made.value("0"))), Bytes(one.part));
    made.work->changeChain(0).spillLocation = SpillLocation::L1Interleaved;
    const ChainPlan written = writeChainPlan(*made.work);
    EXPECT_EQ(written.failedAt.valid(), one.reason != Refusal::None);
    EXPECT_EQ(written.verdict.reason, one.reason);
    EXPECT_EQ(written.verdict.needed, Bytes(one.needed));
    EXPECT_EQ(written.verdict.available, Bytes(one.available));
    if (one.reason == Refusal::None) EXPECT_EQ(made.spillsOf(written.plan), "%0 to L1 interleaved before %1; ");
    else EXPECT_EQ(nameOf(made.graph, written.failedAt), "%1");
  }
}

// The copy takes the hole that %0 left above %1, which goes: what lies lower then is free again. The run finds a place
// for all of it, buffers included, though 7,904 bytes are left below both.
TEST(ChainCorners, ACopyInAHoleAboveItsSourceFits) {
  Chained made(GraphText("768x28928")
                   .arg("%a")
                   .arg("%b")
                   .op("%0", "ttnn.add", {"%a", "%b"})
                   .op("%1", "ttnn.relu", {"%0"})
                   .op("%2", "ttnn.exp", {"%1"})
                   .text(),
               {{"0", "1"}}, 1'396'448);
  EXPECT_EQ(l1BytesPerCore(made.sharded(made.value("1"))), Bytes(694'272));
  made.work->changeChain(0).spillLocation = SpillLocation::L1Interleaved;
  const ChainPlan written = writeChainPlan(*made.work);
  ASSERT_FALSE(written.failedAt.valid()) << verdictText(written.verdict);
  EXPECT_EQ(made.spillsOf(written.plan), "%1 to L1 interleaved before %2; ");
  const AppliedPlan applied = applyPlan(made.graph, written.plan, made.problem.device.grid);
  const SimResult sim = simulate(applied.graph, made.model, made.problem.budget.bytes(), written.plan.config);
  EXPECT_EQ(sim.failures, 0);
  EXPECT_EQ(sim.refused, 0);
}

// A branch right behind a chain reads the result where it lies when it converts it anyway. Where it reads it a second
// time as it is, or the result stays in L1 in another form, the move comes first.
TEST(ChainCorners, ABranchThatConvertsTheResultReadsItFromItsPlace) {
  const auto movesOf = [](const std::string& second, SpillLocation to) {
    Chained made(GraphText()
                     .arg("%a")
                     .arg("%b")
                     .op("%0", "ttnn.add", {"%a", "%b"})
                     .op("%1", "ttnn.add", {"%0", second})
                     .op("%2", "ttnn.exp", {"%0"})
                     .returning({"%1", "%2"}),
                 {{"0"}, {"1"}});
    made.work->changeChain(0).spillLocation = to;
    made.complete(
        1, {{{made.op("0"), made.op("1"), 0}, made.sharded(made.value("0"), TensorMemoryLayout::HeightSharded)}});
    const ChainPlan written = writeChainPlan(*made.work);
    EXPECT_FALSE(written.failedAt.valid()) << verdictText(written.verdict);
    return made.spillsOf(written.plan);
  };
  EXPECT_EQ(movesOf("%a", SpillLocation::DRAM), "%0 to DRAM before %2; %1 to DRAM before %2; ");
  EXPECT_EQ(movesOf("%0", SpillLocation::DRAM), "%0 to DRAM before %1; %1 to DRAM before %2; ");
  EXPECT_EQ(movesOf("%a", SpillLocation::L1Interleaved), "%0 to L1 interleaved before %1; %1 to DRAM before %2; ");
}

// A conversion further down its chain is not the branch's own.
TEST(ChainCorners, ABranchWhoseChainConvertsLaterReadsTheCopy) {
  Chained made(GraphText()
                   .arg("%a")
                   .arg("%b")
                   .op("%0", "ttnn.add", {"%a", "%b"})
                   .op("%1", "ttnn.add", {"%0", "%b"})
                   .op("%2", "ttnn.add", {"%1", "%a"})
                   .op("%3", "ttnn.exp", {"%0"})
                   .returning({"%2", "%3"}),
               {{"0"}, {"1", "2"}});
  made.complete(1,
                {{{made.op("1"), made.op("2"), 0}, made.sharded(made.value("1"), TensorMemoryLayout::HeightSharded)}});
  const ChainPlan written = writeChainPlan(*made.work);
  EXPECT_FALSE(written.failedAt.valid()) << verdictText(written.verdict);
  EXPECT_EQ(made.spillsOf(written.plan), "%0 to DRAM before %1; %2 to DRAM before %3; ");
}

// An op outside of all chains that refuses what was kept for it is not helped with a copy: what was kept goes back.
TEST(ChainCorners, WhatAReaderRefusesIsTakenBack) {
  Chained made(GraphText().arg("%a").arg("%b").op("%0", "ttnn.add", {"%a", "%b"}).op("%1", "ttnn.exp", {"%0"}).text(),
               {{"0"}});
  const ChainWork::Mark mark = made.work->mark();
  made.work->changeChain(0).spillLocation = SpillLocation::None;
  made.work->keepInL1(made.value("0"), made.sharded(made.value("0")));
  made.work->commit(mark);
  const ChainPlan written = writeChainPlan(*made.work);
  EXPECT_EQ(written.failedAt, made.op("1"));
  EXPECT_EQ(written.verdict.reason, Refusal::LayoutChangeBefore2026);
  std::vector<std::string> warnings;
  const Plan plan = settleChainPlan(*made.work, warnings);
  EXPECT_EQ(warnings.size(), 1u);
  EXPECT_EQ(made.spillsOf(plan), "%0 to DRAM before %1; ");
  EXPECT_TRUE(plan.reshards.empty());
}

// A merged result is read as it lies; where the join refuses that, through the copy that it had.
TEST(ChainCorners, AMergedResultIsReadThroughTheCopyWhereItMustBe) {
  for (const TensorMemoryLayout memory : {TensorMemoryLayout::BlockSharded, TensorMemoryLayout::HeightSharded}) {
    Chained made(GraphText()
                     .arg("%a")
                     .arg("%b")
                     .op("%0", "ttnn.add", {"%a", "%b"})
                     .op("%1", "ttnn.relu", {"%0"})
                     .op("%2", "ttnn.exp", {"%1"})
                     .text(),
                 {{"0"}, {"1"}});
    made.complete(0, {}, memory);
    made.complete(1, {{{made.op("0"), made.op("1"), 0}, made.sharded(made.value("0"))}});
    applyChainMerges(*made.work);
    EXPECT_EQ(made.work->chain(0).spillLocation, SpillLocation::None);
    EXPECT_EQ(made.work->chain(1).memReconfig().size(), memory == TensorMemoryLayout::BlockSharded ? 0u : 1u);
  }
}

// A fused kernel stands between the first chain that ends with one of its operands and the first that begins with a
// reader; who only passes it on the way is neither.
TEST(ChainCorners, AKernelIsRelatedToTheFirstOfItsChains) {
  Chained made(GraphText()
                   .arg("%a")
                   .arg("%b")
                   .op("%0", "ttnn.add", {"%a", "%b"})
                   .op("%1", "ttnn.add", {"%b", "%a"})
                   .op("%d", "ttnn.dispatch_d2m", {"%0", "%1"})
                   .op("%2", "ttnn.add", {"%a", "%b"})
                   .op("%3", "ttnn.add", {"%2", "%d"})
                   .op("%4", "ttnn.add", {"%d", "%a"})
                   .op("%5", "ttnn.add", {"%d", "%b"})
                   .returning({"%3", "%4", "%5"}),
               {{"1"}, {"0"}, {"2", "3"}, {"4"}, {"5"}});
  EXPECT_EQ(buildDispatchChainRelationships(*made.work),
            (std::vector<DispatchChainRelationship>{{made.op("d"), 1, 3}}));
}

// A chain's result that its last reader has read goes with it: nothing is moved, even where a conversion stood waiting.
TEST(ChainCorners, AResultIsNotMovedBehindItsLastReader) {
  Chained made(GraphText()
                   .arg("%a")
                   .arg("%b")
                   .op("%0", "ttnn.add", {"%a", "%b"})
                   .op("%1", "ttnn.add", {"%0", "%a"})
                   .op("%2", "ttnn.exp", {"%b"})
                   .returning({"%2"}),
               {{"0"}, {"1"}});
  made.complete(1,
                {{{made.op("0"), made.op("1"), 0}, made.sharded(made.value("0"), TensorMemoryLayout::HeightSharded)}});
  const ChainPlan written = writeChainPlan(*made.work);
  ASSERT_FALSE(written.failedAt.valid());
  EXPECT_EQ(made.spillsOf(written.plan), "") << "%0 ends with %1, and nobody reads %1";
  EXPECT_TRUE(written.plan.layout[made.value("1")]->isL1());
}

// Of two results for one join the one that is made first comes first, whichever operand it is: what runs after it is
// asked with it in L1.
TEST(ChainCorners, OfTwoResultsForAJoinTheEarlierComesFirst) {
  for (const bool turned : {false, true}) {
    Chained made(GraphText()
                     .arg("%a")
                     .arg("%b")
                     .op("%0", "ttnn.add", {"%a", "%b"})
                     .op("%1", "ttnn.add", {"%b", "%a"})
                     .op("%2", "ttnn.add", {turned ? "%1" : "%0", turned ? "%0" : "%1"})
                     .text(),
                 {{"0"}, {"1"}, {"2"}}, 65'536);
    applyChainMerges(*made.work);
    std::string events;
    for (const ChainEvent& event : made.trace.events)
      events += std::string(chainEventName(event.kind)) + " " + std::to_string(event.chain) + " operand " +
                std::to_string(event.operand) + "; ";
    const std::string first = turned ? "0 operand 1; " : "0 operand 0; ",
                      second = turned ? "1 operand 0; " : "1 operand 1; ";
    EXPECT_EQ(events,
              "MergeTried " + first + "MergeTried " + second + "MergeApplied " + first + "MergeApplied " + second);
  }
}

// What is taken when an op finds no room is all that lies in L1 then: %0, %1 and %2, a share of 64 cores each, while
// %3 runs.
TEST(ChainCorners, WhatIsTakenIsAllThatLiesThere) {
  int failures = 0;
  for (int64_t bytes = 20'000; bytes <= 80'000; bytes += 2'000) {
    Chained made(GraphText()
                     .arg("%a")
                     .arg("%b")
                     .op("%0", "ttnn.add", {"%a", "%b"})
                     .op("%1", "ttnn.add", {"%b", "%a"})
                     .op("%2", "ttnn.add", {"%b", "%b"})
                     .op("%3", "ttnn.add", {"%a", "%a"})
                     .returning({"%0", "%1", "%2", "%3"}),
                 {{"0"}, {"1"}, {"2"}, {"3"}}, bytes);
    for (int32_t i = 0; i < 3; ++i) made.work->changeChain(i).spillLocation = SpillLocation::None;
    const ChainPlan written = writeChainPlan(*made.work);
    if (written.failedAt != made.op("3")) continue;
    ++failures;
    EXPECT_EQ(written.verdict.status, OpStatus::OutOfMemory);
    EXPECT_EQ(written.occupied.count, 3 * 64 * 64 * 2) << bytes;
  }
  EXPECT_GT(failures, 0);
}

// An op between two results of a join that finds no room beside the first of them: only the second stays.
TEST(ChainCorners, OpsBetweenTwoResultsOfAJoinCount) {
  for (const bool turned : {false, true}) {
    int both = 0, less = 0;
    for (const int64_t bytes : {30'000, 200'000}) {
      Chained made(GraphText()
                       .arg("%a")
                       .arg("%b")
                       .op("%0", "ttnn.add", {"%a", "%b"})
                       .op("%x", "ttnn.add", {"%a", "%b"})
                       .op("%1", "ttnn.add", {"%b", "%x"})
                       .op("%2", "ttnn.add", {turned ? "%1" : "%0", turned ? "%0" : "%1"})
                       .text(),
                   {{"0"}, {"x", "1"}, {"2"}}, bytes);
      applyChainMerges(*made.work);
      const bool first = made.work->chain(0).spillLocation == SpillLocation::None;
      const bool second = made.work->chain(1).spillLocation == SpillLocation::None;
      EXPECT_TRUE(second);
      both += first;
      less += !first;
      if (!first) EXPECT_EQ(nameOf(made.graph, findEvent(made.trace, ChainEventKind::Rejected)->op), "%1");
    }
    EXPECT_EQ(both, 1);
    EXPECT_EQ(less, 1);
  }
}

// A concat reads its inputs from L1 only where every op from the end of the first input on runs beside what has come
// together by then: %s, whose rows are wide, between the inputs or before both.
TEST(ChainCorners, OpsBetweenTheInputsOfAConcatCount) {
  const auto rowsOf = [](GraphText& text) {
    text.op("%s", "ttnn.softmax", {"%x"}, "64x16384", "dimension = -1 : si32");
  };
  std::string answers[2];
  for (const bool between : {false, true}) {
    for (int64_t bytes = 100'000; bytes <= 1'300'000; bytes += 25'000) {
      GraphText text;
      text.arg("%a").arg("%b").arg("%x", "64x16384");
      if (!between) rowsOf(text);
      text.op("%0", "ttnn.add", {"%a", "%b"});
      if (between) rowsOf(text);
      text.op("%1", "ttnn.add", {"%b", "%a"}).op("%2", "ttnn.concat", {"%0", "%1"}, "512x1024", "dim = 1 : si32");
      Chained made(text.op("%3", "ttnn.exp", {"%2"}, "512x1024").returning({"%3", "%s"}), {{"0"}, {"1"}}, bytes);
      for (const int32_t chain : {0, 1}) {
        L1ChainConfig one;
        one.addOp(made.work->chain(chain).firstOp());
        one.build();
        one.resolved();
        one.complete({{{made.sharded(made.work->chainResult(chain), TensorMemoryLayout::HeightSharded), {}}}, {}});
        made.work->changeChain(chain) = one;
      }
      std::vector<L1ChainConfig> chains = {made.work->chain(0), made.work->chain(1), {}};
      chains[2].addOp(made.op("2"));
      chains[2].build();
      chains[2].isConcatChain = true;
      ChainTrace trace;
      ChainWork work(made.problem, made.configs, std::move(chains), trace);
      resolveConcatChains(work);
      const bool fromL1 = work.completed(2);
      answers[between] += fromL1 ? "+" : "-";
      EXPECT_EQ(fromL1, work.chain(0).spillLocation == SpillLocation::None);
      if (fromL1) EXPECT_TRUE(work.check(made.op("s")).ok() || !between) << bytes;
    }
  }
  EXPECT_NE(answers[0].find("-+"), std::string::npos) << answers[0];
  EXPECT_NE(answers[1].find("-+"), std::string::npos) << answers[1];
  EXPECT_GT(answers[1].find('+'), answers[0].find('+')) << "the wide rows take more than the concat itself";
}

}  // namespace
}  // namespace tessera::test
