#include "core/policy/exact/realize.h"

#include <algorithm>

#include "core/ops/model/op_memory.h"
#include "core/ops/rules/layout_copy.h"
#include "core/policy/kit/legalize.h"
#include "core/support/stable_sort.h"

namespace tessera {

namespace {

// Other candidates of an op that are tried for room, the cheapest first.
constexpr size_t kMaxTries = 64;

// Equal costs stay in the order of the candidates.
bool isCheaper(const CandidateRef& a, const CandidateRef& b) {
  if (a.cost != b.cost) return a.cost < b.cost;
  return a.config != b.config ? a.config < b.config : a.index < b.index;
}

class Realizer {
 public:
  Realizer(const LayoutCosts& costs, const LayoutAssignment& assignment, const std::vector<LayoutMove>& moves,
           const RealizeOptions& options)
      : costs_(costs),
        problem_(costs.choices().problem),
        pool_(costs.choices().pool),
        assignment_(assignment),
        moves_(moves),
        options_(options),
        placement_(problem_) {}

  Realized run() {
    size_t next = 0;
    for (OpId op : problem_.schedule.order) {
      op_ = op;
      for (; next < moves_.size() && moves_[next].before == op; ++next) move(moves_[next]);
      if (opInfo(problem_.graph.ops[op].kind).has(kTerminator)) returnFromDram(problem_, placement_, op);
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
    OpCandidate candidate;
    Cost cost = 0;  // of the op, its conversions, and what its readers have to convert
    OpVerdict verdict;
    Layouts inputs;
  };

  void move(const LayoutMove& wanted) {
    const std::optional<TensorLayout> now = placement_.layoutOf(wanted.value);
    const TensorLayout& to = pool_[wanted.to];
    if (!now || *now == to || movedHere(wanted.value)) return;
    const bool fits = !to.isL1() || (placement_.l1().occupied() + l1BytesPerCore(to) <= problem_.budget.bytes() &&
                                     fitsAt(to, *now, wanted.value));
    if (!fits) return;
    const SpillCause cause = wanted.returns ? SpillCause::FunctionReturn
                                            : (to.isL1() || !costs_.prices() ? SpillCause::Shared : SpillCause::Memory);
    if (cause == SpillCause::Memory) placement_.noteRoom({wanted.value, op_, op_, RoomRule::Prices, Refusal::OutOfL1});
    placement_.spill(wanted.value, op_, to, cause);
  }

  bool fitsAt(const TensorLayout& to, const TensorLayout& now, ValueId value) const {
    return placement_.l1()
        .fit({{.allocate = l1BytesPerCore(to),
               .circularBuffers = layoutCopyBuffers(now, to, problem_.tensor(value).shape),
               .evictionBuffers = evictionBuffers(problem_, value, to)}},
             Bytes(0))
        .ok();
  }

  // A value moves at most once before an op.
  bool movedHere(ValueId value) const {
    const auto& spills = placement_.plan().spills;
    for (size_t i = spills.size(); i-- > 0 && spills[i].before == op_;) {
      if (spills[i].value == value) return true;
    }
    return false;
  }

  // --- trying
  // ----------------------------------------------------------------------------------------------------------

  Try make(OpCandidate candidate) const {
    Try made{std::move(candidate), 0, {}, {}};
    const auto& operands = problem_.graph.ops[op_].operands;
    const Layouts now = placement_.operandLayouts(op_);
    made.cost = made.candidate.time;
    for (size_t i = 0; i < operands.size(); ++i) {
      made.inputs.push_back(now[i]);
      if (made.candidate.reads[i] == kNoLayout || !now[i]) continue;
      made.inputs[i] = pool_[made.candidate.reads[i]];
      made.cost = addCost(made.cost, costs_.moves().of(operands[i], pool_.intern(*now[i]), made.candidate.reads[i]));
    }
    made.cost = addCost(made.cost, downstream(made.candidate.config));
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
        if (config.output.isL1())
          sum = addCost(sum, costs_.moves().of(results[0], made, pool_.intern(dramLayout(problem_, results[0]))));
        continue;
      }
      const LayoutId read = planned(use.op).reads[static_cast<size_t>(use.operand)];
      sum = addCost(sum, costs_.moves().of(results[0], made, read));
    }
    return sum;
  }

  const OpCandidate& planned(OpId op) const { return assignment_.ops[op].candidate; }

  bool fits(Try& attempt) const {
    const OpConfig& config = attempt.candidate.config;
    attempt.verdict = placement_.validate(op_, attempt.inputs, config);
    if (!attempt.verdict.ok() && !choices().refused && !fillsL1Alone(attempt.verdict, config)) return false;
    OpVerdict addresses = attempt.verdict;
    addresses.status = OpStatus::Success;
    placement_.checkAddresses(op_, attempt.inputs, config, addresses);
    if (addresses.ok()) return true;
    attempt.verdict = std::move(addresses);
    return false;
  }

