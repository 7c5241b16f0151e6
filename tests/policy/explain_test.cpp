// What is said about a decision of the pass generation, sentence by sentence: beams, spill events and plans made by
// hand.

#include "core/policy/propagate/explain.h"

#include "tests/policy/chain/chain_testing.h"

namespace tessera::test {
namespace {

// %0 = relu(%a); what pass 1 and pass 2 decided about it is written by each case.
struct OneOp {
  Graph graph = graphOf(GraphText().arg("%a").op("%0", "ttir.relu", {"%a"}).op("%1", "ttir.exp", {"%0"}).text());
  DeviceSpec device = allDevices()[0];
  Problem problem = analysed(graph, device, {});
  OpId op = producerOf(graph, "0"), second = producerOf(graph, "1");
  ValueId value = valueNamed(graph, "0");
  TensorLayout dram = dramLayout(problem, value), spread = l1InterleavedLayout(problem, value);
  TensorLayout height = sharded(TensorMemoryLayout::HeightSharded, {16, 1});
  TensorLayout width = sharded(TensorMemoryLayout::WidthSharded, {1, 16});

  PropagateOptions options;
  LayoutPool pool;
  Beams beams;
  Propagation pass1{pool};
  SpillOutcome outcome;
  Plan plan;

  OneOp() {
    problem.legal[op].rejected.clear();
    beams.resize(graph.ops.size());
    pass1.chosen.resize(graph.ops.size(), -1);
    pass1.chosen[op] = 0;
    plan.layout.resize(graph.values.size());
  }
  OneOp(const OneOp&) = delete;
  OneOp& operator=(const OneOp&) = delete;

