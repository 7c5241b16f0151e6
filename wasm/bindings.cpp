// The functions the page calls. Strings in, one JSON string out; no logic here, see core/driver/api.h.
// A failed TESSERA_CHECK aborts the instance: the worker reports it and is replaced.

#include <emscripten/bind.h>

#include "core/driver/api.h"
#include "core/driver/session.h"

namespace {

// Of the module: what its calls keep for each other.
tessera::Session& session() {
  static tessera::Session kept;
  return kept;
}

template <auto Call, typename... Texts>
std::string inSession(Texts... texts) {
  return Call(session(), texts...);
}

using Text = std::string;

}  // namespace

EMSCRIPTEN_BINDINGS(tessera) {
  emscripten::function("version", &tessera::apiVersion);
  emscripten::function("catalog", &tessera::apiCatalog);
  emscripten::function("lint", &inSession<&tessera::apiLint, Text>);
  emscripten::function("run", &inSession<&tessera::apiRun, Text, Text>);
  emscripten::function("compare", &inSession<&tessera::apiCompare, Text, Text>);
  emscripten::function("passes", &inSession<&tessera::apiPasses, Text, Text>);
  emscripten::function("regret", &inSession<&tessera::apiRegret, Text, Text>);
  emscripten::function("decisionTrace", &tessera::apiDecisionTrace);
  emscripten::function("export", &inSession<&tessera::apiExport, Text, Text, Text>);
  emscripten::function("problem", &inSession<&tessera::apiProblem, Text, Text>);
  emscripten::function("logFeed", &inSession<&tessera::apiLogFeed, Text>);
  emscripten::function("logEnd", &inSession<&tessera::apiLogEnd>);
  emscripten::function("logDump", &tessera::apiLogDump);
  emscripten::function("checkPasses", &inSession<&tessera::apiCheckPasses, Text, Text>);
}
