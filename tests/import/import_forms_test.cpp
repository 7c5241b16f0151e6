// Texts with the graphs that are read of them: tests/import/forms.txt. A case is
//
//   # what it shows
//   lines of MLIR           a first line `json`: the graph is printed as JSON, too
//   ->
//   diagnostics with their places, then the graph
//
// UPDATE_GOLDEN=1 rewrites what stands behind the arrows.
#include "tests/import/import_testing.h"

namespace tessera {
namespace {

std::string importedForm(const std::string& text, bool json) {
  const Imported imported = importText(text);
  std::string said = imported.report();
  if (!imported.graph) return said + "no graph\n";
  expectRoundTrips(*imported.graph);
  said += exportMlir(*imported.graph);
  return json ? said + exportGraphJson(*imported.graph) + "\n" : said;
}

TEST(ImportForms, AreReadAsTheTableSays) {
  const std::filesystem::path path = std::filesystem::path(TESSERA_SOURCE_DIR) / "tests/import/forms.txt";
  std::istringstream file(readFile(path));
  std::string all, title, input, expected;
  bool behind = false;
  int cases = 0;
  const auto finish = [&] {
    if (title.empty()) return;
    SCOPED_TRACE(title);
    const bool json = input.rfind("json\n", 0) == 0;
    const std::string said = importedForm(json ? input.substr(5) : input, json);
    all += (all.empty() ? "" : "\n") + title + input + "->\n" + said;
    if (std::getenv("UPDATE_GOLDEN") == nullptr) EXPECT_EQ(said, expected);
    title.clear(), input.clear(), expected.clear();
    behind = false;
    ++cases;
  };
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("# ", 0) == 0) {
      if (behind) finish();
      title += line + "\n";
    } else if (line == "->") {
      behind = true;
    } else if (!behind) {
      input += line + "\n";
    } else if (!line.empty()) {
      expected += line + "\n";
    }
  }
  finish();
  EXPECT_GT(cases, 15);
  if (std::getenv("UPDATE_GOLDEN") != nullptr) std::ofstream(path, std::ios::binary) << all;
}

}  // namespace
}  // namespace tessera
