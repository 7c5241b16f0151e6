// What ops do to memory besides allocating results: views and ops in place share buffers, intermediates come and go,
// operands are freed early or explicitly, some results are not where they were asked for.

#include "core/ops/model/op_memory.h"

#include <vector>

#include "core/sim/check_run.h"
#include "tests/sim/tiny_device.h"

namespace tessera::test {
namespace {

struct Simulated {
  DeviceSpec device;
  Graph graph;
  SimResult run;

  Simulated(const std::string& text, const std::vector<Place>& inL1, DeviceSpec on = tinyDevice())
      : device(on), graph(laidOut(text, inL1, device)) {
    rerun();
  }
  void rerun() { run = simulate(graph, OpModel(device), device.usableL1()); }
  void expectSound() const {
    for (const RunDefect& d : checkRun(graph, run, device)) ADD_FAILURE() << runRuleName(d.rule) << ": " << d.text;
  }
  // "a 0..2" of every buffer in L1, "v=a 1..2" for one that shares another's, "halo 1..1" for an intermediate.
  std::string lifetimes(DeviceMemory space = DeviceMemory::L1) const {
    std::string text;
    auto title = [&](const SimBuffer& b) { return b.value.valid() ? graph.values[b.value].name : std::string(b.name); };
    for (const SimBuffer& b : run.buffers) {
      if (b.space != space) continue;
      std::string owner = b.aliasOf >= 0 ? "=" + title(run.buffers[static_cast<size_t>(b.aliasOf)]) : "";
      text += title(b) + owner + " " + std::to_string(b.from) + ".." + std::to_string(b.to) + "\n";
    }
    return text;
  }
};

const std::string kFlat = "tensor<64x64xbf16>", kDeep = "tensor<2x32x64xbf16>";

std::string reshapeLine(const std::string& result, const std::string& operand, const std::string& from,
                        const std::string& to, const std::string& dims) {
  return "  " + result + " = \"ttir.reshape\"(" + operand + ") <{shape = [" + dims + "]}> : (" + from + ") -> " + to +
         "\n";
}

// %v and %w are %a under other shapes; %a is read for the last time long before %w.
std::string viewChain() {
  return "func.func @main(%x: " + kFlat + ") -> " + kDeep + " {\n" + line("%a", "ttir.relu", "%x", kFlat) +
         reshapeLine("%v", "%a", kFlat, kDeep, "2 : i32, 32 : i32, 64 : i32") + line("%b", "ttir.relu", "%x", kFlat) +
         reshapeLine("%w", "%v", kDeep, kFlat, "64 : i32, 64 : i32") + line("%c", "ttir.add", "%w, %b", kFlat) +
         reshapeLine("%d", "%c", kFlat, kDeep, "2 : i32, 32 : i32, 64 : i32") + "  return %d : " + kDeep + "\n}\n";
}

TEST(SharedBuffers, AViewTakesNothingAndKeepsItsOperandAlive) {
  Simulated sim(viewChain(), {{"a"}, {"v"}, {"w"}, {"b"}, {"c"}});
  EXPECT_EQ(sim.lifetimes(), "a 0..4\nv=a 1..3\nb 2..4\nw=a 3..4\nc 4..5\n");
  EXPECT_EQ(sim.run.steps[4].tensorsL1.count, 3 * kTile) << "%a once, %b, %c";
  sim.expectSound();
}

TEST(SharedBuffers, AViewInDramSharesTheBankToo) {
  Simulated sim(viewChain(), {});
  EXPECT_NE(sim.lifetimes(DeviceMemory::Dram).find("d=c 5..6\n"), std::string::npos)
      << sim.lifetimes(DeviceMemory::Dram);
  sim.expectSound();
}

// The same reshape into another place is a copy.
TEST(SharedBuffers, AReshapeThatMovesIsNoView) {
  Simulated sim(viewChain(), {{"a"}, {"b"}, {"w"}});
  EXPECT_EQ(sim.lifetimes(), "a 0..1\nb 2..4\nw 3..4\n");
  sim.expectSound();
}

TEST(SharedBuffers, ACacheIsWrittenInPlace) {
  const std::string cache = "tensor<1x1x128x64xbf16>", row = "tensor<1x1x32x64xbf16>", index = "tensor<1xi32>";
  std::string text = "func.func @main(%cache: " + cache + ", %x: " + row + ", %i: " + index + ") -> " + cache + " {\n" +
                     "  %u = \"ttir.update_cache\"(%cache, %x, %i) <{batch_offset = 0 : i32}> : (" + cache + ", " +
                     row + ", " + index + ") -> " + cache + "\n  return %u : " + cache + "\n}\n";
  Simulated sim(text, {});
  EXPECT_NE(sim.lifetimes(DeviceMemory::Dram).find("u=cache 0..1\n"), std::string::npos)
      << sim.lifetimes(DeviceMemory::Dram);
  sim.expectSound();
}

// An optimizer's parameters are written where they are, and stay; an op that is named like one for caches is not one.
TEST(SharedBuffers, ParametersThatAnOptimizerStepsStay) {
  const std::string t = "tensor<1x1x64x64xbf16>";
  const std::string step =
      "  %new:3 = \"ttnn.adamw\"(%p, %g, %m, %v) <{beta1 = 0.9 : f32, beta1_pow = 0.9 : f32, beta2 = 0.9 : f32, "
      "beta2_pow = 0.9 : f32, epsilon = 1.0e-8 : f32, lr = 0.1 : f32, weight_decay = 0.0 : f32}> : (" +
      t + ", " + t + ", " + t + ", " + t + ") -> (" + t + ", " + t + ", " + t + ")\n";
  const std::string text = "func.func @main(%x: " + t + ", %g: " + t + ", %m: " + t + ", %v: " + t + ") -> " + t +
                           " {\n" + line("%p", "ttir.relu", "%x", t) + step + line("%y", "ttir.relu", "%new#0", t) +
                           line("%z", "ttir.relu", "%y", t) + "  return %z : " + t + "\n}\n";
  Simulated sim(text, {{"p"}, {"new"}});
  EXPECT_EQ(sim.lifetimes(), "p 0..4\nnew=p 1..2\n");
  sim.expectSound();
}

TEST(SharedBuffers, AnUnknownOpWithTheNameOfOneForCaches) {
  const std::string t = "tensor<64x64xbf16>";
  const std::string text = "func.func @main(%x: " + t + ") -> " + t + " {\n" + line("%a", "ttir.relu", "%x", t) +
                           "  \"mine.fill_cache\"(%a) : (" + t + ") -> ()\n" + line("%b", "ttir.relu", "%x", t) +
                           "  return %b : " + t + "\n}\n";
  Simulated sim(text, {{"a"}});
  EXPECT_EQ(sim.lifetimes(), "a 0..1\n");
  sim.expectSound();
}

// A cache that was made in the program stays to the end although nothing reads it any more, as do an argument that was
// written into and what const-eval has kept; a value beside them goes.
TEST(SharedBuffers, WhatWasWrittenIntoStays) {
  const std::string cache = "tensor<1x1x128x64xbf16>", row = "tensor<1x1x32x64xbf16>";
  const std::string fill = "<{batch_offset = 0 : i32}> : (" + cache + ", " + row + ") -> ()\n";
  const std::string text = "func.func @main(%own: " + cache + ", %x: " + row + ", %y: " + row + ") -> " + row + " {\n" +
                           line("%made", "ttir.relu", "%own", cache) + "  \"ttnn.fill_cache\"(%made, %x) " + fill +
                           "  \"ttnn.fill_cache\"(%own, %x) " + fill + line("%a", "ttir.relu", "%y", row) +
                           line("%b", "ttir.relu", "%a", row) + line("%c", "ttir.relu", "%b", row) +
                           "  return %c : " + row + "\n}\n";
  Simulated sim(text, {{"made"}, {"a"}});
  EXPECT_EQ(sim.lifetimes(), "made 0..6\na 3..4\n");
  EXPECT_EQ(sim.lifetimes(DeviceMemory::Dram), "own 0..6\nx 0..2\ny 0..3\nb 4..5\nc 5..6\n");
  sim.expectSound();
}

// A step that fails in two ways fails once, and says what went wrong first.
TEST(SharedBuffers, AStepFailsOnce) {
  const std::string large = "tensor<4096x64xbf16>";  // 64 tiles per core of the tiny device, which holds 30
  std::string text = "func.func @main(%x: " + large + ") -> " + large + " {\n" + line("%a", "ttir.relu", "%x", large) +
                     "  \"ttnn.deallocate\"(%a) <{force = false}> : (" + large + ") -> ()\n" +
                     line("%b", "ttir.relu", "%a", large) + "  return %b : " + large + "\n}\n";
  Simulated sim(text, {{"b"}});
  EXPECT_EQ(sim.run.steps[2].verdict, RunVerdict::UseAfterFree);
  EXPECT_NE(sim.run.steps[2].verdictText.find("is not allocated"), std::string::npos) << sim.run.steps[2].verdictText;
  EXPECT_EQ(sim.run.failures, 1);
  sim.expectSound();
}

// %a would live to step 3; an argument would stay to the end.
TEST(SharedBuffers, DeallocateIsObeyed) {
  std::string text = "func.func @main(%x: " + kFlat + ", %y: " + kFlat + ") -> " + kFlat + " {\n" +
                     line("%a", "ttir.relu", "%x", kFlat) + line("%b", "ttir.relu", "%a", kFlat) +
                     "  \"ttnn.deallocate\"(%a) <{force = false}> : (" + kFlat + ") -> ()\n" +
                     "  \"ttnn.deallocate\"(%y) <{force = false}> : (" + kFlat + ") -> ()\n" +
                     line("%c", "ttir.relu", "%b", kFlat) + "  return %c : " + kFlat + "\n}\n";
  Simulated sim(text, {{"a"}, {"b"}, {"y"}});
  EXPECT_EQ(sim.lifetimes(), "y 0..3\na 0..2\nb 1..4\n");
  sim.expectSound();
}

TEST(SharedBuffers, ReadingAfterDeallocateFailsThatStep) {
  std::string text = "func.func @main(%x: " + kFlat + ") -> " + kFlat + " {\n" + line("%a", "ttir.relu", "%x", kFlat) +
                     "  \"ttnn.deallocate\"(%a) <{force = false}> : (" + kFlat + ") -> ()\n" +
                     line("%b", "ttir.relu", "%a", kFlat) + "  return %b : " + kFlat + "\n}\n";
  Simulated sim(text, {{"a"}});
  EXPECT_EQ(sim.run.steps[2].verdict, RunVerdict::UseAfterFree);
  EXPECT_EQ(sim.run.steps[2].verdictText, "Operand 0 (%a) is not allocated: it was freed by ttnn.deallocate at step 1");
  EXPECT_EQ(sim.run.failures, 1);
  sim.expectSound();
}

// A view holds its operand's buffer although the operand itself was deallocated.
TEST(SharedBuffers, DeallocateLeavesWhatAViewStillHolds) {
  std::string text = "func.func @main(%x: " + kFlat + ") -> " + kDeep + " {\n" + line("%a", "ttir.relu", "%x", kFlat) +
                     reshapeLine("%v", "%a", kFlat, kDeep, "2 : i32, 32 : i32, 64 : i32") +
                     "  \"ttnn.deallocate\"(%a) <{force = false}> : (" + kFlat + ") -> ()\n" +
                     line("%b", "ttir.relu", "%v", kDeep) + "  return %b : " + kDeep + "\n}\n";
  Simulated sim(text, {{"a"}, {"v"}});
  EXPECT_EQ(sim.lifetimes(), "a 0..3\nv=a 1..3\n");
  EXPECT_EQ(sim.run.failures, 0);
  sim.expectSound();
}

// --- convolutions ----------------------------------------------------------------------------------------------------

std::string convGraph(const std::string& config) {
  const std::string image = "tensor<1x8x8x32xbf16>", weight = "tensor<32x32x3x3xbf16>";
  return "func.func @main(%x: " + image + ", %w: " + weight + ") -> " + image + " {\n" +
         line("%a", "ttir.relu", "%x", image) +
         "  %c = \"ttir.conv2d\"(%a, %w) <{batch_dim = 0 : i64, channel_dim = 3 : i64, " + config +
         "dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, "
         "stride = array<i32: 1, 1>, "
         "width_dim = 2 : i64}> : (" +
         image + ", " + weight + ") -> " + image + "\n" + line("%r", "ttir.relu", "%c", image) +
         "  return %r : " + image + "\n}\n";
}
const std::vector<Place> kConvPlaces = {{"a", TensorMemoryLayout::HeightSharded, {2, 1}},
                                        {"c", TensorMemoryLayout::HeightSharded, {2, 1}}};
const char* const kDeallocates = "conv2d_config = #ttnn.conv2d_config<deallocate_activation = true>, ";

TEST(SharedBuffers, AHaloLivesAsLongAsItsConvolution) {
  Simulated sim(convGraph(""), kConvPlaces, allDevices()[0]);
  EXPECT_EQ(sim.lifetimes(), "a 0..1\nhalo 1..1\nc 1..2\n");
  sim.expectSound();
}

// The activation is gone before the result is allocated: the result takes its address.
TEST(SharedBuffers, AConvolutionMayFreeItsActivation) {
  Simulated keeps(convGraph(""), kConvPlaces, allDevices()[0]),
      frees(convGraph(kDeallocates), kConvPlaces, allDevices()[0]);
  EXPECT_EQ(frees.lifetimes(), "a 0..1\nhalo 1..1\nc 1..2\n");
  EXPECT_EQ(frees.run.steps[1].freedOperand, valueNamed(frees.graph, "a"));
  EXPECT_LT(frees.run.steps[1].tensorsL1, keeps.run.steps[1].tensorsL1);
  auto addressOf = [](const Simulated& sim, const char* name) {
    for (const SimBuffer& b : sim.run.buffers) {
      if (b.value == valueNamed(sim.graph, name)) return b.address;
    }
    return int64_t{-1};
  };
  EXPECT_EQ(addressOf(frees, "c"), addressOf(frees, "a"));
  EXPECT_NE(addressOf(keeps, "c"), addressOf(keeps, "a"));
  frees.expectSound();
}

// A policy's setting counts, and where it says nothing the op's own word.
TEST(SharedBuffers, ASettingThatSaysNothingLeavesTheOpsOwnWord) {
  const DeviceSpec& device = allDevices()[0];
  const Graph graph = laidOut(convGraph(kDeallocates), kConvPlaces, device);
  const OpId conv = producerOf(graph, "c");
  const auto freed = [&](std::optional<bool> setting) {
    IdVec<OpId, OpConfig> configs(graph.ops.size());
    Conv2dAttrs attrs;
    attrs.deallocateActivation = setting;
    configs[conv] = {*graph.values[valueNamed(graph, "c")].type.tensor->layout, attrs};
    return simulate(graph, OpModel(device), device.usableL1(), configs).steps[1].freedOperand;
  };
  EXPECT_EQ(freed({}), valueNamed(graph, "a"));
  EXPECT_EQ(freed(true), valueNamed(graph, "a"));
  EXPECT_FALSE(freed(false).valid());
}

TEST(SharedBuffers, ReaderIndicesLieInL1Small) {
  DeviceSpec device = allDevices()[0];
  device.l1Small = Bytes(32768);
  Simulated sim(convGraph(""), kConvPlaces, device);
  EXPECT_EQ(sim.lifetimes(DeviceMemory::L1Small), "reader indices 1..1\n");
  EXPECT_EQ(sim.run.peakL1Small, 256);  // 8 rows of 8 columns, padded to 32, over two cores; 2 bytes each
  for (const SimBuffer& b : sim.run.buffers) {
    int64_t border = device.l1Size.count - 32768;
    EXPECT_TRUE(b.space == DeviceMemory::L1Small ? b.address >= border
                                                 : b.space == DeviceMemory::Dram || b.address + b.bytes <= border);
  }
  sim.expectSound();
}

TEST(SharedBuffers, L1SmallThatIsFullSaysSo) {
  DeviceSpec device = allDevices()[0];
  device.l1Small = Bytes(32);
  Simulated sim(convGraph(""), kConvPlaces, device);
  EXPECT_EQ(sim.run.steps[1].verdict, RunVerdict::OutOfMemory);
  EXPECT_NE(sim.run.steps[1].verdictText.find("16384 B L1_SMALL buffer across 64 banks"), std::string::npos)
      << sim.run.steps[1].verdictText;
  sim.expectSound();
}

// --- results elsewhere -----------------------------------------------------------------------------------------------

// The library repeats into the memory of its operand, whatever is asked.
TEST(SharedBuffers, WhatIsProducedIsAllocated) {
  const std::string tall = "tensor<128x64xbf16>";
  std::string text = "func.func @main(%x: " + kFlat + ") -> " + tall +
                     " {\n  %a = \"ttir.repeat\"(%x) <{repeat_dimensions = array<i64: 2, 1>}> : (" + kFlat + ") -> " +
                     tall + "\n" + line("%b", "ttir.relu", "%a", tall) + "  return %b : " + tall + "\n}\n";
  Simulated sim(text, {{"a"}});
  ASSERT_TRUE(sim.run.steps[0].produced.has_value());
  EXPECT_TRUE(sim.run.steps[0].produced->isDram());
  EXPECT_EQ(sim.lifetimes(), "");
  sim.expectSound();
}

// Sorted along the first dim, numbers come back to DRAM; places of four bytes stay in the layout of their own type.
TEST(SharedBuffers, WhatIsProducedIsTheResultThatWasAskedElsewhere) {
  const std::string places = "tensor<64x64xi32>";
  Simulated sim("func.func @main(%x: " + kFlat + ") -> (" + kFlat + ", " + places +
                    ") {\n  %a, %p = \"ttir.sort\"(%x) <{dim = 0 : si32, descending = false, stable = false}> : (" +
                    kFlat + ") -> (" + kFlat + ", " + places + ")\n" + line("%b", "ttir.relu", "%a", kFlat) +
                    "  return %b, %p : " + kFlat + ", " + places + "\n}\n",
                {{"a"}});
  ASSERT_TRUE(sim.run.steps[0].produced.has_value());
  std::vector<int64_t> bytes;  // of four tiles over two banks
  for (const ValueId result : sim.graph.ops[sim.run.steps[0].op].results) {
    for (const SimBuffer& b : sim.run.buffers)
      if (b.value == result && b.space == DeviceMemory::Dram) bytes.push_back(b.bytes);
  }
  EXPECT_EQ(bytes, (std::vector<int64_t>{2 * kTile, 2 * 2 * kTile}));
}

TEST(OpMemory, EmbeddingMakesRowsFirst) {
  const std::string rows = "tensor<1x32xui32>", table = "tensor<64x64xbf16>", out = "tensor<1x32x64xbf16>";
  std::string text = "func.func @main(%i: " + rows + ", %t: " + table + ") -> " + out +
                     " {\n  %e = \"ttir.embedding\"(%i, %t) : (" + rows + ", " + table + ") -> " + out + "\n" +
                     line("%r", "ttir.relu", "%e", out) + "  return %r : " + out + "\n}\n";
  Simulated sim(text, {{"e"}});
  EXPECT_EQ(sim.lifetimes(), "rows 0..0\ne 0..1\n");
  EXPECT_EQ(sim.run.steps[0].tensorsL1.count, 2 * kTile);
  sim.expectSound();
}

// --- the checker on these -------------------------------------------------------------------------------------------

bool finds(const Simulated& sim, RunRule rule) {
  for (const RunDefect& d : checkRun(sim.graph, sim.run, sim.device)) {
    if (d.rule == rule) return true;
  }
  return false;
}

SimBuffer& bufferOf(Simulated& sim, const char* name) {
  for (SimBuffer& b : sim.run.buffers) {
    if (b.value == valueNamed(sim.graph, name)) return b;
  }
  ADD_FAILURE() << "no buffer of %" << name;
  return sim.run.buffers[0];
}

// %b's entry says that it shares %a's buffer, and there is no allocation of its own.
TEST(CheckRunShared, NotAView) {
  Simulated sim(viewChain(), {{"a"}, {"v"}, {"w"}, {"b"}, {"c"}});
  SimBuffer& a = bufferOf(sim, "a");
  SimBuffer& b = bufferOf(sim, "b");
  b.aliasOf = static_cast<int32_t>(&a - sim.run.buffers.data());
  b.address = a.address;
  for (SimEvent& e : sim.run.events) {
    if (e.value == b.value && e.kind == EventKind::Alloc) e.kind = EventKind::Alias, e.address = a.address;
  }
  EXPECT_TRUE(finds(sim, RunRule::NotAView));
}

TEST(CheckRunShared, AViewOfSomethingElse) {
  Simulated sim(viewChain(), {{"a"}, {"v"}, {"w"}, {"b"}, {"c"}});
  bufferOf(sim, "w").aliasOf = static_cast<int32_t>(&bufferOf(sim, "b") - sim.run.buffers.data());
  EXPECT_TRUE(finds(sim, RunRule::NotAView));
}

TEST(CheckRunShared, ABufferFreedWhileAViewIsRead) {
  Simulated sim(viewChain(), {{"a"}, {"v"}, {"w"}, {"b"}, {"c"}});
  auto& events = sim.run.events;
  auto at = std::find_if(events.begin(), events.end(), [&](const SimEvent& e) {
    return e.kind == EventKind::Free && e.value == valueNamed(sim.graph, "a");
  });
  ASSERT_NE(at, events.end());
  SimEvent freed = *at;
  events.erase(at);
  freed.step = 3;
  auto next = std::find_if(events.begin(), events.end(), [](const SimEvent& e) { return e.step == 4; });
  events.insert(next, freed);
  bufferOf(sim, "a").to = 3;
  EXPECT_TRUE(finds(sim, RunRule::UseOfFreed));
}

TEST(CheckRunShared, FreedByNobody) {
  Simulated sim(convGraph(kDeallocates), kConvPlaces, allDevices()[0]);
  OpId conv = producerOf(sim.graph, "c");
  auto& attrs = sim.graph.ops.edit(conv).attrs;
  attrs.erase(std::remove_if(attrs.begin(), attrs.end(), [](const Attribute& a) { return a.name == "conv2d_config"; }),
              attrs.end());
  EXPECT_TRUE(finds(sim, RunRule::FreedByNobody));
}

// Of two convolutions with one setting the one whose activation lies in DRAM frees nothing.
TEST(CheckRunShared, FreedInDramByNobody) {
  const std::vector<Place> places = {{"c", TensorMemoryLayout::HeightSharded, {2, 1}}};
  Simulated sim(convGraph(kDeallocates), places, allDevices()[0]);
  sim.expectSound();
  ASSERT_FALSE(sim.run.steps[1].freedOperand.valid());
  sim.run.steps[1].freedOperand = valueNamed(sim.graph, "a");
  EXPECT_TRUE(finds(sim, RunRule::FreedByNobody));
}

// A view names the buffer that its operand lies in, and no other.
TEST(CheckRunShared, AViewOfAnotherBuffer) {
  Simulated sim(viewChain(), {{"a"}, {"v"}, {"w"}, {"b"}, {"c"}});
  const auto number = [&](const char* name) {
    for (size_t i = 0; i < sim.run.buffers.size(); ++i)
      if (sim.run.buffers[i].value == valueNamed(sim.graph, name)) return static_cast<int32_t>(i);
    return -1;
  };
  bufferOf(sim, "w").aliasOf = number("b");
  int views = 0;
  for (const RunDefect& d : checkRun(sim.graph, sim.run, sim.device)) views += d.rule == RunRule::NotAView;
  EXPECT_EQ(views, 2) << "it lies elsewhere than %b, and %b is not its operand";
}

TEST(CheckRunShared, AnIntermediateThatStays) {
  Simulated sim(convGraph(""), kConvPlaces, allDevices()[0]);
  auto& events = sim.run.events;
  auto at = std::find_if(events.begin(), events.end(),
                         [](const SimEvent& e) { return e.kind == EventKind::Free && !e.value.valid(); });
  ASSERT_NE(at, events.end());
  events.erase(at);
  EXPECT_TRUE(finds(sim, RunRule::Leak));
}

TEST(CheckRunShared, StatisticsDiffer) {
  for (int64_t MemoryUse::*field : {&MemoryUse::used, &MemoryUse::free, &MemoryUse::largestHole}) {
    Simulated sim(viewChain(), {{"a"}});
    sim.run.steps[2].dram.*field += 32;
    EXPECT_TRUE(finds(sim, RunRule::StatisticsDiffer));
  }
  Simulated sim(viewChain(), {{"a"}});
  sim.run.steps[0].lowestTensor -= 32;
  EXPECT_TRUE(finds(sim, RunRule::StatisticsDiffer));
}

TEST(CheckRunShared, CircularBuffersDiffer) {
  Simulated gap(viewChain(), {{"a"}});
  gap.run.steps[0].circularBuffers[0].address += 32;
  EXPECT_TRUE(finds(gap, RunRule::CircularBuffersDiffer));
  Simulated longer(viewChain(), {{"a"}});
  longer.run.steps[0].circularBuffers[0].bytes += 32;
  EXPECT_TRUE(finds(longer, RunRule::CircularBuffersDiffer));
  // One of no bytes behind the others leaves all sums as they are.
  Simulated empty(viewChain(), {{"a"}});
  SimStep& step = empty.run.steps[0];
  SimCircularBuffer none = step.circularBuffers.back();
  none.address = (none.address + none.bytes + 31) / 32 * 32;
  none.bytes = 0;
  step.circularBuffers.push_back(none);
  EXPECT_TRUE(finds(empty, RunRule::CircularBuffersDiffer));
}

TEST(CheckRunShared, AnInventedLayout) {
  Simulated sim(viewChain(), {{"a"}});
  TensorLayout wrong = *sim.graph.values[valueNamed(sim.graph, "a")].type.tensor->layout;
  wrong.shardCols += 1;
  sim.run.steps[0].produced = wrong;
  EXPECT_TRUE(finds(sim, RunRule::WrongSize));
}

// A returned view keeps the buffer of its operand; a value beside it that no op frees is the program's own.
TEST(SharedBuffers, WhatAReturnedViewSharesIsNotLeftBehind) {
  const std::string text = "func.func @main(%x: " + kFlat + ") -> " + kDeep + " {\n" +
                           line("%a", "ttir.relu", "%x", kFlat) + line("%b", "ttir.relu", "%a", kFlat) +
                           reshapeLine("%v", "%a", kFlat, kDeep, "2 : i32, 32 : i32, 64 : i32") +
                           "  return %v : " + kDeep + "\n}\n";
  const DeviceSpec device = tinyDevice();
  const Graph graph = laidOut(text, {{"a"}, {"v"}, {"b"}}, device);
  const SimResult run = simulate(graph, OpModel(device), device.usableL1(), {}, Freeing::ByTheProgram);
  EXPECT_EQ(neverFreed(graph, run), (std::vector<ValueId>{valueNamed(graph, "b")}));
}

// A view that is read and not returned keeps nothing.
TEST(SharedBuffers, WhatAReadViewSharesIsLeftBehind) {
  const std::string text = "func.func @main(%x: " + kFlat + ") -> " + kDeep + " {\n" +
                           line("%a", "ttir.relu", "%x", kFlat) +
                           reshapeLine("%v", "%a", kFlat, kDeep, "2 : i32, 32 : i32, 64 : i32") +
                           line("%b", "ttir.relu", "%v", kDeep) + "  return %b : " + kDeep + "\n}\n";
  const DeviceSpec device = tinyDevice();
  const Graph graph = laidOut(text, {{"a"}, {"v"}}, device);
  const SimResult run = simulate(graph, OpModel(device), device.usableL1(), {}, Freeing::ByTheProgram);
  EXPECT_EQ(neverFreed(graph, run), (std::vector<ValueId>{valueNamed(graph, "a")}));
}

}  // namespace
}  // namespace tessera::test
