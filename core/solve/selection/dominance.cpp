#include "core/solve/selection/dominance.h"

#include <algorithm>

#include "core/solve/combinations.h"
#include "core/support/key_index.h"

namespace tessera {

namespace {

constexpr size_t kNowhere = SIZE_MAX;

constexpr size_t kMostKeptWords = size_t{1} << 22;  // of keys, and cells of tables

// Where a variable stands in a factor: cell = outer * (domain * stride) + value * stride + inner.
struct Place {
  int factor;
  size_t stride;
  std::vector<size_t> cheapest = {};  // per value: where its least cost was when it was last looked for, or kNowhere
};

// What the values of a variable cost in its first tables together. The values of an op that reads many operands differ
// in few of them from one to the next.
struct Sums {
  const Cost* row = nullptr;  // of the last of these tables: the neighbours' values
  std::vector<Cost> upTo;
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
        places_[at(factor.scope[i])].push_back({f, stride});
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
    for (Sums& sums : sums_) sums.row = nullptr;
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

  // Sets costs_: what each value costs where the neighbours take what suits value a best, and `own`: what a costs
  // there. Table by table, so that it is an estimate; what costs more cannot replace a. False when a is impossible.
  bool compareCosts(size_t v, size_t a, Cost& own) {
    const size_t domain = unary_[v].size();
    own = unary_[v][a];
    costs_ = unary_[v].data();
    bool asBefore = true;
    for (size_t p = 0; p < places_[v].size(); ++p) {
      Place& place = places_[v][p];
      const std::vector<Cost>& costs = table(place.factor);
      place.cheapest.resize(domain, kNowhere);
      size_t& cell = place.cheapest[a];
      if (cell == kNowhere || isForbidden(costs[cell])) cell = cheapestOf(costs, place, a, domain);
      if (isForbidden(costs[cell])) return false;
      own += costs[cell];
      Sums& sums = numbered(sums_, p);
      const Cost* row = costs.data() + cell - a * place.stride;
      asBefore = asBefore && sums.row == row;
      if (!asBefore) {
        sums.row = row;
        sums.upTo.resize(domain);
        for (size_t b = 0; b < domain; ++b) sums.upTo[b] = addCost(costs_[b], row[b * place.stride]);
      }
      costs_ = sums.upTo.data();
    }
    return true;
  }

  // Spends by what is asked alone, not by where estimates were looked for. Called often, so that WebAssembly's engines
  // optimize it; run() is called once.
  [[gnu::noinline]] bool isDominated(size_t v, size_t a) {
    if (!budget_.spend(static_cast<int64_t>(places_[v].size() * unary_[v].size()))) return false;
    Cost own = 0;
    if (!compareCosts(v, a, own)) return true;
    for (size_t b = 0; b < unary_[v].size(); ++b)
      if (costs_[b] <= own && b != a && !gone_[v][b] && dominates(v, b, a)) return true;
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
  std::vector<Sums> sums_;       // of the variable at hand, per place
  const Cost* costs_ = nullptr;  // of compareCosts()
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
  restricted.prepare();
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

CostTable RestrictedTables::of(const FactorGraph& model, const Factor& factor,
                               const std::vector<std::vector<int>>& kept, int shift) {
  key_.clear();
  addWords(key_, reinterpret_cast<uintptr_t>(factor.table.data()));
  key_.push_back(static_cast<uint32_t>(shift));
  for (int v : factor.scope) {
    key_.push_back(static_cast<uint32_t>(model.domain(v)));
    key_.push_back(static_cast<uint32_t>(kept[at(v)].size()));
    key_.insert(key_.end(), kept[at(v)].begin(), kept[at(v)].end());
  }
  Kept& known = numbered(known_, keys_.numberOf(key_));
  if (known.table.size() > 0) return known.table;
  known = {CostTable(restrictedTable(model, factor, kept, shift)), factor.table};
  cells_ += known.table.size();
  return known.table;
}

void RestrictedTables::prepare() {
  if (keys_.words() + cells_ > kMostKeptWords) *this = {};
}

std::vector<std::vector<int>> allValues(const FactorGraph& model) {
  std::vector<std::vector<int>> all(at(model.variableCount()));
  for (int v = 0; v < model.variableCount(); ++v)
    for (int x = 0; x < model.domain(v); ++x) all[at(v)].push_back(x);
  return all;
}

ReducedModel restrictModel(const FactorGraph& model, std::vector<std::vector<int>> kept, int shift,
                           RestrictedTables* known) {
  ReducedModel reduced;
  for (int v = 0; v < model.variableCount(); ++v) {
    std::vector<Cost> costs;
    for (int x : kept[at(v)]) costs.push_back(scaled(model.unary(v)[at(x)], shift));
    reduced.removed += model.domain(v) - static_cast<int>(costs.size());
    reduced.model.addVariable(std::move(costs));
  }
  RestrictedTables own;
  RestrictedTables& tables = known ? *known : own;
  for (const Factor& factor : model.factors())
    reduced.model.addFactor(factor.scope, tables.of(model, factor, kept, shift));
  reduced.kept = std::move(kept);
  return reduced;
}

ReducedModel removeDominated(const FactorGraph& model, WorkBudget& budget, int shift, KnownDominance* known) {
  if (known) known->prepare();
  std::vector<std::vector<int>> kept = Dominance(model, budget, known).run();  // its copies of tables go first
  return restrictModel(model, std::move(kept), shift, known ? &known->restricted : nullptr);
}

}  // namespace tessera
