#pragma once
// Where each element of a tensor with a metal layout lies: device, core, byte; and back (tensor-layout.md,
// "Multi-core", "Multi-device").

#include <cstdint>
#include <optional>
#include <vector>

#include "core/ir/linear_inverse.h"
#include "core/ir/metal_layout.h"

namespace tessera {

// What the virtual grid is laid onto. The outermost `deviceDims` dims of the grid choose the device, the others the
// core.
struct MetalTarget {
  GridShape cores{8, 8};
  int32_t deviceDims = 0;
  int64_t devices = 1;
};

// (grid index) -> (device, row, column). A rest of the grid of rank 2 that fits the cores is taken as it is; any other
// one of a volume that fits is laid out row after row: 1x64 onto 8x8 is (d0, d1) -> (0, d1 floordiv 8, d1 mod 8).
// Defects: GridBeyondDevice, RankMismatch, EmptyGrid.
Result<AffineMap, LayoutDefect> virtualToPhysicalMap(const std::vector<int64_t>& grid, const MetalTarget& target);

struct MetalAddress {
  int64_t device = 0;
  CoreCoord core;
  std::vector<int64_t> gridIndex;  // virtual
  std::vector<int64_t> unit;       // index in the memref: of the tile, or of the scalar
  int64_t offset = 0;              // bytes from the start of the shard
  int32_t bit = 0;  // block formats of less than a byte per value: first bit within the byte, counted from the low end
  friend bool operator==(const MetalAddress&, const MetalAddress&) = default;
};

// Answers many questions about one layout; make it once. Element sizes in bits: block formats keep their exponents at
// the start of the tile, the values after them.
class MetalPlacement {
 public:
  static Result<MetalPlacement, LayoutDefect> make(const Shape& shape, const MetalLayout& layout,
                                                   const MetalTarget& target = {});

  // Collapsed index of an element. IndexOutOfBounds when `index` is not one of the tensor.
  Result<std::vector<int64_t>, LayoutDefect> physicalIndex(const std::vector<int64_t>& index) const;
  Result<MetalAddress, LayoutDefect> address(const std::vector<int64_t>& index) const;
  // The element stored there. Nothing for padding; IndexOutOfBounds for a place outside every shard, or between two
  // values.
  Result<std::optional<std::vector<int64_t>>, LayoutDefect> elementAt(int64_t device, CoreCoord core, int64_t offset,
                                                                      int32_t bit = 0) const;
  // The element at `local`, a scalar index in the stored shard of grid position `gridIndex`; nothing for padding.
  std::optional<std::vector<int64_t>> elementAtLocal(const std::vector<int64_t>& gridIndex,
                                                     const std::vector<int64_t>& local) const;

  const Shape& shape() const { return shape_; }
  const MetalLayout& layout() const { return layout_; }
  const LinearInverse& inverse() const { return inverse_; }
  const std::vector<int64_t>& scalarShard() const { return scalarShard_; }  // before rounding up to tiles
  int64_t gridVolume() const;
  std::vector<int64_t> gridIndexOf(int64_t linear) const;  // row-major over the virtual grid

 private:
  MetalPlacement() = default;
  int64_t bitOffset(const std::vector<int64_t>& local) const;

  Shape shape_;
  MetalLayout layout_;
  MetalTarget target_;
  LinearInverse inverse_;
  AffineMap toPhysical_;
  std::vector<int64_t> scalarShard_;
  std::vector<int64_t> stored_;  // scalars per dim of the padded shard
};

}  // namespace tessera
