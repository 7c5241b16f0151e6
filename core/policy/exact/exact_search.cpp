#include "core/policy/exact/exact_search.h"

#include <algorithm>

#include "core/policy/placement.h"
#include "core/solve/certificate.h"

namespace tessera {

namespace {

constexpr int64_t kMaxTableCells = int64_t{1} << 24;   // of the elimination order; a cell takes 10 bytes
constexpr int64_t kMostKeptCells = int64_t{1} << 22;   // of a tree that waits for the next run
constexpr int64_t kPriceWork = 120'000'000;            // cells over all rounds: one to two seconds
constexpr int64_t kBoundWork = 60'000'000;             // where elimination does not do
constexpr int64_t kCertificateCells = 2'000'000;

}  // namespace

ExactSearch::ExactSearch(const Problem& problem, const std::vector<NamedPlan>& rivals, std::shared_ptr<ExactMemory> memory)
    : problem_(problem), rivals_(rivals), memory_(memory ? std::move(memory) : std::make_shared<ExactMemory>()) {
  memory_->prepare(problem.device);
  moves_ = std::make_unique<MoveTime>(problem, *memory_);
  std::vector<const Plan*> seeds;
  for (const NamedPlan& rival : rivals) seeds.push_back(&rival.plan);
  model_ = std::make_unique<LayoutModel>(problem, *memory_, *moves_, seeds);
}

ExactSearch::~ExactSearch() {
  if (order_.cells > kMostKeptCells) memory_->tree.reset();
}

const P1Result& ExactSearch::layouts() {
  if (layouts_) return *layouts_;
  layouts_.emplace();
  if (!model_->graph().costsFit()) {
    layouts_->lowerBound = 0;
    memory_->tree.reset();
    return *layouts_;
  }
  // The order depends on the shape alone; where it is the last model's, so is the tree but for what has changed.
  if (memory_->tree && memory_->tree->hasShapeOf(model_->graph())) {
    order_ = memory_->tree->order();
    memory_->tree->update(model_->graph());
  } else {
    memory_->tree.reset();
    order_ = chooseOrder(model_->graph(), kMaxTableCells);
  }
  if (order_.variables.empty() && model_->graph().variableCount() > 0) {
    *layouts_ = solveP1(model_->graph(), {.budget = WorkBudget(kBoundWork)});
    layouts_->lowerBound = std::max<Cost>(layouts_->lowerBound, 0);
    return *layouts_;
  }
  if (!memory_->tree) memory_->tree = std::make_unique<P1Tree>(model_->graph(), order_);
  P1Solution solution = memory_->tree->solve();
  *layouts_ = {.feasible = solution.feasible, .proven = true, .values = std::move(solution.values), .cost = solution.cost, .lowerBound = solution.cost,
               .method = "elimination", .width = order_.width, .cells = order_.cells};
  return *layouts_;
}

IdVec<OpId, bool> ExactSearch::refusedOps() const {
  IdVec<OpId, bool> refused(problem_.graph.ops.size(), false);
  for (OpId op : problem_.schedule.order) refused[op] = model_->refused(op);
  return refused;
}

Plan ExactSearch::best(const ExactOptions& options, ExactTrace& trace) {
  const P1Result& chosen = layouts();
  trace.variables = model_->graph().variableCount();
  trace.tables = model_->graph().factorCount();
  trace.ways = model_->ways();
  trace.width = chosen.width;
  trace.cells = chosen.cells;
  trace.method = std::string(chosen.method);
  if (chosen.proven && chosen.feasible) trace.layoutOptimum = chosen.cost;
  trace.lowerBound = chosen.feasible ? chosen.lowerBound : 0;

  std::optional<Plan> best;
  Cost least = kForbidden;
  auto offer = [&](Plan plan, Cost time, const std::string& source) {
    if (time >= least) return;
    least = time;
    best = std::move(plan);
    trace.source = source;
  };
  if (chosen.feasible) {
    for (const bool preferOtherWays : {true, false}) {
      Realized made = realize(*model_, chosen.values, {.preferOtherWays = preferOtherWays}, "Exact");
      const Cost time = planTime(problem_, made.plan, pool(), *moves_);
      if (made.fits) offer(std::move(made.plan), time, "layouts");
      if (least == chosen.lowerBound) break;
    }
  }
  const IdVec<OpId, bool> refused = refusedOps();
  for (const NamedPlan& rival : rivals_) {
    const Cost time = planTime(problem_, rival.plan, pool(), *moves_);
    const bool fits = planFits(problem_, rival.plan, refused);
    trace.rivals.push_back({rival.policy, isForbidden(time) ? -1 : time, fits});
    if (fits) offer(rival.plan, time, rival.policy);
  }
  if (tree() && options.rounds > 0 && least > trace.lowerBound) {
    JointOptions joint{.capacity = problem_.model.l1Budget().count, .rounds = options.rounds, .budget = WorkBudget(options.maxSteps > 0 ? options.maxSteps : kPriceWork),
                       .policyName = "Exact"};
    JointResult priced = solveJoint(*model_, order_, trace.lowerBound, least, joint);
    trace.lowerBound = std::min(priced.lower, least);
    trace.stepPrices = std::move(priced.stepPrices);
    for (const JointStep& step : priced.steps) trace.bounds.push_back({step.round, isForbidden(step.upper) ? -1 : step.upper, step.lower});
    if (priced.plan) offer(std::move(*priced.plan), priced.upper, "prices");
  }
  if (!best) {  // nothing fits: the floor, and the run will say what fails
    for (const NamedPlan& rival : rivals_) {
      if (rival.policy == "DRAM") offer(rival.plan, planTime(problem_, rival.plan, pool(), *moves_), rival.policy);
    }
  }
  if (!best && !rivals_.empty()) best = rivals_.back().plan;
  TESSERA_CHECK(best.has_value(), "no plan to take");
  trace.time = isForbidden(least) ? -1 : least;
  trace.proven = least == trace.lowerBound;
  best->policy = "Exact";
  return std::move(*best);
}

std::vector<ExactTrace::OpRegrets> ExactSearch::regrets(const Plan& plan) {
  std::vector<ExactTrace::OpRegrets> out;
  const P1Result& chosen = layouts();
  if (!tree() || !chosen.feasible) return out;
  const std::vector<std::vector<Cost>> marginals = tree()->minMarginals();
  const PlanTrack track = trackPlan(problem_, plan, pool());
  for (OpId op : problem_.schedule.order) {
    const int variable = model_->variableOf(op);
    const auto& results = problem_.graph.ops[op].results;
    if (variable < 0 || results.empty() || !problem_.isTensor(results[0]) || isPinned(problem_, op)) continue;
    ExactTrace::OpRegrets entry;
    entry.op = op;
    const auto& choices = model_->choiceConfigs(op);
    std::vector<LayoutId> ids;  // of entry.layouts
    auto indexOf = [&](LayoutId id) {
      const auto at = std::find(ids.begin(), ids.end(), id);
      return at == ids.end() ? -1 : static_cast<int32_t>(at - ids.begin());
    };
    for (size_t x = 0; x < choices.size(); ++x) {
      const LayoutId layout = model_->outputs(op)[static_cast<size_t>(choices[x])];
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
    if (plan.layout.contains(results[0]) && plan.layout[results[0]]) entry.present = indexOf(pool().intern(*plan.layout[results[0]]));
    entry.wayRegret = wayRegret(op, track);
    out.push_back(std::move(entry));
  }
  return out;
}

int64_t ExactSearch::wayRegret(OpId op, const PlanTrack& track) {
  const P1Result& chosen = layouts();
  const ModelWay best = model_->wayOf(op, chosen.values);
  if (best.config.output == track.config[op].output && best.reads == track.reads[op]) return 0;
  LayoutModel::OneWay forced = model_->oneWay(op, track.config[op], track.reads[op]);
  if (forced.costs.empty()) return -1;
  const int variable = model_->variableOf(op);
  const FactorGraph& usual = model_->graph();
  if (forced.factor >= 0) tree()->setFactorTable(forced.factor, std::move(forced.costs));
  else tree()->setUnary(variable, std::move(forced.costs));
  const P1Solution solution = tree()->solve();
  if (forced.factor >= 0) tree()->setFactorTable(forced.factor, usual.factor(forced.factor).table);
  else tree()->setUnary(variable, usual.unary(variable));
  return solution.feasible ? solution.cost - chosen.cost : -1;
}

std::string ExactSearch::certificate(const ExactTrace& trace) {
  const bool priced = !trace.stepPrices.empty();
  const L1Prices prices = pricesOf(trace.stepPrices);
  const int64_t total = mulSaturated(prices.upTo.back(), problem_.model.l1Budget().count);
  if (priced) model_->price(&prices);
  Cost bound = 0;
  const std::string model = p1Certificate(model_->graph(), priced ? std::vector<int>() : layouts().values, kCertificateCells, &bound);
  if (priced) model_->price(nullptr);
  // Large models are proven by reparametrisation, which may stay a little below what elimination showed.
  const int shift = priced ? static_cast<int>(prices.shift) : 0;
  const int64_t shown = std::max<int64_t>(0, bound - total);
  const int64_t proven = std::min(trace.lowerBound, (shown + (int64_t{1} << shift) - 1) >> shift);
  return "{\"certificate\":1,\"problem\":\"layouts\",\"cost\":" + std::to_string(trace.time) + ",\"lowerBound\":" + std::to_string(proven) +
         ",\"shift\":" + std::to_string(shift) + ",\"total\":\"" + std::to_string(total) + "\",\"model\":" + model + "}";
}

}  // namespace tessera
