// StableHLO as JAX, PyTorch/XLA and torch-mlir print it: pretty and generic forms give the same graph.

#include "tests/import/import_testing.h"
#include "tests/sizes.h"

namespace tessera {
namespace {

Graph imported(const std::string& text) {
  Imported made = importText(text);
  EXPECT_TRUE(made.graph) << made.report();
  return made.graph ? *made.graph : Graph();
}

// The only op of that name.
const Op& stablehloOp(const Graph& graph, std::string_view name) {
  static const Op none;
  const Op* found = &none;
  for (const Function& func : graph.funcs) {
    for (OpId id : func.ops) found = graph.ops[id].name == name ? &graph.ops[id] : found;
  }
  EXPECT_EQ(found->name, name);
  return *found;
}

std::vector<int64_t> intsOf(const Op& op, std::string_view name) {
  const AttrValue* value = findAttr(op, name);
  EXPECT_NE(value, nullptr) << name;
  return value == nullptr ? std::vector<int64_t>() : value->ints;
}

std::string wordOf(const Op& op, std::string_view name) {
  const AttrValue* value = findAttr(op, name);
  EXPECT_NE(value, nullptr) << name;
  return value == nullptr ? std::string() : value->string;
}

TEST(StablehloImport, FieldsOfPrettyFormsAreAttributes) {
  Graph graph = imported(R"(func.func @main(%x: tensor<4x6xf32>, %s: tensor<f32>) -> tensor<3x7xf32> {
    %0 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %1 = stablehlo.transpose %x, dims = [1, 0] {mhlo.sharding = "{replicated}"} : (tensor<4x6xf32>) -> tensor<6x4xf32>
    %2 = stablehlo.slice %1 [0:6:2, 1:4] : (tensor<6x4xf32>) -> tensor<3x3xf32>
    %3 = stablehlo.concatenate %2, %2, dim = 1 : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x6xf32>
    %4 = stablehlo.pad %3, %s, low = [0, 0], high = [0, 1], interior = [0, 0]
        : (tensor<3x6xf32>, tensor<f32>) -> tensor<3x7xf32>
    %5 = stablehlo.compare  GT, %4, %4,  FLOAT : (tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xi1>
    %6 = stablehlo.select %5, %4, %4 : tensor<3x7xi1>, tensor<3x7xf32>
    return %6 : tensor<3x7xf32>
  })");
  EXPECT_EQ(intsOf(stablehloOp(graph, "stablehlo.broadcast_in_dim"), "broadcast_dimensions"), std::vector<int64_t>());
  EXPECT_EQ(intsOf(stablehloOp(graph, "stablehlo.transpose"), "permutation"), (std::vector<int64_t>{1, 0}));
  const Op& slice = stablehloOp(graph, "stablehlo.slice");
  EXPECT_EQ(intsOf(slice, "start_indices"), (std::vector<int64_t>{0, 1}));
  EXPECT_EQ(intsOf(slice, "limit_indices"), (std::vector<int64_t>{6, 4}));
  EXPECT_EQ(intsOf(slice, "strides"), (std::vector<int64_t>{2, 1}));
  EXPECT_EQ(intsOf(stablehloOp(graph, "stablehlo.pad"), "edge_padding_high"), (std::vector<int64_t>{0, 1}));
  EXPECT_EQ(wordOf(stablehloOp(graph, "stablehlo.compare"), "comparison_direction"), "GT");
  EXPECT_EQ(stablehloOp(graph, "stablehlo.select").operands.size(), 3u);
  expectRoundTrips(graph);
}

TEST(StablehloImport, ConvolutionAndProductSayTheirDims) {
  Graph graph = imported(R"(func.func @main(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x3x4xf32>) -> tensor<1x4x4x4xf32> {
    %0 = stablehlo.convolution(%x, %w)
      dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {stride = [2, 2], pad = [[0, 1], [0, 1]], rhs_dilate = [1, 1]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
          : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x4x4x4xf32>
    %1 = stablehlo.dot_general %0, %0, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3],
        precision = [DEFAULT, DEFAULT] : (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
    return %1 : tensor<1x4x4x4xf32>
  })");
  const Op& conv = stablehloOp(graph, "stablehlo.convolution");
  EXPECT_EQ(intsOf(conv, "window_strides"), (std::vector<int64_t>{2, 2}));
  EXPECT_EQ(intsOf(conv, "padding"), (std::vector<int64_t>{0, 1, 0, 1}));
  EXPECT_EQ(findAttr(conv, "dimension_numbers")->text, "#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>");
  EXPECT_EQ(findAttr(stablehloOp(graph, "stablehlo.dot_general"), "dot_dimension_numbers")->text,
            "#stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], "
            "lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>");
}

// One op between the arguments of a region is an attribute, whichever way the region is written.
TEST(StablehloImport, SimpleRegionsAreAttributes) {
  const char* forms[] = {
      "%0 = stablehlo.reduce(%x init: %s) applies stablehlo.maximum across dimensions = [1] : (tensor<4x6xf32>, "
      "tensor<f32>) -> tensor<4xf32>",
      "%0 = stablehlo.reduce(%x init: %s) across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>\n"
      "     reducer(%a: tensor<f32>, %b: tensor<f32>)  {\n"
      "      %9 = stablehlo.maximum %a, %b : tensor<f32>\n      stablehlo.return %9 : tensor<f32>\n    }",
      "%0 = \"stablehlo.reduce\"(%x, %s) <{dimensions = array<i64: 1>}> ({\n    ^bb0(%a: tensor<f32>, %b: "
      "tensor<f32>):\n"
      "      %9 = \"stablehlo.maximum\"(%b, %a) : (tensor<f32>, tensor<f32>) -> tensor<f32>\n"
      "      \"stablehlo.return\"(%9) : (tensor<f32>) -> ()\n    }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>",
      "%0 = \"mhlo.reduce\"(%x, %s) ({\n    ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
      "      %9 = mhlo.maximum %a, %b : tensor<f32>\n      mhlo.return %9 : tensor<f32>\n"
      "    }) {dimensions = dense<1> : tensor<1xi64>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>"};
  for (const char* form : forms) {
    SCOPED_TRACE(form);
    Graph graph = imported("func.func @main(%x: tensor<4x6xf32>, %s: tensor<f32>) -> tensor<4xf32> {\n    " +
                           std::string(form) + "\n    return %0 : tensor<4xf32>\n  }");
    const Op& reduce = stablehloOp(graph, "stablehlo.reduce");
    EXPECT_EQ(wordOf(reduce, "body"), "stablehlo.maximum");
    EXPECT_EQ(intsOf(reduce, "dimensions"), std::vector<int64_t>{1});
    EXPECT_EQ(graph.funcs.size(), 1u);
    expectRoundTrips(graph);
  }
}

TEST(StablehloImport, ReductionOfPairsTakesItsOperandsByRole) {
  Graph graph = imported(
      R"(func.func @main(%x: tensor<4xf32>, %i: tensor<4xi32>, %s: tensor<f32>, %z: tensor<i32>) -> tensor<i32> {
    %0:2 = stablehlo.reduce(%x init: %s), (%i init: %z) across dimensions = [0]
        : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
     reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<i32>, %d: tensor<i32>)  {
      %1 = stablehlo.compare  GT, %a, %b,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %2 = stablehlo.select %1, %a, %b : tensor<i1>, tensor<f32>
      %3 = stablehlo.select %1, %c, %d : tensor<i1>, tensor<i32>
      stablehlo.return %2, %3 : tensor<f32>, tensor<i32>
    }
    return %0#1 : tensor<i32>
  })");
  const Op& reduce = stablehloOp(graph, "stablehlo.reduce");
  std::vector<std::string> operands;
  for (ValueId id : reduce.operands) operands.push_back(graph.values[id].name);
  EXPECT_EQ(operands, (std::vector<std::string>{"x", "i", "s", "z"}));
  ASSERT_EQ(graph.funcs.size(), 2u);
  const Function& body = graph.funcs[FuncId{1}];
  EXPECT_TRUE(body.isPrivate);
  EXPECT_EQ(wordOf(reduce, "body"), body.name);
  std::vector<std::string> arguments;
  for (ValueId id : body.args) arguments.push_back(graph.values[id].name);
  EXPECT_EQ(arguments, (std::vector<std::string>{"a", "c", "b", "d"}));
  expectRoundTrips(graph);
}

