// How often loops run that are unrolled, and what their bodies read from around them.

#include "tests/compare_graphs.h"
#include "tests/lowering/lowering_testing.h"

namespace tessera::test {
namespace {

struct Loop {
  int64_t from = 0, to = 0, step = 1;
  std::string direction = "LT";
  bool straight = true;  // the counter stands on the left
};

constexpr int64_t kEndless = 1000;

// By running it.
int64_t turnsOf(const Loop& loop) {
  int64_t turns = 0;
  for (int64_t i = loop.from; turns < kEndless; i += loop.step, ++turns) {
    const int64_t a = loop.straight ? i : loop.to, b = loop.straight ? loop.to : i;
    const bool more = loop.direction == "LT"   ? a < b
                      : loop.direction == "LE" ? a <= b
                      : loop.direction == "GT" ? a > b
                      : loop.direction == "GE" ? a >= b
                                               : a != b;
    if (!more) return turns;
  }
  return kEndless;
}

std::string textOf(const Loop& loop) {
  const auto constant = [](const std::string& name, int64_t number) {
    return "  %" + name + " = stablehlo.constant dense<" + std::to_string(number) + "> : tensor<i32>\n";
  };
  return "func.func private @test(%i: tensor<i32>, %a: tensor<4xf32>, %n: tensor<i32>) -> tensor<i1> {\n"
         "  %0 = stablehlo.compare " +
         loop.direction + (loop.straight ? ", %i, %n" : ", %n, %i") +
         ", SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n  return %0 : tensor<i1>\n}\n"
         "func.func private @turn(%i: tensor<i32>, %a: tensor<4xf32>, %s: tensor<i32>, %y: tensor<4xf32>) -> "
         "(tensor<i32>, tensor<4xf32>) {\n  %0 = stablehlo.add %i, %s : tensor<i32>\n"
         "  %1 = stablehlo.negate %y : tensor<4xf32>\n  return %0, %1 : tensor<i32>, tensor<4xf32>\n}\n"
         "func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {\n" +
         constant("from", loop.from) + constant("to", loop.to) + constant("step", loop.step) +
         "  %r:2 = \"stablehlo.while\"(%from, %x, %to, %step, %y) {body = @test, body1 = @turn, captures = array<i64: "
         "1, 2>} : (tensor<i32>, tensor<4xf32>, tensor<i32>, tensor<i32>, tensor<4xf32>) -> (tensor<i32>, "
         "tensor<4xf32>)\n  return %r#1 : tensor<4xf32>\n}\n";
}

// Turns that were unrolled, or what is said of a loop that was not.
std::string unrolled(const std::string& text) {
  LoweringSetup setup;
  setup.context.byName = true;
  const LoweringResult result = passOn("inline", graphOfText(text), setup);
  for (const PassLog& log : result.logs) {
    for (const PassLogNote& note : log.problems) return note.text;
  }
  std::map<std::string, int> counts = countOps(result.graph);
  return std::to_string(counts["stablehlo.negate"]);
}

std::string unrolled(const Loop& loop) { return unrolled(textOf(loop)); }

TEST(Loops, RunAsOftenAsTheyCount) {
  int known = 0;
  for (const char* direction : {"LT", "LE", "GT", "GE", "NE"}) {
    for (bool straight : {true, false}) {
      for (int64_t step : {-3, -2, -1, 1, 2, 3}) {
        for (const auto& [from, to] : {std::pair(0, 0), std::pair(0, 1), std::pair(0, 6), std::pair(6, 0),
                                       std::pair(-5, 2), std::pair(2, -5), std::pair(1, 0)}) {
          const Loop loop{from, to, step, direction, straight};
          const int64_t turns = turnsOf(loop);
          SCOPED_TRACE(std::to_string(from) + (straight ? " " : " turned ") + direction + " " + std::to_string(to) +
                       " by " + std::to_string(step));
          const std::string said = unrolled(loop);
          // Counters that go the other way run not at all, which nobody works out, or without end.
          const bool away = std::string(direction) != "NE" && (step > 0) != ((direction[0] == 'L') == straight);
          if (turns == kEndless || away) {
            EXPECT_NE(said.find("an unknown number of turns"), std::string::npos) << said;
            continue;
          }
          EXPECT_EQ(said, std::to_string(turns));
          ++known;
        }
      }
    }
  }
  EXPECT_GT(known, 150);
}

TEST(Loops, OfSixtyFourTurnsAreUnrolledAndNoLonger) {
  EXPECT_EQ(unrolled({0, 64, 1, "LT"}), "64");
  EXPECT_EQ(unrolled({0, 63, 1, "LE"}), "64");
  EXPECT_NE(unrolled({0, 65, 1, "LT"}).find(" 65 turns"), std::string::npos) << unrolled({0, 65, 1, "LT"});
  EXPECT_NE(unrolled({0, 128, 2, "LE"}).find(" 65 turns"), std::string::npos) << unrolled({0, 128, 2, "LE"});
}

// Counters of 2^40 to either side, and steps of as much; a step of none never ends.
TEST(Loops, OfCountersBeyondReasonAreNotKnown) {
  const auto turns = [](int64_t from, int64_t to, int64_t step, const std::string& direction = "LT") {
    std::string text = textOf({from, to, step, direction});
    for (size_t at = 0; (at = text.find("tensor<i32>", at)) != std::string::npos;) text.replace(at, 11, "tensor<i64>");
    const std::string said = unrolled(text);
    return said.find("an unknown number of turns") != std::string::npos ? "unknown" : said;
  };
  constexpr int64_t kMost = int64_t{1} << 40;
  EXPECT_EQ(turns(kMost - 2, kMost, 1), "2");
  EXPECT_EQ(turns(kMost - 2, kMost + 1, 1), "unknown");
  EXPECT_EQ(turns(-kMost, 2 - kMost, 1), "2");
  EXPECT_EQ(turns(-kMost - 1, 2 - kMost, 1), "unknown");
  EXPECT_EQ(turns(-1, 1, kMost), "1");
  EXPECT_EQ(turns(-1, 1, kMost + 1), "unknown");
  EXPECT_EQ(turns(1, -1, -kMost, "GT"), "1");
  for (const char* direction : {"LT", "LE", "GT", "GE", "NE"}) EXPECT_EQ(turns(3, 0, 0, direction), "unknown");
}

// Numbers of other dialects count as well; those that are no integers do not.
TEST(Loops, CountersAreIntegersOfAnyDialect) {
  std::string text = textOf({0, 6, 2, "LT"});
  for (const char* name : {"%to = ", "%step = "})
    text.replace(text.find(name) + std::string(name).size(), std::string("stablehlo").size(), "arith");
  EXPECT_EQ(unrolled(text), "3");
  text = textOf({0, 6, 2, "LT"});
  for (size_t at = 0; (at = text.find("tensor<i32>", at)) != std::string::npos;) text.replace(at, 11, "tensor<f32>");
  for (const char* number : {"<0>", "<6>", "<2>"}) text.insert(text.find(number) + 2, ".0");
  text.replace(text.find("SIGNED"), 6, "FLOAT");
  EXPECT_NE(unrolled(text).find("an unknown number of turns"), std::string::npos);
}

// 64 turns of 3125 ops are 200,000, which is one too many; so are as many as that with what stands before them.
TEST(Loops, ThatAreTooLongAreNotUnrolled) {
  const auto said = [](int ops, int before) {
    std::string text = textOf({0, 64, 1, "LT"}), more, first;
    for (int i = 3; i < ops; ++i) more += "  %m" + std::to_string(i) + " = stablehlo.negate %y : tensor<4xf32>\n";
    for (int i = 3; i < before; ++i) first += "  %b" + std::to_string(i) + " = stablehlo.abs %x : tensor<4xf32>\n";
    text.insert(text.find("  return %0, %1"), more);
    text.insert(text.find("  %from"), first);
    return unrolled(text);
  };
  EXPECT_NE(said(3125, 3).find("stands for 64 turns"), std::string::npos) << said(3125, 3);
  EXPECT_NE(said(3124, 64).find("stands for 64 turns"), std::string::npos) << said(3124, 64);
}

// What is carried beside the counter stands for one number only where every turn gives it on as it is.
TEST(Loops, ABoundOrAStepThatTurnsChangeIsNotKnown) {
  const auto turns = [](const std::string& compare, const std::string& next, const std::string& beside) {
    const std::string i = "tensor<i32>", x = "tensor<4xf32>", all = i + ", " + i + ", " + x;
    const auto number = [&](const char* name, int value) {
      return "  %" + std::string(name) + " = stablehlo.constant dense<" + std::to_string(value) + "> : " + i + "\n";
    };
    return unrolled("func.func @main(%x: " + x + ") -> " + x + " {\n" + number("from", 1) + number("by", 3) +
                    "  %r:3 = stablehlo.while(%i = %from, %b = %by, %a = %x) : " + all + "\n  cond {\n" +
                    number("n", 10) + "  %0 = stablehlo.compare LT, " + compare + ", SIGNED : (" + i + ", " + i +
                    ") -> tensor<i1>\n  stablehlo.return %0 : tensor<i1>\n  } do {\n" + number("one", 1) +
                    "  %0 = stablehlo.add " + next + " : " + i + "\n  %1 = stablehlo.subtract %b, %one : " + i +
                    "\n  %2 = stablehlo.negate %a : " + x + "\n  stablehlo.return %0, " + beside + ", %2 : " + all +
                    "\n  }\n  return %r#2 : " + x + "\n}\n");
  };
  const std::string unknown =
      "one turn of the loop's body stands for an unknown number of turns; the compiler takes no loops";
  EXPECT_EQ(turns("%i, %n", "%i, %b", "%b"), "3") << "1, 4, 7";
  EXPECT_EQ(turns("%i, %n", "%i, %b", "%1"), unknown) << "1, 4, 6, 7, 7, 6, ...";
  EXPECT_EQ(turns("%i, %b", "%i, %one", "%b"), "2") << "1, 2 below 3";
  EXPECT_EQ(turns("%i, %b", "%i, %one", "%1"), unknown) << "1 below 3, 2 not below 2";
  EXPECT_EQ(turns("%i, %n", "%i, %i", "%b"), unknown) << "1, 2, 4, 8";
}

// The condition captures one value, the body two: each reads its own.
TEST(Loops, BodiesReadWhatTheyCapture) {
  const Graph before = graphOfText(textOf({1, 7, 2, "LT"}));
  LoweringSetup setup;
  const LoweringResult result = passOn("inline", before, setup);
  int seen = 0;
  for (OpId id : result.graph.funcs[result.graph.forward].ops) {
    const Op& op = result.graph.ops[id];
    if (op.name != "stablehlo.negate") continue;
    EXPECT_EQ(result.graph.values[op.operands[0]].name, "y");
    ++seen;
  }
  EXPECT_EQ(seen, 3);
  for (const Op& op : result.graph.ops) {
    if (op.name == "stablehlo.add" && op.func.valid()) {
      EXPECT_EQ(result.graph.values[op.operands[1]].name, "step");
    }
  }
}

}  // namespace
}  // namespace tessera::test
