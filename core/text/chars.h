#pragma once
// Classes of ASCII characters, the same under every locale.

#include <cstddef>
#include <string_view>

namespace tessera::text {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

inline bool isDigit(char c) { return c >= '0' && c <= '9'; }
inline bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
inline bool isAlnum(char c) { return isLetter(c) || isDigit(c); }

// One past the last character of the name of a value, a block or an alias, which begins at `first`: behind digits
// follow others only where the next is a letter or `_` (`%0->` and `%0-1` end behind the digits); `->` never belongs to
// it.
size_t idEnd(std::string_view text, size_t first);

}  // namespace tessera::text
