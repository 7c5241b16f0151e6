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

}  // namespace
}  // namespace tessera::test
