#pragma once
// One function in short lines, and a graph's function in such lines again: cases of passes fit on a screen.
//
//   a: 4x8xbf16 {attributes}        an argument; `|` begins a line of MLIR in front of the function
//   b = exp a                       of the type of its first operand, and of the dialect of the case
//   c, d = ttnn.topk b {k = 1 : i32} -> 4x1xbf16, 4x1xui16
//   e = full 2.0 -> 4x8xbf16        one number everywhere
//   do dealloc b                    an op without results
//   return c, e                     the last results without this line

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/changed_texts.h"
#include "tests/lowering/lowering_testing.h"

namespace tessera::test {

inline std::vector<std::string> splitAt(const std::string& text, const std::string& mark) {
  std::vector<std::string> out;
  size_t from = 0;
  for (size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, from)) {
    out.push_back(text.substr(from, at - from));
    from = at + mark.size();
  }
  out.push_back(text.substr(from));
  return out;
}

inline std::string longType(const std::string& type) { return type[0] == '!' ? type : "tensor<" + type + ">"; }

class ShortFunction {
 public:
  explicit ShortFunction(std::string dialect) : dialect_(std::move(dialect)) {}

  static bool isArgument(const std::string& line) {
    return line[0] != '|' && line.find(": ") < line.find(" = ") && line.rfind("do ", 0) != 0;
  }

  void addLine(const std::string& line) {
    if (line[0] == '|') {
      head_ += line.substr(1) + "\n";
    } else if (line.rfind("return", 0) == 0) {
      last_ = splitAt(line.substr(7), ", ");
    } else if (isArgument(line)) {
      addArgument(line);
    } else {
      addOp(line);
    }
  }

  std::string mlir() const {
    std::string types, values;
    for (const std::string& name : last_) {
      types += (types.empty() ? "" : ", ") + typeOf(name);
      values += (values.empty() ? "%" : ", %") + name;
    }
    return head_ + "func.func @main(" + arguments_ + ") -> (" + types + ") {\n" + body_ + "  return " + values + " : " +
           types + "\n}\n";
  }

 private:
  void addArgument(const std::string& line) {
    const size_t colon = line.find(": "), brace = line.find(" {");
    const std::string name = line.substr(0, colon);
    types_[name] = longType(line.substr(colon + 2, brace == std::string::npos ? brace : brace - colon - 2));
    arguments_ += (arguments_.empty() ? "%" : ", %") + name + ": " + types_[name] +
                  (brace == std::string::npos ? "" : line.substr(brace));
  }

  void addOp(const std::string& line) {
    const size_t equals = line.find(" = "), brace = line.find(" {"), close = line.rfind('}');
    const bool silent = line.rfind("do ", 0) == 0;
    std::vector<std::string> names;
    if (!silent) names = splitAt(line.substr(0, equals), ", ");
    const size_t arrow = line.find(" -> ", brace == std::string::npos ? 0 : close);
    const size_t begin = silent ? 3 : equals + 3;
    const std::string call = line.substr(begin, std::min({brace, arrow, line.size()}) - begin);
    std::vector<std::string> words = splitAt(call, " ");
    std::string attributes = brace < arrow ? line.substr(brace + 2, close - brace - 2) : "";
    std::vector<std::string> made;
    if (arrow != std::string::npos) {
      for (const std::string& type : splitAt(line.substr(arrow + 4), ", ")) made.push_back(longType(type));
    }
    if (words[0] == "full") {
      attributes = fullAttributes(words.at(1), made.at(0));
      words.resize(1);
    }
    std::string operands, types, results, resultTypes;
    for (size_t i = 1; i < words.size(); ++i) {
      operands += (i > 1 ? ", %" : "%") + words[i];
      types += (i > 1 ? ", " : "") + typeOf(words[i]);
    }
    if (made.empty() && !silent) made.assign(names.size(), typeOf(words.at(1)));
    for (size_t i = 0; i < names.size(); ++i) {
      types_[names[i]] = made.at(i);
      results += (i > 0 ? ", %" : "%") + names[i];
      resultTypes += (i > 0 ? ", " : "") + made[i];
    }
    const std::string op = words[0].find('.') == std::string::npos ? dialect_ + "." + words[0] : words[0];
    body_ += "  " + (silent ? "" : results + " = ") + "\"" + op + "\"(" + operands + ")" +
             (attributes.empty() ? "" : " <{" + attributes + "}>") + " : (" + types + ") -> (" + resultTypes + ")\n";
    if (!silent) last_ = names;
  }

  static std::string fullAttributes(const std::string& value, const std::string& type) {
    std::string shape = type.substr(7, type.rfind('x') - 7);
    std::replace(shape.begin(), shape.end(), 'x', ',');
    const bool number = type.rfind('f') > type.rfind('x') && type.rfind('f') != std::string::npos;
    return "fill_value = " + value + (number ? " : f32" : " : i32") + ", shape = array<i32: " + shape + ">";
  }

  const std::string& typeOf(const std::string& name) const {
    static const std::string none = "none";
    const auto found = types_.find(name);
    if (found == types_.end()) ADD_FAILURE() << "no value " << name;
    return found == types_.end() ? none : found->second;
  }

  std::string dialect_, head_, arguments_, body_;
  std::map<std::string, std::string> types_;
  std::vector<std::string> last_;
};

// "%1 = "ttir.exp"(%0) <{...}> : (types) -> tensor<4xf32>" becomes "1 = exp 0 {...} -> 4xf32".
inline std::string shortLine(std::string line, const std::string& dialect) {
  line.erase(0, line.find_first_not_of(' '));
  const size_t types = line.rfind(" : ("), arrow = types == std::string::npos ? types : line.find(" -> ", types);
  if (arrow != std::string::npos) line.erase(types, arrow - types);
  line = replaced(replaced(replaced(line, "\"" + dialect + ".", "\""), " <{", " {"), "}>", "}");
  const size_t open = line.find("\"("), quote = line.find('"');
  if (open == std::string::npos || open < quote) return line;
  const size_t close = line.find(')', open);
  line.replace(close, 1, "");
  line.replace(open, 2, close == open + 2 ? "" : " ");
  line.erase(quote, 1);
  return line;
}

// All functions of the graph, a line per op; what is the same in every case (braces, "module") is left out.
inline std::string shortText(const Graph& graph, const std::string& dialect) {
  std::istringstream lines(exportMlir(graph));
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    const size_t begin = line.find_first_not_of(' ');
    if (begin == std::string::npos || line[begin] == '}' || line.compare(0, 6, "module") == 0) continue;
    out += shortLine(line, dialect) + "\n";
  }
  return out;
}

}  // namespace tessera::test
