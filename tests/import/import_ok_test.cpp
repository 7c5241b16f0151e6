// What the importer understands: modules, functions, forms, attributes, types, locations, layouts.

#include <array>

#include "tests/import/import_testing.h"

namespace tessera {
namespace {

const Graph& graphOf(const Imported& imported) {
  if (!imported.graph) ADD_FAILURE() << imported.report();
  static const Graph empty;
  return imported.graph ? *imported.graph : empty;
}

const Op& opNamed(const Graph& graph, std::string_view name) {
  for (const Op& op : graph.ops) {
    if (op.name == name) return op;
  }
  ADD_FAILURE() << "no op " << name;
  static const Op none;
  return none;
}

TEST(ImportOk, NestedModulesAreFlattened) {
  Imported imported = importText(R"(
module @outer attributes {x = 1 : i32} {
  ttcore.device_module {
    builtin.module @inner attributes {ttcore.meshes = #ttcore.meshes<[<"mesh" = 1x1>]>, a} {
      ttcore.device @default_device = <workerGrid = #ttcore.grid<8x8, virt_to_physical_map = (d0, d1) -> (0, d0, d1)>,
          chipIds = [0]>
      func.func @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
        %0 = "ttir.relu"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
        return %0 : tensor<2x3xf32>
      }
    }
  }
}
)");
  const Graph& graph = graphOf(imported);
  EXPECT_TRUE(imported.diags.all().empty()) << imported.report();
  EXPECT_EQ(graph.name, "inner");
  ASSERT_EQ(graph.attrs.size(), 3u);
  EXPECT_EQ(graph.attrs[1].name, "ttcore.device");
  EXPECT_NE(graph.attrs[1].value.string.find("@default_device"), std::string::npos);
  EXPECT_EQ(graph.funcs.size(), 1u);
  expectRoundTrips(graph);
}

TEST(ImportOk, ForwardIsTheFirstPublicFunctionNobodyCalls) {
  Imported imported = importText(R"(
func.func private @const_eval(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
func.func @helper(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ttcore.load_cached(@const_eval, [%a]) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @helper(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @other(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
func.func private @declared(tensor<4xf32>) -> tensor<4xf32>
)");
  const Graph& graph = graphOf(imported);
  EXPECT_EQ(graph.funcs[graph.forward].name, "main");
  EXPECT_EQ(imported.report(),
            "ExtraFunction 14:3 `@other` is a forward function, too; the option `function` says which one is run\n");
  EXPECT_EQ(findAttr(opNamed(graph, "ttcore.load_cached"), "callee")->string, "const_eval");
  EXPECT_EQ(opNamed(graph, "func.call").kind, OpKind::FuncCall);
  expectRoundTrips(graph);
}

// As documents print examples: layouts and operands whose definitions stand elsewhere, no types of the results.
TEST(ImportOk, SketchesOfADocument) {
  Imported imported = importText(R"(// Before
func @forward(%indices: tensor<2x4xi32, #rm_layout>) {
  %0 = "ttnn.to_layout"(%indices) <{layout = tile}>
    : (tensor<2x4xi32, #rm_layout>) -> (tensor<2x4xi32, #tile_layout>)
  %1 = "ttnn.gather"(%weight, %0)  // gather 可以在 RM 上工作
    : (tensor<512x128xbf16>, tensor<2x4xi32, #tile_layout>)
    -> tensor<2x4x128xbf16>
  return %1
}
)");
  const Graph& graph = graphOf(imported);
  const Function& forward = graph.funcs[graph.forward];
  EXPECT_EQ(imported.diags.count(Severity::Warning), 3u) << imported.report();  // two aliases, one operand
  ASSERT_EQ(forward.args.size(), 2u);
  EXPECT_EQ(graph.values[forward.args[1]].name, "weight");
  EXPECT_EQ(graph.values[forward.args[1]].type.tensor->shape, (Shape{512, 128}));
  ASSERT_EQ(forward.resultTypes.size(), 1u);
  EXPECT_EQ(forward.resultTypes[0].tensor->shape, (Shape{2, 4, 128}));
  EXPECT_FALSE(graph.values[forward.args[0]].type.tensor->layout.has_value());
  EXPECT_EQ(graph.values[forward.args[0]].type.tensor->encoding, "");
  expectRoundTrips(graph);

  // A few ops with nothing around them.
  Imported bare = importText(
      "%2 = ttir.add %0, %1, %out\n  : tensor<32x32xbf16>, tensor<32x32xbf16>, "
      "tensor<32x32xbf16>\n  -> tensor<32x32xbf16>\n");
  EXPECT_EQ(graphOf(bare).funcs[graphOf(bare).forward].args.size(), 3u) << bare.report();
  // A function that says what it returns is no sketch, and an alias elsewhere than in a type stays a mistake.
  EXPECT_FALSE(importText("func.func @f() -> tensor<4xf32> {\n  %0 = \"ttir.abs\"(%a) : (tensor<4xf32>) -> "
                          "tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n")
                   .graph.has_value());
  EXPECT_FALSE(importText("func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = \"ttnn.abs\"(%a) "
                          "<{memory_config = #where}> : (tensor<4xf32>) -> tensor<4xf32>\n  return %0 : "
                          "tensor<4xf32>\n}\n")
                   .graph.has_value());
}

std::string withEncoding(const std::string& shape, const std::string& layout) {
  const std::string type = "tensor<" + shape + ", " + layout + ">";
  return "func.func @main(%a: " + type + ") -> " + type + " {\n  return %a : " + type + "\n}\n";
}

// tensor-layout.md, metal layouts: a grid of blocks, tiles, host and DRAM.
TEST(ImportOk, MetalLayoutsAreTakenOver) {
  const std::vector<std::array<std::string, 3>> cases = {
      {"53x63xf32", "#tt.metal_layout<(d0, d1) -> (d0, d1), undef, <3x2>, memref<18x32xf32, #tt.memory_space<l1>>>",
       "L1 block 3x2"},
      {"64x256xbf16",
       "#ttcore.metal_layout<(d0, d1) -> (d0, d1), undef, <2x8>, memref<1x1x!tt.tile<32x32, bf16>, "
       "#tt.memory_space<l1>>>",
       "L1 block 2x8"},
      {"320x416xbf16",
       "#tt.metal_layout<(d0, d1) -> (d0, d1), zero, <10x13>, memref<1x1x!tt.tile<32x32, bf16>, "
       "#tt.memory_space<l1>>>",
       "L1 block 10x13"},
      {"64x256xbf16",
       "#tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x8x!tt.tile<32x32, bf16>, "
       "#tt.memory_space<dram>>>",
       "DRAM"},
      // A dim that is not cut may end within a tile.
      {"30x64xbf16",
       "#tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x2x!tt.tile<32x32, bf16>, "
       "#tt.memory_space<l1>>>",
       "L1 block 1x1"},
      {"30x64xbf16",
       "#tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x2>, memref<1x1x!tt.tile<32x32, bf16>, "
       "#tt.memory_space<l1>>>",
       "L1 block 1x2"},
      {"64x30xbf16",
       "#tt.metal_layout<(d0, d1) -> (d0, d1), undef, <2x1>, memref<1x1x!tt.tile<32x32, bf16>, "
       "#tt.memory_space<l1>>>",
       "L1 block 2x1"},
  };
  for (const auto& [shape, layout, wanted] : cases) {
    SCOPED_TRACE(layout);
    Imported imported = importText(withEncoding(shape, layout));
    const Graph& graph = graphOf(imported);
    EXPECT_EQ(imported.report(), "");
    const TensorType& type = *graph.values[graph.funcs[graph.forward].args[0]].type.tensor;
    ASSERT_TRUE(type.layout.has_value());
    EXPECT_EQ(layoutText(*type.layout).rfind(wanted, 0), 0u) << layoutText(*type.layout);
    EXPECT_NE(exportMlir(graph).find("metal_layout<"), std::string::npos) << "printed back as it was";
    expectRoundTrips(graph);
  }
}

TEST(ImportOk, AMetalLayoutThatIsNoneOfTtnnIsAWarning) {
  const std::vector<std::array<std::string, 2>> cases = {
      // Grids of three dims, maps with gaps, cuts before the rounding to tiles, a value in the padding.
      {"2x64x128xf32",
       "#tt.metal_layout<(d0, d1, d2) -> (d0, d1, d2), undef, <2x2x4>, memref<1x32x32xf32, #tt.memory_space<l1>>>"},
      {"4x8xf32", "#tt.metal_layout<(d0, d1) -> (d0 * 2, d1), undef, <1x1>, memref<7x8xf32, #tt.memory_space<l1>>>"},
      {"90x64xbf16",
       "#tt.metal_layout<(d0, d1) -> (d0, d1), undef, <2x1>, memref<2x2x!tt.tile<32x32, bf16>, "
       "#tt.memory_space<l1>>>"},
      {"53x63xf32", "#tt.metal_layout<(d0, d1) -> (d0, d1), inf, <3x2>, memref<18x32xf32, #tt.memory_space<l1>>>"},
      {"53x63xf32", "#tt.metal_layout<(d0, d1) -> (d0, d1), undef, <3x2>, memref<9x9xf32, #tt.memory_space<l1>>>"},
  };
  for (const auto& [shape, layout] : cases) {
    SCOPED_TRACE(layout);
    Imported imported = importText(withEncoding(shape, layout));
    const Graph& graph = graphOf(imported);
    EXPECT_EQ(imported.report().rfind("LayoutNotFollowed ", 0), 0u) << imported.report();
    EXPECT_EQ(imported.report().find('\n') + 1, imported.report().size()) << "once for a type";
    EXPECT_FALSE(graph.values[graph.funcs[graph.forward].args[0]].type.tensor->layout.has_value());
    expectRoundTrips(graph);
  }
}

TEST(ImportOk, BareOpsBecomeMain) {
  Imported imported = importText(R"(
%0 = ttir.empty() : tensor<32x32xf32>
%1 = "ttir.abs"(%0) : (tensor<32x32xf32>) -> tensor<32x32xf32>
%2 = "ttir.exp"(%0) : (tensor<32x32xf32>) -> tensor<32x32xf32>
)");
  const Graph& graph = graphOf(imported);
  EXPECT_EQ(graph.funcs[graph.forward].name, "main");
  EXPECT_EQ(graph.funcs[graph.forward].resultTypes.size(), 2u);
  expectRoundTrips(graph);
  // A device that nobody reads is no result.
  const Imported device = importText(R"(
%0 = ttir.empty() : tensor<32x32xf32>
%1 = "ttnn.get_device"() <{mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
%2 = "ttir.abs"(%0) : (tensor<32x32xf32>) -> tensor<32x32xf32>
)");
  ASSERT_TRUE(device.graph) << device.report();
  EXPECT_EQ(device.graph->funcs[device.graph->forward].resultTypes.size(), 1u);
}

// What is kept as it was written names no alias: those of types are written out, too.
TEST(ImportOk, AliasesWithinKeptTextAreWrittenOut) {
  const Imported imported = importText(R"(
!t = f32
#n = 7 : i32
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "my.op"(%a) {kept = #my.kept<!t, #n>} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
)");
  ASSERT_TRUE(imported.graph) << imported.report();
  EXPECT_EQ(findAttr(opNamed(*imported.graph, "my.op"), "kept")->text, "#my.kept<f32, 7 : i32>");
}

TEST(ImportOk, GenericFunctionAndModule) {
  Imported imported = importText(R"(
"builtin.module"() <{sym_name = "m"}> ({
  "func.func"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "f",
      arg_attrs = [{ttir.name = "x", ttcore.argument_type = #ttcore.argument_type<constant>}]}> ({
  ^bb0(%arg0: tensor<4xf32>):
    %0 = "ttir.abs"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%0) : (tensor<4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
)");
  const Graph& graph = graphOf(imported);
  EXPECT_TRUE(imported.diags.all().empty()) << imported.report();
  EXPECT_EQ(graph.name, "m");
  const Function& func = graph.funcs[graph.forward];
  EXPECT_EQ(func.name, "f");
  EXPECT_EQ(func.resultTypes.size(), 1u);
  EXPECT_EQ(graph.values[func.args[0]].label, "x");
  EXPECT_EQ(graph.values[func.args[0]].role, ArgRole::Constant);
  expectRoundTrips(graph);
}

// The generic form gives a declaration an empty region, and the types of its arguments in its type alone.
TEST(ImportOk, GenericDeclarations) {
  const Imported imported = importText(R"(
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf32>, tuple<tensor<2xf32>, tensor<3xf32>>) -> tensor<4xf32>,
      sym_name = "declared", sym_visibility = "private"}> ({
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4xf32>, tensor<2xf32>, tensor<3xf32>) -> tensor<4xf32>, sym_name = "f"}> ({
  ^bb0(%arg0: tensor<4xf32>, %arg1: tensor<2xf32>, %arg2: tensor<3xf32>):
    %0 = "func.call"(%arg0, %arg1, %arg2) <{callee = @declared}>
        : (tensor<4xf32>, tensor<2xf32>, tensor<3xf32>) -> tensor<4xf32>
    "func.return"(%0) : (tensor<4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
)");
  const Graph& graph = graphOf(imported);
  EXPECT_TRUE(imported.diags.all().empty()) << imported.report();
  const Function& declared = graph.funcs[FuncId{0}];
  EXPECT_TRUE(declared.isPrivate);
  EXPECT_TRUE(declared.ops.empty());
  ASSERT_EQ(declared.args.size(), 3u);
  EXPECT_EQ(shortTypeText(graph.values[declared.args[2]].type), "`tensor<3xf32>`");
  EXPECT_EQ(declared.resultTypes.size(), 1u);
  EXPECT_EQ(graph.funcs[graph.forward].name, "f");
  expectRoundTrips(graph);
  // A block is a body, though nothing stands in it; so is what the pretty form has between its braces.
  EXPECT_TRUE(importText("\"func.func\"() <{function_type = () -> (), sym_name = \"f\"}> ({\n^bb0:\n}) : () -> ()")
                  .has(DiagKind::MissingReturn));
  EXPECT_TRUE(importText("func.func @f() {\n}\n").has(DiagKind::MissingReturn));
}

// A name that stands where names stand is the name, whatever attributes say; the attribute is none of its own.
TEST(ImportOk, TheWrittenNameOfAFunctionCounts) {
  Imported imported = importText(R"(
module @written attributes {sym_name = "said"} {
  func.func @f(%a: tensor<4xf32>) attributes {sym_name = "other", kept = 1 : i64} {
    return
  }
}
)");
  const Graph& graph = graphOf(imported);
  const Function& func = graph.funcs[graph.forward];
  EXPECT_EQ(graph.name, "written");
  EXPECT_EQ(func.name, "f");
  ASSERT_EQ(func.attrs.size(), 1u);
  EXPECT_EQ(func.attrs.begin()->name, "kept");
}

TEST(ImportOk, ArgumentRoles) {
  Imported imported = importText(R"(
func.func @f(%a: tensor<4xf32> {ttcore.argument_type = #ttcore.argument_type<input>},
             %b: tensor<4xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>},
             %c: tensor<4xf32> {ttcore.argument_type = #ttcore.argument_type<constant>},
             %d: tensor<4xf32> {ttcore.argument_type = #ttcore.argument_type<default>},
             %e: tensor<4xf32> {ttcore.argument_type = #ttcore.argument_type<input>, ttcore.kv_cache},
             %g: tensor<4xf32>, %h: tensor<4xf32> {tt.kv_cache},
             %i: tensor<4xf32> {tt.argument_type = #tt.argument_type<parameter>}) {
  return
}
)");
  const Graph& graph = graphOf(imported);
  std::vector<ArgRole> roles;
  for (ValueId id : graph.funcs[graph.forward].args) roles.push_back(graph.values[id].role);
  EXPECT_EQ(roles, (std::vector<ArgRole>{ArgRole::Input, ArgRole::Parameter, ArgRole::Constant, ArgRole::None,
                                         ArgRole::KvCache, ArgRole::None, ArgRole::KvCache, ArgRole::Parameter}));
  expectRoundTrips(graph);
}

TEST(ImportOk, AttributesOfEveryKind) {
  std::string big(600, 'A');
  Imported imported = importBody(
      R"(  %0 = "ttir.add"(%a, %b) <{i = -3 : si32, b = true, f = 1.5e-3 : f32, s = "a\"b\\c", d = array<i64: 1, -2>, l = [1 : i32, 2 : i32], sym = @x}>
    {u, e = #ttcore.reduce_type<sum>, shape = #ttnn.shape<2x3>, nested = {k = [1 : i32, "x"]}, t = tensor<4xf32>,
     m = affine_map<(d0) -> (d0)>,
     z = dense<0> : tensor<4xi32>, big = dense<"0x)" +
      big + R"("> : tensor<300xi8>} : (tensor<32x64xbf16>, tensor<32x64xbf16>) -> tensor<32x64xbf16>
  return %0 : tensor<32x64xbf16>
)");
  const Graph& graph = graphOf(imported);
  const Op& op = opNamed(graph, "ttir.add");
  EXPECT_EQ(findAttr(op, "i")->integer, -3);
  EXPECT_EQ(findAttr(op, "i")->text, "-3 : si32");
  EXPECT_EQ(findAttr(op, "b")->kind, AttrValueKind::Bool);
  EXPECT_DOUBLE_EQ(findAttr(op, "f")->number, static_cast<double>(1.5e-3F));
  EXPECT_EQ(findAttr(op, "s")->string, "a\"b\\c");
  EXPECT_EQ(findAttr(op, "d")->ints, (std::vector<int64_t>{1, -2}));
  EXPECT_EQ(findAttr(op, "l")->ints, (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(findAttr(op, "l")->kind, AttrValueKind::IntArray);
  EXPECT_EQ(findAttr(op, "sym")->string, "x");
  EXPECT_EQ(findAttr(op, "u")->kind, AttrValueKind::Unit);
  EXPECT_EQ(findAttr(op, "e")->string, "sum");
  EXPECT_EQ(findAttr(op, "shape")->ints, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(findAttr(op, "nested")->kind, AttrValueKind::Other);
  EXPECT_EQ(findAttr(op, "z")->text, "dense<0> : tensor<4xi32>");
  EXPECT_EQ(findAttr(op, "big")->text, "dense_resource<__elided__> : tensor<300xi8>");
  EXPECT_EQ(findAttr(op, "big")->bytes, 300);
  EXPECT_EQ(findAttr(op, "absent"), nullptr);
  for (size_t i = 1; i < op.attrs.size(); ++i) EXPECT_LT(op.attrs[i - 1].name, op.attrs[i].name);
  expectRoundTrips(graph);
}

TEST(ImportOk, LocationNames) {
  Imported imported = importText(R"(
#loc = loc("model.py":10:4)
#loc1 = loc("alias_name"(#loc))
#loc2 = loc(fused[#loc, #loc1])
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "ttir.abs"(%x) : (tensor<4xf32>) -> tensor<4xf32> loc("conv1")
  %1 = "ttir.abs"(%0) : (tensor<4xf32>) -> tensor<4xf32> loc("conv2"("inner"))
  %2 = "ttir.abs"(%1) : (tensor<4xf32>) -> tensor<4xf32> loc(#loc1)
  %3 = "ttir.abs"(%2) : (tensor<4xf32>) -> tensor<4xf32> loc(#loc2)
  %4 = "ttir.abs"(%3) : (tensor<4xf32>) -> tensor<4xf32> loc("file.py":1:2)
  %5 = "ttir.abs"(%4) : (tensor<4xf32>) -> tensor<4xf32> loc(unknown)
  %6 = "ttir.abs"(%5) : (tensor<4xf32>) -> tensor<4xf32> loc(fused<"meta">["f":1:1, "fused_name"])
  %7 = "ttir.abs"(%6) : (tensor<4xf32>) -> tensor<4xf32> loc(callsite("callee" at "caller"))
  %8 = "ttir.abs"(%7) : (tensor<4xf32>) -> tensor<4xf32> loc(#loc)
  %9 = "ttir.abs"(%8) : (tensor<4xf32>) -> tensor<4xf32> loc("odd \"name\" \\ x")
  return %9 : tensor<4xf32>
}
)");
  const Graph& graph = graphOf(imported);
  std::vector<std::string> names;
  for (const Op& op : graph.ops) names.push_back(op.loc);
  EXPECT_EQ(names, (std::vector<std::string>{"conv1", "conv2", "alias_name", "alias_name", "", "", "fused_name",
                                             "callee", "", "odd \"name\" \\ x", ""}));
  expectRoundTrips(graph);
}

TEST(ImportOk, SeveralResults) {
  Imported imported = importBody(
      R"(  %0:2 = "ttir.sort"(%a) <{dim = 1 : si32}> : (tensor<32x64xbf16>) -> (tensor<32x64xbf16>, tensor<32x64xi32>)
  %v, %i = "ttir.sort"(%0#0) : (tensor<32x64xbf16>) -> (tensor<32x64xbf16>, tensor<32x64xi32>)
  %1 = "ttir.typecast"(%i) : (tensor<32x64xi32>) -> tensor<32x64xbf16>
  "ttir.abs"(%0#0) : (tensor<32x64xbf16>) -> tensor<32x64xbf16>
  return %1 : tensor<32x64xbf16>
)");
  const Graph& graph = graphOf(imported);
  EXPECT_EQ(graph.values[graph.ops[OpId{0}].results[1]].name, "0:1");
  EXPECT_EQ(graph.values[graph.ops[OpId{2}].operands[0]].name, "v:1");
  expectRoundTrips(graph);
}

TEST(ImportOk, ElementTypes) {
  Imported imported = importText(R"(
func.func @f(%a: tensor<4xi64>, %b: tensor<4xf64>, %c: tensor<4xi1>, %d: tensor<4xui32>, %e: tensor<4xsi32>,
             %g: tensor<f32>, %h: tensor<0x4xbf16>, %i: !ttnn.device, %j: f32,
             %k: tensor<4x!quant.uniform<i8:f32, 0.1>>,
             %l: tensor<4x!odd.type>, %m: tensor<4x!odd.type>, %n: tensor<4x!quant.uniform<i8:f32, x>>,
             %o: tensor<4x!quant.uniform<i9:f32, 0.1>>) {
  return
}
)");
  const Graph& graph = graphOf(imported);
  auto type = [&](size_t i) { return graph.values[graph.funcs[graph.forward].args[i]].type; };
  EXPECT_EQ(type(0).tensor->dtype, DType::I64);
  EXPECT_EQ(type(1).tensor->dtype, DType::F64);
  EXPECT_EQ(type(2).tensor->dtype, DType::I1);
  EXPECT_EQ(type(3).tensor->dtype, DType::U32);
  EXPECT_EQ(type(4).tensor->dtype, DType::I32);
  EXPECT_TRUE(type(5).tensor->shape.empty());
  EXPECT_EQ(type(7).opaque, "!ttnn.device");
  EXPECT_EQ(type(8).opaque, "f32");
  EXPECT_EQ(type(9).tensor->dtype, DType::I8);
  EXPECT_EQ(type(9).tensor->element, "!quant.uniform<i8:f32, 1.000000e-01>");
  EXPECT_EQ(type(12).tensor->dtype, DType::I8);
  EXPECT_EQ(type(13).tensor->dtype, DType::BF16);
  // Once per element type; none for a quantized type whose storage and scales are read.
  EXPECT_EQ(imported.diags.count(Severity::Warning), 3u) << imported.report();
  EXPECT_TRUE(imported.has(DiagKind::UnknownElementType));
  expectRoundTrips(graph);
}

TEST(ImportOk, LayoutsThroughAliases) {
  Imported imported = importText(R"(
#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<8x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#layout1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (7,7)>]>>
func.func @f(%a: tensor<256x256xbf16, #layout>) -> tensor<256x256xbf16, #layout1> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}>
      : () -> !ttnn.device
  %0 = "ttnn.to_memory_config"(%a) <{memory_config = #ttnn.memory_config<#l1, <block_sharded>>}>
      : (tensor<256x256xbf16, #layout>) -> tensor<256x256xbf16, #layout1>
  "ttnn.deallocate"(%a) <{force = false}> : (tensor<256x256xbf16, #layout>) -> ()
  return %0 : tensor<256x256xbf16, #layout1>
}
)");
  const Graph& graph = graphOf(imported);
  EXPECT_TRUE(imported.diags.all().empty()) << imported.report();
  const Op& move = opNamed(graph, "ttnn.to_memory_config");
  const TensorLayout& layout = *graph.values[move.results[0]].type.tensor->layout;
  EXPECT_EQ(layoutText(layout), "L1 block 8x8");
  EXPECT_EQ(findAttr(move, "memory_config")->text, "#ttnn.memory_config<#ttnn.buffer_type<l1>, <block_sharded>>");
  EXPECT_EQ(exportMlir(graph).find("#ttnn_layout = ") != std::string::npos, true);
  expectRoundTrips(graph);
}

TEST(ImportOk, DestinationPassingOperandsStay) {
  Imported imported = importBody(R"(  %0 = ttir.empty() : tensor<32x64xbf16>
  %1 = "ttir.add"(%a, %b, %0) : (tensor<32x64xbf16>, tensor<32x64xbf16>, tensor<32x64xbf16>) -> tensor<32x64xbf16>
  return %1 : tensor<32x64xbf16>
)");
  EXPECT_EQ(opNamed(graphOf(imported), "ttir.add").operands.size(), 3u);
  expectRoundTrips(graphOf(imported));
}

// The output of a convolution without a bias is none, though it stands in the bias's place.
TEST(ImportOk, DestinationPassingOutputsAreNoFurtherInputs) {
  const Imported imported = importText(
      "func.func @main(%x: tensor<2x8x8x4xbf16>, %w: tensor<8x4x3x3xbf16>) -> tensor<2x8x8x8xbf16> {\n"
      "  %0 = ttir.empty() : tensor<2x8x8x8xbf16>\n"
      "  %1 = \"ttir.conv2d\"(%x, %w, %0) <{dilation = 1 : i32, groups = 1 : i32, padding = 1 : i32, stride = 1 : "
      "i32}> "
      ": (tensor<2x8x8x4xbf16>, tensor<8x4x3x3xbf16>, tensor<2x8x8x8xbf16>) -> tensor<2x8x8x8xbf16>\n"
      "  return %1 : tensor<2x8x8x8xbf16>\n}\n");
  EXPECT_TRUE(imported.graph) << imported.report();
}

TEST(ImportOk, UnknownOpsAndRegionsWarnOncePerName) {
  Imported imported = importBody(R"(  %0 = "my.op"(%a) : (tensor<32x64xbf16>) -> tensor<32x64xbf16>
  %1 = "my.op"(%0) : (tensor<32x64xbf16>) -> tensor<32x64xbf16>
  %2 = "ttnn.d2m_subgraph"(%1) ({
    "x.y"() : () -> ()
  }) : (tensor<32x64xbf16>) -> tensor<32x64xbf16>
  return %2 : tensor<32x64xbf16>
)");
  EXPECT_EQ(imported.report(),
            "UnknownOp 2:8 unknown op `my.op`: kept as an opaque op whose results live in DRAM\n  there are 2 of them\n"
            "UnsupportedRegion 4:8 the regions of `ttnn.d2m_subgraph` are not read\n");
  expectRoundTrips(graphOf(imported));
}

// One warning for regions of a kind, with how many there are.
TEST(ImportOk, UnreadRegionsAreCounted) {
  const std::string region = " ({\n    \"x.y\"() : () -> ()\n  }) : (tensor<32x64xbf16>) -> tensor<32x64xbf16>\n";
  const Imported imported =
      importBody("  %0 = \"ttnn.d2m_subgraph\"(%a)" + region + "  %1 = \"ttnn.d2m_subgraph\"(%0)" + region +
                 "  return %1 : tensor<32x64xbf16>\n");
  EXPECT_EQ(imported.report(),
            "UnsupportedRegion 2:8 the regions of `ttnn.d2m_subgraph` are not read\n  there are 2 of them\n");
}

// Older dumps call the dialect of the modules tt.
TEST(ImportOk, DeclarationAndBodyInTwoModules) {
  for (const std::string dialect : {"ttcore", "tt"}) {
    Imported imported = importText("\nmodule {\n  " + dialect + R"(.device_module { builtin.module {
    func.func private @hoisted(tensor<4xf32>) -> tensor<4xf32>
    func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
      %0 = call @hoisted(%a) : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    } } }
  )" + dialect + R"(.cpu_module { builtin.module {
    func.func @hoisted(%a: tensor<4xf32>) -> tensor<4xf32> {
      return %a : tensor<4xf32>
    } } }
}
)");
    const Graph& graph = graphOf(imported);
    EXPECT_TRUE(imported.diags.all().empty()) << imported.report();
    ASSERT_EQ(graph.funcs.size(), 2u) << dialect;
    EXPECT_EQ(graph.funcs[graph.forward].name, "main");
    for (const Function& function : graph.funcs) EXPECT_EQ(function.ops.size(), function.name == "main" ? 2u : 1u);
  }
}

// What stands behind the module of the device is written again, line by line, as deep as it stood.
TEST(ImportOk, TheOtherModulesAreWrittenAgain) {
  const std::string text = R"(module {
  ttcore.device_module {
    builtin.module {
      func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
        %0 = call @hoisted(%a) : (tensor<4xf32>) -> tensor<4xf32>
        return %0 : tensor<4xf32>
      }
      func.func private @hoisted(tensor<4xf32>) -> tensor<4xf32>
    }
  }
  ttcore.cpu_module {
    builtin.module {
      func.func @hoisted(%a: tensor<4xf32>) -> tensor<4xf32> {
        return %a : tensor<4xf32>
      }
    }
  }
}
)";
  Imported imported = importText(text);
  EXPECT_EQ(exportMlir(graphOf(imported)), text);
}

// As the compiler's own tests have them.
TEST(ImportOk, CapturedTraces) {
  const Imported imported = importText(R"(func.func @main(%d: !ttnn.device) -> tensor<ui32, #ttnn.trace_id> {
  %0 = "ttnn.begin_trace_capture"(%d) <{cq_id = 0 : ui32}> : (!ttnn.device) -> tensor<ui32, #ttnn.trace_id>
  "ttnn.end_trace_capture"(%d, %0) <{cq_id = 0 : ui32}> : (!ttnn.device, tensor<ui32, #ttnn.trace_id>) -> ()
  return %0 : tensor<ui32, #ttnn.trace_id>
})");
  EXPECT_TRUE(imported.graph) << imported.report();
  EXPECT_EQ(imported.report(), "");
}

// Results of an op where it has another number of them than one.
size_t resultsOf(std::string_view name) {
  const std::string_view bare = name.substr(name.find('.') + 1);
  if (bare == "sort" || bare == "topk" || bare == "max_pool2d_with_indices" ||
      bare == "joint_scaled_dot_product_attention")
    return name.substr(0, 4) == "ttir" || name.substr(0, 4) == "ttnn" ? 2 : 1;
  if (bare == "split_query_key_value_and_split_heads" || bare == "nlp_create_qkv_heads_decode" ||
      name == "ttir.batch_norm_training")
    return 3;
  return name == "ttnn.deallocate" ? 0 : 1;
}

// Every op of the table, alone in a function: none of them ends as an opaque op.
TEST(ImportOk, EveryOpOfTheTable) {
  for (const OpInfo& info : allOps()) {
    if (info.kind == OpKind::Opaque || info.kind == OpKind::FuncReturn) continue;
    SCOPED_TRACE(std::string(info.name));
    int count = operandBounds(info).least;
    if (count == 0 && operandBounds(info).most == -1) count = 1;
    std::string shape = info.kind == OpKind::TtirConv3d ? "tensor<1x1x1x1x1xbf16>" : "tensor<1x1x1x1xbf16>";
    std::string operands, types;
    for (int i = 0; i < count; ++i) {
      operands += i > 0 ? ", %x" : "%x";
      types += (i > 0 ? ", " : "") + shape;
    }
    // Attributes that some families need; sizes of 1 fit whatever they say.
    std::string attrs =
        "callee = @elsewhere, dim = 0 : i32, dim0 = 0 : i32, dim1 = 1 : i32, dimension = 0 : i32, permutation = "
        "array<i64: 0, 1, 2, 3>, "
        "begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 1 : i32, 1 : i32, 1 : i32], padding = "
        "array<i32: 0, 0, 0, 0, 0, 0, 0, 0>, "
        "repeats = 1 : ui32, repeat_dimensions = array<i64: 1, 1, 1, 1>, broadcast_dimensions = array<i64: 1, 1, 1, "
        "1>, k = 1 : i32";
    bool pooled = info.family == Family::Conv || info.family == Family::Pool;
    if (pooled) attrs = "stride = 1 : i32";
    std::string result = shape;
    if (info.name.find(".squeeze") != std::string_view::npos) result = "tensor<1x1x1xbf16>";
    if (info.name.find(".unsqueeze") != std::string_view::npos) result = "tensor<1x1x1x1x1xbf16>";
    if (info.kind == OpKind::TtirDotGeneral) result = "tensor<1x1x1x1x1x1x1x1xbf16>";
    const size_t made = resultsOf(info.name);
    std::string results;
    for (size_t i = 0; i < made; ++i) results += (i > 0 ? ", " : "") + result;
    Imported imported =
        importText("func.func @f(%x: " + shape + ") {\n  " + (made > 0 ? "%0:" + std::to_string(made) + " = " : "") +
                   "\"" + std::string(info.name) + "\"(" + operands + ") {" + attrs + "} : (" + types + ") -> (" +
                   results + ")\n  return\n}\n");
    // One text for all ops breaks rules of some; their numbers of operands and results are right all the same.
    bool broken = imported.report().find("does not hold") != std::string::npos;
    EXPECT_TRUE(imported.graph || broken) << imported.report();
    if (!imported.graph) continue;
    EXPECT_EQ(imported.graph->ops[OpId{0}].kind, info.kind);
    EXPECT_TRUE(imported.diags.all().empty()) << imported.report();
    expectRoundTrips(*imported.graph);
  }
}

// Numbers in a list and numbers as bytes are left out alike; one number for all elements stays.
TEST(ExportMlir, LeavesOutLargeConstantsInWhateverForm) {
  const auto printed = [](const std::string& value, int64_t most) {
    const Imported made =
        importText("func.func @main() -> tensor<3xf32> {\n  %0 = \"ttir.constant\"() <{value = dense<" + value +
                   "> : tensor<3xf32>}> : () -> tensor<3xf32>\n  return %0 : tensor<3xf32>\n}\n");
    EXPECT_TRUE(made.graph) << made.report();
    return made.graph ? exportMlir(*made.graph, nullptr, {.elideLarger = most}) : "";
  };
  for (const char* value : {"[1.0, 2.0, 3.0]", "\"0x0000803F0000004000004040\""}) {
    EXPECT_NE(printed(value, 2).find("dense_resource<__elided__> : tensor<3xf32>"), std::string::npos) << value;
    EXPECT_EQ(printed(value, 3).find("__elided__"), std::string::npos) << value;
  }
  EXPECT_EQ(printed("1.0", 2).find("__elided__"), std::string::npos);
}

}  // namespace
}  // namespace tessera
