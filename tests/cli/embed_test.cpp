// tessera embed: what a documentation author gets, in one piece and as a folder.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/cli/embed_html.h"
#include "tests/cli/cli_testing.h"

namespace tessera::test {

namespace {

constexpr const char* kEmbedGraph =
    R"(func.func @main(%a: tensor<64x128xbf16>, %b: tensor<64x128xbf16>) -> tensor<64x128xbf16> {
  %0 = "ttir.add"(%a, %b) : (tensor<64x128xbf16>, tensor<64x128xbf16>) -> tensor<64x128xbf16> loc("<sum> & \"more\"")
  return %0 : tensor<64x128xbf16>
}
)";

std::string contentOf(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

class EmbedFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string name = std::string("embed_") + ::testing::UnitTest::GetInstance()->current_test_info()->name();
    root_ = std::filesystem::path(::testing::TempDir()) / (name + std::to_string(::getpid()));
    std::filesystem::create_directories(root_ / "dist/embed/parts");
    std::filesystem::create_directories(root_ / "dist/engine");
    for (const char* file :
         {"embed/tessera-playground.js", "embed/parts/part.js", "engine/tessera.js", "engine/tessera.wasm"})
      std::ofstream(root_ / "dist" / file) << file;
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  std::filesystem::path root_;
};

}  // namespace

// Of a graph that has no file's name the title says what it is.
TEST(Embed, StandardInputIsCalledAsAsked) {
  const auto fragment = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"embed", "-", "--fragment"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome run = runWithInput(kEmbedGraph, arguments);
    EXPECT_EQ(run.code, kExitFine) << run.err;
    return run.out;
  };
  EXPECT_NE(fragment({"--title", "Two sums"}).find("\"Two sums\""), std::string::npos);
  EXPECT_NE(fragment({}).find("\"graph\""), std::string::npos);
}

TEST_F(EmbedFolder, HoldsReportPosterTableAndElement) {
  const TemporaryFile graph(kEmbedGraph);
  const std::string out = (root_ / "out").string();
  const Outcome run = runTessera({"embed", graph.path(), "-o", out, "--bundle", (root_ / "dist").string(), "--policy",
                                  "DRAM", "--tensor-l1-usage-cap", "0.5", "--title", "A <sum>"});
  ASSERT_EQ(run.code, kExitFine) << run.err;
  const Outcome report =
      runTessera({"run", graph.path(), "--policy", "DRAM", "--tensor-l1-usage-cap", "0.5", "--json"});
  EXPECT_EQ(contentOf(root_ / "out/report.json") + "\n", report.out);
  EXPECT_EQ(contentOf(root_ / "out/graph.mlir"), kEmbedGraph);
  for (const char* file : {"embed/parts/part.js", "engine/tessera.wasm"})
    EXPECT_EQ(contentOf(root_ / "out" / file), file);
  const std::string page = contentOf(root_ / "out/index.html");
  EXPECT_NE(page.find("src=\"embed/tessera-playground.js\""), std::string::npos);
  EXPECT_NE(page.find("policy=\"DRAM\" options=\"{&quot;tensor-l1-usage-cap&quot;:0.500}\""), std::string::npos)
      << page;
  EXPECT_NE(page.find("<caption>A &lt;sum&gt;: DRAM only"), std::string::npos);
  EXPECT_NE(page.find("&lt;sum&gt; &amp; &quot;more&quot;"), std::string::npos);
  EXPECT_EQ(page.find("<sum>"), std::string::npos);
  EXPECT_NE(contentOf(root_ / "out/poster.svg").find("<svg xmlns=\"http://www.w3.org/2000/svg\""), std::string::npos);
}

