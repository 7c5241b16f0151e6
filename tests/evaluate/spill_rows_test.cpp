// Scenarios of spill management: every field of an op, every expectation, and what is said when one does not hold.

#include "tests/evaluate/eval_testing.h"

namespace tessera {
namespace {

// What is missed in a scenario of a budget of 1000 KiB; "" when all holds.
std::string missed(const std::string& ops, const std::string& expect, const std::string& more = "") {
  const EvalResult result = evalOf(evalSpill, R"({"scenarios":[{"name":"it","budget":1024000,"ops":[)" + ops + "]" +
                                                  more + R"(,"expect":{)" + expect + "}}]}");
  EXPECT_EQ(result.rows, 1);
  EXPECT_EQ(result.problem, "");
  EXPECT_EQ(result.agree, result.misses.empty() ? 1 : 0);
  if (result.misses.empty()) return "";
  EXPECT_EQ(result.misses[0].row, "it");
  return result.misses[0].text;
}

struct Expected {
  const char* expect;
  const char* missed;
};

// `a` takes 500 KiB, and the circular buffers of `b` reach it: it leaves L1 before its reader, nothing else does.
TEST(SpillRows, EveryExpectationOfAnEviction) {
  const std::string ops = R"({"name":"a","l1":512000},{"name":"b","l1":102400,"cb":308224},)"
                          R"({"name":"readA","inputs":["a"],"l1":1024})";
  const Expected cases[] = {
      {R"("evictions":["a"])", ""},
      {R"("evictions":[])", "evicts a"},
      {R"("evictions":["a","b"])", "evicts a"},
      {R"("evictions":["nobody","a"])", "names no op: nobody"},
      {R"("evictions":["nobody"])", "names no op: nobody; evicts a"},
      {R"("first_eviction":"a")", ""},
      {R"("first_eviction":"b")", "evicts a"},
      {R"("first_eviction":3)", "evicts a"},
      {R"("spilled":["a"])", ""},
      {R"("spilled":["a","b"])", "b is not spilled"},
      {R"("not_spilled":["b","readA"])", ""},
      {R"("not_spilled":["b","a"])", "a is spilled"},
      {R"("stays_l1":["b"])", ""},
      {R"("stays_l1":["b","a"])", "a leaves L1"},
      {R"("demoted":["a"])", "a is not demoted"},
      {R"("demotions":0)", ""},
      {R"("demotions":1)", "demotions is 0"},
      {R"("spills":1)", ""},
      {R"("spills":0)", "spills is 1"},
      {R"("eviction_count":1)", ""},
      {R"("eviction_count":2)", "eviction_count is 1"},
      {R"("eviction_count":"one")", "eviction_count is 1"},
      {R"("min_spills":0)", ""},
      {R"("min_spills":1)", ""},
      {R"("min_spills":2)", "min_spills is 1"},
      {R"("min_spills":"few")", "min_spills is 1"},
      {R"("fails":false)", ""},
      {R"("fails":true)", "does not fail"},
      {R"("diagnostic_contains":"x")", "says ``"},
      {R"("diagnostic_contains":1)", "says ``"},
      {R"("surprise":1)", "expects `surprise`, which is not known"},
      {R"("spills":2,"demotions":0,"fails":true)", "spills is 1; does not fail"},
      {"", ""},
  };
  for (const Expected& c : cases) EXPECT_EQ(missed(ops, c.expect), c.missed) << c.expect;
}

// More than the budget: `a` is made in DRAM, which is no eviction.
TEST(SpillRows, EveryExpectationOfADemotion) {
  const std::string ops = R"({"name":"a","l1":1025024},{"name":"readA","inputs":["a"],"l1":1024})";
  const Expected cases[] = {
      {R"("demoted":["a"],"demotions":1,"evictions":[],"not_spilled":["a"])", ""},
      {R"("demoted":["readA","a"])", "readA is not demoted"},
      {R"("stays_l1":["readA"])", ""},
      {R"("stays_l1":["a"])", "a leaves L1"},
      {R"("first_eviction":"a")", "evicts nothing"},
      {R"("spilled":["a"])", "a is not spilled"},
  };
  for (const Expected& c : cases) EXPECT_EQ(missed(ops, c.expect), c.missed) << c.expect;
}

// 600, 600 and 300 of 1000 KiB do not fit beside each other, unless the second is the first.
TEST(SpillRows, ViewsAreNamedInFourWays) {
  const auto with = [](const std::string& field) {
    return missed(R"({"name":"a","l1":614400},{"name":"v","inputs":["a"],"l1":614400)" + field +
                      R"(},{"name":"b","inputs":["v"],"l1":307200},{"name":"both","inputs":["a","v"],"l1":1024})",
                  R"("spills":0)");
  };
  for (const char* field : {R"(,"kind":"view")", R"(,"kind":"reshape")", R"(,"kind":"alias")", R"(,"view":true)"})
    EXPECT_EQ(with(field), "") << field;
  for (const char* field : {"", R"(,"kind":"matmul")", R"(,"view":false)"}) EXPECT_NE(with(field), "") << field;
}

TEST(SpillRows, StatusesAreForced) {
  const auto with = [](const std::string& status, const std::string& expect) {
    return missed(R"({"name":"a","l1":102400},{"name":"b","l1":102400},{"name":"c","inputs":["a"],"l1":102400,)"
                  R"("force_status":")" +
                      status + R"("},{"name":"readC","inputs":["a","b","c"],"l1":1024})",
                  expect);
  };
  EXPECT_EQ(with("Success", R"("spills":0,"demotions":0)"), "");
  EXPECT_EQ(with("MetalBackendError", R"("spills":0,"demoted":["c"],"demotions":1)"), "");
  EXPECT_EQ(with("NotImplemented", R"("evictions":["a","b"],"demotions":0)"), "");
  EXPECT_EQ(with("OutOfMemory", R"("spills":0)"), with("OutOfMemoryError", R"("spills":0)"));
  EXPECT_EQ(with("OutOfMemory", R"("stays_l1":["c"])"), "c leaves L1");
  EXPECT_EQ(with("Maybe", ""), "op c: unknown status `Maybe`");
}

