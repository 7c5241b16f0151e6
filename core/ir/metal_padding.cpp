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

// Runs of padding along the innermost axis, for maps whose axes depend on each other.
Result<std::vector<PaddingBox>, LayoutDefect> boxesByScan(const MetalPlacement& placement,
                                                          const std::vector<int64_t>& gridIndex,
                                                          const std::vector<int64_t>& stored) {
  if (product(stored) > kMaxCounted)
    return tooLarge("a shard of " + std::to_string(product(stored)) + " places is not searched for padding");
  std::vector<PaddingBox> boxes;
  std::vector<int64_t> local(stored.size());
  bool open = false;
  do {
    if (local.back() == 0) open = false;
    const bool padding = !placement.elementAtLocal(gridIndex, local).has_value();
    if (padding && open) {
      ++boxes.back().end.back();
    } else if (padding) {
      if (boxes.size() >= kMaxBoxes)
        return tooLarge("the padding has more than " + std::to_string(kMaxBoxes) + " boxes");
      PaddingBox box{local, local};
      for (int64_t& end : box.end) ++end;
      boxes.push_back(std::move(box));
    }
    open = padding;
  } while (advance(local, stored));
  return boxes;
}

}  // namespace

int64_t PaddingBox::volume() const {
  int64_t volume = 1;
  for (size_t i = 0; i < begin.size(); ++i) volume *= end[i] - begin[i];
  return volume;
}

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

Result<std::vector<PaddingBox>, LayoutDefect> paddingBoxes(const MetalPlacement& placement,
                                                           const std::vector<int64_t>& gridIndex) {
  const std::vector<int64_t> stored = metalStoredShard(placement.layout());
  if (gridIndex.size() != stored.size())
    return LayoutDefect{LayoutRule::RankMismatch, "the grid has " + std::to_string(stored.size()) + " dims"};
  for (size_t axis = 0; axis < stored.size(); ++axis) {
    if (gridIndex[axis] < 0 || gridIndex[axis] >= placement.layout().grid[axis])
      return LayoutDefect{LayoutRule::IndexOutOfBounds, "no such grid position"};
  }
  if (!placement.inverse().separable) return boxesByScan(placement, gridIndex, stored);

  using Run = LinearInverse::Run;
  // Boxes of data on the axes done so far; the axes to come are still whole.
  std::vector<PaddingBox> data = {{std::vector<int64_t>(stored.size(), 0), stored}};
  std::vector<PaddingBox> padding;
  for (size_t axis = 0; axis < stored.size(); ++axis) {
    const int64_t base = gridIndex[axis] * placement.scalarShard()[axis];
    const std::vector<Run> runs =
        placement.inverse().occupiedRuns(axis, base, base + placement.scalarShard()[axis], kMaxBoxes + 1);
    std::vector<PaddingBox> next;
    for (const PaddingBox& box : data) {
      int64_t free = 0;
      for (size_t i = 0; i <= runs.size(); ++i) {
        const int64_t runBegin = i < runs.size() ? runs[i].begin - base : stored[axis];
        const int64_t runEnd = i < runs.size() ? runs[i].end - base : stored[axis];
        PaddingBox part = box;
        part.begin[axis] = free;
        part.end[axis] = runBegin;
        if (free < runBegin) padding.push_back(part);
        part.begin[axis] = runBegin;
        part.end[axis] = runEnd;
        if (runBegin < runEnd) next.push_back(part);
        free = runEnd;
        if (padding.size() > kMaxBoxes || next.size() > kMaxBoxes)
          return tooLarge("the padding has more than " + std::to_string(kMaxBoxes) + " boxes");
      }
    }
    data = std::move(next);
  }
  return padding;
}

}  // namespace tessera
