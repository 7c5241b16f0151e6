// Ranks at their limit: the last that is taken and the first that is not.

#include <gtest/gtest.h>

#include "core/ir/ttnn_layout_text.h"

namespace tessera::test {
namespace {

TEST(LayoutLimits, AMemrefHasAsManyDimsAsATensor) {
  const auto memref = [](size_t rank) {
    std::string text = "memref<";
    for (size_t i = 0; i < rank; ++i) text += "1x";
    return parseMemref(text + "bf16, #ttnn.buffer_type<dram>>");
  };
  EXPECT_TRUE(memref(2).ok());
  size_t most = 2;
  while (most < 200 && memref(most + 1).ok()) ++most;
  ASSERT_LT(most, 200u);
  EXPECT_EQ(memref(most)->dims.size(), most);
  EXPECT_EQ(memref(most + 1).error().rule, LayoutRule::RankMismatch);
  EXPECT_NE(memref(most + 1).error().text.find("more than " + std::to_string(most) + " dims"), std::string::npos);
}

}  // namespace
}  // namespace tessera::test
