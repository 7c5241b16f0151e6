// What Placement says fits must run: random walks through random graphs, then the simulator as judge.

#include "core/policy/kit/legalize.h"
#include "tests/analysed.h"
#include "tests/policy/expect_sound.h"
#include "tests/policy/random_graph.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

// Random choices among everything the op model and Placement accept; now and then a value has to leave L1.
struct RandomWalk {
  DeviceSpec device;
  Graph graph;
  std::unique_ptr<Problem> problem;
  Plan plan;
  AppliedPlan applied;
  SimResult sim;
  int unfit = 0;    // ops that were placed although nothing fitted
  int refused = 0;  // attempts that Placement (not the op model) refused

  RandomWalk(uint64_t seed, const DeviceSpec& on)
      : device(on), graph(graphOf(randomGraphText(seed, {.images = seed % 2 == 1}))) {
    problem = std::make_unique<Problem>(analysed(graph, device, {.maxLegalLayouts = 64}));
    SplitMix64 random(seed + 1000);
    Placement placement(*problem);
    for (OpId op : problem->schedule.order) {
      if (opInfo(graph.ops[op].kind).has(kTerminator)) returnFromDram(*problem, placement, op);
      else step(op, placement, random);
    }
    plan = placement.take();
    applied = applyPlan(graph, plan);
    sim = simulate(applied.graph, problem->model, problem->budget.bytes(), plan.config);
  }

  void step(OpId op, Placement& placement, SplitMix64& random) {
    std::vector<ValueId> live = placement.liveInL1();
    if (!live.empty() && random.oneIn(6)) {
      ValueId victim = live[static_cast<size_t>(random.below(static_cast<int64_t>(live.size())))];
      placement.spill(victim, op, dramLayout(*problem, victim), SpillCause::Memory);
    }
    std::optional<Attempt> chosen;
    const auto& configs = problem->configs[op];
    for (int tries = 0; tries < 6 && !chosen && !configs.empty() && !isPinned(*problem, op); ++tries) {
      chosen = attempt(op, placement, configs[static_cast<size_t>(random.below(static_cast<int64_t>(configs.size())))]);
    }
    if (!chosen) chosen = attempt(op, placement, defaultConfig(*problem, op));
    while (!chosen && !placement.liveInL1().empty()) {
      ValueId victim = placement.liveInL1()[0];
      placement.spill(victim, op, dramLayout(*problem, victim), SpillCause::Memory);
      chosen = attempt(op, placement, defaultConfig(*problem, op));
    }
    if (!chosen) {
      ++unfit;
      chosen = tryConfig(*problem, placement, op, keepSharedActivation(*problem, op, defaultConfig(*problem, op)));
    }
    placement.place(op, chosen->config, chosen->inputs);
    placement.finish(op);
  }

  // What is asked is what runs: an activation that is read again is not freed, nor is its copy.
  std::optional<Attempt> attempt(OpId op, const Placement& placement, const OpConfig& config) {
    Attempt tried = tryConfig(*problem, placement, op, keepSharedActivation(*problem, op, config));
    refused += tried.verdict.reason == Refusal::NoHole || tried.verdict.reason == Refusal::CircularBufferClash;
    return tried.verdict.ok() ? std::optional(tried) : std::nullopt;
  }
};

void expectPlacedIsRun(const RandomWalk& walk) {
  for (const PlanDefect& d : checkPlan(*walk.problem, walk.plan))
    ADD_FAILURE() << "plan: " << planRuleName(d.rule) << ": " << d.text;
  for (const RunDefect& d : checkRun(walk.applied.graph, walk.sim, walk.device))
    ADD_FAILURE() << "run: " << runRuleName(d.rule) << ": " << d.text;
  if (walk.unfit > 0) return;
  EXPECT_EQ(walk.sim.failures, 0);
  for (const SimStep& step : walk.sim.steps) EXPECT_EQ(step.verdict, RunVerdict::Fine) << step.verdictText;
}

// The chip with that much usable L1.
DeviceSpec withUsable(int64_t bytes) {
  DeviceSpec device = allDevices()[0];
  return withL1Base(device, device.l1Size - device.l1Small - Bytes(bytes));
}

TEST(PlacementRun, WhatPlacementAcceptsRunsOnEveryDevice) {
  for (const DeviceSpec& device : allDevices()) {
    if (device.l1Small.count > 0) continue;  // placement speaks of L1; tables of convolutions may not fit L1_SMALL
    for (uint64_t seed = 0; seed < test::seeds(40); ++seed) {
      SCOPED_TRACE(std::string(device.id) + " seed " + std::to_string(seed));
      expectPlacedIsRun(RandomWalk(seed, device));
      if (HasFailure()) return;
    }
  }
}

// With less and less L1 the walks get refused by holes and clashes, and still nothing that was accepted fails.
TEST(PlacementRun, WhatPlacementAcceptsRunsInLittleL1) {
  int refused = 0, fitting = 0, walks = 0, shared = 0, halos = 0, early = 0;
  for (int64_t kilobytes : {700, 400, 250, 160, 112, 80, 56}) {
    for (uint64_t seed = 0; seed < test::seeds(120); ++seed) {
      SCOPED_TRACE(std::to_string(kilobytes) + " KB, seed " + std::to_string(seed));
      RandomWalk walk(seed, withUsable(kilobytes * 1024));
      expectPlacedIsRun(walk);
      if (HasFailure()) return;
      refused += walk.refused;
      fitting += walk.unfit == 0;
      ++walks;
      for (const SimBuffer& b : walk.sim.buffers)
        shared += b.aliasOf >= 0 && b.space == DeviceMemory::L1, halos += !b.value.valid();
      for (const SimStep& step : walk.sim.steps) early += step.freedOperand.valid();
    }
  }
  EXPECT_GT(refused, enough(50)) << "the walks must meet holes and clashes";
  EXPECT_GT(fitting, walks / 4);
  EXPECT_GT(shared, enough(50));
  EXPECT_GT(halos, enough(50));
  EXPECT_GT(early, enough(20));
}

}  // namespace
}  // namespace tessera::test
