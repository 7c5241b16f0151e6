// Every element of a tensor lies in one place of each of the layout lab's spaces, every other place is padding for one
// reason; counted place by place.

#include <map>
#include <set>

#include "core/lab/lab_layouts.h"
#include "core/lab/lab_placement.h"
#include "core/lab/layout_request.h"
#include "tests/driver/driver_testing.h"

namespace tessera::test {
namespace {

using Index = std::vector<int64_t>;

// The next index in row-major order; false behind the last.
bool next(Index& index, const Index& dims) {
  for (size_t i = index.size(); i-- > 0;) {
    if (++index[i] < dims[i]) return true;
    index[i] = 0;
  }
  return false;
}

std::string textOf(const Index& index) {
  std::string text;
  for (int64_t i : index) text += (text.empty() ? "" : ",") + std::to_string(i);
  return text;
}

struct Counted {
  int64_t elements = 0, strideGap = 0, beyondTensor = 0, tileRounding = 0;
  void add(int64_t element) {
    if (element >= 0) ++elements;
    else if (element == static_cast<int64_t>(Padding::StrideGap)) ++strideGap;
    else if (element == static_cast<int64_t>(Padding::BeyondTensor)) ++beyondTensor;
    else if (element == static_cast<int64_t>(Padding::TileRounding)) ++tileRounding;
    else ADD_FAILURE() << "no reason for padding is " << element;
  }
};

// Position and first bit of each element by its number.
std::vector<LabPlace> placesOfElements(const LabPlacement& placement) {
  std::vector<LabPlace> places;
  std::set<std::pair<int64_t, int64_t>> bits;
  Index index(placement.shape().size());
  do {
    const LabPlace place = placement.atIndex(index);
    EXPECT_EQ(place.element, static_cast<int64_t>(places.size())) << textOf(index);
    EXPECT_GE(place.position, 0);
    EXPECT_LT(place.position, placement.positions());
    EXPECT_GE(place.bits, 0);
    EXPECT_LE(place.bits + placement.valueBits(), placement.bytesPerPosition().count * 8);
    EXPECT_TRUE(bits.insert({place.position, place.bits}).second) << textOf(index) << " lies where another does";
    EXPECT_EQ(placement.atStored(place.position, placement.localIndex(index)).element, place.element) << textOf(index);
    EXPECT_EQ(placement.atPhysical(placement.physicalIndex(index)).element, place.element) << textOf(index);
    places.push_back(place);
  } while (next(index, placement.shape()));
  return places;
}

// `places`: what the space's places hold, in any order. Each element is in one of them, and at its own address.
void checkSpace(const std::vector<LabPlace>& found, const std::vector<LabPlace>& elements, const char* space) {
  std::vector<int> seen(elements.size());
  for (const LabPlace& place : found) {
    if (place.element < 0) {
      EXPECT_EQ(place.bits, -1) << space;
      continue;
    }
    ASSERT_LT(static_cast<size_t>(place.element), elements.size()) << space;
    ++seen[static_cast<size_t>(place.element)];
    EXPECT_EQ(place.position, elements[static_cast<size_t>(place.element)].position) << space;
    EXPECT_EQ(place.bits, elements[static_cast<size_t>(place.element)].bits) << space;
  }
  for (size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], 1) << space << ": element " << i;
}

void checkPlacement(const std::string& fields) {
  SCOPED_TRACE(fields);
  const Json json("{" + fields + "}");
  std::vector<LabProblem> problems;
  const LabRequest request = readLabRequest(json.document.root(), problems);
  ASSERT_TRUE(problems.empty());
  const LabLayouts layouts = makeLabLayouts(request);
  const auto made = [&]() -> Result<std::unique_ptr<LabPlacement>, LayoutDefect> {
    if (request.ttnn)
      return layouts.ttnn ? placeTtnn(request.shape, *layouts.ttnn, *request.device) : layouts.ttnn.error();
    return layouts.metal ? placeMetal(request.shape, *layouts.metal, labTarget(request)) : layouts.metal.error();
  }();
  ASSERT_TRUE(made);
  const LabPlacement& placement = **made;
  const std::vector<LabPlace> elements = placesOfElements(placement);

  std::vector<LabPlace> physical, stored;
  Counted inPhysical, inStored;
  Index at(placement.physical().size());
  do {
    physical.push_back(placement.atPhysical(at));
    inPhysical.add(physical.back().element);
  } while (next(at, placement.physical()));
  checkSpace(physical, elements, "physical");

  std::vector<int64_t> held(static_cast<size_t>(placement.positions()));
  std::set<Index> cores;
  for (int64_t position = 0; position < placement.positions(); ++position) {
    Index local(placement.stored().size());
    do {
      stored.push_back(placement.atStored(position, local));
      EXPECT_EQ(stored.back().position, position);
      inStored.add(stored.back().element);
      held[static_cast<size_t>(position)] += stored.back().element >= 0;
    } while (next(local, placement.stored()));
    const LabCore core = placement.coreOf(position);
    EXPECT_TRUE(cores.insert({core.device, core.core.x, core.core.y}).second) << "position " << position;
  }
  checkSpace(stored, elements, "stored");
  EXPECT_EQ(placement.elementCounts(), held);

  // The figures of the answer are these counts.
  const Json answer(apiLayout("{" + fields + "}"));
  const JsonValue places = answer["drawn"].get("places");
  EXPECT_EQ(places.get("elements").asInteger(), inStored.elements);
  EXPECT_EQ(places.get("stored").asInteger(), static_cast<int64_t>(stored.size()));
  EXPECT_EQ(places.get("strideGap").asInteger(), inStored.strideGap);
  EXPECT_EQ(places.get("beyondTensor").asInteger(), inStored.beyondTensor);
  EXPECT_EQ(places.get("tileRounding").asInteger(), inStored.tileRounding);
  EXPECT_EQ(inPhysical.elements, inStored.elements);
}

TEST(LabPlacement, OfTtnn) {
  for (const char* fields :
       {R"("view":"ttnn","shape":[2,3,40],"tiled":true,"memory":"block_sharded","grid":[2,2])",
        R"("view":"ttnn","shape":[70,33],"tiled":true,"memory":"height_sharded","grid":[3,1])",
        R"("view":"ttnn","shape":[3,70],"tiled":true,"memory":"width_sharded","grid":[1,3])",
        R"("view":"ttnn","shape":[3,5],"memory":"block_sharded","grid":[2,2])",
        R"("view":"ttnn","shape":[2,3,5],"memory":"height_sharded","grid":[4,1])",
        R"("view":"ttnn","shape":[2,3,40],"tiled":true,"memory":"interleaved","grid":[1,3])",
        R"("view":"ttnn","shape":[2,3,5],"memory":"interleaved","buffer":"dram")",
        R"("view":"ttnn","shape":[2,33,40],"tiled":true,"dtype":"bfp_bf8","memory":"interleaved","buffer":"dram")",
        R"("view":"ttnn","shape":[40],"tiled":true,"memory":"interleaved","buffer":"dram")",
        R"("view":"ttnn","shape":[],"tiled":true,"memory":"interleaved","buffer":"dram")",
        R"("view":"ttnn","shape":[5,7],"tiled":true,"buffer":"system","memory":"none")"})
    checkPlacement(fields);
}

TEST(LabPlacement, OfMetal) {
  for (const char* fields :
       {R"("shape":[5,7],"dtype":"f32","grid":[2,3])", R"("shape":[2,3,5],"dtype":"bf16","grid":[4,2])",
        R"("shape":[5,33],"tiled":true,"grid":[2,2])",
        R"("shape":[2,8,32],"tiled":true,"grid":[1,2],"strides":[32,1,1])",
        R"("shape":[4,6],"grid":[2,1],"strides":[5,2],"collapse":[])",
        R"("shape":[2,3,4],"grid":[2,2,2],"collapse":[],"deviceDims":1)", R"("shape":[7],"grid":[3])",
        R"("shape":[9,17],"tiled":true,"tile":[8,16],"grid":[2,2],"buffer":"dram")"})
    checkPlacement(fields);
}

// An axis that the grid does not cut is cut alike by both, however it is rounded; an axis that it cuts in two is not
// where half of it is no whole number of tiles.
// Blocks and L1 banks fill their own grid, row after row; shards of one axis the rows of the device (n150: 8 columns);
// banks of DRAM are a row.
TEST(LabPlacement, PositionsFillTheGridOrTheDevice) {
  struct Case {
    const char* fields;
    int64_t position, x, y;
  };
  const Case cases[] = {
      {R"("shape":[64,96],"tiled":true,"memory":"block_sharded","grid":[2,3])", 2, 2, 0},
      {R"("shape":[64,96],"tiled":true,"memory":"block_sharded","grid":[2,3])", 3, 0, 1},
      {R"("shape":[64,96],"tiled":true,"memory":"interleaved","grid":[2,3])", 2, 2, 0},
      {R"("shape":[64,96],"tiled":true,"memory":"interleaved","grid":[2,3])", 5, 2, 1},
      {R"("shape":[32,96],"tiled":true,"memory":"interleaved","grid":[3,1])", 2, 0, 2},
      {R"("shape":[320,32],"tiled":true,"memory":"height_sharded","grid":[10,1])", 7, 7, 0},
      {R"("shape":[320,32],"tiled":true,"memory":"height_sharded","grid":[10,1])", 9, 1, 1},
      {R"("shape":[32,320],"tiled":true,"memory":"width_sharded","grid":[1,10])", 8, 0, 1},
      {R"("shape":[320,32],"tiled":true,"memory":"interleaved","buffer":"dram")", 9, 9, 0},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(std::string(one.fields) + ", position " + std::to_string(one.position));
    const Json json("{\"view\":\"ttnn\"," + std::string(one.fields) + "}");
    std::vector<LabProblem> problems;
    const LabRequest request = readLabRequest(json.document.root(), problems);
    ASSERT_TRUE(problems.empty());
    const LabLayouts layouts = makeLabLayouts(request);
    ASSERT_TRUE(layouts.ttnn);
    const auto placement = placeTtnn(request.shape, *layouts.ttnn, *request.device);
    ASSERT_TRUE(placement);
    const LabCore core = (*placement)->coreOf(one.position);
    EXPECT_EQ(textOf({core.device, core.core.x, core.core.y}), textOf({0, one.x, one.y}));
  }
}

TEST(LabPlacement, CutsOfEitherAxis) {
  const auto sameCuts = [](const std::string& fields) {
    const Json answer(apiLayout("{\"view\":\"ttnn\"," + fields + "}"));
    EXPECT_EQ(answer["problems"].size(), 0u) << fields;
    return answer["sameCuts"].asBool().value_or(false);
  };
  EXPECT_TRUE(sameCuts(R"("shape":[33,64],"tiled":true,"grid":[1,2])"));
  EXPECT_TRUE(sameCuts(R"("shape":[64,33],"tiled":true,"grid":[2,1])"));
  EXPECT_FALSE(sameCuts(R"("shape":[96,64],"tiled":true,"grid":[2,1])")) << "48 rows and 64";
  EXPECT_FALSE(sameCuts(R"("shape":[64,96],"tiled":true,"grid":[1,2])")) << "48 columns and 64";
  EXPECT_FALSE(sameCuts(R"("shape":[64,96],"tiled":true,"grid":[2,2])"));
  EXPECT_TRUE(sameCuts(R"("shape":[5,7],"grid":[2,2])"));
  EXPECT_TRUE(sameCuts(R"("shape":[33,33],"tiled":true,"grid":[1,1],"memory":"interleaved")"));
}

// Neighbours in a row of a tile lie as far apart as a value has bits. A tile holds booleans as bf16, doubles as f32.
TEST(LabPlacement, ValuesOfATileLieSideBySide) {
  // The first bit of the element [0, column], and how many bits each has.
  const auto placeOf = [](const std::string& fields, int column) {
    const Json answer(apiLayout("{" + fields + R"(,"shape":[64,64],"tiled":true,"grid":[2,2],"cursor":[0,)" +
                                std::to_string(column) + "]}"));
    const JsonValue cursor = answer["drawn"].get("cursor");
    return std::pair(cursor.get("offset").asInteger().value_or(-1) * 8 + cursor.get("bit").asInteger().value_or(-1),
                     answer["drawn"].get("valueBits").asInteger().value_or(-1));
  };
  for (const std::string view : {"metal", "ttnn"}) {
    for (const std::string dtype : {"i1", "f64", "bf16", "f32", "ui16", "bfp_bf8", "bfp_bf4"}) {
      const std::string fields = R"("view":")" + view + R"(","dtype":")" + dtype + "\"";
      const auto [first, bits] = placeOf(fields, 0);
      EXPECT_EQ(placeOf(fields, 1).first, first + bits) << fields;
    }
  }
}

