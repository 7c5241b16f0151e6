// Broken inputs with every diagnostic they give: place, what was seen, what was expected.
#include "tests/text/text_helpers.h"

namespace tessera::text {
namespace {

struct DiagnosticsCase {
  const char* text;
  const char* errors;
};

void check(std::initializer_list<DiagnosticsCase> cases) {
  for (const DiagnosticsCase& c : cases) EXPECT_EQ(parse(c.text).errors(), c.errors) << c.text;
}

TEST(SyntaxErrors, Ops) {
  check({
      {"%0 = \"d.op\"(%a %b) : (i32) -> i32", "1:16: unexpected `%b`, expected `,` or `)`\n"},
      {"%0 = \"d.op\"(%a) (i32) -> i32", "1:17: unexpected `(`, expected `:` and the op's type\n"},
      {"%0 = \"d.op\"(%a) : i32 -> i32", "1:19: unexpected `i32`, expected `(` and the operand types\n"},
      {"%0 = \"d.op\"(%a) : (i32) i32", "1:25: unexpected `i32`, expected `->`\n"},
      {"%0 = \"d.op\"(%a) : (i32) -> ", "1:28: unexpected end of input, expected a type\n"},
      {"%0 = \"d.op\"(a) : (i32) -> i32", "1:13: unexpected `a`, expected `%` and a value name\n"},
      {"%0 = \"d.op\"", "1:12: unexpected end of input, expected `(` and the operands\n"},
      {"%0 \"d.op\"() : () -> i32", "1:4: unexpected `\"d.op\"`, expected `=` and an operation\n"},
      {"%0 = 5", "1:6: unexpected `5`, expected an operation\n"},
      {"%0, = d.x", "1:5: unexpected `=`, expected `%` and a result name\n"},
      {"%0:0 = d.x", "1:4: unexpected `0`, expected a number of results from 1 to 65535\n"},
      {"%0:99999999999999999999 = d.x",
       "1:4: unexpected `99999999999999999999`, expected a number of results from 1 to 65535\n"},
      {"\"d.op\"(%a#70000) : (i32) -> ()", "1:10: unexpected `#70000`, expected `#` and a result number below 65535\n"},
      {"\"d.op\"()[bb1] : () -> ()", "1:10: unexpected `bb1`, expected `^` and a block label\n"},
      {"hello world", "1:1: unexpected `hello`, expected an operation\n"},
      {"d.op : 5", "1:6: unexpected `:`, expected operands, attributes or a type\n"},
      {"%0 = d.op %a [1, 2 : i32", "1:14: `[` is never closed\n"},
      {"42", "1:1: unexpected `42`, expected an operation\n"},
  });
}

TEST(SyntaxErrors, Attributes) {
  check({
      {"#a = [1, 2", "1:11: unexpected end of input, expected `,` or `]`\n"},
      {"#a = [1 2]", "1:9: unexpected `2`, expected `,` or `]`\n"},
      {"#a = {a = 1 b = 2}", "1:13: unexpected `b`, expected `,` or `}`\n"},
      {"#a = {a = }", "1:11: unexpected `}`, expected an attribute value\n"},
      {"#a = {1 = 2}", "1:7: unexpected `1`, expected an attribute name\n"},
      {"#a = {\"\"}", "1:7: unexpected `\"\"`, expected an attribute name\n"},
      {"#a = {a = 1, \"\" = 2}", "1:14: unexpected `\"\"`, expected an attribute name\n"},
      {"#a = {a = 1,}", "1:13: unexpected `}`, expected an attribute name\n"},
      {"#a = -x", "1:7: unexpected `x`, expected a number\n"},
      {"#a = 1 :", "1:9: unexpected end of input, expected a type\n"},
      {"#a = array<i64 1>", "1:16: unexpected `1`, expected `:` or `>`\n"},
      {"#a = array<i64: 1.5>", "1:17: unexpected `1.5`, expected an integer\n"},
      {"#a = array<5>", "1:12: unexpected `5`, expected an element type\n"},
      {"#a = dense<[1, 2> : tensor<2xi32>", "1:11: `<` is never closed\n"},
      {"#a = #d.x<(>", "1:10: `<` is never closed\n"},
      {"#a = #d.x<[(1]>", "1:12: `(` is never closed\n"},
      {"#a = #d.x<[{b = 1}], 2}, [3]>", "1:23: `}` closes nothing that is open here\n"},
      {"!t = !d.x<1), [2]>", "1:12: `)` closes nothing that is open here\n"},
      {"#a = @a::b", "1:10: unexpected `b`, expected `@` and a symbol name\n"},
      {"#a = (d0) -> d0", "1:14: unexpected `d0`, expected `(` and the results of the affine map\n"},
      {"#a = \"open", "1:6: string is not closed before the end of the line\n"},
      {"#a = \"\xFF\"", "1:6: unexpected character that is not UTF-8, in a string\n"},
      {"#a = 9223372036854775808", "1:6: number `9223372036854775808` does not fit 64 bits\n"},
      {"#a = -9223372036854775809 : i64", "1:6: number `-9223372036854775809` does not fit 64 bits\n"},
      {"#a = 0x10000000000000000 : i64", "1:6: number `0x10000000000000000` does not fit 64 bits\n"},
      {"#a.b = 1", "1:1: unexpected `#a.b`, expected an alias name without a dot\n"},
      {"#a 1", "1:4: unexpected `1`, expected `=` and what the alias stands for\n"},
  });
}

TEST(SyntaxErrors, Types) {
  check({
      {"!t = tensor<4xf32", "1:18: unexpected end of input, expected `,` or `>`\n"},
      {"!t = tensor<4x>", "1:15: unexpected `>`, expected a dimension or an element type\n"},
      {"!t = tensor<>", "1:13: unexpected `>`, expected a dimension or an element type\n"},
      {"!t = tensor<...>", "1:13: unexpected `...`, expected a dimension or an element type\n"},
      {"!t = tensor<4>", "1:13: unexpected `4`, expected `x` and the next dimension or an element type\n"},
      {"!t = tensor<4xf32 8>", "1:19: unexpected `8`, expected `,` or `>`\n"},
      {"!t = tensor<2x99999999999999999999xf32>", "1:15: number `99999999999999999999` does not fit 64 bits\n"},
      {"!t = tensor<99999999999999999999xf32>", "1:13: number `99999999999999999999` does not fit 64 bits\n"},
      {"!t = tensor<4xf32, >", "1:20: unexpected `>`, expected an attribute value\n"},
      {"!t = tensor<4xf32, 1 2>", "1:22: unexpected `2`, expected `>`\n"},
      {"!t = (i32, ) -> i32", "1:12: unexpected `)`, expected a type\n"},
      {"!t = (i32) i32", "1:12: unexpected `i32`, expected `->`\n"},
      {"!t = d.word<1>", "1:6: unexpected `d.word`, expected a type\n"},
      {"!t = tensor<4x d.4xf32>", "1:16: unexpected `d.4xf32`, expected an element type\n"},
      {"!t = word", "1:6: unexpected `word`, expected a type\n"},
      {"!t = memref<4x4", "1:12: `<` is never closed\n"},
  });
}

TEST(SyntaxErrors, FunctionsAndRegions) {
  check({
      {"func.func main() {\n}", "1:11: unexpected `main`, expected `@` and the function's name\n"},
      {"func.func @f {\n}", "1:14: unexpected `{`, expected `(` and the function's arguments\n"},
      {"func.func @f(%a) {\n}", "1:16: unexpected `)`, expected `:` and the argument's type\n"},
      {"func.func @f(%a: i32 %b: i32) {\n}", "1:22: unexpected `%b`, expected `,` or `)`\n"},
      {"func.func @f(5) {\n}", "1:14: unexpected `5`, expected `%` and an argument name, or a type\n"},
      {"func.func @f() -> {\n}", "1:19: unexpected `{`, expected a type\n"},
      {"func.func @f() attributes 5 {\n}", "1:27: unexpected `5`, expected `{`\n"},
      {"func.func @f() {\n  return\n", "1:16: `{` is never closed\n"},
      {"module {\n  func.func @f() {\n    return\n  func.func @g() {\n    return\n  }\n}\n",
       "2:18: `{` is never closed\n"},
      {"module @m 5", "1:11: unexpected `5`, expected `{` and the module's body\n"},
      {"}\n", "1:1: `}` closes nothing that is open here\n"},
      {"^bb0:\n", "1:1: unexpected `^bb0`, expected an operation\n"},
      {"func.func @f(%a: i32) {\n^bb0(%b: i32):\n}",
       "2:1: unexpected `^bb0`, expected an operation (the arguments of the entry block are the function's)\n"},
      {"func.func @f() {\n  d.x {a}\n^bb0(%b: i32)\n}", "4:1: unexpected `}`, expected `:`\n"},
      {"\"d.op\"() ({\n} {\n}) : () -> ()", "2:3: unexpected `{`, expected `,` or `)`\n"},
      {"{-# open", "1:1: `{-#` is never closed\n1:5: unexpected `open`, expected an operation\n"},
  });
}

TEST(SyntaxErrors, Aliases) {
  check({
      {"#a = 1\n#a = 2", "2:1: alias `#a` is defined twice\n"},
      {"!a = i32\n#a = 2", ""},
      {"#a = #b", "1:6: alias `#b` is used but never defined\n"},
      {"#a = [#b, #b, #c]", "1:7: alias `#b` is used but never defined\n1:15: alias `#c` is used but never defined\n"},
      {"%0 = \"d.op\"() : () -> !t", "1:23: alias `!t` is used but never defined\n"},
      {"#unused = 1", ""},
      {"d.op {a} loc(#nowhere)", ""},
      {"#a = #a", "1:1: alias `#a` is defined by itself\n"},
      {"#a = [#b]\n#b = {x = #a}", "1:1: alias `#a` is defined by itself\n"},
      {"!a = tensor<4x!a>", "1:1: alias `!a` is defined by itself\n"},
      {"#a = #d.x<#a>", "1:1: alias `#a` is defined by itself\n"},
      {"#ttcore = #ttcore<x>", ""},
  });
}

// All mistakes of a file are found, and what stands between them is read.
TEST(SyntaxErrors, RecoversAtTheNextOperation) {
  Parsed parsed = parse(
      "module {\n"
      "  func.func @f(%a: i32, %b: ) -> i32 {\n"
      "    %0 = \"d.a\"(%a) : (i32) -> i32\n"
      "    %1 = \"d.b\"(%0) {x = [1, } : (i32) -> i32\n"
      "    %2 = \"d.c\"(%1 : (i32) -> i32\n"
      "    %3 = \"d.d\"(%2) <{a = 1 : (i32) -> i32\n"
      "    %4 = \"d.e\"(%3) : (tensor<4>) -> i32\n"
      "    ; ;\n"
      "    %5 = d.ok %4 : i32\n"
      "    return %5 : i32\n"
      "  }\n"
      "  func.func @g() {\n"
      "    return\n"
      "  }\n"
      "}\n");
  EXPECT_EQ(parsed.errors(),
            "2:29: unexpected `)`, expected a type\n"
            "4:29: unexpected `}`, expected an attribute value\n"
            "5:19: unexpected `:`, expected `,` or `)`\n"
            "7:5: unexpected `%4`, expected `,` or `}`\n"
            "7:30: unexpected `4`, expected `x` and the next dimension or an element type\n"
            "8:5: unexpected character `;`\n"
            "8:7: unexpected character `;`\n");
  EXPECT_EQ(parsed.tree.topLevel.size(), 1u);
  EXPECT_EQ(parsed.block(parsed.op(0), 0, 0).ops.size(), 2u) << "both functions are in the module";
  EXPECT_EQ(parsed.block(parsed.op(1), 0, 0).ops.size(), 7u) << "all seven ops are kept";
  EXPECT_TRUE(parsed.op(1).hasError);
  EXPECT_EQ(parsed.op(1).args.count, 1u);
  EXPECT_FALSE(parsed.op(0).hasError);
}

TEST(SyntaxErrors, PlacesCountUtf16Units) {
  Parsed parsed = parse("// \xF0\x9F\x98\x80\n/**/ \"\xC3\xA9\" 5");
  ASSERT_TRUE(parsed.diags.hasErrors());
  EXPECT_EQ(parsed.source->lineColumn(parsed.diags.all()[0].span.begin).line, 2u);
}

}  // namespace
}  // namespace tessera::text
