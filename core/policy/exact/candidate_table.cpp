#include "core/policy/exact/candidate_table.h"

#include <algorithm>

namespace tessera {

void KnownFigures::add(const OpFigures& figures) {
  const bool legal = figures.status == OpStatus::Success;
  cells_.push_back({figures.status, figures.reason, figures.aliases, figures.operand,
                    legal ? static_cast<int32_t>(legal_.size()) : -1});
  if (legal) legal_.push_back(figures);
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

bool KnownFigures::find(const std::vector<std::vector<int64_t>>& places, const std::vector<size_t>& at,
                        OpFigures& out) const {
  size_t index = 0;
  for (size_t i = 0; i < at.size(); ++i) {
    const int64_t place = cells_.empty() ? -1 : places[i][at[i]];
    if (place < 0) return false;
    index = index * reads_[i].size() + static_cast<size_t>(place);
  }
  if (index >= cells_.size()) return false;
  const Cell& cell = cells_[index];
  if (cell.legal >= 0) {
    out = legal_[static_cast<size_t>(cell.legal)];
    return true;
  }
  out = {};
  out.status = cell.status;
  out.reason = cell.reason;
  out.operand = cell.operand;
  out.aliases = cell.aliases;
  return true;
}

}  // namespace tessera
