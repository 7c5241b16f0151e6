// What the forward pass keeps of an op changes no answer: each beam is compared with the one that is worked out.

#include "core/policy/propagate/beam_memory.h"

#include <gtest/gtest.h>

#include <set>

#include "core/analysis/layout_overrides.h"
#include "core/ops/rules/rule_book.h"
#include "core/policy/policy_memory.h"
#include "core/policy/propagate/forward_pass.h"
#include "tests/no_diagnostics.h"
#include "tests/policy/random_graph.h"
#include "tests/policy/test_graphs.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

auto partsOf(const OpConstraints& c) {
  return std::tuple(c.cbL1PeakSize, c.cbRegionSize, c.tensorL1PeakSize, c.peakL1MemorySize, c.outputL1BufferSize);
}

bool same(const OpVerdict& a, const OpVerdict& b) {
  const auto parts = [](const OpVerdict& v) {
    return std::tuple(v.status, v.reason, v.operand, v.output, partsOf(v.constraints), v.needed, v.available);
  };
  return parts(a) == parts(b);
}

bool same(const PathScore& a, const PathScore& b) {
  const auto parts = [](const PathScore& s) {
    return std::tuple(s.minCores, s.minChosenCores, s.reshards, s.time, s.isL1, s.isSharded, s.requiresReshard,
                      s.inputDramBytes, s.coreCount, s.outputL1Usage);
  };
  return parts(a) == parts(b);
}

void expectSame(const OpBeam& a, const OpBeam& b) {
  EXPECT_EQ(std::tuple(a.crossProduct, a.evaluations, a.combinationsCut, a.usedDramFallback),
            std::tuple(b.crossProduct, b.evaluations, b.combinationsCut, b.usedDramFallback));
  ASSERT_EQ(a.entries.size(), b.entries.size());
  for (size_t i = 0; i < a.entries.size(); ++i) {
    const BeamEntry &one = a.entries[i], &other = b.entries[i];
    EXPECT_TRUE(one.config == other.config && one.output == other.output && same(one.score, other.score));
    EXPECT_TRUE(same(one.verdict, other.verdict))
        << one.verdict.available.count << " " << other.verdict.available.count;
    EXPECT_EQ(std::tuple(one.reshards, one.ownCores), std::tuple(other.reshards, other.ownCores));
    ASSERT_EQ(one.operands.size(), other.operands.size());
    for (size_t k = 0; k < one.operands.size(); ++k) {
      const OperandPick &p = one.operands[k], &q = other.operands[k];
      EXPECT_EQ(std::tuple(p.slot, p.expected, p.read), std::tuple(q.slot, q.expected, q.read));
    }
  }
  ASSERT_EQ(a.tried.size(), b.tried.size());
  for (size_t i = 0; i < a.tried.size(); ++i) {
    const Candidate &one = a.tried[i], &other = b.tried[i];
    EXPECT_EQ(std::tuple(one.layout, one.status, one.reshards, one.note),
              std::tuple(other.layout, other.status, other.reshards, other.note));
    EXPECT_TRUE(same(one.verdict, other.verdict)) << verdictText(one.verdict) << " | " << verdictText(other.verdict);
  }
}

struct Asked {
  const Graph& graph;
  PolicyMemory& memory;
  const DeviceSpec& device = allDevices()[0];
};

struct Answered {
  Beams beams;
  BudgetRange range;
};

Answered forward(const Asked& asked, const PropagateOptions& options, const ProblemOptions& given, BeamMemory* kept) {
  Diagnostics diags;
  L1Budget budget(l1Budget(asked.device, given));
  const OpModel model(asked.device, asked.memory.answers, asked.memory.answers.classify(asked.graph));
  const Problem problem = analyse(asked.graph, model, given, budget, diags);
  MoveTime moves(problem, asked.memory.moves);
  Beams beams = ForwardPass(problem, options, moves, ruleBook, kept).run();
  return {std::move(beams), budget.takeRange()};
}

std::vector<PropagateOptions> manners() {
  PropagateOptions usual, byTime, narrow, first, books, silent;
  byTime.score = BeamScore::Time;
  narrow.beamWidth = 2;
  first.score = BeamScore::First, first.beamWidth = 1;
  books.score = BeamScore::Upstream, books.ruleBooks = true;
  silent.keepCandidates = false;
  return {usual, byTime, narrow, first, books, silent};
}

