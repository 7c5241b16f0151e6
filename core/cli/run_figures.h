#pragma once
// What is stated about the runs of every graph (scripts/soak), without the rest of their reports.

#include <string>

#include "core/driver/session.h"

namespace tessera {

// `requestJson`: {"runs":[{options}, ...],"execute":true,"written":true}. With "execute" every run's plan is executed
// as well, on the graph made small (docs/execution.md); with "written" its program is written as MLIR, read again and
// run as it is written. The answer is {"runs":[...],"problem": why there are no more, "" else}. A run:
// {"problem": the first mistake, "" without one, "policy", "time", "planTime", "dramBytes", "peakL1", "allowedL1",
//  "failures", "refused", "order", "defects":[text],
//  "exact":{"time", "bound", "proven", "cutOps", "plans":[[policy, time, fits]]},
//  "execution":"equal ...", "written":"same"}
// Times in ns, "peakL1" and "allowedL1" in bytes per core; "planTime": of the plan as policies see it, before the
// passes that follow on it, -1: not to be carried out. "order": equal for equal orders of the ops. "exact",
// "execution" and "written" are null where there is none.
// "written": "same" figures, "refused: ..." where the compiler's verifier would stop, else what is "DIFFERENT".
std::string runFigures(Session& session, const std::string& text, const std::string& requestJson);

}  // namespace tessera
