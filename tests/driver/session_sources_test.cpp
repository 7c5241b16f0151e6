// What a session reads: which state of a log, which function of a graph; and what it keeps of lowered graphs.

#include "core/driver/pipeline.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

std::string module(const std::string& function, const std::string& op = "ttnn.relu") {
  return "module @m {\n  func.func @" + function + "(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {\n    %0 = \"" +
         op + "\"(%a) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n    return %0 : tensor<64x64xbf16>\n  }\n}\n";
}
// Complete, but what it returns is defined nowhere.
std::string broken(const std::string& function) {
  std::string text = module(function);
  return text.replace(text.find("return %0"), 9, "return %9");
}
std::string after(const std::string& pass, const std::string& dump) {
  return "// -----// IR Dump After " + pass + " //----- //\n" + dump;
}
std::string messagesOf(const LoadedGraph& loaded) {
  std::string text;
  for (const Diagnostic& d : loaded.diagnostics.all())
    text += std::string(diagInfo(d.kind).name) + " " + d.message + "\n";
  return text;
}
std::string forwardOf(const LoadedGraph& loaded) {
  return loaded.graph ? loaded.graph->funcs[loaded.graph->forward].name : "none";
}

TEST(LoadedLog, TheLastStateThatCanBeReadIsTaken) {
  const LoadedGraph last = loadGraph("log", after("A (a)", module("first")) + after("B (b)", module("second")));
  EXPECT_EQ(forwardOf(last), "second");
  EXPECT_EQ(messagesOf(last), "LogState a log with 2 dumps: the state after `B`, line 8, is taken\n");
  EXPECT_EQ(std::string(last.source.text()), module("second"));
  EXPECT_EQ(last.source.name(), "log");
  EXPECT_FALSE(last.isJson);
  ASSERT_EQ(last.forward.size(), 1u);
  EXPECT_EQ(last.forward[0].name, "second");
  // One that cannot be read is passed over, and its mistakes with it.
  const LoadedGraph before = loadGraph("log", after("A (a)", module("first")) + after("B (b)", broken("second")));
  EXPECT_EQ(forwardOf(before), "first");
  EXPECT_EQ(messagesOf(before), "LogState a log with 2 dumps: the state after `A`, line 1, is taken\n");
}

TEST(LoadedLog, TtnnComesBeforeLaterStatesOfOtherOps) {
  const LoadedGraph best =
      loadGraph("log", after("A (a)", module("first")) + after("B (b)", module("second", "ttir.relu")));
  EXPECT_EQ(forwardOf(best), "first");
  // Where none of TTNN can be read the others have their turn.
  const LoadedGraph other =
      loadGraph("log", after("A (a)", broken("first")) + after("B (b)", module("second", "ttir.relu")));
  EXPECT_EQ(forwardOf(other), "second");
}

TEST(LoadedLog, EightStatesAreTriedAtMost) {
  const auto log = [](int bad) {
    std::string text = after("A (a)", module("first"));
    for (int i = 0; i < bad; ++i) text += after("B (b)", broken("second"));
    return loadGraph("log", text);
  };
  EXPECT_EQ(forwardOf(log(7)), "first");
  const LoadedGraph given = log(8);
  EXPECT_EQ(forwardOf(given), "none");
  EXPECT_EQ(messagesOf(given), "NoLogState none of the 9 dumps in the log is complete and can be read\n");
  EXPECT_EQ(given.source.name(), "log");
  EXPECT_NE(std::string(given.source.text()).find("IR Dump After A"), std::string::npos);
  EXPECT_TRUE(given.forward.empty());
}

TEST(LoadedGraphs, JsonIsToldByItsFirstCharacter) {
  EXPECT_TRUE(loadGraph("x", " {\"ops\": []}").isJson);
  EXPECT_FALSE(loadGraph("x", module("main")).isJson);
  const LoadedGraph mistake = loadGraph("x", "func.func @main(");
  EXPECT_FALSE(mistake.graph.has_value());
  EXPECT_TRUE(mistake.diagnostics.hasErrors());
}

const std::string kTwo =
    "func.func @one(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {\n"
    "  %0 = \"ttir.relu\"(%a) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n  return %0 : tensor<64x64xbf16>\n}\n"
    "func.func @two(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {\n"
    "  %0 = \"ttir.exp\"(%a) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n  return %0 : tensor<64x64xbf16>\n}\n";

