// GraphBuilder, uses, comparison and renumbering.

#include <gtest/gtest.h>

#include "core/ir/builder.h"
#include "core/ir/verify.h"
#include "tests/short_forms.h"

namespace tessera {
namespace {

OpSpec spec(std::string name, std::vector<ValueId> operands, size_t results = 1) {
  OpSpec out;
  out.name = std::move(name);
  out.operands = std::move(operands);
  out.resultTypes.assign(results, tensor({4}));
  return out;
}

// f(x) = c(b(a(x)), a(x))
struct Fixture {
  Graph graph;
  GraphBuilder builder{graph};
  FuncId func = builder.addFunction("f");
  ValueId x = builder.addArgument(func, "x", tensor({4}), ArgRole::Input, "label");
  OpId a = builder.append(func, spec("t.a", {x}));
  OpId b = builder.append(func, spec("t.b", {builder.result(a)}));
  OpId c = builder.append(func, spec("t.c", {builder.result(b), builder.result(a)}));
  OpId ret = builder.append(func, spec("func.return", {builder.result(c)}, 0));

  Fixture() {
    builder.setResultTypes(func, {tensor({4})});
    graph.forward = func;
  }
  IdVec<OpId, bool> only(OpId op) const {
    IdVec<OpId, bool> marked(graph.ops.size());
    marked[op] = true;
    return marked;
  }
  std::string order() const {
    std::string out;
    for (OpId id : graph.funcs[func].ops) out += graph.ops[id].name + " ";
    return out;
  }
};

TEST(GraphBuilder, MakesASoundGraph) {
  Fixture f;
  EXPECT_TRUE(verifyGraph(f.graph).empty());
  EXPECT_EQ(f.graph.values[f.builder.result(f.a)].name, "0");
  EXPECT_EQ(f.graph.values[f.builder.result(f.c)].name, "2");
  EXPECT_EQ(f.graph.values[f.x].attrs.size(), 2u);  // role and label as attributes
}

// Also of a graph that another builder made.
TEST(GraphBuilder, ANumberThatWasInUseIsNotGivenOutAgain) {
  Fixture f;
  f.builder.replaceOperand(f.ret, 0, f.builder.result(f.b));
  GraphBuilder other(f.graph);
  other.removeOps(f.func, f.only(f.c));  // the last number, 2
  EXPECT_EQ(f.graph.values[other.result(other.insertBefore(f.ret, spec("t.d", {f.x})))].name, "3");
  EXPECT_EQ(f.graph.values[other.result(other.insertBefore(f.ret, spec("t.e", {f.x})))].name, "4");
}

TEST(GraphBuilder, CollectsUsesInProgramOrder) {
  Fixture f;
  auto uses = collectUses(f.graph);
  const std::vector<Use>& of = uses[f.builder.result(f.a)];
  ASSERT_EQ(of.size(), 2u);
  EXPECT_EQ(of[0].op, f.b);
  EXPECT_EQ(of[1].op, f.c);
  EXPECT_EQ(of[1].operand, 1);
}

TEST(GraphBuilder, InsertsAndRewires) {
  Fixture f;
  OpId before = f.builder.insertBefore(f.b, spec("t.before", {f.builder.result(f.a)}));
  f.builder.replaceOperand(f.c, 1, f.builder.result(before));
  OpId after = f.builder.insertBefore(f.ret, spec("t.after", {f.builder.result(f.c)}));
  f.builder.replaceOperand(f.ret, 0, f.builder.result(after));
  EXPECT_EQ(f.order(), "t.a t.before t.b t.c t.after func.return ");
  EXPECT_EQ(f.graph.ops[f.c].operands[1], f.builder.result(before));
  EXPECT_EQ(f.graph.ops[before].operands[0], f.builder.result(f.a));
  EXPECT_TRUE(verifyGraph(f.graph).empty());
}

TEST(GraphBuilder, RemovesAndCompacts) {
  Fixture f;
  IdVec<ValueId, ValueId> now(f.graph.values.size());
  now[f.builder.result(f.b)] = f.builder.result(f.a);
  f.builder.replaceUses(f.func, now);
  f.builder.removeOps(f.func, f.only(f.b));
  EXPECT_EQ(f.order(), "t.a t.c func.return ");
  EXPECT_TRUE(verifyGraph(f.graph).empty());
  Graph small = compactGraph(f.graph);
  EXPECT_EQ(small.ops.size(), 3u);
  EXPECT_EQ(small.values.size(), 3u);
  EXPECT_TRUE(verifyGraph(small).empty());
  EXPECT_TRUE(sameGraph(small, f.graph));
}

TEST(GraphBuilder, NamesStayUnique) {
  Fixture f;
  OpSpec named = spec("t.n", {f.x}, 2);
  named.resultName = "x";
  OpId first = f.builder.insertBefore(f.ret, named);
  EXPECT_EQ(f.graph.values[f.graph.ops[first].results[0]].name, "x_1");
  EXPECT_EQ(f.graph.values[f.graph.ops[first].results[1]].name, "x_1:1");
  OpSpec number = spec("t.n", {f.x});
  number.resultName = "0";  // taken; "%0_1" would be no MLIR name
  EXPECT_EQ(f.graph.values[f.builder.result(f.builder.insertBefore(f.ret, number))].name, "3");
  EXPECT_EQ(f.graph.values[f.builder.addArgument(f.func, "", tensor({1}))].name, "arg1");
  // A new builder goes on where the graph is.
  GraphBuilder again(f.graph);
  EXPECT_EQ(f.graph.values[again.result(again.insertBefore(f.ret, spec("t.m", {f.x})))].name, "4");
}

// A name of one result that went is free again; a number is not given out twice.
TEST(GraphBuilder, NamesOfWhatWentAreFree) {
  Fixture f;
  OpSpec named = spec("t.n", {f.x});
  named.resultName = "y";
  const auto insert = [&](const OpSpec& what) {
    const OpId made = f.builder.insertBefore(f.ret, what);
    return std::pair(made, f.graph.values[f.builder.result(made)].name);
  };
  const auto [first, name] = insert(named);
  const auto [second, number] = insert(spec("t.m", {f.x}));
  EXPECT_EQ(name, "y");
  f.builder.removeOps(f.func, f.only(first));
  f.builder.removeOps(f.func, f.only(second));
  EXPECT_EQ(insert(named).second, "y");
  EXPECT_NE(insert(spec("t.m", {f.x})).second, number);
}

TEST(GraphBuilder, NumbersHaveUpToNineDigits) {
  const std::pair<const char*, int64_t> kNames[] = {
      {"", -1}, {"0", 0}, {"007", 7}, {"999999999", 999999999}, {"1000000000", -1}, {"1a", -1}, {"-1", -1}, {":", -1}};
  for (const auto& [name, number] : kNames) EXPECT_EQ(plainNumber(name), number) << name;
}

// What an argument's attributes say in the older words is not said again in the newer ones.
TEST(GraphBuilder, AnArgumentSaysOnceWhatItIs) {
  const auto names = [](ArgRole role, const std::string& label, AttrList given) {
    std::string all;
    for (const Attribute& attr : argumentAttrs(role, label, std::move(given))) all += attr.name + " ";
    return all;
  };
  EXPECT_EQ(names(ArgRole::None, "", {}), "");
  EXPECT_EQ(names(ArgRole::Parameter, "w", {}), "ttcore.argument_type ttir.name ");
  EXPECT_EQ(names(ArgRole::KvCache, "", {}), "ttcore.kv_cache ");
  for (const char* said : {"ttcore.", "tt."}) {
    AttrList type, cache;
    type.push_back({std::string(said) + "argument_type", rawAttr("x")});
    cache.push_back({std::string(said) + "kv_cache", rawAttr("unit")});
    EXPECT_EQ(names(ArgRole::Input, "", type), std::string(said) + "argument_type ");
    EXPECT_EQ(names(ArgRole::KvCache, "", cache), std::string(said) + "kv_cache ");
  }
  AttrList named;
  named.push_back({"ttir.name", stringAttr("v")});
  EXPECT_EQ(names(ArgRole::None, "w", named), "ttir.name ");
}

TEST(GraphBuilder, AttributesStaySorted) {
  Fixture f;
  f.builder.setAttr(f.a, "m", intAttr(1));
  f.builder.setAttr(f.a, "a", boolAttr(true));
  f.builder.setAttr(f.a, "z", stringAttr("s"));
  f.builder.setAttr(f.a, "m", intAttr(2, "i32"));
  EXPECT_EQ(f.graph.ops[f.a].attrs.size(), 3u);
  EXPECT_EQ(findAttr(f.graph.ops[f.a], "m")->text, "2 : i32");
  EXPECT_TRUE(verifyGraph(f.graph).empty());
}

TEST(GraphBuilder, Reorders) {
  Fixture f;
  OpId d = f.builder.insertBefore(f.ret, spec("t.d", {f.x}));
  f.builder.reorder(f.func, {d, f.a, f.b, f.c, f.ret});
  EXPECT_EQ(f.order(), "t.d t.a t.b t.c func.return ");
  EXPECT_TRUE(verifyGraph(f.graph).empty());
}

TEST(GraphBuilder, SpellsAttributes) {
  EXPECT_EQ(intArrayAttr({1, -2}, "i32").text, "array<i32: 1, -2>");
  EXPECT_EQ(intArrayAttr({}).text, "array<i64>");
  EXPECT_EQ(symbolAttr("f").text, "@f");
  EXPECT_EQ(symbolAttr("a b").text, "@\"a b\"");
  EXPECT_EQ(quotedMlir("a\"\\\n\x01"), R"("a\22\\\0A\01")");
}

// What MLIR takes as a name: digits alone or no digit first, and no colon, which numbers results.
TEST(NamesMadeOfOthers, AreNamesOfMlir) {
  EXPECT_EQ(nameMadeOf("a", "spill"), "a_spill");
  EXPECT_EQ(nameMadeOf("0", "spill"), "v0_spill");
  EXPECT_EQ(nameMadeOf("9", "reload"), "v9_reload");
  EXPECT_EQ(nameMadeOf("12:1", "spill"), "v12_1_spill");
  EXPECT_EQ(nameMadeOf("v12_1:1", "revert_layout"), "v12_1_1_revert_layout");
}

TEST(GraphBuilderDeathTest, MisuseStopsTheProgram) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  Fixture f;
  EXPECT_DEATH(f.builder.removeOps(f.func, f.only(f.a)), "still used");
  EXPECT_DEATH(f.builder.append(f.func, spec("t.q", {ValueId{99}})), "does not exist");
  EXPECT_DEATH(f.builder.append(f.func, spec("", {})), "needs a name");
  EXPECT_DEATH(f.builder.addFunction("f"), "unique");
  EXPECT_DEATH(f.builder.replaceOperand(f.a, 1, f.x), "no such operand");
  EXPECT_DEATH(f.builder.result(f.ret), "exactly one");
  EXPECT_DEATH(f.builder.reorder(f.func, {f.a}), "same ops");
  FuncId other = f.builder.addFunction("g", true);
  EXPECT_DEATH(f.builder.append(other, spec("t.q", {f.x})), "another function");
}

TEST(CompactGraph, LeavesOutValuesOfNoFunction) {
  Fixture f;
  EXPECT_TRUE(idsInOrder(f.graph));
  const size_t values = f.graph.values.size();
  f.graph.values.push(Value());
  EXPECT_FALSE(idsInOrder(f.graph));
  const Graph small = compactGraph(f.graph);
  EXPECT_EQ(small.values.size(), values);
  EXPECT_TRUE(idsInOrder(small));
}

// What is renumbered is copied, and nothing else: all ops and values in front of an op that goes.
TEST(CompactGraph, SharesWhatKeepsItsNumber) {
  Fixture f;
  const Graph whole = compactGraph(f.graph);
  for (OpId op : whole.ops.ids()) EXPECT_TRUE(whole.ops.sharesItem(op, f.graph.ops, op));
  for (ValueId value : whole.values.ids()) EXPECT_TRUE(whole.values.sharesItem(value, f.graph.values, value));

  f.builder.replaceOperand(f.c, 0, f.builder.result(f.a));
  f.builder.removeOps(f.func, f.only(f.b));
  const Graph rest = compactGraph(f.graph);
  ASSERT_EQ(rest.ops.size(), 3u);
  EXPECT_TRUE(rest.ops.sharesItem(f.a, whole.ops, f.a));
  const Op &c = rest.ops[OpId{1}], &ret = rest.ops[OpId{2}];
  EXPECT_EQ(c.operands, (std::vector<ValueId>{ValueId{1}, ValueId{1}}));
  ASSERT_EQ(c.results, std::vector<ValueId>{ValueId{2}});
  EXPECT_EQ(rest.values[ValueId{2}].producer, OpId{1});
  EXPECT_EQ(ret.operands, c.results);
  EXPECT_EQ(whole.ops[f.c].results[0], ValueId{3}) << "the graph it came from stays as it was";
  EXPECT_EQ(whole.values[ValueId{3}].producer, f.c);
}

TEST(SameGraph, SeesEveryDifference) {
  auto differs = [](auto change) {
    Fixture a, b;
    EXPECT_TRUE(sameGraph(a.graph, b.graph));
    b.graph.ops.edit(b.a).span = {5, 6};
    EXPECT_TRUE(sameGraph(a.graph, b.graph));
    const Graph before = b.graph;  // shares with the changed one what is not changed
    change(b);
    EXPECT_EQ(sameGraph(before, b.graph), sameGraph(a.graph, b.graph));
    return !sameGraph(a.graph, b.graph);
  };
  EXPECT_TRUE(differs([](Fixture& f) { f.graph.name = "n"; }));
  EXPECT_TRUE(differs([](Fixture& f) { f.graph.ops.edit(f.a).name = "t.other"; }));
  EXPECT_TRUE(differs([](Fixture& f) { f.graph.ops.edit(f.a).loc = "l"; }));
  EXPECT_TRUE(differs([](Fixture& f) { f.graph.ops.edit(f.c).operands[1] = f.x; }));
  EXPECT_TRUE(differs([](Fixture& f) { f.builder.setAttr(f.b, "k", intAttr(1)); }));
  EXPECT_TRUE(differs([](Fixture& f) { f.graph.values.edit(f.x).type = tensor({5}); }));
  EXPECT_TRUE(differs([](Fixture& f) { f.graph.values.edit(f.x).role = ArgRole::Constant; }));
  EXPECT_TRUE(differs([](Fixture& f) { f.graph.values.edit(f.x).label = "weight"; }));
  EXPECT_TRUE(differs([](Fixture& f) { f.graph.values.edit(f.x).name = "renamed"; }));
  EXPECT_TRUE(differs([](Fixture& f) { f.graph.values.edit(f.x).attrs.push_back({"k", intAttr(1)}); }));
  EXPECT_TRUE(differs([](Fixture& f) { f.graph.ops.edit(f.a).results.clear(); }));
  EXPECT_TRUE(differs([](Fixture& f) { f.graph.ops.edit(f.c).operands.pop_back(); }));
  EXPECT_TRUE(differs([](Fixture& f) { f.graph.funcs[f.func].name = "other"; }));
  EXPECT_TRUE(differs([](Fixture& f) { f.graph.funcs[f.func].isPrivate = true; }));
  EXPECT_TRUE(differs([](Fixture& f) { f.graph.funcs[f.func].resultTypes.clear(); }));
}

}  // namespace
}  // namespace tessera
