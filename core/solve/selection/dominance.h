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
  // Before a model is looked at: forgets everything when too much is kept.
  void prepare();

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

// Keeps only the listed values (at least one per variable). Costs become 2^shift times what they are.
ReducedModel restrictModel(const FactorGraph& model, std::vector<std::vector<int>> kept, int shift = 0);

// Of every variable, for restrictModel().
std::vector<std::vector<int>> allValues(const FactorGraph& model);

}  // namespace tessera
