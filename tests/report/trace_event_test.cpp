// The trace against the published trace-event format: required fields per phase, times in order, slices that nest.

#include "core/report/trace_event_json.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/driver/pipeline.h"
#include "core/support/json_value.h"
#include "tests/policy/random_graph.h"
#include "tests/policy/test_graphs.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

struct Trace {
  Session session;
  std::unique_ptr<FinishedRun> run;
  SourceBuffer source;
  Diagnostics diags;
  JsonDocument document;

  const SimResult& sim() const { return run->report.run->program->sim; }
  JsonValue events() const { return document.root().get("traceEvents"); }
};

std::unique_ptr<Trace> traceOfText(std::string text, std::string_view policy = "Greedy") {
  auto trace = std::make_unique<Trace>();
  trace->session.load("test.mlir", text);
  Options options;
  options.policy = policy;
  trace->run = runPolicy(trace->session, options, Diagnostics());
  EXPECT_TRUE(trace->run->report.run.has_value());
  trace->source = SourceBuffer("trace.json", traceEventJson(trace->run->report));
  trace->document = JsonDocument::parse(trace->source, trace->diags);
  EXPECT_FALSE(trace->diags.hasErrors());
  return trace;
}

int64_t nanoseconds(JsonValue microseconds) {
  EXPECT_TRUE(microseconds.asNumber().has_value());
  return static_cast<int64_t>(microseconds.asNumber().value_or(-1) * 1000 + 0.5);
}

void expectValid(const Trace& trace) {
  JsonValue events = trace.events();
  ASSERT_TRUE(events.isArray());
  int64_t last = 0;
  std::set<int64_t> named;
  for (size_t i = 0; i < events.size(); ++i) {
    JsonValue e = events.at(i);
    SCOPED_TRACE("event " + std::to_string(i));
    std::string_view phase = e.get("ph").asString().value_or("");
    ASSERT_EQ(std::string_view("XCiM").find(phase) != std::string_view::npos && phase.size() == 1, true) << phase;
    EXPECT_FALSE(e.get("name").asString().value_or("").empty());
    EXPECT_TRUE(e.get("pid").asInteger().has_value());
    EXPECT_TRUE(e.get("tid").asInteger().has_value());
    int64_t at = nanoseconds(e.get("ts"));
    EXPECT_GE(at, last) << "timestamps go back";
    last = at;
    if (phase == "X") {
      EXPECT_GE(nanoseconds(e.get("dur")), 0);
    }
    if (phase == "C") {
      EXPECT_GE(e.get("args").get("bytes").asInteger().value_or(-1), 0);
    }
    if (phase == "i") {
      EXPECT_EQ(e.get("s").asString(), "t");
    }
    if (phase == "M" && e.get("name").asString() == "thread_name") named.insert(*e.get("tid").asInteger());
    if (phase == "X") {
      EXPECT_TRUE(named.count(*e.get("tid").asInteger())) << "a slice on a track without a name";
    }
  }
}

// Sums of the slices by track, and whether any two of a track overlap.
std::map<int64_t, int64_t> durations(const Trace& trace) {
  std::map<int64_t, int64_t> sum, end;
  JsonValue events = trace.events();
  for (size_t i = 0; i < events.size(); ++i) {
    if (events.at(i).get("ph").asString() != "X") continue;
    int64_t track = *events.at(i).get("tid").asInteger(), at = nanoseconds(events.at(i).get("ts")),
            lasts = nanoseconds(events.at(i).get("dur"));
    EXPECT_GE(at, end[track]) << "slices of a track overlap";
    end[track] = at + lasts;
    sum[track] += lasts;
  }
  return sum;
}

TEST(TraceEvents, AreValidAndAddUp) {
  for (uint64_t seed = 0; seed < test::seeds(20); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto trace = traceOfText(randomGraphText(seed));
    expectValid(*trace);
    int64_t compute = 0, dram = 0, noc = 0;
    for (const SimStep& step : trace->sim().steps) {
      compute += step.time.compute.count;
      dram += step.time.dram.count;
      noc += step.time.noc.count;
    }
    std::map<int64_t, int64_t> sum = durations(*trace);
    EXPECT_EQ(sum[1], trace->sim().time.count);
    EXPECT_EQ(sum[2], compute);
    EXPECT_EQ(sum[3], dram);
    EXPECT_EQ(sum[4], noc);
  }
}

TEST(TraceEvents, SayWhatFailed) {
  auto trace = traceOfText(
      "func.func @main(%x: tensor<32x65536xbf16>) -> tensor<32x65536xbf16> {\n  %a = \"ttir.softmax\"(%x) <{dimension "
      "= -1 : si32}> : (tensor<32x65536xbf16>) -> "
      "tensor<32x65536xbf16>\n  return %a : tensor<32x65536xbf16>\n}\n",
      "DRAM");
  expectValid(*trace);
  size_t failures = 0;
  for (size_t i = 0; i < trace->events().size(); ++i) {
    JsonValue e = trace->events().at(i);
    if (e.get("ph").asString() != "i") continue;
    ++failures;
    EXPECT_FALSE(e.get("args").get("text").asString().value_or("").empty());
  }
  EXPECT_EQ(failures, static_cast<size_t>(trace->sim().failures));
}

TEST(TraceEvents, NamesWithQuotesStayJson) {
  auto trace = traceOfText(
      "func.func @main(%x: tensor<32x32xbf16>) -> tensor<32x32xbf16> {\n  %a = \"ttir.relu\"(%x) : "
      "(tensor<32x32xbf16>) -> tensor<32x32xbf16> "
      "loc(\"a \\\"b\\\" c\")\n  return %a : tensor<32x32xbf16>\n}\n");
  expectValid(*trace);
}

}  // namespace
}  // namespace tessera::test
