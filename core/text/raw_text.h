#pragma once
// Small helpers on characters: comments, escapes, UTF-8, and the white space of text that is kept as it was written.

#include <string>
#include <string_view>

namespace tessera::text {

// Offset of the line break (or the end) behind the comment at `at`.
size_t commentEnd(std::string_view text, size_t at);

// Length of the UTF-8 sequence at text[at], or 0 when it is not a valid one.
size_t utf8Length(std::string_view text, size_t at);
bool isValidUtf8(std::string_view text);

// The character at text[at] for a message: "`;`", "U+0007", "0xFF (not UTF-8)".
std::string describeCharacter(std::string_view text, size_t at);

// `text` with every comment replaced by a space.
std::string withoutComments(std::string_view text);

// Appends `text` on one line: no comments, white space outside of strings at most one blank, none where it is never
// needed.
void appendNormalized(std::string& out, std::string_view text);

// What closes an angle bracket behind `text`: behind a `-` a blank too, since `->` is an arrow.
inline std::string_view closingAngle(std::string_view text) { return !text.empty() && text.back() == '-' ? " >" : ">"; }

// The contents of a string literal (given with its quotes), and back.
bool hasEscape(std::string_view literal);
std::string unescape(std::string_view contents);
void appendQuoted(std::string& out, std::string_view contents);

// [A-Za-z_][A-Za-z0-9_$.]*, without two dots in a row or one at the end
bool isBareId(std::string_view text);
// What may follow @ without quotes.
bool isPlainSymbol(std::string_view text);

}  // namespace tessera::text
