#include "core/support/key_index.h"

#include <algorithm>
#include <cstring>

namespace tessera {

void HashIndex::put(int32_t number) {
  const size_t mask = table_.size() - 1;
  size_t at = hashes_[static_cast<size_t>(number)] & mask;
  while (table_[at] >= 0) at = (at + 1) & mask;
  table_[at] = number;
}

int32_t HashIndex::add(uint64_t hash) {
  const auto number = static_cast<int32_t>(hashes_.size());
  if (2 * (hashes_.size() + 1) > table_.size()) reserve(hashes_.size() + 1);
  hashes_.push_back(hash);
  put(number);
  return number;
}

void HashIndex::reserve(size_t entries) {
  size_t cells = std::max<size_t>(table_.size(), 64);
  while (cells < 2 * entries) cells *= 2;
  if (cells == table_.size()) return;
  table_.assign(cells, -1);
  hashes_.reserve(cells / 2);
  for (size_t known = 0; known < hashes_.size(); ++known) put(static_cast<int32_t>(known));
}

uint64_t hashText(uint64_t hash, std::string_view text) {
  hash = mixHash(hash, text.size());
  uint64_t part = 0;
  size_t at = 0;
  for (; at + sizeof part <= text.size(); at += sizeof part) {
    std::memcpy(&part, text.data() + at, sizeof part);
    hash = mixHash(hash, part);
  }
  if (at == text.size()) return hash;
  // Most names end here; a copy of unknown length is a call.
  for (part = 0; at < text.size(); ++at) part = part << 8 | static_cast<unsigned char>(text[at]);
  return mixHash(hash, part);
}

void addText(Key& key, std::string_view text) {
  key.push_back(static_cast<uint32_t>(text.size()));
  for (size_t i = 0; i < text.size(); i += 4) {
    uint32_t word = 0;
    for (size_t j = i; j < std::min(i + 4, text.size()); ++j) word = word << 8 | static_cast<unsigned char>(text[j]);
    key.push_back(word);
  }
}

size_t KeyIndex::numberOf(const Key& key) {
  uint64_t hash = key.size();
  size_t at = 0;
  for (; at + 1 < key.size(); at += 2) hash = mixHash(hash, uint64_t{key[at]} << 32 | key[at + 1]);
  if (at < key.size()) hash = mixHash(hash, key[at]);
  const auto isKey = [&](int32_t number) {
    const Kept& kept = kept_[static_cast<size_t>(number)];
    return kept.size == key.size() && std::equal(key.begin(), key.end(), kept.words);
  };
  const int32_t known = index_.find(hash, isKey);
  if (known >= 0) return static_cast<size_t>(known);
  constexpr size_t kBlock = size_t{1} << 12;  // words
  if (blocks_.empty() || blocks_.back().capacity() - blocks_.back().size() < key.size())
    blocks_.emplace_back().reserve(std::max(key.size(), kBlock));
  Key& block = blocks_.back();
  kept_.push_back({block.data() + block.size(), key.size()});
  block.insert(block.end(), key.begin(), key.end());
  words_ += key.size();
  return static_cast<size_t>(index_.add(hash));
}

}  // namespace tessera
