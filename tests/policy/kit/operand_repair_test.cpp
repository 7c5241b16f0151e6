// Which operand of a refused op is converted, and into what.

#include "core/policy/kit/operand_repair.h"

#include "core/policy/kit/candidate_layouts.h"
#include "tests/analysed.h"
#include "tests/sim/tiny_device.h"

namespace tessera::test {
namespace {

struct Add {
  DeviceSpec device = tinyDevice();
  Graph graph;
  std::unique_ptr<Problem> problem;
  OpId op;
  Layouts inputs;
  TensorLayout sharded;

  Add() {
    const std::string type = "tensor<1024x32xbf16>";
    graph = graphOf("func.func @main(%x: " + type + ", %y: " + type + ") -> " + type + " {\n" +
                    line("%u", "ttir.add", "%x, %y", type) + "  return %u : " + type + "\n}\n");
    problem = std::make_unique<Problem>(analysed(graph, device, {}));
    op = producerOf(graph, "u");
    inputs = {dramLayout(*problem, valueNamed(graph, "x")), dramLayout(*problem, valueNamed(graph, "y"))};
    sharded =
        layoutFor(graph, valueNamed(graph, "u"), BufferType::L1, TensorMemoryLayout::HeightSharded, {2, 1}, device);
  }
};

OpVerdict refused(Refusal reason, int operand) {
  OpVerdict verdict;
  verdict.status = OpStatus::MetalBackendError;
  verdict.reason = reason;
  verdict.operand = operand;
  return verdict;
}

TEST(OperandRepair, ShardsOverTheResultsCoresOnceAndNoMore) {
  Add add;
  OperandRepair repair(*add.problem, add.op, false);
  const OpVerdict verdict = refused(Refusal::ShardingMismatch, 1);
  const auto first = repair.next(verdict, add.sharded, add.inputs);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->operand, 1u);
  EXPECT_EQ(first->to,
            *shardedLike(*add.problem, valueNamed(add.graph, "y"), DType::BF16, PageLayout::Tile, add.sharded));
  EXPECT_FALSE(repair.next(verdict, add.sharded, add.inputs));
  EXPECT_TRUE(repair.next(refused(Refusal::ShardingMismatch, 0), add.sharded, add.inputs));
}

TEST(OperandRepair, NothingHelpsWithoutAnOperandOrAReason) {
  Add add;
  OperandRepair repair(*add.problem, add.op, false);
  EXPECT_FALSE(repair.next({}, add.sharded, add.inputs));
  EXPECT_FALSE(repair.next(refused(Refusal::ShardingMismatch, -1), add.sharded, add.inputs));
  EXPECT_FALSE(repair.next(refused(Refusal::UnknownOp, 0), add.sharded, add.inputs));
  EXPECT_FALSE(repair.next(refused(Refusal::InputMustBeDramInterleaved, 1), add.sharded, add.inputs))
      << "it is there already";
}

TEST(OperandRepair, InterleavedCopiesMayBeSentToDram) {
  Add add;
  const ValueId x = valueNamed(add.graph, "x");
  add.inputs[0] = add.sharded;
  const OpVerdict verdict = refused(Refusal::InputMustBeInterleaved, 0);
  EXPECT_EQ(OperandRepair(*add.problem, add.op, false).next(verdict, add.sharded, add.inputs)->to,
            l1InterleavedLayout(*add.problem, x));
  EXPECT_EQ(OperandRepair(*add.problem, add.op, true).next(verdict, add.sharded, add.inputs)->to,
            dramLayout(*add.problem, x));
}

// Shards have to be somewhere in L1, and rows stay rows.
TEST(OperandRepair, OnlyInterleavedTilesAreSentToDram) {
  Add add;
  const OpVerdict verdict = refused(Refusal::ShardingMismatch, 1);
  EXPECT_TRUE(OperandRepair(*add.problem, add.op, true).next(verdict, add.sharded, add.inputs)->to.sharded());
  TensorLayout rows = l1InterleavedLayout(*add.problem, valueNamed(add.graph, "u"));
  rows.page = PageLayout::RowMajor;
  const auto toRows = OperandRepair(*add.problem, add.op, true).next(verdict, rows, add.inputs);
  ASSERT_TRUE(toRows);
  EXPECT_EQ(toRows->to.page, PageLayout::RowMajor);
  EXPECT_TRUE(toRows->to.isL1());
}

TEST(OperandRepair, APreferredLayoutComesFirstAndAClosedOperandStays) {
  Add add;
  const ValueId x = valueNamed(add.graph, "x");
  const OpVerdict verdict = refused(Refusal::ShardingMismatch, 0);
  OperandRepair repair(*add.problem, add.op, false);
  repair.prefer(0, l1InterleavedLayout(*add.problem, x));
  EXPECT_EQ(repair.next(verdict, add.sharded, add.inputs)->to, l1InterleavedLayout(*add.problem, x));
  EXPECT_TRUE(repair.next(verdict, add.sharded, add.inputs)->to.sharded());
  EXPECT_FALSE(repair.next(verdict, add.sharded, add.inputs));
  OperandRepair there(*add.problem, add.op, false);
  there.prefer(0, *add.inputs[0]);
  EXPECT_TRUE(there.next(verdict, add.sharded, add.inputs)->to.sharded()) << "it lies where it is preferred";
  OperandRepair closed(*add.problem, add.op, false);
  closed.close(0);
  EXPECT_FALSE(closed.next(verdict, add.sharded, add.inputs));
}

}  // namespace
}  // namespace tessera::test
