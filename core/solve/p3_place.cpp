#include "core/solve/p3_place.h"

#include <algorithm>
#include <functional>

#include "core/solve/p3_search.h"
#include "core/support/check.h"

namespace tessera {

namespace {

size_t at(int index) { return static_cast<size_t>(index); }

bool live(const P3Buffer& buffer) { return buffer.begin < buffer.end && buffer.size > 0; }
bool together(const P3Buffer& a, const P3Buffer& b) { return a.begin < b.end && b.begin < a.end; }

// Places in a given order, each buffer at the lowest gap that holds it, or at the tightest one.
class FitPlacer {
 public:
  explicit FitPlacer(const P3Problem& problem) : problem_(problem), near_(problem.buffers.size()) {
    const int n = static_cast<int>(problem.buffers.size());
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b)
        if (a != b && live(problem.buffers[at(a)]) && live(problem.buffers[at(b)]) && together(problem.buffers[at(a)], problem.buffers[at(b)]))
          near_[at(a)].push_back(b);
  }

  int64_t work() const { return work_; }

  int64_t place(const std::vector<int>& order, bool bestFit, std::vector<int64_t>& offsets) {
    offsets.assign(problem_.buffers.size(), -1);
    int64_t height = 0;
    for (int b : order) {
      const int64_t size = problem_.buffers[at(b)].size;
      taken_.clear();
      for (int n : near_[at(b)])
        if (offsets[at(n)] >= 0) taken_.emplace_back(offsets[at(n)], offsets[at(n)] + problem_.buffers[at(n)].size);
      std::sort(taken_.begin(), taken_.end());
      work_ += static_cast<int64_t>(near_[at(b)].size()) + 1;
      int64_t top = 0, chosen = -1, slack = INT64_MAX;
      for (const auto& [low, high] : taken_) {
        const int64_t gap = low - top;
        if (gap >= size && (chosen < 0 || (bestFit && gap - size < slack))) {
          chosen = top;
          slack = gap - size;
          if (!bestFit) break;
        }
        top = std::max(top, high);
      }
      offsets[at(b)] = chosen < 0 ? top : chosen;
      height = std::max(height, offsets[at(b)] + size);
    }
    for (int64_t& offset : offsets) offset = std::max<int64_t>(offset, 0);
    return height;
  }

 private:
  const P3Problem& problem_;
  std::vector<std::vector<int>> near_;
  std::vector<std::pair<int64_t, int64_t>> taken_;
  int64_t work_ = 0;
};

class Portfolio {
 public:
  Portfolio(const P3Problem& problem, P3Options& options, P3Result& result) : problem_(problem), options_(options), result_(result), fit_(problem) {}

  bool enough() const { return result_.height <= goal_; }

  void run(int64_t goal) {
    goal_ = goal;
    result_.method = "first fit";
    std::vector<int> order;
    for (int b = 0; b < static_cast<int>(problem_.buffers.size()); ++b)
      if (live(problem_.buffers[at(b)])) order.push_back(b);
    const auto length = [&](int b) { return problem_.buffers[at(b)].end - problem_.buffers[at(b)].begin; };
    const auto size = [&](int b) { return problem_.buffers[at(b)].size; };
    const auto area = [&](int b) { return static_cast<double>(size(b)) * static_cast<double>(length(b)); };
    attempt(order);  // in the order of the input, which is often the program's
    const std::function<bool(int, int)> orders[] = {
        [&](int a, int b) { return size(a) != size(b) ? size(a) > size(b) : length(a) > length(b); },
        [&](int a, int b) { return area(a) > area(b); },
        [&](int a, int b) { return length(a) != length(b) ? length(a) > length(b) : size(a) > size(b); },
        [&](int a, int b) { return problem_.buffers[at(a)].begin < problem_.buffers[at(b)].begin; },
    };
    for (const auto& less : orders) {
      std::stable_sort(order.begin(), order.end(), less);
      attempt(order);
    }
    if (options_.useLocalSearch && !enough()) localSearch();
  }

 private:
  void attempt(const std::vector<int>& order) {
    for (const bool bestFit : {false, true}) {
      if (enough()) return;
      const int64_t height = fit_.place(order, bestFit, offsets_);
      if (height >= result_.height && !result_.offsets.empty()) continue;
      take(height, order);
    }
  }
  void take(int64_t height, const std::vector<int>& order) {
    result_.height = height;
    result_.offsets = offsets_;
    best_ = order;
  }

