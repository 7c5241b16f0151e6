// The model of policy Exact, counted again: every candidate is put to the op model once more, and random assignments
// are added up move by move, with and without prices. Knows what the choices are, nothing of how tables are made.

#include <map>
#include <numeric>

#include "core/policy/exact/candidates.h"
#include "core/policy/exact/layout_tables.h"
#include "core/policy/kit/op_in_l1.h"
#include "core/support/json_value.h"
#include "tests/policy/exact_model.h"
#include "tests/policy/expect_sound.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

// --- ops that read many values ---------------------------------------------------------------------------------------

// A plan whose first `count` results of relu lie in L1, the rest and the concat in DRAM.
Plan withInL1(const Model& model, int count) {
  Plan plan = model.baselines[0];
  const Problem& problem = *model.run->problem;
  for (OpId op : problem.schedule.order) {
    if (problem.graph.ops[op].kind != OpKind::TtirRelu || count-- <= 0) continue;
    plan.config[op].output = l1InterleavedLayout(problem, problem.graph.ops[op].results[0]);
  }
  return plan;
}

TEST(ExactModel, AConcatOfManyKnowsWhatEveryPlanReadsAndFewOthers) {
  for (const int inL1 : {0, 4, 8, 9, 12, 13, 16}) {  // two layouts for each combine to 2^8 and to more
    SCOPED_TRACE(inL1);
    Model model(graphOf(manyRead(16)), {.maxLegalLayouts = 1});
    model.baselines.push_back(withInL1(model, inL1));
    model.search = std::make_unique<ExactSearch>(*model.run->problem, model.baselines, model.run->memory.exact);
    const Problem& problem = *model.run->problem;
    const OpId concat = opOf(problem.graph, OpKind::TtirConcat);
    const OpChoices& op = model.search->choices().ops[concat];
    ASSERT_TRUE(op.isExplicit && !op.refused);
    EXPECT_LE(op.valueConfig.size(), 256 * op.configs.size());
    EXPECT_LT(op.valueConfig.size(), 1000u);
    for (const Plan& plan : model.baselines) {
      const PlanTrack track = trackPlan(problem, plan, model.search->pool());
      int known = 0;
      for (size_t value = 0; value < op.valueConfig.size(); ++value) {
        const auto config = static_cast<size_t>(op.valueConfig[value]);
        const OpCandidate candidate = op.candidate({config, op.valueCandidate[value]});
        known += candidate.config == plan.config[concat] && candidate.reads == track.reads[concat];
      }
      EXPECT_EQ(known, 1);
    }
  }
}

// --- candidates ------------------------------------------------------------------------------------------------------

// The layouts read by candidate `index`, the last operand fastest.
std::vector<LayoutId> readsOf(const CandidateTable& table, size_t index) {
  std::vector<LayoutId> reads(table.reads.size());
  for (size_t i = reads.size(); i-- > 0;) {
    reads[i] = table.reads[i][index % table.reads[i].size()];
    index /= table.reads[i].size();
  }
  return reads;
}

struct Counted {
  int64_t legal = 0, refused = 0, tooLarge = 0, alone = 0;
};

