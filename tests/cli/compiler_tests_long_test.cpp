// What `tessera opt` prints for every run of the compiler's own tests and for real graphs, where they are at hand: a
// line per file, known by the hash of its text alone. Whether the tests hold is scripts/compiler_suite's question; here
// every other change of what is printed is seen, too.

#include "tests/cli/cli_testing.h"
#include "tests/pinned.h"

namespace tessera::test {
namespace {

PinnedFile& compilerPins = PinnedFile::named("pinned_compiler_tests");

// What stands behind `RUN:`, continued lines in one.
std::vector<std::string> runLinesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::stringstream in(text);
  bool continues = false;
  for (std::string line; std::getline(in, line);) {
    const size_t at = line.find("RUN:");
    if (at == std::string::npos) continue;
    line.erase(0, at + 4);
    const bool more = !line.empty() && line.back() == '\\';
    if (more) line.pop_back();
    if (continues) lines.back() += line;
    else lines.push_back(line);
    continues = more;
  }
  return lines;
}

// The words of a command up to a pipe or a redirection; quotes keep blanks.
std::vector<std::string> wordsOf(const std::string& command) {
  std::vector<std::string> words(1);
  char quote = 0;
  for (const char c : command) {
    if (quote != 0 ? c == quote : c == '"' || c == '\'') quote = quote != 0 ? 0 : c;
    else if (quote == 0 && (c == '|' || c == '>')) break;
    else if (quote == 0 && c == ' ') words.emplace_back();
    else words.back() += c;
  }
  std::erase(words, "");
  return words;
}

// The arguments for `tessera opt`; empty where the line calls something else.
std::vector<std::string> optArguments(const std::string& line, const std::string& file) {
  static const std::string kTool = "ttmlir-opt ", kDevice = "system-desc-path=%system_desc_path%";
  const size_t begin = line.find(kTool);
  if (begin == std::string::npos) return {};
  std::vector<std::string> out = {"opt"};
  bool target = false;
  for (std::string word : wordsOf(line.substr(begin + kTool.size()))) {
    if (target || word == "-o") {
      target = !target;
      continue;
    }
    if (word == "%s") word = file;
    if (const size_t at = word.find(kDevice); at != std::string::npos) word.erase(at, kDevice.size());
    if (word.find('%') != std::string::npos) return {};
    out.push_back(std::move(word));
  }
  return out;
}

TEST(PinnedCompilerTests, PrintTheSame) {
  const std::vector<std::filesystem::path> files = sliceUpTo(20'000, compilerTestFiles());
  if (files.empty()) GTEST_SKIP() << "skipped: no tests of the compiler at " << sharedFolder();
  int fine = 0, runs = 0;
  for (const auto& path : files) {
    const std::string text = readFile(path);
    Fingerprint print;
    std::string codes;
    for (const std::string& line : runLinesOf(text)) {
      const std::vector<std::string> arguments = optArguments(line, path.string());
      if (arguments.empty()) continue;
      const Outcome outcome = runTessera(arguments);
      ++runs, fine += outcome.code == kExitFine;
      codes += (codes.empty() ? "exit " : " ") + std::to_string(outcome.code);
      print.add(outcome.out);
      print.add(without(outcome.err, path.parent_path().string()));
    }
    if (!codes.empty()) compilerPins.expectIfKnown(digits(text), codes + ", print " + digits(print));
  }
  std::printf("[   INFO   ] %d of %d runs of %zu files end well\n", fine, runs, files.size());
  EXPECT_GE(fine * 2, runs);
}

// Without and with the optimizer: what the passes make of a graph, and the settings that the compiler would print.
TEST(PinnedCompilerTests, RealGraphsBecomeTheSame) {
  std::vector<std::filesystem::path> files = corpusFiles();
  for (const auto& more : {stablehloFiles(), mlirFilesIn(sharedFolder() / "stablehlo/ops_jax_testdata")})
    files.insert(files.end(), more.begin(), more.end());
  if (files.empty()) GTEST_SKIP() << "skipped: no graphs at " << sharedFolder();
  for (const auto& path : sliceUpTo(100'000, std::move(files))) {
    std::string line;
    for (const char* level : {"0", "2"}) {
      const std::string pipeline = std::string("--ttir-to-ttnn-backend-pipeline=optimization-level=") + level;
      const Outcome outcome = runTessera({"opt", path.string(), pipeline});
      line += std::string(line.empty() ? "" : ", ") + "level " + level + " exit " + std::to_string(outcome.code) +
              " print " + digits(outcome.out + without(outcome.err, path.parent_path().string()));
    }
    compilerPins.expectIfKnown(path.stem().string() + " " + digits(readFile(path)), line);
  }
}

}  // namespace
}  // namespace tessera::test
