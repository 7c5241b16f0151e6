#pragma once
// Names of the library's device programs -> ops of the table.

#include <string_view>

#include "core/ops/table/op_table.h"

namespace tessera {

// By the program's name and, for element-wise ones, the function that its attributes name; Opaque when it is unknown.
// A function that the compiler has no op for is taken as one of the same kind (comparison, selection).
OpKind profiledKind(std::string_view name, std::string_view attributes);

}  // namespace tessera
