#pragma once
// Why tensors are not in L1 where they could be, value by value. The causes are those of
// docs/rules/pass-generation.md#what-it-replaces.

#include <optional>
#include <string>
#include <vector>

#include "core/report/report.h"

namespace tessera {

// A value counts once, under the first cause that holds, in this order.
enum class LossCause {
  Constraint,    // every reader, or the op that makes it, refuses it in L1
  Memory,        // L1 was full
  Fork,          // several readers, and the policy keeps a tensor for one only
  Operand0,      // its reader would take it from L1, but as another operand than the first
  ChainFailure,  // its reader would take it as the first operand; the chain ended or failed
  Choice,        // the policy prefers it in DRAM
  Return,        // the function returns it from DRAM, and nothing else kept it from L1
};
inline constexpr size_t kLossCauses = 7;
inline constexpr size_t kAvoidableCauses = 6;     // all but Return: no policy may leave a result in L1
std::string_view lossCauseName(LossCause cause);  // "constraint"

struct Loss {
  ValueId value;
  LossCause cause = LossCause::Constraint;
  bool wasInL1 = false;                   // false: it was made in DRAM
  OpId op;                                // before which it leaves L1; the op that makes it, when it never was there
  std::optional<TensorLayout> candidate;  // its place in L1 that is asked about; none: none is legal
};

// Moves out of L1 in schedule order, copies for single operands, then results that never were there; returns last.
std::vector<Loss> findLosses(const RunOutcome& run);

// What makes a loss one of its cause. Steps are rows of the run.
struct LossFigures {
  int32_t step = -1;        // of the move out of L1, or of the op that makes the value
  int32_t opStep = -1;      // of Loss::op
  int32_t lastStep = -1;    // of the last reader
  int32_t readers = 0;      // operands that read it; the return of the function is no reader
  int32_t takers = 0;       // of them: those for which the op model accepts it in L1, the other operands in DRAM
  int32_t takersFirst = 0;  // of these: those that read it as their first operand
  Bytes bytes;              // per core, of the candidate
  Bytes free;               // L1 that nothing takes while Loss::op runs
  Bytes leastFree;          // the least of that from there to the last reader, and where
  int32_t leastFreeStep = -1;
  std::string refusedBy;  // the op that refuses it in L1: of the readers the first one, or the one that makes it
  std::string refusal;    // with which words
};
// `rows`: rowsOf(run).
LossFigures lossFigures(const RunOutcome& run, const Loss& loss, const IdVec<OpId, int32_t>& rows);
// Row of each op of the applied graph; -1: it is not run.
IdVec<OpId, int32_t> rowsOf(const RunOutcome& run);

// Where the results of decided ops lie.
struct ResultPlaces {
  int64_t inL1 = 0;
  int64_t sharded = 0;  // of them
  int64_t inDram = 0;
};
ResultPlaces countResults(const RunOutcome& run);
// Cores that compute, mean over the ops that compute, in tenths.
int64_t meanCoresTenths(const SimResult& sim);
// Part of `whole` that `used` leaves, in thousandths.
int64_t headroomPermille(Bytes used, Bytes whole);

}  // namespace tessera
