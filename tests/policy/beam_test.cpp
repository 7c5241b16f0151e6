// The rules of docs/rules/pass-generation.md on graphs, and the beam against exhaustive search.

#include "core/policy/propagate/propagate.h"
#include "core/policy/propagate/trace_back.h"
#include "tests/analysed.h"
#include "tests/policy/expect_sound.h"
#include "tests/policy/random_graph.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

std::string goldenCase(const std::string& name) {
  return readFile(std::filesystem::path(TESSERA_SOURCE_DIR) / "tests/golden/cases" / (name + ".mlir"));
}

std::unique_ptr<PolicyRun> beamOn(const std::string& text, const PropagateOptions& options = {},
                                  const ProblemOptions& problem = {}) {
  PolicyOptions all;
  all.propagate = options;
  auto run = runOn(graphOf(text), "Beam", problem, allDevices()[0], all);
  expectSound(*run);
  return run;
}

const TensorLayout& layoutOf(const PolicyRun& run, const char* name) {
  return *run.plan.layout[valueNamed(run.graph, name)];
}

int64_t leastCores(const PolicyRun& run, std::initializer_list<const char*> names) {
  int64_t least = INT64_MAX;
  for (const char* name : names) least = std::min(least, coresUsed(layoutOf(run, name)));
  return least;
}

size_t spillsWithin(const Plan& plan) {
  size_t count = 0;
  for (const Spill& spill : plan.spills) count += spill.cause != SpillCause::FunctionReturn;
  return count;
}

// --- the rules' claims -----------------------------------------------------------------------------------------------

TEST(PassGeneration, GreedyLocksIntoThirtyTwoCoresAndTheBeamDoesNot) {
  auto greedy = runOn(graphOf(goldenCase("beam_32_cores")), "Greedy");
  auto beam = beamOn(goldenCase("beam_32_cores"));
  EXPECT_EQ(leastCores(*greedy, {"0", "1", "2"}), 32);
  EXPECT_TRUE(greedy->plan.reshards.empty());
  EXPECT_EQ(leastCores(*beam, {"0", "1", "2"}), 64);
  EXPECT_EQ(beam->plan.reshards.size(), 1u);
  EXPECT_LT(beam->sim.time, greedy->sim.time);
}

// A product whose operand's shards leave no room on all cores reads the operand from DRAM, and keeps the cores.
TEST(PassGeneration, ABeamReadsFromDramForTheSakeOfCores) {
  auto beam = beamOn(goldenCase("evict_for_matmul"));
  EXPECT_EQ(leastCores(*beam, {"0", "1", "2", "3", "4"}), 64);
}

// An interleaved product whose program works on as many cores as shards would have needs no reshard for their sake.
TEST(PassGeneration, ABeamCountsTheCoresOfAProgram) {
  const std::string text = R"(
func.func @main(%a: tensor<256x320xbf16>, %u: tensor<320x320xbf16>, %v: tensor<320x128xbf16>, %w: tensor<128x32xbf16>)
    -> tensor<256x32xbf16> {
  %0 = "ttnn.matmul"(%a, %u) : (tensor<256x320xbf16>, tensor<320x320xbf16>) -> tensor<256x320xbf16>
  %1 = "ttnn.matmul"(%0, %v) : (tensor<256x320xbf16>, tensor<320x128xbf16>) -> tensor<256x128xbf16>
  %2 = "ttnn.matmul"(%1, %w) : (tensor<256x128xbf16>, tensor<128x32xbf16>) -> tensor<256x32xbf16>
  return %2 : tensor<256x32xbf16>
}
)";
  auto beam = beamOn(text);
  auto greedy = runOn(graphOf(text), "Greedy");
  EXPECT_TRUE(beam->plan.reshards.empty());
  EXPECT_LE(beam->sim.time, greedy->sim.time);
}

