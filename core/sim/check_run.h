#pragma once
// checkRun: recounts a run from its events alone and holds it against the graph. Shares no code with the simulator or
// its allocator: it keeps nothing but what is allocated where, and the gaps between. Takes n log n for n events.

#include <string>
#include <vector>

#include "core/sim/simulator.h"

namespace tessera {

enum class RunRule {
  StepsDiffer,  // not one step per op of the forward function, or events out of the order of a step
  Overlap,      // two buffers share an address at the same time
  OutOfRange,   // a buffer outside of the memory it belongs to, or not aligned
  WrongSize,    // not the bytes its layout has, or a layout its op cannot have produced
  NotAView,     // a value shares a buffer that its op may not share
  UseOfFreed,   // an op reads a value that is not allocated (and did not fail to be)
  FreeOfNothing,
  Leak,           // a dead value or an intermediate is still allocated, or a result is not allocated at the end
  FreedByNobody,  // an operand is freed early by an op that is not a convolution with that setting
  BuffersDiffer,  // the list of buffers is not what the events say
  PeakDiffers,
  StatisticsDiffer,       // free bytes, largest hole or lowest tensor of a step
  CircularBuffersDiffer,  // not one after the other from the base, or not what the step says
  MissedClash,            // circular buffers reach a tensor without a verdict, or a verdict without that
  VerdictDiffers,         // a step's verdict is not what its events say
  TotalsDiffer,
};
std::string_view runRuleName(RunRule rule);

struct RunDefect {
  RunRule rule;
  std::string text;
};

std::vector<RunDefect> checkRun(const Graph& graph, const SimResult& run, const DeviceSpec& device);

}  // namespace tessera
