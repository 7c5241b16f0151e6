#pragma once
// Graph JSON, version 1: docs/graph-json.md.

#include <optional>
#include <string>
#include <string_view>

#include "core/ir/graph.h"
#include "core/support/diagnostics.h"
#include "core/support/source.h"

namespace tessera {

inline constexpr int64_t kGraphJsonVersion = 1;

// The first character that is no white space (or byte order mark) is `{`; no MLIR file starts so.
bool looksLikeJson(std::string_view text);

// Reports every mistake with its place and path; nothing when there was one.
std::optional<Graph> importGraphJson(const SourceBuffer& source, Diagnostics& diags);

// importGraphJson(exportGraphJson(g)) is the same graph (sameGraph).
std::string exportGraphJson(const Graph& graph);

}  // namespace tessera
