#pragma once
// Options of the compiler's pipelines, as they stand in --ttir-to-ttnn-backend-pipeline="name=value name=value"
// (docs/rules/lowering.md#pipeline-options; tt-mlir TTNNPipelines.h). Those that `tessera run` has too keep their name;
// the rest is in the table of the .cpp.

#include <string_view>
#include <vector>

#include "core/driver/options.h"

namespace tessera {

struct PipelineOptionInfo {
  std::string_view name;
  std::string_view expected;  // what its value may be
  std::string_view why;       // it has no effect; empty when it has one
};
// All of them but those of `tessera run` (allOptions).
std::vector<PipelineOptionInfo> pipelineOptions();

// optimization-level 0: no optimizer, everything in DRAM.
Options pipelineDefaults();

// Sets what `text` says; false after reporting UnknownOption or BadOption.
bool parsePipelineOptions(std::string_view text, Options& options, Diagnostics& diags);

}  // namespace tessera