void expectCandidates(const Model& model, const OpChoices& op, size_t config, Counted& counted) {
  const Problem& problem = *model.run->problem;
  const LayoutPool& pool = model.run->memory.interner.layouts;
  const CandidateTable& table = *op.candidates[config];
  const OpConfig& asked = op.configs[config];
  const int64_t budget = problem.budget.bytes().count;
  const OpKind kind = problem.graph.ops[op.op].kind;
  const OpModel fresh(problem.device);
  size_t combinations = 1;
  for (const auto& options : table.reads) combinations *= options.size();
  ASSERT_EQ(table.time.size(), combinations);
  ASSERT_EQ(table.l1.size(), combinations);
  for (size_t index = 0; index < combinations; ++index) {
    const std::vector<LayoutId> reads = readsOf(table, index);
    std::vector<std::optional<TensorLayout>> inputs(problem.graph.ops[op.op].operands.size());
    std::map<std::pair<int32_t, LayoutId>, int64_t> inL1;  // a value in one layout is there once
    for (size_t i = 0; i < reads.size(); ++i) {
      inputs[op.operands[i].index] = pool[reads[i]];
      inL1[{op.operands[i].value.index, reads[i]}] = l1BytesPerCore(pool[reads[i]]).count;
    }
    int64_t bytes = 0;
    for (const auto& [what, count] : inL1) bytes += count;
    const OpFigures figures = fresh.figuresOf({problem.graph, op.op, inputs, asked, Bytes(bytes)});
    if (figures.aliases) bytes -= l1BytesPerCore(asked.output).count;
    bytes += figures.constraints.peakL1MemorySize.count;
    const bool accepted = figures.status == OpStatus::Success;
    const bool asAsked = figures.output == asked.output || problem.graph.ops[op.op].results.empty() ||
                         problem.pinned[problem.graph.ops[op.op].results[0]];
    if (!accepted || (bytes <= budget && !asAsked)) {
      ++counted.refused;
      EXPECT_TRUE(isForbidden(table.time[index]));
      continue;
    }
    if (bytes > budget) {  // without a result or operands in L1 no plan can help it
      const bool alone = !isForbidden(table.time[index]);
      alone ? ++counted.alone : ++counted.tooLarge;
      if (!alone) continue;
      EXPECT_FALSE(asked.output.isL1());
      EXPECT_LE(bytes, figures.constraints.peakL1MemorySize.count);
      EXPECT_EQ(table.l1[index], budget);
      continue;
    }
    ++counted.legal;
    EXPECT_EQ(table.l1[index], bytes);
    if (kind == OpKind::TtnnToLayout || kind == OpKind::TtnnToTensorSpec) continue;
    EXPECT_EQ(table.time[index], figures.time.count);
  }
}

TEST(ExactModel, EveryCandidateIsWhatTheOpModelSays) {
  Counted counted;
  for (const int32_t cap : {20, 150, 1000}) {
    for (uint64_t seed = 1; seed <= (smallTests() ? 1 : 4); ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed) + " cap " + std::to_string(cap));
      const Model model = randomModel(seed, {.l1UsageCapPermille = cap, .maxLegalLayouts = 4});
      const Problem& problem = *model.run->problem;
      int64_t legal = 0;
      for (const OpId op : problem.schedule.order) {
        const OpChoices& choices = model.search->choices().ops[op];
        for (const auto& table : choices.candidates)
          for (const int64_t time : table->time) legal += !isForbidden(time);
        if (choices.variable < 0 || choices.refused) continue;
        for (size_t c = 0; c < choices.configs.size(); ++c) expectCandidates(model, choices, c, counted);
      }
      EXPECT_EQ(model.search->choices().candidateCount, legal);
    }
  }
  EXPECT_GT(counted.legal, enough(2000));
  EXPECT_GT(counted.refused, enough(1000));
  EXPECT_GT(counted.tooLarge, enough(100));
}

