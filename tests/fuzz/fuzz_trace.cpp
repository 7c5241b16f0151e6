// LIBS: tessera_driver
// Any bytes as a decision trace of the compiler: told or refused.
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/driver/api.h"
#include "core/support/check.h"
#include "tests/fuzz/text_mutator.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string answer = tessera::apiDecisionTrace(std::string(reinterpret_cast<const char*>(data), size));
  TESSERA_CHECK(!answer.empty() && answer.front() == '{', "no answer");
  return 0;
}
