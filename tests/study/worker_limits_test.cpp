// What the limits of a run count: its own memory, without what the runs before it left behind, and its processor time.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <memory>

#include "core/batch/workers.h"
#include "tests/sizes.h"
#include "tests/study/study_testing.h"

namespace tessera::test {
namespace {

constexpr const char* kRelu = R"(func.func @main(%a: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
  %0 = "ttir.relu"(%a) : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %0 : tensor<32x32xbf16>
}
)";

std::string chainOf(int ops) {
  std::string text = "func.func @main(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {\n", last = "%a";
  for (int i = 0; i < ops; ++i) {
    const std::string name = "%v" + std::to_string(i);
    text += "  " + name + " = \"ttir.relu\"(" + last + ") : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n";
    last = name;
  }
  return text + "  return " + last + " : tensor<64x64xbf16>\n}\n";
}

// Takes all that is free of this process's memory, which its workers would use before their own.
std::vector<std::unique_ptr<char[]>> takeFreeMemory() {
  std::vector<std::unique_ptr<char[]>> taken;
  for (const size_t bytes : {size_t{1} << 16, size_t{1} << 12, size_t{1} << 8}) {
    const void* end = ::sbrk(0);
    while (end == ::sbrk(0) && taken.size() < 1'000'000) taken.push_back(std::make_unique<char[]>(bytes));
  }
  return taken;
}

class WorkerLimits : public StudyTest {
 protected:
  void SetUp() override {
    StudyTest::SetUp();
    fs::create_directories(folder_ / "kept");
  }
  Study studyOf(const std::string& text, StudyArguments arguments) const {
    arguments.optimum = false;
    write("g.mlir", text);
    return makeStudy(std::move(arguments), {describeGraph(at("g.mlir"), text)}, {"test", "0"}, {});
  }
  // How each run of the study ended, in the order of the study.
  std::vector<std::string> outcomes(const Study& study, const WorkerSettings& settings) const {
    const KeptRuns kept({at("kept")});
    std::vector<size_t> all;
    for (size_t i = 0; i < study.runs.size(); ++i) all.push_back(i);
    EXPECT_EQ(runStudy(study, all, kept, settings), "");
    std::vector<std::string> found;
    for (const StudyRun& run : study.runs) {
      const std::optional<KeptRun> one = kept.find(run.key);
      found.push_back(one ? std::string(runStatusName(one->status)) + ": " + one->reason : "not kept");
    }
    return found;
  }
  // In place of the graph a pipe, of which a worker reads nothing until somebody writes into it.
  void makePipe() const {
    fs::remove(folder_ / "g.mlir");
    ASSERT_EQ(::mkfifo(at("g.mlir").c_str(), 0600), 0);
  }
  // False as long as nobody reads.
  bool writePipe(const std::string& text) const {
    const int pipe = ::open(at("g.mlir").c_str(), O_WRONLY | O_NONBLOCK);
    if (pipe < 0) return false;
    const bool whole = ::write(pipe, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    ::close(pipe);
    return whole;
  }
};

// In whole MB of 2^20 bytes, as the option is: a byte less than four of them are more than four millions.
TEST_F(WorkerLimits, TheMemoryThatWasTooLittleIsToldAsItWasAsked) {
  if (smallTests()) GTEST_SKIP() << "sanitizers reserve more than any limit";
  const auto taken = takeFreeMemory();
  StudyArguments arguments;
  arguments.policies = {"DRAM"};
  arguments.memoryBytes = (int64_t{4} << 20) - 1;
  EXPECT_EQ(outcomes(studyOf(chainOf(3000), arguments), {}),
            std::vector<std::string>{"memory limit: took more than 3 MB"});
  arguments.memoryBytes = int64_t{256} << 20;
  EXPECT_EQ(outcomes(studyOf(chainOf(30), arguments), {}), std::vector<std::string>{"ran: "});
}

// The second run takes too much memory behind the first, which takes a third of it: it is done again by a worker of its
// own, the third run by another. That they begin anew shows in the graph, which is another one by then.
TEST_F(WorkerLimits, WhatRanOutOfMemoryBehindOthersIsTriedAgainAlone) {
  if (smallTests()) GTEST_SKIP() << "sanitizers reserve more than any limit";
  const auto taken = takeFreeMemory();
  StudyArguments arguments;
  arguments.policies = {"DRAM", "Beam", "Greedy"};
  arguments.memoryBytes = int64_t{16} << 20;
  const Study study = studyOf(chainOf(1500), arguments);
  std::vector<std::string> order;
  WorkerSettings settings;
  settings.finished = [&](const StudyRun& run, const KeptRun* failed, bool groupDone) {
    order.push_back(run.policy + (failed ? " failed" : "") + (groupDone ? " last" : ""));
    if (run.policy == "DRAM") write("g.mlir", kRelu);
  };
  const std::string changed = "refused: changed while the study ran";
  EXPECT_EQ(outcomes(study, settings), (std::vector<std::string>{"ran: ", changed, changed}));
  EXPECT_EQ(order, (std::vector<std::string>{"DRAM", "Beam", "Greedy last"}));
}

// A worker that waits takes no processor time: it may wait for longer than the limit.
TEST_F(WorkerLimits, OnlyTimeOfTheProcessorCounts) {
  StudyArguments arguments;
  arguments.policies = {"DRAM"};
  arguments.milliseconds = 100;
  const Study study = studyOf(kRelu, arguments);
  makePipe();
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  bool written = false;
  WorkerSettings settings;
  settings.tick = [&] {
    if (!written && Clock::now() - begin > std::chrono::milliseconds(150)) written = writePipe(kRelu);
  };
  EXPECT_EQ(outcomes(study, settings), std::vector<std::string>{"ran: "});
  EXPECT_TRUE(written);
}

// One worker does all runs of a graph, and each of them has the whole limit to itself: a quarter of what all of them
// take together, here and now. A run takes a hundredth of it; the first one, which reads the graph, a few more.
TEST_F(WorkerLimits, TheTimeOfTheRunsBeforeItDoesNotCount) {
  StudyArguments arguments;
  arguments.policies = std::vector<std::string>(100, "Greedy");
  const std::string graph = chainOf(smallTests() ? 200 : 300);
  size_t finished = 0;
  std::vector<std::string> failures;
  WorkerSettings settings;
  settings.finished = [&](const StudyRun&, const KeptRun* failed, bool) {
    ++finished;
    if (failed) failures.push_back(failed->reason);
  };
  const double before = secondsOfChildren();
  outcomes(studyOf(graph, arguments), settings);
  arguments.milliseconds = static_cast<int64_t>(1000 * (secondsOfChildren() - before) / 4);
  outcomes(studyOf(graph, arguments), settings);
  EXPECT_EQ(finished, 200u);
  EXPECT_EQ(failures, std::vector<std::string>());
}

// A worker that would wait for ever is ended all the same.
TEST_F(WorkerLimits, AWorkerThatStandsStillIsEnded) {
  StudyArguments arguments;
  arguments.policies = {"DRAM"};
  arguments.milliseconds = 5;
  const Study study = studyOf(kRelu, arguments);
  makePipe();
  EXPECT_EQ(outcomes(study, {}), std::vector<std::string>{"time limit: took longer than 0.005 s"});
}

}  // namespace
}  // namespace tessera::test