// What is said of a candidate is so: those refused are counted as they are listed, and one that stands before the taken
// one lost by what its readers were planned with.
TEST(PassGeneration, DecisionsSayByWhichRuleACandidateLost) {
  int64_t preferred = 0;
  for (const char* name : {"beam_32_cores", "concat_height", "early_spill", "partial_success"}) {
    SCOPED_TRACE(name);
    auto run = beamOn(goldenCase(name));
    for (const Decision& decision : run->log.decisions) {
      int64_t refused = 0;
      for (const Candidate& candidate : decision.candidates) {
        refused += candidate.status == CandidateStatus::Rejected;
        if (candidate.status != CandidateStatus::Worse) continue;
        EXPECT_FALSE(candidate.note.empty());
        preferred += candidate.note.find("by itself, but what reads it was planned with") != std::string::npos;
      }
      const std::string counted = "(" + std::to_string(refused) + " candidate";
      EXPECT_EQ(decision.summary.find(counted) != std::string::npos, refused > 0) << decision.summary;
    }
  }
  EXPECT_GT(preferred, 0);
}

// A layout is one candidate, however many configurations write it.
TEST(PassGeneration, EveryPolicyListsALayoutOnce) {
  for (const char* policy : {"Greedy", "Beam", "DFSharding", "DFSharding2"}) {
    for (const char* name : {"residual_conv_fork", "diamond", "early_spill"}) {
      SCOPED_TRACE(std::string(policy) + " on " + name);
      auto run = runOn(graphOf(goldenCase(name)), policy);
      for (const Decision& decision : run->log.decisions) {
        for (size_t at = 0; at < decision.candidates.size(); ++at) {
          for (size_t before = 0; before < at; ++before)
            EXPECT_FALSE(decision.candidates[at].layout == decision.candidates[before].layout);
        }
      }
    }
  }
}

TEST(PassGeneration, BothPassesLookAtEveryOperand) {
  for (const char* policy : {"Greedy", "Beam"}) {
    SCOPED_TRACE(policy);
    auto run = runOn(graphOf(goldenCase("operand_1_in_l1")), policy);
    EXPECT_TRUE(layoutOf(*run, "1").isL1());
    EXPECT_TRUE(layoutOf(*run, "2").isL1());
    EXPECT_EQ(spillsWithin(run->plan), 0u);
  }
}

// The sum refuses sharded operands; what comes before and after it is in L1 all the same. The chain policy loses it to
// DRAM.
TEST(PassGeneration, OneOpThatCannotBeShardedDoesNotTakeTheOthersAlong) {
  auto inL1 = [](const char* policy) {
    auto run = runOn(graphOf(goldenCase("partial_success")), policy);
    int64_t count = 0;
    for (const char* name : {"0", "1", "2", "3", "4"}) count += layoutOf(*run, name).isL1();
    return count;
  };
  EXPECT_EQ(inL1("Greedy"), 5);
  EXPECT_EQ(inL1("Beam"), 5);
  EXPECT_LT(inL1("DFSharding"), 5);
}

TEST(PassGeneration, ADiamondNeedsNoReshardAndNoSpill) {
  for (const char* policy : {"Greedy", "Beam"}) {
    auto run = runOn(graphOf(goldenCase("diamond")), policy);
    EXPECT_TRUE(run->plan.reshards.empty()) << policy;
    EXPECT_EQ(spillsWithin(run->plan), 0u) << policy;
    for (const char* name : {"top", "left", "right", "join"})
      EXPECT_TRUE(layoutOf(*run, name).sharded()) << policy << " " << name;
  }
}

TEST(PassGeneration, AResidualForkStaysInL1AndIsNotFreedByItsFirstReader) {
  for (const char* policy : {"Greedy", "Beam"}) {
    SCOPED_TRACE(policy);
    auto run = runOn(graphOf(goldenCase("residual_conv_fork")), policy);
    EXPECT_TRUE(layoutOf(*run, "in").isL1());
    EXPECT_EQ(spillsWithin(run->plan), 0u);
    for (OpId op : run->plan.order) {
      const auto* conv = std::get_if<Conv2dAttrs>(&run->plan.config[op].attrs);
      if (conv) {
        EXPECT_EQ(conv->deallocateActivation, std::optional<bool>(false));
      }
    }
  }
}

