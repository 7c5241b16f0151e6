#include "core/policy/chain/l1_interleaved_fallback.h"

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

bool isUpgradable(const ChainWork& work, OpId op) {
  const Problem& problem = work.problem();
  const Op& o = problem.graph.ops[op];
  if (o.results.size() != 1 || !problem.isTensor(o.results[0]) || isPinned(problem, op) ||
      work.configOf(op).output.isL1())
    return false;
  if (isSkipped(problem.graph, op) || findOverride(problem.options.layoutOverrides, problem.graph, op)) return false;
  const std::vector<Use>& uses = problem.uses[o.results[0]];
  if (uses.size() != 1 || work.position(uses[0].op) != work.position(op) + 1) return false;
  const OpInfo& reader = opInfo(problem.graph.ops[uses[0].op].kind);
  return !reader.has(kTerminator) && reader.family != Family::Matmul;
}

}  // namespace

void applyL1InterleavedFallback(ChainWork& work) {
  const Problem& problem = work.problem();
  for (OpId op : problem.schedule.order) {
    if (opInfo(problem.graph.ops[op].kind).has(kTerminator) || !isUpgradable(work, op)) continue;
    ChainWork::Mark mark = work.mark();
    ValueId value = work.resultOf(op);
    TensorLayout layout = l1InterleavedLayout(problem, value);
    work.setConfig(op, {layout, work.configOf(op).attrs});
    work.keepInL1(value, layout);
    OpId reader = problem.uses[value][0].op;
    OpVerdict own = work.check(op), theirs = work.check(reader);
    if (own.ok() && theirs.ok()) {
      work.commit(mark);
      work.record(ChainEventKind::Reserved, -1, op).before = l1BytesPerCore(layout).count;
    } else {
      work.rollback(mark);
      work.record(ChainEventKind::Rejected, -1, own.ok() ? reader : op).verdict = own.ok() ? theirs : own;
    }
  }
}

}  // namespace tessera
