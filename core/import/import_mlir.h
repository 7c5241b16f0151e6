#pragma once
// MLIR text to Graph. The tree must outlive the call only; the graph owns everything it holds.

#include <optional>

#include "core/ir/graph.h"
#include "core/support/diagnostics.h"
#include "core/support/source.h"
#include "core/text/syntax.h"

namespace tessera {

// More ops than this are refused (TooManyOps).
inline constexpr size_t kMaxGraphOps = 1'000'000;

struct ImportOptions {
  // Bytes of a constant's text up to which the graph keeps its numbers.
  size_t longestConstant = AttrValue::kMaxInlineConstant;
};

// Reports every mistake it finds; nothing when there was one, be it in the text itself. Modules are flattened: the
// graph takes name and attributes of the module that holds the first function, and the functions of all of them. Ops
// without a function around them become the function `main`. Unknown ops stay as opaque ops, with one warning per name.
std::optional<Graph> importGraph(const text::SyntaxTree& tree, const SourceBuffer& source, Diagnostics& diags,
                                 const ImportOptions& options = {});

}  // namespace tessera
