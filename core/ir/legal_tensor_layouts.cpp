#include "core/ir/legal_tensor_layouts.h"

#include <algorithm>

namespace tessera {
namespace {

void append(std::vector<TensorLayout>& into, const Shape& shape, const LayoutRequest& request,
            const DeviceSpec& device) {
  Result<TensorLayout, LayoutDefect> layout = makeLayout(shape, request, device);
  if (layout) into.push_back(*layout);
}

// The numbers of cores 1..most along an axis of `extent` tiles that each give a shard no smaller number gives.
std::vector<int32_t> distinctSplits(int64_t extent, int64_t most) {
  std::vector<int32_t> splits;
  int64_t lastShard = 0;
  for (int64_t cores = 1; cores <= std::min(extent, most); ++cores) {
    const int64_t shard = ceilDiv(extent, cores);
    if (shard == lastShard) continue;  // the shard never grows again, so comparing with the last one is enough
    lastShard = shard;
    splits.push_back(static_cast<int32_t>(cores));
  }
  return splits;
}

// Stable: layouts over equally many cores keep their order. A counting sort, since a volume is a small number.
std::vector<TensorLayout> mostCoresFirst(const std::vector<TensorLayout>& layouts, int64_t mostCores) {
  std::vector<size_t> begin(static_cast<size_t>(mostCores) + 2, 0);  // [k]: layouts with more than mostCores - k cores
  auto rank = [&](const TensorLayout& layout) { return static_cast<size_t>(mostCores - layout.grid.volume()); };
  for (const TensorLayout& layout : layouts) ++begin[rank(layout) + 1];
  for (size_t k = 1; k < begin.size(); ++k) begin[k] += begin[k - 1];
  std::vector<TensorLayout> sorted(layouts.size());
  for (const TensorLayout& layout : layouts) sorted[begin[rank(layout)]++] = layout;
  return sorted;
}

void appendSharded(std::vector<TensorLayout>& into, const Shape& shape, PhysicalShape whole, LayoutRequest request,
                   const DeviceSpec& device) {
  request.buffer = BufferType::L1;
  request.memory = TensorMemoryLayout::BlockSharded;
  const std::vector<int32_t> columns = distinctSplits(whole.cols, device.grid.cols);
  for (int32_t rows : distinctSplits(whole.rows, device.grid.rows)) {
    for (int32_t cols : columns) {
      request.grid = {rows, cols};
      append(into, shape, request, device);
    }
  }
  request.memory = TensorMemoryLayout::HeightSharded;
  for (int32_t cores : distinctSplits(whole.rows, device.grid.volume())) {
    request.grid = {cores, 1};
    append(into, shape, request, device);
  }
  request.memory = TensorMemoryLayout::WidthSharded;
  for (int32_t cores : distinctSplits(whole.cols, device.grid.volume())) {
    request.grid = {1, cores};
    append(into, shape, request, device);
  }
  into = mostCoresFirst(into, device.grid.volume());
}

}  // namespace

size_t LegalTensorLayouts::count() const {
  size_t total = 0;
  for (const auto& page : buckets) total += page[0].size() + page[1].size();
  return total;
}

LegalTensorLayouts legalTensorLayouts(const Shape& shape, DType dtype, const DeviceSpec& device,
                                      const LegalLayoutOptions& options) {
  LegalTensorLayouts legal;
  for (PageLayout page : {PageLayout::RowMajor, PageLayout::Tile}) {
    if (page == PageLayout::RowMajor && !options.rowMajorEnabled) continue;
    const Result<PhysicalShape, LayoutDefect> whole = physicalShape(shape, page);
    if (!whole || whole->rows == 0 || whole->cols == 0) continue;
    std::vector<TensorLayout>& interleaved = legal.buckets[static_cast<size_t>(page)][0];
    std::vector<TensorLayout>& sharded = legal.buckets[static_cast<size_t>(page)][1];
    LayoutRequest request{
        .dtype = dtype, .buffer = BufferType::DRAM, .memory = TensorMemoryLayout::Interleaved, .page = page};
    append(interleaved, shape, request, device);
    if (interleaved.empty()) continue;  // a block format in row-major, say
    if (page == PageLayout::Tile) {
      request.buffer = BufferType::L1;
      request.grid = device.grid;
      append(interleaved, shape, request, device);
    }
    appendSharded(sharded, shape, *whole, request, device);
  }
  return legal;
}

const LegalTensorLayouts& LegalLayoutCache::get(const Shape& shape, DType scalarType) {
  const DType dtype = deviceDType(scalarType);
  const auto [at, isNew] = layouts_.try_emplace({shape, dtype});
  if (isNew) at->second = legalTensorLayouts(shape, dtype, device_, options_);
  return at->second;
}

}  // namespace tessera
