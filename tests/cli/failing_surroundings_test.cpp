// Commands whose surroundings fail them: no file can be opened, a file stands where a folder belongs, the disk is full;
// and inputs that are too many or too long for a transcript.

#include <sqlite3.h>

#include <csignal>
#include <filesystem>

#include "core/cli/child_process.h"
#include "core/cli/embed_html.h"
#include "core/cli/visualizer_report.h"
#include "tests/cli/cli_testing.h"
#include "tests/cli/gzipped.h"
#include "tests/few_files.h"

namespace tessera::test {
namespace {

namespace fs = std::filesystem;

// A folder that goes away with the test.
class Surroundings : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string name = ::testing::UnitTest::GetInstance()->current_test_info()->name();
    folder_ = ::testing::TempDir() + "tessera_around_" + name + std::to_string(::getpid());
    fs::create_directories(folder_);
    put("graph.mlir", kRelu);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string at(const std::string& name) const { return folder_ + "/" + name; }
  void put(const std::string& name, const std::string& text) const {
    fs::create_directories(fs::path(at(name)).parent_path());
    std::ofstream(at(name), std::ios::binary) << text;
  }
  // What is said first on standard error, without "tessera: ".
  static std::string mistakeOf(const Outcome& outcome) {
    const std::string line = outcome.err.substr(0, outcome.err.find('\n'));
    return line.rfind("tessera: ", 0) == 0 ? line.substr(9) : line;
  }

