#include "core/ir/layout_pool.h"

namespace tessera {

LayoutId LayoutPool::intern(const TensorLayout& layout) {
  uint64_t hash = static_cast<uint64_t>(layout.buffer) | static_cast<uint64_t>(layout.memory) << 8 |
                  static_cast<uint64_t>(layout.page) << 16 | static_cast<uint64_t>(layout.dtype) << 24;
  for (int64_t part : {int64_t{layout.grid.rows}, int64_t{layout.grid.cols}, layout.shardRows, layout.shardCols})
    hash = mixHash(hash, static_cast<uint64_t>(part));
  const LayoutId known = index_.find(hash, [&](LayoutId id) { return (*this)[id] == layout; });
  if (known >= 0) return known;
  layouts_.push_back(layout);
  l1Bytes_.push_back(l1BytesPerCore(layout));
  return index_.add(hash);
}

}  // namespace tessera
