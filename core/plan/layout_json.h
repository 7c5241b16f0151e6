#pragma once
// Layouts in the documents that go out of the program and come back (plans, problems): a table of what layouts are made
// from, to which everything else refers. A shard's shape follows from the tensor and the grid; it is written only where
// it is another one (an argument that arrives in somebody else's layout).

#include <map>
#include <string>
#include <tuple>

#include "core/ir/types.h"
#include "core/support/json_writer.h"

namespace tessera {

class LayoutRequestTable {
 public:
  explicit LayoutRequestTable(const DeviceSpec& device) : device_(device) {}

  // Of the layout of a tensor of this shape.
  int32_t indexOf(const Shape& shape, const TensorLayout& layout);
  // `"layouts": [...]` of the open object.
  void write(JsonWriter& w) const;

 private:
  struct Entry {
    TensorLayout layout;
    bool withShard = false;
  };
  using Key = std::tuple<int, int, int, int, int32_t, int32_t, int64_t, int64_t>;
  const DeviceSpec& device_;
  std::vector<Entry> entries_;
  std::map<Key, int32_t> index_;
};

// What makeLayout needs to make this layout again.
LayoutRequest requestOf(const TensorLayout& layout);

}  // namespace tessera
