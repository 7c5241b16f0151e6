#include "tests/text/text_helpers.h"

namespace tessera::text {
namespace {

TEST(Functions, ArgumentsResultsAndBlocks) {
  Parsed parsed = parseClean(
      "func.func public @main(%arg0: tensor<4xf32> {a = 1, b} loc(\"p0\"), %arg1: i32) -> (tensor<4xf32> {c = 2}, i32) "
      "attributes {d = 3} {\n"
      "  cf.br ^bb1(%arg0 : tensor<4xf32>)\n"
      "^bb1(%x: tensor<4xf32>):\n"
      "  return %x, %arg1 : tensor<4xf32>, i32\n"
      "} loc(#l)\n#l = loc(unknown)\n");
  const OpNode& op = parsed.op(0);
  EXPECT_EQ(op.form, OpForm::Function);
  EXPECT_EQ(op.symbol, "main");
  EXPECT_EQ(op.visibility, "public");
  ASSERT_EQ(op.args.count, 2u);
  EXPECT_EQ(parsed.arg(op.args, 0).name, "arg0");
  EXPECT_EQ(parsed.arg(op.args, 0).attrs.count, 2u);
  EXPECT_EQ(parsed.attr(parsed.arg(op.args, 0).location).text, "\"p0\"");
  EXPECT_EQ(op.operandTypes.count, 2u);
  ASSERT_EQ(op.resultTypes.count, 2u);
  ASSERT_EQ(op.resultAttrs.count, 2u);
  EXPECT_TRUE(parsed.tree.attrLists[op.resultAttrs.first].valid());
  EXPECT_FALSE(parsed.tree.attrLists[op.resultAttrs.first + 1].valid());
  EXPECT_EQ(parsed.attr(op.attrs, "d").integer, 3);
  ASSERT_EQ(parsed.region(op, 0).blocks.size(), 2u);
  EXPECT_EQ(parsed.block(op, 0, 0).args.count, 2u);
  EXPECT_EQ(parsed.block(op, 0, 1).label, "bb1");
  EXPECT_EQ(parsed.block(op, 0, 1).args.count, 1u);
  EXPECT_EQ(parsed.attr(op.location).text, "#l");
  const std::string printed = expectStable(parsed);
  EXPECT_NE(printed.find("^bb1(%x: tensor<4xf32>):"), std::string::npos) << printed;
}

TEST(Functions, Declarations) {
  Parsed parsed =
      parseClean("func.func private @decl(tensor<4xf32> {a}, !d.t) -> (i32, f32)\nfunc.func private @\"odd name\"()\n");
  EXPECT_EQ(parsed.op(0).regions.count, 0u);
  ASSERT_EQ(parsed.op(0).args.count, 2u);
  EXPECT_EQ(parsed.arg(parsed.op(0).args, 0).name, "");
  EXPECT_EQ(parsed.op(1).symbol, "odd name");
  expectStable(parsed);
}

TEST(Functions, ResultSpellings) {
  for (const char* results : {"", " -> i32", " -> (i32, f32)", " -> ((i32) -> f32)", " -> (i32 {a = 1})"}) {
    std::string text = "func.func @f()" + std::string(results) + " {\n}\n";
    EXPECT_EQ(expectStable(parseClean(text)), text);
  }
  EXPECT_EQ(expectStable(parseClean("func @f() -> () {\n}\n")), "func.func @f() {\n}\n");
}

TEST(Functions, NestedModules) {
  Parsed parsed = parseClean(
      "module @\"a b\" attributes {x = []} {\n  ttcore.device_module {\n    builtin.module @Graph.390 {\n      "
      "func.func @f() {\n"
      "        return\n      }\n    } loc(#l)\n  }\n}\n#l = loc(\"x\")\n");
  ASSERT_EQ(parsed.tree.topLevel.size(), 1u);
  EXPECT_EQ(parsed.op(0).form, OpForm::Module);
  EXPECT_EQ(parsed.op(0).name, "builtin.module");
  EXPECT_EQ(parsed.op(0).symbol, "a b");
  EXPECT_EQ(parsed.op(1).name, "ttcore.device_module");
  EXPECT_EQ(parsed.op(2).symbol, "Graph.390");
  EXPECT_EQ(parsed.op(3).name, "func.func");
  EXPECT_TRUE(parsed.op(2).location.valid());
  expectStable(parsed);
}

TEST(Functions, SeveralFunctionsAndBareOps) {
  Parsed parsed = parseClean("func @f(%a: i32) {\n}\n// -----\nfunc.func @g() {\n}\n%0 = d.x : i32\n");
  EXPECT_EQ(parsed.tree.topLevel.size(), 3u);
  expectStable(parsed);
}

TEST(Functions, LabelOfTheEntryBlock) {
  Parsed parsed = parseClean("func.func @f(%a: i32) {\n^entry:\n  return\n}\n");
  ASSERT_EQ(parsed.region(parsed.op(0), 0).blocks.size(), 1u);
  EXPECT_EQ(parsed.block(parsed.op(0), 0, 0).label, "entry");
  EXPECT_EQ(parsed.block(parsed.op(0), 0, 0).args.count, 1u);
  expectStable(parsed);
}

TEST(Functions, WhatPeoplePaste) {
  Parsed parsed = parseClean(
      "\xEF\xBB\xBF// RUN: opt %s\r\n// -----\r\nmodule {\r\n  func.func @f() {\r\n    return\r\n  }\r\n}\r\n");
  EXPECT_EQ(parsed.tree.ops.size(), 3u);
  expectStable(parsed);
}

TEST(Functions, APreambleOfMessagesDoesNotDerail) {
  Parsed parsed = parse(
      "model.mlir:3:4: error: 'ttir.add' op has a problem\n"
      "  %0 = \"ttir.add\"(%a, %b) : (i32, i32) -> i32\n       ^\n"
      "warning: a < b\n"
      "module {\n  func.func @f() {\n    return\n  }\n}\n");
  EXPECT_TRUE(parsed.diags.hasErrors());
  const OpNode& module = parsed.tree.ops[parsed.tree.topLevel.back()];
  EXPECT_EQ(module.form, OpForm::Module);
  EXPECT_FALSE(module.hasError);
  EXPECT_EQ(parsed.block(module, 0, 0).ops.size(), 1u);
}

}  // namespace
}  // namespace tessera::text
