#pragma once
// Tables of enumerations whose values have names outside the program: one row per value. Parsing, printing, help and
// the catalog read the same row.

#include <cstddef>
#include <optional>
#include <string_view>

namespace tessera {

template <class E>
struct EnumRow {
  E value;
  std::string_view id;
  std::string_view title;
};

template <class E, size_t N>
constexpr std::optional<E> parseEnum(const EnumRow<E> (&rows)[N], std::string_view id) {
  for (const EnumRow<E>& row : rows) {
    if (row.id == id) return row.value;
  }
  return std::nullopt;
}

// "" for a value that has no row.
template <class E, size_t N>
constexpr std::string_view enumId(const EnumRow<E> (&rows)[N], E value) {
  for (const EnumRow<E>& row : rows) {
    if (row.value == value) return row.id;
  }
  return {};
}

}  // namespace tessera
