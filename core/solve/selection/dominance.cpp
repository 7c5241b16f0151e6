#include "core/solve/selection/dominance.h"

#include <algorithm>

#include "core/solve/combinations.h"
#include "core/support/key_index.h"

namespace tessera {

namespace {

constexpr size_t kNowhere = SIZE_MAX;

constexpr size_t kMostKeptWords = size_t{1} << 22;  // of keys

// Where a variable stands in a factor: cell = outer * (domain * stride) + value * stride + inner.
struct Place {
  int factor;
  size_t stride;
  std::vector<size_t> cheapest;  // per value: where its least cost was when it was looked for last, or kNowhere
};

void forbid(std::vector<Cost>& table, size_t domain, size_t stride, size_t value) {
  for (size_t outer = 0; outer < table.size(); outer += domain * stride)
    std::fill_n(table.begin() + static_cast<std::ptrdiff_t>(outer + value * stride), stride, kForbidden);
}

class Dominance {
 public:
  Dominance(const FactorGraph& model, WorkBudget& budget, KnownDominance* known)
      : model_(model),
        budget_(budget),
        known_(known),
        tables_(model.factors().size()),
        places_(at(model.variableCount())) {
    for (int v = 0; v < model.variableCount(); ++v) unary_.push_back(model.unary(v));
    for (int f = 0; f < model.factorCount(); ++f) {
      const Factor& factor = model.factor(f);
      if (known_) numbers_.push_back(known_->numberOf(factor.table));
      size_t stride = 1;
      for (size_t i = factor.scope.size(); i-- > 0;) {
        const size_t domain = at(model.domain(factor.scope[i]));
        places_[at(factor.scope[i])].push_back({f, stride, std::vector<size_t>(domain, kNowhere)});
        stride *= domain;
      }
    }
    removed_.resize(unary_.size());
    gone_.resize(unary_.size());
    for (size_t v = 0; v < unary_.size(); ++v) gone_[v].assign(unary_[v].size(), 0);
  }

  std::vector<std::vector<int>> run() {
    std::vector<char> waiting(unary_.size(), 1);
    bool again = true;
    while (again && !budget_.exhausted()) {
      again = false;
      for (size_t v = 0; v < unary_.size() && !budget_.exhausted(); ++v) {
        if (!waiting[v]) continue;
        waiting[v] = 0;
        if (!removeDominatedOf(v)) continue;
        again = true;
        for (const Place& place : places_[v])
          for (int n : model_.factor(place.factor).scope) waiting[at(n)] = 1;
      }
    }
    std::vector<std::vector<int>> kept(unary_.size());
    for (size_t v = 0; v < kept.size(); ++v)
      for (size_t x = 0; x < gone_[v].size(); ++x)
        if (!gone_[v][x]) kept[v].push_back(static_cast<int>(x));
    return kept;
  }

 private:
  bool removeDominatedOf(size_t v) {
    KnownDominance::Answer* answer = nullptr;
    if (known_) {
      makeKey(v);
      answer = &known_->about(key_);
      if (answer->known && answer->spent <= budget_.left()) {
        budget_.spend(answer->spent);
        for (size_t a : answer->removed) remove(v, a);
        return !answer->removed.empty();
      }
    }
    const int64_t before = budget_.left();
    std::vector<size_t> found = findDominated(v);
    const bool changed = !found.empty();
    if (answer && !budget_.exhausted()) *answer = {true, before - budget_.left(), std::move(found)};
    return changed;
  }

  // Removes them, the last values first: of equal ones the first stays.
  std::vector<size_t> findDominated(size_t v) {
    size_t left = unary_[v].size() - removed_[v].size();
    std::vector<size_t> found;
    for (size_t a = unary_[v].size(); a-- > 0 && left > 1;) {
      if (gone_[v][a]) continue;
      if (!isForbidden(unary_[v][a]) && !isDominated(v, a)) continue;
      remove(v, a);
      --left;
      found.push_back(a);
    }
    return found;
  }

  // All that findDominated() sees.
  void makeKey(size_t v) {
    key_.clear();
    addLeft(v);
    for (Cost cost : unary_[v]) addWords(key_, static_cast<uint64_t>(cost));
    for (const Place& place : places_[v]) {
      addWords(key_, uint64_t{place.stride} << 32 | numbers_[at(place.factor)]);
      for (int n : model_.factor(place.factor).scope) addLeft(at(n));
    }
  }