// softmax reads height-sharded operands, the normalization block-sharded ones: one reshard in all, whatever the fork
// is.
TEST(PassGeneration, AForkWithReadersThatWantHeightAndBlockShardsCostsOneReshard) {
  auto run = beamOn(goldenCase("fork_height_and_block"));
  EXPECT_EQ(layoutOf(*run, "soft").memory, TensorMemoryLayout::HeightSharded);
  EXPECT_EQ(layoutOf(*run, "norm").memory, TensorMemoryLayout::BlockSharded);
  EXPECT_EQ(run->plan.reshards.size(), 1u);
}

TEST(PassGeneration, ALateSpillLetsEarlierReadersFindTheirOperandInL1) {
  auto late = runOn(graphOf(goldenCase("late_spill")), "Greedy");
  PolicyOptions options;
  options.propagate.lateSpill = false;
  auto early = runOn(graphOf(goldenCase("late_spill")), "Greedy", {}, allDevices()[0], options);
  expectSound(*late);
  expectSound(*early);
  ASSERT_EQ(spillsWithin(late->plan), 1u);
  ASSERT_EQ(spillsWithin(early->plan), 1u);
  EXPECT_LT(late->sim.dramBytes, early->sim.dramBytes);
}

// --- forks -----------------------------------------------------------------------------------------------------------

struct Passes {
  Graph graph;
  std::unique_ptr<Problem> problem;
  PropagateOptions options;
  PolicyMemory memory;
  Propagation out{memory.interner.layouts};
  Beams beams;
  std::unique_ptr<MoveTime> moves;
};

std::unique_ptr<Passes> passOne(const std::string& text, const PropagateOptions& options,
                                const ProblemOptions& problem = {}) {
  auto run = std::make_unique<Passes>();
  run->graph = graphOf(text);
  run->problem = std::make_unique<Problem>(analysed(run->graph, allDevices()[0], problem));
  run->options = options;
  run->moves = std::make_unique<MoveTime>(*run->problem, run->memory.moves);
  run->beams = ForwardPass(*run->problem, run->options, *run->moves).run();
  traceBack(*run->problem, run->options, run->beams, *run->moves, run->out);
  return run;
}

// Recounts what each entry of the fork would cost its readers: the chosen one costs the least.
TEST(ForkRule, ReshardCostTakesTheCheapestEntry) {
  size_t forks = 0;
  for (uint64_t seed = 0; seed < test::seeds(60); ++seed) {
    auto run = passOne(randomGraphText(seed), {});
    for (const ForkResolution& fork : run->out.forks) {
      ValueId value = run->graph.ops[fork.op].results[0];
      const auto& entries = run->beams[fork.op].entries;
      auto costOf = [&](LayoutId has) {
        int64_t sum = 0;
        for (const Use& use : run->problem->uses[value]) {
          int32_t chosen = run->out.chosen[use.op];
          if (chosen < 0) continue;
          sum += run->moves->bounded(
              value, has,
              run->beams[use.op].entries[static_cast<size_t>(chosen)].operands[static_cast<size_t>(use.operand)].read);
        }
        return sum;
      };
      // Readers that all agree are followed, even where another entry would be cheaper for none of them.
      bool agree = true;
      int32_t first = -1;
      for (const Use& use : run->problem->uses[value]) {
        int32_t chosen = run->out.chosen[use.op];
        if (chosen < 0) continue;
        int32_t slot =
            run->beams[use.op].entries[static_cast<size_t>(chosen)].operands[static_cast<size_t>(use.operand)].slot;
        if (first < 0) first = slot;
        agree = agree && slot == first;
      }
      EXPECT_EQ(costOf(entries[static_cast<size_t>(fork.chosen)].output), fork.reshardTime);
      if (agree) continue;
      ++forks;
      for (const BeamEntry& entry : entries) EXPECT_LE(fork.reshardTime, costOf(entry.output)) << "seed " << seed;
    }
  }
  EXPECT_GT(forks, 0u);
}

