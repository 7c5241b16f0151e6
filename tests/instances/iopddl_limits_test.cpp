// Contest instances at the limits of what is read and searched: keys that are not known, sizes, numbers of moves.

#include <gtest/gtest.h>

#include "core/instances/iopddl_search.h"

namespace tessera::test {
namespace {

const std::string kOneEdge =
    "{\"problem\": {\"name\": \"x\", \"nodes\": {\"intervals\": [[0, 5], [2, 6]], \"costs\": [[1, 2], [3]], "
    "\"usages\": [[4, 1], [5]]}, \"edges\": {\"nodes\": [[0, 1]], \"costs\": [[9, 0]]}, \"usage_limit\": 6}}";

struct ReadInstance {
  std::optional<IopddlProblem> problem;
  std::string mistake;
  uint32_t place = 0;
};

ReadInstance readInstance(const std::string& text) {
  Diagnostics diagnostics;
  ReadInstance out{readIopddl(SourceBuffer("x.json", text), diagnostics), "", 0};
  EXPECT_EQ(out.problem.has_value(), diagnostics.all().empty());
  if (diagnostics.all().empty()) return out;
  const Diagnostic& first = diagnostics.all().front();
  out.mistake = first.message.substr(first.message.find(": ") + 2);
  out.place = first.span.begin;
  return out;
}

ReadInstance readChanged(const std::string& from, const std::string& to) {
  std::string text = kOneEdge;
  text.replace(text.find(from), from.size(), to);
  return readInstance(text);
}

// What belongs to an unknown key ends where it ends: what stands behind it counts.
TEST(IopddlKeys, UnknownOnesAreSkippedAndNoMore) {
  const std::string name = "\"name\": \"x\"";
  for (const char* value : {"12", "true", "-1.5e3", "null", "{}", "[]", "{\"a\": [1, {}]}", "\"a,b\"", "[\"]\", 2]"}) {
    const ReadInstance before = readChanged(name, "\"more\": " + std::string(value) + ", \"name\": \"y\"");
    ASSERT_TRUE(before.problem) << value << " " << before.mistake;
    EXPECT_EQ(before.problem->name, "y") << value;
    const ReadInstance last = readChanged("\"usage_limit\": 6", "\"usage_limit\": 6, \"more\": " + std::string(value));
    ASSERT_TRUE(last.problem) << value << " " << last.mistake;
    EXPECT_EQ(last.problem->usageLimit, 6) << value;
  }
  EXPECT_EQ(readChanged(name, "\"more\": {} x").mistake, "expected `}`");
  EXPECT_EQ(readChanged(name, "\"more\": [] x").mistake, "expected `}`");
  EXPECT_EQ(readChanged(name, "\"more\": 5]").mistake, "expected `}`");
  // Keys beside the problem, before and behind it.
  const ReadInstance version = readInstance("{\"version\": 1, " + kOneEdge.substr(1));
  ASSERT_TRUE(version.problem) << version.mistake;
  EXPECT_EQ(version.problem->usageLimit, 6);
  EXPECT_TRUE(readInstance(kOneEdge.substr(0, kOneEdge.size() - 1) + ", \"notes\": {\"by\": [\"a\"]}}").problem);
}

TEST(IopddlKeys, ObjectsMayBeEmpty) {
  const ReadInstance none = readChanged("{\"nodes\": [[0, 1]], \"costs\": [[9, 0]]}", "{ }");
  ASSERT_TRUE(none.problem) << none.mistake;
  EXPECT_EQ(none.problem->costs.factorCount(), 0);
  EXPECT_EQ(none.problem->nodes.size(), 2u);
  EXPECT_EQ(none.problem->costs.variableCount(), 2);
  EXPECT_EQ(none.problem->usageLimit, 6);
  EXPECT_EQ(readInstance("{}").mistake, "`nodes.costs` is empty");
}

// A text that ends within a value has its mistake at its end; bytes of 0 are no end.
TEST(IopddlKeys, WhereATextEnds) {
  for (const char* cut : {"{\"problem\": {\"name\": \"a\\", "{\"problem\": {\"more\": 123", "{\"more\": tru"}) {
    const ReadInstance read = readInstance(cut);
    EXPECT_FALSE(read.problem) << cut;
    EXPECT_EQ(read.place, std::string(cut).size()) << cut;
  }
  EXPECT_EQ(readInstance(kOneEdge + std::string(1, '\0') + "x").mistake, "text after the end");
  EXPECT_EQ(readInstance(kOneEdge + std::string(1, '\0')).mistake, "text after the end");
}

TEST(IopddlKeys, CostsOfEdgesHaveTheLimitsOfThoseOfNodes) {
  const std::string reason = "edge 0: a cost is too large and yet below 10^18, which means forbidden";
  EXPECT_EQ(readChanged("[9, 0]", "[9, 999999999999999999]").mistake, reason);
  EXPECT_EQ(readChanged("[9, 0]", "[-999999999999999999, 0]").mistake, reason);
  const ReadInstance forbidden = readChanged("[9, 0]", "[1000000000000000000, -3]");
  ASSERT_TRUE(forbidden.problem) << forbidden.mistake;
  EXPECT_EQ(forbidden.problem->costs.evaluate(std::vector<int>{0, 0}), kForbidden);
  EXPECT_EQ(forbidden.problem->costs.evaluate(std::vector<int>{1, 0}), 2);
}

std::string manyLists(const std::string& one, size_t count) {
  std::string text = "[";
  for (size_t i = 0; i < count; ++i) text += (i > 0 ? "," : "") + one;
  return text + "]";
}

TEST(IopddlSizes, RowsAndNodesHaveALimit) {
  const auto edges = [](size_t count) {
    return readInstance("{\"problem\": {\"edges\": {\"nodes\": " + manyLists("[]", count) + "}}}").mistake;
  };
  EXPECT_EQ(edges(4'000'001), "more than 4000000 rows");
  const auto nodes = [](size_t count) {
    return readInstance("{\"problem\": {\"nodes\": {\"costs\": " + manyLists("[]", count) + "}}}").mistake;
  };
  EXPECT_EQ(nodes(1'000'001), "more than 1000000 nodes");
  EXPECT_EQ(nodes(1'000'000), "`intervals`, `costs` and `usages` have different lengths") << "the next mistake";
}

// A node of 300 to 0 bytes, whose i-th byte costs 2i - 1: every move frees one byte, and a repair makes as many moves
// as there are nodes and a hundred.
TEST(IopddlMoves, ARepairMakesSoManyAndNoMore) {
  const auto repairTo = [](int64_t limit) {
    IopddlProblem problem;
    IopddlProblem::Node node{.begin = 0, .end = 2, .usages = {}};
    std::vector<Cost> costs;
    for (int64_t i = 0; i <= 300; ++i) node.usages.push_back(300 - i), costs.push_back(i * i);
    problem.nodes.push_back(node);
    problem.costs.addVariable(costs);
    problem.usageLimit = limit;
    IopddlSearch search(problem);
    WorkBudget budget(1'000'000);
    return std::pair(search.repair(budget), search.values());
  };
  EXPECT_EQ(repairTo(300 - 101), std::pair(true, std::vector<int>{101}));
  EXPECT_EQ(repairTo(300 - 102), std::pair(false, std::vector<int>{101}));
}

// Two nodes of 200 strategies that must be neighbours and are the better the higher they are: each goes one above the
// other, a move of two. After one move, four moves of the record and a hundred are looked at, each followed by one.
TEST(IopddlMoves, TwoNodesDoNotAlternateForever) {
  constexpr int kChoices = 200;
  IopddlProblem problem;
  std::vector<Cost> table;
  for (int a = 0; a < kChoices; ++a) {
    for (int b = 0; b < kChoices; ++b) table.push_back(std::abs(a - b) <= 1 ? -(a + b) : 1000);
  }
  for (int v = 0; v < 2; ++v) {
    problem.nodes.push_back({.begin = 0, .end = 2, .usages = std::vector<int64_t>(kChoices, 0)});
    problem.costs.addVariable(std::vector<Cost>(kChoices, 0));
  }
  problem.costs.addFactor({0, 1}, table);
  IopddlSearch search(problem);
  WorkBudget budget(1'000'000);
  const size_t mark = search.mark();
  search.move(0, 1);
  search.improveAround(mark, budget);
  EXPECT_EQ(search.mark() - mark, 105u);
  EXPECT_EQ(search.values(), (std::vector<int>{105, 104}));
}

// Three nodes, each joined with each: the first to be eliminated has a table over all three.
TEST(IopddlMoves, PartsOfTooLargeTablesAreNotSolved) {
  const auto solved = [](int choices) {
    IopddlProblem problem;
    const auto all = static_cast<size_t>(choices);
    for (int v = 0; v < 3; ++v) {
      problem.nodes.push_back({.begin = 0, .end = 2, .usages = std::vector<int64_t>(all, 0)});
      std::vector<Cost> costs(all, 5);
      costs[static_cast<size_t>(v)] = 1;
      problem.costs.addVariable(costs);
    }
    for (const auto& [a, b] : {std::pair{0, 1}, std::pair{1, 2}, std::pair{0, 2}})
      problem.costs.addFactor({a, b}, std::vector<Cost>(all * all, 0));
    const IopddlSearch search(problem);
    WorkBudget budget(10'000'000);
    std::vector<int> out;
    const bool done =
        search.solvePart({0, 1, 2}, std::vector<std::vector<Cost>>(3, std::vector<Cost>(all, 0)), out, budget);
    return std::pair(done, out);
  };
  EXPECT_EQ(solved(70), std::pair(true, std::vector<int>{0, 1, 2})) << "343,000 places of 400,000";
  EXPECT_EQ(solved(80), std::pair(false, std::vector<int>{})) << "512,000";
}

// A choice of 2^42 bytes costs, at the price at which two bytes are too many, more than can be counted.
TEST(IopddlMoves, HugeUsagesAreNeverWorthTheirPrice) {
  IopddlProblem problem;
  problem.nodes.push_back({.begin = 0, .end = 2, .usages = {2, int64_t{1} << 42, 0}});
  problem.costs.addVariable({0, 0, 1'000'000});
  problem.usageLimit = 1;
  const IopddlResult result = solveIopddl(problem, {.budget = WorkBudget(100'000)});
  EXPECT_TRUE(result.feasible);
  EXPECT_EQ(result.cost, 1'000'000);
  EXPECT_EQ(result.values, std::vector<int>{2});
  EXPECT_LE(result.lowerBound, 1'000'000);
  EXPECT_GT(result.lowerBound, 0) << "the price of the first choice";
}

}  // namespace
}  // namespace tessera::test
