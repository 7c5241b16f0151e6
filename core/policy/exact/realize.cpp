#include "core/policy/exact/realize.h"

#include <algorithm>

#include "core/ops/op_memory.h"
#include "core/policy/placement.h"
#include "core/support/stable_sort.h"

namespace tessera {

namespace {

using Layouts = std::vector<std::optional<TensorLayout>>;

// Other ways of an op that are tried for room, the cheapest first.
constexpr size_t kMaxTries = 64;

class Realizer {
 public:
  Realizer(const LayoutModel& model, const std::vector<int>& values, const RealizeOptions& options, std::string_view policyName)
      : model_(model), problem_(model.problem()), pool_(model.pool()), values_(values), options_(options), placement_(problem_, policyName) {
    moves_ = model.movesOf(values, options.prices);
  }

  Realized run() {
    size_t next = 0;
    for (OpId op : problem_.schedule.order) {
      op_ = op;
      for (; next < moves_.size() && moves_[next].before == op; ++next) move(moves_[next]);
      if (opInfo(problem_.graph.ops[op].kind).has(kTerminator)) finishFunction();
      else runOp();
    }
    out_.plan = placement_.take();
    stableSort(out_.plan.spills, [&](const Spill& a, const Spill& b) {
      const int32_t sa = problem_.schedule.position[a.before], sb = problem_.schedule.position[b.before];
      return sa != sb ? sa < sb : a.value < b.value;
    });
    return std::move(out_);
  }

 private:
  struct Try {
    ModelWay way;
    Cost cost = 0;        // of the op, its conversions, and what its readers have to convert
    OpVerdict verdict;
    Layouts inputs;
  };

  std::optional<TensorLayout> placeNow(ValueId value) const {
    // Asked through an op that reads the value.
    for (const Use& use : problem_.uses[value]) return placement_.operandLayouts(use.op)[static_cast<size_t>(use.operand)];
    return {};
  }

  void move(const LayoutModel::Move& wanted) {
    const std::optional<TensorLayout> now = placeNow(wanted.value);
    const TensorLayout& to = pool_[wanted.to];
    if (!now || *now == to || movedHere(wanted.value)) return;
    const bool fits = !to.isL1() || (placement_.liveL1() + l1BytesPerCore(to) <= problem_.model.l1Budget() && fitsAt(to, *now, wanted.value));
    if (!fits) return;
    placement_.spill(wanted.value, op_, to, wanted.returns ? SpillCause::FunctionReturn : (to.isL1() || !options_.prices ? SpillCause::Shared : SpillCause::Memory));
  }

  bool fitsAt(const TensorLayout& to, const TensorLayout& now, ValueId value) const {
    Placement::L1Move copy(l1BytesPerCore(to));
    copy.circularBuffers = layoutCopyBuffers(now, to, problem_.tensor(value).shape);
    copy.wayOut = layoutCopyBuffers(to, dramLayout(problem_, value), problem_.tensor(value).shape);
    return placement_.fit({copy}, Bytes(0)).reason == Refusal::None;
  }

  // A value moves at most once before an op.
  bool movedHere(ValueId value) const {
    const auto& spills = placement_.plan().spills;
    for (size_t i = spills.size(); i-- > 0 && spills[i].before == op_;) {
      if (spills[i].value == value) return true;
    }
    return false;
  }

  void finishFunction() {
    const Op& o = problem_.graph.ops[op_];
    for (size_t i = 0; i < o.operands.size(); ++i) {
      if (!problem_.isTensor(o.operands[i])) continue;
      const auto now = placement_.operandLayouts(op_)[i];
      if (now && now->isL1()) placement_.spill(o.operands[i], op_, dramLayout(problem_, o.operands[i]), SpillCause::FunctionReturn);
    }
    placement_.place(op_, {}, placement_.operandLayouts(op_));
    placement_.finish(op_);
  }

  // --- trying ----------------------------------------------------------------------------------------------------------

