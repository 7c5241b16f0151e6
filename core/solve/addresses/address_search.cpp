#include "core/solve/addresses/address_search.h"

#include <algorithm>
#include <utility>

#include "core/solve/live_intervals.h"
#include "core/support/stable_sort.h"

namespace tessera {

namespace {

constexpr int kOrders = 8;         // of rank()
constexpr int64_t kNodes = 1'000;  // of the first attempts
constexpr int kMoreEvery = 64;     // attempts after which short ones get as many nodes again
constexpr int kLongEvery = 32;     // attempts between long ones, whose limit grows faster to prove that nothing fits

}  // namespace

AddressSearch::AddressSearch(const AddressProblem& problem, int64_t capacity, AddressOptions& options)
    : problem_(problem), options_(options), capacity_(capacity) {
  std::vector<LiveInterval> intervals;
  for (const AddressBuffer& buffer : problem.buffers)
    if (buffer.size > 0) intervals.push_back({buffer.begin, buffer.end});
  const PeakTimes times(intervals);
  sections_ = times.size();
  std::vector<int> itemOf(problem.buffers.size(), -1);
  for (size_t b = 0; b < problem.buffers.size(); ++b) {
    const AddressBuffer& buffer = problem.buffers[b];
    if (buffer.begin >= buffer.end || buffer.size <= 0) continue;
    const auto [first, last] = times.range({buffer.begin, buffer.end});
    itemOf[b] = static_cast<int>(items_.size());
    items_.push_back({.buffer = static_cast<int>(b),
                      .size = buffer.size,
                      .first = first,
                      .last = last,
                      .length = buffer.end - buffer.begin,
                      .near = {}});
  }
  const std::vector<std::vector<int>> near = liveTogether(problem);
  for (Item& item : items_)
    for (int n : near[at(item.buffer)]) item.near.push_back(itemOf[at(n)]);
  for (std::vector<int64_t>* field : {&lowest_, &bound_}) field->assign(items_.size(), 0);
  for (std::vector<int64_t>* field : {&placed_, &postponed_}) field->assign(items_.size(), -1);
  load_.assign(sections_, 0);
  floor_.assign(sections_, 0);
}

// Sets the branching order: buffers in crowded sections, long ones and large ones first. `noise` scales a criterion by
// 0.5 to 1.5.
void AddressSearch::rank(int order, Prng* noise) {
  std::vector<int64_t> load(sections_, 0);
  for (const Item& item : items_)
    for (size_t s = item.first; s < item.last; ++s) load[s] += item.size;
  struct Keys {
    double by[4];  // crowd, area, width, size
  };
  std::vector<Keys> keys;
  for (const Item& item : items_) {
    const double factor = noise ? static_cast<double>(500 + noise->below(1001)) / 1000 : 1.0;
    const double width =
        static_cast<double>(order % 2 == 0 ? static_cast<int64_t>(item.last - item.first) : item.length) * factor;
    int64_t crowd = 0;
    for (size_t s = item.first; s < item.last; ++s) crowd = std::max(crowd, load[s]);
    keys.push_back({{static_cast<double>(crowd), width * static_cast<double>(item.size), width,
                     static_cast<double>(item.size) * factor}});
  }
  constexpr int kKeys[kOrders / 2][3] = {{2, 1, 0}, {0, 1, 2}, {0, 2, 1}, {3, 2, 0}};
  std::vector<int> sorted;
  for (size_t i = 0; i < items_.size(); ++i) sorted.push_back(static_cast<int>(i));
  stableSort(sorted, [&](int a, int b) {
    for (int key : kKeys[order / 2])
      if (keys[at(a)].by[key] != keys[at(b)].by[key]) return keys[at(a)].by[key] > keys[at(b)].by[key];
    return a < b;
  });
  rank_.assign(items_.size(), 0);
  for (size_t i = 0; i < sorted.size(); ++i) rank_[at(sorted[i])] = static_cast<int>(i);
}

SearchOutcome AddressSearch::run() {
  Component all;
  for (size_t i = 0; i < items_.size(); ++i) all.items.push_back(static_cast<int>(i));
  std::vector<Component> parts;
  split(std::move(all), parts);
  bool allFound = true;
  for (const Component& part : parts) {
    const SearchOutcome answer = solvePart(part);
    if (answer == SearchOutcome::Impossible) return answer;
    allFound = allFound && answer == SearchOutcome::Found;
  }
  return allFound ? SearchOutcome::Found : SearchOutcome::OutOfBudget;
}

SearchOutcome AddressSearch::solvePart(const Component& part) {
  Prng random(options_.seed);
  int64_t longLimit = 4 * kNodes;
  for (int round = 0;; ++round) {
    rank(round % kOrders, round < kOrders ? nullptr : &random);
    int64_t limit = kNodes * (1 + round / kMoreEvery);
    if (round % kLongEvery == kLongEvery - 1) limit = std::max(limit, longLimit), longLimit += longLimit / 2;
    const SearchOutcome answer = attempt(part, limit);
    if (answer != SearchOutcome::OutOfBudget || options_.budget.exhausted()) return answer;
  }
}

std::vector<int64_t> AddressSearch::offsets() const {
  std::vector<int64_t> result(problem_.buffers.size(), 0);
  for (size_t i = 0; i < items_.size(); ++i) result[at(items_[i].buffer)] = placed_[i];
  return result;
}

SearchOutcome AddressSearch::attempt(const Component& part, int64_t nodeLimit) {
  for (int i : part.items) lowest_[at(i)] = 0, placed_[at(i)] = -1, postponed_[at(i)] = -1;
  trail_.clear();
  frames_.clear();
  pending_.assign(1, part);
  pending_.back().parent = -1;
  const int64_t until = nodes_ + nodeLimit;
  constexpr int kNoFrame = -2;
  int failed = kNoFrame;  // the frame that must choose again
  while (true) {
    if (failed == kNoFrame) {
      if (pending_.empty()) return SearchOutcome::Found;
      Component component = std::move(pending_.back());
      pending_.pop_back();
      const int parent = component.parent;
      failed = open(std::move(component)) ? static_cast<int>(frames_.size()) - 1 : parent;
      if (failed == -1) return SearchOutcome::Impossible;
    }
    frames_.resize(at(failed) + 1);
    Frame& frame = frames_.back();
    undo(frame.trail);
    pending_.resize(frame.pending);
    if (frame.tried == 2) {
      failed = frame.component.parent;
      if (failed == -1) return SearchOutcome::Impossible;
      continue;
    }
    if (nodes_ >= until || !options_.budget.spend(static_cast<int64_t>(frame.component.items.size())))
      return SearchOutcome::OutOfBudget;
    ++nodes_;
    Component rest{.items = frame.component.items, .parent = failed};
    if (frame.tried++ == 0) {
      rest.items.erase(std::find(rest.items.begin(), rest.items.end(), frame.item));
      place(frame.item);
      split(std::move(rest), pending_);
    } else {
      change(Change::Postponed, frame.item, lowest_[at(frame.item)]);
      pending_.push_back(std::move(rest));
    }
    failed = kNoFrame;
  }
}

void AddressSearch::place(int item) {
  const int64_t offset = lowest_[at(item)], top = offset + items_[at(item)].size;
  change(Change::Placed, item, offset);
  for (int n : items_[at(item)].near)
    if (placed_[at(n)] < 0 && lowest_[at(n)] < top) change(Change::Lowest, n, top);
}

std::vector<int64_t>& AddressSearch::fieldOf(Change what) {
  return what == Change::Lowest ? lowest_ : what == Change::Placed ? placed_ : postponed_;
}

void AddressSearch::change(Change what, int item, int64_t to) {
  trail_.push_back({what, item, std::exchange(fieldOf(what)[at(item)], to)});
}

void AddressSearch::undo(size_t trail) {
  for (; trail_.size() > trail; trail_.pop_back())
    fieldOf(trail_.back().what)[at(trail_.back().item)] = trail_.back().before;
}

// Cuts what is left where no item of it crosses from one section to the next. The first part comes last, so that it is
// taken first.
void AddressSearch::split(Component rest, std::vector<Component>& out) const {
  size_t first = sections_, last = 0;
  for (int i : rest.items) {
    first = std::min(first, items_[at(i)].first);
    last = std::max(last, items_[at(i)].last);
  }
  if (first >= last) return;
  // crossing[s]: how many items are in both sections before and at first + s, as a sum from the left.
  std::vector<int> crossing(last - first + 1, 0), part(last - first + 1, -1);
  for (int i : rest.items) {
    ++crossing[items_[at(i)].first + 1 - first];
    --crossing[items_[at(i)].last - first];
  }
  int parts = 0;
  for (size_t s = 0, open = 0; s < last - first; ++s) {
    open += static_cast<size_t>(crossing[s]);
    if (open == 0) ++parts;
    part[s] = parts - 1;
  }
  std::vector<Component> found(at(parts));
  for (int i : rest.items) found[at(part[items_[at(i)].first - first])].items.push_back(i);
  for (size_t p = found.size(); p-- > 0;) {
    if (found[p].items.empty()) continue;
    found[p].parent = rest.parent;
    out.push_back(std::move(found[p]));
  }
}

// Sets bound_, and load_ and floor_ of the component's sections.
bool AddressSearch::sectionsFit(const Component& component) {
  for (int i : component.items) {
    int64_t bound = lowest_[at(i)];
    if (postponed_[at(i)] == bound && options_.usePostponed) {
      bound = capacity_;  // without a neighbour to lie on, it has no place
      for (int n : items_[at(i)].near)
        if (placed_[at(n)] < 0) bound = std::min(bound, lowest_[at(n)] + items_[at(n)].size);
    }
    bound_[at(i)] = bound;
    if (bound + items_[at(i)].size > capacity_) return false;
    for (size_t s = items_[at(i)].first; s < items_[at(i)].last; ++s) load_[s] = 0;
  }
  byBound_.clear();
  for (int i : component.items) byBound_.emplace_back(-bound_[at(i)], i);
  std::sort(byBound_.begin(), byBound_.end());
  for (const auto& [bound, item] : byBound_) {
    const int i = static_cast<int>(item);
    const int64_t room = capacity_ - bound_[at(i)];
    for (size_t s = items_[at(i)].first; s < items_[at(i)].last; ++s) {
      load_[s] += items_[at(i)].size;
      floor_[s] = bound_[at(i)];
      if (load_[s] > room && options_.useSectionBounds) return false;
    }
  }
  return true;
}

// What the tightest section of the item has left, beside what must lie in it.
int64_t AddressSearch::slack(int item) const {
  int64_t least = capacity_;
  for (size_t s = items_[at(item)].first; s < items_[at(item)].last; ++s)
    least = std::min(least, capacity_ - floor_[s] - load_[s]);
  return least;
}

// The lowest; of those the one in the tightest section. -1: all are postponed.
int AddressSearch::next(const Component& component) const {
  int best = -1;
  int64_t bestSlack = 0;
  for (int i : component.items) {
    if (postponed_[at(i)] == lowest_[at(i)] || (best >= 0 && lowest_[at(i)] > lowest_[at(best)])) continue;
    const int64_t itsSlack = slack(i);
    if (best >= 0 && lowest_[at(i)] == lowest_[at(best)] &&
        (itsSlack != bestSlack ? itsSlack > bestSlack : rank_[at(i)] > rank_[at(best)]))
      continue;
    best = i;
    bestSlack = itsSlack;
  }
  return best;
}

bool AddressSearch::open(Component component) {
  if (!sectionsFit(component)) return false;
  const int item = next(component);
  if (item < 0) return false;
  frames_.push_back({.component = std::move(component),
                     .item = item,
                     .tried = 0,
                     .trail = trail_.size(),
                     .pending = pending_.size()});
  return true;
}

}  // namespace tessera
