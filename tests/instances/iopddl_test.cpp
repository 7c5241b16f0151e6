// Layout choice under a memory limit: against enumeration, on the public instances, and on damaged files.

#include "core/instances/iopddl.h"

#include <gtest/gtest.h>

#include "core/instances/iopddl_usage.h"
#include "tests/sizes.h"

namespace tessera {
namespace {

IopddlProblem randomProblem(uint64_t seed) {
  Prng random(seed);
  IopddlProblem problem;
  const int nodes = static_cast<int>(1 + random.below(6));
  for (int v = 0; v < nodes; ++v) {
    IopddlProblem::Node node{.begin = random.below(6), .end = random.below(8), .usages = {}};
    std::vector<Cost> costs;
    const int64_t strategies = 1 + random.below(3);
    for (int64_t s = 0; s < strategies; ++s) {
      node.usages.push_back(random.below(10));
      costs.push_back(random.below(12) == 0 ? kForbidden : random.below(20));
    }
    problem.nodes.push_back(node);
    problem.costs.addVariable(costs);
  }
  for (int64_t e = random.below(8); e > 0 && nodes > 1; --e) {
    const int a = static_cast<int>(random.below(nodes));
    const int b = (a + 1 + static_cast<int>(random.below(nodes - 1))) % nodes;
    std::vector<Cost> table(static_cast<size_t>(problem.costs.domain(a) * problem.costs.domain(b)));
    for (Cost& cost : table) cost = random.below(8) == 0 ? kForbidden : random.below(20);
    problem.costs.addFactor({a, b}, table);
  }
  problem.usageLimit = random.below(25);
  return problem;
}

Cost bruteForce(const IopddlProblem& problem) {
  std::vector<int> values(problem.nodes.size(), 0);
  Cost best = kForbidden;
  while (true) {
    best = std::min(best, evaluateIopddl(problem, values));
    size_t i = values.size();
    while (i > 0) {
      if (++values[i - 1] < problem.costs.domain(static_cast<int>(i - 1))) break;
      values[--i] = 0;
    }
    if (i == 0) return best;
  }
}

TEST(Iopddl, BoundsEncloseTheOptimum) {
  int found = 0, possible = 0, proven = 0;
  const int problems = static_cast<int>(test::seeds(600));
  for (int seed = 0; seed < problems; ++seed) {
    const IopddlProblem problem = randomProblem(static_cast<uint64_t>(seed));
    const Cost best = bruteForce(problem);
    const IopddlResult result = solveIopddl(problem, {.budget = WorkBudget(60'000)});
    ASSERT_LE(result.lowerBound, best) << "seed " << seed;
    ASSERT_GE(result.cost, best) << "seed " << seed;
    if (result.feasible) {
      ASSERT_EQ(evaluateIopddl(problem, result.values), result.cost) << "seed " << seed;
    }
    if (result.proven) {
      ASSERT_EQ(result.cost, best) << "seed " << seed;
    }
    possible += !isForbidden(best);
    found += result.cost == best && result.feasible;
    proven += result.proven;
  }
  EXPECT_GT(possible * 600, 250 * problems);
  EXPECT_GE(found * 100, possible * 95);
  EXPECT_GT(proven * 600, 100 * problems);
}

TEST(Iopddl, ProfileEqualsPlainCounting) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const IopddlProblem problem = randomProblem(seed);
    UsageProfile profile(problem);
    Prng random(seed);
    std::vector<int64_t> usage(problem.nodes.size(), 0);
    for (int edit = 0; edit < 30; ++edit) {
      const int node = static_cast<int>(random.below(static_cast<int64_t>(usage.size())));
      const int64_t change = random.below(9) - 3;
      usage[static_cast<size_t>(node)] += change;
      profile.add(node, change);
      const std::vector<int64_t> steps = profile.perStep();
      for (size_t s = 0; s < profile.steps(); ++s) {
        int64_t expected = 0;
        for (size_t v = 0; v < usage.size(); ++v)
          if (profile.first(static_cast<int>(v)) <= s && s < profile.last(static_cast<int>(v))) expected += usage[v];
        ASSERT_EQ(steps[s], expected) << "seed " << seed;
        int64_t most = INT64_MIN;
        for (size_t t = s; t < profile.steps(); ++t) {
          most = std::max(most, steps[t]);
          ASSERT_EQ(profile.most(s, t + 1), most) << "seed " << seed << " " << s << ".." << t;
        }
      }
    }
  }
}

constexpr const char* kSmall =
    R"({"problem": {"name": "x", "more": [{"a": "]"}], "nodes": {"intervals": [[0, 5], [2, 6]], "costs": [[1, 2], [3]], "usages": [[4, 1], [5]]},
        "edges": {"nodes": [[0, 1]], "costs": [[1000000000000000000, 0]]}, "usage_limit": 6}})";