TEST(StablehloImport, LoopsCaptureWhatTheyRead) {
  Graph graph = imported(R"(func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
    %n = stablehlo.constant dense<3> : tensor<i32>
    %z = stablehlo.constant dense<0> : tensor<i32>
    %0:2 = stablehlo.while(%i = %z, %a = %x) : tensor<i32>, tensor<4xf32>
     cond {
      %1 = stablehlo.compare  LT, %i, %n,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.add %i, %one : tensor<i32>
      %3 = stablehlo.add %a, %y : tensor<4xf32>
      stablehlo.return %2, %3 : tensor<i32>, tensor<4xf32>
    }
    return %0#1 : tensor<4xf32>
  })");
  const Op& loop = stablehloOp(graph, "stablehlo.while");
  EXPECT_EQ(loop.operands.size(), 3u);  // two carried, %y
  EXPECT_EQ(intsOf(loop, "captures"), (std::vector<int64_t>{0, 1}));
  EXPECT_EQ(graph.funcs.size(), 3u);
  expectRoundTrips(graph);
}

// The body, which comes second, reads nothing but what is carried.
TEST(StablehloImport, ALoopWhoseConditionAloneReadsAValue) {
  Graph graph = imported(R"(func.func @main(%n: tensor<i32>, %z: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.while(%i = %z) : tensor<i32>
     cond {
      %1 = stablehlo.compare  LT, %i, %n,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %2 = stablehlo.add %i, %i : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }
    return %0 : tensor<i32>
  })");
  const Op& loop = stablehloOp(graph, "stablehlo.while");
  EXPECT_EQ(loop.operands.size(), 2u);
  EXPECT_EQ(intsOf(loop, "captures"), (std::vector<int64_t>{1, 0}));
  expectRoundTrips(graph);
}

