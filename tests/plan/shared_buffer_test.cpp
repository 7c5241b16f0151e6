// The checkers' reading of which results lie in their operands' buffers, by cases, and beside the op model's rule: two
// independent derivations of one fact.

#include "core/plan/shared_buffer.h"

#include "core/ops/model/op_memory.h"
#include "tests/ops/asking.h"

namespace tessera::test {
namespace {

bool reads(const Asked& asked) {
  return sharesFirstBuffer(asked.graph, asked.op, *asked.inputs[0], asked.config.output);
}

bool reshapes(const Shape& from, const Shape& to, const Where& at = kInL1, DType dtype = DType::BF16) {
  return reads(Asked(allDevices()[0], OpKind::TtnnReshape, {{from, at, dtype}}, {{to, at, dtype}}));
}

TEST(SharedBuffer, AReshapeIsAViewWhenNoPageChanges) {
  EXPECT_TRUE(reshapes({2, 64, 64}, {128, 64}));
  EXPECT_TRUE(reshapes({1, 30, 64}, {30, 64}));
  EXPECT_FALSE(reshapes({2, 30, 64}, {60, 64})) << "every matrix of 30 rows begins a new row of tiles";
  EXPECT_FALSE(reshapes({64, 64}, {32, 128})) << "another row length";
  EXPECT_FALSE(reshapes({64}, {64, 1}));
  EXPECT_TRUE(reshapes({64}, {1, 64}));
  Where rows = kInDram;
  rows.page = PageLayout::RowMajor;
  EXPECT_TRUE(reshapes({2, 30, 64}, {60, 64}, rows)) << "rows of the tensor are pages, without padding";
  EXPECT_FALSE(reshapes({64, 64}, {32, 128}, rows));
}

TEST(SharedBuffer, OnlyInTheSamePlace) {
  const auto moved = [](const Where& from, const Where& to) {
    return reads(Asked(allDevices()[0], OpKind::TtnnReshape, {{{2, 64, 64}, from}}, {{{128, 64}, to}}));
  };
  EXPECT_TRUE(moved(heightOver(4), heightOver(4)));
  EXPECT_FALSE(moved(heightOver(4), heightOver(2)));
  EXPECT_FALSE(moved(kInDram, kInL1));
  EXPECT_FALSE(moved(kInL1, heightOver(4)));
}

TEST(SharedBuffer, OpsThatCompute) {
  const DeviceSpec& device = allDevices()[0];
  EXPECT_FALSE(reads(Asked(device, OpKind::TtnnRelu, {{{64, 64}, kInL1}}, {{{64, 64}, kInL1}})));
  EXPECT_TRUE(reads(Asked(device, OpKind::TtnnFillCache, {{{1, 8, 64, 64}}, {{1, 8, 32, 64}}}, {{{1, 8, 64, 64}}})));
}

TEST(SharedBuffer, OfOneShapeAndTypeAlone) {
  const DeviceSpec& device = allDevices()[0];
  EXPECT_TRUE(reads(Asked(device, OpKind::TtnnReshape, {{{2, 64, 64}, kInL1}}, {{{128, 64}, kInL1}})));
  EXPECT_FALSE(reads(Asked(device, OpKind::TtnnReshape, {{{2, 64, 64}, kInL1}}, {{{128, 64}, kInL1, DType::F32}})));
  // What is written in place keeps its shape: the same bytes under another one are another tensor.
  EXPECT_FALSE(reads(Asked(device, OpKind::TtnnFillCache, {{{1, 8, 64, 64}}, {{1, 8, 32, 64}}}, {{{8, 1, 64, 64}}})));
}

// What is written in place lies in the same place before and behind.
TEST(SharedBuffer, InPlaceInTheSamePlaceAlone) {
  const DeviceSpec& device = allDevices()[0];
  const auto fills = [&](const Where& from, const Where& to, DType dtype = DType::BF16) {
    return reads(Asked(device, OpKind::TtnnFillCache, {{{1, 8, 64, 64}, from}, {{1, 8, 32, 64}}},
                       {{{1, 8, 64, 64}, to, dtype}}));
  };
  EXPECT_TRUE(fills(kInL1, kInL1));
  EXPECT_FALSE(fills(kInL1, kInDram));
  EXPECT_FALSE(fills(kInDram, kInL1));
  EXPECT_FALSE(fills(kInDram, kInDram, DType::F32));
}

// Ops that read nothing, give back nothing, or read what is no tensor have no buffer to share.
TEST(SharedBuffer, OfTensorsAlone) {
  const Asked asked(allDevices()[0], OpKind::TtnnReshape, {{{2, 64, 64}, kInL1}}, {{{128, 64}, kInL1}});
  ASSERT_TRUE(reads(asked));
  const auto with = [&](auto change) {
    Asked other = asked;
    change(other.graph, other.graph.ops.edit(other.op));
    return reads(other);
  };
  EXPECT_FALSE(with([](Graph&, Op& op) { op.operands.clear(); }));
  EXPECT_FALSE(with([](Graph&, Op& op) { op.results.clear(); }));
  EXPECT_FALSE(with([](Graph& graph, Op& op) { graph.values.edit(op.operands[0]).type = ValueType{{}, "i32"}; }));
  EXPECT_FALSE(with([](Graph& graph, Op& op) { graph.values.edit(op.results[0]).type = ValueType{{}, "i32"}; }));
}

// A permutation that leaves every dim where it is changes nothing; any other one does, of equal sizes too.
TEST(SharedBuffer, APermutationIsAViewWhenItIsNone) {
  const auto permutes = [](const Shape& shape, std::vector<int64_t> order) {
    AttrValue permutation;
    permutation.kind = AttrValueKind::IntArray;
    permutation.ints = std::move(order);
    const Asked asked(allDevices()[0], OpKind::TtnnPermute, {{shape, kInL1}}, {{shape, kInL1}},
                      {{"permutation", permutation}});
    return reads(asked);
  };
  EXPECT_TRUE(permutes({64, 64}, {0, 1}));
  EXPECT_FALSE(permutes({64, 64}, {1, 0}));
  EXPECT_TRUE(permutes({32, 32, 32}, {0, 1, 2}));
  EXPECT_FALSE(permutes({32, 32, 32}, {0, 2, 1}));
  EXPECT_FALSE(permutes({32, 32, 32}, {1, 0, 2}));
  EXPECT_FALSE(reads(Asked(allDevices()[0], OpKind::TtnnPermute, {{{64, 64}, kInL1}}, {{{64, 64}, kInL1}})))
      << "not without a permutation";
}

// Every pair of factorisations of a few sizes, in every place: the op model must come to the same answer.
TEST(SharedBuffer, AgreesWithTheOpModel) {
  const DeviceSpec& device = allDevices()[0];
  Where rows = kInDram;
  rows.page = PageLayout::RowMajor;
  int64_t views = 0, copies = 0;
  for (const int64_t elements : {int64_t{96}, int64_t{960}, int64_t{2048}, int64_t{6144}}) {
    std::vector<Shape> shapes = {{elements}};
    for (int64_t last = 1; last <= elements; last *= 2) {
      for (int64_t middle : {1, 3, 15, 32, 48, 64}) {
        if (elements % (last * middle) != 0) continue;
        shapes.push_back({elements / last / middle, middle, last});
        shapes.push_back({1, elements / last / middle, middle, last});
        if (elements == last * middle) shapes.push_back({middle, last});
      }
    }
    for (const Where& at : {kInDram, kInL1, rows}) {
      for (const Shape& from : shapes) {
        for (const Shape& to : shapes) {
          const Asked asked(device, OpKind::TtnnReshape, {{from, at}}, {{to, at}});
          const bool shared = reads(asked);
          ASSERT_EQ(shared, opMemory(asked.query(), device).aliasOf == 0)
              << from.size() << "-d, last " << from.back() << " to " << to.size() << "-d, last " << to.back();
          ++(shared ? views : copies);
        }
      }
    }
  }
  EXPECT_GT(views, 100);
  EXPECT_GT(copies, 100);
}

}  // namespace
}  // namespace tessera::test
