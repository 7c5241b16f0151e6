// What no policy can do, as a conversion in the text that is larger than L1 may be, or a layout that an op does not
// write: every policy plans the rest and says so.

#include <gtest/gtest.h>

#include <string>

#include "core/driver/api.h"
#include "core/driver/session.h"
#include "core/policy/policy.h"

namespace tessera::test {
namespace {

// Half a MiB per core of the result of `%2`, half a MiB more while `%1` is read.
const char kText[] = R"(#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#d = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x32x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#h = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <4x1>, memref<8x32x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>>
func.func @main(%a: tensor<1024x1024xbf16, #d>) -> tensor<1024x1024xbf16, #d> {
  %1 = "ttnn.relu"(%a) : (tensor<1024x1024xbf16, #d>) -> tensor<1024x1024xbf16, #d>
  %2 = "ttnn.to_memory_config"(%1) : (tensor<1024x1024xbf16, #d>) -> tensor<1024x1024xbf16, #h>
  %3 = "ttnn.exp"(%2) : (tensor<1024x1024xbf16, #h>) -> tensor<1024x1024xbf16, #d>
  return %3 : tensor<1024x1024xbf16, #d>
}
)";

TEST(WhatNoPolicyCanDo, AConversionLargerThanL1) {
  Session session;
  for (const PolicyInfo& policy : allPolicies()) {
    for (const char* cap : {"1.0", "0.3", "0.2", "0.05"}) {
      const std::string options = R"({"policy":")" + std::string(policy.id) + R"(","tensor-l1-usage-cap":)" + cap + "}";
      SCOPED_TRACE(options);
      const std::string report = apiRun(session, kText, options);
      EXPECT_EQ(report.find("\"run\":null"), std::string::npos);
      if (policy.id == "AsWritten") continue;  // keeps to what stands there, and says what is refused
      const bool fits = cap == std::string("1.0");
      EXPECT_EQ(report.find("\"ok\":true") != std::string::npos, fits);
      EXPECT_EQ(report.find("over-budget") == std::string::npos, fits);
    }
  }
}

// Results of an op that nobody knows lie in DRAM: one that is written in L1 is counted as refused, and told at its
// step.
TEST(WhatNoPolicyCanDo, AnOpThatNobodyKnowsWritesL1) {
  const char text[] = R"(#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#d = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<4x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#h = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <4x1>, memref<1x4x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>>
func.func @main(%a: tensor<128x128xbf16, #d>) -> tensor<128x128xbf16, #d> {
  %0 = "mylib.fancy"(%a) : (tensor<128x128xbf16, #d>) -> tensor<128x128xbf16, #h>
  %1 = "ttnn.to_memory_config"(%0) : (tensor<128x128xbf16, #h>) -> tensor<128x128xbf16, #d>
  return %1 : tensor<128x128xbf16, #d>
}
)";
  Session session;
  const std::string report = apiRun(session, text, R"({"policy":"AsWritten"})");
  EXPECT_NE(report.find("\"refused\":1}"), std::string::npos);
  EXPECT_NE(report.find("nothing is known about this op"), std::string::npos);
  EXPECT_NE(apiRun(session, text, R"({"policy":"DRAM"})").find("\"refused\":0}"), std::string::npos);
}

// A layout that the op does not write is refused with words under every policy, and leaves a sound plan.
TEST(WhatNoPolicyCanDo, ALayoutThatTheOpDoesNotWrite) {
  const char text[] = R"(
func.func @main(%x: tensor<1x32x64xbf16>, %w: tensor<64x1xbf16>, %b: tensor<1xbf16>) -> tensor<1x32x1xbf16> {
  %y = "ttir.linear"(%x, %w, %b) <{transpose_a = false, transpose_b = false}>
    : (tensor<1x32x64xbf16>, tensor<64x1xbf16>, tensor<1xbf16>) -> tensor<1x32x1xbf16>
  return %y : tensor<1x32x1xbf16>
}
)";
  Session session;
  for (const PolicyInfo& policy : allPolicies()) {
    if (policy.id == "AsWritten") continue;  // the graph has no layouts
    const std::string options =
        R"({"preset":"upstream","override-output-layout":"%y=row_major","policy":")" + std::string(policy.id) + R"("})";
    SCOPED_TRACE(options);
    const std::string report = apiRun(session, text, options);
    EXPECT_EQ(report.find("op-refused"), std::string::npos);
    EXPECT_NE(report.find("`row_major` is not met"), std::string::npos);
  }
}

// An element type that an op does not read is no matter of layouts: the operand is converted before the op, and no plan
// is said to be wrong.
TEST(WhatNoPolicyCanDo, AnElementTypeThatTheOpDoesNotRead) {
  const char text[] = R"(
func.func @main(%i: tensor<32x10xui32>, %w: tensor<100x32xf32>) -> tensor<32x10x32xbf16> {
  %0 = "ttnn.embedding"(%i, %w) : (tensor<32x10xui32>, tensor<100x32xf32>) -> tensor<32x10x32xbf16>
  return %0 : tensor<32x10x32xbf16>
}
)";
  Session session;
  for (const PolicyInfo& policy : allPolicies()) {
    SCOPED_TRACE(policy.id);
    const std::string options = R"({"policy":")" + std::string(policy.id) + R"("})";
    EXPECT_EQ(apiRun(session, text, options).find("op-refused"), std::string::npos);
    EXPECT_NE(apiExport(session, text, options, "mlir").find("ttnn.typecast"), std::string::npos);
  }
}

// A window that lies by more than half in padding, which the library does not take, is counted as refused.
TEST(WhatNoPolicyCanDo, AWindowThatTheLibraryDoesNotTake) {
  const char text[] = R"(
func.func @main(%x: tensor<1x8x8x32xbf16>) -> tensor<1x8x8x32xbf16> {
  %0 = "ttir.avg_pool2d"(%x) <{kernel = array<i32: 8, 1>, stride = array<i32: 1, 1>, dilation = array<i32: 1, 1>,
    padding = array<i32: 7, 0, 0, 0>, ceil_mode = false}> : (tensor<1x8x8x32xbf16>) -> tensor<1x8x8x32xbf16>
  return %0 : tensor<1x8x8x32xbf16>
}
)";
  Session session;
  for (const PolicyInfo& policy : allPolicies()) {
    if (policy.id == "AsWritten") continue;  // the graph has no layouts
    SCOPED_TRACE(policy.id);
    const std::string report = apiRun(session, text, R"({"policy":")" + std::string(policy.id) + R"("})");
    EXPECT_EQ(report.find("op-refused"), std::string::npos);
    EXPECT_NE(report.find("\"refused\":1"), std::string::npos);
  }
}

}  // namespace
}  // namespace tessera::test
