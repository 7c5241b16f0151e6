#include "core/profile/profile_text.h"

namespace tessera {

std::string_view textAfter(std::string_view text, std::string_view key) {
  size_t at = text.find(key);
  return at == std::string_view::npos ? std::string_view() : text.substr(at + key.size());
}

std::vector<int64_t> numbersAfter(std::string_view text, std::string_view key) {
  constexpr int64_t kMost = int64_t{1} << 31;
  constexpr size_t kLongest = 8;
  std::vector<int64_t> numbers;
  bool open = false;
  for (char c : textAfter(text, key)) {
    if (c >= '0' && c <= '9') {
      if (!open && numbers.size() == kLongest) break;
      if (!open) numbers.push_back(0);
      if (numbers.back() < kMost / 10) numbers.back() = numbers.back() * 10 + (c - '0');
      open = true;
    } else if (c == ';' || c == ' ' || c == '(' || c == '[' || c == '{' || c == 'x' || c == 'y' || c == '=') {
      open = false;
    } else {
      break;
    }
  }
  return numbers;
}

std::optional<int64_t> numberAfter(std::string_view text, std::string_view key) {
  std::vector<int64_t> numbers = numbersAfter(text, key);
  return numbers.empty() ? std::nullopt : std::optional(numbers[0]);
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::string lowerCase(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return out;
}

}  // namespace tessera
