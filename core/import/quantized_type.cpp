#include "core/import/quantized_type.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace tessera {

namespace {

std::string_view withoutSpaces(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// `0.1:3`; empty when the scale is no number.
std::string oneScale(std::string_view text) {
  const size_t colon = text.find(':');
  const std::string scale(withoutSpaces(text.substr(0, colon)));
  char* end = nullptr;
  const double number = std::strtod(scale.c_str(), &end);
  if (scale.empty() || *end != '\0') return {};
  char digits[48];
  std::snprintf(digits, sizeof digits, "%e", number);
  std::string out = digits;
  const std::string_view zero = colon == std::string_view::npos ? "" : withoutSpaces(text.substr(colon + 1));
  if (!zero.empty() && zero != "0") out += ":" + std::string(zero);
  return out;
}

}  // namespace

std::optional<std::string> quantizedTypeText(const std::string& text) {
  const size_t comma = text.find(',');
  if (comma == std::string::npos || text.back() != '>') return std::nullopt;
  std::string_view scales = withoutSpaces(std::string_view(text).substr(comma + 1, text.size() - comma - 2));
  const bool axis = !scales.empty() && scales.front() == '{' && scales.back() == '}';
  if (axis) scales = scales.substr(1, scales.size() - 2);
  std::string out = text.substr(0, comma) + ", " + (axis ? "{" : "");
  while (true) {
    const size_t end = scales.find(',');
    const std::string one = oneScale(scales.substr(0, end));
    if (one.empty()) return std::nullopt;
    out += one;
    if (end == std::string_view::npos) break;
    out += ",";
    scales.remove_prefix(end + 1);
  }
  return out + (axis ? "}>" : ">");
}

}  // namespace tessera
