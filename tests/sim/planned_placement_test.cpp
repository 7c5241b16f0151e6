// Planned addresses beside those of first fit: by hand, on random lifetimes, and what the checker says of wrong ones.

#include "core/sim/planned_placement.h"

#include "core/sim/device_allocator.h"
#include "core/solve/cost.h"
#include "tests/sim/tiny_device.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

// A run of nothing but allocations, by the runtime's allocator.
class Script {
 public:
  // The buffer's number; -1 when there was no room.
  int32_t alloc(int64_t bytes) {
    const std::optional<int64_t> address = memory_.allocate(DeviceMemory::L1, bytes);
    if (!address) return -1;
    const auto index = static_cast<int32_t>(run.buffers.size());
    run.buffers.push_back({.value = {},
                           .name = "b",
                           .space = DeviceMemory::L1,
                           .address = *address,
                           .bytes = bytes,
                           .from = step_,
                           .to = -1,
                           .aliasOf = -1});
    run.events.push_back({step_++, EventKind::Alloc, {}, DeviceMemory::L1, *address, bytes, index});
    return index;
  }
  void free(int32_t index) {
    SimBuffer& buffer = run.buffers[static_cast<size_t>(index)];
    buffer.to = step_;
    memory_.free(DeviceMemory::L1, buffer.address);
    run.events.push_back({step_++, EventKind::Free, {}, DeviceMemory::L1, buffer.address, buffer.bytes, index});
  }

  const DeviceSpec device = tinyDevice();
  SimResult run;

 private:
  DeviceAllocator memory_{device};
  int32_t step_ = 0;
};

void expectFine(const Script& script, const PlannedPlacement& placement) {
  for (const std::string& text : checkPlacement(script.run, placement, script.device)) ADD_FAILURE() << text;
}

// First fit puts the second buffer below the first; when that one has gone, its hole is too small for the third.
Script fragmented() {
  Script script;
  const int32_t small = script.alloc(1024);
  script.alloc(4096);
  script.free(small);
  script.alloc(2048);
  return script;
}

TEST(PlannedPlacement, FillsTheHoleThatFirstFitLeaves) {
  const Script script = fragmented();
  const PlannedPlacement placement = planPlacement(script.run, script.device);
  EXPECT_EQ(placement.firstFit, 1024 + 4096 + 2048);
  EXPECT_EQ(placement.planned, 4096 + 2048);
  EXPECT_EQ(placement.bound, 4096 + 2048);
  EXPECT_EQ(placement.fragmentation(), 1024);
  EXPECT_TRUE(placement.proven());
  EXPECT_EQ(placement.method, "portfolio");
  expectFine(script, placement);
}

TEST(PlannedPlacement, KeepsTheRuntimesAddressesWhereNothingIsBetter) {
  Script script;
  EXPECT_EQ(planPlacement(script.run, script.device).firstFit, 0);
  script.alloc(4096);
  script.free(script.alloc(64));
  const PlannedPlacement placement = planPlacement(script.run, script.device);
  EXPECT_EQ(placement.method, "runtime");
  EXPECT_EQ(placement.planned, placement.firstFit);
  EXPECT_EQ(placement.addresses[1], script.run.buffers[1].address);
  expectFine(script, placement);
}

TEST(PlannedPlacement, RandomLifetimes) {
  int better = 0, proven = 0;
  for (uint64_t seed = 0; seed < test::seeds(300); ++seed) {
    Prng random(seed);
    Script script;
    std::vector<int32_t> live;
    for (int i = 0; i < 60; ++i) {
      if (!live.empty() && random.below(5) < 2) {
        const auto gone = live.begin() + random.below(static_cast<int64_t>(live.size()));
        script.free(*gone);
        live.erase(gone);
      } else if (const int32_t made = script.alloc(32 * (1 + random.below(300))); made >= 0) {
        live.push_back(made);
      }
    }
    const PlannedPlacement placement = planPlacement(script.run, script.device);
    expectFine(script, placement);
    ASSERT_LE(placement.planned, placement.firstFit) << seed;
    ASSERT_LE(placement.bound, placement.planned) << seed;
    ASSERT_EQ(placement.addresses, planPlacement(script.run, script.device).addresses) << seed;
    better += placement.fragmentation() > 0;
    proven += placement.proven();
  }
  EXPECT_GT(better, enough(100));
  EXPECT_GT(proven, enough(250));
}

