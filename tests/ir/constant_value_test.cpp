// Numbers of constants from their text: bytes, packed booleans, lists, splats.

#include "core/ir/constant_value.h"

#include <gtest/gtest.h>

namespace tessera::test {
namespace {

using Integers = std::vector<int64_t>;

Integers integersOf(std::string_view text, DType dtype, int64_t count) {
  const std::optional<ConstantValue> value = readConstant(text, dtype, count);
  if (!value) return ADD_FAILURE() << text << " is not read", Integers();
  return value->integers;
}

// Eight booleans to a byte, the first in the lowest bit.
TEST(ConstantValue, BooleansArePackedFromNineOn) {
  EXPECT_EQ(integersOf("dense<\"0x0581\"> : tensor<16xi1>", DType::I1, 16),
            (Integers{1, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1}));
  EXPECT_EQ(integersOf("dense<\"0x0501\"> : tensor<9xi1>", DType::I1, 9), (Integers{1, 0, 1, 0, 0, 0, 0, 0, 1}));
  EXPECT_FALSE(readConstant("dense<\"0x050101\"> : tensor<9xi1>", DType::I1, 9)) << "a byte too many";
}

TEST(ConstantValue, BytesComeLittleEndFirst) {
  EXPECT_EQ(integersOf("dense<\"0x0100000002000000\"> : tensor<2xi32>", DType::I32, 2), (Integers{1, 2}));
  EXPECT_EQ(integersOf("dense<\"0xFFFFFFFF\"> : tensor<1xi32>", DType::I32, 1), Integers{-1});
  const std::optional<ConstantValue> splat = readConstant("dense<\"0x07000000\"> : tensor<4xi32>", DType::I32, 4);
  ASSERT_TRUE(splat);
  EXPECT_TRUE(splat->splat);
  EXPECT_EQ(splat->integers, Integers{7});
  EXPECT_FALSE(readConstant("dense<\"0x0700000008000000\"> : tensor<4xi32>", DType::I32, 4));
}

TEST(ConstantValue, ListsHaveAsManyNumbersAsElements) {
  EXPECT_EQ(integersOf("dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>", DType::I32, 4), (Integers{1, 2, 3, 4}));
  EXPECT_FALSE(readConstant("dense<[1, 2, 3]> : tensor<4xi32>", DType::I32, 4));
  EXPECT_EQ(integersOf("dense<[true, false]> : tensor<2xi1>", DType::I1, 2), (Integers{1, 0}));
}

}  // namespace
}  // namespace tessera::test
