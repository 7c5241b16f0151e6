// What is said of texts in which one word is wrong: a line per golden case, with how many of the changed texts are read
// and the fingerprints of all messages with their places and of the graphs.

#include "tests/golden_texts.h"
#include "tests/import/import_testing.h"
#include "tests/pinned.h"

namespace tessera {
namespace {

test::PinnedFile& pins = test::PinnedFile::named("pinned_import");

TEST(PinnedImport, TextsWithAWrongWord) {
  constexpr uint64_t kChanges = 40;
  for (const test::GoldenText& golden : test::goldenTexts({"answers", "cases", "lowering"})) {
    Fingerprint said, graphs;
    int read = 0, back = 0, errors = 0;
    for (uint64_t seed = 1; seed <= kChanges; ++seed) {
      const Imported imported = importText(test::brokenText(golden.text, seed * 7919));
      for (const Diagnostic& d : imported.diags.all()) {
        said.add(diagInfo(d.kind).name), said.add(int64_t{d.span.begin}), said.add(int64_t{d.span.end});
        said.add(d.message);
        for (const std::string& note : d.notes) said.add(note);
        errors += d.severity == Severity::Error;
      }
      if (!imported.graph) continue;
      ++read;
      graphs.add(exportMlir(*imported.graph));
      const Imported again = importJson(exportGraphJson(*imported.graph));  // not of words that only stand as types
      if (!again.graph) continue;
      ++back;
      EXPECT_TRUE(sameGraph(*again.graph, *imported.graph)) << golden.name << " " << seed;
    }
    pins.expect(golden.name, std::to_string(read) + " read, " + std::to_string(back) + " from JSON, " +
                                 std::to_string(errors) + " errors, said " + test::digits(said) + " graphs " +
                                 test::digits(graphs));
  }
}

}  // namespace
}  // namespace tessera
