// L1_SMALL from the option to the addresses.

#include "core/driver/pipeline.h"
#include "tests/driver/driver_testing.h"

namespace tessera::test {
namespace {

const char* const kConv =
    "func.func @main(%x: tensor<1x56x56x64xbf16>, %w: tensor<64x64x3x3xbf16>) -> tensor<1x56x56x64xbf16> {\n"
    "  %0 = \"ttir.conv2d\"(%x, %w) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups "
    "= 1 : i32, height_dim = 1 : i64, padding = "
    "array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x56x56x64xbf16>, "
    "tensor<64x64x3x3xbf16>) -> tensor<1x56x56x64xbf16>\n"
    "  return %0 : tensor<1x56x56x64xbf16>\n}\n";

TEST(L1Small, IsCutFromL1AndHoldsIndexTables) {
  Session session;
  session.load("conv.mlir", kConv);
  Options without, with;
  with.l1SmallSize = 32768;
  auto plain = runPolicy(session, without, Diagnostics()), small = runPolicy(session, with, Diagnostics());
  ASSERT_TRUE(plain->report.run && small->report.run);
  EXPECT_TRUE(small->report.ok());
  EXPECT_EQ(small->device.usableL1().count, plain->device.usableL1().count - 32768);
  EXPECT_EQ(plain->report.run->program->sim.peakL1Small, 0);
  EXPECT_GT(small->report.run->program->sim.peakL1Small, 0);
  EXPECT_LE(small->report.run->program->sim.peakL1Small, 32768);
  // A region of one granule: the convolution fails, and nothing else is wrong with the run.
  with.l1SmallSize = 32;
  auto tight = runPolicy(session, with, Diagnostics());
  ASSERT_TRUE(tight->report.run);
  EXPECT_GT(tight->report.run->program->sim.failures, 0);
  EXPECT_TRUE(tight->report.run->defects.empty());
}

}  // namespace
}  // namespace tessera::test
