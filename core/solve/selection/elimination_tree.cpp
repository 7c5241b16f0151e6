#include "core/solve/selection/elimination_tree.h"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>

#include "core/support/check.h"

namespace tessera {

namespace {

// Seven forbidden parts add up within 63 bits; six are left to a bucket, one to what lies outside of it.
constexpr size_t kMostUnbounded = 6;

// `bounded`: sums stay within kForbidden.
void setSum(Cost* to, const Cost* a, const Cost* b, size_t count, bool bounded) {
  if (bounded) {
    for (size_t x = 0; x < count; ++x) to[x] = std::min(a[x] + b[x], kForbidden);
  } else {
    for (size_t x = 0; x < count; ++x) to[x] = a[x] + b[x];
  }
}

// A row with what lies outside; lowers `least` to it.
void setWhole(Cost* to, Cost* least, const Cost* row, Cost outside, size_t count) {
  for (size_t x = 0; x < count; ++x) {
    to[x] = row[x] + outside;
    least[x] = std::min(least[x], to[x]);
  }
}

void lowerTo(Cost* to, const Cost* from, size_t count) {
  for (size_t x = 0; x < count; ++x) to[x] = std::min(to[x], from[x]);
}

bool nowhereLower(const std::vector<Cost>& costs, const std::vector<Cost>& before) {
  return std::equal(costs.begin(), costs.end(), before.begin(), before.end(), std::greater_equal<Cost>());
}

}  // namespace

// Walks the cells of a separator in order, block by block: a block has a row for every value of the last separator
// variable, one without a separator. A row is the sum of all sources per value of the bucket's variable. `sums_[level]`
// holds the sum of the sources that depend on the first `level` separator variables only; an advance sums again what
// comes after the variable that changed.
class EliminationTree::Blocks {
 public:
  Blocks(const EliminationTree& tree, const Bucket& bucket)
      : bucket_(bucket),
        own_(tree.ownCosts(bucket.variable)),
        levels_(bucket.separator.size()),
        bounded_(bucket.sources.size() + 1 > kMostUnbounded) {
    for (int v : bucket.separator) domains_.push_back(tree.model_.domain(v));
    if (levels_ > 0) values_.assign(levels_ - 1, 0);
    sums_.assign(levels_ + 1, own_);
    sums_.back().resize(rows() * width());
    for (const Source& source : bucket.sources)
      costs_.push_back(source.isMessage ? tree.buckets_[at(source.index)].message.data()
                                        : tree.tables_[at(source.index)].costs.data());
    size_t next = 0;
    for (size_t level = 0; level <= levels_; ++level) {
      while (next < bucket.sources.size() && bucket.sources[next].level < level) ++next;
      firstOfLevel_.push_back(next);
    }
    firstOfLevel_.push_back(bucket.sources.size());
    sumFrom(0);
  }

  size_t rows() const { return levels_ > 0 ? at(domains_.back()) : 1; }
  size_t width() const { return own_.size(); }  // of a row
  const Cost* row(size_t index) const { return sums_.back().data() + index * width(); }
  // Whether a source differs from row to row, and where the block's first row is in its table.
  bool dependsOnRow(const Source& source) const { return levels_ > 0 && source.level == levels_; }
  int64_t offset(const Source& source) const {
    int64_t sum = 0;
    for (size_t i = 0; i < values_.size(); ++i) sum += source.strides[i] * values_[i];
    return sum;
  }

  bool advance() {
    size_t level = values_.size();
    while (level > 0) {
      if (++values_[level - 1] < domains_[level - 1]) break;
      values_[level - 1] = 0;
      --level;
    }
    if (level == 0) return false;
    sumFrom(level);
    return true;
  }

 private:
  void sumFrom(size_t level) {
    for (; level <= levels_; ++level) {
      std::vector<Cost>& sum = sums_[level];
      const Cost* before = level == 0 ? own_.data() : sums_[level - 1].data();
      const size_t first = firstOfLevel_[level], end = firstOfLevel_[level + 1];
      for (size_t cell = 0; cell < sum.size(); cell += width()) {
        if (first == end) std::copy(before, before + width(), sum.data() + cell);
        else setSum(&sum[cell], before, costs_[first] + offset(bucket_.sources[first]) + cell, width(), bounded_);
      }
      for (size_t s = first + 1; s < end; ++s)
        setSum(sum.data(), sum.data(), costs_[s] + offset(bucket_.sources[s]), sum.size(), bounded_);
    }
  }

