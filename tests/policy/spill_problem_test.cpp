// What pass 2 hands to its solvers and what it makes of their answers: readers, prices, and when moves happen.

#include "core/policy/policy_memory.h"
#include "core/policy/propagate/forward_pass.h"
#include "core/policy/propagate/graph_spills.h"
#include "tests/policy/random_graph.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

const PropagateOptions kOneBeam{.beamWidth = 1, .score = BeamScore::First};

// What the first pass decided for a problem, as the second takes it up.
struct AfterFirstPass {
  explicit AfterFirstPass(const Problem& problem) : moves(problem, memory.moves), pass1{moves.pool()} {
    Beams beams = ForwardPass(problem, kOneBeam, moves).run();
    traceBack(problem, kOneBeam, beams, moves, pass1);
  }
  AfterFirstPass(const AfterFirstPass&) = delete;

  PolicyMemory memory;
  MoveTime moves;
  Propagation pass1;
};

// Away at all: what is returned goes to DRAM anyway; everything else is stored, or made there if that is cheaper.
TEST(SpillProblem, StoresCostAMoveAtMostAndNothingForWhatIsReturned) {
  int returned = 0, stored = 0, cheaper = 0;
  for (uint64_t seed = 0; seed < 25; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Graph graph = graphOf(randomGraphText(seed));
    const Problem problem = analysed(graph, allDevices()[0], {.l1UsageCapPermille = 200});
    AfterFirstPass first(problem);
    GraphSpills spills(problem, kOneBeam, first.pass1, first.moves);
    const SpillDecision decision = spills.spillProblem();
    EXPECT_EQ(decision.problem.steps, problem.schedule.steps() - 1);
    EXPECT_EQ(decision.problem.capacity.size(), static_cast<size_t>(decision.problem.steps));
    for (size_t v = 0; v < decision.tensors.size(); ++v) {
      const SpillValue& out = decision.problem.values[v];
      const ValueId value{decision.tensors[v]};
      std::vector<int> readers;
      bool isReturned = false;
      for (const Use& use : problem.uses[value]) {
        const int32_t step = problem.schedule.position[use.op];
        if (step == problem.schedule.steps() - 1) isReturned = true;
        else readers.push_back(step);
      }
      std::sort(readers.begin(), readers.end());
      readers.erase(std::unique(readers.begin(), readers.end()), readers.end());
      EXPECT_EQ(std::vector<int>(out.uses.begin(), out.uses.end()), readers);
      EXPECT_EQ(out.reloadCosts.size(), readers.size());
      EXPECT_EQ(out.def, problem.live[value].def);
      EXPECT_EQ(out.size, l1BytesPerCore(first.pass1.pool[first.pass1.layout[value]]).count);
      const LayoutId dram = first.pass1.pool.intern(dramLayout(problem, value));
      const int64_t move = first.moves.bounded(value, first.pass1.layout[value], dram);
      if (isReturned) {
        EXPECT_EQ(out.storeCost, 0);
      } else {
        EXPECT_LE(out.storeCost, move);
      }
      returned += isReturned;
      stored += !isReturned && out.storeCost == move;
      cheaper += !isReturned && out.storeCost < move;
    }
  }
  EXPECT_GT(returned, 0);
  EXPECT_GT(stored, 0);
  EXPECT_GT(cheaper, 0);
}

// Being made in DRAM costs what the op takes longer to write there; a result that is returned goes there anyway, which
// is saved.
TEST(SpillProblem, WhatIsReturnedSavesItsMoveWhenItIsMadeInDram) {
  const Graph graph = graphOf(
      "func.func @main(%a: tensor<512x512xbf16>) -> tensor<512x512xbf16> {\n"
      "  %0 = \"ttir.relu\"(%a) : (tensor<512x512xbf16>) -> tensor<512x512xbf16>\n"
      "  %1 = \"ttir.exp\"(%0) : (tensor<512x512xbf16>) -> tensor<512x512xbf16>\n"
      "  return %1 : tensor<512x512xbf16>\n}\n");
  const Problem problem = analysed(graph, allDevices()[0], {});
  AfterFirstPass first(problem);
  GraphSpills spills(problem, kOneBeam, first.pass1, first.moves);
  const SpillSearchProblem search = spills.searchProblem();
  for (const char* name : {"0", "1"}) {
    SCOPED_TRACE(name);
    const ValueId value = valueNamed(graph, name);
    const OpId op = graph.values[value].producer;
    const TensorLayout dram = dramLayout(problem, value);
    ASSERT_TRUE(first.pass1.pool[first.pass1.layout[value]].isL1());
    Layouts inputs;
    for (LayoutId read : first.pass1.reads[op]) inputs.push_back(first.pass1.pool[read]);
    const auto timeTo = [&](const OpConfig& config) {
      return problem.model.getOpRuntime({graph, op, inputs, config, Bytes(0)}).total().count;
    };
    const int64_t longer = timeTo({dram, {}}) - timeTo(first.pass1.config[op]);
    const int64_t move = first.moves.bounded(value, first.pass1.layout[value], first.pass1.pool.intern(dram));
    EXPECT_GT(move, 0);
    const bool returned = std::string_view(name) == "1";
    const SpillSearchTensor& tensor = search.tensors[static_cast<size_t>(value.index)];
    EXPECT_EQ(tensor.startCost, returned ? longer - move : longer);
    EXPECT_EQ(tensor.writeCost, returned ? 0 : move);
  }
}

