#include "core/text/parser.h"
#include "tests/text/text_helpers.h"

namespace tessera::text {
namespace {

TEST(Ops, GenericFormWithEverything) {
  Parsed parsed = parseClean(
      "%0:2, %z = \"d.op\"(%a, %b#1)[^bb1, ^bb2] <{p = 1, u}> ({\n"
      "^bb0(%i: i32, %j: f32 loc(\"z\")):\n"
      "  \"d.inner\"(%i) : (i32) -> ()\n"
      "^bb1:\n"
      "  \"d.last\"() : () -> ()\n"
      "}, {\n"
      "}) {a = 2} : (i32, f32) -> (i32, i32, f32) loc(#loc1)\n"
      "#loc1 = loc(\"x\")\n");
  const OpNode& op = parsed.op(0);
  EXPECT_EQ(op.form, OpForm::Generic);
  EXPECT_EQ(op.name, "d.op");
  ASSERT_EQ(op.defs.count, 2u);
  EXPECT_EQ(parsed.def(op, 0).name, "0");
  EXPECT_EQ(parsed.def(op, 0).count, 2);
  EXPECT_EQ(parsed.def(op, 1).name, "z");
  ASSERT_EQ(op.uses.count, 2u);
  EXPECT_EQ(parsed.use(op, 1).name, "b");
  EXPECT_EQ(parsed.use(op, 1).number, 1);
  ASSERT_EQ(op.successors.count, 2u);
  EXPECT_EQ(parsed.tree.labels[op.successors.first + 1], "bb2");
  EXPECT_EQ(parsed.attr(op.properties, "p").integer, 1);
  EXPECT_EQ(parsed.attr(op.properties, "u").kind, AttrKind::Unit);
  EXPECT_EQ(parsed.attr(op.attrs, "a").integer, 2);
  ASSERT_EQ(op.regions.count, 2u);
  ASSERT_EQ(parsed.region(op, 0).blocks.size(), 2u);
  EXPECT_EQ(parsed.block(op, 0, 0).label, "bb0");
  EXPECT_EQ(parsed.block(op, 0, 0).args.count, 2u);
  EXPECT_EQ(parsed.block(op, 0, 1).ops.size(), 1u);
  EXPECT_EQ(parsed.region(op, 1).blocks.size(), 1u);
  EXPECT_EQ(op.operandTypes.count, 2u);
  EXPECT_EQ(op.resultTypes.count, 3u);
  EXPECT_EQ(parsed.attr(op.location).text, "#loc1");
  EXPECT_EQ(parsed.tree.topLevel.size(), 1u);
  expectStable(parsed);
}

struct PrettyCase {
  const char* text;
  uint32_t defs, uses, operandTypes, resultTypes;
  const char* tail;
  const char* printed;  // nullptr: as written
};

TEST(Ops, PrettyForms) {
  const PrettyCase cases[] = {
      {"%2 = ttir.add %0, %1 : tensor<4xf32>", 1, 2, 0, 1, "", nullptr},
      {"%2 = ttir.add %0, %1 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>", 1, 2, 2, 1, "",
       "%2 = ttir.add %0, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>"},
      {"%2 = ttir.add %0, %1 : (i32, i32) -> i32", 1, 2, 2, 1, "", nullptr},
      {"%2 = ttir.sum %0, %1 {dim_arg = [1 : i32], keep = true} : f32, f32 -> f32", 1, 2, 2, 1, "",
       "%2 = ttir.sum %0, %1 {dim_arg = [1 : i32], keep = true} : (f32, f32) -> f32"},
      {"%2 = ttir.sum %0 <{dim = 1}> {x} : f32", 1, 1, 0, 1, "", nullptr},
      {"%0 = ttir.empty() : tensor<4xf32>", 1, 0, 0, 1, "", nullptr},
      {"%1 = ttnn.conv2d(%a, %b) : tensor<4xf32>", 1, 2, 0, 1, "", nullptr},
      {"%1 = ttnn.to_layout(%a) {m = #ttnn.memory_config<DRAM, Interleaved>} : i32", 1, 1, 0, 1, "", nullptr},
      {"%1 = ttcore.load_cached(@f, [%a, %b#1]) : (i32, i32) -> i32", 1, 2, 2, 1, "", nullptr},
      {"%1, %2:2 = call @f(%a) : (i32) -> (i32, i32, i32)", 2, 1, 1, 3, "",
       "%1, %2:2 = func.call @f(%a) : (i32) -> (i32, i32, i32)"},
      {"ttnn.deallocate %0 : tensor<4xf32>", 0, 1, 1, 0, "", nullptr},
      {"%0, %1 = d.split %x : i32, i32", 2, 1, 0, 2, "", nullptr},
      {"return", 0, 0, 0, 0, "", nullptr},
      {"return %a", 0, 1, 0, 0, "", nullptr},
      {"func.return %a, %b : i32, f32", 0, 2, 2, 0, "", "return %a, %b : i32, f32"},
      {"%c = arith.constant dense<1.0> : tensor<4xf32>", 1, 0, 0, 1, "", nullptr},
      {"%c = arith.constant 1.0 : f32", 1, 0, 0, 1, "", nullptr},
      {"%c = constant -7 : i64", 1, 0, 0, 1, "", "%c = arith.constant -7 : i64"},
      {"%c = arith.constant {k} true", 1, 0, 0, 0, "", nullptr},
      {"ttcore.device @default_device = <workerGrid = #ttcore.grid<8x8>, chipIds = [0]>", 0, 0, 0, 0,
       "= <workerGrid = #ttcore.grid<8x8>, chipIds = [0]>", nullptr},
      {"%k = ttnn.weird %h with(%c : i32) [DRAM] : i32, i32 -> f32", 1, 2, 2, 1,
       "with(%c : i32) [DRAM] : i32, i32 -> f32", nullptr},
      {"%k = ttnn.relu(%h) : tensor<4xf32>  [DRAM Interleaved]", 1, 1, 0, 1, ": tensor<4xf32>  [DRAM Interleaved]",
       "%k = ttnn.relu(%h) : tensor<4xf32> [DRAM Interleaved]"},
      {"cf.br ^bb1(%k : i32)", 0, 1, 0, 0, "^bb1(%k : i32)", nullptr},
      {"memref.store %p, %h[%c, %d] : memref<2x2xf32>", 0, 4, 1, 0, "", nullptr},
      {"%h = scf.for %i = %d to %c { scf.yield %i : i32 }", 1, 2, 0, 0, "%i = %d to %c { scf.yield %i : i32 }",
       nullptr},
      {"%0 = ttir.add\n    %a,\n    %b\n    : i32 // why\n", 1, 2, 0, 1, "", "%0 = ttir.add %a, %b : i32"},
  };
  for (const PrettyCase& c : cases) {
    Parsed parsed = parseClean(c.text);
    ASSERT_EQ(parsed.tree.topLevel.size(), 1u) << c.text;
    const OpNode& op = parsed.op(0);
    EXPECT_EQ(op.defs.count, c.defs) << c.text;
    EXPECT_EQ(op.uses.count, c.uses) << c.text;
    EXPECT_EQ(op.operandTypes.count, c.operandTypes) << c.text;
    EXPECT_EQ(op.resultTypes.count, c.resultTypes) << c.text;
    EXPECT_EQ(op.tail, c.tail) << c.text;
    EXPECT_EQ(expectStable(parsed), (c.printed == nullptr ? std::string(c.text) : c.printed) + "\n");
  }
}

TEST(Ops, PrettyDetails) {
  Parsed parsed = parseClean(
      "%1 = ttcore.load_cached(@f, [%a]) : (i32) -> i32 loc(\"x\")\n%2 = arith.constant 5 : i8\nttcore.device @d = <> "
      "loc(#l)\n#l = loc(unknown)");
  EXPECT_EQ(parsed.op(0).symbols.count, 1u);
  EXPECT_EQ(parsed.attr(parsed.tree.attrLists[parsed.op(0).symbols.first]).text, "f");
  EXPECT_EQ(parsed.attr(parsed.op(0).location).text, "\"x\"");
  EXPECT_EQ(parsed.attr(parsed.op(1).properties, "value").integer, 5);
  EXPECT_EQ(printType(parsed.tree, parsed.tree.typeLists[parsed.op(1).resultTypes.first]), "i8");
  EXPECT_EQ(parsed.op(2).symbol, "d");
  EXPECT_TRUE(parsed.op(2).location.valid()) << "a location behind a raw tail";
}

TEST(Ops, OldDestinationStyle) {
  Parsed parsed = parseClean(
      "%1 = ttir.conv2d %input, %weight, %bias, %0 {\n  stride = [1, 1],\n  groups = 1\n} : tensor<1x3x224x224xbf16>, "
      "// NCHW\n"
      "    tensor<64x3x3x3xbf16>,\n    tensor<64xbf16>,\n    tensor<1x64x224x224xbf16>\n  -> "
      "tensor<1x64x224x224xbf16>\nreturn %1\n");
  EXPECT_EQ(parsed.op(0).operandTypes.count, 4u);
  EXPECT_EQ(parsed.op(0).resultTypes.count, 1u);
  EXPECT_EQ(parsed.attr(parsed.op(0).attrs, "groups").integer, 1);
  EXPECT_EQ(parsed.op(1).form, OpForm::Return);
  EXPECT_EQ(parsed.op(1).name, "func.return");
  expectStable(parsed);
}

TEST(Ops, SeveralOnOneLine) {
  Parsed parsed = parseClean("%0 = ttir.empty() : i32 %1 = \"d.a\"() : () -> i32 %2 = ttir.neg %1 : i32");
  EXPECT_EQ(parsed.tree.topLevel.size(), 3u);
  expectStable(parsed);
}

TEST(Ops, BareTypesAreSharedOutByCount) {
  EXPECT_TRUE(bareTypesAreResults(1, 2, 1));
  EXPECT_TRUE(bareTypesAreResults(2, 1, 2));
  EXPECT_FALSE(bareTypesAreResults(2, 2, 2));
  EXPECT_FALSE(bareTypesAreResults(1, 1, 0));
}

TEST(Ops, FileMetadataIsKept) {
  Parsed parsed = parseClean("d.op {a}\n{-# dialect_resources: { x: \"0x01\" } #-}\n");
  EXPECT_EQ(parsed.tree.fileMetadata, "{-# dialect_resources: { x: \"0x01\" } #-}");
  expectStable(parsed);
}

}  // namespace
}  // namespace tessera::text
