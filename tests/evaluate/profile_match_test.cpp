// Profiles of the device: read by column names, matched to the steps of a run.

#include "core/evaluate/profile_match.h"

#include <gtest/gtest.h>

#include "core/driver/pipeline.h"

namespace tessera::test {
namespace {

const std::string kHeader =
    "OP CODE,OP TYPE,DEVICE ID,ATTRIBUTES,CORE COUNT,DEVICE FW DURATION [ns],DEVICE KERNEL DURATION [ns],"
    "OUTPUT_0_W_PAD[LOGICAL],OUTPUT_0_Z_PAD[LOGICAL],OUTPUT_0_Y_PAD[LOGICAL],OUTPUT_0_X_PAD[LOGICAL],OUTPUT_0_MEMORY\n";

std::string row(const std::string& code, int64_t ns, const std::string& y, const std::string& x,
                const std::string& device = "0") {
  return code + ",tt_dnn_device," + device + ",,64," + std::to_string(ns + 9) + "," + std::to_string(ns) +
         ",1[1],1[1]," + y + "," + x + ",DEV_1_DRAM_INTERLEAVED\n";
}

const std::string kGraph =
    "func.func @main(%a: tensor<64x128xbf16>, %b: tensor<128x64xbf16>) -> tensor<64x64xbf16> {\n"
    "  %0 = \"ttir.matmul\"(%a, %b) : (tensor<64x128xbf16>, tensor<128x64xbf16>) -> tensor<64x64xbf16>\n"
    "  %1 = \"ttir.softmax\"(%0) <{dimension = 1 : si32}> : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n"
    "  return %1 : tensor<64x64xbf16>\n}\n";

std::unique_ptr<FinishedRun> runGraph(Session& session) {
  session.load("g", kGraph);
  Options options;
  options.policy = "DRAM";
  return runPolicy(session, options, {});
}

TEST(Profile, RowsOfTheHostAndOfOtherDevicesAreCounted) {
  const Profile profile = readProfile(kHeader + row("Matmul", 1000, "64[64]", "64[64]") + "start,signpost,,,,,,,,,,\n" +
                                      row("Matmul", 1000, "64[64]", "64[64]", "1"));
  ASSERT_EQ(profile.problem, "");
  ASSERT_EQ(profile.programs.size(), 1u);
  EXPECT_EQ(profile.otherRows, 2);
  EXPECT_EQ(profile.programs[0].shape, (std::vector<int64_t>{64, 64}));
  EXPECT_EQ(profile.programs[0].memory, "dram interleaved");
  EXPECT_EQ(profile.programs[0].nanoseconds, 1000);
  EXPECT_EQ(profile.programs[0].line, 2);
}

TEST(Profile, WhatIsNoProfileIsSaid) {
  EXPECT_NE(readProfile("").problem, "");
  EXPECT_NE(readProfile("a,b\n1,2\n").problem, "");
  EXPECT_EQ(readProfile(kHeader).problem, "");
}

TEST(Profile, ProgramsAreMatchedInOrder) {
  Session session;
  auto finished = runGraph(session);
  const RunOutcome& run = *finished->report.run;
  const Profile profile = readProfile(
      kHeader + row("MoveDeviceOperation", 50, "64[64]", "128[128]") + row("Matmul", 2000, "64[64]", "64[64]") +
      row("Softmax", 4000, "64[64]", "96[96]") + row("TopKDeviceOperation", 7, "64[64]", "64[64]"));
  const ProfileComparison found = matchProfile(profile, run);
  ASSERT_EQ(found.matches.size(), 2u);
  EXPECT_EQ(found.matches[0].measured, 2050) << "what prepares its operand counts with it";
  EXPECT_TRUE(found.matches[0].sameShape && found.matches[0].sameMemory);
  EXPECT_FALSE(found.matches[1].sameShape);
  EXPECT_EQ(found.unmatchedPrograms, std::vector<int32_t>{3});
  ASSERT_EQ(found.families.size(), 1u) << "another shape says nothing about the model";
  const int64_t calibrated = run.sim.time.count + found.matches[0].measured - found.matches[0].predicted;
  EXPECT_NEAR(static_cast<double>(found.calibrated), static_cast<double>(calibrated), 20);
  EXPECT_NE(comparisonText(profile, found, run).find("not in the run: 7 ns  TopK"), std::string::npos);
  EXPECT_NE(comparisonJson(profile, found, run).find("\"unmatchedLines\":[5]"), std::string::npos);
}

TEST(Profile, TheShapeDecidesAmongOpsOfOneKind) {
  Session session;
  auto finished = runGraph(session);
  const Profile profile =
      readProfile(kHeader + row("Matmul", 1, "32[32]", "32[32]") + row("Matmul", 2, "64[64]", "64[64]"));
  const ProfileComparison found = matchProfile(profile, *finished->report.run);
  ASSERT_EQ(found.matches.size(), 1u);
  EXPECT_EQ(found.matches[0].measured, 2);
}

}  // namespace
}  // namespace tessera::test
