// What a profile and a run come to: quantiles, factors, sums, and how they are told. All figures by hand.

#include "core/profile/profile.h"
#include "tests/driver/driver_testing.h"

namespace tessera::test {
namespace {

ProfiledProgram addFor(int64_t nanoseconds) {
  ProfiledProgram out;
  out.kind = OpKind::TtnnAdd;
  out.name = "BinaryNgDeviceOperation";
  out.shape = {64, 64};
  out.memory = "dram interleaved";
  out.nanoseconds = nanoseconds;
  return out;
}
ProfiledStep addStep(int64_t total) {
  ProfiledStep out;
  out.name = "%sum";
  out.kind = OpKind::TtnnAdd;
  out.shape = {64, 64};
  out.memory = "dram interleaved";
  out.total = total;
  return out;
}
Profile profileOf(const std::vector<int64_t>& times) {
  Profile profile;
  for (int64_t time : times) profile.programs.push_back(addFor(time));
  return profile;
}
// As many sums, each predicted with 100 ns.
ProfileComparison compared(const std::vector<int64_t>& times, const TimeFactors& inUse = {}) {
  const std::vector<ProfiledStep> steps(times.size(), addStep(100));
  return matchProfile(profileOf(times), steps, inUse);
}

constexpr auto kBinaryFamily = static_cast<size_t>(Family::EltwiseBinary),
               kSoftmaxFamily = static_cast<size_t>(Family::Softmax);

// |100 - m| / m of 100, 110, ... 200: 0, 90, 166, 230, 285, 333, 375, 411, 444, 473, 500 thousandths.
TEST(ProfileFigures, QuantilesOfElevenOps) {
  const ProfileComparison found = compared({200, 100, 190, 110, 180, 120, 170, 130, 160, 140, 150});
  EXPECT_EQ(found.medianErrorPermille, 333);
  EXPECT_EQ(found.p90ErrorPermille, 473) << "the second largest of eleven";
  ASSERT_EQ(found.families.size(), 1u);
  EXPECT_EQ(found.families[0].family, Family::EltwiseBinary);
  EXPECT_EQ(found.families[0].ops, 11);
  EXPECT_EQ(found.families[0].permille, 1500) << "the median of 1.0 to 2.0";
  EXPECT_EQ(found.families[0].measured, 1650);
  EXPECT_EQ(found.families[0].predicted, 1100);
  EXPECT_EQ(found.measured, 1650);
  EXPECT_EQ(found.predicted, 1100);
  EXPECT_EQ(found.time, 1100);
  EXPECT_EQ(found.calibratedTime, 1650) << "eleven times 150";
}

// Errors are parts of the measured time: half of the prediction is off by all of itself, the double by a half.
TEST(ProfileFigures, ErrorsAreOfTheMeasuredTime) {
  EXPECT_EQ(compared({50}).medianErrorPermille, 1000);
  EXPECT_EQ(compared({200}).medianErrorPermille, 500);
  EXPECT_EQ(compared({100}).medianErrorPermille, 0);
  EXPECT_EQ(compared({100, 200}).medianErrorPermille, 500) << "of two the larger";
  EXPECT_EQ(compared({}).medianErrorPermille, 0);
}

// A factor is at least a thousandth and at most a thousand, as the option takes it.
TEST(ProfileFigures, FactorsStayInTheRangeOfTheOption) {
  const auto factorOf = [](int64_t measured, int64_t predicted) {
    const std::vector<ProfiledStep> steps = {addStep(predicted)};
    return matchProfile(profileOf({measured}), steps, {}).families.at(0).permille;
  };
  EXPECT_EQ(factorOf(1, 1'000'000), 1);
  EXPECT_EQ(factorOf(5'000'000, 1'000), 1'000'000);
  EXPECT_EQ(factorOf(999'000, 1'000), 999'000);
}

// The step has twice the model's 50 ns; measured are 150. A family that was not measured keeps the factor it had.
TEST(ProfileFigures, FactorsInUseAreTakenOutFirst) {
  TimeFactors inUse{};
  inUse[kBinaryFamily] = 2000;
  inUse[kSoftmaxFamily] = 1500;
  std::vector<ProfiledStep> steps = {addStep(100), addStep(90)};
  steps[1].kind = OpKind::TtnnSoftmax;
  const ProfileComparison found = matchProfile(profileOf({150}), steps, inUse);
  EXPECT_EQ(found.calibration[kBinaryFamily], 3000);
  EXPECT_EQ(found.calibration[kSoftmaxFamily], 1500);
  EXPECT_EQ(found.time, 190);
  EXPECT_EQ(found.calibratedTime, 50 * 3 + 60 * 3 / 2);
  EXPECT_EQ(found.medianErrorPermille, 333) << "what is in use is judged: 100 for 150";
  EXPECT_EQ(found.unmatchedSteps, std::vector<size_t>{1});
}

TEST(ProfileFigures, AnotherShapeCountsInTheSumsAlone) {
  std::vector<ProfiledStep> steps = {addStep(100), addStep(70)};
  steps[1].shape = {32, 32};
  const ProfileComparison found = matchProfile(profileOf({100, 30}), steps, {});
  ASSERT_EQ(found.matches.size(), 2u);
  EXPECT_FALSE(found.matches[1].sameShape);
  EXPECT_EQ(found.measured, 130);
  EXPECT_EQ(found.predicted, 170);
  EXPECT_EQ(found.families.at(0).measured, 100);
  int64_t classified = 0;
  for (const ErrorClass& one : found.errors) classified += one.ops;
  EXPECT_EQ(classified, 1);
}

// Each class of slower ops has one of as much faster ones: 1/2 and 2, 2/3 and 3/2, 4/5 and 5/4, 10/11 and 11/10.
TEST(ProfileFigures, ClassesOfErrorsAreSymmetric) {
  const std::vector<ErrorClass> classes = compared({100}).errors;
  ASSERT_EQ(classes.size(), 9u);
  EXPECT_EQ(classes.front().from, 0);
  EXPECT_EQ(classes.back().to, INT64_MAX);
  for (size_t i = 0; i + 1 < classes.size(); ++i) EXPECT_EQ(classes[i].to, classes[i + 1].from);
  for (size_t i = 0; i < 4; ++i) {
    const int64_t faster = classes[i].to, slower = classes[8 - i].from;
    EXPECT_EQ((1'000'000 + slower / 2) / slower, faster);
  }
  EXPECT_EQ(classes[8].from, 2000);
  EXPECT_EQ(classes[4].ops, 1);
}

// Programs right before an op's own that prepare its operands are its, as far as no other op has them.
TEST(ProfileFigures, PartsBelongToTheOpAfterThem) {
  Profile profile = profileOf({1, 2, 4, 8, 16, 32});
  for (const size_t part : {0, 1, 3, 5}) {  // part part ADD part ADD part
    profile.programs[part].part = true;
    profile.programs[part].name = "HaloDeviceOperation";
  }
  const std::vector<ProfiledStep> steps(2, addStep(100));
  const ProfileComparison found = matchProfile(profile, steps, {});
  ASSERT_EQ(found.matches.size(), 2u);
  EXPECT_EQ(found.matches[0].programs, (std::vector<int32_t>{0, 1, 2}));
  EXPECT_EQ(found.matches[0].measured, 7);
  EXPECT_EQ(found.matches[1].programs, (std::vector<int32_t>{3, 4}));
  EXPECT_EQ(found.matches[1].measured, 24);
  EXPECT_EQ(found.unmatchedPrograms, std::vector<int32_t>{5}) << "nothing follows it";
  const std::string text = comparisonText(profile, found, steps);
  EXPECT_NE(text.find("measured 7 ns  predicted 100 ns  BinaryNgDeviceOperation"), std::string::npos) << text;
}

// Steps that take no time ran no program: they are neither matched nor missed. 67 million cells are a table too many.
TEST(ProfileFigures, WhatIsNotMatched) {
  const std::vector<ProfiledStep> views = {addStep(0), addStep(100), addStep(0)};
  const ProfileComparison found = matchProfile(profileOf({100}), views, {});
  ASSERT_EQ(found.matches.size(), 1u);
  EXPECT_EQ(found.matches[0].step, 1u);
  EXPECT_TRUE(found.unmatchedSteps.empty());
  const std::vector<ProfiledStep> many(8192, addStep(1));
  Profile profile = profileOf(std::vector<int64_t>(8192, 1));
  profile.programs[0].name = "other";
  EXPECT_NE(matchProfile(profile, many, {}).problem, "");
  EXPECT_TRUE(matchProfile(profile, many, {}).matches.empty());
}

// Of the lengths of a repetition the one nearest to the number of steps; of two as near the longer.
TEST(ProfileFigures, TheLengthOfARepetitionIsNearestToTheSteps) {
  const auto repeats = [](size_t programs, size_t count) {
    const std::vector<ProfiledStep> steps(count, addStep(100));
    return matchProfile(profileOf(std::vector<int64_t>(programs, 100)), steps, {}).repeats;
  };
  EXPECT_EQ(repeats(4, 3), 1);
  EXPECT_EQ(repeats(6, 2), 3);
  EXPECT_EQ(repeats(6, 1), 6);
  EXPECT_EQ(repeats(6, 5), 1);
  EXPECT_EQ(repeats(6, 4), 2);
  EXPECT_EQ(repeats(0, 4), 1);
}

TEST(ProfileFigures, FactorsOfOneAreNotTold) {
  TimeFactors factors{};
  EXPECT_EQ(calibrationText(factors), "");
  factors[kBinaryFamily] = 1000;
  EXPECT_EQ(calibrationText(factors), "");
  factors[kBinaryFamily] = 1001;
  factors[kSoftmaxFamily] = 25;
  const std::string text = calibrationText(factors);
  EXPECT_NE(text.find(std::string(familyName(Family::EltwiseBinary)) + "=1.001"), std::string::npos) << text;
  EXPECT_NE(text.find(std::string(familyName(Family::Softmax)) + "=0.025"), std::string::npos) << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), ','), 1);
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(ProfileFigures, TheTextTellsEveryFigure) {
  Profile profile = profileOf({200, 30, 110, 7});
  profile.otherRows = 5;
  profile.programs[3].kind = OpKind::Opaque;
  profile.programs[3].name = "Strange";
  profile.programs[3].cores = 12;
  profile.programs[3].line = 9;
  std::vector<ProfiledStep> steps = {addStep(100), addStep(70), addStep(100), addStep(60)};
  steps[1].shape = {32, 32};
  steps[2].memory = "l1 block_sharded";
  steps[3].kind = OpKind::TtnnSoftmax;
  steps[3].name = "%soft";
  const ProfileComparison found = matchProfile(profile, steps, {});
  const std::string text = comparisonText(profile, found, steps);
  EXPECT_TRUE(holds(text, "%sum  measured 200 ns  predicted 100 ns  BinaryNgDeviceOperation\n")) << text;
  EXPECT_TRUE(holds(text, "measured 30 ns  predicted 70 ns  BinaryNgDeviceOperation  other shape\n")) << text;
  EXPECT_TRUE(holds(text, "measured 110 ns  predicted 100 ns  BinaryNgDeviceOperation  other memory\n")) << text;
  EXPECT_TRUE(holds(text, "not in the run: 7 ns  Strange  64x64  dram interleaved  12 cores  line 9\n")) << text;
  EXPECT_TRUE(holds(text, "not in the profile: %soft\n")) << text;
  EXPECT_TRUE(holds(text, "measured / predicted from 1.100 to 1.250: 1 ops\n")) << text;
  EXPECT_TRUE(holds(text, "measured / predicted from 2.000: 1 ops\n")) << text;
  EXPECT_TRUE(holds(text, "factor 2.000  ")) << "the larger of 1.1 and 2.0";
  // 10 of 110 are 90 thousandths, 100 of 200 half; the larger of two stands for both quantiles. 2 * 340 - 60: softmax
  // keeps its time.
  EXPECT_TRUE(holds(text,
                    "--  matched 3  measured 340 ns  predicted 270 ns  median error 0.500  p90 0.500  "
                    "run 330 ns, with the factors 600 ns\n"))
      << text;
  EXPECT_EQ(profile.time(), 347);
  EXPECT_TRUE(holds(profileText(profile), "--  4 programs  347 ns  5 other rows\n"));
  // Quantiles that differ are told apart.
  const ProfileComparison eleven = compared({100, 110, 120, 130, 140, 150, 160, 170, 180, 190, 200});
  const std::vector<ProfiledStep> sums(11, addStep(100));
  EXPECT_TRUE(
      holds(comparisonText(profileOf(std::vector<int64_t>(11, 1)), eleven, sums), "median error 0.333  p90 0.473  "));
}

TEST(ProfileFigures, TheTextSaysWhyABoundIsMisjudged) {
  const auto told = [](const std::string& bound, Evidence evidence, int64_t boundPart) {
    Profile profile = profileOf({100});
    profile.programs[0].evidence = evidence;
    std::vector<ProfiledStep> steps = {addStep(200)};
    steps[0].bound = bound;
    steps[0].boundPart = boundPart;
    const std::string text = comparisonText(profile, matchProfile(profile, steps, {}), steps);
    const size_t at = text.find("Operation");
    return text.substr(at + 9, text.find('\n') - at - 9);
  };
  EXPECT_EQ(told("dram", Evidence::None, 100), "");
  EXPECT_EQ(told("compute", Evidence::Data, 100), "  not bound by compute: it waits for data");
  EXPECT_EQ(told("dram", Evidence::Compute, 100), "  not bound by DRAM: it computes");
  EXPECT_EQ(told("noc", Evidence::Compute, 100), "  not bound by the NoC: it computes");
  EXPECT_EQ(told("compute", Evidence::None, 180), "  not bound as predicted: it is shorter than that part alone");
}

TEST(ProfileFigures, TheJsonHasEveryFigureInItsPlace) {
  const std::vector<int64_t> times = {100, 110, 120, 130, 140, 150, 160, 170, 180, 190, 200};
  const std::vector<ProfiledStep> steps(times.size(), addStep(100));
  Profile profile = profileOf(times);
  profile.programs[1].evidence = Evidence::Data;
  profile.programs[2].evidence = Evidence::Compute;
  profile.programs[3].part = true;  // and so not matched by itself
  const ProfileComparison found = matchProfile(profile, steps, {});
  const Json json(profileJson(profile, &found, steps));
  EXPECT_EQ(json["time"].asInteger(), 1650);
  EXPECT_EQ(json["programs"].at(1).get("evidence").asString(), "data");
  EXPECT_EQ(json["programs"].at(2).get("evidence").asString(), "compute");
  EXPECT_EQ(json["programs"].at(3).get("part").asBool(), true);
  EXPECT_EQ(json["programs"].at(4).get("part").asBool(), false);
  const JsonValue comparison = json["comparison"];
  // Ten matches, one of 130 + 140. Errors: 0, 90, 166, 333, 375, 411, 444, 473, 500, 629.
  EXPECT_EQ(comparison.get("matches").size(), 10u);
  EXPECT_EQ(comparison.get("medianError").asNumber(), 0.411);
  EXPECT_EQ(comparison.get("p90Error").asNumber(), 0.5);
  EXPECT_EQ(comparison.get("measured").asInteger(), 1650);
  EXPECT_EQ(comparison.get("predicted").asInteger(), 1000);
  EXPECT_EQ(comparison.get("time").asInteger(), 1100);
  const JsonValue family = comparison.get("families").at(0);
  EXPECT_EQ(family.get("factor").asNumber(), 1.7) << "of 1.0 1.1 1.2 1.5 1.6 1.7 1.8 1.9 2.0 2.7 the upper middle";
  EXPECT_EQ(family.get("ops").asInteger(), 10);
  EXPECT_EQ(family.get("measured").asInteger(), 1650);
  EXPECT_EQ(family.get("predicted").asInteger(), 1000);
  EXPECT_EQ(comparison.get("calibratedTime").asInteger(), 1870) << "eleven times 170";
  EXPECT_EQ(comparison.get("unmatchedRows").size(), 1u);
}

// Steps are named by their rows of the run, programs by their place in the profile.
TEST(ProfileFigures, TheJsonNamesRowsOfTheRun) {
  std::vector<ProfiledStep> steps = {addStep(100), addStep(100), addStep(70), addStep(60)};
  for (size_t i = 0; i < steps.size(); ++i) steps[i].row = 10 + 7 * static_cast<int32_t>(i);
  steps[0].kind = steps[3].kind = OpKind::TtnnSoftmax;
  Profile profile = profileOf({5, 90, 80, 7});
  profile.programs[0].kind = OpKind::Opaque;
  profile.programs[1].part = true;
  profile.programs[1].line = 4;
  profile.otherRows = 3;
  profile.programs[2].shape = {64, 32};
  const ProfileComparison found = matchProfile(profile, steps, {});
  const Json json(profileJson(profile, &found, steps));
  const auto numbers = [](JsonValue list) {
    std::string text;
    for (size_t i = 0; i < list.size(); ++i) text += std::to_string(list.at(i).asInteger().value_or(-1)) + " ";
    return text;
  };
  EXPECT_EQ(json["otherRows"].asInteger(), 3);
  EXPECT_EQ(json["problem"].asString(), "");
  EXPECT_EQ(json["programs"].at(1).get("line").asInteger(), 4);
  EXPECT_EQ(json["programs"].at(0).get("op").asString(), "");
  EXPECT_EQ(json["programs"].at(2).get("op").asString(), "ttnn.add");
  EXPECT_EQ(json["programs"].at(2).get("shape").asString(), "64x32");
  const JsonValue comparison = json["comparison"], matches = comparison.get("matches");
  EXPECT_EQ(numbers(comparison.get("unmatchedRows")), "10 31 ");
  EXPECT_EQ(numbers(comparison.get("unmatchedPrograms")), "0 ");
  ASSERT_EQ(matches.size(), 2u);
  EXPECT_EQ(matches.at(0).get("row").asInteger(), 17);
  EXPECT_EQ(numbers(matches.at(0).get("programs")), "1 2 ");
  EXPECT_EQ(matches.at(0).get("measured").asInteger(), 170);
  EXPECT_EQ(matches.at(0).get("predicted").asInteger(), 100);
  EXPECT_EQ(matches.at(0).get("sameShape").asBool(), false);
  EXPECT_EQ(matches.at(0).get("sameMemory").asBool(), true);
  EXPECT_EQ(matches.at(1).get("row").asInteger(), 24);
  EXPECT_EQ(matches.at(1).get("predicted").asInteger(), 70);
  EXPECT_EQ(matches.at(1).get("sameShape").asBool(), true);
}

}  // namespace
}  // namespace tessera::test
