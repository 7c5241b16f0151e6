// All that is told of runs of the golden cases: a line per case and policy, with a fingerprint per kind of answer. What
// an answer must be is asked elsewhere; here a figure that changed is seen, and in which answer.

#include "core/driver/api.h"
#include "core/driver/session.h"
#include "tests/golden_texts.h"
#include "tests/pinned.h"

namespace tessera::test {
namespace {

PinnedFile& pins = PinnedFile::named("pinned_reports");

TEST(PinnedReports, OfGoldenCases) {
  const char* const kPolicies[] = {"Beam", "DFSharding2", "Exact", "Greedy", "DFSharding", "GreedyL1Interleaved"};
  const char* const kCaps[] = {"1.0", "0.3", "0.1"};
  const std::vector<GoldenText> texts = goldenTexts({"answers", "cases", "lowering"});
  for (const GoldenText& golden : texts) {
    const uint64_t way = mixed(golden.text.size());
    const std::string policy = kPolicies[way % 6];
    const std::string options = "{\"policy\":\"" + policy + "\",\"tensor-l1-usage-cap\":" + kCaps[way / 6 % 3] +
                                ",\"trace\":true,\"exact-rounds\":4}";
    Session session;
    std::string line = "run " + digits(apiRun(session, golden.text, options));
    for (const char* what : {"trace-events", "decision-trace", "certificate", "plan", "overrides", "model-explorer"})
      line += std::string(" ") + what + " " + digits(apiExport(session, golden.text, options, what));
    line += " passes " + digits(apiPasses(session, golden.text, options));
    line += " problem " + digits(apiProblem(session, golden.text, options));
    line += " regret " + digits(apiRegret(session, golden.text, options));
    line +=
        " compare " + digits(apiCompare(session, golden.text, "{\"runs\":[{\"policy\":\"DRAM\"}," + options + "]}"));
    pins.expect(golden.name + " " + policy, line);
  }
}

}  // namespace
}  // namespace tessera::test
