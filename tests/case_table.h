#pragma once
// Tables of cases: lines that begin with "# " say what a case shows, its input follows, then a line "->" and what is
// said of it. UPDATE_GOLDEN=1 rewrites what stands behind the arrows.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

namespace tessera::test {

struct TableCase {
  std::string title, input, expected;
};

// The cases of tests/`name`.
inline std::vector<TableCase> readCaseTable(const std::string& name) {
  std::ifstream file(std::filesystem::path(TESSERA_SOURCE_DIR) / "tests" / name, std::ios::binary);
  std::vector<TableCase> cases;
  bool behind = true;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("# ", 0) == 0) {
      if (behind) cases.emplace_back();
      behind = false;
      cases.back().title += line + "\n";
    } else if (cases.empty()) {
      continue;
    } else if (line == "->") {
      behind = true;
    } else if (!behind) {
      cases.back().input += line + "\n";
    } else if (!line.empty()) {
      cases.back().expected += line + "\n";
    }
  }
  return cases;
}

// Holds every case of tests/`name` against what `say` gives for its input. Returns how many there are.
inline int checkCaseTable(const std::string& name, const std::function<std::string(const std::string&)>& say) {
  const bool update = std::getenv("UPDATE_GOLDEN") != nullptr;
  const std::vector<TableCase> cases = readCaseTable(name);
  std::string all;
  for (const TableCase& one : cases) {
    SCOPED_TRACE(one.title);
    const std::string said = say(one.input);
    all += (all.empty() ? "" : "\n") + one.title + one.input + "->\n" + said;
    if (!update) EXPECT_EQ(said, one.expected);
  }
  if (update) std::ofstream(std::filesystem::path(TESSERA_SOURCE_DIR) / "tests" / name, std::ios::binary) << all;
  return static_cast<int>(cases.size());
}

}  // namespace tessera::test
