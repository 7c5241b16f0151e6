#pragma once
// Layouts by number: searches compare and copy thousands of them.

#include <cstdint>
#include <deque>
#include <vector>

#include "core/ir/tensor_layout.h"

namespace tessera {

using LayoutId = int32_t;
inline constexpr LayoutId kNoLayout = -1;

class LayoutPool {
 public:
  // Equal layouts get equal numbers.
  LayoutId intern(const TensorLayout& layout);
  // Stays valid.
  const TensorLayout& operator[](LayoutId id) const { return layouts_[static_cast<size_t>(id)]; }
  size_t size() const { return layouts_.size(); }

 private:
  void grow();
  std::deque<TensorLayout> layouts_;
  std::vector<LayoutId> table_;  // open addressing; a power of two
};

}  // namespace tessera
