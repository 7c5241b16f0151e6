// Shares nothing with what plans addresses: it replays events, and knows what is allocated where.

#include <algorithm>

#include "core/sim/memory_recount.h"
#include "core/sim/planned_placement.h"

namespace tessera {

std::vector<std::string> checkPlacement(const SimResult& run, const PlannedPlacement& placement,
                                        const DeviceSpec& device) {
  std::vector<std::string> wrong;
  if (placement.addresses.size() != run.buffers.size()) return {"one planned address per buffer is wanted"};
  const int64_t granule = device.dramAlignment, top = (device.l1Size - device.l1Small).count / granule * granule;
  MemoryRecount l1(0, top);
  std::vector<char> held(run.buffers.size(), 0);
  int64_t lowest = top, lowestInRun = top, most = 0;
  for (size_t b = 0; b < run.buffers.size(); ++b) {
    const SimBuffer& buffer = run.buffers[b];
    const int64_t address = placement.addresses[b];
    const bool inL1 = buffer.space == DeviceMemory::L1;
    if (inL1) lowestInRun = std::min(lowestInRun, buffer.address);
    const bool fine = inL1 ? address % granule == 0 && l1.contains(address, buffer.bytes) : address == -1;
    const bool shared = buffer.aliasOf < 0 || address == placement.addresses[static_cast<size_t>(buffer.aliasOf)];
    if (!fine || !shared) wrong.push_back("buffer " + std::to_string(b) + " cannot lie at " + std::to_string(address));
  }
  if (!wrong.empty()) return wrong;
  for (const SimEvent& event : run.events) {
    if (event.space != DeviceMemory::L1 || event.buffer < 0) continue;
    const auto b = static_cast<size_t>(event.buffer);
    const int64_t address = placement.addresses[b];
    if (event.kind == EventKind::Alloc) {
      held[b] = l1.add(address, event.bytes);
      if (!held[b])
        wrong.push_back("buffer " + std::to_string(b) + " lies on another one at step " + std::to_string(event.step));
      lowest = std::min(lowest, address);
      most = std::max(most, l1.used());
    } else if (event.kind == EventKind::Free && held[b]) {
      l1.remove(address);
    }
  }
  const bool figures =
      placement.firstFit == top - lowestInRun && placement.planned == top - lowest && placement.bound == most;
  if (!figures || placement.planned > placement.firstFit || placement.bound > placement.planned) {
    wrong.push_back("first fit " + std::to_string(placement.firstFit) + ", planned " +
                    std::to_string(placement.planned) + ", bound " + std::to_string(placement.bound) +
                    " against a recount of " + std::to_string(top - lowestInRun) + ", " + std::to_string(top - lowest) +
                    ", " + std::to_string(most));
  }
  return wrong;
}

}  // namespace tessera
