// What the two checkers of this room say of runs and placements that no simulator would write: values without a layout,
// views of nothing, releases at the wrong time, figures that agree with each other and not with the rules.

#include <set>

#include "core/sim/check_run.h"
#include "core/sim/planned_placement.h"
#include "tests/sim/tiny_device.h"

namespace tessera::test {
namespace {

const std::string kQuad = "tensor<64x64xbf16>";

struct DamagedRun {
  DeviceSpec device;
  Graph graph;
  SimResult run;

  DamagedRun(const std::string& text, const std::vector<Place>& inL1, const DeviceSpec& on = tinyDevice())
      : device(on), graph(laidOut(text, inL1, device)) {
    run = simulate(graph, OpModel(device), device.usableL1());
  }
  std::string rules() const {
    std::set<std::string_view> names;
    for (const RunDefect& d : checkRun(graph, run, device)) names.insert(runRuleName(d.rule));
    std::string text;
    for (std::string_view name : names) text += (text.empty() ? "" : " ") + std::string(name);
    return text;
  }
  // The text of the first defect of the rule; "" when the run does not break it.
  std::string says(RunRule rule) const {
    for (const RunDefect& d : checkRun(graph, run, device)) {
      if (d.rule == rule) return d.text;
    }
    return "";
  }
  std::optional<TensorLayout>& layout(std::string_view name) {
    return graph.values.edit(valueNamed(graph, name)).type.tensor->layout;
  }
  int32_t number(std::string_view name) const {
    for (size_t i = 0; i < run.buffers.size(); ++i) {
      if (run.buffers[i].value.valid() && run.buffers[i].value == valueNamed(graph, name))
        return static_cast<int32_t>(i);
    }
    ADD_FAILURE() << "no buffer of %" << name;
    return 0;
  }
  SimBuffer& buffer(std::string_view name) { return run.buffers[static_cast<size_t>(number(name))]; }
  SimEvent& event(std::string_view name) {
    for (SimEvent& e : run.events) {
      if (e.value.valid() && e.value == valueNamed(graph, name)) return e;
    }
    ADD_FAILURE() << "no event of %" << name;
    return run.events[0];
  }
  std::vector<SimEvent>::iterator stepBegins(int32_t step) {
    return std::find_if(run.events.begin(), run.events.end(), [&](const SimEvent& e) { return e.step == step; });
  }
};

std::string quadRelu(const std::string& result, const std::string& operand) {
  return line(result, "ttir.relu", operand, kQuad);
}
std::string quadFunction(const std::string& body, const std::string& returned = "%c") {
  return "func.func @main(%x: " + kQuad + ", %y: " + kQuad + ") -> " + kQuad + " {\n" + body + "  return " + returned +
         " : " + kQuad + "\n}\n";
}
std::string threeSteps() {
  return quadFunction(quadRelu("%a", "%x") + quadRelu("%b", "%a") + line("%c", "ttir.add", "%a, %b", kQuad));
}
// %v lies where %a does.
std::string withAView() {
  return quadFunction(quadRelu("%a", "%x") + "  %v = \"ttir.reshape\"(%a) <{shape = [64 : i32, 64 : i32]}> : (" +
                      kQuad + ") -> " + kQuad + "\n" + quadRelu("%b", "%v") + quadRelu("%c", "%b"));
}

// --- layouts ---------------------------------------------------------------------------------------------------------

TEST(DamagedRuns, ValuesWithoutALayout) {
  DamagedRun argument(threeSteps(), {{"a"}});
  argument.layout("y").reset();
  EXPECT_EQ(argument.rules(), "wrong-size");
  EXPECT_EQ(argument.says(RunRule::WrongSize), "%y has no layout");
  DamagedRun result(threeSteps(), {{"a"}});
  result.layout("c").reset();
  EXPECT_EQ(result.says(RunRule::WrongSize), "%c has no layout");
}

TEST(DamagedRuns, WhatIsNoTensorTakesNoRoom) {
  DamagedRun device(quadFunction("  %d = \"ttnn.get_device\"() <{mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> "
                                 "!ttnn.device\n" +
                                 quadRelu("%a", "%x") + quadRelu("%c", "%a")),
                    {{"a"}});
  ASSERT_EQ(device.rules(), "");
  device.event("c").value = device.buffer("c").value = valueNamed(device.graph, "d");
  EXPECT_EQ(device.says(RunRule::WrongSize), "%d has no layout");
}

// The second result of a sort keeps the layout of its type where the library puts the first one elsewhere.
TEST(DamagedRuns, TheOtherResultIsWhereItsTypeSays) {
  const std::string places = "tensor<64x64xi32>";
  const std::string sort = "func.func @main(%x: " + kQuad + ") -> (" + kQuad + ", " + places +
                           ") {\n  %a, %p = \"ttir.sort\"(%x) <{dim = 0 : si32, descending = false, stable = false}> "
                           ": (" +
                           kQuad + ") -> (" + kQuad + ", " + places + ")\n" + quadRelu("%b", "%a") +
                           "  return %b, %p : " + kQuad + ", " + places + "\n}\n";
  DamagedRun sorted(sort, {{"a"}});
  ASSERT_TRUE(sorted.run.steps[0].produced.has_value());
  EXPECT_EQ(sorted.rules(), "");
}

TEST(DamagedRuns, ALayoutThatTheStepCannotHaveWritten) {
  DamagedRun same(threeSteps(), {{"a"}});
  same.run.steps[0].produced = *same.layout("a");
  EXPECT_EQ(same.rules(), "wrong-size") << "it is the one of its type";
  DamagedRun beyond(threeSteps(), {{"a"}});
  TensorLayout wide = *beyond.layout("a");
  wide.memory = TensorMemoryLayout::BlockSharded;
  wide.grid = {16, 16};
  beyond.run.steps[0].produced = wide;
  EXPECT_EQ(beyond.says(RunRule::WrongSize), "%a cannot be " + layoutText(wide)) << "the device has 2x2 cores";
}

TEST(DamagedRuns, TensorsInTheSmallRegion) {
  DeviceSpec device = tinyDevice();
  device.l1Small = Bytes(8 * kTile);
  DamagedRun sound(threeSteps(), {{"a"}}, device);
  sound.layout("a") = layoutFor(sound.graph, valueNamed(sound.graph, "a"), BufferType::L1Small,
                                TensorMemoryLayout::Interleaved, {2, 2}, device);
  sound.run = simulate(sound.graph, OpModel(device), device.usableL1());
  ASSERT_EQ(sound.buffer("a").space, DeviceMemory::L1Small);
  EXPECT_EQ(sound.buffer("a").bytes, kTile) << "four tiles on four cores";
  EXPECT_EQ(sound.rules(), "");
  sound.event("a").space = sound.buffer("a").space = DeviceMemory::Dram;
  sound.event("a").address = sound.buffer("a").address = 1 << 19;
  EXPECT_NE(sound.says(RunRule::WrongSize), "");
}

// 8 bytes more than two tiles are less than a granule more, and no whole number of granules.
TEST(DamagedRuns, BytesAreWholeGranules) {
  DamagedRun run(threeSteps(), {{"a"}});
  run.event("c").bytes += 8;
  run.buffer("c").bytes += 8;
  EXPECT_EQ(run.rules(), "wrong-size");
}

// --- what begins before the first step -------------------------------------------------------------------------------

TEST(DamagedRuns, AnIntermediateBelongsToAStep) {
  DamagedRun run(threeSteps(), {{"a"}});
  const auto first = run.stepBegins(0);
  const auto index = static_cast<int32_t>(first - run.run.events.begin());
  for (auto e = first; e != run.run.events.end(); ++e) e->buffer += e->buffer >= 0;
  run.run.events.insert(first, {-1, EventKind::Alloc, {}, DeviceMemory::L1, 2 * kL1Base, 64, index});
  run.run.buffers.insert(run.run.buffers.begin() + index, {{}, "rows", DeviceMemory::L1, 2 * kL1Base, 64, 0, 3, -1});
  EXPECT_EQ(run.says(RunRule::WrongSize), "an intermediate at step -1");
}

TEST(DamagedRuns, NothingIsReleasedBeforeTheFirstStep) {
  DamagedRun run(threeSteps(), {{"a"}});
  SimEvent freed = run.event("x");
  freed.kind = EventKind::Free;
  run.run.events.insert(run.stepBegins(0), freed);
  EXPECT_EQ(run.says(RunRule::StepsDiffer), "%x is freed before the op runs at step -1");
}

// --- views -----------------------------------------------------------------------------------------------------------

TEST(DamagedRuns, AViewSharesWhatIsThere) {
  const std::string nothing = "%v shares nothing that is there";
  DamagedRun run(withAView(), {{"a"}, {"v"}});
  ASSERT_EQ(run.rules(), "");
  ASSERT_EQ(run.event("v").kind, EventKind::Alias);
  for (const int32_t owner : {-1, run.number("v"), run.number("v") + 1, run.number("x")}) {
    run.buffer("v").aliasOf = owner;
    EXPECT_EQ(run.says(RunRule::NotAView), nothing) << owner << "; %x is no longer there when %v begins";
  }
}

TEST(DamagedRuns, OnlyResultsOfOpsWithOperandsAreViews) {
  DamagedRun argument(threeSteps(), {{"a"}});
  const SimBuffer x = argument.buffer("x");
  argument.event("y").kind = EventKind::Alias;
  argument.event("y").address = argument.buffer("y").address = x.address;
  argument.buffer("y").aliasOf = argument.number("x");
  EXPECT_EQ(argument.says(RunRule::NotAView), "%y");

  DamagedRun created(quadFunction(quadRelu("%a", "%x") +
                                  "  %z = \"ttir.zeros\"() <{shape = array<i32: 64, 64>}> : () "
                                  "-> " +
                                  kQuad + "\n" + line("%c", "ttir.add", "%a, %z", kQuad)),
                     {});
  ASSERT_EQ(created.rules(), "");
  created.event("z").kind = EventKind::Alias;
  created.event("z").address = created.buffer("z").address = created.buffer("a").address;
  created.buffer("z").aliasOf = created.number("a");
  EXPECT_EQ(created.says(RunRule::NotAView), "%z");
}

TEST(DamagedRuns, AViewOfAValueWithoutALayout) {
  for (const char* name : {"a", "v"}) {
    DamagedRun run(withAView(), {{"a"}, {"v"}});
    run.layout(name).reset();
    EXPECT_EQ(run.says(RunRule::NotAView), "%v") << name;
  }
}

TEST(DamagedRuns, AViewEndsWithItsLastReader) {
  DamagedRun longer(withAView(), {{"a"}, {"v"}});
  EXPECT_EQ(longer.buffer("v").to, 2);
  longer.buffer("v").to = 3;
  EXPECT_EQ(longer.rules(), "buffers-differ");
  EXPECT_EQ(longer.says(RunRule::BuffersDiffer), "%v is listed until 3");
  DamagedRun nameless(withAView(), {{"a"}, {"v"}});
  nameless.buffer("v").value = {};
  EXPECT_EQ(nameless.rules(), "buffers-differ");
}

// --- what was never there --------------------------------------------------------------------------------------------

// %a finds no room and is freed all the same: who reads it then reads nothing that somebody gave back.
TEST(DamagedRuns, AValueWithoutRoomIsNotGivenBack) {
  const std::string large = "tensor<1024x1024xbf16>";
  DamagedRun run("func.func @main(%x: " + large + ") -> " + large + " {\n" + line("%a", "ttir.relu", "%x", large) +
                     "  \"ttnn.deallocate\"(%a) <{force = false}> : (" + large + ") -> ()\n" +
                     line("%b", "ttir.relu", "%a", large) + "  return %b : " + large + "\n}\n",
                 {{"a"}}, [] {
                   DeviceSpec device = tinyDevice();
                   device.dramBankSize = Bytes(8 << 20);
                   return device;
                 }());
  EXPECT_EQ(run.run.steps[0].verdict, RunVerdict::OutOfMemory);
  EXPECT_EQ(run.run.steps[2].verdict, RunVerdict::Fine);
  EXPECT_EQ(run.run.failures, 1);
  EXPECT_EQ(run.rules(), "");
}

// A convolution cannot free an activation that found no room: who reads it later reads nothing that was given back.
TEST(DamagedRuns, AnActivationWithoutRoomIsNotFreed) {
  const std::string image = "tensor<1x256x256x32xbf16>", weight = "tensor<32x32x3x3xbf16>";
  DamagedRun run(
      "func.func @main(%x: " + image + ", %w: " + weight + ") -> " + image + " {\n" +
          line("%a", "ttir.relu", "%x", image) +
          "  %c = \"ttir.conv2d\"(%a, %w) <{batch_dim = 0 : i64, channel_dim = 3 : i64, conv2d_config = "
          "#ttnn.conv2d_config<deallocate_activation = true>, dilation = array<i32: 1, 1>, groups = 1 : i32, "
          "height_dim "
          "= 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (" +
          image + ", " + weight + ") -> " + image + "\n" + line("%r", "ttir.add", "%c, %a", image) +
          "  return %r : " + image + "\n}\n",
      {{"a", TensorMemoryLayout::HeightSharded, {2, 1}}}, allDevices()[0]);
  EXPECT_EQ(run.run.steps[0].verdict, RunVerdict::OutOfMemory);
  EXPECT_FALSE(run.run.steps[1].freedOperand.valid());
  EXPECT_NE(run.run.steps[2].verdict, RunVerdict::UseAfterFree);
  EXPECT_EQ(run.rules(), "");
}

// --- operands that their op frees ------------------------------------------------------------------------------------

std::string freeingConv(const std::string& deallocates) {
  const std::string image = "tensor<1x8x8x32xbf16>", weight = "tensor<32x32x3x3xbf16>";
  return "func.func @main(%x: " + image + ", %w: " + weight + ") -> " + image + " {\n" +
         line("%a", "ttir.relu", "%x", image) +
         "  %c = \"ttir.conv2d\"(%a, %w) <{batch_dim = 0 : i64, channel_dim = 3 "
         ": i64, conv2d_config = #ttnn.conv2d_config<deallocate_activation = " +
         deallocates +
         ">, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, "
         "stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (" +
         image + ", " + weight + ") -> " + image + "\n" + line("%r", "ttir.relu", "%c", image) +
         "  return %r : " + image + "\n}\n";
}

TEST(DamagedRuns, ADeviceOpFreesItsActivationWhereItSaysSo) {
  const std::vector<Place> places = {
      {"a", TensorMemoryLayout::HeightSharded, {2, 1}}, {"c", TensorMemoryLayout::HeightSharded, {2, 1}}, {"w"}};
  DamagedRun sound(freeingConv("true"), places, allDevices()[0]);
  ASSERT_EQ(sound.run.steps[1].freedOperand, valueNamed(sound.graph, "a"));
  ASSERT_EQ(sound.rules(), "");

  DamagedRun keeps = sound;  // the same run of a convolution that says it keeps it
  keeps.graph = laidOut(freeingConv("false"), places, keeps.device);
  EXPECT_EQ(keeps.says(RunRule::FreedByNobody), "%a at step 1");

  DamagedRun weights = sound;
  weights.run.steps[1].freedOperand = valueNamed(weights.graph, "w");
  EXPECT_EQ(weights.says(RunRule::FreedByNobody), "%w at step 1") << "the weights are no activation";

  DamagedRun shorter = sound;  // a list that ends with the activation
  shorter.run.buffers.resize(static_cast<size_t>(shorter.number("a")) + 1);
  EXPECT_EQ(shorter.says(RunRule::BuffersDiffer), "an intermediate at step 1 is not in the list");

  DamagedRun later = sound;
  later.run.steps[1].freedOperand = valueNamed(later.graph, "r");
  EXPECT_EQ(later.says(RunRule::FreedByNobody), "%r at step 1") << "it is not there yet";
}

TEST(DamagedRuns, OnlyConvolutionsFreeAnOperand) {
  DamagedRun run(threeSteps(), {{"a"}, {"b"}});
  const OpId add = producerOf(run.graph, "c");
  run.graph.ops.edit(add).attrs.push_back(
      {"conv2d_config", rawAttr("#ttnn.conv2d_config<deallocate_activation = true>")});
  ASSERT_EQ(run.rules(), "");
  run.run.steps[2].freedOperand = valueNamed(run.graph, "a");
  EXPECT_EQ(run.says(RunRule::FreedByNobody), "%a at step 2");
}

// --- planned addresses -----------------------------------------------------------------------------------------------

SimResult allocations(const std::vector<int64_t>& addresses, int64_t bytes) {
  SimResult run;
  for (const int64_t address : addresses) {
    const auto i = static_cast<int32_t>(run.buffers.size());
    run.buffers.push_back({{}, "b", DeviceMemory::L1, address, bytes, i, i, -1});
    run.events.push_back({i, EventKind::Alloc, {}, DeviceMemory::L1, address, bytes, i});
  }
  return run;
}

// A plan that takes more than the runtime did is none, however well its figures agree with its addresses.
TEST(DamagedPlacements, APlanTakesNoMoreThanTheRuntime) {
  const SimResult run = allocations({kL1Top - 1024, kL1Top - 2048}, 1024);
  PlannedPlacement placement = planPlacement(run, tinyDevice());
  EXPECT_EQ(placement.planned, 2048);
  EXPECT_TRUE(checkPlacement(run, placement, tinyDevice()).empty());
  placement.addresses[1] = kL1Top - 4096;
  placement.planned = 4096;
  EXPECT_EQ(checkPlacement(run, placement, tinyDevice()),
            (std::vector<std::string>{"first fit 2048, planned 4096, bound 2048 against a recount of 2048, 4096, "
                                      "2048"}));
}

// What lies on another buffer is not there: its release gives nothing back.
TEST(DamagedPlacements, WhatLiesOnAnotherIsNotReleased) {
  SimResult run = allocations({kL1Top - 1024, kL1Top - 2048, kL1Top - 2048}, 1024);
  SimEvent freed = run.events[1];
  freed.kind = EventKind::Free;
  run.events.insert(run.events.begin() + 2, freed);
  PlannedPlacement placement = planPlacement(run, tinyDevice());
  for (int64_t& address : placement.addresses) address = kL1Top - 1024;
  placement.planned = placement.bound = 1024;
  EXPECT_EQ(
      checkPlacement(run, placement, tinyDevice()),
      (std::vector<std::string>{"buffer 1 lies on another one at step 1", "buffer 2 lies on another one at step 2"}));
}

TEST(DamagedPlacements, AReleaseBeforeTheAllocationIsPassedOver) {
  SimResult run = allocations({kL1Top - 1024, kL1Top - 2048}, 1024);
  SimEvent freed = run.events[1];
  freed.kind = EventKind::Free;
  run.events.insert(run.events.begin(), freed);
  const PlannedPlacement placement = planPlacement(run, tinyDevice());
  EXPECT_EQ(placement.firstFit, 2048);
  EXPECT_EQ(placement.bound, 2048) << "both are there at the end";
}

TEST(DamagedPlacements, AFullMemoryIsNotFragmented) {
  EXPECT_EQ((MemoryUse{.used = 4096, .free = 0, .largestHole = 0}).fragmentationPermille(), 0);
  EXPECT_EQ((MemoryUse{.used = 0, .free = 4096, .largestHole = 1024}).fragmentationPermille(), 750);
}

}  // namespace
}  // namespace tessera::test
