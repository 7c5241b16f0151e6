// Graphs that few files hold: names at the ends of what is counted, functions that call one another in a ring, links
// that lead to nothing.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "core/ir/bodies.h"
#include "core/ir/builder.h"
#include "core/ir/functions.h"
#include "core/ir/verify.h"
#include "tests/import/import_testing.h"
#include "tests/short_forms.h"

namespace tessera::test {
namespace {

OpSpec opOf(std::string name, std::vector<ValueId> operands, size_t results = 1) {
  OpSpec spec;
  spec.name = std::move(name);
  spec.operands = std::move(operands);
  spec.resultTypes.assign(results, tensor({4}));
  return spec;
}

// f(x): a, two results of it, a return; and g(y) without a body.
struct TwoFunctions {
  Graph graph;
  GraphBuilder builder{graph};
  FuncId f = builder.addFunction("f"), g = builder.addFunction("g", true);
  ValueId x = builder.addArgument(f, "x", tensor({4})), y = builder.addArgument(g, "y", tensor({4}));
  OpId a = builder.append(f, opOf("t.a", {x})), pair = builder.append(f, opOf("t.pair", {builder.result(a)}, 2));
  OpId ret = builder.append(f, opOf("func.return", {graph.ops[pair].results[1]}, 0));

  TwoFunctions() {
    builder.setResultTypes(f, {tensor({4})});
    graph.forward = f;
  }
};

// The rules that a graph breaks, each once, in the order of their names.
std::string brokenBy(const std::function<void(TwoFunctions&)>& change) {
  TwoFunctions made;
  EXPECT_TRUE(verifyGraph(made.graph).empty());
  change(made);
  std::vector<std::string> rules;
  for (const Defect& found : verifyGraph(made.graph)) rules.emplace_back(graphRuleName(found.rule));
  std::sort(rules.begin(), rules.end());
  rules.erase(std::unique(rules.begin(), rules.end()), rules.end());
  std::string text;
  for (const std::string& rule : rules) text += (text.empty() ? "" : " ") + rule;
  return text;
}

TEST(RareGraphs, LinksThatLeadToNothing) {
  const ValueId nothing{99};
  EXPECT_EQ(brokenBy([](TwoFunctions& t) { t.graph.forward = FuncId{9}; }), "ForwardFunction");
  EXPECT_EQ(brokenBy([&](TwoFunctions& t) { t.graph.funcs[t.g].args.push_back(nothing); }), "ArgumentLink");
  EXPECT_EQ(brokenBy([](TwoFunctions& t) { t.graph.values.edit(t.y).func = t.f; }), "ArgumentLink");
  EXPECT_EQ(brokenBy([](TwoFunctions& t) { t.graph.ops.edit(t.a).func = t.g; }), "OpList");
  EXPECT_EQ(brokenBy([](TwoFunctions& t) { t.graph.values.edit(t.graph.ops[t.pair].results[0]).func = t.g; }),
            "ResultLink");
  EXPECT_EQ(brokenBy([&](TwoFunctions& t) { t.graph.ops.edit(t.pair).results.push_back(nothing); }), "ResultLink");
  // The second result is no longer named after a first one, which is left alone.
  EXPECT_EQ(brokenBy([&](TwoFunctions& t) { t.graph.ops.edit(t.pair).results[0] = nothing; }),
            "OrphanValue ResultLink ResultName");
  EXPECT_EQ(brokenBy([](TwoFunctions& t) { t.graph.ops.edit(t.pair).results[0] = t.graph.ops[t.pair].results[1]; }),
            "OrphanValue ResultLink");
  EXPECT_EQ(brokenBy([&](TwoFunctions& t) { t.graph.ops.edit(t.ret).operands[0] = nothing; }), "OperandId ReturnTypes");
  EXPECT_EQ(brokenBy([](TwoFunctions& t) {
              t.graph.values.edit(t.y).type = tensor({0, -1});
            }),
            "TypeShape")
      << "no elements, and still no shape";
  EXPECT_EQ(brokenBy([](TwoFunctions& t) { t.graph.values.edit(t.y).type = tensor({0, INT64_MAX, INT64_MAX}); }), "");
}

TEST(RareGraphs, UsesOfValuesThatExist) {
  TwoFunctions made;
  made.graph.ops.edit(made.pair).operands.push_back(ValueId{99});
  made.graph.ops.edit(made.pair).operands.push_back({});
  made.graph.ops.edit(made.pair).operands.push_back(made.x);
  const auto uses = collectUses(made.graph);
  EXPECT_EQ(uses.size(), made.graph.values.size());
  ASSERT_EQ(uses[made.x].size(), 2u);
  EXPECT_EQ(uses[made.x][1].op, made.pair);
  EXPECT_EQ(uses[made.x][1].operand, 3);
}

TEST(RareGraphs, ComparedByAttributesAndPlaces) {
  const auto differs = [](const std::function<void(TwoFunctions&)>& change) {
    TwoFunctions one, other;
    EXPECT_TRUE(sameGraph(one.graph, other.graph));
    change(other);
    return !sameGraph(one.graph, other.graph);
  };
  EXPECT_TRUE(differs([](TwoFunctions& t) { t.graph.attrs.push_back({"k", intAttr(1)}); }));
  EXPECT_TRUE(differs([](TwoFunctions& t) { t.graph.funcs[t.g].attrs.push_back({"k", intAttr(1)}); }));
  EXPECT_TRUE(differs([](TwoFunctions& t) { t.graph.values.edit(t.y).index = 1; }));
  EXPECT_TRUE(differs([](TwoFunctions& t) { t.graph.forward = {}; }));
}

TEST(RareGraphs, WithoutBodiesNothingIsPutInside) {
  const TwoFunctions made;
  EXPECT_TRUE(sameGraph(withBodiesInside(made.graph), made.graph));
}

// MLIR's names may begin with a dollar sign, a point or a minus, which are no digits, and with a letter or `_`.
TEST(RareGraphs, NamesOfOtherSigns) {
  EXPECT_EQ(nameMadeOf("$a", "spill"), "$a_spill");
  EXPECT_EQ(nameMadeOf(".5", "spill"), ".5_spill");
  EXPECT_EQ(nameMadeOf("-1", "spill"), "-1_spill");
  EXPECT_EQ(nameMadeOf("_", "spill"), "__spill");
}

// A number whose further results have names of others is passed over, and one of ten digits that is taken.
TEST(RareGraphs, NumbersThatAreTaken) {
  Graph graph;
  GraphBuilder builder(graph);
  const FuncId f = builder.addFunction("f");
  const ValueId x = builder.addArgument(f, "0:1", tensor({4}));
  const OpId pair = builder.append(f, opOf("t.pair", {x}, 2));
  EXPECT_EQ(graph.values[graph.ops[pair].results[0]].name, "1");
  EXPECT_EQ(graph.values[graph.ops[pair].results[1]].name, "1:1");
  builder.addArgument(f, "999999999", tensor({4}));
  builder.addArgument(f, "1000000000", tensor({4}));
  GraphBuilder later(graph);
  EXPECT_EQ(graph.values[later.result(later.append(f, opOf("t.a", {x})))].name, "1000000001");
}

// A builder of a graph that ops were removed from, and values that are younger than a table of replacements.
TEST(RareGraphs, RemovedAndYoungerValues) {
  TwoFunctions made;
  made.builder.replaceOperand(made.ret, 0, made.builder.result(made.a));
  IdVec<OpId, bool> gone(made.graph.ops.size());
  gone[made.pair] = true;
  made.builder.removeOps(made.f, gone);
  GraphBuilder later(made.graph);
  const OpId added = later.insertBefore(made.ret, opOf("t.b", {made.x}));
  EXPECT_EQ(made.graph.values[later.result(added)].name, "1");
  IdVec<ValueId, ValueId> now(made.graph.values.size());
  now[made.x] = later.result(added);
  const OpId youngest = later.insertBefore(made.ret, opOf("t.c", {made.x}));
  later.replaceOperand(made.ret, 0, later.result(youngest));
  later.replaceUses(made.f, now);
  EXPECT_EQ(made.graph.ops[made.ret].operands[0], later.result(youngest)) << "beyond the end of the table";
  EXPECT_EQ(made.graph.ops[youngest].operands[0], later.result(added));
}

// "a -> b by op" lines as a module; which functions only ops of the name "ttir.keep" name.
std::string onlyKept(const std::string& text, const std::string& forward) {
  const Imported imported = importText(text);
  EXPECT_TRUE(imported.graph) << imported.report();
  if (!imported.graph) return "";
  Graph graph = *imported.graph;
  graph.forward = functionNamed(graph, forward);
  const IdVec<FuncId, char> only = functionsOnlyOf(graph, [](const Op& op) { return findAttr(op, "kept") != nullptr; });
  std::string names;
  for (FuncId id : graph.funcs.ids()) names += only[id] != 0 ? graph.funcs[id].name + " " : "";
  return names;
}
std::string caller(const std::string& name, const std::string& callees, const std::string& word = "") {
  const std::string type = "tensor<4xf32>";
  std::string body, value = "%x";
  for (size_t at = 0; at < callees.size(); ++at) {
    const bool kept = callees[at] == '*';
    if (kept) ++at;
    const std::string next = "%v" + std::to_string(at);
    body += "  " + next + " = func.call @" + callees[at] + "(" + value + ")" + (kept ? " {kept}" : "") + " : (" + type +
            ") -> " + type + "\n";
    value = next;
  }
  return "func.func " + word + "@" + name + "(%x: " + type + ") -> " + type + " {\n" + body + "  return " + value +
         " : " + type + "\n}\n";
}

// A star marks a call that is kept.
TEST(RareGraphs, FunctionsThatOnlyKeptCallsName) {
  const std::string hidden = "private ";
  EXPECT_EQ(onlyKept(caller("a", "*b") + caller("b", "c", hidden) + caller("c", "", hidden), "a"), "b c ");
  EXPECT_EQ(onlyKept(caller("a", "*bb") + caller("b", "", hidden), "a"), "") << "called in another way as well";
  EXPECT_EQ(
      onlyKept(caller("a", "b*d") + caller("b", "c", hidden) + caller("c", "b", hidden) + caller("d", "", hidden), "a"),
      "d ")
      << "two that call one another";
  EXPECT_EQ(onlyKept(caller("a", "*h") + caller("z", "h", hidden) + caller("h", "", hidden), "a"), "")
      << "nobody names z, which stays";
  EXPECT_EQ(onlyKept(caller("a", "*f") + caller("f", "", hidden), "f"), "") << "the program itself";
}

}  // namespace
}  // namespace tessera::test
