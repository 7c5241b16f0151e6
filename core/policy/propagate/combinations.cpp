#include "core/policy/propagate/combinations.h"

#include <algorithm>

namespace tessera {

namespace {

// What paths cost one of their readers.
struct History {
  int32_t minCores = PathScore::kUnbounded, minChosenCores = PathScore::kUnbounded;
  int64_t reshards = 0, time = 0;

  History with(const History& other) const {
    return {std::min(minCores, other.minCores), std::min(minChosenCores, other.minChosenCores),
            reshards + other.reshards, time + other.time};
  }
  PathScore score() const {
    return {.minCores = minCores, .minChosenCores = minChosenCores, .reshards = reshards, .time = time};
  }
};

// Of each entry of the source.
std::vector<History> sharesOf(const Source& source) {
  std::vector<History> shares(static_cast<size_t>(source.slots()));
  for (size_t slot = 0; slot < shares.size() && source.beam; ++slot) {
    const PathScore& path = source.beam->entries[slot].score;
    shares[slot] = {path.minCores, path.minChosenCores, path.reshards / source.readers, path.time / source.readers};
  }
  return shares;
}

// A combination of the first sources: one of those of the sources before, with an entry of the last.
struct Partial {
  History history;
  int32_t rank = 0;
  int32_t before = 0, slot = 0;
};

struct Link {
  int32_t before, slot;
};

// Equals keep the order of the combinations of the sources before, then that of the last source's entries.
bool better(BeamScore score, const Partial& a, const Partial& b) {
  if (score == BeamScore::Time && a.history.time != b.history.time) return a.history.time < b.history.time;
  if (score == BeamScore::Cores) {
    if (a.history.minChosenCores != b.history.minChosenCores)
      return a.history.minChosenCores > b.history.minChosenCores;
    if (a.history.reshards != b.history.reshards) return a.history.reshards < b.history.reshards;
  }
  if (a.rank != b.rank) return a.rank < b.rank;
  return a.before != b.before ? a.before < b.before : a.slot < b.slot;
}

// Of the combinations made for one source, the best `limit`, best first. `order` has their indices in `made`: sorting
// moves 4 bytes each.
struct Best {
  std::vector<Partial> made;
  std::vector<uint32_t> order;

  void keep(const Partial& partial, BeamScore score, size_t limit) {
    const auto number = static_cast<uint32_t>(made.size());
    const bool last = order.empty() || !better(score, partial, made[order.back()]);
    if (order.size() == limit) {
      if (last) return;
      order.pop_back();
    }
    const auto before = [&](const Partial& one, uint32_t other) { return better(score, one, made[other]); };
    order.insert(last ? order.end() : std::upper_bound(order.begin(), order.end(), partial, before), number);
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
    const std::vector<History> shares = sharesOf(source);
    cut = cut || all.size() * shares.size() > limit;
    // Best entries first: with them most of those that stay are found in order.
    for (size_t slot = 0; slot < shares.size(); ++slot) {
      for (size_t head = 0; head < all.size(); ++head) {
        const auto number = static_cast<int32_t>(slot);
        best.keep({all[head].history.with(shares[slot]), all[head].rank + number, static_cast<int32_t>(head), number},
                  score, limit);
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
        out.emplace_back(Combination{std::vector<int32_t>(sources.size()), all[i].history.score(), all[i].rank});
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
