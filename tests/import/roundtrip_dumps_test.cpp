// Final TTNN dumps of the compiler, read and printed again, equal themselves: compared after a normaliser of its own,
// which inlines aliases, drops locations and white space, and shares no code with the parser and the printer. Skipped
// where the dumps are not at hand.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "core/import/export_mlir.h"
#include "tests/import/import_testing.h"
#include "tests/import_text.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

bool isNameByte(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$'; }

size_t behindQuotes(const std::string& text, size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) at += text[at] == '\\' ? 1 : 0;
  return at + 1;
}

// `text` without every loc(...).
std::string withoutLocations(const std::string& text) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    if (text[i] == '"') {
      size_t end = behindQuotes(text, i);
      out += text.substr(i, end - i);
      i = end;
    } else if (text[i] == 'l' && text.compare(i, 4, "loc(") == 0 && (i == 0 || !isNameByte(text[i - 1]))) {
      i += 4;
      for (int depth = 1; i < text.size() && depth > 0;) {
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        i = text[i] == '"' ? behindQuotes(text, i) : i + 1;
      }
    } else {
      out += text[i++];
    }
  }
  return out;
}

std::string inlined(const std::string& text, const std::map<std::string, std::string>& aliases) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    if (text[i] == '"') {
      size_t end = behindQuotes(text, i);
      out += text.substr(i, end - i);
      i = end;
      continue;
    }
    if (text[i] != '#') {
      out += text[i++];
      continue;
    }
    size_t end = i + 1;
    while (end < text.size() && isNameByte(text[end])) ++end;
    auto alias = aliases.find(text.substr(i, end - i));
    bool attribute = end < text.size() && (text[end] == '.' || text[end] == '<');
    out += alias != aliases.end() && !attribute ? alias->second : text.substr(i, end - i);
    i = end;
  }
  return out;
}

// Constants that the graph does not keep (AttrValue::kMaxInlineConstant) are elided, as MLIR elides resources.
std::string withoutLargeConstants(const std::string& line) {
  size_t begin = line.find("dense<");
  size_t end = begin == std::string::npos ? begin : line.find(">:", begin);
  if (end == std::string::npos || end - begin - 6 <= AttrValue::kMaxInlineConstant) return line;
  return line.substr(0, begin) + "dense_resource<__elided__" + line.substr(end);
}

// One line per operation of the device's module; no aliases, no locations, no white space, no lines of a log.
std::vector<std::string> normalised(const std::string& text) {
  std::map<std::string, std::string> aliases;
  std::vector<std::string> body;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    // Functions of the host are llvm ops, which are not read.
    if (line.find("ttcore.cpu_module") != std::string::npos) break;
    size_t equals = line.find(" = ");
    bool alias = !line.empty() && line[0] == '#' && equals != std::string::npos;
    if (alias && line.compare(0, 4, "#loc") != 0) aliases[line.substr(0, equals)] = line.substr(equals + 3);
    bool foreign = line.empty() || line[0] == '-' || std::isdigit(static_cast<unsigned char>(line[0])) != 0;
    if (!alias && !foreign) body.push_back(withoutLocations(line));
  }
  for (std::string& line : body) {
    line = inlined(inlined(line, aliases), aliases);
    std::string tight;
    for (char c : line) {
      if (c != ' ' && c != '\r' && c != '\t') tight += c;
    }
    line = withoutLargeConstants(tight);
  }
  return body;
}

std::vector<std::filesystem::path> dumpsIn(const std::filesystem::path& root) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().extension() == ".mlir") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

// What the compiler and its front ends printed, of every stage: nothing of it is an error.
TEST(RoundTrip, EveryDumpOpens) {
  std::filesystem::path root = sharedFolder() / "artefacts";
  if (!std::filesystem::exists(root)) GTEST_SKIP() << "no dumps at hand";
  for (const std::filesystem::path& path : dumpsIn(root)) {
    SourceBuffer source(path.filename().string(), readFile(path));
    Diagnostics diags;
    std::optional<Graph> graph = importMlirText(source, diags);
    EXPECT_TRUE(graph) << path;
    EXPECT_FALSE(diags.hasErrors()) << path << ": " << (diags.all().empty() ? "" : diags.all().front().message);
  }
}

TEST(RoundTrip, FinalDumpsPrintAsTheyWere) {
  std::filesystem::path root = sharedFolder() / "artefacts";
  if (!std::filesystem::exists(root)) GTEST_SKIP() << "no dumps at hand";
  size_t dumps = 0;
  for (const std::filesystem::path& path : dumpsIn(root)) {
    std::string name = path.filename().string(), text = readFile(path);
    if (text.find("\"ttnn.") == std::string::npos || (smallTests() && text.size() > 50'000)) continue;
    SourceBuffer source(name, text);
    Diagnostics diags;
    std::optional<Graph> graph = importMlirText(source, diags);
    ASSERT_TRUE(graph) << name << ": " << diags.all().front().message;
    std::vector<std::string> before = normalised(text);
    std::vector<std::string> after = normalised(exportMlir(*graph, nullptr, {.renumber = true}));
    ASSERT_EQ(before.size(), after.size()) << name;
    for (size_t i = 0; i < before.size(); ++i) ASSERT_EQ(before[i], after[i]) << name << ", operation " << i;
    ++dumps;
  }
  EXPECT_GT(dumps, 0u);
}

}  // namespace
}  // namespace tessera::test
