#pragma once
// Positions of elements, with one interface for both kinds of layout that the layout lab draws. Three spaces of
// scalars:
//   logical    the tensor as the program sees it, any rank
//   physical   the collapsed tensor: what the grid divides
//   stored     what one position of the grid (a core, or a DRAM bank) holds, padding included

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/ir/metal_address.h"
#include "core/ir/ttnn_address.h"

namespace tessera {

// Why a position holds no element; negative numbers in the answer.
enum class Padding : int64_t { StrideGap = -1, BeyondTensor = -2, TileRounding = -3 };

struct LabPlace {
  int64_t element = 0;   // row-major number of the element in the logical tensor, or a Padding
  int64_t position = 0;  // of the grid, row-major
  int64_t bits = -1;     // from the start of what the position stores; -1 for padding
};

struct LabCore {
  int64_t device = 0;
  CoreCoord core;
};

class LabPlacement {
 public:
  virtual ~LabPlacement() = default;

  const Shape& shape() const { return shape_; }
  const std::vector<int64_t>& physical() const { return physical_; }
  const std::vector<int64_t>& stored() const { return stored_; }
  int64_t positions() const { return positions_; }
  int64_t unitBytes() const { return unitBytes_; }  // of a tile, or of a scalar
  int64_t valueBits() const { return valueBits_; }
  Bytes bytesPerPosition() const { return bytes_; }

  virtual std::vector<int64_t> physicalIndex(const std::vector<int64_t>& index) const = 0;
  // Index of a scalar within stored().
  virtual std::vector<int64_t> localIndex(const std::vector<int64_t>& index) const = 0;
  virtual LabPlace atIndex(const std::vector<int64_t>& index) const = 0;
  virtual LabPlace atPhysical(const std::vector<int64_t>& place) const = 0;
  virtual LabPlace atStored(int64_t position, const std::vector<int64_t>& local) const = 0;
  // The element at a byte; nothing for padding, a defect for what is no value.
  virtual Result<std::optional<std::vector<int64_t>>, LayoutDefect> find(int64_t position, int64_t offset,
                                                                         int32_t bit) const = 0;
  virtual LabCore coreOf(int64_t position) const = 0;
  virtual std::vector<int64_t> gridIndex(int64_t position) const = 0;
  // Elements on each position; empty when counting would take too long.
  virtual std::vector<int64_t> elementCounts() const = 0;

  int64_t numberOf(const std::vector<int64_t>& index) const;

 protected:
  Shape shape_;
  std::vector<int64_t> physical_;
  std::vector<int64_t> stored_;
  int64_t positions_ = 1;
  int64_t unitBytes_ = 0;
  int64_t valueBits_ = 0;
  Bytes bytes_;
};

// Positions beyond this number are neither listed nor counted one by one.
inline constexpr int64_t kMaxListedPositions = 4096;

Result<std::unique_ptr<LabPlacement>, LayoutDefect> placeMetal(const Shape& shape, const MetalLayout& layout,
                                                               const MetalTarget& target);
Result<std::unique_ptr<LabPlacement>, LayoutDefect> placeTtnn(const Shape& shape, const TensorLayout& layout,
                                                              const DeviceSpec& device);

}  // namespace tessera
