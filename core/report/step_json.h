#pragma once
// The members of a row of the report that say what the simulator found at its step.

#include "core/sim/simulator.h"
#include "core/support/json_writer.h"

namespace tessera {

// "time", "bound", "dramBytes", "nocBytes", "constraints", "l1", "dram", "circularBuffers",
// "backedBuffers", "rule", "refusal", "verdict" of the open object.
void writeStep(JsonWriter& w, const SimStep& step);

// "use_after_free", "out_of_memory", "clash"; "fine".
const char* runVerdictName(RunVerdict verdict);

}  // namespace tessera