// An op may read each operand where it may be, and in DRAM or L1 interleaved; nothing that the analysis found legal
// with the operands where they start is missing, and no config stays that another one makes superfluous.
TEST(ExactModel, NothingLegalIsMissingAndNothingSuperfluousStays) {
  int64_t open = 0, outputs = 0;
  for (uint64_t seed = 1; seed <= (smallTests() ? 2 : 8); ++seed) {
    SCOPED_TRACE(seed);
    const Model model = randomModel(seed, {.maxLegalLayouts = 4});
    const Problem& problem = *model.run->problem;
    LayoutPool& pool = model.run->memory.interner.layouts;
    for (const OpId id : problem.schedule.order) {
      const OpChoices& op = model.search->choices().ops[id];
      if (op.variable < 0 || op.refused || op.cut || op.isExplicit) continue;
      for (size_t c = 0; c < op.configs.size(); ++c) {
        EXPECT_EQ(pool[op.outputs[c]], op.configs[c].output);
        for (size_t i = 0; i < op.operands.size(); ++i) {
          const OperandChoice& operand = op.operands[i];
          std::vector<LayoutId> wanted = operand.domain.layouts;
          if (operand.domain.open()) {
            wanted.push_back(pool.intern(dramLayout(problem, operand.value)));
            wanted.push_back(pool.intern(l1InterleavedLayout(problem, operand.value)));
            ++open;
          }
          const std::vector<LayoutId>& options = op.candidates[c]->reads[i];
          for (const LayoutId layout : wanted)
            EXPECT_EQ(std::count(options.begin(), options.end(), layout), 1) << layoutText(pool[layout]);
        }
        for (size_t d = 0; d < op.configs.size(); ++d) {
          const CandidateTable &a = *op.candidates[c], &b = *op.candidates[d];
          if (c == d || op.outputs[c] != op.outputs[d] || a.reads != b.reads) continue;
          bool needed = false;  // somewhere config d is faster, or smaller where it is legal
          for (size_t i = 0; i < a.time.size(); ++i)
            needed = needed || b.time[i] < a.time[i] || (!isForbidden(b.time[i]) && b.l1[i] < a.l1[i]);
          EXPECT_TRUE(needed) << "config " << d << " beside " << c;
        }
      }
      for (const TensorLayout& layout : problem.legal[id].layouts) {
        ++outputs;
        EXPECT_NE(std::find(op.outputs.begin(), op.outputs.end(), pool.intern(layout)), op.outputs.end())
            << layoutText(layout);
      }
    }
  }
  EXPECT_GT(open, enough(100));
  EXPECT_GT(outputs, enough(100));
}

// --- costs -----------------------------------------------------------------------------------------------------------

// What an assignment costs, added up with `price` units of 2^-16 ns per byte of every step; all 0: in nanoseconds.
class Adding {
 public:
  Adding(const LayoutChoices& choices, MoveTime& moves, std::vector<int64_t> price)
      : choices_(choices), moves_(moves), price_(std::move(price)) {
    const bool priced = std::any_of(price_.begin(), price_.end(), [](int64_t p) { return p != 0; });
    unit_ = priced ? 65536 : 1;
  }

  Cost of(const std::vector<int>& values) const {
    Cost sum = 0;
    for (const OpId op : choices_.problem.schedule.order) {
      if (choices_.ops[op].variable >= 0) sum = plus(sum, ofOp(choices_.ops[op], values));
    }
    for (const ValueId value : choices_.values.ids()) sum = plus(sum, ofValue(value, values));
    return sum;
  }

 private:
  static Cost plus(Cost a, Cost b) { return isForbidden(a) || isForbidden(b) ? kForbidden : a + b; }
  Cost times(Cost nanoseconds) const { return isForbidden(nanoseconds) ? kForbidden : nanoseconds * unit_; }
  int64_t bytes(ValueId value, LayoutId layout) const {
    return choices_.values[value].sharesBuffer ? 0 : l1BytesPerCore(choices_.pool[layout]).count;
  }
  // Of holding so many bytes on the steps strictly between two.
  Cost between(int32_t after, int32_t before, int64_t count) const {
    Cost sum = 0;
    for (int32_t step = after + 1; step < before; ++step) {
      if (step >= 0) sum += price_[static_cast<size_t>(step)] * count;
    }
    return sum;
  }
  Cost at(int32_t step, int64_t count) const { return price_[static_cast<size_t>(step)] * count; }

  // It stays and is converted at the better end, or waits in DRAM.
  Cost transfer(ValueId value, LayoutId from, LayoutId to, int32_t after, int32_t before) const {
    const Cost hold = between(after, before, std::min(bytes(value, from), bytes(value, to)));
    Cost best = plus(times(moves_.of(value, from, to)), hold);
    if (choices_.pool[from].isL1() && (from != to || hold > 0)) {
      const LayoutId dram = choices_.values[value].dram;
      best = std::min(best, plus(times(moves_.of(value, from, dram)), times(moves_.of(value, dram, to))));
    }
    return best;
  }

  Cost read(const OpChoices& op, const OperandChoice& operand, LayoutId from, LayoutId as) const {
    const int32_t step = choices_.stepOf(op.op);
    if (operand.domain.variable >= 0 && !operand.split)
      return transfer(operand.value, from, as, operand.definedAt, step);
    const Cost move = times(moves_.of(operand.value, from, as));
    const bool both = operand.split && operand.livesOn && from != as;
    return both ? plus(move, at(step, bytes(operand.value, from))) : move;
  }