TEST(ForkRule, MostConsumersTakesTheEntryMostReadersPointTo) {
  for (uint64_t seed = 0; seed < test::seeds(60); ++seed) {
    auto run = passOne(randomGraphText(seed), {.fork = ForkRule::MostConsumers});
    for (const ForkResolution& fork : run->out.forks) {
      std::vector<int> votes(run->beams[fork.op].entries.size(), 0);
      for (const Use& use : run->problem->uses[run->graph.ops[fork.op].results[0]]) {
        int32_t chosen = run->out.chosen[use.op];
        if (chosen < 0) continue;
        int32_t slot =
            run->beams[use.op].entries[static_cast<size_t>(chosen)].operands[static_cast<size_t>(use.operand)].slot;
        if (slot >= 0) ++votes[static_cast<size_t>(slot)];
      }
      EXPECT_EQ(votes[static_cast<size_t>(fork.chosen)], *std::max_element(votes.begin(), votes.end()))
          << "seed " << seed;
    }
  }
}

// --- against exhaustive search on chains
// ---------------------------------------------------------------------------------

// A chain of ops with one tensor operand, all of the same shape.
std::string chainText(const std::vector<const char*>& ops, const char* shape = "512x512") {
  std::string type = std::string("tensor<") + shape + "xbf16>",
              text = "func.func @main(%a: " + type + ") -> " + type + " {\n", last = "%a";
  for (size_t i = 0; i < ops.size(); ++i) {
    std::string name = "%" + std::to_string(i);
    text += "  " + name + " = \"" + ops[i] + "\"(" + last + ")" +
            (std::string(ops[i]) == "ttir.softmax" ? " <{dimension = -1 : si32}>" : "") + " : (" + type + ") -> " +
            type + "\n";
    last = name;
  }
  return text + "  return " + last + " : " + type + "\n}\n";
}

struct PathCost {
  int64_t time = 0;
  int64_t minCores = PathScore::kUnbounded;
  int64_t reshards = 0;
};

// Every sequence of result layouts; each op reads its operand where it is, in the result's own layout, in L1
// interleaved, or in DRAM, whatever is legal. Knows the op model, nothing of the search.
class Exhaustive {
 public:
  Exhaustive(const Problem& problem) : problem_(problem) {
    for (OpId op : problem.schedule.order) {
      if (!opInfo(problem.graph.ops[op].kind).has(kTerminator)) ops_.push_back(op);
    }
  }

  // Least time of all sequences.
  int64_t leastTime(const std::vector<std::vector<TensorLayout>>& layouts) {
    const std::vector<TensorLayout> argument = {*problem_.pinned[problem_.graph.ops[ops_[0]].operands[0]]};
    for (size_t at = 0; at < ops_.size(); ++at)
      times_.push_back(timesOf(at, at ? layouts[at - 1] : argument, layouts[at]));
    const ValueId last = problem_.graph.ops[ops_.back()].results[0];
    times_.emplace_back();
    for (const TensorLayout& now : layouts[ops_.size() - 1])
      times_.back().push_back({now.isL1() ? convert(last, now, dramLayout(problem_, last)) : 0});
    return walk(0, 0);
  }

 private:
  int64_t convert(ValueId value, const TensorLayout& from, const TensorLayout& to) {
    if (from == to) return 0;
    PolicyMemory memory;
    MoveTime moves(problem_, memory.moves);
    return moves.bounded(value, moves.pool().intern(from), moves.pool().intern(to));
  }

  // Least time of an op from a layout of its operand to one of its result, with what it takes to move the operand.
  int64_t stepTime(OpId op, const TensorLayout& now, const TensorLayout& out) {
    const ValueId operand = problem_.graph.ops[op].operands[0];
    int64_t best = kNever;
    for (const TensorLayout& in : {now, out, l1InterleavedLayout(problem_, operand), dramLayout(problem_, operand)}) {
      std::vector<std::optional<TensorLayout>> inputs = {in};
      OpConfig config{out, {}};
      Bytes taken = l1BytesPerCore(now) + (in == now ? Bytes(0) : l1BytesPerCore(in));
      if (!problem_.model.validateOperation({problem_.graph, op, inputs, config, taken}, problem_.budget).ok())
        continue;
      best = std::min(best, problem_.model.getOpRuntime({problem_.graph, op, inputs, config, Bytes(0)}).total().count +
                                convert(operand, now, in));
    }
    return best;
  }

