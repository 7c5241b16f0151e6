#pragma once
// What the forward pass found for an op, kept by the whole question: networks repeat their blocks, and near budgets of
// L1 give the same answers. Bounded: when it is full it is emptied.

#include <vector>

#include "core/ops/model/op_answers.h"
#include "core/policy/propagate/beam.h"
#include "core/support/key_index.h"

namespace tessera {

class BeamMemory {
 public:
  // Of questions that speak of the classes of these answers.
  explicit BeamMemory(const OpAnswers& answers) : answers_(answers) {}
  BeamMemory(const BeamMemory&) = delete;
  BeamMemory& operator=(const BeamMemory&) = delete;

  const OpAnswers& answers() const { return answers_; }
  // Writes what was found under this budget, or under another that gives the same; the budget is narrowed by the
  // answer. False when the question was not asked under such a budget.
  bool recall(const Key& question, L1Budget& budget, OpBeam& beam);
  // `range`: the budgets for which the beam is the same.
  void keep(const Key& question, const BudgetRange& range, const OpBeam& beam);
  size_t size() const { return size_; }  // beams
  void clear();

 private:
  static constexpr size_t kMostWords = size_t{1} << 22;  // of 4 bytes, about

  struct Kept {
    BudgetRange range;
    OpBeam beam;
  };

  const OpAnswers& answers_;
  KeyIndex questions_;
  std::vector<std::vector<Kept>> kept_;  // by number in questions_; the ranges of one question may overlap
  size_t size_ = 0, words_ = 0;
};

}  // namespace tessera
