// The golden cases and reference texts, and what becomes of them when a number, an operand or an op changes, made
// small and executed: a line per case with the fingerprints of the small graphs, of the numbers that are drawn for them
// and of what they compute.

#include "core/execute/interpreter.h"
#include "core/execute/shrink_graph.h"
#include "tests/execute/pinned_numbers.h"
#include "tests/golden_texts.h"
#include "tests/import/import_testing.h"
#include "tests/pinned.h"

namespace tessera::test {
namespace {

PinnedFile& pins = PinnedFile::named("pinned_execution");

// Of the text itself and of `changes` changed ones.
std::string lineOf(const std::string& text, uint64_t changes) {
  const ExecutionBudget budget{int64_t{1} << 26, int64_t{1} << 24};
  Fingerprint small, numbers, computed;
  int read = 0, done = 0;
  for (uint64_t seed = 0; seed <= changes; ++seed) {
    const Imported imported = importText(seed == 0       ? text
                                         : seed % 2 == 0 ? rewiredText(text, seed * 7919)
                                                         : variedText(text, seed * 7919));
    if (!imported.graph) continue;
    ++read;
    const ShrunkGraph shrunk = shrinkGraph(*imported.graph, seed % 3 == 2 ? 40 : 0);
    small.add(shrunk.problem);
    const Graph graph = withNeededConstants(shrunk.graph, seed);
    small.add(exportMlir(graph));
    if (!shrunk.shrunk) continue;
    const std::vector<HostTensor> inputs = randomInputs(graph, seed);
    addTensors(numbers, inputs);
    const Execution run = execute(graph, inputs, budget);
    done += run.status == ExecutionStatus::Done;
    computed.add(run.text), computed.add(run.overflows);
    addTensors(computed, run.results), addTensors(computed, run.arguments);
  }
  return std::to_string(read) + " read, " + std::to_string(done) + " done, small " + digits(small) + " inputs " +
         digits(numbers) + " results " + digits(computed);
}

TEST(PinnedExecution, GoldenCasesMadeSmall) {
  for (const GoldenText& golden : goldenTexts({"answers", "cases", "lowering"}))
    pins.expect(golden.name, lineOf(golden.text, 24));
}

TEST(PinnedExecution, ReferenceTextsMadeSmall) {
  const std::vector<GoldenText> texts = referenceTexts();
  if (texts.empty()) GTEST_SKIP() << "skipped: no reference texts";
  for (const GoldenText& part : texts) pins.expectIfKnown(part.name, lineOf(part.text, 12));
}

}  // namespace
}  // namespace tessera::test
