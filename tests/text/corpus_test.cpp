// Real model graphs, read where they lie; skipped when they are not there.
#include <algorithm>
#include <filesystem>

#include "tests/files.h"
#include "tests/text/text_helpers.h"

namespace tessera::text {
namespace {

using test::corpusFiles;
using test::readFile;

TEST(Corpus, ParsesCleanAndPrintsStably) {
  std::vector<std::filesystem::path> files = corpusFiles();
  if (files.empty()) GTEST_SKIP() << "no corpus";
  for (const auto& path : files) {
    SCOPED_TRACE(path.filename().string());
    Parsed parsed = parseClean(readFile(path));
    EXPECT_GT(parsed.tree.ops.size(), 5u);
    std::string printed = printText(parsed.tree);
    Parsed again = parseClean(printed);
    EXPECT_TRUE(printText(again.tree) == printed);
    EXPECT_EQ(again.tree.ops.size(), parsed.tree.ops.size());
    EXPECT_EQ(again.tree.uses.size(), parsed.tree.uses.size());
    EXPECT_EQ(again.tree.defs.size(), parsed.tree.defs.size());
    EXPECT_EQ(again.tree.attrs.size(), parsed.tree.attrs.size());
    EXPECT_EQ(again.tree.types.size(), parsed.tree.types.size());
    EXPECT_EQ(again.tree.aliases.size(), parsed.tree.aliases.size());
    for (const OpNode& op : parsed.tree.ops) EXPECT_EQ(op.tail, "") << op.name;
  }
}

// A file cut anywhere: the parser ends, says something, and keeps what stood before the cut.
TEST(Corpus, TruncatedFiles) {
  std::vector<std::filesystem::path> files = corpusFiles();
  if (files.empty()) GTEST_SKIP() << "no corpus";
  std::string whole = readFile(files.front());
  size_t before = 0;
  for (size_t length = 1024; length < whole.size(); length += 1024) {
    Parsed parsed = parse(whole.substr(0, length));
    bool insideOfTheGraph = whole.substr(0, length).find("func.func") != std::string::npos &&
                            whole.find("\n#loc", length) != std::string::npos &&
                            whole.substr(0, length).find("\n} loc") == std::string::npos;
    EXPECT_TRUE(!insideOfTheGraph || parsed.diags.hasErrors()) << length;
    EXPECT_GE(parsed.tree.ops.size(), before) << length;
    EXPECT_LE(parsed.diags.errorCount(), 3u) << length << "\n" << parsed.errors();
    before = parsed.tree.ops.size();
    printText(parsed.tree);
  }
}

}  // namespace
}  // namespace tessera::text
