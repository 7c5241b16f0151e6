// Numbers of constants from their text: bytes, packed booleans, lists, splats.

#include "core/ir/constant_value.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

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
  EXPECT_EQ(integersOf("dense<\"0x0102\"> : tensor<10xi1>", DType::I1, 10), (Integers{1, 0, 0, 0, 0, 0, 0, 0, 0, 1}));
  EXPECT_FALSE(readConstant("dense<\"0x050101\"> : tensor<9xi1>", DType::I1, 9)) << "a byte too many";
  EXPECT_EQ(integersOf("dense<\"0x05\"> : tensor<4xi1>", DType::I1, 4), (Integers{1, 0, 1, 0}));
  EXPECT_EQ(integersOf("dense<\"0x01\"> : tensor<2xi1>", DType::I1, 2), (Integers{1, 0}));
  EXPECT_EQ(integersOf("dense<\"0x0100\"> : tensor<2xi1>", DType::I1, 2), (Integers{1, 0})) << "a byte for each";
  for (const char* one : {"dense<\"0xFF\"> : tensor<4xi1>", "dense<\"0xff\"> : tensor<4xi1>"})
    EXPECT_EQ(integersOf(one, DType::I1, 4), Integers{1}) << "one for all";
  EXPECT_EQ(integersOf("dense<\"0x00\"> : tensor<8xi1>", DType::I1, 8), Integers{0});
}

// Numbers that stand elsewhere in the file, and forms that are none.
TEST(ConstantValue, WhatIsNotInTheTextIsElided) {
  const std::optional<ConstantValue> elided = readConstant("dense_resource<w> : tensor<2xf32>", DType::F32, 2);
  ASSERT_TRUE(elided);
  EXPECT_TRUE(elided->elided);
  EXPECT_FALSE(readConstant("dense<[1.0, 2.0]> : tensor<2xf32>", DType::F32, 2)->elided);
  EXPECT_TRUE(readConstant("  dense<> : tensor<0xf32>", DType::F32, 0)->numbers.empty());
  for (const char* text : {"sparse<0, 1.0>", "dense", "dense<1.0", "", "1.0", "dense<>", "dense<[1.0]>"})
    EXPECT_FALSE(readConstant(text, DType::F32, 2)) << text;
}

TEST(ConstantValue, BytesComeLittleEndFirst) {
  EXPECT_EQ(integersOf("dense<\"0x0100000002000000\"> : tensor<2xi32>", DType::I32, 2), (Integers{1, 2}));
  EXPECT_EQ(integersOf("dense<\"0xFFFFFFFF\"> : tensor<1xi32>", DType::I32, 1), Integers{-1});
  const std::optional<ConstantValue> splat = readConstant("dense<\"0x07000000\"> : tensor<4xi32>", DType::I32, 4);
  ASSERT_TRUE(splat);
  EXPECT_TRUE(splat->splat);
  EXPECT_EQ(splat->integers, Integers{7});
  const std::optional<ConstantValue> one = readConstant("dense<\"0x07000000\"> : tensor<1xi32>", DType::I32, 1);
  ASSERT_TRUE(one);
  EXPECT_FALSE(one->splat) << "one number for one element";
  EXPECT_FALSE(readConstant("dense<\"0x0700000008000000\"> : tensor<4xi32>", DType::I32, 4));
}

TEST(ConstantValue, UnsignedNumbersTooWideAreTheLargest) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(integersOf("dense<18446744073709551615> : tensor<ui64>", DType::U64, 1), Integers{kMost});
  EXPECT_EQ(integersOf("dense<0xFFFFFFFFFFFFFFFF> : tensor<ui64>", DType::U64, 1), Integers{kMost});
  EXPECT_EQ(integersOf("dense<0x7FFFFFFFFFFFFFFE> : tensor<ui64>", DType::U64, 1), Integers{kMost - 1});
  EXPECT_EQ(integersOf("dense<0xFFFFFFFFFFFFFFFE> : tensor<i64>", DType::I64, 1), Integers{-2});
}

TEST(ConstantValue, ListsMayGoOverSeveralLines) {
  EXPECT_EQ(integersOf("dense<[1,\n  2,\t3\n]> : tensor<3xi32>", DType::I32, 3), (Integers{1, 2, 3}));
  EXPECT_EQ(integersOf("dense<[[1 ,2\t], [ 3,4\n\n]\n]> : tensor<2x2xi32>", DType::I32, 4), (Integers{1, 2, 3, 4}));
}