  void commit(const Try& attempt) {
    const OpCandidate& wanted = planned(op_);
    if (!(attempt.candidate.config == wanted.config) || attempt.candidate.reads != wanted.reads)
      out_.deviations.push_back(op_);
    placement_.place(op_, attempt.candidate.config, attempt.inputs);
    placement_.finish(op_);
  }

  // The result was to lie in L1, and the op is refused with it.
  void commitInstead(const Try& instead, const Try& wanted) {
    const auto& results = problem_.graph.ops[op_].results;
    const bool leftL1 =
        !results.empty() && wanted.candidate.config.output.isL1() && !instead.candidate.config.output.isL1();
    if (leftL1) placement_.noteRoom(results[0], op_, op_, wanted.verdict);
    commit(instead);
  }

  void runOp() {
    Try wanted = make(planned(op_));
    std::vector<CandidateRef> others;  // empty until somebody looks for them
    // Operands that are not where they were expected may be better read as another candidate reads them.
    if (!asPlanned()) others = otherCandidates();
    if (!others.empty()) {
      Try first = make(choices().candidate(others[0]));
      if (fits(first)) return commit(first);
    }
    while (true) {
      if (fits(wanted)) return commit(wanted);
      if (others.empty()) others = otherCandidates();
      std::optional<Try> best;
      for (size_t i = 0; i < others.size() && i < kMaxTries && !best; ++i) {
        Try other = make(choices().candidate(others[i]));
        if (fits(other)) best = std::move(other);
      }
      const ValueId victim = chooseVictim();
      const bool take = best && (!victim.valid() ||
                                 (options_.preferOtherCandidates && best->cost - wanted.cost <= evictionCost(victim)));
      if (take) return commitInstead(*best, wanted);
      if (!victim.valid()) break;
      placement_.spillForRoom(victim, op_, wanted.verdict);
      out_.evicted.push_back(victim);
      wanted = make(planned(op_));
      others.clear();
    }
    // Nothing fits and nothing can leave: as cheap as it can be had; the run will say what fails.
    out_.fits = false;
    const CandidateRef* inDram = nullptr;
    for (const CandidateRef& other : others) {
      const bool isDram = choices().configs[other.config].output.isDram();
      if (isDram && (!inDram || isCheaper(other, *inDram))) inDram = &other;
    }
    commit(inDram ? make(choices().candidate(*inDram)) : wanted);
  }

  // Every operand is where the assignment has it.
  bool asPlanned() const {
    const auto& operands = problem_.graph.ops[op_].operands;
    const Layouts now = placement_.operandLayouts(op_);
    for (size_t i = 0; i < operands.size(); ++i) {
      if (now[i] && pool_.intern(*now[i]) != assignment_.ops[op_].at[i]) return false;
    }
    return true;
  }

  // All that are legal, with what they cost readers; the cheapest kMaxTries of them in order, before the others.
  std::vector<CandidateRef> otherCandidates() const {
    std::vector<LayoutId> places;
    for (const auto& now : placement_.operandLayouts(op_)) places.push_back(now ? pool_.intern(*now) : kNoLayout);
    std::vector<CandidateRef> all = candidatesFrom(choices(), costs_.moves(), places);
    std::vector<Cost> after;  // per config
    for (const OpConfig& config : choices().configs) after.push_back(downstream(config));
    size_t legal = 0;
    for (const CandidateRef& ref : all) {
      const Cost cost = addCost(ref.cost, after[ref.config]);
      if (!isForbidden(cost)) all[legal++] = {ref.config, ref.index, cost};
    }
    all.resize(legal);
    const auto tried = all.begin() + static_cast<std::ptrdiff_t>(std::min(legal, kMaxTries));
    std::partial_sort(all.begin(), tried, all.end(), isCheaper);
    return all;
  }

  // --- victims
  // ---------------------------------------------------------------------------------------------------------

  int32_t nextUse(ValueId value) const { return tessera::nextUse(problem_, value, problem_.schedule.position[op_]); }

  // Out, and what its next reader takes longer to get it.
  Cost evictionCost(ValueId value) const {
    const LayoutId now = pool_.intern(*placement_.layoutOf(value)), dram = pool_.intern(dramLayout(problem_, value));
    MoveTime& moves = costs_.moves();
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
      const int64_t bytesA = l1BytesPerCore(*placement_.layoutOf(a)).count,
                    bytesB = l1BytesPerCore(*placement_.layoutOf(b)).count;
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

  const OpChoices& choices() const { return costs_.choices().ops[op_]; }

  const LayoutCosts& costs_;
  const Problem& problem_;
  LayoutPool& pool_;
  const LayoutAssignment& assignment_;
  const std::vector<LayoutMove>& moves_;
  RealizeOptions options_;
  Placement placement_;
  OpId op_;
  Realized out_;
};

}  // namespace

Realized realize(const LayoutCosts& costs, const LayoutAssignment& assignment, const std::vector<LayoutMove>& moves,
                 const RealizeOptions& options) {
  return Realizer(costs, assignment, moves, options).run();
}

}  // namespace tessera
