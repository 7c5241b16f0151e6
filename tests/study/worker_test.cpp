// What can go wrong while a study runs: limits, workers that die, a disk that is full, a study that is ended.

#include "core/batch/workers.h"

#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <functional>
#include <thread>

#include "core/batch/find_graphs.h"
#include "tests/sizes.h"
#include "tests/study/study_testing.h"

namespace tessera::test {
namespace {

// Ops one after the other, as many as wanted.
std::string longGraph(int ops) {
  std::string text = "func.func @main(%a: tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16> {\n", last = "%a";
  for (int i = 0; i < ops; ++i) {
    const std::string name = "%v" + std::to_string(i);
    text += "  " + name + " = \"ttir.relu\"(" + last + ") : (tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16>\n";
    last = name;
  }
  return text + "  return " + last + " : tensor<1024x1024xbf16>\n}\n";
}

std::vector<std::string> statuses(const std::vector<std::string>& rows) {
  std::vector<std::string> out;
  for (size_t i = 1; i < rows.size(); ++i) {
    for (const char* status : {"time limit", "memory limit", "crashed", "refused", "ran"}) {
      if (rows[i].find(std::string(",") + status + ",") != std::string::npos) out.emplace_back(status);
    }
  }
  return out;
}

// The limit is several times what the short graph takes in this build and on this machine.
TEST_F(StudyTest, ARunThatTakesTooLongIsARowAndTheOthersGoOn) {
  copyCase("diamond");
  const double before = secondsOfChildren();
  ASSERT_EQ(study({at("graphs"), "--policies", "Greedy", "--no-optimum", "-o", at("short")}).code, kExitFine);
  const double limit = std::max(0.02, std::ceil(8000 * (secondsOfChildren() - before)) / 1000);
  write("graphs/a_long.mlir", longGraph(8000));
  std::vector<std::string> call = {at("graphs"), "--policies", "Greedy",       "--no-optimum",
                                   "-o",         at("out"),    "--time-limit", std::to_string(limit)};
  Outcome outcome = study(call);
  ASSERT_EQ(outcome.code, kExitFine) << outcome.err;
  const std::vector<std::string> rows = lines(read("out/runs.csv"));
  EXPECT_EQ(statuses(rows), (std::vector<std::string>{"time limit", "ran"}));
  EXPECT_NE(rows[1].find("took longer than " + call.back().substr(0, call.back().size() - 3)), std::string::npos);
  // It is tried again, and with another limit it runs.
  call.back() = "300";
  outcome = study(call);
  EXPECT_NE(outcome.err.find("1 of 2 runs are kept"), std::string::npos) << outcome.err;
  EXPECT_EQ(statuses(lines(read("out/runs.csv"))), (std::vector<std::string>{"ran", "ran"}));
}

TEST_F(StudyTest, ARunThatTakesTooMuchMemoryIsARow) {
  if (smallTests()) GTEST_SKIP() << "sanitizers reserve more than any limit";
  write("graphs/a_long.mlir", longGraph(8000));
  copyCase("diamond");
  Outcome outcome =
      study({at("graphs"), "--policies", "DRAM,Greedy", "--no-optimum", "-o", at("out"), "--memory-limit", "22"});
  ASSERT_EQ(outcome.code, kExitFine) << outcome.err;
  const std::vector<std::string> rows = lines(read("out/runs.csv"));
  EXPECT_EQ(statuses(rows), (std::vector<std::string>{"memory limit", "memory limit", "ran", "ran"}));
  EXPECT_NE(rows[1].find("took more than 22 MB"), std::string::npos);
}

// In a process of its own, so that its limits and its end are not the test's.
int inProcess(const std::function<int()>& body) {
  const pid_t pid = ::fork();
  if (pid == 0) ::_exit(body());
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST_F(StudyTest, ADiskThatIsFullEndsTheStudyAndLosesNothing) {
  copyCase("diamond");
  copyCase("eltwise_chain");
  const std::vector<std::string> call = {at("graphs"), "--policies", "Greedy", "--no-optimum", "-o", at("out"), "-j1"};
  const std::vector<std::string> first = {
      at("graphs/diamond.mlir"), "--policies", "Greedy", "--no-optimum", "-o", at("out")};
  ASSERT_EQ(study(first).code, kExitFine);
  ASSERT_EQ(keptCount("out"), 1u);
  const int code = inProcess([&] {
    const rlimit small = {200, 200};  // bytes of a file
    ::setrlimit(RLIMIT_FSIZE, &small);
    if (!::freopen((at("err")).c_str(), "w", stderr)) return 99;
    std::vector<std::string> words = {"study"};
    words.insert(words.end(), call.begin(), call.end());
    return runCommandLine(words);
  });
  EXPECT_EQ(code, kExitDiagnostics);
  EXPECT_EQ(keptCount("out"), 1u);
  EXPECT_NE(read("out/runs.csv").find("diamond,n150,Greedy,ran"), std::string::npos);
  Outcome after = study(call);
  EXPECT_EQ(after.code, kExitFine);
  EXPECT_NE(after.err.find("1 of 2 runs are kept"), std::string::npos) << after.err;
}

TEST_F(StudyTest, AFolderThatMayNotBeWrittenIsSaid) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  copyCase("diamond");
  fs::create_directories(folder_ / "out");
  fs::permissions(folder_ / "out", fs::perms::owner_read | fs::perms::owner_exec);
  Outcome outcome = study({at("graphs"), "-o", at("out")});
  EXPECT_EQ(outcome.code, kExitUsage);
  EXPECT_NE(outcome.err.find("Permission denied"), std::string::npos);
}

// A folder stands where one of them belongs.
TEST_F(StudyTest, EachFileThatCannotBeWrittenIsSaid) {
  copyCase("diamond");
  for (const std::string file : {"spills.csv", "ops.csv", "runs.csv", "timings.csv", "study.html", "study.json"}) {
    SCOPED_TRACE(file);
    write(file + ".out/" + file + "/inside", "");
    const std::string out = at(file + ".out");
    const Outcome outcome = study({at("graphs"), "--policies", "DRAM", "--no-optimum", "--ops", "-o", out});
    EXPECT_EQ(outcome.code, kExitDiagnostics);
    EXPECT_NE(outcome.err.find("cannot write `" + out + "/" + file + "`"), std::string::npos) << outcome.err;
  }
}

// The middle of a study: some runs are kept, others are not.
void waitForRuns(const std::function<size_t()>& kept, size_t count) {
  for (int i = 0; i < 60'000 && kept() < count; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

TEST_F(StudyTest, EndedHalfwayItGoesOnWhereItWas) {
  for (int i = 0; i < 6; ++i) write("graphs/g" + std::to_string(i) + ".mlir", longGraph((smallTests() ? 60 : 150) + i));
  const std::vector<std::string> call = {at("graphs"), "--policies", "Greedy,DRAM,Beam", "-o", at("out"), "-j1"};
  ASSERT_EQ(study({at("graphs"), "--policies", "Greedy,DRAM,Beam", "-o", at("whole")}).code, kExitFine);
  fs::create_directories(folder_ / "out/kept");
  for (const int signal : {SIGKILL, SIGTERM}) {
    const size_t before = keptCount("out");
    const pid_t pid = ::fork();
    if (pid == 0) {
      if (!::freopen((at("err")).c_str(), "w", stderr) || !::freopen("/dev/null", "w", stdout)) ::_exit(99);
      std::vector<std::string> words = {"study"};
      words.insert(words.end(), call.begin(), call.end());
      ::_exit(runCommandLine(words));
    }
    waitForRuns([&] { return keptCount("out"); }, before + 2);
    ::kill(pid, signal);
    int status = 0;
    ::waitpid(pid, &status, 0);
    EXPECT_GE(keptCount("out"), before + 2);
  }
  const size_t kept = keptCount("out");
  EXPECT_LT(kept, 24u) << "it was to be ended before it was through";
  Outcome last = study(call);
  ASSERT_EQ(last.code, kExitFine) << last.err;
  EXPECT_NE(last.err.find(std::to_string(kept) + " of 24 runs are kept"), std::string::npos) << last.err;
  EXPECT_EQ(read("out/study.json"), read("whole/study.json"));
  EXPECT_EQ(read("out/runs.csv"), read("whole/runs.csv"));
}

TEST_F(StudyTest, AWorkerThatIsKilledIsARowAndIsTriedAgain) {
  for (int i = 0; i < 3; ++i)
    write("graphs/g" + std::to_string(i) + ".mlir", longGraph((smallTests() ? 500 : 2000) + i));
  FoundGraphs found = findGraphs(std::vector<std::string>{at("graphs")});
  StudyArguments arguments;
  arguments.policies = {"Greedy", "DRAM"};
  arguments.optimum = false;
  const Study made = makeStudy(arguments, found.graphs, {"test", "0"}, {});
  fs::create_directories(folder_ / "kept");
  const KeptRuns kept({at("kept")});
  bool killed = false;
  std::vector<std::string> failures;
  WorkerSettings settings;
  settings.finished = [&](const StudyRun&, const KeptRun* failed, bool) {
    if (failed) failures.push_back(failed->reason);
  };
  settings.tick = [&] {
    if (killed) return;
    // The only child of this process.
    const std::string children = readFile("/proc/self/task/" + std::to_string(::getpid()) + "/children");
    if (children.empty()) return;
    killed = ::kill(std::stoi(children), SIGKILL) == 0;
  };
  EXPECT_EQ(runStudy(made, {0, 1, 2, 3, 4, 5}, kept, settings), "");
  if (!killed) GTEST_SKIP() << "the system does not tell children";
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_EQ(failures[0], "its process was ended by signal 9");
  size_t crashed = 0;
  for (const StudyRun& run : made.runs) {
    const auto one = kept.find(run.key);
    ASSERT_TRUE(one);
    crashed += one->status == RunStatus::Crashed;
    EXPECT_EQ(one->final(), one->status == RunStatus::Ran);
  }
  EXPECT_EQ(crashed, 1u);
}

}  // namespace
}  // namespace tessera::test
