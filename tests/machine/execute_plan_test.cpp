// Plans of all policies, executed on simulated memory.

#include "core/driver/execute_run.h"

#include "core/policy/policy.h"
#include "tests/policy/random_graph.h"
#include "tests/policy/test_graphs.h"
#include "tests/sim/tiny_device.h"

namespace tessera::test {
namespace {

ExecutedRun executed(const std::string& text, std::string_view policy, double cap, int64_t side, Session& small) {
  ExecuteRequest request;
  request.options.policy = policy;
  Diagnostics diags;
  EXPECT_TRUE(setOption(request.options, "tensor-l1-usage-cap", std::to_string(cap), diags));
  request.side = side;
  return executeSmall(graphOf(text), small, request);
}

void expectEqual(const std::string& text, std::string_view policy, double cap, int64_t side = 40) {
  SCOPED_TRACE(std::string(policy) + ", cap " + std::to_string(cap));
  Session small;
  const ExecutedRun done = executed(text, policy, cap, side, small);
  ASSERT_TRUE(done.executed);
  for (const ReportDefect& d : done.run->report.run->defects) ADD_FAILURE() << d.checker << " " << d.rule << d.text;
  EXPECT_EQ(done.execution.status, PlanStatus::Equal) << done.execution.text;
  EXPECT_GT(done.execution.reads, 0);
}

std::vector<std::string_view> decidingPolicies() {
  std::vector<std::string_view> ids;
  for (const PolicyInfo& policy : allPolicies()) {
    if (!policy.has(kAsItStands)) ids.push_back(policy.id);
  }
  return ids;
}

// All graphs under all policies and little room: scripts/execute_plans.
TEST(ExecutePlan, PlansOfRealGraphsComputeWhatTheGraphDoes) {
  const auto files = corpusFiles();
  if (files.empty()) GTEST_SKIP() << "no corpus";
  const std::vector<std::string_view> policies = decidingPolicies();
  const size_t apart = smallTests() ? 12 : 4;
  for (size_t at = 0; at < files.size(); at += apart) {
    SCOPED_TRACE(files[at].filename().string());
    const std::string_view policy = policies[at / apart % policies.size()];
    expectEqual(readFile(files[at]), policy == "Exact" ? "Beam" : policy, at / apart % 2 == 0 ? 0.02 : 1, 8);
  }
}

TEST(ExecutePlan, PlansOfRandomGraphsComputeWhatTheGraphDoes) {
  const std::vector<std::string_view> policies = decidingPolicies();
  for (uint64_t seed = 0; seed < seeds(policies.size()); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::string text = randomGraphText(seed, {.images = seed % 4 == 0});
    expectEqual(text, policies[seed % policies.size()], seed % 3 > 0 ? 0.02 : 1, 40);
  }
}

// Whole numbers and f32 lose nothing on the device: bit for bit the interpreter's results.
TEST(ExecutePlan, ComputesF32AndIntegersBitForBit) {
  const std::string f = "tensor<96x70xf32>", i = "tensor<96x70xsi32>";
  const std::string text = "func.func @main(%a: " + f + ", %n: " + i + ") -> (" + f + ", " + i + ") {\n" +
                           line("%0", "ttir.exp", "%a", f) + line("%1", "ttir.multiply", "%0, %a", f) +
                           line("%2", "ttir.add", "%n, %n", i) + line("%3", "ttir.subtract", "%1, %0", f) +
                           "  return %3, %2 : " + f + ", " + i + "\n}\n";
  Session small;
  ExecuteRequest request;
  request.whole = true;
  const ExecutedRun done = executeSmall(graphOf(text), small, request);
  ASSERT_TRUE(done.executed);
  EXPECT_EQ(done.execution.status, PlanStatus::Equal) << done.execution.text;
  EXPECT_EQ(done.execution.rounding, 0.0);
}

// A file leaves the numbers of a large constant out. Pairs of places are lowered to one number, row * 128 + column,
// which no longer says how many rows there are: what was made up before the passes has to last.
TEST(ExecutePlan, PlacesMadeUpForAConstantLastThroughThePasses) {
  expectEqual(
      "func.func @main(%a: tensor<1x128xi1>, %b: tensor<1x128xi1>) -> tensor<1x128xi1> {\n"
      "  %c = stablehlo.constant dense_resource<__elided__> : tensor<1x128x2xi64>\n"
      "  %0 = stablehlo.and %a, %b : tensor<1x128xi1>\n"
      "  %1 = \"stablehlo.gather\"(%0, %c) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], "
      "start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<1x128xi1>, "
      "tensor<1x128x2xi64>) -> tensor<1x128xi1>\n"
      "  %2 = stablehlo.and %1, %b : tensor<1x128xi1>\n"
      "  return %2 : tensor<1x128xi1>\n}\n",
      "DRAM", 1);
}

// A weight prepared for a convolution is stored in another shape than it had, whose rows share exponents otherwise.
TEST(ExecutePlan, PreparedWeightsInBlocksAreRoundedAsTheyAreStored) {
  Session small;
  ExecuteRequest request;
  Diagnostics diags;
  ASSERT_TRUE(setOption(request.options, "experimental-bfp8-weights", "true", diags));
  const ExecutedRun done = executeSmall(
      graphOf(
          "func.func @main(%x: tensor<1x24x64x32xf32>, %w: tensor<32x32x1x1xf32> {ttcore.argument_type = "
          "#ttcore.argument_type<parameter>}) -> tensor<1x12x32x32xf32> {\n"
          "  %0 = \"ttir.conv2d\"(%x, %w) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, "
          "groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 2, 2>, "
          "width_dim = 2 : i64}> : (tensor<1x24x64x32xf32>, tensor<32x32x1x1xf32>) -> tensor<1x12x32x32xf32>\n"
          "  return %0 : tensor<1x12x32x32xf32>\n}\n"),
      small, request);
  ASSERT_TRUE(done.executed);
  EXPECT_EQ(done.execution.status, PlanStatus::Equal) << done.execution.text;
}

int64_t addressOf(const SimResult& run, ValueId value) {
  for (const SimBuffer& buffer : run.buffers) {
    if (buffer.value == value) return buffer.address;
  }
  ADD_FAILURE() << "no buffer";
  return 0;
}

// The first difference names the op, its operand, the core, the address and who wrote there.
TEST(ExecutePlan, TellsWhereTheFirstDifferenceIs) {
  const DeviceSpec device = tinyDevice();
  const Graph graph = fourOps(device);
  SimResult run = simulate(graph, OpModel(device), device.usableL1());
  const ValueId second = valueNamed(graph, "1"), first = valueNamed(graph, "0");
  const int64_t address = addressOf(run, first);
  for (SimEvent& event : run.events) event.address = event.value == second ? address - kTile : event.address;
  const PlanExecution done = executePlan(graph, run, device, randomInputs(graph, 1));
  ASSERT_EQ(done.status, PlanStatus::Different);
  ASSERT_TRUE(done.difference);
  EXPECT_EQ(done.difference->op, producerOf(graph, "1"));
  EXPECT_EQ(done.difference->operand, 0);
  EXPECT_EQ(done.difference->value, first);
  EXPECT_EQ(done.difference->address, address);
  EXPECT_EQ(done.difference->place, "core (x=0,y=0)");
  EXPECT_EQ(done.difference->element, "element [0, 0]");
  EXPECT_EQ(done.difference->writer, "step 1, %1 ttir.relu: made room for %1");
}

// What was changed last right below the address did not change it.
TEST(ExecutePlan, ANeighbourDidNotWriteThere) {
  const DeviceSpec device = tinyDevice();
  const Graph graph = fourOps(device);
  SimResult run = simulate(graph, OpModel(device), device.usableL1());
  const ValueId second = valueNamed(graph, "1"), first = valueNamed(graph, "0");
  const int64_t address = addressOf(run, first);
  size_t allocated = 0;
  for (size_t i = 0; i < run.events.size(); ++i) {
    SimEvent& event = run.events[i];
    if (event.value != second) continue;
    event.address = address - kTile;
    if (event.kind == EventKind::Alloc) allocated = i + 1;
  }
  ASSERT_GT(allocated, 0u);
  SimEvent below;
  below.step = 1;
  below.kind = EventKind::Run;
  below.bytes = kTile;
  below.address = address - below.bytes;
  run.events.insert(run.events.begin() + static_cast<std::ptrdiff_t>(allocated), below);
  const PlanExecution done = executePlan(graph, run, device, randomInputs(graph, 1));
  ASSERT_TRUE(done.difference) << done.text;
  EXPECT_EQ(done.difference->address, address);
  EXPECT_EQ(done.difference->writer, "step 1, %1 ttir.relu: made room for %1");
}

// Cores are counted row by row of the grid: the fifth of rows of three is the second of the second row.
TEST(ExecutePlan, NamesTheCoreOfADifference) {
  DeviceSpec device = tinyDevice();
  device.grid = {2, 3};
  const std::string t = "tensor<192x32xbf16>";
  const Graph graph = laidOut("func.func @main(%a: " + t + ") -> " + t + " {\n" + line("%0", "ttir.neg", "%a", t) +
                                  line("%1", "ttir.neg", "%0", t) + "  return %1 : " + t + "\n}\n",
                              {{"0", TensorMemoryLayout::HeightSharded, {6, 1}}}, device);
  std::vector<HostTensor> inputs = randomInputs(graph, 1);
  for (size_t i = 0; i < inputs[0].size(); ++i) inputs[0].set(i, i == 4 * 32 * 32 + 5 ? -2 : -1);
  PlanExecutionOptions options;
  StorageCode written;
  written.pack = [](const PageMap& map, DType dtype, const double* values, uint8_t* bytes) {
    std::vector<double> changed(values, values + map.pageRows * map.pageCols);
    for (double& value : changed) value = value == 2 ? 3 : value;
    packPage(map, dtype, changed.data(), bytes);
  };
  options.written = &written;
  const SimResult run = simulate(graph, OpModel(device), device.usableL1());
  const PlanExecution done = executePlan(graph, run, device, inputs, options);
  ASSERT_EQ(done.status, PlanStatus::Different) << done.text;
  ASSERT_TRUE(done.difference);
  EXPECT_EQ(done.difference->element, "element [128, 5]");
  EXPECT_EQ(done.difference->place, "core (x=1,y=1)");
  EXPECT_EQ(done.difference->is, 3);
  EXPECT_EQ(done.difference->should, 2);
}

// Without layout ops nothing is moved, and every op reads its operands and writes its result once.
TEST(ExecutePlan, CountsWhatWasDone) {
  const DeviceSpec device = tinyDevice();
  const Graph graph = fourOps(device);
  const SimResult run = simulate(graph, OpModel(device), device.usableL1());
  const PlanExecution done = executePlan(graph, run, device, randomInputs(graph, 1));
  ASSERT_EQ(done.status, PlanStatus::Equal) << done.text;
  EXPECT_EQ(done.moves, 0);
  EXPECT_EQ(done.writes, 5) << "the argument and four results";
  EXPECT_EQ(done.bytes, 5 * 64 * 64 * 2);
  EXPECT_EQ(done.reads, 6) << "the sum reads twice, the return once";
}

// A view is not written, a cache is written in place once more, and a conversion that changes nothing but the place is
// moved as bytes.
TEST(ExecutePlan, CountsViewsMovesAndWritesInPlace) {
  const DeviceSpec device = tinyDevice();
  const std::string flat = "tensor<64x64xbf16>", deep = "tensor<2x32x64xbf16>", cache = "tensor<1x1x128x64xbf16>",
                    row = "tensor<1x1x32x64xbf16>";
  const std::string text = "func.func @main(%cache: " + cache + ", %x: " + row + ", %y: " + flat + ") -> " + deep +
                           " {\n  \"ttnn.fill_cache\"(%cache, %x) <{batch_offset = 0 : i32}> : (" + cache + ", " + row +
                           ") -> ()\n" + line("%a", "ttir.relu", "%y", flat) +
                           "  %v = \"ttir.reshape\"(%a) <{shape = [2 : i32, 32 : i32, 64 : i32]}> : (" + flat +
                           ") -> " + deep + "\n  %m = \"ttnn.to_memory_config\"(%v) : (" + deep + ") -> " + deep +
                           "\n  return %m : " + deep + "\n}\n";
  const Graph graph = laidOut(text, {{"a"}, {"v"}}, device);
  const SimResult run = simulate(graph, OpModel(device), device.usableL1());
  const PlanExecution done = executePlan(graph, run, device, randomInputs(graph, 1));
  ASSERT_EQ(done.status, PlanStatus::Equal) << done.text;
  EXPECT_EQ(done.steps, 5);
  EXPECT_EQ(done.views, 1);
  EXPECT_EQ(done.moves, 1);
  EXPECT_EQ(done.writes, 6) << "three arguments, the cache again, %a and %m";
  EXPECT_EQ(done.bytes, 2 * (2 * 128 * 64 + 32 * 64 + 3 * 64 * 64));
  EXPECT_EQ(done.reads, 6) << "the cache and %x, %y, %a, %v, and the return %m";
}

TEST(ExecutePlan, ARunWithoutRoomFails) {
  DeviceSpec device = tinyDevice();
  device.dramBankSize = Bytes(2048);
  const Graph graph = fourOps(device);
  const SimResult run = simulate(graph, OpModel(device), device.usableL1());
  EXPECT_EQ(executePlan(graph, run, device, randomInputs(graph, 1)).status, PlanStatus::Failed);
}

TEST(ExecutePlan, MoreThanItMayHoldIsOverBudget) {
  const DeviceSpec device = tinyDevice();
  const Graph graph = fourOps(device);
  const SimResult run = simulate(graph, OpModel(device), device.usableL1());
  PlanExecutionOptions options;
  options.memoryBytes = 16384;
  EXPECT_EQ(executePlan(graph, run, device, randomInputs(graph, 1), options).status, PlanStatus::OverBudget);
}

}  // namespace
}  // namespace tessera::test
