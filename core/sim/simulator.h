#pragma once
// The device simulator: runs a laid-out graph step by step as the runtime would (tt-metal memory/allocator.md). Every
// memory has one free list for all of its banks. Tensors are allocated top-down in L1 and bottom-up in DRAM, circular
// buffers bottom-up in L1 for the length of one op. Views and ops that write in place share their operand's buffer.
// Time is integer nanoseconds.

#include <string>
#include <vector>

#include "core/analysis/schedule.h"
#include "core/ops/model/op_model.h"

namespace tessera {

// L1Small is the region that is cut from the top of L1 when the device is opened (tt-metal dev_mem_map.h).
enum class DeviceMemory { L1, L1Small, Dram };
inline constexpr DeviceMemory kDeviceMemories[] = {DeviceMemory::L1, DeviceMemory::L1Small, DeviceMemory::Dram};

// Of a step, in this order: allocations (intermediates, then results; between them an operand that the op itself
// frees), Run, Clash if the circular buffers hit a tensor, releases. Before the first op: the arguments.
enum class EventKind { Alloc, Alias, Free, OutOfMemory, Run, Clash };

// What happened to memory, in order. `bytes` is per core or per bank, as allocated (rounded to the granule).
struct SimEvent {
  int32_t step = 0;  // -1: before the first op (arguments)
  EventKind kind = EventKind::Alloc;
  ValueId value;  // none for intermediates, Run and Clash
  DeviceMemory space = DeviceMemory::L1;
  int64_t address = 0;
  int64_t bytes = 0;
  int32_t buffer = -1;  // Alloc, Alias and Free: index in SimResult::buffers
};

// A live range at an address, both steps included. A buffer is live until the last of its aliases is dead.
struct SimBuffer {
  ValueId value;          // none for an intermediate
  std::string_view name;  // of an intermediate ("halo")
  DeviceMemory space = DeviceMemory::L1;
  int64_t address = 0;
  int64_t bytes = 0;
  int32_t from = 0;
  int32_t to = 0;
  int32_t aliasOf = -1;  // index of the buffer that this value shares; -1: has its own
};

// One that no tensor backs, where it lies in every core's L1.
struct SimCircularBuffer {
  std::string_view name;
  int64_t address = 0;
  int64_t bytes = 0;
};

// What the allocator of a memory would report.
struct MemoryUse {
  int64_t used = 0;  // per bank
  int64_t free = 0;
  int64_t largestHole = 0;
  // 0: what is free is one hole. (1 - largest / free) in thousandths.
  int64_t fragmentationPermille() const { return free > 0 ? 1000 - largestHole * 1000 / free : 0; }
};

// UseAfterFree: an operand was deallocated before (by a deallocate op, or by a convolution that frees its activation).
enum class RunVerdict { Fine, UseAfterFree, OutOfMemory, Clash };

// What takes the longest; Fixed when the launch takes longer than that, None for ops without device time.
enum class Bound { None, Fixed, Compute, Dram, Noc };
std::string_view boundName(Bound bound);  // "compute"

struct SimStep {
  OpId op;
  OpTime time;
  Bound bound = Bound::None;
  OpConstraints constraints;  // the op model's answer for it
  Bytes tensorsL1;            // allocated by tensors and intermediates while the op runs
  Bytes circularBuffersL1;    // from the first usable address upwards
  std::vector<SimCircularBuffer> circularBuffers;
  std::vector<CircularBuffer> backedBuffers;  // those that lie in a tensor
  OpRule rule;                                // of the op model
  int64_t lowestTensor = 0;                   // lowest address that a tensor has in L1 while the op runs
  MemoryUse l1, dram;                         // while the op runs; circular buffers are not the allocator's
  ValueId freedOperand;                       // which the op itself frees before its results are allocated
  // The layout that the op writes where that is not the one of its type; this one is allocated.
  std::optional<TensorLayout> produced;
  // Why the op model refuses the op as it stands, "" when it does not. The device library would not run it: its time
  // and bytes are those of a program that does not exist, 0 where nothing can be worked out.
  std::string refusal;
  RunVerdict verdict = RunVerdict::Fine;
  std::string verdictText;  // as the runtime would word it
};

// Who frees tensors. AfterLastUse: what is read for the last time is freed, as the compiler's ttnn-deallocate pass
// would write it: but not what the function returns, weights, caches and what arrives in L1, which are the caller's,
// what was computed when the model was loaded, and what is written in place. ByTheProgram: deallocate ops alone; what
// they do not name lives to the end.
enum class Freeing { AfterLastUse, ByTheProgram };

struct SimResult {
  Freeing freeing = Freeing::AfterLastUse;
  std::vector<SimStep> steps;
  std::vector<SimEvent> events;
  std::vector<SimBuffer> buffers;  // in order of allocation
  Nanoseconds time;
  int64_t dramBytes = 0;  // moved, whole device
  Bytes peakL1;           // tensors and circular buffers together
  int32_t peakStep = -1;
  int64_t peakL1Small = 0;  // per core
  int64_t peakDramPerBank = 0;
  int32_t refused = 0;   // steps with a refusal
  int32_t failures = 0;  // steps with a verdict, and arguments without room
};

// Every tensor value of the forward function must have a layout. A buffer that finds no room is left out (its step gets
// the verdict) and the run goes on, so that all failures of a plan are seen at once. A value is freed by an explicit
// deallocate op if it has one, else as `freeing` says. `configs`: settings of ops
// beyond the layouts on their types, by op; ops without an entry (inserted ones) have none.
SimResult simulate(const Graph& graph, const OpModel& model, L1Budget& budget,
                   const IdVec<OpId, OpConfig>& configs = {}, Freeing freeing = Freeing::AfterLastUse);
SimResult simulate(const Graph& graph, const OpModel& model, Bytes budget, const IdVec<OpId, OpConfig>& configs = {},
                   Freeing freeing = Freeing::AfterLastUse);

// Does the forward function have deallocate ops?
bool deallocates(const Graph& graph);
// Results of ops whose memory is still taken at the end of a run that the program frees, although nothing returns or
// keeps them: in program order.
std::vector<ValueId> neverFreed(const Graph& graph, const SimResult& sim);

}  // namespace tessera
