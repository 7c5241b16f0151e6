#include "core/lab/layout_request.h"

#include <algorithm>

#include "core/ir/affine_map.h"
#include "core/ir/text/text_cursor.h"

namespace tessera {

namespace {

constexpr size_t kMaxText = 1 << 16;

// Reads the members of one object; a member of the wrong kind is a BadRequest and leaves the default.
struct Reader {
  JsonValue object;
  std::vector<LabProblem>& problems;
  std::vector<std::string_view> known = {};  // fields asked for

  void wrong(std::string_view field, std::string_view expected) {
    problems.push_back({std::string(field), "BadRequest",
                        "`" + std::string(field) + "` is " + jsonKindName(object.get(field).kind()) + ", expected " +
                            std::string(expected)});
  }
  void unknown(std::string_view field, LayoutRule rule, std::string_view word) {
    problems.push_back({std::string(field), std::string(layoutRuleName(rule)),
                        "`" + toValidUtf8(word.substr(0, 60)) + "` is not known"});
  }

  bool has(std::string_view field) {
    known.push_back(field);
    return object.get(field).present();
  }

  // Members that nothing asked for: a misspelled field would take its default in silence.
  void refuseOthers() {
    for (size_t i = 0; i < object.size(); ++i) {
      const std::string_view key = object.keyAt(i);
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      const std::string name = toValidUtf8(key.substr(0, 60));
      problems.push_back({name, "BadRequest", "`" + name + "` is no field of a request"});
    }
  }

  void integer(std::string_view field, int64_t& into) {
    if (!has(field)) return;
    if (const std::optional<int64_t> value = object.get(field).asInteger()) into = *value;
    else wrong(field, "an integer");
  }

  void boolean(std::string_view field, bool& into) {
    if (!has(field)) return;
    if (const std::optional<bool> value = object.get(field).asBool()) into = *value;
    else wrong(field, "true or false");
  }

  void text(std::string_view field, std::string& into) {
    if (!has(field)) return;
    const std::optional<std::string_view> value = object.get(field).asString();
    if (!value) wrong(field, "a string");
    else if (value->size() > kMaxText)
      problems.push_back({std::string(field), "BadRequest", "`" + std::string(field) + "` is longer than 65536 bytes"});
    else into = *value;
  }

  // `most` numbers at the most.
  void numbers(std::string_view field, std::vector<int64_t>& into, size_t most = AffineMap::kMaxDims) {
    if (!has(field)) return;
    const JsonValue array = object.get(field);
    if (!array.isArray() || array.size() > most)
      return wrong(field, "an array of at most " + std::to_string(most) + " integers");
    std::vector<int64_t> values;
    for (size_t i = 0; i < array.size(); ++i) {
      const std::optional<int64_t> value = array.at(i).asInteger();
      if (!value) return wrong(field, "an array of integers below 2^63");
      values.push_back(*value);
    }
    into = std::move(values);
  }

