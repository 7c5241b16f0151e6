#pragma once
// Text around the module of a file that was cut out of a log: lines of a logger, rules of dashes.

#include <string_view>

#include "core/support/source.h"

namespace tessera::text {

// The lines of MLIR. All of the text when it starts with MLIR, or holds none.
Span findModuleText(std::string_view text);

}  // namespace tessera::text
