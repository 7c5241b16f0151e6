// Runs that are kept in folders: into the first, out of the first that has them.

#include "core/batch/kept_runs.h"

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

}  // namespace
}  // namespace tessera::test
