#include "core/policy/exact/candidate_table.h"

#include <algorithm>

namespace tessera {

KnownFigures::KnownFigures(const std::vector<std::vector<LayoutId>>& reads, size_t combinations) : reads_(reads) {
  cells_.reserve(combinations);
}

std::vector<std::vector<int64_t>> KnownFigures::placesOf(const std::vector<std::vector<LayoutId>>& reads) const {
  std::vector<std::vector<int64_t>> places;
  for (size_t i = 0; i < reads.size() && !cells_.empty(); ++i) {
    places.emplace_back();
    for (LayoutId id : reads[i]) {
      const auto known = std::find(reads_[i].begin(), reads_[i].end(), id);
      places.back().push_back(known == reads_[i].end() ? -1 : known - reads_[i].begin());
    }
  }
  return places;
}

const CandidateFigures* KnownFigures::find(const std::vector<std::vector<int64_t>>& places,
                                           const std::vector<size_t>& at) const {
  size_t index = 0;
  for (size_t i = 0; i < at.size(); ++i) {
    const int64_t place = cells_.empty() ? -1 : places[i][at[i]];
    if (place < 0) return nullptr;
    index = index * reads_[i].size() + static_cast<size_t>(place);
  }
  return index < cells_.size() ? &cells_[index] : nullptr;
}

}  // namespace tessera
