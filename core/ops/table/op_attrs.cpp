#include "core/ops/table/op_attrs.h"

#include <algorithm>

namespace tessera {

namespace {

struct AttrsLine {
  std::string_view op;
  std::string_view attributes;
};

constexpr AttrsLine kAttrsLines[] = {
#define TESSERA_ATTRS(op, attributes) {op, attributes},
#include "core/ops/table/op_attrs.def"
#undef TESSERA_ATTRS
};

}  // namespace

std::vector<OpAttr> opAttributes(std::string_view op) {
  const auto* end = std::end(kAttrsLines);
  const auto* line = std::lower_bound(std::begin(kAttrsLines), end, op,
                                      [](const AttrsLine& a, std::string_view b) { return a.op < b; });
  std::vector<OpAttr> out;
  if (line == end || line->op != op) return out;
  std::string_view rest = line->attributes;
  while (!rest.empty()) {
    std::string_view word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    size_t colon = word.find(':');
    size_t equals = std::min(word.find('='), word.size());
    if (colon == std::string_view::npos || colon > equals) continue;
    out.push_back({word.substr(0, colon), word.substr(colon + 1, equals - colon - 1),
                   word.substr(std::min(equals + 1, word.size()))});
  }
  return out;
}

}  // namespace tessera
