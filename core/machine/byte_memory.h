#pragma once
// The bytes of one memory in all of its banks: of L1 those of every core. Kept in pieces that exist once something was
// written there.

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace tessera {

// What stands where nothing valid does: read as a float or an integer of any width it is far from what graphs compute.
inline constexpr uint8_t kPoisonByte = 0xFB;
inline constexpr uint8_t kScribbleByte = 0xF7;  // of a circular buffer

class ByteMemory {
 public:
  ByteMemory(int64_t banks, int64_t mostBytes) : banks_(static_cast<size_t>(banks)), left_(mostBytes) {}

  void read(int64_t bank, int64_t address, uint8_t* out, int64_t bytes) const;
  // False when the memory would hold more than it may; then nothing more is written.
  bool write(int64_t bank, int64_t address, const uint8_t* from, int64_t bytes);
  // What stands in the range is lost, in every bank.
  void spoil(int64_t address, int64_t bytes, uint8_t with);
  int64_t banks() const { return static_cast<int64_t>(banks_.size()); }

 private:
  static constexpr int64_t kPiece = 4096;
  using Piece = std::array<uint8_t, kPiece>;
  std::vector<std::map<int64_t, std::unique_ptr<Piece>>> banks_;  // by address / kPiece
  int64_t left_;                                                  // bytes that may be added
};

}  // namespace tessera