  // How many values the variable has, and what was removed, in that order: the same set may be asked about twice.
  void addLeft(size_t v) {
    addWords(key_, uint64_t{unary_[v].size()} << 32 | removed_[v].size());
    for (size_t a : removed_[v]) addWords(key_, a);
  }

  // With what was removed forbidden. A table is copied once that is needed.
  const std::vector<Cost>& table(int factor) {
    std::vector<Cost>& made = tables_[at(factor)];
    if (!made.empty()) return made;
    const Factor& given = model_.factor(factor);
    size_t stride = 1;
    for (size_t i = given.scope.size(); i-- > 0;) {
      const size_t v = at(given.scope[i]);
      if (made.empty() && !removed_[v].empty()) made = given.table;
      for (size_t a : removed_[v]) forbid(made, unary_[v].size(), stride, a);
      stride *= unary_[v].size();
    }
    if (made.empty()) return given.table;
    return made;
  }

  // Where value a costs least now, the first of equal cells.
  static size_t cheapestOf(const std::vector<Cost>& table, const Place& place, size_t a, size_t domain) {
    size_t best = a * place.stride;
    for (size_t outer = best; outer < table.size(); outer += domain * place.stride)
      for (size_t cell = outer; cell < outer + place.stride; ++cell)
        if (table[cell] < table[best]) best = cell;
    return best;
  }

  // gains_[b]: what every value b saves, a loss below 0, where the neighbours take what suits value a best: table by
  // table, so that it is an estimate. What is below 0 cannot replace a. False when a is impossible with all of them.
  bool findGains(size_t v, size_t a) {
    const size_t domain = unary_[v].size();
    gains_.resize(domain);
    for (size_t b = 0; b < domain; ++b) gains_[b] = unary_[v][a] - unary_[v][b];
    for (Place& place : places_[v]) {
      const std::vector<Cost>& costs = table(place.factor);
      size_t& cell = place.cheapest[a];
      if (cell == kNowhere || isForbidden(costs[cell])) cell = cheapestOf(costs, place, a, domain);
      if (isForbidden(costs[cell])) return false;
      const Cost* first = costs.data() + cell - a * place.stride;
      const Cost withA = costs[cell];
      for (size_t b = 0; b < domain; ++b)
        gains_[b] = std::max(gains_[b] + withA - first[b * place.stride], -kForbidden);  // no sum of many overflows
    }
    return true;
  }

  // Spends by what is asked alone, not by where estimates were looked for.
  bool isDominated(size_t v, size_t a) {
    if (!budget_.spend(static_cast<int64_t>(places_[v].size() * unary_[v].size()))) return false;
    if (!findGains(v, a)) return true;
    for (size_t b = 0; b < gains_.size(); ++b)
      if (gains_[b] >= 0 && b != a && !gone_[v][b] && dominates(v, b, a)) return true;
    return false;
  }

  // True when b can replace a for all values of the neighbours.
  bool dominates(size_t v, size_t b, size_t a) {
    Cost gain = unary_[v][a] - unary_[v][b];
    const size_t domain = unary_[v].size();
    for (const Place& place : places_[v]) {
      const std::vector<Cost>& costs = table(place.factor);
      if (!budget_.spend(static_cast<int64_t>(costs.size() / domain))) return false;
      Cost least = kForbidden;
      for (size_t outer = 0; outer < costs.size(); outer += domain * place.stride)
        for (size_t inner = 0; inner < place.stride; ++inner) {
          const Cost withA = costs[outer + a * place.stride + inner];
          const Cost withB = costs[outer + b * place.stride + inner];
          if (isForbidden(withA)) continue;
          if (isForbidden(withB)) return false;
          least = std::min(least, withA - withB);
        }
      gain = addCost(gain, least);
    }
    return gain >= 0;
  }

  // Combinations with a removed value are forbidden for the neighbours.
  void remove(size_t v, size_t a) {
    gone_[v][a] = 1;
    removed_[v].push_back(a);
    unary_[v][a] = kForbidden;
    for (const Place& place : places_[v]) {
      std::vector<Cost>& made = tables_[at(place.factor)];
      if (!made.empty()) forbid(made, unary_[v].size(), place.stride, a);
    }
  }

