#pragma once
// The allocators of one device: L1 top-down, L1_SMALL top-down above it, DRAM bottom-up, each in lockstep over all of
// its banks (tt-metal memory/allocator.md, free_list_opt.cpp).

#include <string>

#include "core/device/free_list.h"
#include "core/sim/simulator.h"

namespace tessera {

// Where L1 ends and L1_SMALL begins: addresses in bytes of a core, below it tensors are given theirs from the top down.
int64_t l1Top(const DeviceSpec& device);

class DeviceAllocator {
 public:
  explicit DeviceAllocator(const DeviceSpec& device);

  static DeviceMemory spaceOf(BufferType buffer);  // of a tensor on the device
  // Bytes per bank that the layout takes, before rounding.
  int64_t bytesOf(const TensorLayout& layout) const;
  int64_t rounded(int64_t bytes) const;  // to the granule, which is the least there is

  std::optional<int64_t> allocate(DeviceMemory space, int64_t bytes);
  void free(DeviceMemory space, int64_t address);
  MemoryUse use(DeviceMemory space) const;
  // Lowest address in use in L1 or L1_SMALL, else the end of L1: circular buffers must stay below.
  int64_t lowestInL1() const;
  // The runtime's words for an allocation that found no room.
  std::string outOfMemoryText(DeviceMemory space, int64_t bytes) const;

 private:
  FreeList& list(DeviceMemory space);
  const FreeList& list(DeviceMemory space) const;

  const DeviceSpec& device_;
  FreeList l1_;
  FreeList l1Small_;
  FreeList dram_;
};

}  // namespace tessera
