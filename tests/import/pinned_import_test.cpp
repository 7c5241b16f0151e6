// What is said of texts in which one word is wrong: a line per golden case and reference text, with how
// many of the changed texts are read and the fingerprints of all messages with their places and of the graphs.

#include "tests/case_table.h"
#include "tests/golden_texts.h"
#include "tests/import/import_testing.h"
#include "tests/pinned.h"

namespace tessera {
namespace {

test::PinnedFile& pins = test::PinnedFile::named("pinned_import");

// A list that a wrong word has broken, as of `dim_numbers`, may have other blanks when it is printed again.
std::string withoutBlanks(std::string text) {
  std::erase(text, ' ');
  return text;
}

// Of `changes` texts with a wrong word.
std::string lineOf(const test::GoldenText& golden, uint64_t changes) {
  Fingerprint said, graphs;
  int read = 0, back = 0, errors = 0;
  for (uint64_t seed = 1; seed <= changes; ++seed) {
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
    EXPECT_TRUE(sameGraph(*again.graph, *imported.graph) ||
                withoutBlanks(exportMlir(*again.graph)) == withoutBlanks(exportMlir(*imported.graph)))
        << golden.name << " " << seed;
  }
  return std::to_string(read) + " read, " + std::to_string(back) + " from JSON, " + std::to_string(errors) +
         " errors, said " + test::digits(said) + " graphs " + test::digits(graphs);
}

TEST(PinnedImport, TextsWithAWrongWord) {
  for (const test::GoldenText& golden : test::goldenTexts({"answers", "cases", "lowering"}))
    pins.expect(golden.name, lineOf(golden, 40));
}

TEST(PinnedImport, FormsWithAWrongWord) {
  for (const char* table : {"import/forms.txt", "text/forms.txt"}) {
    for (const test::TableCase& one : test::sliceOf(test::readCaseTable(table)))
      pins.expect(table + (" " + test::digits(one.title + one.input)), lineOf({table, one.input}, 60));
  }
}

TEST(PinnedImport, ReferenceTextsWithAWrongWord) {
  const std::vector<test::GoldenText> texts = test::referenceTexts();
  if (texts.empty()) GTEST_SKIP() << "skipped: no reference texts";
  for (const test::GoldenText& part : texts) pins.expectIfKnown(part.name, lineOf(part, 25));
}

}  // namespace
}  // namespace tessera
