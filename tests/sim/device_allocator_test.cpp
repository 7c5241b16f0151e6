// Three memories of a device: where each begins and ends, and how a refusal is worded.

#include "core/sim/device_allocator.h"

#include "tests/sim/tiny_device.h"

namespace tessera::test {
namespace {

TEST(DeviceAllocator, EveryMemoryHasItsOwnEnd) {
  DeviceSpec device = tinyDevice();
  device.l1Small = Bytes(4096);
  DeviceAllocator memory(device);
  const int64_t size = device.l1Size.count;
  EXPECT_EQ(l1Top(device), size - 4096);
  EXPECT_EQ(memory.lowestInL1(), size) << "nothing is in the way of circular buffers";
  EXPECT_EQ(memory.allocate(DeviceMemory::L1Small, 64), size - 64);
  EXPECT_EQ(memory.lowestInL1(), size - 64) << "only the small region is in the way";
  EXPECT_EQ(memory.allocate(DeviceMemory::L1, 2048), size - 4096 - 2048);
  EXPECT_EQ(memory.lowestInL1(), size - 4096 - 2048);
  EXPECT_EQ(memory.allocate(DeviceMemory::Dram, 2048), 0);
  EXPECT_EQ(memory.allocate(DeviceMemory::Dram, 64), 2048) << "DRAM fills from the bottom";
  memory.free(DeviceMemory::L1, size - 4096 - 2048);
  EXPECT_EQ(memory.lowestInL1(), size - 64);
}

TEST(DeviceAllocator, BuffersTakeAtLeastAGranule) {
  const DeviceSpec device = tinyDevice();
  const DeviceAllocator memory(device);
  const int64_t granule = device.dramAlignment;
  EXPECT_EQ(memory.rounded(0), granule);
  EXPECT_EQ(memory.rounded(1), granule);
  EXPECT_EQ(memory.rounded(granule), granule);
  EXPECT_EQ(memory.rounded(granule + 1), 2 * granule);
}

TEST(DeviceAllocator, ARefusalTellsAllFiguresApart) {
  DeviceSpec device = tinyDevice();
  DeviceAllocator memory(device);
  const int64_t room = l1Top(device) - device.l1UnreservedBase.count;
  const auto first = memory.allocate(DeviceMemory::L1, 2048), second = memory.allocate(DeviceMemory::L1, 4096);
  ASSERT_TRUE(first && second);
  memory.free(DeviceMemory::L1, *first);
  const std::string banks = std::to_string(device.grid.volume());
  EXPECT_EQ(memory.outOfMemoryText(DeviceMemory::L1, room),
            "Out of Memory: Not enough space to allocate " + std::to_string(room * device.grid.volume()) +
                " B L1 buffer across " + banks + " banks, where each bank needs to store " + std::to_string(room) +
                " B, but bank size is " + std::to_string(room) + " B (allocated: 4096 B, free: " +
                std::to_string(room - 4096) + " B, largest free block: " + std::to_string(room - 2048 - 4096) + " B)");
  const int64_t bank = device.dramBankSize.count;
  EXPECT_EQ(memory.outOfMemoryText(DeviceMemory::Dram, 32),
            "Out of Memory: Not enough space to allocate " + std::to_string(32 * device.dramBanks) +
                " B DRAM buffer across " + std::to_string(device.dramBanks) +
                " banks, where each bank needs to store 32 B, but bank size is " + std::to_string(bank) +
                " B (allocated: 0 B, free: " + std::to_string(bank) +
                " B, largest free block: " + std::to_string(bank) + " B)");
}

}  // namespace
}  // namespace tessera::test
