#pragma once
// What the exact policy found: bounds, regrets, certificate. Data, filled in while the policy decides; report/ writes
// it.

#include <cstdint>
#include <string>
#include <vector>

#include "core/ir/graph.h"
#include "core/ir/tensor_layout.h"

namespace tessera {

struct ExactTrace {
  int64_t time = 0;        // of the plan, ns
  int64_t lowerBound = 0;  // no plan made of these layouts, in this order, takes less
  bool proven = false;     // time == lowerBound
  // The optimum when an op needs to fit L1 with what it reads only; -1: not proven. At most lowerBound.
  int64_t layoutOptimum = -1;
  std::string source;  // where the plan comes from: "layouts", "prices", or the policy that made it
  std::string method;  // of layout selection: "elimination", "bounds", ...

  // The size of the problem.
  int64_t variables = 0;
  int64_t tables = 0;
  int64_t candidates = 0;  // pairs of configuration and operand layouts, over all ops
  int64_t cutOps = 0;      // not all that is legal is among the candidates of so many ops: there would be too many
  int64_t width = 0;       // of the elimination order
  int64_t cells = 0;       // of its tables

  // Plans of the other policies.
  struct Baseline {
    std::string policy;
    int64_t time = 0;
    bool fits = false;  // its buffers have addresses in L1
  };
  std::vector<Baseline> baselines;

  // Bounds while L1 was priced: before the first round, each time one of them got better, and at the end.
  struct Bound {
    int32_t round = 0;  // rounds done
    int64_t upper = 0;
    int64_t lower = 0;
  };
  std::vector<Bound> bounds;
  std::vector<int64_t> stepPrices;  // of the best bound, 2^-16 ns per byte and step; empty: none were needed

  // What forcing a result layout costs over the whole net, in layout selection.
  struct Regret {
    TensorLayout layout;
    int64_t regret = 0;  // ns more than layoutOptimum; -1: impossible
  };
  struct OpRegrets {
    OpId op;
    int32_t best = -1;     // index of the optimum's choice
    int32_t present = -1;  // index of the plan's choice; -1: it is none of them
    // Of running just as the plan has it, the layouts that are read as well; -1: impossible or unknown.
    int64_t candidateRegret = -1;
    std::vector<Regret> layouts;
  };
  std::vector<OpRegrets> ops;

  std::string certificate;  // JSON, when asked for
};

}  // namespace tessera
