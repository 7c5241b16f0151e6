#include <cmath>

#include "tests/text/text_helpers.h"

namespace tessera::text {
namespace {

TEST(Attributes, Numbers) {
  struct Case {
    const char* text;
    AttrKind kind;
    int64_t integer;
    double number;
    const char* type;
    const char* printed = nullptr;  // when not as written
  };
  const Case cases[] = {
      {"1 : i32", AttrKind::Integer, 1, 0, "i32"},
      {"-2 : si32", AttrKind::Integer, -2, 0, "si32"},
      {"42", AttrKind::Integer, 42, 0, ""},
      {"9223372036854775807", AttrKind::Integer, INT64_MAX, 0, ""},
      {"-9223372036854775808", AttrKind::Integer, INT64_MIN, 0, ""},
      {"0xFF : i32", AttrKind::Integer, 255, 0, "i32"},
      {"0xFFFFFFFFFFFFFFFF", AttrKind::Integer, -1, 0, ""},
      {"9.99999974E-6 : f32", AttrKind::Float, 0, 9.99999974e-6, "f32"},
      {"-1.5", AttrKind::Float, 0, -1.5, "", "-1.500000e+00"},
      {"1 : f32", AttrKind::Float, 1, 1.0, "f32", "1.000000e+00 : f32"},
      {"0xFF80 : bf16", AttrKind::Float, 0xFF80, -HUGE_VAL, "bf16"},
      {"0x7F800000 : f32", AttrKind::Float, 0x7F800000, HUGE_VAL, "f32"},
      {"0x3C00 : f16", AttrKind::Float, 0x3C00, 1.0, "f16", "1.000000e+00 : f16"},
      {"0x0001 : f16", AttrKind::Float, 1, 5.9604644775390625e-8, "f16", "5.960460e-08 : f16"},
      {"0xBFF8000000000000 : f64", AttrKind::Float, static_cast<int64_t>(0xBFF8000000000000), -1.5, "f64",
       "-1.500000e+00 : f64"},
  };
  for (const Case& c : cases) {
    Parsed parsed = parseAttribute(c.text);
    const Attr& attr = attributeOf(parsed);
    EXPECT_EQ(attr.kind, c.kind) << c.text;
    EXPECT_EQ(attr.integer, c.integer) << c.text;
    EXPECT_EQ(attr.number, c.number) << c.text;
    EXPECT_EQ(printType(parsed.tree, attr.type), c.type) << c.text;
    EXPECT_EQ(printAttr(parsed.tree, parsed.tree.aliases[0].attr), c.printed == nullptr ? c.text : c.printed);
    expectStable(parsed);
  }
}

TEST(Attributes, KindsAndPrint) {
  struct Case {
    const char* text;
    AttrKind kind;
    const char* printed;  // nullptr: as written
  };
  const Case cases[] = {
      {"unit", AttrKind::Unit, nullptr},
      {"true", AttrKind::Bool, nullptr},
      {"[1 : i32, [], {a = 1, b, \"c d\" = \"x\"}]", AttrKind::Array, nullptr},
      {"{a = unit, b.c = {}}", AttrKind::Dictionary, "{a, b.c = {}}"},
      {"array<i64>", AttrKind::DenseArray, nullptr},
      {"array<i1: true, false>", AttrKind::DenseArray, nullptr},
      {"array<f32: 1.0, -2.5e-3>", AttrKind::DenseArray, "array<f32: 1.000000e+00, -2.500000e-03>"},
      {"dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>", AttrKind::Dense, nullptr},
      {"dense<0xFF800000> : tensor<4xf32>", AttrKind::Dense, nullptr},
      {"dense<\"0xDEADBEEF\"> : tensor<1xf32>", AttrKind::Dense, nullptr},
      {"dense<> : tensor<0xf32>", AttrKind::Dense, nullptr},
      {"dense<-\n>", AttrKind::Dense, "dense<- >"},
      {"dense_resource<blob> : tensor<4xf32>", AttrKind::Dense, nullptr},
      {"tensor<1xi64>", AttrKind::Type, nullptr},
      {"!ttcore.tile<32x32, bf16>", AttrKind::Type, nullptr},
      {"(i32, f32) -> ()", AttrKind::Type, nullptr},
      {"() -> ()", AttrKind::Type, nullptr},
      {"memref<4x4xf32, #dram>", AttrKind::Type, nullptr},
      {"affine_map<(d0, d1)[s0] -> (d0 floordiv 8 + s0, d1 mod 32 - 1)>", AttrKind::AffineMap, nullptr},
      {"(d0, d1) -> (d0 * 32 + d1)", AttrKind::AffineMap, "affine_map<(d0, d1) -> (d0 * 32 + d1)>"},
      {"()[s0] -> (s0)", AttrKind::AffineMap, "affine_map<()[s0] -> (s0)>"},
      {"affine_set<(d0) : (d0 - 1 >= 0)>", AttrKind::Opaque, nullptr},
      {"@a", AttrKind::Symbol, nullptr},
      {"@\"a b\"", AttrKind::Symbol, nullptr},
      {"@\"jit(f)\"", AttrKind::Symbol, nullptr},
      {"@\"a-b\"", AttrKind::Symbol, nullptr},
      {"@a::@b", AttrKind::Symbol, nullptr},
      {"#ttcore.argument_type<parameter>", AttrKind::Dialect, nullptr},
      {"#ttcore<local_shape local_shape = tensor<1xi64>>", AttrKind::Dialect, nullptr},
      {"#ttcore.meshes<[<\"mesh\" = 1x1>]>", AttrKind::Dialect, nullptr},
      {"#ttnn.memory_config<#dram, <interleaved>>", AttrKind::Dialect, nullptr},
      {"#d.x<\"a ] > b\", (d0) -> (d0)>", AttrKind::Dialect, nullptr},
      {"#ttnn<mesh_offset 0x0>", AttrKind::Dialect, nullptr},
      {"loc(fused<\"x\">[\"f.mlir\":1:2, #loc1])", AttrKind::Location, nullptr},
      {"loc(callsite(\"foo\" at \"m.c\":10:8))", AttrKind::Location, nullptr},
      {"loc(unknown)", AttrKind::Location, nullptr},
      {"(8, 7)", AttrKind::Opaque, nullptr},
      {"<interleaved>", AttrKind::Opaque, nullptr},
      {"null", AttrKind::Opaque, nullptr},
      {"8x8", AttrKind::Opaque, nullptr},
      {"distinct[0]<\"a\">", AttrKind::Opaque, nullptr},
  };
  for (const Case& c : cases) {
    Parsed parsed = parseAttribute(c.text);
    ASSERT_EQ(parsed.tree.aliases.size(), 1u) << c.text;
    EXPECT_EQ(attributeOf(parsed).kind, c.kind) << c.text;
    EXPECT_EQ(printAttr(parsed.tree, parsed.tree.aliases[0].attr), c.printed == nullptr ? c.text : c.printed);
    expectStable(parsed);
  }
}

TEST(Attributes, StringsResolveEscapes) {
  Parsed parsed = parseAttribute(R"("a\"b\\c\n\t\41\FFq\z")");
  EXPECT_EQ(attributeOf(parsed).text, "a\"b\\c\n\tA\xFFq\\z");
  EXPECT_EQ(printAttr(parsed.tree, parsed.tree.aliases[0].attr), R"("a\22b\\c\0A\09A\FFq\\z")");
  expectStable(parsed);
}

TEST(Attributes, DialectTextNameAndBody) {
  Parsed parsed = parseAttribute(
      "#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>");
  EXPECT_EQ(attributeOf(parsed).name, "ttnn.ttnn_layout");
  EXPECT_EQ(attributeOf(parsed).body,
            "(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>");
  Parsed second = parseAttribute("#ttcore<local_shape local_shape = tensor<1xi64>>");
  EXPECT_EQ(attributeOf(second).name, "ttcore");
  EXPECT_EQ(attributeOf(second).body, "local_shape local_shape = tensor<1xi64>");
}

// The published spellings of the layout attribute, the legacy one with a map inside of the grid among them.
TEST(Attributes, LayoutsInAllSpellings) {
  for (const char* text : {
           "#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, "
           "<block_sharded>, "
           "core_ranges = <[#ttnn.core_range<(0,0), (7,7)>]>>",
           "#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <5x1, (d0, d1) -> (0, d0, d1)>, memref<2x1x!ttcore.tile<32x32, "
           "bf16>, "
           "#ttnn.buffer_type<l1>>, <block_sharded>>",
       }) {
    Parsed parsed = parseClean("%0 = \"d.op\"() : () -> tensor<32x32xbf16, " + std::string(text) + ">");
    const Type& type = parsed.resultType(parsed.op(0), 0);
    ASSERT_TRUE(type.encoding.valid());
    EXPECT_EQ(parsed.attr(type.encoding).text, text);
    expectStable(parsed);
  }
}

TEST(Attributes, RawTextLosesItsComments) {
  Parsed parsed = parseAttribute("#ttnn.memory_config<\n  #dram, // the buffer\n  <interleaved> // \"the\" layout\n>");
  EXPECT_EQ(attributeOf(parsed).body.find("//"), std::string_view::npos);
  EXPECT_EQ(printAttr(parsed.tree, parsed.tree.aliases[0].attr), "#ttnn.memory_config<#dram, <interleaved>>");
}

TEST(Attributes, DenseTextIsNotCopied) {
  Parsed parsed = parseAttribute("dense<\"0x" + std::string(100000, 'A') + "\"> : tensor<50000xi8>");
  std::string_view body = attributeOf(parsed).text;
  EXPECT_EQ(body.size(), 100004u);
  EXPECT_GE(body.data(), parsed.source->text().data());
  EXPECT_LE(body.data() + body.size(), parsed.source->text().data() + parsed.source->text().size());
  EXPECT_EQ(parsed.tree.ints.size(), 1u) << "only the tensor's dimension";
}

TEST(Attributes, AliasesResolveWhereverTheyStand) {
  Parsed parsed = parseClean(
      "%0 = \"d.op\"() {a = #late} : () -> !t\n"
      "#late = #middle\n#middle = 7 : i32\n!t = !u\n!u = tensor<4xf32>\n#t = 1\n");
  AttrId use = parsed.tree.find(parsed.op(0).attrs, "a");
  EXPECT_EQ(parsed.attr(use).kind, AttrKind::Alias);
  EXPECT_EQ(parsed.attr(parsed.tree.resolve(use)).integer, 7);
  TypeId type = parsed.tree.typeLists[parsed.op(0).resultTypes.first];
  EXPECT_EQ(parsed.tree.types[parsed.tree.resolve(type)].kind, TypeKind::Tensor);
  ASSERT_NE(parsed.tree.findAlias("t", true), nullptr);
  EXPECT_TRUE(parsed.tree.findAlias("t", true)->isType);
  EXPECT_EQ(parsed.tree.findAlias("nobody", false), nullptr);
}

TEST(Attributes, ResolvingACycleEnds) {
  Parsed parsed = parse("#a = #b\n#b = #a\n\"d.op\"() {x = #a} : () -> ()\n");
  EXPECT_EQ(parsed.errors(), "1:1: alias `#a` is defined by itself\n");
  AttrId stuck = parsed.tree.resolve(parsed.tree.find(parsed.op(0).attrs, "x"));
  EXPECT_EQ(parsed.attr(stuck).kind, AttrKind::Alias);
}

TEST(Attributes, SamePieceTwiceBetweenSplits) {
  parseClean("#a = 1\n// -----\n#a = 1\n");
  EXPECT_EQ(parse("#a = 1\n// -----\n#a = 2\n").errors(), "3:1: alias `#a` is defined twice\n");
}

}  // namespace
}  // namespace tessera::text
