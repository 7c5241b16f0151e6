#include "core/policy/exact/exact_memory.h"

namespace tessera {

namespace {

constexpr int64_t kMostCells = int64_t{1} << 23;   // 8 bytes each; the largest model graphs take a quarter of it
constexpr size_t kMostLayouts = size_t{1} << 20;   // MoveTime's keys hold twice as many

}  // namespace

void ExactMemory::prepare(const DeviceSpec& device) {
  Chip chip{std::string(device.id), device.grid, device.l1UnreservedBase, device.l1Size, device.l1Small, device.library};
  if (chip == chip_ && cells <= kMostCells && pool.size() <= kMostLayouts) return;
  *this = ExactMemory();
  chip_ = std::move(chip);
}

}  // namespace tessera
