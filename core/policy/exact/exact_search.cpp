#include "core/policy/exact/exact_search.h"

#include <algorithm>

#include "core/policy/exact/layout_tables.h"
#include "core/policy/kit/op_choice.h"
#include "core/policy/policy.h"
#include "core/solve/certificate.h"
#include "core/solve/selection/dominance.h"

namespace tessera {

namespace {

constexpr int64_t kMaxTableCells = int64_t{1} << 24;  // of the elimination order; a cell takes 10 bytes
constexpr int64_t kMostKeptCells = int64_t{1} << 22;  // of the messages of a tree kept for the next run
constexpr int64_t kPriceWork = 120'000'000;           // cells over all rounds: one to two seconds
constexpr int64_t kBoundWork = 60'000'000;            // where elimination does not do
constexpr int64_t kCertificateCells = 2'000'000;

}  // namespace

ExactSearch::ExactSearch(const Problem& problem, const std::vector<Plan>& baselines, ExactMemory& memory)
    : problem_(problem), baselines_(baselines), memory_(memory) {
  moves_ = std::make_unique<MoveTime>(problem, memory.moves);
  std::vector<const Plan*> plans;
  for (const Plan& baseline : baselines) plans.push_back(&baseline);
  choices_ = std::make_unique<LayoutChoices>(findLayoutChoices(problem, memory_, *moves_, plans));
  costs_ = std::make_unique<LayoutCosts>(*choices_, *moves_);
  graph_ = layoutGraph(*costs_, memory_);
}

ExactSearch::~ExactSearch() {
  if (memory_.tree && memory_.tree->messageCells() > kMostKeptCells) memory_.tree.reset();
}

const SelectionResult& ExactSearch::layouts() {
  if (layouts_) return *layouts_;
  layouts_.emplace();
  if (!graph_.costsFit()) {
    layouts_->lowerBound = 0;
    memory_.tree.reset();
    return *layouts_;
  }
  // The order depends on the shape alone; where it is the last model's, so is the tree but for what has changed.
  std::unique_ptr<EliminationTree> earlier;
  if (memory_.tree && memory_.tree->hasShapeOf(graph_)) {
    order_ = memory_.tree->order();
    memory_.tree->update(graph_);
  } else {
    earlier = std::move(memory_.tree);
    order_ = chooseOrder(graph_, kMaxTableCells);
  }
  if (order_.variables.empty() && graph_.variableCount() > 0) {
    *layouts_ = solveSelection(
        graph_,
        {.cellLimit = kMaxTableCells, .tooLarge = true, .budget = WorkBudget(kBoundWork), .kept = &memory_.selection});
    layouts_->lowerBound = std::max<Cost>(layouts_->lowerBound, 0);
    return *layouts_;
  }
  if (!memory_.tree) memory_.tree = std::make_unique<EliminationTree>(graph_, order_, earlier.get());
  EliminationSolution solution = memory_.tree->solve();
  *layouts_ = {.feasible = solution.feasible,
               .proven = true,
               .values = std::move(solution.values),
               .cost = solution.cost,
               .lowerBound = solution.cost,
               .method = "elimination",
               .width = order_.width,
               .cells = order_.cells};
  return *layouts_;
}

IdVec<OpId, bool> ExactSearch::refusedOps() const {
  IdVec<OpId, bool> refused(problem_.graph.ops.size(), false);
  for (OpId op : problem_.schedule.order) refused[op] = choices_->ops[op].refused;
  return refused;
}

const LayoutAssignment& ExactSearch::assignment() {
  if (!assignment_) assignment_ = readAssignment(*costs_, layouts().values);
  return *assignment_;
}

// Repairs the optimum of layouts, or what is known of it, into plans.
void ExactSearch::offerLayouts(Incumbent& incumbent) {
  const SelectionResult& chosen = layouts();
  if (!chosen.feasible) return;
  const std::vector<LayoutMove> moves = movesOf(*costs_, assignment());
  for (const bool prefer : {true, false}) {
    Realized made = realize(*costs_, assignment(), moves, {.preferOtherCandidates = prefer});
    const Cost time = planTime(problem_, made.plan, *moves_);
    if (made.fits) incumbent.offer(std::move(made.plan), time, "layouts");
    if (incumbent.time == chosen.lowerBound) break;
  }
}

void ExactSearch::offerBaselines(Incumbent& incumbent, ExactTrace& trace) {
  const IdVec<OpId, bool> refused = refusedOps();
  for (const Plan& baseline : baselines_) {
    const Cost time = planTime(problem_, baseline, *moves_);
    const bool fits = planFits(problem_, baseline, refused);
    trace.baselines.push_back({baseline.policy, isForbidden(time) ? -1 : time, fits});
    if (fits) incumbent.offer(baseline, time, baseline.policy);
  }
}

void ExactSearch::offerPriced(const ExactOptions& options, Incumbent& incumbent, ExactTrace& trace) {
  if (!tree() || !layouts().feasible || options.rounds <= 0 || incumbent.time <= trace.lowerBound) return;
  JointOptions joint{.capacity = problem_.budget.bytes().count,
                     .rounds = options.rounds,
                     .budget = WorkBudget(options.maxSteps > 0 ? options.maxSteps : kPriceWork)};
  JointResult priced =
      solveJoint(*choices_, memory_, *moves_, order_, assignment(), trace.lowerBound, incumbent.time, joint);
  trace.lowerBound = std::min(priced.lower, incumbent.time);
  trace.stepPrices = std::move(priced.stepPrices);
  for (const JointStep& step : priced.steps)
    trace.bounds.push_back({step.round, isForbidden(step.upper) ? -1 : step.upper, step.lower});
  if (priced.plan) incumbent.offer(std::move(*priced.plan), priced.upper, "prices");
}

Plan ExactSearch::best(const ExactOptions& options, ExactTrace& trace) {
  const SelectionResult& chosen = layouts();
  trace.variables = graph_.variableCount();
  trace.tables = graph_.factorCount();
  trace.candidates = choices_->candidateCount;
  for (const OpChoices& op : choices_->ops) trace.cutOps += op.cut;
  trace.width = chosen.width;
  trace.cells = chosen.cells;
  trace.method = std::string(chosen.method);
  trace.layoutOptimum = chosen.optimum().value_or(trace.layoutOptimum);
  trace.lowerBound = chosen.feasible ? chosen.lowerBound : 0;

  Incumbent best;
  offerLayouts(best);
  offerBaselines(best, trace);
  offerPriced(options, best, trace);
  if (!best.plan) {  // nothing fits: everything in DRAM; the simulator reports the failure
    for (const Plan& baseline : baselines_) {
      if (!policyHas(baseline.policy, kFloor)) continue;
      best.offer(baseline, planTime(problem_, baseline, *moves_), baseline.policy);
    }
  }
  if (!best.plan && !baselines_.empty()) best.plan = baselines_.back();
  TESSERA_CHECK(best.plan.has_value(), "no plan to take");
  trace.source = best.source;
  trace.time = isForbidden(best.time) ? -1 : best.time;
  trace.proven = best.time == trace.lowerBound;
  return std::move(*best.plan);
}

std::vector<ExactTrace::OpRegrets> ExactSearch::regrets(const Plan& plan) {
  std::vector<ExactTrace::OpRegrets> out;
  const SelectionResult& chosen = layouts();
  if (!tree() || !chosen.feasible) return out;
  const std::vector<std::vector<Cost>>& marginals = tree()->minMarginals().costs;
  const PlanTrack track = trackPlan(problem_, plan, pool());
  const LayoutAssignment& best = assignment();
  for (OpId op : problem_.schedule.order) {
    const OpChoices& choices = choices_->ops[op];
    const int variable = choices.variable;
    const auto& results = problem_.graph.ops[op].results;
    if (variable < 0 || results.empty() || !problem_.isTensor(results[0]) || isPinned(problem_, op)) continue;
    ExactTrace::OpRegrets entry;
    entry.op = op;
    std::vector<LayoutId> ids;  // of entry.layouts
    auto indexOf = [&](LayoutId id) {
      const auto at = std::find(ids.begin(), ids.end(), id);
      return at == ids.end() ? -1 : static_cast<int32_t>(at - ids.begin());
    };
    for (size_t x = 0; x < choices.valueConfig.size(); ++x) {
      const LayoutId layout = choices.outputOf(x);
      const Cost forced = marginals[static_cast<size_t>(variable)][x];
      const int64_t regret = isForbidden(forced) ? -1 : forced - chosen.cost;
      int32_t at = indexOf(layout);
      if (at < 0) {
        at = static_cast<int32_t>(entry.layouts.size());
        ids.push_back(layout);
        entry.layouts.push_back({pool()[layout], regret});
      }
      int64_t& known = entry.layouts[static_cast<size_t>(at)].regret;
      if (regret >= 0 && (known < 0 || regret < known)) known = regret;
      if (chosen.values[static_cast<size_t>(variable)] == static_cast<int>(x)) entry.best = at;
    }
    if (plan.layout.contains(results[0]) && plan.layout[results[0]])
      entry.present = indexOf(pool().intern(*plan.layout[results[0]]));
    entry.candidateRegret = candidateRegret(op, best.ops[op].candidate, track);
    out.push_back(std::move(entry));
  }
  return out;
}

// What running the op as the plan has it costs the whole net; `best`: the optimum's candidate.
int64_t ExactSearch::candidateRegret(OpId op, const OpCandidate& best, const PlanTrack& track) {
  if (best.config.output == track.config[op].output && best.reads == track.reads[op]) return 0;
  ForcedCosts forced = forceCandidate(*costs_, graph_, op, track.config[op].output, track.reads[op]);
  if (forced.costs.empty()) return -1;
  const int variable = choices_->ops[op].variable;
  const Cost cost = forced.table >= 0 ? tree()->costWithTable(forced.table, std::move(forced.costs))
                                      : tree()->costWithUnary(variable, std::move(forced.costs));
  return isForbidden(cost) ? -1 : cost - layouts().cost;
}

std::string ExactSearch::certificate(const ExactTrace& trace) {
  const bool priced = !trace.stepPrices.empty();
  const L1Prices prices = pricesOf(trace.stepPrices);
  const int64_t total = mulSaturated(prices.upTo.back(), problem_.budget.bytes().count);
  // Large models are proven by reparametrisation, in fractions of a nanosecond as they were solved; it may stay a
  // little below what elimination showed.
  int shift = static_cast<int>(prices.shift);
  if (!priced) {
    const bool eliminated = layouts().method == "elimination";
    shift = eliminated ? 0 : scaleShift(static_cast<double>(graph_.reach()), kMaxTotalCost);
  }
  const FactorGraph graph = priced ? layoutGraph(LayoutCosts(*choices_, *moves_, &prices), memory_)
                                   : restrictModel(graph_, allValues(graph_), shift).model;
  Cost bound = 0;
  const std::string model =
      selectionCertificate(graph, priced ? std::vector<int>() : layouts().values, kCertificateCells, &bound);
  const int64_t shown = std::max<int64_t>(0, bound - total);
  const int64_t proven = std::min(trace.lowerBound, (shown + (int64_t{1} << shift) - 1) >> shift);
  return "{\"certificate\":1,\"problem\":\"layouts\",\"cost\":" + std::to_string(trace.time) +
         ",\"lowerBound\":" + std::to_string(proven) + ",\"shift\":" + std::to_string(shift) + ",\"total\":\"" +
         std::to_string(total) + "\",\"model\":" + model + "}";
}

}  // namespace tessera
