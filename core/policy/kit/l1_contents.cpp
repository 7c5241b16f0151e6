#include "core/policy/kit/l1_contents.h"

#include <algorithm>

namespace tessera {

L1Contents::L1Contents(int64_t begin, int64_t end, int64_t granule, Bytes cushion)
    : list_(begin, end, granule, Direction::TopDown), begin_(begin), granule_(granule), cushion_(cushion) {}

L1Contents::L1Contents(const DeviceSpec& device)
    : L1Contents(device.l1UnreservedBase.count, device.l1Size.count - device.l1Small.count, device.dramAlignment) {}

const L1Contents::Resident* L1Contents::find(int32_t tensor) const {
  for (const Resident& resident : residents_) {
    if (resident.tensor == tensor) return &resident;
  }
  return nullptr;
}

void L1Contents::release(int32_t tensor) {
  const Resident* found = find(tensor);
  if (!found) return;
  const Resident gone = *found;
  residents_.erase(residents_.begin() + (found - residents_.data()));
  for (Resident& other : residents_) {
    if (other.buffer != gone.buffer) continue;
    other.bytes = std::max(other.bytes, gone.bytes);
    return;
  }
  occupied_ -= gone.bytes;
  if (gone.address >= 0) list_.free(gone.address);
}

L1Fit L1Contents::below(const FreeList& list, Bytes circularBuffers) const {
  const int64_t room = list.lowestUsed() - alignUp(begin_, granule_) - cushion_.count;
  const int64_t needed = alignUp(circularBuffers.count, granule_);
  if (needed > 0 && needed > room) return {Refusal::CircularBufferClash, Bytes(needed), Bytes(room)};
  return {};
}

L1Fit L1Contents::fit(const std::vector<L1Move>& moves, Bytes circularBuffers) const {
  FreeList list = list_;
  std::vector<int64_t> addresses;  // by move; -1: none
  std::vector<int32_t> released;
  const auto release = [&](int32_t tensor) {
    const Resident* gone = find(tensor);
    if (!gone) return;
    released.push_back(tensor);
    for (const Resident& other : residents_) {
      const bool stays = std::find(released.begin(), released.end(), other.tensor) == released.end();
      if (other.buffer == gone->buffer && stays) return;
    }
    if (gone->address >= 0) list.free(gone->address);
  };
  Bytes most = circularBuffers;
  for (const L1Move& move : moves) {
    std::optional<int64_t> address;
    if (move.allocate.count > 0) {
      address = list.allocate(move.allocate.count);
      if (!address) return {Refusal::NoHole, move.allocate, Bytes(list.largestHole())};
    }
    addresses.push_back(address.value_or(-1));
    if (const L1Fit clash = below(list, move.circularBuffers); !clash.ok()) return clash;
    if (move.freedAfter >= 0) release(move.freedAfter);
    if (move.freedMove >= 0) list.free(addresses[static_cast<size_t>(move.freedMove)]);
    most = std::max(most, move.evictionBuffers);
  }
  for (const Resident& resident : residents_) most = std::max(most, resident.evictionBuffers);
  return below(list, most);
}

void L1Contents::commit(const std::vector<L1Move>& moves) {
  std::vector<int64_t> addresses;
  const auto free = [&](size_t move) {
    if (addresses[move] >= 0) list_.free(addresses[move]);
    addresses[move] = -1;
  };
  for (const L1Move& move : moves) {
    addresses.push_back(move.allocate.count > 0 ? list_.allocate(move.allocate.count).value_or(-1) : -1);
    if (move.freedAfter >= 0) release(move.freedAfter);
    if (move.freedMove >= 0) free(static_cast<size_t>(move.freedMove));
  }
  for (size_t i = 0; i < moves.size(); ++i) {
    const L1Move& move = moves[i];
    if (move.tensor < 0) {
      free(i);
    } else if (move.aliasOf < 0) {
      residents_.push_back({move.tensor, buffers_++, addresses[i], move.allocate, move.evictionBuffers});
      occupied_ += move.allocate;
    } else if (const Resident* owner = find(move.aliasOf)) {
      const Resident alias{move.tensor, owner->buffer, owner->address, Bytes(0), move.evictionBuffers};
      residents_.push_back(alias);
    }
  }
}

}  // namespace tessera
