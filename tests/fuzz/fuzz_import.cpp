// LIBS: tessera_driver
// Any bytes as a graph, MLIR or JSON: read or refused; what is read keeps the rules and can be written and read.
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/driver/session.h"
#include "core/import/graph_json.h"
#include "core/ir/verify.h"
#include "core/support/check.h"
#include "tests/fuzz/text_mutator.h"

using namespace tessera;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const LoadedGraph loaded = loadGraph("fuzz", text);
  for (const Diagnostic& diagnostic : loaded.diagnostics.all()) renderDiagnostic(diagnostic, loaded.source);
  if (!loaded.graph || loaded.diagnostics.hasErrors()) return 0;
  TESSERA_CHECK(verifyGraph(*loaded.graph).empty(), "what was read breaks a rule of graphs");
  Diagnostics diags;
  SourceBuffer json("json", exportGraphJson(*loaded.graph));
  TESSERA_CHECK(importGraphJson(json, diags).has_value(), "a graph written as JSON is not read");
  return 0;
}
