// Two studies side by side: from what change on a run counts as better or worse, and what is said of it.

#include "core/batch/against.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/report/run_row.h"

namespace tessera::test {
namespace {

std::string studyWith(int64_t time, int64_t failures = 0, int64_t defects = 0, const std::string& hash = "h",
                      const std::string& policy = "P") {
  RunRow row;
  row.time = time;
  row.failures = failures;
  row.defects = defects;
  JsonWriter w;
  writeRunRow(w, row);
  return R"({"schema":1,"arguments":{"axes":[]},"graphs":[{"name":"a","hash":")" + hash + R"("}],"runs":[)" +
         R"({"graph":"a","device":"d","values":[],"policy":")" + policy + R"(","status":"done","row":)" + w.take() +
         "}]}";
}

StudyDifference compared(const std::string& before, const std::string& after, int64_t ppm) {
  StudyDifference out = compareStudies("old", before, "new", after, ppm);
  EXPECT_EQ(out.problem, "");
  return out;
}

// One hundredth of 1000 ns are 10 ns: up to there a change is none.
TEST(Against, AChangeCountsBeyondTheThreshold) {
  constexpr int64_t kHundredth = 10'000;
  for (int64_t time : {990, 1000, 1010})
    EXPECT_EQ(compared(studyWith(1000), studyWith(time), kHundredth).text,
              "0 worse, 0 better, 1 as before, 0 new, 0 gone\n");
  const StudyDifference worse = compared(studyWith(1000), studyWith(1011), kHundredth);
  EXPECT_EQ(worse.worse, 1u);
  EXPECT_EQ(worse.better, 0u);
  EXPECT_EQ(worse.text,
            "worse   P  a d: 1000 ns before, 1011 ns now (+1.1 %)\n1 worse, 0 better, 0 as before, 0 new, 0 gone\n");
  const StudyDifference better = compared(studyWith(1000), studyWith(989), kHundredth);
  EXPECT_EQ(better.worse, 0u);
  EXPECT_EQ(better.better, 1u);
  EXPECT_EQ(better.text,
            "better  P  a d: 1000 ns before, 989 ns now (-1.1 %)\n0 worse, 1 better, 0 as before, 0 new, 0 gone\n");
  EXPECT_EQ(compared(studyWith(1000), studyWith(1001), 0).worse, 1u);
}

// Runs that only one of the two has are neither better nor worse.
TEST(Against, RunsComeAndGo) {
  const auto withPolicies = [](const std::vector<std::string>& policies) {
    std::string all = studyWith(1000, 0, 0, "h", policies.at(0));
    for (size_t i = 1; i < policies.size(); ++i) {
      const std::string one = studyWith(1000, 0, 0, "h", policies[i]);
      const size_t from = one.find(R"({"graph":)");
      all.insert(all.size() - 2, "," + one.substr(from, one.size() - 2 - from));
    }
    return all;
  };
  const std::string few = withPolicies({"P"}), many = withPolicies({"P", "Q", "R"});
  EXPECT_EQ(compared(few, many, 0).text, "0 worse, 0 better, 1 as before, 2 new, 0 gone\n");
  EXPECT_EQ(compared(many, few, 0).text, "0 worse, 0 better, 1 as before, 0 new, 2 gone\n");
}

// A change too small for the digits has a direction all the same.
TEST(Against, SmallChangesAreMoreOrLess) {
  const auto said = [](int64_t before, int64_t after) {
    const std::string text = compared(studyWith(before), studyWith(after), 0).text;
    const size_t open = text.find('(');
    return text.substr(open, text.find(')') + 1 - open);
  };
  EXPECT_EQ(said(100'000, 99'901), "(<0.1 % less)");
  EXPECT_EQ(said(100'000, 100'099), "(<0.1 % more)");
  EXPECT_EQ(said(100'000, 99'900), "(-0.1 %)");
  EXPECT_EQ(said(100'000, 100'100), "(+0.1 %)");
  EXPECT_EQ(said(100'000, 99'500), "(-0.5 %)");
}

TEST(Against, FailuresAndDefectsOutweighTime) {
  EXPECT_EQ(compared(studyWith(1000), studyWith(10, 1), 0).worse, 1u);
  EXPECT_EQ(compared(studyWith(1000), studyWith(10, 0, 1), 0).worse, 1u);
  EXPECT_EQ(compared(studyWith(1000, 2), studyWith(9000), 0).better, 1u);
  EXPECT_EQ(compared(studyWith(1000, 2, 3), studyWith(1000), 0).text,
            "better  P  a d: 2 failures, 3 defects before, sound now\n0 worse, 1 better, 0 as before, 0 new, 0 gone\n");
}

// A run without figures is known by its status, and one without time has nothing to be a part of.
TEST(Against, WhatHasNoFiguresIsKnownByItsStatus) {
  const std::string crashed = R"({"schema":1,"arguments":{"axes":[]},"graphs":[],"runs":[)"
                              R"({"graph":"a","device":"d","values":[],"policy":"P","status":"crashed"}]})";
  EXPECT_EQ(compared(crashed, studyWith(1000), 0).text,
            "better  P  a d: crashed before, sound now\n0 worse, 1 better, 0 as before, 0 new, 0 gone\n");
  EXPECT_EQ(compared(studyWith(1000), crashed, 0).text,
            "worse   P  a d: sound before, crashed now\n1 worse, 0 better, 0 as before, 0 new, 0 gone\n");
  EXPECT_EQ(compared(crashed, studyWith(1000, 1), 0).text, "0 worse, 0 better, 1 as before, 0 new, 0 gone\n");
  EXPECT_EQ(compared(studyWith(0), studyWith(7), 0).text,
            "worse   P  a d: 0 ns before, 7 ns now\n1 worse, 0 better, 0 as before, 0 new, 0 gone\n");
  EXPECT_EQ(compareStudies("old", crashed, "new", "{", 0).problem, "`new` is no study of version 1");
  std::string later = crashed;
  later.replace(later.find(":1"), 2, ":2");
  EXPECT_EQ(compareStudies("old", later, "new", crashed, 0).problem, "`old` is no study of version 1");
}

TEST(Against, RunsOfOneStudyAloneAreNewOrGone) {
  EXPECT_EQ(compared(studyWith(1000), studyWith(1000, 0, 0, "h", "Q"), 0).text,
            "0 worse, 0 better, 0 as before, 1 new, 1 gone\n");
  EXPECT_EQ(compared(studyWith(1000), studyWith(1000, 0, 0, "other"), 0).text,
            "graph a is another text now\n0 worse, 0 better, 1 as before, 0 new, 0 gone\n");
}

// Options are known by their names, in whatever order a study goes through them.
TEST(Against, TheOrderOfOptionsDoesNotMatter) {
  RunRow row;
  row.time = 1000;
  JsonWriter w;
  writeRunRow(w, row);
  const std::string figures = w.take();
  const auto study = [&](const std::string& axes, const std::string& values) {
    return R"({"schema":1,"arguments":{"axes":[)" + axes + R"(]},"graphs":[],"runs":[{"graph":"a","device":"d",)" +
           R"("values":[)" + values + R"(],"policy":"P","status":"ran","row":)" + figures + "}]}";
  };
  const std::string one = study(R"({"option":"x","values":[]},{"option":"b","values":[]})", R"("1","2")"),
                    other = study(R"({"option":"b","values":[]},{"option":"x","values":[]})", R"("2","1")"),
                    swapped = study(R"({"option":"b","values":[]},{"option":"x","values":[]})", R"("1","2")");
  EXPECT_EQ(compared(one, other, 0).text, "0 worse, 0 better, 1 as before, 0 new, 0 gone\n");
  EXPECT_EQ(compared(one, swapped, 0).text, "0 worse, 0 better, 0 as before, 1 new, 1 gone\n");
}

}  // namespace
}  // namespace tessera::test
