// The functions of a module: which are programs, who names whom, and several graphs of one file as one.

#include "core/ir/functions.h"

#include <gtest/gtest.h>

#include "core/ir/verify.h"
#include "tests/import/import_testing.h"

namespace tessera {
namespace {

const std::string kT = "tensor<4xf32>";

std::string function(const std::string& name, const std::string& callee, const std::string& op,
                     const std::string& word = "") {
  const std::string call = callee.empty() ? "  %0 = \"ttir." + op + "\"(%x) : (" + kT + ") -> " + kT + "\n"
                                          : "  %0 = func.call @" + callee + "(%x) : (" + kT + ") -> " + kT + "\n";
  return "func.func " + word + "@" + name + "(%x: " + kT + ") -> " + kT + " {\n" + call + "  return %0 : " + kT +
         "\n}\n";
}

Graph graphWith(const std::string& text, const std::string& forward) {
  Imported imported = importText(text);
  EXPECT_TRUE(imported.graph) << imported.report();
  if (!imported.graph) return Graph();
  for (FuncId id : imported.graph->funcs.ids()) {
    if (imported.graph->funcs[id].name == forward) imported.graph->forward = id;
  }
  return *imported.graph;
}

std::string namesOf(const Graph& graph, const std::vector<FuncId>& funcs) {
  std::string text;
  for (FuncId id : funcs) text += (text.empty() ? "" : " ") + graph.funcs[id].name;
  return text;
}

std::string allNames(const Graph& graph) {
  std::string text;
  for (const Function& func : graph.funcs) text += (text.empty() ? "" : " ") + func.name;
  return text;
}

// "a: exp" for each function: its ops without dialect, without the return.
std::string bodies(const Graph& graph) {
  std::string text;
  for (const Function& func : graph.funcs) {
    text += func.name + ":";
    for (size_t i = 0; i + 1 < func.ops.size(); ++i) {
      const std::string& name = graph.ops[func.ops[i]].name;
      text += " " + name.substr(name.find('.') + 1);
    }
    text += "; ";
  }
  return text;
}

TEST(Functions, ProgramsAreWhatNobodyNames) {
  const std::string text = function("first", "helper", "") + function("helper", "", "exp") +
                           function("second", "", "neg") + function("own", "", "abs", "private ");
  const Graph graph = graphWith(text, "second");
  EXPECT_EQ(namesOf(graph, forwardFunctions(graph)), "first second");
  const Graph named = graphWith(text, "helper");  // the forward function is one, whoever names it
  EXPECT_EQ(namesOf(named, forwardFunctions(named)), "first helper second");
  const std::string body = "(%x: tensor<4xf32>) -> tensor<4xf32> attributes {tt.function_type = \"";
  const Graph marked =
      graphWith("func.func @first" + body + "forward_device\"} {\n  return %x : tensor<4xf32>\n}\n" +
                    "func.func @later" + body + "forward_device\"} {\n  return %x : tensor<4xf32>\n}\n" +
                    "func.func @once" + body + "const_eval\"} {\n  return %x : tensor<4xf32>\n}\n",
                "first");
  EXPECT_EQ(namesOf(marked, forwardFunctions(marked)), "first later") << "by what they are marked as";
  const std::vector<ForwardFunction> told = describeForward(graph);
  ASSERT_EQ(told.size(), 2u);
  EXPECT_EQ(told[0].name, "first");
  EXPECT_EQ(told[1].ops, 2u);
}

TEST(Functions, WhereAllAreNamedThePublicOneIsTheProgram) {
  const std::string ring = function("a", "b", "", "private ") + function("b", "a", "");
  Graph graph = graphWith(ring, "b");
  graph.forward = {};
  EXPECT_EQ(namesOf(graph, forwardFunctions(graph)), "b");
  Graph several = graphWith(function("a", "c", "", "private ") + function("b", "a", "") + function("c", "b", ""), "b");
  several.forward = {};
  EXPECT_EQ(namesOf(several, forwardFunctions(several)), "b") << "the first of two public ones";
  Graph hidden = graphWith(function("a", "b", "", "private ") + function("b", "a", "", "private "), "b");
  hidden.forward = {};
  EXPECT_EQ(namesOf(hidden, forwardFunctions(hidden)), "a");
}

TEST(Functions, ReachedIsWhatIsNamedOverOthers) {
  const Graph graph = graphWith(
      function("a", "b", "") + function("b", "c", "") + function("c", "", "exp") + function("d", "", "neg"), "a");
  std::string reached;
  const IdVec<FuncId, char> found = reachableFrom(graph, graph.forward);
  for (FuncId id : graph.funcs.ids()) reached += found[id] != 0 ? '1' : '0';
  EXPECT_EQ(reached, "1110");
  reached.clear();
  const IdVec<FuncId, char> none = reachableFrom(graph, FuncId());
  for (FuncId id : graph.funcs.ids()) reached += none[id] != 0 ? '1' : '0';
  EXPECT_EQ(reached, "0000");
}

// Each program and its helpers from its own graph, in the order of the file; the rest from the first.
TEST(Functions, JoinedEachIsTakenFromItsOwnGraph) {
  const auto file = [](const std::string& one, const std::string& two, const std::string& rest) {
    return function("one", "h1", "") + function("h1", "", one, "private ") + function("two", "h2", "") +
           function("h2", "", two, "private ") + function("rest", "", rest, "private ");
  };
  const Graph first = graphWith(file("exp", "abs", "neg"), "one"),
              second = graphWith(file("sqrt", "tanh", "cos"), "two");
  const Graph joined = joinFunctions({first, second});
  for (const Defect& defect : verifyGraph(joined)) ADD_FAILURE() << graphRuleName(defect.rule) << ": " << defect.text;
  EXPECT_EQ(bodies(joined), "one: call; h1: exp; two: call; h2: tanh; rest: neg; ");
  EXPECT_EQ(joined.funcs[joined.forward].name, "one");
  const Graph turned = joinFunctions({second, first});
  EXPECT_EQ(bodies(turned), "one: call; h1: exp; two: call; h2: tanh; rest: cos; ");
  EXPECT_EQ(turned.funcs[turned.forward].name, "two");
  EXPECT_EQ(bodies(joinFunctions({first})), bodies(first));
}

// A program that the first graph lacks hides none of those that come after it.
TEST(Functions, JoinedEachOfThreeIsTakenFromItsOwnGraph) {
  const Graph first = graphWith(function("one", "", "exp") + function("three", "", "abs"), "one"),
              second = graphWith(function("two", "", "sqrt"), "two"),
              third = graphWith(function("one", "", "neg") + function("three", "", "cos"), "three");
  EXPECT_EQ(bodies(joinFunctions({first, second, third})), "one: exp; three: cos; two: sqrt; ");
  EXPECT_EQ(bodies(joinFunctions({first, third, second})), "one: exp; three: cos; two: sqrt; ");
}

// What only another graph has comes last.
TEST(Functions, JoinedFunctionsThatTheFirstLacksComeLast) {
  const std::string both = function("one", "", "exp") + function("two", "", "abs");
  const Graph first = graphWith(both, "one");
  const Graph second = graphWith(
      function("new", "", "cos", "private ") + function("one", "", "neg") + function("two", "new", ""), "two");
  const Graph joined = joinFunctions({first, second});
  for (const Defect& defect : verifyGraph(joined)) ADD_FAILURE() << graphRuleName(defect.rule) << ": " << defect.text;
  EXPECT_EQ(allNames(joined), "one new two");
  EXPECT_EQ(bodies(joined), "one: exp; new: cos; two: call; ");
}

// What only the replaced program of the first graph named goes with it.
TEST(Functions, JoinedLeaveOutHelpersOfReplacedPrograms) {
  const auto helper = [](const std::string& name, const std::string& op) { return function(name, "", op, "private "); };
  const Graph first = graphWith(function("one", "shared", "") + function("two", "h", "") + helper("h", "abs") +
                                    helper("shared", "exp") + helper("rest", "neg"),
                                "one");
  const Graph second = graphWith(function("two", "", "tanh"), "two");
  EXPECT_EQ(bodies(joinFunctions({first, second})), "one: call; two: tanh; shared: exp; rest: neg; ");
  // A helper of both programs stays: the first still calls it.
  const Graph both = graphWith(
      function("one", "h", "") + function("two", "h", "") + helper("h", "abs") + helper("rest", "neg"), "one");
  EXPECT_EQ(bodies(joinFunctions({both, second})), "one: call; two: tanh; h: abs; rest: neg; ");
}

// One that calls itself is not named by another.
TEST(Functions, AFunctionThatCallsItselfIsAProgram) {
  const std::string text = function("first", "", "exp") + function("again", "again", "") +
                           function("called", "", "neg") + function("caller", "called", "");
  const Graph graph = graphWith(text, "first");
  EXPECT_EQ(namesOf(graph, forwardFunctions(graph)), "first again caller");
}

}  // namespace
}  // namespace tessera
