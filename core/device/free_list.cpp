#include "core/device/free_list.h"

#include <algorithm>

#include "core/support/check.h"
#include "core/support/units.h"

namespace tessera {

FreeList::FreeList(int64_t begin, int64_t end, int64_t granule, Direction direction)
    : begin_(alignUp(begin, granule)), end_(end / granule * granule), granule_(granule), direction_(direction) {
  TESSERA_CHECK(granule > 0 && begin_ <= end_, "free list over an empty range");
  freeBytes_ = end_ - begin_;
  if (freeBytes_ > 0) holes_[begin_] = freeBytes_;
}

std::optional<int64_t> FreeList::allocate(int64_t bytes) {
  int64_t size = alignUp(std::max<int64_t>(bytes, 1), granule_);
  auto fits = [&](const auto& hole) { return hole.second >= size; };
  int64_t address = 0, holeBegin = 0, holeSize = 0;
  if (direction_ == Direction::BottomUp) {
    auto hole = std::find_if(holes_.begin(), holes_.end(), fits);
    if (hole == holes_.end()) return {};
    holeBegin = hole->first, holeSize = hole->second;
    address = holeBegin;
  } else {
    auto hole = std::find_if(holes_.rbegin(), holes_.rend(), fits);
    if (hole == holes_.rend()) return {};
    holeBegin = hole->first, holeSize = hole->second;
    address = holeBegin + holeSize - size;
  }
  holes_.erase(holeBegin);
  if (address > holeBegin) holes_[holeBegin] = address - holeBegin;
  int64_t rest = holeBegin + holeSize - (address + size);
  if (rest > 0) holes_[address + size] = rest;
  used_[address] = size;
  freeBytes_ -= size;
  return address;
}

void FreeList::free(int64_t address) {
  auto it = used_.find(address);
  TESSERA_CHECK(it != used_.end(), "free of an address that is not in use");
  int64_t begin = address, size = it->second;
  freeBytes_ += size;
  used_.erase(it);
  auto next = holes_.lower_bound(begin);
  if (next != holes_.end() && next->first == begin + size) {
    size += next->second;
    next = holes_.erase(next);
  }
  if (next != holes_.begin()) {
    auto previous = std::prev(next);
    if (previous->first + previous->second == begin) {
      begin = previous->first;
      size += previous->second;
      holes_.erase(previous);
    }
  }
  holes_[begin] = size;
}

int64_t FreeList::lowestUsed() const { return used_.empty() ? end_ : used_.begin()->first; }

int64_t FreeList::largestHole() const {
  int64_t largest = 0;
  for (const auto& hole : holes_) largest = std::max(largest, hole.second);
  return largest;
}

}  // namespace tessera
