#include "core/lab/layout_json.h"

#include <algorithm>

#include "core/ir/legal_tensor_layouts.h"
#include "core/lab/lab_layouts.h"
#include "core/lab/lab_placement.h"
#include "core/support/json_writer.h"

namespace tessera {

namespace {

constexpr int kLabSchema = 1;
// Numbers of elements and of bits stay exact in JavaScript.
constexpr int64_t kMaxBytes = int64_t{1} << 50;

void list(JsonWriter& w, std::string_view name, const std::vector<int64_t>& numbers) {
  w.key(name);
  w.beginArray();
  for (int64_t number : numbers) w.integer(number);
  w.endArray();
}

void pair(JsonWriter& w, std::string_view name, int64_t first, int64_t second) {
  w.key(name);
  w.beginArray();
  w.integer(first), w.integer(second);
  w.endArray();
}

int64_t volumeOf(const std::vector<int64_t>& dims) {
  int64_t volume = 1;
  for (int64_t dim : dims) {
    if (!mulChecked(volume, dim, volume)) return INT64_MAX;
  }
  return volume;
}

void writeProblems(JsonWriter& w, const std::vector<LabProblem>& problems) {
  w.key("problems");
  w.beginArray();
  for (const LabProblem& problem : problems) {
    w.beginObject();
    w.field("field", problem.field);
    w.field("rule", problem.rule);
    w.field("text", problem.text);
    w.endObject();
  }
  w.endArray();
}

// The fields as they are now: after a text was read they are what the page's controls show.
void writeFields(JsonWriter& w, const LabRequest& request) {
  w.key("request");
  w.beginObject();
  w.field("view", request.ttnn ? "ttnn" : "metal");
  w.field("device", request.device->id);
  list(w, "shape", request.shape);
  w.field("dtype", dtypeName(request.dtype));
  list(w, "grid", request.grid);
  w.key("collapse");
  w.beginArray();
  for (const CollapseInterval& interval : request.collapse)
    w.beginArray(), w.integer(interval.begin), w.integer(interval.end), w.endArray();
  w.endArray();
  list(w, "strides", request.strides);
  w.field("map", request.map);
  w.field("tiled", request.tiled);
  pair(w, "tile", request.tile.rows, request.tile.cols);
  w.field("oob", oobValName(request.oob));
  w.field("buffer", request.buffer);
  w.field("memory", tensorMemoryLayoutName(request.memory));
  w.field("deviceDims", request.deviceDims);
  w.endObject();
}

void writeText(JsonWriter& w, std::string_view name, const std::string& text, const LayoutDefect* defect) {
  w.key(name);
  w.beginObject();
  if (defect) {
    w.field("rule", layoutRuleName(defect->rule));
    w.field("why", defect->text);
  } else {
    w.field("text", text);
  }
  w.endObject();
}

void writeTexts(JsonWriter& w, const LabRequest& request, const LabLayouts& layouts) {
  const LayoutDefect* noMetal = layouts.metal ? nullptr : &layouts.metal.error();
  const LayoutDefect* noTtnn = layouts.ttnn ? nullptr : &layouts.ttnn.error();
  w.key("texts");
  w.beginObject();
  writeText(w, "metal", noMetal ? "" : printMetalLayout(*layouts.metal), noMetal);
  writeText(w, "ttnn", noTtnn ? "" : printTtnnLayout(request.shape, *layouts.ttnn, *request.device), noTtnn);
  writeText(w, "ttnnLegacy", noTtnn ? "" : legacyTtnnText(request.shape, *layouts.ttnn, *request.device), noTtnn);
  w.endObject();
}

// Do both layouts cut the tensor at the same rows and columns? Metal divides by the grid before it rounds up to tiles,
// TTNN after.
bool sameCuts(const LabRequest& request, const LabLayouts& layouts) {
  if (!layouts.metal || !layouts.ttnn || !layouts.ttnn->sharded()) return layouts.metal.ok() && layouts.ttnn.ok();
  const Result<std::vector<int64_t>, LayoutDefect> physical = metalPhysicalShape(request.shape, layouts.metal->linear);
  if (!physical) return false;
  const Result<std::vector<int64_t>, LayoutDefect> shard = metalScalarShard(*physical, layouts.metal->grid);
  if (!shard || shard->size() != 2) return false;
  const int64_t side = request.tiled ? kTileSide : 1;
  // A grid of one on an axis does not cut it; the last shard may be short in either.
  return (layouts.metal->grid[0] == 1 || (*shard)[0] == layouts.ttnn->shardRows * side) &&
         (layouts.metal->grid[1] == 1 || (*shard)[1] == layouts.ttnn->shardCols * side);
}

struct Drawn {
  const LabRequest& request;
  const LabPlacement& placement;
  std::vector<int64_t> cursor;
};

void writeShapes(JsonWriter& w, const Drawn& drawn, const LabLayouts& layouts) {
  const LabRequest& request = drawn.request;
  if (request.ttnn) {
    w.field("map", defaultLinearMapText(request.shape, request.tiled ? PageLayout::Tile : PageLayout::RowMajor));
    pair(w, "units", layouts.ttnn->shardRows, layouts.ttnn->shardCols);
    pair(w, "grid", layouts.ttnn->grid.rows, layouts.ttnn->grid.cols);
  } else {
    w.field("map", printAffineMap(layouts.metal->linear));
    list(w, "units", layouts.metal->shard);
    list(w, "grid", layouts.metal->grid);
    list(w, "scalarShard", *metalScalarShard(drawn.placement.physical(), layouts.metal->grid));
    const Result<AffineMap, LayoutDefect> toCores = virtualToPhysicalMap(layouts.metal->grid, labTarget(request));
    if (toCores) w.field("gridMap", printAffineMap(*toCores));
  }
  list(w, "physical", drawn.placement.physical());
  list(w, "stored", drawn.placement.stored());
  w.field("positions", drawn.placement.positions());
  w.field("unitBytes", drawn.placement.unitBytes());
  w.field("valueBits", drawn.placement.valueBits());
}

// Bytes that hold values of the tensor; block formats count their share of the exponents.
int64_t dataBytes(const Drawn& drawn, int64_t elements) {
  const LabRequest& request = drawn.request;
  const int64_t perUnit =
      request.tiled ? (request.ttnn ? kTileSide * kTileSide : request.tile.rows * request.tile.cols) : 1;
  return elements / perUnit * drawn.placement.unitBytes() +
         ceilDiv(elements % perUnit * drawn.placement.unitBytes(), perUnit);
}

void writeBytes(JsonWriter& w, const Drawn& drawn, const LabLayouts& layouts) {
  const LabPlacement& placement = drawn.placement;
  const int64_t elements = volumeOf(drawn.request.shape);
  const int64_t perPosition = placement.bytesPerPosition().count;
  const int64_t total = perPosition * placement.positions();
  const int64_t data = dataBytes(drawn, elements);
  // Padding by reason, in elements; each step of the derivation adds its own.
  const int64_t physical = volumeOf(placement.physical());
  int64_t divided = volumeOf(placement.stored()) * placement.positions();
  const int64_t stored = divided;
  if (!drawn.request.ttnn)
    divided = volumeOf(*metalScalarShard(placement.physical(), layouts.metal->grid)) * placement.positions();
  w.key("bytes");
  w.beginObject();
  w.field("perCore", perPosition);
  w.field("total", total);
  w.field("data", data);
  w.field("wasted", total - data);
  w.field("usableL1", drawn.request.device->usableL1().count);
  w.endObject();
  w.key("places");
  w.beginObject();
  w.field("elements", elements);
  w.field("stored", stored);
  w.field("strideGap", drawn.request.ttnn ? 0 : physical - elements);
  w.field("beyondTensor", divided - physical);
  w.field("tileRounding", drawn.request.ttnn ? physical - elements : stored - divided);
  w.endObject();
}

void writeCursor(JsonWriter& w, const Drawn& drawn) {
  const LabPlace place = drawn.placement.atIndex(drawn.cursor);
  const LabCore at = drawn.placement.coreOf(place.position);
  w.key("cursor");
  w.beginObject();
  list(w, "index", drawn.cursor);
  w.field("element", place.element);
  list(w, "physical", drawn.placement.physicalIndex(drawn.cursor));
  list(w, "gridIndex", drawn.placement.gridIndex(place.position));
  w.field("position", place.position);
  w.field("device", at.device);
  pair(w, "core", at.core.x, at.core.y);
  list(w, "local", drawn.placement.localIndex(drawn.cursor));
  w.field("offset", place.bits / 8);
  w.field("bit", place.bits % 8);
  w.endObject();
}

// A window of one of the three spaces around an index.
struct Picture {
  enum class Space { Logical, Physical, Stored };
  std::string_view name;
  Space space;
  const std::vector<int64_t>& dims;
  std::vector<int64_t> around;
  int64_t position = 0;  // whose storage
};

LabPlace placeIn(const LabPlacement& placement, const Picture& picture, const std::vector<int64_t>& at) {
  if (picture.space == Picture::Space::Logical) return placement.atIndex(at);
  return picture.space == Picture::Space::Physical ? placement.atPhysical(at)
                                                   : placement.atStored(picture.position, at);
}

// Cells as runs of four numbers: count, first element (or padding), position, first bit (-1 for padding). Within a run
// of elements both element and bits count up.
class Runs {
 public:
  Runs(JsonWriter& w, int64_t step) : w_(w), step_(step) {}
  void add(const LabPlace& place) {
    const bool same = count_ > 0 && place.position == first_.position;
    const bool goesOn = place.element < 0 ? place.element == first_.element
                                          : first_.element >= 0 && place.element == first_.element + count_ &&
                                                place.bits == first_.bits + count_ * step_;
    if (!same || !goesOn) {
      flush();
      first_ = place;
    }
    ++count_;
  }
  void flush() {
    if (count_ > 0)
      w_.integer(count_), w_.integer(first_.element), w_.integer(first_.position), w_.integer(first_.bits);
    count_ = 0;
  }