TEST(StablehloImport, TuplesAreTheValuesInThem) {
  Graph graph = imported(R"(func.func @main(%x: tensor<4xf32>) -> tensor<2xi32> {
    %0 = stablehlo.custom_call @two(%x) {api_version = 0 : i32} : (tensor<4xf32>) -> tuple<tensor<4xf32>, tensor<2xi32>>
    %1 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<4xf32>, tensor<2xi32>>) -> tensor<2xi32>
    return %1 : tensor<2xi32>
  })");
  const Op& call = stablehloOp(graph, "stablehlo.custom_call");
  EXPECT_EQ(call.results.size(), 2u);
  EXPECT_EQ(graph.ops[graph.funcs[graph.forward].ops.back()].operands[0], call.results[1]);
}

// An element that is a tuple itself takes as many values as it holds.
TEST(StablehloImport, ElementsBehindANestedTupleAreCounted) {
  const std::string inner = "tuple<tensor<4xf32>, tensor<2xi32>>", outer = "tuple<" + inner + ", tensor<3xf32>>";
  Graph graph = imported("func.func @main(%x: " + outer + ") -> (tensor<3xf32>, tensor<2xi32>) {\n" +
                         "  %0 = stablehlo.get_tuple_element %x[1] : (" + outer + ") -> tensor<3xf32>\n" +
                         "  %1 = stablehlo.get_tuple_element %x[0] : (" + outer + ") -> " + inner + "\n" +
                         "  %2 = stablehlo.get_tuple_element %1[1] : (" + inner + ") -> tensor<2xi32>\n" +
                         "  return %0, %2 : tensor<3xf32>, tensor<2xi32>\n}\n");
  const Function& main = graph.funcs[graph.forward];
  ASSERT_EQ(main.args.size(), 3u);
  EXPECT_EQ(graph.ops[main.ops.back()].operands, (std::vector<ValueId>{main.args[2], main.args[1]}));
}

// Older exports hand tuples to functions and take them back.
TEST(StablehloImport, TuplesOfFunctionsAreTheValuesInThem) {
  Graph graph = imported(R"(module @IrToHlo.12 {
  func.func @main(%arg0: tuple<tensor<4x8xf32>, tuple<tensor<4x8xf32>, tensor<i32>>>, %arg1: tensor<8xf32>) -> (tuple<tensor<4x8xf32>, tuple<tensor<i32>, tensor<4x8xf32>>>, tensor<8xf32>) {
    %0 = stablehlo.get_tuple_element %arg0[0] : (tuple<tensor<4x8xf32>, tuple<tensor<4x8xf32>, tensor<i32>>>) -> tensor<4x8xf32>
    %1 = stablehlo.get_tuple_element %arg0[1] : (tuple<tensor<4x8xf32>, tuple<tensor<4x8xf32>, tensor<i32>>>) -> tuple<tensor<4x8xf32>, tensor<i32>>
    %2 = call @swap(%1) : (tuple<tensor<4x8xf32>, tensor<i32>>) -> tuple<tensor<i32>, tensor<4x8xf32>>
    %3 = stablehlo.tuple %0, %2 : tuple<tensor<4x8xf32>, tuple<tensor<i32>, tensor<4x8xf32>>>
    return %3, %arg1 : tuple<tensor<4x8xf32>, tuple<tensor<i32>, tensor<4x8xf32>>>, tensor<8xf32>
  }
  func.func private @swap(%arg0: tuple<tensor<4x8xf32>, tensor<i32>>) -> tuple<tensor<i32>, tensor<4x8xf32>> {
    %0 = stablehlo.get_tuple_element %arg0[0] : (tuple<tensor<4x8xf32>, tensor<i32>>) -> tensor<4x8xf32>
    %1 = stablehlo.get_tuple_element %arg0[1] : (tuple<tensor<4x8xf32>, tensor<i32>>) -> tensor<i32>
    %2 = stablehlo.tuple %1, %0 : tuple<tensor<i32>, tensor<4x8xf32>>
    return %2 : tuple<tensor<i32>, tensor<4x8xf32>>
  }
})");
  const Function& main = graph.funcs[graph.forward];
  EXPECT_EQ(main.args.size(), 4u);
  EXPECT_EQ(main.resultTypes.size(), 4u);
  const Op& call = stablehloOp(graph, "func.call");
  EXPECT_EQ(call.operands, (std::vector<ValueId>{main.args[1], main.args[2]}));
  EXPECT_EQ(graph.ops[main.ops.back()].operands,
            (std::vector<ValueId>{main.args[0], call.results[0], call.results[1], main.args[3]}));
}