TEST_F(EmbedFolder, FragmentHasAddressesOfThePageThatTakesIt) {
  const TemporaryFile graph(kEmbedGraph);
  const std::string bundle = (root_ / "dist").string(), out = (root_ / "out").string();
  const Outcome run = runTessera({"embed", graph.path(), "-o", out, "--bundle", bundle, "--at", "_static/\"net"});
  ASSERT_EQ(run.code, kExitFine) << run.err;
  const std::string fragment = contentOf(root_ / "out/fragment.html"), page = contentOf(root_ / "out/index.html");
  for (const char* file : {"embed/tessera-playground.js", "graph.mlir", "report.json", "poster.svg"}) {
    EXPECT_NE(fragment.find(std::string("=\"_static/&quot;net/") + file), std::string::npos) << fragment;
    EXPECT_NE(page.find(std::string("=\"") + file), std::string::npos) << page;
  }
  EXPECT_EQ(fragment.find("\n\n"), std::string::npos) << "Markdown would end the element";
}

TEST_F(EmbedFolder, WithoutTheBuiltPageSaysSo) {
  const TemporaryFile graph(kEmbedGraph);
  const Outcome run = runTessera({"embed", graph.path(), "-o", (root_ / "out").string(), "--bundle", root_.string()});
  EXPECT_EQ(run.code, kExitUsage);
  EXPECT_NE(run.err.find("scripts/play --build-only"), std::string::npos);
}

TEST_F(EmbedFolder, HoldsReportsOfAllComparedPolicies) {
  const TemporaryFile graph(kEmbedGraph);
  const std::string bundle = (root_ / "dist").string(), out = (root_ / "out").string();
  const Outcome run = runTessera(
      {"embed", graph.path(), "-o", out, "--bundle", bundle, "--policy", "Greedy", "--compare", "DRAM,Greedy,Exact"});
  ASSERT_EQ(run.code, kExitFine) << run.err;
  std::string expected;
  for (const char* policy : {"Greedy", "DRAM", "Exact"}) {
    const std::string report = runTessera({"run", graph.path(), "--policy", policy, "--json"}).out;
    expected += (expected.empty() ? "[" : ",") + report.substr(0, report.size() - 1);
  }
  EXPECT_EQ(contentOf(root_ / "out/report.json"), expected + "]");
  const std::string page = contentOf(root_ / "out/fragment.html");
  EXPECT_NE(page.find("policy=\"Greedy\" compare=\"DRAM,Greedy,Exact\" view=\"compare\""), std::string::npos) << page;
  EXPECT_EQ(countOf(page, "<th scope=\"row\">"), 3u);
  EXPECT_EQ(runTessera({"embed", graph.path(), "-o", out, "--compare", "DRAM,Gredy"}).code, kExitUsage);
}

namespace {

// A report of so many ops, the first of which costs nothing; the last takes ten times as long as the others.
std::string reportOf(int ops) {
  std::string rows;
  for (int at = 0; at < ops; ++at)
    rows += std::string(at > 0 ? "," : "") + R"({"name":"%)" + std::to_string(at) +
            R"(","label":"","op":"ttnn.add","results":[0],"time":{"total":)" +
            std::to_string(at == 0         ? 0
                           : at == ops - 1 ? 12340
                                           : 1234) +
            R"(},"l1":{"peak":)" + std::to_string(1024 * at + 511) + "}}";
  return R"({"policy":{"title":"P & Q"},"device":{"title":"D"},"run":{"l1Budget":1024000,"totals":{"time":1234567,)"
         R"("peakL1":2560,"spills":3,"reshards":4},"layouts":[{"text":"L1 block 8x8","buffer":"l1",)"
         R"("memory":"block_sharded"}],"values":[{"layout":0}],"rows":[)" +
         rows + "]}}";
}

}  // namespace

// A table of 300 rows and a poster of 60 hold what costs time; what they leave out is counted.
TEST(Embed, WhatTableAndPosterLeaveOutIsCounted) {
  for (const auto& [ops, moreRows, moreSteps] :
       {std::tuple(61, 0, 0), std::tuple(62, 0, 1), std::tuple(301, 0, 240), std::tuple(303, 2, 242)}) {
    Json report(reportOf(ops));
    const std::string table = fallbackTable(report.document.root(), "T"),
                      poster = posterSvg(report.document.root(), "T");
    EXPECT_EQ(countOf(table, "<tr><td>"), static_cast<size_t>(std::min(ops - 1, 300)));
    EXPECT_EQ(countOf(table, " more steps"), moreRows > 0 ? 1u : 0u) << ops;
    EXPECT_EQ(countOf(poster, " more steps"), moreSteps > 0 ? 1u : 0u) << ops;
    if (moreRows > 0) {
      EXPECT_EQ(countOf(table, "and " + std::to_string(moreRows) + " more steps</td></tr>"), 1u);
    }
    if (moreSteps > 0) {
      EXPECT_EQ(countOf(poster, "and " + std::to_string(moreSteps) + " more steps<"), 1u);
    }
  }
}

