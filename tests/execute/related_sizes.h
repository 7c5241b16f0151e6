#pragma once
// What an op says about sizes, dim by dim: with all dims of any one of its tensors kept, those that must follow keep
// their sizes, too, and all others become small.

#include <map>

#include "core/execute/dim_relations.h"
#include "tests/import/import_testing.h"

namespace tessera::test {

// The op's text has %0, %1 ... for its operands and TYPES for its function type; a result is %r, of several %r#0 and so
// on. A tensor is a word with a letter per dim: dims of one letter are equal, one of a capital stays as it is, a digit
// is a size. "i:ab" has integers.
struct Related {
  std::string text;
  std::vector<std::string> operands, results;
  std::map<char, int64_t> sizes;                      // of letters; others have prime numbers of their own
  std::string related = "";                           // letters that follow from others
  bool (*holds)(std::map<char, int64_t>&) = nullptr;  // what relates them
};

using Sizes = std::map<char, int64_t>;

inline std::string dimsOfWord(const std::string& word) {
  return word.substr(word.find(':') == std::string::npos ? 0 : 2);
}

inline int64_t sizeOfLetter(const Related& row, char letter) {
  constexpr int64_t kPrimes[] = {37, 41,  43,  47,  53,  59,  61,  67,  71,  73,  79,  83,  89,
                                 97, 101, 103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157};
  if (letter >= '0' && letter <= '9') return letter - '0';
  const auto given = row.sizes.find(letter);
  if (given != row.sizes.end()) return given->second;
  return letter >= 'a' ? kPrimes[letter - 'a'] : kPrimes[letter - 'A'] + 2;
}

inline std::string typeOfWord(const Related& row, const std::string& word) {
  std::string text = "tensor<";
  for (char letter : dimsOfWord(word)) text += std::to_string(sizeOfLetter(row, letter)) + "x";
  return text + (word[0] == 'i' && word.find(':') == 1 ? "i32>" : "f32>");
}

inline std::string listOfTypes(const Related& row, const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + typeOfWord(row, word);
  return text;
}

// The program with tensor number `kept` (operands before results) read by a call of which nothing is known.
inline std::string programWith(const Related& row, size_t kept) {
  std::string op = row.text, arguments, returned;
  for (size_t i = 0; i < row.operands.size(); ++i) {
    arguments += (i > 0 ? ", %a" : "%a") + std::to_string(i) + ": " + typeOfWord(row, row.operands[i]);
    const std::string name = "%" + std::to_string(i);
    for (size_t at = op.find(name); at != std::string::npos; at = op.find(name, at + 1)) op.insert(at + 1, "a");
  }
  const std::string results = "(" + listOfTypes(row, row.results) + ")";
  const size_t types = op.find("TYPES");
  op.replace(types, 5, "(" + listOfTypes(row, row.operands) + ") -> " + results);
  const size_t count = row.results.size();
  const auto result = [&](size_t i) { return "%r" + (count > 1 ? "#" + std::to_string(i) : std::string()); };
  for (size_t i = 0; i < count; ++i) returned += (i > 0 ? ", " : "") + result(i);
  std::string keep;
  const size_t all = row.operands.size() + count;
  if (kept < all) {
    const bool operand = kept < row.operands.size();
    const size_t index = operand ? kept : kept - row.operands.size();
    const std::string name = operand ? "%a" + std::to_string(index) : result(index);
    const std::string type = typeOfWord(row, operand ? row.operands[index] : row.results[index]);
    keep = "  %keep = stablehlo.custom_call @keep(" + name + ", " + name + ") : (" + type + ", " + type +
           ") -> tensor<1xf32>\n";
  }
  return "func.func @main(" + arguments + ") -> " + results + " {\n  %r" +
         (count > 1 ? ":" + std::to_string(count) : "") + " = " + op + "\n" + keep + "  return " + returned + " : " +
         listOfTypes(row, row.results) + "\n}\n";
}

inline void expectSizes(const Related& row, size_t kept) {
  const std::string program = programWith(row, kept);
  SCOPED_TRACE(program);
  const Imported imported = importText(program);
  ASSERT_TRUE(imported.graph) << imported.report();
  const Graph& graph = *imported.graph;
  DimRelations relations(graph);
  ASSERT_TRUE(relations.solve()) << relations.problem();
  std::vector<std::string> words = row.operands;
  words.insert(words.end(), row.results.begin(), row.results.end());
  std::vector<ValueId> values = graph.funcs[FuncId{0}].args;
  for (OpId op : graph.funcs[FuncId{0}].ops) {
    if (values.size() == row.operands.size())
      values.insert(values.end(), graph.ops[op].results.begin(), graph.ops[op].results.end());
  }
  ASSERT_EQ(values.size(), words.size());
  Sizes now;
  for (size_t i = 0; i < words.size(); ++i) {
    const Shape shape = relations.shapeOf(values[i]);
    const std::string letters = dimsOfWord(words[i]);
    ASSERT_EQ(shape.size(), letters.size());
    for (size_t d = 0; d < shape.size(); ++d) {
      const auto [at, first] = now.emplace(letters[d], shape[d]);
      EXPECT_EQ(at->second, shape[d]) << "dims " << letters[d] << " differ; " << words[i];
    }
  }
  const std::string keptLetters = kept < words.size() ? dimsOfWord(words[kept]) : "";
  for (const auto& [letter, size] : now) {
    const bool stays = keptLetters.find(letter) != std::string::npos || letter < 'a';
    if (stays) {
      EXPECT_EQ(size, sizeOfLetter(row, letter)) << letter;
    } else if (row.related.find(letter) == std::string::npos) {
      EXPECT_LT(size, 16) << letter << " need not be so large";
    }
  }
  EXPECT_TRUE(row.holds == nullptr || row.holds(now));
}

inline void expectRelated(const Related& row) {
  const size_t tensors = row.operands.size() + row.results.size();
  for (size_t kept = 0; kept <= tensors; ++kept) expectSizes(row, kept);
}

}  // namespace tessera::test
