// The texts of metal layouts that the lab prints, read back into the fields of a request.

#include "core/lab/lab_layouts.h"
#include "tests/driver/driver_testing.h"

namespace tessera::test {
namespace {

std::vector<int64_t> integersOf(JsonValue list) {
  std::vector<int64_t> out;
  for (size_t i = 0; i < list.size(); ++i) out.push_back(list.at(i).asInteger().value_or(-99));
  return out;
}

// What is drawn from fields has a text; read again, the text sets the same fields.
TEST(LabTexts, LeadBackToTheirFields) {
  const char* const kFields[] = {
      R"("shape":[64,128],"dtype":"f32","grid":[2,4],"collapse":[[0,-1]],"strides":[],)"
      R"("tiled":false,"oob":"undef","buffer":"l1")",
      R"("shape":[64,128],"dtype":"bf16","grid":[2,4],"collapse":[[0,-1]],)"
      R"("tiled":true,"tile":[8,16],"oob":"zero","buffer":"dram")",
      R"("shape":[2,3,64,128],"dtype":"bfp_bf8","grid":[2,2,4],"collapse":[[1,3]],)"
      R"("tiled":true,"tile":[32,32],"oob":"one","buffer":"l1")",
      R"("shape":[2,3,64,128],"dtype":"f32","grid":[2,1,2,4],"collapse":[],)"
      R"("tiled":true,"tile":[16,32],"oob":"inf","buffer":"l1")",
      R"("shape":[2,3,64,128],"dtype":"f32","grid":[2,4],"collapse":[[0,2],[2,4]],)"
      R"("tiled":false,"oob":"neginf","buffer":"system")",
      R"("shape":[4,6],"dtype":"bf16","grid":[2,1],"strides":[5,2],"collapse":[],)"
      R"("tiled":false,"oob":"undef","buffer":"mmio")",
      R"j("shape":[7,9],"dtype":"f32","grid":[2,2],"map":"(d0, d1) -> (d1, d0)",)j"
      R"j("tiled":false,"oob":"zero","buffer":"l1")j",
  };
  for (const char* fields : kFields) {
    SCOPED_TRACE(fields);
    const Json drawn(apiLayout("{\"view\":\"metal\"," + std::string(fields) + ",\"detail\":false}"));
    ASSERT_EQ(drawn["problems"].size(), 0u);
    const std::string text(*drawn["texts"].get("metal").get("text").asString());
    const JsonValue shape = drawn["request"].get("shape");
    std::string dims;
    for (size_t i = 0; i < shape.size(); ++i) dims += (i > 0 ? "," : "") + std::to_string(*shape.at(i).asInteger());
    // Every field is something else before the text is read.
    const Json again(apiLayout(
        "{\"view\":\"ttnn\",\"shape\":[" + dims +
        R"j(],"dtype":"ui16","grid":[1,1],"collapse":[[0,1]],"strides":[3],"map":"(d0) -> (d0)",)j" +
        R"("tiled":true,"tile":[4,32],"oob":"inf","buffer":"trace","text":")" + text + "\",\"detail\":false}"));
    ASSERT_EQ(again["problems"].size(), 0u) << again.source.text();
    EXPECT_EQ(again["texts"].get("metal").get("text").asString(), text);
    for (const char* field : {"view", "dtype", "tiled", "oob", "buffer", "map"}) {
      const JsonValue a = drawn["request"].get(field), b = again["request"].get(field);
      EXPECT_EQ(a.asString(), b.asString()) << field;
      EXPECT_EQ(a.asBool(), b.asBool()) << field;
    }
    EXPECT_EQ(integersOf(drawn["request"].get("grid")), integersOf(again["request"].get("grid")));
    if (drawn["request"].get("map").asString() == "") {  // a map stands in place of strides
      EXPECT_EQ(integersOf(drawn["request"].get("strides")), integersOf(again["request"].get("strides")));
    }
    if (drawn["request"].get("tiled").asBool() == true) {
      EXPECT_EQ(integersOf(drawn["request"].get("tile")), integersOf(again["request"].get("tile")));
    }
  }
}

// Intervals of several dims alone; the default one is written [0, -1) for any rank.
TEST(LabTexts, IntervalsAreThoseOfSeveralDims) {
  const auto taken = [](const Shape& shape, std::vector<CollapseInterval> intervals) {
    MetalRequest wanted;
    wanted.collapse = std::move(intervals);
    wanted.grid.assign(collapsedLinearMap(shape, wanted.collapse)->results.size(), 1);
    wanted.dtype = DType::F32;
    LabRequest request;
    request.shape = shape;
    request.text = printMetalLayout(*makeMetalLayout(shape, wanted), "ttcore");
    std::vector<LabProblem> problems;
    takeText(request, problems);
    EXPECT_TRUE(problems.empty());
    EXPECT_TRUE(request.strides.empty());
    std::string text;
    for (const CollapseInterval& one : request.collapse)
      text += "[" + std::to_string(one.begin) + "," + std::to_string(one.end) + ")";
    return text;
  };
  EXPECT_EQ(taken({2, 3, 4, 5}, {{0, -1}}), "[0,-1)");
  EXPECT_EQ(taken({2, 3, 4}, {{0, -1}}), "[0,-1)");
  EXPECT_EQ(taken({2, 3, 4, 5}, {{1, 3}}), "[1,3)");
  EXPECT_EQ(taken({2, 3, 4, 5}, {{0, 4}}), "[0,4)");
  EXPECT_EQ(taken({2, 3, 4, 5}, {{0, 2}}), "[0,2)");
  EXPECT_EQ(taken({2, 3, 4, 5}, {{0, 2}, {2, 4}}), "[0,2)[2,4)");
  EXPECT_EQ(taken({2, 3, 4, 5}, {}), "");
  EXPECT_EQ(taken({2, 3}, {{0, -1}}), "") << "one dim is no interval";
}

// The number of device dims stays when a layout text is pasted, unless the text's grid has fewer dims.
TEST(LabTexts, DeviceDimsStayWhereTheGridHasThem) {
  const std::string text =
      "#tt.metal_layout<(d0, d1) -> (d0, d1), undef, <2x1>, memref<2x6xf32, #tt.memory_space<l1>>>";
  for (const auto& [before, behind] : {std::pair{0, 0}, std::pair{1, 1}, std::pair{2, 2}, std::pair{3, 0}}) {
    const Json answer(apiLayout(R"({"shape":[4,6],"text":")" + text + R"(","deviceDims":)" + std::to_string(before) +
                                ",\"detail\":false}"));
    EXPECT_EQ(answer["problems"].size(), 0u) << before;
    EXPECT_EQ(answer["request"].get("deviceDims").asInteger(), behind) << before;
  }
}

// Memories by their names: traces lie in DRAM, whose banks stand in one row; older texts cut by banks there.
TEST(LabTexts, MemoriesAndBanks) {
  const auto ask = [](const std::string& fields) {
    return std::make_unique<Json>(apiLayout("{" + fields + ",\"detail\":false}"));
  };
  for (const auto& [buffer, space] : {std::pair{"trace", "_space<dram>"}, std::pair{"dram", "_space<dram>"},
                                      std::pair{"l1", "_space<l1>"}, std::pair{"system", "_space<system>"}}) {
    const auto drawn = ask(std::string(R"("view":"metal","shape":[64,64],"dtype":"bf16","grid":[1,1],"tiled":true,)") +
                           R"("buffer":")" + buffer + "\"");
    const std::string text((*drawn)["texts"].get("metal").get("text").asString().value_or(""));
    EXPECT_NE(text.find(space), std::string::npos) << buffer << ": " << text;
  }
  const auto legacy = [&](const std::string& buffer, const std::string& memory, const std::string& grid) {
    const auto drawn = ask(R"("view":"ttnn","device":"n150","shape":[384,384],"dtype":"bf16","tiled":true,"grid":)" +
                           grid + R"(,"buffer":")" + buffer + R"(","memory":")" + memory + "\"");
    const std::string text((*drawn)["texts"].get("ttnnLegacy").get("text").asString().value_or("none"));
    const size_t at = text.find("floordiv");
    return at == std::string::npos ? "none" : text.substr(at - 3, 15);
  };
  EXPECT_EQ(legacy("dram", "width_sharded", "[1,12]"), "d1 floordiv 12,");
  EXPECT_EQ(legacy("l1", "width_sharded", "[1,12]"), "d1 floordiv 8, ");
  EXPECT_EQ(legacy("l1", "height_sharded", "[12,1]"), "d0 floordiv 8, ");
  EXPECT_EQ(legacy("dram", "interleaved", "[1,1]"), "none");
  // The third tile lies in the third bank; a single element takes its share of a block format, rounded up.
  const auto third = ask(R"("view":"ttnn","device":"n150","shape":[32,128],"dtype":"bf16","tiled":true,)"
                         R"("buffer":"dram","memory":"interleaved",)"
                         R"("cursor":[1,70])");
  const JsonValue cursor = (*third)["drawn"].get("cursor");
  EXPECT_EQ(cursor.get("position").asInteger(), 2);
  EXPECT_EQ(integersOf(cursor.get("core")), (std::vector<int64_t>{2, 0}));
  const auto one =
      ask(R"("view":"ttnn","shape":[1,1],"dtype":"bfp_bf8","tiled":true,"buffer":"dram","memory":"interleaved")");
  EXPECT_EQ((*one)["drawn"].get("bytes").get("data").asInteger(), 2) << "1,088 bytes of 1,024 elements";
  EXPECT_EQ((*one)["drawn"].get("bytes").get("wasted").asInteger(),
            (*one)["drawn"].get("bytes").get("total").asInteger().value_or(0) - 2);
}

// Looking at the core of the cursor shows it where the cursor is, at another one from its origin.
TEST(LabTexts, ALookAtOnesOwnCore) {
  const auto origin = [](const std::string& look) {
    const Json drawn(apiLayout(
        R"({"view":"ttnn","device":"n150","shape":[128,64],"dtype":"bf16","tiled":true,"grid":[2,1],"buffer":"l1",)"
        R"("memory":"height_sharded","window":8,"detail":false,"cursor":[40,17])" +
        look + "}"));
    const JsonValue windows = drawn["drawn"].get("windows");
    std::string text = std::to_string(windows.get("position").asInteger().value_or(-1)) + ":";
    for (int64_t number : integersOf(windows.get("stored").get("origin"))) text += " " + std::to_string(number);
    return text;
  };
  EXPECT_EQ(origin(""), "0: 40 16");
  EXPECT_EQ(origin(",\"look\":0"), "0: 40 16");
  EXPECT_EQ(origin(",\"look\":1"), "1: 0 0");
  EXPECT_EQ(origin(",\"look\":2"), "0: 40 16") << "there is none";
  EXPECT_EQ(origin(",\"look\":-1"), "0: 40 16");
}

}  // namespace
}  // namespace tessera::test
