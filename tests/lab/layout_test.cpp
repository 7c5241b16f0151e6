// The layout lab's answers: the numbers of the examples of tensor-layout.md, addresses that lead back to their
// elements, broken requests.

#include <set>

#include "core/support/json_writer.h"
#include "tests/driver/driver_testing.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

const std::string kRank7Map =
    "(d0, d1, d2, d3, d4, d5, d6) -> (d0 * 2688 + d1 * 896 + d2 * 448 + d3 * 224 + d4 * 32 + d5, d4, d5, d6)";

std::vector<int64_t> numbers(JsonValue list) {
  std::vector<int64_t> values;
  for (size_t i = 0; i < list.size(); ++i) values.push_back(list.at(i).asInteger().value_or(-99));
  return values;
}

std::string request(const std::string& fields) { return "{" + fields + "}"; }

int64_t number(JsonValue object, std::string_view name) { return object.get(name).asInteger().value_or(-99); }

struct Example {
  const char* name;
  std::string fields;
  std::vector<int64_t> physical;
  std::vector<int64_t> scalarShard;
  std::vector<int64_t> units;
  int64_t perCore;  // bytes
  int64_t positions;
  int64_t strideGap, beyondTensor, tileRounding;  // places
};

std::vector<Example> examples() {
  return {
      {"walkthrough",
       R"("shape":[2,3,64,128],"dtype":"f32","grid":[1,1])",
       {384, 128},
       {384, 128},
       {384, 128},
       384 * 128 * 4,
       1,
       0,
       0,
       0},
      {"2x4",
       R"("shape":[2,3,64,128],"dtype":"f32","grid":[2,4])",
       {384, 128},
       {192, 32},
       {192, 32},
       192 * 32 * 4,
       8,
       0,
       0,
       0},
      {"53x63",
       R"("shape":[53,63],"dtype":"f32","grid":[3,2])",
       {53, 63},
       {18, 32},
       {18, 32},
       18 * 32 * 4,
       6,
       0,
       54 * 64 - 53 * 63,
       0},
      {"53x63 tiled",
       R"("shape":[53,63],"dtype":"bfp_bf8","tiled":true,"grid":[3,2])",
       {53, 63},
       {18, 32},
       {1, 1},
       1088,
       6,
       0,
       54 * 64 - 53 * 63,
       6 * 14 * 32},
      {"tilized",
       R"("shape":[3,64,128],"dtype":"bfp_bf8","tiled":true,"grid":[3,2])",
       {192, 128},
       {64, 64},
       {2, 2},
       4 * 1088,
       6,
       0,
       0,
       0},
      // 32 + 8 rows; 24 of them are the gap. Two cores of 40x16 become 64x32 each.
      {"batch",
       R"("shape":[2,8,32],"dtype":"f32","tiled":true,"grid":[1,2],"strides":[32,1,1])",
       {40, 32},
       {40, 16},
       {2, 1},
       2 * 4096,
       2,
       24 * 32,
       0,
       2 * (64 * 32 - 40 * 16)},
      {"rank 7",
       R"("shape":[5,3,2,2,7,32,32],"dtype":"f32","grid":[3,2,2,2],"map":")" + kRank7Map + "\"",
       {13440, 7, 32, 32},
       {4480, 4, 16, 16},
       {4480, 4, 16, 16},
       int64_t{4480} * 4 * 16 * 16 * 4,
       24,
       int64_t{13440} * 7 * 32 * 32 - 430080,
       int64_t{13440} * 8 * 32 * 32 - int64_t{13440} * 7 * 32 * 32,
       0},
      {"two devices",
       R"("shape":[2,3,64,128],"dtype":"bfp_bf8","tiled":true,"grid":[2,2,4],"collapse":[[1,-1]],"deviceDims":1)",
       {2, 192, 128},
       {1, 96, 32},
       {1, 3, 1},
       3 * 1088,
       16,
       0,
       0,
       0},
      {"1x64",
       R"("shape":[32,2048],"dtype":"bf16","tiled":true,"grid":[1,64])",
       {32, 2048},
       {32, 32},
       {1, 1},
       2048,
       64,
       0,
       0,
       0},
  };
}

