#include "core/ir/layout_pool.h"

namespace tessera {

namespace {

uint64_t hashOf(const TensorLayout& layout) {
  uint64_t hash = static_cast<uint64_t>(layout.buffer) | static_cast<uint64_t>(layout.memory) << 8 | static_cast<uint64_t>(layout.page) << 16 |
                  static_cast<uint64_t>(layout.dtype) << 24;
  for (int64_t part : {int64_t{layout.grid.rows}, int64_t{layout.grid.cols}, layout.shardRows, layout.shardCols}) {
    hash = (hash ^ static_cast<uint64_t>(part)) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
  }
  return hash;
}

}  // namespace

void LayoutPool::grow() {
  size_t size = table_.empty() ? 64 : table_.size() * 2;
  table_.assign(size, kNoLayout);
  for (size_t i = 0; i < layouts_.size(); ++i) {
    size_t at = hashOf(layouts_[i]) & (size - 1);
    while (table_[at] != kNoLayout) at = (at + 1) & (size - 1);
    table_[at] = static_cast<LayoutId>(i);
  }
}

LayoutId LayoutPool::intern(const TensorLayout& layout) {
  if (2 * (layouts_.size() + 1) > table_.size()) grow();
  size_t mask = table_.size() - 1, at = hashOf(layout) & mask;
  while (table_[at] != kNoLayout) {
    if ((*this)[table_[at]] == layout) return table_[at];
    at = (at + 1) & mask;
  }
  auto id = static_cast<LayoutId>(layouts_.size());
  layouts_.push_back(layout);
  table_[at] = id;
  return id;
}

}  // namespace tessera
