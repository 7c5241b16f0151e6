#include "core/support/check.h"

#include <cstdio>
#include <cstdlib>

namespace tessera {

void checkFailed(const char* file, int line, const char* condition, const char* why) {
  std::fprintf(stderr, "%s:%d: check failed: %s: %s\n", file, line, condition, why);
  std::abort();
}

}  // namespace tessera
