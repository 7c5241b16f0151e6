#include "core/report/page_text.h"

#include <map>

#include "core/support/diagnostics.h"

namespace tessera {

std::string htmlText(std::string_view text) {
  std::string out;
  for (char c : toValidUtf8(text)) {
    switch (c) {
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '&': out += "&amp;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string scriptSafe(const std::string& json) {
  std::string text;
  text.reserve(json.size());
  for (char c : json) {
    if (c == '<') text += "\\u003c";
    else text += c;
  }
  return text;
}

std::string filledPage(std::string page, const std::vector<std::pair<std::string_view, std::string>>& texts) {
  std::map<size_t, const std::pair<std::string_view, std::string>*> places;
  for (const auto& text : texts) {
    const size_t at = page.find(text.first);
    if (at != std::string::npos) places[at] = &text;
  }
  for (auto place = places.rbegin(); place != places.rend(); ++place)
    page.replace(place->first, place->second->first.size(), place->second->second);
  return page;
}

}  // namespace tessera