TEST(StablehloImport, ManualComputationIsWhatOneChipRuns) {
  Graph graph = imported(R"(module @m {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%x: tensor<16x8xf32>) -> tensor<16x8xf32> {
    %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}, {}]>]
        out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%a: tensor<4x8xf32>) {
      %1 = stablehlo.add %a, %a : tensor<4x8xf32>
      sdy.return %1 : tensor<4x8xf32>
    } : (tensor<16x8xf32>) -> tensor<16x8xf32>
    return %0 : tensor<16x8xf32>
  }
})");
  const Function& main = graph.funcs[graph.forward];
  EXPECT_EQ(graph.values[main.args[0]].type.tensor->shape, (Shape{4, 8}));
  EXPECT_EQ(main.resultTypes[0].tensor->shape, (Shape{4, 8}));
  EXPECT_EQ(main.ops.size(), 2u);
}

// What reads one of several results may name its type on all chips.
TEST(StablehloImport, EveryResultOfAManualComputationIsOneChips) {
  Graph graph = imported(R"(module @m {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%x: tensor<16x8xf32>) -> (tensor<16x8xf32>, tensor<16x8xf32>) {
    %0:2 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}, {}]>]
        out_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>] manual_axes={"x"} (%a: tensor<4x8xf32>) {
      %1 = stablehlo.add %a, %a : tensor<4x8xf32>
      %2 = stablehlo.exponential %a : tensor<4x8xf32>
      sdy.return %1, %2 : tensor<4x8xf32>, tensor<4x8xf32>
    } : (tensor<16x8xf32>) -> (tensor<16x8xf32>, tensor<16x8xf32>)
    return %0#0, %0#1 : tensor<16x8xf32>, tensor<16x8xf32>
  }
})");
  const Function& main = graph.funcs[graph.forward];
  ASSERT_EQ(main.resultTypes.size(), 2u);
  for (const ValueType& type : main.resultTypes) EXPECT_EQ(type.tensor->shape, (Shape{4, 8}));
}

// Where the whole is read as well, before or behind, each gets what its type says: the argument and the result stay
// whole, and the manual computation reads and gives parts.
TEST(StablehloImport, WhatIsReadAroundAManualComputationIsWhole) {
  const auto shapesOf = [](const std::string& before, const std::string& behind, const std::string& given) {
    const Graph graph = imported(R"(module @m {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%x: tensor<16x8xf32>) -> tensor<16x8xf32> {
)" + before + R"(
    %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}, {}]>]
        out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%a: tensor<4x8xf32>) {
      %1 = stablehlo.add %a, %a : tensor<4x8xf32>
      sdy.return %1 : tensor<4x8xf32>
    } : (tensor<16x8xf32>) -> tensor<16x8xf32>
)" + behind + "\n    return " + given +
                                 " : tensor<16x8xf32>\n  }\n}");
    const auto shape = [&](ValueId value) { return shapeText(graph.values[value].type.tensor->shape) + " "; };
    std::string out = shape(graph.funcs[graph.forward].args[0]);
    for (OpId op : graph.funcs[graph.forward].ops) {
      for (ValueId result : graph.ops[op].results)
        out += (graph.ops[op].name == "stablehlo.custom_call" ? "to " : "") + shape(result);
    }
    return out + "gives " + shapeText(graph.funcs[graph.forward].resultTypes[0].tensor->shape);
  };
  const std::string negate = "%w = stablehlo.negate %x : tensor<16x8xf32>",
                    ofResult = "%r = stablehlo.negate %0 : tensor<16x8xf32>";
  EXPECT_EQ(shapesOf("", "", "%0"), "4x8 4x8 gives 4x8");
  EXPECT_EQ(shapesOf(negate, "", "%0"), "16x8 16x8 to 4x8 4x8 gives 4x8");
  EXPECT_EQ(shapesOf("", negate, "%0"), "16x8 to 4x8 4x8 16x8 gives 4x8");
  EXPECT_EQ(shapesOf("", ofResult, "%r"), "4x8 4x8 to 16x8 16x8 gives 16x8");
  // A sharding of the part reads no more than the part; what reads the sharding may.
  const std::string sharded = "%s = sdy.sharding_constraint %0 <@mesh, [{\"x\"}, {}]> : tensor<16x8xf32>\n";
  EXPECT_EQ(shapesOf("", sharded, "%s"), "4x8 4x8 gives 4x8");
  EXPECT_EQ(shapesOf("", sharded + "%r = stablehlo.negate %s : tensor<16x8xf32>", "%r").substr(0, 16),
            "4x8 4x8 to 16x8 ");
  // Another manual computation may take the same parts, or others.
  const auto manual = [](const std::string& value, const std::string& part) {
    return "%m = sdy.manual_computation(" + value +
           ") in_shardings=[<@mesh, [{}, {}]>] out_shardings=[<@mesh, [{}, {}]>] "
           "manual_axes={\"x\"} (%b: tensor<" +
           part + "xf32>) {\n      sdy.return %b : tensor<" + part +
           "xf32>\n    } : (tensor<16x8xf32>) -> tensor<16x8xf32>";
  };
  EXPECT_EQ(shapesOf("", manual("%0", "4x8"), "%m"), "4x8 4x8 gives 4x8");
  EXPECT_EQ(shapesOf("", manual("%0", "16x2"), "%m"), "4x8 4x8 to 16x8 to 16x2 gives 16x2");
  EXPECT_EQ(shapesOf("", manual("%x", "16x2"), "%m"), "16x8 to 4x8 4x8 to 16x2 gives 16x2");
  EXPECT_EQ(shapesOf(negate, "", "%w").substr(0, 16), "16x8 16x8 to 4x8");
}

