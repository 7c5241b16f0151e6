// All that is told of random graphs of nearly all kinds of ops, in TTIR and StableHLO, with options and overrides drawn
// for them (scripts/random_cases.py): a line per graph, with a fingerprint per kind of answer. The same graphs are
// asked for what must hold by scripts/soak; here a choice, a figure or a sentence that changed is seen.

#include "core/cli/child_process.h"
#include "tests/driver/driver_testing.h"
#include "tests/pinned_answers.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

PinnedFile& pins = PinnedFile::named("pinned_random");

TEST(PinnedRandom, AnswersOfDrawnGraphs) {
  const std::string script = std::string(TESSERA_SOURCE_DIR) + "/scripts/random_cases.py";
  const uint64_t graphs = smallTests() ? 8 : 200;
  const ChildAnswer drawn = runChild("python3 " + script + " 1 " + std::to_string(graphs), "", {});
  if (drawn.problem == "cannot be run") GTEST_SKIP() << "skipped: no python3";
  ASSERT_EQ(drawn.problem, "") << drawn.err;
  const Json cases(drawn.out);
  ASSERT_EQ(cases.document.root().size(), graphs);
  for (size_t i = 0; i < cases.document.root().size(); ++i) {
    const JsonValue one = cases.document.root().at(i);
    const std::string text(one.get("text").asString().value_or("")),
        options(one.get("options").asString().value_or(""));
    Session session;
    std::string line = "drawn " + digits(text + options) + " " + pinnedAnswers(session, text, options);
    line += " checked " + digits(apiCheckPasses(session, text, options));
    line += " executed " + digits(apiExecutePlan(session, text, options));
    pins.expect(std::to_string(one.get("seed").asInteger().value_or(0)), line);
  }
}

}  // namespace
}  // namespace tessera::test
