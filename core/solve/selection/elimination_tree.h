#pragma once
// Exact solution of a factor graph by bucket elimination, and what can be had from its tables afterwards.
//
//   EliminationTree tree(model, chooseOrder(model, 1 << 24));
//   EliminationSolution best = tree.solve();               // proven optimum
//   tree.setUnary(v, costs);    best = tree.solve();       // recomputes the tables between v and its root
//   tree.force(variable, value);    best = tree.solve();   // value -1: no longer forced
//   Cost other = tree.costWithUnary(v, costs);             // the optimum with these higher costs, which are not kept
//   const auto& marginals = tree.minMarginals().costs;     // [variable][value]: the optimum with that value forced
//
// After a change minMarginals() computes again where more than a constant has changed: what a change does to the parts
// far from it is mostly to make all of them dearer by the same cost.
//
// The model is copied; the order may come from an earlier model of equal topology.
//
// Each variable has a bucket: the tables in which it is the first to be eliminated, and the messages of child buckets.
// Its own message is their sum, minimised over the variable, as a table over the others ("separator"). Ties are broken
// towards the smaller value index at every table cell, so equal models give equal assignments.

#include <cstdint>
#include <vector>

#include "core/solve/selection/elimination_order.h"
#include "core/solve/selection/factor_graph.h"

namespace tessera {

struct EliminationSolution {
  bool feasible = false;
  Cost cost = kForbidden;
  std::vector<int> values;      // one per variable; empty when not feasible
  int64_t bucketsComputed = 0;  // how many tables this call recomputed
};

struct MinMarginals {
  const std::vector<std::vector<Cost>>& costs;  // [variable][value], the tree's; kForbidden: no solution has the value
  int64_t bucketsProjected = 0;                 // how many tables this call went through
};

class EliminationTree {
 public:
  // `order` must list every variable once (eliminationOrder's answer when it did not give up). `earlier`: a tree of a
  // similar model, whose buckets that would come out the same are moved here; of no use afterwards.
  EliminationTree(FactorGraph model, EliminationOrder order, EliminationTree* earlier = nullptr);

  // A model whose tables may be changed to this tree's: as many values per variable, the same scopes.
  bool hasShapeOf(const FactorGraph& model) const;
  // Sets the tables that differ. The model's costs must be small enough to be added (costsFit()).
  void update(const FactorGraph& model);

  EliminationSolution solve();
  void setUnary(int variable, std::vector<Cost> costs);
  void setFactorTable(int factor, CostTable table);  // index as FactorGraph::addFactor gave it
  void force(int variable, int value);
  // The optimum if these were the costs of a variable or of a table, none of them lower than it is; kForbidden without
  // a solution. Goes through one bucket, after minMarginals().
  Cost costWithUnary(int variable, std::vector<Cost> costs);
  Cost costWithTable(int factor, CostTable table);
  MinMarginals minMarginals();

  // Of all messages together: what the tree holds is 18 bytes for each, and the model.
  int64_t messageCells() const;

  const FactorGraph& model() const { return model_; }
  const EliminationOrder& order() const { return order_; }

  // For the certificate: the message of a variable's bucket. `separator` lists its variables, the last one runs
  // fastest.
  struct Message {
    const std::vector<int>& separator;
    const std::vector<Cost>& costs;
  };
  Message message(int variable) const;

 private:
  // A table whose variables are sorted from the last to the first eliminated; the first eliminated runs fastest.
  struct Table {
    std::vector<int> scope;
    std::vector<int> originals;  // factors of the model that are added into it
    CostTable costs;
  };
  struct Source {  // one table or message inside a bucket
    bool isMessage;
    int index;                     // of the table, or of the bucket that sent the message
    size_t level;                  // separator variables that must be fixed to select its row (0: none)
    std::vector<int64_t> strides;  // per separator variable
  };
  struct Bucket {
    int variable = -1;
    int parent = -1;  // -1: a root
    std::vector<int> separator;
    std::vector<Source> sources;  // sorted by level
    std::vector<Cost> message;
    std::vector<uint16_t> choice;  // the best value of `variable` per cell of the message
    bool stale = true;             // computed since minMarginals() last went through it
    std::vector<Cost> outside;     // per cell of the message: the least cost outside of the subtree, by minMarginals()
  };

  class Blocks;
  void buildTables();
  void buildBuckets();
  void addSource(int bucket, bool isMessage, int index, const std::vector<int>& scope);
  bool adopt(Bucket& bucket, EliminationTree& earlier);  // true when there is nothing to compute
  bool madeOfTheSame(const Bucket& bucket, const Bucket& old, const EliminationTree& earlier) const;
  bool addsUpTheSame(const Table& table, const Table& old, const EliminationTree& earlier) const;
  void fillTable(Table& table) const;
  std::vector<Cost> ownCosts(int variable) const;
  bool computeBucket(int bucket);  // true when the message changed
  void markDirty(int bucket);
  int64_t refresh();  // the messages; returns how many were computed
  Cost rootCost() const;
  Cost costThrough(int bucket) const;
  std::vector<Cost> outsideOfRoot(const Bucket& root, Cost total) const;
  // Whether `fresh` is the bucket's `outside` but for a constant, which goes to `shift`.
  static bool differsByConstant(const std::vector<Cost>& fresh, const Bucket& bucket, Cost* shift);
  void shiftBy(Bucket& bucket, Cost shift);
  void project(int bucket, std::vector<std::vector<Cost>>& below);

  FactorGraph model_;
  EliminationOrder order_;
  std::vector<int> position_;  // of a variable in the order = index of its bucket
  std::vector<int> forced_;    // per variable, -1: free
  std::vector<Table> tables_;
  std::vector<int> tableOf_;  // per factor of the model; -1 when only constants are left of it
  std::vector<Bucket> buckets_;
  std::vector<char> dirty_;  // per bucket
  std::vector<int> dirtyList_;
  std::vector<std::vector<Cost>> marginals_;  // per variable
  bool projected_ = false;                    // no message was computed since minMarginals()
};

}  // namespace tessera
