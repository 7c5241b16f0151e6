// Layouts as plans and problems write them: each once, with its shard where the grid does not give it.

#include "core/plan/layout_json.h"

#include <gtest/gtest.h>

namespace tessera::test {
namespace {

TensorLayout madeFor(const Shape& shape, const LayoutRequest& request) {
  return *makeLayout(shape, request, allDevices()[0]);
}

TEST(LayoutTable, WritesTheShardOnlyWhereItIsAnotherOne) {
  const Shape shape = {64, 256};
  LayoutRequestTable table(allDevices()[0]);
  const TensorLayout dram = madeFor(shape, {});
  const TensorLayout height = madeFor(shape, {.dtype = DType::BF16,
                                              .buffer = BufferType::L1,
                                              .memory = TensorMemoryLayout::HeightSharded,
                                              .page = PageLayout::Tile,
                                              .grid = {2, 1}});
  TensorLayout odd = height;
  odd.shardCols = 9;
  TensorLayout taller = height;
  taller.shardRows = 2;
  EXPECT_EQ(table.indexOf(shape, dram), 0);
  EXPECT_EQ(table.indexOf(shape, height), 1);
  EXPECT_EQ(table.indexOf(shape, odd), 2);
  EXPECT_EQ(table.indexOf(shape, taller), 3);
  EXPECT_EQ(table.indexOf(shape, odd), 2);
  TensorLayout wider = odd;
  wider.shardCols = 10;
  EXPECT_EQ(LayoutRequestTable(table).indexOf(shape, wider), 4) << "in a table of its own";
  EXPECT_EQ(table.indexOf({64, 64}, madeFor({64, 64}, {})), 0) << "of another tensor, made from the same";
  TensorLayout other = dram;
  other.dtype = DType::F32;
  EXPECT_EQ(table.indexOf(shape, other), 4);
  JsonWriter w;
  w.beginObject();
  table.write(w);
  w.endObject();
  const std::string l1 = R"({"buffer":"l1","memory":"height_sharded","page":"tile","dtype":"bf16","grid":[2,1])";
  EXPECT_EQ(w.take(),
            R"({"layouts":[{"buffer":"dram","memory":"interleaved","page":"tile","dtype":"bf16","grid":[1,1]},)" + l1 +
                "}," + l1 + R"(,"shard":[1,9]},)" + l1 + R"(,"shard":[2,8]},)" +
                R"({"buffer":"dram","memory":"interleaved","page":"tile","dtype":"f32","grid":[1,1]}]})");
}

}  // namespace
}  // namespace tessera::test