TEST(PlannedPlacement, TheCheckerRefutesWrongAddressesAndFigures) {
  const Script script = fragmented();
  const PlannedPlacement right = planPlacement(script.run, script.device);
  const auto refuted = [&](auto change) {
    PlannedPlacement wrong = right;
    change(wrong);
    return !checkPlacement(script.run, wrong, script.device).empty();
  };
  EXPECT_FALSE(refuted([](PlannedPlacement&) {}));
  EXPECT_TRUE(refuted([](PlannedPlacement& p) { p.addresses[2] = p.addresses[1]; }));
  EXPECT_TRUE(refuted([](PlannedPlacement& p) { p.addresses[2] = p.addresses[1] + 2048; }));
  EXPECT_TRUE(refuted([](PlannedPlacement& p) { p.addresses[0] += 1; }));
  EXPECT_TRUE(refuted([](PlannedPlacement& p) { p.addresses[0] = kL1Top; }));
  EXPECT_TRUE(refuted([](PlannedPlacement& p) { p.addresses[0] = -1; }));
  EXPECT_TRUE(refuted([](PlannedPlacement& p) { p.addresses.pop_back(); }));
  EXPECT_TRUE(refuted([](PlannedPlacement& p) { p.planned -= 32; }));
  EXPECT_TRUE(refuted([](PlannedPlacement& p) { p.firstFit += 32; }));
  EXPECT_TRUE(refuted([](PlannedPlacement& p) { p.bound -= 32; }));
}

// Ten thousand buffers that all live together: too many pairs to plan, and not too many to answer.
TEST(PlannedPlacement, TooManyPairsLeaveTheRuntimesAddresses) {
  SimResult run;
  for (int32_t i = 0; i < 10'000; ++i) {
    const int64_t address = kL1Top - 4096 * (1 + i % 3);
    run.buffers.push_back({.value = {},
                           .name = "b",
                           .space = DeviceMemory::L1,
                           .address = address,
                           .bytes = 32,
                           .from = 0,
                           .to = 0,
                           .aliasOf = -1});
    run.events.push_back({0, EventKind::Alloc, {}, DeviceMemory::L1, address, 32, i});
  }
  const PlannedPlacement placement = planPlacement(run, tinyDevice());
  EXPECT_EQ(placement.method, "runtime");
  EXPECT_EQ(placement.planned, placement.firstFit);
}

// A view is where its owner is.
TEST(PlannedPlacement, ViewsFollowTheirOwner) {
  Script script = fragmented();
  SimBuffer view = script.run.buffers[1];
  view.aliasOf = 1;
  script.run.buffers.push_back(view);
  script.run.events.push_back({9, EventKind::Alias, {}, DeviceMemory::L1, view.address, view.bytes, 3});
  PlannedPlacement placement = planPlacement(script.run, script.device);
  EXPECT_EQ(placement.addresses[3], placement.addresses[1]);
  expectFine(script, placement);
  placement.addresses[3] -= 32;
  EXPECT_FALSE(checkPlacement(script.run, placement, script.device).empty());
}

// Pairs are of buffers that are live together: many that follow each other are none.
TEST(PlannedPlacement, ManyBuffersOneAfterTheOtherAreNoPairs) {
  Script script = fragmented();
  for (int i = 0; i < 1000; ++i) script.free(script.alloc(32));
  const PlannedPlacement placement = planPlacement(script.run, script.device);
  EXPECT_LT(placement.planned, placement.firstFit);
  expectFine(script, placement);
}

}  // namespace
}  // namespace tessera::test
