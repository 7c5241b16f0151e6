#pragma once
// Candidates of an op: a config together with the layouts in which the op reads its operands.

#include <cstdint>
#include <memory>
#include <vector>

#include "core/ir/layout_pool.h"
#include "core/ops/model/op_model.h"

namespace tessera {

// In 64 bits: 50 operands combine to more than a size_t of WebAssembly counts.
int64_t combinationsOf(const std::vector<std::vector<LayoutId>>& reads);

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
  bool known = false;             // the op model was asked; else nothing below is set
  Nanoseconds time;               // of a legal one
  Bytes peak, output;             // per core: what the op allocates at its peak, and its first result in L1
  LayoutId produced = kNoLayout;  // where a legal one puts its result
  int32_t operand = -1;           // that is refused; -1: none
  OpStatus status = OpStatus::Success;
  Refusal reason = Refusal::None;
  bool aliases = false;  // the result may lie in the first operand's buffer
};

// Those of the combinations of one config that were asked. A list of layouts that gets longer, or that comes back, is
// asked about what is new.
class KnownFigures {
 public:
  // Per operand, where each of its layouts stands; empty where each stands in its own place.
  using Places = std::vector<std::vector<size_t>>;
  // Makes room for all combinations of these layouts. What is known of others is kept while all together are few.
  Places admit(const std::vector<std::vector<LayoutId>>& reads);
  // Of a combination, as chosen from places; to be filled in where it is not known.
  CandidateFigures& at(const Places& places, const std::vector<size_t>& chosen);
  size_t size() const { return cells_.size(); }

 private:
  void resize(std::vector<std::vector<LayoutId>> reads);

  std::vector<std::vector<LayoutId>> reads_;
  std::vector<CandidateFigures> cells_;  // of all combinations of these, the last operand fastest
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
