#pragma once
// FNV-1a, 64 bits: tells texts and lists of numbers apart. No protection against somebody who makes equal ones.

#include <cstdint>
#include <string>
#include <string_view>

namespace tessera {

class Fingerprint {
 public:
  // A text and its end: "ab", "c" is another list than "a", "bc".
  void add(std::string_view text) {
    for (char c : text) addByte(static_cast<uint8_t>(c));
    addByte(0);
  }
  void add(int64_t number) {
    for (int shift = 0; shift < 64; shift += 8) addByte(static_cast<uint8_t>(static_cast<uint64_t>(number) >> shift));
  }
  // 16 hexadecimal digits.
  std::string text() const {
    std::string digits;
    for (int shift = 60; shift >= 0; shift -= 4) digits += "0123456789abcdef"[hash_ >> shift & 15];
    return digits;
  }

 private:
  void addByte(uint8_t byte) { hash_ = (hash_ ^ byte) * 0x100000001b3; }
  uint64_t hash_ = 0xcbf29ce484222325;
};

}  // namespace tessera
