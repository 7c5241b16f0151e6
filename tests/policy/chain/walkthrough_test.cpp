// docs/rules/d2m-chains.md, state by state: the graph after fusing, its two chains, the fused kernel between them.

#include "core/lowering/create_d2m_subgraphs.h"
#include "core/policy/chain/chain_passes.h"
#include "core/policy/chain/dispatch_d2m.h"
#include "tests/analysed.h"
#include "tests/policy/chain/chain_testing.h"

namespace tessera::test {
namespace {

const char* const kGraph = R"(
#l1 = #ttnn.buffer_type<l1>
#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>
module {
  func.func @dispatch_with_matmul_producer(%arg0: tensor<64x128xbf16, #layout>, %arg1: tensor<128x256xbf16, #layout>,
                                           %arg2: tensor<256x64xbf16, #layout>,
                                           %arg3: tensor<64x256xbf16, #layout>) -> tensor<64x256xbf16, #layout> {
    %device = "ttnn.get_device"() <{mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
    %0 = "ttnn.matmul"(%arg0, %arg1) <{transpose_a = false, transpose_b = false}>
        : (tensor<64x128xbf16, #layout>, tensor<128x256xbf16, #layout>) -> tensor<64x256xbf16, #layout>
    %empty = "ttnn.empty"(%device) <{dtype = #ttcore.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>,
        shape = #ttnn.shape<64x256>}> : (!ttnn.device) -> tensor<64x256xbf16, #layout>
    %dispatch = "DISPATCH"(%0, %empty)
        : (tensor<64x256xbf16, #layout>, tensor<64x256xbf16, #layout>) -> tensor<64x256xbf16, #layout>
    %4 = "ttnn.matmul"(%dispatch, %arg2) <{transpose_a = false, transpose_b = false}>
        : (tensor<64x256xbf16, #layout>, tensor<256x64xbf16, #layout>) -> tensor<64x64xbf16, #layout>
    %5 = "ttnn.matmul"(%4, %arg3) <{transpose_a = false, transpose_b = false}>
        : (tensor<64x64xbf16, #layout>, tensor<64x256xbf16, #layout>) -> tensor<64x256xbf16, #layout>
    return %5 : tensor<64x256xbf16, #layout>
  }
}
)";

std::string graphText(const std::string& dispatch = "ttnn.dispatch_d2m") {
  std::string text = kGraph;
  text.replace(text.find("DISPATCH"), 8, dispatch);
  return text;
}

// Usable L1 of the walkthrough: 1,473,536 bytes on an 8x8 grid.
DeviceSpec walkthroughDevice() { return *findDevice("mock-wormhole-l1-small"); }

// The steps one by one, as DFSharding2 takes them.
struct Walkthrough {
  DeviceSpec device = walkthroughDevice();
  Graph graph = graphOf(graphText());
  Problem problem = analysed(graph, device, {});
  DecisionLog log;
  ChainOptions options;
  ChainRun run{problem, options, {.isolateConcats = true}, log};

  OpId op(const char* value) const { return producerOf(graph, value); }
};

TEST(D2mChains, TheDeviceIsTheWalkthroughs) {
  Walkthrough w;
  EXPECT_EQ(w.problem.budget.bytes().count, 1473536);
  EXPECT_EQ(w.device.grid, (GridShape{8, 8}));
}

TEST(D2mChains, Phase1BuildsTwoChainsAroundTheDispatch) {
  Walkthrough w;
  ChainWork& work = w.run.work();
  ASSERT_EQ(work.chainCount(), 2);
  EXPECT_EQ(namesOf(w.graph, work.chain(0).ops()), "%0");
  EXPECT_EQ(namesOf(w.graph, work.chain(1).ops()), "%4 %5");
  EXPECT_EQ(work.chain(0).state(), L1ChainState::Built);
  EXPECT_EQ(work.chain(1).state(), L1ChainState::Built);
  EXPECT_EQ(work.chain(0).specs()[0].tensorSplitFactor, 1);
  EXPECT_EQ(namesOf(w.graph, work.trace().schedule), "%0 %dispatch %4 %5");
}

// The decisions of the loop's four iterations.
TEST(D2mChains, Phase1TakesTheDecisionsOfEachIteration) {
  Walkthrough w;
  std::vector<std::string> steps;
  for (const ChainEvent& e : w.run.work().trace().events)
    steps.push_back(std::string(chainEventName(e.kind)) + " " + nameOf(w.graph, e.op) +
                    (e.rule == ChainBreak::None ? "" : ": " + std::string(chainBreakText(e.rule))));
  const std::vector<std::string> expected = {"Scheduled %0",
                                             "ChainStarted %0",
                                             "ChainBroke %0: the next op is a fused kernel",
                                             "Scheduled %dispatch",
                                             "OpLeftOut %dispatch: the next op is a fused kernel",
                                             "Scheduled %4",
                                             "ChainStarted %4",
                                             "Scheduled %5",
                                             "ChainGrew %5",
                                             "ChainBroke %5: no reader of it can run next"};
  EXPECT_EQ(steps, expected);
}

TEST(D2mChains, Phase2RelatesTheChainsThroughTheDispatch) {
  Walkthrough w;
  const std::vector<DispatchChainRelationship> expected = {{w.op("dispatch"), 0, 1}};
  EXPECT_EQ(buildDispatchChainRelationships(w.run.work()), expected);
}

TEST(D2mChains, Phase3SolvesProducersFirst) {
  EXPECT_EQ(computeChainSolvingOrder(2, {{OpId{1}, 0, 1}}), (std::vector<int32_t>{0, 1}));
  EXPECT_EQ(computeChainSolvingOrder(3, {{OpId{1}, 2, 0}}), (std::vector<int32_t>{1, 2, 0}));
  EXPECT_EQ(computeChainSolvingOrder(3, {{OpId{1}, 0, 2}}), (std::vector<int32_t>{0, 1, 2}));
  EXPECT_EQ(computeChainSolvingOrder(4, {}), (std::vector<int32_t>{0, 1, 2, 3}));
  EXPECT_EQ(computeChainSolvingOrder(4, {{OpId{1}, 3, 1}, {OpId{2}, 1, 0}}), (std::vector<int32_t>{2, 3, 1, 0}));
}

// What a person who steps through the trace sees of phases 2 and 3.
TEST(D2mChains, Phases2And3AreInTheTrace) {
  Walkthrough w;
  solveChains(w.run, buildDispatchChainRelationships(w.run.work()));
  const ChainTrace& trace = w.run.work().trace();
  const ChainEvent* related = findEvent(trace, ChainEventKind::DispatchRelated, w.op("%dispatch"));
  ASSERT_NE(related, nullptr);
  EXPECT_EQ(related->chain, 0);
  EXPECT_EQ(related->other, 1);
  const ChainEvent* order = findEvent(trace, ChainEventKind::SolvingOrder);
  ASSERT_NE(order, nullptr);
  EXPECT_EQ(order->note, "0 1");
  EXPECT_LT(related, order);
}

TEST(D2mChains, Phase4SolvesTheProducerAndKeepsItsResult) {
  Walkthrough w;
  solveChains(w.run, buildDispatchChainRelationships(w.run.work()));
  const L1ChainConfig& chain = w.run.work().chain(0);
  EXPECT_EQ(chain.state(), L1ChainState::Completed);
  EXPECT_EQ(chain.spillLocation, SpillLocation::None);
  EXPECT_EQ(layoutText(chain.lastLayout()), "L1 block 2x8");  // #ttnn_layout3
  EXPECT_TRUE(chain.memReconfig().empty());
}

TEST(D2mChains, Phase4TriesSeventeenInputsAndTakesTheFirstThatWorks) {
  Walkthrough w;
  solveChains(w.run, buildDispatchChainRelationships(w.run.work()));
  const ChainEvent* tried = findEvent(w.run.work().trace(), ChainEventKind::FirstOpInput, w.op("4"));
  ASSERT_NE(tried, nullptr);
  EXPECT_EQ(tried->before, 17);
  EXPECT_GT(tried->paths, 0);
  ASSERT_TRUE(tried->layout.has_value());
  EXPECT_EQ(layoutText(*tried->layout), "L1 block 2x2");  // #ttnn_layout4
  const L1ChainConfig& chain = w.run.work().chain(1);
  EXPECT_EQ(chain.state(), L1ChainState::Completed);
  EXPECT_EQ(chain.spillLocation, SpillLocation::DRAM);
  EXPECT_EQ(layoutText(chain.specs()[0].config.output), "L1 block 2x2");
  EXPECT_EQ(w.run.work().trace().solvingOrder, (std::vector<int32_t>{0, 1}));
}

TEST(D2mChains, TheSeventeenInputsAreTenBlockTwoHeightFiveWidth) {
  Walkthrough w;
  ChainConfigs configs(w.problem);
  int block = 0, height = 0, width = 0;
  for (const TensorLayout& layout : configs.sharded(valueNamed(w.graph, "dispatch"))) {
    block += layout.memory == TensorMemoryLayout::BlockSharded;
    height += layout.memory == TensorMemoryLayout::HeightSharded;
    width += layout.memory == TensorMemoryLayout::WidthSharded;
  }
  EXPECT_EQ(block, 10);
  EXPECT_EQ(height, 2);
  EXPECT_EQ(width, 5);
}

TEST(D2mChains, Phase5ComputesTheDispatchsConfig) {
  for (const char* dispatch : {"ttnn.dispatch_d2m", "ttnn.d2m_subgraph"}) {
    auto run = runOn(graphOf(graphText(dispatch)), "DFSharding2", {}, walkthroughDevice());
    expectSound(*run);
    ASSERT_EQ(run->log.chain->dispatches.size(), 1u);
    const DispatchD2MConfig& config = run->log.chain->dispatches[0];
    ASSERT_TRUE(config.input && config.output);
    EXPECT_EQ(layoutText(*config.input), "L1 block 2x8");
    EXPECT_EQ(layoutText(*config.output), "L1 block 2x2");
    EXPECT_EQ(l1BytesPerCore(*config.input).count, 2048);
    EXPECT_EQ(l1BytesPerCore(*config.output).count, 8192);
    EXPECT_EQ(config.l1Budget.count, 1463296);
    int told = 0;  // in the trace, with what is told of it
    for (const ChainEvent& event : run->log.chain->events) {
      if (event.kind != ChainEventKind::DispatchConfigured) continue;
      ++told;
      EXPECT_EQ(event.op, config.dispatch);
      EXPECT_EQ(event.before, config.l1Budget.count);
      EXPECT_EQ(event.layout, config.output);
    }
    EXPECT_EQ(told, 1);
    EXPECT_EQ(run->log.chain->chains[0].spill, SpillLocation::None);
    EXPECT_EQ(run->log.chain->chains[1].spill, SpillLocation::DRAM);
    EXPECT_EQ(placeOf(*run, "dispatch"), "L1 block 2x2");
    EXPECT_TRUE(run->plan.reshards.empty());
    EXPECT_TRUE(run->log.warnings.empty());
  }
}

// The step before the walkthrough: exp, neg and abs become the dispatch.
TEST(D2mChains, FusingMakesTheDispatch) {
  GraphText text("64x256");
  text.arg("%arg0", "64x128")
      .arg("%arg1", "128x256")
      .arg("%arg2", "256x64")
      .matmul("%0", "%arg0", "%arg1")
      .op("%1", "ttnn.exp", {"%0"})
      .op("%2", "ttnn.neg", {"%1"})
      .op("%3", "ttnn.abs", {"%2"})
      .matmul("%4", "%3", "%arg2", "64x64");
  Graph before = graphOf(text.text());
  DeviceSpec device = walkthroughDevice();
  const OpModel model(device);
  L1Budget budget(device.usableL1());
  Graph after = createD2mSubgraphs(before, {device, model, budget, {}}).graph;
  EXPECT_TRUE(verifyGraph(after).empty());
  std::string ops;
  for (OpId op : after.funcs[after.forward].ops) ops += after.ops[op].name + " ";
  EXPECT_EQ(ops, "ttnn.matmul ttnn.dispatch_d2m ttnn.matmul func.return ");
  ASSERT_EQ(after.funcs.size(), 2u);
  std::string kernel;
  for (const Function& func : after.funcs) {
    if (func.name == "d2m_kernel_0") {
      for (OpId op : func.ops) kernel += after.ops[op].name + " ";
    }
  }
  EXPECT_EQ(kernel, "ttnn.exp ttnn.neg ttnn.abs func.return ");
  auto run = runOn(std::move(after), "DFSharding2", {}, device);
  expectSound(*run);
  EXPECT_EQ(placeOf(*run, "3"), "L1 block 2x2");
}

// An op whose result is read outside of the group, and one alone, stay as they are.
TEST(D2mChains, FusingTakesWholeGroupsOnly) {
  GraphText text("64x256");
  text.arg("%a")
      .op("%0", "ttnn.exp", {"%a"})
      .op("%1", "ttnn.neg", {"%0"})
      .op("%2", "ttnn.softmax", {"%1"}, "", "dimension = -1 : si32")
      .op("%3", "ttnn.add", {"%0", "%2"});
  Graph before = graphOf(text.text());
  DeviceSpec device = walkthroughDevice();
  const OpModel model(device);
  L1Budget budget(device.usableL1());
  EXPECT_TRUE(sameGraph(createD2mSubgraphs(before, {device, model, budget, {}}).graph, before));
}

// With another reader of the producer's result behind all ops, which is returned besides.
std::string withReader(const std::string& op, const std::string& attributes, const std::string& type) {
  std::string text = graphText();
  text.replace(text.find("    return %5"), 0,
               "    %6 = \"" + op + "\"(%0) <{" + attributes + "}> : (tensor<64x256xbf16, #layout>) -> " + type + "\n");
  text.replace(text.find("return %5 : tensor<64x256xbf16, #layout>"), 40,
               "return %5, %6 : tensor<64x256xbf16, #layout>, " + type);
  text.replace(text.find("-> tensor<64x256xbf16, #layout> {"), 33, "-> (tensor<64x256xbf16, #layout>, " + type + ") {");
  return text;
}

// A second reader of the producer's result that cannot read it sharded: the result goes to DRAM for all, the kernel
// still writes what suits the chain after it.
TEST(D2mChains, AForkedProducerIsKeptOnlyWhenAllReadersTakeIt) {
  const std::string text =
      withReader("ttnn.reshape", "shape = [128 : i32, 128 : i32]", "tensor<128x128xbf16, #layout>");
  auto run = runOn(graphOf(text), "DFSharding2", {}, walkthroughDevice());
  expectSound(*run);
  EXPECT_EQ(placeOf(*run, "dispatch"), "L1 block 2x2");
}

// One that takes it, and reads it after the kernel. Producers are solved first: with little L1 what the kernel reads
// stays there, and what it writes does not, never the other way round.
TEST(D2mChains, AForkedProducerIsKeptForAKernelThatIsNotItsLastReader) {
  const std::string text =
      withReader("ttnn.transpose", "dim0 = 0 : si32, dim1 = 1 : si32", "tensor<256x64xbf16, #layout>");
  int both = 0, one = 0;
  for (int32_t cap = 20; cap < 60; ++cap) {
    SCOPED_TRACE(cap);
    auto run = runOn(graphOf(text), "DFSharding2", {.l1UsageCapPermille = cap}, walkthroughDevice());
    expectSound(*run);
    const bool reads = run->log.chain->chains[0].spill == SpillLocation::None;
    const bool writes = placeOf(*run, "dispatch") != "DRAM";
    EXPECT_TRUE(reads || !writes);
    both += reads && writes, one += reads && !writes;
  }
  EXPECT_GT(both, 0);
  EXPECT_GT(one, 0);
}

}  // namespace
}  // namespace tessera::test