  Cost ofOp(const OpChoices& op, const std::vector<int>& values) const {
    const auto value = static_cast<size_t>(values[static_cast<size_t>(op.variable)]);
    Cost best = kForbidden;
    for (size_t c = 0; c < op.configs.size(); ++c) {
      if (op.outputs[c] != op.outputOf(value)) continue;
      const CandidateTable& table = *op.candidates[c];
      for (size_t index = 0; index < table.time.size(); ++index) {
        const bool other =
            op.isExplicit && (static_cast<int32_t>(c) != op.valueConfig[value] || index != op.valueCandidate[value]);
        if (other || isForbidden(table.time[index])) continue;
        Cost cost = plus(times(table.time[index]), at(choices_.stepOf(op.op), table.l1[index]));
        const std::vector<LayoutId> reads = readsOf(table, index);
        for (size_t i = 0; i < reads.size(); ++i)
          cost = plus(cost, read(op, op.operands[i], op.operands[i].domain.at(values), reads[i]));
        best = std::min(best, cost);
      }
    }
    return best;
  }

  // Its moves between readers, and the way back to DRAM when it is returned.
  Cost ofValue(ValueId id, const std::vector<int>& values) const {
    const ValueChoices& value = choices_.values[id];
    const OpId producer = choices_.problem.graph.values[id].producer;
    const bool decided = !value.isFixed() && producer.valid() && choices_.ops[producer].variable >= 0;
    if (!decided && value.segments.empty()) return 0;
    LayoutId now = choices_.produced(id).at(values);
    int32_t after = choices_.problem.live[id].def;
    Cost sum = 0;
    for (size_t i = 0; i < value.segments.size(); ++i) {
      const LayoutId next = value.layouts[static_cast<size_t>(values[static_cast<size_t>(value.segments[i])])];
      const int32_t before = choices_.stepOf(value.readers[i]);
      sum = plus(sum, transfer(id, now, next, after, before));
      now = next, after = before;
    }
    if (value.returned && choices_.pool[now].isL1()) sum = plus(sum, times(moves_.of(id, now, value.dram)));
    return sum;
  }

  const LayoutChoices& choices_;
  MoveTime& moves_;
  std::vector<int64_t> price_;  // per step
  Cost unit_ = 1;
};

// Random values, near the best ones more often than not: far from them most is forbidden.
std::vector<int> someValues(const FactorGraph& graph, const std::vector<int>& best, SplitMix64& random) {
  std::vector<int> values = best;
  const int64_t share = 1 + random.below(12);
  for (size_t v = 0; v < values.size(); ++v) {
    if (random.oneIn(share))
      values[v] = static_cast<int>(random.below(static_cast<int64_t>(graph.unary(static_cast<int>(v)).size())));
  }
  return values;
}

void expectSums(Model& model, const std::vector<int64_t>& price, SplitMix64& random, int64_t& possible) {
  const LayoutChoices& choices = model.search->choices();
  const SelectionResult& best = model.search->layouts();
  ASSERT_TRUE(best.feasible);
  L1Prices prices{.shift = 16, .upTo = {0}};
  for (const int64_t one : price) prices.upTo.push_back(prices.upTo.back() + one);
  const bool priced = prices.upTo.back() > 0;
  const LayoutCosts costs(choices, model.search->moves(), priced ? &prices : nullptr);
  const FactorGraph graph = layoutGraph(costs, model.run->memory.exact);
  ASSERT_EQ(graph.variableCount(), static_cast<int>(choices.variables.size()));
  const Adding adding(choices, model.search->moves(), price);
  for (int round = 0; round < 12; ++round) {
    const std::vector<int> values = round == 0 ? best.values : someValues(graph, best.values, random);
    const Cost sum = adding.of(values);
    EXPECT_EQ(graph.evaluate(values), sum) << "round " << round;
    possible += !isForbidden(sum);
    if (!priced) {
      EXPECT_GE(sum, best.cost);
    }
  }
}

