// The functions the page calls. Strings in, one JSON string out; no logic here, see core/driver/api.h.
// A failed TESSERA_CHECK aborts the instance: the worker reports it and is replaced.

#include <emscripten/bind.h>

#include "core/driver/api.h"

EMSCRIPTEN_BINDINGS(tessera) {
  emscripten::function("version", &tessera::apiVersion);
  emscripten::function("catalog", &tessera::apiCatalog);
  emscripten::function("lint", &tessera::apiLint);
  emscripten::function("run", &tessera::apiRun);
  emscripten::function("compare", &tessera::apiCompare);
  emscripten::function("passes", &tessera::apiPasses);
  emscripten::function("regret", &tessera::apiRegret);
  emscripten::function("decisionTrace", &tessera::apiDecisionTrace);
  emscripten::function("export", &tessera::apiExport);
  emscripten::function("checkPasses", &tessera::apiCheckPasses);
}
