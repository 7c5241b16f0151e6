#pragma once
// Small studies in a folder that goes away with the test.

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/cli/cli.h"
#include "tests/cli/cli_testing.h"

namespace tessera::test {

namespace fs = std::filesystem;

class StudyTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(::testing::TempDir()) / ("tessera_study_" + std::to_string(::getpid()) + "_" + info->name());
    fs::create_directories(folder_ / "graphs");
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string at(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  std::string read(const std::string& name) const { return readFile(folder_ / name); }
  void copyCase(const std::string& name) const {
    write("graphs/" + name + ".mlir", readFile(fs::path(TESSERA_SOURCE_DIR) / "tests/golden/cases" / (name + ".mlir")));
  }
  // `tessera study ARGUMENTS`, in this process and its workers.
  static Outcome study(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "study");
    return runTessera(arguments);
  }
  size_t keptCount(const std::string& name) const {
    size_t count = 0;
    for (const auto& entry : fs::directory_iterator(folder_ / name / "kept"))
      count += entry.path().extension() == ".json";
    return count;
  }
  static std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> out;
    std::stringstream in(text);
    for (std::string line; std::getline(in, line);) out.push_back(line);
    return out;
  }
  // The fields of a line without quoted commas.
  static std::vector<std::string> fields(const std::string& line) {
    std::vector<std::string> out;
    std::stringstream in(line);
    for (std::string field; std::getline(in, field, ',');) out.push_back(field);
    return out;
  }

  fs::path folder_;
};

// Processor time in seconds of all processes that this one started and that have ended.
inline double secondsOfChildren() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& time) { return double(time.tv_sec) + double(time.tv_usec) / 1e6; };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace tessera::test
