// Graphs made smaller for execution: still sound, and small.

#include "core/execute/shrink_graph.h"
#include "core/execute/interpreter.h"
#include "core/ir/verify.h"
#include "core/ops/shapes/shape_rules.h"
#include "tests/import/import_testing.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

int64_t elementsOf(const Graph& graph) {
  int64_t total = 0;
  for (const Value& value : graph.values) {
    if (value.type.isTensor() && value.func.valid()) total += elementCount(value.type.tensor->shape).value_or(0);
  }
  return total;
}

std::string shapeMistakes(const Graph& graph) {
  Diagnostics diags;
  for (const Function& func : graph.funcs) {
    for (OpId op : func.ops) checkShapes(graph, op, diags);
  }
  std::string text;
  for (const Diagnostic& d : diags.all()) text += d.message + "\n";
  return text;
}

TEST(ShrinkGraph, RealGraphsShrinkAndExecute) {
  if (corpusFiles().empty()) GTEST_SKIP() << "no corpus";
  for (const auto& path : test::sliceOf(corpusFiles())) {
    SCOPED_TRACE(path.filename().string());
    Imported imported = importText(readFile(path));
    ASSERT_TRUE(imported.graph);
    ShrunkGraph small = shrinkGraph(*imported.graph);
    EXPECT_TRUE(small.shrunk) << small.problem;
    EXPECT_EQ(shapeMistakes(small.graph), "");
    EXPECT_EQ(verifyGraph(small.graph).size(), 0u);
    Execution run = execute(small.graph, randomInputs(small.graph, 1));
    EXPECT_EQ(run.status, ExecutionStatus::Done) << run.text;
    size_t notNumbers = 0, numbers = 0;
    for (const HostTensor& t : run.results) {
      for (float x : t.f) ++(x == x ? numbers : notNumbers);
    }
    EXPECT_EQ(notNumbers, 0u);
    std::printf("%-40s %12lld -> %9lld elements\n", path.filename().c_str(),
                static_cast<long long>(elementsOf(*imported.graph)), static_cast<long long>(elementsOf(small.graph)));
  }
}

}  // namespace
}  // namespace tessera::test
