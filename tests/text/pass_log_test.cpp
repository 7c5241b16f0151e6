// Logs of the compiler's passes: dumps are found between other lines, cut off, repeated, empty.

#include "core/text/pass_log.h"

#include <gtest/gtest.h>

namespace tessera::test {
namespace {

const std::string kModule = "module @m {\n  func.func @main() {\n    return\n  }\n}\n";
const std::string kOther = "module @m {\n  func.func @main() {\n    \"ttnn.x\"() : () -> ()\n    return\n  }\n}\n";
std::string after(const std::string& pass) { return "// -----// IR Dump After " + pass + " //----- //\n"; }
std::string before(const std::string& pass) { return "// -----// IR Dump Before " + pass + " //----- //\n"; }

TEST(PassLog, DumpsAreNamed) {
  const std::string text =
      after("TTNNLayout (ttnn-layout)") + kModule + after("CSE Failed (cse) ('func.func' operation: @main)") + kOther;
  ASSERT_TRUE(looksLikePassLog(text));
  PassLogText log = readPassLog(text);
  ASSERT_EQ(log.dumps.size(), 2u);
  EXPECT_EQ(log.dumps[0].pass, "TTNNLayout");
  EXPECT_EQ(log.dumps[0].argument, "ttnn-layout");
  EXPECT_EQ(log.dumps[0].line, 1u);
  EXPECT_EQ(log.dumps[1].moment, DumpMoment::Failed);
  EXPECT_EQ(log.dumps[1].operation, "func.func");
  EXPECT_EQ(log.dumps[1].symbol, "main");
  EXPECT_TRUE(log.dumps[0].complete && log.dumps[1].complete);
  EXPECT_EQ(dumpText(text, log.dumps[0]), kModule);
  ASSERT_EQ(log.runs.size(), 2u);
  EXPECT_TRUE(log.runs[1].failed);
}

TEST(PassLog, APassThatChangesNothingIsSaidToBeOne) {
  PassLogText log = readPassLog(after("A (a)") + kModule + after("B (b)") + kModule + after("C (c)") + kOther +
                                before("D (d)") + kOther + after("D (d)") + kModule + before("E (e)") + kModule);
  ASSERT_EQ(log.runs.size(), 5u);
  EXPECT_TRUE(log.runs[0].changed) << "nothing is known from before";
  EXPECT_FALSE(log.runs[1].changed);
  EXPECT_TRUE(log.runs[2].changed);
  EXPECT_TRUE(log.runs[3].changed);
  EXPECT_EQ(log.runs[3].before, 3);
  EXPECT_EQ(log.runs[3].after, 4);
  EXPECT_FALSE(log.runs[4].changed) << "a state before alone: the pass left it as it was";
  EXPECT_EQ(log.runs[4].after, -1);
}

// What was dumped before is of the same op: its kind, its symbol, and no stage of the front end.
TEST(PassLog, StatesAreComparedWithTheLastOfTheSameOp) {
  const std::string stage = "x| MLIR Module ttnn:\n" + kModule + "---- END OF MLIR MODULE ----\n";
  const std::string function = " ('func.func' operation: @f)", module = " ('builtin.module' operation: @f)",
                    other = " ('func.func' operation: @g)";
  struct Case {
    std::string first, second;
    bool changed;
  };
  const Case kCases[] = {
      {after("A (a)" + function) + kModule, after("B (b)" + function) + kModule, false},
      {after("A (a)" + function) + kModule, after("B (b)" + other) + kModule, true},
      {after("A (a)" + function) + kModule, after("B (b)" + module) + kModule, true},
      {after("A (a)") + kModule, after("B (b)") + kModule, false},
      {stage, after("B (b)") + kModule, true},
      {after("A (a)" + function) + kModule + after("X (x)" + other) + kOther, after("B (b)" + function) + kModule,
       false},
      {after("A (a)" + function) + kModule + after("X (x)" + function) + kOther, after("B (b)" + function) + kModule,
       true},
  };
  for (const Case& one : kCases) {
    const PassLogText log = readPassLog(one.first + one.second);
    ASSERT_FALSE(log.runs.empty());
    EXPECT_EQ(log.runs.back().pass, "B");
    EXPECT_EQ(log.runs.back().changed, one.changed) << one.first << one.second;
  }
}

// The two dumps of a run are of one pass and one op; else they are two runs.
TEST(PassLog, DumpsBeforeAndAfterArePairedByPassAndOp) {
  const std::string f = " ('func.func' operation: @f)", g = " ('func.func' operation: @g)";
  const std::pair<std::string, std::string> kPairs[] = {
      {"A (a)" + f, "A (a)" + f}, {"A (a)" + f, "A (a)" + g}, {"A (a)" + f, "B (b)" + f}, {"A (a)" + f, "A (a)"}};
  for (const auto& [first, second] : kPairs) {
    const PassLogText log = readPassLog(before(first) + kModule + after(second) + kOther);
    ASSERT_EQ(log.runs.size(), first == second ? 1u : 2u) << second;
    EXPECT_EQ(log.runs[0].before, 0);
    EXPECT_EQ(log.runs.back().after, 1);
  }
  const PassLogText twice = readPassLog(before("A (a)") + kModule + after("A (a)") + kOther + after("A (a)") + kOther);
  ASSERT_EQ(twice.runs.size(), 2u) << "a pair takes one dump after it";
  EXPECT_FALSE(twice.runs[1].changed);
}

TEST(PassLog, LinesOfLoggersAreNoIr) {
  const std::string line = "2026-02-21 22:37:01.783 (   0.003s) [  4BC0D480]  client.cc:18   1| MLIR is fine\n";
  const std::string text =
      "Using TT-Metal from the source tree\n" + line + after("A (a)") + "\n" + line + "module @m {\n" + line +
      "  func.func @main() {\n    return\n  }\n}\n#loc = loc(unknown)\n\n" + line + "something else\n";
  PassLogText log = readPassLog(text);
  ASSERT_EQ(log.dumps.size(), 1u);
  EXPECT_EQ(dumpText(text, log.dumps[0]), kModule + "#loc = loc(unknown)\n");
}

// Each mark of the date counts: with another one the line belongs to the dump.
TEST(PassLog, OtherDatesBeginNoLoggersLine) {
  for (const char* date : {"2026/02-21 22:37:01", "2026-02/21 22:37:01", "2026-02-21T22:37:01", "2026-02-21 22.37:01",
                           "2026-02-21 22:37.01"}) {
    const std::string text = after("A (a)") + "module @m {\n" + date + " x\n}\n" + after("B (b)") + kOther;
    const PassLogText log = readPassLog(text);
    ASSERT_EQ(log.dumps.size(), 2u);
    EXPECT_EQ(dumpText(text, log.dumps[0]), std::string("module @m {\n") + date + " x\n}\n");
  }
}

TEST(PassLog, ACopyWithoutMarkerIsNoPartOfTheDumpBeforeIt) {
  const std::string text = after("A (a)") + kModule + "2026-02-21 22:37:07.913 compiled\n#dram = #ttnn.x\n" + kOther;
  PassLogText log = readPassLog(text);
  ASSERT_EQ(log.dumps.size(), 1u);
  EXPECT_EQ(dumpText(text, log.dumps[0]), kModule);
}

// Each dump is its own part of the log, up to where the next begins.
TEST(PassLog, ADumpEndsWhereTheNextBegins) {
  const std::string third = "module @third {\n}\n";
  const std::string text = after("A (a)") + kModule + after("B (b)") + kOther + after("C (c)") + third;
  const PassLogText log = readPassLog(text);
  ASSERT_EQ(log.dumps.size(), 3u);
  EXPECT_EQ(dumpText(text, log.dumps[0]), kModule);
  EXPECT_EQ(dumpText(text, log.dumps[1]), kOther);
  EXPECT_EQ(dumpText(text, log.dumps[2]), third);
  EXPECT_EQ(log.dumps[0].begin, after("A (a)").size());
  EXPECT_EQ(log.dumps[1].line, 7u);
  EXPECT_EQ(log.dumps[2].line, 14u);
  const std::string open = "module @m {\n  func.func @main() {\n";  // never closed: all that follows could be its own
  const std::string cut = after("A (a)") + open + after("B (b)") + kOther;
  const PassLogText torn = readPassLog(cut);
  ASSERT_EQ(torn.dumps.size(), 2u);
  EXPECT_EQ(dumpText(cut, torn.dumps[0]), open);
}

TEST(PassLog, StagesOfTheFrontEndAreDumps) {
  const std::string text =
      "2026-02-21 22:37:07.913 (  2.027s) [ 4BC0D480] module_builder.cc:1118  1| MLIR Module ttnn:\n" + kOther +
      "------------------ END OF MLIR MODULE ------------------\n" + after("A (a)") + kModule;
  PassLogText log = readPassLog(text);
  ASSERT_EQ(log.dumps.size(), 2u);
  EXPECT_EQ(log.dumps[0].moment, DumpMoment::Stage);
  EXPECT_EQ(log.dumps[0].pass, "ttnn");
  EXPECT_EQ(dumpText(text, log.dumps[0]), kOther);
  EXPECT_EQ(log.runs.size(), 1u);
}

TEST(PassLog, ATruncatedDumpIsNotComplete) {
  const std::string text = after("A (a)") + kModule + after("B (b)") + kOther.substr(0, 40);
  PassLogText log = readPassLog(text);
  ASSERT_EQ(log.dumps.size(), 2u);
  EXPECT_TRUE(log.dumps[0].complete);
  EXPECT_FALSE(log.dumps[1].complete);
}

TEST(PassLog, AnyTextIsReadWithoutHarm) {
  const std::string marker = "// -----// IR Dump ";
  for (const std::string& text :
       {std::string(), marker, marker + "After", marker + "After X (", marker + "Before X (' operation",
        "\n" + marker + "\n", marker + "After ((((((((\n}\n", std::string("// -----// IR Dump \0 ()", 23),
        marker + "After A ()() //----- //"}) {
    PassLogText log = readPassLog(text);
    for (const IrDump& dump : log.dumps) dumpText(text, dump);
    EXPECT_LE(log.dumps.size(), 1u);
  }
  EXPECT_FALSE(looksLikePassLog("  // -----// IR Dump After X"));
}

TEST(PassLogReader, DoesNotMindWhereTheTextIsCut) {
  const std::string text = "2026-02-21 22:37:07.913 (2.0s) [1] x.cc:1 1| MLIR Module ttir:\n" + std::string(kModule) +
                           after("A (a)") + kModule + after("B (b)") + kOther;
  const PassLogText whole = readPassLog(text);
  for (size_t step : {size_t{1}, size_t{7}, size_t{64}}) {
    PassLogReader reader;
    for (size_t at = 0; at < text.size(); at += step) reader.feed(std::string_view(text).substr(at, step));
    const PassLogText pieces = reader.finish();
    ASSERT_EQ(pieces.dumps.size(), whole.dumps.size()) << step;
    for (size_t i = 0; i < whole.dumps.size(); ++i) {
      EXPECT_EQ(pieces.dumps[i].hash, whole.dumps[i].hash);
      EXPECT_EQ(pieces.dumps[i].begin, whole.dumps[i].begin);
      EXPECT_EQ(pieces.dumps[i].end, whole.dumps[i].end);
      EXPECT_EQ(pieces.dumps[i].line, whole.dumps[i].line);
      EXPECT_EQ(dumpText(text, pieces.dumps[i]), dumpText(text, whole.dumps[i]));
    }
  }
}

// Dumps of functions are worth less than those of modules, whatever of the module they print; stages come in between
// without a word on passes.
TEST(PassLog, RanksOfDumps) {
  const auto rank = [](bool ttnn, bool module, const char* operation, DumpMoment moment, bool complete) {
    IrDump dump;
    dump.ttnn = ttnn, dump.module = module, dump.operation = operation, dump.moment = moment, dump.complete = complete;
    return dumpRank(dump);
  };
  EXPECT_EQ(rank(false, false, "func.func", DumpMoment::After, true), 0);
  EXPECT_EQ(rank(false, true, "func.func", DumpMoment::After, true), 0);
  EXPECT_EQ(rank(false, true, "builtin.module", DumpMoment::After, true), 1);
  EXPECT_EQ(rank(false, true, "", DumpMoment::Stage, true), 1);
  EXPECT_EQ(rank(true, true, "func.func", DumpMoment::After, true), 2);
  EXPECT_EQ(rank(true, true, "builtin.module", DumpMoment::Failed, true), 3);
  EXPECT_EQ(rank(true, true, "builtin.module", DumpMoment::Before, true), -1);
  EXPECT_EQ(rank(true, true, "builtin.module", DumpMoment::After, false), -1);
}

TEST(PassLog, StagesAreNoStatesToCompareWith) {
  const std::string stage = "2026-02-21 22:37:01 | 1| MLIR Module ttnn:\n";
  const auto dump = [](const std::string& pass, const std::string& op) {
    return "// -----// IR Dump After " + pass + " (p) //----- //\nmodule {\n  " + op + "\n}\n\n";
  };
  const PassLogText log =
      readPassLog(dump("A", "x.y") + stage + "module {\n  z.z\n}\n\n" + dump("B", "x.y") + dump("C", "z.z") +
                  "// -----// IR Dump After D Failed (p) //----- //\nmodule {\n  z.z\n}\n");
  ASSERT_EQ(log.runs.size(), 4u);
  EXPECT_FALSE(log.runs[1].changed) << "B left what A made";
  EXPECT_TRUE(log.runs[2].changed);
  EXPECT_FALSE(log.runs[2].failed);
  EXPECT_TRUE(log.runs[3].failed);
  EXPECT_FALSE(log.runs[3].changed);
}

}  // namespace
}  // namespace tessera::test
