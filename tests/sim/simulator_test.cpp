#include "core/sim/simulator.h"

#include "core/sim/check_run.h"
#include "tests/sim/tiny_device.h"

namespace tessera::test {
namespace {

// "L1 63488+2048 0..1" of every buffer of a value.
std::string buffersText(const Graph& graph, const SimResult& run) {
  std::string text;
  for (const SimBuffer& b : run.buffers) {
    text += "%" + graph.values[b.value].name + (b.space == DeviceMemory::L1 ? " L1 " : " DRAM ") +
            std::to_string(b.address) + "+" + std::to_string(b.bytes) + " " + std::to_string(b.from) + ".." +
            std::to_string(b.to) + "\n";
  }
  return text;
}

void expectSoundRun(const Graph& graph, const SimResult& run, const DeviceSpec& device) {
  for (const RunDefect& d : checkRun(graph, run, device)) ADD_FAILURE() << runRuleName(d.rule) << ": " << d.text;
}

TEST(Simulator, AddressesOfFourOpsByHand) {
  DeviceSpec device = tinyDevice();
  Graph graph = fourOps(device);
  SimResult run = simulate(graph, OpModel(device), device.usableL1());
  // Four tiles in DRAM are two per bank; one per core in L1 interleaved; two per core on two cores when height sharded.
  EXPECT_EQ(buffersText(graph, run),
            "%a DRAM 0+4096 0..0\n"    // an input, read for the last time
            "%0 L1 63488+2048 0..1\n"  // the top of L1
            "%1 L1 59392+4096 1..2\n"  // below it
            "%2 L1 63488+2048 2..3\n"  // %0 has gone from there
            "%3 DRAM 0+4096 3..4\n");  // returned: stays
  expectSoundRun(graph, run, device);
}

TEST(Simulator, BytesAndPeakOfFourOpsByHand) {
  DeviceSpec device = tinyDevice();
  Graph graph = fourOps(device);
  SimResult run = simulate(graph, OpModel(device), device.usableL1());
  ASSERT_EQ(run.steps.size(), 5u);
  const int64_t tensors[] = {1, 3, 3, 1, 0};
  // Twice a tile for each operand and for the result: nowhere do operands and result lie alike, so nothing is worked on
  // in place.
  const int64_t buffers[] = {4, 4, 6, 4, 0};
  const int64_t lowest[] = {63488, 59392, 59392, 63488, kL1Top};
  for (size_t i = 0; i < run.steps.size(); ++i) {
    SCOPED_TRACE("step " + std::to_string(i));
    EXPECT_EQ(run.steps[i].tensorsL1.count, tensors[i] * kTile);
    EXPECT_EQ(run.steps[i].circularBuffersL1.count, buffers[i] * kTile);
    EXPECT_EQ(run.steps[i].lowestTensor, lowest[i]);
    EXPECT_EQ(run.steps[i].verdict, RunVerdict::Fine);
  }
  EXPECT_EQ(run.peakL1.count, 9 * kTile);
  EXPECT_EQ(run.peakStep, 2);
  EXPECT_EQ(run.peakDramPerBank, 4096);
  EXPECT_EQ(run.failures, 0);
  EXPECT_EQ(run.dramBytes, 2 * 4 * kTile);  // %a read, %3 written
  Nanoseconds time;
  for (const SimStep& step : run.steps) time += step.time.total();
  EXPECT_EQ(run.time, time);
  EXPECT_EQ(run.steps.back().time.total().count, 0);
}

TEST(Simulator, EventsComeInOrderAndFreesFollowTheLastUse) {
  DeviceSpec device = tinyDevice();
  Graph graph = fourOps(device);
  SimResult run = simulate(graph, OpModel(device), device.usableL1());
  std::string text;
  for (const SimEvent& e : run.events) {
    if (e.kind == EventKind::Run) text += std::to_string(e.step) + " run\n";
    else
      text += std::to_string(e.step) + (e.kind == EventKind::Alloc ? " alloc %" : " free %") +
              graph.values[e.value].name + "\n";
  }
  EXPECT_EQ(text,
            "-1 alloc %a\n0 alloc %0\n0 run\n0 free %a\n1 alloc %1\n1 run\n1 free %0\n2 alloc %2\n2 run\n2 free %1\n3 "
            "alloc %3\n3 "
            "run\n3 free %2\n4 run\n");
}

// %a and %c leave 8 + 18 tiles free around %b: 26 tiles are free, 20 are wanted, but the largest hole has 18.
TEST(Simulator, FindsFragmentationThatASumOfBytesDoesNot) {
  DeviceSpec device = tinyDevice();
  const std::string eight = "tensor<1024x32xbf16>", four = "tensor<512x32xbf16>", twenty = "tensor<2560x32xbf16>";
  std::string text = "func.func @main(%x: " + eight + ", %y: " + four + ", %z: " + twenty + ") -> (" + eight + ", " +
                     four + ", " + twenty + ") {\n" + line("%a", "ttir.relu", "%x", eight) +
                     line("%b", "ttir.relu", "%y", four) + line("%c", "ttir.relu", "%x", eight) +
                     line("%u", "ttir.add", "%a, %c", eight) + line("%d", "ttir.relu", "%z", twenty) +
                     line("%v", "ttir.relu", "%b", four) + line("%w", "ttir.relu", "%d", twenty) +
                     "  return %u, %v, %w : " + eight + ", " + four + ", " + twenty + "\n}\n";
  Graph graph = laidOut(text, {{"a"}, {"b"}, {"c"}, {"d"}}, device);
  OpModel model(device);
  SimResult run = simulate(graph, model, device.usableL1());
  // By the sum of bytes there is room: 4 tiles of %b, 20 of %d and 4 of circular buffers are less than the 30 of L1.
  OpConfig config{*graph.values[valueNamed(graph, "d")].type.tensor->layout, {}};
  std::vector<std::optional<TensorLayout>> inputs = {graph.values[valueNamed(graph, "z")].type.tensor->layout};
  EXPECT_TRUE(
      model.validateOperation({graph, producerOf(graph, "d"), inputs, config, Bytes(4 * kTile)}, device.usableL1())
          .ok());
  ASSERT_EQ(run.steps.size(), 8u);
  EXPECT_EQ(run.steps[4].verdict, RunVerdict::OutOfMemory);
  EXPECT_EQ(run.steps[4].verdictText,
            "Out of Memory: Not enough space to allocate 163840 B L1 buffer across 4 banks, where each bank needs to "
            "store 40960 B, but bank size is "
            "61440 B (allocated: 8192 B, free: 53248 B, largest free block: 36864 B)");
  // Two holes, of 8 and 18 tiles.
  EXPECT_EQ(run.steps[4].l1.free, 26 * kTile);
  EXPECT_EQ(run.steps[4].l1.largestHole, 18 * kTile);
  for (size_t i : {0, 1, 2, 3, 5, 6, 7}) EXPECT_EQ(run.steps[i].verdict, RunVerdict::Fine) << i;
  EXPECT_EQ(run.failures, 1);
  for (const SimBuffer& b : run.buffers) EXPECT_NE(b.value, valueNamed(graph, "d"));
  expectSoundRun(graph, run, device);
}

TEST(Simulator, CircularBuffersClashWithTheLowestTensor) {
  DeviceSpec device = tinyDevice();
  const std::string t = "tensor<3456x32xbf16>";  // 27 tiles per core of 30
  std::string text = "func.func @main(%x: " + t + ") -> " + t + " {\n" + line("%a", "ttir.relu", "%x", t) +
                     line("%b", "ttir.relu", "%a", t) + "  return %b : " + t + "\n}\n";
  Graph graph = laidOut(text, {{"a"}}, device);
  SimResult run = simulate(graph, OpModel(device), device.usableL1());
  for (size_t i : {0, 1}) {
    EXPECT_EQ(run.steps[i].verdict, RunVerdict::Clash);
    EXPECT_EQ(
        run.steps[i].verdictText,
        "Statically allocated circular buffers in program " + std::to_string(i) +
            " clash with L1 buffers on core range [(x=0,y=0) - (x=1,y=1)]. L1 buffer allocated at 10240 and static "
            "circular buffer region ends at 12288");
  }
  EXPECT_EQ(run.failures, 2);
  expectSoundRun(graph, run, device);
}

TEST(Simulator, BuffersThatEndWhereTheLowestTensorBeginsDoNotClash) {
  DeviceSpec device = tinyDevice();
  const std::string t = "tensor<3328x32xbf16>";  // 26 tiles; 4 are left for the buffers
  std::string text = "func.func @main(%x: " + t + ") -> " + t + " {\n" + line("%a", "ttir.relu", "%x", t) +
                     "  return %a : " + t + "\n}\n";
  Graph graph = laidOut(text, {{"a"}}, device);
  SimResult run = simulate(graph, OpModel(device), device.usableL1());
  EXPECT_EQ(run.failures, 0);
  EXPECT_EQ(run.peakL1.count, 30 * kTile);
}

TEST(Simulator, CircularBuffersBeyondL1AreToldApartFromClashes) {
  DeviceSpec device = tinyDevice();
  const std::string t = "tensor<32x1024xbf16>";  // softmax over 32 tiles: (4 * 8 + 32 + 3) tiles of buffers
  std::string text = "func.func @main(%x: " + t + ") -> " + t +
                     " {\n  %a = \"ttir.softmax\"(%x) <{dimension = -1 : si32}> : (" + t + ") -> " + t +
                     "\n  return %a : " + t + "\n}\n";
  Graph graph = laidOut(text, {}, device);
  SimResult run = simulate(graph, OpModel(device), device.usableL1());
  EXPECT_EQ(run.steps[0].verdict, RunVerdict::Clash);
  EXPECT_EQ(run.steps[0].verdictText,
            "Statically allocated circular buffers on core range [(x=0,y=0) - (x=1,y=1)] grow to " +
                std::to_string(kL1Base + 67 * kTile) + " B which is beyond max L1 size of 65536 B");
  expectSoundRun(graph, run, device);
}

TEST(Simulator, DramThatIsFullIsAVerdictToo) {
  DeviceSpec device = tinyDevice();
  device.dramBankSize = Bytes(6 * kTile);
  const std::string t = "tensor<128x64xbf16>";  // 8 tiles, 4 per bank
  std::string text = "func.func @main(%x: " + t + ") -> " + t + " {\n" + line("%a", "ttir.relu", "%x", t) +
                     "  return %a : " + t + "\n}\n";
  Graph graph = laidOut(text, {}, device);
  SimResult run = simulate(graph, OpModel(device), device.usableL1());
  EXPECT_EQ(run.steps[0].verdict, RunVerdict::OutOfMemory);
  EXPECT_NE(run.steps[0].verdictText.find("DRAM buffer across 2 banks"), std::string::npos) << run.steps[0].verdictText;
  expectSoundRun(graph, run, device);
}

// Arguments in L1 belong to the caller; a returned value stays although nothing else reads it; a value nobody reads
// goes at once.
TEST(Simulator, ArgumentsAndResultsStayUnusedValuesGo) {
  DeviceSpec device = tinyDevice();
  const std::string t = "tensor<64x64xbf16>";
  std::string text = "func.func @main(%x: " + t + ") -> " + t + " {\n" + line("%a", "ttir.relu", "%x", t) +
                     line("%unused", "ttir.relu", "%x", t) + line("%b", "ttir.relu", "%x", t) + "  return %a : " + t +
                     "\n}\n";
  Graph graph = laidOut(text, {{"x"}, {"a"}, {"unused"}, {"b"}}, device);
  SimResult run = simulate(graph, OpModel(device), device.usableL1());
  EXPECT_EQ(buffersText(graph, run),
            "%x L1 63488+2048 0..3\n"
            "%a L1 61440+2048 0..3\n"
            "%unused L1 59392+2048 1..1\n"
            "%b L1 59392+2048 2..2\n");
  expectSoundRun(graph, run, device);
}

TEST(Simulator, AnOperandUsedTwiceIsFreedOnce) {
  DeviceSpec device = tinyDevice();
  Graph graph = fourOps(device);
  SimResult run = simulate(graph, OpModel(device), device.usableL1());
  int frees = 0;
  for (const SimEvent& e : run.events) frees += e.kind == EventKind::Free && e.value == valueNamed(graph, "1");
  EXPECT_EQ(frees, 1);
}

TEST(Simulator, HostTensorsTakeNoDeviceMemory) {
  DeviceSpec device = tinyDevice();
  Graph graph = fourOps(device);
  TensorLayout& layout = *graph.values.edit(valueNamed(graph, "a")).type.tensor->layout;
  layout.buffer = BufferType::SystemMemory;
  layout.memory = TensorMemoryLayout::None;
  SimResult run = simulate(graph, OpModel(device), device.usableL1());
  for (const SimBuffer& b : run.buffers) EXPECT_NE(b.value, valueNamed(graph, "a"));
  expectSoundRun(graph, run, device);
}

TEST(SimulatorDeathTest, ATensorWithoutLayoutIsABugOfOurs) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  DeviceSpec device = tinyDevice();
  Graph graph = fourOps(device);
  graph.values.edit(valueNamed(graph, "2")).type.tensor->layout.reset();
  EXPECT_DEATH(simulate(graph, OpModel(device), device.usableL1()), "without layout");
}

// Time until the first tile counts as the bound where it is as long as the busiest part, DRAM where compute is as long.
TEST(Simulator, OfPartsAsLongTheFixedOneBounds) {
  DeviceSpec device = tinyDevice();
  device.clockMhz = 50'000;  // so that times are few nanoseconds
  int ties = 0, longer = 0, shorter = 0;
  for (int64_t bytes = 1; bytes <= 400; ++bytes) {
    device.dramReadBytesPerClock = device.dramWriteBytesPerClock = bytes;
    const SimResult run = simulate(fourOps(device), OpModel(device), device.usableL1());
    for (const SimStep& step : run.steps) {
      const int64_t busiest = std::max({step.time.compute.count, step.time.dram.count, step.time.noc.count});
      if (step.time.total().count == 0) {
        EXPECT_EQ(step.bound, Bound::None);
        continue;
      }
      EXPECT_EQ(step.bound == Bound::Fixed, step.time.fixed.count >= busiest)
          << step.time.fixed.count << " of " << busiest;
      ties += step.time.fixed.count == busiest;
      longer += step.time.fixed.count > busiest, shorter += step.time.fixed.count < busiest;
    }
  }
  EXPECT_GT(ties, 0);
  EXPECT_GT(longer, 0);
  EXPECT_GT(shorter, 0);
}

// Of what takes as long as the busiest part DRAM is named before computing, computing before the network.
TEST(Simulator, OfPartsAsLongDramBoundsBeforeComputing) {
  DeviceSpec device = tinyDevice();
  device.dramBankSize = Bytes(16 << 20);
  const std::string t = "tensor<256x256xbf16>";
  const Graph graph = laidOut("func.func @main(%x: " + t + ") -> " + t + " {\n" + line("%a", "ttir.add", "%x, %x", t) +
                                  "  return %a : " + t + "\n}\n",
                              {}, device);
  int ties = 0, computing = 0, dram = 0;
  for (int64_t i = 0; i < 2000; ++i) {
    const int64_t bytes = 10 + i % 40;
    device.clockMhz = 50'000 + 7'000 * (i / 40);  // so that times are few nanoseconds
    device.dramReadBytesPerClock = device.dramWriteBytesPerClock = bytes;
    const SimStep step = simulate(graph, OpModel(device), device.usableL1()).steps[0];
    const OpTime& time = step.time;
    const int64_t busiest = std::max({time.compute.count, time.dram.count, time.noc.count});
    if (time.fixed.count >= busiest) continue;
    const Bound bound = time.dram.count == busiest      ? Bound::Dram
                        : time.compute.count == busiest ? Bound::Compute
                                                        : Bound::Noc;
    EXPECT_EQ(step.bound, bound) << bytes;
    ties += time.dram.count == busiest && time.compute.count == busiest;
    computing += bound == Bound::Compute, dram += bound == Bound::Dram;
  }
  EXPECT_GT(ties, 0);
  EXPECT_GT(computing, 0);
  EXPECT_GT(dram, 0);
}

// The region of circular buffers may end where L1 does; a tile less of L1 and it reaches beyond.
TEST(Simulator, CircularBuffersMayFillL1) {
  const std::string t = "tensor<32x1024xbf16>";  // softmax over 32 tiles: 67 tiles of buffers
  const std::string text = "func.func @main(%x: " + t + ") -> " + t +
                           " {\n  %a = \"ttir.softmax\"(%x) <{dimension = -1 : si32}> : (" + t + ") -> " + t +
                           "\n  return %a : " + t + "\n}\n";
  for (const int64_t tiles : {66, 67, 68}) {
    DeviceSpec device = tinyDevice();
    device.l1Size = Bytes(kL1Base + tiles * kTile);
    const SimResult run = simulate(laidOut(text, {}, device), OpModel(device), device.usableL1());
    EXPECT_EQ(run.steps[0].circularBuffersL1.count, 67 * kTile);
    EXPECT_EQ(run.steps[0].verdict, tiles < 67 ? RunVerdict::Clash : RunVerdict::Fine) << tiles;
  }
}

// Peaks of the memories beside L1 are those of the whole run, not of its last allocation.
TEST(Simulator, PeaksStayWhenMemoryIsGivenBack) {
  DeviceSpec device = tinyDevice();
  device.l1Small = Bytes(16 * kTile);
  const std::string big = "tensor<256x64xbf16>", small = "tensor<64x64xbf16>";
  const std::string text = "func.func @main(%a: " + big + ", %b: " + small + ") -> " + small + " {\n" +
                           line("%0", "ttir.relu", "%a", big) + line("%1", "ttir.relu", "%0", big) +
                           line("%2", "ttir.relu", "%b", small) + line("%3", "ttir.relu", "%2", small) +
                           "  return %3 : " + small + "\n}\n";
  Graph graph = laidOut(text, {{"0"}, {"2"}}, device);
  for (const char* name : {"0", "2"})
    graph.values.edit(valueNamed(graph, name)).type.tensor->layout->buffer = BufferType::L1Small;
  const SimResult run = simulate(graph, OpModel(device), device.usableL1());
  EXPECT_EQ(run.peakL1Small, 4 * kTile) << "sixteen tiles on four cores";
  EXPECT_EQ(run.peakDramPerBank, (8 + 2) * kTile) << "%a and %b, then %b and %1, on two banks";
}

}  // namespace
}  // namespace tessera::test