  const FactorGraph& model_;
  WorkBudget& budget_;
  KnownDominance* known_;
  std::vector<uint32_t> numbers_;  // of the factors' tables in known_
  std::vector<std::vector<Cost>> unary_;
  std::vector<std::vector<Cost>> tables_;  // by factor: its table where something is removed from it; else empty
  std::vector<std::vector<Place>> places_;
  std::vector<std::vector<size_t>> removed_;
  std::vector<std::vector<char>> gone_;
  Key key_;
  std::vector<Cost> gains_;  // of findGains()
};

}  // namespace

uint32_t KnownDominance::numberOf(const CostTable& table) {
  const uint64_t hash = mixHash(0, reinterpret_cast<uintptr_t>(table.data()));
  int32_t number = index_.find(hash, [&](int32_t known) { return tables_[at(known)].same(table); });
  if (number < 0) {
    number = index_.add(hash);
    tables_.push_back(table);
  }
  return static_cast<uint32_t>(number);
}

void KnownDominance::prepare() {
  if (keys_.words() > kMostKeptWords) *this = {};
}

namespace {

Cost scaled(Cost cost, int shift) { return isForbidden(cost) ? kForbidden : cost * (Cost{1} << shift); }

std::vector<Cost> restrictedTable(const FactorGraph& model, const Factor& factor,
                                  const std::vector<std::vector<int>>& kept, int shift) {
  std::vector<int> values(factor.scope.size(), 0);
  std::vector<size_t> sizes;
  size_t cells = 1;
  for (int v : factor.scope) {
    sizes.push_back(kept[at(v)].size());
    cells *= sizes.back();
  }
  std::vector<Cost> table;
  table.reserve(cells);
  do {
    size_t cell = 0;
    for (size_t i = 0; i < values.size(); ++i)
      cell = cell * at(model.domain(factor.scope[i])) + at(kept[at(factor.scope[i])][at(values[i])]);
    table.push_back(scaled(factor.table[cell], shift));
  } while (nextCombination(values, sizes));
  return table;
}

}  // namespace

std::vector<std::vector<int>> allValues(const FactorGraph& model) {
  std::vector<std::vector<int>> all(at(model.variableCount()));
  for (int v = 0; v < model.variableCount(); ++v)
    for (int x = 0; x < model.domain(v); ++x) all[at(v)].push_back(x);
  return all;
}

// Factors with one table and the same values kept, as those of equal blocks, have one table again.
ReducedModel restrictModel(const FactorGraph& model, std::vector<std::vector<int>> kept, int shift) {
  ReducedModel reduced;
  for (int v = 0; v < model.variableCount(); ++v) {
    std::vector<Cost> costs;
    for (int x : kept[at(v)]) costs.push_back(scaled(model.unary(v)[at(x)], shift));
    reduced.removed += model.domain(v) - static_cast<int>(costs.size());
    reduced.model.addVariable(std::move(costs));
  }
  HashIndex index;
  std::vector<int> firsts;  // by number: the first factor of its table and values
  for (int f = 0; f < model.factorCount(); ++f) {
    const Factor& factor = model.factor(f);
    uint64_t hash = reinterpret_cast<uintptr_t>(factor.table.data());
    for (int v : factor.scope)
      for (int x : kept[at(v)]) hash = mixHash(hash, static_cast<uint64_t>(x));
    const int32_t known = index.find(hash, [&](int32_t number) {
      const Factor& other = model.factor(firsts[at(number)]);
      bool same = other.table.same(factor.table) && other.scope.size() == factor.scope.size();
      for (size_t i = 0; same && i < factor.scope.size(); ++i)
        same = kept[at(other.scope[i])] == kept[at(factor.scope[i])];
      return same;
    });
    CostTable table = known < 0 ? CostTable(restrictedTable(model, factor, kept, shift))
                                : reduced.model.factor(firsts[at(known)]).table;
    if (known < 0) {
      index.add(hash);
      firsts.push_back(f);
    }
    reduced.model.addFactor(factor.scope, std::move(table));
  }
  reduced.kept = std::move(kept);
  return reduced;
}

ReducedModel removeDominated(const FactorGraph& model, WorkBudget& budget, int shift, KnownDominance* known) {
  if (known) known->prepare();
  std::vector<std::vector<int>> kept = Dominance(model, budget, known).run();  // its copies of tables go first
  return restrictModel(model, std::move(kept), shift);
}

}  // namespace tessera
