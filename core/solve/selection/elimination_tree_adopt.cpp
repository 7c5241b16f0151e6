#include <algorithm>

#include "core/solve/selection/elimination_tree.h"

namespace tessera {

// What a bucket is made of decides its message, so one that is made of the same keeps all that is known of it. A
// message over the same separator is kept in any case: whether it changes is seen when it is computed, as after a
// change of costs.
bool EliminationTree::adopt(Bucket& bucket, EliminationTree& earlier) {
  if (bucket.variable >= earlier.model_.variableCount()) return false;
  Bucket& old = earlier.buckets_[at(earlier.position_[at(bucket.variable)])];
  if (old.separator != bucket.separator) return false;
  for (int v : bucket.separator)
    if (model_.domain(v) != earlier.model_.domain(v)) return false;
  const bool same = madeOfTheSame(bucket, old, earlier);
  bucket.message = std::move(old.message);
  bucket.outside = std::move(old.outside);
  if (!same) return false;
  bucket.choice = std::move(old.choice);
  bucket.stale = old.stale;
  marginals_[at(bucket.variable)] = std::move(earlier.marginals_[at(bucket.variable)]);
  return true;
}

// True for the same costs of the variable, the same tables, and messages of the same variables over the same others.
bool EliminationTree::madeOfTheSame(const Bucket& bucket, const Bucket& old, const EliminationTree& earlier) const {
  if (ownCosts(bucket.variable) != earlier.ownCosts(bucket.variable)) return false;
  if (earlier.dirty_[at(earlier.position_[at(bucket.variable)])]) return false;
  const auto same = [&](const Source& one, const Source& other) {
    if (one.isMessage != other.isMessage || one.strides != other.strides) return false;
    if (one.isMessage) return buckets_[at(one.index)].variable == earlier.buckets_[at(other.index)].variable;
    return addsUpTheSame(tables_[at(one.index)], earlier.tables_[at(other.index)], earlier);
  };
  return std::equal(bucket.sources.begin(), bucket.sources.end(), old.sources.begin(), old.sources.end(), same);
}

bool EliminationTree::addsUpTheSame(const Table& table, const Table& old, const EliminationTree& earlier) const {
  const auto same = [&](int one, int other) {
    const Factor &factor = model_.factor(one), &before = earlier.model_.factor(other);
    return factor.table.same(before.table) && factor.scope == before.scope;
  };
  return std::equal(table.originals.begin(), table.originals.end(), old.originals.begin(), old.originals.end(), same);
}

}  // namespace tessera
