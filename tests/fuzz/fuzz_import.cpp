// LIBS: tessera_driver
// Any bytes as a graph, MLIR or JSON: read or refused; what is read keeps the rules and can be written and read.
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/driver/session.h"
#include "core/import/graph_json.h"
#include "core/ir/verify.h"
#include "core/support/check.h"

using namespace tessera;

namespace {

// MLIR takes any text in quotes as the name of an unknown op; graph JSON takes "dialect.name" only.
bool fitsJson(const Graph& graph) {
  for (const Op& op : graph.ops) {
    const size_t dot = op.name.find('.');
    if (dot == 0 || dot == std::string::npos || op.name.back() == '.') return false;
    for (char c : op.name) {
      if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '.' && c != '$' && c != '-')
        return false;
    }
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const LoadedGraph loaded = loadGraph("fuzz", text);
  for (const Diagnostic& diagnostic : loaded.diagnostics.all()) renderDiagnostic(diagnostic, loaded.source);
  if (!loaded.graph || loaded.diagnostics.hasErrors()) return 0;
  TESSERA_CHECK(verifyGraph(*loaded.graph).empty(), "what was read breaks a rule of graphs");
  if (!fitsJson(*loaded.graph)) return 0;
  Diagnostics diags;
  SourceBuffer json("json", exportGraphJson(*loaded.graph));
  TESSERA_CHECK(importGraphJson(json, diags).has_value(), "a graph written as JSON is not read");
  return 0;
}
