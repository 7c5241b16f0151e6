// All that is told of runs of the golden cases and reference texts: a line per case and policy, with a fingerprint
// per kind of answer. What an answer must be is asked elsewhere; here a figure that changed is seen, and in which
// answer.

#include "tests/golden_texts.h"
#include "tests/pinned_answers.h"

namespace tessera::test {
namespace {

PinnedFile& pins = PinnedFile::named("pinned_reports");

// The policy, and all that is told of its run; `turn` changes policy and part of L1.
std::pair<std::string, std::string> answersOf(const std::string& text, uint64_t turn = 0) {
  const char* const kPolicies[] = {"Beam", "DFSharding2", "Exact", "Greedy", "DFSharding", "GreedyL1Interleaved"};
  const char* const kCaps[] = {"1.0", "0.3", "0.1"};
  const uint64_t way = mixed(text.size()) + turn;
  const std::string policy = kPolicies[way % 6];
  const std::string options = "{\"policy\":\"" + policy + "\",\"tensor-l1-usage-cap\":" + kCaps[way / 6 % 3] +
                              ",\"trace\":true,\"exact-rounds\":4}";
  Session session;
  return {policy, pinnedAnswers(session, text, options)};
}

TEST(PinnedReports, OfGoldenCases) {
  for (const GoldenText& golden : goldenTexts({"answers", "cases", "lowering"})) {
    const auto [policy, line] = answersOf(golden.text);
    pins.expect(golden.name + " " + policy, line);
  }
}

TEST(PinnedReports, OfReferenceTexts) {
  const std::vector<GoldenText> texts = referenceTexts();
  if (texts.empty()) GTEST_SKIP() << "skipped: no reference texts";
  for (const GoldenText& part : texts) {
    for (const uint64_t turn : {0, 7}) {
      const auto [policy, line] = answersOf(part.text, turn);
      pins.expectIfKnown(part.name + " " + policy, line);
    }
  }
}

}  // namespace
}  // namespace tessera::test
