#include "core/plan/layout_json.h"

namespace tessera {

LayoutRequest requestOf(const TensorLayout& layout) {
  return {layout.dtype, layout.buffer, layout.memory, layout.page, layout.grid};
}

int32_t LayoutRequestTable::indexOf(const Shape& shape, const TensorLayout& layout) {
  const auto made = makeLayout(shape, requestOf(layout), device_);
  const bool withShard = !made.ok() || !(*made == layout);
  const Key key{static_cast<int>(layout.buffer),
                static_cast<int>(layout.memory),
                static_cast<int>(layout.page),
                static_cast<int>(layout.dtype),
                layout.grid.rows,
                layout.grid.cols,
                withShard ? layout.shardRows : -1,
                withShard ? layout.shardCols : -1};
  const auto [at, isNew] = index_.try_emplace(key, static_cast<int32_t>(entries_.size()));
  if (isNew) entries_.push_back({layout, withShard});
  return at->second;
}

void LayoutRequestTable::write(JsonWriter& w) const {
  w.key("layouts");
  w.beginArray();
  for (const Entry& entry : entries_) {
    const TensorLayout& layout = entry.layout;
    w.beginObject();
    w.field("buffer", bufferTypeName(layout.buffer));
    w.field("memory", tensorMemoryLayoutName(layout.memory));
    w.field("page", pageLayoutName(layout.page));
    w.field("dtype", dtypeName(layout.dtype));
    w.key("grid");
    w.beginArray(), w.integer(layout.grid.rows), w.integer(layout.grid.cols), w.endArray();
    if (entry.withShard) {
      w.key("shard");
      w.beginArray(), w.integer(layout.shardRows), w.integer(layout.shardCols), w.endArray();
    }
    w.endObject();
  }
  w.endArray();
}

}  // namespace tessera
