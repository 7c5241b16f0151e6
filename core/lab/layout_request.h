#pragma once
// JSON of the page or of a file -> LabRequest. Every field is checked; what cannot be taken is a problem that names
// field and rule.

#include <vector>

#include "core/lab/layout_json.h"
#include "core/support/json_value.h"

namespace tessera {

LabRequest readLabRequest(JsonValue object, std::vector<LabProblem>& problems);

}  // namespace tessera
