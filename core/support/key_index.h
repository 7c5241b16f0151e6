#pragma once
// Questions by number: those that are asked again are found by all that they are made of, written as words.

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tessera {

using Key = std::vector<uint32_t>;

inline void addWords(Key& key, uint64_t number) {
  key.push_back(static_cast<uint32_t>(number));
  key.push_back(static_cast<uint32_t>(number >> 32));
}
// With its length: texts one after the other stay apart.
void addText(Key& key, std::string_view text);

uint64_t hashOf(const Key& key);

// Equal keys get equal numbers, counted from 0. Never iterated over: what is known changes no answer.
class KeyIndex {
 public:
  size_t numberOf(const Key& key) { return numbers_.try_emplace(key, numbers_.size()).first->second; }
  size_t size() const { return numbers_.size(); }

 private:
  struct Hash {
    size_t operator()(const Key& key) const { return static_cast<size_t>(hashOf(key)); }
  };
  std::unordered_map<Key, size_t, Hash> numbers_;
};

}  // namespace tessera
