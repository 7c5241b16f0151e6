// What executes graphs, in the module tessera_full: the check of the passes, and plans on simulated memory.

#include <emscripten/bind.h>

#include "core/driver/api.h"
#include "core/driver/session.h"

namespace {

std::string checkPasses(const std::string& text, const std::string& optionsJson) {
  tessera::Session session;
  return tessera::apiCheckPasses(session, text, optionsJson);
}

std::string executePlan(const std::string& text, const std::string& optionsJson) {
  tessera::Session session;
  return tessera::apiExecutePlan(session, text, optionsJson);
}

}  // namespace

EMSCRIPTEN_BINDINGS(tessera_execute) {
  emscripten::function("checkPasses", &checkPasses);
  emscripten::function("executePlan", &executePlan);
}
