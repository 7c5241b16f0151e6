// Requests to the layout lab that are mistaken in one place, and legal ones of the rarer memories and maps.

#include "tests/driver/driver_testing.h"

namespace tessera::test {
namespace {

struct RefusedRequest {
  std::string request;
  const char *field, *rule, *text;
};

std::string withText(const std::string& text) { return "{\"shape\":[8,300],\"text\":" + jsonText(text) + "}"; }

TEST(LayoutLabRequests, TheProblemNamesFieldRuleAndReason) {
  const char* const kPairs = "`collapse` is an array, expected an array of [begin, end) pairs of dims";
  const char* const kNoMap = "expected an affine map and `,` but found the end of the text";
  const char* const kOpen = "the tensor type is not closed by `>`";
  const RefusedRequest refused[] = {
      {R"({"shape":[4],"text":5})", "text", "BadRequest", "`text` is an integer, expected a string"},
      {R"({"shape":[4],"map":[]})", "map", "BadRequest", "`map` is an array, expected a string"},
      {R"({"shape":[4],"dtype":5})", "dtype", "BadRequest", "`dtype` is an integer, expected a string"},
      {R"({"shape":[4],"view":true})", "view", "BadRequest", "`view` is a boolean, expected a string"},
      {R"({"shape":[4],"collapse":5})", "collapse", "BadRequest",
       "`collapse` is an integer, expected an array of [begin, end) pairs of dims"},
      {R"({"shape":[4],"collapse":{"a":[0,1]}})", "collapse", "BadRequest",
       "`collapse` is an object, expected an array of [begin, end) pairs of dims"},
      {R"({"shape":[4],"collapse":[5]})", "collapse", "BadRequest", kPairs},
      {R"({"shape":[4],"collapse":[{"a":0,"b":1}]})", "collapse", "BadRequest", kPairs},
      {R"({"shape":[4],"collapse":[["a",1]]})", "collapse", "BadRequest", kPairs},
      {R"({"shape":[4],"collapse":[[0,"b"]]})", "collapse", "BadRequest", kPairs},
      {R"({"shape":[4],"collapse":[[0,1,1]]})", "collapse", "BadRequest", kPairs},
      {withText("  \n"), "text", "BadText", kNoMap},
      {withText("tensor 2x3xf32"), "text", "BadText", kNoMap},
      {withText("tensor<2x3xf32,"), "text", "BadText", kOpen},
      {withText("tensor<2x3xf32, \n"), "text", "BadText", kOpen},
      {withText("tensor<2x3xf32, #layout"), "text", "BadText", kOpen},
      {withText("tensor<2x3xf32"), "text", "BadText", "the tensor type is not closed by `>`, or something follows it"},
      {withText("tensor<2x3xf32]"), "text", "BadText", "the tensor type is not closed by `>`, or something follows it"},
      {withText("#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2"), "text", "BadText",
       "expected an item of the layout but found the end of the text"},
      {withText("# = #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x2>, memref<8x150xf32, #tt.memory_space<l1>>>"),
       "text", "BadText", kNoMap},
      {R"j({"shape":[4,4],"map":"(d0, d1) -> (d0"})j", "layout", "BadMap",
       "affine map: expected `,` or `)` but found the end of the text"},
      // Too large to be drawn, in places of a format of less than a byte: above 2^50, 2^63 of one core, 2^63 of two.
      {R"({"view":"ttnn","shape":[33554432,67108864],"dtype":"bfp_bf2","tiled":true,"buffer":"dram",)"
       R"("memory":"interleaved"})",
       "layout", "SizeOverflow", "the lab draws layouts of up to 2^50 bytes"},
      {R"({"shape":[4294967265,2147483648],"dtype":"bfp_bf2","tiled":true,"grid":[1,1]})", "layout", "SizeOverflow",
       "the lab draws layouts of up to 2^50 bytes"},
      {R"({"shape":[4294967265,2147483648],"dtype":"bfp_bf2","tiled":true,"grid":[1,2]})", "layout", "SizeOverflow",
       "the lab draws layouts of up to 2^50 bytes"},
  };
  for (const RefusedRequest& one : refused) {
    const Json answer(apiLayout(one.request));
    ASSERT_EQ(answer["problems"].size(), 1u) << one.request;
    const JsonValue problem = answer["problems"].at(0);
    EXPECT_EQ(problem.get("field").asString(), one.field) << one.request;
    EXPECT_EQ(problem.get("rule").asString(), one.rule) << one.request;
    EXPECT_EQ(problem.get("text").asString(), one.text) << one.request;
    EXPECT_FALSE(answer["drawn"].present()) << one.request;
  }
}

std::unique_ptr<Json> drawnRequest(const std::string& fields) {
  auto answer = std::make_unique<Json>(apiLayout("{" + fields + "}"));
  EXPECT_EQ((*answer)["problems"].size(), 0u) << fields;
  EXPECT_TRUE((*answer)["drawn"].present()) << fields;
  return answer;
}

std::vector<int64_t> countsOf(JsonValue list) {
  std::vector<int64_t> out;
  for (size_t i = 0; i < list.size(); ++i) out.push_back(list.at(i).asInteger().value_or(-99));
  return out;
}

// TTNN has one host memory, metal two.
TEST(LayoutLabRequests, MappedHostMemoryIsTheHostsForTtnn) {
  const std::string common = R"("shape":[64,64],"dtype":"bf16","tiled":true,"grid":[1,1],"detail":false,)";
  for (const char* view : {R"("view":"metal","buffer":"mmio")", R"("view":"ttnn","memory":"none","buffer":"mmio")"}) {
    const auto answer = drawnRequest(common + view);
    EXPECT_EQ((*answer)["texts"].get("metal").get("text").asString(),
              "#tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x2x!tt.tile<32x32, bf16>, "
              "#tt.memory_space<mmio>>>");
    EXPECT_EQ((*answer)["texts"].get("ttnn").get("text").asString(),
              "#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, "
              "#ttnn.buffer_type<system_memory>>>");
  }
  // A text of TTNN says `system_memory`, the field `system`.
  const auto pasted =
      drawnRequest(R"("shape":[64,64],"detail":false,"text":"#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, )"
                   R"(memref<2x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<system_memory>>>")");
  EXPECT_EQ((*pasted)["request"].get("buffer").asString(), "system");
  EXPECT_EQ((*pasted)["request"].get("memory").asString(), "none");
}

// A trace lies in DRAM: what the grid says does not count, the pages are dealt to the 12 banks of an n150.
TEST(LayoutLabRequests, InterleavedTracesHaveBanks) {
  const auto answer = drawnRequest(R"("view":"ttnn","device":"n150","shape":[64,64],"dtype":"bf16","tiled":true,)"
                                   R"("grid":[9,9],"buffer":"trace","memory":"interleaved","cursor":[40,40])");
  const JsonValue drawn = (*answer)["drawn"];
  EXPECT_EQ(countsOf(drawn.get("grid")), (std::vector<int64_t>{1, 1}));
  EXPECT_EQ(drawn.get("positions").asInteger(), 12);
  EXPECT_EQ(countsOf(drawn.get("cursor").get("core")), (std::vector<int64_t>{3, 0})) << "the last of four tiles";
}

// The small L1 is that of the cores: ten shards in a column of an 8x8 device go on in its second row.
TEST(LayoutLabRequests, SmallL1LiesOnCores) {
  const auto shards = drawnRequest(R"("view":"ttnn","device":"n150","shape":[320,64],"dtype":"bf16","tiled":true,)"
                                   R"("grid":[10,1],"buffer":"l1_small","memory":"height_sharded","cursor":[300,33])");
  const JsonValue drawn = (*shards)["drawn"];
  EXPECT_EQ(countsOf(drawn.get("cursor").get("core")), (std::vector<int64_t>{1, 1}));
  EXPECT_EQ(countsOf(drawn.get("cursor").get("gridIndex")), (std::vector<int64_t>{9, 0}));
  const std::vector<int64_t> cores = countsOf(drawn.get("cores"));
  ASSERT_EQ(cores.size(), 40u);
  EXPECT_EQ(std::vector<int64_t>(cores.end() - 4, cores.end()), (std::vector<int64_t>{0, 1, 1, 2048}));
  // Interleaved over a grid, it has places in the grid as L1 has.
  for (const char* buffer : {"l1", "l1_small"}) {
    const auto pages = drawnRequest(R"("view":"ttnn","device":"n150","shape":[64,64],"dtype":"bf16","tiled":true,)"
                                    R"("grid":[2,2],"memory":"interleaved","cursor":[33,33],"buffer":")" +
                                    std::string(buffer) + "\"");
    const JsonValue cursor = (*pages)["drawn"].get("cursor");
    EXPECT_EQ(countsOf(cursor.get("gridIndex")), (std::vector<int64_t>{1, 1})) << buffer;
    EXPECT_EQ(countsOf(cursor.get("core")), (std::vector<int64_t>{1, 1})) << buffer;
  }
}

// d1 is in both results of the map: elements are counted one by one, up to 2^20 of them.
TEST(LayoutLabRequests, ADimInTwoResultsIsCountedWhileTheTensorIsSmall) {
  // Rows d0 * 10 + d1, 26 of them, cut at 13: three elements of d0 = 1 lie above the cut, three below.
  const auto small = drawnRequest(
      R"j("shape":[3,6],"dtype":"f32","grid":[2,1],"map":"(d0, d1) -> (d0 * 10 + d1, d1)","cursor":[1,3])j");
  EXPECT_EQ(countsOf((*small)["drawn"].get("cores")), (std::vector<int64_t>{0, 0, 0, 9, 0, 0, 1, 9}));
  EXPECT_EQ(countsOf((*small)["drawn"].get("cursor").get("physical")), (std::vector<int64_t>{13, 3}));
  const auto large =
      drawnRequest(R"j("shape":[2048,1024],"dtype":"f32","grid":[2,1],"map":"(d0, d1) -> (d0 + d1 * 2048, d1)")j");
  EXPECT_EQ(countsOf((*large)["drawn"].get("cores")), (std::vector<int64_t>{0, 0, 0, -1, 0, 0, 1, -1}));
}

// A text whose map no intervals make keeps its map; one over more cores than a grid of TTNN can name has no TTNN text.
TEST(LayoutLabRequests, WhatFieldsAndTtnnCannotSay) {
  const auto mixed = drawnRequest(
      R"("shape":[2,3,4],"detail":false,"text":"#tt.metal_layout<(d0, d1, d2) -> (d0 + d2 * 2, d1), undef, <1x1>, )"
      R"(memref<8x3xf32, #tt.memory_space<l1>>>")");
  EXPECT_EQ((*mixed)["request"].get("map").asString(), "(d0, d1, d2) -> (d0 + d2 * 2, d1)");
  EXPECT_EQ((*mixed)["request"].get("strides").size(), 0u);
  const Json wide(apiLayout(R"({"shape":[2147483648,1],"dtype":"f32","grid":[2147483648,1],"detail":false})"));
  EXPECT_EQ(wide["texts"].get("metal").get("text").asString(),
            "#tt.metal_layout<(d0, d1) -> (d0, d1), undef, <2147483648x1>, memref<1x1xf32, #tt.memory_space<l1>>>");
  EXPECT_EQ(wide["texts"].get("ttnn").get("why").asString(), "grid 2147483648x1 is larger than any device");
}

}  // namespace
}  // namespace tessera::test