TEST(LayoutLab, ExamplesOfTheSpec) {
  for (const Example& example : examples()) {
    SCOPED_TRACE(example.name);
    const Json answer(apiLayout(request(example.fields)));
    ASSERT_EQ(answer["problems"].size(), 0u);
    const JsonValue drawn = answer["drawn"];
    EXPECT_EQ(numbers(drawn.get("physical")), example.physical);
    EXPECT_EQ(numbers(drawn.get("scalarShard")), example.scalarShard);
    EXPECT_EQ(numbers(drawn.get("units")), example.units);
    EXPECT_EQ(number(drawn, "positions"), example.positions);
    const JsonValue bytes = drawn.get("bytes");
    EXPECT_EQ(number(bytes, "perCore"), example.perCore);
    EXPECT_EQ(number(bytes, "total"), example.perCore * example.positions);
    EXPECT_EQ(number(bytes, "data") + number(bytes, "wasted"), number(bytes, "total"));
    const JsonValue places = drawn.get("places");
    EXPECT_EQ(number(places, "strideGap"), example.strideGap);
    EXPECT_EQ(number(places, "beyondTensor"), example.beyondTensor);
    EXPECT_EQ(number(places, "tileRounding"), example.tileRounding);
    EXPECT_EQ(number(places, "elements") + example.strideGap + example.beyondTensor + example.tileRounding,
              number(places, "stored"));
    // What the cores hold adds up to the tensor, and no two are the same core of the same device.
    const std::vector<int64_t> cores = numbers(drawn.get("cores"));
    ASSERT_EQ(cores.size(), static_cast<size_t>(example.positions) * 4);
    int64_t elements = 0;
    std::set<std::vector<int64_t>> seen;
    for (size_t i = 0; i < cores.size(); i += 4) {
      elements += cores[i + 3];
      EXPECT_TRUE(seen.insert({cores[i], cores[i + 1], cores[i + 2]}).second);
    }
    EXPECT_EQ(elements, number(places, "elements"));
    // The printed attribute, read again, gives the same layout.
    const std::string text(answer["texts"].get("metal").get("text").asString().value_or(""));
    const Json again(apiLayout(request(example.fields + ",\"text\":\"" + text + "\"")));
    ASSERT_EQ(again["problems"].size(), 0u);
    EXPECT_EQ(again["texts"].get("metal").get("text").asString(), answer["texts"].get("metal").get("text").asString());
    EXPECT_EQ(again["request"].get("map").asString(), answer["request"].get("map").asString());
    EXPECT_EQ(numbers(again["request"].get("strides")), numbers(answer["request"].get("strides")));
  }
}

TEST(LayoutLab, OnOneCoreWithoutAGrid) {
  const char* const requests[] = {
      R"("text":"tensor<2x3x64x128xf32>")", R"("shape":[2,3,64,128],"dtype":"f32")",
      R"("shape":[2,3,64,128],"dtype":"f32","collapse":[[1,-1]])",
      R"*("shape":[2,3,64,128],"dtype":"f32","map":"(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3)")*",
      R"("shape":[2,3,64,128],"dtype":"f32","view":"ttnn","memory":"height_sharded")"};
  for (const char* fields : requests) {
    const Json answer(apiLayout(request(fields)));
    ASSERT_EQ(answer["problems"].size(), 0u) << fields;
    EXPECT_EQ(number(answer["drawn"].get("bytes"), "perCore"), 2 * 3 * 64 * 128 * 4) << fields;
  }
}

TEST(LayoutLab, WalkthroughElement) {
  const Json answer(apiLayout(R"({"shape":[2,3,64,128],"dtype":"f32","grid":[1,1],"cursor":[1,1,6,100]})"));
  EXPECT_EQ(numbers(answer["drawn"].get("cursor").get("physical")), (std::vector<int64_t>{262, 100}));
  EXPECT_EQ(number(answer["drawn"].get("cursor"), "offset"), (262 * 128 + 100) * 4);
}

