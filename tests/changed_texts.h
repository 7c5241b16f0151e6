#pragma once
// What becomes of a text of MLIR, or of any other, when a word is changed: inputs for tests and fuzzers.

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::test {

// Every `from` of the text is `to`.
inline std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

// Words, numbers, and single marks; what stands between them (white space, comments) belongs to no token.
struct TokenPlace {
  size_t begin = 0, end = 0;
};
inline std::vector<TokenPlace> tokenPlaces(const std::string& text) {
  const auto inWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; };
  std::vector<TokenPlace> out;
  for (size_t i = 0; i < text.size();) {
    if (text.compare(i, 2, "//") == 0) {
      i = std::min(text.find('\n', i), text.size());
    } else if (std::isspace(static_cast<unsigned char>(text[i])) != 0) {
      ++i;
    } else {
      size_t end = i + 1;
      while (inWord(text[i]) && end < text.size() && inWord(text[end])) ++end;
      out.push_back({i, end});
      i = end;
    }
  }
  return out;
}

// SplitMix64 (Steele, Lea, Flood, 2014): the same changes everywhere.
inline uint64_t mixed(uint64_t z) {
  z += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

// The token's number, `factor` times and with `more`; the largest wrap around.
inline int64_t numberOf(const std::string& token, uint64_t factor, int64_t more) {
  return static_cast<int64_t>(static_cast<uint64_t>(std::atoll(token.c_str())) * factor + static_cast<uint64_t>(more));
}

// One token left out, doubled, exchanged with the next, or another number.
inline std::string brokenText(const std::string& text, uint64_t seed) {
  const std::vector<TokenPlace> tokens = tokenPlaces(text);
  if (tokens.size() < 2) return text;
  const uint64_t draw = mixed(seed);
  const size_t at = static_cast<size_t>((draw >> 8) % (tokens.size() - 1));
  const auto [begin, end] = tokens[at];
  const std::string token = text.substr(begin, end - begin);
  const bool number = std::isdigit(static_cast<unsigned char>(token[0])) != 0;
  const std::string head = text.substr(0, begin), tail = text.substr(end);
  switch (draw % 5) {
    case 0: return head + tail;
    case 1: return head + token + " " + token + tail;
    case 2: return head + (number ? "-1" : "4") + tail;
    case 3: return number ? head + std::to_string(numberOf(token, 1, 1)) + tail : head + token + "_" + tail;
    default: {
      const auto [nextBegin, nextEnd] = tokens[at + 1];
      return head + text.substr(nextBegin, nextEnd - nextBegin) + text.substr(end, nextBegin - end) + token +
             text.substr(nextEnd);
    }
  }
}

// One number or truth value of an attribute changed, which may be sound: "dim = 1" becomes "dim = 0".
inline std::string variedText(const std::string& text, uint64_t seed) {
  std::vector<TokenPlace> places;
  for (const TokenPlace& place : tokenPlaces(text)) {
    const std::string token = text.substr(place.begin, place.end - place.begin);
    const bool integer = std::all_of(token.begin(), token.end(), [](char c) { return std::isdigit(c) != 0; });
    const char before = place.begin > 0 ? text[place.begin - 1] : ' ';
    if ((integer && before != '%' && before != '<' && before != '#') || token == "true" || token == "false")
      places.push_back(place);
  }
  if (places.empty()) return text;
  const uint64_t draw = mixed(seed);
  const auto [begin, end] = places[static_cast<size_t>((draw >> 8) % places.size())];
  const std::string token = text.substr(begin, end - begin);
  std::string other = token == "true" ? "false" : "true";
  if (std::isdigit(static_cast<unsigned char>(token[0])) != 0) {
    const int64_t fewer = std::max<int64_t>(numberOf(token, 1, -1), 0);
    const int64_t others[] = {0, 1, 2, numberOf(token, 1, 1), fewer, numberOf(token, 2, 0)};
    other = std::to_string(others[draw % 6]);
  }
  return text.substr(0, begin) + other + text.substr(end);
}

// Where `open` begins a word in the text, behind it: the names of values ('%') or of ops in quotes ('"').
inline std::vector<TokenPlace> namesBehind(const std::string& text, char open) {
  std::vector<TokenPlace> out;
  for (size_t at = text.find(open); at != std::string::npos; at = text.find(open, at + 1)) {
    size_t end = at + 1;
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_' ||
                                 (open == '"' && text[end] == '.')))
      ++end;
    const bool named = open == '%' || (end < text.size() && text.compare(end, 2, "\"(") == 0);
    if (end > at + 1 && named) out.push_back({at + 1, end});
  }
  return out;
}

// One operand is another value of its function, or one op another op: patterns meet what they must leave alone. Texts
// whose types do not go together then are refused when they are read.
inline std::string rewiredText(const std::string& text, uint64_t seed) {
  const uint64_t draw = mixed(seed);
  const bool value = draw % 2 == 0;
  const std::vector<TokenPlace> places = namesBehind(text, value ? '%' : '"');
  if (places.empty()) return text;
  const auto [begin, end] = places[static_cast<size_t>((draw >> 8) % places.size())];
  std::string other;
  if (value) {
    if (text.compare(end, 2, " =") == 0 || text.compare(end, 1, ":") == 0) return text;  // where it is defined
    const size_t function = text.rfind("func.func", begin);
    std::vector<TokenPlace> known;
    for (const TokenPlace& place : places) {
      if (place.end < begin && (function == std::string::npos || place.begin > function)) known.push_back(place);
    }
    if (known.empty()) return text;
    const TokenPlace& chosen = known[static_cast<size_t>((draw >> 32) % known.size())];
    other = text.substr(chosen.begin, chosen.end - chosen.begin);
  } else {
    const char* const kOps[] = {"relu",   "add",      "multiply", "silu",   "neg",       "exp",   "matmul", "typecast",
                                "divide", "subtract", "sigmoid",  "rsqrt",  "reshape",   "sqrt",  "sum",    "max",
                                "mean",   "permute",  "maximum",  "concat", "broadcast", "slice", "pow",    "tanh"};
    const std::string name = text.substr(begin, end - begin);
    other = name.substr(0, name.find('.') + 1) + kOps[(draw >> 32) % std::size(kOps)];
  }
  return text.substr(0, begin) + other + text.substr(end);
}

}  // namespace tessera::test
