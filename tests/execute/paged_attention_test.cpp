// Attention of one query per user and over pages of a cache, and what writes into pages, on numbers worked out by hand.
// Kernels are called by themselves: pages of a program have whole tiles of rows.

#include "tests/execute/kernel_outcome.h"

namespace tessera::test {
namespace {

void expectNumbers(const Outcome& outcome, const HostTensor& is, const std::string& expected) {
  ASSERT_EQ(outcome.error, "");
  const HostTensor wanted = numbers(expected).tensor;
  ASSERT_EQ(is.shape, wanted.shape);
  for (size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(is.at(i), wanted.at(i), 2e-4) << "element " << i;
}

const std::string kPaged = "ttnn.paged_scaled_dot_product_attention_decode";
const std::string kPagedOfTtir = "ttir.paged_scaled_dot_product_attention_decode";
const std::string kUnit = "; scale=1";

// Three pages of two rows; user 0 reads 100 200 1 2, user 1 reads 10 20 100 200.
const std::string kQueries = "f32 1x2x1x1: 0 0", kSameKeys = "f32 3x1x2x1: 0 0 0 0 0 0",
                  kValues = "f32 3x1x2x1: 1 2 10 20 100 200", kTable = "si32 2x2: 2 0 1 2";

TEST(PagedAttention, AUserReadsItsPagesUpToItsPosition) {
  const auto expect = [](const std::string& op, const std::string& attrs, std::vector<std::string> operands,
                         const std::string& expected) {
    const Outcome done = outcomeOf(op, attrs, operands, {{1, 2, 1, 1}});
    ASSERT_EQ(done.error, "") << attrs;
    expectNumbers(done, done.results[0], "f32 1x2x1x1: " + expected);
  };
  const std::string with = "operandSegmentSizes=[1,1,1,1,0,1,0]" + kUnit;
  expect(kPaged, with, {kQueries, kSameKeys, kValues, kTable, "si32 2: 2 1"}, "100.33333 15");
  expect(kPaged, with, {kQueries, kSameKeys, kValues, kTable, "si32 2: 0 3"}, "100 82.5");
  expect(kPaged, with + "; sliding_window_size=2", {kQueries, kSameKeys, kValues, kTable, "si32 2: 2 1"}, "100.5 15");
  expect(kPaged, "operandSegmentSizes=[1,1,1,1,0,0,0]" + kUnit, {kQueries, kSameKeys, kValues, kTable}, "75.75 82.5");
  // TTIR's may hold a tensor to write into, or none, before the mask.
  expect(kPagedOfTtir, "operandSegmentSizes=[1,1,1,1,1,0,1,0]" + kUnit,
         {kQueries, kSameKeys, kValues, kTable, "f32 1x2x1x1: 7 7", "si32 2: 2 1"}, "100.33333 15");
  expect(kPagedOfTtir, "operandSegmentSizes=[1,1,1,1,0,0,1,0]" + kUnit,
         {kQueries, kSameKeys, kValues, kTable, "si32 2: 2 1"}, "100.33333 15");
  // The key of row 1 of page 0 weighs twice as much: it is the last row of user 0 and none of user 1.
  expect(kPaged, with, {"f32 1x2x1x1: 0.6931472 0.6931472", "f32 3x1x2x1: 0 1 0 0 0 0", kValues, kTable, "si32 2: 3 3"},
         "61 82.5");
  // A sink with the weight of two keys, scaled as scores are.
  expect(kPaged, "operandSegmentSizes=[1,1,1,1,0,1,1]" + kUnit,
         {kQueries, kSameKeys, kValues, kTable, "si32 2: 1 1", "f32 1: 0.6931472"}, "75 7.5");
  // A mask takes the first key away from user 0: [users, 1, heads, keys].
  expect(kPaged, "operandSegmentSizes=[1,1,1,1,1,0,0]" + kUnit,
         {kQueries, kSameKeys, kValues, kTable, "f32 2x1x1x4: -1e9 0 0 0 0 0 0 0"}, "67.66667 82.5");
}

TEST(PagedAttention, HeadsShareKeysInARow) {
  // Two key heads; heads 0 and 1 read the first, 2 and 3 the second.
  const Outcome done =
      outcomeOf(kPaged, "operandSegmentSizes=[1,1,1,1,0,1,0]",
                {"f32 1x1x4x1: 0 0 0 0", "f32 2x2x1x1: 0 0 0 0", "f32 2x2x1x1: 1 2 3 4", "si32 1x2: 1 0", "si32 1: 1"},
                {{1, 1, 4, 1}});
  expectNumbers(done, done.results[0], "f32 1x1x4x1: 2 2 3 3");
}

// Values are the first numbers of the keys where there are none of their own.
TEST(PagedAttention, LatentValuesStandInTheKeys) {
  const std::string op = "ttir.paged_flash_multi_latent_attention_decode", keys = "f32 2x1x1x3: 4 5 0 8 9 1";
  const Outcome within = outcomeOf(op, "operandSegmentSizes=[1,1,0,1,0,1,0]; head_dim_v=2" + kUnit,
                                   {"f32 1x1x1x3: 0 0 1.0986123", keys, "si32 1x2: 0 1", "si32 1: 1"}, {{1, 1, 1, 2}});
  expectNumbers(within, within.results[0], "f32 1x1x1x2: 7 8");  // the second key weighs three times as much
  const Outcome own = outcomeOf(
      op, "operandSegmentSizes=[1,1,1,1,0,1,0]; head_dim_v=2" + kUnit,
      {"f32 1x1x1x3: 0 0 1.0986123", keys, "f32 2x1x1x2: 0 8 4 0", "si32 1x2: 0 1", "si32 1: 1"}, {{1, 1, 1, 2}});
  expectNumbers(own, own.results[0], "f32 1x1x1x2: 3 2");
}

// The first of a chunk of queries stands at the place that is given.
TEST(PagedAttention, AChunkBeginsAtItsPlace) {
  const std::string op = "ttir.chunked_scaled_dot_product_attention";
  const auto expect = [&](const std::string& start, const std::string& expected) {
    const Outcome done = outcomeOf(
        op, "",
        {"f32 1x1x2x1: 0 0", "f32 2x1x2x1: 0 0 0 0", "f32 2x1x2x1: 1 2 10 20", "si32 1x2: 1 0", "si32 1: " + start},
        {{1, 1, 2, 1}});
    expectNumbers(done, done.results[0], "f32 1x1x2x1: " + expected);
  };
  expect("0", "10 15");
  expect("1", "15 10.333333");
  expect("2", "10.333333 8.25");
}

// Queries of zeros weigh the keys alike: the mean of the values that are seen. Those are the first numbers of the keys
// where there are none of their own.
TEST(PagedAttention, OfLatentKeysFromTheBeginning) {
  const std::string query = "f32 1x1x2x2: 0 0 0 0", key = "f32 1x1x2x2: 1 5 3 7", mask = "f32 1x1x2x2: 0 -1000 -1000 0";
  for (const std::string op : {"ttir.flash_mla_prefill", "ttnn.flash_mla_prefill"}) {
    const auto expect = [&](const std::string& attrs, std::vector<std::string> operands, const std::string& expected) {
      const Outcome done = outcomeOf(op, "head_dim_v=1" + attrs, operands, {{1, 1, 2, 1}});
      expectNumbers(done, done.results[0], "f32 1x1x2x1: " + expected);
    };
    expect("", {query, key}, "1 2");
    expect("; is_causal=0", {query, key}, "2 2");
    expect("; operandSegmentSizes=[1,1,1,0]", {query, key, "f32 1x1x2x1: 10 30"}, "10 20");
    expect("; is_causal=0; operandSegmentSizes=[1,1,0,1]", {query, key, mask}, "1 3");
    expect("; operandSegmentSizes=[1,1,1,1]; is_causal=0", {query, key, "f32 1x1x2x1: 10 30", mask}, "10 30");
    EXPECT_EQ(outcomeOf(op, "head_dim_v=1", {query, key, mask}, {{1, 1, 2, 1}}).error,
              "operands without a word on what they are");
    EXPECT_EQ(outcomeOf(op, "head_dim_v=3", {query, key}, {{1, 1, 2, 3}}).error, "keys hold no such values");
    EXPECT_EQ(outcomeOf(op, "", {query, key}, {{1, 1, 2, 1}}).error, "keys hold no such values");
  }
}

TEST(PagedAttention, OfOneQueryOverWholeKeys) {
  const std::string op = "ttnn.scaled_dot_product_attention_decode", keys = "f32 2x1x3x1: 0 0 0 0 0 0",
                    values = "f32 2x1x3x1: 3 6 9 30 60 90";
  const auto expect = [&](const std::string& attrs, std::vector<std::string> more, const std::string& expected) {
    std::vector<std::string> operands = {kQueries, keys, values};
    operands.insert(operands.end(), more.begin(), more.end());
    const Outcome done = outcomeOf(op, attrs, operands, {{1, 2, 1, 1}});
    expectNumbers(done, done.results[0], "f32 1x2x1x1: " + expected);
  };
  expect("", {}, "6 60");
  expect("operandSegmentSizes=[1,1,1,0,1,0]", {"si32 2: 1 0"}, "4.5 30");
  expect("operandSegmentSizes=[1,1,1,0,1,0]; sliding_window_size=1", {"si32 2: 1 2"}, "6 90");
  expect("operandSegmentSizes=[1,1,1,0,0,1]; scale=2", {"f32 1: 0.5493061"}, "3 30");        // weighs as three keys do
  expect("operandSegmentSizes=[1,1,1,0,0,1]; scale=2", {"f32 1x3: 0.5493061 0 0"}, "3 30");  // padded
}

TEST(PagedAttention, CachesAreWrittenPageByPage) {
  const std::string cache = "f32 3x1x2x1: 1 2 3 4 5 6";
  const auto written = [&](const std::string& op, const std::vector<std::string>& others, const std::string& expected) {
    std::vector<std::string> operands = {cache};
    operands.insert(operands.end(), others.begin(), others.end());
    const Outcome done = outcomeOf(op, "", operands, {});
    expectNumbers(done, done.operands[0], "f32 3x1x2x1: " + expected);
  };
  // Three rows of user 0, whose pages are 2 and 0; then of the second user.
  written("ttir.paged_fill_cache", {"f32 1x1x3x1: 7 8 9", "si32 1x2: 2 0"}, "9 2 3 4 7 8");
  written("ttir.paged_fill_cache", {"f32 1x1x3x1: 7 8 9", "si32 2x2: 2 0 1 2", "si32 1: 1"}, "1 2 7 8 9 6");
  // Row 1 of user 0 and row 2 of user 1, the second head of the operand being padding.
  written("ttnn.paged_update_cache", {"f32 1x2x2x1: 7 0 8 0", "si32 2: 1 2", "si32 2x2: 2 0 0 1"}, "1 2 8 4 5 7");
  // Heads of a page lie one behind the other.
  const Outcome heads =
      outcomeOf("ttnn.paged_update_cache", "",
                {"f32 2x2x2x1: 1 2 3 4 5 6 7 8", "f32 1x1x2x1: 10 20", "si32 1: 1", "si32 1x1: 1"}, {});
  expectNumbers(heads, heads.operands[0], "f32 2x2x2x1: 1 2 3 4 5 10 7 20");
}

TEST(PagedAttention, WhatDoesNotFitIsSaid) {
  const std::string segments = "operandSegmentSizes=[1,1,1,1,0,1,0]", outside = "a page is outside of the cache";
  const std::string fit = "the input does not fit into the pages", row = "a row is outside of the cache";
  const std::string fill = "ttir.paged_fill_cache", update = "ttir.paged_update_cache", cache = "3x2x4x5";
  expectErrors({
      {kPaged, {"1x2x4x8", "3x2x4x8", "3x2x4x8", "#2x2:1", "#2:7"}, {"1x2x4x8"}, segments, ""},
      {kPaged, {"1x2x4x8", "3x2x4x8", "3x2x4x8", "#2x2:3", "#2:7"}, {"1x2x4x8"}, segments, outside},
      {kPaged, {"1x2x4x8", "3x2x4x8", "3x2x4x8", "#2x2:-1", "#2:7"}, {"1x2x4x8"}, segments, outside},
      {kPaged,
       {"1x2x4x8", "3x2x4x8", "3x2x4x8", "#2x2:1", "#2:8"},
       {"1x2x4x8"},
       segments,
       "a position is outside of the keys"},
      {kPaged,
       {"1x2x4x8", "3x2x4x8", "3x2x4x8", "#2x2:1", "#3:1"},
       {"1x2x4x8"},
       segments,
       "there is no position for each user"},
      {kPaged,
       {"1x2x4x8", "3x2x4x8", "3x2x4x8", "2x2", "#2:1"},
       {"1x2x4x8"},
       segments,
       "pages and their table do not fit together"},
      {kPaged,
       {"1x2x4x8", "3x2x4x8", "3x2x4x8", "#2x2:1"},
       {"1x2x4x8"},
       "",
       "operands without a word on what they are"},
      {"ttir.chunked_scaled_dot_product_attention",
       {"1x2x3x8", "3x2x4x8", "3x2x4x8", "#1x2:1", "#1:8"},
       {"1x2x3x8"},
       "",
       "the chunk begins outside of the keys"},
      {fill, {cache, "1x2x8x5", "#1x2:1"}, {}, "", ""},
      {fill, {cache, "1x2x9x5", "#1x2:1"}, {}, "", row},
      {fill, {cache, "1x2x8x5", "#1x2:3"}, {}, "", row},
      {fill, {cache, "1x3x8x5", "#1x2:1"}, {}, "", fit},
      {fill, {cache, "2x2x8x5", "#2x2:1"}, {}, "", fit},
      {fill, {cache, "1x2x8x5", "#1x2:1", "#1:1"}, {}, "", row},
      {update, {cache, "1x2x2x5", "#2:7", "#2x2:1"}, {}, "", ""},
      {update, {cache, "1x2x2x5", "#2:8", "#2x2:1"}, {}, "", row},
      {update, {cache, "1x2x1x5", "#2:7", "#2x2:1"}, {}, "", fit},
      {update, {cache, "1x2x2x5", "#3:7", "#2x2:1"}, {}, "", fit},
      {update, {cache, "1x2x2x5", "#2:7"}, {}, "", "only caches with a page table are updated by rows of users"},
  });
}

}  // namespace
}  // namespace tessera::test
