// What the passes make of the short cases (short_cases_test.cpp) when something in them is changed: other element
// types, one more reader, another number, operand, op, role or dim. The cases stand where a pass has something to
// decide, so that a change nearly always lies on one of its conditions. A line per case.

#include "tests/changed_texts.h"
#include "tests/compare_graphs.h"
#include "tests/lowering/short_case.h"
#include "tests/pinned.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

PinnedFile& casePins = PinnedFile::named("pinned_short_cases");
constexpr uint64_t kCaseChanges = 56, kExecutedChanges = 21;

// f32 for bf16 and bf16 for f32.
std::vector<std::string> withOtherTypes(std::vector<std::string> lines) {
  for (std::string& line : lines) line = replaced(replaced(replaced(line, "bf16", "?"), "f32", "bf16"), "?", "f32");
  return lines;
}

// One value is returned as well, or once more.
std::vector<std::string> withOneMoreReader(std::vector<std::string> lines, uint64_t draw) {
  std::vector<std::string> names;
  for (const std::string& line : lines) {
    const size_t equals = line.find(" = ");
    if (line[0] != '|' && line.rfind("do ", 0) != 0 && !ShortFunction::isArgument(line) && equals != std::string::npos)
      names.push_back(line.substr(0, line.find_first_of(", ")));
  }
  if (names.empty()) return lines;
  const std::string& more = names[draw % names.size()];
  if (lines.back().rfind("return ", 0) == 0) lines.back() += ", " + more;
  else lines.push_back("return " + names.back() + ", " + more);
  return lines;
}

// A dim of an argument is 1, or twice as large.
std::vector<std::string> withAnotherDim(std::vector<std::string> lines, uint64_t draw) {
  std::vector<std::pair<size_t, size_t>> places;  // line, where its number begins
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!ShortFunction::isArgument(lines[i])) continue;
    const std::string& line = lines[i];
    for (size_t at = line.find(": ") + 2;
         at < line.size() && std::isdigit(static_cast<unsigned char>(line[at])) != 0;) {
      places.push_back({i, at});
      at = line.find('x', at) + 1;
      if (at == 0) break;
    }
  }
  if (places.empty()) return lines;
  const auto [row, begin] = places[draw % places.size()];
  size_t end = begin;
  while (end < lines[row].size() && std::isdigit(static_cast<unsigned char>(lines[row][end])) != 0) ++end;
  const std::string number = lines[row].substr(begin, end - begin);
  lines[row].replace(begin, end - begin, draw / 64 % 2 == 0 ? "1" : std::to_string(numberOf(number, 2, 0)));
  return lines;
}

// One argument is no longer known when the model is loaded.
std::string withoutARole(std::string text, uint64_t draw) {
  const std::string role = " {ttcore.argument_type = ";
  std::vector<size_t> places;
  for (size_t at = text.find(role); at != std::string::npos; at = text.find(role, at + 1)) places.push_back(at);
  if (places.empty()) return rewiredText(text, draw);
  const size_t begin = places[draw % places.size()];
  return text.erase(begin, text.find('}', begin) + 1 - begin);
}

std::string changedCase(const CaseSetup& setup, const ShortCase& one, uint64_t seed) {
  const uint64_t draw = mixed(seed);
  switch (seed % 7) {
    case 0: return setup.mlir(withOneMoreReader(seed == 0 ? withOtherTypes(one.lines) : one.lines, draw));
    case 1: return setup.mlir(withAnotherDim(seed == 1 ? withOtherTypes(one.lines) : one.lines, draw));
    case 2: return withoutARole(setup.mlir(seed == 2 ? withOtherTypes(one.lines) : one.lines), draw);
    case 3:
    case 4: return variedText(setup.mlir(one.lines), seed * 7919);
    default: return rewiredText(setup.mlir(one.lines), seed * 7919);
  }
}

// Executed, where all ops have kernels and tensors are of a sensible size: with other types and one more reader it is
// as sound a graph as the case. (Dims change which places of a table there are, and beyond them the compiler promises
// nothing.)
void expectTheSame(const Graph& before, const Graph& after, const std::string& what) {
  const ComparisonVerdict verdict = compareGraphs(before, after, 5, 2e-2);
  const bool refused = verdict.comparison == Comparison::NotExecutable || verdict.comparison == Comparison::OverBudget;
  EXPECT_TRUE(verdict.equal() || refused) << what << "\n"
                                          << verdict.text << "\n"
                                          << exportMlir(before) << "=>\n"
                                          << exportMlir(after);
}

TEST(PinnedShortCases, WithOneChange) {
  for (const std::filesystem::path& path : caseFiles()) {
    for (const ShortCase& one : readCases(path)) {
      Fingerprint print;
      int read = 0, changed = 0;
      std::string own = one.title + one.settings;
      for (const std::string& line : one.lines) own += "\n" + line;
      for (uint64_t seed = 0; seed < (smallTests() ? 1 : kCaseChanges); ++seed) {
        CaseSetup setup(one.settings);
        const Imported imported = importText(changedCase(setup, one, seed));
        if (!imported.graph) continue;
        ++read;
        const CaseSetup::Outcome outcome = setup.run(*imported.graph);
        changed += !sameGraph(outcome.graph, *imported.graph);
        print.add(outcome.said);
        print.add(exportMlir(outcome.graph));
        if (!outcome.announced && seed % 7 == 0 && seed < kExecutedChanges)
          expectTheSame(*imported.graph, outcome.graph, one.title + one.settings);
      }
      if (!smallTests())
        casePins.expect(
            path.stem().string() + " " + digits(own),
            std::to_string(read) + " read, " + std::to_string(changed) + " changed, print " + digits(print));
    }
  }
}

}  // namespace
}  // namespace tessera::test