TEST(ExactModel, TheTablesAddUpWhatEveryAssignmentCosts) {
  int64_t possible = 0;
  for (uint64_t seed = 1; seed <= (smallTests() ? 2 : 8); ++seed) {
    SCOPED_TRACE(seed);
    Model model = randomModel(seed, {.l1UsageCapPermille = seed % 2 ? 1000 : 200, .maxLegalLayouts = 3});
    SplitMix64 random(seed);
    const auto steps = static_cast<size_t>(model.run->problem->schedule.steps());
    expectSums(model, std::vector<int64_t>(steps, 0), random, possible);
    std::vector<int64_t> price(steps, 0);
    for (int64_t& one : price) one = random.oneIn(3) ? random.below(3000) : 0;
    expectSums(model, price, random, possible);
  }
  EXPECT_GT(possible, enough(60));
}

// What an op of many operands reads from one place only counts with each of its candidates, and of those that write a
// layout the cheapest tells its regret.
TEST(ExactModel, AConcatOfManyPaysForWhatItReadsOfArguments) {
  std::string text = manyRead(17);
  const std::string last = "  %r16 = \"ttir.relu\"(%a16) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n";
  text.erase(text.find(last), last.size());
  text.replace(text.find("%r16"), 4, "%a16");
  Model model(graphOf(text), {.maxLegalLayouts = 1});
  const Problem& problem = *model.run->problem;
  const OpId concat = opOf(problem.graph, OpKind::TtirConcat);
  Plan moved = model.baselines[0];
  moved.reshards.push_back({concat, 16, l1InterleavedLayout(problem, valueNamed(problem.graph, "a16"))});
  model.baselines.push_back(moved);
  model.search = std::make_unique<ExactSearch>(problem, model.baselines, model.run->memory.exact);
  const OpChoices& op = model.search->choices().ops[concat];
  ASSERT_TRUE(op.isExplicit && !op.operands[16].domain.open());
  int64_t possible = 0;
  SplitMix64 random(1);
  const std::vector<int64_t> noPrice(static_cast<size_t>(problem.schedule.steps()), 0);
  for (int round = 0; round < 8; ++round) expectSums(model, noPrice, random, possible);
  EXPECT_GT(possible, 8);
  for (const ExactTrace::OpRegrets& entry : model.search->regrets(model.baselines[0])) {
    ASSERT_GE(entry.best, 0);
    EXPECT_EQ(entry.layouts[static_cast<size_t>(entry.best)].regret, 0);
    for (const auto& layout : entry.layouts) EXPECT_GE(layout.regret, -1);
  }
}

// The combinations of three operands are few enough to be tried, but with the layouts of the result there are too many
// for one table: then not each is a candidate.
TEST(ExactModel, AnOpThatKnowsSingleCandidatesIsCut) {
  const std::string x = "tensor<256x256xbf16>", y = "tensor<768x256xbf16>";
  std::string text = "func.func @main(%a: " + x + ") -> " + y + " {\n";
  for (const std::string name : {"p", "q", "r"})
    text += "  %" + name + " = \"ttir.relu\"(%a) : (" + x + ") -> " + x + "\n";
  text += "  %c = \"ttir.concat\"(%p, %q, %r) <{dim = 0 : si32}> : (" + x + ", " + x + ", " + x + ") -> " + y +
          "\n  return %c : " + y + "\n}\n";
  for (const int layouts : {12, 13}) {
    const Model model(graphOf(text), {.maxLegalLayouts = layouts});
    const OpChoices& op = model.search->choices().ops[opOf(model.run->graph, OpKind::TtirConcat)];
    EXPECT_EQ(op.isExplicit, layouts == 13);
    EXPECT_EQ(op.cut, layouts == 13);
  }
}

