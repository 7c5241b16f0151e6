// What every policy writes as MLIR runs as written just as it ran: the same time, peak, addresses and figures of every
// step. And the compiler's own output runs.

#include "core/driver/pipeline.h"
#include "core/import/export_mlir.h"
#include "tests/driver/driver_testing.h"
#include "tests/driver/model_pins.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

std::string mlirOf(const FinishedRun& finished) {
  const RunOutcome& run = *finished.report.run;
  const Graph graph = release(run.program->applied.graph,
                              {finished.device, run.problem->model, run.problem->budget, finished.lowered->options})
                          .graph;
  return exportMlir(graph, &finished.device);
}

// Addresses of the value's buffers, in order.
std::map<std::string, std::string> addressesOf(const FinishedRun& finished) {
  const RunOutcome& run = *finished.report.run;
  std::map<std::string, std::string> places;
  for (const SimBuffer& buffer : run.program->sim.buffers) {
    if (!buffer.value.valid()) continue;
    places[run.program->applied.graph.values[buffer.value].name] += std::to_string(static_cast<int>(buffer.space)) +
                                                                    ":" + std::to_string(buffer.address) + "+" +
                                                                    std::to_string(buffer.bytes) + " ";
  }
  return places;
}

std::string figuresOf(const SimStep& step) {
  std::string text = std::to_string(step.time.total().count) + " ns, " + std::to_string(step.time.dramBytes) +
                     " B of DRAM, L1 " + std::to_string(step.tensorsL1.count) + " + " +
                     std::to_string(step.circularBuffersL1.count) + ", lowest " + std::to_string(step.lowestTensor) +
                     ", hole " + std::to_string(step.l1.largestHole) + ", DRAM " + std::to_string(step.dram.used) +
                     " " + step.verdictText + step.refusal;
  for (const SimCircularBuffer& buffer : step.circularBuffers)
    text += " " + std::string(buffer.name) + std::to_string(buffer.bytes);
  return text;
}

// Of all steps but deallocations, which the first run does not have.
std::vector<std::string> stepsOf(const FinishedRun& finished) {
  std::vector<std::string> lines;
  const RunOutcome& run = *finished.report.run;
  for (const SimStep& step : run.program->sim.steps) {
    const Op& op = run.program->applied.graph.ops[step.op];
    if (op.name == "ttnn.deallocate") continue;
    lines.push_back(op.name + (op.results.empty() ? "" : " %" + run.program->applied.graph.values[op.results[0]].name) +
                    ": " + figuresOf(step));
  }
  return lines;
}

void expectSameRun(const std::string& name, const std::string& text, const Options& options) {
  Session session, other;
  session.load("x", text);
  auto first = runPolicy(session, options, {});
  if (!first->report.run) return;
  other.load("x", mlirOf(*first));
  Options again = options;
  again.policy = "AsWritten";
  auto second = runPolicy(other, again, {});
  ASSERT_TRUE(second->report.run) << name << ": "
                                  << (second->diagnostics.all().empty() ? "" : second->diagnostics.all()[0].message);
  const SimResult &a = first->report.run->program->sim, &b = second->report.run->program->sim;
  EXPECT_EQ(a.time.count, b.time.count) << name;
  EXPECT_EQ(a.dramBytes, b.dramBytes) << name;
  EXPECT_EQ(a.peakL1.count, b.peakL1.count) << name;
  EXPECT_EQ(a.peakL1Small, b.peakL1Small) << name;
  EXPECT_EQ(a.peakDramPerBank, b.peakDramPerBank) << name;
  const std::vector<std::string> one = stepsOf(*first), two = stepsOf(*second);
  ASSERT_EQ(one.size(), two.size()) << name;
  for (size_t i = 0; i < one.size(); ++i) ASSERT_EQ(one[i], two[i]) << name << " step " << i;
  EXPECT_EQ(addressesOf(*first), addressesOf(*second)) << name;
  EXPECT_TRUE(second->report.run->defects.empty()) << name << ": " << second->report.run->defects[0].text;
  for (const Diagnostic& d : second->diagnostics.all()) EXPECT_NE(d.kind, DiagKind::NeverDeallocated) << d.message;
}

class WrittenAgain : public ::testing::TestWithParam<std::string_view> {};

TEST_P(WrittenAgain, RunsTheSame) {
  std::vector<std::filesystem::path> files = sliceOf(sampleFiles());
  for (const auto& path : corpusSlice()) files.push_back(path);
  for (size_t i = 0; i < files.size(); ++i) {
    if (!paired(policyNumber(GetParam()), i)) continue;
    const std::filesystem::path& path = files[i];
    Options options;
    options.policy = std::string(GetParam());
    expectSameRun(path.filename().string() + " " + options.policy, readFile(path), options);
  }
}

std::vector<std::string_view> decidingPolicies() {
  std::vector<std::string_view> ids;
  for (const PolicyInfo& policy : allPolicies()) {
    if (!policy.has(kAsItStands)) ids.push_back(policy.id);
  }
  return ids;
}
INSTANTIATE_TEST_SUITE_P(Policies, WrittenAgain, ::testing::ValuesIn(decidingPolicies()),
                         [](const auto& policy) { return std::string(policy.param); });

// The compiler's own output: everything in it runs, and fits the device.
TEST(CompilersOutput, RunsAsWritten) {
  std::vector<std::filesystem::path> files = mlirFilesIn(sharedFolder() / "artefacts/ttnn");
  std::error_code none;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(sharedFolder() / "artefacts/pairs", none)) {
    const std::string name = entry.path().filename().string();
    if (name.find("ttnn") != std::string::npos && name.find(".mlir") != std::string::npos)
      files.push_back(entry.path());
  }
  if (files.empty()) GTEST_SKIP() << "no reference data";
  std::sort(files.begin(), files.end());
  for (const auto& path : files) {
    const std::string text = readFile(path);
    Session session;
    session.load("x", text);
    Options options;
    options.device = text.find("arch = <blackhole>") != std::string::npos ? "p150" : "n150";
    chooseDefaultPolicy(options, *session.loaded());
    EXPECT_EQ(options.policy, "AsWritten") << path;
    auto finished = runPolicy(session, options, {});
    ASSERT_TRUE(finished->report.run) << path;
    expectPinnedModel(modelPins, path.filename().string(), options.device, *finished);
    const SimResult& sim = finished->report.run->program->sim;
    std::printf("%-60s %8.1f us  peak L1 %9lld  failures %d  refused %d\n",
                (path.parent_path().filename() / path.filename()).string().c_str(),
                static_cast<double>(sim.time.count) / 1000, static_cast<long long>(sim.peakL1.count), sim.failures,
                sim.refused);
    EXPECT_EQ(sim.failures, 0) << path;
    // Where the library has come to take what the rules of an op do not know yet: rows and shards of a few ops.
    EXPECT_LE(sim.refused * 50, static_cast<int>(sim.steps.size())) << path;
    EXPECT_LE(sim.peakL1.count, finished->device.usableL1().count) << path;
    EXPECT_TRUE(finished->report.run->defects.empty()) << finished->report.run->defects[0].text;
  }
}

}  // namespace
}  // namespace tessera::test
