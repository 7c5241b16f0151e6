#pragma once
// A case of tests/lowering/cases, as short_cases_test.cpp says how it is written, and its passes on any graph.

#include "tests/lowering/short_mlir.h"

namespace tessera::test {

struct ShortCase {
  std::string title, settings, expected;
  std::vector<std::string> lines;
};

inline std::vector<std::filesystem::path> caseFiles() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(TESSERA_SOURCE_DIR) / "tests/lowering/cases"))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

inline std::vector<ShortCase> readCases(const std::filesystem::path& path) {
  std::vector<ShortCase> cases;
  std::istringstream in(readFile(path));
  bool behind = true;
  for (std::string line; std::getline(in, line);) {
    const bool title = line.rfind("# ", 0) == 0;
    if (title && behind) cases.emplace_back(), behind = false;
    if (title || cases.empty()) {
      if (!cases.empty()) cases.back().title += line + "\n";
    } else if (line.rfind("== ", 0) == 0) {
      cases.back().settings = line;
    } else if (line == "->") {
      behind = true;
    } else if (behind) {
      if (!line.empty()) cases.back().expected += line + "\n";
    } else {
      cases.back().lines.push_back(line);
    }
  }
  return cases;
}

// What stands behind the "== " of a case.
class CaseSetup {
 public:
  explicit CaseSetup(const std::string& settings) : setup_(chipOf(wordsOf(settings))) {
    setup_.context.byName = true;
    for (const std::string& word : wordsOf(settings)) take(word);
  }

  const std::vector<std::string>& passes() const { return passes_; }

  std::string mlir(const std::vector<std::string>& lines) const {
    ShortFunction function(dialect_);
    for (const std::string& line : lines) function.addLine(line);
    return function.mlir();
  }

  struct Outcome {
    Graph graph;
    std::string said;        // notes, then problems, of one pass after the other
    bool announced = false;  // by a pass: that it computes something else
  };

  Outcome run(const Graph& before) {
    Outcome out{before, "", false};
    for (const std::string& pass : passes_) {
      LoweringResult result = passOn(pass, out.graph, setup_);
      out.graph = std::move(result.graph);
      for (const PassLog& log : result.logs) {
        for (const PassLogNote& note : log.notes) out.said += note.op + ": " + note.text + "\n";
        for (const PassLogNote& note : log.problems) {
          out.said += "problem " + note.op + ": " + note.text + "\n";
          out.announced = out.announced || note.computesOther;
        }
      }
    }
    return out;
  }

 private:
  static std::vector<std::string> wordsOf(const std::string& settings) { return splitAt(settings.substr(3), " "); }

  static std::string chipOf(const std::vector<std::string>& words) {
    for (const std::string& word : words) {
      if (word.rfind("device=", 0) == 0) return word.substr(7);
    }
    return "n150";
  }

  void take(const std::string& word) {
    const size_t equals = word.find('=');
    const std::string name = word.substr(0, equals), value = equals == std::string::npos ? "" : word.substr(equals + 1);
    if (word == "compiler") {
      setup_.options.specificationRules = false;
    } else if (word == "autumn" || word == "summer") {
      setup_.options.release = word == "autumn" ? CompilerRelease::Autumn2025 : CompilerRelease::Summer2026;
    } else if (equals == std::string::npos) {
      passes_.push_back(word);
    } else if (name == "mesh") {
      setup_.options.meshShape.clear();
      for (const std::string& side : splitAt(value, "x")) setup_.options.meshShape.push_back(std::stoll(side));
    } else if (name == "dialect") {
      dialect_ = value;
    } else if (name != "device") {
      setup_.context.settings.values.emplace_back(name, value);
    }
  }

  LoweringSetup setup_;
  std::string dialect_ = "ttir";
  std::vector<std::string> passes_;
};

}  // namespace tessera::test
