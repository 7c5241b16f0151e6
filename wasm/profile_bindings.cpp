// Profiles of the device beside a run: a module of its own, which the page loads with the first profile.

#include <emscripten/bind.h>

#include "core/driver/api.h"

EMSCRIPTEN_BINDINGS(tessera_profile) { emscripten::function("profile", &tessera::apiProfile); }
