#pragma once

#include <cstdint>

namespace tessera {

// What the exact policy is asked.
struct ExactOptions {
  int64_t maxSteps = 0;  // work budget of the search beyond dynamic programming; 0: the default
};

}  // namespace tessera
