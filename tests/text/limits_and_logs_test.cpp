// Places where nesting ends that no bracket says, what is beyond a limit, and dumps as other settings of the compiler
// write them.

#include "core/text/chars.h"
#include "core/text/pass_log.h"
#include "core/text/raw_text.h"
#include "tests/text/text_helpers.h"

namespace tessera::text {
namespace {

// Bodies of functions and regions count as levels, and so do types as values and lists of numbers.
TEST(LimitsAndLogs, EveryLevelCounts) {
  struct Row {
    std::string text;
    int depth;          // that it has
    std::string place;  // of what is too deep with one level less
  };
  const Row kRows[] = {
      {"module {\n  func.func @f() {\n    return\n  }\n}\n", 2, "2:18"},
      {"module {\n  d.loop %x {\n    d.y %x : i32\n  }\n}\n", 2, "2:13"},
      {"module {\n  \"d.x\"() ({\n    d.y %x : i32\n  }) : () -> ()\n}\n", 2, "2:12"},
      {"d.if %c {\n  d.y %x : i32\n} else {\n  d.y %x : i32\n}\n", 1, ""},
      {"#a = [!d.t]", 2, "1:7"},
      {"#a = [1 : i32]", 2, "1:11"},
      {"#a = [array<i64: 1>]", 2, "1:12"},
      {"#a = [{b = 1}]", 2, "1:7"},
      {"#a = tensor<2xf32, [1]>", 3, "1:20"},
  };
  for (const Row& row : kRows) {
    EXPECT_EQ(parse(row.text, {.maxDepth = row.depth}).errors(), "") << row.text;
    if (row.depth < 2) continue;
    const Parsed less = parse(row.text, {.maxDepth = row.depth - 1});
    const std::string limit = std::to_string(row.depth - 1);
    EXPECT_EQ(less.errors(), row.place + ": nesting deeper than " + limit + " levels is not read\n") << row.text;
    for (const OpNode& op : less.tree.ops) {
      // What is around it is read; what is too deep is not taken for an op without a body.
      if (op.name != "builtin.module" && op.name != "d.y") EXPECT_TRUE(op.hasError) << row.text;
    }
  }
}

// The end of the text given counts as the end of a name, whatever stands behind it.
TEST(LimitsAndLogs, NamesEndWithTheirText) {
  const std::string_view text = "a->b";
  EXPECT_EQ(idEnd(text, 0), 1u);
  EXPECT_EQ(idEnd(text.substr(0, 2), 0), 2u);
  EXPECT_EQ(idEnd(text.substr(0, 1), 0), 1u);
  EXPECT_EQ(closingAngle(""), ">");
  EXPECT_EQ(closingAngle("a"), ">");
  EXPECT_EQ(closingAngle("a-"), " >");
}

// Mistakes beyond the limit are not taken up, be it that they stand further in front.
TEST(LimitsAndLogs, MistakesBeyondTheLimitAreDropped) {
  const auto first = [](size_t before) {
    ErrorList errors;
    for (size_t i = 0; i < before; ++i) errors.add(DiagKind::UnterminatedString, {10, 11});
    errors.add(DiagKind::UnterminatedString, {5, 6});
    Diagnostics diags;
    errors.flush(diags);
    return diags.all().front().span.begin;
  };
  EXPECT_EQ(first(9'999), 5u);
  EXPECT_EQ(first(10'000), 10u);
}

TEST(LimitsAndLogs, WhatIsNothingResolvesToNothing) {
  const Parsed parsed = parse("#a = 1 : i32\n!t = f32\n");
  EXPECT_FALSE(parsed.tree.resolve(AttrId{}).valid());
  EXPECT_FALSE(parsed.tree.resolve(TypeId{}).valid());
  EXPECT_EQ(parsed.tree.resolve(AttrId{0}).index, 0);
}

const std::string kAfter = "// -----// IR Dump After ";
const std::string kLogged = "2026-02-21 22:37:07.913 (2.0s) [1] x.cc:1 1| MLIR Module ";

// A stage's line names it and ends in a colon, with whatever line break.
TEST(LimitsAndLogs, StagesHaveANameAndAColon) {
  const auto stages = [](const std::string& line) {
    std::string out;
    const std::string text = line + "\nmodule {\n}\n";
    for (const IrDump& dump : readPassLog(text).dumps) out += dump.pass + (dump.complete ? "," : "?");
    return out;
  };
  EXPECT_EQ(stages(kLogged + "ttnn:"), "ttnn,");
  EXPECT_EQ(stages(kLogged + "ttnn:\r"), "ttnn,");
  EXPECT_EQ(stages(kLogged + "ttnn: \r"), "ttnn,");
  EXPECT_EQ(stages(kLogged + "ttnn"), "");
  EXPECT_EQ(stages(kLogged), "");
  EXPECT_EQ(stages(kLogged + "\r"), "");
  EXPECT_EQ(stages(kLogged + ":"), ",");
}

// Behind a closed op lines of carriage returns alone are as empty as any.
TEST(LimitsAndLogs, DumpsWithCarriageReturns) {
  const std::string text = kAfter + "A (a) //----- //\r\nmodule {\r\n}\r\n\r\n \r\n#loc = loc(unknown)\r\n\r\nmore\r\n";
  const PassLogText log = readPassLog(text);
  ASSERT_EQ(log.dumps.size(), 1u);
  EXPECT_EQ(log.dumps[0].pass + " " + log.dumps[0].argument, "A a");
  EXPECT_EQ(dumpText(text, log.dumps[0]), "module {\r\n}\r\n#loc = loc(unknown)\r\n");
}

// Aliases of types in front of an op do not open it: what a logger writes between them is none of it.
TEST(LimitsAndLogs, AliasesOfTypesOpenNothing) {
  const std::string text = kAfter + "A (a) //----- //\n!t = f32\nsaid by a logger\n#a = 1\nand again\nmodule {\n}\n";
  const PassLogText log = readPassLog(text);
  ASSERT_EQ(log.dumps.size(), 1u);
  EXPECT_EQ(dumpText(text, log.dumps[0]), "!t = f32\n#a = 1\nmodule {\n}\n");
}

// A module is one in each of its spellings.
TEST(LimitsAndLogs, ModulesInEachForm) {
  struct Row {
    std::string op;
    int rank;
  };
  const Row kRows[] = {{"module @m {\n}\n", 1},
                       {"builtin.module @m {\n}\n", 1},
                       {"\"builtin.module\"() ({\n^bb0:\n}) : () -> ()\n", 1},
                       {"func.func @f() {\n}\n", 0},
                       {"\"func.func\"() ({\n^bb0:\n}) : () -> ()\n", 0},
                       {"\"builtin.module\"() ({\n  \"ttnn.x\"() : () -> ()\n}) : () -> ()\n", 3}};
  for (const Row& row : kRows) {
    const std::string text = kAfter + "A (a) //----- //\n" + row.op;
    const PassLogText log = readPassLog(text);
    ASSERT_EQ(log.dumps.size(), 1u);
    EXPECT_EQ(dumpRank(log.dumps[0]), row.rank) << row.op;
    EXPECT_EQ(dumpText(text, log.dumps[0]), row.op);
  }
}

// However many other functions were dumped in between.
TEST(LimitsAndLogs, TheLastStateOfAnOpIsRemembered) {
  const auto changed = [](int between, const std::string& last) {
    const auto dump = [](const std::string& symbol, const std::string& body = "") {
      return kAfter + "A (a) ('func.func' operation: @" + symbol + ") //----- //\nfunc.func @" + symbol + "() {\n" +
             body + "}\n";
    };
    std::string text = dump("f");
    for (int i = 0; i < between; ++i) text += dump("g" + std::to_string(i));
    const PassLogText log = readPassLog(text + dump("f", last));
    EXPECT_EQ(log.runs.size(), static_cast<size_t>(between) + 2);
    return log.runs.back().changed;
  };
  for (const int between : {0, 1, 63, 64, 200}) {
    EXPECT_FALSE(changed(between, "")) << between;
    EXPECT_TRUE(changed(between, "  return\n")) << between;
  }
}

}  // namespace
}  // namespace tessera::text
