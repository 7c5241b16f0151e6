#include "core/policy/chain/l1_interleaved_fallback.h"

#include "core/policy/chain/merge_validation.h"
#include "core/policy/kit/op_choice.h"

namespace tessera {

namespace {

// Kinds that the published fallback leaves alone, as producer.
bool isSkipped(const Graph& graph, OpId op) {
  switch (opInfo(graph.ops[op].kind).family) {
    case Family::Pool:
    case Family::Upsample:
    case Family::Slice:
    case Family::Typecast:
    case Family::Matmul: return true;
    case Family::Reshape: return true;  // most are views, and a view has no result of its own
    default: return false;
  }
}

bool isCandidate(const ChainWork& work, OpId op) {
  const Problem& problem = work.problem();
  const Op& o = problem.graph.ops[op];
  if (opInfo(o.kind).has(kTerminator) || o.results.size() != 1 || !problem.isTensor(o.results[0])) return false;
  return !isPinned(problem, op) && !work.configOf(op).output.isL1() && !work.resident(o.results[0]) &&
         !findOverride(problem.options.layoutOverrides, problem.graph, op);
}

// What the function returns would have to leave L1 again.
bool isReturned(const Problem& problem, ValueId value) {
  for (const Use& use : problem.uses[value]) {
    if (opInfo(problem.graph.ops[use.op].kind).has(kTerminator)) return true;
  }
  return false;
}

// The compiler's fallback: one reader, which runs next, and neither of them a matmul.
bool compilerUpgrades(const ChainWork& work, OpId op) {
  const Problem& problem = work.problem();
  if (isSkipped(problem.graph, op)) return false;
  const std::vector<Use>& uses = problem.uses[work.resultOf(op)];
  if (uses.size() != 1 || work.position(uses[0].op) != work.position(op) + 1) return false;
  return opInfo(problem.graph.ops[uses[0].op].kind).family != Family::Matmul;
}

}  // namespace

void applyL1InterleavedFallback(ChainWork& work, FallbackBounds bounds) {
  const Problem& problem = work.problem();
  for (OpId op : problem.schedule.order) {
    if (!isCandidate(work, op)) continue;
    const ValueId value = work.resultOf(op);
    if (work.readers(value).empty() || isReturned(problem, value)) continue;
    if (bounds == FallbackBounds::NextReader && !compilerUpgrades(work, op)) continue;
    ChainWork::Mark mark = work.mark();
    TensorLayout layout = l1InterleavedLayout(problem, value);
    work.setConfig(op, {layout, work.configOf(op).attrs});
    work.keepInL1(value, layout);
    const MergeCheck failed =
        validateScheduleRangeWithReservation(work, work.position(op), problem.live[value].lastUse);
    if (!failed) {
      work.commit(mark);
      work.record(ChainEventKind::Reserved, -1, op).before = l1BytesPerCore(layout).count;
    } else {
      work.rollback(mark);
      work.record(ChainEventKind::Rejected, -1, failed->op).verdict = failed->verdict;
    }
  }
}

}  // namespace tessera
