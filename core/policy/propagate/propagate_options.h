#pragma once

#include <cstdint>
#include <limits>

#include "core/policy/kit/victim_rule.h"
#include "core/support/enum_table.h"

namespace tessera {

// What makes one path through the beam better than another (docs/rules/pass-generation.md#scoring).
enum class BeamScore : uint8_t {
  Cores,     // most cores at the narrowest op of the path, then fewest reshards
  Upstream,  // the compiler's six fields of the op alone (tt-mlir Analysis/MemoryLayoutPropagation.cpp)
  Time,      // accumulated time of ops and reshards
  First,     // the first that works: in L1 without reshard, in L1 with one, in DRAM; what Greedy takes
};
// First has no row: it is policy Greedy's and cannot be asked for.
inline constexpr EnumRow<BeamScore> kBeamScores[] = {
    {BeamScore::Cores, "cores", "Cores, then reshards"},
    {BeamScore::Upstream, "upstream", "The compiler's six fields"},
    {BeamScore::Time, "time", "Time"},
};

// Which entry wins when the consumers of a value want it in different layouts.
enum class ForkRule : uint8_t { ReshardCost, MostConsumers };
inline constexpr EnumRow<ForkRule> kForkRules[] = {
    {ForkRule::ReshardCost, "reshard-cost", "Least reshard cost"},
    {ForkRule::MostConsumers, "most-consumers", "Most agreeing consumers"},
};

// When the victim leaves L1; the value says whether late (PropagateOptions::lateSpill).
inline constexpr EnumRow<bool> kSpillPoints[] = {
    {true, "late", "Right before the room is needed"},
    {false, "early", "Right after it was made"},
};

// How it is decided what leaves L1: by the policy's own rule, step by step; else ahead of the sweep, by a heuristic or
// by the certified optimum of spilling.
enum class SpillStrategy : uint8_t { Policy, FarthestLastUse, FarthestNextUse, CostAware, Certified };
inline constexpr EnumRow<SpillStrategy> kSpillStrategies[] = {
    {SpillStrategy::Policy, "policy", "As the policy goes"},
    {SpillStrategy::FarthestLastUse, "farthest-last-use", "Farthest last use"},
    {SpillStrategy::FarthestNextUse, "farthest-next-use", "Farthest next use"},
    {SpillStrategy::CostAware, "cost-aware", "Most bytes and time per cost"},
    {SpillStrategy::Certified, "certified", "Certified optimum"},
};

// What narrows the layouts tried for each op; the value says whether rule books (PropagateOptions::ruleBooks).
inline constexpr EnumRow<bool> kOpRules[] = {
    {false, "op-model", "What the op model takes"},
    {true, "rule-books", "The compiler's rule books"},
};

// What the compiler's tracker that adds up sizes keeps free, in thousandths of usable L1 (tt-mlir
// lib/Dialect/TTNN/Analysis/L1SpillManagement.cpp @ 19c86fca).
inline constexpr int32_t kSumTrackerCushion = 100;

// What the pass generation is asked (docs/rules/pass-generation.md).
struct PropagateOptions {
  int32_t beamWidth = 8;                                         // K; Greedy is K = 1
  int32_t mostPerOperand = std::numeric_limits<int32_t>::max();  // entries of an operand that are tried
  BeamScore score = BeamScore::Cores;
  ForkRule fork = ForkRule::ReshardCost;
  VictimRule victim = VictimRule::LongestLifetime;
  bool lateSpill = true;  // a victim leaves L1 right before the op that needs the room, not right after it was made
  int32_t cushionPermille = 0;  // of usable L1, kept free between circular buffers and tensors by pass 2
  bool spillSearch = false;     // choose what stays in L1 by dynamic programming over live sets
  SpillStrategy strategy = SpillStrategy::Policy;  // of every policy that fills L1
  bool ruleBooks = false;        // the compiler's per-op filters and output hints (tt-mlir Analysis/OpRules)
  bool keepCandidates = true;    // the beams say which configs were tried, for the decision log
  bool keepEvaluations = false;  // the trace lists every evaluation; costs memory
  bool keepSpillProof = false;   // the log keeps the certified spilling and its problem
  friend bool operator==(const PropagateOptions&, const PropagateOptions&) = default;
};

}  // namespace tessera
