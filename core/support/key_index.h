#pragma once
// Interning: equal things get equal numbers, counted from 0. Never iterated over, so that the order in which things
// became known is in no answer.

#include <cstdint>
#include <string_view>
#include <vector>

namespace tessera {

// The project's one hash table: numbers of entries by hash, by open addressing. The entries lie with the user, who
// compares them.
class HashIndex {
 public:
  // The entry with this hash for which `equal(number)` holds; -1 when there is none.
  template <typename Equal>
  int32_t find(uint64_t hash, Equal equal) const {
    if (table_.empty()) return -1;
    const size_t mask = table_.size() - 1;
    for (size_t at = hash & mask; table_[at] >= 0; at = (at + 1) & mask) {
      if (hashes_[static_cast<size_t>(table_[at])] == hash && equal(table_[at])) return table_[at];
    }
    return -1;
  }
  // Number of a new entry, one that find() does not know.
  int32_t add(uint64_t hash);
  // Room for so many entries.
  void reserve(size_t entries);
  size_t size() const { return hashes_.size(); }

 private:
  void put(int32_t number);

  std::vector<uint64_t> hashes_;  // by number
  std::vector<int32_t> table_;    // a power of two, at least twice as many as there are entries; -1: free
};

inline uint64_t mixHash(uint64_t hash, uint64_t part) {
  hash = (hash ^ part) * 0x9E3779B97F4A7C15u;
  return hash ^ hash >> 29;
}

// Of a text, going on from `hash`.
uint64_t hashText(uint64_t hash, std::string_view text);

// All that a thing is made of, as words.
using Key = std::vector<uint32_t>;

inline void addWords(Key& key, uint64_t number) {
  key.push_back(static_cast<uint32_t>(number));
  key.push_back(static_cast<uint32_t>(number >> 32));
}
// With its length: texts one after the other stay apart.
void addText(Key& key, std::string_view text);

class KeyIndex {
 public:
  KeyIndex() = default;
  KeyIndex(KeyIndex&&) = default;  // no copies: kept_ points into blocks_
  KeyIndex& operator=(KeyIndex&&) = default;

  size_t numberOf(const Key& key);
  size_t size() const { return index_.size(); }
  size_t words() const { return words_; }  // of all keys

 private:
  struct Kept {
    const uint32_t* words;
    size_t size;
  };
  HashIndex index_;
  std::vector<Kept> kept_;   // by number
  std::vector<Key> blocks_;  // the words of keys one after the other: they are megabytes, which stay where they are
  size_t words_ = 0;
};

// The value in `list` with this number, made when it is new.
template <typename List>
typename List::value_type& numbered(List& list, size_t number) {
  if (number >= list.size()) list.resize(number + 1);
  return list[number];
}

}  // namespace tessera
