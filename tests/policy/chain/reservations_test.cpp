// Results kept in L1 behind chains, pass by pass, on chains that are made by hand: which are tried, what is recorded,
// and the budget from which on they fit. 512x512 bf16 are 8,192 bytes on each of 64 cores, sharded or interleaved.

#include "core/policy/chain/chain_passes.h"
#include "core/policy/kit/op_choice.h"
#include "tests/policy/chain/chain_testing.h"

namespace tessera::test {
namespace {

constexpr int64_t kPart = 8192, kTile = 2048;

// A graph whose named ops are chains of one op, block sharded over 64 cores.
struct HandMade {
  HandMade(const std::string& text, const std::vector<std::string>& chainOps, int64_t bytes = 1'300'000,
           const ProblemOptions& options = {}, const char* argumentInL1 = nullptr)
      : graph(graphOf(text)),
        model(allDevices()[0]),
        budget(Bytes(bytes)),
        problem(analyse(graph, model, options, budget, noDiagnostics())),
        inL1(argumentInL1 != nullptr && putIntoL1(argumentInL1)),
        configs(problem) {
    std::vector<L1ChainConfig> chains;
    for (const std::string& name : chainOps) {
      chains.emplace_back().addOp(producerOf(graph, name));
      chains.back().build();
    }
    work.emplace(problem, configs, std::move(chains), trace);
    for (int32_t i = 0; i < work->chainCount(); ++i) {
      L1ChainConfig& chain = work->changeChain(i);
      chain.resolved();
      // An argument is read through a copy, as unary ops want.
      const ValueId operand = graph.ops[chain.firstOp()].operands[0];
      std::vector<MemReconfigEntry> copies;
      if (!graph.values[operand].producer.valid()) copies.push_back({{{}, chain.firstOp(), 0}, sharded(operand)});
      chain.complete({{{sharded(work->chainResult(i)), {}}}, copies});
    }
  }
  TensorLayout sharded(ValueId value) {
    for (const TensorLayout& layout : configs.sharded(value)) {
      if (layout.memory == TensorMemoryLayout::BlockSharded && layout.grid.volume() == 64) return layout;
    }
    ADD_FAILURE() << "no block sharding over 64 cores";
    return {};
  }
  bool putIntoL1(const char* argument) {
    problem.pinned[value(argument)] = l1InterleavedLayout(problem, value(argument));
    return true;
  }
  ValueId value(const char* name) const { return valueNamed(graph, name); }
  std::string events() const {
    std::string text;
    for (const ChainEvent& event : trace.events) {
      text += std::string(chainEventName(event.kind)) + " " + nameOf(graph, event.op);
      if (event.other >= 0)
        text += " into " + std::to_string(event.other) + " operand " + std::to_string(event.operand);
      if (event.layout) text += " " + layoutText(*event.layout);
      if (event.before != 0) text += " " + std::to_string(event.before);
      text += event.note.empty() ? "; " : " (" + event.note + "); ";
    }
    return text;
  }
  SpillLocation spill(int32_t index) const { return work->chain(index).spillLocation; }