  TensorLayout sharded(TensorMemoryLayout memory, GridShape grid) const {
    return layoutFor(graph, value, BufferType::L1, memory, grid, device);
  }
  OneOp& entry(const TensorLayout& layout, PathScore score = {}) {
    BeamEntry made;
    made.config.output = layout;
    made.score = score;
    beams[op].entries.push_back(made);
    return *this;
  }
  OneOp& tried(const TensorLayout& layout, CandidateStatus status = CandidateStatus::Worse, int reshards = 0) {
    beams[op].tried.push_back({layout, status, {}, reshards, ""});
    return *this;
  }
  OneOp& event(SpillAction action, int32_t step, Refusal reason = Refusal::None) {
    SpillEvent made;
    made.step = step, made.action = action, made.reason = reason;
    outcome.events.push_back(made);
    return *this;
  }
  OneOp& reshard(OpId consumer) {
    plan.reshards.push_back({consumer, 0, spread});
    return *this;
  }
  Decision decide(const TensorLayout& layout) {
    plan.layout[value] = layout;
    DecisionLog log;
    explainDecisions(problem, options, beams, pass1, outcome, plan, log);
    EXPECT_EQ(log.decisions.size(), 1u) << "the second op has no entry";
    if (log.decisions.empty()) return {};
    EXPECT_EQ(log.decisions[0].op, op);
    EXPECT_EQ(log.decisions[0].value, value);
    return log.decisions[0];
  }
};

OpVerdict outOfL1() {
  OpVerdict verdict;
  verdict.status = OpStatus::OutOfMemory, verdict.reason = Refusal::OutOfL1;
  verdict.needed = Bytes(4096), verdict.available = Bytes(1024);
  return verdict;
}

TEST(Explain, AResultInL1SaysHowItWasFoundAndWhatMoved) {
  OneOp first;
  EXPECT_EQ(first.entry(first.height).decide(first.height).summary,
            "L1 height 16x1 is the first layout that works with the operands, operands where they are.");
  OneOp best;
  best.entry(best.width).entry(best.height).reshard(best.op);
  EXPECT_EQ(best.decide(best.width).summary, "L1 width 1x16 is on the best path, after 1 operand moved.");
  OneOp two;
  two.entry(two.spread).reshard(two.op).reshard(two.second).reshard(two.op);
  EXPECT_EQ(two.decide(two.spread).summary,
            "L1 interleaved is the first layout that works with the operands, after 2 operands moved.");
}

TEST(Explain, AResultInDramSaysWhy) {
  OneOp only;
  EXPECT_EQ(only.entry(only.dram).decide(only.dram).summary, "Stays in DRAM: nothing else is possible or better.");
  OneOp refused;
  refused.entry(refused.dram).tried(refused.height, CandidateStatus::Rejected).reshard(refused.op);
  EXPECT_EQ(refused.decide(refused.dram).summary,
            "Stays in DRAM: layouts in L1 were refused or are worse; 1 operand had to move first (1 candidate "
            "refused).");
}

TEST(Explain, RefusedCandidatesAndVictimsAreCounted) {
  OneOp one;
  one.entry(one.height).tried(one.width, CandidateStatus::Rejected).tried(one.spread, CandidateStatus::Rejected);
  one.event(SpillAction::Evict, 0).event(SpillAction::Evict, 1);
  EXPECT_EQ(one.decide(one.height).summary,
            "L1 height 16x1 is the first layout that works with the operands, operands where they are (2 candidates "
            "refused); 1 value had to leave L1 before.");
  OneOp three;
  three.entry(three.height).event(SpillAction::EvictAll, 0).event(SpillAction::Evict, 0).event(SpillAction::Fail, 0);
  EXPECT_EQ(three.decide(three.height).summary,
            "L1 height 16x1 is the first layout that works with the operands, operands where they are; 2 values had to "
            "leave L1 before.");
}

TEST(Explain, ADemotedResultNamesWhatWasWantedAndWhy) {
  OneOp demoted;
  demoted.entry(demoted.height).event(SpillAction::Demote, 0, Refusal::NoHole);
  EXPECT_EQ(demoted.decide(demoted.spread).summary,
            "L1 height 16x1 was wanted, but finds no hole in L1 that is large enough: the result goes to L1 "
            "interleaved.");
  OneOp other;  // at another step
  other.entry(other.dram).event(SpillAction::Demote, 1, Refusal::NoHole);
  EXPECT_EQ(other.decide(other.dram).summary, "Stays in DRAM: nothing else is possible or better.");
}

TEST(Explain, WhatCannotRunSaysWhatTheModelSaid) {
  OneOp failed;
  failed.entry(failed.dram);
  failed.beams[failed.op].entries[0].verdict = outOfL1();
  failed.outcome.failed = {0};
  EXPECT_EQ(
      failed.decide(failed.dram).summary,
      "No layout works, not even DRAM: needs 4096 B of L1 per core, 1024 B are allowed. The op is left as it is and "
      "will fail.");
  OneOp fallback;
  fallback.entry(fallback.dram);
  fallback.beams[fallback.op].entries[0].verdict = outOfL1();
  fallback.beams[fallback.op].usedDramFallback = true;
  fallback.outcome.failed = {1};
  EXPECT_EQ(
      fallback.decide(fallback.dram).summary,
      "No layout works, not even DRAM: needs 4096 B of L1 per core, 1024 B are allowed. The op is left in DRAM and "
      "will fail.");
}

// --- why candidates lost ---------------------------------------------------------------------------------------------

std::string noteOf(const Decision& decision, const TensorLayout& layout) {
  for (const Candidate& candidate : decision.candidates)
    if (candidate.layout == layout) return candidate.note;
  return "?";
}

TEST(Explain, CandidatesThatLeftTheBeamLostByTheScore) {
  const std::pair<BeamScore, const char*> kNotes[] = {
      {BeamScore::Cores, "its path has fewer cores, or more reshards"},
      {BeamScore::Time, "its path takes longer"},
      {BeamScore::Upstream, "scores lower"},
      {BeamScore::First, "comes later in the order of preference"},
  };
  for (const auto& [score, note] : kNotes) {
    OneOp op;
    op.options.score = score;
    op.entry(op.height).tried(op.height).tried(op.spread).tried(op.dram, CandidateStatus::Worse, 2);
    op.beams[op.op].entries[0].reshards = 1;
    op.tried(op.width, CandidateStatus::Worse, 1);
    const Decision decision = op.decide(op.height);
    EXPECT_EQ(noteOf(decision, op.height), "");
    EXPECT_EQ(noteOf(decision, op.spread), note);
    EXPECT_EQ(noteOf(decision, op.width), note) << "as many operands converted as of the chosen one";
    EXPECT_EQ(noteOf(decision, op.dram), "needs operands converted first");
  }
}

// By time: 5 and 7 stand before the chosen one, equals and worse ones behind.
TEST(Explain, CandidatesOfTheBeamAreComparedWithTheChosenOne) {
  const auto taking = [](int64_t time) {
    PathScore score;
    score.time = time;
    return score;
  };
  OneOp op;
  op.options.score = BeamScore::Time;
  const TensorLayout block = op.sharded(TensorMemoryLayout::BlockSharded, {4, 4});
  op.entry(op.width, taking(5)).entry(block, taking(7)).entry(op.height, taking(7)).entry(op.spread, taking(7));
  op.entry(op.dram, taking(9));
  for (const TensorLayout& layout : {op.dram, op.spread, op.height, block, op.width}) op.tried(layout);
  op.pass1.chosen[op.op] = 2;
  const Decision decision = op.decide(op.height);
  EXPECT_EQ(noteOf(decision, op.width), "better by itself, but what reads it was planned with L1 height 16x1");
  EXPECT_EQ(noteOf(decision, block), "as good by itself, but what reads it was planned with L1 height 16x1");
  EXPECT_EQ(noteOf(decision, op.height), "");
  EXPECT_EQ(noteOf(decision, op.spread), "as good by itself: of equals the first that was found stands first");
  EXPECT_EQ(noteOf(decision, op.dram), "its path takes longer");
  EXPECT_EQ(decision.candidates[0].layout, op.dram) << "in the order of evaluation";
}

TEST(Explain, TheChosenCandidateHasTheVerdictAndTheMovesOfThePlan) {
  OneOp op;
  op.entry(op.height).tried(op.spread).tried(op.height, CandidateStatus::Worse, 2).reshard(op.op);
  op.beams[op.op].tried[1].note = "of pass 1";
  op.beams[op.op].tried[1].verdict = outOfL1();
  op.beams[op.op].entries[0].verdict.needed = Bytes(77);
  const Decision decision = op.decide(op.height);
  ASSERT_EQ(decision.candidates.size(), 2u);
  EXPECT_EQ(decision.candidates[0].status, CandidateStatus::Worse);
  const Candidate& chosen = decision.candidates[1];
  EXPECT_EQ(chosen.status, CandidateStatus::Chosen);
  EXPECT_TRUE(chosen.verdict.ok());
  EXPECT_EQ(chosen.verdict.needed, Bytes(77));
  EXPECT_EQ(chosen.reshards, 1);
  EXPECT_EQ(chosen.note, "");
  // What pass 2 put elsewhere keeps the verdict of the layout it got.
  OneOp demoted;
  demoted.entry(demoted.height).tried(demoted.height).tried(demoted.spread);
  demoted.beams[demoted.op].tried[1].verdict.needed = Bytes(5);
  demoted.beams[demoted.op].entries[0].verdict.needed = Bytes(77);
  const Decision moved = demoted.decide(demoted.spread);
  EXPECT_EQ(moved.candidates[0].status, CandidateStatus::Worse);
  EXPECT_EQ(moved.candidates[1].status, CandidateStatus::Chosen);
  EXPECT_EQ(moved.candidates[1].verdict.needed, Bytes(5));
}

TEST(Explain, ALayoutThatNobodyTriedStandsLast) {
  OneOp op;
  op.entry(op.height).tried(op.width, CandidateStatus::Rejected).reshard(op.op);
  op.beams[op.op].tried[0].verdict = outOfL1();
  op.beams[op.op].entries[0].verdict.needed = Bytes(77);
  const Decision decision = op.decide(op.height);
  ASSERT_EQ(decision.candidates.size(), 2u);
  EXPECT_EQ(decision.candidates[0].status, CandidateStatus::Rejected);
  EXPECT_EQ(decision.candidates[0].verdict.needed, Bytes(4096));
  EXPECT_EQ(decision.candidates[0].note, "");
  EXPECT_EQ(decision.candidates[1].layout, op.height);
  EXPECT_EQ(decision.candidates[1].status, CandidateStatus::Chosen);
  EXPECT_EQ(decision.candidates[1].verdict.needed, Bytes(77));
  EXPECT_EQ(decision.candidates[1].reshards, 1);
}

// Of twenty layouts sixteen are kept, the chosen one among them; a layout that comes again is left out.
TEST(Explain, SixteenCandidatesAreKeptWithTheChosenOne) {
  for (const size_t chosenAt : {size_t{0}, size_t{14}, size_t{15}, size_t{16}, size_t{19}}) {
    SCOPED_TRACE(chosenAt);
    OneOp op;
    std::vector<TensorLayout> layouts;
    for (int32_t i = 0; i < 20; ++i) {  // layouts that differ are enough
      TensorLayout layout = op.height;
      layout.grid = {i + 1, 1};
      layouts.push_back(layout);
    }
    op.entry(layouts[chosenAt]);
    for (const TensorLayout& layout : layouts) op.tried(layout).tried(layout);
    const Decision decision = op.decide(layouts[chosenAt]);
    ASSERT_EQ(decision.candidates.size(), 16u);
    for (size_t i = 0; i < 15; ++i) EXPECT_EQ(decision.candidates[i].layout, layouts[i]);
    EXPECT_EQ(decision.candidates[15].layout, layouts[std::max(chosenAt, size_t{15})]);
    for (const Candidate& candidate : decision.candidates)
      EXPECT_EQ(candidate.status == CandidateStatus::Chosen, candidate.layout == layouts[chosenAt]);
  }
}

TEST(Explain, WhatTheAnalysisRefusedComesBehind) {
  OneOp op;
  op.entry(op.height).tried(op.height).tried(op.width, CandidateStatus::Rejected);
  op.problem.legal[op.op].rejected = {{op.width, {}}, {op.spread, outOfL1()}};
  const Decision decision = op.decide(op.height);
  ASSERT_EQ(decision.candidates.size(), 3u);
  EXPECT_EQ(decision.candidates[2].layout, op.spread);
  EXPECT_EQ(decision.candidates[2].status, CandidateStatus::Rejected);
  EXPECT_EQ(decision.candidates[2].verdict.available, Bytes(1024));
  EXPECT_EQ(decision.candidates[2].note, "");
  EXPECT_NE(decision.summary.find("(2 candidates refused)"), std::string::npos);

  OneOp full;
  full.entry(full.height).tried(full.height);
  for (int32_t i = 0; i < 30; ++i) {
    TensorLayout layout = full.width;
    layout.grid = {1, i + 1};
    full.problem.legal[full.op].rejected.push_back({layout, outOfL1()});
  }
  EXPECT_EQ(full.decide(full.height).candidates.size(), 16u);
}

}  // namespace
}  // namespace tessera::test
