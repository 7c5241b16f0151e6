// What BFInterleaved and GreedyL1Interleaved share: an order and results that are to stay in L1 become a plan.

#include "core/policy/chain/interleaved_plan.h"
#include "tests/policy/chain/chain_testing.h"

namespace tessera::test {
namespace {

// A tensor that takes so many tiles of each of 64 cores when it is L1 interleaved.
std::string ofTiles(int64_t tiles) { return "2048x" + std::to_string(32 * tiles); }

// %0 leaves a hole that is too small for %3, and %1 lies between it and the rest, which is too small as well once the
// circular buffers have their place: the bytes fit, the addresses do not. All are fixed by hand.
TEST(InterleavedPlan, AnOverrideWithoutRoomIsGivenUp) {
  const DeviceSpec& device = allDevices()[0];
  const int64_t tiles = device.usableL1().count / 2048;
  const int64_t first = tiles * 2 / 5, rest = tiles - first - 20;
  GraphText text(ofTiles(1));
  text.arg("%a", ofTiles(first)).arg("%b", ofTiles(20)).arg("%c", ofTiles(rest - 2));
  const std::string sum = "dim_arg = [1 : i32], keep_dim = true";
  text.op("%0", "ttnn.exp", {"%a"}, ofTiles(first)).op("%1", "ttnn.exp", {"%b"}, ofTiles(20));
  text.op("%2", "ttnn.sum", {"%0"}, "2048x1", sum).op("%3", "ttnn.exp", {"%c"}, ofTiles(rest - 2));
  text.op("%4", "ttnn.sum", {"%1"}, "2048x1", sum).op("%5", "ttnn.sum", {"%3"}, "2048x1", sum);
  ProblemOptions options;
  options.layoutOverrides =
      parseLayoutOverrides("%0=l1:interleaved,%1=l1:interleaved,%3=l1:interleaved", noDiagnostics());
  const Graph graph = graphOf(text.returning({"%2", "%4", "%5"}));
  const Problem problem = analysed(graph, device, options);
  InterleavedChoice choice{.order = {}, .inL1 = IdVec<OpId, bool>(graph.ops.size(), false), .why = {}};
  choice.why.resize(graph.ops.size());
  for (const char* name : {"0", "1", "2", "3", "4", "5"}) choice.order.push_back(producerOf(graph, name));
  DecisionLog log;
  const Plan plan = planInterleaved(problem, choice, false, log);
  const auto inL1 = [&](const char* name) { return plan.layout[valueNamed(graph, name)]->isL1(); };
  EXPECT_TRUE(inL1("0") && inL1("1"));
  EXPECT_FALSE(inL1("3"));
  ASSERT_EQ(log.warnings.size(), 1u);
  EXPECT_NE(log.warnings[0].find("1 results stay in DRAM although their bytes fit"), std::string::npos);
}

// Giving up what was fixed begins anew with the first op: %z, which nobody fixed and which is long gone then, stays in
// L1 all the same.
TEST(InterleavedPlan, WhatWasDecidedBeforeAnOverrideIsGivenUpIsDecidedAgain) {
  const DeviceSpec& device = allDevices()[0];
  const int64_t tiles = device.usableL1().count / 2048;
  const int64_t first = tiles * 2 / 5, rest = tiles - first - 20;
  GraphText text(ofTiles(1));
  text.arg("%y", ofTiles(4)).arg("%a", ofTiles(first)).arg("%b", ofTiles(20)).arg("%c", ofTiles(rest - 2));
  const std::string sum = "dim_arg = [1 : i32], keep_dim = true";
  text.op("%z", "ttnn.exp", {"%y"}, ofTiles(4)).op("%s", "ttnn.sum", {"%z"}, "2048x1", sum);
  text.op("%0", "ttnn.exp", {"%a"}, ofTiles(first)).op("%1", "ttnn.exp", {"%b"}, ofTiles(20));
  text.op("%2", "ttnn.sum", {"%0"}, "2048x1", sum).op("%3", "ttnn.exp", {"%c"}, ofTiles(rest - 2));
  text.op("%4", "ttnn.sum", {"%1"}, "2048x1", sum).op("%5", "ttnn.sum", {"%3"}, "2048x1", sum);
  ProblemOptions options;
  options.layoutOverrides =
      parseLayoutOverrides("%0=l1:interleaved,%1=l1:interleaved,%3=l1:interleaved", noDiagnostics());
  const Graph graph = graphOf(text.returning({"%s", "%2", "%4", "%5"}));
  const Problem problem = analysed(graph, device, options);
  InterleavedChoice choice{.order = {}, .inL1 = IdVec<OpId, bool>(graph.ops.size(), false), .why = {}};
  choice.why.resize(graph.ops.size());
  choice.inL1[producerOf(graph, "z")] = true;
  for (const char* name : {"z", "s", "0", "1", "2", "3", "4", "5"}) choice.order.push_back(producerOf(graph, name));
  DecisionLog log;
  const Plan plan = planInterleaved(problem, choice, false, log);
  const auto place = [&](const char* name) { return layoutText(*plan.layout[valueNamed(graph, name)]); };
  EXPECT_EQ(place("z"), "L1 interleaved");
  EXPECT_EQ(place("0"), "L1 interleaved");
  EXPECT_EQ(place("1"), "L1 interleaved");
  EXPECT_EQ(place("3"), "DRAM");
}

// What is wanted of %3, alone and where it has no room beside what else is fixed.
TEST(InterleavedPlan, AnOverrideHoldsWhereOneOfItsLayoutsHasRoom) {
  const DeviceSpec& device = allDevices()[0];
  const int64_t tiles = device.usableL1().count / 2048;
  const int64_t first = tiles * 2 / 5, rest = tiles - first - 20;
  GraphText text(ofTiles(1));
  text.arg("%a", ofTiles(first)).arg("%b", ofTiles(20)).arg("%c", ofTiles(rest / 2 - 1));
  const std::string sum = "dim_arg = [1 : i32], keep_dim = true";
  text.op("%0", "ttnn.exp", {"%a"}, ofTiles(first)).op("%1", "ttnn.exp", {"%b"}, ofTiles(20));
  text.op("%2", "ttnn.sum", {"%0"}, "2048x1", sum).op("%3", "ttnn.exp", {"%c"}, ofTiles(rest / 2 - 1));
  text.op("%4", "ttnn.sum", {"%1"}, "2048x1", sum).op("%5", "ttnn.sum", {"%3"}, "2048x1", sum);
  const Graph graph = graphOf(text.returning({"%2", "%4", "%5"}));
  const auto placed = [&](const char* overrides) {
    ProblemOptions options;
    options.layoutOverrides = parseLayoutOverrides(overrides, noDiagnostics());
    const Problem problem = analysed(graph, device, options);
    InterleavedChoice choice{.order = {}, .inL1 = IdVec<OpId, bool>(graph.ops.size(), false), .why = {}};
    choice.why.resize(graph.ops.size());
    for (const char* name : {"0", "1", "2", "3", "4", "5"}) choice.order.push_back(producerOf(graph, name));
    DecisionLog log;
    const TensorLayout layout = *planInterleaved(problem, choice, false, log).layout[valueNamed(graph, "3")];
    return layoutText(layout) + " " + std::string(dtypeName(layout.dtype)) +
           (log.warnings.empty() ? "" : " with a warning");
  };
  const auto both = [&](const std::string& override) {
    return placed(override.c_str()) + ", " + placed(("%0=l1:interleaved,%1=l1:interleaved," + override).c_str());
  };
  EXPECT_EQ(both("%3=f32:l1:interleaved"), "L1 interleaved f32, DRAM bf16 with a warning");
  EXPECT_EQ(both("%3=f32:8x8"), "L1 interleaved f32, DRAM bf16 with a warning");
  EXPECT_EQ(both("%3=8x8:interleaved"), "L1 interleaved bf16, L1 interleaved bf16") << "half the bytes";
  EXPECT_EQ(both("%3=f32:interleaved"), "DRAM f32, DRAM f32") << "where both are meant DRAM comes first";
  EXPECT_EQ(both("%3=f32"), "DRAM f32, DRAM f32");
  EXPECT_EQ(both("%3=row_major"), "DRAM bf16, DRAM bf16") << "the sum takes no rows";
}

// What is planned of a text in its own order, with these results wished for L1.
struct Planned {
  Graph graph;
  Plan plan;
  DecisionLog log;
  std::vector<PlanDefect> defects;