  std::vector<std::vector<int64_t>> timesOf(size_t at, const std::vector<TensorLayout>& before,
                                            const std::vector<TensorLayout>& after) {
    std::vector<std::vector<int64_t>> times;
    for (const TensorLayout& now : before) {
      times.emplace_back();
      for (const TensorLayout& out : after) times.back().push_back(stepTime(ops_[at], now, out));
    }
    return times;
  }

  int64_t walk(size_t at, size_t now) {  // depth is the chain's length
    if (at == times_.size()) return 0;
    int64_t best = kNever;
    for (size_t out = 0; out < times_[at][now].size(); ++out) {
      if (times_[at][now][out] < kNever) best = std::min(best, times_[at][now][out] + walk(at + 1, out));
    }
    return best;
  }

  static constexpr int64_t kNever = INT64_MAX / 8;
  const Problem& problem_;
  std::vector<OpId> ops_;
  std::vector<std::vector<std::vector<int64_t>>> times_;  // per op, layout before and after; then of the way to DRAM
};

int64_t timeOf(const Passes& run) {
  int64_t time = 0;
  ValueId last;
  for (OpId op : run.problem->schedule.order) {
    if (run.out.chosen[op] < 0) continue;
    const Op& o = run.graph.ops[op];
    std::vector<std::optional<TensorLayout>> inputs;
    for (size_t i = 0; i < o.operands.size(); ++i) {
      inputs.push_back(run.out.pool[run.out.reads[op][i]]);
      time += run.moves->bounded(o.operands[i], run.out.layout[o.operands[i]], run.out.reads[op][i]);
    }
    time += run.problem->model.getOpRuntime({run.graph, op, inputs, run.out.config[op], Bytes(0)}).total().count;
    last = o.results[0];
  }
  const LayoutId end = run.out.layout[last];
  if (!run.out.pool[end].isL1()) return time;
  return time + run.moves->bounded(last, end, run.out.pool.intern(dramLayout(*run.problem, last)));
}

// Whether an op had a wider layout or not: the figure is of the path that was taken.
TEST(BeamOnChains, MinCoresIsOfTheNarrowestOpOfThePath) {
  const auto ownCores = [](const TensorLayout& layout) {
    if (!layout.isL1()) return int64_t{0};
    return layout.sharded() ? coresUsed(layout) : int64_t{1};
  };
  int narrowed = 0;
  for (const char* shape : {"512x512", "64x256", "32x32"}) {
    auto run = passOne(chainText({"ttir.relu", "ttir.softmax", "ttir.gelu", "ttir.exp"}, shape), {});
    IdVec<OpId, std::vector<int64_t>> least(run->graph.ops.size());
    for (OpId op : run->problem->schedule.order) {
      for (const BeamEntry& entry : run->beams[op].entries) {
        int64_t cores = ownCores(entry.config.output);
        const OpId before = run->graph.values[run->graph.ops[op].operands[0]].producer;
        if (before.valid()) cores = std::min(cores, least[before].at(static_cast<size_t>(entry.operands[0].slot)));
        least[op].push_back(cores);
        EXPECT_EQ(entry.score.minCores, cores) << shape << " op " << op.index;
        narrowed += cores > 0 && cores < 64;
      }
    }
  }
  EXPECT_GT(narrowed, 0);
}

