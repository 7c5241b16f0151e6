#include <algorithm>

#include "core/policy/chain/chain_passes.h"
#include "core/policy/chain/merge_validation.h"
#include "core/support/stable_sort.h"

namespace tessera {

namespace {

struct MergeCandidate {
  int32_t source;  // chain A
  OpId joinOp;     // op of chain B that reads its result
  int32_t operand;
  Bytes size;  // of A's result, sharded
};

// Chains whose result only chain `target` reads and that still spill to DRAM; the largest first, then by join and
// operand.
std::vector<MergeCandidate> candidatesFor(const ChainWork& work, int32_t target) {
  const Problem& problem = work.problem();
  std::vector<MergeCandidate> candidates;
  for (const OpL1MemSpec& spec : work.chain(target).specs()) {
    const auto& operands = problem.graph.ops[spec.op].operands;
    for (size_t i = 0; i < operands.size(); ++i) {
      OpId producer = problem.graph.values[operands[i]].producer;
      int32_t source = producer.valid() ? work.chainOf(producer) : -1;
      if (source == target || !work.completed(source) || work.chain(source).lastOp() != producer) continue;
      bool open = work.chain(source).spillLocation == SpillLocation::DRAM && problem.uses[operands[i]].size() == 1;
      if (open)
        candidates.push_back(
            {source, spec.op, static_cast<int32_t>(i), l1BytesPerCore(work.chain(source).lastLayout())});
    }
  }
  stableSort(candidates, [](const MergeCandidate& a, const MergeCandidate& b) { return a.size > b.size; });
  return candidates;
}

// A's result stays where it is; the join reads it directly, or through the reshard it already had.
void keepSource(ChainWork& work, int32_t target, const MergeCandidate& candidate, bool direct) {
  work.changeChain(candidate.source).spillLocation = SpillLocation::None;
  work.keepInL1(work.chainResult(candidate.source), work.chain(candidate.source).lastLayout());
  if (direct) work.changeChain(target).dropMemReconfig(candidate.joinOp, candidate.operand);
}

bool hasReshard(const ChainWork& work, int32_t target, const MergeCandidate& candidate) {
  const auto& entries = work.chain(target).memReconfig();
  return std::any_of(entries.begin(), entries.end(), [&](const MemReconfigEntry& e) {
    return e.edge.consumer == candidate.joinOp && e.edge.operand == candidate.operand;
  });
}

void recordTry(ChainWork& work, int32_t target, const MergeCandidate& candidate) {
  ChainEvent& event = work.record(ChainEventKind::MergeTried, candidate.source, candidate.joinOp);
  event.other = target;
  event.operand = candidate.operand;
  event.before = candidate.size.count;
}

void recordMerge(ChainWork& work, int32_t target, const MergeCandidate& candidate) {
  ChainEvent& event = work.record(ChainEventKind::MergeApplied, candidate.source, candidate.joinOp);
  event.other = target;
  event.operand = candidate.operand;
  event.before = candidate.size.count;
}

// Simple A -> B.
bool trySimpleMerge(ChainWork& work, int32_t target, const MergeCandidate& candidate) {
  recordTry(work, target, candidate);
  MergeCheck failed;
  for (bool direct : {true, false}) {
    if (!direct && !hasReshard(work, target, candidate)) break;
    ChainWork::Mark mark = work.mark();
    keepSource(work, target, candidate, direct);
    failed = validateChainBWithMergedInput(work, candidate.source, target, candidate.joinOp);
    if (!failed) {
      work.commit(mark);
      recordMerge(work, target, candidate);
      return true;
    }
    work.rollback(mark);
  }
  recordRejection(work, candidate.source, *failed);
  return false;
}

// Operands 0 and 1 of B's first op from two chains: A runs, then C with A's result in L1, then the join reads both.
bool tryThreeWayMerge(ChainWork& work, int32_t target, const std::vector<MergeCandidate>& candidates) {
  OpId joinOp = work.chain(target).firstOp();
  const MergeCandidate* inputs[2] = {nullptr, nullptr};
  for (const MergeCandidate& c : candidates) {
    if (c.joinOp == joinOp && c.operand <= 1) inputs[c.operand] = &c;
  }
  if (!inputs[0] || !inputs[1] || inputs[0]->source == inputs[1]->source) return false;
  const MergeCandidate* first = inputs[0];
  const MergeCandidate* second = inputs[1];
  if (work.position(work.chain(first->source).lastOp()) > work.position(work.chain(second->source).lastOp()))
    std::swap(first, second);
  recordTry(work, target, *first);
  recordTry(work, target, *second);
  ChainWork::Mark mark = work.mark();
  keepSource(work, target, *first, true);
  keepSource(work, target, *second, true);
  int32_t begin = work.position(work.chain(first->source).lastOp()) + 1;
  MergeCheck failed = validateChainWithPredecessorInL1(work, second->source);
  if (!failed) failed = validateScheduleRangeWithReservation(work, begin, work.position(joinOp) - 1);
  if (!failed) failed = validateThreeWayMergeJoinOp(work, joinOp);
  if (failed) {
    work.rollback(mark);
    recordRejection(work, first->source, *failed);
    return false;
  }
  work.commit(mark);
  recordMerge(work, target, *first);
  recordMerge(work, target, *second);
  return true;
}

}  // namespace

void applyChainMerges(ChainWork& work) {
  for (int32_t target = 0; target < work.chainCount(); ++target) {
    if (!work.completed(target) || work.chain(target).isConcatChain) continue;
    std::vector<MergeCandidate> candidates = candidatesFor(work, target);
    if (candidates.empty() || tryThreeWayMerge(work, target, candidates)) continue;
    for (const MergeCandidate& candidate : candidates) {
      if (trySimpleMerge(work, target, candidate)) break;  // one merge per chain
    }
  }
}

}  // namespace tessera
