#pragma once
// Every layout a tensor could have, before any op is asked (ttnn-optimizer.md 3.1.2; tt-mlir
// Analysis/LegalTensorLayoutAnalysis.cpp).

#include <map>
#include <utility>
#include <vector>

#include "core/device/device_spec.h"
#include "core/ir/graph.h"
#include "core/ir/types.h"

namespace tessera {

struct LegalLayoutOptions {
  bool rowMajorEnabled = false;  // --row-major-enabled: also row-major layouts
};

// Layouts in buckets by page layout and by interleaved / sharded.
//
// Interleaved: DRAM first, then L1 over the whole worker grid (tiles only).
// Sharded: all in L1; by number of cores, most first. Among equals the order they are generated in: block sharded by
// rows and then columns of the grid, then height, then width sharded. Within one strategy no two have the same shard;
// the smallest grid that gives a shard stands for it.
struct LegalTensorLayouts {
  std::vector<TensorLayout> buckets[2][2];  // [PageLayout][0 interleaved, 1 sharded]

  const std::vector<TensorLayout>& interleaved(PageLayout page) const { return buckets[static_cast<size_t>(page)][0]; }
  const std::vector<TensorLayout>& sharded(PageLayout page) const { return buckets[static_cast<size_t>(page)][1]; }
  size_t count() const;
  friend bool operator==(const LegalTensorLayouts&, const LegalTensorLayouts&) = default;
};

// `dtype` is mapped to its device type. Tensors that cannot be stored on the device (no elements, sizes beyond 62 bits)
// have no layouts.
LegalTensorLayouts legalTensorLayouts(const Shape& shape, DType dtype, const DeviceSpec& device,
                                      const LegalLayoutOptions& options = {});

// The layouts of all tensors of a graph. Equal (shape, device dtype) pairs are computed once; references stay valid.
class LegalLayoutCache {
 public:
  LegalLayoutCache(const DeviceSpec& device, const LegalLayoutOptions& options) : device_(device), options_(options) {}

  // Computes what is not there yet. `scalarType` is the type the tensor is to be stored with: its own, or another that
  // was asked for.
  const LegalTensorLayouts& get(const Shape& shape, DType scalarType);

 private:
  const DeviceSpec& device_;
  LegalLayoutOptions options_;
  std::map<std::pair<Shape, DType>, LegalTensorLayouts> layouts_;
};

}  // namespace tessera