TEST(LayoutLab, WidthShardingLiesRowAfterRowOnTheCores) {
  const Json answer(apiLayout(R"({"shape":[32,2048],"dtype":"bf16","tiled":true,"grid":[1,64],"cursor":[0,1000]})"));
  EXPECT_EQ(numbers(answer["drawn"].get("cursor").get("core")), (std::vector<int64_t>{31 % 8, 31 / 8}));
  EXPECT_EQ(answer["drawn"].get("gridMap").asString(),
            "(d0, d1) -> (0, (d0 * 64 + d1) floordiv 8, (d0 * 64 + d1) mod 8)");
}

TEST(LayoutLab, SeventeenShardedLayouts) {
  const Json answer(apiLayout(R"({"view":"ttnn","shape":[64,256],"dtype":"bf16","tiled":true,"grid":[2,8]})"));
  int block = 0, height = 0, width = 0;
  for (size_t i = 0; i < answer["legal"].size(); ++i) {
    const std::string_view memory = *answer["legal"].at(i).get("memory").asString();
    block += memory == "block_sharded";
    height += memory == "height_sharded";
    width += memory == "width_sharded";
  }
  EXPECT_EQ(block, 10);
  EXPECT_EQ(height, 2);
  EXPECT_EQ(width, 5);
}

TEST(LayoutLab, BothSpellingsSetTheFields) {
  const std::string texts[] = {
      "#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <64x1, (d0, d1) -> (0, d0 floordiv 8, d0 mod 8)>, "
      "memref<1x4x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, <height_sharded>>",
      "#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <64x1>, memref<1x4x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, "
      "<height_sharded>, core_ranges = "
      "<[#ttnn.core_range<(0,0), (7,7)>]>>"};
  for (const std::string& text : texts) {
    const Json answer(apiLayout(request(R"("shape":[2048,128],"dtype":"f32","text":")" + text + "\"")));
    ASSERT_EQ(answer["problems"].size(), 0u) << text;
    EXPECT_EQ(answer["request"].get("view").asString(), "ttnn");
    EXPECT_EQ(answer["request"].get("memory").asString(), "height_sharded");
    EXPECT_EQ(numbers(answer["request"].get("grid")), (std::vector<int64_t>{64, 1}));
    EXPECT_EQ(answer["request"].get("dtype").asString(), "bf16");
    EXPECT_EQ(answer["texts"].get("ttnnLegacy").get("text").asString(), texts[0]);
    EXPECT_EQ(answer["texts"].get("ttnn").get("text").asString(), texts[1]);
  }
}

TEST(LayoutLab, GridFirstOrTilesFirst) {
  // 96 rows on 2 cores: the compiler cuts at row 48, TTNN at row 64.
  const Json differ(apiLayout(R"({"view":"ttnn","shape":[96,64],"tiled":true,"grid":[2,2]})"));
  EXPECT_EQ(differ["sameCuts"].asBool(), false);
  const Json same(apiLayout(R"({"view":"ttnn","shape":[128,64],"tiled":true,"grid":[2,2]})"));
  EXPECT_EQ(same["sameCuts"].asBool(), true);
}

struct Cell {
  int64_t element, position, bits;
};
std::vector<Cell> unpack(JsonValue window, int64_t step) {
  const std::vector<int64_t> runs = numbers(window.get("cells"));
  std::vector<Cell> cells;
  for (size_t i = 0; i + 3 < runs.size(); i += 4) {
    for (int64_t k = 0; k < runs[i]; ++k)
      cells.push_back({runs[i + 1] < 0 ? runs[i + 1] : runs[i + 1] + k, runs[i + 2],
                       runs[i + 1] < 0 ? -1 : runs[i + 3] + k * step});
  }
  const std::vector<int64_t> size = numbers(window.get("size"));
  EXPECT_EQ(cells.size(), static_cast<size_t>(size[0] * size[1]));
  return cells;
}

std::vector<int64_t> unravel(int64_t element, const std::vector<int64_t>& shape) {
  std::vector<int64_t> index(shape.size());
  for (size_t i = shape.size(); i-- > 0;) {
    index[i] = element % shape[i];
    element /= shape[i];
  }
  return index;
}

