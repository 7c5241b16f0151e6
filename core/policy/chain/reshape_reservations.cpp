#include "core/ops/model/op_memory.h"
#include "core/policy/chain/chain_passes.h"
#include "core/policy/chain/merge_validation.h"
#include "core/policy/kit/op_choice.h"

namespace tessera {

namespace {

// Returns its operand's buffer under another shape when both are L1 interleaved.
bool isViewInL1(const Problem& problem, OpId op, const TensorLayout& input, const TensorLayout& output) {
  if (opInfo(problem.graph.ops[op].kind).family != Family::Reshape) return false;
  std::vector<std::optional<TensorLayout>> inputs(problem.graph.ops[op].operands.size());
  inputs[0] = input;
  OpConfig config{output, {}};
  OpQuery query{problem.graph, op, inputs, config, Bytes(0)};
  return opMemory(query, problem.model).aliasOf == 0;
}

MergeCheck tryReshape(ChainWork& work, int32_t index, OpId reshape, const TensorLayout& input,
                      const TensorLayout& output) {
  work.changeChain(index).spillLocation = SpillLocation::L1Interleaved;
  work.keepInL1(work.chainResult(index), input);
  work.setConfig(reshape, {output, {}});
  work.keepInL1(work.resultOf(reshape), output);
  if (MergeCheck failed = validateInterleavedSpill(work, index)) return failed;
  int32_t end = work.problem().live[work.resultOf(reshape)].lastUse;
  return validateScheduleRangeWithReservation(work, work.position(work.chain(index).lastOp()) + 1, end);
}

}  // namespace

void applyL1ReservationsForReshapes(ChainWork& work) {
  const Problem& problem = work.problem();
  for (int32_t i = 0; i < work.chainCount(); ++i) {
    if (!work.completed(i) || work.chain(i).spillLocation != SpillLocation::DRAM) continue;
    ValueId value = work.chainResult(i);
    if (problem.uses[value].size() != 1) continue;
    OpId reshape = problem.uses[value][0].op;
    const Op& op = problem.graph.ops[reshape];
    bool decidable = op.results.size() == 1 && problem.isTensor(op.results[0]) && !isPinned(problem, reshape) &&
                     !findOverride(problem.options.layoutOverrides, problem.graph, reshape);
    if (!decidable || work.readers(op.results[0]).empty()) continue;
    TensorLayout input = l1InterleavedLayout(problem, value), output = l1InterleavedLayout(problem, op.results[0]);
    if (!input.isL1() || !output.isL1() || !isViewInL1(problem, reshape, input, output)) continue;
    work.record(ChainEventKind::ReservationTried, i, reshape).layout = output;
    ChainWork::Mark mark = work.mark();
    if (MergeCheck failed = tryReshape(work, i, reshape, input, output)) {
      work.rollback(mark);
      recordRejection(work, i, *failed);
      continue;
    }
    work.commit(mark);
    work.record(ChainEventKind::Reserved, i, reshape).before = l1BytesPerCore(output).count;
  }
}

}  // namespace tessera
