#pragma once
// Descriptions of a system, as the runtime's `query` writes them: the compiler reads its device from one
// (tt-mlir docs/src/ttrt.md; include/ttmlir/Target/Common/system_desc.fbs).

#include <string>

#include "core/driver/options.h"

namespace tessera {

inline constexpr std::string_view kSystemDescOption = "system-desc-path";

// Takes the chip and its grid from the file: JSON, or MLIR text with `#ttcore.system_desc`. Says what was done with it;
// a file that cannot be understood (the runtime's own is binary) changes nothing.
std::string takeSystemDesc(const std::string& path, Options& options);

}  // namespace tessera
