// What lies in L1: addresses, shared buffers, and the room that circular buffers need below the tensors.

#include "core/policy/kit/l1_contents.h"

#include <gtest/gtest.h>

namespace tessera::test {
namespace {

// 1000 bytes from address 0, no rounding.
L1Contents thousandBytes(int64_t cushion = 0) { return L1Contents(0, 1000, 1, Bytes(cushion)); }

L1Move tensorOf(int32_t tensor, int64_t bytes) { return {.allocate = Bytes(bytes), .tensor = tensor}; }

TEST(L1Contents, CommitGivesAddressesFromTheTopAndFreesTemporaries) {
  L1Contents l1 = thousandBytes();
  l1.commit({{.allocate = Bytes(100)}, tensorOf(7, 300)});
  ASSERT_NE(l1.find(7), nullptr);
  EXPECT_EQ(l1.find(7)->address, 600);  // below the temporary, which has gone
  EXPECT_EQ(l1.occupied(), Bytes(300));
  EXPECT_TRUE(l1.fit({{.allocate = Bytes(600)}}, Bytes(0)).ok());
  const L1Fit noHole = l1.fit({{.allocate = Bytes(601)}}, Bytes(0));
  EXPECT_EQ(noHole.reason, Refusal::NoHole);
  EXPECT_EQ(noHole.available, Bytes(600));
}

TEST(L1Contents, ABufferStaysUntilItsLastTensorLeaves) {
  L1Contents l1 = thousandBytes();
  l1.commit({tensorOf(1, 400)});
  l1.commit({{.tensor = 2, .aliasOf = 1}});
  l1.commit({{.tensor = 3, .aliasOf = 2}});
  EXPECT_EQ(l1.occupied(), Bytes(400));
  EXPECT_EQ(l1.find(3)->bytes, Bytes(0));
  l1.release(1);
  EXPECT_EQ(l1.find(2)->bytes, Bytes(400));
  l1.release(3);
  EXPECT_EQ(l1.occupied(), Bytes(400));
  l1.release(2);
  EXPECT_EQ(l1.occupied(), Bytes(0));
  EXPECT_TRUE(l1.fit({{.allocate = Bytes(1000)}}, Bytes(0)).ok());
}

TEST(L1Contents, AMoveThatFreesASharedBufferFreesNothingWhileAnAliasStays) {
  L1Contents l1 = thousandBytes();
  l1.commit({tensorOf(1, 600)});
  l1.commit({{.tensor = 2, .aliasOf = 1}});
  const L1Move freesOne{.freedAfter = 1}, freesOther{.freedAfter = 2}, large{.allocate = Bytes(700)};
  EXPECT_EQ(l1.fit({freesOne, large}, Bytes(0)).reason, Refusal::NoHole);
  EXPECT_TRUE(l1.fit({freesOne, freesOther, large}, Bytes(0)).ok());
  EXPECT_EQ(l1.residents().size(), 2u);  // a trial changes nothing
}

TEST(L1Contents, ACopyIsMadeBeforeItsOriginalLeaves) {
  L1Contents l1 = thousandBytes();
  l1.commit({tensorOf(1, 600)});
  const L1Move moved{.allocate = Bytes(500), .freedAfter = 1, .tensor = 1};
  EXPECT_EQ(l1.fit({moved}, Bytes(0)).reason, Refusal::NoHole);
  const L1Move smaller{.allocate = Bytes(400), .freedAfter = 1, .tensor = 1};
  ASSERT_TRUE(l1.fit({smaller}, Bytes(0)).ok());
  l1.commit({smaller});
  EXPECT_EQ(l1.find(1)->address, 0);
  EXPECT_EQ(l1.occupied(), Bytes(400));
}

TEST(L1Contents, AnEarlierMoveMayBeFreedByALaterOne) {
  L1Contents l1 = thousandBytes();
  const std::vector<L1Move> moves{{.allocate = Bytes(600)}, {.freedMove = 0}, tensorOf(4, 900)};
  ASSERT_TRUE(l1.fit(moves, Bytes(0)).ok());
  l1.commit(moves);
  EXPECT_EQ(l1.find(4)->address, 100);
}

TEST(L1Contents, CircularBuffersStayBelowTensorsAndTheCushion) {
  L1Contents l1 = thousandBytes(50);
  l1.commit({tensorOf(1, 400)});
  EXPECT_TRUE(l1.fit({}, Bytes(550)).ok());
  const L1Fit clash = l1.fit({}, Bytes(551));
  EXPECT_EQ(clash.reason, Refusal::CircularBufferClash);
  EXPECT_EQ(clash.available, Bytes(550));
  // Those of a copy count while it runs, below what is allocated by then.
  EXPECT_EQ(l1.fit({{.allocate = Bytes(100), .circularBuffers = Bytes(451)}}, Bytes(0)).reason,
            Refusal::CircularBufferClash);
}

TEST(L1Contents, WhatIsInL1MustBeAbleToLeave) {
  L1Contents l1 = thousandBytes();
  l1.commit({{.allocate = Bytes(400), .tensor = 1, .evictionBuffers = Bytes(300)}});
  EXPECT_TRUE(l1.fit({{.allocate = Bytes(300)}}, Bytes(0)).ok());
  EXPECT_EQ(l1.fit({{.allocate = Bytes(301)}}, Bytes(0)).reason, Refusal::CircularBufferClash);
  // So must what comes, whichever of the moves brings it.
  const L1Move small{.allocate = Bytes(100)}, dear{.allocate = Bytes(100), .tensor = 2, .evictionBuffers = Bytes(401)};
  EXPECT_EQ(l1.fit({dear, small}, Bytes(0)).reason, Refusal::CircularBufferClash);
  EXPECT_EQ(l1.fit({small, dear}, Bytes(0)).available, Bytes(400));
  EXPECT_TRUE(l1.fit({dear}, Bytes(0)).ok());
}

TEST(L1Contents, WhatFindsNoHoleIsThereWithoutAddress) {
  L1Contents l1 = thousandBytes();
  l1.commit({tensorOf(1, 1001)});
  EXPECT_EQ(l1.find(1)->address, -1);
  EXPECT_EQ(l1.occupied(), Bytes(1001));
  l1.release(1);
  EXPECT_EQ(l1.occupied(), Bytes(0));
}

}  // namespace
}  // namespace tessera::test
