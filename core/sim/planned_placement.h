#pragma once
// Where the buffers of a run could have lain in L1: the same lifetimes and sizes, with addresses planned ahead of time
// (core/solve/addresses/address_solver.h) instead of given out first come, first served. The difference is
// fragmentation, which a sum of bytes does not show. The greatest sum of bytes alive at a time bounds both from below,
// whatever the addresses.

#include <string>
#include <string_view>
#include <vector>

#include "core/sim/simulator.h"

namespace tessera {

// Bytes per core, counted from the top of L1 down to the lowest address that a tensor ever has. Circular buffers are
// left out: they grow from the other end.
struct PlannedPlacement {
  int64_t firstFit = 0;     // as the runtime's allocator did it
  int64_t planned = 0;      // never more
  int64_t bound = 0;        // no addresses take less
  std::string_view method;  // what found them: "runtime" when nothing better was, "portfolio", "local search", "search"
  std::vector<int64_t> addresses;  // by SimResult::buffers; -1: not in L1. A view has its owner's
  int64_t fragmentation() const { return firstFit - planned; }
  bool proven() const { return planned == bound; }
};

// Deterministic, of bounded effort (about ten milliseconds); what is left out of a run for want of room is left out
// here too.
PlannedPlacement planPlacement(const SimResult& run, const DeviceSpec& device);

// Replays the run's events with the planned addresses and says what is wrong with them or with the figures. Empty:
// nothing.
std::vector<std::string> checkPlacement(const SimResult& run, const PlannedPlacement& placement,
                                        const DeviceSpec& device);

}  // namespace tessera
