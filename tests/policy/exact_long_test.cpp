// Policy Exact: its model against plans and simulator, its bounds, its certificates.

#include "core/driver/pipeline.h"
#include "core/policy/exact/exact_search.h"
#include "core/policy/exact/layout_lp.h"
#include "tests/policy/expect_sound.h"
#include "tests/policy/random_graph.h"
#include "tests/policy/spill_demand.h"
#include "tests/sizes.h"
#include "tests/solve/run_solver.h"

namespace tessera::test {
namespace {

std::unique_ptr<FinishedRun> runExact(Session& session, std::string_view policy, int64_t capPermille = -1) {
  Options options;
  options.policy = policy;
  options.l1UsageCapPermille = capPermille;
  return runPolicy(session, options, Diagnostics());
}

// What is certified is what the simulator measures, and no other policy is faster.
void expectBestOfAll(const std::filesystem::path& path, bool& proven) {
  SCOPED_TRACE(path.filename().string());
  Session session;
  const LoadedGraph& loaded = session.load(path.filename().string(), readFile(path));
  ASSERT_TRUE(loaded.graph.has_value());
  const auto exact = runExact(session, "Exact");
  ASSERT_TRUE(exact->report.run.has_value());
  const RunOutcome& run = *exact->report.run;
  ASSERT_TRUE(run.log.exact.has_value());
  const ExactTrace& trace = *run.log.exact;
  EXPECT_EQ(run.program->sim.failures, 0);
  EXPECT_EQ(trace.time, run.program->sim.time.count);
  EXPECT_LE(trace.lowerBound, trace.time);
  EXPECT_EQ(trace.proven, trace.lowerBound == trace.time);
  proven = trace.proven;
  EXPECT_GT(trace.layoutOptimum, 0) << "layout selection is proven";
  EXPECT_EQ(run.log.warnings.empty(), trace.proven);
  for (const PolicyInfo& info : allPolicies()) {
    if (info.id == "Exact") continue;
    const auto other = runExact(session, info.id);
    ASSERT_TRUE(other->report.run.has_value());
    const SimResult& sim = other->report.run->program->sim;
    if (sim.failures == 0) {
      EXPECT_LE(run.program->sim.time.count, sim.time.count) << info.id;
    }
    const bool sameOrder = other->report.run->plan.order == other->problem->schedule.order;
    if (sameOrder && sim.failures == 0) {
      EXPECT_LE(trace.lowerBound, sim.time.count) << info.id;
    }
    for (const ExactTrace::Baseline& baseline : trace.baselines) {
      if (baseline.policy == info.id) {
        EXPECT_EQ(baseline.time, sim.time.count) << info.id;
      }
      if (baseline.policy == info.id) {
        EXPECT_EQ(baseline.fits, sim.failures == 0) << info.id;
      }
    }
  }
}

TEST(Exact, IsTheFastestOnTheSamples) {
  bool proven = false;
  for (const auto& path : sliceOf(sampleFiles())) expectBestOfAll(path, proven);
}

TEST(Exact, IsTheFastestOnTheModelsAndProvesIt) {
  const auto files = corpusSlice();
  if (files.empty()) GTEST_SKIP() << "skipped: no corpus at " << sharedFolder();
  for (const auto& path : files) {
    bool proven = false;
    expectBestOfAll(path, proven);
    EXPECT_TRUE(proven) << path.filename();
  }
}

struct Searched {
  std::unique_ptr<PolicyRun> run;
  std::vector<Plan> baselines;
  std::unique_ptr<ExactSearch> search;
};

Searched searchRandom(uint32_t seed, int32_t capPermille = 1000) {
  Searched out;
  ProblemOptions options;
  options.l1UsageCapPermille = capPermille;
  out.run = runOn(graphOf(randomGraphText(seed, {.images = seed % 3 == 0})), "DRAM", options);
  out.baselines = baselinePlans(*out.run->problem, {}, out.run->memory);
  out.search = std::make_unique<ExactSearch>(*out.run->problem, out.baselines, out.run->memory.exact);
  return out;
}

LayoutAssignment optimumOf(Searched& s) { return readAssignment(s.search->costs(), s.search->layouts().values); }

Realized realizeOptimum(Searched& s) {
  const LayoutAssignment optimum = optimumOf(s);
  return realize(s.search->costs(), optimum, movesOf(s.search->costs(), optimum), {});
}

// The value of the op's variable that a plan amounts to; -1: the plan's candidate is not among the choices. Of configs
// with the same result the model takes the best.
int valueOf(const OpChoices& op, bool decided, const PlanTrack& plan) {
  for (size_t x = 0; x < op.valueConfig.size(); ++x) {
    const auto config = static_cast<size_t>(op.valueConfig[x]);
    bool same = !decided || op.configs[config].output == plan.config[op.op].output;
    if (same && op.isExplicit) {
      const OpCandidate candidate = op.candidate({config, op.valueCandidate[x]});
      for (const OperandChoice& operand : op.operands)
        same = same && candidate.reads[operand.index] == plan.reads[op.op][operand.index];
    }
    if (same) return static_cast<int>(x);
  }
  return -1;
}

// The values of all variables that a plan amounts to; empty when the plan does what is not among the choices.
std::vector<int> valuesOf(const LayoutChoices& choices, const Plan& plan) {
  const PlanTrack track = trackPlan(choices.problem, plan, choices.pool);
  std::vector<int> values(choices.variables.size(), 0);
  for (OpId id : choices.problem.schedule.order) {
    const OpChoices& op = choices.ops[id];
    if (op.variable < 0) continue;
    const auto& results = choices.problem.graph.ops[id].results;
    const bool decided = !results.empty() && !choices.values[results[0]].isFixed();
    const int value = valueOf(op, decided, track);
    if (value < 0) return {};
    values[static_cast<size_t>(op.variable)] = value;
    for (const OperandChoice& operand : op.operands) {
      if (!operand.split) continue;
      const std::vector<LayoutId>& layouts = operand.domain.layouts;
      const auto at = std::find(layouts.begin(), layouts.end(), track.at[id][operand.index]);
      if (at == layouts.end()) return {};
      values[static_cast<size_t>(operand.domain.variable)] = static_cast<int>(at - layouts.begin());
    }
  }
  return values;
}

// Every plan is an assignment of the model at no higher cost, so the optimum bounds them all.
TEST(Exact, TheModelHoldsEveryPlan) {
  int held = 0;
  for (uint32_t seed = 1; seed <= seeds(40); ++seed) {
    SCOPED_TRACE(seed);
    Searched s = searchRandom(seed);
    const FactorGraph& graph = s.search->graph();
    const SelectionResult& best = s.search->layouts();
    ASSERT_TRUE(best.feasible && best.proven);
    EXPECT_EQ(graph.evaluate(best.values), best.cost);
    for (const Plan& baseline : s.baselines) {
      const Cost time = planTime(*s.run->problem, baseline, s.search->moves());
      const std::vector<int> values = valuesOf(s.search->choices(), baseline);
      if (planFits(*s.run->problem, baseline, s.search->refusedOps())) {
        EXPECT_LE(best.cost, time) << baseline.policy;
      }
      if (values.empty()) continue;
      ++held;
      const Cost cost = graph.evaluate(values);
      if (!isForbidden(cost)) {
        EXPECT_LE(cost, time) << baseline.policy;
      }
    }
  }
  EXPECT_GT(held, enough(100));
}

// A plan made from the optimum costs what the optimum does, unless something had to be repaired.
TEST(Exact, WhatFitsCostsWhatTheModelCosts) {
  int asPlanned = 0;
  for (uint32_t seed = 1; seed <= seeds(40); ++seed) {
    SCOPED_TRACE(seed);
    Searched s = searchRandom(seed);
    const SelectionResult& best = s.search->layouts();
    const Realized made = realizeOptimum(s);
    for (const PlanDefect& d : checkPlan(*s.run->problem, made.plan))
      ADD_FAILURE() << planRuleName(d.rule) << ": " << d.text;
    const SimResult sim = simulate(applyPlan(s.run->graph, made.plan).graph, s.run->problem->model,
                                   s.run->problem->budget.bytes(), made.plan.config);
    if (made.fits) {
      EXPECT_EQ(sim.failures, 0);
    }
    if (!made.deviations.empty() || !made.evicted.empty()) continue;
    ++asPlanned;
    EXPECT_EQ(planTime(*s.run->problem, made.plan, s.search->moves()), best.cost);
  }
  EXPECT_GT(asPlanned, enough(20));
}

// Prices of L1 raise the lower bound and give further plans; the graph without prices stays as it is.
TEST(Exact, PricedL1GivesBoundsBelowAndPlansAbove) {
  int priced = 0;
  for (uint32_t seed = 1; seed <= (smallTests() ? 5 : 12); ++seed) {
    for (const int32_t cap : {250, 120, 60}) {
      SCOPED_TRACE(std::to_string(seed) + " cap " + std::to_string(cap));
      Searched s = searchRandom(seed, cap);
      const Cost before = s.search->layouts().cost;
      ExactTrace trace;
      const Plan plan = s.search->best({.rounds = 20}, trace);
      if (trace.time < 0) continue;
      EXPECT_LE(trace.lowerBound, trace.time);
      EXPECT_GE(trace.lowerBound, before);
      EXPECT_EQ(s.search->graph().evaluate(s.search->layouts().values), before);
      for (const PlanDefect& d : checkPlan(*s.run->problem, plan))
        ADD_FAILURE() << planRuleName(d.rule) << ": " << d.text;
      for (const ExactTrace::Baseline& baseline : trace.baselines) {
        if (baseline.fits) {
          EXPECT_LE(trace.lowerBound, baseline.time) << baseline.policy;
        }
      }
      priced += !trace.bounds.empty();
    }
  }
  EXPECT_GT(priced, enough(3));
}

// A diamond of element-wise ops between two matmuls, small enough for an integer program.
std::string diamondText(int size, int tail) {
  const std::string type = "tensor<" + std::to_string(size) + "x" + std::to_string(size) + "xbf16>";
  std::string text = "func.func @main(%x: " + type + ", %w: " + type + ") -> " + type + " {\n";
  text += "  %m = \"ttir.matmul\"(%x, %w) : (" + type + ", " + type + ") -> " + type + "\n";
  text += "  %a = \"ttir.gelu\"(%m) : (" + type + ") -> " + type + "\n";
  text += "  %b = \"ttir.exp\"(%a) : (" + type + ") -> " + type + "\n";
  for (int i = 0; i < tail; ++i)
    text += "  %t" + std::to_string(i) + " = \"ttir.relu\"(" + (i == 0 ? "%b" : "%t" + std::to_string(i - 1)) +
            ") : (" + type + ") -> " + type + "\n";
  const std::string last = tail > 0 ? "%t" + std::to_string(tail - 1) : "%b";
  text += "  %c = \"ttir.add\"(" + last + ", %m) : (" + type + ", " + type + ") -> " + type + "\n";
  text += "  %d = \"ttir.matmul\"(%c, %a) : (" + type + ", " + type + ") -> " + type + "\n";
  return text + "  return %d : " + type + "\n}\n";
}

// Another solver's optimum of layouts under the capacity lies between our bound and our plan.
TEST(Exact, BoundAndPlanEncloseTheOptimumOfAnIntegerProgram) {
  if (!testing_solver::installed("cbc")) GTEST_SKIP() << "skipped: cbc is not installed";
  int compared = 0, tight = 0;
  for (const int size : {512, 1024}) {
    if (smallTests() && size > 512) continue;
    for (const int tail : {0, 2}) {
      for (const int32_t cap : {60, 100, 180, 300}) {
        SCOPED_TRACE(std::to_string(size) + " " + std::to_string(tail) + " cap " + std::to_string(cap));
        ProblemOptions options;
        options.l1UsageCapPermille = cap;
        options.maxLegalLayouts = 2;
        const auto run = runOn(graphOf(diamondText(size, tail)), "DRAM", options);
        const std::vector<Plan> baselines = baselinePlans(*run->problem, {}, run->memory);
        ExactSearch search(*run->problem, baselines, run->memory.exact);
        ExactTrace trace;
        search.best({.rounds = 40}, trace);
        const std::string output = testing_solver::run(
            "cbc", writeJointLp(search.choices(), search.moves(), run->problem->budget.bytes().count), ".lp",
            "sec 60 solve");
        double optimum = 0;
        if (output.find("Optimal solution found") == std::string::npos ||
            !testing_solver::numberAfter(output, "Objective value:", optimum))
          continue;
        ++compared;
        EXPECT_LE(static_cast<double>(trace.lowerBound), optimum + 0.5);
        if (trace.time >= 0) {
          EXPECT_GE(static_cast<double>(trace.time), optimum - 0.5);
        }
        tight += static_cast<double>(trace.time) <= optimum * 1.05;
      }
    }
  }
  EXPECT_GE(compared, smallTests() ? 5 : 10);
  EXPECT_GE(2 * tight, compared);
}

// The layout problems of real graphs, put to a solver of another origin.
TEST(Exact, TheOptimumOfLayoutsIsAnotherSolversToo) {
  const auto files = corpusSlice();
  if (files.empty()) GTEST_SKIP() << "skipped: no corpus at " << sharedFolder();
  if (!testing_solver::installed("toulbar2")) GTEST_SKIP() << "skipped: toulbar2 is not installed";
  int compared = 0;
  for (const auto& path : files) {
    SCOPED_TRACE(path.filename().string());
    Session session;
    session.load(path.filename().string(), readFile(path));
    const auto run = runExact(session, "DRAM");
    const std::vector<Plan> baselines = baselinePlans(*run->problem, {}, session.memory);
    ExactSearch search(*run->problem, baselines, session.memory.exact);
    const SelectionResult& best = search.layouts();
    if (best.cells > 300'000) continue;  // minutes for the other solver
    Cost offset = 0;
    const std::string output =
        testing_solver::run("toulbar2", writeWcsp(search.graph(), "layouts", offset), ".wcsp", "");
    double theirs = 0;
    ASSERT_TRUE(testing_solver::numberAfter(output, "Optimum: ", theirs)) << output;
    EXPECT_EQ(static_cast<Cost>(theirs) + offset, best.cost);
    ++compared;
  }
  EXPECT_GE(compared, smallTests() ? 5 : 15);
}

// Spilling on the optimum's layouts: nothing at the greatest demand, never less at a smaller budget, proven, and below
// the rules.
TEST(Exact, SpillingOnGivenLayoutsIsProven) {
  int spilled = 0;
  for (uint32_t seed = 1; seed <= seeds(20); ++seed) {
    SCOPED_TRACE(seed);
    Searched s = searchRandom(seed);
    const SpillDemand demand = spillDemand(s.search->costs(), optimumOf(s));
    const int64_t peak = *std::max_element(demand.demand.begin(), demand.demand.end());
    Cost before = 0;
    for (const int share : {100, 90, 75, 50, 25}) {
      const SpillProblem problem = atBudget(demand, peak * share / 100);
      const SpillResult result = solveSpill(problem, {});
      EXPECT_TRUE(result.proven);
      EXPECT_EQ(result.cost, result.lowerBound);
      EXPECT_EQ(evaluateSpill(problem, result.keep), result.cost);
      EXPECT_GE(result.cost, before);
      if (share == 100) {
        EXPECT_EQ(result.cost, 0);
      }
      for (const SpillRule rule : {SpillRule::FarthestLastUse, SpillRule::FarthestNextUse, SpillRule::CostAware}) {
        EXPECT_GE(evaluateSpill(problem, spillByRule(problem, rule)), result.cost);
      }
      before = result.cost;
    }
    spilled += before > 0;
  }
  EXPECT_GT(spilled, enough(5));
}

// A regret is what the optimum loses when the layout is forced; checked by forcing it.
TEST(Exact, RegretsAreWhatForcingCosts) {
  for (uint32_t seed = 1; seed <= seeds(8); ++seed) {
    Searched s = searchRandom(seed);
    const SelectionResult best = s.search->layouts();
    const auto regrets = s.search->regrets(s.run->plan);
    ASSERT_FALSE(regrets.empty());
    EXPECT_EQ(s.search->tree()->solve().cost, best.cost) << "nothing stays forced";
    for (const ExactTrace::OpRegrets& op : s.search->regrets(realizeOptimum(s).plan)) {
      if (op.present == op.best) {
        EXPECT_GE(op.candidateRegret, 0);
      }
    }
    for (const ExactTrace::OpRegrets& op : regrets) {
      EXPECT_EQ(op.layouts[static_cast<size_t>(op.best)].regret, 0);
      if (op.present >= 0 && op.candidateRegret >= 0) {
        EXPECT_GE(op.candidateRegret, op.layouts[static_cast<size_t>(op.present)].regret);
      }
      for (const ExactTrace::Regret& choice : op.layouts) {
        const OpChoices& choices = s.search->choices().ops[op.op];
        Cost least = kForbidden;
        for (size_t x = 0; x < choices.valueConfig.size(); ++x) {
          if (!(s.search->pool()[choices.outputOf(x)] == choice.layout)) continue;
          s.search->tree()->force(choices.variable, static_cast<int>(x));
          least = std::min(least, s.search->tree()->solve().cost);
        }
        s.search->tree()->force(choices.variable, -1);
        EXPECT_EQ(choice.regret, isForbidden(least) ? -1 : least - best.cost);
      }
    }
  }
}

}  // namespace
}  // namespace tessera::test
