// A sweep whose states have dropped more than it remembers at a time: what it says was dropped is still what its cost
// is of, constraint by constraint.

#include <gtest/gtest.h>

#include "core/solve/spilling/state_sweep.h"
#include "tests/sizes.h"

namespace tessera {
namespace {

// Six segments of each constraint alone: about 3,800 drops are tried there, 4,500,000 in all.
constexpr size_t kConstraints = 1'200, kSegments = 6;
constexpr int64_t kRoom = 34;

SpillCore lonelyConstraints() {
  SpillCore core;
  for (size_t c = 0; c < kConstraints; ++c) {
    core.capacity.push_back(kRoom);
    core.steps.push_back(static_cast<int>(c));
    for (size_t i = 0; i < kSegments; ++i)
      core.segments.push_back({.value = static_cast<int>(core.segments.size()),
                               .size = 8 - static_cast<int64_t>(i) / 2,
                               .reload = static_cast<Cost>(1 + (7 * i + 3 * c) % 11),
                               .first = c,
                               .last = c + 1});
  }
  return core;
}

Cost leastDropped(const SpillCore& core, size_t constraint) {
  Cost least = kForbidden;
  for (uint32_t kept = 0; kept < 1u << kSegments; ++kept) {
    int64_t size = 0;
    Cost cost = 0;
    for (size_t i = 0; i < kSegments; ++i) {
      const SpillCore::Segment& segment = core.segments[constraint * kSegments + i];
      if (kept >> i & 1) size += segment.size;
      else cost += segment.reload;
    }
    if (size <= kRoom) least = std::min(least, cost);
  }
  return least;
}

TEST(LongHistories, WhatWasDroppedIsRemembered) {
  if (test::smallTests()) GTEST_SKIP() << "skipped: the sweep runs on shorter histories elsewhere";
  const SpillCore core = lonelyConstraints();
  CoverPrices none;
  none.excess.assign(kConstraints, 0);
  none.price.assign(kConstraints, 0);
  none.cover.assign(core.segments.size(), 0);
  SpillOptions options;
  options.usePrecedence = options.useDominance = options.useBound = false;
  const std::vector<signed char> open(core.segments.size(), -1);
  const SweepResult result = sweepCore(core, none, open, kMaxTotalCost, 1 << 20, options);
  ASSERT_TRUE(result.feasible);
  EXPECT_EQ(result.lost, kForbidden) << "no state was left out";
  Cost all = 0;
  for (size_t c = 0; c < kConstraints; ++c) {
    int64_t size = 0;
    Cost cost = 0;
    for (size_t i = 0; i < kSegments; ++i) {
      const SpillCore::Segment& segment = core.segments[c * kSegments + i];
      if (result.keep[c * kSegments + i]) size += segment.size;
      else cost += segment.reload;
    }
    ASSERT_LE(size, kRoom) << "constraint " << c;
    ASSERT_EQ(cost, leastDropped(core, c)) << "constraint " << c;
    all += cost;
  }
  EXPECT_EQ(all, result.cost);
}

}  // namespace
}  // namespace tessera