TEST(Iopddl, ReadsAndSolvesASmallFile) {
  Diagnostics diagnostics;
  const std::optional<IopddlProblem> problem = readIopddl(SourceBuffer("small", kSmall), diagnostics);
  ASSERT_TRUE(problem.has_value());
  EXPECT_EQ(problem->name, "x");
  const IopddlResult result = solveIopddl(*problem, {.budget = WorkBudget(100'000)});
  EXPECT_TRUE(result.proven);
  EXPECT_EQ(result.cost, 5);
}

TEST(Iopddl, WhiteSpaceOfEveryKindMayStandBetween) {
  std::string spaced;
  for (const char* at = kSmall; *at != '\0'; ++at) {
    spaced += *at;
    if (*at == ',' || *at == ':' || *at == '[' || *at == '{') spaced += "\t\r\n ";
  }
  Diagnostics diagnostics;
  const std::optional<IopddlProblem> problem = readIopddl(SourceBuffer("spaced", spaced + "\r\n"), diagnostics);
  ASSERT_TRUE(problem.has_value()) << diagnostics.all()[0].message;
  EXPECT_EQ(problem->usageLimit, 6);
  EXPECT_EQ(problem->nodes.at(1).begin, 2);
  EXPECT_EQ(problem->nodes.at(1).end, 6);
  EXPECT_EQ(problem->nodes.at(0).usages, (std::vector<int64_t>{4, 1}));
}

TEST(Iopddl, RefusesDamagedFiles) {
  const std::string whole = kSmall;
  for (size_t cut = 0; cut + 1 < whole.size(); ++cut) {
    Diagnostics diagnostics;
    EXPECT_FALSE(readIopddl(SourceBuffer("cut", whole.substr(0, cut)), diagnostics).has_value()) << cut;
    EXPECT_TRUE(diagnostics.hasErrors()) << cut;
  }
  const auto refused = [](const std::string& from, const std::string& to) {
    std::string text = kSmall;
    text.replace(text.find(from), from.size(), to);
    Diagnostics diagnostics;
    return !readIopddl(SourceBuffer("changed", text), diagnostics).has_value() && diagnostics.hasErrors();
  };
  EXPECT_TRUE(refused("[[0, 1]]", "[[0, 2]]"));
  EXPECT_TRUE(refused("[[0, 1]]", "[[0, 0]]"));
  EXPECT_TRUE(refused("[4, 1]", "[4]"));
  EXPECT_TRUE(refused("[4, 1]", "[-4, 1]"));
  EXPECT_TRUE(refused("[1, 2]", "[1.5, 2]"));
  EXPECT_TRUE(refused("[1, 2]", "[]"));
  EXPECT_TRUE(refused("[1, 2]", "[1, 999999999999999999]"));
  EXPECT_TRUE(refused("\"usage_limit\": 6", "\"usage_limi\": 6"));
  EXPECT_TRUE(refused("[{\"a\": \"]\"}]", std::string(100'000, '[')));
}

// Line and reason, of a file with a line for every list.
std::string mistakeIn(const std::string& from, const std::string& to) {
  std::string text =
      "{\"problem\": {\"name\": \"x\", \"nodes\": {\n\"intervals\": [[0, 5],\n[2, 6]],\n\"costs\": [[1, "
      "2],\n[3]],\n\"usages\": "
      "[[4, 1],\n[5]]},\n\"edges\": {\"nodes\": [\n[0, 1]],\n\"costs\": [\n[9, 0]]},\n\"usage_limit\": 6}}";
  text.replace(text.find(from), from.size(), to);
  Diagnostics diagnostics;
  const SourceBuffer source("x.json", text);
  EXPECT_FALSE(readIopddl(source, diagnostics).has_value()) << to;
  if (diagnostics.all().empty()) return "nothing";
  const Diagnostic& first = diagnostics.all().front();
  return std::to_string(source.lineColumn(first.span.begin).line) + ": " +
         first.message.substr(first.message.find(": ") + 2);
}

TEST(Iopddl, TellsLineAndReason) {
  std::string many;
  for (int i = 0; i < 4096; ++i) many += "3,";
  EXPECT_EQ(mistakeIn("[2, 6]", "[2]"), "3: node 1: an interval is two times that are not negative");
  EXPECT_EQ(mistakeIn("[2, 6]", "[-2, 6]"), "3: node 1: an interval is two times that are not negative");
  EXPECT_EQ(mistakeIn("[2, 6]", "[2, -6]"), "3: node 1: an interval is two times that are not negative");
  EXPECT_EQ(mistakeIn(",\n[2, 6]", ""), "2: `intervals`, `costs` and `usages` have different lengths");
  EXPECT_EQ(mistakeIn("[3]", "[]"), "5: node 1: 1 to 4096 strategies are read");
  EXPECT_EQ(mistakeIn("[3]", "[NaN]"), "5: expected an integer");
  EXPECT_EQ(mistakeIn("[3]", "[3.0]"), "5: expected an integer, not a fraction");
  EXPECT_EQ(mistakeIn("[3]", "[3e1]"), "5: expected an integer, not a fraction");
  EXPECT_EQ(mistakeIn("[3]", "[\"3\"]"), "5: expected an integer");
  EXPECT_EQ(mistakeIn("[3]", "[999999999999999999]"),
            "5: node 1: a cost is too large and yet below 10^18, which means forbidden");
  EXPECT_EQ(mistakeIn("[3]", "[-9999999999999999999999]"),
            "5: node 1: a cost is too large and yet below 10^18, which means forbidden");
  EXPECT_EQ(mistakeIn("[5]", "[5, 5]"), "7: node 1: as many usages as costs are needed");
  EXPECT_EQ(mistakeIn("[5]", "[-5]"), "7: node 1: a usage is negative or too large");
  EXPECT_EQ(mistakeIn("[5]", "[99999999999999999999]"), "7: node 1: a usage is negative or too large");
  EXPECT_EQ(mistakeIn("[5]]", "[5],\n[7]]"), "6: `intervals`, `costs` and `usages` have different lengths");
  EXPECT_EQ(mistakeIn("[2, 6]]", "[2, 6], [3, 7]]"), "2: `intervals`, `costs` and `usages` have different lengths");
  EXPECT_EQ(mistakeIn(",\n[5]", ""), "6: `intervals`, `costs` and `usages` have different lengths");
  EXPECT_EQ(mistakeIn("[0, 1]", "[0, 2]"), "9: edge 0: there is no node 2");
  EXPECT_EQ(mistakeIn("[0, 1]", "[0, -1]"), "9: edge 0: there is no node -1");
  EXPECT_EQ(mistakeIn("[0, 1]", "[1, 1]"), "9: edge 0: an edge joins two different nodes");
  EXPECT_EQ(mistakeIn("[0, 1]", "[0, 1, 1]"), "9: edge 0: an edge joins two different nodes");
  EXPECT_EQ(mistakeIn("[9, 0]", "[9, 0, 1]"), "11: edge 0: one cost per pair of strategies is needed");
  EXPECT_EQ(mistakeIn("[9, 0]", "[9, 0], [1, 2]"), "10: `edges.nodes` and `edges.costs` have different lengths");
  EXPECT_EQ(mistakeIn(": 6}}", ": -6}}"), "12: `usage_limit` is missing or negative");
  EXPECT_EQ(mistakeIn(": 6}}", ": 6}} x"), "12: text after the end");
  EXPECT_EQ(mistakeIn(": 6}}", ": 6}"), "12: expected `}`");
  EXPECT_EQ(mistakeIn(": 6}}", ": six}}"), "12: expected an integer");
  EXPECT_EQ(mistakeIn(": 6}}", ": 6.5}}"), "12: expected an integer, not a fraction");
  EXPECT_EQ(mistakeIn(": 6}}", ": 6E1}}"), "12: expected an integer, not a fraction");
  EXPECT_EQ(mistakeIn(",\n\"usage_limit\": 6", ""), "1: `usage_limit` is missing or negative");
  EXPECT_EQ(mistakeIn("\"costs\": [[1, 2],\n[3]],", "\"costs\": [],"), "4: `nodes.costs` is empty");
  EXPECT_EQ(mistakeIn("[3]", "3"), "5: expected `[`");
  EXPECT_EQ(mistakeIn("[3]", "[3 4]"), "5: expected `]`");
  EXPECT_EQ(mistakeIn("[3]", "[3,]"), "5: expected an integer");
  EXPECT_EQ(mistakeIn("\"name\": \"x\"", "\"name\": x"), "1: expected `\"`");
  EXPECT_EQ(mistakeIn("\"name\": \"x\"", "\"name\" \"x\""), "1: expected `:`");
  EXPECT_EQ(mistakeIn("\"name\": \"x\"", "\"more\": ]"), "1: unexpected bracket");
  EXPECT_EQ(mistakeIn("\"name\": \"x\"", "\"more\": " + std::string(65, '[')), "1: nesting too deep");
  EXPECT_EQ(mistakeIn("\"usage_limit\": 6}}", "\"more\": ["), "12: unexpected end");
  EXPECT_EQ(mistakeIn("[3]", "[" + many + "3]"), "5: node 1: 1 to 4096 strategies are read");
  EXPECT_EQ(mistakeIn("[3]", "[" + many.substr(2) + "3]"), "7: node 1: as many usages as costs are needed");
  EXPECT_EQ(mistakeIn("[2, 6]", "[2, 6, 7]"), "3: node 1: an interval is two times that are not negative");
  EXPECT_EQ(mistakeIn("[3]", "[" + std::to_string(kMaxTotalCost) + "]"), "4: the costs add up to more than 57 bits");
}

// Limits of what is read: the largest usage, the largest cost, and what is forbidden from there on.
TEST(Iopddl, LimitsAreInclusive) {
  const auto read = [](const std::string& from, const std::string& to) {
    std::string text = kSmall;
    text.replace(text.find(from), from.size(), to);
    Diagnostics diagnostics;
    return readIopddl(SourceBuffer("x.json", text), diagnostics);
  };
  const auto nothing = read("\"usage_limit\": 6", "\"usage_limit\": 0");
  ASSERT_TRUE(nothing) << "no room at all is a limit";
  EXPECT_EQ(nothing->usageLimit, 0);
  EXPECT_TRUE(read("[4, 1]", "[4398046511104, 1]"));
  EXPECT_FALSE(read("[4, 1]", "[4398046511105, 1]"));
  EXPECT_TRUE(read("[0, 5]", "[0, 0]")) << "a node that never lives";
  EXPECT_TRUE(read("[[1, 2]", "[[-7, 2]")) << "costs may be negative";
  const std::string deepest = std::string(64, '[') + std::string(64, ']');
  EXPECT_TRUE(read("\"name\": \"x\"", "\"name\": \"x\", \"more\": " + deepest));
  const auto costOf = [&](const std::string& cost) {
    const auto problem = read("[3]", "[" + cost + "]");
    return problem ? problem->costs.unary(1)[0] : Cost{-1};
  };
  EXPECT_EQ(costOf("3"), 3);
  EXPECT_EQ(costOf("1000000000000000000"), kForbidden);
  EXPECT_EQ(costOf("99999999999999999999999"), kForbidden);
  EXPECT_EQ(costOf("999999999999999999"), -1) << "neither a cost nor forbidden";
  EXPECT_EQ(costOf(std::to_string(kMaxTotalCost + 1)), -1);
  EXPECT_EQ(costOf("-" + std::to_string(kMaxTotalCost + 1).substr(0)), -1);
  for (const auto& [name, text] : {std::pair{"a\"b", "a\\\"b"}, std::pair{"a\\", "a\\\\"}, std::pair{"", ""}}) {
    const auto problem = read("\"name\": \"x\"", std::string("\"name\": \"") + text + "\"");
    ASSERT_TRUE(problem) << text;
    EXPECT_EQ(problem->name, name) << "what is behind a backslash stands for itself";
  }
}

// Begins and ends of lives: what ends when another begins does not meet it, and a node that never lives takes nothing.
TEST(Iopddl, UsageCountsWhoLivesAtATime) {
  IopddlProblem problem;
  problem.nodes = {{0, 5, {4, 1}}, {5, 9, {5, 2}}, {4, 6, {3, 0}}, {7, 7, {100, 100}}, {9, 0, {50, 50}}};
  for (int i = 0; i < 4; ++i) problem.costs.addVariable({1, 10});
  problem.costs.addVariable({0, 0});
  const auto cost = [&](int64_t limit, std::vector<int> values) {
    problem.usageLimit = limit;
    values.push_back(0);  // that of a node that ends before it begins
    return evaluateIopddl(problem, values);
  };
  EXPECT_EQ(cost(8, {0, 0, 0, 0}), 4) << "5 and 3 from 5 to 6";
  EXPECT_EQ(cost(7, {0, 0, 0, 0}), kForbidden);
  EXPECT_EQ(cost(7, {0, 1, 0, 0}), 13) << "4 and 3 from 4 to 5";
  EXPECT_EQ(cost(6, {0, 1, 0, 0}), kForbidden);
  EXPECT_EQ(cost(5, {0, 0, 1, 1}), 22);
}

}  // namespace
}  // namespace tessera
