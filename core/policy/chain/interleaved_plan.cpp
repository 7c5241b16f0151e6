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

// Keeps every wished result whose op and readers still run then; the others are struck out. A result that turns out to
// find no room is taken back together with what was kept after it, and only that is tried again.
class ResultKeeper {
 public:
  ResultKeeper(const Problem& problem, ChainConfigs& configs, const IdVec<OpId, bool>& wished)
      : problem_(problem),
        inL1_(wished),
        work_(problem, configs, std::vector<L1ChainConfig>(), trace_),
        place_(problem.graph.ops.size(), 0) {
    // Results that the user fixed come first.
    for (OpId op : problem.schedule.order) {
      if (isFixed(op)) results_.push_back(op);
    }
    fixed_ = results_.size();
    for (OpId op : problem.schedule.order) {
      if (inL1_[op] && !findOverride(problem.options.layoutOverrides, problem.graph, op)) results_.push_back(op);
    }
    for (size_t i = 0; i < results_.size(); ++i) place_[results_[i]] = i;
    marks_.resize(results_.size(), 0);
  }

// Results that the user fixed go where they are wanted, when the op and its readers run then. Not into L1 where an op
// found no room beside them before (`noRoom`).
void keepOverrides(ChainWork& work, const IdVec<OpId, bool>& noRoom) {
  const Problem& problem = work.problem();
  for (OpId op : problem.schedule.order) {
    const Op& o = problem.graph.ops[op];
    if (o.results.empty() || !problem.isTensor(o.results[0]) || isPinned(problem, op)) continue;
    if (!findOverride(problem.options.layoutOverrides, problem.graph, op)) continue;
    for (const OpConfig& config : problem.configs[op]) {
      if (noRoom[op] && config.output.isL1()) continue;
      const ChainWork::Mark mark = work.mark();
      work.setConfig(op, config);
      if (config.output.isL1()) work.keepInL1(work.resultOf(op), config.output);
      bool runs = work.check(op).ok();
      for (OpId reader : work.readers(work.resultOf(op))) runs = runs && work.check(reader).ok();
      if (runs) break;
      work.rollback(mark);
    }
  }

// Keeps every wished result whose op and readers still run then; the others are struck out.
Attempted keepResults(const Problem& problem, ChainConfigs& configs, IdVec<OpId, bool>& inL1,
                      const IdVec<OpId, bool>& noRoom, size_t& refused) {
  Attempted attempted;
  attempted.work = std::make_unique<ChainWork>(problem, configs, std::vector<L1ChainConfig>(), attempted.trace);
  ChainWork& work = *attempted.work;
  keepOverrides(work, noRoom);
  for (OpId op : problem.schedule.order) {
    if (!inL1[op] || findOverride(problem.options.layoutOverrides, problem.graph, op)) continue;
    ValueId value = work.resultOf(op);
    TensorLayout layout = l1InterleavedLayout(problem, value);
    ChainWork::Mark mark = work.mark();
    OpConfig config = work.configOf(op);
    config.output = layout;
    work.setConfig(op, config);
    work.keepInL1(value, layout);
    bool runs = work.check(op).ok();
    for (OpId reader : work.readers(value)) runs = runs && work.check(reader).ok();
    if (runs) continue;
    work.rollback(mark);
    inL1[op] = false;
    ++refused;
  }

 private:
  bool isFixed(OpId op) const {
    const Op& o = problem_.graph.ops[op];
    return !o.results.empty() && problem_.isTensor(o.results[0]) && !isPinned(problem_, op) &&
           findOverride(problem_.options.layoutOverrides, problem_.graph, op);
  }

  bool runsWithReaders(OpId op) {
    bool runs = work_.check(op).ok();
    for (OpId reader : work_.readers(work_.resultOf(op))) runs = runs && work_.check(reader).ok();
    return runs;
  }

  // Where it is wanted, when the op and its readers run then.
  void keepFixed(OpId op) {
    for (const OpConfig& config : problem_.configs[op]) {
      const ChainWork::Mark mark = work_.mark();
      work_.setConfig(op, config);
      if (config.output.isL1()) work_.keepInL1(work_.resultOf(op), config.output);
      if (runsWithReaders(op)) break;
      work_.rollback(mark);
    }
  }

  void keep(OpId op) {
    const ValueId value = work_.resultOf(op);
    const TensorLayout layout = l1InterleavedLayout(problem_, value);
    const ChainWork::Mark mark = work_.mark();
    OpConfig config = work_.configOf(op);
    config.output = layout;
    work_.setConfig(op, config);
    work_.keepInL1(value, layout);
    if (runsWithReaders(op)) return;
    work_.rollback(mark);
    inL1_[op] = false;
    ++refused_;
  }

  const Problem& problem_;
  IdVec<OpId, bool> inL1_;
  ChainTrace trace_;
  ChainWork work_;
  std::vector<OpId> results_;           // in the order in which they are kept
  size_t fixed_ = 0, next_ = 0;         // of them
  IdVec<OpId, size_t> place_;           // in `results_`
  std::vector<ChainWork::Mark> marks_;  // before each
  size_t refused_ = 0;
};

// The result kept last of those that are in L1 while the op runs.
OpId latestKept(const ChainWork& work, OpId failedAt) {
  OpId latest;
  int32_t step = work.position(failedAt);
  for (const L1Reservation& r : work.reservations()) {
    if (r.startStep - 1 <= step && step <= r.endStep) latest = r.source;
  }
  return latest;
}

void logDecisions(const ChainWork& work, const InterleavedChoice& choice, const IdVec<OpId, bool>& kept,
                  DecisionLog& log) {
  const Problem& problem = work.problem();
  for (OpId op : problem.schedule.order) {
    const Op& o = problem.graph.ops[op];
    if (o.results.empty() || !problem.isTensor(o.results[0])) continue;
    std::string why = choice.why[op];
    if (choice.inL1[op] && !kept[op])
      why = "DRAM: the policy counts bytes only and wanted L1 interleaved, but an op refuses that or finds no room";
    else if (why.empty()) why = kept[op] ? "L1 interleaved" : "DRAM: the op has no L1-interleaved layout";
    log.decisions.push_back(
        {op, o.results[0], {{work.configOf(op).output, CandidateStatus::Chosen, {}, 0, ""}}, why + "."});
  }
}

}  // namespace

Plan planInterleaved(const Problem& given, const InterleavedChoice& choice, DecisionLog& log) {
  Problem problem = problemInOrder(given, feasibleOrder(given, choice.order));
  ChainConfigs configs(problem);
  IdVec<OpId, bool> inL1 = choice.inL1;
  IdVec<OpId, bool> struck(problem.graph.ops.size(), false);
  size_t refused = 0, noRoom = 0;
  while (true) {  // every round strikes out a result, so there are finitely many
    Attempted attempted = keepResults(problem, configs, inL1, struck, refused);
    ChainPlan written = writeChainPlan(*attempted.work);
    if (!written.failedAt.valid()) {
      if (keeper.refused() > 0)
        log.warnings.push_back(std::to_string(keeper.refused()) +
                               " results stay in DRAM although the policy wants them in L1: it does not ask whether "
                               "their readers take them from there.");
      if (noRoom > 0)
        log.warnings.push_back(
            std::to_string(noRoom) +
            " results stay in DRAM although their bytes fit: circular buffers and holes are not in the policy's sums.");
      logDecisions(keeper.work(), choice, keeper.inL1(), log);
      return std::move(written.plan);
    }
    OpId latest = latestKept(*attempted.work, written.failedAt);
    TESSERA_CHECK(latest.valid() && !struck[latest], "an op fails although nothing was put into L1");
    struck[latest] = true;
    inL1[latest] = false;
    ++noRoom;
  }
}

}  // namespace tessera
