// What a profile says a program was bound by, from each figure alone and at the limits.

#include <gtest/gtest.h>

#include "core/profile/profile.h"

namespace tessera::test {
namespace {

// A program of 1000 ns with one or more figures.
Evidence evidenceOf(const std::vector<std::pair<std::string, std::string>>& figures) {
  std::string names = "OP CODE,DEVICE ID,DEVICE KERNEL DURATION [ns]", row = "Matmul,0,1000";
  for (const auto& [name, value] : figures) names += "," + name, row += "," + value;
  const Profile profile = readProfile(names + "\n" + row + "\n");
  EXPECT_EQ(profile.problem, "");
  if (profile.programs.size() != 1) return ADD_FAILURE() << "no program", Evidence::None;
  return profile.programs[0].evidence;
}

const std::string kTrisc = "DEVICE TRISC1 KERNEL DURATION [ns]", kBrisc = "DEVICE BRISC KERNEL DURATION [ns]",
                  kNcrisc = "DEVICE NCRISC KERNEL DURATION [ns]", kWait = "DEVICE COMPUTE CB WAIT FRONT [ns]";

TEST(ProfileEvidence, WithoutAComputeKernelDataMoves) {
  EXPECT_EQ(evidenceOf({}), Evidence::None);
  EXPECT_EQ(evidenceOf({{kBrisc, "1"}}), Evidence::Data);
  EXPECT_EQ(evidenceOf({{kNcrisc, "1"}}), Evidence::Data);
  EXPECT_EQ(evidenceOf({{kTrisc, "1"}, {kBrisc, "900"}}), Evidence::None);
}

TEST(ProfileEvidence, WaitingForHalfOfTheTimeIsData) {
  EXPECT_EQ(evidenceOf({{kTrisc, "600"}, {kWait, "300"}}), Evidence::Data);
  EXPECT_EQ(evidenceOf({{kTrisc, "600"}, {kWait, "299"}}), Evidence::Compute);
  EXPECT_EQ(evidenceOf({{kTrisc, "600"}, {kWait, "299"}, {"DRAM BW UTIL (%)", "99"}}), Evidence::Compute);
}

// From 65 % on (tt-perf-report, perf_report.py@00b7324a).
TEST(ProfileEvidence, AShareOfSixtyFivePercentBinds) {
  for (const char* name : {"DRAM BW UTIL (%)", "NOC UTIL (%)"}) {
    EXPECT_EQ(evidenceOf({{name, "65"}}), Evidence::Data) << name;
    EXPECT_EQ(evidenceOf({{name, "64"}}), Evidence::None) << name;
  }
  EXPECT_EQ(evidenceOf({{"PM COMPUTE [ns]", "650"}}), Evidence::Compute);
  EXPECT_EQ(evidenceOf({{"PM COMPUTE [ns]", "649"}}), Evidence::None);
  EXPECT_EQ(evidenceOf({{"PM BANDWIDTH [ns]", "650"}}), Evidence::Data);
  EXPECT_EQ(evidenceOf({{"PM BANDWIDTH [ns]", "649"}}), Evidence::None);
  EXPECT_EQ(evidenceOf({{"PM COMPUTE [ns]", "650"}, {"PM BANDWIDTH [ns]", "999"}}), Evidence::Compute);
}

}  // namespace
}  // namespace tessera::test
