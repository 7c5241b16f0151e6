#pragma once

#include <cstddef>
#include <vector>

namespace tessera {

// The next combination of indices into lists of these sizes, the last one fastest; false after the last combination.
template <typename Index, typename Size>
bool nextCombination(std::vector<Index>& at, const std::vector<Size>& sizes) {
  for (size_t i = at.size(); i-- > 0;) {
    if (++at[i] < static_cast<Index>(sizes[i])) return true;
    at[i] = 0;
  }
  return false;
}

}  // namespace tessera
