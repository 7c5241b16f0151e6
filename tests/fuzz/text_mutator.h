#pragma once
// libFuzzer's hooks for targets that read text: mutations by words, lines and brackets, so that most inputs get past
// the parser; a quarter are the library's own, by bytes. A target whose text begins behind some other bytes says so by
// FUZZ_HEAD_BYTES.

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "tests/changed_texts.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t maxSize);

namespace tessera::test {

class TextMutator {
 public:
  explicit TextMutator(unsigned seed) : random_(seed) {}

  size_t below(size_t limit) { return limit == 0 ? 0 : static_cast<size_t>(random_() % limit); }

  std::string changed(const std::string& text) {
    std::string out = text;
    for (size_t left = 1 + below(3); left > 0; --left) out = changedOnce(out);
    return out;
  }

  // A word, a line or a group of `other` stands in `text` in place of one of its own, or beside it.
  std::string crossed(const std::string& text, const std::string& other) {
    const size_t how = below(4);
    const auto& pieces = how < 2 ? &TextMutator::words : how == 2 ? &TextMutator::lines : &TextMutator::groups;
    const std::vector<TokenPlace> own = (this->*pieces)(text), theirs = (this->*pieces)(other);
    if (own.empty() || theirs.empty()) return text;
    TokenPlace at = own[below(own.size())], from = theirs[below(theirs.size())];
    if (how < 2) from = likest(other, theirs, text[at.begin]);
    if (how == 2 && below(2) == 0) at.end = at.begin;
    return replaced(text, at, other.substr(from.begin, from.end - from.begin));
  }

 private:
  std::vector<TokenPlace> words(const std::string& text) { return tokenPlaces(text); }

  std::vector<TokenPlace> lines(const std::string& text) {
    std::vector<TokenPlace> out;
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
      out.push_back({at, end});
      at = end;
    }
    return out;
  }

  // What stands between brackets that belong together.
  std::vector<TokenPlace> groups(const std::string& text) {
    std::vector<TokenPlace> out;
    std::vector<size_t> open;
    for (size_t i = 0; i < text.size(); ++i) {
      if (std::strchr("([{<", text[i]) != nullptr && text[i] != 0) open.push_back(i + 1);
      if (std::strchr(")]}>", text[i]) == nullptr || text[i] == 0 || open.empty()) continue;
      if (text[i] == '>' && i > 0 && text[i - 1] == '-') continue;  // an arrow
      out.push_back({open.back(), i});
      open.pop_back();
    }
    return out;
  }

  static int kind(char c) {
    const auto u = static_cast<unsigned char>(c);
    return std::isdigit(u) != 0 ? 0 : std::isalpha(u) != 0 || c == '_' ? 1 : 2;
  }

  // A piece that begins as `first` does, when ten draws find one.
  TokenPlace likest(const std::string& text, const std::vector<TokenPlace>& places, char first) {
    TokenPlace place = places[below(places.size())];
    for (int i = 0; i < 10 && kind(text[place.begin]) != kind(first); ++i) place = places[below(places.size())];
    return place;
  }

  static std::string replaced(const std::string& text, TokenPlace at, const std::string& with) {
    return text.substr(0, at.begin) + with + text.substr(at.end);
  }

  std::string number() {
    static const char* const kNumbers[] = {"0",  "1",    "2",     "3",          "7",          "8",
                                           "31", "32",   "33",    "64",         "127",        "255",
                                           "-1", "1024", "65536", "2147483647", "4294967296", "9223372036854775807",
                                           "-2", "0.5",  "1e300", "0x7F800000"};
    return kNumbers[below(std::size(kNumbers))];
  }

  std::string changedOnce(const std::string& text) {
    switch (below(8)) {
      case 0: return brokenText(text, random_());
      case 1: return variedText(text, random_());
      case 2: return rewiredText(text, random_());
      case 3: return changedNumber(text);
      case 4: return crossed(text, text);
      case 5: return changedPiece(text, lines(text));
      case 6: return changedPiece(text, groups(text));
      default: return changedPiece(text, words(text));
    }
  }

  std::string changedNumber(const std::string& text) {
    const std::vector<TokenPlace> places = words(text);
    if (places.empty()) return text;
    const TokenPlace at = likest(text, places, '0');
    return replaced(text, at, number());
  }

  // Left out, doubled, or exchanged with another one behind it.
  std::string changedPiece(const std::string& text, const std::vector<TokenPlace>& pieces) {
    if (pieces.empty()) return text;
    const TokenPlace at = pieces[below(pieces.size())], to = pieces[below(pieces.size())];
    const std::string piece = text.substr(at.begin, at.end - at.begin);
    const size_t how = below(3);
    if (how == 0) return replaced(text, at, "");
    if (how == 1 || to.begin < at.end) return replaced(text, {at.end, at.end}, piece);
    return replaced(replaced(text, to, piece), at, text.substr(to.begin, to.end - to.begin));
  }

  std::minstd_rand random_;
};

inline std::string textOf(const uint8_t* data, size_t size) { return {reinterpret_cast<const char*>(data), size}; }

// Bytes of an input in front of its text.
#ifdef FUZZ_HEAD_BYTES
constexpr size_t kHeadBytes = FUZZ_HEAD_BYTES;
#else
constexpr size_t kHeadBytes = 0;
#endif

inline size_t withText(const std::string& text, uint8_t* data, size_t maxSize) {
  const size_t size = std::min(text.size(), maxSize - kHeadBytes);
  std::memcpy(data + kHeadBytes, text.data(), size);
  return kHeadBytes + size;
}

}  // namespace tessera::test

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t maxSize, unsigned int seed) {
  using namespace tessera::test;
  TextMutator mutator(seed);
  if (size <= kHeadBytes || maxSize <= kHeadBytes || mutator.below(4) == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  if (kHeadBytes > 0 && mutator.below(4) == 0) {
    data[mutator.below(kHeadBytes)] = static_cast<uint8_t>(mutator.below(256));
    return size;
  }
  return withText(mutator.changed(textOf(data + kHeadBytes, size - kHeadBytes)), data, maxSize);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* data1, size_t size1, const uint8_t* data2, size_t size2,
                                            uint8_t* out, size_t maxSize, unsigned int seed) {
  using namespace tessera::test;
  if (size1 < kHeadBytes || size2 < kHeadBytes || maxSize <= kHeadBytes) return 0;
  TextMutator mutator(seed);
  std::memcpy(out, data1, kHeadBytes);
  const std::string one = textOf(data1 + kHeadBytes, size1 - kHeadBytes);
  return withText(mutator.crossed(one, textOf(data2 + kHeadBytes, size2 - kHeadBytes)), out, maxSize);
}