 private:
  JsonWriter& w_;
  int64_t step_;
  LabPlace first_;
  int64_t count_ = 0;
};

void writeWindow(JsonWriter& w, const LabPlacement& placement, const Picture& picture, int64_t size) {
  const size_t rank = picture.dims.size();
  const int64_t rows = rank >= 2 ? picture.dims[rank - 2] : 1;
  const int64_t cols = rank >= 1 ? picture.dims[rank - 1] : 1;
  // Pages of the whole picture, so that it stands still while the cursor moves within it.
  const int64_t row = rank >= 2 ? picture.around[rank - 2] / size * size : 0;
  const int64_t col = rank >= 1 ? picture.around[rank - 1] / size * size : 0;
  const int64_t height = std::min(size, rows - row);
  const int64_t width = std::min(size, cols - col);
  w.key(picture.name);
  w.beginObject();
  pair(w, "extent", rows, cols);
  pair(w, "origin", row, col);
  pair(w, "size", height, width);
  w.key("outer");
  w.beginArray();
  for (size_t i = 0; i + 2 < rank; ++i) w.integer(picture.around[i]);
  w.endArray();
  w.key("cells");
  w.beginArray();
  Runs runs(w, placement.valueBits());
  std::vector<int64_t> at = picture.around;
  for (int64_t r = 0; r < height; ++r) {
    for (int64_t c = 0; c < width; ++c) {
      if (rank >= 2) at[rank - 2] = row + r;
      if (rank >= 1) at[rank - 1] = col + c;
      runs.add(placeIn(placement, picture, at));
    }
  }
  runs.flush();
  w.endArray();
  w.endObject();
}

void writeWindows(JsonWriter& w, const Drawn& drawn) {
  const LabPlacement& placement = drawn.placement;
  const int64_t size = std::clamp<int64_t>(drawn.request.window, 1, kMaxLabWindow);
  const int64_t own = placement.atIndex(drawn.cursor).position;
  const bool looksAway =
      drawn.request.look >= 0 && drawn.request.look < placement.positions() && drawn.request.look != own;
  const int64_t position = looksAway ? drawn.request.look : own;
  std::vector<int64_t> local = placement.localIndex(drawn.cursor);
  if (looksAway) local.assign(local.size(), 0);
  w.key("windows");
  w.beginObject();
  writeWindow(w, placement, {"logical", Picture::Space::Logical, drawn.request.shape, drawn.cursor}, size);
  writeWindow(w, placement,
              {"physical", Picture::Space::Physical, placement.physical(), placement.physicalIndex(drawn.cursor)},
              size);
  writeWindow(w, placement, {"stored", Picture::Space::Stored, placement.stored(), std::move(local), position}, size);
  w.field("position", position);
  w.endObject();
}

void writeFind(JsonWriter& w, const Drawn& drawn) {
  const LabRequest::Find& find = drawn.request.find;
  if (!find.asked) return;
  w.key("found");
  w.beginObject();
  const bool known = find.position >= 0 && find.position < drawn.placement.positions() && find.bit >= 0 && find.bit < 8;
  const auto index = known ? drawn.placement.find(find.position, find.offset, static_cast<int32_t>(find.bit))
                           : Result<std::optional<std::vector<int64_t>>, LayoutDefect>(
                                 LayoutDefect{LayoutRule::IndexOutOfBounds, "no such position or bit"});
  if (!index) {
    w.field("rule", layoutRuleName(index.error().rule));
    w.field("why", index.error().text);
  } else if (!*index) {
    w.field("padding", true);
  } else {
    list(w, "index", **index);
  }
  w.endObject();
}

// Where every position is and how full: device, x, y, elements (-1 when not counted).
void writeCores(JsonWriter& w, const Drawn& drawn) {
  const LabPlacement& placement = drawn.placement;
  w.key("cores");
  w.beginArray();
  const std::vector<int64_t> counts = placement.elementCounts();
  for (int64_t position = 0; position < placement.positions() && placement.positions() <= kMaxListedPositions;
       ++position) {
    const LabCore at = placement.coreOf(position);
    w.integer(at.device), w.integer(at.core.x), w.integer(at.core.y);
    w.integer(counts.empty() ? -1 : counts[static_cast<size_t>(position)]);
  }
  w.endArray();
}

void writeLegal(JsonWriter& w, const LabRequest& request) {
  const PageLayout page = request.tiled ? PageLayout::Tile : PageLayout::RowMajor;
  const LegalTensorLayouts legal =
      legalTensorLayouts(request.shape, request.dtype, *request.device, {.rowMajorEnabled = !request.tiled});
  w.key("legal");
  w.beginArray();
  for (const std::vector<TensorLayout>* bucket : {&legal.interleaved(page), &legal.sharded(page)}) {
    for (const TensorLayout& layout : *bucket) {
      w.beginObject();
      w.field("title", layoutText(layout));
      w.field("buffer", bufferTypeName(layout.buffer));
      w.field("memory", tensorMemoryLayoutName(layout.memory));
      pair(w, "grid", layout.grid.rows, layout.grid.cols);
      pair(w, "shard", layout.shardRows, layout.shardCols);
      w.field("bytesPerCore", l1BytesPerCore(layout).count);
      w.endObject();
    }
  }
  w.endArray();
}

// The element nearest to what was asked: missing numbers are 0, others are brought into the tensor.
std::vector<int64_t> cursorIn(const Shape& shape, const std::vector<int64_t>& asked) {
  std::vector<int64_t> cursor(shape.size());
  for (size_t i = 0; i < std::min(shape.size(), asked.size()); ++i)
    cursor[i] = std::clamp<int64_t>(asked[i], 0, shape[i] - 1);
  return cursor;
}

// Sizes that the page's numbers can hold.
std::optional<LayoutDefect> tooLarge(const LabRequest& request, const LabPlacement& placement) {
  int64_t bytes = 0;
  const int64_t places = volumeOf(placement.stored());
  int64_t all = 0;
  const bool fits = mulChecked(placement.bytesPerPosition().count, placement.positions(), bytes) &&
                    mulChecked(places, placement.positions(), all) && bytes <= kMaxBytes && all <= kMaxBytes &&
                    volumeOf(request.shape) <= kMaxBytes;
  if (fits) return std::nullopt;
  return LayoutDefect{LayoutRule::SizeOverflow, "the lab draws layouts of up to 2^50 bytes"};
}

}  // namespace

std::string labJson(const LabRequest& given, std::vector<LabProblem> problems) {
  LabRequest request = given;
  if (problems.empty()) takeText(request, problems);
  if (problems.empty()) takeDefaultGrid(request);
  JsonWriter w;
  w.beginObject();
  w.field("schema", kLabSchema);
  if (!problems.empty()) {
    writeProblems(w, problems);
    w.endObject();
    return w.take();
  }
  writeFields(w, request);
  const LabLayouts layouts = makeLabLayouts(request);
  writeTexts(w, request, layouts);
  w.field("sameCuts", sameCuts(request, layouts));
  if (request.detail) writeLegal(w, request);

  const auto placed = [&]() -> Result<std::unique_ptr<LabPlacement>, LayoutDefect> {
    if (request.ttnn)
      return layouts.ttnn ? placeTtnn(request.shape, *layouts.ttnn, *request.device) : layouts.ttnn.error();
    return layouts.metal ? placeMetal(request.shape, *layouts.metal, labTarget(request)) : layouts.metal.error();
  }();
  if (!placed) problems.push_back(problemOf("layout", placed.error()));
  else if (auto bad = tooLarge(request, **placed)) problems.push_back(problemOf("layout", *bad));
  writeProblems(w, problems);
  if (problems.empty()) {
    const Drawn drawn{request, **placed, cursorIn(request.shape, request.cursor)};
    w.key("drawn");
    w.beginObject();
    writeShapes(w, drawn, layouts);
    writeBytes(w, drawn, layouts);
    writeCursor(w, drawn);
    writeWindows(w, drawn);
    writeFind(w, drawn);
    if (request.detail) writeCores(w, drawn);
    w.endObject();
  }
  w.endObject();
  return w.take();
}

}  // namespace tessera
