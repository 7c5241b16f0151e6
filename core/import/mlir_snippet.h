#pragma once
// Single attributes and types given as MLIR text, as graph JSON holds them.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/graph.h"

namespace tessera {

// Nothing when the text is not exactly one attribute; `why` then says what is wrong.
std::optional<AttrValue> parseMlirAttr(std::string_view text, std::string& why);
// Nothing when the text is not exactly one type.
std::optional<ValueType> parseMlirType(std::string_view text, std::string& why);
// Texts of the elements of an array attribute; empty when the text is none.
std::vector<std::string> splitMlirArray(std::string_view text);

}  // namespace tessera
