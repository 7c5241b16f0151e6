#pragma once
// The text of `#ttnn.conv2d_config<name = value, ...>`: fields are read and set, the rest stays as it is.

#include <string>
#include <string_view>

namespace tessera {

// The value of a field as written; "" when it is not set.
std::string conv2dConfigField(std::string_view config, std::string_view name);

// With the field set, in the place that the compiler prints it in (tt-mlir TTNNOpsAttrs.td). `config` may be empty.
std::string withConv2dConfigField(std::string_view config, std::string_view name, std::string_view value);

}  // namespace tessera
