#include "core/policy/propagate/beam_memory.h"

namespace tessera {

namespace {

// Of an entry or a candidate that was tried.
constexpr size_t kWordsEach = 60;

// Verdicts that were held against a budget name it (admit() in core/ops/model/op_model.h).
void nameBudget(OpVerdict& verdict, Bytes budget) {
  if (verdict.ok() || verdict.status == OpStatus::OutOfMemory) verdict.available = budget;
}

}  // namespace

bool BeamMemory::recall(const Key& question, L1Budget& budget, OpBeam& beam) {
  const size_t number = questions_.numberOf(question);
  if (number >= kept_.size()) return false;
  for (const Kept& kept : kept_[number]) {
    if (!kept.range.holds(budget.bytes().count)) continue;
    budget.cut(kept.range);
    beam = kept.beam;
    for (BeamEntry& entry : beam.entries) nameBudget(entry.verdict, budget.bytes());
    for (Candidate& tried : beam.tried) nameBudget(tried.verdict, budget.bytes());
    return true;
  }
  return false;
}

void BeamMemory::keep(const Key& question, const BudgetRange& range, const OpBeam& beam) {
  if (words_ > kMostWords) clear();
  numbered(kept_, questions_.numberOf(question)).push_back({range, beam});
  words_ += question.size() + kWordsEach * (beam.entries.size() + beam.tried.size());
  ++size_;
}

void BeamMemory::clear() {
  questions_ = {};
  kept_.clear();
  size_ = words_ = 0;
}

}  // namespace tessera
