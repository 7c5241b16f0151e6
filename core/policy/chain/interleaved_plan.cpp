#include "core/policy/chain/interleaved_plan.h"

#include <algorithm>

#include "core/policy/chain/chain_plan.h"
#include "core/policy/chain/dfs_scheduler.h"
#include "core/policy/kit/op_choice.h"
#include "core/policy/kit/problem_in_order.h"

namespace tessera {

bool hasL1InterleavedLayout(const Problem& problem, OpId op) {
  const Op& o = problem.graph.ops[op];
  if (o.results.empty() || !problem.isTensor(o.results[0]) || isPinned(problem, op)) return false;
  for (const TensorLayout& layout : problem.legal[op].layouts) {
    if (layout.isL1() && !layout.sharded()) return true;
  }
  return false;
}

Bytes l1InterleavedBytes(const Problem& problem, OpId op) {
  return l1BytesPerCore(l1InterleavedLayout(problem, problem.graph.ops[op].results[0]));
}

namespace {

// The wished order where dependencies allow it.
std::vector<OpId> feasibleOrder(const Problem& problem, const std::vector<OpId>& wish) {
  IdVec<OpId, int32_t> rank(problem.graph.ops.size(), INT32_MAX);
  for (size_t i = 0; i < wish.size(); ++i) rank[wish[i]] = static_cast<int32_t>(i);
  DfsScheduler scheduler(problem);
  while (scheduler.hasUnscheduledOps()) {
    OpId best;
    for (OpId op : scheduler.ready()) {
      if (!best.valid() || rank[op] < rank[best]) best = op;
    }
    scheduler.scheduleOp(best);
  }
  return scheduler.wholeOrder();
}

// Results that stay in L1: those that the user fixed, then, decided in schedule order, every wished one whose op and
// readers still run then.
class KeptResults {
 public:
  // Of what the user fixed: kept, not in L1, not at all.
  enum class Given { Kept, UpInL1, Up };
  // What the decisions follow from.
  struct Wishes {
    IdVec<OpId, bool> inL1;
    IdVec<OpId, Given> given;
    size_t refused = 0;    // whose op or readers do not run when the result is in L1
    size_t struckOut = 0;  // not fixed, and in the way of an op
  };

  // `problem`: the given one in another order; what is legal it does not hold.
  KeptResults(const Problem& given, const Problem& problem, ChainConfigs& configs, const IdVec<OpId, bool>& wished)
      : given_(given),
        problem_(problem),
        work_(problem, configs, std::vector<L1ChainConfig>(), trace_),
        wishes_{.inL1 = wished, .given = IdVec<OpId, Given>(problem.graph.ops.size(), Given::Kept)},
        before_(problem.schedule.order.size(), 0) {
    keepFixed();
    decideUpTo(problem.schedule.order.size());
  }

  ChainWork& work() { return work_; }
  const Wishes& wishes() const { return wishes_; }
  size_t inDram() const {  // although their bytes fit
    size_t count = wishes_.struckOut;
    for (Given given : wishes_.given) count += given != Given::Kept;
    return count;
  }

  // About the results of all ops before `end` that are not decided.
  void decideUpTo(size_t end) {
    while (decided_ < end) decide(decided_++);
  }

  // Nothing is decided then.
  void startAgain(Wishes wishes) {
    wishes_ = std::move(wishes);
    work_.rollback(0);
    keepFixed();
    decided_ = 0;
  }

  // The result kept last of those that are in L1 while the op runs and that nobody fixed.
  OpId latestKept(OpId failedAt) const {
    const int32_t step = work_.position(failedAt);
    const std::vector<L1Reservation>& all = work_.reservations();
    for (size_t i = all.size(); i-- > 0;) {
      if (all[i].startStep - 1 <= step && step <= all[i].endStep && !isFixed(all[i].source)) return all[i].source;
    }
    return {};
  }

  // What the user fixed and an op may fail because of: its own result, its operands, and any that is in L1 by then,
  // beside which something else lies at another address.
  std::vector<OpId> fixedBefore(OpId failedAt) const {
    std::vector<OpId> out;
    const auto add = [&](OpId op) {
      const bool counts = op.valid() && isFixed(op) && wishes_.given[op] != Given::Up;
      if (counts && std::find(out.begin(), out.end(), op) == out.end()) out.push_back(op);
    };
    add(failedAt);
    for (ValueId operand : problem_.graph.ops[failedAt].operands) add(problem_.graph.values[operand].producer);
    for (OpId op : problem_.schedule.order) {
      if (op == failedAt) break;
      if (isFixed(op) && work_.configOf(op).output.isL1()) add(op);
    }
    return out;
  }

  // The result finds no place beside the others. What was decided before it stays; returns the position from which
  // nothing is decided now.
  size_t strikeOut(OpId op) {
    ++wishes_.struckOut;
    wishes_.inL1[op] = false;
    decided_ = static_cast<size_t>(problem_.schedule.position[op]);
    work_.rollback(before_[decided_]);
    return decided_;
  }

 private:
  bool isFixed(OpId op) const { return findOverride(problem_.options.layoutOverrides, problem_.graph, op) != nullptr; }

  void decide(size_t position) {
    const OpId op = problem_.schedule.order[position];
    before_[position] = work_.mark();
    if (!wishes_.inL1[op] || isFixed(op)) return;
    OpConfig config = work_.configOf(op);
    config.output = l1InterleavedLayout(problem_, work_.resultOf(op));
    if (work_.tryConfig(op, config)) return;
    wishes_.inL1[op] = false;
    ++wishes_.refused;
  }

