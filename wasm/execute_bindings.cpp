// Plans executed on simulated memory: a module of its own, which the page loads when a plan is executed.

#include <emscripten/bind.h>

#include "core/driver/api.h"
#include "core/driver/session.h"

namespace {

std::string executePlan(const std::string& text, const std::string& optionsJson) {
  tessera::Session session;
  return tessera::apiExecutePlan(session, text, optionsJson);
}

}  // namespace

EMSCRIPTEN_BINDINGS(tessera_execute) { emscripten::function("executePlan", &executePlan); }
