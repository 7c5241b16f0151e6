// Diagnostics of damaged UTF-8 and beyond the number that is kept, sums that stop at the largest estimate, keys whose
// hashes are equal.

#include <gtest/gtest.h>

#include <map>

#include "core/support/diagnostics.h"
#include "core/support/id.h"
#include "core/support/key_index.h"
#include "core/support/units.h"

namespace tessera::test {
namespace {

// A sequence of four bytes that breaks off after the second: each of its bytes is replaced, what follows is read anew.
TEST(BrokenUtf8, FourBytesNeedThreeThatContinue) {
  const std::string bad = "\xEF\xBF\xBD", face = "\xF0\x9F\x98\x80";
  EXPECT_EQ(toValidUtf8(face), face);
  EXPECT_EQ(toValidUtf8("\xF0\x9F"
                        "a\x80"
                        "b"),
            bad + bad + "a" + bad + "b");
  EXPECT_EQ(toValidUtf8("\xF0"
                        "a\x98\x80"),
            bad + "a" + bad + bad);
  EXPECT_EQ(toValidUtf8("\xF0\x9F\x98"
                        "a"),
            bad + bad + bad + "a");
  EXPECT_EQ(toValidUtf8("\xF0\x9F" + face), bad + bad + face);
}

// A line of nothing but bytes that continue has no place where a window could begin or end: nothing of it is shown.
TEST(BrokenUtf8, ALineWithoutAnyCharacterIsNotShown) {
  Diagnostics diagnostics;
  diagnostics.report(DiagKind::NoOperation, {260, 261});
  const SourceBuffer source("f.mlir", "first\n" + std::string(300, '\x80') + "\nlast");
  const std::string text = renderDiagnostic(diagnostics.all().at(0), source);
  const std::string message = diagnostics.all().at(0).message;
  EXPECT_EQ(text, "f.mlir:2:255: error: " + message + "\n  \n  ^\n");
}

TEST(DiagnosticsThatAreAdded, AreKeptUpToTheSameNumbers) {
  Diagnostics one, all;
  one.report(DiagKind::NoOperation, {1, 2});
  for (size_t i = 0; i < Diagnostics::kMaxErrors + 3; ++i) all.add(one.all().at(0));
  EXPECT_EQ(all.all().size(), Diagnostics::kMaxErrors);
  EXPECT_EQ(all.dropped(), 3u);
  EXPECT_EQ(all.errorCount(), Diagnostics::kMaxErrors + 3);
  EXPECT_EQ(all.all().back().span, (Span{1, 2}));
}

TEST(SaturatedNumbers, StopAtTheLargestEstimate) {
  struct Row {
    int64_t a, b, product, sum;
  };
  constexpr int64_t kMost = kSaturated;
  const Row rows[] = {
      {3, 4, 12, 7},
      {kMost - 1, 1, kMost - 1, kMost},
      {kMost, 1, kMost, kMost},
      {kMost, 0, 0, kMost},
      {2 * kMost, 1, kMost, kMost},  // fits 63 bits, and yet is too large
      {kMost / 2, 3, kMost, kMost / 2 + 3},
      {INT64_MAX, INT64_MAX, kMost, kMost},
      {INT64_MAX, 1, kMost, kMost},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(mulSaturated(row.a, row.b), row.product) << row.a << " * " << row.b;
    EXPECT_EQ(mulSaturated(row.b, row.a), row.product) << row.b << " * " << row.a;
    EXPECT_EQ(addSaturated(row.a, row.b), row.sum) << row.a << " + " << row.b;
    EXPECT_EQ(addSaturated(row.b, row.a), row.sum) << row.b << " + " << row.a;
  }
}

using ComparedId = Id<struct ComparedTag>;

// Ids, quantities and places are compared by all that they hold.
TEST(ComparedByValue, PlacesIdsAndQuantities) {
  EXPECT_TRUE((Span{3, 5} == Span{3, 5}));
  EXPECT_FALSE((Span{3, 5} == Span{3, 6}));
  EXPECT_FALSE((Span{3, 5} == Span{4, 5}));
  EXPECT_TRUE(ComparedId{2} < ComparedId{3});
  EXPECT_FALSE(ComparedId{3} < ComparedId{3});
  EXPECT_FALSE(ComparedId{3} < ComparedId{2});
  EXPECT_TRUE(ComparedId{3} > ComparedId{2});
  EXPECT_FALSE(ComparedId{3} == ComparedId{2});
  EXPECT_TRUE(Bytes(2) < Bytes(3));
  EXPECT_FALSE(Bytes(3) < Bytes(3));
  EXPECT_TRUE(Bytes(3) >= Bytes(3));
  EXPECT_FALSE(Bytes(2) >= Bytes(3));
  EXPECT_FALSE(Bytes(2) == Bytes(3));
}

uint64_t hashOfWords(const Key& key) {
  uint64_t hash = key.size();
  for (uint32_t word : key) hash = mixHash(hash, word);
  return hash;
}

// Two keys of three words with one hash: of so many first words two leave states that differ in their lower half alone,
// and the last word makes up for that.
TEST(KeysOfOneHash, HaveNumbersOfTheirOwn) {
  std::map<uint64_t, uint32_t> firstOf;  // by the upper half of the state
  const auto stateOf = [](uint32_t first) { return mixHash(mixHash(3, first), 0); };
  Key one, other;
  for (uint32_t first = 0; other.empty(); ++first) {
    ASSERT_LT(first, 1'000'000u);
    const auto [it, isNew] = firstOf.emplace(stateOf(first) >> 32, first);
    if (isNew) continue;
    one = {it->second, 0, 77};
    other = {first, 0, static_cast<uint32_t>(stateOf(first) ^ stateOf(it->second)) ^ 77};
  }
  ASSERT_EQ(hashOfWords(one), hashOfWords(other));
  ASSERT_NE(one, other);
  KeyIndex index;
  EXPECT_EQ(index.numberOf(one), 0u);
  EXPECT_EQ(index.numberOf(other), 1u);
  EXPECT_EQ(index.numberOf(one), 0u);
  EXPECT_EQ(index.numberOf(other), 1u);
}

}  // namespace
}  // namespace tessera::test
