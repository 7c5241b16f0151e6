#pragma once
// Answers pinned by their figures and fingerprints, a line per key in tests/golden/NAME.expected: what is as legal and
// as good as another answer is told from it here. UPDATE_GOLDEN=1 rewrites the file from a whole run of its program
// (scripts/update_golden).

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "core/support/fingerprint.h"

namespace tessera::test {

class PinnedFile : public testing::Environment {
 public:
  // GoogleTest keeps it to the end of the program.
  static PinnedFile& named(const std::string& name) {
    auto* made = new PinnedFile(name);
    testing::AddGlobalTestEnvironment(made);
    return *made;
  }

  void expect(const std::string& key, const std::string& found) {
    found_[key] = found;
    if (!updates()) {
      EXPECT_EQ(found, known_[key]) << key << "\nif this is meant, run scripts/update_golden";
    }
  }

  // The same of an input that lies outside the repository: what was never pinned is not compared, and counted.
  // Those that an update does not read keep their lines.
  void expectIfKnown(const std::string& key, const std::string& found) {
    outside_ = true;
    if (updates() || known_.count(key) > 0) expect(key, found);
    else ++unknown_;
  }

  void TearDown() override {
    if (unknown_ > 0) std::printf("[   INFO   ] %d inputs are not in %s\n", unknown_, path_.filename().c_str());
    if (!updates() || found_.empty()) return;
    std::map<std::string, std::string> lines = found_;
    if (outside_) lines.insert(known_.begin(), known_.end());  // what was found counts
    if (lines.size() > found_.size())
      std::printf("[   INFO   ] %zu lines stay as they are\n", lines.size() - found_.size());
    std::ofstream out(path_, std::ios::binary);
    for (const auto& [key, line] : lines) out << key << ": " << line << "\n";
  }

 private:
  explicit PinnedFile(const std::string& name)
      : path_(std::filesystem::path(TESSERA_SOURCE_DIR) / "tests/golden" / (name + ".expected")) {
    std::ifstream in(path_);
    for (std::string line; std::getline(in, line);) {
      const size_t colon = line.find(": ");
      if (colon != std::string::npos) known_[line.substr(0, colon)] = line.substr(colon + 2);
    }
  }
  static bool updates() { return std::getenv("UPDATE_GOLDEN") != nullptr; }

  std::filesystem::path path_;
  std::map<std::string, std::string> known_, found_;
  int unknown_ = 0;
  bool outside_ = false;  // some inputs lie outside the repository
};

// Eight digits of a fingerprint tell lines apart.
inline std::string digits(const Fingerprint& print) { return print.text().substr(0, 8); }
inline std::string digits(const std::string& text) {
  Fingerprint print;
  print.add(text);
  return digits(print);
}

}  // namespace tessera::test
