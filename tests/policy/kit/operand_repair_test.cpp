// Which operand of a refused op is converted, and into what.

#include "core/policy/kit/operand_repair.h"

#include <array>
#include <map>

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

constexpr std::pair<Refusal, const char*> kRefusals[] = {
#define TESSERA_REFUSAL(name, text) {Refusal::name, #name},
#include "core/ops/table/refusals.def"
#undef TESSERA_REFUSAL
};

// "-" for none; rows have "rm" behind them.
std::string told(const std::optional<TensorLayout>& layout) { return layout ? layoutText(*layout) : "-"; }

// What an operand in tiles becomes beside a result in tiles and beside one in rows, each of them in two places of L1:
// over two cores' heights, and interleaved. Other refusals than these are not mended.
TEST(OperandRepair, EveryRefusalHasItsRepair) {
  Add add;
  const ValueId y = valueNamed(add.graph, "y"), u = valueNamed(add.graph, "u");
  const auto in = [](TensorLayout layout, PageLayout page, ValueId value, const Add& of) {
    LayoutRequest request{layout.dtype, layout.buffer, layout.memory, page, layout.grid};
    return *makeLayout(of.problem->tensor(value).shape, request, of.device);
  };
  const TensorLayout spread = l1InterleavedLayout(*add.problem, u);
  const TensorLayout outs[] = {add.sharded, spread, in(add.sharded, PageLayout::RowMajor, u, add),
                               in(spread, PageLayout::RowMajor, u, add)};
  const auto always = [](const std::string& text) { return std::array<std::string, 4>{text, text, text, text}; };
  const std::array<std::string, 4> alike = {"L1 height 2x1", "L1 interleaved", "L1 height 2x1 rm", "L1 interleaved rm"},
                                   none = always("-"), spreadOut = always("L1 interleaved"), toDram = always("DRAM"),
                                   inRows = always("DRAM rm"), pages = {"DRAM", "DRAM", "DRAM rm", "DRAM rm"};
  const std::map<Refusal, std::array<std::string, 4>> mended = {{Refusal::ShardingMismatch, alike},
                                                                {Refusal::MemoryLayoutMismatch, alike},
                                                                {Refusal::LayoutChangeBefore2026, alike},
                                                                {Refusal::InputMustBeInterleaved, spreadOut},
                                                                {Refusal::BroadcastOperandSharded, spreadOut},
                                                                {Refusal::ConcatSharding, spreadOut},
                                                                {Refusal::InputHeightSharded, spreadOut},
                                                                {Refusal::InputWidthSharded, spreadOut},
                                                                {Refusal::InputMustBeDramInterleaved, toDram},
                                                                {Refusal::InputMustBeTile, toDram},
                                                                {Refusal::InputOnHost, toDram},
                                                                {Refusal::PageMismatch, pages},
                                                                {Refusal::InputMustBeRows, inRows}};
  for (const TensorLayout& now : {dramLayout(*add.problem, y), add.sharded}) {
    for (const auto& [reason, name] : kRefusals) {
      const auto known = mended.find(reason);
      for (size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(told(repairedLayout(*add.problem, reason, outs[i], y, now)),
                  (known == mended.end() ? none : known->second)[i])
            << name << ", result in " << told(outs[i]);
        const std::optional<TensorLayout> spreadOver = repairedLayout(*add.problem, reason, outs[i], y, now);
        if (spreadOver && spreadOver->isL1() && !spreadOver->sharded()) {
          EXPECT_EQ(spreadOver->grid, add.device.grid) << name << ", result in " << told(outs[i]);
        }
      }
    }
  }
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
