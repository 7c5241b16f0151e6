#pragma once
// The run of a report: its schedule row by row, with the tensors, buffers, decisions and events it speaks of.

#include "core/report/report.h"

namespace tessera {

// The value of "run"; the report has one.
void writeRun(JsonWriter& w, const Report& report);

}  // namespace tessera
