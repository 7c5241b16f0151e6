#pragma once
// What the forward pass keeps of every op: its K best candidates, each with a pointer back to the candidates of its
// operands.

#include <vector>

#include "core/analysis/problem.h"
#include "core/ir/layout_pool.h"
#include "core/plan/decision_log.h"
#include "core/policy/propagate/propagate_options.h"

namespace tessera {

// How good a path is, up to and including one op. Paths join at ops with several operands: the narrowest op of all
// counts, costs add up. A fork's costs are shared equally by its readers, so that a diamond does not count them twice;
// costs are relative to the best entry of the same op, so that they stay small however long the graph is.
struct PathScore {
  static constexpr int32_t kUnbounded = INT32_MAX;
  static constexpr int64_t kShare = kReshardShare;  // fixed-point unit of one reshard, divisible by 1 .. 10
  int32_t minCores = kUnbounded;                    // narrowest op
  // The same without ops that have no wider layout. It decides as minCores does, and goes on where one such op makes
  // all paths of the graph equal.
  int32_t minChosenCores = kUnbounded;
  int64_t reshards = 0;  // in 1/kShare
  int64_t time = 0;      // nanoseconds
  // Of the op alone: the compiler's fields (tt-mlir Analysis/MemoryLayoutPropagation.cpp).
  bool isL1 = false;
  bool isSharded = false;
  bool requiresReshard = false;
  int64_t inputDramBytes = 0;
  int64_t coreCount = 0;
  int64_t outputL1Usage = 0;
};

// "l1/width_sharded/1x64", as the compiler's decision trace writes layouts.
std::string traceLayout(const TensorLayout& layout);
TraceScore traceScore(const PathScore& score);

// Whether a path with score `a` is better than one with `b`; false for equals.
bool betterScore(BeamScore kind, const PathScore& a, const PathScore& b);

// How an entry reads an operand.
struct OperandPick {
  int32_t slot = -1;              // entry of the producer's beam; -1: the operand has no beam
  LayoutId expected = kNoLayout;  // where that entry leaves it
  LayoutId read = kNoLayout;      // where the op reads it; another layout is a reshard. kNoLayout: no tensor
};

struct BeamEntry {
  OpConfig config;
  LayoutId output = kNoLayout;  // of the first result; kNoLayout for ops without
  std::vector<OperandPick> operands;
  PathScore score;
  OpVerdict verdict;
  int32_t reshards = 0;  // of this op's operands
  int32_t ownCores = 0;  // that work on the result
};

struct OpBeam {
  std::vector<BeamEntry> entries;      // best first; never empty for an op of the forward function but the return
  std::vector<Candidate> tried;        // per config, for the decision log
  std::vector<TraceEvaluation> trace;  // every try, when the options ask for it
  int32_t crossProduct = 0;            // combinations of operand layouts
  int32_t evaluations = 0;
  bool combinationsCut = false;  // more combinations than were tried
  bool usedDramFallback = false;
};
using Beams = IdVec<OpId, OpBeam>;

}  // namespace tessera