TEST(ConstantValue, WordsAreNoFloatsAndNumbersEndWhereTheyEnd) {
  EXPECT_EQ(integersOf("dense<true> : tensor<i1>", DType::I1, 1), Integers{1});
  EXPECT_EQ(integersOf("dense<[true, false]> : tensor<2xi1>", DType::I1, 2), (Integers{1, 0}));
  EXPECT_FALSE(readConstant("dense<true> : tensor<f32>", DType::F32, 1));
  EXPECT_FALSE(readConstant("dense<False> : tensor<i1>", DType::I1, 1));
  EXPECT_EQ(integersOf("dense<-7> : tensor<i32>", DType::I32, 1), Integers{-7});
  EXPECT_FALSE(readConstant("dense<7.5> : tensor<i32>", DType::I32, 1));
  EXPECT_FALSE(readConstant("dense<7x> : tensor<f32>", DType::F32, 1));
  // Hexadecimal scalars are bits: of 1.0, of the smaller infinity, of -1 in 8 and 16 bits.
  const auto number = [](std::string_view text, DType dtype) { return readConstant(text, dtype, 1)->numbers.at(0); };
  EXPECT_EQ(number("dense<0x3F800000> : tensor<f32>", DType::F32), 1.0);
  EXPECT_EQ(number("dense<0xFF80> : tensor<bf16>", DType::BF16), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(number("dense<0X3C00> : tensor<f16>", DType::F16), 1.0);
  // 16-bit floats: the smallest normal ones are 2^-14, those below count in steps of 2^-24; both infinities.
  EXPECT_EQ(number("dense<0xC000> : tensor<f16>", DType::F16), -2.0);
  EXPECT_EQ(number("dense<0x3C01> : tensor<f16>", DType::F16), 1.0 + 1.0 / 1024);
  EXPECT_EQ(number("dense<0x0400> : tensor<f16>", DType::F16), 1.0 / 16384);
  EXPECT_EQ(number("dense<0x03FF> : tensor<f16>", DType::F16), 1023.0 / 16777216);
  EXPECT_EQ(number("dense<0x8001> : tensor<f16>", DType::F16), -1.0 / 16777216);
  EXPECT_EQ(number("dense<0x8000> : tensor<f16>", DType::F16), 0.0);
  EXPECT_EQ(number("dense<0x7C00> : tensor<f16>", DType::F16), std::numeric_limits<double>::infinity());
  EXPECT_EQ(number("dense<0xFC00> : tensor<f16>", DType::F16), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(number("dense<0xBFF0000000000000> : tensor<f64>", DType::F64), -1.0);
  EXPECT_EQ(integersOf("dense<0xFF> : tensor<i8>", DType::I8, 1), Integers{-1});
  EXPECT_EQ(integersOf("dense<0xFFFF> : tensor<i16>", DType::I16, 1), Integers{-1});
  EXPECT_EQ(integersOf("dense<0xFF> : tensor<ui8>", DType::U8, 1), Integers{255});
}

TEST(ConstantValue, ListsHaveAsManyNumbersAsElements) {
  EXPECT_EQ(integersOf("dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>", DType::I32, 4), (Integers{1, 2, 3, 4}));
  EXPECT_FALSE(readConstant("dense<[1, 2, 3]> : tensor<4xi32>", DType::I32, 4));
  EXPECT_EQ(integersOf("dense<[true, false]> : tensor<2xi1>", DType::I1, 2), (Integers{1, 0}));
}

// Ranges written out; those of 64 bits end at the nearest double.
TEST(ConstantValue, WholeNumbersThatATypeHolds) {
  const std::tuple<DType, double, double> ranges[] = {
      {DType::U8, 0, 255},         {DType::I8, -128, 127},       {DType::U16, 0, 65535},
      {DType::I16, -32768, 32767}, {DType::U32, 0, 4294967295.}, {DType::I32, -2147483648., 2147483647.},
      {DType::I1, 0, 1},           {DType::U64, 0, 0x1p64},      {DType::I64, -0x1p63, 0x1p63}};
  for (const auto& [type, least, most] : ranges) {
    SCOPED_TRACE(std::string(dtypeName(type)));
    const std::optional<IntegerRange> range = integerRange(type);
    ASSERT_TRUE(range);
    EXPECT_EQ(range->least, least);
    EXPECT_EQ(range->most, most);
    EXPECT_TRUE(range->holds(least) && range->holds(most) && range->holds(1));
    const double beyond = std::max(1.0, most / 0x1p50);
    for (const double other : {least - beyond, most + beyond, 0.5, std::nan("")}) EXPECT_FALSE(range->holds(other));
  }
  for (const DType type : {DType::F32, DType::F64, DType::F16, DType::BF16}) EXPECT_FALSE(integerRange(type));
}

}  // namespace
}  // namespace tessera::test
