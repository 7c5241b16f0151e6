// How far a study is, in words: what is left by what was done so far, and the bar of a terminal.

#include "core/batch/progress.h"

#include <gtest/gtest.h>

namespace tessera::test {
namespace {

// A quarter done in 20 s: three times as long is left.
TEST(StudyProgressText, WhatIsLeftGoesOnAsItDid) {
  EXPECT_EQ(timeLeftText(20'000, 1, 4), "  about 1:00 left");
  EXPECT_EQ(timeLeftText(20'000, 2, 4), "  about 0:20 left");
  EXPECT_EQ(timeLeftText(20'000, 3, 4), "  about 0:06 left");
  EXPECT_EQ(timeLeftText(9'999, 1, 2), "  about 0:09 left");
  EXPECT_EQ(timeLeftText(65'000, 1, 2), "  about 1:05 left");
  EXPECT_EQ(timeLeftText(610'000, 1, 2), "  about 10:10 left");
  EXPECT_EQ(timeLeftText(3'599'000, 1, 2), "  about 59:59 left");
  EXPECT_EQ(timeLeftText(3'600'000, 1, 2), "  about 1:00:00 left");
  EXPECT_EQ(timeLeftText(7'385'000, 1, 2), "  about 2:03:05 left");
  EXPECT_EQ(timeLeftText(36'610'000, 1, 2), "  about 10:10:10 left");
}

TEST(StudyProgressText, NothingIsSaidBeforeItIsKnown) {
  EXPECT_EQ(timeLeftText(1'000, 1, 100), "");
  EXPECT_EQ(timeLeftText(1'001, 1, 100), "  about 1:39 left");
  EXPECT_EQ(timeLeftText(20'000, 0, 100), "");
  EXPECT_EQ(timeLeftText(20'000, 100, 100), "");
  EXPECT_EQ(timeLeftText(20'000, 101, 100), "");
}

TEST(StudyProgressText, TheBarHasTwentyFourPlaces) {
  const auto bar = [](size_t filled) { return "[" + std::string(filled, '#') + std::string(24 - filled, '.') + "] "; };
  EXPECT_EQ(progressBar(0, 48, 0, 12), bar(0) + "0/12");
  EXPECT_EQ(progressBar(1, 48, 1, 12), bar(0) + "1/12");
  EXPECT_EQ(progressBar(2, 48, 2, 12), bar(1) + "2/12");
  EXPECT_EQ(progressBar(24, 48, 7, 12), bar(12) + "7/12");
  EXPECT_EQ(progressBar(47, 48, 11, 12), bar(23) + "11/12");
  EXPECT_EQ(progressBar(48, 48, 12, 12), bar(24) + "12/12");
  EXPECT_EQ(progressBar(60, 48, 12, 12), bar(24) + "12/12") << "estimates may be short";
  EXPECT_EQ(progressBar(0, 0, 3, 4), bar(24) + "3/4") << "nothing was to be done";
}

// Two graphs, "a" and one whose name is longer than a line, each with two runs that are half of its work of 48.
Study twoGroups() {
  std::vector<StudyGraph> graphs = {describeGraph("/x/a.mlir", "%0 = a\n"),
                                    describeGraph("/x/" + std::string(120, 'b') + ".mlir", "%0 = b\n")};
  nameGraphs(graphs);
  StudyArguments arguments;
  arguments.policies = {"Greedy", "DRAM"};
  arguments.optimum = false;
  Study study = makeStudy(arguments, graphs, {"1", "2"}, {});
  for (StudyGroup& group : study.groups) group.work = 48;
  return study;
}

template <class Body>
std::string saidWhile(Body body) {
  ::testing::internal::CaptureStderr();
  body();
  return ::testing::internal::GetCapturedStderr();
}

TEST(StudyProgressText, AGroupIsALineOnceItIsDoneAndAFailureAtOnce) {
  const Study study = twoGroups();
  ASSERT_EQ(study.runs.size(), 4u);
  KeptRun failed;
  failed.reason = "took longer than 1 s";
  EXPECT_EQ(saidWhile([&] {
              StudyProgress progress(study, 3, 96, false);
              progress.finished(study.runs[0], nullptr, false);
              progress.tick();
              progress.finished(study.runs[1], &failed, true);
            }),
            "a n150 DRAM: took longer than 1 s\n2/3  a n150\n");
}

TEST(StudyProgressText, ATerminalHasABarAtMostSeveralTimesASecond) {
  const Study study = twoGroups();
  const std::string clear = "\r\x1b[K", quarter = "[######..................] 1/4  ";
  KeptRun failed;
  failed.reason = "crashed";
  EXPECT_EQ(saidWhile([&] {
              StudyProgress progress(study, 4, 96, true);
              progress.finished(study.runs[0], nullptr, true);
              progress.tick();
              progress.tick();
              progress.finished(study.runs[1], &failed, true);
            }),
            "\r" + quarter + "a n150 Greedy\x1b[K" + clear + "a n150 DRAM: crashed\n" + clear);
  // A line ends where most terminals do, and nothing is cleared where nothing was drawn.
  const std::string bar = "[##################......] 3/4  ";
  EXPECT_EQ(saidWhile([&] {
              StudyProgress progress(study, 4, 96, true);
              for (size_t i = 0; i < 3; ++i) progress.finished(study.runs[i], nullptr, false);
              progress.tick();
            }),
            "\r" + bar + std::string(100 - bar.size(), 'b') + "\x1b[K" + clear);
  EXPECT_EQ(saidWhile([&] { StudyProgress progress(study, 4, 96, true); }), "");
}

}  // namespace
}  // namespace tessera::test
