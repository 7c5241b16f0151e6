#pragma once

#include "tests/pinned_model.h"

namespace tessera::test {

// Of all tests of this program.
inline PinnedFile& modelPins = PinnedFile::named("pinned_models");

}  // namespace tessera::test
