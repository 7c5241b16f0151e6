#pragma once

#include <cstdint>

namespace tessera {

// What the pass generation is asked (seed 001).
struct PropagateOptions {
  int32_t beamWidth = 8;
};

}  // namespace tessera
