#include "core/machine/byte_memory.h"

#include <algorithm>
#include <cstring>

namespace tessera {

void ByteMemory::read(int64_t bank, int64_t address, uint8_t* out, int64_t bytes) const {
  const auto& pieces = banks_[static_cast<size_t>(bank)];
  while (bytes > 0) {
    const int64_t inPiece = address % kPiece, count = std::min(bytes, kPiece - inPiece);
    const auto piece = pieces.find(address / kPiece);
    if (piece == pieces.end()) std::memset(out, kPoisonByte, static_cast<size_t>(count));
    else std::memcpy(out, piece->second->data() + inPiece, static_cast<size_t>(count));
    out += count;
    address += count;
    bytes -= count;
  }
}

bool ByteMemory::write(int64_t bank, int64_t address, const uint8_t* from, int64_t bytes) {
  auto& pieces = banks_[static_cast<size_t>(bank)];
  while (bytes > 0) {
    const int64_t inPiece = address % kPiece, count = std::min(bytes, kPiece - inPiece);
    std::unique_ptr<Piece>& piece = pieces[address / kPiece];
    if (piece == nullptr) {
      if (left_ < kPiece) return pieces.erase(address / kPiece), false;
      left_ -= kPiece;
      piece = std::make_unique<Piece>();
      piece->fill(kPoisonByte);
    }
    std::memcpy(piece->data() + inPiece, from, static_cast<size_t>(count));
    from += count;
    address += count;
    bytes -= count;
  }
  return true;
}

void ByteMemory::spoil(int64_t address, int64_t bytes, uint8_t with) {
  if (bytes <= 0) return;
  for (auto& pieces : banks_) {
    auto at = pieces.lower_bound(address / kPiece);
    while (at != pieces.end() && at->first * kPiece < address + bytes) {
      const int64_t begins = at->first * kPiece;
      const int64_t from = std::max(address, begins), to = std::min(address + bytes, begins + kPiece);
      if (to - from == kPiece) {
        left_ += kPiece;
        at = pieces.erase(at);
        continue;
      }
      std::memset(at->second->data() + (from - begins), with, static_cast<size_t>(to - from));
      ++at;
    }
  }
}

}  // namespace tessera
