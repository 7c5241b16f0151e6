#pragma once
// Interned layouts: searches compare and copy thousands of them.

#include <cstdint>
#include <deque>
#include <vector>

#include "core/ir/tensor_layout.h"
#include "core/support/key_index.h"

namespace tessera {

using LayoutId = int32_t;
inline constexpr LayoutId kNoLayout = -1;

class LayoutPool {
 public:
  // Equal layouts get equal numbers.
  LayoutId intern(const TensorLayout& layout);
  // Stays valid.
  const TensorLayout& operator[](LayoutId id) const { return layouts_[static_cast<size_t>(id)]; }
  // l1BytesPerCore() of it.
  Bytes l1Bytes(LayoutId id) const { return l1Bytes_[static_cast<size_t>(id)]; }
  size_t size() const { return layouts_.size(); }

 private:
  std::deque<TensorLayout> layouts_;
  std::vector<Bytes> l1Bytes_;
  HashIndex index_;
};

}  // namespace tessera
