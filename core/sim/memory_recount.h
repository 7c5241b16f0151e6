#pragma once
// One memory as the run checker sees it: what lies where and the gaps between, kept by address. Knows nothing of how
// addresses were chosen.

#include <cstdint>
#include <map>

namespace tessera {

class MemoryRecount {
 public:
  MemoryRecount(int64_t begin, int64_t end) : begin_(begin), end_(end) { gaps_[end - begin] = 1; }

  // False when it touches something that is there; then nothing changes. The range must lie within the memory.
  bool add(int64_t address, int64_t bytes) {
    auto above = taken_.upper_bound(address);
    int64_t from = above == taken_.begin() ? begin_ : std::prev(above)->second;
    int64_t to = above == taken_.end() ? end_ : above->first;
    if (address < from || address + bytes > to) return false;
    removeGap(to - from);
    addGap(address - from);
    addGap(to - address - bytes);
    taken_.emplace_hint(above, address, address + bytes);
    used_ += bytes;
    return true;
  }

  void remove(int64_t address) {
    auto at = taken_.find(address);
    if (at == taken_.end()) return;
    auto above = std::next(at);
    int64_t from = at == taken_.begin() ? begin_ : std::prev(at)->second;
    int64_t to = above == taken_.end() ? end_ : above->first;
    removeGap(at->first - from);
    removeGap(to - at->second);
    addGap(to - from);
    used_ -= at->second - at->first;
    taken_.erase(at);
  }

  bool contains(int64_t address, int64_t bytes) const {
    return address >= begin_ && bytes > 0 && address <= end_ - bytes;
  }
  int64_t used() const { return used_; }
  int64_t free() const { return end_ - begin_ - used_; }
  int64_t largestGap() const { return gaps_.rbegin()->first; }
  bool empty() const { return taken_.empty(); }
  int64_t lowest() const { return taken_.begin()->first; }

 private:
  void addGap(int64_t bytes) { ++gaps_[bytes]; }
  void removeGap(int64_t bytes) {
    auto at = gaps_.find(bytes);
    if (at != gaps_.end() && --at->second == 0) gaps_.erase(at);
  }

  int64_t begin_;
  int64_t end_;
  int64_t used_ = 0;
  std::map<int64_t, int64_t> taken_;  // address to end
  std::map<int64_t, int64_t> gaps_;   // how many gaps of this size, empty ones too; never without any
};

}  // namespace tessera
