#pragma once
// Pages of HTML that hold their data.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera {

// As a text of HTML, or within the quotes of an attribute.
std::string htmlText(std::string_view text);
// JSON within a script element: nothing in it may end the element.
std::string scriptSafe(const std::string& json);
// The page with each text at its place, "{{NAME}}". All places are found before anything is put in: what the texts say
// is nobody's place.
std::string filledPage(std::string page, const std::vector<std::pair<std::string_view, std::string>>& texts);

}  // namespace tessera
