// Every answer of the op model about many ops in many layouts, against tests/golden/op_model.expected: verdicts, bytes
// and times to the last digit. UPDATE_GOLDEN=1 rewrites it.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/ops/op_answers.h"
#include "tests/ops/op_rows.h"

namespace tessera::test {
namespace {

TEST(OpModelGolden, EveryAnswerIsTheExpectedOne) {
  const std::filesystem::path folder = std::filesystem::path(TESSERA_SOURCE_DIR) / "tests" / "golden";
  std::ifstream list(folder / "op_model.txt");
  std::string actual;
  for (std::string line; std::getline(list, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> row = splitRow(line, '|');
    ASSERT_GE(row.size(), 3u) << line;
    const Imported imported = importText(programOfRow(row));
    if (!imported.graph) {
      ADD_FAILURE() << line << "\n" << imported.report();
      continue;
    }
    const Graph& graph = *imported.graph;
    actual += row[0] + "  " + row[2] + (row.size() > 3 ? " -> " + row[3] : "") + "  " + row[1].substr(0, 60) + "\n";
    actual += answersTo(graph, graph.funcs[graph.forward].ops[0]);
  }
  const std::filesystem::path file = folder / "op_model.expected";
  if (std::getenv("UPDATE_GOLDEN")) {
    std::ofstream(file, std::ios::binary) << actual;
    return;
  }
  std::ifstream in(file, std::ios::binary);
  std::stringstream expected;
  expected << in.rdbuf();
  const std::vector<std::string> is = splitRow(actual, '\n'), wanted = splitRow(expected.str(), '\n');
  for (size_t i = 0; i < std::min(is.size(), wanted.size()); ++i)
    ASSERT_EQ(is[i], wanted[i]) << "line " << i + 1 << "; if this is meant, run scripts/update_golden";
  EXPECT_EQ(is.size(), wanted.size());
}

}  // namespace
}  // namespace tessera::test
