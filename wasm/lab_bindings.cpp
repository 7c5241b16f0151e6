// The layout lab's own module: it needs layouts only, and the page's engine none of the lab's drawing of elements. Kept
// apart, so that neither page loads what it does not use.

#include <emscripten/bind.h>

#include "core/driver/api.h"

EMSCRIPTEN_BINDINGS(tessera_lab) {
  emscripten::function("catalog", &tessera::apiLabCatalog);
  emscripten::function("layout", &tessera::apiLayout);
}