// Variables of the module are weights: one argument each, however they are loaded. What a test program checks is what
// it computes.
TEST(StablehloImport, VariablesOfTheModuleAreArguments) {
  Graph graph = imported(R"(module {
  util.global private @"m.layer-1.kernel" {noinline} = dense<0.5> : tensor<8x4xf32>
  util.global private mutable @bias = dense<0.1> : tensor<4xf32>
  ml_program.global private @seed(dense<0> : tensor<i64>) : tensor<i64>
  func.func @predict() attributes {iree.module.export} {
    %ptr = util.global.address @"m.layer-1.kernel" : !util.ptr<tensor<8x4xf32>>
    %0 = util.unfoldable_constant dense<5.000000e-01> : tensor<1x8xf32>
    %1 = util.global.load.indirect %ptr : !util.ptr<tensor<8x4xf32>> -> tensor<8x4xf32>
    %2 = util.global.load immutable @bias : tensor<4xf32>
    %3 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (tensor<1x8xf32>, tensor<8x4xf32>) -> tensor<1x4xf32>
    %4 = util.global.load @bias : tensor<4xf32>
    %5 = stablehlo.add %2, %4 : tensor<4xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %7 = stablehlo.add %3, %6 : tensor<1x4xf32>
    check.expect_almost_eq_const(%7, dense<1.0> : tensor<1x4xf32>) : tensor<1x4xf32>
    return
  }
})");
  const Function& main = graph.funcs[graph.forward];
  ASSERT_EQ(main.args.size(), 3u);
  EXPECT_EQ(graph.values[main.args[0]].role, ArgRole::Input);
  EXPECT_EQ(graph.values[main.args[1]].label, "m.layer-1.kernel");
  EXPECT_EQ(graph.values[main.args[1]].role, ArgRole::Parameter);
  EXPECT_EQ(graph.values[main.args[2]].label, "bias");
  ASSERT_EQ(main.resultTypes.size(), 1u);
  EXPECT_EQ(main.resultTypes[0].tensor->shape, (Shape{1, 4}));
  for (OpId op : main.ops) EXPECT_NE(graph.ops[op].kind, OpKind::Opaque) << graph.ops[op].name;
}

// Regions that are read in their place use the same names; marks of Shardy leave nothing.
TEST(StablehloImport, NamedComputationsAreTheirBodies) {
  Graph graph = imported(R"(module {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%arg0: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = sdy.named_computation<"f">(%arg0) (%arg1: tensor<4x4xf32>) {
      %9 = stablehlo.tanh %arg1 : tensor<4x4xf32>
      sdy.return %9 : tensor<4x4xf32>
    } : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = sdy.named_computation<"f">(%0) (%arg1: tensor<4x4xf32>) {
      %9 = stablehlo.negate %arg1 : tensor<4x4xf32>
      sdy.return %9 : tensor<4x4xf32>
    } : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = sdy.data_flow_edge %1 sharding=<@mesh, [{"x"}, {}]> : tensor<4x4xf32>
    sdy.sharding_group %2 group_id=3 : tensor<4x4xf32>
    return %2 : tensor<4x4xf32>
  }
})");
  std::string names;
  for (OpId op : graph.funcs[graph.forward].ops) names += graph.ops[op].name + " ";
  EXPECT_EQ(names, "stablehlo.tanh stablehlo.negate func.return ");
}