  const Bucket& bucket_;
  const std::vector<Cost> own_;
  const size_t levels_;
  const bool bounded_;
  std::vector<std::vector<Cost>> sums_;
  std::vector<int> values_;   // of the separator variables but the last
  std::vector<int> domains_;  // of all of them
  std::vector<const Cost*> costs_;
  std::vector<size_t> firstOfLevel_;
};

EliminationTree::EliminationTree(FactorGraph model, EliminationOrder order, EliminationTree* earlier)
    : model_(std::move(model)), order_(std::move(order)) {
  TESSERA_CHECK(model_.costsFit(), "the costs of the model are small enough to be added");
  TESSERA_CHECK(static_cast<int>(order_.variables.size()) == model_.variableCount(), "the order lists every variable");
  position_.assign(at(model_.variableCount()), -1);
  for (size_t i = 0; i < order_.variables.size(); ++i) {
    int& position = position_[at(order_.variables[i])];
    TESSERA_CHECK(position < 0, "the order lists a variable once");
    position = static_cast<int>(i);
  }
  forced_.assign(at(model_.variableCount()), -1);
  buildTables();
  buildBuckets();
  dirty_.assign(buckets_.size(), 0);
  marginals_.resize(buckets_.size());
  for (size_t b = 0; b < buckets_.size(); ++b)
    if (!earlier || !adopt(buckets_[b], *earlier)) markDirty(static_cast<int>(b));
}

// Factors over the same variables become one table; variables of one value leave the scopes.
void EliminationTree::buildTables() {
  std::map<std::vector<int>, int> known;
  for (const Factor& factor : model_.factors()) {
    std::vector<int> scope;
    for (int v : factor.scope)
      if (model_.domain(v) > 1) scope.push_back(v);
    // A factor over constants is kept with its first variable, to whose row it is added as a whole.
    if (scope.empty()) scope.push_back(factor.scope[0]);
    std::sort(scope.begin(), scope.end(), [&](int a, int b) { return position_[at(a)] > position_[at(b)]; });
    const auto [where, isNew] = known.try_emplace(scope, static_cast<int>(tables_.size()));
    if (isNew) tables_.push_back({.scope = scope, .originals = {}, .costs = {}});
    tableOf_.push_back(where->second);
    tables_[at(where->second)].originals.push_back(static_cast<int>(tableOf_.size()) - 1);
  }
  for (Table& table : tables_) fillTable(table);
}

void EliminationTree::fillTable(Table& table) const {
  const Factor& first = model_.factor(table.originals[0]);
  if (table.originals.size() == 1 && first.scope == table.scope) {
    table.costs = first.table;
    return;
  }
  size_t cells = 1;
  for (int v : table.scope) cells *= at(model_.domain(v));
  std::vector<Cost> costs(cells, 0);
  std::vector<size_t> strides(table.scope.size());
  for (int original : table.originals) {
    const Factor& factor = model_.factor(original);
    // The stride of each variable of the table in the factor's table; a constant has only the index 0.
    for (size_t i = 0; i < table.scope.size(); ++i) {
      size_t stride = 1;
      strides[i] = 0;
      for (size_t j = factor.scope.size(); j-- > 0;) {
        if (factor.scope[j] == table.scope[i]) strides[i] = stride;
        stride *= at(model_.domain(factor.scope[j]));
      }
    }
    std::vector<int> values(table.scope.size(), 0);
    size_t from = 0;
    for (size_t cell = 0; cell < cells; ++cell) {
      costs[cell] = addCost(costs[cell], factor.table[from]);
      for (size_t i = values.size(); i-- > 0;) {
        from += strides[i];
        if (++values[i] < model_.domain(table.scope[i])) break;
        from -= strides[i] * at(values[i]);
        values[i] = 0;
      }
    }
  }
  table.costs = CostTable(std::move(costs));
}

void EliminationTree::buildBuckets() {
  const size_t n = order_.variables.size();
  buckets_.resize(n);
  std::vector<std::vector<int>> tablesOf(n), childrenOf(n);
  for (size_t t = 0; t < tables_.size(); ++t)
    tablesOf[at(position_[at(tables_[t].scope.back())])].push_back(static_cast<int>(t));
  for (size_t b = 0; b < n; ++b) {
    Bucket& bucket = buckets_[b];
    bucket.variable = order_.variables[b];
    std::vector<int>& separator = bucket.separator;
    for (int t : tablesOf[b])
      separator.insert(separator.end(), tables_[at(t)].scope.begin(), tables_[at(t)].scope.end());
    for (int c : childrenOf[b])
      separator.insert(separator.end(), buckets_[at(c)].separator.begin(), buckets_[at(c)].separator.end());
    std::sort(separator.begin(), separator.end(), [&](int x, int y) { return position_[at(x)] > position_[at(y)]; });
    separator.erase(std::unique(separator.begin(), separator.end()), separator.end());
    separator.erase(std::remove(separator.begin(), separator.end(), bucket.variable), separator.end());
    const int self = static_cast<int>(b);
    for (int t : tablesOf[b]) addSource(self, false, t, tables_[at(t)].scope);
    for (int c : childrenOf[b]) addSource(self, true, c, buckets_[at(c)].separator);
    std::stable_sort(bucket.sources.begin(), bucket.sources.end(),
                     [](const Source& x, const Source& y) { return x.level < y.level; });
    if (!separator.empty()) {
      bucket.parent = position_[at(separator.back())];
      childrenOf[at(bucket.parent)].push_back(self);
    }
  }
}

void EliminationTree::addSource(int bucket, bool isMessage, int index, const std::vector<int>& scope) {
  const std::vector<int>& separator = buckets_[at(bucket)].separator;
  Source source{
      .isMessage = isMessage, .index = index, .level = 0, .strides = std::vector<int64_t>(separator.size(), 0)};
  int64_t stride = model_.domain(scope.back());  // the bucket's own variable runs fastest in all of them
  for (size_t i = scope.size() - 1; i-- > 0;) {
    const size_t place =
        at(static_cast<int>(std::find(separator.begin(), separator.end(), scope[i]) - separator.begin()));
    source.strides[place] = stride;
    source.level = std::max(source.level, place + 1);
    stride *= model_.domain(scope[i]);
  }
  buckets_[at(bucket)].sources.push_back(std::move(source));
}

std::vector<Cost> EliminationTree::ownCosts(int variable) const {
  std::vector<Cost> costs = model_.unary(variable);
  const int only = forced_[at(variable)];
  if (only >= 0)
    for (size_t x = 0; x < costs.size(); ++x)
      if (x != at(only)) costs[x] = kForbidden;
  return costs;
}

bool EliminationTree::computeBucket(int index) {
  Bucket& bucket = buckets_[at(index)];
  bucket.stale = true;
  size_t cells = 1;
  for (int v : bucket.separator) cells *= at(model_.domain(v));
  bool changed = bucket.message.size() != cells;
  bucket.message.resize(cells, kForbidden);
  bucket.choice.resize(cells, 0);
  Blocks blocks(*this, bucket);
  size_t cell = 0;
  do {
    for (size_t r = 0; r < blocks.rows(); ++r, ++cell) {
      const Cost* row = blocks.row(r);
      size_t best = 0;
      for (size_t x = 1; x < blocks.width(); ++x)
        if (row[x] < row[best]) best = x;
      const Cost least = isForbidden(row[best]) ? kForbidden : row[best];
      changed = changed || bucket.message[cell] != least;
      bucket.message[cell] = least;
      bucket.choice[cell] = static_cast<uint16_t>(best);
    }
  } while (blocks.advance());
  return changed;
}

void EliminationTree::markDirty(int bucket) {
  if (dirty_[at(bucket)]) return;
  dirty_[at(bucket)] = 1;
  dirtyList_.push_back(bucket);
}

int64_t EliminationTree::refresh() {
  // A bucket's parent comes later in the order, so the smallest dirty index is always ready.
  std::priority_queue<int, std::vector<int>, std::greater<int>> queue(dirtyList_.begin(), dirtyList_.end());
  dirtyList_.clear();
  int64_t computed = 0;
  while (!queue.empty()) {
    const int b = queue.top();
    queue.pop();
    dirty_[at(b)] = 0;
    ++computed;
    Bucket& bucket = buckets_[at(b)];
    if (!computeBucket(b) || bucket.parent < 0 || dirty_[at(bucket.parent)]) continue;
    dirty_[at(bucket.parent)] = 1;
    queue.push(bucket.parent);
  }
  projected_ = projected_ && computed == 0;
  return computed;
}

Cost EliminationTree::rootCost() const {
  Cost total = 0;
  for (const Bucket& bucket : buckets_)
    if (bucket.parent < 0) total = addCost(total, bucket.message[0]);
  return isForbidden(total) ? kForbidden : total;
}

EliminationSolution EliminationTree::solve() {
  EliminationSolution solution;
  solution.bucketsComputed = refresh();
  solution.cost = rootCost();
  solution.feasible = !isForbidden(solution.cost);
  if (!solution.feasible) return solution;
  solution.values.assign(buckets_.size(), 0);
  for (size_t b = buckets_.size(); b-- > 0;) {
    const Bucket& bucket = buckets_[b];
    size_t cell = 0;
    for (int v : bucket.separator) cell = cell * at(model_.domain(v)) + at(solution.values[at(v)]);
    solution.values[at(bucket.variable)] = bucket.choice[cell];
  }
  return solution;
}

// The optimum with the bucket's tables as they are, everything else as minMarginals() saw it. Where the bucket's
// message was forbidden nothing is known of what lies outside; it has to be forbidden still.
Cost EliminationTree::costThrough(int index) const {
  const Bucket& bucket = buckets_[at(index)];
  Cost least = kForbidden;
  size_t cell = 0;
  Blocks blocks(*this, bucket);
  do {
    for (size_t r = 0; r < blocks.rows(); ++r, ++cell) {
      const Cost* row = blocks.row(r);
      for (size_t x = 0; x < blocks.width(); ++x) least = std::min(least, row[x] + bucket.outside[cell]);
    }
  } while (blocks.advance());
  return isForbidden(least) ? kForbidden : least;
}

Cost EliminationTree::costWithUnary(int variable, std::vector<Cost> costs) {
  minMarginals();
  std::vector<Cost> before = model_.unary(variable);
  TESSERA_CHECK(nowhereLower(costs, before), "costs are tried that are no lower");
  model_.setUnary(variable, std::move(costs));
  const Cost cost = costThrough(position_[at(variable)]);
  model_.setUnary(variable, std::move(before));
  return cost;
}

Cost EliminationTree::costWithTable(int factor, CostTable table) {
  minMarginals();
  Table& summed = tables_[at(tableOf_[at(factor)])];
  CostTable before = model_.factor(factor).table, summedBefore = summed.costs;
  TESSERA_CHECK(nowhereLower(table, before), "a table is tried that is no lower");
  model_.setFactorTable(factor, std::move(table));
  fillTable(summed);
  const Cost cost = costThrough(position_[at(summed.scope.back())]);
  model_.setFactorTable(factor, std::move(before));
  summed.costs = std::move(summedBefore);
  return cost;
}

int64_t EliminationTree::messageCells() const {
  int64_t cells = 0;
  for (const Bucket& bucket : buckets_) cells += static_cast<int64_t>(bucket.message.size());
  return cells;
}

void EliminationTree::setUnary(int variable, std::vector<Cost> costs) {
  model_.setUnary(variable, std::move(costs));
  markDirty(position_[at(variable)]);
}

void EliminationTree::setFactorTable(int factor, CostTable table) {
  model_.setFactorTable(factor, std::move(table));
  Table& target = tables_[at(tableOf_[at(factor)])];
  fillTable(target);
  markDirty(position_[at(target.scope.back())]);
}

bool EliminationTree::hasShapeOf(const FactorGraph& model) const {
  if (model.variableCount() != model_.variableCount() || model.factorCount() != model_.factorCount()) return false;
  for (int v = 0; v < model.variableCount(); ++v)
    if (model.domain(v) != model_.domain(v)) return false;
  for (int f = 0; f < model.factorCount(); ++f)
    if (model.factor(f).scope != model_.factor(f).scope) return false;
  return true;
}

void EliminationTree::update(const FactorGraph& model) {
  TESSERA_CHECK(hasShapeOf(model) && model.costsFit(), "the model fits the tree");
  for (int v = 0; v < model.variableCount(); ++v)
    if (model.unary(v) != model_.unary(v)) setUnary(v, model.unary(v));
  for (int f = 0; f < model.factorCount(); ++f)
    if (!model.factor(f).table.same(model_.factor(f).table)) setFactorTable(f, model.factor(f).table);
}

void EliminationTree::force(int variable, int value) {
  TESSERA_CHECK(value >= -1 && value < model_.domain(variable), "a forced value is in the domain");
  if (forced_[at(variable)] == value) return;
  forced_[at(variable)] = value;
  markDirty(position_[at(variable)]);
}

// Adds what lies outside of the bucket's subtree to every cell and takes minima: over all but the variable (its
// marginals), and over all but each child's separator, less that child's own message (`below`): what lies outside of
// the child's subtree.
void EliminationTree::project(int index, std::vector<std::vector<Cost>>& below) {
  const Bucket& bucket = buckets_[at(index)];
  std::vector<Cost>& own = marginals_[at(bucket.variable)];
  own.assign(at(model_.domain(bucket.variable)), kForbidden);
  std::vector<const Source*> children;
  for (const Source& source : bucket.sources)
    if (source.isMessage) {
      children.push_back(&source);
      below[at(source.index)].assign(buckets_[at(source.index)].message.size(), kForbidden);
    }
  Blocks blocks(*this, bucket);
  const size_t rows = blocks.rows(), width = blocks.width();
  std::vector<Cost> whole(rows * width), least(width);  // with what lies outside: all rows, and the least over them
  size_t cell = 0;
  do {
    least.assign(width, kForbidden);
    for (size_t r = 0; r < rows; ++r)
      setWhole(&whole[r * width], least.data(), blocks.row(r), bucket.outside[cell++], width);
    lowerTo(own.data(), least.data(), width);
    for (const Source* child : children) {
      const std::vector<Cost>& part = blocks.dependsOnRow(*child) ? whole : least;
      lowerTo(below[at(child->index)].data() + blocks.offset(*child), part.data(), part.size());
    }
  } while (blocks.advance());
  for (const Source* child : children) {
    std::vector<Cost>& rest = below[at(child->index)];
    const std::vector<Cost>& message = buckets_[at(child->index)].message;
    for (size_t i = 0; i < rest.size(); ++i)
      // Where the child's message is forbidden, its cells stay forbidden whatever is added; 0 keeps the sums small.
      rest[i] = isForbidden(message[i]) ? 0 : isForbidden(rest[i]) ? kForbidden : rest[i] - message[i];
  }
  for (Cost& cost : own)
    if (isForbidden(cost)) cost = kForbidden;
}

std::vector<Cost> EliminationTree::outsideOfRoot(const Bucket& root, Cost total) const {
  const Cost self = root.message[0];
  return {isForbidden(self) ? 0 : isForbidden(total) ? kForbidden : total - self};
}

bool EliminationTree::differsByConstant(const std::vector<Cost>& fresh, const Bucket& bucket, Cost* shift) {
  bool known = false;
  for (size_t i = 0; i < fresh.size(); ++i) {
    if (isForbidden(bucket.message[i])) continue;  // never read
    if (isForbidden(fresh[i]) != isForbidden(bucket.outside[i])) return false;
    if (isForbidden(fresh[i])) continue;
    if (!known) *shift = fresh[i] - bucket.outside[i];
    known = true;
    if (fresh[i] - bucket.outside[i] != *shift) return false;
  }
  return true;
}

void EliminationTree::shiftBy(Bucket& bucket, Cost shift) {
  if (shift == 0) return;
  for (size_t i = 0; i < bucket.outside.size(); ++i)
    if (!isForbidden(bucket.outside[i]) && !isForbidden(bucket.message[i])) bucket.outside[i] += shift;
  for (Cost& cost : marginals_[at(bucket.variable)])
    if (!isForbidden(cost)) cost += shift;
}

MinMarginals EliminationTree::minMarginals() {
  refresh();
  if (projected_) return {marginals_, 0};
  projected_ = true;
  int64_t projected = 0;
  const Cost total = rootCost();
  std::vector<std::vector<Cost>> fresh(buckets_.size());  // by the parent, where that was gone through
  std::vector<Cost> shift(buckets_.size(), 0);            // by the parent, where it was not
  for (size_t b = buckets_.size(); b-- > 0;) {
    Bucket& bucket = buckets_[b];
    // The cost of the other trees of the forest is part of every answer.
    if (bucket.parent < 0) fresh[b] = outsideOfRoot(bucket, total);
    const bool known = bucket.outside.size() == bucket.message.size() && !bucket.stale;
    if (known && (fresh[b].empty() || differsByConstant(fresh[b], bucket, &shift[b]))) {
      shiftBy(bucket, shift[b]);
      for (const Source& source : bucket.sources)
        if (source.isMessage) shift[at(source.index)] = shift[b];
      fresh[b] = {};
      continue;
    }
    if (fresh[b].empty()) shiftBy(bucket, shift[b]);
    else bucket.outside = std::move(fresh[b]);
    project(static_cast<int>(b), fresh);
    bucket.stale = false;
    ++projected;
  }
  return {marginals_, projected};
}

EliminationTree::Message EliminationTree::message(int variable) const {
  const Bucket& bucket = buckets_[at(position_[at(variable)])];
  return {bucket.separator, bucket.message};
}

}  // namespace tessera
