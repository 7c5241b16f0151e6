// Golden cases of lowering: every lowering/*.mlir goes through `tessera opt` with the arguments of each `//! opt:`
// line; what it prints must equal the .expected file beside it. UPDATE_GOLDEN=1 rewrites the expectations.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/cli/cli.h"

namespace fs = std::filesystem;

namespace tessera {
namespace {

std::string readFile(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

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
    const std::string prefix = "//! opt: ";
    std::string actual;
    std::stringstream in(readFile(path_));
    for (std::string line; std::getline(in, line);) {
      if (line.rfind(prefix, 0) == 0) actual += runOpt(path_, line.substr(prefix.size()));
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