// Windows are pages of the whole picture: with 4 by 4 elements the page of the cursor's element [5, 9] begins at
// [4, 8]; the last page of a dim is what is left of it. What is asked beyond the tensor is its last element.
TEST(LabPlacement, AWindowIsThePageOfTheCursor) {
  const auto window = [](const std::string& more, const char* field) {
    const Json answer(apiLayout(R"({"shape":[6,11],"dtype":"f32","grid":[1,1],)" + more + "}"));
    const JsonValue logical = answer["drawn"].get("windows").get("logical");
    return textOf(
        {logical.get(field).at(0).asInteger().value_or(-9), logical.get(field).at(1).asInteger().value_or(-9)});
  };
  EXPECT_EQ(window(R"("window":4,"cursor":[5,9])", "origin"), "4,8");
  EXPECT_EQ(window(R"("window":4,"cursor":[5,9])", "size"), "2,3");
  EXPECT_EQ(window(R"("window":4,"cursor":[3,7])", "origin"), "0,4");
  EXPECT_EQ(window(R"("window":4,"cursor":[3,7])", "size"), "4,4");
  EXPECT_EQ(window(R"("window":4,"cursor":[900,900])", "origin"), "4,8");
  EXPECT_EQ(window(R"("window":4,"cursor":[-1])", "origin"), "0,0");
  EXPECT_EQ(window(R"("window":4,"cursor":[4])", "origin"), "4,0");
  EXPECT_EQ(window(R"("window":0)", "size"), "1,1");
  EXPECT_EQ(window(R"("window":65)", "size"), "6,11");
  EXPECT_EQ(window(R"("window":4)", "extent"), "6,11");
  const Json wide(apiLayout(R"({"shape":[2,100],"dtype":"f32","grid":[1,1],"window":65})"));
  EXPECT_EQ(wide["drawn"].get("windows").get("logical").get("size").at(1).asInteger(), 64) << "the largest";
}

