#pragma once
// What the optimum would have done: the layouts of one run, op by op, beside those of the proven optimum (policy
// Exact).

#include <string>

#include "core/driver/pipeline.h"

namespace tessera {

// Of a run of the session that got through. {"schema", "policy", "time": of the run, "optimum": of layout selection or
// null, "lowerBound", "exact": the best plan that fits and its bound, L1 counted; "regrets": see report/exact_json.h}.
std::string regretJson(Session& session, const FinishedRun& finished);

// The layout model of a problem in the format of another solver: "wcsp", "lp", or
// "joint-lp" (with the L1 budget as a constraint of every step). Empty for any other kind. `note` says what a person
// should know about it.
std::string exportModel(Session& session, const FinishedRun& finished, std::string_view kind, std::string& note);

}  // namespace tessera
