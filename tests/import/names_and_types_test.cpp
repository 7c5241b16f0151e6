// Groups of results, quoted names, calls of functions with other types, and types written as what they are.

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

// However a variable of the module is loaded, its name is what stands between the quotes.
TEST(ImportNames, OfAQuotedNameTheQuotesAreNoPart) {
  for (const std::string load : {"util.global.load", "util.global.load immutable", "ml_program.global_load"}) {
    SCOPED_TRACE(load);
    const Imported imported = importText("func.func @main() -> tensor<4xf32> {\n  %0 = " + load +
                                         " @\"layer 1\" : tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n");
    ASSERT_TRUE(imported.graph) << imported.report();
    const Graph& graph = *imported.graph;
    ASSERT_EQ(graph.funcs[graph.forward].args.size(), 1u);
    const Value& weight = graph.values[graph.funcs[graph.forward].args[0]];
    EXPECT_EQ(weight.label, "layer 1");
    EXPECT_EQ(weight.name, "layer_1");
  }
}

// The generic form says in an attribute what the pretty one says in a word.
TEST(ImportNames, VisibilityOfTheGenericForm) {
  const auto function = [](const std::string& name, const std::string& visibility) {
    return "\"func.func\"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = \"" + name + "\"" +
           visibility +
           "}> ({\n^bb0(%a: tensor<4xf32>):\n  \"func.return\"(%a) : (tensor<4xf32>) -> ()\n}) : () -> ()\n";
  };
  const Imported imported = importText(function("f", "") + function("g", ", sym_visibility = \"private\"") +
                                       function("h", ", sym_visibility = \"public\""));
  ASSERT_TRUE(imported.graph) << imported.report();
  std::string privates;
  for (const Function& func : imported.graph->funcs) privates += func.isPrivate ? func.name : "-";
  EXPECT_EQ(privates, "-g-");
  EXPECT_NE(exportMlir(*imported.graph).find("func.func private @g"), std::string::npos);
}

// What a value's name may hold stays as it is.
TEST(ImportNames, OfVariablesKeepPointsAndDashes) {
  const Imported imported = importText(
      "func.func @main() -> tensor<4xf32> {\n  %0 = util.global.load @\"model.fc-1.Weight_2$\" : tensor<4xf32>\n"
      "  return %0 : tensor<4xf32>\n}\n");
  ASSERT_TRUE(imported.graph) << imported.report();
  const Graph& graph = *imported.graph;
  EXPECT_EQ(graph.values[graph.funcs[graph.forward].args.at(0)].name, "model.fc-1.Weight_2_");
}

// The same type, however its scales are written.
TEST(ImportTypes, QuantizedTypesHaveOneSpelling) {
  const auto element = [](const std::string& type) {
    const Imported imported = importText("func.func @main(%a: tensor<2x2x" + type + ">) {\n  return\n}\n");
    if (!imported.graph) return imported.report();
    const Graph& graph = *imported.graph;
    const TensorType& tensor = *graph.values[graph.funcs[graph.forward].args[0]].type.tensor;
    EXPECT_EQ(tensor.dtype, parseDType(type.substr(std::string("!quant.uniform<").size(), 2)));
    return tensor.element;
  };
  EXPECT_EQ(element("!quant.uniform<i8:f32, 0.25:0>"), "!quant.uniform<i8:f32, 2.500000e-01>");
  EXPECT_EQ(element("!quant.uniform<i8:f32, 25e-2:-3>"), "!quant.uniform<i8:f32, 2.500000e-01:-3>");
  EXPECT_EQ(element("!quant.uniform<i8<-127:127>:f32:1, { 0.5:0 , 2:7 }>"),
            "!quant.uniform<i8<-127:127>:f32:1, {5.000000e-01,2.000000e+00:7}>");
}

