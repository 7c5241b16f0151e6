#pragma once
// The members of a run in the report that speak of it as a whole. Each function writes its key and value into the open
// object.

#include "core/report/report.h"

namespace tessera {

void writeTotals(JsonWriter& w, const RunOutcome& run, size_t chains);
void writeSpilling(JsonWriter& w, const RunOutcome& run);  // nothing unless a strategy was asked for
void writePlacement(JsonWriter& w, const PlannedPlacement& placement);
void writeWarnings(JsonWriter& w, const RunOutcome& run);
void writeDefects(JsonWriter& w, const RunOutcome& run);

}  // namespace tessera
