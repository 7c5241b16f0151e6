#pragma once
// The runtime's free list over one address range: first fit from the high end (L1 tensors) or the low end (DRAM),
// addresses in multiples of the granule, neighbours merged at once, nothing ever moved. All banks allocate in lockstep,
// so one list stands for all of them (tt-metal memory/allocator.md, free_list_opt.cpp). The runtime keeps its holes in
// size classes and takes, over all classes, the first fit with the best address: classes below the request's hold only
// smaller holes, so that is first fit by address.

#include <cstdint>
#include <optional>
#include <vector>

namespace tessera {

enum class Direction { BottomUp, TopDown };

class FreeList {
 public:
  // Addresses begin .. end (exclusive); `granule` bytes is both alignment and smallest allocation.
  FreeList(int64_t begin, int64_t end, int64_t granule, Direction direction);

  // Address of `bytes` (rounded up to the granule), or nothing when no hole is large enough. `bytes` 0 takes one
  // granule.
  std::optional<int64_t> allocate(int64_t bytes);
  void free(int64_t address);

  // Lowest address in use, or the end of the range when all is free.
  int64_t lowestUsed() const;
  int64_t freeBytes() const { return freeBytes_; }
  int64_t usedBytes() const { return end_ - begin_ - freeBytes_; }
  int64_t largestHole() const;

 private:
  int64_t begin_;
  int64_t end_;
  int64_t granule_;
  Direction direction_;
  struct Block {
    int64_t address;
    int64_t bytes;
  };
  // Index of the first block above the address.
  static size_t firstAfter(const std::vector<Block>& blocks, int64_t address);

  // Both by address. A few dozen entries that are copied for every trial of a candidate: vectors, not trees.
  std::vector<Block> holes_;  // never adjacent
  std::vector<Block> used_;
  int64_t freeBytes_;
};

}  // namespace tessera
