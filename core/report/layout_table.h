#pragma once
// The layouts of a run, each listed once; the report refers to them by index.

#include <vector>

#include "core/ir/tensor_layout.h"
#include "core/ir/types.h"
#include "core/support/json_writer.h"
#include "core/support/key_index.h"

namespace tessera {

class LayoutTable {
 public:
  int32_t indexOf(const Shape& shape, const TensorLayout& layout);
  // "layouts" of the open object.
  void write(JsonWriter& w) const;

 private:
  struct Entry {
    Shape shape;
    TensorLayout layout;
  };
  std::vector<Entry> entries_;
  HashIndex index_;  // of entries_
};

}  // namespace tessera
