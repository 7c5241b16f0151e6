// GreedyL1Interleaved, deprecated (ttnn-optimizer.md 2.3; tt-mlir Analysis/GreedyL1InterleavedPolicy.cpp of 2026-07):
// every op takes the set of L1-interleaved operands and result with the most bytes that its bookkeeping allows.
//
// What its authors later called bugs is kept and warned about: an operand that is in L1 can be pushed back to DRAM by a
// later op
// ("pushed back"); results with several readers never go to L1 ("single use"); the schedule is found from the first
// returned value only ("first result"); the number of operands is an exponent ("31 operands": 1 << n on an int).

#include <algorithm>

#include "core/policy/chain/dfs_scheduler.h"
#include "core/policy/chain/interleaved_plan.h"
#include "core/policy/policy.h"
#include "core/support/stable_sort.h"

namespace tessera {

namespace {

// Published: all subsets. Here the candidates beyond this number stay in DRAM.
constexpr size_t kMaxCandidates = 12;

struct Candidate {
  OpId op;
  int64_t output = 0;    // bytes per core of its result in L1
  int64_t required = 0;  // bytes per core that computing it takes at the peak
};

struct Choice {
  std::vector<Candidate> inL1;  // in the order in which they should run
  std::vector<OpId> inDram;
};

// The order with the least peak: whoever needs most beyond what it leaves comes first. (Published: all permutations are
// tried; this exchange argument finds the same least peak.)
int64_t orderForLeastPeak(std::vector<Candidate>& chosen) {
  stableSort(chosen,
             [](const Candidate& a, const Candidate& b) { return a.required - a.output > b.required - b.output; });
  int64_t before = 0, peak = 0;
  for (const Candidate& c : chosen) {
    peak = std::max(peak, before + c.required);
    before += c.output;
  }
  return peak;
}

Choice bestSubset(const std::vector<Candidate>& candidates, L1Budget& budget) {
  Choice best;
  int64_t bestUsage = -1;
  size_t count = std::min(candidates.size(), kMaxCandidates);
  for (uint32_t mask = 0; mask < (1u << count); ++mask) {
    Choice choice;
    int64_t usage = 0;
    for (size_t i = 0; i < candidates.size(); ++i) {
      bool chosen = i < count && ((mask >> i) & 1u);
      if (chosen) usage += candidates[i].output, choice.inL1.push_back(candidates[i]);
      else choice.inDram.push_back(candidates[i].op);
    }
    bool most = usage > bestUsage && budget.fits(Bytes(usage));
    if (!most || !budget.fits(Bytes(orderForLeastPeak(choice.inL1)))) continue;
    bestUsage = usage;
    best = std::move(choice);
  }
  return best;
}

class GreedyAnalysis {
 public:
  GreedyAnalysis(const Problem& problem, DecisionLog& log)
      : problem_(problem), log_(log), required_(problem.graph.ops.size(), 0), precedence_(problem.graph.ops.size()) {
    choice_.inL1 = IdVec<OpId, bool>(problem.graph.ops.size(), false);
    choice_.why.resize(problem.graph.ops.size());
  }

  InterleavedChoice run() {
    DfsScheduler scheduler(problem_);
    while (scheduler.hasUnscheduledOps()) {
      for (OpId op : scheduler.schedulableOps()) {
        scheduler.scheduleOp(op);
        decide(op);
      }
    }
    orderFromFirstResult();
    warn();
    return std::move(choice_);
  }