// A shard of another size than the tensor's does not change where the tensor lies.
TEST(ImportTypes, AShardOfAnotherSizeStaysInItsMemory) {
  const Imported imported = importText(
      "#a = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<1x5x!ttcore.tile<32x32, bf16>, "
      "#ttnn.buffer_type<l1>>, <interleaved>>\nfunc.func @main(%a: tensor<64x1024xbf16, #a>) {\n  return\n}\n");
  ASSERT_TRUE(imported.graph) << imported.report();
  const Graph& graph = *imported.graph;
  const TensorLayout& layout = *graph.values[graph.funcs[graph.forward].args[0]].type.tensor->layout;
  EXPECT_EQ(layout.buffer, BufferType::L1);
  EXPECT_EQ(layout.grid, (GridShape{8, 8}));
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
  for (ValueId value : graph.values.ids()) graph.values.edit(value).type.tensor->dtype = DType::BF16;
  for (Function& func : graph.funcs)
    for (ValueType& type : func.resultTypes) type.tensor->dtype = DType::BF16;
  EXPECT_EQ(exportMlir(graph).find("i32"), std::string::npos) << exportMlir(graph);
}

// Lines of constants whose numbers and result have types that are spelled differently.
std::vector<std::string> unlikeConstants(const Graph& graph) {
  std::vector<std::string> out;
  std::istringstream lines(exportMlir(graph));
  for (std::string line; std::getline(lines, line);) {
    const size_t at = line.find("constant\"() <{value = dense<"), numbers = line.find("> : ", at);
    if (at == std::string::npos || numbers == std::string::npos) continue;
    const size_t end = line.find("}>", numbers), result = line.find("-> ", end);
    if (line.substr(numbers + 4, end - numbers - 4) != line.substr(result + 3)) out.push_back(line);
  }
  return out;
}

// StableHLO has integers without a sign alone; how they were spelled is not kept in JSON, nor by steps that make ops.
TEST(ExportTypes, ConstantsHaveTheTypeOfTheirResultInItsSpelling) {
  std::string body;
  int count = 0;
  for (const char* type : {"tensor<i32>", "tensor<2x3xi32>", "tensor<2xui32>", "tensor<i64>", "tensor<2xi8>",
                           "tensor<2xf32>", "tensor<2xindex>", "tensor<bf16>"}) {
    const bool real = std::string(type).find('f') != std::string::npos;
    body +=
        "  %" + std::to_string(count++) + " = stablehlo.constant dense<" + (real ? "1.0" : "1") + "> : " + type + "\n";
  }
  const Imported imported = importText("func.func @main(%a: tensor<2x3xi32>) -> tensor<2x3xi32> {\n" + body +
                                       "  %r = stablehlo.add %a, %1 : tensor<2x3xi32>\n  return %r : "
                                       "tensor<2x3xi32>\n}\n");
  ASSERT_TRUE(imported.graph) << imported.report();
  Graph graph = *imported.graph;
  const std::string text = exportMlir(graph);
  EXPECT_EQ(unlikeConstants(graph), std::vector<std::string>());
  EXPECT_EQ(text.find("si32"), std::string::npos) << text;
  expectRoundTrips(graph);
  // Values are named by JSON, numbered here.
  MlirPrintOptions numbered;
  numbered.renumber = true;
  const Imported again = importJson(exportGraphJson(graph));
  ASSERT_TRUE(again.graph) << again.report();
  EXPECT_EQ(exportMlir(*again.graph, nullptr, numbered), exportMlir(graph, nullptr, numbered));
  for (OpId op : graph.ops.ids()) {
    for (Attribute& attr : graph.ops.edit(op).attrs.own()) {
      if (attr.value.text == "dense<1> : tensor<i32>") attr.value = rawAttr("dense<1> : tensor<si32>");
    }
  }
  EXPECT_EQ(exportMlir(graph), text);
}

TEST(ExportTypes, ConstantsOfOtherDialectsKeepTheirSign) {
  const Imported imported = importText(
      "func.func @main(%a: tensor<2xsi32>) -> tensor<2xsi32> {\n  %0 = \"ttir.constant\"() <{value = dense<[1, 2]> : "
      "tensor<2xi32>}> : () -> tensor<2xsi32>\n  %1 = \"ttir.add\"(%a, %0) : (tensor<2xsi32>, tensor<2xsi32>) -> "
      "tensor<2xsi32>\n  return %1 : tensor<2xsi32>\n}\n");
  ASSERT_TRUE(imported.graph) << imported.report();
  EXPECT_NE(exportMlir(*imported.graph).find("dense<[1, 2]> : tensor<2xsi32>}> : () -> tensor<2xsi32>"),
            std::string::npos)
      << exportMlir(*imported.graph);
}

}  // namespace
}  // namespace tessera
