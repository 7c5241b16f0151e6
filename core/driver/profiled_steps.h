#pragma once
// The steps of a run as a profile of the device is matched with them.

#include <vector>

#include "core/profile/profile.h"
#include "core/report/report.h"
#include "core/support/json_value.h"

namespace tessera {

std::vector<ProfiledStep> profiledSteps(const RunOutcome& run);
// Of a request's "steps" (core/driver/api.h); what is missing or of another kind is 0 or empty.
std::vector<ProfiledStep> profiledSteps(JsonValue steps);

}  // namespace tessera
