#include "core/policy/propagate/combinations.h"

#include <algorithm>

#include "core/support/stable_sort.h"

namespace tessera {

namespace {

// What the path of an entry costs one of its readers.
void addHistory(const Source& source, int32_t slot, PathScore& history) {
  if (!source.beam) return;
  const PathScore& path = source.beam->entries[static_cast<size_t>(slot)].score;
  history.minCores = std::min(history.minCores, path.minCores);
  history.minChosenCores = std::min(history.minChosenCores, path.minChosenCores);
  history.reshards += path.reshards / source.readers;
  history.time += path.time / source.readers;
}

bool betterHistory(BeamScore score, const Combination& a, const Combination& b) {
  if (score == BeamScore::Time && a.history.time != b.history.time) return a.history.time < b.history.time;
  if (score == BeamScore::Cores) {
    if (a.history.minChosenCores != b.history.minChosenCores)
      return a.history.minChosenCores > b.history.minChosenCores;
    if (a.history.reshards != b.history.reshards) return a.history.reshards < b.history.reshards;
  }
  return a.rank < b.rank;
}

}  // namespace

std::vector<Combination> combine(const std::vector<Source>& sources, BeamScore score, size_t limit, bool& cut) {
  std::vector<Combination> all(1), next;
  for (const Source& source : sources) {
    next.clear();
    for (const Combination& head : all) {
      for (int32_t slot = 0; slot < source.slots(); ++slot) {
        next.push_back(head);
        next.back().slots.push_back(slot);
        next.back().rank += slot;
        addHistory(source, slot, next.back().history);
      }
    }
    if (next.size() > 1) {
      stableSort(next, [&](const Combination& a, const Combination& b) { return betterHistory(score, a, b); });
    }
    if (next.size() > limit) {
      next.resize(limit);
      cut = true;
    }
    all.swap(next);
  }
  return all;
}

}  // namespace tessera
