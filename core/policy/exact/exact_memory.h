#pragma once
// What the exact policy keeps from one run to the next: answers to questions that are asked again, about equal ops of
// one net and after a slider has moved. Found by the whole question, so that what is known changes no answer. Never
// iterated over.

#include <memory>
#include <vector>

#include "core/ops/model/interner.h"
#include "core/ops/model/op_model.h"
#include "core/policy/exact/baselines.h"
#include "core/policy/exact/candidate_table.h"
#include "core/policy/kit/move_time.h"
#include "core/solve/selection/elimination_tree.h"
#include "core/solve/selection/selection_solver.h"

namespace tessera {

struct KeptTable {
  CostTable table;
  BudgetRange range;
  // What it was made of: the key holds their addresses.
  std::vector<std::shared_ptr<const CandidateTable>> candidates;
};

class ExactMemory {
 public:
  explicit ExactMemory(MoveMemory& known) : moves(known), interner(known.interner) {}

  MoveMemory& moves;
  Interner& interner;
  // Three levels of one search. `ops` keeps all candidates of an op. `configs` keeps those of one config: ops and caps
  // that differ in other configs share its table, and `tables` are found by the addresses of such tables. `figures`
  // keeps what the op model says of each combination of inputs, whatever the budget.
  KeyIndex configKeys;
  std::vector<AnswersByBudget<ConfigAnswer>> configs;  // by number in configKeys
  KeyIndex figureKeys;
  std::vector<KnownFigures> figures;  // by number in figureKeys
  KeyIndex opKeys;
  std::vector<AnswersByBudget<FoundCandidates>> ops;  // by number in opKeys
  KeyIndex tableKeys;
  std::vector<KeptTable> tables;  // by number in tableKeys
  int64_t cells = 0;              // in what is kept here but the figures, about
  int64_t figureCells = 0;
  std::unique_ptr<EliminationTree> tree;  // of the last model without prices
  KeptSelection selection;                // of models without prices that no order fits
  KeptPlans plans;                        // of the other policies

  // Forgets what is made of the figures when that is too much; the figures, which the op model worked out, stay.
  void makeRoom();
  bool full() const { return figureCells > kMostCells; }
  void clear();

 private:
  void forgetTables();

  // 8 bytes each. A net of separable convolutions (575 ops in the schedule) has 0.8 million after its first run and 8.2
  // after 25 caps, and figures of 1.1 and 1.2 million.
  static constexpr int64_t kMostCells = int64_t{1} << 23;
};

}  // namespace tessera
