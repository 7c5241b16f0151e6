#include "core/sim/device_allocator.h"

#include <algorithm>

namespace tessera {

int64_t l1Top(const DeviceSpec& device) {
  return (device.l1Size - device.l1Small).count / device.dramAlignment * device.dramAlignment;
}

DeviceAllocator::DeviceAllocator(const DeviceSpec& device)
    : device_(device),
      l1_(device.l1UnreservedBase.count, l1Top(device), device.dramAlignment, Direction::TopDown),
      l1Small_(l1Top(device), device.l1Size.count, device.dramAlignment, Direction::TopDown),
      dram_(0, device.dramBankSize.count, device.dramAlignment, Direction::BottomUp) {}

DeviceMemory DeviceAllocator::spaceOf(BufferType buffer) {
  if (buffer == BufferType::L1) return DeviceMemory::L1;
  return buffer == BufferType::L1Small ? DeviceMemory::L1Small : DeviceMemory::Dram;
}

int64_t DeviceAllocator::bytesOf(const TensorLayout& layout) const {
  return spaceOf(layout.buffer) == DeviceMemory::Dram ? dramBytesPerBank(layout, device_).count
                                                      : l1BytesPerCore(layout).count;
}

int64_t DeviceAllocator::rounded(int64_t bytes) const {
  return alignUp(std::max<int64_t>(bytes, 1), device_.dramAlignment);
}

std::optional<int64_t> DeviceAllocator::allocate(DeviceMemory space, int64_t bytes) {
  return list(space).allocate(bytes);
}

void DeviceAllocator::free(DeviceMemory space, int64_t address) { list(space).free(address); }

MemoryUse DeviceAllocator::use(DeviceMemory space) const {
  const FreeList& memory = list(space);
  return {memory.usedBytes(), memory.freeBytes(), memory.largestHole()};
}

int64_t DeviceAllocator::lowestInL1() const {
  if (l1_.usedBytes() > 0) return l1_.lowestUsed();
  return l1Small_.usedBytes() > 0 ? l1Small_.lowestUsed() : device_.l1Size.count;
}

std::string DeviceAllocator::outOfMemoryText(DeviceMemory space, int64_t bytes) const {
  constexpr const char* kNames[] = {"L1", "L1_SMALL", "DRAM"};
  int64_t banks = space == DeviceMemory::Dram ? device_.dramBanks : device_.grid.volume();
  MemoryUse now = use(space);
  auto text = [](int64_t count) { return std::to_string(count) + " B"; };
  return "Out of Memory: Not enough space to allocate " + text(mulSaturated(bytes, banks)) + " " +
         kNames[static_cast<int>(space)] + " buffer across " + std::to_string(banks) +
         " banks, where each bank needs to store " + text(bytes) + ", but bank size is " + text(now.used + now.free) +
         " (allocated: " + text(now.used) + ", free: " + text(now.free) +
         ", largest free block: " + text(now.largestHole) + ")";
}

FreeList& DeviceAllocator::list(DeviceMemory space) {
  return space == DeviceMemory::L1 ? l1_ : space == DeviceMemory::L1Small ? l1Small_ : dram_;
}
const FreeList& DeviceAllocator::list(DeviceMemory space) const {
  return const_cast<DeviceAllocator*>(this)->list(space);
}

}  // namespace tessera
