// Runs that no simulator would give, executed: events out of range, steps that are missing, memory that nobody wrote;
// graphs beside another source than theirs; tensors that are too large.

#include <cmath>
#include <set>

#include "core/machine/formats.h"
#include "core/machine/rounding.h"
#include "tests/machine/planted_subjects.h"

namespace tessera::test {
namespace {

PlanExecution executedAsIs(const Subject& s, PlanExecutionOptions options = {}) {
  options.written = &s.written;
  return executePlan(s.applied.graph, s.run, s.device(), randomInputs(s.applied.graph, 1), options);
}

// %0 and %1 of three, in L1. The last op reads %1 and another.
Subject threeOps(const std::string& other = "%0") {
  const std::string t = "tensor<64x64xbf16>";
  const std::string text = "func.func @main(%a: " + t + ") -> " + t + " {\n" + line("%0", "ttir.neg", "%a", t) +
                           line("%1", "ttir.relu", "%0", t) + line("%2", "ttir.add", "%1, " + other, t) +
                           "  return %2 : " + t + "\n}\n";
  const DeviceSpec device = tinyDevice();
  return asLaidOut(laidOut(text, {{"0"}, {"1"}}, device), device);
}

struct Damage {
  const char* what;
  std::function<void(Subject&)> plant;
  PlanStatus status;
  std::string text;
};

void insertAt(Subject& s, size_t at, const SimEvent& event) {
  s.run.events.insert(s.run.events.begin() + static_cast<std::ptrdiff_t>(at), event);
}

SimEvent& allocationOf(Subject& s, std::string_view name) { return s.run.events[s.eventOf(EventKind::Alloc, name)]; }

TEST(DamagedRuns, AreToldWithTheirReason) {
  const std::string outOfRange = "an event of the run is out of range";
  const Damage damages[] = {
      {"nothing", [](Subject&) {}, PlanStatus::Equal, ""},
      {"a buffer below none", [](Subject& s) { allocationOf(s, "0").buffer = -2; }, PlanStatus::Different, outOfRange},
      {"a buffer behind the last",
       [](Subject& s) { allocationOf(s, "0").buffer = static_cast<int32_t>(s.run.buffers.size()); },
       PlanStatus::Different, outOfRange},
      {"less than no bytes", [](Subject& s) { allocationOf(s, "0").bytes = -1; }, PlanStatus::Different, outOfRange},
      {"an address below 0", [](Subject& s) { allocationOf(s, "0").address = -32; }, PlanStatus::Different, outOfRange},
      {"bytes without end", [](Subject& s) { allocationOf(s, "0").bytes = INT64_MAX; }, PlanStatus::Different,
       outOfRange},
      {"an address without end", [](Subject& s) { allocationOf(s, "0").address = INT64_MAX; }, PlanStatus::Different,
       outOfRange},
      {"a value that there is not",
       [](Subject& s) { allocationOf(s, "0").value = ValueId{static_cast<int32_t>(s.applied.graph.values.size())}; },
       PlanStatus::Different, outOfRange},
      {"below the first address that tensors may have", [](Subject& s) { s.relocate("0", kL1Base - 32); },
       PlanStatus::Different, "step 0, %0 ttir.neg: %0 lies outside of its memory"},
      {"above the last one", [](Subject& s) { s.relocate("0", kL1Top - kTile + 32); }, PlanStatus::Different,
       "step 0, %0 ttir.neg: %0 lies outside of its memory"},
      {"no room", [](Subject& s) { allocationOf(s, "1").kind = EventKind::OutOfMemory; }, PlanStatus::Failed,
       "step 1, %1 ttir.relu: no room for %1"},
      {"a clash", [](Subject& s) { allocationOf(s, "1").kind = EventKind::Clash; }, PlanStatus::Failed,
       "step 1, %1 ttir.relu: its circular buffers reach a tensor"},
      {"the last step missing", [](Subject& s) { s.run.steps.pop_back(); }, PlanStatus::Different,
       "the run has other steps than the graph"},
      {"no events", [](Subject& s) { s.run.events.clear(); }, PlanStatus::Different,
       "before the first op: the run gives %a no address"},
      {"no events of steps",
       [](Subject& s) { std::erase_if(s.run.events, [](const SimEvent& event) { return event.step >= 0; }); },
       PlanStatus::Different, "step 0, %0 ttir.neg: the run gives %0 no address"},
      {"no events of the last step",
       [](Subject& s) { std::erase_if(s.run.events, [](const SimEvent& event) { return event.step >= 3; }); },
       PlanStatus::Equal, ""},
      {"room for what is there already",
       [](Subject& s) {
         SimEvent again = allocationOf(s, "0");
         again.step = 1;
         insertAt(s, s.eventOf(EventKind::Alloc, "1"), again);
       },
       PlanStatus::Different, "step 1, %1 ttir.relu reads %0, which is nowhere"},
      {"a result without a layout",
       [](Subject& s) { s.applied.graph.values.edit(s.value("1")).type.tensor->layout.reset(); },
       PlanStatus::NotExecutable, "%1 has no layout"},
      {"too few shards",
       [](Subject& s) {
         TensorLayout& layout = *s.applied.graph.values.edit(s.value("1")).type.tensor->layout;
         layout.memory = TensorMemoryLayout::HeightSharded;
         layout.grid = {1, 1};
         layout.shardRows = 1, layout.shardCols = 2;
       },
       PlanStatus::Different, "%1: the shards do not reach row 32, column 0"},
      {"an op that writes another layout than its type has",
       [](Subject& s) {
         s.run.steps[1].produced = layoutFor(s.applied.graph, s.value("1"), BufferType::L1,
                                             TensorMemoryLayout::HeightSharded, {1, 1}, s.device());
       },
       PlanStatus::Different, "step 1, %1 ttir.relu: %1 takes 8192 bytes of a bank, its buffer has 2048"},
      {"an op that writes one of as many bytes",
       [](Subject& s) {
         s.run.steps[1].produced = layoutFor(s.applied.graph, s.value("1"), BufferType::L1,
                                             TensorMemoryLayout::BlockSharded, {2, 2}, s.device());
       },
       PlanStatus::Equal, ""},
  };
  for (const Damage& damage : damages) {
    Subject s = threeOps();
    damage.plant(s);
    const PlanExecution done = executedAsIs(s);
    EXPECT_EQ(done.status, damage.status) << damage.what << ": " << done.text;
    EXPECT_EQ(done.text, damage.text) << damage.what;
  }
}

// Before the first op of a function without arguments, and behind its last.
TEST(DamagedRuns, BeforeTheFirstOpAndBehindTheLast) {
  const std::string t = "tensor<32x32xbf16>";
  const DeviceSpec device = tinyDevice();
  const std::string text = "func.func @main() -> " + t +
                           " {\n  %0 = \"ttir.ones\"() <{shape = array<i32: 32, 32>}> : "
                           "() -> " +
                           t + "\n  return %0 : " + t + "\n}\n";
  Subject ones = asLaidOut(laidOut(text, {}, device), device);
  EXPECT_EQ(executedAsIs(ones).status, PlanStatus::Equal) << executedAsIs(ones).text;
  SimEvent early;
  early.step = -1;
  early.kind = EventKind::OutOfMemory;
  early.value = ones.value("0");
  insertAt(ones, 0, early);
  const PlanExecution failed = executedAsIs(ones);
  EXPECT_EQ(planExecutionText(failed), "the run fails: before the first op: no room for %0");

  Subject s = threeOps("%a");
  SimEvent late = allocationOf(s, "a");
  late.step = static_cast<int32_t>(s.run.steps.size()) - 1;
  late.kind = EventKind::Run;
  late.value = ValueId();
  size_t at = 0;
  while (at < s.run.events.size() && s.run.events[at].step < late.step) ++at;
  insertAt(s, at, late);
  std::erase_if(s.run.events,
                [&](const SimEvent& event) { return event.kind == EventKind::Free && event.value == s.value("a"); });
  const PlanExecution done = executedAsIs(s);
  ASSERT_TRUE(done.difference) << done.text;
  EXPECT_EQ(done.difference->step, 4) << "there are four";
  EXPECT_EQ(done.text.substr(0, 22), "after the last op, %a:");
  EXPECT_EQ(done.difference->place, "DRAM bank 0");
  EXPECT_EQ(done.difference->writer, "step 3, func.return: its circular buffers");
}

// A view of bytes that nothing was ever done to.
TEST(DamagedRuns, NobodyWroteWhatAWrongViewReads) {
  Subject s = layoutsSubject();
  int64_t lowest = kL1Top;
  for (const SimEvent& event : s.run.events) {
    if (event.space == DeviceMemory::L1 && event.kind == EventKind::Alloc) lowest = std::min(lowest, event.address);
  }
  const int64_t bytes = s.bufferOf("v").bytes;
  std::erase_if(s.run.events, [](const SimEvent& event) { return event.kind == EventKind::Run; });
  ASSERT_GE(lowest - bytes, kL1Base);
  s.relocate("v", lowest - bytes);
  const PlanExecution done = executedAsIs(s);
  ASSERT_TRUE(done.difference) << done.text;
  EXPECT_EQ(done.difference->value, s.value("v"));
  EXPECT_EQ(done.difference->writer, "nobody");
}

// What is written wrong on the host is told with its place; a number that became none is a difference.
TEST(DamagedRuns, OnTheHostAndWithoutANumber) {
  const auto written = [](bool onHost) {
    Subject s = threeOps();
    if (onHost) {
      TensorLayout& layout = *s.applied.graph.values.edit(s.value("1")).type.tensor->layout;
      layout.buffer = BufferType::SystemMemory;
      layout.memory = TensorMemoryLayout::None;
      layout.grid = {1, 1};
      layout.shardRows = layout.shardCols = 2;
    }
    s.written.pack = [](const PageMap& map, DType dtype, const double* values, uint8_t* bytes) {
      std::vector<double> changed(values, values + map.pageRows * map.pageCols);
      for (double& value : changed) value = value == 0 ? std::nan("") : value;  // as relu makes them
      packPage(map, dtype, changed.data(), bytes);
    };
    return executedAsIs(s);
  };
  for (bool onHost : {false, true}) {
    const PlanExecution done = written(onHost);
    ASSERT_TRUE(done.difference) << done.text;
    EXPECT_TRUE(std::isnan(done.difference->is));
    EXPECT_EQ(done.difference->should, 0);
    EXPECT_EQ(done.difference->place, onHost ? "host" : "core (x=0,y=0)");
  }
}

// The region at the top of L1 is memory of the cores.
TEST(DamagedRuns, SmallL1IsOfTheCores) {
  const std::string t = "tensor<64x64xbf16>";
  const std::string text = "func.func @main(%a: " + t + ") -> " + t + " {\n" + line("%0", "ttir.neg", "%a", t) +
                           line("%1", "ttir.relu", "%0", t) + "  return %1 : " + t + "\n}\n";
  DeviceSpec device = tinyDevice();
  device.l1Small = Bytes(8 * kTile);
  Graph graph = laidOut(text, {{"0", TensorMemoryLayout::HeightSharded, {2, 1}}}, device);
  graph.values.edit(valueNamed(graph, "0")).type.tensor->layout->buffer = BufferType::L1Small;
  Subject s = asLaidOut(std::move(graph), device);
  EXPECT_EQ(allocationOf(s, "0").space, DeviceMemory::L1Small);
  const PlanExecution done = executedAsIs(s);
  EXPECT_EQ(done.status, PlanStatus::Equal) << done.text;
  EXPECT_EQ(done.reads, 3);
}

// A conversion that changes the element type is no move of bytes.
TEST(DamagedRuns, AnotherElementTypeIsWrittenAnew) {
  const std::string t = "tensor<64x64xbf16>";
  const std::string text = "func.func @main(%a: " + t + ") -> " + t + " {\n" + line("%0", "ttir.neg", "%a", t) +
                           line("%1", "ttnn.to_layout", "%0", t) + line("%2", "ttnn.to_layout", "%1", t) +
                           "  return %2 : " + t + "\n}\n";
  const DeviceSpec device = tinyDevice();
  for (DType dtype : {DType::BF16, DType::F32, DType::BFP8}) {
    Graph graph = laidOut(text, {}, device);
    TensorType& type = *graph.values.edit(valueNamed(graph, "1")).type.tensor;
    const auto layout = makeLayout(
        type.shape, {dtype, BufferType::DRAM, TensorMemoryLayout::Interleaved, PageLayout::Tile, {}}, device);
    ASSERT_TRUE(layout.ok());
    type.layout = *layout;
    Subject s = asLaidOut(std::move(graph), device);
    const PlanExecution done = executedAsIs(s);
    EXPECT_EQ(done.status, PlanStatus::Equal) << done.text;
    EXPECT_EQ(done.moves, dtype == DType::BF16 ? 2 : 0);
  }
}

// Deallocating reads nothing, by either of its names: the bytes are rubbish by then.
TEST(DamagedRuns, WhatIsReleasedIsNotRead) {
  const std::string t = "tensor<64x64xbf16>";
  const DeviceSpec device = tinyDevice();
  for (const std::string release : {"ttnn.deallocate", "ttir.dealloc"}) {
    const std::string text = "func.func @main(%a: " + t + ") -> " + t + " {\n" + line("%0", "ttir.neg", "%a", t) +
                             line("%1", "ttir.relu", "%0", t) + "  \"" + release + "\"(%0) : (" + t +
                             ") -> ()\n  return %1 : " + t + "\n}\n";
    Subject s = asLaidOut(laidOut(text, {{"0"}}, device), device);
    SimEvent spoiled = allocationOf(s, "0");
    spoiled.step = 2;
    spoiled.kind = EventKind::Run;
    spoiled.value = ValueId();
    size_t at = 0;
    while (at < s.run.events.size() && s.run.events[at].step < 2) ++at;
    insertAt(s, at, spoiled);
    const PlanExecution done = executedAsIs(s);
    EXPECT_EQ(done.status, PlanStatus::Equal) << release << ": " << done.text;
    EXPECT_EQ(done.steps, 4) << release;
    EXPECT_EQ(done.reads, 3) << release;
  }
}

// The ops at which a run comes to its end for want of memory, from little of it to enough.
std::set<std::string> opsWithoutRoom(const Subject& s) {
  std::set<std::string> names;
  for (int64_t kilobytes = 8; kilobytes <= 4096; kilobytes += 4) {
    PlanExecutionOptions options;
    options.memoryBytes = kilobytes * 1024;
    const PlanExecution done = executedAsIs(s, options);
    if (done.status == PlanStatus::Equal) return names;
    EXPECT_EQ(done.status, PlanStatus::OverBudget) << kilobytes << ": " << planExecutionText(done);
    EXPECT_EQ(done.text, "the memories hold more than they may");
    names.insert(done.steps == 0 ? "argument"
                                 : s.applied.graph.ops[s.run.steps[static_cast<size_t>(done.steps) - 1].op].name);
  }
  ADD_FAILURE() << "4 MiB are not enough";
  return names;
}

// With less memory than a run needs it is over budget, never different: at a write, at a move of tiles (what leaves
// L1), and at one into rows.
TEST(DamagedRuns, WithTooLittleMemoryWritesAndMovesStop) {
  EXPECT_EQ(opsWithoutRoom(pressedSubject()),
            (std::set<std::string>{"argument", "ttir.matmul", "ttir.relu", "ttnn.to_layout"}));
  const std::string t = "tensor<64x64xbf16>";
  const DeviceSpec device = tinyDevice();
  Graph graph = laidOut("func.func @main(%a: " + t + ") -> " + t + " {\n" + line("%0", "ttnn.to_layout", "%a", t) +
                            "  return %0 : " + t + "\n}\n",
                        {}, device);
  TensorType& type = *graph.values.edit(valueNamed(graph, "0")).type.tensor;
  type.layout = *makeLayout(
      type.shape, {DType::BF16, BufferType::DRAM, TensorMemoryLayout::Interleaved, PageLayout::RowMajor, {}}, device);
  EXPECT_EQ(opsWithoutRoom(asLaidOut(std::move(graph), device)), (std::set<std::string>{"argument", "ttnn.to_layout"}));
}

// --- beside a source

std::string functionOf(const std::string& body, const std::string& result, const std::string& type) {
  const std::string t = "tensor<32x32xf32>";
  return "func.func @main(%a: " + t + ") -> " + type + " {\n" + body + "  return " + result + " : " +
         (type[0] == '(' ? type.substr(1, type.size() - 2) : type) + "\n}\n";
}

std::string besideSource(const std::string& text, const std::string& source, double input) {
  const DeviceSpec device = tinyDevice();
  const Subject s = asLaidOut(laidOut(text, {}, device), device);
  std::vector<HostTensor> inputs = randomInputs(s.applied.graph, 1);
  for (size_t i = 0; i < inputs[0].size(); ++i) inputs[0].set(i, input);
  const Graph other = graphOf(source);
  PlanExecutionOptions options;
  options.source = &other;
  const PlanExecution done = executePlan(s.applied.graph, s.run, device, inputs, options);
  return done.status == PlanStatus::Equal ? "equal" : planExecutionText(done);
}

TEST(DamagedSources, ResultsAreComparedInNumberShapeAndValue) {
  const std::string t = "tensor<32x32xf32>", flat = "tensor<1x32x32xf32>";
  const std::string different =
      "DIFFERENT: the graph with the plan computes something else than the graph it was made for";
  const std::string root = functionOf(line("%0", "ttir.sqrt", "%a", t), "%0", t),
                    negated = functionOf(line("%0", "ttir.neg", "%a", t), "%0", t),
                    absolute = functionOf(line("%0", "ttir.abs", "%a", t), "%0", t);
  EXPECT_EQ(besideSource(root, root, 4), "equal");
  EXPECT_EQ(besideSource(root, root, -4), "equal") << "no numbers in both";
  EXPECT_EQ(besideSource(absolute, negated, -4), "equal");
  EXPECT_EQ(besideSource(absolute, negated, 4), different);
  EXPECT_EQ(besideSource(absolute, root, -4), different) << "numbers where the source has none";
  EXPECT_EQ(besideSource(root, absolute, -4), different) << "no numbers where the source has some";
  EXPECT_EQ(besideSource(negated, functionOf(line("%0", "ttir.neg", "%a", t), "%0, %0", "(" + t + ", " + t + ")"), 4),
            different)
      << "another result";
  EXPECT_EQ(besideSource(negated,
                         functionOf(line("%0", "ttir.neg", "%a", t) +
                                        "  %1 = \"ttir.reshape\"(%0) <{shape = [1 : i32, 32 : i32, 32 : i32]}> : (" +
                                        t + ") -> " + flat + "\n",
                                    "%1", flat),
                         4),
            different)
      << "another shape";
  const std::string unknown = besideSource(negated, functionOf(line("%0", "x.unknown", "%a", t), "%0", t), 4);
  EXPECT_EQ(unknown.substr(0, 41), "not executed: the graph before the plan: ") << unknown;
}

// --- sizes and formats

TEST(DamagedTensors, ProductsOfTheirDimsAreChecked) {
  const DeviceSpec device = tinyDevice();
  TensorLayout layout;
  layout.dtype = DType::BF16;
  layout.buffer = BufferType::DRAM;
  layout.memory = TensorMemoryLayout::Interleaved;
  layout.page = PageLayout::RowMajor;
  layout.grid = {1, 1};
  layout.shardRows = layout.shardCols = 1;
  constexpr int64_t k30 = int64_t{1} << 30, k32 = int64_t{1} << 32;
  const std::string tooLarge = "the tensor is empty or too large";
  const Shape refused[] = {
      {k32, k32, 1, 1},  // 2^64 matrices
      {k32, k32, 1},     // 2^64 rows
      {k30, k32, k32},   // 2^62 rows of 2^32
      {k32 + 1, 1},      // one row too many
      {k32, 2},          // twice as many elements as may be
      {3, 0, 5},        {-1, 5},
  };
  for (const Shape& shape : refused) {
    EXPECT_EQ(mapPages(shape, layout, device).problem, tooLarge) << shape.size() << " dims, " << shape[0];
  }
  EXPECT_EQ(mapPages({1, k32}, layout, device).problem, "") << "one page of 2^32";
  EXPECT_EQ(mapPages({3, 5}, layout, device).pages.size(), 3u);
}

// What is no number has no sign in a block: it is stored as the largest.
TEST(DamagedTensors, NoNumberHasNoSignInABlock) {
  PageMap map;
  map.tiled = true;
  map.pageRows = map.pageCols = 32;
  for (DType dtype : {DType::BFP8, DType::BFP4, DType::BFP2}) {
    const auto bytesOf = [&](double value) {
      std::vector<double> values(32 * 32, 0);
      values[3] = value;
      std::vector<uint8_t> bytes(8192);
      packPage(map, dtype, values.data(), bytes.data());
      return bytes;
    };
    const double nan = std::nan("");
    EXPECT_EQ(bytesOf(std::copysign(nan, -1)), bytesOf(std::copysign(nan, 1)));
    EXPECT_NE(bytesOf(-1), bytesOf(1));
    EXPECT_NE(bytesOf(nan), bytesOf(0));
  }
}

// Types that the device does not store are neither rounded nor laid out.
TEST(DamagedTensors, TypesOfTheHostAreLeftAlone) {
  for (DType dtype : {DType::F64, DType::I64, DType::U64, DType::I16, DType::I8, DType::I1, DType::Index}) {
    HostTensor tensor{{2}, true, {0.1F, -70000.25F}, {}};
    roundAsStored(tensor, dtype, 2);
    EXPECT_EQ(tensor.f, (std::vector<float>{0.1F, -70000.25F})) << dtypeName(dtype);
    const double values[] = {1, 2};
    std::vector<uint8_t> bytes(16, 0x5A);
    packRow(dtype, values, 2, bytes.data());
    EXPECT_EQ(bytes, std::vector<uint8_t>(16, 0x5A)) << dtypeName(dtype);
    TensorLayout layout;
    layout.dtype = dtype;
    EXPECT_EQ(mapPages({2, 2}, layout, tinyDevice()).problem, "the device has no such element type");
  }
}

}  // namespace
}  // namespace tessera::test
