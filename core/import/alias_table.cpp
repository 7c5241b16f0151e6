#include "core/import/alias_table.h"

namespace tessera {

namespace {

constexpr std::string_view kBufferType = "#ttnn.buffer_type<";
constexpr std::string_view kSystemDesc = "#ttcore.system_desc<";

// Behind the string literal that starts at text[at].
size_t behindString(std::string_view text, size_t at) {
  for (size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\') ++i;
    else if (text[i] == '"') return i + 1;
  }
  return text.size();
}

}  // namespace

std::string AliasTable::numbered(std::string_view base, const std::string& text) {
  auto [at, isNew] = names_.emplace(text, "");
  if (!isNew) return at->second;
  size_t& count = counts_[std::string(base)];
  at->second = "#" + std::string(base) + (count == 0 ? std::string() : std::to_string(count));
  ++count;
  return at->second;
}

// Buffer types, wherever they stand outside of strings.
std::string AliasTable::shortened(std::string_view text) {
  if (text.find(kBufferType) == std::string_view::npos) return std::string(text);
  std::string out;
  for (size_t i = 0; i < text.size();) {
    if (text[i] == '"') {
      size_t end = behindString(text, i);
      out.append(text.substr(i, end - i));
      i = end;
      continue;
    }
    size_t close = text.substr(i, kBufferType.size()) == kBufferType ? text.find('>', i) : std::string_view::npos;
    if (close == std::string_view::npos) {
      out += text[i++];
      continue;
    }
    std::string alias = "#" + std::string(text.substr(i + kBufferType.size(), close - i - kBufferType.size()));
    simple_.emplace(alias, std::string(text.substr(i, close + 1 - i)));
    out += alias;
    i = close + 1;
  }
  return out;
}

std::string AliasTable::layout(const std::string& text) {
  if (!enabled_) return text;
  bool isNew = names_.find(text) == names_.end();
  std::string name = numbered("ttnn_layout", text);
  if (isNew) layouts_ += name + " = " + shortened(text) + "\n";
  return name;
}

std::string AliasTable::attribute(const std::string& text) {
  if (!enabled_ || text.find('#') == std::string::npos) return text;
  if (text.compare(0, kSystemDesc.size(), kSystemDesc) != 0) return shortened(text);
  std::string alias = numbered("system_desc", text);
  simple_.emplace(alias, text);
  return alias;
}

std::string AliasTable::definitions() const {
  std::string out;
  for (const auto& [alias, text] : simple_) out += alias + " = " + text + "\n";
  return out + layouts_;
}

}  // namespace tessera