TEST(BeamOnChains, WithoutLimitItFindsTheLeastTime) {
  const std::vector<std::vector<const char*>> chains = {
      {"ttir.relu", "ttir.exp", "ttir.gelu"},
      {"ttir.exp", "ttir.softmax", "ttir.gelu", "ttir.relu"},
      {"ttir.softmax", "ttir.softmax", "ttir.exp"},
      {"ttir.sin", "ttir.cos", "ttir.softmax", "ttir.exp"},
  };
  for (const char* shape : {"512x512", "64x1024", "2048x64", "1024x1024"}) {
    for (const auto& chain : chains) {
      std::string text = chainText(chain, shape);
      SCOPED_TRACE(text);
      auto run = passOne(text, {.beamWidth = 64, .score = BeamScore::Time}, {.maxLegalLayouts = 4});
      // The universe: every layout that the beam saw for the op, and nothing else.
      std::vector<std::vector<TensorLayout>> layouts;
      for (OpId op : run->problem->schedule.order) {
        if (run->out.chosen[op] < 0) continue;
        layouts.emplace_back();
        for (const Candidate& c : run->beams[op].tried) layouts.back().push_back(c.layout);
      }
      EXPECT_EQ(timeOf(*run), Exhaustive(*run->problem).leastTime(layouts));
    }
  }
}

// --- widths ----------------------------------------------------------------------------------------------------------

std::string randomChain(uint64_t seed) {
  static constexpr const char* kOps[] = {"ttir.relu", "ttir.exp", "ttir.softmax",
                                         "ttir.gelu", "ttir.sin", "ttir.sigmoid"};
  static constexpr const char* kShapes[] = {"512x512", "64x1024", "2048x64", "1024x256", "32x4096", "1024x1024"};
  uint64_t state = seed * 0x9E3779B97F4A7C15u + 1;
  auto next = [&](uint64_t bound) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state % bound;
  };
  std::vector<const char*> ops;
  for (uint64_t i = 0, n = 3 + next(10); i < n; ++i) ops.push_back(kOps[next(std::size(kOps))]);
  return chainText(ops, kShapes[next(std::size(kShapes))]);
}

TEST(BeamOnChains, KeepingEverythingIsNeverSlower) {
  for (uint64_t seed = 0; seed < test::seeds(120); ++seed) {
    auto timeWith = [&](int32_t width) {
      return timeOf(*passOne(randomChain(seed), {.beamWidth = width, .score = BeamScore::Time}));
    };
    int64_t everything = timeWith(64);
    for (int32_t width : {1, 2, 4, 8, 16})
      EXPECT_LE(everything, timeWith(width)) << "seed " << seed << " width " << width << "\n" << randomChain(seed);
  }
}

int64_t simulatedTime(const std::string& text, int32_t width) {
  PolicyOptions options;
  options.propagate = {.beamWidth = width, .score = BeamScore::Time};
  return runOn(graphOf(text), "Beam", {}, allDevices()[0], options)->sim.time.count;
}

TEST(BeamOnChains, MoreWidthIsNeverSlower) {
  for (uint64_t seed = 0; seed < test::seeds(120); ++seed) {
    int64_t before = INT64_MAX;
    for (int32_t width : {1, 2, 4, 8, 16, 32, 64}) {
      int64_t time = simulatedTime(randomChain(seed), width);
      EXPECT_LE(time, before) << "seed " << seed << " width " << width << "\n" << randomChain(seed);
      before = time;
    }
  }
}

// The fastest plan of the widths 1, 2, 4 ... K is taken, so more of these is never slower, whatever the forks.
TEST(BeamOnForks, MoreWidthIsNeverSlower) {
  for (uint64_t seed = 0; seed < test::seeds(60); ++seed) {
    int64_t before = INT64_MAX;
    for (int32_t width : {1, 4, 16}) {
      int64_t time = simulatedTime(randomGraphText(seed), width);
      EXPECT_LE(time, before) << "seed " << seed << " width " << width;
      before = time;
    }
  }
}

// --- every option on random graphs
// -------------------------------------------------------------------------------------