  std::string folder_;
};

TEST_F(Surroundings, WithoutFilesNothingIsKeptForTheOutput) {
  Outcome outcome;
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  {
    const FewFiles none(0);
    outcome.code = runCommandLine(std::vector<std::string>{"version", "-o", at("version.txt")});
  }
  outcome.out = ::testing::internal::GetCapturedStdout();
  outcome.err = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(outcome.code, kExitUsage);
  EXPECT_EQ(mistakeOf(outcome), "no room for a temporary file");
  EXPECT_EQ(outcome.out, "");
  EXPECT_FALSE(fs::exists(at("version.txt")));
  EXPECT_EQ(runTessera({"version", "-o", at("version.txt")}).code, kExitFine);
  EXPECT_TRUE(fs::exists(at("version.txt")));
}

// Three pipes are six files; whichever of them is missing, no process is started and all are closed again.
TEST(ChildPipes, EachOfThemMayBeMissing) {
  const int before = ::dup(0);
  ::close(before);
  for (rlim_t more = 0; more < 6; ++more) {
    const FewFiles few(more);
    const ChildAnswer answer = runChild("echo started", "", {});
    EXPECT_EQ(answer.problem, "cannot make a pipe: Too many open files") << more;
    EXPECT_EQ(answer.out, "") << more;
  }
  const int after = ::dup(0);
  ::close(after);
  EXPECT_EQ(after, before);
  EXPECT_EQ(runChild("echo started", "", {}).out, "started\n");
}

// The input is larger than a pipe holds, and nobody reads the rest of it.
TEST(ChildPipes, AnInputThatIsTurnedDownIsNoMistake) {
  const std::string input(4 << 20, 'x');
  const ChildAnswer answer = runChild("exec 0<&-; sleep 0.1; echo done", input, {});
  EXPECT_EQ(answer.problem, "");
  EXPECT_EQ(answer.out, "done\n");
}

// The element, without one of its files if so wanted.
class SurroundingsOfEmbed : public Surroundings {
 protected:
  Outcome embed(const std::string& without = "", std::vector<std::string> more = {}) const {
    for (const char* file : {"embed/tessera-playground.js", "engine/tessera.js", "engine/tessera.wasm"})
      if (file != without) put(std::string("dist/") + file, file);
    std::vector<std::string> call = {"embed", at("graph.mlir"), "-o", at("out"), "--bundle", at("dist")};
    call.insert(call.end(), more.begin(), more.end());
    return runTessera(call);
  }
};

TEST_F(SurroundingsOfEmbed, AFileInPlaceOfTheFolder) {
  put("out", "");
  const Outcome outcome = embed();
  EXPECT_EQ(outcome.code, kExitUsage);
  EXPECT_EQ(mistakeOf(outcome).rfind("cannot make the folder `" + at("out") + "`: ", 0), 0u) << outcome.err;
}

TEST_F(SurroundingsOfEmbed, AFolderInPlaceOfAFile) {
  for (const std::string file : {"graph.mlir", "report.json", "poster.svg", "fragment.html", "index.html"}) {
    put("out/" + file + "/inside", "");
    const Outcome outcome = embed();
    EXPECT_EQ(outcome.code, kExitUsage);
    EXPECT_EQ(mistakeOf(outcome), "cannot write `" + at("out") + "/" + file + "`: Is a directory");
    fs::remove_all(at("out"));
  }
}

TEST_F(SurroundingsOfEmbed, FilesInPlaceOfTheElementsFolders) {
  put("out/embed", "");
  const Outcome element = embed();
  EXPECT_EQ(element.code, kExitUsage);
  EXPECT_EQ(mistakeOf(element).rfind("cannot copy the element: ", 0), 0u) << element.err;
  fs::remove_all(at("out"));
  put("out/engine", "");
  const Outcome engine = embed();
  EXPECT_EQ(engine.code, kExitUsage);
  EXPECT_EQ(mistakeOf(engine), "cannot make `" + at("out") + "/engine`");
}

TEST_F(SurroundingsOfEmbed, ABundleWithoutTheEngine) {
  const Outcome outcome = embed("engine/tessera.wasm");
  EXPECT_EQ(outcome.code, kExitUsage);
  EXPECT_EQ(mistakeOf(outcome), "cannot copy the engine: No such file or directory");
}

TEST_F(SurroundingsOfEmbed, AnAddressMayEndWithASlash) {
  for (const char* address : {"net", "net/"}) {
    ASSERT_EQ(embed("", {"--at", address}).code, kExitFine);
    const std::string fragment = readFile(at("out/fragment.html"));
    EXPECT_NE(fragment.find("src=\"net/graph.mlir\""), std::string::npos) << fragment;
    EXPECT_EQ(countOf(fragment, "net//"), 0u) << fragment;
  }
}

// It has no name of its own, and neither has what is made of it.
TEST_F(SurroundingsOfEmbed, AGraphFromStandardInput) {
  const Outcome outcome = runWithInput(kRelu, {"embed", "-", "--fragment"});
  EXPECT_EQ(outcome.code, kExitFine) << outcome.err;
  EXPECT_EQ(outcome.out.rfind("<tessera-playground name=\"graph\">", 0), 0u) << outcome.out.substr(0, 100);
  const Outcome broken = runWithInput("func.func @main(", {"embed", "-", "--fragment"});
  EXPECT_EQ(broken.code, kExitDiagnostics);
  EXPECT_EQ(broken.err.rfind("<stdin>:1:", 0), 0u) << broken.err;
}

// A title of bytes that begin no character is cut to nothing; a result without a layout has no place.
TEST(Poster, CutsTitlesAndLeavesOutPlaces) {
  const Json report(R"({"policy":{"title":"P"},"device":{"title":"D"},"run":{"l1Budget":1000,
    "layouts":[{"text":"L1 width 1x2","buffer":"l1","memory":"width_sharded"}],"values":[{"layout":-1},{"layout":0}],
    "rows":[{"name":"%none","op":"a","results":[-1],"time":{"total":10},"l1":{"peak":0}},
            {"name":"%bare","op":"b","results":[0],"time":{"total":10},"l1":{"peak":0}},
            {"name":"%wide","op":"c","results":[1],"time":{"total":10},"l1":{"peak":0}}]}})");
  const std::string poster = posterSvg(report.document.root(), std::string(40, '\x80'));
  EXPECT_NE(poster.find("<text x=\"8\" y=\"16\" text-anchor=\"start\">…</text>"), std::string::npos);
  EXPECT_EQ(countOf(poster, "<g fill="), 1u);
  EXPECT_NE(poster.find("<g fill=\"#6a48c4\"><text x=\"224\" y=\"92\" text-anchor=\"start\">L1 width 1x2</text></g>"),
            std::string::npos)
      << poster;
  EXPECT_EQ(countOf(poster, "fill=\"#44525f\""), 2u);
}

TEST_F(Surroundings, AVisualizersReportThatCannotBeWritten) {
  const auto mistake = [&](const std::string& folder) {
    const Outcome outcome = runTessera({"run", at("graph.mlir"), "--visualizer", at(folder)});
    EXPECT_EQ(outcome.code, kExitUsage);
    return mistakeOf(outcome);
  };
  put("taken/config.json/inside", "");
  EXPECT_EQ(mistake("taken"), "cannot write to `" + at("taken") + "`");
  fs::create_directories(at("linked"));
  fs::create_symlink(at("nowhere/db.sqlite"), at("linked/db.sqlite"));
  EXPECT_EQ(mistake("linked"), "unable to open database file");
}

