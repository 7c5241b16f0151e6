// What commands print, word for word: golden/commands/*.txt hold files (`=== name`, then its lines) and command lines
// (`$ run a.mlir --json`); exit code, standard output and standard error of each must equal the .expected file beside
// it. UPDATE_GOLDEN=1 rewrites the expectations.

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/cli/cli_testing.h"
#include "tests/pinned.h"

namespace tessera::test {
namespace {

namespace fs = std::filesystem;

struct Transcript {
  std::vector<std::pair<std::string, std::string>> files;  // name, text
  std::vector<std::string> commands;
};

Transcript readTranscript(const std::string& text) {
  Transcript out;
  std::istringstream in(text);
  bool inFile = false;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("$ ", 0) == 0) out.commands.push_back(line.substr(2)), inFile = false;
    else if (line.rfind("=== ", 0) == 0) out.files.emplace_back(line.substr(4), ""), inFile = true;
    else if (inFile) out.files.back().second += line + "\n";
  }
  return out;
}

// Words between blanks; '...' is one word.
std::vector<std::string> wordsOf(const std::string& line) {
  std::vector<std::string> words;
  bool quoted = false, open = false;
  for (char c : line) {
    if (c == '\'') {
      quoted = !quoted;
    } else if (c == ' ' && !quoted) {
      open = false;
      continue;
    }
    if (!open) words.emplace_back();
    open = true;
    if (c != '\'') words.back() += c;
  }
  return words;
}

// JSON in lines, so that a difference is seen: one ends behind every comma outside of the innermost lists.
std::string inLines(const std::string& text) {
  if (text.empty() || text[0] != '{') return text;
  std::string out;
  bool quoted = false;
  size_t depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    out += c;
    if (c == '\\' && quoted && i + 1 < text.size()) out += text[++i];
    else if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (c == ',' && depth <= 4 && text[i + 1] != '\n') out += '\n';
  }
  return out;
}

// The beginning of lines that are too long to be read, with their length and a fingerprint.
std::string withShortLines(const std::string& text) {
  constexpr size_t kLongest = 400, kShown = 160;
  std::string out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.size() > kLongest)
      line = line.substr(0, kShown) + " ... of " + std::to_string(line.size()) + " bytes, print " + digits(line);
    out += line + "\n";
  }
  return out;
}

// Without what differs between machines and calls: the folder, seconds, the time that is left (told by slow machines
// alone), and the usage behind a mistake.
std::string cleaned(std::string text, const std::string& folder) {
  text = without(std::move(text), folder);
  if (const size_t usage = text.find("\n\nusage: tessera"); usage != std::string::npos) text.erase(usage + 1);
  for (size_t at = text.find(" seconds "); at != std::string::npos; at = text.find(" seconds ", at)) {
    at += 9;
    size_t end = at;
    while (end < text.size() && (std::isdigit(static_cast<unsigned char>(text[end])) != 0 || text[end] == '.')) ++end;
    text.erase(at, end - at);
  }
  for (size_t at = text.find("  about "); at != std::string::npos; at = text.find("  about ", at + 1)) {
    const size_t end = text.find(" left\n", at);
    if (end != std::string::npos && end < text.find('\n', at)) text.erase(at, end + 5 - at);
  }
  return text;
}

class TranscriptCase : public testing::Test {
 public:
  explicit TranscriptCase(fs::path path) : path_(std::move(path)) {}

  void TestBody() override {
    const Transcript transcript = readTranscript(readFile(path_));
    const std::string folder =
        ::testing::TempDir() + "tessera_transcript_" + std::to_string(::getpid()) + path_.stem().string() + "/";
    fs::create_directories(folder);
    for (const auto& [name, text] : transcript.files) std::ofstream(folder + name, std::ios::binary) << text;
    std::vector<std::string> blocks;
    for (const std::string& command : transcript.commands) {
      std::vector<std::string> words = wordsOf(command);
      for (std::string& word : words) {
        for (const auto& [name, text] : transcript.files) {
          // A file as a word, behind `=`, or as a folder's beginning.
          const size_t at = word.size() >= name.size() ? word.size() - name.size() : 0;
          if (word.substr(at) == name && (at == 0 || word[at - 1] == '=')) word.insert(at, folder);
        }
        if (const size_t at = word.find("OUT/"); at != std::string::npos) word.replace(at, 4, folder);
      }
      const Outcome outcome = runTessera(words);
      std::string block = "$ " + command + "\nends with " + std::to_string(outcome.code) + "\n";
      block += withShortLines(inLines(cleaned(outcome.out, folder)));
      if (!outcome.err.empty()) block += "-- on standard error:\n" + cleaned(outcome.err, folder);
      blocks.push_back(block);
    }
    fs::remove_all(folder);
    compare(blocks);
  }

 private:
  void compare(const std::vector<std::string>& blocks) const {
    fs::path file = path_;
    file.replace_extension(".expected");
    std::string actual;
    for (const std::string& block : blocks) actual += block + "\n";
    if (std::getenv("UPDATE_GOLDEN")) {
      std::ofstream(file, std::ios::binary) << actual;
      return;
    }
    const std::string expected = readFile(file);
    size_t at = 0;
    for (const std::string& block : blocks) {
      ASSERT_EQ(expected.substr(std::min(at, expected.size()), block.size() + 1), block + "\n")
          << "if this is meant, run scripts/update_golden";
      at += block.size() + 1;
    }
    EXPECT_EQ(at, expected.size());
  }

  fs::path path_;
};

const bool registered = [] {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(TESSERA_SOURCE_DIR) / "tests/golden/commands"))
    if (entry.path().extension() == ".txt") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files)
    testing::RegisterTest("Transcripts", file.stem().string().c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [file]() -> testing::Test* { return new TranscriptCase(file); });
  return !files.empty();
}();

TEST(TranscriptFiles, AreThere) { EXPECT_TRUE(registered); }

}  // namespace
}  // namespace tessera::test
