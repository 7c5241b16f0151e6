#pragma once
// A plan from outside beside the proven optimum of the same graph: which ops lose most, and what to tell the compiler
// about each.

#include <string>
#include <vector>

#include "core/report/report.h"

namespace tessera {

struct LostOp {
  std::string name;     // of its first result, "%12"
  std::string label;    // of its location
  std::string op;       // "ttnn.conv2d"
  int64_t written = 0;  // nanoseconds of the op and of the moves before it
  int64_t optimum = 0;  // likewise
  std::string writtenLayout, optimumLayout;
  std::vector<std::string> overrides;  // that make the compiler do what the optimum does
};

// The ops on which the first run takes longer, the worst first. Moves count with the op that reads what they make.
std::vector<LostOp> lostOps(const RunOutcome& written, const RunOutcome& optimum);

// What "proven" covers, for a time below the bound of the policy Exact; "" when it is not below.
std::string outsideText(int64_t time, int64_t bound);

}  // namespace tessera
