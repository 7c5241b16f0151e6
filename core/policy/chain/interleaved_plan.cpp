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
  // `problem`: the given one in another order; what is legal it does not hold.
  KeptResults(const Problem& given, const Problem& problem, ChainConfigs& configs, const IdVec<OpId, bool>& wished)
      : given_(given),
        problem_(problem),
        work_(problem, configs, std::vector<L1ChainConfig>(), trace_),
        inL1_(wished),
        givenUp_(problem.graph.ops.size(), Given::Kept),
        before_(problem.schedule.order.size(), 0) {
    keepFixed();
    decideUpTo(problem.schedule.order.size());
  }

  ChainWork& work() { return work_; }
  bool inL1(OpId op) const { return inL1_[op]; }
  size_t refused() const { return refused_; }  // whose op or readers do not run then
  size_t struckOut() const {
    size_t count = 0;
    for (Given given : givenUp_) count += given != Given::Kept;
    return count;
  }

  // About the results of all ops before `end` that are not decided.
  void decideUpTo(size_t end) {
    while (decided_ < end) decide(decided_++);
  }

  // The result finds no place beside the others. What was decided before it stays; returns the position from which
  // nothing is decided now.
  size_t strikeOut(OpId op) {
    givenUp_[op] = Given::Up;
    inL1_[op] = false;
    decided_ = static_cast<size_t>(problem_.schedule.position[op]);
    work_.rollback(before_[decided_]);
    return decided_;
  }

  // A layout that the user fixed is kept, given up where it lies in L1, or given up wherever it lies.
  enum class Given { Kept, UpInL1, Up };
  void giveUp(OpId op, Given given) { givenUp_[op] = given; }
  bool canBeGivenUp(OpId op) const { return isFixed(op) && givenUp_[op] != Given::Up; }
  bool isFixed(OpId op) const { return findOverride(problem_.options.layoutOverrides, problem_.graph, op) != nullptr; }

  // Takes back all decisions and places the fixed layouts again, without those that are given up now.
  void startAgain() {
    work_.rollback(0);
    keepFixed();
    decided_ = 0;
  }

 private:
  void decide(size_t position) {
    const OpId op = problem_.schedule.order[position];
    before_[position] = work_.mark();
    if (!inL1_[op] || isFixed(op)) return;
    OpConfig config = work_.configOf(op);
    config.output = l1InterleavedLayout(problem_, work_.resultOf(op));
    if (work_.tryConfig(op, config)) return;
    inL1_[op] = false;
    ++refused_;
  }

  // Where they are wanted, when the op and its readers run then; not where that was given up.
  void keepFixed() {
    if (problem_.options.layoutOverrides.empty()) return;
    for (OpId op : problem_.schedule.order) {
      const Op& o = problem_.graph.ops[op];
      if (o.results.empty() || !problem_.isTensor(o.results[0]) || isPinned(problem_, op) || !isFixed(op)) continue;
      for (const OpConfig& config : given_.configs[op]) {
        if (givenUp_[op] == Given::Up || (givenUp_[op] == Given::UpInL1 && config.output.isL1())) continue;
        if (work_.tryConfig(op, config)) break;
      }
    }
  }

  const Problem& given_;
  const Problem& problem_;
  ChainTrace trace_;
  ChainWork work_;
  IdVec<OpId, bool> inL1_;
  IdVec<OpId, Given> givenUp_;
  std::vector<ChainWork::Mark> before_;  // by position: what stood before the op there was decided
  size_t decided_ = 0;                   // the position from which nothing is decided
  size_t refused_ = 0;
};

// The result kept last of those that are in L1 while the op runs and that nobody fixed.
OpId latestKept(KeptResults& kept, OpId failedAt) {
  const int32_t step = kept.work().position(failedAt);
  const std::vector<L1Reservation>& all = kept.work().reservations();
  for (size_t i = all.size(); i-- > 0;) {
    if (all[i].startStep - 1 <= step && step <= all[i].endStep && !kept.isFixed(all[i].source)) return all[i].source;
  }
  return {};
}

// Writes the steps before `end`. An op that fails there although nothing but what is fixed can be in its way is
// returned.
OpId writeUpTo(KeptResults& kept, ChainPlanWriter& writer, size_t end) {
  while (writer.position() < end) {
    const OpId op = kept.work().problem().schedule.order[writer.position()];
    kept.decideUpTo(writer.position() + 1);
    if (writer.write().ok()) continue;
    const OpId latest = latestKept(kept, op);
    if (!latest.valid()) return op;
    writer.backTo(kept.strikeOut(latest));
  }
  return {};
}

// Gives up as few of the layouts fixed for this op and those before it as it needs to run. False, and all are kept,
// when it does not run without any of them.
bool giveUpFixed(KeptResults& kept, ChainPlanWriter& writer, OpId failed) {
  using Given = KeptResults::Given;
  const auto end = static_cast<size_t>(kept.work().position(failed)) + 1;
  std::vector<OpId> fixed;
  for (size_t i = 0; i < end; ++i) {
    const OpId op = kept.work().problem().schedule.order[i];
    if (kept.canBeGivenUp(op)) fixed.push_back(op);
  }
  if (fixed.empty()) {
    writer.backTo(end - 1);
    return false;
  }
  const auto runsWith = [&](OpId op, Given given) {
    kept.giveUp(op, given);
    kept.startAgain();
    writer.backTo(0);
    return !writeUpTo(kept, writer, end).valid();
  };
  for (OpId op : fixed) kept.giveUp(op, Given::Up);
  const bool helps = runsWith(fixed[0], Given::Up);
  for (OpId op : fixed) {
    if (!helps) kept.giveUp(op, Given::Kept);
    else if (!runsWith(op, Given::Kept) && !runsWith(op, Given::UpInL1)) kept.giveUp(op, Given::Up);
  }
  kept.startAgain();
  writer.backTo(0);
  return helps;
}

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
    else if (choice.inL1[op] && !kept.inL1(op))
      why = "DRAM: the policy counts bytes only and wanted L1 interleaved, but an op refuses that or finds no room";
    else if (why.empty()) why = kept.inL1(op) ? "L1 interleaved" : "DRAM: the op has no L1-interleaved layout";
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
  ChainPlanWriter writer(kept.work());
  // Every failure strikes out a result, gives up what was fixed or is accepted, so there are finitely many.
  for (OpId failed; (failed = writeUpTo(kept, writer, order.size())).valid();) {
    if (giveUpFixed(kept, writer, failed)) continue;
    TESSERA_CHECK(!kept.work().failureAccepted(failed), "an op fails although its failure is accepted");
    kept.work().acceptFailure(failed);
  }
  if (kept.refused() > 0)
    log.warnings.push_back(std::to_string(kept.refused()) +
                           " results stay in DRAM although the policy wants them in L1: it does not ask whether "
                           "their readers take them from there.");
  if (kept.struckOut() > 0)
    log.warnings.push_back(
        std::to_string(kept.struckOut()) +
        " results stay in DRAM although their bytes fit: circular buffers and holes are not in the policy's sums.");
  logDecisions(kept, choice, log);
  return writer.take();
}

}  // namespace tessera
