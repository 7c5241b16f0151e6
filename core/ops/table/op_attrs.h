#pragma once
// Inherent attributes of ops by their definitions (op_attrs.def): what type each has, and which default it has when
// nobody says it.

#include <string_view>
#include <vector>

namespace tessera {

struct OpAttr {
  std::string_view name;
  std::string_view type;          // "si32", "array<i32>", "i32|array<i32>"
  std::string_view defaultValue;  // without its type; "" when there is none
};

// Of "ttnn.matmul", sorted by name; empty when nothing is known.
std::vector<OpAttr> opAttributes(std::string_view op);

}  // namespace tessera