TEST(LabPlacement, WhatIsFoundAtAByte) {
  const auto found = [](int64_t position, int64_t offset, int64_t bit, const char* field) {
    const Json answer(apiLayout(R"({"shape":[5,7],"dtype":"f32","grid":[2,3],"find":{"position":)" +
                                std::to_string(position) + ",\"offset\":" + std::to_string(offset) +
                                ",\"bit\":" + std::to_string(bit) + "}}"));
    return answer["drawn"].get("found").get(field).present();
  };
  EXPECT_TRUE(found(0, 0, 0, "index"));
  EXPECT_TRUE(found(5, 0, 0, "index"));
  EXPECT_TRUE(found(6, 0, 0, "rule")) << "there are six cores";
  EXPECT_TRUE(found(-1, 0, 0, "rule"));
  EXPECT_TRUE(found(0, 0, 8, "rule")) << "a byte has eight bits";
  EXPECT_TRUE(found(0, 0, -1, "rule"));
  // The last core has rows 3 and 4, and column 6 alone: the second and third of its three columns are padding.
  EXPECT_TRUE(found(5, 4, 0, "padding"));
  EXPECT_TRUE(found(5, 12, 0, "index"));
}

LabRequest requestOf(const std::string& text, std::vector<LabProblem>& problems) {
  const Json json(text);
  return readLabRequest(json.document.root(), problems);
}
std::string problemOf(const std::string& text) {
  std::vector<LabProblem> problems;
  requestOf(text, problems);
  return problems.empty() ? "" : problems[0].field + " " + problems[0].rule;
}