// Tensors get the L1 between the base and what opening the device keeps for small buffers at the top.
TEST(SpillProblem, WhatIsKeptForSmallBuffersIsNotGivenOut) {
  const Graph graph = graphOf(
      "func.func @main(%a: tensor<512x512xbf16>) -> tensor<512x512xbf16> {\n"
      "  %0 = \"ttir.relu\"(%a) : (tensor<512x512xbf16>) -> tensor<512x512xbf16>\n"
      "  return %0 : tensor<512x512xbf16>\n}\n");
  DeviceSpec device = allDevices()[0];
  device.l1Small = Bytes(32768);
  const Problem problem = analysed(graph, device, {});
  AfterFirstPass first(problem);
  const SpillSettings settings = GraphSpills(problem, kOneBeam, first.pass1, first.moves).settings();
  EXPECT_EQ(settings.begin, device.l1UnreservedBase.count);
  EXPECT_EQ(settings.end, device.l1Size.count - 32768);
}

// What an argument holds of L1 is no other value's, at any step.
TEST(SpillProblem, ArgumentsInL1TakeTheirPartOfEveryStep) {
  const std::string t = "tensor<512x512xbf16>";
  const Graph graph =
      graphOf("func.func @main(%a: " + t + ", %b: " + t + ") -> " + t + " {\n  %0 = \"ttir.relu\"(%a) : (" + t +
              ") -> " + t + "\n  %1 = \"ttir.exp\"(%0) : (" + t + ") -> " + t + "\n  return %1 : " + t + "\n}\n");
  const PropagateOptions options{.beamWidth = 1, .score = BeamScore::First};
  std::vector<int64_t> capacities[2];
  for (const bool inL1 : {false, true}) {
    Problem problem = analysed(graph, allDevices()[0], {.l1UsageCapPermille = 100});
    const ValueId b = valueNamed(graph, "b");
    if (inL1) problem.pinned[b] = l1InterleavedLayout(problem, b);
    PolicyMemory memory;
    MoveTime moves(problem, memory.moves);
    Propagation pass1{moves.pool()};
    const Beams beams = ForwardPass(problem, options, moves).run();
    traceBack(problem, options, beams, moves, pass1);
    const SpillDecision decision = GraphSpills(problem, options, pass1, moves).spillProblem();
    capacities[inL1] = decision.problem.capacity;
    EXPECT_EQ(std::find(decision.tensors.begin(), decision.tensors.end(), b.index), decision.tensors.end());
  }
  ASSERT_EQ(capacities[0].size(), 2u);
  for (int64_t& bytes : capacities[0]) EXPECT_GT(bytes -= 8192, 0);
  EXPECT_EQ(capacities[1], capacities[0]);
}

// A move to DRAM comes in time for a reader, and what is returned leaves when the last op has read it.
TEST(SpillProblem, MovesComeBetweenReaders) {
  int returns = 0, spills = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    for (const int32_t cap : {100, 400}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + " cap " + std::to_string(cap));
      const auto run = runOn(graphOf(randomGraphText(seed)), "Greedy", {.l1UsageCapPermille = cap});
      const Problem& problem = *run->problem;
      for (const Spill& spill : run->plan.spills) {
        if (!problem.graph.values[spill.value].producer.valid()) continue;
        const int32_t at = problem.schedule.position[spill.before];
        int32_t last = problem.live[spill.value].def;
        for (const Use& use : problem.uses[spill.value]) {
          const int32_t step = problem.schedule.position[use.op];
          if (step < problem.schedule.steps() - 1) last = std::max(last, step);
        }
        EXPECT_GT(at, problem.live[spill.value].def);
        if (spill.cause == SpillCause::FunctionReturn) {
          EXPECT_EQ(at, last + 1);
          ++returns;
        } else {
          EXPECT_LE(at, problem.live[spill.value].lastUse);
          ++spills;
        }
      }
    }
  }
  EXPECT_GT(returns, 10);
  EXPECT_GT(spills, 10);
}

}  // namespace
}  // namespace tessera::test