TEST(Embed, ARowAndABarSayWhatAStepTakes) {
  Json report(reportOf(4));
  const std::string table = fallbackTable(report.document.root(), "T"), poster = posterSvg(report.document.root(), "T");
  EXPECT_NE(table.find("<caption>T: P &amp; Q, D: 1234.6 µs, peak L1 3 KB of 1000 KB, 3 spilled, 4 resharded<"),
            std::string::npos)
      << table;
  EXPECT_NE(table.find("<tr><td>1</td><td>%1</td><td>ttnn.add</td><td>L1 block 8x8</td><td>1.2 µs</td><td>1 KB</td>"),
            std::string::npos)
      << table;
  EXPECT_NE(table.find("<tr><td>3</td><td>%3</td><td>ttnn.add</td><td>L1 block 8x8</td><td>12.3 µs</td><td>3 KB</td>"),
            std::string::npos)
      << table;
  // Bars: 170 wide for the longest step, L1 190 wide for the budget; rows are 18 high below 46.
  EXPECT_NE(poster.find("<rect x=\"330\" y=\"46\" width=\"17\" height=\"12\" rx=\"2\" fill=\"#0a7667\"/>"),
            std::string::npos)
      << poster;
  EXPECT_NE(poster.find("<rect x=\"330\" y=\"82\" width=\"170\""), std::string::npos) << poster;
  EXPECT_NE(poster.find("viewBox=\"0 0 720 108\""), std::string::npos) << poster;
  // Steps have the numbers of the program, though the first costs nothing and is left out.
  for (const char* step : {">1</text>", ">2</text>", ">3</text>"}) EXPECT_EQ(countOf(poster, step), 1u) << poster;
  EXPECT_EQ(countOf(poster, ">0</text>"), 0u);
}

TEST(Embed, FragmentHoldsGraphAndReport) {
  const TemporaryFile graph(kEmbedGraph);
  const Outcome run = runTessera({"embed", graph.path(), "--fragment", "--at", "t/embed/tessera-playground.js"});
  ASSERT_EQ(run.code, kExitFine) << run.err;
  EXPECT_EQ(run.out.rfind("<script type=\"module\" src=\"t/embed/tessera-playground.js\"></script>\n", 0), 0u);
  EXPECT_NE(run.out.find(std::string("<script type=\"text/mlir\">\n") + kEmbedGraph), std::string::npos);
  const size_t begin = run.out.find("<script type=\"application/json\">");
  ASSERT_NE(begin, std::string::npos);
  const std::string json = run.out.substr(begin + 32, run.out.find("</script>", begin) - begin - 32);
  EXPECT_EQ(json.find('<'), std::string::npos);
  EXPECT_NE(json.find("\\u003csum>"), std::string::npos);
  EXPECT_NE(run.out.find("<svg"), std::string::npos);
  EXPECT_NE(run.out.find("<table>"), std::string::npos);
}

TEST(Embed, GraphThatWouldEndItsScriptIsLeftOut) {
  EXPECT_TRUE(fitsScript("tensor<64x128xbf16> <scrip t"));
  for (const char* text : {"a</SCRIPT b", "<!-- c", "x <ScRiPt", "<script"}) EXPECT_FALSE(fitsScript(text)) << text;
  const TemporaryFile graph(std::string("// </script><img src=x>\n") + kEmbedGraph);
  const Outcome run = runTessera({"embed", graph.path(), "--fragment"});
  EXPECT_EQ(run.code, kExitFine);
  EXPECT_EQ(run.out.find("<img"), std::string::npos);
  EXPECT_NE(run.err.find("cannot be run again"), std::string::npos);
}

