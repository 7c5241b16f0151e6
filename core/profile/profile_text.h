#pragma once
// The attributes column of a device profile: the library's own print of its structures, `'name':
// 'Type(field=value;(x=1;y=2))'; ...`. It is read for single fields by name; what is not there, or is no number, is
// nothing.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

// What stands right behind the first `key`; empty when there is none.
std::string_view textAfter(std::string_view text, std::string_view key);
// Numbers behind `key` up to the first thing that is neither number nor separator: "(3;3)" -> 3, 3; "SmallVector([0; 2;
// 1])" after its bracket likewise. At most 8, each below 2^31.
std::vector<int64_t> numbersAfter(std::string_view text, std::string_view key);
std::optional<int64_t> numberAfter(std::string_view text, std::string_view key);
bool contains(std::string_view text, std::string_view part);
std::string lowerCase(std::string_view text);

}  // namespace tessera