  Graph graph;
  OpModel model;
  L1Budget budget;
  Problem problem;
  bool inL1;  // before the configurations, which count the arguments in L1
  ChainConfigs configs;
  ChainTrace trace;
  std::optional<ChainWork> work;
};

GraphText reshaped(const std::string& shape = "1x512x512", const std::string& attr = "1 : i32, 512 : i32, 512 : i32") {
  return GraphText()
      .arg("%a")
      .op("%0", "ttnn.relu", {"%a"})
      .op("%1", "ttnn.reshape", {"%0"}, shape, "shape = [" + attr + "]")
      .op("%2", "ttnn.exp", {"%1"}, shape);
}

TEST(ReshapeReservations, AViewKeepsItsOperandAndItsResult) {
  HandMade made(reshaped().text(), {"0"});
  applyL1ReservationsForReshapes(*made.work);
  EXPECT_EQ(made.events(), "ReservationTried %1 L1 interleaved; Reserved %1 8192; ");
  EXPECT_EQ(made.spill(0), SpillLocation::L1Interleaved);
  ASSERT_EQ(made.work->reservations().size(), 2u);
  EXPECT_EQ(made.work->reservations()[0].startStep, 1);
  EXPECT_EQ(made.work->reservations()[0].endStep, 1);
  EXPECT_EQ(made.work->reservations()[1].startStep, 2);
  EXPECT_EQ(made.work->reservations()[1].endStep, 2);
  EXPECT_EQ(layoutText(made.work->configOf(producerOf(made.graph, "1")).output), "L1 interleaved");
  // The decision holds, and may be taken back.
  EXPECT_TRUE(made.work->takeBack(2));
  EXPECT_EQ(made.spill(0), SpillLocation::DRAM);
}

// At the conversion the sharded result, its interleaved copy and four tiles of buffers are there together.
TEST(ReshapeReservations, TheConversionMustFit) {
  const int64_t least = kPart + kPart + 4 * kTile;
  HandMade fits(reshaped().text(), {"0"}, least), tight(reshaped().text(), {"0"}, least - 1);
  applyL1ReservationsForReshapes(*fits.work);
  EXPECT_EQ(fits.spill(0), SpillLocation::L1Interleaved);
  applyL1ReservationsForReshapes(*tight.work);
  EXPECT_EQ(tight.spill(0), SpillLocation::DRAM);
  EXPECT_EQ(tight.events(), "ReservationTried %1 L1 interleaved; Rejected %0; ");
  ASSERT_TRUE(tight.trace.events[1].verdict.has_value());
  EXPECT_EQ(tight.trace.events[1].verdict->needed.count, least);
  EXPECT_TRUE(tight.work->reservations().empty());
  EXPECT_FALSE(tight.work->resident(tight.value("0")));
  EXPECT_TRUE(tight.work->configOf(producerOf(tight.graph, "1")).output.isDram());
}

TEST(ReshapeReservations, TheConversionMustFitBesideArgumentsInL1) {
  const int64_t least = kPart + kPart + 4 * kTile + kPart;
  HandMade fits(reshaped().arg("%b").text(), {"0"}, least, {}, "b"),
      tight(reshaped().arg("%b").text(), {"0"}, least - 1, {}, "b");
  applyL1ReservationsForReshapes(*fits.work);
  EXPECT_EQ(fits.spill(0), SpillLocation::L1Interleaved);
  applyL1ReservationsForReshapes(*tight.work);
  EXPECT_EQ(tight.spill(0), SpillLocation::DRAM);
}

// Up to the last reader of the view: %s, whose rows are wide, runs before it.
TEST(ReshapeReservations, WhatRunsBeforeTheLastReaderMustFit) {
  std::string answers;
  for (int64_t bytes = 300'000; bytes <= 400'000; bytes += kTile) {
    GraphText text;
    text.arg("%a").arg("%x", "64x16384").op("%0", "ttnn.relu", {"%a"});
    text.op("%1", "ttnn.reshape", {"%0"}, "1x512x512", "shape = [1 : i32, 512 : i32, 512 : i32]");
    text.op("%s", "ttnn.softmax", {"%x"}, "64x16384", "dimension = -1 : si32");
    HandMade made(text.op("%2", "ttnn.exp", {"%1"}, "1x512x512").returning({"%2", "%s"}), {"0"}, bytes);
    applyL1ReservationsForReshapes(*made.work);
    const bool kept = made.spill(0) == SpillLocation::L1Interleaved;
    if (kept) EXPECT_TRUE(made.work->check(producerOf(made.graph, "s")).ok()) << bytes;
    answers += kept ? '+' : '-';
  }
  EXPECT_NE(answers.find("-+"), std::string::npos) << answers;
}

TEST(ReshapeReservations, OtherResultsAreNotTried) {
  const auto triedOf = [](const std::string& text, const ProblemOptions& options = {}) {
    HandMade made(text, {"0"}, 1'300'000, options);
    applyL1ReservationsForReshapes(*made.work);
    return made.events();
  };
  EXPECT_EQ(triedOf(reshaped().returning({"%2", "%0"})), "") << "returned besides";
  EXPECT_EQ(triedOf(reshaped().returning({"%1"})), "ReservationTried %1 L1 interleaved; Reserved %1 8192; ")
      << "%2 reads it, too";
  EXPECT_EQ(triedOf(GraphText()
                        .arg("%a")
                        .op("%0", "ttnn.relu", {"%a"})
                        .op("%1", "ttnn.reshape", {"%0"}, "1x512x512", "shape = [1 : i32, 512 : i32, 512 : i32]")
                        .text()),
            "")
      << "nothing but the return reads the view";
  EXPECT_EQ(triedOf(reshaped().op("%3", "ttnn.neg", {"%0"}).returning({"%2", "%3"})), "") << "two readers";
  EXPECT_EQ(triedOf(reshaped("512x2x256", "512 : i32, 2 : i32, 256 : i32").text()), "") << "a copy";
  EXPECT_EQ(triedOf(GraphText().arg("%a").op("%0", "ttnn.relu", {"%a"}).op("%1", "ttnn.exp", {"%0"}).text()), "")
      << "no reshape";
  // A chain that stays where it is, or failed, has no part in it.
  HandMade kept(reshaped().text(), {"0"}), failed(reshaped().text(), {"0"});
  kept.work->changeChain(0).spillLocation = SpillLocation::None;
  failed.work->changeChain(0).fail("for a test");
  applyL1ReservationsForReshapes(*kept.work);
  applyL1ReservationsForReshapes(*failed.work);
  EXPECT_EQ(kept.events() + failed.events(), "");
}

TEST(ReshapeReservations, OneChainThatIsLeftOutDoesNotEndThePass) {
  GraphText text = reshaped();
  text.op("%3", "ttnn.relu", {"%a"})
      .op("%4", "ttnn.reshape", {"%3"}, "1x512x512", "shape = [1 : i32, 512 : i32, 512 : i32]")
      .op("%5", "ttnn.exp", {"%4"}, "1x512x512")
      .op("%6", "ttnn.relu", {"%a"})
      .op("%7", "ttnn.neg", {"%6"});
  HandMade made(text.returning({"%2", "%5", "%7", "%6"}), {"6", "3", "0"});
  applyL1ReservationsForReshapes(*made.work);
  EXPECT_EQ(
      made.events(),
      "ReservationTried %4 L1 interleaved; Reserved %4 8192; ReservationTried %1 L1 interleaved; Reserved %1 8192; ");
}

// --- forks -----------------------------------------------------------------------------------------------------------

TEST(ForkReservations, ShardedThenInterleavedThenDram) {
  const auto forked = [](const std::string& op) {
    return GraphText()
        .arg("%a")
        .op("%0", "ttnn.relu", {"%a"})
        .op("%1", op, {"%0"})
        .op("%2", "ttnn.add", {"%1", "%0"})
        .text();
  };
  HandMade sharded(forked("ttnn.relu"), {"0", "1"});
  applyL1ReservationsForForkOps(*sharded.work);
  EXPECT_EQ(sharded.spill(0), SpillLocation::None);
  EXPECT_EQ(sharded.events(), "ReservationTried %0 L1 block 8x8; Reserved %0 8192; ");
  EXPECT_EQ(sharded.work->reservations()[0].endStep, 2);
  HandMade none(forked("foo.unknown"), {"0"});
  applyL1ReservationsForForkOps(*none.work);
  EXPECT_EQ(none.spill(0), SpillLocation::DRAM);
  EXPECT_EQ(none.events(),
            "ReservationTried %0 L1 block 8x8; Rejected %1; ReservationTried %0 L1 interleaved; Rejected %1; ");
  EXPECT_TRUE(none.work->reservations().empty());
}

TEST(ForkReservations, AReductionDoesNotReadAShardedFork) {
  GraphText text;
  text.arg("%a").op("%0", "ttnn.relu", {"%a"}).op("%1", "ttnn.exp", {"%0"});
  text.op("%2", "ttnn.sum", {"%0"}, "512x1", "dim_arg = [1 : i32], keep_dim = true");
  HandMade made(text.returning({"%1", "%2"}), {"0"});
  applyL1ReservationsForForkOps(*made.work);
  EXPECT_EQ(made.spill(0), SpillLocation::L1Interleaved);
  EXPECT_EQ(made.events(),
            "ReservationTried %0 L1 block 8x8; Rejected %2 (a reduction does not read a sharded fork); "
            "ReservationTried %0 L1 interleaved; Reserved %0 8192; ");
}

TEST(ForkReservations, OnlyForksOfCompletedChainsAreTried) {
  HandMade single(GraphText().arg("%a").op("%0", "ttnn.relu", {"%a"}).op("%1", "ttnn.exp", {"%0"}).text(), {"0"});
  applyL1ReservationsForForkOps(*single.work);
  EXPECT_EQ(single.events(), "") << "one reader";
  HandMade returned(GraphText().arg("%a").op("%0", "ttnn.relu", {"%a"}).returning({"%0", "%0"}), {"0"});
  applyL1ReservationsForForkOps(*returned.work);
  EXPECT_EQ(returned.events(), "") << "the return alone reads it";
}

// --- merges ----------------------------------------------------------------------------------------------------------

// %0 and %1 end chains of their own; %2 adds them and begins a third.
GraphText joined() {
  GraphText text;
  text.arg("%a").arg("%b").op("%0", "ttnn.relu", {"%a"}).op("%1", "ttnn.relu", {"%b"});
  return text.op("%2", "ttnn.add", {"%0", "%1"}).op("%3", "ttnn.neg", {"%2"});
}

TEST(ChainMerges, BothOperandsOfTheFirstOp) {
  HandMade made(joined().text(), {"0", "1", "2"});
  applyChainMerges(*made.work);
  EXPECT_EQ(made.spill(0), SpillLocation::None);
  EXPECT_EQ(made.spill(1), SpillLocation::None);
  EXPECT_EQ(made.spill(2), SpillLocation::DRAM);
  EXPECT_EQ(made.events(),
            "MergeTried %2 into 2 operand 0 8192; MergeTried %2 into 2 operand 1 8192; "
            "MergeApplied %2 into 2 operand 0 8192; MergeApplied %2 into 2 operand 1 8192; ");
  EXPECT_TRUE(made.work->resident(made.value("0")));
  EXPECT_TRUE(made.work->resident(made.value("1")));
}

// Where two do not fit together one of them stays: of equal ones the one of the first operand.
TEST(ChainMerges, OneOfTwoThatDoNotFitTogether) {
  int alone = 0, both = 0, none = 0;
  for (int64_t bytes = 2 * kPart; bytes <= 8 * kPart; bytes += kTile) {
    SCOPED_TRACE(bytes);
    HandMade made(joined().text(), {"0", "1", "2"}, bytes);
    applyChainMerges(*made.work);
    const bool first = made.spill(0) == SpillLocation::None, second = made.spill(1) == SpillLocation::None;
    both += first && second, alone += first != second, none += !first && !second;
    EXPECT_EQ(made.work->resident(made.value("0")).has_value(), first);
    EXPECT_EQ(made.work->resident(made.value("1")).has_value(), second);
    EXPECT_EQ(made.work->reservations().size(), static_cast<size_t>(first) + static_cast<size_t>(second));
    // What is kept runs, all of it within the budget; more L1 never keeps less.
    if (first || second) EXPECT_LE(made.work->check(producerOf(made.graph, "2")).needed.count, bytes);
    EXPECT_FALSE(both > 0 && !(first && second));
  }
  EXPECT_GT(both, 0);
  EXPECT_GT(none + alone, 0);
}

// %s, whose rows are wide and which is in no chain, runs between both operands: with too little L1 beside it the first
// of them leaves, and the second stays.
TEST(ChainMerges, WhatRunsBetweenBothOperandsCounts) {
  std::string kept;
  for (int64_t bytes = 300'000; bytes <= 400'000; bytes += kTile) {
    GraphText text;
    text.arg("%a").arg("%b").arg("%x", "64x16384").op("%0", "ttnn.relu", {"%a"});
    text.op("%s", "ttnn.softmax", {"%x"}, "64x16384", "dimension = -1 : si32").op("%1", "ttnn.relu", {"%b"});
    text.op("%2", "ttnn.add", {"%0", "%1"});
    HandMade made(text.returning({"%2", "%s"}), {"0", "1", "2"}, bytes);
    applyChainMerges(*made.work);
    const bool first = made.spill(0) == SpillLocation::None;
    EXPECT_EQ(made.spill(1), SpillLocation::None) << bytes;
    if (first) EXPECT_TRUE(made.work->check(producerOf(made.graph, "s")).ok()) << bytes;
    kept += first ? '2' : '1';
  }
  EXPECT_NE(kept.find("12"), std::string::npos) << kept;
}

TEST(ChainMerges, ResultsThatOthersReadStayOut) {
  GraphText text = joined();
  text.op("%4", "ttnn.neg", {"%0"});
  HandMade made(text.returning({"%3", "%4"}), {"0", "1", "2"});
  applyChainMerges(*made.work);
  EXPECT_EQ(made.spill(0), SpillLocation::DRAM);
  EXPECT_EQ(made.spill(1), SpillLocation::None);
  EXPECT_EQ(made.events(), "MergeTried %2 into 2 operand 1 8192; MergeApplied %2 into 2 operand 1 8192; ");
  // Nor does a chain that failed, or one that is kept already, or one with the same chain on both sides.
  HandMade failed(joined().text(), {"0", "1", "2"}), kept(joined().text(), {"0", "1", "2"});
  failed.work->changeChain(0).fail("for a test");
  kept.work->changeChain(1).spillLocation = SpillLocation::L1Interleaved;
  applyChainMerges(*failed.work);
  applyChainMerges(*kept.work);
  EXPECT_EQ(failed.spill(1), SpillLocation::None);
  EXPECT_EQ(kept.spill(0), SpillLocation::None);
  EXPECT_EQ(kept.spill(1), SpillLocation::L1Interleaved);
  HandMade target(joined().text(), {"0", "1", "2"});
  target.work->changeChain(2).fail("for a test");
  applyChainMerges(*target.work);
  EXPECT_EQ(target.events(), "");
}

}  // namespace
}  // namespace tessera::test
