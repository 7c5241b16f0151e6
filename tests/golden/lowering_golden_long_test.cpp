// Golden cases of lowering: every lowering/*.mlir goes through `tessera opt` with the arguments of each `//! opt:`
// line; what it prints must equal the .expected file beside it. UPDATE_GOLDEN=1 rewrites the expectations.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/cli/cli.h"
#include "core/lowering/pass.h"
#include "tests/files.h"

namespace fs = std::filesystem;

namespace tessera {
using test::readFile;

namespace {

const std::string kPrefix = "//! opt: ";

// Words between blanks; quotes keep them together, as a shell does.
std::vector<std::string> splitArguments(const std::string& line) {
  std::vector<std::string> words;
  bool quoted = false, inWord = false;
  for (char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if ((c == ' ' || c == '\r') && !quoted) {
      inWord = false;
    } else {
      if (!inWord) words.emplace_back();
      inWord = true;
      words.back() += c;
    }
  }
  return words;
}

std::string runOpt(const fs::path& path, const std::string& line) {
  std::vector<std::string> arguments = splitArguments(line);
  arguments.insert(arguments.begin(), {"opt", path.string()});
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  int code = runCommandLine(arguments);
  std::fflush(stdout);
  std::string out = testing::internal::GetCapturedStdout();
  std::string err = testing::internal::GetCapturedStderr();
  std::string exit = code == kExitFine ? "" : "exit " + std::to_string(code) + "\n";
  return "== opt " + line + "\n" + exit + err + out;
}

class LoweringCase : public testing::Test {
 public:
  explicit LoweringCase(fs::path path) : path_(std::move(path)) {}

  void TestBody() override {
    std::string actual;
    std::stringstream in(readFile(path_));
    for (std::string line; std::getline(in, line);) {
      if (line.rfind(kPrefix, 0) == 0) actual += runOpt(path_, line.substr(kPrefix.size()));
    }
    ASSERT_NE(actual, "") << "no `//! opt:` line in " << path_;
    fs::path expected = path_;
    expected.replace_extension(".expected");
    if (std::getenv("UPDATE_GOLDEN")) {
      std::ofstream(expected, std::ios::binary) << actual;
      return;
    }
    EXPECT_EQ(actual, readFile(expected)) << "if this is meant, run scripts/update_golden";
  }

 private:
  fs::path path_;
};

// The lines of all cases that name the pass, with their files.
std::vector<std::pair<fs::path, std::string>> linesNaming(const std::vector<fs::path>& paths, const std::string& pass) {
  std::vector<std::pair<fs::path, std::string>> lines;
  for (const fs::path& path : paths) {
    std::stringstream in(readFile(path));
    for (std::string line; std::getline(in, line);) {
      if (line.rfind(kPrefix, 0) != 0) continue;
      for (const std::string& word : splitArguments(line.substr(kPrefix.size()))) {
        if (word.substr(0, word.find('=')) == "--" + pass) lines.emplace_back(path, line.substr(kPrefix.size()));
      }
    }
  }
  return lines;
}

// The line with another pass in its place, which has nothing to do there: what the case would be had the pass done
// nothing.
std::string without(const std::string& line, const std::string& pass) {
  const std::string idle =
      pass == "ttir-quant-data-type-conversion" ? "ttir-propagate-weight-dtype" : "ttir-quant-data-type-conversion";
  std::string out;
  for (const std::string& word : splitArguments(line)) {
    if (word.substr(0, word.find('=')) == "--" + pass) {
      out += "--" + idle + " ";
      continue;
    }
    const size_t equals = word.find('=');
    out += equals == std::string::npos ? word + " " : word.substr(0, equals) + "=\"" + word.substr(equals + 1) + "\" ";
  }
  return out;
}

std::string withoutHead(const std::string& text) { return text.substr(text.find('\n') + 1); }

// Every pass has a case of its own, in which it changes something.
class EveryPass : public testing::Test {
 public:
  explicit EveryPass(std::vector<fs::path> paths) : paths_(std::move(paths)) {}

  void TestBody() override {
    for (std::span<const PassInfo> table : {allPasses(), namedPasses()}) {
      for (const PassInfo& pass : table) {
        const std::string name(pass.name);
        bool changes = false;
        for (const auto& [path, line] : linesNaming(paths_, name)) {
          changes = changes || withoutHead(runOpt(path, line)) != withoutHead(runOpt(path, without(line, name)));
        }
        EXPECT_TRUE(changes) << "no case in tests/golden/lowering shows what `--" << name << "` does";
      }
    }
  }

 private:
  std::vector<fs::path> paths_;
};

int registerCases() {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(fs::path(TESSERA_SOURCE_DIR) / "tests/golden/lowering")) {
    if (entry.path().extension() == ".mlir") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  for (const fs::path& path : paths) {
    testing::RegisterTest("Lowering", path.stem().string().c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [path]() -> testing::Test* { return new LoweringCase(path); });
  }
  testing::RegisterTest("Lowering", "every_pass_has_its_case", nullptr, nullptr, __FILE__, __LINE__,
                        [paths]() -> testing::Test* { return new EveryPass(paths); });
  return static_cast<int>(paths.size());
}

}  // namespace
}  // namespace tessera

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (tessera::registerCases() == 0) {
    std::fprintf(stderr, "no lowering cases found\n");
    return 1;
  }
  return RUN_ALL_TESTS();
}
