#pragma once
// A plan in the compiler's own override options, to paste behind ttmlir-opt (tt-mlir Utils/PassOverrides.cpp).

#include <string>

#include "core/report/report.h"

namespace tessera {

// A line each: `override-output-layout=` with the results that the plan does not leave in DRAM, and
// `insert-memreconfig=` with the operands that it converts. Ops are named by their location; those without one, or with
// one that another op has too, cannot be named and are left out. Empty when nothing is to be said.
std::string overrideText(const RunOutcome& run);

}  // namespace tessera
