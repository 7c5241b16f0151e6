// LIBS: tessera_cli
// Any bytes as a study to compare with: read or refused.
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/study/study_rows.h"
#include "tests/fuzz/text_mutator.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  tessera::readStudy("fuzz", std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
