#include "core/policy/exact/candidate_table.h"

#include <algorithm>
#include <utility>

#include "core/solve/combinations.h"

namespace tessera {

namespace {

// Combinations that are kept besides those that are asked now, in multiples of these.
constexpr int64_t kMostBeside = 4;

}  // namespace

int64_t combinationsOf(const std::vector<std::vector<LayoutId>>& reads) {
  int64_t all = 1;
  for (const auto& list : reads) all = mulSaturated(all, static_cast<int64_t>(list.size()));
  return all;
}

KnownFigures::Places KnownFigures::admit(const std::vector<std::vector<LayoutId>>& reads) {
  if (reads != reads_ || cells_.empty()) {
    std::vector<std::vector<LayoutId>> all = cells_.empty() ? reads : reads_;
    all.resize(reads.size());
    for (size_t i = 0; i < reads.size(); ++i) {
      for (LayoutId id : reads[i])
        if (std::find(all[i].begin(), all[i].end(), id) == all[i].end()) all[i].push_back(id);
    }
    if (combinationsOf(all) > mulSaturated(kMostBeside, combinationsOf(reads))) all = reads;
    if (all != reads_ || cells_.empty()) resize(std::move(all));
  }
  if (reads == reads_) return {};
  Places places;
  for (size_t i = 0; i < reads.size(); ++i) {
    places.emplace_back();
    for (LayoutId id : reads[i])
      places.back().push_back(
          static_cast<size_t>(std::find(reads_[i].begin(), reads_[i].end(), id) - reads_[i].begin()));
  }
  return places;
}

// Takes over what is known of the combinations of these.
void KnownFigures::resize(std::vector<std::vector<LayoutId>> reads) {
  KnownFigures before = std::exchange(*this, KnownFigures());
  reads_ = std::move(reads);
  cells_.resize(static_cast<size_t>(combinationsOf(reads_)));
  if (before.cells_.empty()) return;
  std::vector<size_t> sizes, chosen(reads_.size(), 0);
  std::vector<std::vector<int64_t>> places;  // in the lists before; -1: in none
  for (size_t i = 0; i < reads_.size(); ++i) {
    sizes.push_back(reads_[i].size());
    places.emplace_back(reads_[i].size(), -1);
    for (size_t j = 0; i < before.reads_.size() && j < reads_[i].size(); ++j) {
      const auto found = std::find(before.reads_[i].begin(), before.reads_[i].end(), reads_[i][j]);
      if (found != before.reads_[i].end()) places[i][j] = found - before.reads_[i].begin();
    }
  }
  for (CandidateFigures& cell : cells_) {
    int64_t index = 0;
    for (size_t i = 0; i < chosen.size() && index >= 0; ++i) {
      const int64_t place = places[i][chosen[i]];
      index = place < 0 ? -1 : index * static_cast<int64_t>(before.reads_[i].size()) + place;
    }
    if (index >= 0) cell = before.cells_[static_cast<size_t>(index)];
    nextCombination(chosen, sizes);
  }
}

CandidateFigures& KnownFigures::at(const Places& places, const std::vector<size_t>& chosen) {
  size_t index = 0;
  for (size_t i = 0; i < chosen.size(); ++i)
    index = index * reads_[i].size() + (places.empty() ? chosen[i] : places[i][chosen[i]]);
  return cells_[index];
}

}  // namespace tessera
