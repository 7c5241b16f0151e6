#include "core/support/float_text.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tessera::test {
namespace {

TEST(FloatText, AsLlvmPrintsIt) {
  struct Case {
    double value;
    const char* type;
    const char* text;
  };
  const Case kCases[] = {
      {0, "f32", "0.000000e+00"},
      {-0.0, "f32", "-0.000000e+00"},
      {1, "bf16", "1.000000e+00"},
      {0.01, "f32", "0.00999999977"},
      {1e-5, "f32", "9.99999974E-6"},
      {1e-12, "f32", "9.99999996E-13"},
      {0.01, "f64", "1.000000e-02"},
      {1.0 / 3, "f32", "0.333333343"},
      {3.4028234663852886e38, "f32", "3.40282347E+38"},
      {123456.789, "f64", "123456.789"},
      {0.0203857421875, "f32", "0.0203857422"},
      {-2.5, "f16", "-2.500000e+00"},
  };
  for (const Case& c : kCases) EXPECT_EQ(mlirFloatText(c.value, c.type), c.text) << c.type;
  EXPECT_EQ(mlirFloatText(HUGE_VAL, "f32"), "");
  EXPECT_EQ(mlirFloatText(std::nan(""), "f64"), "");
}

TEST(FloatText, RoundsToTheType) {
  EXPECT_EQ(roundedToType(0.1, "f64"), 0.1);
  EXPECT_EQ(roundedToType(0.1, "f32"), static_cast<double>(0.1f));
  EXPECT_EQ(roundedToType(1.00390625, "bf16"), 1.0);  // a tie goes to the even neighbour
}

}  // namespace
}  // namespace tessera::test
