// One try of an op: which operands are converted, what that takes, and what counts as taken while it is asked.

#include "core/policy/propagate/forward_trial.h"

#include "core/policy/policy_memory.h"
#include "tests/policy/chain/chain_testing.h"

namespace tessera::test {
namespace {

struct Trial {
  Graph graph;
  DeviceSpec device = allDevices()[0];
  Problem problem;
  PolicyMemory memory;
  MoveTime moves;
  ForwardTrial trial;

  explicit Trial(const std::string& text)
      : graph(graphOf(text)),
        problem(analysed(graph, device, {})),
        moves(problem, memory.moves),
        trial(problem, moves) {}

  ValueId value(const char* name) const { return valueNamed(graph, name); }
  TensorLayout shards(const char* name) const {
    return layoutFor(graph, value(name), BufferType::L1, TensorMemoryLayout::HeightSharded, {16, 1}, device);
  }
  TensorLayout spread(const char* name) const { return l1InterleavedLayout(problem, value(name)); }
  TensorLayout dram(const char* name) const { return dramLayout(problem, value(name)); }
  LayoutId id(const TensorLayout& layout) { return moves.pool().intern(layout); }
  void start(const char* result, const std::vector<TensorLayout>& layouts, const RuleBook* book = nullptr) {
    std::vector<LayoutId> ids;
    for (const TensorLayout& layout : layouts) ids.push_back(id(layout));
    trial.start(producerOf(graph, result), book, ids);
  }
  // What the model says when so many bytes are taken besides.
  OpVerdict asked(const char* result, const Layouts& inputs, const OpConfig& config, Bytes taken) {
    return problem.model.validateOperation({graph, producerOf(graph, result), inputs, config, taken}, problem.budget);
  }
};

std::string oneReader() {
  return GraphText().arg("%a").op("%0", "ttir.relu", {"%a"}).op("%1", "ttir.exp", {"%0"}).text();
}
std::string sumOf(const char* second) {
  return GraphText()
      .arg("%a")
      .op("%0", "ttir.relu", {"%a"})
      .op("%1", "ttir.exp", {"%a"})
      .op("%2", "ttir.add", {"%0", second})
      .text();
}

TEST(ForwardTrial, WhatIsReadWhereItIsMovesNothing) {
  Trial t(oneReader());
  t.start("1", {t.shards("0")});
  EXPECT_TRUE(t.trial.run({t.shards("1"), {}}));
  EXPECT_TRUE(t.trial.verdict().ok());
  EXPECT_EQ(t.trial.reshards(), 0);
  EXPECT_EQ(t.trial.reshardTime(), 0);
  EXPECT_TRUE(t.trial.onlySpreads());
  EXPECT_EQ(t.trial.reads(), t.trial.expected());
}

// An operand that stands twice is there once; two operands are there both.
TEST(ForwardTrial, AnOperandThatStandsTwiceTakesItsBytesOnce) {
  for (const char* second : {"%0", "%1"}) {
    Trial t(sumOf(second));
    const TensorLayout at = t.spread("0");
    const int64_t budget = t.problem.budget.bytes().count, own = l1BytesPerCore(at).count;
    const int64_t copies = std::string_view(second) == "%0" ? 1 : 2;
    t.start("2", {at, at});
    const OpConfig config{at, {}};
    EXPECT_TRUE(t.trial.run(config));
    const OpVerdict once = t.asked("2", {at, at}, config, Bytes(copies * own));
    EXPECT_TRUE(t.trial.verdict().ok() && once.ok());
    EXPECT_EQ(t.trial.verdict().needed, once.needed) << second;
    EXPECT_LT(once.needed.count, budget);
  }
}

// The two need not stand side by side.
TEST(ForwardTrial, AnOperandThatComesAgainLaterTakesItsBytesOnce) {
  for (const char* last : {"%0", "%2"}) {
    Trial t(GraphText()
                .arg("%a")
                .op("%0", "ttir.relu", {"%a"})
                .op("%1", "ttir.exp", {"%a"})
                .op("%2", "ttir.abs", {"%a"})
                .op("%3", "ttir.where", {"%0", "%1", last})
                .text());
    const TensorLayout at = t.spread("0");
    const int64_t copies = std::string_view(last) == "%0" ? 2 : 3;
    t.start("3", {at, at, at});
    const OpConfig config{at, {}};
    EXPECT_TRUE(t.trial.run(config));
    const OpVerdict apart = t.asked("3", {at, at, at}, config, Bytes(copies * l1BytesPerCore(at).count));
    EXPECT_TRUE(t.trial.verdict().ok() && apart.ok());
    EXPECT_EQ(t.trial.verdict().needed, apart.needed) << last;
  }
}

TEST(ForwardTrial, AlignedOperandsAreCopiedOntoTheCoresOfTheResult) {
  Trial t(sumOf("%1"));
  const TensorLayout out = t.shards("2");
  t.start("2", {t.spread("0"), out});
  const OpConfig config{out, {}};
  EXPECT_TRUE(t.trial.runAligned(config));
  EXPECT_EQ(t.trial.reshards(), 1);
  EXPECT_EQ(t.trial.reads(), (std::vector<LayoutId>{t.id(out), t.id(out)}));
  EXPECT_EQ(t.trial.expected(), (std::vector<LayoutId>{t.id(t.spread("0")), t.id(out)}));
  const int64_t move = t.moves.bounded(t.value("0"), t.id(t.spread("0")), t.id(out));
  EXPECT_GT(move, 0);
  EXPECT_EQ(t.trial.reshardTime(), move);
  EXPECT_FALSE(t.trial.onlySpreads());
  // The original stays beside its copy.
  const Bytes taken = l1BytesPerCore(t.spread("0")) + l1BytesPerCore(out) + l1BytesPerCore(out);
  EXPECT_EQ(t.trial.verdict().needed, t.asked("2", {out, out}, config, taken).needed);

  t.start("2", {t.spread("0"), t.dram("1")});
  EXPECT_TRUE(t.trial.runAligned(config));
  EXPECT_EQ(t.trial.reshards(), 2);
  EXPECT_EQ(t.trial.reshardTime(), move + t.moves.bounded(t.value("1"), t.id(t.dram("1")), t.id(out)));

  t.start("2", {out, out});
  EXPECT_FALSE(t.trial.runAligned(config)) << "nothing to copy";
  EXPECT_EQ(t.trial.reshards(), 0);
}

// Spreading begins at shards in L1 and ends at L1 interleaved; half of that is another conversion.
TEST(ForwardTrial, OnlyShardsThatBecomeInterleavedInL1AreSpread) {
  Trial t(oneReader());
  const TensorLayout half =
      layoutFor(t.graph, t.value("0"), BufferType::L1, TensorMemoryLayout::HeightSharded, {8, 1}, t.device);
  const struct {
    TensorLayout from, to;
    bool spreads;
  } kCases[] = {{t.shards("0"), t.spread("0"), true},
                {half, t.shards("0"), false},
                {t.dram("0"), t.spread("0"), false},
                {t.spread("0"), t.shards("0"), false},
                {t.shards("0"), t.dram("0"), false}};
  for (const auto& one : kCases) {
    SCOPED_TRACE(layoutText(one.from) + " to " + layoutText(one.to));
    t.start("1", {one.from});
    EXPECT_TRUE(t.trial.onlySpreads()) << "nothing is converted yet";
    EXPECT_TRUE(t.trial.runAligned({one.to, {}}));
    EXPECT_EQ(t.trial.reads(), std::vector<LayoutId>{t.id(one.to)});
    EXPECT_EQ(t.trial.onlySpreads(), one.spreads);
  }
}

TEST(ForwardTrial, OperandsOfOtherShapesAreNotAligned) {
  Trial t(GraphText()
              .arg("%a")
              .arg("%r", "1x512")
              .op("%0", "ttir.relu", {"%r"}, "1x512")
              .op("%1", "ttir.add", {"%a", "%0"})
              .text());
  const TensorLayout out = t.shards("1");
  t.start("1", {t.dram("a"), t.dram("0")});
  EXPECT_TRUE(t.trial.runAligned({out, {}}));
  EXPECT_EQ(t.trial.reshards(), 1);
  EXPECT_EQ(t.trial.reads()[1], t.id(t.dram("0")));
  t.start("1", {out, t.dram("0")});
  EXPECT_FALSE(t.trial.runAligned({out, {}}));
}

TEST(ForwardTrial, WhatIsInL1IsReadFromDramAndNothingElseMoves) {
  Trial t(sumOf("%1"));
  const OpConfig config{t.dram("2"), {}};
  t.start("2", {t.shards("0"), t.dram("1")});
  EXPECT_TRUE(t.trial.runFromDram(config));
  EXPECT_TRUE(t.trial.verdict().ok());
  EXPECT_EQ(t.trial.reshards(), 1);
  EXPECT_EQ(t.trial.reads(), (std::vector<LayoutId>{t.id(t.dram("0")), t.id(t.dram("1"))}));
  EXPECT_EQ(t.trial.reshardTime(), t.moves.bounded(t.value("0"), t.id(t.shards("0")), t.id(t.dram("0"))));
  // The shards stay while the op runs.
  EXPECT_EQ(t.trial.verdict().needed,
            t.asked("2", {t.dram("0"), t.dram("1")}, config, l1BytesPerCore(t.shards("0"))).needed);
  t.start("2", {t.dram("0"), t.dram("1")});
  EXPECT_FALSE(t.trial.runFromDram(config));
  EXPECT_EQ(t.trial.reshards(), 0) << "a new start forgets the last one";
  EXPECT_EQ(t.trial.reshardTime(), 0);
}

// A book that reads operand 0 from DRAM, and operand 1 interleaved.
TEST(ForwardTrial, ARuleBookConvertsWhatItDoesNotRead) {
  const RuleBook book{.op = "", .operands = {{0, InputFilter::DramInterleaved}, {1, InputFilter::Interleaved}, {}}};
  Trial t(sumOf("%1"));
  const OpConfig config{t.dram("2"), {}};
  t.start("2", {t.shards("0"), t.shards("1")}, &book);
  EXPECT_TRUE(t.trial.run(config));
  EXPECT_TRUE(t.trial.verdict().ok());
  EXPECT_EQ(t.trial.reads(), (std::vector<LayoutId>{t.id(t.dram("0")), t.id(t.spread("1"))}));
  EXPECT_EQ(t.trial.reshards(), 2);
  EXPECT_FALSE(t.trial.onlySpreads()) << "one goes to DRAM";

  t.start("2", {t.dram("0"), t.shards("1")}, &book);
  EXPECT_TRUE(t.trial.run(config));
  EXPECT_EQ(t.trial.reads(), (std::vector<LayoutId>{t.id(t.dram("0")), t.id(t.spread("1"))}));
  EXPECT_EQ(t.trial.reshards(), 1);
  EXPECT_TRUE(t.trial.onlySpreads()) << "from shards to L1 interleaved";

  t.start("2", {t.dram("0"), t.dram("1")}, &book);
  EXPECT_TRUE(t.trial.run(config));
  EXPECT_EQ(t.trial.reshards(), 0);

  t.start("2", {t.dram("0"), t.shards("1")});
  EXPECT_TRUE(t.trial.run(config));
  EXPECT_EQ(t.trial.reshards(), 0) << "without a book the op model alone decides";
}

// Neither where it is nor in DRAM: there is nothing to ask.
TEST(ForwardTrial, ARuleBookThatReadsNoDramLeavesNothing) {
  const RuleBook book{.op = "", .operands = {{-1, InputFilter::DramOrSharded}, {}, {}}};
  Trial t(oneReader());
  t.start("1", {t.spread("0")}, &book);
  EXPECT_TRUE(t.trial.run({t.dram("1"), {}})) << "DRAM is allowed";
  EXPECT_EQ(t.trial.reads()[0], t.id(t.dram("0")));
  const RuleBook heights{.op = "", .operands = {{-1, InputFilter::NotHeightSharded}, {}, {}}};
  t.start("1", {t.shards("0")}, &heights);
  EXPECT_TRUE(t.trial.run({t.dram("1"), {}}));
  EXPECT_EQ(t.trial.reads()[0], t.id(t.spread("0")));
  EXPECT_TRUE(t.trial.onlySpreads());
}

// What helped one combination of the operands' layouts is known for the next: the same comes out as of a trial that
// knows nothing.
TEST(ForwardTrial, WhatIsKnownOfOperandsChangesNoTrial) {
  const std::string text = GraphText("512x64")
                               .arg("%a")
                               .arg("%b", "512x128")
                               .op("%0", "ttir.relu", {"%a"})
                               .op("%1", "ttir.exp", {"%a"})
                               .op("%2", "ttir.relu", {"%b"}, "512x128")
                               .op("%3", "ttir.abs", {"%a"})
                               .op("%4", "ttir.concat", {"%0", "%1", "%2", "%3", "%0"}, "512x384", "dim = 1 : si32")
                               .text();
  const std::vector<const char*> names = {"0", "1", "2", "3", "0"};
  Trial kept(text);
  const auto layoutOf = [](Trial& t, const char* name, int which) {
    return which == 0 ? t.dram(name) : which == 1 ? t.spread(name) : t.shards(name);
  };
  int converted = 0, refused = 0;
  for (const int result : {1, 0, 2, 1, 0}) {
    for (int drawn = 0; drawn < 81; ++drawn) {
      Trial fresh(text);
      for (Trial* t : {&kept, &fresh}) {
        std::vector<TensorLayout> layouts;
        for (size_t i = 0, rest = static_cast<size_t>(drawn); i < 4; ++i, rest /= 3)
          layouts.push_back(layoutOf(*t, names[i], static_cast<int>(rest % 3)));
        layouts.push_back(layouts[0]);
        t->start("4", layouts);
        EXPECT_TRUE(t->trial.run({layoutOf(*t, "4", result), {}}));
      }
      SCOPED_TRACE(std::to_string(result) + " " + std::to_string(drawn));
      const OpVerdict &one = kept.trial.verdict(), &other = fresh.trial.verdict();
      EXPECT_EQ(std::tuple(one.status, one.reason, one.operand, one.needed),
                std::tuple(other.status, other.reason, other.operand, other.needed));
      EXPECT_EQ(kept.trial.inputs(), fresh.trial.inputs());
      EXPECT_EQ(kept.trial.reshards(), fresh.trial.reshards());
      EXPECT_EQ(kept.trial.reshardTime(), fresh.trial.reshardTime());
      converted += one.ok() && kept.trial.reshards() > 1;
      refused += !one.ok();
    }
  }
  EXPECT_GT(converted, 100);
  EXPECT_GT(refused, 20);
}

}  // namespace
}  // namespace tessera::test
