// Profiles of the device: read by column names, matched to the steps of a run.

#include "core/profile/profile.h"

#include <gtest/gtest.h>

#include "core/driver/api.h"
#include "core/driver/pipeline.h"
#include "core/driver/profiled_steps.h"
#include "core/support/json_writer.h"

namespace tessera::test {
namespace {

const std::string kHeader =
    "OP CODE,OP TYPE,DEVICE ID,ATTRIBUTES,CORE COUNT,DEVICE FW DURATION [ns],DEVICE KERNEL DURATION [ns],"
    "OUTPUT_0_W_PAD[LOGICAL],OUTPUT_0_Z_PAD[LOGICAL],OUTPUT_0_Y_PAD[LOGICAL],OUTPUT_0_X_PAD[LOGICAL],OUTPUT_0_MEMORY,"
    "DEVICE BRISC KERNEL DURATION [ns],DEVICE TRISC1 KERNEL DURATION [ns],DEVICE COMPUTE CB WAIT FRONT [ns],"
    "PM COMPUTE [ns],PM BANDWIDTH [ns],DRAM BW UTIL (%)\n";

std::string row(const std::string& code, int64_t ns, const std::string& y, const std::string& x,
                const std::string& device = "0", const std::string& more = "") {
  return code + ",tt_dnn_device," + device + ",,64," + std::to_string(ns + 9) + "," + std::to_string(ns) +
         ",1[1],1[1]," + y + "," + x + ",DEV_1_DRAM_INTERLEAVED" + more + "\n";
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

ProfileComparison match(const Profile& profile, const RunOutcome& run, const TimeFactors& inUse = {}) {
  return matchProfile(profile, profiledSteps(run), inUse);
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
  EXPECT_EQ(profile.programs[0].evidence, Evidence::None);
}

// Comments, empty lines and lines within quotes are lines of the file, too.
TEST(Profile, ALineIsThatOfTheFile) {
  const Profile profile = readProfile(
      "# of a run\nOP CODE,DEVICE ID,DEVICE FW DURATION [ns],ATTRIBUTES\n\nAdd,0,5,\"a\nb\"\n# "
      "more\nAdd,0,6,\nAdd,0,7,");
  ASSERT_EQ(profile.programs.size(), 3u);
  EXPECT_EQ(profile.programs[0].line, 4);
  EXPECT_EQ(profile.programs[1].line, 7);
  EXPECT_EQ(profile.programs[2].line, 8);
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
  const ProfileComparison found = match(profile, run);
  ASSERT_EQ(found.matches.size(), 2u);
  EXPECT_EQ(found.matches[0].measured, 2050) << "what prepares its operand counts with it";
  EXPECT_TRUE(found.matches[0].sameShape && found.matches[0].sameMemory);
  EXPECT_FALSE(found.matches[1].sameShape);
  EXPECT_EQ(found.unmatchedPrograms, std::vector<int32_t>{3});
  ASSERT_EQ(found.families.size(), 1u) << "another shape says nothing about the model";
  const std::vector<ProfiledStep> steps = profiledSteps(run);
  const int64_t predicted = steps[found.matches[0].step].total;
  EXPECT_NEAR(static_cast<double>(found.calibratedTime),
              static_cast<double>(run.program->sim.time.count + 2050 - predicted), 20);
  EXPECT_NE(comparisonText(profile, found, steps).find("not in the run: 7 ns  TopK"), std::string::npos);
  EXPECT_NE(profileJson(profile, &found, steps).find("\"unmatchedPrograms\":[3]"), std::string::npos);
  int64_t counted = 0;
  for (const ErrorClass& one : found.errors) counted += one.ops;
  EXPECT_EQ(counted, 1);
}

TEST(Profile, TheShapeDecidesAmongOpsOfOneKind) {
  Session session;
  auto finished = runGraph(session);
  const Profile profile =
      readProfile(kHeader + row("Matmul", 1, "32[32]", "32[32]") + row("Matmul", 2, "64[64]", "64[64]"));
  const ProfileComparison found = match(profile, *finished->report.run);
  ASSERT_EQ(found.matches.size(), 1u);
  EXPECT_EQ(found.matches[0].measured, 2);
}

TEST(Profile, OfEqualRunsTheLastCounts) {
  Session session;
  auto finished = runGraph(session);
  const auto once = [](int64_t ns) {
    return row("Matmul", ns, "64[64]", "64[64]") + row("Softmax", ns, "64[64]", "64[64]");
  };
  const ProfileComparison found = match(readProfile(kHeader + once(9) + once(8) + once(7)), *finished->report.run);
  EXPECT_EQ(found.repeats, 3);
  EXPECT_EQ(found.skippedPrograms, 4);
  ASSERT_EQ(found.matches.size(), 2u);
  EXPECT_EQ(found.matches[0].measured, 7);
  EXPECT_EQ(found.matches[0].programs, std::vector<int32_t>{4});
  EXPECT_TRUE(found.unmatchedPrograms.empty());
  // Two equal layers, measured once, are no repetition.
  EXPECT_EQ(matchProfile(readProfile(kHeader + once(9) + once(8)),
                         std::vector<ProfiledStep>(4, {0, "", OpKind::TtnnMatmul, {}, "", "dram", 1}), {})
                .repeats,
            1);
}

TEST(Profile, WhatBoundAProgramIsReadOffItsRow) {
  const std::pair<const char*, Evidence> kCases[] = {
      {",900,,,,,", Evidence::Data},           // no compute kernel
      {",900,900,600,,,", Evidence::Data},     // it mostly waits
      {",900,900,100,,,", Evidence::Compute},  // it hardly does
      {",900,900,,,,80", Evidence::Data},      // of the bandwidth
      {",900,900,,700,1,", Evidence::Compute}, {",900,900,,1,700,", Evidence::Data},
      {",900,900,,1,1,", Evidence::None},      {"", Evidence::None},
  };
  for (const auto& [columns, expected] : kCases) {
    const Profile profile = readProfile(kHeader + row("Matmul", 1000, "64[64]", "64[64]", "0", columns));
    ASSERT_EQ(profile.programs.size(), 1u) << columns;
    EXPECT_EQ(profile.programs[0].evidence, expected) << columns;
  }
}

ProfiledStep boundStep(const std::string& bound, int64_t part) {
  ProfiledStep step{0, "%0", OpKind::TtnnMatmul, {64, 64}, "dram interleaved", bound};
  step.total = part + 100;
  step.boundPart = part;
  return step;
}

TEST(Profile, MisjudgedBoundsAreFound) {
  const auto judged = [](const char* columns, const ProfiledStep& step) {
    const Profile profile = readProfile(kHeader + row("Matmul", 1000, "64[64]", "64[64]", "0", columns));
    return matchProfile(profile, std::span(&step, 1), {}).matches.at(0).misjudged;
  };
  EXPECT_EQ(judged(",900,900,600,,,", boundStep("compute", 900)), Misjudged::WaitsForData);
  EXPECT_EQ(judged(",900,900,600,,,", boundStep("dram", 900)), Misjudged::No);
  EXPECT_EQ(judged(",900,900,10,,,", boundStep("dram", 900)), Misjudged::Computes);
  EXPECT_EQ(judged(",900,900,10,,,", boundStep("noc", 900)), Misjudged::Computes);
  EXPECT_EQ(judged(",900,900,10,,,", boundStep("fixed", 9000)), Misjudged::No);
  EXPECT_EQ(judged("", boundStep("dram", 1200)), Misjudged::No);
  EXPECT_EQ(judged("", boundStep("dram", 1300)), Misjudged::Shorter);
  ProfiledStep other = boundStep("dram", 1300);
  other.shape = {64, 96};
  EXPECT_EQ(judged("", other), Misjudged::No) << "of another shape nothing is said";
}

// Factors of a calibrated run are again those of the model by itself; with them the run has no error any more.
TEST(Profile, CalibrationIsAFixedPoint) {
  Session session;
  session.load("g", kGraph);
  Options options;
  options.policy = "DRAM";
  const Profile profile =
      readProfile(kHeader + row("Matmul", 50'000, "64[64]", "64[64]") + row("Softmax", 1'000, "64[64]", "64[64]"));
  auto first = runPolicy(session, options, {});
  const ProfileComparison before = match(profile, *first->report.run);
  options.calibration = calibrationText(before.calibration);
  auto second = runPolicy(session, options, {});
  ASSERT_TRUE(second->report.run);
  TimeFactors inUse{};
  EXPECT_TRUE(parseCalibration(options.calibration, inUse));
  const ProfileComparison after = match(profile, *second->report.run, inUse);
  EXPECT_EQ(calibrationText(after.calibration), calibrationText(before.calibration));
  EXPECT_GT(before.medianErrorPermille, 300);
  EXPECT_LE(after.p90ErrorPermille, 20) << "factors have three decimals";
  EXPECT_NEAR(static_cast<double>(second->report.run->program->sim.time.count),
              static_cast<double>(before.calibratedTime), 20);
  EXPECT_TRUE(second->report.run->defects.empty());
  EXPECT_GT(second->report.run->program->sim.time.count, first->report.run->program->sim.time.count);
}

TEST(Calibration, IsReadAndWritten) {
  TimeFactors factors{};
  EXPECT_TRUE(parseCalibration("Matmul=1.25,Conv=0.9,Softmax=1", factors));
  EXPECT_EQ(calibrationText(factors), "Matmul=1.250,Conv=0.900");
  factors = {};
  EXPECT_TRUE(parseCalibration("", factors));
  EXPECT_EQ(factors, TimeFactors());
  for (const char* bad : {"Matmul", "Matmul=", "Matmul=x", "Matmul=0", "Matmul=1001", "Matmul=-1", "Matmul=nan",
                          "matmul=1", "=1", "Matmul=1,,", "Matmul=1.2.3", "Matmul=1;Conv=1"})
    EXPECT_FALSE(parseCalibration(bad, factors)) << bad;
}

TEST(Calibration, AMistakeIsADiagnostic) {
  Session session;
  session.load("g", kGraph);
  Options options;
  options.calibration = "Matmul=fast";
  auto finished = runPolicy(session, options, {});
  EXPECT_FALSE(finished->report.run);
  ASSERT_TRUE(finished->diagnostics.hasErrors());
  EXPECT_NE(finished->diagnostics.all()[0].message.find("`calibration` is Matmul=fast"), std::string::npos);
}

// The page sends the steps of its report; both ways to the steps agree.
TEST(ApiProfile, AnswersAsTheCommandLine) {
  Session session;
  auto finished = runGraph(session);
  const RunOutcome& run = *finished->report.run;
  const std::vector<ProfiledStep> steps = profiledSteps(run);
  JsonWriter w;
  w.beginObject();
  w.key("steps");
  w.beginArray();
  for (const ProfiledStep& step : steps) {
    std::string shape;
    for (int64_t dim : step.shape) shape += (shape.empty() ? "1x" : "x") + std::to_string(dim);
    w.beginObject();
    w.field("row", step.row);
    w.field("op", opInfo(step.kind).name);
    w.field("shape", std::string_view(shape));
    w.field("memory", std::string_view(step.memory));
    w.field("bound", std::string_view(step.bound));
    w.field("time", step.total);
    w.field("boundPart", step.boundPart);
    w.endObject();
  }
  w.endArray();
  w.endObject();
  const std::string csv = kHeader + row("Matmul", 2000, "64[64]", "64[64]") + row("Softmax", 9, "64[64]", "64[64]");
  const Profile profile = readProfile(csv);
  const ProfileComparison found = matchProfile(profile, steps, {});
  const std::string request = w.take();
  EXPECT_EQ(apiProfile(csv, request), profileJson(profile, &found, steps));
  TimeFactors inUse{};
  ASSERT_TRUE(parseCalibration("Matmul=1.25,Conv=0.9", inUse));
  const ProfileComparison calibrated = matchProfile(profile, steps, inUse);
  EXPECT_NE(calibrationText(calibrated.calibration), calibrationText(found.calibration));
  EXPECT_EQ(apiProfile(csv, "{\"calibration\":\"Matmul=1.25,Conv=0.9\"," + request.substr(1)),
            profileJson(profile, &calibrated, steps));
  EXPECT_EQ(apiProfile(csv, ""), profileJson(profile, nullptr, {}));
  EXPECT_NE(apiProfile("nonsense", "{}").find("\"comparison\":null"), std::string::npos);
  EXPECT_NE(apiProfile(csv, "{\"steps\":[7,{\"time\":-5,\"shape\":\"xx9e9\"}]}").find("\"matches\":[]"),
            std::string::npos);
}

}  // namespace
}  // namespace tessera::test