 private:
  void decide(OpId op) {
    const Op& o = problem_.graph.ops[op];
    std::vector<Candidate> candidates;
    if (hasL1InterleavedLayout(problem_, op)) {
      bool single = problem_.uses[o.results[0]].size() == 1;
      forks_ += !single;
      if (single) candidates.push_back({op, l1InterleavedBytes(problem_, op).count, 0});
      else choice_.why[op] = "DRAM: only results that are read once are considered";
    }
    std::vector<OpId>& before = precedence_[op];
    for (ValueId operand : o.operands) {
      OpId producer = problem_.graph.values[operand].producer;
      bool seen =
          std::any_of(candidates.begin(), candidates.end(), [&](const Candidate& c) { return c.op == producer; });
      if (!producer.valid() || seen) continue;
      if (choice_.inL1[producer])
        candidates.push_back({producer, l1InterleavedBytes(problem_, producer).count, required_[producer]});
      else before.push_back(producer);
    }
    tooMany_ += candidates.size() > kMaxCandidates;
    Choice choice = bestSubset(candidates, problem_.budget);
    for (OpId dropped : choice.inDram) drop(dropped, op, before);
    int64_t sum = 0, peak = 0;
    for (const Candidate& c : choice.inL1) {
      if (c.op == op) {
        choice_.inL1[op] = true;
        choice_.why[op] = "L1 interleaved: with its operands in L1 this keeps the most bytes there";
      } else {
        before.push_back(c.op);
        peak = std::max(peak, sum + c.required);
        sum += c.output;
      }
    }
    required_[op] = std::max(peak, sum + (choice_.inL1[op] ? l1InterleavedBytes(problem_, op).count : 0));
  }

  void drop(OpId dropped, OpId op, std::vector<OpId>& before) {
    if (dropped == op) {
      choice_.why[op] = "DRAM: with its operands it does not fit L1, or others keep more bytes there";
      return;
    }
    before.push_back(dropped);
    if (!choice_.inL1[dropped]) return;
    choice_.inL1[dropped] = false;
    choice_.why[dropped] = "DRAM: a later op pushed it back";
    ++pushedBack_;
  }

  // Depth first over the precedence, operands that were decided first coming first. Recursion-free.
  void orderFromFirstResult() {
    const Op& ret = problem_.graph.ops[problem_.schedule.order.back()];
    if (ret.operands.empty()) return;
    IdVec<OpId, size_t> next(problem_.graph.ops.size(), 0);
    IdVec<OpId, bool> done(problem_.graph.ops.size(), false);
    std::vector<OpId> stack;
    OpId root = problem_.graph.values[ret.operands[0]].producer;
    if (root.valid()) stack.push_back(root);
    while (!stack.empty()) {
      OpId op = stack.back();
      if (!done[op] && next[op] < precedence_[op].size()) {
        OpId before = precedence_[op][next[op]++];
        if (!done[before]) stack.push_back(before);
        continue;
      }
      stack.pop_back();
      if (!done[op]) choice_.order.push_back(op);
      done[op] = true;
    }
    for (OpId op : problem_.schedule.order)
      left_ += !done[op] && !opInfo(problem_.graph.ops[op].kind).has(kTerminator) &&
               !opInfo(problem_.graph.ops[op].kind).has(kNoCompute);
  }

  void warn() {
    auto& w = log_.warnings;
    if (pushedBack_ > 0)
      w.push_back("Pushed back: " + std::to_string(pushedBack_) +
                  " results that were in L1 went back to DRAM when a later op was decided; what had been decided "
                  "because of them stands.");
    if (forks_ > 0)
      w.push_back("Single use: " + std::to_string(forks_) +
                  " results stay in DRAM only because they are read more than once, or never.");
    if (left_ > 0)
      w.push_back("First result: the schedule follows the first returned value only; " + std::to_string(left_) +
                  " ops it does not need come last.");
    if (tooMany_ > 0)
      w.push_back("31 operands: the policy tries every subset of operands; for " + std::to_string(tooMany_) +
                  " ops only the first " + std::to_string(kMaxCandidates) + " were considered.");
  }

  const Problem& problem_;
  DecisionLog& log_;
  InterleavedChoice choice_;
  IdVec<OpId, int64_t> required_;
  IdVec<OpId, std::vector<OpId>> precedence_;
  size_t pushedBack_ = 0, forks_ = 0, left_ = 0, tooMany_ = 0;
};

}  // namespace

Plan decideGreedyL1Interleaved(const Problem& problem, const PolicyOptions& options, PolicyMemory&, DecisionLog& log) {
  return planInterleaved(problem, GreedyAnalysis(problem, log).run(), options.keepsSchedule, log);
}

}  // namespace tessera