TEST(StablehloImport, MistakesAreSaid) {
  Imported dynamic =
      importText("func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {\n return %x : tensor<?x4xf32>\n}");
  EXPECT_TRUE(dynamic.has(DiagKind::BadTensorType));
  EXPECT_NE(dynamic.report().find("export the model for fixed sizes"), std::string::npos);
  Imported types = importText(
      "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
      "  %0 = stablehlo.add %x, %x : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>\n  return %0 : tensor<4xf32>\n}");
  EXPECT_TRUE(types.has(DiagKind::OperandTypeMismatch)) << types.report();
  Imported missing = importText(
      "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
      "  %0 = stablehlo.add %x, %w : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>\n  return %0 : tensor<4xf32>\n}");
  EXPECT_TRUE(missing.has(DiagKind::MissingValue)) << missing.report();
  ASSERT_TRUE(missing.graph);
  EXPECT_EQ(missing.graph->funcs[missing.graph->forward].args.size(), 2u);
  // A value that is defined further down is still a mistake.
  Imported later = importText(
      "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
      "  %0 = stablehlo.add %x, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>\n"
      "  %1 = stablehlo.add %x, %x : tensor<4xf32>\n  return %0 : tensor<4xf32>\n}");
  EXPECT_TRUE(later.has(DiagKind::UndefinedValue)) << later.report();
}

// Where a number is needed, another word is a mistake in both forms.
TEST(StablehloImport, WordsAreNoNumbers) {
  const auto said = [](const std::string& op) {
    return importText("func.func @main(%x: tensor<8x4xf32>, %c: tensor<f32>) {\n  %0 = " + op + "\n  return\n}")
        .report();
  };
  const std::string concatenate = " : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>";
  const auto expected = [](const std::string& attr, const std::string& op, const std::string& seen,
                           const std::string& type) {
    return "BadAttribute 2:3 attribute `" + attr + "` of `" + op + "` is `" + seen + "`, expected " + type + "\n";
  };
  EXPECT_EQ(said("stablehlo.concatenate %x, %x, dim = 0" + concatenate), "");
  EXPECT_EQ(said("stablehlo.concatenate %x, %x, dim = one" + concatenate),
            expected("dimension", "stablehlo.concatenate", "\"one\"", "i64"));
  EXPECT_EQ(said("\"stablehlo.concatenate\"(%x, %x) <{dimension = \"one\"}>" + concatenate),
            expected("dimension", "stablehlo.concatenate", "\"one\"", "i64"));
  const std::string transpose = " : (tensor<8x4xf32>) -> tensor<4x8xf32>";
  EXPECT_EQ(said("stablehlo.transpose %x, dims = [1, 0]" + transpose), "");
  for (const std::string wrong : {"[1, x]", "1"})
    EXPECT_EQ(said("stablehlo.transpose %x, dims = " + wrong + transpose),
              expected("permutation", "stablehlo.transpose", "\"" + wrong + "\"", "array<i64>"));
  const auto convolved = [&](const std::string& stride) {
    return said(
        "stablehlo.convolution(%x, %x) dim_numbers = [b, f]x[o, i]->[b, f], window = {stride = " + stride +
        ", pad = [], reverse = []} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x4xf32>, "
        "tensor<8x4xf32>) -> tensor<8x8xf32>");
  };
  EXPECT_EQ(convolved("[]"), "");
  EXPECT_EQ(convolved("[a]"), expected("window_strides", "stablehlo.convolution", "\"[a]\"", "array<i64>"));
  EXPECT_EQ(said("stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<4xf32>"), "");
}

