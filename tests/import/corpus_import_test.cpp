// Real dumps: everything in them is known, counted and survives both exports.

#include <map>

#include "tests/import/import_testing.h"

namespace tessera {
namespace {

// Ops per name, found without the parser: every line whose statement is `"dialect.op"(`, plus the returns.
std::map<std::string, int> countByText(const std::string& text) {
  std::map<std::string, int> counts;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    size_t start = line.find_first_not_of(' ');
    if (start == std::string::npos) continue;
    std::string rest = line.substr(start);
    if (rest.rfind("return", 0) == 0) ++counts["func.return"];
    size_t equal = rest.find(" = ");
    if (rest[0] == '%' && equal != std::string::npos) rest = rest.substr(equal + 3);
    if (rest[0] != '"') continue;
    size_t end = rest.find('"', 1);
    if (end != std::string::npos && rest.compare(end + 1, 1, "(") == 0) ++counts[rest.substr(1, end - 1)];
  }
  return counts;
}

TEST(CorpusImport, EveryGraphIsUnderstoodWhole) {
  if (corpusFiles().empty()) GTEST_SKIP() << "no corpus";
  EXPECT_EQ(corpusFiles().size(), 23u);
  for (const auto& path : corpusFiles()) {
    SCOPED_TRACE(path.filename().string());
    std::string text = readFile(path);
    Imported imported = importText(text);
    ASSERT_TRUE(imported.graph) << imported.report();
    EXPECT_TRUE(imported.diags.all().empty()) << imported.report();
    std::map<std::string, int> counts;
    for (const Op& op : imported.graph->ops) {
      ++counts[op.name];
      EXPECT_NE(op.kind, OpKind::Opaque) << op.name;
    }
    EXPECT_EQ(counts, countByText(text));
  }
}

TEST(CorpusImport, RoundTripsThroughMlirAndJson) {
  if (corpusFiles().empty()) GTEST_SKIP() << "no corpus";
  for (const auto& path : corpusFiles()) {
    SCOPED_TRACE(path.filename().string());
    Imported imported = importText(readFile(path));
    ASSERT_TRUE(imported.graph) << imported.report();
    expectRoundTrips(*imported.graph);
    EXPECT_TRUE(sameGraph(*imported.graph, compactGraph(*imported.graph)));
  }
}

TEST(CorpusImport, RolesLabelsAndLocations) {
  if (corpusFiles().empty()) GTEST_SKIP() << "no corpus";
  Imported mnist = importText(readFile(sharedFolder() / "corpus" / "mnist.mlir"));
  ASSERT_TRUE(mnist.graph);
  const Function& func = mnist.graph->funcs[mnist.graph->forward];
  EXPECT_EQ(func.name, "forward");
  ASSERT_EQ(func.args.size(), 7u);
  EXPECT_EQ(mnist.graph->values[func.args[1]].label, "linear_relu_stack.0.weight");
  ASSERT_EQ(func.attrs.size(), 1u);
  EXPECT_EQ(func.attrs[0].name, "res_attrs");

  Imported llama = importText(readFile(sharedFolder() / "corpus" / "llama_3_2_3b_tp_decode_two_layers.mlir"));
  ASSERT_TRUE(llama.graph);
  std::map<ArgRole, int> roles;
  for (ValueId id : llama.graph->funcs[llama.graph->forward].args) ++roles[llama.graph->values[id].role];
  EXPECT_GT(roles[ArgRole::Input], 0);
  EXPECT_GT(roles[ArgRole::Parameter], 0);
  bool located = false;
  for (const Op& op : llama.graph->ops) located = located || op.loc == "reshape.904";
  EXPECT_TRUE(located);
}

}  // namespace
}  // namespace tessera