  Try make(ModelWay way) const {
    Try made{std::move(way), 0, {}, {}};
    const auto& operands = problem_.graph.ops[op_].operands;
    const Layouts now = placement_.operandLayouts(op_);
    made.cost = made.way.time;
    for (size_t i = 0; i < operands.size(); ++i) {
      made.inputs.push_back(now[i]);
      if (made.way.reads[i] == kNoLayout || !now[i]) continue;
      made.inputs[i] = pool_[made.way.reads[i]];
      made.cost = addCost(made.cost, model_.moves().of(operands[i], pool_.intern(*now[i]), made.way.reads[i]));
    }
    made.cost = addCost(made.cost, downstream(made.way.config));
    return made;
  }

  // What readers have to convert when the result lies elsewhere than the assignment has it.
  Cost downstream(const OpConfig& config) const {
    const auto& results = problem_.graph.ops[op_].results;
    if (results.empty() || !problem_.isTensor(results[0]) || isPinned(problem_, op_)) return 0;
    const LayoutId made = pool_.intern(config.output);
    Cost sum = 0;
    for (const Use& use : problem_.uses[results[0]]) {
      if (opInfo(problem_.graph.ops[use.op].kind).has(kTerminator)) {
        if (config.output.isL1()) sum = addCost(sum, model_.moves().of(results[0], made, pool_.intern(dramLayout(problem_, results[0]))));
        continue;
      }
      const LayoutId read = planned(use.op).reads[static_cast<size_t>(use.operand)];
      sum = addCost(sum, model_.moves().of(results[0], made, read));
    }
    return sum;
  }

  const ModelWay& planned(OpId op) const {
    if (planned_.empty()) planned_.resize(problem_.graph.ops.size());
    if (!planned_[op]) planned_[op] = model_.wayOf(op, values_, options_.prices);
    return *planned_[op];
  }

  bool fits(Try& attempt) const {
    Bytes taken = placement_.liveL1();
    const Layouts now = placement_.operandLayouts(op_);
    for (size_t i = 0; i < now.size(); ++i) {
      if (now[i] && attempt.inputs[i] && !(*now[i] == *attempt.inputs[i])) taken += l1BytesPerCore(*attempt.inputs[i]);
    }
    OpQuery query{problem_.graph, op_, attempt.inputs, attempt.way.config, taken};
    if (opMemory(query, problem_.model).aliasOf >= 0) query.additionalL1 -= l1BytesPerCore(attempt.way.config.output);
    attempt.verdict = problem_.model.validateOperation(query);
    const bool runs = attempt.verdict.ok() || model_.refused(op_) || fillsL1Alone(attempt.verdict, query, attempt.way.config);
    if (!runs) return false;
    const auto moves = placement_.movesOf(op_, attempt.inputs, attempt.way.config);
    return placement_.fit(moves, attempt.verdict.constraints.cbRegionSize).reason == Refusal::None;
  }

  void commit(const Try& attempt) {
    const ModelWay& wanted = planned(op_);
    if (!(attempt.way.config == wanted.config) || attempt.way.reads != wanted.reads) out_.otherWay.push_back(op_);
    placement_.place(op_, attempt.way.config, attempt.inputs);
    placement_.finish(op_);
  }

  void runOp() {
    Try wanted = make(planned(op_));
    if (asPlanned() && fits(wanted)) return commit(wanted);
    std::vector<LayoutModel::WayRef> others = otherWays();
    // Operands that are not where they were expected may be better read another way.
    if (!asPlanned() && !others.empty()) {
      Try first = make(model_.wayAt(op_, others[0]));
      if (fits(first)) return commit(first);
    }
    while (true) {
      if (fits(wanted)) return commit(wanted);
      std::optional<Try> best;
      for (size_t i = 0; i < others.size() && i < kMaxTries && !best; ++i) {
        Try other = make(model_.wayAt(op_, others[i]));
        if (fits(other)) best = std::move(other);
      }
      const ValueId victim = chooseVictim();
      const bool take = best && (!victim.valid() || (options_.preferOtherWays && best->cost - wanted.cost <= evictionCost(victim)));
      if (take) return commit(*best);
      if (!victim.valid()) break;
      placement_.spill(victim, op_, dramLayout(problem_, victim), SpillCause::Memory);
      out_.evicted.push_back(victim);
      wanted = make(planned(op_));
      others = otherWays();
    }
    // Nothing fits and nothing can leave: as cheap as it can be had; the run will say what fails.
    out_.fits = false;
    for (const LayoutModel::WayRef& other : others) {
      if (model_.configs(op_)[other.config].output.isDram()) return commit(make(model_.wayAt(op_, other)));
    }
    commit(wanted);
  }