  // A word that `parse` knows.
  template <class Parse, class Value>
  void word(std::string_view field, LayoutRule rule, Parse parse, Value& into) {
    if (!has(field)) return;
    const std::optional<std::string_view> value = object.get(field).asString();
    if (!value) return wrong(field, "a string");
    const auto parsed = parse(*value);
    if (parsed) into = *parsed;
    else unknown(field, rule, *value);
  }
};

// A call in place of the function's address: clang 14 gives a function of another file whose address is all that is
// used the wrong WebAssembly signature.
template <auto kParse>
constexpr auto parsing = [](std::string_view word) { return kParse(word); };

void readCollapse(Reader& reader, LabRequest& request) {
  if (!reader.has("collapse")) return;
  const JsonValue array = reader.object.get("collapse");
  std::vector<CollapseInterval> intervals;
  bool good = array.isArray() && array.size() <= AffineMap::kMaxDims;
  for (size_t i = 0; good && i < array.size(); ++i) {
    const std::optional<int64_t> begin = array.at(i).at(0).asInteger();
    const std::optional<int64_t> end = array.at(i).at(1).asInteger();
    good = array.at(i).isArray() && array.at(i).size() == 2 && begin && end;
    if (good) intervals.push_back({*begin, *end});
  }
  if (good) request.collapse = intervals;
  else reader.wrong("collapse", "an array of [begin, end) pairs of dims");
}

void readFind(Reader& reader, LabRequest& request) {
  if (!reader.has("find")) return;
  if (!reader.object.get("find").isObject()) return reader.wrong("find", "an object");
  Reader inner{reader.object.get("find"), reader.problems};
  request.find.asked = true;
  inner.integer("position", request.find.position);
  inner.integer("offset", request.find.offset);
  inner.integer("bit", request.find.bit);
  inner.refuseOthers();
}

// "tensor<2x3x64x128xf32, #...>" gives shape and element type; the attribute, if any, stays as the text.
void takeTensorType(LabRequest& request, std::vector<LabProblem>& problems) {
  TextCursor cursor(request.text);
  const auto refuse = [&](const std::string& what) {
    problems.push_back({"text", std::string(layoutRuleName(LayoutRule::BadText)), "the tensor type " + what});
  };
  if (!cursor.eat("tensor") || !cursor.eatChar('<')) return;
  Shape shape;
  while (const std::optional<int64_t> dim = cursor.number()) {
    shape.push_back(*dim);
    if (!cursor.eatChar('x')) return refuse("has no `x` behind a dim");
    if (shape.size() > AffineMap::kMaxDims) return refuse("has too many dims");
  }
  const std::string_view element = cursor.word();
  const std::optional<DType> dtype = parseDType(element);
  if (!dtype) return refuse("has dims that are no numbers, or an element type that is not known");
  std::string attribute;
  if (cursor.eatChar(',')) {
    attribute = cursor.rest();
    attribute.erase(attribute.find_last_not_of(" \t\r\n;") + 1);
    if (attribute.empty() || attribute.back() != '>') return refuse("is not closed by `>`");
    attribute.pop_back();
    attribute.erase(0, attribute.find_first_not_of(" \t\r\n"));
    if (attribute.empty()) return refuse("has a comma, but no attribute behind it");
  } else if (!cursor.eatChar('>') || !cursor.atEnd()) {
    return refuse("is not closed by `>`, or something follows it");
  }
  request.shape = std::move(shape);
  request.dtype = *dtype;
  request.text = std::move(attribute);
}

// "#layout = #ttnn.ttnn_layout<...>": what the alias stands for.
void dropAliasName(std::string& text) {
  TextCursor cursor(text);
  if (cursor.eatChar('#') && !cursor.word().empty() && cursor.eatChar('=')) text.erase(0, cursor.position());
}

void checkSizes(const LabRequest& request, std::vector<LabProblem>& problems) {
  const auto refuse = [&](const char* field, LayoutRule rule, std::string text) {
    problems.push_back({field, std::string(layoutRuleName(rule)), std::move(text)});
  };
  for (int64_t dim : request.shape) {
    if (dim < 0) return refuse("shape", LayoutRule::NegativeDim, "dim " + std::to_string(dim) + " is negative");
    if (dim == 0) return refuse("shape", LayoutRule::EmptyTensor, "a dim is 0: the tensor has no elements");
  }
  if (!elementCount(request.shape)) refuse("shape", LayoutRule::SizeOverflow, "the tensor has more than 2^63 elements");
}

}  // namespace

LabRequest readLabRequest(JsonValue object, std::vector<LabProblem>& problems) {
  LabRequest request;
  request.device = &allDevices().front();
  if (!object.isObject()) {
    problems.push_back({"", "BadRequest", "the request is no JSON object"});
    return request;
  }
  Reader reader{object, problems};
  const auto isTtnn = [](std::string_view word) {
    return word == "ttnn" || word == "metal" ? std::optional(word == "ttnn") : std::nullopt;
  };
  reader.word("view", LayoutRule::BadText, isTtnn, request.ttnn);
  const auto device = [](std::string_view id) { return findDevice(id) ? std::optional(findDevice(id)) : std::nullopt; };
  reader.word("device", LayoutRule::BadText, device, request.device);
  reader.numbers("shape", request.shape);
  reader.word("dtype", LayoutRule::UnknownElementType, parsing<parseDType>, request.dtype);
  reader.numbers("grid", request.grid);
  readCollapse(reader, request);
  reader.numbers("strides", request.strides);
  reader.text("map", request.map);
  reader.boolean("tiled", request.tiled);
  std::vector<int64_t> tile = {request.tile.rows, request.tile.cols};
  reader.numbers("tile", tile);
  if (tile.size() == 2) request.tile = {tile[0], tile[1]};
  else
    problems.push_back({"tile", std::string(layoutRuleName(LayoutRule::RankMismatch)), "a tile has rows and columns"});
  reader.word("oob", LayoutRule::UnknownOobValue, parsing<parseOobVal>, request.oob);
  const auto buffer = [](std::string_view word) {
    return word == "system" || word == "mmio" || parseBufferType(word) ? std::optional(std::string(word))
                                                                       : std::nullopt;
  };
  reader.word("buffer", LayoutRule::UnknownBufferType, buffer, request.buffer);
  reader.word("memory", LayoutRule::UnknownMemoryLayout, parsing<parseTensorMemoryLayout>, request.memory);
  int64_t deviceDims = request.deviceDims;
  reader.integer("deviceDims", deviceDims);
  request.deviceDims =
      deviceDims < 0 || deviceDims > 64 ? 65 : static_cast<int32_t>(deviceDims);  // 65 is refused as RankMismatch
  reader.text("text", request.text);
  const size_t sound = problems.size();
  dropAliasName(request.text);
  takeTensorType(request, problems);
  if (!reader.has("shape") && request.shape.empty() && problems.size() == sound)
    problems.push_back({"shape", "BadRequest", "the request has no `shape`"});
  reader.numbers("cursor", request.cursor);
  reader.integer("look", request.look);
  readFind(reader, request);
  reader.integer("window", request.window);
  reader.boolean("detail", request.detail);
  reader.refuseOthers();
  checkSizes(request, problems);
  return request;
}

}  // namespace tessera
