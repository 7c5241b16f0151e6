#pragma once
// A decision trace as the page draws it (described by web/src/model/beam_trace.ts): layouts listed once, evaluations
// that differ in nothing but their inputs taken together, and for each entry of a beam which entries of the operands'
// beams it comes from. Small where the compiler's file (decision_trace_json.h) is large; made from our own runs and
// from files alike.

#include <functional>

#include "core/plan/propagation_trace.h"
#include "core/support/json_writer.h"

namespace tessera {

// Pointers of the beams, as far as a trace alone says them: an entry's evaluation is the one with its layout and score,
// an input comes from the producer's entry of that layout, and the chosen entries follow from the last op backwards and
// from the forks.
std::vector<TracedBeam> inferBeams(const DecisionTrace& trace);

// `beams`: by op of the forward pass. `rowOf`: row of the op at an index of the schedule, -1 for none.
void writeBeamTrace(JsonWriter& w, const DecisionTrace& trace, const std::vector<TracedBeam>& beams,
                    const std::function<int64_t(int64_t)>& rowOf);

}  // namespace tessera
