#pragma once
// A whole file as the printer writes its parts.

#include <string>

#include "core/text/syntax.h"

namespace tessera::text {

// A whole file in canonical form.
inline std::string printText(const SyntaxTree& tree) {
  std::string text;
  for (const AliasDef& alias : tree.aliases)
    text += (alias.isType ? "!" : "#") + std::string(alias.name) + " = " +
            (alias.isType ? printType(tree, alias.type) : printAttr(tree, alias.attr)) + "\n";
  for (OpNodeId top : tree.topLevel) text += printOp(tree, top, true);
  return tree.fileMetadata.empty() ? text : text + std::string(tree.fileMetadata) + "\n";
}

}  // namespace tessera::text