  Planned(const std::string& text, const std::vector<std::string_view>& wished, const std::string& overrides = "")
      : graph(graphOf(text)) {
    ProblemOptions options;
    if (!overrides.empty()) options.layoutOverrides = parseLayoutOverrides(overrides, noDiagnostics());
    const Problem problem = analysed(graph, allDevices()[0], options);
    InterleavedChoice choice{
        .order = problem.schedule.order, .inL1 = IdVec<OpId, bool>(graph.ops.size(), false), .why = {}};
    choice.why.resize(graph.ops.size());
    for (const std::string_view name : wished) choice.inL1[producerOf(graph, name)] = true;
    plan = planInterleaved(problem, choice, false, log);
    defects = checkPlan(problem, plan);
  }
  std::string place(std::string_view name) const {
    const TensorLayout& layout = *plan.layout[valueNamed(graph, name)];
    return layoutText(layout) + " " + std::string(dtypeName(layout.dtype));
  }
  std::string why(std::string_view name) const {
    for (const Decision& decision : log.decisions)
      if (decision.value == valueNamed(graph, name)) return decision.summary;
    return "?";
  }
  std::string warnings() const {
    std::string all;
    for (const std::string& warning : log.warnings) all += warning.substr(0, warning.find(':')) + ";";
    return all;
  }
};

constexpr const char* kSum = "dim_arg = [1 : i32], keep_dim = true";
constexpr const char* kSoftmax = "dimension = -1 : si32";

// %1 has `room` tiles below it. The softmax needs about 150 tiles of buffers, and though there are more free bytes
// where %0 was, its own operand is in the way. It leaves for the very op that reads it last.
TEST(InterleavedPlan, AResultIsInTheWayOfItsLastReader) {
  const int64_t tiles = allDevices()[0].usableL1().count / 2048, own = 200;
  const auto planned = [&](int64_t room) {
    const std::string first = ofTiles(tiles - own - room);
    GraphText text(ofTiles(own));
    text.arg("%a", first).arg("%b").op("%0", "ttnn.exp", {"%a"}, first).op("%1", "ttnn.exp", {"%b"});
    text.op("%2", "ttnn.sum", {"%0"}, "2048x1", kSum).op("%3", "ttnn.softmax", {"%1"}, "", kSoftmax);
    return Planned(text.returning({"%2", "%3"}), {"0", "1"});
  };
  const Planned tight = planned(100), wide = planned(200);
  EXPECT_EQ(tight.place("0"), "L1 interleaved bf16");
  EXPECT_EQ(tight.place("1"), "DRAM bf16");
  EXPECT_EQ(tight.warnings(), "1 results stay in DRAM although their bytes fit;");
  EXPECT_TRUE(tight.defects.empty());
  EXPECT_EQ(wide.place("1"), "L1 interleaved bf16");
  EXPECT_EQ(wide.warnings(), "");
}

// The same with a softmax of something else: %1, which is still to be read, gives way, and not %z, which was kept after
// it and is gone.
TEST(InterleavedPlan, WhatIsGoneDoesNotGiveWay) {
  const int64_t tiles = allDevices()[0].usableL1().count / 2048, own = 200;
  const std::string first = ofTiles(tiles - own - 100);
  GraphText text(ofTiles(own));
  text.arg("%a", first).arg("%b").arg("%c").arg("%y", ofTiles(4));
  text.op("%0", "ttnn.exp", {"%a"}, first).op("%1", "ttnn.exp", {"%b"});
  text.op("%2", "ttnn.sum", {"%0"}, "2048x1", kSum);
  text.op("%z", "ttnn.exp", {"%y"}, ofTiles(4)).op("%s", "ttnn.sum", {"%z"}, "2048x1", kSum);
  text.op("%3", "ttnn.softmax", {"%c"}, "", kSoftmax).op("%4", "ttnn.add", {"%1", "%3"});
  const Planned planned(text.returning({"%2", "%s", "%4"}), {"0", "1", "z"});
  EXPECT_EQ(planned.place("0"), "L1 interleaved bf16");
  EXPECT_EQ(planned.place("1"), "DRAM bf16");
  EXPECT_EQ(planned.place("z"), "L1 interleaved bf16");
  EXPECT_EQ(planned.warnings(), "1 results stay in DRAM although their bytes fit;");
  EXPECT_TRUE(planned.defects.empty());
}

// The program itself moves %b to L1, in `cols` columns of tiles, and back; `before` and `between` stand around the
// move, `values` are arguments with their types.
std::string movingToL1(int64_t cols, const std::string& values, const std::string& before, const std::string& between,
                       const std::string& returned, const std::string& type) {
  const std::string rows = "#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), ";
  const std::string wide = "tensor<2048x" + std::to_string(32 * cols) + "xbf16, ";
  const auto move = [&](const char* result, const char* operand, const char* to, const char* types) {
    return std::string("  ") + result + " = \"ttnn.to_layout\"(" + operand +
           ") <{memory_config = #ttnn.memory_config<" + to + ", <interleaved>>}> : (" + wide + types + ">\n";
  };
  return "#dram = #ttnn.buffer_type<dram>\n#l1 = #ttnn.buffer_type<l1>\n#in = " + rows + "<1x1>, memref<64x" +
         std::to_string(cols) + "x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>\n#out = " + rows +
         "<8x8>, memref<8x" + std::to_string(cols / 8) +
         "x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>\nfunc.func @main(" + values + ", %b: " + wide +
         "#in>) -> (" + type + ", " + wide + "#in>) {\n" + before +
         move("%moved", "%b", "#l1", ("#in>) -> " + wide + "#out").c_str()) + between +
         move("%back", "%moved", "#dram", ("#out>) -> " + wide + "#in").c_str()) + "  return " + returned +
         ", %back : " + type + ", " + wide + "#in>\n}\n";
}

// Two small results beside the move.
std::string movingBeside(int64_t cols) {
  const std::string small = "tensor<2048x256xbf16>", types = " : (" + small + ") -> " + small + "\n";
  return movingToL1(cols, "%a: " + small, "  %0 = \"ttnn.exp\"(%a)" + types + "  %1 = \"ttnn.exp\"(%0)" + types, "",
                    "%1", small);
}

// A move that is larger than L1 fails whatever is done. What the user fixed in DRAM takes none of it and stays as it
// is.
TEST(InterleavedPlan, WhatIsFixedInDramIsNotGivenUpForOthers) {
  const int64_t cols = (allDevices()[0].usableL1().count / 2048 + 16) / 8 * 8;
  for (const char* fixed : {"0", "1"}) {
    const Planned planned(movingBeside(cols), {}, std::string("%") + fixed + "=f32:dram");
    EXPECT_EQ(planned.place(fixed), "DRAM f32");
    EXPECT_EQ(planned.warnings(), "") << "everything is where it was wanted";
    EXPECT_EQ(planned.place("moved"), "L1 interleaved bf16");
    EXPECT_FALSE(planned.defects.empty());
  }
}

// Nor does what the user fixed in L1, since the move fails all the same without it.
TEST(InterleavedPlan, WhatIsFixedInL1IsNotGivenUpForNothing) {
  const int64_t cols = (allDevices()[0].usableL1().count / 2048 + 16) / 8 * 8;
  const Planned planned(movingBeside(cols), {}, "%0=l1:interleaved,%1=l1:interleaved");
  EXPECT_EQ(planned.place("0"), "L1 interleaved bf16");
  EXPECT_EQ(planned.place("1"), "L1 interleaved bf16");
  EXPECT_EQ(planned.warnings(), "");
  EXPECT_FALSE(planned.defects.empty());
}

// %0 is gone when the softmax runs, but what the program moved to L1 lies below where it was, in the way of the
// buffers. The program's own move cannot be given up, so what the user fixed is.
TEST(InterleavedPlan, WhatIsFixedInL1GivesWayToWhatLiesBelowIt) {
  const int64_t tiles = allDevices()[0].usableL1().count / 2048, moved = 200;
  const auto planned = [&](int64_t room) {
    const std::string first = "tensor<" + ofTiles(tiles - moved - room) + "xbf16>", column = "tensor<2048x1xbf16>",
                      other = "tensor<" + ofTiles(moved) + "xbf16>";
    const std::string before = "  %0 = \"ttnn.exp\"(%a) : (" + first + ") -> " + first + "\n";
    const std::string between = "  %1 = \"ttnn.sum\"(%0) <{" + std::string(kSum) + "}> : (" + first + ") -> " + column +
                                "\n  %2 = \"ttnn.softmax\"(%c) <{" + kSoftmax + "}> : (" + other + ") -> " + other +
                                "\n";
    return Planned(
        movingToL1(moved, "%a: " + first + ", %c: " + other, before, between, "%1, %2", column + ", " + other), {},
        "%0=l1:interleaved");
  };
  const Planned tight = planned(100), wide = planned(200);
  EXPECT_EQ(tight.place("0"), "DRAM bf16");
  EXPECT_TRUE(tight.defects.empty());
  EXPECT_EQ(tight.warnings(), "1 results stay in DRAM although their bytes fit;");
  EXPECT_EQ(wide.place("0"), "L1 interleaved bf16");
  EXPECT_EQ(wide.warnings(), "");
}

// The same with %z, which was fixed in L1 before %0, and with %2, which the softmax itself makes in f32: neither is in
// the way.
TEST(InterleavedPlan, OnlyWhatIsInTheWayIsGivenUp) {
  const int64_t tiles = allDevices()[0].usableL1().count / 2048, moved = 200, room = 100;
  const auto typeOf = [](const std::string& shape) { return "tensor<" + shape + "xbf16>"; };
  const std::string first = typeOf(ofTiles(tiles - moved - room)), column = typeOf("2048x1"),
                    other = typeOf(ofTiles(moved)), small = typeOf(ofTiles(4));
  const std::string before = "  %z = \"ttnn.exp\"(%y) : (" + small + ") -> " + small + "\n  %s = \"ttnn.sum\"(%z) <{" +
                             kSum + "}> : (" + small + ") -> " + column + "\n  %0 = \"ttnn.exp\"(%a) : (" + first +
                             ") -> " + first + "\n";
  const std::string between = "  %1 = \"ttnn.sum\"(%0) <{" + std::string(kSum) + "}> : (" + first + ") -> " + column +
                              "\n  %2 = \"ttnn.softmax\"(%c) <{" + kSoftmax + "}> : (" + other + ") -> " + other + "\n";
  const Planned planned(movingToL1(moved, "%a: " + first + ", %c: " + other + ", %y: " + small, before, between,
                                   "%s, %1, %2", column + ", " + column + ", " + other),
                        {}, "%z=l1:interleaved,%0=l1:interleaved,%2=f32:dram");
  EXPECT_EQ(planned.place("z"), "L1 interleaved bf16");
  EXPECT_EQ(planned.place("0"), "DRAM bf16");
  EXPECT_EQ(planned.place("2"), "DRAM f32");
  EXPECT_TRUE(planned.defects.empty());
  EXPECT_EQ(planned.warnings(), "1 results stay in DRAM although their bytes fit;");
}

// Where the program says what lies where, neither the policy nor the user decides.
TEST(InterleavedPlan, WhatTheProgramPlacesStaysThere) {
  const Planned free(movingBeside(64), {"0"}), fixed(movingBeside(64), {"0"}, "%moved=dram,%back=l1:interleaved");
  for (const Planned* planned : {&free, &fixed}) {
    EXPECT_EQ(planned->place("0"), "L1 interleaved bf16");
    EXPECT_EQ(planned->place("moved"), "L1 interleaved bf16");
    EXPECT_EQ(planned->place("back"), "DRAM bf16");
    EXPECT_EQ(planned->warnings(), "");
    EXPECT_TRUE(planned->defects.empty());
  }
  const Problem problem = analysed(free.graph, allDevices()[0], {});
  EXPECT_TRUE(hasL1InterleavedLayout(problem, producerOf(free.graph, "0")));
  EXPECT_FALSE(hasL1InterleavedLayout(problem, producerOf(free.graph, "moved")));
  EXPECT_FALSE(hasL1InterleavedLayout(problem, problem.schedule.order.back())) << "a return has no result";
}

// Ops of which the policy wishes no order run as the program has them.
TEST(InterleavedPlan, WithoutAWishTheOrderIsTheProgramsOwn) {
  GraphText text(ofTiles(1));
  text.arg("%a").op("%0", "ttnn.exp", {"%a"}).op("%1", "ttnn.relu", {"%a"}).op("%2", "ttnn.exp", {"%a"});
  text.op("%3", "ttnn.add", {"%0", "%2"}).op("%4", "ttnn.add", {"%3", "%1"});
  const Graph graph = graphOf(text.text());
  const Problem problem = analysed(graph, allDevices()[0], {});
  const auto orderFor = [&](const std::vector<std::string_view>& wish) {
    InterleavedChoice choice{.order = {}, .inL1 = IdVec<OpId, bool>(graph.ops.size(), false), .why = {}};
    choice.why.resize(graph.ops.size());
    for (const std::string_view name : wish) choice.order.push_back(producerOf(graph, name));
    DecisionLog log;
    const std::vector<OpId> order = planInterleaved(problem, choice, false, log).order;
    return namesOf(graph, {order.begin(), order.end() - 1});
  };
  EXPECT_EQ(orderFor({}), "%0 %1 %2 %3 %4");
  EXPECT_EQ(orderFor({"2", "0"}), "%2 %0 %1 %3 %4") << "what is wished for comes first";
  EXPECT_EQ(orderFor({"3", "2"}), "%2 %0 %3 %1 %4") << "as soon as it may run";
}

// The reasons name the user where it was the user who decided, and where the wish was carried out.
TEST(InterleavedPlan, WhatIsFixedIsToldAsSuch) {
  GraphText text(ofTiles(4));
  text.arg("%a").op("%0", "ttnn.exp", {"%a"}).op("%1", "ttnn.exp", {"%0"});
  text.op("%2", "ttnn.sum", {"%1"}, "2048x1", kSum);
  const Planned planned(text.text(), {"1"}, "%0=f32:dram");
  EXPECT_EQ(planned.why("0"), "DRAM: fixed by hand.");
  EXPECT_EQ(planned.why("1"), "L1 interleaved.");
  EXPECT_EQ(planned.why("2"), "DRAM: the op has no L1-interleaved layout.");
  EXPECT_EQ(Planned(text.text(), {}, "%0=f32:l1:interleaved").why("0"), "L1 interleaved: fixed by hand.");
  // The sum takes no rows: %1 lies in tiles, and not because of the user.
  EXPECT_EQ(Planned(text.text(), {}, "%1=row_major").why("1").find("fixed by hand"), std::string::npos);
}

}  // namespace
}  // namespace tessera::test
