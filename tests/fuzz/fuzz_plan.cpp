// LIBS: tessera_driver
// Any bytes as a plan for a small graph: whatever it says, it is carried out or refused, and there is a report.
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/driver/pipeline.h"
#include "core/support/check.h"
#include "tests/fuzz/text_mutator.h"

using namespace tessera;

namespace {

constexpr const char* kGraph =
    "func.func @main(%a: tensor<256x256xbf16>, %b: tensor<256x256xbf16>) -> tensor<256x256xbf16> {\n"
    "  %0 = \"ttir.matmul\"(%a, %b) <{transpose_a = false, transpose_b = false}> : (tensor<256x256xbf16>, "
    "tensor<256x256xbf16>) -> tensor<256x256xbf16>\n"
    "  %1 = \"ttir.add\"(%0, %b) : (tensor<256x256xbf16>, tensor<256x256xbf16>) -> tensor<256x256xbf16>\n"
    "  return %1 : tensor<256x256xbf16>\n}\n";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  SourceBuffer source("plan", std::string(reinterpret_cast<const char*>(data), size));
  Diagnostics diags;
  const JsonDocument document = JsonDocument::parse(source, diags);
  if (diags.hasErrors()) return 0;
  static Session session;
  session.load("graph", kGraph);
  auto finished = prepareRun(session, Options(), {});
  runPlan(*finished, document.root());
  TESSERA_CHECK(finished->report.run.has_value(), "no run");
  TESSERA_CHECK(finished->report.run->defects.empty(), "a plan from outside breaks our own rules");
  TESSERA_CHECK(!reportJson(finished->report).empty(), "no report");
  return 0;
}
