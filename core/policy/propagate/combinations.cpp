#include "core/policy/propagate/combinations.h"

#include <algorithm>

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

// A combination of the first sources: one of those of the sources before, with an entry of the last.
struct Partial {
  PathScore history;
  int32_t rank = 0;
  int32_t before = 0, slot = 0;
};

struct Link {
  int32_t before, slot;
};

bool betterHistory(BeamScore score, const Partial& a, const Partial& b) {
  if (score == BeamScore::Time && a.history.time != b.history.time) return a.history.time < b.history.time;
  if (score == BeamScore::Cores) {
    if (a.history.minChosenCores != b.history.minChosenCores)
      return a.history.minChosenCores > b.history.minChosenCores;
    if (a.history.reshards != b.history.reshards) return a.history.reshards < b.history.reshards;
  }
  return a.rank < b.rank;
}

// Of the combinations made for one source, the best `limit`, best first; of equals the one that came first. `order` has
// their indices in `made`: sorting moves 4 bytes each.
struct Best {
  std::vector<Partial> made;
  std::vector<uint32_t> order;

  void keep(const Partial& partial, BeamScore score, size_t limit) {
    const auto better = [&](const Partial& a, uint32_t b) { return betterHistory(score, a, made[b]); };
    if (order.size() == limit) {
      if (!better(partial, order.back())) return;
      order.pop_back();
    }
    order.insert(std::upper_bound(order.begin(), order.end(), partial, better), static_cast<uint32_t>(made.size()));
    made.push_back(partial);
  }
};

}  // namespace

std::vector<Combination> combine(const std::vector<Source>& sources, BeamScore score, size_t limit, bool& cut) {
  std::vector<Partial> all(1);
  Best best;
  std::vector<std::vector<Link>> links;  // per source, of those that were kept
  for (const Source& source : sources) {
    best.made.clear();
    best.order.clear();
    for (size_t head = 0; head < all.size(); ++head) {
      for (int32_t slot = 0; slot < source.slots(); ++slot) {
        Partial made{all[head].history, all[head].rank + slot, static_cast<int32_t>(head), slot};
        addHistory(source, slot, made.history);
        cut = cut || best.order.size() == limit;
        best.keep(made, score, limit);
      }
    }
    all.clear();
    links.emplace_back();
    for (uint32_t place : best.order) {
      all.push_back(best.made[place]);
      links.back().push_back({best.made[place].before, best.made[place].slot});
    }
  }
  std::vector<Combination> out;
  for (size_t i = 0; i < all.size(); ++i) {
    Combination& made =
        out.emplace_back(Combination{std::vector<int32_t>(sources.size()), all[i].history, all[i].rank});
    auto at = i;
    for (size_t source = sources.size(); source-- > 0;) {
      const Link& link = links[source][at];
      made.slots[source] = link.slot;
      at = static_cast<size_t>(link.before);
    }
  }
  return out;
}

}  // namespace tessera
