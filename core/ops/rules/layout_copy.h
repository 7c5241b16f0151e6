#pragma once
// The copies that plans insert between layouts.

#include "core/ops/table/op_query.h"

namespace tessera {

// Circular buffers of `ttnn.to_layout` from one layout to another, bytes per core.
Bytes layoutCopyBuffers(const TensorLayout& from, const TensorLayout& to, const Shape& shape);

}  // namespace tessera
