#pragma once
// What a log of the compiler's passes holds, as JSON: docs/schema/pass_log.schema.json.

#include <string>

#include "core/text/pass_log.h"

namespace tessera {

std::string passLogJson(const PassLogText& log);
std::string_view dumpMomentName(DumpMoment moment);  // "after"

}  // namespace tessera