// Blanks before an attribute do not choose its kind.
TEST(LabRequest, TextsMayBeginWithBlanks) {
  const std::string ttnn =
                        "#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, "
                        "#ttnn.buffer_type<dram>>, <interleaved>>",
                    metal = "#tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x64xf32, #l1>>";
  for (const std::string blanks : {"", "  ", "\\n\\t "}) {
    const Json one(apiLayout(R"({"shape":[64,64],"text":")" + blanks + ttnn + "\"}")),
        other(apiLayout(R"({"shape":[64,64],"text":")" + blanks + metal + "\"}"));
    EXPECT_EQ(one["problems"].size(), 0u) << blanks << one.source.text().substr(0, 300);
    EXPECT_EQ(one["request"].get("view").asString(), "ttnn");
    EXPECT_EQ(other["problems"].size(), 0u) << blanks << other.source.text().substr(0, 300);
    EXPECT_EQ(other["request"].get("view").asString(), "metal");
  }
}

// As many dims as a map may have, and not one more.
TEST(LabRequest, SixtyFourDimsAreTheMost) {
  const auto ones = [](size_t count) {
    std::string list = "1";
    for (size_t i = 1; i < count; ++i) list += ",1";
    return "[" + list + "]";
  };
  const auto type = [](size_t count) {
    std::string text = "tensor<";
    for (size_t i = 0; i < count; ++i) text += "1x";
    return R"({"text":")" + text + R"(f32>"})";
  };
  for (const char* field : {"shape", "grid", "strides", "cursor"}) {
    const std::string shape = std::string(field) == "shape" ? "" : R"("shape":[1],)";
    EXPECT_EQ(problemOf("{" + shape + "\"" + field + "\":" + ones(64) + "}"), "") << field;
    EXPECT_EQ(problemOf("{" + shape + "\"" + field + "\":" + ones(65) + "}"), std::string(field) + " BadRequest");
  }
  EXPECT_EQ(problemOf(type(64)), "");
  EXPECT_EQ(problemOf(type(65)), "text BadText");
}