  // Where they are wanted, when the op and its readers run then; not where that was given up.
  void keepFixed() {
    if (problem_.options.layoutOverrides.empty()) return;
    for (OpId op : problem_.schedule.order) {
      const Op& o = problem_.graph.ops[op];
      if (o.results.empty() || !problem_.isTensor(o.results[0]) || isPinned(problem_, op) || !isFixed(op)) continue;
      const Given given = wishes_.given[op];
      for (const OpConfig& config : given_.configs[op]) {
        if (given == Given::Up || (given == Given::UpInL1 && config.output.isL1())) continue;
        if (work_.tryConfig(op, config)) break;
      }
    }
  }

  const Problem& given_;
  const Problem& problem_;
  ChainTrace trace_;
  ChainWork work_;
  Wishes wishes_;
  std::vector<ChainWork::Mark> before_;  // by position: what stood before the op there was decided
  size_t decided_ = 0;                   // the position from which nothing is decided
};

// Writes the plan, striking out what is in the way.
class InterleavedWriter {
 public:
  explicit InterleavedWriter(KeptResults& kept)
      : kept_(kept), order_(kept.work().problem().schedule.order), writer_(kept.work()) {}

  // Every failure strikes out a result, gives up what the user fixed or is accepted, so there are finitely many.
  Plan run() {
    for (OpId failed = writeUpTo(order_.size()); failed.valid(); failed = writeUpTo(order_.size())) {
      if (giveUpFixed(failed)) continue;
      TESSERA_CHECK(!kept_.work().failureAccepted(failed), "an op fails although its failure is accepted");
      kept_.work().acceptFailure(failed);
      writer_.backTo(std::min(writer_.position(), positionOf(failed)));
    }
    return writer_.take();
  }

 private:
  using Given = KeptResults::Given;

  size_t positionOf(OpId op) const { return static_cast<size_t>(kept_.work().position(op)); }

  // The first op before `end` that fails beside nothing but what is fixed; invalid: none does.
  OpId writeUpTo(size_t end) {
    while (writer_.position() < end) {
      const OpId op = order_[writer_.position()];
      kept_.decideUpTo(writer_.position() + 1);
      if (writer_.write().ok()) continue;
      const OpId latest = kept_.latestKept(op);
      if (!latest.valid()) return op;
      writer_.backTo(kept_.strikeOut(latest));
    }
    return {};
  }

  bool runs(const KeptResults::Wishes& wishes, size_t end) {
    kept_.startAgain(wishes);
    writer_.backTo(0);
    return !writeUpTo(end).valid();
  }

  // As little of what the user fixed as the op needs to run; false, and nothing is given up, when it does not even
  // without all of it.
  bool giveUpFixed(OpId failed) {
    const std::vector<OpId> fixed = kept_.fixedBefore(failed);
    if (fixed.empty()) return false;
    const KeptResults::Wishes before = kept_.wishes();
    const size_t end = positionOf(failed) + 1;
    KeptResults::Wishes wishes = before;
    for (OpId op : fixed) wishes.given[op] = Given::Up;
    const bool helps = runs(wishes, end);
    if (!helps) wishes = before;
    for (size_t i = helps ? fixed.size() : 0; i-- > 0;) {
      for (Given given : {before.given[fixed[i]], Given::UpInL1, Given::Up}) {
        wishes.given[fixed[i]] = given;
        if (given == Given::Up || runs(wishes, end)) break;
      }
    }
    kept_.startAgain(wishes);
    writer_.backTo(0);
    return helps;
  }

  KeptResults& kept_;
  const std::vector<OpId>& order_;
  ChainPlanWriter writer_;
};

void logDecisions(KeptResults& kept, const InterleavedChoice& choice, DecisionLog& log) {
  const ChainWork& work = kept.work();
  const Problem& problem = work.problem();
  for (OpId op : problem.schedule.order) {
    const Op& o = problem.graph.ops[op];
    if (o.results.empty() || !problem.isTensor(o.results[0])) continue;
    std::string why = choice.why[op];
    const TensorLayout layout = work.configOf(op).output;
    const OutputLayoutOverride* fixed = findOverride(problem.options.layoutOverrides, problem.graph, op);
    if (fixed != nullptr && !isPinned(problem, op) && fixed->accepts(layout))
      why = layoutText(layout) + ": fixed by hand";
    else if (choice.inL1[op] && !kept.wishes().inL1[op])
      why = "DRAM: the policy counts bytes only and wanted L1 interleaved, but an op refuses that or finds no room";
    else if (why.empty()) why = kept.wishes().inL1[op] ? "L1 interleaved" : "DRAM: the op has no L1-interleaved layout";
    log.decisions.push_back({op, o.results[0], {{layout, CandidateStatus::Chosen, {}, 0, ""}}, why + "."});
  }
}

}  // namespace

Plan planInterleaved(const Problem& given, const InterleavedChoice& choice, bool keepsSchedule, DecisionLog& log) {
  const std::vector<OpId> order = feasibleOrder(given, choice.order);
  if (keepsSchedule && order != given.schedule.order) return {};
  const Problem problem = problemInOrder(given, order);
  ChainConfigs configs(problem);
  KeptResults kept(given, problem, configs, choice.inL1);
  Plan plan = InterleavedWriter(kept).run();
  if (kept.wishes().refused > 0)
    log.warnings.push_back(std::to_string(kept.wishes().refused) +
                           " results stay in DRAM although the policy wants them in L1: it does not ask whether "
                           "their readers take them from there.");
  if (kept.inDram() > 0)
    log.warnings.push_back(
        std::to_string(kept.inDram()) +
        " results stay in DRAM although their bytes fit: circular buffers and holes are not in the policy's sums.");
  logDecisions(kept, choice, log);
  return plan;
}

}  // namespace tessera
