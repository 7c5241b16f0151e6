// Softmax takes whole rows of tiles, from shards or interleaved memory into either.

#include "tests/ops/asking.h"

namespace tessera::test {
namespace {

OpVerdict softmax(Where from, Where to) {
  const Shape shape = {2048, 1024};
  const Asked asked(*findDevice("n150"), OpKind::TtnnSoftmax, {{shape, from}}, {{shape, to}}, {{"dim", intAttr(-1)}});
  return asked.verdict();
}

TEST(Softmax, RowsMayBeInShardsOnEitherSide) {
  const Where whole[] = {kInDram, kInL1, heightOver(64), heightOver(32)};
  for (const Where& from : whole) {
    for (const Where& to : whole) EXPECT_TRUE(softmax(from, to).ok());
  }
}

TEST(Softmax, RowsThatAreCutAreRefused) {
  for (const Where& cut : {blockOver(8, 8), widthOver(32)}) {
    EXPECT_EQ(softmax(cut, kInDram).reason, Refusal::InputMustBeInterleaved);
    EXPECT_EQ(softmax(kInDram, cut).reason, Refusal::OutputMustBeInterleaved);
    EXPECT_EQ(softmax(cut, cut).reason, Refusal::InputMustBeInterleaved);
  }
}

}  // namespace
}  // namespace tessera::test
