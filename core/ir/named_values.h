#pragma once
// Values of a graph by function and name.

#include <string_view>
#include <vector>

#include "core/ir/graph.h"
#include "core/support/key_index.h"

namespace tessera {

// Looked into, never iterated over.
class NamedValues {
 public:
  // The graph outlives this; it may grow, and values may leave it. Nothing is known at the start.
  explicit NamedValues(const Graph& graph) : graph_(graph) {}

  // The first added value of this name; invalid when there is none.
  ValueId find(FuncId func, std::string_view name) const;
  bool has(FuncId func, std::string_view name) const { return find(func, name).valid(); }
  // Room for so many values.
  void reserve(size_t values);
  // As a value of `func`, by the name it has.
  void add(FuncId func, ValueId value);

 private:
  struct Entry {
    FuncId func;
    ValueId value;
  };
  const Graph& graph_;
  HashIndex index_;
  std::vector<Entry> entries_;  // by their number in it
};

}  // namespace tessera
