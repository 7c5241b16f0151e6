// Texts with the graphs that are read of them: tests/import/forms.txt. A case is
//
//   # what it shows
//   lines of MLIR           a first line `json`: the graph is printed as JSON, too
//   ->
//   diagnostics with their places, then the graph

#include "tests/case_table.h"
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
  const int cases = test::checkCaseTable("import/forms.txt", [](const std::string& input) {
    const bool json = input.rfind("json\n", 0) == 0;
    return importedForm(json ? input.substr(5) : input, json);
  });
  EXPECT_GT(cases, 15);
}

}  // namespace
}  // namespace tessera