// An argument among results, which is read in fewer layouts: each operand pays for that of the value's candidate.
TEST(ExactModel, AConcatOfManyPaysForTheLayoutsOfItsCandidate) {
  std::string text = manyRead(8);
  const std::string relu = "  %r3 = \"ttir.relu\"(%a3) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n";
  text.erase(text.find(relu), relu.size());
  text.replace(text.find("%r3"), 3, "%a3");
  Model model(graphOf(text), {.maxLegalLayouts = 4});
  const OpChoices& op = model.search->choices().ops[opOf(model.run->graph, OpKind::TtirConcat)];
  ASSERT_TRUE(op.isExplicit);
  const bool uneven = std::any_of(op.candidates.begin(), op.candidates.end(), [](const auto& table) {
    return !table->reads.empty() && table->reads[1].size() > table->reads[3].size();
  });
  ASSERT_TRUE(uneven);
  int64_t possible = 0;
  SplitMix64 random(1);
  const std::vector<int64_t> noPrice(static_cast<size_t>(model.run->problem->schedule.steps()), 0);
  for (int round = 0; round < 8; ++round) expectSums(model, noPrice, random, possible);
  EXPECT_GT(possible, 8);
}

// Also those of the operands of an op that knows single candidates.
// Each product reads all before it: too wide for elimination. What the search proved in fractions of a nanosecond its
// certificate proves as well, to the last one.
TEST(ExactModel, ACertificateOfALargeModelProvesWhatWasProven) {
  std::string body, all = "%x", types = "tensor<512x32xbf16>", arguments = "%x: tensor<512x32xbf16>";
  for (int i = 1; i <= 16; ++i) {
    const std::string n = std::to_string(i), wide = "tensor<512x" + std::to_string(32 * i) + "xbf16>",
                      weights = "tensor<" + std::to_string(32 * i) + "x32xbf16>";
    arguments += ", %w" + n + ": " + weights;
    body += "  %c" + n + " = \"ttir.concat\"(" + all + ") <{dim = 1 : si32}> : (" + types + ") -> " + wide + "\n  %m" +
            n + " = \"ttir.matmul\"(%c" + n + ", %w" + n + ") : (" + wide + ", " + weights +
            ") -> tensor<512x32xbf16>\n";
    all += ", %m" + n, types += ", tensor<512x32xbf16>";
  }
  const auto run = runOn(graphOf("func.func @main(" + arguments + ") -> tensor<512x32xbf16> {\n" + body +
                                 "  return %m16 : tensor<512x32xbf16>\n}\n"),
                         "DRAM");
  const std::vector<Plan> none;
  ExactSearch search(*run->problem, none, run->memory.exact);
  ExactTrace trace;
  search.best({.rounds = 0}, trace);
  ASSERT_NE(search.layouts().method, "elimination");
  ASSERT_TRUE(search.layouts().proven && trace.stepPrices.empty());
  const SourceBuffer text("certificate", search.certificate(trace));
  Diagnostics diags;
  const JsonDocument certificate = JsonDocument::parse(text, diags);
  EXPECT_EQ(certificate.root().get("lowerBound").asInteger(), search.layouts().cost);
  EXPECT_GT(certificate.root().get("shift").asInteger().value_or(0), 0);
}

TEST(ExactModel, TablesWithoutPricesAreMadeOnce) {
  const Model model(graphOf(manyRead(8)), {.maxLegalLayouts = 4});
  const FactorGraph& first = model.search->graph();
  const FactorGraph again = layoutGraph(model.search->costs(), model.run->memory.exact);
  ASSERT_EQ(again.factorCount(), first.factorCount());
  int ofOperands = 0;
  for (int f = 0; f < first.factorCount(); ++f) {
    EXPECT_TRUE(again.factor(f).table.same(first.factor(f).table)) << f;
    ofOperands += model.search->choices().tables[static_cast<size_t>(f)].index >= 0;
  }
  EXPECT_GE(ofOperands, 8);
}

// An op that knows single candidates runs as the one of its value.
TEST(ExactModel, AConcatOfManyIsReadAsTheCandidateOfItsValue) {
  const Model model(graphOf(manyRead(8)), {.maxLegalLayouts = 4});
  const OpId concat = opOf(model.run->graph, OpKind::TtirConcat);
  const OpChoices& op = model.search->choices().ops[concat];
  ASSERT_TRUE(op.isExplicit);
  const auto variable = static_cast<size_t>(op.variable);
  std::vector<int> values = model.search->layouts().values;
  int others = 0;
  for (size_t value = 0; value < op.valueConfig.size(); value += 7) {
    values[variable] = static_cast<int>(value);
    const CandidateRef ref{static_cast<size_t>(op.valueConfig[value]), op.valueCandidate[value]};
    const OpCandidate wanted = op.candidate(ref),
                      read = readAssignment(model.search->costs(), values).ops[concat].candidate;
    EXPECT_EQ(read.config, wanted.config);
    EXPECT_EQ(read.reads, wanted.reads);
    others += ref.index > 0;
  }
  EXPECT_GT(others, 10);
}

