// The problem as JSON: what stands in it agrees with the plans and runs of the program itself.

#include "core/report/problem_json.h"

#include "core/driver/pipeline.h"
#include "tests/driver/driver_testing.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

std::string problemOf(const std::string& text, const Options& options = {}) {
  Session session;
  session.load("x", text);
  auto prepared = prepareRun(session, options, {});
  return prepared->problem ? problemOut(*prepared) : "{}";
}

std::string sample(const char* name) {
  return readFile(std::filesystem::path(TESSERA_SOURCE_DIR) / "web/public/samples" / name);
}

TEST(ProblemJson, HasEveryOpAndValueOnce) {
  Json problem(problemOf(kRelu));
  EXPECT_EQ(problem["schema"].asInteger(), 1);
  EXPECT_EQ(problem["ops"].size(), 2u);
  EXPECT_EQ(problem["ops"].at(0).get("op").asString(), "ttnn.relu");
  EXPECT_EQ(problem["ops"].at(1).get("class").asInteger(), -1);
  ASSERT_EQ(problem["values"].size(), 2u);
  EXPECT_EQ(problem["values"].at(0).get("name").asString(), "%a");
  EXPECT_EQ(problem["values"].at(0).get("from").asInteger(), -1);
  EXPECT_GE(problem["values"].at(0).get("pinned").asInteger().value_or(-1), 0) << "arguments are given";
  EXPECT_EQ(problem["values"].at(1).get("pinned").asInteger(), -1);
  EXPECT_EQ(problem["values"].at(1).get("to").asInteger(), 1);
}

TEST(ProblemJson, OpsThatAreAlikeShareTheirCandidates) {
  std::string text = "func.func @main(%x0: tensor<256x256xbf16>) -> tensor<256x256xbf16> {\n";
  for (int i = 0; i < 20; ++i) {
    text += "  %x" + std::to_string(i + 1) + " = \"ttir.relu\"(%x" + std::to_string(i) +
            ") : (tensor<256x256xbf16>) -> tensor<256x256xbf16>\n";
  }
  Json problem(problemOf(text + "  return %x20 : tensor<256x256xbf16>\n}\n"));
  EXPECT_EQ(problem["ops"].size(), 21u);
  EXPECT_LE(problem["classes"].size(), 2u) << "the first reads an argument";
  EXPECT_EQ(problem["types"].size(), 1u);
}

// The table is square, has nothing on its diagonal, and every way is one that the program itself would take.
TEST(ProblemJson, ConversionsAreTimed) {
  Json problem(problemOf(sample("residual-block.mlir")));
  for (size_t t = 0; t < problem["types"].size(); ++t) {
    JsonValue type = problem["types"].at(t), table = type.get("conversions");
    const size_t n = type.get("layouts").size();
    ASSERT_EQ(table.size(), n);
    ASSERT_EQ(type.get("bytes").size(), n);
    for (size_t i = 0; i < n; ++i) {
      ASSERT_EQ(table.at(i).size(), n);
      EXPECT_EQ(table.at(i).at(i).asInteger(), 0);
      for (size_t j = 0; j < n; ++j) EXPECT_NE(table.at(i).at(j).asInteger(), i == j ? 1 : 0) << t;
    }
  }
}

// Every op that a policy decides has a candidate, and Greedy's plan finds the time of its steps among them.
TEST(ProblemJson, TimesAreThoseOfTheRun) {
  const std::string text = sample("residual-block.mlir");
  Options options;
  Session session;
  session.load("x", text);
  auto finished = runPolicy(session, options, {});
  Json problem(problemOf(text, options));
  const Problem& own = *finished->problem;
  int found = 0, asked = 0;
  for (const SimStep& step : finished->report.run->program->sim.steps) {
    if (finished->report.run->program->applied.inserted[step.op] || !own.graph.ops.contains(step.op)) continue;
    const auto at = static_cast<size_t>(own.schedule.position[step.op]);
    const auto number = problem["ops"].at(at).get("class").asInteger().value_or(-1);
    if (number < 0) continue;
    JsonValue candidates = problem["classes"].at(static_cast<size_t>(number));
    EXPECT_GT(candidates.size(), 0u) << own.graph.ops[step.op].name;
    ++asked;
    for (size_t i = 0; i < candidates.size(); ++i) {
      if (candidates.at(i).get("time").asInteger() != step.time.total().count) continue;
      ++found;
      break;
    }
  }
  EXPECT_GT(asked, 3);
  EXPECT_GE(found * 4, asked * 3) << "of " << asked;
}

TEST(ProblemJson, NamesItsOptions) {
  Options options;
  options.device = "p150";
  Json problem(problemOf(kRelu, options));
  EXPECT_EQ(problem["options"].get("device").asString(), "p150");
  EXPECT_EQ(problem["options"].size(), 1u);
  EXPECT_EQ(problem["grid"].at(0).asInteger(), 10);
}

TEST(ProblemJson, IndicesPointAtSomething) {
  Json problem(problemOf(sample("conv-relu.mlir")));
  const auto layouts = static_cast<int64_t>(problem["layouts"].size());
  const auto settings = static_cast<int64_t>(problem["settings"].size());
  EXPECT_GT(settings, 0) << "of the convolution";
  for (size_t c = 0; c < problem["classes"].size(); ++c) {
    JsonValue candidates = problem["classes"].at(c);
    for (size_t i = 0; i < candidates.size(); ++i) {
      EXPECT_LT(*candidates.at(i).get("result").asInteger(), layouts);
      EXPECT_LT(*candidates.at(i).get("settings").asInteger(), settings);
    }
  }
}

// Blocks of a matmul, an activation, a residual addition and a softmax: 1,000 ops stay small.
TEST(ProblemJson, AThousandOpsTakeLessThanTwoMegabytes) {
  const std::string type = "tensor<512x512xbf16>";
  std::string text = "func.func @main(%x0: " + type + ", %w: " + type + ") -> " + type + " {\n", last = "%x0";
  for (int block = 0; block < 250; ++block) {
    const std::string n = std::to_string(block);
    text += "  %m" + n + " = \"ttir.matmul\"(" + last + ", %w) <{transpose_a = false, transpose_b = false}> : (" +
            type + ", " + type + ") -> " + type + "\n  %g" + n + " = \"ttir.gelu\"(%m" + n + ") : (" + type + ") -> " +
            type + "\n  %a" + n + " = \"ttir.add\"(%g" + n + ", " + last + ") : (" + type + ", " + type + ") -> " +
            type + "\n  %s" + n + " = \"ttir.softmax\"(%a" + n + ") <{dimension = -1 : si32}> : (" + type + ") -> " +
            type + "\n";
    last = "%s" + n;
  }
  EXPECT_LT(problemOf(text + "  return " + last + " : " + type + "\n}\n").size(), 2'000'000u);
}

}  // namespace
}  // namespace tessera::test
