#pragma once
// Pass 2, the sweep: goes through the steps with the addresses that tensors take in L1, and when something does not fit
// decides what leaves (docs/rules/pass-generation.md#spill-management; tt-mlir Analysis/L1SpillManagement.cpp). It
// knows ops only through SpillModel, so that the compiler's own scenarios can be put to it as well as a graph.

#include <cstdint>
#include <string>
#include <vector>

#include "core/policy/kit/l1_contents.h"
#include "core/policy/propagate/propagate_options.h"

namespace tessera {

// Tensors by number; steps from 0.
using SpillTensor = int32_t;

// Where an op puts its result, from the best location downwards.
enum class ResultLocation : uint8_t {
  Planned,  // as pass 1 wants it
  L1Interleaved,
  Dram,
  AllDram,  // operands read from DRAM as well: the last resort
};

enum class Residency : uint8_t {
  Nowhere,
  InL1,
  InDram,
  CopiedBack,  // in DRAM, but this reader gets a copy where the tensor was
};

struct SpillTensorInfo {
  int32_t def = -1;          // step; -1: there from the start, may not leave
  int32_t lastUse = -1;      // last step that reads it; its own when nobody does. The return of the function is no step
  int32_t lifetimeEnd = -1;  // as lastUse, but the return counts
  bool evictable = true;
};

// What a step does under the conditions asked for.
struct SpillAnswer {
  OpStatus status = OpStatus::Success;
  Refusal reason = Refusal::None;
  std::vector<L1Move> moves;
  Bytes result;  // L1 bytes per core of the result, own or shared; 0: it is elsewhere
  Bytes circularBuffers;
  Bytes needed = {}, available = {};  // figures of the refusal
};

class SpillModel {
 public:
  virtual ~SpillModel() = default;
  virtual int32_t steps() const = 0;
  virtual const std::vector<SpillTensorInfo>& tensors() const = 0;
  // Tensors that the step reads, each once; tensors that it makes (the first is the one that is decided).
  virtual const std::vector<SpillTensor>& reads(int32_t step) const = 0;
  virtual const std::vector<SpillTensor>& makes(int32_t step) const = 0;
  // Bytes of what is in L1 from the start, by tensor; -1: not in L1.
  virtual int64_t initialBytes(SpillTensor tensor) const = 0;
  // May the step run with its result there, with its operands where they are (`residency`), with `live` bytes taken by
  // all tensors in L1?
  virtual SpillAnswer ask(int32_t step, ResultLocation location, const std::vector<Residency>& residency,
                          Bytes live) = 0;
  // The places below Planned that the step's result may be tried in, in order; the step keeps the last answer it was
  // asked for.
  virtual const std::vector<ResultLocation>& fallbacks(int32_t step) const = 0;
  // The step is done as last asked.
  virtual void commit(int32_t step) = 0;
  // What reading the tensor from DRAM from `step` on costs (for VictimRule::CostPerByte).
  virtual int64_t evictionCost(SpillTensor tensor, int32_t step) const = 0;
  // First step after or at `step` that reads it; steps() when there is none.
  virtual int32_t nextUse(SpillTensor tensor, int32_t step) const = 0;
};

struct SpillSettings {
  int64_t begin = 0;  // L1 addresses that tensors may take
  int64_t end = 0;
  int64_t granule = 32;
  int64_t cushion = 0;  // kept free above circular buffers
  VictimRule victim = VictimRule::LongestLifetime;
  bool late = true;
  // Early: readers between the definition and the step that wanted the room get copies in L1, as the compiler inserts
  // them; else they read DRAM where they can.
  bool copyBack = false;
  bool selfMayLeave = true;  // the new result competes with the others; else it goes only when nobody else can
};

enum class SpillAction : uint8_t { Evict, Demote, EvictAll, Fail };

struct SpillEvent {
  int32_t step = 0;
  SpillAction action = SpillAction::Evict;
  SpillTensor tensor = -1;  // the victim, or the result that is demoted
  ResultLocation to = ResultLocation::Dram;
  Refusal reason = Refusal::None;
  int64_t occupiedBefore = 0;  // bytes of tensors in L1
  int64_t occupiedAfter = 0;
  int64_t needed = 0;                  // what the op wanted: result and circular buffers
  int64_t refused = 0, available = 0;  // figures of the refusal, as OpVerdict has them; 0 when decided ahead
};

// Away from L1 from before step `from` to before step `until`; -1: for good.
struct SpillAbsence {
  SpillTensor tensor = -1;
  int32_t from = 0;
  int32_t until = -1;
};

struct SpillOutcome {
  std::vector<int32_t> evictedAt;        // by tensor: before this step it leaves L1 (for good); -1: never
  std::vector<SpillAbsence> absences;    // that ended
  std::vector<ResultLocation> location;  // by step
  std::vector<SpillEvent> events;
  std::vector<int32_t> failed;  // steps that cannot be placed
  int32_t rewinds = 0;
  bool rewindsExhausted = false;  // the limit on rewinds was reached
  int64_t finalOccupied = 0;
  int32_t finalLive = 0;
};

// What is decided before the sweep (spill_search.h); empty: nothing.
struct SpillChoice {
  std::vector<bool> startsInDram;      // by tensor: made in DRAM, whatever room there is
  std::vector<int32_t> evictBefore;    // by tensor: the step before which it leaves; -1: stays
  std::vector<SpillAbsence> absences;  // without one that ends if the sweep goes back (not `late`)
};

SpillOutcome sweepSpills(SpillModel& model, const SpillSettings& settings, const SpillChoice& chosen = {});

}  // namespace tessera
