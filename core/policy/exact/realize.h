#pragma once
// From an assignment of the layout model to a plan whose tensors all find addresses in L1. Where the assignment leaves too little
// room, the op runs another way or something leaves L1; every deviation is noted.

#include "core/policy/exact/layout_model.h"
#include "core/policy/propagate/propagate_options.h"

namespace tessera {

struct RealizeOptions {
  VictimRule victim = VictimRule::CostPerByte;
  bool preferOtherWays = true;  // try other ways of the op before anything leaves L1
  const L1Prices* prices = nullptr;  // that the assignment was made for
};

struct Realized {
  Plan plan;
  bool fits = true;                // everything found its place
  std::vector<OpId> otherWay;      // ops that do not run as the assignment has it
  std::vector<ValueId> evicted;
};

Realized realize(const LayoutModel& model, const std::vector<int>& values, const RealizeOptions& options, std::string_view policyName);

}  // namespace tessera
