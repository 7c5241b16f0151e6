#pragma once

#include <cstdint>

namespace tessera {

// Options of the exact policy.
struct ExactOptions {
  int64_t maxSteps = 0;      // work of pricing L1, in table cells; 0: the default
  int32_t rounds = 60;       // of pricing L1; 0: layouts alone are optimised, then made to fit
  bool certificate = false;  // the trace holds a certificate
};

}  // namespace tessera
