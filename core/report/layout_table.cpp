#include "core/report/layout_table.h"

namespace tessera {

namespace {

uint64_t hashOf(const Shape& shape, const TensorLayout& layout) {
  uint64_t hash = static_cast<uint64_t>(layout.buffer) | static_cast<uint64_t>(layout.memory) << 8 |
                  static_cast<uint64_t>(layout.page) << 16 | static_cast<uint64_t>(layout.dtype) << 24;
  hash = mixHash(hash, static_cast<uint64_t>(layout.grid.rows));
  hash = mixHash(hash, static_cast<uint64_t>(layout.grid.cols));
  for (int64_t dim : shape) hash = mixHash(hash, static_cast<uint64_t>(dim));
  return hash;
}

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
  const uint64_t hash = hashOf(shape, layout);
  const int32_t known = index_.find(hash, [&](int32_t at) {
    const Entry& entry = entries_[static_cast<size_t>(at)];
    return entry.layout == layout && entry.shape == shape;
  });
  if (known >= 0) return known;
  entries_.push_back({shape, layout});
  return index_.add(hash);
}

void LayoutTable::write(JsonWriter& w) const {
  w.key("layouts");
  w.beginArray();
  for (const Entry& e : entries_) writeLayout(w, e.shape, e.layout);
  w.endArray();
}

}  // namespace tessera
