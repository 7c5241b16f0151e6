// What is said about ops whose shapes, types or attributes were changed a little: a line per op of
// tests/golden/op_model.txt with how many changes are refused and a fingerprint of all that is said. The rules
// themselves are asked one by one in shape_rules_test.cpp and tests/import/op_rules_test.cpp.

#include <filesystem>
#include <fstream>

#include "tests/golden_texts.h"
#include "tests/import/import_testing.h"
#include "tests/ops/op_rows.h"
#include "tests/pinned.h"

namespace tessera::test {
namespace {

PinnedFile& shapePins = PinnedFile::named("pinned_shapes");

// "512x1024xf32" as its dims and what is behind them.
std::pair<std::vector<std::string>, std::string> dimsOf(const std::string& word) {
  std::pair<std::vector<std::string>, std::string> out;
  for (const std::string& part : splitRow(word, 'x')) {
    if (part.find_first_not_of("0123456789") == std::string::npos && !part.empty()) out.first.push_back(part);
    else out.second = part;
  }
  return out;
}

std::string wordOf(const std::vector<std::string>& dims, const std::string& type) {
  std::string text;
  for (const std::string& dim : dims) text += (text.empty() ? "" : "x") + dim;
  return text + (type.empty() ? "" : (text.empty() ? "" : "x") + type);
}

std::vector<std::string> changedWords(const std::string& word) {
  const auto [dims, type] = dimsOf(word);
  std::vector<std::string> out = {wordOf(dims, type == "f32" ? "bf16" : "f32"), wordOf(dims, "si32")};
  for (size_t i = 0; i < dims.size(); ++i) {
    std::vector<std::string> larger = dims, one = dims, without = dims;
    larger[i] = std::to_string(std::stoll(dims[i]) + 1);
    one[i] = "1";
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
    for (const auto& changed : {larger, one, without}) out.push_back(wordOf(changed, type));
  }
  std::vector<std::string> deeper = dims;
  deeper.insert(deeper.begin(), "1");
  out.push_back(wordOf(deeper, type));
  return out;
}

std::vector<std::string> wordsOfColumn(const std::string& column) {
  std::vector<std::string> words;
  std::istringstream in(column);
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

// The row with one type changed, left out or doubled, or with one number of its attributes changed.
std::vector<std::vector<std::string>> changedRows(std::vector<std::string> row) {
  row.resize(4);
  std::vector<std::vector<std::string>> out;
  for (const size_t column : {size_t{2}, size_t{3}}) {
    const std::vector<std::string> words = wordsOfColumn(row[column]);
    const auto add = [&](const std::vector<std::string>& changed) {
      out.push_back(row);
      out.back()[column] = "";
      for (const std::string& word : changed) out.back()[column] += word + " ";
    };
    for (size_t i = 0; i < words.size(); ++i) {
      std::vector<std::string> changed = words;
      for (const std::string& word : changedWords(words[i])) changed[i] = word, add(changed);
      changed = words, changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(i)), add(changed);
      changed = words, changed.push_back(words[i]), add(changed);
    }
  }
  for (uint64_t seed = 0; seed < 24; ++seed) {
    const std::string attrs = variedText(row[1], seed * 7919);
    if (attrs == row[1]) continue;
    out.push_back(row);
    out.back()[1] = attrs;
  }
  return out;
}

constexpr int kParts = 16;  // of the list, a test each

class PinnedShapes : public testing::TestWithParam<int> {};

TEST_P(PinnedShapes, AreAsTheyWere) {
  std::ifstream list(std::filesystem::path(TESSERA_SOURCE_DIR) / "tests/golden/op_model.txt");
  int number = 0;
  for (std::string line; std::getline(list, line);) {
    if (line.empty() || line[0] == '#' || number++ % kParts != GetParam()) continue;
    if (smallTests() && number % 12 != 0) continue;
    const std::vector<std::string> row = splitRow(line, '|');
    Fingerprint print;
    int refused = 0, all = 0;
    for (const std::vector<std::string>& changed : changedRows(row)) {
      const Imported imported = importText(programOfRow(changed));
      ++all, refused += imported.diags.hasErrors();
      print.add(imported.report());
    }
    shapePins.expect(row[0] + " " + row[2] + " " + digits(line),
                     std::to_string(refused) + " of " + std::to_string(all) + " refused, print " + digits(print));
  }
}

INSTANTIATE_TEST_SUITE_P(Parts, PinnedShapes, testing::Range(0, kParts));

}  // namespace
}  // namespace tessera::test
