// Studies whose surroundings fail them: links to nowhere, folders that cannot be read or written, no pipes, a study
// that is interrupted.

#include <sys/stat.h>
#include <sys/wait.h>

#include <csignal>

#include "core/batch/against.h"
#include "core/batch/find_graphs.h"
#include "core/batch/new_file.h"
#include "core/batch/workers.h"
#include "core/report/run_row.h"
#include "tests/few_files.h"
#include "tests/study/study_testing.h"

namespace tessera::test {
namespace {

const std::string kSmallGraph = "func.func @main() {\n  return\n}\n";

// A run that fails and one that there is not are both no results: neither is worse than the other.
TEST(AgainstUnsound, ARunThatFailedMayHaveNoRow) {
  const auto studyOf = [](const std::string& status, const std::string& row) {
    return R"({"schema":1,"arguments":{"axes":[]},"graphs":[],"runs":[{"graph":"a","device":"d","values":[],)"
           R"("policy":"P","status":")" +
           status + R"(","row":)" + row + "}]}";
  };
  RunRow failing;
  failing.time = 1000;
  failing.failures = 2;
  JsonWriter w;
  writeRunRow(w, failing);
  const std::string failed = studyOf("ran", w.take()), crashed = studyOf("crashed", "null");
  for (const auto& [before, after] : {std::pair{failed, crashed}, {crashed, failed}, {crashed, crashed}}) {
    const StudyDifference found = compareStudies("old", before, "new", after, 0);
    EXPECT_EQ(found.problem, "");
    EXPECT_EQ(found.text, "0 worse, 0 better, 1 as before, 0 new, 0 gone\n");
  }
}

// What is no file is left out, and nobody says that it holds no graph.
TEST_F(StudyTest, LinksToNowhereAndFoldersNamedAsGraphsAreNoGraphs) {
  write("graphs/b.mlir", kSmallGraph);
  write("graphs/d.mlir/e.mlir", kSmallGraph);
  for (const char* name : {"a.mlir", "c.json", "z.mlir"})
    fs::create_symlink(folder_ / "nowhere", folder_ / "graphs" / name);
  const std::vector<std::string> paths = {at("graphs")};
  const FoundGraphs found = findGraphs(paths);
  EXPECT_EQ(found.mistake, "");
  EXPECT_EQ(found.skipped, std::vector<std::string>());
  ASSERT_EQ(found.graphs.size(), 2u);
  EXPECT_EQ(found.graphs[0].path, at("graphs/b.mlir"));
  EXPECT_EQ(found.graphs[1].path, at("graphs/d.mlir/e.mlir"));
}

TEST_F(StudyTest, OfSeveralMistakesTheFirstIsTold) {
  fs::create_directories(folder_ / "graphs/a");
  fs::create_directories(folder_ / "graphs/b");
  write("graphs/c.mlir", kSmallGraph);
  const std::vector<std::string> paths = {at("graphs/*"), at("gone")};
  EXPECT_EQ(findGraphs(paths).mistake, "no graph in the folder `" + at("graphs/a") + "`: looked for *.mlir and *.json");
}

TEST_F(StudyTest, AFolderThatCannotBeReadIsSaid) {
  write("graphs/b.mlir", kSmallGraph);
  const std::vector<std::string> paths = {at("graphs")};
  const FewFiles none(0);
  EXPECT_EQ(findGraphs(paths).mistake, "cannot read the folder `" + at("graphs") + "`: Too many open files");
}