TEST(Embed, CalledWronglyOrWithErrorsFails) {
  const TemporaryFile graph(kEmbedGraph), wrong("func.func @main( {");
  EXPECT_EQ(runTessera({"embed", graph.path()}).code, kExitUsage);
  EXPECT_EQ(runTessera({"embed", graph.path(), "--fragment", "-o", "x"}).code, kExitUsage);
  EXPECT_EQ(runTessera({"embed", wrong.path(), "--fragment"}).code, kExitDiagnostics);
}

// A report of `steps` steps of 100 ns each; every third costs nothing and is left out.
std::string posterOf(size_t steps, const std::string& label) {
  std::string rows;
  for (size_t i = 0; i < steps; ++i)
    rows += (i > 0 ? "," : "") + std::string(R"({"label":")") + label +
            R"(","name":"%0","op":"ttnn.relu","time":{"total":)" + (i % 3 == 2 ? "0" : "100") +
            R"(},"l1":{"peak":512},"results":[0]})";
  const Json report(
      R"({"policy":{"title":"P"},"device":{"title":"D"},"run":{"l1Budget":1024,"totals":{"time":1650,)"
      R"("peakL1":512,"spills":3,"reshards":4},"values":[{"layout":0}],"layouts":[{"buffer":"l1","memory":)"
      R"("block_sharded","text":"L1 block 8x8 and more"}],"rows":[)" +
      rows + "]}}");
  return posterSvg(report.document.root(), "T");
}

// Sixty steps are drawn, 18 pixels each; the others are counted in a line of their own.
TEST(Embed, ThePosterShowsSixtyStepsAndCountsTheOthers) {
  const auto count = [](const std::string& text, const std::string& what) {
    int found = 0;
    for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
    return found;
  };
  const std::string all = posterOf(90, "n"), more = posterOf(91, "n"), most = posterOf(92, "n");
  EXPECT_EQ(count(all, ">n</text>"), 60);
  EXPECT_EQ(count(all, "more steps"), 0);
  EXPECT_NE(all.find("width=\"720\" height=\"1134\""), std::string::npos) << "46 + 60 * 18 + 8";
  EXPECT_EQ(count(more, ">n</text>"), 60);
  EXPECT_EQ(count(more, ">and 1 more steps</text>"), 1);
  EXPECT_NE(more.find("width=\"720\" height=\"1150\""), std::string::npos) << "46 + 60 * 18 + 24";
  EXPECT_NE(more.find("y=\"1142\" text-anchor=\"start\">and 1"), std::string::npos);
  EXPECT_EQ(count(most, ">and 2 more steps</text>"), 1);
  EXPECT_NE(all.find("T: P, D: 1.7 µs, peak L1 1 KB of 1 KB, 3 spilled, 4 resharded"), std::string::npos) << all;
  EXPECT_NE(all.find("width=\"170\""), std::string::npos) << "the longest step";
  EXPECT_NE(all.find("width=\"95\""), std::string::npos) << "half of L1";
  EXPECT_NE(all.find(">L1 block 8x8 a…</text>"), std::string::npos) << "14 characters";
}

// Names are cut at 26 bytes, in front of a character that would be cut apart.
TEST(Embed, NamesAreCutBetweenCharacters) {
  const std::pair<const char*, const char*> kNames[] = {
      {"abcdefghijklmnopqrstuvwxyz", ">abcdefghijklmnopqrstuvwxyz</text>"},
      {"abcdefghijklmnopqrstuvwxyz1", ">abcdefghijklmnopqrstuvwxyz…</text>"},
      {"abcdefghijklmnopqrstuvwxyé1", ">abcdefghijklmnopqrstuvwxy…</text>"},
      {"abcdefghijklmnopqrstuvwx€123", ">abcdefghijklmnopqrstuvwx…</text>"},
      {"abcdefghijklmnopqrstuvwxé123", ">abcdefghijklmnopqrstuvwxé…</text>"},
  };
  for (const auto& [name, shown] : kNames) EXPECT_NE(posterOf(1, name).find(shown), std::string::npos) << name;
}

}  // namespace tessera::test
