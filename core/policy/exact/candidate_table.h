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

// What the op model answered about one config, and the budgets of L1 for which it answers the same.
struct ConfigAnswer {
  std::shared_ptr<const CandidateTable> candidates;
  bool anyLegal = false;
  std::vector<OpConfig> produced;  // what the op makes of this config instead
  BudgetRange range;
};

// The answers about one config at the last few budgets.
struct ConfigAnswers {
  static constexpr size_t kMostAnswers = 8;
  std::vector<ConfigAnswer> answers;
  size_t oldest = 0;
  const ConfigAnswer& add(ConfigAnswer answer) {
    if (answers.size() < kMostAnswers) return answers.emplace_back(std::move(answer));
    return answers[oldest++ % kMostAnswers] = std::move(answer);
  }
};

}  // namespace tessera
