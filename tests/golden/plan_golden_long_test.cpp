// Golden cases: every cases/**/*.mlir is run under its policies; diagnostics and plans must equal the .expected file
// beside it. UPDATE_GOLDEN=1 rewrites the expectations. Directives are leading comments: `//! policy: DRAM, Greedy`,
// `//! device: p150` and any other option. A defect fails a case. A file is called fail_* if and only if it produces an
// error.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/driver/pipeline.h"
#include "core/report/plan_text.h"
#include "tests/files.h"

namespace fs = std::filesystem;

namespace tessera {
using test::readFile;

namespace {

std::vector<std::string> splitList(const std::string& text) {
  std::vector<std::string> parts;
  std::stringstream in(text);
  for (std::string part; std::getline(in, part, ',');) {
    part.erase(0, part.find_first_not_of(" \t"));
    part.erase(part.find_last_not_of(" \t\r") + 1);
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

struct Directives {
  std::vector<std::string> policies;
  Options options;
  std::string mistake;
};

// An unknown directive is a failure: a typo must not turn into a case that tests less.
Directives readDirectives(const std::string& text) {
  Directives out;
  std::stringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("//!", 0) != 0) continue;
    size_t colon = line.find(':');
    if (colon == std::string::npos) return {{}, {}, "directive without `:`: " + line};
    std::vector<std::string> key = splitList(line.substr(3, colon - 3)), values = splitList(line.substr(colon + 1));
    if (key.size() != 1 || values.empty()) return {{}, {}, "bad directive: " + line};
    if (key[0] == "policy") {
      out.policies = values;
      continue;
    }
    Diagnostics diags;
    if (!setOption(out.options, key[0], values[0], diags)) return {{}, {}, diags.all().back().message};
  }
  if (out.policies.empty()) {
    for (const PolicyInfo& policy : allPolicies()) {  // what is written is the subject of cases of its own
      if (!policy.has(kAsItStands)) out.policies.emplace_back(policy.id);
    }
  }
  return out;
}

std::string renderAll(const Diagnostics& diagnostics, const SourceBuffer& source) {
  std::string text;
  for (const Diagnostic& d : diagnostics.all()) text += renderDiagnostic(d, source);
  return text;
}

class GoldenCase : public testing::Test {
 public:
  explicit GoldenCase(fs::path path) : path_(std::move(path)) {}

  void TestBody() override {
    std::string text = readFile(path_);
    Directives directives = readDirectives(text);
    ASSERT_EQ(directives.mistake, "") << path_;
    Session session;
    const LoadedGraph& loaded = session.load(path_.filename().string(), text);
    bool shouldFail = path_.filename().string().rfind("fail_", 0) == 0;
    EXPECT_EQ(loaded.diagnostics.hasErrors(), shouldFail) << renderAll(loaded.diagnostics, loaded.source);
    std::string actual = renderAll(loaded.diagnostics, loaded.source);
    for (const std::string& policy : directives.policies) {
      if (!loaded.graph) break;
      Options options = directives.options;
      Diagnostics diags;
      ASSERT_TRUE(setOption(options, "policy", policy, diags)) << policy;
      auto finished = runPolicy(session, options, {});
      ASSERT_TRUE(finished->report.run.has_value());
      actual += "== " + policy + " on " + options.device + "\n" + planText(*finished->report.run);
      for (const ReportDefect& d : finished->report.run->defects)
        ADD_FAILURE() << d.checker << ": " << d.rule << ": " << d.text;
    }
    compare(actual);
  }

 private:
  void compare(const std::string& actual) {
    fs::path expectedPath = path_;
    expectedPath.replace_extension(".expected");
    if (std::getenv("UPDATE_GOLDEN")) {
      std::ofstream(expectedPath, std::ios::binary) << actual;
      return;
    }
    ASSERT_TRUE(fs::exists(expectedPath)) << "no expectation; run scripts/update_golden and look at " << expectedPath;
    EXPECT_EQ(actual, readFile(expectedPath)) << "if this is meant, run scripts/update_golden";
  }

  fs::path path_;
};

int registerCases() {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(TESSERA_SOURCE_DIR) / "tests/golden/cases")) {
    if (entry.path().extension() == ".mlir") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());  // directory order is not defined
  for (const fs::path& path : paths) {
    testing::RegisterTest("Golden", path.stem().string().c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [path]() -> testing::Test* { return new GoldenCase(path); });
  }
  return static_cast<int>(paths.size());
}

}  // namespace
}  // namespace tessera

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (tessera::registerCases() == 0) {
    std::fprintf(stderr, "no golden cases found\n");
    return 1;
  }
  return RUN_ALL_TESTS();
}
