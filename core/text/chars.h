#pragma once
// Classes of ASCII characters, the same under every locale.

#include <string_view>

namespace tessera::text {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

inline bool isDigit(char c) { return c >= '0' && c <= '9'; }
inline bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
inline bool isAlnum(char c) { return isLetter(c) || isDigit(c); }

}  // namespace tessera::text