std::vector<std::filesystem::path> stablehloFiles() {
  std::vector<std::filesystem::path> files;
  std::error_code ignored;
  for (const char* folder : {"stablehlo", "stablehlo/synthetic", "stablehlo/ops_jax_testdata"}) {
    for (const auto& entry : std::filesystem::directory_iterator(sharedFolder() / folder, ignored)) {
      if (entry.path().extension() == ".mlir") files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

TEST(StablehloImport, RealGraphs) {
  if (stablehloFiles().empty()) GTEST_SKIP() << "no graphs";
  for (const auto& path : stablehloFiles()) {
    SCOPED_TRACE(path.filename().string());
    std::string text = readFile(path);
    if (test::smallTests() && text.size() > 150'000) continue;
    Imported made = importText(text);
    bool dynamic = text.find("<?x") != std::string::npos;
    EXPECT_EQ(made.graph.has_value(), !dynamic) << made.report();
    EXPECT_EQ(made.has(DiagKind::BadTensorType), dynamic);
    if (!made.graph) continue;
    EXPECT_TRUE(verifyGraph(*made.graph).empty());
    std::string again = exportMlir(*made.graph);
    Imported back = importText(again);
    ASSERT_TRUE(back.graph) << back.report();
    EXPECT_EQ(exportMlir(*back.graph), again);
  }
}

// Every prefix of a graph is read or refused, never more.
TEST(StablehloImport, TruncatedFiles) {
  std::vector<std::filesystem::path> files = stablehloFiles();
  if (files.empty()) GTEST_SKIP() << "no graphs";
  for (const auto& path : files) {
    std::string name = path.filename().string();
    if (name != "jax_mlp_sgd_train_step.mlir" && name != "tf_lstm_iree.mlir") continue;
    std::string text = readFile(path);
    for (size_t bytes = 1024; bytes < text.size(); bytes += 1024) {
      Imported made = importText(text.substr(0, bytes));
      EXPECT_FALSE(made.diags.all().empty()) << name << " cut at " << bytes;
    }
  }
}

TEST(StablehloImport, TruncatedLargeFiles) {
  std::vector<std::filesystem::path> files = stablehloFiles();
  if (files.empty()) GTEST_SKIP() << "no graphs";
  for (const auto& path : files) {
    std::string text = readFile(path);
    if (text.size() < 60'000 || (test::smallTests() && text.size() > 150'000)) continue;
    constexpr size_t kCuts = 7;  // within a line as often as not
    for (size_t cut = 1; cut <= kCuts; ++cut) {
      size_t bytes = text.size() * cut / (kCuts + 1);
      Imported made = importText(text.substr(0, bytes));
      EXPECT_FALSE(made.diags.all().empty()) << path.filename().string() << " cut at " << bytes;
    }
  }
}

// The line of the user's own source is the innermost frame.
TEST(StablehloImport, LocationsNameTheLineOfSource) {
  Graph graph = imported(R"(module @jit_step {
  func.func public @main(%x: tensor<4x4xf32> loc("x")) -> (tensor<4x4xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0]
        : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> loc(#loc5)
    %1 = stablehlo.tanh %0 : tensor<4x4xf32>
        loc(callsite("act"("/src/layers.py":5:0) at callsite("/src/train.py":13:0 at "/src/train.py":40:0)))
    %2 = stablehlo.negate %1 : tensor<4x4xf32> loc(#loc1)
    %3 = stablehlo.abs %2 : tensor<4x4xf32> loc(#loc)
    return %3 : tensor<4x4xf32> loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc = loc(unknown)
#loc1 = loc("/src/train.py":12:9 to :30)
#loc2 = loc("/src/train.py":40:4)
#loc3 = loc("forward"(#loc1))
#loc4 = loc(callsite(#loc3 at #loc2))
#loc5 = loc("jit(step)/jit(main)/dot_general"(#loc4))
)");
  EXPECT_EQ(stablehloOp(graph, "stablehlo.dot_general").loc, "jit(step)/jit(main)/dot_general (train.py:12)");
  EXPECT_EQ(stablehloOp(graph, "stablehlo.tanh").loc, "act (layers.py:5)");
  EXPECT_EQ(stablehloOp(graph, "stablehlo.negate").loc, "train.py:12");
  EXPECT_EQ(stablehloOp(graph, "stablehlo.abs").loc, "");
}

// A constant of 50 MB is read past, not kept.
TEST(StablehloImport, LargeConstantsAreNotKept) {
  const size_t kBytes = test::smallTests() ? 5'000'000 : 50'000'000;
  for (bool hex : {true, false}) {
    std::string body = hex ? "\"0x" : "[";
    while (body.size() < kBytes) body += hex ? "0000803F" : "1.000000e+00, ";
    body += hex ? "\"" : "1.0]";
    size_t count = hex ? (body.size() - 4) / 8 : (body.size() - 4) / 14 + 1;
    std::string type = "tensor<" + std::to_string(count) + "xf32>";
    Imported made = importText("func.func @main() -> " + type + " {\n  %0 = stablehlo.constant dense<" + body +
                               "> : " + type + "\n  return %0 : " + type + "\n}\n");
    ASSERT_TRUE(made.graph) << made.report().substr(0, 300);
    const Op& constant = stablehloOp(*made.graph, "stablehlo.constant");
    EXPECT_LT(findAttr(constant, "value")->text.size(), 1000u);
    EXPECT_EQ(findAttr(constant, "value")->bytes, static_cast<int64_t>(count) * 4);
  }
}

TEST(StablehloImport, HostileTextIsSaid) {
  auto body = [](const std::string& ops) {
    return importText("func.func @main(%x: tensor<4x4xf32>, %i: tensor<i32>) -> tensor<4x4xf32> {\n" + ops +
                      "\n  return %x : tensor<4x4xf32>\n}");
  };
  // Attributes that nobody knows are kept and change nothing.
  EXPECT_TRUE(
      body("  %0 = stablehlo.add %x, %x {made.up = #made<up<1>>, other = {a = [1, \"b\"]}} : tensor<4x4xf32>").graph);
  const char* wrong[] = {
      "  %0 = stablehlo.add %x, %i : tensor<4x4xf32>",
      "  %0 = stablehlo.select %x, %x, %x : tensor<4x4xi1>, tensor<4x4xf32>",
      "  %0 = stablehlo.reshape %x : (tensor<5x4xf32>) -> tensor<20xf32>",
      "  %0:3 = stablehlo.custom_call @two(%x) : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>)",
      "  %0 = stablehlo.add %x, %x : tensor<99999999999999999999x4xf32>",
      "  %0 = stablehlo.add %x, %x : tensor<4x4xf33>",
      "  %0 = \"stablehlo.reduce\"(%x, %i) ({ : (tensor<4x4xf32>, tensor<i32>) -> tensor<4xf32>",
      "  %0 = stablehlo.while(%a = %x) : tensor<4x4xf32>\n   cond {",
      "  %0 = stablehlo.constant dense<[1.0, 2.0> : tensor<2xf32>",
  };
  for (const char* ops : wrong) {
    SCOPED_TRACE(ops);
    EXPECT_FALSE(body(ops).diags.all().empty());
  }
  // Regions within regions, deeper than anyone writes them.
  std::string deep;
  for (int i = 0; i < 3000; ++i) deep += "%r" + std::to_string(i) + " = \"stablehlo.if\"(%i) ({\n";
  EXPECT_FALSE(body(deep).diags.all().empty());
  // Tuples within tuples.
  std::string open, close;
  for (int i = 0; i < 3000; ++i) open += "tuple<tensor<4xf32>, ", close += ">";
  Imported tuple = importText("func.func @main(%x: " + open + "tensor<i32>" + close + ") -> tensor<i32> {\n" +
                              "  %0 = stablehlo.get_tuple_element %x[9] : (" + open + "tensor<i32>" + close +
                              ") -> tensor<i32>\n  return %0 : tensor<i32>\n}");
  EXPECT_FALSE(tuple.diags.all().empty());
  // Definitions without end, addresses of nothing, checks of nothing.
  const char* named =
      "  %0 = sdy.named_computation<\"f\">(%nobody) (%a: tensor<4x4xf32>) {\n"
      "    sdy.return %a : tensor<4x4xf32>\n  } : (tensor<4x4xf32>) -> tensor<4x4xf32>";
  const char* around[] = {"  util.global private",
                          "  %0 = util.global.load : tensor<4x4xf32>",
                          "  %0 = util.global.load.indirect %p : !util.ptr<f32> -> tensor<4x4xf32>",
                          "  check.expect_eq(%nobody, %x) : tensor<4x4xf32>",
                          "  %0 = sdy.data_flow_edge %nobody : tensor<4x4xf32>",
                          named};
  for (const char* ops : around) {
    SCOPED_TRACE(ops);
    EXPECT_FALSE(body(ops).diags.all().empty());
  }
}

// What stands in an attribute as it was written is a list of dims, or is left out: the graph can be written and read.
TEST(StablehloImport, OnlyListsOfDimsBecomeDimensionNumbers) {
  const auto numbersOf = [](const std::string& written) {
    const Graph graph = imported(
        "func.func @main(%x: tensor<2x8x8x3xf32>, %k: tensor<3x3x3x4xf32>) -> tensor<2x6x6x4xf32> {\n"
        "  %0 = stablehlo.convolution(%x, %k) dim_numbers = " +
        written +
        ", window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x8x3xf32>, "
        "tensor<3x3x3x4xf32>) -> tensor<2x6x6x4xf32>\n  return %0 : tensor<2x6x6x4xf32>\n}");
    EXPECT_TRUE(importJson(exportGraphJson(graph)).graph);
    const AttrValue* value = findAttr(stablehloOp(graph, "stablehlo.convolution"), "dimension_numbers");
    return value == nullptr ? std::string() : value->text;
  };
  const std::string usual = "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]";
  EXPECT_EQ(numbersOf(usual), "#stablehlo.conv<" + usual + ">");
  EXPECT_EQ(numbersOf("[b, f, ?]x[o, i, ?] -> [b, f, ?]"), "#stablehlo.conv<[b, f, ?]x[o, i, ?] -> [b, f, ?]>");
  for (const char* other : {"[b, 0, 1, f]x[0, 1, i> o]<>[]", "[b, (0), f]x[0, i, o]->[b, 0, f]", "[[b], 0]",
                            "<b, 0>x[0]->[0]", "[\"b\"]x[0]->[0]", "[b]x[0]-[0]"})
    EXPECT_EQ(numbersOf(other), "") << other;
}

// A result that nobody reads needs no name.
TEST(StablehloImport, ResultsWithoutANameAreThere) {
  const Imported imported = importText(
      "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
      "  stablehlo.custom_call @first(%x) : (tensor<4xf32>) -> tensor<4xf32>\n"
      "  return %x : tensor<4xf32>\n}\n");
  ASSERT_TRUE(imported.graph) << imported.report();
  const Op& op = stablehloOp(*imported.graph, "stablehlo.custom_call");
  ASSERT_EQ(op.results.size(), 1u);
  EXPECT_TRUE(imported.graph->values[op.results[0]].type.isTensor());
}

}  // namespace
}  // namespace tessera
