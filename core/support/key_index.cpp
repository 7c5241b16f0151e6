#include "core/support/key_index.h"

#include <algorithm>

namespace tessera {

void addText(Key& key, std::string_view text) {
  key.push_back(static_cast<uint32_t>(text.size()));
  for (size_t i = 0; i < text.size(); i += 4) {
    uint32_t word = 0;
    for (size_t j = i; j < std::min(i + 4, text.size()); ++j) word = word << 8 | static_cast<unsigned char>(text[j]);
    key.push_back(word);
  }
}

uint64_t hashOf(const Key& key) {
  uint64_t hash = key.size();
  for (uint32_t word : key) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
  }
  return hash;
}

}  // namespace tessera
