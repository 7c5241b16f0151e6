// What an op's attributes say to the rules.

#include "core/ops/rules/op_facts.h"

#include <gtest/gtest.h>

#include "core/ops/shapes/shape_rules.h"
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

// `%last` is an empty tensor of that type, behind two tensors that are joined.
int inputsWithLast(const std::string& type, const std::string& result) {
  const std::string a = "tensor<32x32xbf16>";
  const std::string text = "func.func @main(%a: " + a + ", %b: " + a + ") -> " + result +
                           " {\n  %last = \"ttir.empty\"() : () -> " + type +
                           "\n  %0 = \"ttir.concat\"(%a, %b, %last) <{dim = 0 : si32}> : (" + a + ", " + a + ", " +
                           type + ") -> " + result + "\n  return %0 : " + result + "\n}\n";
  Diagnostics diags;
  const auto graph = importMlirText(SourceBuffer("test.mlir", text), diags);
  if (!graph) return ADD_FAILURE() << "not read", -1;
  const Function& func = graph->funcs[graph->forward];
  return inputCount(*graph, func.ops[func.ops.size() - 2]);
}

// Where any number of operands is allowed, an empty tensor of the result's type is where the result goes; of another
// shape it is one more input.
TEST(OpFacts, AnEmptyTensorOfAnotherTypeIsAnInput) {
  EXPECT_EQ(inputsWithLast("tensor<64x32xbf16>", "tensor<64x32xbf16>"), 2);
  EXPECT_EQ(inputsWithLast("tensor<16x32xbf16>", "tensor<80x32xbf16>"), 3);
}

std::string pagesOf(const PhysicalShape& pages) {
  return std::to_string(pages.rows) + "x" + std::to_string(pages.cols);
}

// Each matrix is padded to whole tiles by itself; rows are no more than there are. What is no tensor has no pages.
TEST(OpFacts, OperandsAndResultsAreCountedInTilesAndInRows) {
  const std::string a = "tensor<3x40x70xbf16>", b = "tensor<70x5xbf16>", out = "tensor<3x40x5xbf16>";
  const std::string text = "func.func @main(%a: " + a + ", %b: " + b + ") -> " + out +
                           " {\n  %0 = \"ttir.matmul\"(%a, %b) : (" + a + ", " + b + ") -> " + out +
                           "\n  return %0 : " + out + "\n}\n";
  Diagnostics diags;
  const auto graph = importMlirText(SourceBuffer("test.mlir", text), diags);
  ASSERT_TRUE(graph);
  const OpFacts facts = factsOf(*graph, graph->funcs[graph->forward].ops[0]);
  ASSERT_EQ(facts.operands.size(), 2u);
  ASSERT_EQ(facts.results.size(), 1u);
  const struct {
    const CheckedValue& value;
    const char *tiles, *rows;
  } kCases[] = {
      {facts.operands[0], "6x3", "120x70"}, {facts.operands[1], "3x1", "70x5"}, {facts.results[0], "6x1", "120x5"}};
  for (const auto& [value, tiles, rows] : kCases) {
    EXPECT_EQ(value.defect, Refusal::None);
    EXPECT_EQ(pagesOf(value.tiles), tiles);
    EXPECT_EQ(pagesOf(value.scalars), rows);
    EXPECT_EQ(pagesOf(value.in(PageLayout::Tile)), tiles);
    EXPECT_EQ(pagesOf(value.in(PageLayout::RowMajor)), rows);
  }
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
