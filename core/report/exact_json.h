#pragma once
// What policy Exact proved, as JSON (docs/schema/exact.schema.json, docs/schema/regret.schema.json).

#include "core/plan/exact_trace.h"
#include "core/support/json_writer.h"

namespace tessera {

// {"time", "lowerBound", "gapPpm", "proven", "layoutOptimum", "source", "method", "size", "baselines", "bounds"}
void writeExact(JsonWriter& w, const ExactTrace& trace);

// Per op what forcing each layout costs: {"layouts": [text], "ops": [{"name", "op", "best", "present", "regret",
// "candidateRegret", "choices": [[layout, regret], ..]}]}. `name` is the first result ("%12"); regrets in ns, -1:
// impossible.
void writeRegrets(JsonWriter& w, const Graph& graph, const std::vector<ExactTrace::OpRegrets>& ops);

}  // namespace tessera
