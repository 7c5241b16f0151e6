#pragma once
// The rows of tests/golden/op_model.txt: op | attributes | operands | results, and the function of one op that a row
// stands for.

#include <sstream>
#include <string>
#include <vector>

namespace tessera::test {

inline std::vector<std::string> splitRow(const std::string& text, char by) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, by);) {
    const size_t begin = part.find_first_not_of(' '), end = part.find_last_not_of(' ');
    parts.push_back(begin == std::string::npos ? "" : part.substr(begin, end - begin + 1));
  }
  return parts;
}

// "512x1024" or "512x1024xf32" as MLIR's type.
inline std::vector<std::string> typesOf(const std::string& words) {
  std::vector<std::string> types;
  std::istringstream in(words);
  for (std::string word; in >> word;) {
    const bool plain = word.find_first_not_of("0123456789x") == std::string::npos;
    types.push_back("tensor<" + word + (plain ? "xbf16>" : ">"));
  }
  return types;
}

inline std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

// A function of one op.
inline std::string programOfRow(const std::vector<std::string>& row) {
  const std::vector<std::string> in = typesOf(row[2]), out = typesOf(row.size() > 3 ? row[3] : "");
  std::vector<std::string> heads, names;
  for (size_t i = 0; i < in.size(); ++i) {
    names.push_back("%a" + std::to_string(i));
    heads.push_back(names.back() + ": " + in[i]);
  }
  const std::string made = out.empty() ? "" : "%r" + (out.size() > 1 ? ":" + std::to_string(out.size()) : "") + " = ";
  return "func.func @main(" + joined(heads) + ") {\n  " + made + "\"" + row[0] + "\"(" + joined(names) + ")" +
         (row[1].empty() ? "" : " <{" + row[1] + "}>") + " : (" + joined(in) + ") -> " +
         (out.size() == 1 ? out[0] : "(" + joined(out) + ")") + "\n  return\n}\n";
}

}  // namespace tessera::test
