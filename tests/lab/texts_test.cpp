// The texts of metal layouts that the lab prints, read back into the fields of a request.

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

}  // namespace
}  // namespace tessera::test