// An operand that is named twice is read once, one that no op makes is an argument; so is a return that no op makes.
TEST(SpillRows, ReturnsAndOperands) {
  const std::string ops =
      R"({"name":"a","l1":409600},{"name":"b","inputs":["x","x"],"l1":409600},)"
      R"({"name":"c","inputs":["x"],"l1":409600},{"name":"readA","inputs":["a","a","c"],"l1":1024},)"
      R"({"name":"readB","inputs":["b"],"l1":1024})";
  EXPECT_EQ(missed(ops, R"("evictions":["b"],"demotions":0)"), "") << "it is read last";
  EXPECT_EQ(missed(ops, R"("evictions":["b"],"demotions":0)", R"(,"returns":["nobody","b","a"])"), "");
}

// One that reads from L1 only brings what left back, and cannot read an argument.
TEST(SpillRows, KindsOfOps) {
  const auto with = [](const std::string& fields, const std::string& expect) {
    return missed(R"({"name":"a","l1":614400},{"name":"b","l1":614400)" + fields +
                      R"(},{"name":"c","inputs":["a","b"],"l1":1024})",
                  expect);
  };
  EXPECT_EQ(with("", R"("evictions":["a"],"demotions":0)"), "");
  EXPECT_EQ(with(R"(,"kind":"sink")", R"("spills":0,"demotions":0)"), "") << "makes nothing";
  EXPECT_EQ(with(R"(,"inputs":["x"],"requires_l1_input":true)", R"("demoted":["b"],"spills":0)"), "");
  EXPECT_EQ(with(R"(,"inputs":["x"],"requires_l1_input":false)", R"("evictions":["a"])"), "");
  EXPECT_EQ(with(R"(,"cb":1024001)", R"("demotions":1)"), with(R"(,"cb":1024001,"dram_cb":-1)", R"("demotions":1)"));
  EXPECT_EQ(missed(R"({"name":"b","l1":0,"cb":1024001,"dram_cb":1024})", R"("fails":true,"demotions":0)"), "")
      << "what has no result in L1 is not moved to DRAM";
  EXPECT_EQ(with(R"(,"cb":1024001)", R"("fails":true)"), "") << "circular buffers are the same with the result in DRAM";
  EXPECT_EQ(with(R"(,"cb":1024001,"dram_cb":1024)", R"("fails":false,"demoted":["b"])"), "");
}

TEST(SpillRows, BytesOutsideOfTheirRangeAreNone) {
  const auto demotions = [](const std::string& bytes) {
    return missed(R"({"name":"a","l1":)" + bytes + R"(},{"name":"readA","inputs":["a"],"l1":1024})",
                  R"("demotions":0)");
  };
  EXPECT_EQ(demotions("1024000"), "");
  EXPECT_EQ(demotions("1024001"), "demotions is 1");
  EXPECT_EQ(demotions("1099511627776"), "demotions is 1") << "2^40";
  EXPECT_EQ(demotions("1099511627777"), "") << "more than any L1";
  EXPECT_EQ(demotions("-1"), "");
  EXPECT_EQ(demotions("\"1024001\""), "");
}

TEST(SpillRows, WhatIsNoScenarioSaysWhy) {
  const auto said = [](const std::string& scenario) {
    const EvalResult result = evalOf(evalSpill, "{\"scenarios\":[" + scenario + "]}");
    return result.misses.size() == 1 ? result.misses[0].row + ": " + result.misses[0].text : "";
  };
  const std::string needs = "scenario 0: needs a budget and a list of ops", names = "ops need names of their own";
  EXPECT_EQ(said(R"({"ops":[]})"), needs);
  EXPECT_EQ(said(R"({"budget":-1,"ops":[]})"), needs);
  EXPECT_EQ(said(R"({"budget":1099511627777,"ops":[]})"), needs);
  EXPECT_EQ(said(R"({"budget":5})"), needs);
  EXPECT_EQ(said(R"({"budget":0,"ops":[]})"), "");
  EXPECT_EQ(said(R"({"budget":1099511627776,"ops":[]})"), "");
  EXPECT_EQ(said(R"({"name":"n","budget":5,"ops":[{"l1":3}]})"), "n: " + names);
  EXPECT_EQ(said(R"({"name":"n","budget":5,"ops":[{"name":"a"},{"name":"a"}]})"), "n: " + names);
  EXPECT_EQ(said(R"({"name":7,"budget":5,"ops":[{"name":""}]})"), "scenario 0: " + names);
}

}  // namespace
}  // namespace tessera
