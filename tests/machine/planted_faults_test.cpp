// Every fault that is planted in a plan, in a run or in what ops write is noticed by a checker; the table of them
// stands in docs/execution.md.

#include <cstdio>

#include "tests/machine/planted_bytes.h"
#include "tests/machine/planted_plans.h"
#include "tests/machine/planted_runs.h"

namespace tessera::test {
namespace {

std::vector<Fault> allFaults() {
  std::vector<Fault> all;
  for (auto* part : {planFaults, appliedFaults, allocatorFaults, lifetimeFaults, shareFaults, byteFaults}) {
    for (const Fault& fault : part()) all.push_back(fault);
  }
  return all;
}

PlanExecution executionOf(const Subject& s) {
  PlanExecutionOptions options;
  const bool planned = s.made->problem != nullptr;
  if (planned) options.source = &s.made->graph;
  options.written = &s.written;
  const Graph& like = planned ? s.made->graph : s.applied.graph;
  return executePlan(s.applied.graph, s.run, s.device(), randomInputs(like, 1), options);
}

// A plan that its checker refuses is not carried out.
Noticed judge(const Fault& fault) {
  Subject s = fault.subject();
  fault.plant(s);
  Noticed noticed;
  if (fault.where == Planted::Plan) {
    const std::vector<PlanDefect> defects = checkPlan(*s.made->problem, s.plan);
    noticed.byCheckPlan = !defects.empty();
    if (noticed.byCheckPlan) return noticed.said = std::string(planRuleName(defects[0].rule)), noticed;
    s.apply();
  }
  const std::vector<RunDefect> defects = checkRun(s.applied.graph, s.run, s.device());
  noticed.byCheckRun = !defects.empty();
  if (noticed.byCheckRun) noticed.said = std::string(runRuleName(defects[0].rule)) + "; ";
  const PlanExecution execution = executionOf(s);
  noticed.byExecution = execution.status == PlanStatus::Different;
  noticed.said += planExecutionText(execution);
  return noticed;
}

std::string rowOf(const Fault& fault, const Noticed& noticed) {
  constexpr const char* kWhere[] = {"plan", "allocator", "run", "plan carried out", "bytes"};
  const auto mark = [](bool by) { return by ? " yes |" : " |"; };
  return "| " + std::string(kWhere[static_cast<int>(fault.where)]) + " | " + std::string(fault.what) + " |" +
         mark(noticed.byCheckPlan) + mark(noticed.byCheckRun) + mark(noticed.byExecution);
}

TEST(PlantedFaults, SoundPlansAreLeftAlone) {
  for (auto* make : {pressedSubject, convolutionSubject, layoutsSubject}) {
    Subject s = make();
    EXPECT_TRUE(!s.made->problem || checkPlan(*s.made->problem, s.plan).empty());
    for (const RunDefect& d : checkRun(s.applied.graph, s.run, s.device()))
      ADD_FAILURE() << runRuleName(d.rule) << " " << d.text;
    const PlanExecution execution = executionOf(s);
    EXPECT_EQ(execution.status, PlanStatus::Equal) << execution.text;
  }
}

// The page may be laid out with columns of one width.
std::string withoutSpaces(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  return text;
}

TEST(PlantedFaults, EachIsNoticedAndStandsInTheTable) {
  const std::string page = withoutSpaces(readFile(std::filesystem::path(TESSERA_SOURCE_DIR) / "docs/execution.md"));
  const std::vector<Fault> faults = allFaults();
  EXPECT_GE(faults.size(), 40u);
  size_t noticedOnes = 0;
  for (const Fault& fault : faults) {
    const Noticed noticed = judge(fault);
    const std::string row = rowOf(fault, noticed);
    std::printf("%s\n", row.c_str());
    EXPECT_TRUE(noticed.byAny()) << fault.what << ": " << noticed.said;
    EXPECT_NE(page.find(withoutSpaces(row) + "\n"), std::string::npos) << "docs/execution.md has no row\n" << row;
    noticedOnes += noticed.byAny();
  }
  std::printf("%zu of %zu faults noticed\n", noticedOnes, faults.size());
}

}  // namespace
}  // namespace tessera::test
