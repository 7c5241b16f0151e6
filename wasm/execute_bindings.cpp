// What executes graphs: the check of the passes, and plans on simulated memory. A module of its own, which the page
// loads when one of them is asked for.

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
