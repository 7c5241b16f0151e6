// Rows of a study by hand: ratios, bounds and what the summary makes of them.

#include "core/study/study_rows.h"

#include "tests/study/study_testing.h"

namespace tessera::test {
namespace {

// Two graphs under Greedy and DRAM: runs 0 and 1 of the first, 2 and 3 of the second.
Study twoByTwo() {
  StudyArguments arguments;
  arguments.policies = {"Greedy", "DRAM"};
  arguments.optimum = false;
  return makeStudy(arguments, {{"g", "", "1", 10, 2}, {"h", "", "2", 10, 2}}, {"1", "b"}, {});
}

StudyRow rowOf(const Study& study, size_t run, int64_t time, int64_t headroom, std::optional<KeptBound> bound) {
  StudyRow row;
  row.run = &study.runs.at(run);
  RunRow figures;
  figures.time = time;
  figures.headroom = headroom;
  figures.memory = 1;
  row.kept.row = figures;
  row.bound = bound;
  return row;
}

class StudyRows : public StudyTest {
 protected:
  static std::vector<std::string> lastFour(const std::string& line) {
    const std::vector<std::string> all = fields(line);
    return {all.end() - 4, all.end()};
  }
  static std::vector<std::string> endOf(const Study& study, const StudyRow& row) {
    return lastFour(lines(runsCsv(study, {row})).at(1));
  }
};

using Four = std::vector<std::string>;

TEST_F(StudyRows, BoundsStandUnderTheirNames) {
  const Study study = twoByTwo();
  ASSERT_EQ(study.mistake, "");
  EXPECT_EQ(lastFour(lines(runsCsv(study, {})).at(0)), (Four{"exactTime", "lowerBound", "proven", "ratio"}));
  EXPECT_EQ(endOf(study, rowOf(study, 0, 1500, 0, KeptBound{1200, 1000, false})),
            (Four{"1200", "1000", "0", "1.500000"}));
  EXPECT_EQ(endOf(study, rowOf(study, 0, 1000, 0, KeptBound{1000, 1000, true})),
            (Four{"1000", "1000", "1", "1.000000"}));
  EXPECT_EQ(endOf(study, rowOf(study, 0, 1000, 0, KeptBound{1000, 3, false})), (Four{"1000", "3", "0", "333.333334"}))
      << "rounded up";
  EXPECT_EQ(rowOf(study, 0, 1000, 0, KeptBound{1000, 0, false}).ratio(), std::nullopt);
  EXPECT_EQ(rowOf(study, 0, 1000, 0, std::nullopt).ratio(), std::nullopt);
}

TEST_F(StudyRows, TheJsonHasTheBoundOfItsGroup) {
  const Study study = twoByTwo();
  const Json json(studyJson(
      study, {rowOf(study, 0, 1500, 0, KeptBound{1200, 1000, false}), rowOf(study, 3, 1500, 0, std::nullopt)}));
  const JsonValue bounded = json["runs"].at(0), other = json["runs"].at(1);
  EXPECT_EQ(bounded.get("graph").asString(), "g");
  EXPECT_EQ(bounded.get("policy").asString(), "Greedy");
  EXPECT_EQ(bounded.get("exact").get("time").asInteger(), 1200);
  EXPECT_EQ(bounded.get("exact").get("lowerBound").asInteger(), 1000);
  EXPECT_EQ(bounded.get("exact").get("proven").asBool(), false);
  EXPECT_EQ(bounded.get("ratio").asNumber(), 1.5);
  EXPECT_EQ(other.get("graph").asString(), "h");
  EXPECT_EQ(other.get("policy").asString(), "DRAM");
  EXPECT_EQ(other.get("exact").kind(), JsonKind::Null);
  EXPECT_EQ(other.get("ratio").kind(), JsonKind::Null);
}

TEST_F(StudyRows, TheSummaryCountsRunsOfItsPolicyThatRan) {
  const Study study = twoByTwo();
  StudyRow failed;
  failed.run = &study.runs.at(3);
  failed.kept.status = RunStatus::Crashed;
  const std::vector<StudyRow> rows = {rowOf(study, 0, 2000, 300, KeptBound{1000, 1000, true}),
                                      rowOf(study, 1, 1000, 500, KeptBound{1000, 1000, true}),
                                      rowOf(study, 2, 8000, 101, KeptBound{1000, 1000, true}), failed};
  const std::vector<PolicySummary> sums = summarize(study, rows);
  ASSERT_EQ(sums.size(), 2u);
  EXPECT_EQ(sums[0].policy, "Greedy");
  EXPECT_EQ(sums[0].runs, 2);
  EXPECT_EQ(sums[0].failed, 0);
  EXPECT_EQ(sums[0].bounded, 2);
  EXPECT_NEAR(sums[0].meanRatio, 4, 1e-9) << "the root of 2 * 8";
  EXPECT_NEAR(sums[0].worstRatio, 8, 1e-9);
  EXPECT_NEAR(summarize(study, {rows[2], rows[0]})[0].worstRatio, 8, 1e-9) << "whichever comes last";
  EXPECT_EQ(sums[0].atBound, 0);
  EXPECT_EQ(sums[0].leastHeadroom, 101);
  EXPECT_EQ(sums[0].meanHeadroom, 200);
  EXPECT_EQ(sums[0].losses[static_cast<size_t>(LossCause::Memory)], 2);
  EXPECT_EQ(sums[0].losses[static_cast<size_t>(LossCause::Fork)], 0);
  EXPECT_EQ(sums[1].runs, 2);
  EXPECT_EQ(sums[1].failed, 1);
  EXPECT_EQ(sums[1].atBound, 1);
  EXPECT_EQ(sums[1].meanHeadroom, 500);
  const std::vector<PolicySummary> none = summarize(study, {failed});
  EXPECT_EQ(none[1].leastHeadroom, 0);
  EXPECT_EQ(none[1].meanHeadroom, 0);
}

TEST_F(StudyRows, NumbersUpToTheLimitAreRead) {
  auto mistakeOf = [](const std::string& shard) {
    return readStudy("s", R"({"schema":1,"program":{"version":"1","build":"b"},"shard":)" + shard +
                              R"(,"arguments":{},"graphs":[],"runs":[]})")
        .mistake;
  };
  const std::string noNumber = "`s`: lacks a number where one has to be";
  EXPECT_NE(mistakeOf(R"({"part":100000,"of":100000})"), noNumber);
  EXPECT_NE(mistakeOf(R"({"part":1,"of":1})"), noNumber);
  EXPECT_EQ(mistakeOf(R"({"part":1,"of":100001})"), noNumber);
  EXPECT_EQ(mistakeOf(R"({"part":0,"of":1})"), noNumber);
  EXPECT_EQ(mistakeOf(R"({"part":3,"of":2})"), "`s`: has a shard that is none");
}

// A run that failed counts as one of its policy and as nothing else, wherever it stands.
TEST_F(StudyRows, TheSummaryGoesOnBehindAFailure) {
  const Study study = twoByTwo();
  StudyRow failed;
  failed.run = &study.runs.at(0);
  failed.kept.status = RunStatus::Crashed;
  const std::vector<PolicySummary> sums =
      summarize(study, {failed, rowOf(study, 2, 3000, 400, KeptBound{1000, 1000, true}), rowOf(study, 3, 5, 7, {})});
  EXPECT_EQ(sums[0].runs, 2);
  EXPECT_EQ(sums[0].failed, 1);
  EXPECT_EQ(sums[0].bounded, 1);
  EXPECT_NEAR(sums[0].meanRatio, 3, 1e-9);
  EXPECT_EQ(sums[0].leastHeadroom, 400);
  EXPECT_EQ(sums[1].bounded, 0);
  EXPECT_EQ(sums[1].leastHeadroom, 7);
  EXPECT_EQ(
      summaryText(study, {failed, rowOf(study, 2, 3000, 400, KeptBound{1000, 1000, true}), rowOf(study, 3, 5, 7, {})}),
      "policy                runs  failed  ratio to bound: mean   worst  at bound  mean headroom\n"
      "Greedy                   2       1                3.000   3.000         0           40 %\n"
      "DRAM                     1       0                    -       -         0            0 %\n");
}

TEST_F(StudyRows, TheJsonHasTheArgumentsOfTheStudy) {
  StudyArguments arguments;
  arguments.policies = {"Greedy"};
  arguments.devices = {"p150", "n150"};
  arguments.axes = {{"tensor-l1-usage-cap", {"0.5", "1"}}};
  arguments.options = {{"max-legal-layouts", {"8"}}};
  arguments.optimum = false;
  arguments.alone = true;
  arguments.milliseconds = 1500;
  arguments.memoryBytes = int64_t{3} << 20;
  const Study study = makeStudy(arguments, {{"g", "", "1", 10, 2}}, {"1", "b"}, {2, 3});
  ASSERT_EQ(study.mistake, "");
  Diagnostics diags;
  const SourceBuffer source("study", studyJson(study, {}));
  const JsonDocument document = JsonDocument::parse(source, diags);
  const JsonValue root = document.root(), given = root.get("arguments");
  EXPECT_EQ(root.get("program").get("version").asString(), "1");
  EXPECT_EQ(root.get("program").get("build").asString(), "b");
  EXPECT_EQ(root.get("shard").get("part").asInteger(), 2);
  EXPECT_EQ(root.get("shard").get("of").asInteger(), 3);
  EXPECT_EQ(given.get("policies").at(0).asString(), "Greedy");
  EXPECT_EQ(given.get("devices").at(1).asString(), "n150");
  EXPECT_EQ(given.get("optimum").asBool(), false);
  EXPECT_EQ(given.get("alone").asBool(), true);
  EXPECT_EQ(given.get("timeLimit").asInteger(), 1500);
  EXPECT_EQ(given.get("memoryLimit").asInteger(), 3145728);
  for (const auto& [key, option, value] :
       {std::tuple{"axes", "tensor-l1-usage-cap", "0.5"}, std::tuple{"options", "max-legal-layouts", "8"}}) {
    const JsonValue list = given.get(key);
    ASSERT_EQ(list.size(), 1u) << key;
    EXPECT_EQ(list.at(0).get("option").asString(), option);
    EXPECT_EQ(list.at(0).get("values").at(0).asString(), value);
  }
}

// A plan that the graph carries is no solution of the problem that the bound is of.
TEST_F(StudyRows, WhatIsAsWrittenHasNoRatio) {
  StudyArguments arguments;
  arguments.policies = {"AsWritten", "Greedy"};
  arguments.optimum = false;
  const Study study = makeStudy(arguments, {{"g", "", "1", 10, 2}}, {"1", "b"}, {});
  ASSERT_EQ(study.mistake, "");
  for (size_t i = 0; i < study.runs.size(); ++i) {
    const StudyRow row = rowOf(study, i, 1500, 0, KeptBound{1000, 1000, true});
    EXPECT_EQ(row.ratio().has_value(), study.runs[i].policy == "Greedy") << study.runs[i].policy;
  }
}

}  // namespace
}  // namespace tessera::test
