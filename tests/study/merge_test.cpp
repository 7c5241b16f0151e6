// Parts of a study put together, and a study beside an older one.

#include "core/batch/merge.h"

#include "core/batch/against.h"
#include "tests/study/study_testing.h"

namespace tessera::test {
namespace {

std::vector<std::string> callFor(const std::string& graphs, const std::string& out, const std::string& shard) {
  std::vector<std::string> call = {graphs, "--policies", "Greedy,Beam", "--set", "tensor-l1-usage-cap=0.5,1", "--ops",
                                   "-o",   out};
  if (!shard.empty()) call.insert(call.end(), {"--shard", shard});
  return call;
}

// What deciding took is measured anew by every study.
std::string withoutCosts(const std::string& page) {
  const std::string mark = "id=\"study-costs\">[";
  const size_t from = page.find(mark);
  EXPECT_NE(from, std::string::npos);
  return page.substr(0, from) + page.substr(page.find(']', from));
}

TEST_F(StudyTest, MergedPartsAreTheWholeToTheByte) {
  for (const char* name : {"diamond", "late_spill", "eltwise_chain"}) copyCase(name);
  write("graphs/broken.mlir", "nonsense");
  ASSERT_EQ(study(callFor(at("graphs"), at("whole"), "")).code, kExitFine);
  for (const char* part : {"1", "2", "3"}) {
    Outcome outcome = study(callFor(at("graphs"), at(std::string("part") + part), std::string(part) + "/3"));
    ASSERT_EQ(outcome.code, kExitFine) << outcome.err;
    EXPECT_LT(read(std::string("part") + part + "/runs.csv").size(), read("whole/runs.csv").size());
  }
  Outcome merged = study({"merge", at("part2"), at("part1"), at("part3"), "-o", at("merged")});
  ASSERT_EQ(merged.code, kExitFine) << merged.err;
  for (const char* file : {"runs.csv", "study.json", "spills.csv", "ops.csv"})
    EXPECT_EQ(read(std::string("merged/") + file), read(std::string("whole/") + file)) << file;
  EXPECT_EQ(withoutCosts(read("merged/study.html")), withoutCosts(read("whole/study.html")));
  Outcome again = study(callFor(at("graphs"), at("merged"), ""));
  EXPECT_NE(again.err.find("24 of 24 runs are kept"), std::string::npos) << again.err;
}

TEST_F(StudyTest, PartsThatDoNotBelongTogetherAreRefused) {
  for (const char* name : {"diamond", "late_spill"}) copyCase(name);
  const std::vector<std::string> base = {at("graphs"), "--policies", "Greedy", "--no-optimum"};
  auto make = [&](const std::string& out, std::vector<std::string> more) {
    std::vector<std::string> call = base;
    call.insert(call.end(), {"-o", at(out)});
    call.insert(call.end(), more.begin(), more.end());
    ASSERT_EQ(study(call).code, kExitFine);
  };
  make("a", {"--shard", "1/2"});
  make("b", {"--shard", "2/2"});
  make("capped", {"--shard", "2/2", "--tensor-l1-usage-cap", "0.5"});
  make("third", {"--shard", "2/3"});
  write("graphs/diamond.mlir", read("graphs/diamond.mlir") + "\n");
  make("later", {"--shard", "2/2"});
  write("c/study.json", "{\"schema\": 1, \"runs\": []}");
  write("d/study.json", "[");
  std::string changed = read("b/study.json");
  changed.replace(changed.find("\"build\":\"") + 9, 4, "0000");
  write("e/study.json", changed);
  std::string more = read("b/study.json");
  more.replace(more.find("\"key\":\"") + 7, 4, "0000");
  write("f/study.json", more);
  struct Wrong {
    std::vector<std::string> parts;
    const char* message;
  };
  const Wrong kWrong[] = {
      {{"a"}, "part 2/2 is missing"},
      {{"a", "a"}, "are both part 1/2"},
      {{"a", "capped"}, "have different arguments"},
      {{"a", "third"}, "are of different numbers of parts"},
      {{"a", "later"}, "have different graphs: `diamond` and `diamond`"},
      {{"a", "gone"}, "is it the folder of a finished part?"},
      {{"a", "c"}, "has no arguments"},
      {{"a", "d"}, "is no JSON"},
      {{"a", "e"}, "another version of the program"},
      {{"a", "f"}, "another version of the program"},
  };
  for (const Wrong& wrong : kWrong) {
    std::vector<std::string> call = {"merge", "-o", at("merged")};
    for (const std::string& part : wrong.parts) call.push_back(at(part));
    Outcome outcome = study(call);
    EXPECT_EQ(outcome.code, kExitDiagnostics) << wrong.message;
    EXPECT_NE(outcome.err.find(wrong.message), std::string::npos) << outcome.err;
  }
  // What was lost of a part is said.
  for (const auto& entry : fs::directory_iterator(folder_ / "b/kept")) fs::remove(entry.path());
  Outcome outcome = study({"merge", at("a"), at("b"), "-o", at("merged")});
  EXPECT_EQ(outcome.code, kExitDiagnostics);
  EXPECT_NE(outcome.err.find("kept in none of the parts"), std::string::npos) << outcome.err;
}

TEST_F(StudyTest, AgainstAnOlderStudySaysWhatChanged) {
  for (const char* name : {"diamond", "late_spill"}) copyCase(name);
  const std::vector<std::string> call = {at("graphs"), "--policies", "Greedy,DRAM", "-o", at("old")};
  ASSERT_EQ(study(call).code, kExitFine);
  Outcome same = study({"--against", at("old/study.json"), "-o", at("old"), "--fail"});
  EXPECT_EQ(same.code, kExitFine);
  EXPECT_EQ(same.out, "0 worse, 0 better, 4 as before, 0 new, 0 gone\n");
  // With a cap of L1 the same graphs take longer under the policy that uses it.
  std::vector<std::string> capped = {at("graphs"), "--policies", "Greedy,DRAM",        "--tensor-l1-usage-cap",
                                     "0",          "--against",  at("old/study.json"), "-o",
                                     at("new")};
  Outcome worse = study(capped);
  EXPECT_EQ(worse.code, kExitFine);
  EXPECT_NE(worse.out.find("worse   Greedy  diamond n150: "), std::string::npos) << worse.out;
  EXPECT_EQ(worse.out.find("worse   DRAM"), std::string::npos);
  EXPECT_NE(worse.out.find("0 better, 2 as before"), std::string::npos);
  capped.emplace_back("--fail");
  EXPECT_EQ(study(capped).code, kExitDiagnostics);
  Outcome lenient = study({"--against", at("old/study.json"), "-o", at("new"), "--fail", "--threshold", "100000"});
  EXPECT_EQ(lenient.code, kExitFine) << lenient.out;
  Outcome better = study({"--against", at("new/study.json"), "-o", at("old"), "--fail"});
  EXPECT_EQ(better.code, kExitFine);
  EXPECT_NE(better.out.find("better  Greedy  diamond n150: "), std::string::npos);
  write("none.json", "{}");
  EXPECT_EQ(study({"--against", at("none.json"), "-o", at("new")}).code, kExitUsage);
}

// Without --threshold a hundredth of the time is a change: of a run that took 0.5 % or 2 % less before.
TEST_F(StudyTest, AHundredthIsAChangeUnlessAnotherThresholdIsGiven) {
  copyCase("diamond");
  ASSERT_EQ(study({at("graphs"), "--policies", "DRAM", "-o", at("old")}).code, kExitFine);
  const std::string now = read("old/study.json");
  const size_t at0 = now.find("\"time\":", now.find("\"row\":")) + 7, end = now.find_first_not_of("0123456789", at0);
  const auto before = [&](int64_t permille) {
    const int64_t time = std::stoll(now.substr(at0, end - at0));
    ASSERT_GT(time, 1000);
    write("before.json", now.substr(0, at0) + std::to_string(time * permille / 1000) + now.substr(end));
  };
  const auto said = [&] { return study({"--against", at("before.json"), "-o", at("old")}).out; };
  before(995);
  EXPECT_EQ(said(), "0 worse, 0 better, 1 as before, 0 new, 0 gone\n");
  before(980);
  EXPECT_NE(said().find("1 worse, 0 better, 0 as before"), std::string::npos) << said();
}

TEST(Against, AFailureThatIsNewIsWorse) {
  const std::string before = R"({"schema":1,"arguments":{"axes":[]},"graphs":[],"runs":[)"
                             R"({"graph":"a","device":"d","values":[],"policy":"P","status":"crashed"}]})";
  std::string after = before;
  after.replace(after.find("crashed"), 7, "refused");
  EXPECT_EQ(compareStudies("old", before, "new", after, 0).worse, 0u);
  EXPECT_EQ(compareStudies("old", "{", "new", after, 0).problem, "`old` is no study of version 1");
}

// Costs of single ops are listed when all parts have them.
TEST_F(StudyTest, OpsAreMergedWhereEveryPartListsThem) {
  for (const char* name : {"diamond", "late_spill"}) copyCase(name);
  const auto make = [&](const std::string& out, const std::string& shard, bool ops) {
    std::vector<std::string> call = {at("graphs"), "--policies", "Greedy",  "--no-optimum",
                                     "-o",         at(out),      "--shard", shard};
    if (ops) call.emplace_back("--ops");
    ASSERT_EQ(study(call).code, kExitFine);
  };
  make("a", "1/2", true);
  make("b", "2/2", false);
  make("c", "2/2", true);
  const auto listed = [&](const std::string& first, const std::string& second) {
    const std::string out = "merged_" + first + second;
    EXPECT_EQ(study({"merge", at(first), at(second), "-o", at(out)}).code, kExitFine);
    return std::filesystem::exists(at(out + "/ops.csv"));
  };
  EXPECT_FALSE(listed("a", "b"));
  EXPECT_FALSE(listed("b", "a"));
  EXPECT_TRUE(listed("a", "c"));
  // What is kept there already stays as it is, whatever the parts say.
  const std::filesystem::path kept = at("merged_ac/kept");
  std::map<std::string, std::filesystem::file_time_type> before;
  for (const auto& file : std::filesystem::directory_iterator(kept)) {
    std::filesystem::last_write_time(file, file.last_write_time() - std::chrono::hours(1));
    before[file.path().string()] = file.last_write_time();
  }
  EXPECT_GT(before.size(), 0u);
  EXPECT_TRUE(listed("a", "c"));
  for (const auto& file : std::filesystem::directory_iterator(kept))
    EXPECT_EQ(file.last_write_time(), before[file.path().string()]) << file.path();
}

}  // namespace
}  // namespace tessera::test
