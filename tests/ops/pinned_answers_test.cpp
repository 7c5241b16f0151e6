// What the op model answers about ops of other sizes and types than those of tests/golden/op_model.txt: a line per op
// of that list with how many variants it has and a fingerprint of all answers. The sizes stand at limits of tiles, of
// cores and of blocks, where a rounding or a comparison shows.

#include <cctype>
#include <filesystem>
#include <fstream>
#include <set>

#include "tests/ops/op_answers.h"
#include "tests/ops/op_rows.h"
#include "tests/pinned.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

using Row = std::vector<std::string>;  // op, attributes, operands, results

PinnedFile& answerPins = PinnedFile::named("pinned_answers");

// A tile and a bit, tiles for some, for all of 64 cores but one bit, for all, and two for one of them.
constexpr int64_t kSizes[] = {1, 33, 64, 96, 1000, 2032, 2048, 2080, 4128};

bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// Where the number at `at` ends; `at` itself where none begins: the 32 of `si32` and the 5 of `0.5` are none.
size_t numberEnd(const std::string& text, size_t at, const char* before) {
  const bool begins = at == 0 || std::string(before).find(text[at - 1]) != std::string::npos;
  size_t end = at;
  while (begins && end < text.size() && isDigit(text[end])) ++end;
  return end < text.size() && text[end] == '.' ? at : end;
}

std::string withNumber(const std::string& text, const std::string& from, const std::string& to, const char* before) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = numberEnd(text, at, before);
    const std::string number = text.substr(at, end - at);
    out += end == at ? text.substr(at, 1) : number == from ? to : number;
    at = std::max(end, at + 1);
  }
  return out;
}

constexpr const char* kBeforeDim = " x";
constexpr const char* kBeforeNumber = " ,<[-";

std::set<std::string> sizesOf(const Row& row) {
  std::set<std::string> sizes;
  for (const size_t column : {size_t{2}, size_t{3}})
    for (size_t at = 0; at < row[column].size(); ++at)
      if (const size_t end = numberEnd(row[column], at, kBeforeDim); end > at) {
        const std::string size = row[column].substr(at, end - at);
        if (size != "1") sizes.insert(size);
        at = end;
      }
  return sizes;
}

// One size everywhere in the row, in its attributes as well, becomes another.
void addOtherSizes(const Row& row, std::vector<Row>& out) {
  for (const std::string& from : sizesOf(row)) {
    std::set<std::string> sizes = {std::to_string(2 * std::stoll(from)), std::to_string(std::stoll(from) + 32)};
    for (const int64_t size : kSizes) sizes.insert(std::to_string(size));
    sizes.erase(from);
    for (const std::string& to : sizes) {
      out.push_back(row);
      out.back()[1] = withNumber(row[1], from, to, kBeforeNumber);
      for (const size_t column : {size_t{2}, size_t{3}})
        out.back()[column] = withNumber(row[column], from, to, kBeforeDim);
    }
  }
}

// "512x1024xf32" of another type of elements.
std::string ofType(const std::string& word, const std::string& type) {
  const size_t letter = word.find_first_not_of("0123456789x");
  const std::string dims = letter == std::string::npos ? word : word.substr(0, letter - 1);
  return type == "bf16" ? dims : dims + "x" + type;
}

std::string ofTypes(const std::string& words, size_t begin, size_t end, const std::string& type) {
  std::istringstream in(words);
  std::string out;
  size_t i = 0;
  for (std::string word; in >> word; ++i) out += (i >= begin && i < end ? ofType(word, type) : word) + " ";
  return out;
}

// All operands and results of another type, and one operand alone.
void addOtherTypes(const Row& row, std::vector<Row>& out) {
  for (const char* type : {"bf16", "f32", "bfp_bf8", "si32"}) {
    out.push_back(row);
    for (const size_t column : {size_t{2}, size_t{3}}) out.back()[column] = ofTypes(row[column], 0, 99, type);
    const size_t operands = typesOf(row[2]).size();
    for (size_t i = 0; i < operands && operands > 1; ++i) {
      out.push_back(row);
      out.back()[2] = ofTypes(row[2], i, i + 1, type);
    }
  }
}

constexpr int kAnswerParts = 24;  // of the list, a test each

class PinnedAnswers : public testing::TestWithParam<int> {};

TEST_P(PinnedAnswers, AreAsTheyWere) {
  std::ifstream list(std::filesystem::path(TESSERA_SOURCE_DIR) / "tests/golden/op_model.txt");
  int number = 0;
  for (std::string line; std::getline(list, line);) {
    if (line.empty() || line[0] == '#' || number++ % kAnswerParts != GetParam()) continue;
    if (smallTests() && number % 12 != 0) continue;
    Row row = splitRow(line, '|');
    row.resize(4);
    std::vector<Row> variants;
    addOtherSizes(row, variants);
    addOtherTypes(row, variants);
    Fingerprint print;
    int read = 0;
    for (const Row& variant : variants) {
      const Imported imported = importText(programOfRow(variant));
      if (!imported.graph || imported.diags.hasErrors()) continue;
      ++read;
      print.add(answersTo(*imported.graph, imported.graph->funcs[imported.graph->forward].ops[0]));
    }
    answerPins.expect(
        row[0] + " " + row[2] + " " + digits(line),
        std::to_string(read) + " of " + std::to_string(variants.size()) + " asked, print " + digits(print));
  }
}

INSTANTIATE_TEST_SUITE_P(Parts, PinnedAnswers, testing::Range(0, kAnswerParts));

}  // namespace
}  // namespace tessera::test
