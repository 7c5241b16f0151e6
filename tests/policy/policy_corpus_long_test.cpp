// Every policy on the samples of the page and on the reference corpus of model graphs: what it does there is sound, and
// what it was.

#include <cstdio>

#include "core/driver/pipeline.h"
#include "tests/pinned_model.h"
#include "tests/policy/test_graphs.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

PinnedFile& modelPins = PinnedFile::named("pinned_corpus");

std::vector<std::string_view> policiesFloorFirst() {
  std::vector<std::string_view> ids = {"DRAM"};
  for (const PolicyInfo& info : allPolicies()) {
    if (info.id != "DRAM") ids.push_back(info.id);
  }
  return ids;
}

// Two complete runs: sound, and the same bytes. `number` of the graph among those that run.
void expectSoundReports(const std::filesystem::path& path, size_t number) {
  SCOPED_TRACE(path.filename().string());
  Session session;
  const LoadedGraph& loaded = session.load(path.filename().string(), readFile(path));
  for (const Diagnostic& d : loaded.diagnostics.all())
    EXPECT_NE(d.severity, Severity::Error) << renderDiagnostic(d, loaded.source);
  ASSERT_TRUE(loaded.graph.has_value());
  int64_t floor = 0;
  for (std::string_view policy : policiesFloorFirst()) {
    if (policy != "DRAM" && !paired(policyNumber(policy), number)) continue;
    SCOPED_TRACE(std::string(policy));
    Options options;
    options.policy = policy;
    auto run = runPolicy(session, options, Diagnostics());
    ASSERT_TRUE(run->report.run.has_value());
    for (const ReportDefect& d : run->report.run->defects)
      ADD_FAILURE() << d.checker << ": " << d.rule << ": " << d.text;
    EXPECT_TRUE(run->report.ok());
    const Graph& graph = run->report.run->program->applied.graph;
    for (ValueId value : graph.ops[graph.funcs[graph.forward].ops.back()].operands) {
      const ValueType& type = graph.values[value].type;
      if (type.isTensor() && !policyHas(policy, kAsItStands)) {
        EXPECT_FALSE(type.tensor->layout->isL1()) << "%" << graph.values[value].name;
      }
    }
    EXPECT_EQ(reportJson(run->report), reportJson(runPolicy(session, options, Diagnostics())->report));
    expectPinnedModel(modelPins, path.stem().string(), std::string(policy), *run);
    const SimResult& sim = run->report.run->program->sim;
    const PlannedPlacement& placement = run->report.run->program->placement;
    EXPECT_LE(placement.planned, placement.firstFit);
    EXPECT_EQ(placement.planned, placement.bound) << "no graph here needs more than the bytes that live together";
    if (policy == "DRAM") floor = sim.dramBytes;
    double ratio = static_cast<double>(sim.dramBytes) / static_cast<double>(std::max<int64_t>(floor, 1));
    std::printf("[   INFO   ] %-42s %-8s DRAM bytes x %.3f, %zu steps, %d failures\n", path.filename().c_str(),
                std::string(policy).c_str(), ratio, sim.steps.size(), sim.failures);
  }
}

TEST(Corpus, EveryPolicyIsSoundOnTheSamples) {
  auto files = sliceOf(sampleFiles());
  ASSERT_FALSE(files.empty());
  for (size_t i = 0; i < files.size(); ++i) expectSoundReports(files[i], i);
}

TEST(Corpus, EveryPolicyIsSoundOnTheModels) {
  auto files = corpusSlice();
  if (files.empty()) GTEST_SKIP() << "no corpus at " << sharedFolder();
  EXPECT_EQ(files.size(), sliceOf(std::vector<int>(23)).size());
  for (size_t i = 0; i < files.size(); ++i) expectSoundReports(files[i], i);
}

// K = 8, the three scores, both presets: the checkers have nothing to say, and nothing fails on the device.
TEST(Corpus, TheBeamIsSoundUnderEveryScoreAndPreset) {
  auto files = corpusSlice();
  if (files.empty()) GTEST_SKIP() << "skipped: no corpus at " << sharedFolder();
  size_t pair = 0;
  for (const auto& path : files) {
    Session session;
    session.load(path.filename().string(), readFile(path));
    ++pair;
    for (const char* preset : {"seed", "upstream"}) {
      for (const char* score : {"cores", "upstream", "time"}) {
        if (!paired(0, pair++)) continue;
        SCOPED_TRACE(path.filename().string() + " " + preset + " " + score);
        Options options;
        options.policy = "Beam";
        options.preset = preset;
        options.layoutScore = score;
        auto run = runPolicy(session, options, Diagnostics());
        ASSERT_TRUE(run->report.run.has_value());
        for (const ReportDefect& d : run->report.run->defects)
          ADD_FAILURE() << d.checker << ": " << d.rule << ": " << d.text;
        EXPECT_EQ(run->report.run->program->sim.failures, 0);
        expectPinnedModel(modelPins, path.stem().string(), std::string("Beam ") + preset + " " + score, *run);
      }
    }
  }
}

}  // namespace
}  // namespace tessera::test
