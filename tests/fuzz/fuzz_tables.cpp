// LIBS: tessera_cli
// Any bytes as a profile of the device and as instances of the solvers: read or refused with a reason.
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/driver/api.h"
#include "core/instances/iopddl.h"
#include "core/instances/minimalloc.h"
#include "core/support/check.h"
#include "tests/fuzz/text_mutator.h"

using namespace tessera;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  TESSERA_CHECK(!apiProfile(text, "").empty(), "no answer about a profile");
  const SourceBuffer source("fuzz", text);
  Diagnostics iopddl, minimalloc;
  TESSERA_CHECK(readIopddl(source, iopddl).has_value() != iopddl.hasErrors(), "refused without a reason");
  const auto problem = readMinimalloc(source, 1000, minimalloc);
  TESSERA_CHECK(problem.has_value() != minimalloc.hasErrors(), "refused without a reason");
  if (problem) TESSERA_CHECK(loadBound(*problem) >= 0, "the load does not fit 64 bits");
  return 0;
}