// In every window: a cell's element is at the cell's address, both by asking for the element and by asking for the
// byte.
void checkInverse(const std::string& fields) {
  SCOPED_TRACE(fields);
  const Json answer(apiLayout(request(fields + ",\"window\":64")));
  ASSERT_EQ(answer["problems"].size(), 0u) << answer.source.text().substr(0, 900);
  const JsonValue drawn = answer["drawn"];
  const std::vector<int64_t> shape = numbers(answer["request"].get("shape"));
  for (const char* name : {"logical", "physical", "stored"}) {
    const std::vector<Cell> cells = unpack(drawn.get("windows").get(name), number(drawn, "valueBits"));
    std::set<int64_t> elements;
    std::set<std::pair<int64_t, int64_t>> addresses;
    for (const Cell& cell : cells) {
      if (cell.element < 0) continue;
      EXPECT_TRUE(elements.insert(cell.element).second) << name;
      EXPECT_TRUE(addresses.insert({cell.position, cell.bits}).second) << name;
    }
    EXPECT_FALSE(elements.empty()) << name;
    for (size_t i = 0; i < cells.size(); i += 1 + cells.size() / (test::smallTests() ? 5 : 23)) {
      const Cell& cell = cells[i];
      if (cell.element < 0) continue;
      std::string index;
      for (int64_t value : unravel(cell.element, shape)) index += (index.empty() ? "" : ",") + std::to_string(value);
      const std::string find = "{\"position\":" + std::to_string(cell.position) +
                               ",\"offset\":" + std::to_string(cell.bits / 8) +
                               ",\"bit\":" + std::to_string(cell.bits % 8) + "}";
      const Json back(
          apiLayout(request(fields + ",\"detail\":false,\"window\":1,\"cursor\":[" + index + "],\"find\":" + find)));
      const JsonValue cursor = back["drawn"].get("cursor");
      EXPECT_EQ(number(cursor, "element"), cell.element);
      EXPECT_EQ(number(cursor, "position"), cell.position);
      EXPECT_EQ(number(cursor, "offset") * 8 + number(cursor, "bit"), cell.bits);
      EXPECT_EQ(numbers(back["drawn"].get("found").get("index")), unravel(cell.element, shape)) << name << " " << find;
      // The cursor's window of storage begins at the cursor's own place.
      const std::vector<Cell> stored = unpack(back["drawn"].get("windows").get("stored"), number(drawn, "valueBits"));
      EXPECT_EQ(stored[0].element, cell.element);
      EXPECT_EQ(stored[0].bits, cell.bits);
    }
  }
}

TEST(LayoutLab, AddressesLeadBack) {
  for (const Example& example : examples()) checkInverse(example.fields);
  for (
      const char* fields : {
          R"("view":"ttnn","shape":[2,40,70],"dtype":"bf16","tiled":true,"memory":"block_sharded","grid":[2,3])",
          R"("view":"ttnn","shape":[2,40,70],"dtype":"bfp_bf4","tiled":true,"memory":"interleaved","grid":[8,8],"cursor":[1,39,69])",
          R"("view":"ttnn","shape":[2,40,70],"dtype":"bfp_bf2","tiled":true,"memory":"interleaved","buffer":"dram","cursor":[1,3,60])",
          R"("view":"ttnn","shape":[2,40,70],"dtype":"f32","memory":"interleaved","buffer":"dram","cursor":[1,3,60])",
          R"("view":"ttnn","shape":[2,40,70],"dtype":"ui16","memory":"height_sharded","grid":[16,1])",
          R"("view":"ttnn","shape":[70],"dtype":"bf16","tiled":true,"memory":"width_sharded","grid":[1,3])",
          R"("view":"ttnn","shape":[],"dtype":"bf16","tiled":true,"memory":"interleaved","buffer":"dram")",
          R"("view":"ttnn","shape":[33,33],"dtype":"bf16","tiled":true,"buffer":"system","memory":"none")",
          R"("shape":[33,33],"dtype":"bf16","tiled":true,"tile":[8,16],"grid":[2,2],"buffer":"dram")",
          R"("shape":[7],"dtype":"bf16","grid":[3])",
          R"("shape":[4,6],"dtype":"bfp_bf4","tiled":true,"grid":[2,1],"strides":[5,2],"collapse":[])",
          R"("view":"ttnn","shape":[50000,50000],"dtype":"bf16","tiled":true,"memory":"interleaved","buffer":"dram","cursor":[49999,31111])",
          R"("shape":[50000,50000],"dtype":"bf16","grid":[8,8],"cursor":[49999,49999])",
      }) {
    checkInverse(fields);
  }
}

