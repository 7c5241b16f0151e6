// The bookkeeping of GreedyL1Interleaved (ttnn-optimizer.md 2.3), worked out by hand: which subset keeps the most
// bytes, the order with the least peak, and the reasons told. A tile of 2 KB per core is the unit; 68 of them are the
// budget.

#include "tests/policy/chain/chain_testing.h"

namespace tessera::test {
namespace {

// A tensor that takes so many tiles of each of 64 cores when it is L1 interleaved.
std::string tilesEach(int64_t tiles) { return "2048x" + std::to_string(32 * tiles); }

std::unique_ptr<PolicyRun> greedyOn(const std::string& text) {
  const int64_t all = allDevices()[0].usableL1().count / 2048;
  const auto cap = static_cast<int32_t>((68 * 1000 + all - 1) / all);
  auto run = runOn(graphOf(text), "GreedyL1Interleaved", {.l1UsageCapPermille = cap});
  expectSound(*run);
  EXPECT_EQ(run->problem->budget.bytes().count / 2048, 68);
  return run;
}

std::string whyOf(const PolicyRun& run, std::string_view name) {
  for (const Decision& decision : run.log.decisions)
    if (decision.value == valueNamed(run.graph, name)) return decision.summary;
  return "?";
}

std::string orderOf(const PolicyRun& run) {
  const std::vector<OpId>& order = run.plan.order;
  return namesOf(run.graph, {order.begin(), order.end() - 1});
}

const char* const kKept = "L1 interleaved: with its operands in L1 this keeps the most bytes there.";
const char* const kPushed = "DRAM: a later op pushed it back.";
const char* const kNoFit = "DRAM: with its operands it does not fit L1, or others keep more bytes there.";
const char* const kReadTwice = "DRAM: only results that are read once are considered.";

TEST(GreedyL1Interleaved, OfSubsetsWithEqualBytesTheFirstIsKept) {
  GraphText text(tilesEach(25));
  text.arg("%a")
      .arg("%b")
      .op("%0", "ttnn.relu", {"%a"})
      .op("%1", "ttnn.exp", {"%b"})
      .op("%2", "ttnn.add", {"%0", "%1"});
  const auto run = greedyOn(text.text());  // three times 25 do not fit, the result and the first operand do
  EXPECT_EQ(whyOf(*run, "0"), kKept);
  EXPECT_EQ(whyOf(*run, "1"), kPushed);
  EXPECT_EQ(whyOf(*run, "2"), kKept);
  EXPECT_EQ(placeOf(*run, "0"), "L1 interleaved");
  EXPECT_EQ(placeOf(*run, "1"), "DRAM");
  EXPECT_EQ(placeOf(*run, "2"), "L1 interleaved");
  ASSERT_EQ(run->log.warnings.size(), 1u);
  EXPECT_EQ(run->log.warnings[0],
            "Pushed back: 1 results that were in L1 went back to DRAM when a later op was decided; what had been "
            "decided because of them stands.");
  EXPECT_EQ(orderOf(*run), "%1 %0 %2") << "what is in DRAM comes first";
  EXPECT_EQ(run->log.decisions.size(), 3u);
  EXPECT_EQ(run->log.decisions[0].candidates.size(), 1u);
  EXPECT_EQ(run->log.decisions[0].candidates[0].status, CandidateStatus::Chosen);
}

// The first columns of a tensor.
void slice(GraphText& text, const std::string& result, const std::string& operand, int64_t tiles) {
  text.op(result, "ttnn.slice_static", {operand}, tilesEach(tiles),
          "begins = [0 : i32, 0 : i32], ends = [2048 : i32, " + std::to_string(32 * tiles) +
              " : i32], step = [1 : i32, 1 : i32]");
}

TEST(GreedyL1Interleaved, MoreBytesOfAnOperandBeatTheResult) {
  GraphText text(tilesEach(50));
  text.arg("%a").op("%0", "ttnn.relu", {"%a"});
  slice(text, "%1", "%0", 25);
  const auto run = greedyOn(text.text());
  EXPECT_EQ(whyOf(*run, "0"), kKept);
  EXPECT_EQ(whyOf(*run, "1"), kNoFit);
  EXPECT_EQ(placeOf(*run, "1"), "DRAM");
  EXPECT_TRUE(run->log.warnings.empty());
}

TEST(GreedyL1Interleaved, EverythingThatFitsIsKept) {
  GraphText text(tilesEach(20));
  text.arg("%a")
      .arg("%b")
      .op("%0", "ttnn.relu", {"%a"})
      .op("%1", "ttnn.exp", {"%b"})
      .op("%2", "ttnn.add", {"%0", "%1"});
  const auto run = greedyOn(text.text());
  for (const char* name : {"0", "1", "2"}) EXPECT_EQ(whyOf(*run, name), kKept) << name;
  EXPECT_TRUE(run->log.warnings.empty());
  EXPECT_EQ(orderOf(*run), "%0 %1 %2");
}

// Making %1 takes 26 tiles at its peak and leaves 1, so it comes before %2.
TEST(GreedyL1Interleaved, WhoeverNeedsMostBeyondWhatItLeavesComesFirst) {
  const std::string sum = "dim_arg = [1 : i32], keep_dim = true";
  GraphText text("2048x1");
  text.arg("%a", tilesEach(25)).arg("%b").op("%2", "ttnn.relu", {"%b"}).op("%0", "ttnn.relu", {"%a"}, tilesEach(25));
  text.op("%1", "ttnn.sum", {"%0"}, "2048x1", sum).op("%3", "ttnn.add", {"%2", "%1"});
  const auto run = greedyOn(text.text());
  for (const char* name : {"0", "1", "2", "3"}) EXPECT_EQ(whyOf(*run, name), kKept) << name;
  EXPECT_EQ(orderOf(*run), "%0 %1 %2 %3");
}

// %2 and %3 leave 20 tiles each and take 60 at their peaks: 80 together, though 40 fit.
TEST(GreedyL1Interleaved, ThePeakOfASubsetHasToFitAsWell) {
  GraphText text(tilesEach(40));
  text.arg("%a").arg("%b").op("%0", "ttnn.relu", {"%a"}).op("%1", "ttnn.relu", {"%b"});
  slice(text, "%2", "%0", 20);
  slice(text, "%3", "%1", 20);
  text.op("%4", "ttnn.add", {"%2", "%3"}, tilesEach(20));
  const auto run = greedyOn(text.text());
  EXPECT_EQ(whyOf(*run, "3"), kPushed);
  ASSERT_FALSE(run->log.warnings.empty());
  EXPECT_EQ(run->log.warnings[0].find("Pushed back: 1 results"), 0u) << run->log.warnings[0];
}

// Making %4 takes 40 tiles at its peak: 10 that %2 leaves beside the 30 of making %3. It leaves 10; %8 takes 60 and
// leaves 29, so that both do not fit in either order.
TEST(GreedyL1Interleaved, ThePeakOfAnOpIsThatOfAllBeforeIt) {
  GraphText text(tilesEach(20));
  text.arg("%a").arg("%b").arg("%c", tilesEach(31)).op("%0", "ttnn.relu", {"%a"}).op("%1", "ttnn.relu", {"%b"});
  slice(text, "%2", "%0", 10);
  slice(text, "%3", "%1", 10);
  text.op("%4", "ttnn.add", {"%2", "%3"}, tilesEach(10)).op("%7", "ttnn.relu", {"%c"}, tilesEach(31));
  slice(text, "%8", "%7", 29);
  text.op("%9", "ttnn.concat", {"%4", "%8"}, tilesEach(39), "dim = 1 : si32");
  const auto run = greedyOn(text.returning({"%9", "%9"}));
  for (const char* name : {"0", "1", "2", "3", "7", "8"}) EXPECT_EQ(whyOf(*run, name), kKept) << name;
  EXPECT_EQ(whyOf(*run, "4"), kPushed);
  EXPECT_EQ(whyOf(*run, "9"), kReadTwice);
}

TEST(GreedyL1Interleaved, ResultsReadTwiceOrNeverStayInDram) {
  GraphText text(tilesEach(2));
  text.arg("%a").op("%0", "ttnn.relu", {"%a"}).op("%1", "ttnn.exp", {"%0"}).op("%2", "ttnn.neg", {"%0"});
  text.op("%3", "ttnn.sigmoid", {"%a"}).op("%4", "ttnn.add", {"%1", "%2"});
  const auto run = greedyOn(text.returning({"%4"}));
  EXPECT_EQ(whyOf(*run, "0"), kReadTwice);
  EXPECT_EQ(whyOf(*run, "3"), kReadTwice);
  for (const char* name : {"1", "2", "4"}) EXPECT_EQ(whyOf(*run, name), kKept) << name;
  ASSERT_EQ(run->log.warnings.size(), 2u);
  EXPECT_EQ(run->log.warnings[0],
            "Single use: 2 results stay in DRAM only because they are read more than once, or never.");
  EXPECT_EQ(run->log.warnings[1],
            "First result: the schedule follows the first returned value only; 1 ops it does not need come last.");
  EXPECT_EQ(orderOf(*run), "%0 %1 %2 %4 %3");
}

// Thirteen operands: the result and the first eleven are considered, the last two stay in DRAM.
TEST(GreedyL1Interleaved, OnlyTwelveCandidatesAreConsidered) {
  GraphText text("2048x32");
  text.arg("%a");
  std::vector<std::string> operands;
  for (int i = 0; i < 13; ++i) {
    operands.push_back("%" + std::to_string(i));
    text.op(operands.back(), "ttnn.relu", {"%a"});
  }
  text.op("%all", "ttnn.concat", operands, "2048x416", "dim = 1 : si32");
  const auto run = greedyOn(text.text());
  for (int i = 0; i < 13; ++i) EXPECT_EQ(whyOf(*run, std::to_string(i)) == kPushed, i >= 11) << i;
  ASSERT_EQ(run->log.warnings.size(), 2u);
  EXPECT_EQ(run->log.warnings[0].find("Pushed back: 2 results"), 0u);
  EXPECT_EQ(run->log.warnings[1],
            "31 operands: the policy tries every subset of operands; for 1 ops only the first 12 were considered.");
}

// --- BFInterleaved ---------------------------------------------------------------------------------------------------

// Both results take 25 tiles; the second finds the first still in use.
TEST(BFInterleaved, SaysWhatIsInUseBesideEachResult) {
  GraphText text(tilesEach(25));
  text.arg("%a").op("%0", "ttnn.relu", {"%a"}).op("%1", "ttnn.exp", {"%0"}).op("%2", "ttnn.neg", {"%1"});
  text.op("%3", "ttnn.add", {"%2", "%0"});
  const int64_t all = allDevices()[0].usableL1().count / 2048;
  const auto cap = static_cast<int32_t>((68 * 1000 + all - 1) / all);
  const auto run = runOn(graphOf(text.text()), "BFInterleaved", {.l1UsageCapPermille = cap});
  expectSound(*run);
  EXPECT_EQ(whyOf(*run, "0"), "L1 interleaved: it fits beside the 0 B that are in use.");
  EXPECT_EQ(whyOf(*run, "1"), "L1 interleaved: it fits beside the 51200 B that are in use.");
  EXPECT_EQ(whyOf(*run, "2"), "DRAM: it does not fit beside the 102400 B that are in use.");
  EXPECT_EQ(whyOf(*run, "3"), "L1 interleaved: it fits beside the 51200 B that are in use.") << "%1 is read";
}

// A reader that reads a result twice is one reader: what it read has gone after it.
TEST(BFInterleaved, AReaderThatReadsTwiceFreesOnce) {
  GraphText text(tilesEach(4));
  text.arg("%a").op("%0", "ttnn.relu", {"%a"}).op("%1", "ttnn.add", {"%0", "%0"}).op("%2", "ttnn.exp", {"%1"});
  const auto run = runOn(graphOf(text.text()), "BFInterleaved");
  EXPECT_EQ(whyOf(*run, "1"), "L1 interleaved: it fits beside the 8192 B that are in use.");
  EXPECT_EQ(whyOf(*run, "2"), "L1 interleaved: it fits beside the 8192 B that are in use.") << "%1 alone";
}

}  // namespace
}  // namespace tessera::test