// Shards are counted in elements, whatever pages they are made of.
TEST_F(Surroundings, AVisualizersShardsAreCountedInElements) {
  for (const std::string page : {"tile", "row_major"}) {
    const Outcome outcome =
        runTessera({"run", at("graph.mlir"), "--row-major-enabled", "true", "--override-output-layout",
                    "%0=2x2:l1:block_sharded:" + page + ":bf16", "--visualizer", at(page)});
    ASSERT_EQ(outcome.code, kExitFine) << outcome.err;
    const std::string database = readFile(at(page + "/db.sqlite"));
    EXPECT_GT(countOf(database, "shape={32, 32}"), 0u) << page;
    EXPECT_EQ(countOf(database, "shape={"), countOf(database, "shape={32, 32}")) << page;
    EXPECT_EQ(countOf(database, "Layout.ROW_MAJOR") > 0, page == "row_major");
  }
}

// The number that a query gives.
int numberOf(const std::string& database, const std::string& sql) {
  sqlite3* db = nullptr;
  sqlite3_stmt* statement = nullptr;
  EXPECT_EQ(sqlite3_open_v2(database.c_str(), &db, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
  EXPECT_EQ(sqlite3_prepare_v2(db, sql.c_str(), -1, &statement, nullptr), SQLITE_OK);
  EXPECT_EQ(sqlite3_step(statement), SQLITE_ROW);
  const int number = sqlite3_column_int(statement, 0);
  sqlite3_finalize(statement);
  sqlite3_close(db);
  return number;
}

// A view lies where the tensor lies whose bytes it reads, and is no buffer of its own.
TEST_F(Surroundings, AVisualizersViewsTakeNoRoom) {
  put("view.mlir",
      "func.func @main(%a: tensor<64x64xbf16>) -> tensor<1x64x64xbf16> {\n"
      "  %0 = \"ttir.relu\"(%a) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n"
      "  %1 = \"ttir.reshape\"(%0) <{shape = [1 : i32, 64 : i32, 64 : i32]}> : (tensor<64x64xbf16>) -> "
      "tensor<1x64x64xbf16>\n"
      "  %2 = \"ttir.exp\"(%1) : (tensor<1x64x64xbf16>) -> tensor<1x64x64xbf16>\n"
      "  return %2 : tensor<1x64x64xbf16>\n}\n");
  ASSERT_EQ(runTessera({"run", at("view.mlir"), "--policy", "DRAM", "--visualizer", at("views")}).code, kExitFine);
  const std::string database = at("views/db.sqlite");
  EXPECT_EQ(numberOf(database,
                     "SELECT COUNT(*) FROM tensors a JOIN tensors b ON a.address = b.address "
                     "WHERE a.tensor_id = 1 AND b.tensor_id = 2"),
            1);
  // At the step of the view there is the one buffer, at the next one that and what it writes.
  EXPECT_EQ(numberOf(database, "SELECT COUNT(*) FROM buffers WHERE operation_id = 2"), 1);
  EXPECT_EQ(numberOf(database, "SELECT COUNT(*) FROM buffers WHERE operation_id = 3"), 2);
}

// The database gets over the size of files that the system allows when it is written at the end.
TEST_F(Surroundings, AVisualizersReportOnAFullDisk) {
  Session session;
  session.load("graph.mlir", kRelu);
  const auto run = runPolicy(session, Options(), {});
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const auto ignored = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small = {4096, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  const std::string mistake = writeVisualizerReport(at("full"), run->report);
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, ignored);
  EXPECT_NE(mistake, "");
  EXPECT_EQ(writeVisualizerReport(at("whole"), run->report), "");
  EXPECT_EQ(writeVisualizerReport(at("full"), run->report), "") << "what was begun is gone";
}

// 300 ops that read what is defined nowhere: a hundred are told, the others counted.
TEST_F(Surroundings, MistakesThatAreNotShownAreCounted) {
  const std::string type = "tensor<32x32xbf16>";
  std::string text = "func.func @main(%a: " + type + ") -> " + type + " {\n";
  for (int i = 0; i < 300; ++i)
    text +=
        "  %" + std::to_string(i) + " = \"ttir.relu\"(%q" + std::to_string(i) + ") : (" + type + ") -> " + type + "\n";
  put("many.mlir", text + "  return %a : " + type + "\n}\n");
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"lint"}, {"opt"}, {"run"}, {"compare", "--policies", "DRAM"}}) {
    std::vector<std::string> call = command;
    call.push_back(at("many.mlir"));
    const Outcome outcome = runTessera(call);
    EXPECT_EQ(outcome.code, kExitDiagnostics) << command[0];
    EXPECT_EQ(countOf(outcome.err, ": error: "), 100u) << command[0];
    EXPECT_EQ(countOf(outcome.err, "not shown: 200 more\n"), 1u) << command[0];
  }
}