TEST(LayoutLab, LookShowsAnotherCore) {
  const Json answer(apiLayout(R"({"shape":[53,63],"dtype":"f32","grid":[3,2],"look":5})"));
  const JsonValue windows = answer["drawn"].get("windows");
  EXPECT_EQ(number(windows, "position"), 5);
  int64_t elements = 0;
  for (const Cell& cell : unpack(windows.get("stored"), 32)) elements += cell.element >= 0;
  EXPECT_EQ(elements, 17 * 31);
  const Json padding(apiLayout(R"({"shape":[53,63],"dtype":"f32","grid":[3,2],"find":{"position":5,"offset":124}})"));
  EXPECT_EQ(padding["drawn"].get("found").get("padding").asBool(), true);
  const std::string first = apiLayout(R"({"shape":[53,63],"dtype":"f32","grid":[3,2],"find":{"offset":124}})");
  EXPECT_TRUE(Json(first)["drawn"].get("found").isObject()) << "at position 0, where none is named";
  EXPECT_EQ(first, apiLayout(R"({"shape":[53,63],"dtype":"f32","grid":[3,2],"find":{"position":0,"offset":124}})"));
}

TEST(LayoutLab, BrokenRequestsNameTheRule) {
  struct Case {
    const char* request;
    const char* rule;
  };
  std::string rank65 = "{\"shape\":[1";
  for (int i = 0; i < 64; ++i) rank65 += ",1";
  rank65 += "],\"grid\":[1,1]}";
  std::string collapse64 = "{\"shape\":[2,3],\"grid\":[1,1],\"collapse\":[[0,1]";
  for (int i = 0; i < 63; ++i) collapse64 += ",[0,1]";
  const std::string collapse65 = collapse64 + ",[0,1]]}";
  collapse64 += "]}";
  const Case cases[] = {
      {collapse64.c_str(), "BadInterval"},  // as many as are read, but one upon the other
      {collapse65.c_str(), "BadRequest"},
      {"", "JsonSyntax"},
      {"{\"shape\":[1,2", "JsonSyntax"},
      {"[]", "BadRequest"},
      {"{}", "BadRequest"},
      {R"({"shape":[64,64],"gird":[2,4]})", "BadRequest"},
      {R"({"shape":[64,64],"find":{"offset":4,"posiiton":1}})", "BadRequest"},
      {R"({"shape":"2x3"})", "BadRequest"},
      {R"({"shape":[2.5]})", "BadRequest"},
      {R"({"shape":[99999999999999999999]})", "BadRequest"},
      {rank65.c_str(), "BadRequest"},
      {R"({"shape":[0,3],"grid":[1,1]})", "EmptyTensor"},
      {R"({"shape":[-2,3],"grid":[1,1]})", "NegativeDim"},
      {R"({"shape":[4611686018427387904,3],"grid":[1,1]})", "SizeOverflow"},
      {R"({"shape":[1000000000,1000000000],"grid":[1,1]})", "SizeOverflow"},
      {R"({"shape":[2,3],"grid":[0,1]})", "EmptyGrid"},
      {R"({"shape":[2,3],"grid":[-1,1]})", "EmptyGrid"},
      {R"({"shape":[2,3],"grid":[1000000000,1000000000]})", "GridBeyondDevice"},
      {R"({"shape":[2,3],"grid":[1000000000,1],"deviceDims":1})", "GridBeyondDevice"},
      {R"({"shape":[2,3],"grid":[9,9]})", "GridBeyondDevice"},
      {R"({"shape":[2,3],"grid":[1,1,1]})", "RankMismatch"},
      {R"({"shape":[2,3],"grid":[1,1],"deviceDims":3})", "RankMismatch"},
      {R"({"shape":[2,3],"grid":[1,1],"deviceDims":-1})", "RankMismatch"},
      {R"({"shape":[2,3],"grid":[1,1],"strides":[1]})", "RankMismatch"},
      {R"({"shape":[2,3],"grid":[1,1],"strides":[-1,1]})", "MapNegative"},
      {R"({"shape":[2,3,4],"grid":[1,1],"strides":[1,1,1]})", "MapOverlaps"},
      {R"({"shape":[2,3],"grid":[1,1],"collapse":[[1,0]]})", "BadInterval"},
      {R"({"shape":[2,3],"grid":[1,1],"collapse":[[0]]})", "BadRequest"},
      {R"({"shape":[2,3],"grid":[1,1],"map":"(d0, d1) -> (d0"})", "BadMap"},
      {R"j({"shape":[2,3],"grid":[1,1],"map":"(d0, d1) -> (d0 * d1, d1)"})j", "MapNotLinear"},
      {R"({"shape":[2,3],"grid":[1,1],"dtype":"f7"})", "UnknownElementType"},
      {R"({"shape":[2,3],"grid":[1,1],"dtype":"bfp_bf8"})", "BlockFloatRowMajor"},
      {R"({"shape":[2,3],"grid":[1,1],"tiled":true,"tile":[31,32]})", "BadTileShape"},
      {R"({"shape":[2,3],"grid":[1,1],"tile":[32]})", "RankMismatch"},
      {R"({"shape":[2,3],"grid":[1,1],"oob":"two"})", "UnknownOobValue"},
      {R"({"shape":[2,3],"grid":[1,1],"buffer":"tape"})", "UnknownBufferType"},
      {R"({"shape":[2,3],"grid":[1,1],"memory":"tape"})", "UnknownMemoryLayout"},
      {R"({"view":"ttnn","shape":[64,64],"grid":[2,2],"tiled":true,"buffer":"dram","memory":"block_sharded"})",
       "DramBlockSharded"},
      {R"({"view":"ttnn","shape":[64,64],"grid":[2,2],"tiled":true,"memory":"height_sharded"})", "HeightGridNotColumn"},
      {R"({"view":"ttnn","shape":[64,64],"grid":[4,2],"tiled":true})", "GridBeyondTensor"},
      {R"({"view":"ttnn","shape":[64,64],"grid":[1,1],"tiled":true,"tile":[16,32]})", "BadTileShape"},
      {R"({"view":"ttnn","shape":[64,64],"grid":[2147483648,1],"tiled":true})", "GridBeyondDevice"},
      {R"({"shape":[2,3],"text":"#tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<9x9xf32, #l1>>"})",
       "ShardMismatch"},
      {R"({"shape":[2,3],"text":"hello"})", "BadText"},
      {R"({"text":"tensor<2x3"})", "BadText"},
      {R"({"text":"tensor<2x?xf32>"})", "BadText"},
      {R"({"text":"tensor<2x3xf7>"})", "BadText"},
      {R"({"text":"tensor<2x3xf32, #layout>"})", "BadText"},
      {R"({"text":"tensor<2x3xf32,>"})", "BadText"},
      {R"({"text":"tensor<2x3xf32> and more"})", "BadText"},
      {R"({"text":"tensor<0x3xf32>"})", "EmptyTensor"},
      {R"({"text":"#tt.metal_layout<(d0) -> (d0), undef, <1>, memref<9xf32, #l1>>"})", "BadRequest"},
      {R"({"shape":[64,64],"text":"#ttnn.ttnn_layout<(d0, d1) -> (d1, d0), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>"})",
       "ShardMismatch"},
  };
  for (const Case& c : cases) {
    const Json answer(apiLayout(c.request));
    ASSERT_GT(answer["problems"].size(), 0u) << c.request;
    EXPECT_EQ(answer["problems"].at(0).get("rule").asString(), c.rule) << c.request << "\n"
                                                                       << answer.source.text().substr(0, 600);
    EXPECT_FALSE(answer["drawn"].present()) << c.request;
  }
}

// As a dump has it: shape and element type come with the attribute; the request's own shape does not count.
TEST(LayoutLab, AWholeTensorTypeIsTaken) {
  const struct {
    const char* text;
    std::vector<int64_t> shape, grid;
    const char *view, *dtype;
  } cases[] = {
      {"tensor<2x3x64x128xf32,\n  #tt.metal_layout<\n    (d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3),\n    "
       "undef,\n    <2x4>,\n    memref<192x32xf32, #tt.memory_space<l1>>\n  >\n>",
       {2, 3, 64, 128},
       {2, 4},
       "metal",
       "f32"},
      {"tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <3x2>, memref<1x1x!tt.tile<32 x 32, bfp_bf8>, "
       "#tt.memory_space<l1>>>>",
       {53, 63},
       {3, 2},
       "metal",
       "bfp_bf8"},
      {"tensor<64x256xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x8>, memref<1x1x!ttcore.tile<32x32, bf16>, "
       "#ttnn.buffer_type<l1>>, <block_sharded>>>",
       {64, 256},
       {2, 8},
       "ttnn",
       "bf16"},
      {"#layout = #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x2>, memref<8x150xf32, #tt.memory_space<l1>>>",
       {8, 300},
       {1, 2},
       "metal",
       "f32"},
  };
  for (const auto& c : cases) {
    JsonWriter w;
    w.beginObject();
    w.key("shape");
    w.beginArray(), w.integer(8), w.integer(300), w.endArray();
    w.field("text", std::string_view(c.text));
    w.endObject();
    const Json answer(apiLayout(w.take()));
    ASSERT_EQ(answer["problems"].size(), 0u) << c.text << answer.source.text().substr(0, 600);
    EXPECT_TRUE(answer["drawn"].present()) << c.text;
    const auto numbers = [&](const char* field) {
      std::vector<int64_t> list;
      for (size_t i = 0; i < answer["request"].get(field).size(); ++i)
        list.push_back(answer["request"].get(field).at(i).asInteger().value_or(-1));
      return list;
    };
    EXPECT_EQ(numbers("shape"), c.shape) << c.text;
    EXPECT_EQ(numbers("grid"), c.grid) << c.text;
    EXPECT_EQ(answer["request"].get("view").asString(), c.view) << c.text;
    EXPECT_EQ(answer["request"].get("dtype").asString(), c.dtype) << c.text;
  }
  // Without an attribute, and without a shape beside it.
  const Json plain(apiLayout(R"({"text":"tensor<64x96xbf16>","grid":[2,3]})"));
  ASSERT_EQ(plain["problems"].size(), 0u) << plain.source.text().substr(0, 600);
  EXPECT_EQ(plain["request"].get("shape").at(1).asInteger(), 96);
  EXPECT_EQ(plain["request"].get("dtype").asString(), "bf16");
}

TEST(LayoutLab, OddButLegalRequestsAreDrawn) {
  std::string rank30 = "\"shape\":[2";
  for (int i = 0; i < 29; ++i) rank30 += ",1";
  for (const std::string& fields :
       {rank30 + "],\"grid\":[2,1]",
        std::string(R"("shape":[2,3],"grid":[1,1],"window":1000000000,"look":99999999999,"cursor":[-5,900,3,3])"),
        std::string(R"("shape":[2,3],"grid":[1,1],"find":{"position":-1,"offset":-1,"bit":99999999999})"),
        std::string(R"("shape":[3],"grid":[65536],"deviceDims":1)")}) {
    const Json answer(apiLayout(request(fields)));
    EXPECT_EQ(answer["problems"].size(), 0u) << fields << answer.source.text().substr(0, 900);
    EXPECT_TRUE(answer["drawn"].present());
  }
}

}  // namespace
}  // namespace tessera::test
