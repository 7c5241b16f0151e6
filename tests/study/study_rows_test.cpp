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

}  // namespace
}  // namespace tessera::test
