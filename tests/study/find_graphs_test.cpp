// Which files of folders, patterns and lists are graphs, and in which order.

#include "core/batch/find_graphs.h"

#include "tests/study/study_testing.h"

namespace tessera::test {
namespace {

std::vector<std::string> pathsOf(const FoundGraphs& found, const std::string& folder) {
  std::vector<std::string> paths;
  for (const StudyGraph& graph : found.graphs) {
    EXPECT_EQ(graph.path.rfind(folder + "/", 0), 0u) << graph.path;
    paths.push_back(graph.path.substr(folder.size() + 1));
  }
  return paths;
}

TEST_F(StudyTest, FoldersAreReadByNameAndWhatIsHiddenIsLeftOut) {
  const char* const kText = "func.func @main() {\n  return\n}\n";
  for (const char* name : {"b.mlir", "a.mlir", "deep/c.mlir", ".hidden.mlir", ".folder/d.mlir", "e.txt"})
    write("graphs/" + std::string(name), kText);
  write("graphs/settings.json", "{\"not\": \"a graph\"}");
  const std::string folder = at("graphs");
  const std::vector<std::string> one = {folder};
  const FoundGraphs found = findGraphs(one);
  EXPECT_EQ(found.mistake, "");
  EXPECT_EQ(pathsOf(found, folder), (std::vector<std::string>{"a.mlir", "b.mlir", "deep/c.mlir"}));
  EXPECT_EQ(found.skipped, std::vector<std::string>{folder + "/settings.json"});
  // A file that is named is taken whatever its name, and only once.
  const std::vector<std::string> named = {folder + "/.hidden.mlir", folder + "/e.txt", folder, folder + "/a.mlir"};
  EXPECT_EQ(pathsOf(findGraphs(named), folder),
            (std::vector<std::string>{".hidden.mlir", "a.mlir", "b.mlir", "deep/c.mlir", "e.txt"}));
}

// Folders within folders are looked into down to the seventeenth, the one that is named counted.
TEST_F(StudyTest, FoldersAreLookedIntoToADepth) {
  std::string folder = "graphs", expected;
  for (int depth = 0; depth < 20; ++depth) {
    write(folder + "/net.mlir", "%" + std::to_string(depth) + " = a\n");
    folder += "/in";
  }
  const std::vector<std::string> one = {at("graphs")};
  size_t deepest = 0;
  const FoundGraphs found = findGraphs(one);
  for (const std::string& path : pathsOf(found, at("graphs"))) deepest = std::max(deepest, path.size());
  EXPECT_EQ(found.graphs.size(), 17u);
  EXPECT_EQ(deepest, 16 * std::string("in/").size() + std::string("net.mlir").size());
}

// Of two names of one file the first in their order counts, whatever the order of the folder.
TEST_F(StudyTest, AFileIsReadUnderItsFirstName) {
  std::vector<std::string> expected;
  for (int i = 0; i < 12; ++i) {
    const std::string number = std::to_string(10 + i);
    write("graphs/b" + number + ".mlir", "%" + number + " = a\n");
    fs::create_symlink(folder_ / ("graphs/b" + number + ".mlir"), folder_ / ("graphs/a" + number + ".mlir"));
    expected.push_back("a" + number + ".mlir");
  }
  const std::vector<std::string> one = {at("graphs")};
  EXPECT_EQ(pathsOf(findGraphs(one), at("graphs")), expected);
}

TEST_F(StudyTest, WhatIsNotThereIsSaid) {
  const std::vector<std::string> none = {};
  EXPECT_EQ(findGraphs(none).mistake, "no graph given");
  const std::vector<std::string> gone = {at("gone")};
  EXPECT_NE(findGraphs(gone).mistake.find("no such file or folder"), std::string::npos);
  const std::vector<std::string> empty = {at("graphs")};
  EXPECT_NE(findGraphs(empty).mistake.find("no graph in the folder"), std::string::npos);
}

// A pattern stands for the files and folders it matches. A file in two of them is one graph; the files are read by
// name, and what is matched is taken whatever it ends in, hidden files only where the pattern begins with their point.
TEST_F(StudyTest, APatternStandsForWhatItMatches) {
  for (const char* name : {"b1.mlir", "a2.mlir", "a1.mlir", "c.txt", ".a3.mlir", "in1/z.mlir", "in2/y.mlir"})
    write("graphs/" + std::string(name), "%0 = " + std::string(name) + "\n");
  const std::string folder = at("graphs");
  const auto pathsFor = [&](std::vector<std::string> patterns) {
    for (std::string& pattern : patterns) pattern = folder + "/" + pattern;
    const FoundGraphs found = findGraphs(patterns);
    std::string paths = found.mistake;
    for (const std::string& path : pathsOf(found, folder)) paths += (paths.empty() ? "" : " ") + path;
    return paths;
  };
  EXPECT_EQ(pathsFor({"?1.mlir", "a*"}), "a1.mlir a2.mlir b1.mlir");
  EXPECT_EQ(pathsFor({"[bc]*"}), "b1.mlir c.txt");
  EXPECT_EQ(pathsFor({"[ab]1.mlir"}), "a1.mlir b1.mlir");
  EXPECT_EQ(pathsFor({".*.mlir"}), ".a3.mlir");
  EXPECT_EQ(pathsFor({"in*"}), "in2/y.mlir in1/z.mlir") << "by name, not by path";
  EXPECT_EQ(pathsFor({"x*"}), "nothing matches `" + folder + "/x*`");
  EXPECT_EQ(pathsFor({"x*", "a*"}), "nothing matches `" + folder + "/x*`") << "though another pattern matches";
  write("graphs/[ab]1.mlir", "%0 = other\n");
  EXPECT_EQ(pathsFor({"[ab]1.mlir"}), "[ab]1.mlir") << "a file of just that name is meant";
}

// A link to nowhere is matched by its name, and there is nothing to read.
TEST_F(StudyTest, WhatAPatternMatchesIsNoPattern) {
  fs::create_symlink(folder_ / "nowhere", folder_ / "graphs/*.mlir");
  const std::vector<std::string> given = {at("graphs/*.mlir")};
  EXPECT_EQ(findGraphs(given).mistake, "cannot read `" + at("graphs/*.mlir") + "`: no such file or folder");
}

// A name is as short as tells it apart; graphs stand by name. What cannot be read is there, with nothing in it.
TEST_F(StudyTest, GraphsAreNamedAndUnreadableOnesStay) {
  for (const char* name : {"x/net.mlir", "y/net.mlir", "y/other.mlir"})
    write("graphs/" + std::string(name), "%0 = a\n%1 = b\n");
  fs::create_directories(folder_ / "graphs/folder.mlir");
  const std::vector<std::string> given = {at("graphs/y/*.mlir"), at("graphs/x/net.mlir")};
  const FoundGraphs found = findGraphs(given);
  ASSERT_EQ(found.graphs.size(), 3u);
  EXPECT_EQ(found.graphs[0].name, "other");
  EXPECT_EQ(found.graphs[1].name, "x/net.mlir");
  EXPECT_EQ(found.graphs[2].name, "y/net.mlir");
  EXPECT_EQ(found.graphs[0].ops, 3);
  EXPECT_EQ(found.graphs[0].bytes, 14);
  // A device can be opened, but is no file: it is a row that says so.
  const std::vector<std::string> odd = {"/proc/self/mem", at("graphs/x")};
  const FoundGraphs partly = findGraphs(odd);
  ASSERT_EQ(partly.graphs.size(), 2u) << partly.mistake;
  for (const StudyGraph& graph : partly.graphs) {
    const bool readable = graph.path.find("net.mlir") != std::string::npos;
    EXPECT_EQ(graph.ops > 0, readable) << graph.path;
  }
}

}  // namespace
}  // namespace tessera::test
