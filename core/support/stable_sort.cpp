#include "core/support/stable_sort.h"

#include <algorithm>
#include <numeric>

namespace tessera {

std::vector<uint32_t> stableOrder(uint32_t count, bool (*isBefore)(const void* context, uint32_t a, uint32_t b),
                                  const void* context) {
  std::vector<uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return isBefore(context, a, b); });
  return order;
}

}  // namespace tessera
