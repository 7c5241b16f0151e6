#pragma once
// Where each element of a TTNN tensor lies: bank, page, byte; and back (tensor-layout.md, "TTNN Tensor Layout";
// tt-metal tensor_layouts.md, memory/allocator.md).

#include <cstdint>
#include <optional>
#include <vector>

#include "core/device/device_spec.h"
#include "core/ir/tensor_layout.h"

namespace tessera {

struct TtnnAddress {
  // Sharded: number of the shard's core, row-major over the shards' grid. L1 interleaved: number of the core. DRAM: the
  // bank. Host: 0.
  int64_t bank = 0;
  CoreCoord core;      // L1 only
  int64_t page = 0;    // within the bank: a tile, or a row of the shard (or tensor)
  int64_t offset = 0;  // bytes from the start of the buffer in that bank
  int32_t bit = 0;     // block formats of less than a byte per value
  friend bool operator==(const TtnnAddress&, const TtnnAddress&) = default;
};

// Page i of an interleaved tensor lies in bank i mod banks. (The device library numbers L1 banks in a fixed shuffled
// order; core coordinates here follow the plain order of the grid, bytes per core are the same.)
class TtnnPlacement {
 public:
  // `layout` must be one of `shape`: made by makeLayout() or read by parseTtnnLayoutAttr().
  static Result<TtnnPlacement, LayoutDefect> make(const std::vector<int64_t>& shape, const TensorLayout& layout,
                                                  const DeviceSpec& device);

  Result<TtnnAddress, LayoutDefect> address(const std::vector<int64_t>& index) const;
  // The element whose first bit is there; nothing for padding (and exponents, and the gap up to the next aligned page).
  // IndexOutOfBounds beyond the bank's bytes or between two values.
  Result<std::optional<std::vector<int64_t>>, LayoutDefect> elementAt(int64_t bank, int64_t offset,
                                                                      int32_t bit = 0) const;

  int64_t banks() const { return banks_; }
  int64_t pagesPerBank() const { return pagesPerBank_; }
  int64_t pageBytes() const { return pageBytes_; }  // one page's data
  Bytes bytesPerBank() const { return Bytes(pagesPerBank_ * alignedPageBytes_); }

 private:
  TtnnPlacement() = default;
  CoreCoord coreOf(int64_t bank) const;

  std::vector<int64_t> shape_;
  TensorLayout layout_;
  PhysicalShape whole_;  // in tiles or scalars
  int32_t deviceCols_ = 1;
  int64_t banks_ = 1;
  int64_t pagesPerBank_ = 0;
  int64_t pageBytes_ = 0;
  int64_t alignedPageBytes_ = 0;
};

}  // namespace tessera
