// What an op's attributes say to the rules.

#include "core/ops/rules/op_facts.h"

#include <gtest/gtest.h>

#include "tests/import_text.h"

namespace tessera {
namespace {

OpFacts factsOfConvolution(const std::string& attributes) {
  const std::string text =
      "func.func @main(%a: tensor<1x1x64x32xbf16>, %w: tensor<64x32x1x1xbf16>) -> tensor<1x1x64x64xbf16> {\n"
      "  %0 = \"ttnn.conv2d\"(%a, %w) <{" +
      attributes +
      "}> : (tensor<1x1x64x32xbf16>, tensor<64x32x1x1xbf16>) -> tensor<1x1x64x64xbf16>\n"
      "  return %0 : tensor<1x1x64x64xbf16>\n}\n";
  Diagnostics diags;
  const auto graph = importMlirText(SourceBuffer("test.mlir", text), diags);
  if (!graph) return ADD_FAILURE() << "not read", OpFacts{};
  return factsOf(*graph, graph->funcs[graph->forward].ops[0]);
}

constexpr const char* kOwn = "weights_dtype = #ttcore.supportedDataTypes<bfp_bf8>";
constexpr const char* kConfig = "conv2d_config = #ttnn.conv2d_config<weights_dtype = f32>";

TEST(OpFacts, TypeOfWeightsIsTheOpsOwnThenThatOfItsConfiguration) {
  EXPECT_EQ(factsOfConvolution("groups = 1 : i32").conv.weights, std::nullopt);
  EXPECT_EQ(factsOfConvolution(kOwn).conv.weights, DType::BFP8);
  EXPECT_EQ(factsOfConvolution(kConfig).conv.weights, DType::F32);
  EXPECT_EQ(factsOfConvolution(std::string(kConfig) + ", " + kOwn).conv.weights, DType::BFP8);
}

}  // namespace
}  // namespace tessera
