#pragma once
// A graph from MLIR text.

#include "core/import/import_mlir.h"

namespace tessera {

inline std::optional<Graph> importMlirText(const SourceBuffer& source, Diagnostics& diags,
                                           const ImportOptions& options = {}) {
  return importGraph(text::parseText(source, diags), source, diags, options);
}

}  // namespace tessera