TEST(LabRequest, WordsAndLimitsOfTheFields) {
  const auto withShape = [](const std::string& fields) { return R"({"shape":[2,3],)" + fields + "}"; };
  std::vector<LabProblem> problems;
  EXPECT_TRUE(requestOf(withShape(R"("view":"ttnn")"), problems).ttnn);
  EXPECT_FALSE(requestOf(withShape(R"("view":"metal")"), problems).ttnn);
  EXPECT_EQ(requestOf(withShape(R"("device":"p150")"), problems).device, findDevice("p150"));
  EXPECT_EQ(requestOf(withShape(R"("deviceDims":64)"), problems).deviceDims, 64);
  EXPECT_EQ(requestOf(withShape(R"("deviceDims":65)"), problems).deviceDims, 65) << "refused later as too many";
  EXPECT_EQ(requestOf(withShape(R"("deviceDims":4294967297)"), problems).deviceDims, 65);
  EXPECT_EQ(requestOf(withShape(R"("deviceDims":-1)"), problems).deviceDims, 65);
  for (const char* buffer : {"l1", "dram", "system", "mmio", "l1_small", "trace"})
    EXPECT_EQ(requestOf(withShape(std::string(R"("buffer":")") + buffer + "\""), problems).buffer, buffer);
  const LabRequest tiled = requestOf(withShape(R"("tiled":true,"tile":[8,16])"), problems);
  EXPECT_TRUE(tiled.tiled);
  EXPECT_EQ(tiled.tile.rows, 8);
  EXPECT_EQ(tiled.tile.cols, 16);
  const LabRequest find = requestOf(withShape(R"("find":{"position":3,"offset":5,"bit":7},"look":2)"), problems);
  EXPECT_TRUE(find.find.asked);
  EXPECT_EQ(find.find.position, 3);
  EXPECT_EQ(find.find.offset, 5);
  EXPECT_EQ(find.find.bit, 7);
  EXPECT_EQ(find.look, 2);
  EXPECT_FALSE(requestOf(withShape(R"("look":2)"), problems).find.asked);
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(problemOf(withShape(R"("view":"both")")), "view BadText");
  EXPECT_EQ(problemOf(withShape(R"("device":"n9")")), "device BadText");
  EXPECT_EQ(problemOf(withShape(R"("tile":[8,16,1])")), "tile RankMismatch");
  EXPECT_EQ(problemOf(withShape(R"("tiled":1)")), "tiled BadRequest");
  EXPECT_EQ(problemOf(withShape(R"("find":3)")), "find BadRequest");
  EXPECT_EQ(problemOf(withShape(R"("find":{"bit":"x"})")), "bit BadRequest");
  EXPECT_EQ(problemOf(withShape(R"("collapse":[[0,1,2]])")), "collapse BadRequest");
  const std::string map(65536, ' ');
  EXPECT_EQ(problemOf(withShape("\"map\":\"" + map + "\"")), "");
  EXPECT_EQ(problemOf(withShape("\"map\":\"" + map + " \"")), "map BadRequest");
  EXPECT_EQ(problemOf(R"({"shape":[1,0]})"), "shape EmptyTensor");
  EXPECT_EQ(problemOf(R"({"shape":[-1,0]})"), "shape NegativeDim");
  EXPECT_EQ(problemOf(R"({"shape":[0,-1]})"), "shape EmptyTensor") << "the first dim that is wrong";
}

// 2^50 bytes are drawn: 2^24 rows of 2^24 values of 4 bytes; a row more is not.
TEST(LabRequest, TheLargestTensorThatIsDrawn) {
  const auto rule = [](int64_t rows) {
    const Json answer(
        apiLayout(R"({"shape":[)" + std::to_string(rows) + R"(,16777216],"dtype":"f32","grid":[1,1],"detail":false})"));
    return std::string(answer["problems"].at(0).get("rule").asString().value_or("drawn"));
  };
  EXPECT_EQ(rule(16777216), "drawn");
  EXPECT_EQ(rule(16777217), "SizeOverflow");
}

}  // namespace
}  // namespace tessera::test
