#pragma once
// The layouts of a run, each listed once; the report refers to them by index.

#include <vector>

#include "core/ir/tensor_layout.h"
#include "core/support/json_writer.h"

namespace tessera {

class LayoutTable {
 public:
  // A layout that is far back in the list may be listed again.
  int32_t indexOf(const Shape& shape, const TensorLayout& layout);
  // "layouts" of the open object.
  void write(JsonWriter& w) const;

 private:
  struct Entry {
    Shape shape;
    TensorLayout layout;
  };
  std::vector<Entry> entries_;
};

}  // namespace tessera
