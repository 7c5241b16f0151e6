#include "core/report/layout_table.h"

namespace tessera {

namespace {

constexpr size_t kLookBack = 64;  // recent entries are the likely ones

void writeLayout(JsonWriter& w, const Shape& shape, const TensorLayout& layout) {
  w.beginObject();
  w.field("buffer", bufferTypeName(layout.buffer));
  w.field("memory", tensorMemoryLayoutName(layout.memory));
  w.field("page", pageLayoutName(layout.page));
  w.field("dtype", dtypeName(layout.dtype));
  w.key("grid");
  w.beginArray(), w.integer(layout.grid.rows), w.integer(layout.grid.cols), w.endArray();
  w.key("shard");
  w.beginArray(), w.integer(layout.shardRows), w.integer(layout.shardCols), w.endArray();
  w.field("text", std::string_view(layoutText(layout)));
  w.field("bytesPerCore", l1BytesPerCore(layout).count);
  w.field("totalBytes", totalBytes(shape, layout).count);
  w.endObject();
}
}  // namespace

int32_t LayoutTable::indexOf(const Shape& shape, const TensorLayout& layout) {
  for (size_t back = 0; back < entries_.size() && back < kLookBack; ++back) {
    size_t at = entries_.size() - 1 - back;
    if (entries_[at].layout == layout && entries_[at].shape == shape) return static_cast<int32_t>(at);
  }
  entries_.push_back({shape, layout});
  return static_cast<int32_t>(entries_.size()) - 1;
}

void LayoutTable::write(JsonWriter& w) const {
  w.key("layouts");
  w.beginArray();
  for (const Entry& e : entries_) writeLayout(w, e.shape, e.layout);
  w.endArray();
}

}  // namespace tessera