// A half of the results' layouts may come from the analysis in shards; that others were left out is said.
TEST(ExactModel, LayoutsThatAreLeftOutAreSaid) {
  const std::string t = "tensor<512x512xbf16>";
  const std::string text = "func.func @main(%a: " + t + ", %b: " + t + ") -> " + t +
                           " {\n  %0 = \"ttir.add\"(%a, %b) : (" + t + ", " + t + ") -> " + t + "\n  return %0 : " + t +
                           "\n}\n";
  for (const size_t more : {0, 1}) {
    const auto most = static_cast<int32_t>(kMaxResultLayouts / 2 + more);
    Model model(graphOf(text), {.maxLegalLayouts = most});
    const OpId add = opOf(model.run->graph, OpKind::TtirAdd);
    int32_t sharded = 0;
    for (const TensorLayout& layout : model.run->problem->legal[add].layouts) sharded += layout.sharded();
    ASSERT_EQ(sharded, most);
    EXPECT_EQ(model.search->choices().ops[add].cut, more > 0);
  }
}

// A plan of another policy that needs more L1 than there is is told with its time, and not taken.
TEST(ExactModel, ABaselineThatDoesNotFitIsNotTaken) {
  const std::string t = "tensor<2048x2048xbf16>";
  std::string body;
  for (int i = 0; i < 3; ++i) {
    const std::string from = i > 0 ? "%" + std::to_string(i - 1) : "%a";
    body += "  %" + std::to_string(i) + " = \"ttir.add\"(" + from + ", " + from + ") : (" + t + ", " + t + ") -> " + t +
            "\n";
  }
  Model model(graphOf("func.func @main(%a: " + t + ") -> " + t + " {\n" + body + "  return %2 : " + t + "\n}\n"),
              {.l1UsageCapPermille = 150, .maxLegalLayouts = 1});
  const Problem& problem = *model.run->problem;
  Plan plan = model.baselines[0];
  plan.policy = "AllInL1";
  for (const char* name : {"0", "1"}) {
    const ValueId value = valueNamed(problem.graph, name);
    plan.layout[value] = l1InterleavedLayout(problem, value);
    plan.config[problem.graph.values[value].producer].output = *plan.layout[value];
  }
  const IdVec<OpId, bool> none(problem.graph.ops.size(), false);
  ASSERT_FALSE(planFits(problem, plan, none)) << "two results of 131,072 bytes a core at once";
  model.baselines.push_back(plan);
  model.search = std::make_unique<ExactSearch>(problem, model.baselines, model.run->memory.exact);
  ExactTrace trace;
  const Plan best = model.search->best({}, trace);
  ASSERT_EQ(trace.baselines.size(), 2u);
  EXPECT_TRUE(trace.baselines[0].fits);
  EXPECT_FALSE(trace.baselines[1].fits);
  EXPECT_GT(trace.baselines[1].time, 0);
  EXPECT_LT(trace.baselines[1].time, trace.time) << "it would be faster";
  EXPECT_NE(trace.source, "AllInL1");
  EXPECT_TRUE(planFits(problem, best, none));
}

