#pragma once

#include <cstdint>

namespace tessera {

// What makes one path through the beam better than another (seed 001, scoring).
enum class BeamScore : uint8_t {
  Cores,     // most cores at the narrowest op of the path, then fewest reshards
  Upstream,  // the compiler's six fields of the op alone (compiler reference 1.5)
  Time,      // accumulated time of ops and reshards
  First,     // the first that works: in L1 without reshard, in L1 with one, in DRAM; what Greedy takes
};
// Who decides when the consumers of a value want it in different layouts.
enum class ForkRule : uint8_t { ReshardCost, MostConsumers };
// Which tensor leaves L1 when it is full.
enum class VictimRule : uint8_t { LongestLifetime, FarthestLastUse, FarthestNextUse, CostPerByte };

// Who decides what leaves L1: the policy as it goes, with its own rule; else one decision ahead, by a rule of thumb or by the
// certified optimum of spilling.
enum class SpillStrategy : uint8_t { Policy, FarthestLastUse, FarthestNextUse, CostAware, Certified };

// What the pass generation is asked (seed 001).
struct PropagateOptions {
  int32_t beamWidth = 8;                             // K; Greedy is K = 1
  BeamScore score = BeamScore::Cores;
  ForkRule fork = ForkRule::ReshardCost;
  VictimRule victim = VictimRule::LongestLifetime;
  bool lateSpill = true;        // a victim leaves L1 right before the op that needs the room, not right after it was made
  bool spillSearch = false;     // choose what stays in L1 by dynamic programming over live sets
  SpillStrategy strategy = SpillStrategy::Policy;  // of every policy that fills L1
  bool ruleBooks = false;       // the compiler's per-op filters and output hints (compiler reference 1.6)
  bool keepLooked = true;       // the beams say which configs were tried, for the decision log
  bool keepEvaluations = false; // the trace lists every evaluation; costs memory
  friend bool operator==(const PropagateOptions&, const PropagateOptions&) = default;
};

}  // namespace tessera
