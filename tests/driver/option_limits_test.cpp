// The least and the greatest value of every option, and what lies just beyond.

#include "core/driver/options.h"
#include "tests/driver/driver_testing.h"

namespace tessera::test {
namespace {

bool taken(std::string_view id, const std::string& text) {
  Options options;
  Diagnostics diags;
  setOption(options, id, text, diags);
  return diags.all().empty();
}

std::string numberText(const OptionInfo& info, int64_t value) {
  if (info.type == OptionType::Integer) return std::to_string(value);
  const std::string digits = std::to_string(1000 + value % 1000).substr(1);
  return std::to_string(value / 1000) + "." + digits;
}

TEST(OptionLimits, TheLeastAndTheGreatestValueAreTaken) {
  int numbers = 0;
  for (const OptionInfo& info : allOptions()) {
    if (info.type != OptionType::Integer && info.type != OptionType::Number) continue;
    SCOPED_TRACE(info.id);
    ++numbers;
    EXPECT_TRUE(taken(info.id, numberText(info, info.min)));
    EXPECT_TRUE(taken(info.id, numberText(info, info.max)));
    EXPECT_FALSE(taken(info.id, numberText(info, info.max + 1)));
    if (info.min > 0) {
      EXPECT_FALSE(taken(info.id, numberText(info, info.min - 1)));
    }
  }
  EXPECT_GT(numbers, 5);
}

TEST(OptionLimits, FactorsGoFromAThousandthToAThousand) {
  auto factors = [](const std::string& text) -> std::optional<TimeFactors> {
    TimeFactors out{};
    return parseCalibration(text, out) ? std::optional(out) : std::nullopt;
  };
  const auto matmul = static_cast<size_t>(Family::Matmul), conv = static_cast<size_t>(Family::Conv);
  EXPECT_TRUE(factors(""));
  EXPECT_EQ((*factors("Matmul=1000"))[matmul], 1'000'000);
  EXPECT_EQ((*factors("Matmul=0.001"))[matmul], 1);
  EXPECT_EQ((*factors("Matmul=1.25,Conv=0.9"))[matmul], 1250);
  EXPECT_EQ((*factors("Matmul=1.25,Conv=0.9"))[conv], 900);
  EXPECT_EQ((*factors("Matmul=2,Matmul=3"))[matmul], 3000);
  for (const char* text : {"Matmul=1000.001", "Matmul=0.0009", "Matmul=0", "Matmul=-1", "Matmul=nan",
                           "Matmul=", "Matmul", "Matmul=2x", "Nothing=1", "=1", "Matmul=2;Conv=2"})
    EXPECT_FALSE(factors(text)) << text;
}

}  // namespace
}  // namespace tessera::test
