#pragma once
// Aliases of a printed module, numbered as MLIR does: #dram, #l1, #system_desc ... in alphabetical order, then the
// layouts in the order in which they were first needed.

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

namespace tessera {

class AliasTable {
 public:
  // `enabled` false: nothing is replaced.
  explicit AliasTable(bool enabled) : enabled_(enabled) {}

  // The alias of a whole TTNN layout attribute, or the text itself.
  std::string layout(const std::string& text);
  // The text with aliases for what it names.
  std::string attribute(const std::string& text);
  // The definitions, a line each.
  std::string definitions() const;

 private:
  std::string shortened(std::string_view text);
  std::string numbered(std::string_view base, const std::string& text);

  bool enabled_;
  std::map<std::string, std::string> simple_;           // alias to text, of attributes that name no others
  std::unordered_map<std::string, std::string> names_;  // text to alias, of all numbered ones
  std::map<std::string, size_t, std::less<>> counts_;
  std::string layouts_;  // their definitions
};

}  // namespace tessera
