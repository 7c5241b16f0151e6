// The functions the page calls. Strings in, one JSON string out; no logic here, see core/driver/api.h.
// A failed TESSERA_CHECK aborts the instance: the worker reports it and is replaced.

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include "core/driver/api.h"
#include "core/driver/session.h"

namespace {

// Of the module: what its calls keep for each other.
tessera::Session& session() {
  static tessera::Session kept;
  return kept;
}

// A report has megabytes; Embind's own conversion looks at each byte of it in JavaScript.
emscripten::val toJavaScript(const std::string& utf8) {
  static const emscripten::val decoder = emscripten::val::global("TextDecoder").new_();
  const auto* bytes = reinterpret_cast<const uint8_t*>(utf8.data());
  return decoder.call<emscripten::val>("decode", emscripten::val(emscripten::typed_memory_view(utf8.size(), bytes)));
}

template <auto Call, typename... Texts>
emscripten::val inSession(Texts... texts) {
  return toJavaScript(Call(session(), texts...));
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
}
