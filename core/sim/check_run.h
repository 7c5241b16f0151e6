#pragma once
// checkRun: recounts a run from its events alone and holds it against the graph. Shares no code with the simulator or its
// allocator: it keeps nothing but a list of what is allocated where.

#include <string>
#include <vector>

#include "core/sim/simulator.h"

namespace tessera {

enum class RunRule {
  StepsDiffer,        // not one step per op of the forward function
  Overlap,            // two buffers share an address at the same time
  OutOfRange,         // a buffer outside of the memory it belongs to, or not aligned
  WrongSize,          // not the bytes its layout has
  UseOfFreed,         // an op reads a value that is not allocated (and did not fail to be)
  FreeOfNothing,
  Leak,               // a dead value is still allocated, or a result is gone at the end
  BuffersDiffer,      // the list of buffers is not what the events say
  PeakDiffers,
  MissedClash,        // circular buffers reach a tensor and no verdict says so, or the other way round
  VerdictDiffers,     // a step's verdict is not what its events say
  TotalsDiffer,
};
std::string_view runRuleName(RunRule rule);

struct RunDefect {
  RunRule rule;
  std::string text;
};

std::vector<RunDefect> checkRun(const Graph& graph, const SimResult& run, const DeviceSpec& device);

}  // namespace tessera
