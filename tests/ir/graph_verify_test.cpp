// One test per rule: a sound graph, one thing broken, exactly that rule reported.

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "core/ir/builder.h"
#include "core/ir/verify.h"
#include "tests/short_forms.h"

namespace tessera {
namespace {

struct Sound {
  Graph graph;
  FuncId func, other;
  ValueId x, y;
  OpId a, sort, ret;

  Sound() {
    GraphBuilder b(graph);
    func = b.addFunction("f");
    x = b.addArgument(func, "x", tensor({4}));
    OpSpec spec;
    spec.name = "t.a";
    spec.operands = {x};
    spec.resultTypes = {tensor({4})};
    spec.attrs = {{"k", intAttr(1)}, {"j", intAttr(2)}};
    a = b.append(func, spec);
    spec.name = "t.sort";
    spec.attrs.clear();
    spec.operands = {b.result(a)};
    spec.resultTypes = {tensor({4}), tensor({4})};
    sort = b.append(func, spec);
    spec.name = "func.return";
    spec.operands = {graph.ops[sort].results[1]};
    spec.resultTypes.clear();
    ret = b.append(func, spec);
    b.setResultTypes(func, {tensor({4})});
    other = b.addFunction("g", true);
    y = b.addArgument(other, "y", tensor({4}));
    graph.forward = func;
  }
};

TEST(VerifyGraph, ASoundGraphHasNoDefects) { EXPECT_TRUE(verifyGraph(Sound().graph).empty()); }

TEST(VerifyGraph, EachRuleIsReportedAloneWhenItAloneIsBroken) {
  using Break = std::function<void(Sound&)>;
  const std::vector<std::pair<GraphRule, Break>> breaks = {
      {GraphRule::ForwardFunction, [](Sound& s) { s.graph.forward = s.other; }},
      {GraphRule::ForwardFunction, [](Sound& s) { s.graph.forward = {}; }},
      {GraphRule::FunctionName, [](Sound& s) { s.graph.funcs[s.other].name = "f"; }},
      {GraphRule::FunctionName, [](Sound& s) { s.graph.funcs[s.other].name = ""; }},
      {GraphRule::FunctionBody, [](Sound& s) { s.graph.funcs[s.other].isPrivate = false; }},
      {GraphRule::ArgumentLink, [](Sound& s) { s.graph.values.edit(s.x).index = 1; }},
      {GraphRule::ArgumentLink, [](Sound& s) { s.graph.values.edit(s.x).producer = s.a; }},
      {GraphRule::OpList,
       [](Sound& s) { s.graph.funcs[s.func].ops.insert(s.graph.funcs[s.func].ops.begin(), OpId{77}); }},
      {GraphRule::OpList,
       [](Sound& s) {
         Op silent;
         silent.name = "t.silent";
         silent.func = s.func;
         const OpId id = s.graph.ops.push(silent);
         std::vector<OpId>& ops = s.graph.funcs[s.func].ops;
         ops.insert(ops.begin(), {id, id});
       }},
      {GraphRule::OpList,
       [](Sound& s) {
         Op stray;
         stray.name = "t.stray";
         stray.func = s.func;
         s.graph.ops.push(stray);
       }},
      {GraphRule::OpName, [](Sound& s) { s.graph.ops.edit(s.a).name = ""; }},
      {GraphRule::OperandId, [](Sound& s) { s.graph.ops.edit(s.a).operands[0] = ValueId{99}; }},
      {GraphRule::OperandId, [](Sound& s) { s.graph.ops.edit(s.a).operands[0] = {}; }},
      {GraphRule::OperandFunction, [](Sound& s) { s.graph.ops.edit(s.a).operands[0] = s.y; }},
      {GraphRule::OperandOrder, [](Sound& s) { s.graph.ops.edit(s.a).operands[0] = s.graph.ops[s.sort].results[0]; }},
      {GraphRule::OperandOrder,
       [](Sound& s) { std::swap(s.graph.funcs[s.func].ops[0], s.graph.funcs[s.func].ops[1]); }},
      {GraphRule::ResultLink, [](Sound& s) { s.graph.values.edit(s.graph.ops[s.a].results[0]).producer = s.sort; }},
      {GraphRule::ResultLink, [](Sound& s) { s.graph.values.edit(s.graph.ops[s.a].results[0]).index = 1; }},
      {GraphRule::ResultName, [](Sound& s) { s.graph.values.edit(s.graph.ops[s.sort].results[1]).name = "second"; }},
      {GraphRule::ValueName, [](Sound& s) { s.graph.values.edit(s.x).name = "0"; }},
      {GraphRule::ValueName, [](Sound& s) { s.graph.values.edit(s.x).name = ""; }},
      {GraphRule::OrphanValue,
       [](Sound& s) {
         Value value;
         value.name = "alone";
         value.type = tensor({1});
         value.func = s.func;
         s.graph.values.push(value);
       }},
      {GraphRule::ReturnLast, [](Sound& s) { s.graph.ops.edit(s.ret).name = "t.noreturn"; }},
      {GraphRule::ReturnTypes, [](Sound& s) { s.graph.funcs[s.func].resultTypes[0] = tensor({5}); }},
      {GraphRule::ReturnTypes, [](Sound& s) { s.graph.funcs[s.func].resultTypes.clear(); }},
      {GraphRule::ReturnTypes, [](Sound& s) { s.graph.funcs[s.func].resultTypes.push_back(tensor({4})); }},
      {GraphRule::AttrOrder,
       [](Sound& s) { std::swap(s.graph.ops.edit(s.a).attrs[0], s.graph.ops.edit(s.a).attrs[1]); }},
      {GraphRule::AttrOrder, [](Sound& s) { s.graph.ops.edit(s.a).attrs[1].name = "j"; }},
      {GraphRule::AttrText, [](Sound& s) { s.graph.ops.edit(s.a).attrs[0].value.text = ""; }},
      {GraphRule::TypeShape, [](Sound& s) { s.graph.values.edit(s.x).type = tensor({-1}); }},
      {GraphRule::TypeShape,
       [](Sound& s) {
         s.graph.values.edit(s.x).type = tensor({int64_t{1} << 40, int64_t{1} << 40});
       }},
      {GraphRule::TypeOpaque, [](Sound& s) { s.graph.values.edit(s.x).type = ValueType{}; }},
  };
  std::set<GraphRule> covered;
  for (const auto& [rule, breakIt] : breaks) {
    Sound s;
    breakIt(s);
    SCOPED_TRACE(std::string(graphRuleName(rule)));
    std::vector<Defect> defects = verifyGraph(s.graph);
    ASSERT_FALSE(defects.empty());
    for (const Defect& defect : defects) {
      EXPECT_EQ(defect.rule, rule) << graphRuleName(defect.rule) << ": " << defect.text;
      EXPECT_FALSE(defect.text.empty());
    }
    covered.insert(rule);
  }
  EXPECT_EQ(covered.size(), static_cast<size_t>(GraphRule::TypeOpaque) + 1);
}

}  // namespace
}  // namespace tessera