TEST(SessionFunctions, TheNamedOneRuns) {
  Session session;
  const LoadedGraph* loaded = &session.load("input", kTwo);
  ASSERT_EQ(loaded->forward.size(), 2u);
  EXPECT_EQ(session.choose("").get(), loaded);
  EXPECT_EQ(forwardOf(*session.choose("")), "one");
  EXPECT_EQ(session.choose("one").get(), loaded);
  EXPECT_EQ(session.choose("three").get(), loaded) << "no such function";
  const auto two = session.choose("two");
  EXPECT_EQ(forwardOf(*two), "two");
  EXPECT_EQ(session.choose("two"), two) << "kept";
  EXPECT_EQ(forwardOf(*session.loaded()), "one") << "as it was read";
  EXPECT_EQ(session.choose("").get(), loaded);
  // Another source begins with its own.
  session.choose("two");
  session.load("other", kTwo);
  EXPECT_EQ(session.choose("").get(), session.loaded().get());
  Session empty;
  empty.load("input", "func.func @main(");
  EXPECT_EQ(empty.choose("main").get(), empty.loaded().get());
}

std::string kindsOf(const LoweredGraph& lowered) {
  std::string names;
  const Graph& graph = lowered.result.graph;
  for (const OpId op : graph.funcs[graph.forward].ops) names += graph.ops[op].name + " ";
  return names;
}

TEST(SessionLowering, IsDoneAnewOnlyWhenSomethingItDependsOnChanged) {
  Session session;
  session.load("input", kTwo);
  session.choose("");
  const DeviceSpec &n150 = allDevices()[0], &p150 = *findDevice("p150");
  const LoweringOptions options;
  const Bytes budget(1'000'000);
  const auto first = session.lower(options, n150, budget);
  EXPECT_NE(kindsOf(*first).find("ttnn.relu"), std::string::npos);
  EXPECT_EQ(session.lower(options, n150, budget), first);
  EXPECT_EQ(session.lower(options, n150, Bytes(999'999)), first) << "no pass asked about L1";
  const auto blackhole = session.lower(options, p150, budget);
  EXPECT_NE(blackhole, first);
  EXPECT_EQ(blackhole->device, p150);
  EXPECT_EQ(session.lower(options, p150, budget), blackhole);
  LoweringOptions other = options;
  other.asItStands = true;
  EXPECT_NE(session.lower(other, p150, budget), blackhole);
  // Another function, another source.
  const auto one = session.lower(options, n150, budget);
  session.choose("two");
  const auto two = session.lower(options, n150, budget);
  EXPECT_NE(kindsOf(*two).find("ttnn.exp"), std::string::npos);
  session.choose("");
  EXPECT_NE(kindsOf(*session.lower(options, n150, budget)).find("ttnn.relu"), std::string::npos);
  session.load("input", module("main", "ttir.neg"));
  session.choose("");
  EXPECT_NE(kindsOf(*session.lower(options, n150, budget)).find("ttnn.neg"), std::string::npos);
}

// Integers go through an op in rows where those find room in L1: for a budget that is too small, and for no other, the
// graph is lowered anew.
TEST(SessionLowering, IsDoneAnewForABudgetThatDecidesOtherwise) {
  const std::string t = "tensor<64x64xi32>";
  const std::string text = "func.func @main(%a: " + t + " {ttcore.argument_type = #ttcore.argument_type<input>}) -> " +
                           t + " {\n  %0 = \"ttir.add\"(%a, %a) : (" + t + ", " + t + ") -> " + t +
                           "\n  return %0 : " + t + "\n}\n";
  const DeviceSpec& device = allDevices()[0];
  const LoweringOptions options;
  Session session;
  session.load("input", text);
  session.choose("");
  const auto roomy = session.lower(options, device, Bytes(1'000'000));
  EXPECT_EQ(session.lower(options, device, Bytes(999'999)), roomy);
  EXPECT_FALSE(roomy->budgets.holds(64));
  const auto tight = session.lower(options, device, Bytes(64));
  Session other;
  other.load("input", text);
  other.choose("");
  EXPECT_EQ(kindsOf(*tight), kindsOf(*other.lower(options, device, Bytes(64))));
  EXPECT_NE(kindsOf(*tight), kindsOf(*roomy));
  EXPECT_TRUE(tight->budgets.holds(64));
}

TEST(SessionLowering, AChangedGraphStandsBesideTheOneItWasMadeFrom) {
  Session session;
  session.load("input", kTwo);
  session.choose("");
  const LoweringOptions options;
  const auto first = session.lower(options, allDevices()[0], Bytes(1'000'000));
  const std::string before = kindsOf(*first);
  Graph graph = first->result.graph;
  graph.ops.edit(graph.funcs[graph.forward].ops[0]).name = "ttnn.changed";
  const auto changed = session.withGraph(*first, graph);
  EXPECT_NE(kindsOf(*changed).find("ttnn.changed"), std::string::npos);
  EXPECT_EQ(changed->device, first->device);
  EXPECT_EQ(kindsOf(*first), before);
  EXPECT_EQ(session.lower(options, allDevices()[0], Bytes(1'000'000)), first) << "that was not changed";
}

}  // namespace
}  // namespace tessera::test
