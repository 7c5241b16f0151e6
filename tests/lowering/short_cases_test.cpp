// What passes make of a few ops: tests/lowering/cases/*.txt, a table per file, in the words of short_mlir.h. A case is
//
//   # what it shows
//   == passes and settings          "== ttir-fusing canonicalize force=true"; `compiler`: its rules where the
//   lines                           specification's differ; `autumn`, `summer`: a release; `dialect=stablehlo`;
//                                   `mesh=2x4`: chips; `device=p150`: another chip
//   ->
//   what the passes say, then what they leave; "nothing changes" where that is so
//
// Both graphs are executed and must give the same results, where all ops have kernels ("not executed" otherwise) and no
// pass says that it computes something else; what is left is printed, read and printed again.
// UPDATE_GOLDEN=1 rewrites what stands behind the arrows.

#include "tests/compare_graphs.h"
#include "tests/lowering/short_case.h"

namespace tessera::test {
namespace {

namespace fs = std::filesystem;

std::string runCase(const ShortCase& one) {
  CaseSetup setup(one.settings);
  const std::string text = setup.mlir(one.lines);
  SCOPED_TRACE(text);
  const Graph before = graphOfText(text);
  auto [now, said, announced] = setup.run(before);
  if (sameGraph(now, before)) {
    return said + "nothing changes\n";
  }
  const std::string left = exportMlir(now);
  EXPECT_EQ(exportMlir(graphOfText(left)), left) << "it reads as another graph";
  const ComparisonVerdict verdict = compareGraphs(before, now, 5, 2e-3);
  if (verdict.comparison == Comparison::NotExecutable) said += "not executed\n";
  else if (announced && !verdict.equal()) said += "computes something else\n";
  else EXPECT_TRUE(verdict.equal()) << verdict.text << "\n" << left;
  return said + shortText(now, setup.passes().back() == "convert-ttir-to-ttnn" ? "ttnn" : "ttir");
}

class ShortCases : public testing::Test {
 public:
  explicit ShortCases(fs::path path) : path_(std::move(path)) {}

  void TestBody() override {
    std::string all;
    for (const ShortCase& one : readCases(path_)) {
      const std::string said = runCase(one);
      all += (all.empty() ? "" : "\n") + one.title + one.settings + "\n";
      for (const std::string& line : one.lines) all += line + "\n";
      all += "->\n" + said;
      if (std::getenv("UPDATE_GOLDEN") == nullptr) EXPECT_EQ(said, one.expected) << one.title;
    }
    ASSERT_NE(all, "") << path_;
    if (std::getenv("UPDATE_GOLDEN") != nullptr) std::ofstream(path_, std::ios::binary) << all;
  }

 private:
  fs::path path_;
};

const bool kRegistered = [] {
  for (const fs::path& path : caseFiles()) {
    testing::RegisterTest("ShortCases", path.stem().string().c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [path]() -> testing::Test* { return new ShortCases(path); });
  }
  return true;
}();

}  // namespace
}  // namespace tessera::test
