// LIBS: tessera_cli
// Options as JSON and in the compiler's spelling, overrides, factors on times, programs of matmuls: read or refused.
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/analysis/layout_overrides.h"
#include "core/cli/pipeline_options.h"
#include "core/driver/options.h"
#include "core/driver/run_request.h"
#include "core/ops/table/op_config.h"
#include "core/support/check.h"
#include "tests/fuzz/text_mutator.h"

using namespace tessera;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  SourceBuffer source("options", text);
  Diagnostics diags;
  const JsonDocument document = parseRequest(source, diags);
  if (!diags.hasErrors()) {
    Options options;
    readOptions(options, document.root(), diags);
    options.resolved();
  }
  Diagnostics more;
  parseLayoutOverrides(text, more);
  Options options;
  parsePipelineOptions(text, options, more);
  TimeFactors factors{};
  parseCalibration(text, factors);
  parseMatmulProgram(text);
  parseActBlockH(text);
  for (const Diagnostic& diagnostic : more.all()) renderDiagnostic(diagnostic, source);
  return 0;
}
