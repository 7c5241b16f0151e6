// Rows of a profile that are rarely seen: odd numbers, other memories, the same op in two memories, no time; and what
// a comparison says of itself.

#include <gtest/gtest.h>

#include "core/profile/csv.h"
#include "core/profile/profile.h"
#include "core/profile/profile_text.h"

namespace tessera::test {
namespace {

ProfiledProgram programWith(const std::string& column, const std::string& value) {
  const Profile profile =
      readProfile("OP CODE,DEVICE ID,DEVICE KERNEL DURATION [ns]," + column + "\nAdd,0,9," + value + "\n");
  EXPECT_EQ(profile.programs.size(), 1u) << value;
  return profile.programs.empty() ? ProfiledProgram() : profile.programs[0];
}

// A dim ends at what is no digit, whichever side of the digits it is of, and does not grow beyond 63 bits.
TEST(UnusualRows, DimsEndWhereTheirDigitsEnd) {
  const auto dim = [](const std::string& text) { return programWith("OUTPUT_0_X", text).shape; };
  using Dims = std::vector<int64_t>;
  EXPECT_EQ(dim("12"), Dims{12});
  EXPECT_EQ(dim("12 "), Dims{12});
  EXPECT_EQ(dim("12.5"), Dims{12});
  EXPECT_EQ(dim("12/3"), Dims{12});
  EXPECT_EQ(dim("12x"), Dims{12});
  EXPECT_EQ(dim("-12"), Dims{0});
  EXPECT_EQ(dim("1099511627776"), Dims{1099511627776}) << "2^40";
  EXPECT_EQ(dim("10995116277769"), Dims{10995116277769}) << "a digit is added up to 2^40";
  EXPECT_EQ(dim("109951162777699"), Dims{10995116277769});
  EXPECT_EQ(dim("99999999999999999999999999"), Dims{9999999999999});
}

TEST(UnusualRows, MemoriesAreThoseOfTheDevice) {
  const auto memory = [](const std::string& text) { return programWith("OUTPUT_0_MEMORY", text).memory; };
  EXPECT_EQ(memory("DEV_0_L1_BLOCK_SHARDED"), "l1 block_sharded");
  EXPECT_EQ(memory("DEV_0_DRAM_INTERLEAVED"), "dram interleaved");
  EXPECT_EQ(memory("DEV_0_DRAM"), "dram");
  EXPECT_EQ(memory("HOST"), "");
  EXPECT_EQ(memory("SYSTEM_MEMORY"), "");
  EXPECT_EQ(memory(""), "");
}

TEST(UnusualRows, BracesOpenAListOfNumbers) {
  EXPECT_EQ(numbersAfter("shape={64; 32}, x", "shape="), (std::vector<int64_t>{64, 32}));
  EXPECT_EQ(numbersAfter("shape={{64; 32}; {8}}", "shape="), (std::vector<int64_t>{64, 32})) << "`}` ends it";
}

TEST(UnusualRows, AMillionRowsAreTheMost) {
  std::string text = "a\n";
  for (int i = 0; i < 1'000'000; ++i) text += "1\n";
  CsvTable most, more;
  EXPECT_TRUE(parseCsv(text, most));
  EXPECT_EQ(most.rows.size(), 1'000'000u);
  EXPECT_FALSE(parseCsv(text + "1\n", more));
}

ProfiledProgram memoryAdded(const std::string& memory, int64_t nanoseconds) {
  ProfiledProgram program;
  program.name = "BinaryNg";
  program.kind = OpKind::TtnnAdd;
  program.shape = {64, 64};
  program.memory = memory;
  program.nanoseconds = nanoseconds;
  return program;
}

ProfiledStep stepAt(int32_t row, int64_t total) {
  ProfiledStep step;
  step.row = row;
  step.name = "%" + std::to_string(row);
  step.kind = OpKind::TtnnAdd;
  step.shape = {64, 64};
  step.memory = "l1 height_sharded";
  step.total = total;
  return step;
}

// Two sums of one shape, one into L1 and one into DRAM, are no sum that was measured twice.
TEST(UnusualRows, AModelIsMeasuredAgainOnlyIntoTheSameMemories) {
  const std::vector<ProfiledStep> steps = {stepAt(0, 100)};
  Profile profile;
  profile.programs = {memoryAdded("l1 height_sharded", 150), memoryAdded("dram interleaved", 90)};
  const ProfileComparison two = matchProfile(profile, steps, {});
  EXPECT_EQ(two.repeats, 1);
  ASSERT_EQ(two.matches.size(), 1u);
  EXPECT_EQ(two.matches[0].programs, std::vector<int32_t>{0});
  EXPECT_EQ(two.unmatchedPrograms, std::vector<int32_t>{1});
  profile.programs[1].memory = "l1 height_sharded";
  const ProfileComparison twice = matchProfile(profile, steps, {});
  EXPECT_EQ(twice.repeats, 2);
  ASSERT_EQ(twice.matches.size(), 1u);
  EXPECT_EQ(twice.matches[0].programs, std::vector<int32_t>{1}) << "the last time counts";
  const std::string said = "the same programs 2 times in a row; the last are matched\n";
  EXPECT_EQ(comparisonText(profile, twice, steps).substr(0, said.size()), said);
  EXPECT_EQ(comparisonText(profile, two, steps).find("in a row"), std::string::npos);
}

// What took no time, or less than none, gives no factor, though its shapes are those of the step.
TEST(UnusualRows, WithoutTimeThereIsNoFactor) {
  const auto ops = [](int64_t measured, int64_t predicted) {
    Profile profile;
    profile.programs = {memoryAdded("l1 height_sharded", measured)};
    const ProfileComparison found = matchProfile(profile, std::vector<ProfiledStep>{stepAt(0, predicted)}, {});
    EXPECT_EQ(found.matches.size(), 1u);
    int64_t all = 0;
    for (const ErrorClass& one : found.errors) all += one.ops;
    EXPECT_EQ(all, found.families.empty() ? 0 : found.families[0].ops);
    return all;
  };
  EXPECT_EQ(ops(150, 100), 1);
  EXPECT_EQ(ops(0, 100), 0);
  EXPECT_EQ(ops(150, -100), 0);
}

TEST(UnusualRows, WhatIsTooLargeIsSaidAndNotMatched) {
  Profile profile;
  for (int i = 0; i < 8191; ++i) profile.programs.push_back(memoryAdded("l1 height_sharded", 1 + i));
  std::vector<ProfiledStep> steps;
  for (int i = 0; i < 8192; ++i) steps.push_back(stepAt(i, 1));
  const ProfileComparison found = matchProfile(profile, steps, {});
  EXPECT_TRUE(found.matches.empty());
  EXPECT_EQ(comparisonText(profile, found, steps), "-- the profile and the graph are too large to be matched\n");
}

}  // namespace
}  // namespace tessera::test
