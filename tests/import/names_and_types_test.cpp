// Groups of results, calls of functions with other types, and types written as what they are.

#include "tests/import/import_testing.h"

namespace tessera {
namespace {

TEST(ImportNames, EveryGroupOfResultsBeginsBehindTheOneBefore) {
  const std::string types = "tensor<1xf32>, tensor<2xf32>, tensor<3xf32>, tensor<4xf32>, tensor<5xf32>";
  const Imported imported = importText(
      "func.func @main(%a: tensor<8xf32>) -> (tensor<1xf32>, tensor<3xf32>, tensor<4xf32>, tensor<5xf32>) {\n"
      "  %x:2, %y:2, %z = \"some.op\"(%a) : (tensor<8xf32>) -> (" +
      types +
      ")\n"
      "  return %x#0, %y#0, %y#1, %z : tensor<1xf32>, tensor<3xf32>, tensor<4xf32>, tensor<5xf32>\n}\n");
  ASSERT_TRUE(imported.graph) << imported.report();
  EXPECT_FALSE(importText("func.func @main(%a: tensor<8xf32>) -> tensor<1xf32> {\n  %x:2 = \"some.op\"(%a) : "
                          "(tensor<8xf32>) -> (tensor<1xf32>, tensor<1xf32>)\n  return %x#2 : tensor<1xf32>\n}\n")
                   .graph);
}

TEST(ImportCalls, WhatIsLoadedHasTheTypesOfTheFunctionThatMakesIt) {
  const auto text = [](const std::string& argument, const std::string& result) {
    return "func.func private @made(%w: tensor<4x6xf32>) -> tensor<6x4xf32> attributes {tt.function_type = "
           "\"const_eval\"} {\n  %0 = \"ttnn.permute\"(%w) <{permutation = array<i64: 1, 0>}> : (tensor<4x6xf32>) -> "
           "tensor<6x4xf32>\n  return %0 : tensor<6x4xf32>\n}\nfunc.func @main(%w: tensor<" +
           argument + "xf32>) -> tensor<" + result + "xf32> {\n  %0 = ttcore.load_cached(@made, [%w]) : (tensor<" +
           argument + "xf32>) -> tensor<" + result + "xf32>\n  return %0 : tensor<" + result + "xf32>\n}\n";
  };
  EXPECT_TRUE(importText(text("4x6", "6x4")).graph) << importText(text("4x6", "6x4")).report();
  EXPECT_TRUE(importText(text("4x7", "6x4")).has(DiagKind::ShapeMismatch));
  EXPECT_TRUE(importText(text("4x6", "4x6")).has(DiagKind::ShapeMismatch));
}

// The source's spelling is kept only while it is the type's.
TEST(ExportTypes, AnElementTypeThatChangedIsWrittenAsItIsNow) {
  Imported imported = importText(
      "func.func @main(%a: tensor<4xi32>) -> tensor<4xi32> {\n  %0 = \"ttir.abs\"(%a) : (tensor<4xi32>) -> "
      "tensor<4xi32>\n  return %0 : tensor<4xi32>\n}\n");
  ASSERT_TRUE(imported.graph) << imported.report();
  Graph graph = *imported.graph;
  EXPECT_NE(exportMlir(graph).find("tensor<4xi32>"), std::string::npos);
  for (Value& value : graph.values) value.type.tensor->dtype = DType::BF16;
  for (Function& func : graph.funcs)
    for (ValueType& type : func.resultTypes) type.tensor->dtype = DType::BF16;
  EXPECT_EQ(exportMlir(graph).find("i32"), std::string::npos) << exportMlir(graph);
}

}  // namespace
}  // namespace tessera
