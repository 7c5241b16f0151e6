#pragma once
// Makes a graph small enough to execute: the same ops on smaller dims. Every dim of every tensor is an unknown; ops say
// which are equal, which are products or sums of others; a search gives each the smallest value that satisfies all.
// Attributes that name sizes (reshape targets, slice bounds, constants, 1/N of a mean) follow. The result passes the
// shape rules as the original does.

#include <string>

#include "core/ir/graph.h"

namespace tessera {

struct ShrunkGraph {
  Graph graph;  // the original when it could not be shrunk
  bool shrunk = false;
  std::string problem;  // unless shrunk: which op has no rule, or which sizes contradict each other
};

// `side` > 0: rows and columns that had so many keep about as many where that satisfies all ops too, so that tensors
// have several tiles.
ShrunkGraph shrinkGraph(const Graph& graph, int64_t side = 0);

}  // namespace tessera
