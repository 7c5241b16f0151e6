#include "tests/text/text_helpers.h"

namespace tessera::text {
namespace {

TEST(Printer, IndentsByTwo) {
  Parsed parsed = parseClean(
      "module{func.func @f(%a:i32)->i32{%0=\"d.op\"(%a)({ ^bb0(%i:i32): \"d.in\"(%i):(i32)->() }):(i32)->i32\n return "
      "%0:i32}}");
  EXPECT_EQ(printText(parsed.tree),
            "module {\n"
            "  func.func @f(%a: i32) -> i32 {\n"
            "    %0 = \"d.op\"(%a) ({\n"
            "    ^bb0(%i: i32):\n"
            "      \"d.in\"(%i) : (i32) -> ()\n"
            "    }) : (i32) -> i32\n"
            "    return %0 : i32\n"
            "  }\n"
            "}\n");
}

// Which of several results is read stands behind a `#`, and nothing for the first.
TEST(Printer, ResultsAreReadByTheirNumber) {
  const std::string text =
      "%0:3 = \"d.op\"() : () -> (i32, i32, i32)\n%1 = \"d.sum\"(%0, %0#1, %0#2) : (i32, i32, i32) -> i32\n";
  EXPECT_EQ(printText(parseClean(text).tree), text);
}

// Of an op in its own form: each region with the text behind it, that behind the last one, too.
TEST(Printer, TextBehindEveryRegionStays) {
  const std::string text =
      "%0 = d.loop %a {\n  \"d.in\"() : () -> ()\n} do {\n  \"d.in\"() : () -> ()\n} -> tensor<4xf32>\n";
  EXPECT_EQ(printText(parseClean(text).tree), text);
  const std::string one = "%0 = d.loop %a {\n  \"d.in\"() : () -> ()\n} while 3\n";
  EXPECT_EQ(printText(parseClean(one).tree), one);
}

TEST(Printer, AliasesComeFirstAndStay) {
  Parsed parsed = parseClean("%0 = \"d.op\"() {x = #a} : () -> !t\n#a = 1 : i32\n!t = tensor<4xf32>\n");
  EXPECT_EQ(printText(parsed.tree), "#a = 1 : i32\n!t = tensor<4xf32>\n%0 = \"d.op\"() {x = #a} : () -> !t\n");
}

// Texts whose first print did not read as the same tree, or whose second print differed, at some time.
TEST(Printer, StableOnDifficultText) {
  for (const char* text : {
           "%0 = d.op %a : () -> (i32)",
           "%0, %1 = d.op %a, %b : i32, i32",
           "%0, %1 = d.op %a, %b : () -> (i32, i32)",
           "%0 = d.op : ((i32) -> i32) -> i32",
           "d.op %a, %b : (i32, f32) -> ()",
           "d.op %a : () -> ()",
           "d.op\n(%a)\n",
           "d.op %a - > b <= c\n",
           "d.op {a} {b} x [1,   2] ( y )",
           "d.op {a = loc} , %x,",
           "\"quoted \\22 name\"() : () -> ()",
           "d.op \"text\"",
           "d.op \"text\" : i32",
           "%0 = d.op [1, 2] : i32",
           "%0 = d.op #d.x<1> : i32",
           "%0 = arith.constant array<i64: 1>",
           "d.op {\"0x\" = 1, \"a..b\" = 2, \"c.\" = 3}",
       }) {
    expectStable(parseClean(text));
  }
}

TEST(Printer, ValuesMadeByHand) {
  SyntaxTree tree;
  AttrId integer = tree.attrs.push({.kind = AttrKind::Integer, .integer = -5});
  EXPECT_EQ(printAttr(tree, integer), "-5");
  AttrId number = tree.attrs.push({.kind = AttrKind::Float, .text = "5.0e-01", .number = 0.5});
  EXPECT_EQ(printAttr(tree, number), "5.000000e-01");
  Parsed again = parseAttribute(printAttr(tree, number));
  EXPECT_EQ(attributeOf(again).number, 0.5);
  TypeId scalar = tree.types.push({.kind = TypeKind::Scalar, .text = "f32"});
  tree.ints = {2, -1};
  TypeId tensor = tree.types.push({.kind = TypeKind::Tensor, .dims = {0, 2}, .element = scalar});
  EXPECT_EQ(printType(tree, tensor), "tensor<2x?xf32>");
  EXPECT_EQ(printAttr(tree, {}), "");
  EXPECT_EQ(printType(tree, {}), "");
}

}  // namespace
}  // namespace tessera::text
