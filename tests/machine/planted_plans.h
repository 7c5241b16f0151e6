#pragma once
// Faults of a policy's plan, and of carrying it out.

#include "tests/machine/planted_subjects.h"

namespace tessera::test {

inline void readInstead(Subject& s, std::string_view reader, size_t operand, std::string_view value) {
  s.applied.graph.ops.edit(s.producer(reader)).operands[operand] = s.value(value);
}

inline std::vector<Fault> planFaults() {
  const auto in = [](std::string_view what, void (*plant)(Subject&)) {
    return Fault{Planted::Plan, what, pressedSubject, plant};
  };
  return {
      in("a shard one tile too high", [](Subject& s) { s.plan.layout[s.value("3")]->shardRows += 1; }),
      in("a shard one tile too low", [](Subject& s) { s.plan.layout[s.value("3")]->shardRows -= 1; }),
      in("a column of cores too few for the shards", [](Subject& s) { s.plan.layout[s.value("3")]->grid.cols = 1; }),
      in("a copy whose shard is a tile too wide", [](Subject& s) { s.plan.reshards[0].to.shardCols += 1; }),
      in("a spilled copy with another shard", [](Subject& s) { s.plan.spills[0].to.shardRows += 1; }),
      in("a value without a layout", [](Subject& s) { s.plan.layout[s.value("4")].reset(); }),
      in("an argument planned elsewhere than it arrives",
         [](Subject& s) { s.plan.layout[s.value("a")] = *s.plan.layout[s.value("3")]; }),
      in("an op left out of the order", [](Subject& s) { s.plan.order.erase(s.plan.order.begin() + 3); }),
      in("an op before the one it reads from",
         [](Subject& s) {
           auto at = [&](std::string_view name) {
             return std::find(s.plan.order.begin(), s.plan.order.end(), s.producer(name));
           };
           std::iter_swap(at("3"), at("4"));
         }),
      in("an op configured for another layout than its result has",
         [](Subject& s) { s.plan.config[s.producer("3")].output = *s.plan.layout[s.value("2")]; }),
      in("what must leave L1 stays", [](Subject& s) { s.plan.spills.erase(s.plan.spills.begin()); }),
      in("the wrong value leaves L1", [](Subject& s) { s.plan.spills[0].value = s.value("1"); }),
      in("a value leaves L1 after its last reader", [](Subject& s) { s.plan.spills[0].before = s.plan.order.back(); }),
      in("a value leaves L1 before it is made", [](Subject& s) { s.plan.spills[0].before = s.plan.order.front(); }),
      in("what is returned stays in L1", [](Subject& s) { s.plan.spills.pop_back(); }),
      in("a copy for the wrong operand", [](Subject& s) { s.plan.reshards[0].operand += 1; }),
      in("a copy to where the value is", [](Subject& s) { s.plan.reshards[0].to = s.plan.spills[0].to; }),
      in("a result in L1 without room",
         [](Subject& s) {
           const ValueId value = s.value("6");
           s.plan.layout[value] = s.plan.config[s.producer("6")].output = *s.plan.layout[s.value("5")];
         }),
  };
}

// The plan is sound and the graph made of it is not; the run is the one of the sound graph.
inline std::vector<Fault> appliedFaults() {
  const auto in = [](std::string_view what, void (*plant)(Subject&)) {
    return Fault{Planted::AppliedGraph, what, pressedSubject, plant};
  };
  return {
      in("the reload is missing: what left L1 is read there", [](Subject& s) { readInstead(s, "3", 0, "0"); }),
      in("the reload takes stale data, an older tensor of the same shape",
         [](Subject& s) { readInstead(s, "8", 1, "7"); }),
      in("another value is moved out of L1 than the plan says", [](Subject& s) { readInstead(s, "v3_spill", 0, "4"); }),
      in("two operands swapped",
         [](Subject& s) {
           std::vector<ValueId>& operands = s.applied.graph.ops.edit(s.producer("4")).operands;
           std::swap(operands[0], operands[1]);
         }),
  };
}

}  // namespace tessera::test
