#pragma once
// Layout attributes that do not describe their tensor. The compiler does not check them against it, so dumps hold some:
// a shard that was left behind when the tensor became larger, a map of another rank.

#include <optional>
#include <string_view>
#include <vector>

#include "core/ir/tensor_layout.h"

namespace tessera {

// A sound layout of the tensor that agrees with the attribute's body as far as it can: element type, page layout,
// buffer, and kind and grid of the shards when they are legal. Nothing when the text is no layout at all.
std::optional<TensorLayout> nearestTtnnLayout(std::string_view body, const std::vector<int64_t>& shape);

}  // namespace tessera
