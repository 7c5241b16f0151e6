#pragma once
// For calls that take a Diagnostics where a test expects none.

#include "core/support/diagnostics.h"

namespace tessera {

inline Diagnostics& noDiagnostics() {
  static Diagnostics diagnostics;
  return diagnostics;
}

}  // namespace tessera
