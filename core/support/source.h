#pragma once
// The text a user gave us, and places in it.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

// Half-open byte range [begin, end) of a SourceBuffer. An empty span at 0 also serves as "no place known".
struct Span {
  uint32_t begin = 0;
  uint32_t end = 0;
  friend constexpr bool operator==(Span, Span) = default;
};

// 1-based; `column` counts bytes, `utf16Column` counts UTF-16 code units (what editors use).
struct LineColumn {
  uint32_t line = 1;
  uint32_t column = 1;
  uint32_t utf16Column = 1;
};

// Inputs larger than this are refused by the driver with a diagnostic (offsets are 32-bit).
inline constexpr size_t kMaxSourceBytes = size_t{256} << 20;

class SourceBuffer {
 public:
  SourceBuffer() : SourceBuffer("", "") {}
  SourceBuffer(std::string name, std::string text);

  const std::string& name() const { return name_; }
  std::string_view text() const { return text_; }
  std::string_view slice(Span span) const { return std::string_view(text_).substr(span.begin, span.end - span.begin); }
  LineColumn lineColumn(uint32_t offset) const;
  // The text of a 1-based line without its line break; "" when there is no such line.
  std::string_view line(uint32_t number) const;
  uint32_t lineCount() const { return static_cast<uint32_t>(lineStarts_.size()); }

 private:
  std::string name_;
  std::string text_;
  std::vector<uint32_t> lineStarts_;
};

}  // namespace tessera
