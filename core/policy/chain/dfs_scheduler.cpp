#include "core/policy/chain/dfs_scheduler.h"

#include <algorithm>

namespace tessera {

namespace {

// Takes no time and needs arguments at most (devices, empty buffers, cached results of const-eval): it waits for
// nobody, and nobody gains by running it early.
bool isHelper(const Problem& problem, OpId op) {
  const Op& o = problem.graph.ops[op];
  if (!opInfo(o.kind).has(kNoCompute) || o.results.empty()) return false;
  for (ValueId operand : o.operands) {
    if (problem.isTensor(operand) && problem.graph.values[operand].producer.valid()) return false;
  }
  return true;
}

// Changes an operand: it may not change places with others that read it.
bool writesOperand(const Op& op, size_t operand) {
  const OpInfo& info = opInfo(op.kind);
  if (info.has(kTerminator)) return false;
  return op.results.empty() || (info.has(kInPlace) && operand == 0);
}

}  // namespace

DfsScheduler::DfsScheduler(const Problem& problem)
    : problem_(problem),
      takesPart_(problem.graph.ops.size(), false),
      scheduled_(problem.graph.ops.size(), false),
      waitsFor_(problem.graph.ops.size(), 0),
      successors_(problem.graph.ops.size()) {
  for (OpId op : problem.schedule.order) {
    takesPart_[op] = !isHelper(problem, op) && !opInfo(problem.graph.ops[op].kind).has(kTerminator);
    unscheduled_ += takesPart_[op];
  }
  for (OpId op : problem.schedule.order) {
    if (!takesPart_[op]) continue;
    for (ValueId operand : problem.graph.ops[op].operands) {
      OpId producer = problem.graph.values[operand].producer;
      if (producer.valid() && takesPart_[producer]) addDependency(producer, op);
    }
  }
  addMemoryDependencies();
  for (OpId op : problem.schedule.order) {
    if (canSchedule(op)) ready_.push_back(op);
  }
}

void DfsScheduler::addDependency(OpId before, OpId after) {
  if (before == after) return;
  successors_[before].push_back(after);
  ++waitsFor_[after];
}

// A cache that is written in place: whoever reads it before the write stays before, whoever reads it after stays after.
void DfsScheduler::addMemoryDependencies() {
  IdVec<ValueId, OpId> writer(problem_.graph.values.size());
  IdVec<ValueId, std::vector<OpId>> readers(problem_.graph.values.size());
  IdVec<ValueId, bool> written(problem_.graph.values.size(), false);
  for (OpId op : problem_.schedule.order) {
    const auto& operands = problem_.graph.ops[op].operands;
    for (size_t i = 0; i < operands.size(); ++i)
      written[operands[i]] = written[operands[i]] || writesOperand(problem_.graph.ops[op], i);
  }
  for (OpId op : problem_.schedule.order) {
    if (!takesPart_[op]) continue;
    const auto& operands = problem_.graph.ops[op].operands;
    for (size_t i = 0; i < operands.size(); ++i) {
      ValueId value = operands[i];
      if (!written[value]) continue;
      if (writer[value].valid()) addDependency(writer[value], op);
      if (writesOperand(problem_.graph.ops[op], i)) {
        for (OpId reader : readers[value]) addDependency(reader, op);
        readers[value].clear();
        writer[value] = op;
      } else {
        readers[value].push_back(op);
      }
    }
  }
}

int DfsScheduler::rank(OpId op) const {
  if (opInfo(problem_.graph.ops[op].kind).has(kToLayout)) return 0;
  const std::vector<OpId>& after = successors_[op];
  for (size_t i = 0; i < after.size(); ++i) {
    auto dependsOnThis = static_cast<int32_t>(std::count(after.begin(), after.end(), after[i]));
    if (waitsFor_[after[i]] > dependsOnThis) return 1;
    if (i > 64) break;  // a value that very many read: one of the first tells as much
  }
  return 2;
}

std::vector<OpId> DfsScheduler::schedulableOps() const {
  std::vector<OpId> sorted;
  for (int want = 0; want <= 2; ++want) {
    for (OpId op : ready_) {
      if (rank(op) == want) sorted.push_back(op);
    }
  }
  return sorted;
}

OpId DfsScheduler::first() const {
  OpId best;
  int bestRank = 3;
  for (OpId op : ready_) {
    int now = rank(op);
    if (now < bestRank) best = op, bestRank = now;
    if (bestRank == 0) break;
  }
  return best;
}

size_t DfsScheduler::useCount(OpId op) const {
  size_t uses = 0;
  for (ValueId result : problem_.graph.ops[op].results) uses += problem_.uses[result].size();
  return uses;
}

OpId DfsScheduler::readyReader(OpId op) const {
  OpId best;
  for (ValueId result : problem_.graph.ops[op].results) {
    for (const Use& use : problem_.uses[result]) {
      if (!canSchedule(use.op)) continue;
      if (!best.valid() || problem_.schedule.position[use.op] < problem_.schedule.position[best]) best = use.op;
    }
  }
  return best;
}

void DfsScheduler::scheduleOp(OpId op) {
  TESSERA_CHECK(canSchedule(op), "an op is scheduled before its producers");
  auto earlier = [&](OpId a, OpId b) { return problem_.schedule.position[a] < problem_.schedule.position[b]; };
  ready_.erase(std::lower_bound(ready_.begin(), ready_.end(), op, earlier));
  scheduled_[op] = true;
  --unscheduled_;
  order_.push_back(op);
  for (OpId next : successors_[op]) {
    if (--waitsFor_[next] == 0) ready_.insert(std::lower_bound(ready_.begin(), ready_.end(), next, earlier), next);
  }
}

std::vector<OpId> DfsScheduler::wholeOrder() const {
  TESSERA_CHECK(!hasUnscheduledOps(), "the order is asked for before everything is scheduled");
  std::vector<OpId> order;
  IdVec<OpId, bool> emitted(problem_.graph.ops.size(), false);
  // A helper may need another one (a buffer its device); the stack keeps who asked.
  auto emit = [&](OpId wanted) {
    std::vector<OpId> stack{wanted};
    while (!stack.empty()) {
      OpId op = stack.back();
      OpId missing;
      for (ValueId operand : problem_.graph.ops[op].operands) {
        OpId producer = problem_.graph.values[operand].producer;
        if (!missing.valid() && producer.valid() && !emitted[producer] && !takesPart_[producer]) missing = producer;
      }
      if (missing.valid()) {
        stack.push_back(missing);
        continue;
      }
      stack.pop_back();
      if (!emitted[op]) order.push_back(op);
      emitted[op] = true;
    }
  };
  for (OpId op : order_) emit(op);
  for (OpId op : problem_.schedule.order) {
    if (!emitted[op]) emit(op);  // helpers that nobody reads, and at last the return
  }
  return order;
}

}  // namespace tessera
