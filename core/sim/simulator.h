#pragma once
// The device simulator: runs a laid-out graph step by step as the runtime would. Tensors are allocated top-down in L1 and
// bottom-up in DRAM, circular buffers bottom-up in L1 for the length of one op; time is integer nanoseconds.

#include <string>
#include <vector>

#include "core/analysis/schedule.h"
#include "core/ops/op_model.h"

namespace tessera {

enum class DeviceMemory { L1, Dram };
enum class EventKind { Alloc, Free, OutOfMemory, Clash };

// What happened to memory, in order. `bytes` is per core or per bank, as allocated (rounded to the granule).
struct SimEvent {
  int32_t step = 0;  // -1: before the first op (arguments)
  EventKind kind = EventKind::Alloc;
  ValueId value;     // none for a clash
  DeviceMemory space = DeviceMemory::L1;
  int64_t address = 0;
  int64_t bytes = 0;
};

// A lifetime at an address, both steps included.
struct SimBuffer {
  ValueId value;
  DeviceMemory space = DeviceMemory::L1;
  int64_t address = 0;
  int64_t bytes = 0;
  int32_t from = 0;
  int32_t to = 0;
};

enum class RunVerdict { Fine, OutOfMemory, Clash };

struct SimStep {
  OpId op;
  OpTime time;
  Bytes tensorsL1;          // allocated by tensors while the op runs
  Bytes circularBuffersL1;  // from the first usable address upwards
  int64_t lowestTensor = 0; // lowest address that a tensor has in L1 while the op runs
  RunVerdict verdict = RunVerdict::Fine;
  std::string verdictText;  // as the runtime would word it
};

struct SimResult {
  std::vector<SimStep> steps;
  std::vector<SimEvent> events;
  std::vector<SimBuffer> buffers;  // in order of allocation
  Nanoseconds time;
  int64_t dramBytes = 0;           // moved, whole device
  Bytes peakL1;                    // tensors and circular buffers together
  int32_t peakStep = -1;
  int64_t peakDramPerBank = 0;
  int32_t failures = 0;            // steps with a verdict
};

// Every tensor value of the forward function must have a layout. A buffer that finds no room is left out (its step gets the
// verdict) and the run goes on, so that all failures of a plan are seen at once.
// `configs`: settings of ops beyond the layouts on their types, by op; ops without an entry (inserted ones) have none.
SimResult simulate(const Graph& graph, const OpModel& model, const IdVec<OpId, OpConfig>& configs = {});

}  // namespace tessera