TEST(BeamOptions, EveryCombinationIsSound) {
  for (uint64_t seed = 0; seed < test::seeds(12); ++seed) {
    for (BeamScore score : {BeamScore::Cores, BeamScore::Upstream, BeamScore::Time}) {
      for (bool upstream : {false, true}) {
        for (VictimRule victim : {VictimRule::LongestLifetime, VictimRule::FarthestLastUse, VictimRule::FarthestNextUse,
                                  VictimRule::CostPerByte}) {
          for (bool late : {false, true}) {
            SCOPED_TRACE("seed " + std::to_string(seed) + " score " + std::to_string(static_cast<int>(score)) +
                         " victim " + std::to_string(static_cast<int>(victim)));
            PropagateOptions options{.beamWidth = 4,
                                     .score = score,
                                     .fork = upstream ? ForkRule::MostConsumers : ForkRule::ReshardCost,
                                     .victim = victim,
                                     .lateSpill = late,
                                     .ruleBooks = upstream};
            beamOn(randomGraphText(seed), options,
                   {.l1UsageCapPermille = 60, .maxLegalLayouts = upstream ? 16 : 8, .askOpModel = !upstream});
            if (HasFailure()) return;
          }
        }
      }
    }
  }
}

// --- rule books ------------------------------------------------------------------------------------------------------

const RuleBook& nothingSharded(OpKind) {
  static constexpr RuleBook kBook = {.op = "", .hints = OutputHints::NonSharded};
  return kBook;
}

TEST(RuleBooks, NarrowTheSearchAndCanBeReplaced) {
  Graph graph = graphOf(goldenCase("diamond"));
  Problem problem = analysed(graph, allDevices()[0], {.maxLegalLayouts = 16, .askOpModel = false});
  PropagateOptions options{.score = BeamScore::Upstream, .fork = ForkRule::MostConsumers, .ruleBooks = true};
  PolicyMemory memory;
  DecisionLog log;
  Plan usual = propagateAndSpill(problem, options, memory, log);
  Plan replaced = propagateAndSpill(problem, options, memory, log, nothingSharded);
  EXPECT_TRUE(usual.layout[valueNamed(graph, "join")]->sharded());
  for (const auto& layout : replaced.layout) {
    if (layout) {
      EXPECT_FALSE(layout->sharded());
    }
  }
}

TEST(RuleBooks, OpsComeBeforeFamiliesAndTheDefaultIsFirst) {
  EXPECT_EQ(ruleBook(opKindFromName("ttnn.rms_norm")).adjust, ScoreAdjustment::RmsNorm);
  EXPECT_EQ(ruleBook(opKindFromName("ttnn.conv2d")).hints, OutputHints::AllConfigs);
  EXPECT_EQ(ruleBook(opKindFromName("ttnn.matmul")).hints, OutputHints::ShardedOrDram);
  EXPECT_TRUE(ruleBook(opKindFromName("ttnn.relu")).op.empty());
  TensorLayout sharded{.buffer = BufferType::L1,
                       .memory = TensorMemoryLayout::WidthSharded,
                       .grid = {1, 8},
                       .shardRows = 1,
                       .shardCols = 1};
  EXPECT_FALSE(acceptsInput(ruleBook(opKindFromName("ttnn.matmul")), 1, sharded));
  EXPECT_TRUE(acceptsInput(ruleBook(opKindFromName("ttnn.matmul")), 0, sharded));
  EXPECT_FALSE(acceptsInput(ruleBook(opKindFromName("ttnn.reshape")), 0, sharded));
  EXPECT_TRUE(acceptsInput(ruleBook(opKindFromName("ttnn.relu")), 0, sharded));
}

// Where a narrower beam is faster its plan is taken, with all that is said about it.
TEST(Beam, ANarrowerBeamThatIsFasterTellsItsOwnStory) {
  int narrower = 0;
  for (uint64_t seed = 0; seed < 45; ++seed) {
    PolicyOptions options;
    options.propagate.score = BeamScore::Time;
    options.propagate.beamWidth = 4;
    const auto run =
        runOn(graphOf(randomGraphText(seed)), "Beam", {.l1UsageCapPermille = 150}, allDevices()[0], options);
    ASSERT_TRUE(run->log.propagation);
    int32_t taken = 4;
    for (const std::string& warning : run->log.warnings) {
      const size_t at = warning.find("this is the plan of width ");
      if (at != std::string::npos) taken = std::stoi(warning.substr(at + 26)), ++narrower;
    }
    EXPECT_EQ(run->log.propagation->decisions.beamWidth, taken) << seed;
  }
  EXPECT_GT(narrower, 0);
}

}  // namespace
}  // namespace tessera::test
