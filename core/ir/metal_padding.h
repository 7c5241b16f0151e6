#pragma once
// Which places of a metal layout hold no element (tensor-layout.md, "Padding").

#include <cstdint>
#include <vector>

#include "core/ir/metal_address.h"

namespace tessera {

// Places of one grid position, in scalars.
struct ShardPadding {
  std::vector<int64_t> gridIndex;
  int64_t stored = 0;    // places of the shard, tile padding included
  int64_t elements = 0;  // that hold an element of the tensor
  int64_t padding() const { return stored - elements; }
};
// One entry per grid position, row-major. Maps in which a dim is in two results are counted element by element; more
// than kMaxCounted elements (or grid positions) are refused with MapTooLarge.
inline constexpr int64_t kMaxCounted = int64_t{1} << 24;
Result<std::vector<ShardPadding>, LayoutDefect> countPadding(const MetalPlacement& placement);

}  // namespace tessera