// One memory for all budgets and all manners of asking, in turn.
void expectNothingChanges(const Graph& graph, const ProblemOptions& options) {
  PolicyMemory memory;
  memory.prepare(allDevices()[0]);
  const Asked asked{graph, memory};
  for (const int32_t cap : {1000, 100, 60, 700, 1000, 101, 20}) {
    ProblemOptions given = options;
    given.l1UsageCapPermille = cap;
    for (const PropagateOptions& manner : manners()) {
      const Answered known = forward(asked, manner, given, &memory.beams);
      const Answered anew = forward(asked, manner, given, nullptr);
      EXPECT_EQ(std::pair(known.range.from, known.range.below), std::pair(anew.range.from, anew.range.below));
      for (OpId op : graph.ops.ids()) {
        SCOPED_TRACE("cap " + std::to_string(cap) + " op " + std::to_string(op.index));
        expectSame(known.beams[op], anew.beams[op]);
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
}

TEST(BeamMemory, ChangesNoBeamOfRandomGraphs) {
  for (uint64_t seed = 0; seed < seeds(8); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    expectNothingChanges(graphOf(randomGraphText(seed)), {.maxLegalLayouts = 8});
    if (HasFailure()) return;
  }
}

// %y as it is, joined between results of so many columns each.
Graph joinedGraph(const std::vector<int64_t>& columns) {
  const auto type = [](int64_t cols) { return "tensor<512x" + std::to_string(cols) + "xbf16>"; };
  std::string arguments = "%y: " + type(96), body, names, types;
  int64_t all = 96;
  for (size_t i = 0; i < columns.size(); ++i) {
    const std::string t = type(columns[i]), number = std::to_string(i);
    arguments += ", %x" + number + ": " + t;
    body += "  %" + number + " = \"ttir.relu\"(%x" + number + ") : (" + t + ") -> " + t + "\n";
    names += (i > 0 ? ", %" : "%") + number + (i == 0 ? ", %y" : "");
    types += (i > 0 ? ", " : "") + t + (i == 0 ? ", " + type(96) : "");
    all += columns[i];
  }
  return graphOf("func.func @main(" + arguments + ") -> " + type(all) + " {\n" + body + "  %all = \"ttir.concat\"(" +
                 names + ") <{dim = 1 : si32}> : (" + types + ") -> " + type(all) + "\n  return %all : " + type(all) +
                 "\n}\n");
}

// Adds the operands that were refused.
void expectKnownAsTried(const Graph& graph, const PropagateOptions& manner, std::set<int>& refused) {
  PolicyMemory memory;
  memory.prepare(allDevices()[0]);
  PropagateOptions all = manner;
  all.keepEvaluations = true;
  const Answered known = forward({graph, memory}, manner, {}, nullptr),
                 tried = forward({graph, memory}, all, {}, nullptr);
  const OpId op = producerOf(graph, "all");
  const OpBeam &one = known.beams[op], &other = tried.beams[op];
  EXPECT_GT(one.crossProduct, 1);
  EXPECT_EQ(std::tuple(one.evaluations, one.combinationsCut), std::tuple(other.evaluations, other.combinationsCut));
  EXPECT_EQ(one.entries.size(), other.entries.size());
  ASSERT_EQ(one.tried.size(), other.tried.size());
  for (size_t i = 0; i < one.tried.size(); ++i) {
    const Candidate &p = one.tried[i], &q = other.tried[i];
    EXPECT_EQ(std::tuple(p.layout, p.status, p.reshards), std::tuple(q.layout, q.status, q.reshards)) << i;
    EXPECT_EQ(verdictText(p.verdict), verdictText(q.verdict)) << layoutText(p.layout);
    if (p.status == CandidateStatus::Rejected) refused.insert(p.verdict.operand);
  }
}

// What became of an operand in a layout is not asked about again for every combination of the others.
TEST(ForwardPass, AsksLittleAboutJoinedOperands) {
  for (const size_t operands : {4, 8, 12}) {
    const Graph graph = joinedGraph(std::vector<int64_t>(operands, 96));
    PolicyMemory memory;
    memory.prepare(allDevices()[0]);
    const Answered answered = forward({graph, memory}, {}, {}, nullptr);
    EXPECT_EQ(answered.beams[producerOf(graph, "all")].crossProduct, 64);
    EXPECT_LT(memory.answers.size(), 220u) << operands << " operands in 64 combinations";
  }
}

// Operands of a concatenation are judged one after the other: what is said about the first ones is known of other
// combinations, and is told and counted as if these were tried. A trace has all of them tried. %y lies in DRAM, so that
// shards of the result are refused for it where they are not refused for %0.
TEST(ForwardPass, WhatIsKnownToFailIsToldAndCountedAsIfTried) {
  std::set<int> refused;
  for (const std::vector<int64_t>& columns : {std::vector<int64_t>{64, 64}, {64, 512, 512}, {512, 64, 64}}) {
    const Graph graph = joinedGraph(columns);
    for (PropagateOptions manner : manners()) {
      if (manner.ruleBooks || !manner.keepCandidates || manner.beamWidth < 2) continue;
      for (const int32_t width : {2, 3, 8}) {
        SCOPED_TRACE(std::to_string(columns.size()) + " results, width " + std::to_string(width));
        manner.beamWidth = width;
        expectKnownAsTried(graph, manner, refused);
      }
    }
  }
  EXPECT_GT(refused.size(), 1u);
}

std::string chainOf(int64_t ops) {
  const std::string t = "tensor<256x512xbf16>";
  std::string text = "func.func @main(%v0: " + t + ") -> " + t + " {\n";
  for (int64_t i = 0; i < ops; ++i)
    text += "  %v" + std::to_string(i + 1) + " = \"ttir." + (i % 2 == 0 ? "relu" : "exp") + "\"(%v" +
            std::to_string(i) + ") : (" + t + ") -> " + t + "\n";
  return text + "  return %v" + std::to_string(ops) + " : " + t + "\n}\n";
}

// A chain of two ops in turn soon repeats itself: a longer one asks nothing new, and another budget that leaves
// everything room asks nothing new either.
TEST(BeamMemory, ARepeatedBlockIsWorkedOutOnce) {
  const Graph shorter = graphOf(chainOf(20)), longer = graphOf(chainOf(60));
  PolicyMemory memory;
  memory.prepare(allDevices()[0]);
  forward({shorter, memory}, {}, {}, &memory.beams);
  const size_t once = memory.beams.size();
  EXPECT_GT(once, 2u);
  EXPECT_LT(once, 10u);
  forward({longer, memory}, {}, {}, &memory.beams);
  EXPECT_EQ(memory.beams.size(), once);
  forward({longer, memory}, {}, {.l1UsageCapPermille = 990}, &memory.beams);
  EXPECT_EQ(memory.beams.size(), once);
  forward({longer, memory}, {}, {.l1UsageCapPermille = 30}, &memory.beams);
  EXPECT_GT(memory.beams.size(), once) << "shards of 64 KB do not fit 41 KB of L1";
}

// Nothing is kept where more than the question decides: an op that an override names, a trace of every try, a model
// that does not know the memory's classes.
TEST(BeamMemory, KeepsNothingThatTheQuestionDoesNotSay) {
  const Graph graph = graphOf(chainOf(4));
  PolicyMemory memory;
  memory.prepare(allDevices()[0]);
  PropagateOptions traced;
  traced.keepEvaluations = true;
  forward({graph, memory}, traced, {}, &memory.beams);
  EXPECT_EQ(memory.beams.size(), 0u);

  ProblemOptions named;
  named.layoutOverrides = parseLayoutOverrides("%v1=dram,%v2=dram,%v3=dram,%v4=dram", noDiagnostics());
  forward({graph, memory}, {}, named, &memory.beams);
  EXPECT_EQ(memory.beams.size(), 0u);

  PolicyMemory other;
  forward({graph, memory}, {}, {}, &other.beams);
  EXPECT_EQ(other.beams.size(), 0u);

  forward({graph, memory}, {}, {}, &memory.beams);
  EXPECT_GT(memory.beams.size(), 0u);
  memory.beams.clear();
  EXPECT_EQ(memory.beams.size(), 0u);
}

// A graph is asked for after another one that differs in what the question has to say.
struct Turn {
  const Graph& graph;
  PropagateOptions manner;
  std::string overrides;
};

ProblemOptions overridden(const std::string& overrides) {
  ProblemOptions options;
  if (!overrides.empty()) options.layoutOverrides = parseLayoutOverrides(overrides, noDiagnostics());
  return options;
}

void expectNoMixUp(const Turn& before, const Turn& then) {
  PolicyMemory memory;
  memory.prepare(allDevices()[0]);
  forward({before.graph, memory}, before.manner, overridden(before.overrides), &memory.beams);
  const Asked asked{then.graph, memory};
  const ProblemOptions given = overridden(then.overrides);
  const Answered known = forward(asked, then.manner, given, &memory.beams),
                 anew = forward(asked, then.manner, given, nullptr);
  for (OpId op : then.graph.ops.ids()) {
    SCOPED_TRACE("op " + std::to_string(op.index));
    expectSame(known.beams[op], anew.beams[op]);
  }
}

// The same ops behind an operand that lies elsewhere, that others read as well, or that a rule book judges.
TEST(BeamMemory, AsksForOperandsReadersAndRuleBooks) {
  const std::string t = "tensor<256x512xbf16>", op = " : (" + t + ") -> " + t + "\n";
  const std::string begin = "func.func @main(%a: " + t + ") -> ";
  const std::string ops =
      "  %v1 = \"ttir.relu\"(%a)" + op + "  %v2 = \"ttir.exp\"(%v1)" + op + "  %v3 = \"ttir.abs\"(%v2)" + op;
  const Graph one = graphOf(begin + t + " {\n" + ops + "  return %v3 : " + t + "\n}\n");
  const Graph fork = graphOf(begin + "(" + t + ", " + t + ") {\n" + ops + "  %v4 = \"ttir.sin\"(%v1)" + op +
                             "  return %v3, %v4 : " + t + ", " + t + "\n}\n");
  PropagateOptions usual, byTime, first, books;
  byTime.score = BeamScore::Time;
  first.score = BeamScore::First, first.beamWidth = 1;
  books.ruleBooks = true;
  expectNoMixUp({one, byTime, ""}, {fork, byTime, ""});
  expectNoMixUp({fork, byTime, ""}, {one, byTime, ""});
  const std::string tall = "=8x1:l1:height_sharded:tile:bf16", wide = "=1x8:l1:width_sharded:tile:bf16";
  expectNoMixUp({one, first, "%v1=dram"}, {one, first, ""});
  expectNoMixUp({one, first, "%v1" + tall}, {one, first, "%v1" + wide});
  expectNoMixUp({one, {}, "%v1" + tall}, {one, {}, "%v1" + wide});
  // The operand lies as before, but the path to it has one conversion more.
  for (const PropagateOptions& manner : manners())
    expectNoMixUp({one, manner, "%v1" + tall + ",%v2" + tall}, {one, manner, "%v1" + wide + ",%v2" + tall});
  for (uint64_t seed = 0; seed < 4; ++seed) {
    const Graph graph = graphOf(randomGraphText(seed));
    expectNoMixUp({graph, usual, ""}, {graph, books, ""});
    expectNoMixUp({graph, books, ""}, {graph, usual, ""});
  }
}

// Which results are tried hangs on the options of the problem.
TEST(BeamMemory, AsksForWhatMayBeTried) {
  ProblemOptions usual, tight, few, unasked, rows;
  tight.maxLegalLayouts = few.maxLegalLayouts = 1;
  tight.l1UsageCapPermille = 40;  // what does not fit is not legal
  unasked.askOpModel = false;
  rows.rowMajorEnabled = true;
  const std::vector<ProblemOptions> all = {usual, tight, few, unasked, rows};
  std::set<std::string> beams;
  for (uint64_t seed = 0; seed < 5; ++seed) {
    const Graph graph = graphOf(seed == 4 ? chainOf(4) : randomGraphText(seed));
    for (const PropagateOptions& manner : manners()) {
      PolicyMemory memory;
      memory.prepare(allDevices()[0]);
      const Asked asked{graph, memory};
      for (const ProblemOptions& given : all) {
        const Answered known = forward(asked, manner, given, &memory.beams),
                       anew = forward(asked, manner, given, nullptr);
        std::string tried;
        for (OpId op : graph.ops.ids()) {
          SCOPED_TRACE("op " + std::to_string(op.index));
          expectSame(known.beams[op], anew.beams[op]);
          tried += " " + std::to_string(anew.beams[op].tried.size());
        }
        beams.insert(tried);
      }
    }
  }
  EXPECT_GT(beams.size(), 8u) << "the options change what is tried";
}

// An override of how a convolution runs is not part of the question.
TEST(BeamMemory, KeepsNothingOfAnOverriddenConvolution) {
  const Graph graph = graphOf(
      "func.func @main(%x: tensor<1x32x32x64xbf16>, %w: tensor<64x64x3x3xbf16>) -> tensor<1x30x30x64xbf16> {\n"
      "  %c = \"ttir.conv2d\"(%x, %w) <{stride = array<i32: 1, 1>, padding = array<i32: 0, 0, 0, 0>, dilation = "
      "array<i32: 1, 1>, groups = 1 : i32}> : (tensor<1x32x32x64xbf16>, tensor<64x64x3x3xbf16>) -> "
      "tensor<1x30x30x64xbf16>\n  return %c : tensor<1x30x30x64xbf16>\n}\n");
  ProblemOptions named;
  named.conv2dOverrides = parseConv2dOverrides("%c=act_block_h_override#64", noDiagnostics());
  ASSERT_EQ(named.conv2dOverrides.size(), 1u);
  for (const ProblemOptions& given : {named, ProblemOptions()}) {
    PolicyMemory memory;
    memory.prepare(allDevices()[0]);
    forward({graph, memory}, {}, given, &memory.beams);
    EXPECT_EQ(memory.beams.size(), given.conv2dOverrides.empty() ? 1u : 0u);
  }
}

// What one score ranks is no answer for another.
TEST(BeamMemory, AsksForTheScore) {
  const Graph graph = graphOf(chainOf(2));
  PropagateOptions cores, upstream, byTime;
  upstream.score = BeamScore::Upstream;
  byTime.score = BeamScore::Time;
  for (const PropagateOptions& before : {cores, upstream, byTime}) {
    for (const PropagateOptions& then : {cores, upstream, byTime})
      expectNoMixUp({graph, before, ""}, {graph, then, ""});
  }
}

// The budget stands in the verdicts; what is recalled names the one it is asked under, and narrows it.
TEST(BeamMemory, RecallsUnderTheBudgetsItWasKeptFor) {
  OpBeam beam;
  beam.entries.emplace_back();
  beam.entries[0].verdict.available = Bytes(100);
  beam.tried.resize(2);
  beam.tried[0].verdict.status = OpStatus::OutOfMemory;
  beam.tried[1].verdict.status = OpStatus::MetalBackendError;
  PolicyMemory memory;
  const Key question = {1, 2}, another = {1, 2, 0};
  memory.beams.keep(question, {.from = 50, .below = 200}, beam);
  OpBeam got;
  for (const int64_t out : {int64_t{49}, int64_t{200}}) {
    L1Budget budget{Bytes(out)};
    EXPECT_FALSE(memory.beams.recall(question, budget, got));
    const BudgetRange range = budget.takeRange();
    EXPECT_EQ(std::pair(range.from, range.below), std::pair(int64_t{0}, INT64_MAX));
  }
  for (const int64_t in : {int64_t{50}, int64_t{199}}) {
    L1Budget budget{Bytes(in)};
    ASSERT_TRUE(memory.beams.recall(question, budget, got));
    EXPECT_EQ(got.entries[0].verdict.available.count, in);
    EXPECT_EQ(got.tried[0].verdict.available.count, in);
    EXPECT_EQ(got.tried[1].verdict.available.count, 0);
    const BudgetRange range = budget.takeRange();
    EXPECT_EQ(std::pair(range.from, range.below), std::pair(int64_t{50}, int64_t{200}));
    EXPECT_FALSE(memory.beams.recall(another, budget, got));
  }
}

}  // namespace
}  // namespace tessera::test
