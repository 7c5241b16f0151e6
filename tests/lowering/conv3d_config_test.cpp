// ttnn-prepare-conv3d-weights: the library's measured blocks by the weight, and what the user says instead.

#include <gtest/gtest.h>

#include "tests/lowering/lowering_testing.h"

namespace tessera::test {
namespace {

// The config of a convolution over volumes at the place "window", without its name and the grid behind the blocks.
std::string blocksOf(const std::string& in, const std::string& weight, const std::string& out,
                     const std::string& overrides = "", bool optimizer = true) {
  LoweringSetup setup;
  setup.options.optimizer = optimizer;
  setup.options.overrideConv3dConfig = overrides;
  const std::string x = "tensor<" + in + "xbf16>", w = "tensor<" + weight + "xbf16>", y = "tensor<" + out + "xbf16>";
  const Graph graph = graphOfText("func.func @main(%x: " + x + ", %w: " + w + ") -> " + y + R"( {
    %0 = "ttnn.conv3d"(%x, %w) <{groups = 1 : i32, padding = array<i32: 0, 0, 0>, padding_mode = "zeros",
      stride = array<i32: 1, 1, 1>}> : ()" +
                                  x + ", " + w + ") -> " + y + R"( loc("window")
    return %0 : )" + y + "\n}\n");
  const LoweringResult result = passOn("ttnn-prepare-conv3d-weights", graph, setup);
  for (const Op& op : result.graph.ops) {
    const AttrValue* config = op.func.valid() ? findAttr(op, "conv3d_config") : nullptr;
    if (config == nullptr) continue;
    const size_t from = config->text.find('<') + 1;
    return config->text.substr(from, config->text.find(", compute_with_storage_grid_size") - from);
  }
  return "none";
}

const std::string kPlain = "t_out_block = 1, w_out_block = 1, h_out_block = 1, c_out_block = 32, c_in_block = 32";

TEST(Conv3dConfig, BlocksAreTheMeasuredOnesOfTheWeight) {
  EXPECT_EQ(blocksOf("1x3x4x4x1024", "128x1024x3x3x3", "1x1x2x2x128"),
            "t_out_block = 1, w_out_block = 1, h_out_block = 1, c_out_block = 32, c_in_block = 256");
  EXPECT_EQ(blocksOf("1x3x4x4x384", "192x384x1x3x3", "1x3x2x2x192"),
            "t_out_block = 1, w_out_block = 4, h_out_block = 32, c_out_block = 96, c_in_block = 192");
  EXPECT_EQ(blocksOf("1x3x4x4x32", "384x32x3x3x3", "1x1x2x2x384"),
            "t_out_block = 1, w_out_block = 32, h_out_block = 2, c_out_block = 96, c_in_block = 32");
}

TEST(Conv3dConfig, OtherWeightsHaveSmallBlocks) {
  EXPECT_EQ(blocksOf("1x3x4x4x384", "192x384x3x3x3", "1x1x2x2x192"), kPlain) << "measured over one step of time only";
  EXPECT_EQ(blocksOf("1x3x4x4x96", "96x96x3x3x1", "1x1x2x4x96"), kPlain) << "measured over 3x3 only";
  EXPECT_EQ(blocksOf("1x3x4x4x96", "96x96x3x1x3", "1x1x4x2x96"), kPlain);
  EXPECT_EQ(blocksOf("1x3x4x4x192", "96x192x3x3x3", "1x1x2x2x96"), kPlain);
  EXPECT_EQ(blocksOf("1x3x4x4x96", "96x96x3x3x3", "1x1x2x2x96", "", false), kPlain) << "without the optimizer";
}

TEST(Conv3dConfig, WhatIsSaidOfItsPlaceHolds) {
  const auto said = [](const std::string& overrides) {
    return blocksOf("1x3x4x4x96", "96x96x3x3x3", "1x1x2x2x96", overrides);
  };
  const std::string measured = "t_out_block = 1, w_out_block = 8, h_out_block = 8, c_out_block = 96, c_in_block = 96";
  EXPECT_EQ(said(""), measured);
  EXPECT_EQ(said("door=c_in_block#16"), measured) << "another place";
  EXPECT_EQ(said("window=depth#16"), measured) << "no field";
  EXPECT_EQ(said("door=t_out_block#9,window=c_in_block#16:weights_dtype#bfp_bf8,wall=c_out_block#9"),
            "weights_dtype = bfp_bf8, t_out_block = 1, w_out_block = 8, h_out_block = 8, c_out_block = 96, "
            "c_in_block = 16");
}

}  // namespace
}  // namespace tessera::test
