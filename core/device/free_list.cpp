#include "core/device/free_list.h"

#include <algorithm>

#include "core/support/check.h"
#include "core/support/units.h"

namespace tessera {

FreeList::FreeList(int64_t begin, int64_t end, int64_t granule, Direction direction)
    : begin_(alignUp(begin, granule)), end_(end / granule * granule), granule_(granule), direction_(direction) {
  TESSERA_CHECK(granule > 0 && begin_ <= end_, "free list over an empty range");
  freeBytes_ = end_ - begin_;
  if (freeBytes_ > 0) holes_.push_back({begin_, freeBytes_});
}

std::optional<int64_t> FreeList::allocate(int64_t bytes) {
  int64_t size = alignUp(std::max<int64_t>(bytes, 1), granule_);
  size_t count = holes_.size();
  for (size_t i = 0; i < count; ++i) {
    size_t at = direction_ == Direction::BottomUp ? i : count - 1 - i;
    Block& hole = holes_[at];
    if (hole.bytes < size) continue;
    int64_t address = direction_ == Direction::BottomUp ? hole.address : hole.address + hole.bytes - size;
    if (direction_ == Direction::BottomUp) hole.address += size;
    hole.bytes -= size;
    if (hole.bytes == 0) holes_.erase(holes_.begin() + static_cast<std::ptrdiff_t>(at));
    used_.insert(used_.begin() + static_cast<std::ptrdiff_t>(firstAfter(used_, address)), {address, size});
    freeBytes_ -= size;
    return address;
  }
  return {};
}

void FreeList::free(int64_t address) {
  size_t entry = firstAfter(used_, address);
  TESSERA_CHECK(entry > 0 && used_[entry - 1].address == address, "free of an address that is not in use");
  Block freed = used_[entry - 1];
  used_.erase(used_.begin() + static_cast<std::ptrdiff_t>(entry - 1));
  freeBytes_ += freed.bytes;
  size_t next = firstAfter(holes_, address);
  bool touchesNext = next < holes_.size() && holes_[next].address == freed.address + freed.bytes;
  bool touchesPrevious = next > 0 && holes_[next - 1].address + holes_[next - 1].bytes == freed.address;
  if (touchesNext) freed.bytes += holes_[next].bytes;
  if (touchesPrevious) {
    holes_[next - 1].bytes += freed.bytes;
    if (touchesNext) holes_.erase(holes_.begin() + static_cast<std::ptrdiff_t>(next));
  } else if (touchesNext) {
    holes_[next] = freed;
  } else {
    holes_.insert(holes_.begin() + static_cast<std::ptrdiff_t>(next), freed);
  }
}

int64_t FreeList::lowestUsed() const { return used_.empty() ? end_ : used_.front().address; }

int64_t FreeList::largestHole() const {
  int64_t largest = 0;
  for (const Block& hole : holes_) largest = std::max(largest, hole.bytes);
  return largest;
}

size_t FreeList::firstAfter(const std::vector<Block>& blocks, int64_t address) {
  size_t low = 0, high = blocks.size();
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (blocks[middle].address > address) high = middle;
    else low = middle + 1;
  }
  return low;
}

}  // namespace tessera
