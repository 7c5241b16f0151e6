#pragma once
// Tables of cases: lines that begin with "# " say what a case shows, its input follows, then a line "->" and what is
// said of it. UPDATE_GOLDEN=1 rewrites what stands behind the arrows.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

namespace tessera::test {

// Holds every case of tests/`name` against what `say` gives for its input. Returns how many there are.
inline int checkCaseTable(const std::string& name, const std::function<std::string(const std::string&)>& say) {
  const std::filesystem::path path = std::filesystem::path(TESSERA_SOURCE_DIR) / "tests" / name;
  const bool update = std::getenv("UPDATE_GOLDEN") != nullptr;
  std::ifstream file(path, std::ios::binary);
  std::string all, title, input, expected;
  bool behind = false;
  int cases = 0;
  const auto finish = [&] {
    if (title.empty()) return;
    SCOPED_TRACE(title);
    const std::string said = say(input);
    all += (all.empty() ? "" : "\n") + title + input + "->\n" + said;
    if (!update) EXPECT_EQ(said, expected);
    title.clear(), input.clear(), expected.clear();
    behind = false;
    ++cases;
  };
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("# ", 0) == 0) {
      if (behind) finish();
      title += line + "\n";
    } else if (line == "->") {
      behind = true;
    } else if (!behind) {
      input += line + "\n";
    } else if (!line.empty()) {
      expected += line + "\n";
    }
  }
  finish();
  file.close();
  if (update) std::ofstream(path, std::ios::binary) << all;
  return cases;
}

}  // namespace tessera::test
