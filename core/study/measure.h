#pragma once
// One run of a study, from the session's last source to what is kept of it.

#include "core/driver/options.h"
#include "core/driver/session.h"
#include "core/study/kept_run.h"

namespace tessera {

struct MeasureRequest {
  Options options;               // with the policy
  JsonValue plan;                // carried out in place of the policy's, where there is one
  bool withOps = false;          // lines of ops.csv
  int64_t (*clock)() = nullptr;  // microseconds
};

// All but the memory it took.
KeptRun measureRun(Session& session, const MeasureRequest& request);

}  // namespace tessera
