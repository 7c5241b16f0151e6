#pragma once
// The compiler's unit tests of spill management as data: ops that are nothing but sizes, put to the same sweep that
// graphs go through (tt-mlir Analysis/L1SpillManagement.cpp and its tests).

#include <optional>
#include <string>
#include <vector>

#include "core/policy/propagate/spill_sweep.h"

namespace tessera {

struct ScenarioOp {
  std::string name;
  std::vector<int32_t> inputs;  // indices of earlier ops; arguments are left out: they are in DRAM
  bool readsArgument = false;
  int64_t l1 = 0;  // bytes per core of its result in L1
  int64_t circularBuffers = 0;
  int64_t dramCircularBuffers = -1;  // with its result in DRAM; -1: the same
  bool requiresL1Input = false;
  bool isView = false;  // its result is the buffer of its first input
  bool isSink = false;  // makes nothing
  bool fixed = false;   // may not be moved: an inserted reshard
  std::optional<OpStatus> forced;
};

struct SpillScenario {
  std::string name;
  int64_t budget = 0;
  std::vector<ScenarioOp> ops;  // in schedule order; the return is not among them
  std::vector<int32_t> returned;
};

struct ScenarioResult {
  std::vector<int32_t> evictions;  // ops whose results left L1, in the order in which that was decided
  std::vector<int32_t> demoted;    // ops whose results went to DRAM at once
  bool fails = false;
  std::string diagnostic;  // when it fails
  SpillOutcome outcome;
};

// With the compiler's settings: farthest last use, out right after the definition, a tenth of the budget above circular
// buffers.
ScenarioResult runScenario(const SpillScenario& scenario);

}  // namespace tessera