std::string modulesText(int count) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += "module {\n  func.func @f" + std::to_string(i) +
            "(%a: tensor<32x32xbf16>) -> tensor<32x32xbf16> {\n    return %a : tensor<32x32xbf16>\n  }\n}\n";
  return text;
}

// Up to 64 modules side by side are read one by one; more are read as one text.
TEST_F(Surroundings, ModulesSideBySideAreReadOneByOne) {
  for (const int count : {1, 2, 64, 65}) {
    put("modules.mlir", modulesText(count));
    const Outcome outcome = runTessera({"opt", at("modules.mlir")});
    EXPECT_EQ(outcome.code, kExitFine) << outcome.err;
    EXPECT_EQ(countOf("\n" + outcome.out, "\nmodule {"), count > 64 ? 1u : static_cast<size_t>(count));
    EXPECT_EQ(countOf(outcome.out, "func.func @f"), static_cast<size_t>(count));
  }
  // A mistake in the last of two is told once, at its place.
  put("modules.mlir", modulesText(1) + "module {\n  func.func @g(\n}\n");
  const Outcome broken = runTessera({"opt", at("modules.mlir")});
  EXPECT_EQ(broken.code, kExitDiagnostics);
  EXPECT_EQ(countOf(broken.err, ": error: "), 1u) << broken.err;
  EXPECT_EQ(broken.err.rfind(at("modules.mlir") + ":8:1: error: ", 0), 0u) << broken.err;
}

// The last part may end without the end of a line; parts of standard input are parts of `<stdin>`.
TEST(OptParts, TheLastLineNeedNotEnd) {
  const std::string bad = "func.func @g() {\n  \"odd\n}";
  const Outcome outcome = runWithInput(kRelu + "// -----\n" + bad, {"opt", "-", "--split-input-file"});
  EXPECT_EQ(outcome.code, kExitDiagnostics);
  EXPECT_EQ(outcome.err.rfind("<stdin>:7:", 0), 0u) << outcome.err;
  EXPECT_EQ(countOf(outcome.out, "ttir.relu"), 1u);
  const Outcome fine = runWithInput(kRelu + "// -----\n// nothing", {"opt", "-", "--split-input-file"});
  EXPECT_EQ(fine.code, kExitFine) << fine.err;
  EXPECT_NE(fine.out.find("// -----\nmodule {\n}\n"), std::string::npos) << fine.out;
}

// Numbers of five digits are followed by a blank as well.
TEST_F(Surroundings, ALogOfTenThousandDumpsIsListed) {
  std::string log;
  for (int i = 0; i <= 10'000; ++i) log += "// -----// IR Dump After P (p) //----- //\nmodule {\n}\n";
  put("passes.log", log);
  const Outcome outcome = runTessera({"log", at("passes.log")});
  EXPECT_EQ(outcome.code, kExitFine);
  EXPECT_NE(outcome.out.find("\n9999 unchanged  p  line 29998\n"), std::string::npos);
  EXPECT_NE(outcome.out.find("\n10000 unchanged  p  line 30001"), std::string::npos);
}

// Two nodes of two choices; costs 1 or 2 and 3 or 1, an edge that costs 2 where the choices differ.
std::string instanceWith(int limit) {
  return R"({"problem": {"name": "few", "nodes": {"intervals": [[0, 2], [0, 2]], "costs": [[1, 2], [3, 1]], )"
         R"("usages": [[4, 1], [4, 1]]}, "edges": {"nodes": [[0, 1]], "costs": [[0, 2, 2, 0]]}, "usage_limit": )" +
         std::to_string(limit) + "}}";
}

TEST_F(Surroundings, InstancesMayBePacked) {
  const auto solved = [&](const std::string& bytes, const std::string& seconds = "10") {
    put("instance", bytes);
    const Outcome outcome = runTessera({"solve", "iopddl", at("instance"), "--seconds", seconds});
    const std::string out = outcome.out.substr(0, outcome.out.find(" seconds"));
    return out.empty() ? without(mistakeOf(outcome), at("instance")) : out;
  };
  const std::string packed = gzipped(instanceWith(5));
  EXPECT_EQ(solved(instanceWith(5)), "cost 3 bound 3 proven yes");
  EXPECT_EQ(solved(packed), "cost 3 bound 3 proven yes");
  EXPECT_EQ(solved(packed.substr(0, packed.size() / 2)), "``: the gzip data ends too early");
  std::string other = packed;
  other[1] = 'x';
  EXPECT_EQ(solved(other).rfind(":1:1: error: JSON", 0), 0u) << "the second byte says so, too";
  EXPECT_EQ(solved(instanceWith(0), "0.05").rfind("cost none bound ", 0), 0u) << "nothing fits";
}

}  // namespace
}  // namespace tessera::test
