// What is lost where, value by value, with every figure: a line per loss of some golden cases under each policy. Which
// figures these must be is asked in losses_test.cpp and loss_figures_test.cpp.

#include "core/driver/pipeline.h"
#include "core/report/losses.h"
#include "tests/golden_texts.h"
#include "tests/pinned.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

PinnedFile& lossPins = PinnedFile::named("pinned_losses");

std::string lineOf(const RunOutcome& run, const Loss& loss) {
  const Graph& graph = run.problem->graph;
  const LossFigures f = lossFigures(run, loss, rowsOf(run));
  std::string text = std::string(lossCauseName(loss.cause)) + (loss.wasInL1 ? ", left L1 before " : ", made by ") +
                     graph.ops[loss.op].name;
  text += loss.candidate ? ", " + layoutText(*loss.candidate) : "";
  text += "; steps " + std::to_string(f.step) + " " + std::to_string(f.opStep) + " " + std::to_string(f.lastStep);
  text += "; readers " + std::to_string(f.readers) + ", of them take it " + std::to_string(f.takers) +
          ", as the first " + std::to_string(f.takersFirst);
  text += "; bytes " + std::to_string(f.bytes.count) + " free " + std::to_string(f.free.count) + " least " +
          std::to_string(f.leastFree.count) + " at " + std::to_string(f.leastFreeStep);
  return text + (f.refusedBy.empty() ? "" : "; " + f.refusedBy + ": " + f.refusal);
}

class PinnedLosses : public testing::TestWithParam<const char*> {};

TEST_P(PinnedLosses, AreAsTheyWere) {
  for (const char* name :
       {"diamond", "partial_success", "late_spill", "operand_1_in_l1", "concat_width", "fork_keeps_l1",
        "chain_one_bad_edge", "fork_most_consumers", "layer_norm", "conv_stack", "huge_tensor"}) {
    const std::string text =
        readFile(std::filesystem::path(TESSERA_SOURCE_DIR) / "tests/golden/cases" / (std::string(name) + ".mlir"));
    for (const int64_t cap : {1000, 40}) {
      Session session;
      session.load(name, text);
      Options options;
      options.policy = GetParam();
      options.l1UsageCapPermille = cap;
      const auto finished = runPolicy(session, options, Diagnostics());
      ASSERT_TRUE(finished->report.run) << name;
      const RunOutcome& run = *finished->report.run;
      const std::string key = std::string(name) + (cap < 1000 ? " pressed " : " ") + GetParam();
      std::map<std::string, int> counts;
      int number = 0;
      for (const Loss& loss : findLosses(run)) {
        ++counts[std::string(lossCauseName(loss.cause))];
        lossPins.expect(key + " " + std::to_string(number++) + " %" + run.problem->graph.values[loss.value].name,
                        lineOf(run, loss));
      }
      std::string all = std::to_string(number) + " losses";
      for (const auto& [cause, count] : counts) all += ", " + std::to_string(count) + " " + cause;
      const ResultPlaces places = countResults(run);
      all += "; in L1 " + std::to_string(places.inL1) + ", sharded " + std::to_string(places.sharded) + ", in DRAM " +
             std::to_string(places.inDram) + ", cores " + std::to_string(meanCoresTenths(run.program->sim));
      lossPins.expect(key, all);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Policies, PinnedLosses,
                         testing::Values("DRAM", "DFSharding", "DFSharding2", "GreedyL1Interleaved", "BFInterleaved",
                                         "Greedy", "Beam"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace tessera::test
