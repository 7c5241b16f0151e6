// Which program a step is matched to: what counts more, ties, limits of what is said about it.

#include <gtest/gtest.h>

#include "core/profile/profile.h"

namespace tessera::test {
namespace {

ProfiledProgram program(OpKind kind, std::vector<int64_t> shape = {64, 64}, const std::string& memory = "dram") {
  ProfiledProgram out;
  out.kind = kind;
  out.name = opInfo(kind).name;
  out.shape = std::move(shape);
  out.memory = memory;
  out.nanoseconds = 100;
  return out;
}
ProfiledStep stepOf(OpKind kind, std::vector<int64_t> shape = {64, 64}, const std::string& memory = "dram") {
  ProfiledStep out;
  out.kind = kind;
  out.shape = std::move(shape);
  out.memory = memory;
  out.total = 100;
  return out;
}

// "program>step", in the order of the steps.
std::string matched(std::vector<ProfiledProgram> programs, const std::vector<ProfiledStep>& steps) {
  Profile profile;
  profile.programs = std::move(programs);
  std::string text;
  for (const ProfileMatch& match : matchProfile(profile, steps, {}).matches)
    text += (text.empty() ? "" : " ") + std::to_string(match.programs.back()) + ">" + std::to_string(match.step);
  return text;
}

constexpr OpKind kAdd = OpKind::TtnnAdd, kMatmul = OpKind::TtnnMatmul, kSoftmax = OpKind::TtnnSoftmax,
                 kMultiply = OpKind::TtnnMultiply;

TEST(ProfileAlignment, TheFirstOfEqualProgramsAndStepsIsTaken) {
  EXPECT_EQ(matched({program(kSoftmax), program(kAdd), program(kAdd)}, {stepOf(kAdd)}), "1>0");
  EXPECT_EQ(matched({program(kAdd)}, {stepOf(kAdd), stepOf(kAdd)}), "0>0");
}

// Pairs may not cross; of two that do, with equal scores, that of the earlier program is taken.
TEST(ProfileAlignment, OfCrossingPairsTheEarlierProgramsIsTaken) {
  EXPECT_EQ(matched({program(kSoftmax), program(kMatmul)}, {stepOf(kMatmul), stepOf(kSoftmax)}), "0>1");
  // A pair that says more is taken whichever way they cross.
  EXPECT_EQ(matched({program(kSoftmax, {32, 32}), program(kMatmul)}, {stepOf(kMatmul), stepOf(kSoftmax)}), "1>0");
  EXPECT_EQ(matched({program(kSoftmax), program(kMatmul, {32, 32})}, {stepOf(kMatmul), stepOf(kSoftmax)}), "0>1");
}

TEST(ProfileAlignment, TheOpCountsMostThenTheShapeThenTheMemory) {
  const std::vector<ProfiledStep> add = {stepOf(kAdd)};
  EXPECT_EQ(matched({program(kSoftmax), program(kAdd, {32, 32}, "l1"), program(kMultiply)}, add), "2>0")
      << "5 for the op alone, 2 + 3 + 1 for another of its family with shape and memory";
  EXPECT_EQ(matched({program(kSoftmax), program(kMultiply, {64, 64}, "l1"), program(kAdd, {32, 32}, "l1")}, add), "1>0")
      << "5 either way: the earlier";
  EXPECT_EQ(matched({program(kSoftmax), program(kAdd, {32, 32}), program(kAdd, {64, 64}, "l1")}, add), "2>0");
  EXPECT_EQ(matched({program(kSoftmax), program(kAdd, {64, 64}, "l1"), program(kAdd)}, add), "2>0");
}

TEST(ProfileAlignment, OthersThanTheFamilyNeverMatch) {
  EXPECT_EQ(matched({program(kSoftmax)}, {stepOf(kAdd)}), "");
  EXPECT_EQ(matched({program(OpKind::Opaque)}, {stepOf(OpKind::Opaque)}), "");
  ProfiledProgram part = program(kAdd);
  part.part = true;
  EXPECT_EQ(matched({part, program(kSoftmax)}, {stepOf(kAdd), stepOf(kSoftmax)}), "1>1");
}

// So many times in a row as divide the profile into equal parts; the last of them is matched.
TEST(ProfileAlignment, ARepetitionIsEqualToItsLastProgram) {
  auto repeats = [](std::vector<ProfiledProgram> programs) {
    Profile profile;
    profile.programs = std::move(programs);
    const ProfileComparison found = matchProfile(profile, std::vector<ProfiledStep>{stepOf(kMatmul), stepOf(kAdd)}, {});
    return std::to_string(found.repeats) + " after " + std::to_string(found.skippedPrograms);
  };
  const ProfiledProgram a = program(kMatmul), b = program(kAdd), other = program(kSoftmax);
  EXPECT_EQ(repeats({a, b}), "1 after 0");
  EXPECT_EQ(repeats({a, b, a, b}), "2 after 2");
  EXPECT_EQ(repeats({a, b, a, b, a, b}), "3 after 4");
  EXPECT_EQ(repeats({a, b, a, other}), "1 after 0");
  EXPECT_EQ(repeats({other, b, a, b}), "1 after 0");
  EXPECT_EQ(repeats({a, b, a, program(kAdd, {32, 32})}), "1 after 0");
  EXPECT_EQ(repeats({a, b, a, b, a}), "1 after 0") << "no equal parts";
  EXPECT_EQ(repeats({a, a, a}), "1 after 0") << "one is as far from two as three are";
  EXPECT_EQ(repeats({a, a, a, a}), "2 after 2") << "two are as many as the steps";
}

Misjudged judged(const std::string& bound, Evidence evidence, int64_t boundPart = 0) {
  Profile profile;
  profile.programs = {program(kAdd)};
  profile.programs[0].evidence = evidence;
  std::vector<ProfiledStep> steps = {stepOf(kAdd)};
  steps[0].bound = bound;
  steps[0].boundPart = boundPart;
  return matchProfile(profile, steps, {}).matches.at(0).misjudged;
}

TEST(ProfileAlignment, ABoundIsMisjudgedByEvidenceOrByAQuarter) {
  EXPECT_EQ(judged("compute", Evidence::Data), Misjudged::WaitsForData);
  EXPECT_EQ(judged("dram", Evidence::Data), Misjudged::No);
  EXPECT_EQ(judged("dram", Evidence::Compute), Misjudged::Computes);
  EXPECT_EQ(judged("noc", Evidence::Compute), Misjudged::Computes);
  EXPECT_EQ(judged("compute", Evidence::Compute), Misjudged::No);
  EXPECT_EQ(judged("compute", Evidence::None, 125), Misjudged::No);
  EXPECT_EQ(judged("compute", Evidence::None, 126), Misjudged::Shorter);
  EXPECT_EQ(judged("fixed", Evidence::None, 500), Misjudged::No);
}

// A class begins with its least ratio and ends before the next one's: every op counts in one.
TEST(ProfileAlignment, EveryOpIsInOneClassOfErrors) {
  for (const int64_t measured : {49, 50, 51, 80, 100, 109, 110, 111, 125, 150, 199, 200, 201, 5000}) {
    Profile profile;
    profile.programs = {program(kAdd)};
    profile.programs[0].nanoseconds = measured;
    const std::vector<ProfiledStep> steps = {stepOf(kAdd)};
    const ProfileComparison found = matchProfile(profile, steps, {});
    int64_t counted = 0;
    for (const ErrorClass& one : found.errors) {
      counted += one.ops;
      if (one.ops == 0) continue;
      EXPECT_TRUE(one.from <= 10 * measured && 10 * measured < one.to) << measured;
    }
    EXPECT_EQ(counted, 1) << measured;
    EXPECT_EQ(comparisonText(profile, found, steps).find("times in a row"), std::string::npos);
  }
}

}  // namespace
}  // namespace tessera::test
