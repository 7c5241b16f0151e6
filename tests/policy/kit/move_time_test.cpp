// The time of a move: the library's steps, one after the other.

#include "core/policy/kit/move_time.h"

#include "core/lowering/decompose_layouts.h"
#include "tests/analysed.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

struct Moves {
  const DeviceSpec& device = allDevices()[0];
  Graph graph = graphOf(
      "func.func @main(%x: tensor<256x256xbf16>) -> tensor<256x256xbf16> {\n"
      "  %a = \"ttir.relu\"(%x) : (tensor<256x256xbf16>) -> tensor<256x256xbf16>\n"
      "  return %a : tensor<256x256xbf16>\n}\n");
  Problem problem = analysed(graph, device, {});
  ValueId value = valueNamed(graph, "a");
  Interner interner;
  LayoutPool& pool = interner.layouts;
  MoveMemory memory{interner};
  TensorLayout dram = dramLayout(problem, value);
  TensorLayout sharded = layoutFor(graph, value, BufferType::L1, TensorMemoryLayout::HeightSharded, {8, 1}, device);

  Cost of(const TensorLayout& from, const TensorLayout& to) {
    return MoveTime(problem, memory).of(value, pool.intern(from), pool.intern(to));
  }
};

TEST(MoveTime, NothingToDoIsFree) {
  Moves moves;
  EXPECT_EQ(moves.of(moves.dram, moves.dram), 0);
  EXPECT_TRUE(moves.memory.size() == 0);
}

TEST(MoveTime, SeveralStepsAddUp) {
  Moves moves;
  TensorLayout wide = moves.sharded;
  auto other = makeLayout(moves.problem.tensor(moves.value).shape,
                          {DType::F32, BufferType::L1, wide.memory, wide.page, wide.grid}, moves.device);
  ASSERT_TRUE(other.ok());
  const auto steps = layoutSteps(moves.problem.tensor(moves.value).shape, moves.dram, *other, moves.device);
  ASSERT_TRUE(steps);
  ASSERT_GT(steps->size(), 1u);
  Cost sum = 0;
  TensorLayout now = moves.dram;
  for (const LayoutStep& step : *steps) {
    sum += moves.of(now, step.to);
    now = step.to;
  }
  EXPECT_EQ(moves.of(moves.dram, *other), sum);
}

// A move needs what the most demanding of its steps needs, and not what the last one does.
TEST(MoveTime, NeedsWhatItsLargestStepNeeds) {
  Moves moves;
  const Shape& shape = moves.problem.tensor(moves.value).shape;
  std::vector<TensorLayout> layouts = {moves.dram, moves.sharded, l1InterleavedLayout(moves.problem, moves.value)};
  for (size_t i = 0; i < 3; ++i) {
    const TensorLayout l = layouts[i];  // a copy: the list grows below
    for (const auto& [dtype, page] : {std::pair{DType::F32, PageLayout::Tile}, {DType::BF16, PageLayout::RowMajor}}) {
      const auto made = makeLayout(shape, {dtype, l.buffer, l.memory, page, l.grid}, moves.device);
      if (made.ok()) layouts.push_back(*made);
    }
  }
  const uint32_t type = moves.interner.typeOf(moves.problem.tensor(moves.value));
  const auto needed = [&](const TensorLayout& from, const TensorLayout& to) {
    moves.of(from, to);
    const auto& known = moves.memory.find(type, moves.pool.intern(from), moves.pool.intern(to));
    return known ? known->needed : int64_t{-1};
  };
  int larger = 0;
  for (const TensorLayout& from : layouts) {
    for (const TensorLayout& to : layouts) {
      const auto steps = layoutSteps(shape, from, to, moves.device);
      if (from == to || !steps || steps->size() < 2 || isForbidden(moves.of(from, to))) continue;
      int64_t most = 0, last = 0;
      TensorLayout now = from;
      for (const LayoutStep& step : *steps) {
        last = needed(now, step.to);
        most = std::max(most, last);
        now = step.to;
      }
      EXPECT_EQ(needed(from, to), most) << layoutText(from) << " to " << layoutText(to);
      larger += most > last;
    }
  }
  EXPECT_GT(larger, 0);
}

TEST(MoveTime, AnswersAreRememberedByType) {
  Moves moves;
  const Cost first = moves.of(moves.dram, moves.sharded);
  EXPECT_GT(first, 0);
  EXPECT_EQ(moves.memory.size(), 1u);
  EXPECT_EQ(moves.of(moves.dram, moves.sharded), first);
  EXPECT_EQ(moves.memory.size(), 1u);
}

TEST(MoveTime, WhatExceedsTheBudgetIsForbidden) {
  Moves moves;
  moves.of(moves.dram, moves.sharded);
  const LayoutId from = moves.pool.intern(moves.dram), to = moves.pool.intern(moves.sharded);
  const int64_t needed = moves.memory.find(moves.interner.typeOf(moves.problem.tensor(moves.value)), from, to)->needed;
  const auto permille = static_cast<int32_t>(needed * 1000 / moves.device.usableL1().count);  // a little less
  Problem tight = analysed(moves.graph, moves.device, {.l1UsageCapPermille = permille});
  MoveTime times(tight, moves.memory);
  EXPECT_TRUE(isForbidden(times.of(moves.value, from, to)));
  EXPECT_EQ(times.bounded(moves.value, from, to), int64_t{1} << 40);
}

// A conversion of the program is carried out whatever the budget is, so it takes the same time.
TEST(MoveTime, AConversionOfTheProgramTakesItsStepsUnderEveryBudget) {
  const DeviceSpec& device = allDevices()[0];
  Graph graph = graphOf(
      "func.func @main(%x: tensor<256x256xf32>) -> tensor<256x256xbf16> {\n"
      "  %a = \"ttnn.to_layout\"(%x) <{layout = #ttnn.layout<row_major>}> : (tensor<256x256xf32>) -> "
      "tensor<256x256xbf16>\n"
      "  return %a : tensor<256x256xbf16>\n}\n");
  const ValueId from = valueNamed(graph, "x"), to = valueNamed(graph, "a");
  const auto rows =
      makeLayout(graph.values[to].type.tensor->shape,
                 {DType::BF16, BufferType::DRAM, TensorMemoryLayout::Interleaved, PageLayout::RowMajor, {}}, device);
  ASSERT_TRUE(rows.ok());
  struct Times {
    Cost op, move;
  };
  const auto timesAt = [&](int32_t permille) -> Times {
    const Problem problem = analysed(graph, device, {.l1UsageCapPermille = permille});
    Interner interner;
    MoveMemory memory{interner};
    MoveTime times(problem, memory);
    const std::optional<TensorLayout> inputs[] = {dramLayout(problem, from)};
    const OpConfig config{*rows, {}};
    const LayoutId tiled = interner.layouts.intern(*inputs[0]), inRows = interner.layouts.intern(*rows);
    return {times.ofOp({problem.graph, problem.graph.values[to].producer, inputs, config, Bytes(0)}),
            times.of(to, tiled, inRows)};
  };
  const Times wide = timesAt(950), tight = timesAt(5);
  EXPECT_GT(wide.op, 0);
  EXPECT_EQ(wide.op, wide.move);
  EXPECT_EQ(tight.op, wide.op);
  EXPECT_TRUE(isForbidden(tight.move));
}

}  // namespace
}  // namespace tessera::test
