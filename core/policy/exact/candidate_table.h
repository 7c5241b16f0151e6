#pragma once
// Candidates of an op: a config together with the layouts in which the op reads its operands.

#include <cstdint>
#include <memory>
#include <vector>

#include "core/ir/layout_pool.h"
#include "core/ops/model/op_model.h"

namespace tessera {

// The candidates of one config: all combinations of the layouts in which its tensor operands may be read, the last
// operand fastest.
struct CandidateTable {
  std::vector<std::vector<LayoutId>> reads;  // per tensor operand: the options
  std::vector<int64_t> time;                 // ns per candidate; kForbidden: refused by the op model
  std::vector<int64_t> l1;                   // bytes per core while the op runs: what it reads and allocates
  bool aliases = false;                      // the result may lie in the first operand's buffer
};

// What the op model says of one combination, whatever the budget.
struct CandidateFigures {
  Nanoseconds time;               // of a legal one
  Bytes peak, output;             // per core: what the op allocates at its peak, and its first result in L1
  LayoutId produced = kNoLayout;  // where a legal one puts its result
  int32_t operand = -1;           // that is refused; -1: none
  OpStatus status = OpStatus::Success;
  Refusal reason = Refusal::None;
  bool aliases = false;  // the result may lie in the first operand's buffer
};

// Those of the combinations of one config that were asked last: a list of layouts that gets longer is asked about what
// is new.
class KnownFigures {
 public:
  KnownFigures() = default;
  KnownFigures(const std::vector<std::vector<LayoutId>>& reads, size_t combinations);
  // In the order of the combinations.
  void add(const CandidateFigures& figures) { cells_.push_back(figures); }
  // All of these are known, in this order.
  bool holdsAll(const std::vector<std::vector<LayoutId>>& reads, size_t combinations) const {
    return cells_.size() == combinations && reads_ == reads;
  }
  const CandidateFigures& operator[](size_t index) const { return cells_[index]; }
  // Per operand, where each of these layouts stands in its list; -1: nowhere.
  std::vector<std::vector<int64_t>> placesOf(const std::vector<std::vector<LayoutId>>& reads) const;
  // Of a combination, as chosen from places; null when it is not known.
  const CandidateFigures* find(const std::vector<std::vector<int64_t>>& places, const std::vector<size_t>& at) const;
  size_t size() const { return cells_.size(); }

 private:
  std::vector<std::vector<LayoutId>> reads_;
  std::vector<CandidateFigures> cells_;
};

// What the op model answered about one config, and the budgets of L1 for which it answers the same.
struct ConfigAnswer {
  std::shared_ptr<const CandidateTable> candidates;
  bool anyLegal = false;
  std::vector<OpConfig> produced;  // what the op makes of this config instead
  BudgetRange range;
};

// What an op chooses from.
struct OpCandidates {
  std::vector<OpConfig> configs;
  std::vector<LayoutId> outputs;                                  // per config
  std::vector<std::shared_ptr<const CandidateTable>> candidates;  // per config
  bool refused = false;     // nothing is legal: its only candidate runs in DRAM all the same
  bool isExplicit = false;  // its variable selects the candidate; one table per operand
  bool cut = false;         // not all that is legal is among its candidates: there would be too many
};

// The candidates found for an op, and the budgets of L1 for which they are these.
struct FoundCandidates {
  OpCandidates candidates;
  BudgetRange range;
};

// The answers to one question at the last few budgets.
template <typename Answer>
class AnswersByBudget {
 public:
  // Null: not known at this budget.
  const Answer* at(int64_t budget) const {
    for (const Answer& answer : answers_) {
      if (answer.range.holds(budget)) return &answer;
    }
    return nullptr;
  }
  const Answer& add(Answer answer) {
    if (answers_.size() < kMost) return answers_.emplace_back(std::move(answer));
    return answers_[oldest_++ % kMost] = std::move(answer);
  }

 private:
  static constexpr size_t kMost = 8;
  std::vector<Answer> answers_;
  size_t oldest_ = 0;
};

}  // namespace tessera
