// What passes make of a few ops: tests/lowering/cases/*.txt, a table per file, in the words of short_mlir.h. A case is
//
//   # what it shows
//   == passes and settings          "== ttir-fusing canonicalize force=true"; `compiler`: its rules where the
//   lines                           specification's differ; `autumn`, `summer`: a release; `dialect=stablehlo`;
//                                   `mesh=2x4`: chips; `device=p150`: another chip
//   ->
//   what the passes say, then what they leave; "nothing changes" where that is so
//
// Both graphs are executed and must give the same results, where all ops have kernels ("not executed" otherwise) and no
// pass says that it computes something else; what is left is printed, read and printed again.
// UPDATE_GOLDEN=1 rewrites what stands behind the arrows.

#include "tests/compare_graphs.h"
#include "tests/lowering/short_mlir.h"

namespace tessera::test {
namespace {

namespace fs = std::filesystem;

struct ShortCase {
  std::string title, settings, expected;
  std::vector<std::string> lines;
};

std::vector<ShortCase> readCases(const fs::path& path) {
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

std::string chipOf(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word.rfind("device=", 0) == 0) return word.substr(7);
  }
  return "n150";
}

std::string runCase(const ShortCase& one) {
  std::string dialect = "ttir";
  const std::vector<std::string> words = splitAt(one.settings.substr(3), " ");
  LoweringSetup setup(chipOf(words));
  setup.context.byName = true;
  std::vector<std::string> passes;
  for (const std::string& word : words) {
    const size_t equals = word.find('=');
    if (word == "compiler") {
      setup.options.specificationRules = false;
    } else if (word == "autumn" || word == "summer") {
      setup.options.release = word == "autumn" ? CompilerRelease::Autumn2025 : CompilerRelease::Summer2026;
    } else if (equals == std::string::npos) {
      passes.push_back(word);
    } else if (word.substr(0, equals) == "mesh") {
      setup.options.meshShape.clear();
      for (const std::string& side : splitAt(word.substr(equals + 1), "x"))
        setup.options.meshShape.push_back(std::stoll(side));
    } else if (word.substr(0, equals) == "device") {
      continue;
    } else if (word.substr(0, equals) == "dialect") {
      dialect = word.substr(equals + 1);
    } else {
      setup.context.settings.values.emplace_back(word.substr(0, equals), word.substr(equals + 1));
    }
  }
  ShortFunction function(dialect);
  for (const std::string& line : one.lines) function.addLine(line);
  const std::string text = function.mlir();
  SCOPED_TRACE(text);
  std::string said;
  bool announced = false;  // by a pass: that it computes something else
  const Graph before = graphOfText(text);
  Graph now = before;
  for (const std::string& pass : passes) {
    LoweringResult result = passOn(pass, now, setup);
    now = std::move(result.graph);
    for (const PassLog& log : result.logs) {
      for (const PassLogNote& note : log.notes) said += note.op + ": " + note.text + "\n";
      for (const PassLogNote& note : log.problems) {
        said += "problem " + note.op + ": " + note.text + "\n";
        announced = announced || note.computesOther;
      }
    }
  }
  if (sameGraph(now, before)) {
    return said + "nothing changes\n";
  }
  const std::string left = exportMlir(now);
  EXPECT_EQ(exportMlir(graphOfText(left)), left) << "it reads as another graph";
  const ComparisonVerdict verdict = compareGraphs(before, now, 5, 2e-3);
  if (verdict.comparison == Comparison::NotExecutable) said += "not executed\n";
  else if (announced && !verdict.equal()) said += "computes something else\n";
  else EXPECT_TRUE(verdict.equal()) << verdict.text << "\n" << left;
  return said + shortText(now, passes.back() == "convert-ttir-to-ttnn" ? "ttnn" : "ttir");
}

class ShortCases : public testing::Test {
 public:
  explicit ShortCases(fs::path path) : path_(std::move(path)) {}

  void TestBody() override {
    std::string all;
    for (const ShortCase& one : readCases(path_)) {
      const std::string said = runCase(one);
      all += (all.empty() ? "" : "\n") + one.title + one.settings + "\n";
      for (const std::string& line : one.lines) all += line + "\n";
      all += "->\n" + said;
      if (std::getenv("UPDATE_GOLDEN") == nullptr) EXPECT_EQ(said, one.expected) << one.title;
    }
    ASSERT_NE(all, "") << path_;
    if (std::getenv("UPDATE_GOLDEN") != nullptr) std::ofstream(path_, std::ios::binary) << all;
  }

 private:
  fs::path path_;
};

const bool kRegistered = [] {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(fs::path(TESSERA_SOURCE_DIR) / "tests/lowering/cases"))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const fs::path& path : paths) {
    testing::RegisterTest("ShortCases", path.stem().string().c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [path]() -> testing::Test* { return new ShortCases(path); });
  }
  return true;
}();

}  // namespace
}  // namespace tessera::test
