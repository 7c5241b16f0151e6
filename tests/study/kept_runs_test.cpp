// Runs that are kept in folders: into the first, out of the first that has them.

#include "core/batch/kept_runs.h"

#include <ctime>

#include "core/batch/run_group.h"
#include "core/study/graphs.h"
#include "tests/study/study_testing.h"

namespace tessera::test {
namespace {

KeptRun refusedBecause(const std::string& reason) {
  KeptRun run;
  run.status = RunStatus::Refused;
  run.reason = reason;
  return run;
}

TEST_F(StudyTest, RunsAreKeptInTheFirstFolderAndFoundInAny) {
  fs::create_directories(folder_ / "own");
  fs::create_directories(folder_ / "other");
  const KeptRuns own({at("own")}), other({at("other")}), both({at("own"), at("other")}),
      turned({at("other"), at("own")});
  const auto reasonIn = [](const KeptRuns& kept, const std::string& key) {
    const std::optional<KeptRun> run = kept.find(key);
    return run ? run->reason : "not found";
  };
  EXPECT_EQ(both.keep("one", refusedBecause("first")), "");
  EXPECT_EQ(reasonIn(own, "one"), "first");
  EXPECT_EQ(reasonIn(other, "one"), "not found");
  EXPECT_EQ(turned.keep("one", refusedBecause("second")), "");
  EXPECT_EQ(reasonIn(both, "one"), "first");
  EXPECT_EQ(reasonIn(turned, "one"), "second");
  EXPECT_EQ(reasonIn(both, "two"), "not found");
  // One that cannot be read is as good as none.
  write("own/one.json", "nonsense");
  EXPECT_EQ(reasonIn(both, "one"), "second");
  EXPECT_EQ(reasonIn(own, "one"), "not found");
  EXPECT_EQ(KeptRuns({at("nowhere/at/all")}).keep("one", KeptRun()).empty(), false);
}

// A graph is run as it was when the study began, or not at all.
TEST_F(StudyTest, AGraphThatChangedSinceIsARowThatSaysSo) {
  const std::string text =
      "func.func @main(%a: tensor<32x32xbf16>) -> tensor<32x32xbf16> {\n  %0 = \"ttir.relu\"(%a) : "
      "(tensor<32x32xbf16>) -> tensor<32x32xbf16>\n  return %0 : tensor<32x32xbf16>\n}\n";
  StudyArguments arguments;
  arguments.policies = {"Greedy"};
  arguments.optimum = false;
  write("kept/none", "");
  const auto outcome = [&](const std::string& later) {
    write("g.mlir", text);
    const Study study = makeStudy(arguments, {describeGraph(at("g.mlir"), text)}, {"1", later}, {});
    EXPECT_EQ(study.mistake, "");
    write("g.mlir", later);
    const KeptRuns kept({at("kept")});
    const std::vector<size_t> runs = {0};
    EXPECT_TRUE(runGroup({study, runs, kept}));
    const std::optional<KeptRun> found = kept.find(study.runs[0].key);
    return found ? std::string(runStatusName(found->status)) + " " + found->reason : "none";
  };
  EXPECT_EQ(outcome(text), "ran ");
  EXPECT_EQ(outcome(text + "\n"), "refused changed while the study ran");
  std::string asLong = text;
  asLong.replace(asLong.find("relu"), 4, "sqrt");
  EXPECT_EQ(outcome(asLong), "refused changed while the study ran") << "another text of the same length";
}

// Times are of the processor, in microseconds: more than none, no more than the process has had.
TEST_F(StudyTest, ARunSaysWhatItTookOfTheProcessor) {
  const std::string text =
      "func.func @main(%a: tensor<32x32xbf16>) -> tensor<32x32xbf16> {\n  %0 = \"ttir.relu\"(%a) : "
      "(tensor<32x32xbf16>) -> tensor<32x32xbf16>\n  return %0 : tensor<32x32xbf16>\n}\n";
  StudyArguments arguments;
  arguments.policies = {"Greedy"};
  arguments.optimum = false;
  write("kept/none", "");
  write("g.mlir", text);
  const Study study = makeStudy(arguments, {describeGraph(at("g.mlir"), text)}, {"1", text}, {});
  const KeptRuns kept({at("kept")});
  const std::vector<size_t> runs = {0};
  ASSERT_TRUE(runGroup({study, runs, kept}));
  const std::optional<KeptRun> found = kept.find(study.runs[0].key);
  ASSERT_TRUE(found);
  const auto had = static_cast<double>(std::clock()) * 1e6 / CLOCKS_PER_SEC;
  EXPECT_GT(found->runTime, 0);
  EXPECT_LE(static_cast<double>(found->runTime), had);
  EXPECT_GT(found->policyTime, 0);
  EXPECT_LT(found->policyTime, found->runTime);
  EXPECT_GT(found->memory, 1000) << "kilobytes";
}

// What a group tells as it goes: every run that begins and that is kept, by its number; in the end why one is not.
TEST_F(StudyTest, AGroupTellsWhichRunItIsAt) {
  const std::string t = "tensor<512x512xbf16>", same = " : (" + t + ") -> " + t + "\n";
  const std::string text = "func.func @main(%a: " + t + ") -> " + t + " {\n  %0 = \"ttir.relu\"(%a)" + same +
                           "  %1 = \"ttir.exp\"(%0)" + same + "  return %1 : " + t + "\n}\n";
  StudyArguments arguments;
  arguments.policies = {"DRAM", "Greedy", "BFInterleaved"};
  arguments.optimum = false;
  write("kept/none", "");
  write("g.mlir", text);
  const Study study = makeStudy(arguments, {describeGraph(at("g.mlir"), text)}, {"1", text}, {});
  const std::vector<size_t> runs = {2, 0};
  const auto told = [&](const std::string& folder, bool fine) {
    int ends[2] = {};
    EXPECT_EQ(::pipe(ends), 0);
    EXPECT_EQ(runGroup({study, runs, KeptRuns({folder}), false, ends[1]}), fine);
    ::close(ends[1]);
    std::string said;
    for (WorkerMessage message; ::read(ends[0], &message, sizeof message) == ssize_t{sizeof message};) {
      const char* const words[] = {"started ", "done ", "cannot write "};
      said += words[static_cast<size_t>(message.word)] + std::to_string(message.run) + message.text + ", ";
    }
    ::close(ends[0]);
    return said;
  };
  EXPECT_EQ(told(at("kept"), true), "started 2, done 2, started 0, done 0, ");
  const auto timeOf = [&](size_t run) {
    const std::optional<KeptRun> found = KeptRuns({at("kept")}).find(study.runs[run].key);
    return found && found->row ? std::to_string(found->row->time) : "none";
  };
  EXPECT_EQ(timeOf(1), "none");
  EXPECT_NE(timeOf(2), timeOf(0)) << "each has its own policy";
  const std::string gone = at("gone") + "/" + study.runs[2].key + ".json";
  EXPECT_EQ(told(at("gone"), false),
            "started 2, cannot write 2cannot write `" + gone + "`: No such file or directory, ");
  fs::remove(at("g.mlir"));
  EXPECT_EQ(told(at("kept"), true), "started 2, done 2, started 0, done 0, ");
  EXPECT_EQ(KeptRuns({at("kept")}).find(study.runs[0].key)->reason, "cannot be read");
}

}  // namespace
}  // namespace tessera::test