// Root may write everywhere, so somebody else tries.
TEST_F(StudyTest, AFolderOfSomebodyElseIsNotWrittenInto) {
  constexpr uid_t kNobody = 65534;
  fs::permissions(folder_ / "graphs", fs::perms(0555));
  const pid_t pid = ::fork();
  if (pid == 0) {
    if (::geteuid() == 0 && ::setuid(kNobody) != 0) ::_exit(2);
    if (::access(at("graphs").c_str(), X_OK) != 0) ::_exit(2);
    const std::string wanted = "cannot write into `" + at("graphs") + "`: Permission denied";
    ::_exit(makeFolder(at("graphs")) == wanted ? 0 : 1);
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  fs::permissions(folder_ / "graphs", fs::perms(0755));
  if (WIFEXITED(status) && WEXITSTATUS(status) == 2) GTEST_SKIP() << "nobody else is there to try";
  EXPECT_EQ(status, 0);
}

TEST_F(StudyTest, AMergeThatCannotKeepTheRunsIsToldSo) {
  copyCase("diamond");
  ASSERT_EQ(study({at("graphs"), "--policies", "DRAM", "--no-optimum", "-o", at("part")}).code, kExitFine);
  const auto merged = [&](const std::string& to) {
    const Outcome outcome = study({"merge", at("part"), "-o", at(to)});
    EXPECT_EQ(outcome.code, kExitDiagnostics);
    return outcome.err;
  };
  // A file where the folder belongs.
  write("file/kept", "");
  EXPECT_EQ(merged("file").rfind("tessera study: cannot make the folder `" + at("file/kept") + "`: ", 0), 0u);
  // A folder where the run belongs.
  for (const auto& entry : fs::directory_iterator(folder_ / "part/kept"))
    write("taken/kept/" + entry.path().filename().string() + "/inside", "");
  const std::string taken = merged("taken");
  EXPECT_EQ(taken.rfind("tessera study: cannot write `" + at("taken/kept/"), 0), 0u) << taken;
  EXPECT_FALSE(fs::exists(folder_ / "taken/study.json"));
  EXPECT_EQ(study({"merge", at("part"), "-o", at("whole")}).code, kExitFine);
}

// The folder is there, and a folder stands where a run belongs: what is kept is counted, nothing else is written.
TEST_F(StudyTest, ARunThatCannotBeKeptEndsTheCommand) {
  copyCase("diamond");
  const std::vector<std::string> call = {at("graphs"), "--policies", "DRAM,Greedy", "--no-optimum", "-o", at("out")};
  ASSERT_EQ(study(call).code, kExitFine);
  const std::string before = read("out/study.json");
  std::vector<fs::path> kept;
  for (const auto& entry : fs::directory_iterator(folder_ / "out/kept")) kept.push_back(entry.path());
  ASSERT_EQ(kept.size(), 2u);
  fs::remove(kept[0]);
  fs::create_directories(kept[0] / "inside");
  fs::remove(folder_ / "out/study.json");
  const Outcome outcome = study(call);
  EXPECT_EQ(outcome.code, kExitDiagnostics);
  EXPECT_NE(outcome.err.find("1 of 2 runs are kept from before\n"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("tessera study: cannot write `" + kept[0].string() +
                             "`: Is a directory; 1 of 2 runs are "
                             "kept in `" +
                             at("out/kept") + "`, the same call goes on from there\n"),
            std::string::npos)
      << outcome.err;
  EXPECT_FALSE(fs::exists(folder_ / "out/study.json"));
  fs::remove_all(kept[0]);
  ASSERT_EQ(study(call).code, kExitFine);
  EXPECT_EQ(read("out/study.json"), before);
}

// Two graphs under two policies, the runs of which are kept in a folder that need not be there.
class FailingWorkers : public StudyTest {
 protected:
  Study twoGraphs(int64_t milliseconds) const {
    StudyArguments arguments;
    arguments.policies = {"DRAM", "Greedy"};
    arguments.optimum = false;
    arguments.milliseconds = milliseconds;
    std::vector<StudyGraph> graphs;
    for (const char* name : {"a.mlir", "b.mlir"}) {
      write(name, kSmallGraph);
      graphs.push_back(describeGraph(at(name), kSmallGraph));
    }
    return makeStudy(std::move(arguments), std::move(graphs), {"test", "0"}, {});
  }
  std::string run(const Study& made, WorkerSettings settings = {}) {
    settings.finished = [&](const StudyRun&, const KeptRun*, bool) { ++finished_; };
    settings.processes = 2;
    return runStudy(made, {0, 1, 2, 3}, KeptRuns({at("kept")}), settings);
  }
  // Instead of a graph a pipe into which nobody writes: its worker waits for ever.
  void makeWaiting(const std::string& name) const {
    fs::remove(folder_ / name);
    ASSERT_EQ(::mkfifo(at(name).c_str(), 0600), 0);
  }
  static bool anyWorkerLeft() { return ::waitpid(-1, nullptr, WNOHANG) >= 0; }

  int finished_ = 0;
};

TEST_F(FailingWorkers, RunsThatCannotBeKeptEndTheStudy) {
  const std::string problem = run(twoGraphs(60'000));
  EXPECT_EQ(problem.rfind("cannot write `" + at("kept") + "/", 0), 0u) << problem;
  EXPECT_EQ(problem.substr(problem.rfind("`: ")), "`: No such file or directory");
  EXPECT_EQ(finished_, 0);
  EXPECT_FALSE(anyWorkerLeft());
}

// A worker that took too long has nothing to say any more: its row is written in its place.
TEST_F(FailingWorkers, ARowThatCannotBeKeptEndsTheStudy) {
  const Study made = twoGraphs(5);
  makeWaiting("a.mlir"), makeWaiting("b.mlir");
  const std::string problem = run(made);
  EXPECT_EQ(problem.rfind("cannot write `" + at("kept") + "/", 0), 0u) << problem;
  EXPECT_EQ(finished_, 0);
  EXPECT_FALSE(anyWorkerLeft());
}

TEST_F(FailingWorkers, WithoutPipesNoneIsStarted) {
  fs::create_directories(folder_ / "kept");
  const Study made = twoGraphs(60'000);
  {
    const FewFiles few(1);
    EXPECT_EQ(run(made), "cannot make a pipe: Too many open files");
  }
  EXPECT_EQ(finished_, 0);
  EXPECT_EQ(run(made), "");
  EXPECT_EQ(finished_, 4);
}

// Those that wait are ended with the study, and the next one begins anew.
TEST_F(FailingWorkers, AnInterruptEndsTheStudyInOrder) {
  fs::create_directories(folder_ / "kept");
  const Study made = twoGraphs(60'000);
  makeWaiting("a.mlir"), makeWaiting("b.mlir");
  for (const int signal : {SIGINT, SIGTERM}) {
    WorkerSettings settings;
    settings.tick = [&] { ::raise(signal); };
    EXPECT_EQ(run(made, settings), kInterrupted);
    EXPECT_FALSE(anyWorkerLeft());
  }
  EXPECT_EQ(finished_, 0);
  for (const char* name : {"a.mlir", "b.mlir"}) {
    fs::remove(folder_ / name);
    write(name, kSmallGraph);
  }
  EXPECT_EQ(run(made), "");
  EXPECT_EQ(finished_, 4);
}

}  // namespace
}  // namespace tessera::test
