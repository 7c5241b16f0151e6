// StableHLO ops of every form, drawn by seed: converted they compute the same. What they are converted to is pinned.

#include "tests/lowering/converted_stablehlo.h"
#include "tests/lowering/drawn_stablehlo.h"
#include "tests/pinned.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

PinnedFile& convertedPins = PinnedFile::named("pinned_stablehlo");

class StablehloRandom : public ::testing::TestWithParam<DrawnForm> {};

TEST_P(StablehloRandom, StaysTheSame) {
  const DrawnForm& form = GetParam();
  Fingerprint print;
  for (uint64_t seed = 1; seed <= (smallTests() ? form.count / 8 : form.count); ++seed) {
    Graph converted;
    const std::string text = drawnText(form, seed);
    EXPECT_EQ(wrongAfterConversion(text, converted), "") << seed << "\n" << text;
    print.add(exportMlir(converted));
  }
  if (!smallTests()) convertedPins.expect(form.name, digits(print));
}

INSTANTIATE_TEST_SUITE_P(Forms, StablehloRandom, ::testing::ValuesIn(kDrawnForms));

}  // namespace
}  // namespace tessera::test
