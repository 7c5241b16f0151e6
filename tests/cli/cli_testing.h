#pragma once

#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "core/cli/cli.h"
#include "tests/driver/driver_testing.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {

struct Outcome {
  int code = 0;
  std::string out;
  std::string err;
};

inline Outcome runTessera(const std::vector<std::string>& arguments) {
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  Outcome outcome;
  outcome.code = runCommandLine(arguments);
  std::fflush(stdout);
  outcome.out = ::testing::internal::GetCapturedStdout();
  outcome.err = ::testing::internal::GetCapturedStderr();
  return outcome;
}

// A file that goes away with the test.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text)
      : path_(::testing::TempDir() + "tessera_cli_" + std::to_string(::getpid()) + "_" + std::to_string(counter_++)) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~TemporaryFile() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  static inline int counter_ = 0;
  std::string path_;
};

// Standard input becomes a text while the command runs.
inline Outcome runWithInput(const std::string& text, const std::vector<std::string>& arguments) {
  const TemporaryFile file(text);
  const int saved = ::dup(0);
  EXPECT_NE(std::freopen(file.path().c_str(), "rb", stdin), nullptr);
  const Outcome outcome = runTessera(arguments);
  ::dup2(saved, 0);
  ::close(saved);
  std::clearerr(stdin);
  return outcome;
}

// The text without any mention of a folder, whose place differs between machines.
inline std::string without(std::string text, const std::string& folder) {
  for (size_t at = text.find(folder); at != std::string::npos; at = text.find(folder, at))
    text.erase(at, folder.size());
  return text;
}

// How often a part stands in a text.
inline size_t countOf(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace tessera::test
