#pragma once
// Dominance elimination: values that another value of the same variable can always replace without loss.

#include <vector>

#include "core/solve/selection/factor_graph.h"
#include "core/support/key_index.h"

namespace tessera {

struct ReducedModel {
  FactorGraph model;
  std::vector<std::vector<int>> kept;  // per variable: the values of the original model that are left, ascending
  int64_t removed = 0;
};

// Tables of fewer values, found by the table and the values: equal blocks of one model, or of the next, share them.
class RestrictedTables {
 public:
  // The factor's table of the kept values of its variables alone, times 2^shift.
  CostTable of(const FactorGraph& model, const Factor& factor, const std::vector<std::vector<int>>& kept, int shift);
  // Before a model is looked at: forgets everything when too much is kept.
  void prepare();

 private:
  struct Kept {
    CostTable table, given;  // what it was made of: the key holds its address
  };
  Key key_;  // of the question at hand
  KeyIndex keys_;
  std::vector<Kept> known_;  // by number in keys_
  size_t cells_ = 0;         // of their tables
};

// Which values of a variable were dominated, found by all that decides it: its costs, its tables, and what was left of
// the domains around it. Equal variables, of one model or of the next, are asked about once.
class KnownDominance {
 public:
  struct Answer {
    bool known = false;
    int64_t spent = 0;            // of the budget
    std::vector<size_t> removed;  // values, in this order
  };
  // Equal for the very same entries. Tables are kept, so that a number stays theirs.
  uint32_t numberOf(const CostTable& table);
  Answer& about(const Key& key) { return numbered(answers_, keys_.numberOf(key)); }
  size_t size() const { return answers_.size(); }  // questions that were asked
  // As for RestrictedTables.
  void prepare();

  RestrictedTables restricted;

 private:
  HashIndex index_;  // of tables_
  std::vector<CostTable> tables_;
  KeyIndex keys_;
  std::vector<Answer> answers_;  // by number in keys_
};

// At least one optimum of `model` survives. A variable without any allowed value keeps its first. Goldstein's
// criterion: value a is removed when some b satisfies, over all tables, sum of min over the others (cost with a - cost
// with b) >= 0. Stops when the budget ends, with what was removed until then.
ReducedModel removeDominated(const FactorGraph& model, WorkBudget& budget, int shift = 0,
                             KnownDominance* known = nullptr);

// Keeps only the listed values (at least one per variable). Costs become 2^shift times what they are. `known`: tables
// of earlier models.
ReducedModel restrictModel(const FactorGraph& model, std::vector<std::vector<int>> kept, int shift = 0,
                           RestrictedTables* known = nullptr);

// Of every variable, for restrictModel().
std::vector<std::vector<int>> allValues(const FactorGraph& model);

}  // namespace tessera