  // Moves a buffer that reaches the top, or one below it, to an earlier place of the order.
  void localSearch() {
    constexpr int64_t kWork = 4'000'000;
    const int64_t until = fit_.work() + kWork;
    Prng random(options_.seed);
    std::vector<int> now = best_, next;
    int64_t height = result_.height;
    const size_t n = now.size();
    while (n > 1 && fit_.work() < until && !enough()) {
      const int64_t before = fit_.work();
      next = now;
      size_t from = at(static_cast<int>(random.below(static_cast<int64_t>(n))));
      if (random.below(2) == 0)
        for (size_t i = 0; i < n; ++i)
          if (result_.offsets[at(next[i])] + problem_.buffers[at(next[i])].size == result_.height) from = i;
      const size_t to = at(static_cast<int>(random.below(static_cast<int64_t>(from) + 1)));
      std::rotate(next.begin() + static_cast<std::ptrdiff_t>(to), next.begin() + static_cast<std::ptrdiff_t>(from),
                  next.begin() + static_cast<std::ptrdiff_t>(from) + 1);
      const int64_t found = fit_.place(next, false, offsets_);
      if (!options_.budget.spend(fit_.work() - before)) return;
      if (found > height && random.below(100) >= 2) continue;
      height = found;
      now.swap(next);
      if (found >= result_.height) continue;
      take(found, now);
      result_.method = "local search";
    }
  }

  const P3Problem& problem_;
  P3Options& options_;
  P3Result& result_;
  FitPlacer fit_;
  int64_t goal_ = 0;
  std::vector<int64_t> offsets_;
  std::vector<int> best_;
};

}  // namespace

int64_t loadBound(const P3Problem& problem) {
  std::vector<std::pair<int64_t, int64_t>> events;
  for (const P3Buffer& buffer : problem.buffers) {
    if (!live(buffer)) continue;
    events.emplace_back(buffer.begin, buffer.size);
    events.emplace_back(buffer.end, -buffer.size);
  }
  std::sort(events.begin(), events.end());
  int64_t load = 0, most = 0;
  for (const auto& [time, change] : events) most = std::max(most, load += change);
  return most;
}

int64_t heightOf(const P3Problem& problem, const std::vector<int64_t>& offsets) {
  if (offsets.size() != problem.buffers.size()) return -1;
  int64_t height = 0;
  for (size_t a = 0; a < offsets.size(); ++a) {
    const P3Buffer& one = problem.buffers[a];
    if (!live(one)) continue;
    if (offsets[a] < 0) return -1;
    height = std::max(height, offsets[a] + one.size);
    for (size_t b = 0; b < a; ++b) {
      const P3Buffer& two = problem.buffers[b];
      if (live(two) && together(one, two) && offsets[a] < offsets[b] + two.size && offsets[b] < offsets[a] + one.size) return -1;
    }
  }
  return height;
}

P3Result placeBuffers(const P3Problem& problem, P3Options options) {
  P3Result result;
  result.lowerBound = loadBound(problem);
  const int64_t goal = problem.capacity > 0 ? problem.capacity : result.lowerBound;
  result.height = INT64_MAX;
  Portfolio(problem, options, result).run(std::max(goal, result.lowerBound));
  if (result.height > goal && goal >= result.lowerBound && options.useSearch) {
    P3Search search(problem, goal, options);
    const P3SearchAnswer answer = search.run();
    result.nodes = search.nodes();
    if (answer == P3SearchAnswer::Found) {
      result.offsets = search.offsets();
      result.height = heightOf(problem, result.offsets);
      result.method = "search";
    }
    // A height of goal is impossible, so the least one is at least one more.
    if (answer == P3SearchAnswer::Impossible) result.lowerBound = std::max(result.lowerBound, goal + 1);
  }
  TESSERA_CHECK(heightOf(problem, result.offsets) == result.height, "a placement has no overlaps");
  result.fits = result.height <= goal;
  result.proven = result.height == result.lowerBound || result.lowerBound > goal;
  return result;
}

}  // namespace tessera