  // Every operand is where the assignment has it.
  bool asPlanned() const {
    const auto& operands = problem_.graph.ops[op_].operands;
    const Layouts now = placement_.operandLayouts(op_);
    for (size_t i = 0; i < operands.size(); ++i) {
      if (now[i] && pool_.intern(*now[i]) != model_.placeAt(operands[i], op_, values_)) return false;
    }
    return true;
  }

  // The cheapest first, with what it costs readers.
  std::vector<LayoutModel::WayRef> otherWays() const {
    std::vector<LayoutId> places;
    for (const auto& now : placement_.operandLayouts(op_)) places.push_back(now ? pool_.intern(*now) : kNoLayout);
    std::vector<LayoutModel::WayRef> all = model_.waysFrom(op_, places), legal;
    std::vector<Cost> after;  // per config
    for (const OpConfig& config : model_.configs(op_)) after.push_back(downstream(config));
    for (LayoutModel::WayRef& ref : all) {
      ref.cost = addCost(ref.cost, after[ref.config]);
      if (!isForbidden(ref.cost)) legal.push_back(ref);
    }
    // Ways are in order, so that equal costs stay in it.
    auto cheaper = [](const LayoutModel::WayRef& a, const LayoutModel::WayRef& b) {
      if (a.cost != b.cost) return a.cost < b.cost;
      return a.config != b.config ? a.config < b.config : a.way < b.way;
    };
    std::sort(legal.begin(), legal.end(), cheaper);
    return legal;
  }

  // --- victims ---------------------------------------------------------------------------------------------------------

  int32_t nextUse(ValueId value) const {
    const int32_t step = problem_.schedule.position[op_];
    int32_t next = problem_.schedule.steps();
    for (const Use& use : problem_.uses[value]) {
      const int32_t at = problem_.schedule.position[use.op];
      if (at >= step) next = std::min(next, at);
    }
    return next;
  }

  // Out, and what its next reader takes longer to get it.
  Cost evictionCost(ValueId value) const {
    const LayoutId now = pool_.intern(*placeNow(value)), dram = pool_.intern(dramLayout(problem_, value));
    MoveTime& moves = model_.moves();
    const int32_t next = nextUse(value);
    if (next >= problem_.schedule.steps() - 1) return 0;  // it goes there anyway
    const OpId reader = problem_.schedule.order[static_cast<size_t>(next)];
    const auto& operands = problem_.graph.ops[reader].operands;
    const auto at = static_cast<size_t>(std::find(operands.begin(), operands.end(), value) - operands.begin());
    const LayoutId read = planned(reader).reads[at];
    const Cost back = addCost(moves.of(value, now, dram), moves.of(value, dram, read));
    return std::max<Cost>(0, back - std::min(moves.of(value, now, read), back));
  }

  bool leavesRather(ValueId a, ValueId b) const {
    if (options_.victim == VictimRule::CostPerByte) {
      const int64_t bytesA = l1BytesPerCore(*placeNow(a)).count, bytesB = l1BytesPerCore(*placeNow(b)).count;
      const Cost left = mulSaturated(evictionCost(a), bytesB), right = mulSaturated(evictionCost(b), bytesA);
      if (left != right) return left < right;
    }
    const int32_t na = nextUse(a), nb = nextUse(b);
    return na != nb ? na > nb : a < b;
  }

  ValueId chooseVictim() const {
    ValueId best;
    for (ValueId value : placement_.liveInL1()) {
      if (movedHere(value)) continue;
      if (!best.valid() || leavesRather(value, best)) best = value;
    }
    return best;
  }

  const LayoutModel& model_;
  const Problem& problem_;
  LayoutPool& pool_;
  const std::vector<int>& values_;
  RealizeOptions options_;
  Placement placement_;
  std::vector<LayoutModel::Move> moves_;
  mutable IdVec<OpId, std::optional<ModelWay>> planned_;
  OpId op_;
  Realized out_;
};

}  // namespace

Realized realize(const LayoutModel& model, const std::vector<int>& values, const RealizeOptions& options, std::string_view policyName) {
  return Realizer(model, values, options, policyName).run();
}

}  // namespace tessera
