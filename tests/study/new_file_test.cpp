// Files that are there in full or not at all, and pages that are looked for.

#include "core/batch/new_file.h"

#include <cstdlib>

#include "core/batch/page_template.h"
#include "core/cli/child_process.h"
#include "tests/sizes.h"
#include "tests/study/study_testing.h"

namespace tessera::test {
namespace {

TEST_F(StudyTest, AFileIsThereInFullOrNotAtAll) {
  write("out/a.txt", "before");
  const auto files = [&] {
    size_t count = 0;
    for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder_ / "out")) ++count;
    return count;
  };
  {
    NewFile file(at("out/a.txt"));
    file.add("after");
    EXPECT_EQ(read("out/a.txt"), "before");
    EXPECT_EQ(files(), 2u) << "it is written beside its place";
  }
  EXPECT_EQ(read("out/a.txt"), "before");
  EXPECT_EQ(files(), 1u) << "nobody finished it";
  {
    NewFile file(at("out/a.txt"));
    file.add("after");
    file.add("wards");
    EXPECT_EQ(file.finish(), "");
  }
  EXPECT_EQ(read("out/a.txt"), "afterwards");
  EXPECT_EQ(files(), 1u);
}

TEST_F(StudyTest, AFileThatCannotBeWrittenSaysWhyAndLeavesNothing) {
  NewFile gone(at("gone/a.txt"));
  gone.add("text");
  EXPECT_EQ(gone.finish(), "cannot write `" + at("gone/a.txt") + "`: No such file or directory");
  // A folder in its place is seen last.
  write("out/taken/inside", "");
  NewFile taken(at("out/taken"));
  taken.add("text");
  EXPECT_EQ(taken.finish(), "cannot write `" + at("out/taken") + "`: Is a directory");
  EXPECT_EQ(read("out/taken/inside"), "");
  size_t files = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder_ / "out")) ++files;
  EXPECT_EQ(files, 1u);
}

// A device that is always full takes the place of what is written: a short text is refused when it leaves the buffer at
// the end, a long one on its way. Either is told, and the file stays as it was.
TEST_F(StudyTest, AFullDiskLeavesTheFileAsItWas) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no device that is full";
  write("out/a.txt", "before");
  for (const size_t bytes : {size_t{5}, size_t{1} << 20}) {
    const fs::path temporary = folder_ / ("out/a.txt." + std::to_string(::getpid()) + ".new");
    fs::create_symlink("/dev/full", temporary);
    NewFile file(at("out/a.txt"));
    file.add(std::string(bytes, 'x'));
    file.add("more");
    EXPECT_EQ(file.finish(), "cannot write `" + at("out/a.txt") + "`: No space left on device") << bytes;
    EXPECT_EQ(read("out/a.txt"), "before") << bytes;
    EXPECT_FALSE(fs::is_symlink(temporary)) << bytes;
  }
}

TEST_F(StudyTest, FoldersAreMadeWithThoseAroundThem) {
  EXPECT_EQ(makeFolder(at("deep/er/folder")), "");
  EXPECT_TRUE(fs::is_directory(folder_ / "deep/er/folder"));
  EXPECT_EQ(makeFolder(at("deep/er/folder")), "") << "one that is there is as good";
  write("file", "");
  EXPECT_EQ(makeFolder(at("file/folder")).rfind("cannot make the folder `" + at("file/folder") + "`: ", 0), 0u);
}

// The environment says which page, and whether there is any.
TEST_F(StudyTest, APageIsTheOneThatIsNamed) {
  write("page.html", "<p>");
  ::setenv("TESSERA_TEST_PAGE", at("page.html").c_str(), 1);
  EXPECT_EQ(pageTemplate("no-such-page.html", "TESSERA_TEST_PAGE"), "<p>");
  ::setenv("TESSERA_TEST_PAGE", at("gone.html").c_str(), 1);
  EXPECT_EQ(pageTemplate("no-such-page.html", "TESSERA_TEST_PAGE"), "");
  ::unsetenv("TESSERA_TEST_PAGE");
  EXPECT_EQ(pageTemplate("no-such-page.html", "TESSERA_TEST_PAGE"), "");
}

// Where no page is named, a program takes the page built beside it, from up to four folders above its own.
TEST_F(StudyTest, ReportsAreWrittenOnThePageAboveTheProgram) {
  const fs::path program = fs::read_symlink("/proc/self/exe").parent_path() / "tessera";
  if (!fs::exists(program)) GTEST_SKIP() << "the program is not built";
  if (smallTests()) GTEST_SKIP() << "sanitizers reserve more than the limit of a child";
  copyCase("diamond");
  write("web/dist/report.html", "the built page of {{REPORT_NAME}} {{REPORT_DATA}}");
  for (const auto& [folder, found] :
       {std::pair{"bin", true}, std::pair{"build/bin", true}, std::pair{"build/dev/bin", true},
        std::pair{"build/dev/out/bin", true}, std::pair{"build/dev/out/more/bin", false}}) {
    fs::create_directories(folder_ / folder);
    fs::copy_file(program, folder_ / folder / "tessera");
    const std::string call =
        at(std::string(folder) + "/tessera") + " run " + at("graphs/diamond.mlir") + " --html " + at("report.html");
    ASSERT_EQ(runChild(call, "", {}).problem, "") << folder;
    EXPECT_EQ(read("report.html").rfind("the built page of diamond.mlir", 0) == 0, found) << folder;
    fs::remove(folder_ / folder / "tessera");
  }
}

}  // namespace
}  // namespace tessera::test
