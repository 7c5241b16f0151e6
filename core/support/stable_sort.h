#pragma once
// Sorting that keeps equal elements in their order, with the algorithm compiled once for all of them: every
// std::stable_sort of another element and order adds 3 KB to the WebAssembly engine, one of these 0.4 KB. Costs a
// vector of indices and an indirect call per comparison: inner loops of searches use std::stable_sort.

#include <cstdint>
#include <utility>
#include <vector>

namespace tessera {

// Sorts 0 .. count - 1; isBefore(context, a, b) says whether a comes before b, a strict weak order.
std::vector<uint32_t> stableOrder(uint32_t count, bool (*isBefore)(const void* context, uint32_t a, uint32_t b),
                                  const void* context);

template <typename T, typename Less>
void stableSort(std::vector<T>& items, const Less& less) {
  if (items.size() < 2) return;
  struct Context {
    const T* items;
    const Less* less;
  } context{items.data(), &less};
  auto isBefore = [](const void* given, uint32_t a, uint32_t b) -> bool {
    const auto& c = *static_cast<const Context*>(given);
    return (*c.less)(c.items[a], c.items[b]);
  };
  std::vector<T> sorted;
  sorted.reserve(items.size());
  for (uint32_t index : stableOrder(static_cast<uint32_t>(items.size()), isBefore, &context))
    sorted.push_back(std::move(items[index]));
  items = std::move(sorted);
}

}  // namespace tessera
