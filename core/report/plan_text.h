#pragma once
// A run as text.

#include "core/report/report.h"

namespace tessera {

// Plan text and a summary line; the golden format.
//   --  time 412000 ns  dram 21400000 B  peak L1 1188000/1396448 at step 12  spills 1  reloads 0  reshards 2
//   returns 1  failures 0
std::string planText(const RunOutcome& run);
// One line: L1 by the runtime's first fit beside planned addresses.
//   --  L1 addresses  first fit 1188000 B  planned 1180000 B (local search)  bound 1180000 B  fragmentation 8000 B
std::string placementText(const RunOutcome& run);
// One line about what spilling costs, where a strategy was asked for; else "".
std::string spillingText(const RunOutcome& run);

}  // namespace tessera
