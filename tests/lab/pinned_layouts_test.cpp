// The lab's answers to many requests, whole: addresses, windows, texts, bytes.

#include "tests/driver/driver_testing.h"
#include "tests/pinned.h"

namespace tessera::test {
namespace {

PinnedFile& pins = PinnedFile::named("pinned_layouts");

const char* const kRequests[] = {
    R"("shape":[2,3,64,128],"dtype":"f32","grid":[2,4],"cursor":[1,2,63,127])",
    R"("shape":[53,63],"dtype":"f32","grid":[3,2],"cursor":[52,62],"look":5)",
    R"("shape":[53,63],"dtype":"f32","grid":[3,2],"cursor":[53,-1],"look":-1)",
    R"("shape":[53,63],"dtype":"bfp_bf8","tiled":true,"grid":[3,2],"cursor":[17,40])",
    R"("shape":[3,64,128],"dtype":"bfp_bf8","tiled":true,"grid":[3,2],"collapse":[[0,-1]])",
    R"("shape":[3,5,64,96],"dtype":"bf16","tiled":true,"grid":[1,3,2],"collapse":[[0,1],[1,3]])",
    R"("shape":[2,8,32],"dtype":"f32","tiled":true,"grid":[1,2],"strides":[32,1,1])",
    R"("shape":[2,3,64,128],"dtype":"bfp_bf8","tiled":true,"grid":[2,2,4],"collapse":[[1,-1]],"deviceDims":1)",
    R"("shape":[32,2048],"dtype":"bf16","tiled":true,"grid":[1,64],"cursor":[31,1000])",
    R"("shape":[4,6],"dtype":"bfp_bf4","tiled":true,"grid":[2,1],"strides":[5,2],"collapse":[])",
    R"("shape":[33,33],"dtype":"bf16","tiled":true,"tile":[8,16],"grid":[2,2],"buffer":"dram")",
    R"("shape":[7],"dtype":"bf16","grid":[3],"find":{"position":2,"offset":1,"bit":3})",
    R"("shape":[64,64],"dtype":"f32","grid":[2,2],"oob":"zero","device":"p150","find":{"position":3,"offset":4092})",
    R"j("shape":[7,9],"dtype":"f32","grid":[2,2],"map":"(d0, d1) -> (d1, d0)","cursor":[6,8])j",
    R"("view":"ttnn","shape":[64,256],"dtype":"bf16","tiled":true,"grid":[2,8])",
    R"("view":"ttnn","shape":[96,64],"dtype":"f32","tiled":true,"grid":[2,2],"cursor":[70,33])",
    R"("view":"ttnn","shape":[2,40,70],"dtype":"bf16","tiled":true,"memory":"block_sharded","grid":[2,3],"look":4)",
    R"("view":"ttnn","shape":[2,40,70],"dtype":"bfp_bf4","tiled":true,)"
    R"("memory":"interleaved","grid":[8,8],"cursor":[1,39,69])",
    R"("view":"ttnn","shape":[2,40,70],"dtype":"bfp_bf2","tiled":true,)"
    R"("memory":"interleaved","buffer":"dram","cursor":[1,3,60])",
    R"("view":"ttnn","shape":[2,40,70],"dtype":"f32","memory":"interleaved","buffer":"dram","cursor":[1,3,60])",
    R"("view":"ttnn","shape":[2,40,70],"dtype":"ui16","memory":"height_sharded",)"
    R"("grid":[16,1],"find":{"position":3,"offset":7})",
    R"("view":"ttnn","shape":[70],"dtype":"bf16","tiled":true,"memory":"width_sharded","grid":[1,3])",
    R"("view":"ttnn","shape":[],"dtype":"bf16","tiled":true,"memory":"interleaved","buffer":"dram")",
    R"("view":"ttnn","shape":[33,33],"dtype":"bf16","tiled":true,"buffer":"system","memory":"none")",
    R"("view":"ttnn","shape":[100,100],"dtype":"bf16","device":"p100",)"
    R"("memory":"height_sharded","grid":[5,1],"cursor":[99,99])",
    R"("shape":[2,3],"grid":[2,1],"dtype":"f7","tile":[31,32],"memory":"tape")",
    R"("shape":[64,64],"text":"tensor<64x96xbf16>","grid":[2,3])",
    R"("shape":[2048,128],"dtype":"f32",)"
    R"("text":"#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <64x1>, memref<1x4x!ttcore.tile<32x32, bf16>, )"
    R"(#ttnn.buffer_type<l1>>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (7,7)>]>>")",
};

TEST(PinnedLayouts, AnswersAreAsTheyWere) {
  for (const char* fields : kRequests) {
    std::string key = fields;
    for (size_t at = 0; (at = key.find(": ", at)) != std::string::npos;) key.replace(at, 2, ":");
    std::string line;
    for (const char* more : {"", R"(,"window":9)", R"(,"detail":false,"window":1)"}) {
      const Json answer(apiLayout("{" + std::string(fields) + more + "}"));
      if (line.empty()) {
        const JsonValue drawn = answer["drawn"];
        line = std::to_string(answer["problems"].size()) + " problems, " +
               std::to_string(drawn.get("positions").asInteger().value_or(0)) + " positions, " +
               std::to_string(drawn.get("bytes").get("total").asInteger().value_or(0)) + " B, prints";
      }
      line += " " + digits(std::string(answer.source.text()));
    }
    pins.expect(key, line);
  }
}

}  // namespace
}  // namespace tessera::test
