#include "core/support/source.h"

#include <algorithm>

namespace tessera {

SourceBuffer::SourceBuffer(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {
  lineStarts_.push_back(0);
  for (size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') lineStarts_.push_back(static_cast<uint32_t>(i + 1));
  }
}

LineColumn SourceBuffer::lineColumn(uint32_t offset) const {
  offset = std::min<uint32_t>(offset, static_cast<uint32_t>(text_.size()));
  auto next = std::upper_bound(lineStarts_.begin(), lineStarts_.end(), offset);
  auto line = static_cast<uint32_t>(next - lineStarts_.begin());
  uint32_t start = lineStarts_[line - 1];
  uint32_t utf16 = 1;
  for (uint32_t i = start; i < offset; ++i) {
    auto byte = static_cast<unsigned char>(text_[i]);
    if ((byte & 0xC0) == 0x80) continue;  // continuation byte of the character before it
    utf16 += byte >= 0xF0 ? 2 : 1;        // characters beyond U+FFFF take two UTF-16 units
  }
  return {line, offset - start + 1, utf16};
}

std::string_view SourceBuffer::line(uint32_t number) const {
  if (number == 0 || number > lineStarts_.size()) return {};
  size_t begin = lineStarts_[number - 1];
  size_t end = number < lineStarts_.size() ? lineStarts_[number] - 1 : text_.size();
  if (end > begin && text_[end - 1] == '\r') --end;
  return std::string_view(text_).substr(begin, end - begin);
}

}  // namespace tessera
