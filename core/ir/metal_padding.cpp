#include "core/ir/metal_padding.h"

#include <algorithm>

namespace tessera {
namespace {

LayoutDefect tooLarge(const std::string& what) { return LayoutDefect{LayoutRule::MapTooLarge, what}; }

int64_t product(const std::vector<int64_t>& dims) {
  int64_t volume = 1;
  for (int64_t dim : dims) volume *= dim;
  return volume;
}

// Next index in row-major order; false after the last.
bool advance(std::vector<int64_t>& index, const std::vector<int64_t>& extent) {
  for (size_t i = index.size(); i-- > 0;) {
    if (++index[i] < extent[i]) return true;
    index[i] = 0;
  }
  return false;
}

// Elements of a grid position when the axes are independent: the product of what each axis holds.
int64_t elementsBySeparation(const MetalPlacement& placement, const std::vector<int64_t>& gridIndex) {
  int64_t elements = 1;
  for (size_t axis = 0; axis < gridIndex.size(); ++axis) {
    const int64_t begin = gridIndex[axis] * placement.scalarShard()[axis];
    elements *= placement.inverse().occupiedBelow(axis, begin + placement.scalarShard()[axis]) -
                placement.inverse().occupiedBelow(axis, begin);
  }
  return elements;
}

}  // namespace

Result<std::vector<ShardPadding>, LayoutDefect> countPadding(const MetalPlacement& placement) {
  const int64_t positions = placement.gridVolume();
  if (positions > kMaxCounted) return tooLarge("a grid of " + std::to_string(positions) + " positions is not counted");
  const int64_t stored = product(metalStoredShard(placement.layout()));
  std::vector<ShardPadding> result;
  for (int64_t at = 0; at < positions; ++at)
    result.push_back({.gridIndex = placement.gridIndexOf(at), .stored = stored});
  if (placement.inverse().separable) {
    for (ShardPadding& shard : result) shard.elements = elementsBySeparation(placement, shard.gridIndex);
    return result;
  }
  const Shape& shape = placement.shape();
  const std::optional<int64_t> elements = elementCount(shape);
  if (!elements || *elements > kMaxCounted)
    return tooLarge("tensor " + shapeText(shape) + " has too many elements to count one by one");
  std::vector<int64_t> index(shape.size());
  do {
    const std::vector<int64_t> physical = *placement.physicalIndex(index);
    int64_t position = 0;
    for (size_t axis = 0; axis < physical.size(); ++axis)
      position = position * placement.layout().grid[axis] + physical[axis] / placement.scalarShard()[axis];
    ++result[static_cast<size_t>(position)].elements;
  } while (advance(index, shape));
  return result;
}

}  // namespace tessera
