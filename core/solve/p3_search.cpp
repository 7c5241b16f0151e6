#include "core/solve/p3_search.h"

#include <algorithm>

namespace tessera {

namespace {

size_t at(int index) { return static_cast<size_t>(index); }

}  // namespace

P3Search::P3Search(const P3Problem& problem, int64_t capacity, P3Options& options) : problem_(problem), options_(options), capacity_(capacity) {
  // Sections: the times at which the set of live buffers is largest; every other set is part of one of these.
  std::vector<std::pair<int64_t, int>> events;  // ends (0) before begins (1)
  for (const P3Buffer& buffer : problem.buffers) {
    if (buffer.begin >= buffer.end || buffer.size <= 0) continue;
    events.emplace_back(buffer.begin, 1);
    events.emplace_back(buffer.end, 0);
  }
  std::sort(events.begin(), events.end());
  std::vector<int64_t> times;
  for (size_t i = 0; i + 1 < events.size(); ++i)
    if (events[i].second == 1 && events[i + 1].second == 0) times.push_back(events[i].first);
  sections_ = times.size();
  for (size_t b = 0; b < problem.buffers.size(); ++b) {
    const P3Buffer& buffer = problem.buffers[b];
    if (buffer.begin >= buffer.end || buffer.size <= 0) continue;
    const auto first = std::lower_bound(times.begin(), times.end(), buffer.begin);
    const auto last = std::lower_bound(times.begin(), times.end(), buffer.end);
    items_.push_back({.buffer = static_cast<int>(b), .size = buffer.size, .first = static_cast<size_t>(first - times.begin()),
                      .last = static_cast<size_t>(last - times.begin()), .near = {}});
  }
  for (Item& one : items_)
    for (size_t i = 0; i < items_.size(); ++i)
      if (&items_[i] != &one && items_[i].first < one.last && one.first < items_[i].last) one.near.push_back(static_cast<int>(i));
  bound_.assign(items_.size(), 0);
}

// The order in which choices are tried. Buffers in crowded sections, long ones and large ones are hard to place late.
void P3Search::rank(int order) {
  std::vector<int64_t> load(sections_, 0), crowd(items_.size(), 0);
  for (const Item& item : items_)
    for (size_t s = item.first; s < item.last; ++s) load[s] += item.size;
  for (size_t i = 0; i < items_.size(); ++i)
    for (size_t s = items_[i].first; s < items_[i].last; ++s) crowd[i] = std::max(crowd[i], load[s]);
  const auto width = [&](int i) { return static_cast<int64_t>(items_[at(i)].last - items_[at(i)].first); };
  const auto area = [&](int i) { return static_cast<double>(width(i)) * static_cast<double>(items_[at(i)].size); };
  std::vector<int> sorted(items_.size());
  for (size_t i = 0; i < sorted.size(); ++i) sorted[i] = static_cast<int>(i);
  const auto less = [&](int a, int b) {
    const double keyA[] = {static_cast<double>(crowd[at(a)]), area(a), static_cast<double>(width(a)), static_cast<double>(items_[at(a)].size)};
    const double keyB[] = {static_cast<double>(crowd[at(b)]), area(b), static_cast<double>(width(b)), static_cast<double>(items_[at(b)].size)};
    constexpr int kKeys[3][3] = {{2, 1, 0}, {0, 1, 2}, {0, 2, 1}};
    for (int key : kKeys[order % 3])
      if (keyA[key] != keyB[key]) return keyA[key] > keyB[key];
    return a < b;
  };
  std::sort(sorted.begin(), sorted.end(), less);
  rank_.assign(items_.size(), 0);
  for (size_t i = 0; i < sorted.size(); ++i) rank_[at(sorted[i])] = static_cast<int>(i);
  byOffset_ = order >= 3;
}

P3SearchAnswer P3Search::run() {
  constexpr int kOrders = 6;
  int64_t limit = 20'000;
  while (true) {
    for (int order = 0; order < kOrders; ++order) {
      rank(order);
      const P3SearchAnswer answer = attempt(limit);
      if (answer != P3SearchAnswer::OutOfBudget) return answer;
      if (options_.budget.exhausted()) return answer;
    }
    limit *= 2;
  }
}

std::vector<int64_t> P3Search::offsets() const {
  std::vector<int64_t> result(problem_.buffers.size(), 0);
  for (size_t i = 0; i < items_.size(); ++i) result[at(items_[i].buffer)] = placed_[i];
  return result;
}

P3SearchAnswer P3Search::attempt(int64_t nodeLimit) {
  lowest_.assign(items_.size(), 0);
  placed_.assign(items_.size(), -1);
  trail_.clear();
  frames_.clear();
  pending_.clear();
  Component all;
  for (size_t i = 0; i < items_.size(); ++i) all.items.push_back(static_cast<int>(i));
  std::sort(all.items.begin(), all.items.end(), [&](int a, int b) { return rank_[at(a)] < rank_[at(b)]; });
  split(all);
  const int64_t until = nodes_ + nodeLimit;
  int failed = -2;  // the frame that must choose again; -2: go on with what is pending
  while (true) {
    if (failed == -2) {
      if (pending_.empty()) return P3SearchAnswer::Found;
      Component component = std::move(pending_.back());
      pending_.pop_back();
      const int parent = component.parent;
      if (!open(std::move(component))) failed = parent;
      else failed = static_cast<int>(frames_.size()) - 1;  // a new frame chooses for the first time
      if (failed == -1) return P3SearchAnswer::Impossible;
    }
    Frame& frame = frames_[at(failed)];
    frames_.resize(at(failed) + 1);
    undo(frame.trail);
    pending_.resize(frame.pending);
    if (frame.next == frame.choices.size()) {
      failed = frame.component.parent;
      if (failed == -1) return P3SearchAnswer::Impossible;
      continue;
    }
    if (nodes_ >= until || !options_.budget.spend(static_cast<int64_t>(frame.component.items.size()))) return P3SearchAnswer::OutOfBudget;
    ++nodes_;
    const Choice choice = frame.choices[frame.next++];
    place(choice.item, choice.offset);
    Component rest{.items = {}, .lastOffset = choice.offset, .lastRank = rank_[at(choice.item)], .parent = failed};
    for (int i : frame.component.items)
      if (i != choice.item) rest.items.push_back(i);
    split(rest);
    failed = -2;
  }
}

void P3Search::place(int item, int64_t offset) {
  placed_[at(item)] = offset;
  trail_.push_back({item, -1});
  const int64_t top = offset + items_[at(item)].size;
  for (int n : items_[at(item)].near) {
    if (placed_[at(n)] >= 0 || lowest_[at(n)] >= top) continue;
    trail_.push_back({n, lowest_[at(n)]});
    lowest_[at(n)] = top;
  }
}

void P3Search::undo(size_t trail) {
  while (trail_.size() > trail) {
    const Undo last = trail_.back();
    trail_.pop_back();
    if (last.lowest < 0) placed_[at(last.item)] = -1;
    else lowest_[at(last.item)] = last.lowest;
  }
}

// Cuts what is left where no item of it crosses from one section to the next, and queues the parts.
void P3Search::split(const Component& rest) {
  if (rest.items.empty()) return;
  size_t low = sections_, high = 0;
  for (int i : rest.items) {
    low = std::min(low, items_[at(i)].first);
    high = std::max(high, items_[at(i)].last);
  }
  // crossing[s]: how many items are in both low + s - 1 and low + s.
  const size_t width = high - low;
  crossing_.assign(width + 2, 0);
  for (int i : rest.items) {
    ++crossing_[items_[at(i)].first - low + 1];
    --crossing_[items_[at(i)].last - low];
  }
  std::vector<int>& part = part_;
  part.assign(width, 0);
  int parts = 1;
  for (size_t s = 1, open = static_cast<size_t>(crossing_[0]); s < width; ++s) {
    open += static_cast<size_t>(crossing_[s]);
    if (open == 0) ++parts;
    part[s] = parts - 1;
  }
  std::vector<Component> found(at(parts));
  for (int i : rest.items) found[at(part[items_[at(i)].first - low])].items.push_back(i);
  for (size_t p = found.size(); p-- > 0;) {
    if (found[p].items.empty()) continue;
    found[p].lastOffset = rest.lastOffset;
    found[p].lastRank = rest.lastRank;
    found[p].parent = rest.parent;
    pending_.push_back(std::move(found[p]));
  }
}

// Raises bound_ (an item starts no lower) from the sections' floors and back until nothing changes; false when a section is too full.
bool P3Search::sectionsFit(const Component& component) {
  for (int i : component.items) bound_[at(i)] = std::max(lowest_[at(i)], component.lastOffset);
  if (!options_.useSectionBounds) {
    for (int i : component.items)
      if (bound_[at(i)] + items_[at(i)].size > capacity_) return false;
    return true;
  }
  size_t low = sections_, high = 0;
  for (int i : component.items) {
    low = std::min(low, items_[at(i)].first);
    high = std::max(high, items_[at(i)].last);
  }
  const size_t width = high - low;
  load_.assign(width + 1, 0);
  for (int i : component.items) {
    load_[items_[at(i)].first - low] += items_[at(i)].size;
    load_[items_[at(i)].last - low] -= items_[at(i)].size;
  }
  for (size_t s = 1; s < width; ++s) load_[s] += load_[s - 1];
  byBound_ = component.items;
  for (bool again = true; again;) {
    again = false;
    std::sort(byBound_.begin(), byBound_.end(), [&](int a, int b) { return bound_[at(a)] < bound_[at(b)]; });
    fillFloors(low, width);
    for (size_t s = 0; s < width; ++s)
      if (load_[s] > 0 && floors_[0][s] + load_[s] > capacity_) return false;
    for (int i : component.items) {
      const Item& item = items_[at(i)];
      const size_t span = item.last - item.first;
      const size_t level = at(63 - __builtin_clzll(span));
      const int64_t highest = std::max(floors_[level][item.first - low], floors_[level][item.last - low - (size_t{1} << level)]);
      if (highest > bound_[at(i)]) bound_[at(i)] = highest, again = true;
      if (bound_[at(i)] + item.size > capacity_) return false;
    }
  }
  return true;
}

// floors_[0][s]: the least bound of an item in section low + s; floors_[k][s]: the greatest of the 2^k from there.
void P3Search::fillFloors(size_t low, size_t width) {
  size_t levels = 1;
  while ((size_t{1} << levels) <= width) ++levels;
  if (floors_.size() < levels) floors_.resize(levels);
  floors_[0].assign(width, 0);
  // The items come from the lowest bound on, so the first one to reach a section sets its floor; next_ skips what is set.
  next_.resize(width + 1);
  for (size_t s = 0; s <= width; ++s) next_[s] = s;
  const auto find = [&](size_t s) {
    while (next_[s] != s) s = next_[s] = next_[next_[s]];
    return s;
  };
  for (int i : byBound_)
    for (size_t s = find(items_[at(i)].first - low); s < items_[at(i)].last - low; s = find(s)) {
      floors_[0][s] = bound_[at(i)];
      next_[s] = s + 1;
    }
  for (size_t k = 1; k < levels; ++k) {
    floors_[k].resize(width);
    for (size_t s = 0; s + (size_t{1} << k) <= width; ++s) floors_[k][s] = std::max(floors_[k - 1][s], floors_[k - 1][s + (size_t{1} << (k - 1))]);
  }
}

bool P3Search::open(Component component) {
  if (!sectionsFit(component)) return false;
  int64_t lowestTop = INT64_MAX;
  if (options_.useDominance)
    for (int i : component.items) lowestTop = std::min(lowestTop, bound_[at(i)] + items_[at(i)].size);
  Frame frame{.component = std::move(component), .choices = {}, .next = 0, .trail = trail_.size(), .pending = pending_.size()};
  for (int i : frame.component.items) {
    const int64_t offset = lowest_[at(i)];
    if (offset < bound_[at(i)] || offset >= lowestTop) continue;
    // Items at the same offset never live together, so their order does not matter: by rank.
    if (offset == frame.component.lastOffset && rank_[at(i)] < frame.component.lastRank) continue;
    frame.choices.push_back({offset, i});
  }
  if (byOffset_) std::stable_sort(frame.choices.begin(), frame.choices.end(), [](const Choice& a, const Choice& b) { return a.offset < b.offset; });
  frames_.push_back(std::move(frame));
  return true;
}

}  // namespace tessera