// Every assignment of a tiny problem: the search finds the least sum.
TEST(ExactModel, TheOptimumIsTheLeastOfAllAssignments) {
  const std::string t = "tensor<64x64xbf16>";
  const std::string bodies[] = {
      "  %0 = \"ttir.relu\"(%a) : (" + t + ") -> " + t + "\n  %1 = \"ttir.exp\"(%0) : (" + t + ") -> " + t +
          "\n  %2 = \"ttir.gelu\"(%1) : (" + t + ") -> " + t + "\n  return %2 : " + t + "\n}\n",
      "  %0 = \"ttir.relu\"(%a) : (" + t + ") -> " + t + "\n  %1 = \"ttir.add\"(%0, %0) : (" + t + ", " + t + ") -> " +
          t + "\n  return %1 : " + t + "\n}\n",
      "  %0 = \"ttir.exp\"(%a) : (" + t + ") -> " + t + "\n  %1 = \"ttir.matmul\"(%a, %0) : (" + t + ", " + t +
          ") -> " + t + "\n  return %1 : " + t + "\n}\n",
  };
  int64_t assignments = 0;
  for (const std::string& body : bodies) {
    Model model(graphOf("func.func @main(%a: " + t + ") -> " + t + " {\n" + body), {.maxLegalLayouts = 2});
    const SelectionResult& best = model.search->layouts();
    ASSERT_TRUE(best.feasible && best.proven);
    const FactorGraph& graph = model.search->graph();
    const auto steps = static_cast<size_t>(model.run->problem->schedule.steps());
    const Adding adding(model.search->choices(), model.search->moves(), std::vector<int64_t>(steps, 0));
    std::vector<int> values(static_cast<size_t>(graph.variableCount()), 0);
    Cost least = kForbidden;
    int64_t count = 1;
    for (int v = 0; v < graph.variableCount(); ++v) count *= static_cast<int64_t>(graph.unary(v).size());
    ASSERT_LT(count, 30'000);
    for (int64_t number = 0; number < count; ++number) {
      int64_t rest = number;
      for (int v = 0; v < graph.variableCount(); ++v) {
        const auto size = static_cast<int64_t>(graph.unary(v).size());
        values[static_cast<size_t>(v)] = static_cast<int>(rest % size);
        rest /= size;
      }
      least = std::min(least, adding.of(values));
    }
    EXPECT_EQ(best.cost, least);
    EXPECT_EQ(adding.of(best.values), least);
    assignments += count;
  }
  EXPECT_GT(assignments, 100);
}

// What each op runs as is one of the cheapest candidates for its result from where its operands are.
TEST(ExactModel, AnAssignmentIsReadAsItsCheapestCandidates) {
  for (uint64_t seed = 1; seed <= (smallTests() ? 1 : 4); ++seed) {
    SCOPED_TRACE(seed);
    Model model = randomModel(seed, {.maxLegalLayouts = 3});
    const LayoutChoices& choices = model.search->choices();
    const std::vector<int>& values = model.search->layouts().values;
    const LayoutAssignment read = readAssignment(model.search->costs(), values);
    EXPECT_EQ(read.values, values);
    for (const OpId id : model.run->problem->schedule.order) {
      const OpChoices& op = choices.ops[id];
      if (op.variable < 0) continue;
      const AssignedOp& assigned = read.ops[id];
      EXPECT_FALSE(assigned.priced);
      const auto value = static_cast<size_t>(values[static_cast<size_t>(op.variable)]);
      if (!op.isExplicit) {
        EXPECT_EQ(assigned.candidate.config.output, choices.pool[op.outputOf(value)]);
      }
      for (const OperandChoice& operand : op.operands) EXPECT_EQ(assigned.at[operand.index], operand.domain.at(values));
      // `from` has every candidate with its cost from there.
      std::vector<LayoutId> from = assigned.at;
      const auto all = candidatesFrom(op, model.search->moves(), from);
      int64_t l1 = -1, candidates = 0;
      for (const CandidateRef& ref : all) {
        const OpCandidate one = op.candidate(ref);
        Cost cost = one.time;
        for (size_t i = 0; i < from.size(); ++i) {
          if (from[i] != kNoLayout)
            cost += model.search->moves().of(model.run->graph.ops[id].operands[i], from[i], one.reads[i]);
        }
        EXPECT_EQ(ref.cost, cost);
        if (one.config == assigned.candidate.config && one.reads == assigned.candidate.reads)
          l1 = op.candidates[ref.config]->l1[ref.index];
      }
      for (const auto& table : op.candidates)
        for (const int64_t time : table->time) candidates += !isForbidden(time);
      EXPECT_LE(static_cast<int64_t>(all.size()), candidates);
      EXPECT_EQ(assigned.l1, l1);
    }
  }
}

}  // namespace
}  // namespace tessera::test
