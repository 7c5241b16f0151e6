#pragma once
// All that is told of one run, as a line of fingerprints: which answer changed is seen in it.

#include "core/driver/api.h"
#include "core/driver/session.h"
#include "tests/pinned.h"

namespace tessera::test {

inline std::string pinnedAnswers(Session& session, const std::string& text, const std::string& options) {
  std::string line = "run " + digits(apiRun(session, text, options));
  for (const char* what : {"trace-events", "decision-trace", "certificate", "plan", "overrides", "model-explorer"})
    line += std::string(" ") + what + " " + digits(apiExport(session, text, options, what));
  line += " passes " + digits(apiPasses(session, text, options));
  line += " problem " + digits(apiProblem(session, text, options));
  line += " regret " + digits(apiRegret(session, text, options));
  line += " compare " + digits(apiCompare(session, text, "{\"runs\":[{\"policy\":\"DRAM\"}," + options + "]}"));
  return line;
}

}  // namespace tessera::test
