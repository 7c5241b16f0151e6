// What the page is told, word for word: answers/*.mlir name questions in lines `//! ask: call options`; the answers
// must equal the .expected file beside it. UPDATE_GOLDEN=1 rewrites the expectations.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/driver/api.h"
#include "core/driver/session.h"
#include "tests/files.h"

namespace fs = std::filesystem;

namespace tessera {
using test::readFile;

namespace {

const std::string kAsk = "//! ask: ";

std::string answer(const std::string& text, const std::string& call, const std::string& options) {
  Session session;
  if (call == "lint") return apiLint(session, text);
  if (call == "run") return apiRun(session, text, options);
  if (call == "compare") return apiCompare(session, text, options);
  if (call == "passes") return apiPasses(session, text, options);
  if (call == "problem") return apiProblem(session, text, options);
  if (call == "regret") return apiRegret(session, text, options);
  return apiExport(session, text, options, call);
}

// In lines, so that a difference is seen: one ends behind every comma outside of the innermost lists.
std::string inLines(const std::string& json) {
  std::string out;
  bool quoted = false;
  size_t depth = 0;
  for (size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    out += c;
    if (c == '\\' && quoted && i + 1 < json.size()) out += json[++i];
    else if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (c == ',' && depth <= 5) out += '\n';
  }
  return out + "\n";
}

class AnswersCase : public testing::Test {
 public:
  explicit AnswersCase(fs::path path) : path_(std::move(path)) {}

  void TestBody() override {
    const std::string text = readFile(path_);
    std::istringstream in(text);
    std::string actual;
    for (std::string line; std::getline(in, line);) {
      if (line.rfind(kAsk, 0) != 0) continue;
      const size_t space = line.find(' ', kAsk.size());
      actual += "== " + line.substr(kAsk.size()) + "\n" +
                inLines(answer(text, line.substr(kAsk.size(), space - kAsk.size()), line.substr(space + 1)));
    }
    ASSERT_NE(actual, "") << "no `" << kAsk << "` line in " << path_;
    fs::path file = path_;
    file.replace_extension(".expected");
    if (std::getenv("UPDATE_GOLDEN")) {
      std::ofstream(file, std::ios::binary) << actual;
      return;
    }
    const std::string expected = readFile(file);
    if (actual == expected) return;
    const auto at = static_cast<size_t>(
        std::mismatch(actual.begin(), actual.end(), expected.begin(), expected.end()).first - actual.begin());
    const size_t begin = actual.rfind('\n', at) == std::string::npos ? 0 : actual.rfind('\n', at) + 1;
    EXPECT_EQ(actual.substr(begin, 400), expected.substr(std::min(begin, expected.size()), 400))
        << "answer under `" << actual.substr(actual.rfind("\n== ", at) + 1, 80)
        << "`; if this is meant, run scripts/update_golden";
  }

 private:
  fs::path path_;
};

int registerAnswers() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(TESSERA_SOURCE_DIR) / "tests/golden/answers"))
    if (entry.path().extension() == ".mlir") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files)
    testing::RegisterTest("Answers", file.stem().string().c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [file]() -> testing::Test* { return new AnswersCase(file); });
  return static_cast<int>(files.size());
}

}  // namespace
}  // namespace tessera

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (tessera::registerAnswers() == 0) {
    std::fprintf(stderr, "no answers found\n");
    return 1;
  }
  return RUN_ALL_TESTS();
}
