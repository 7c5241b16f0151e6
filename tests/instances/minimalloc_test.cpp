// Address assignment on the public instances, and damaged files.

#include "core/instances/minimalloc.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/files.h"
#include "tests/sizes.h"

namespace tessera {
namespace {

TEST(Minimalloc, ReadsAndRefusesFiles) {
  const auto read = [](const char* text) {
    Diagnostics diagnostics;
    const std::optional<AddressProblem> problem = readMinimalloc(SourceBuffer("x.csv", text), 10, diagnostics);
    EXPECT_EQ(problem.has_value(), !diagnostics.hasErrors()) << text;
    return problem.has_value() ? static_cast<int>(problem->buffers.size()) : -1;
  };
  EXPECT_EQ(read("id,lower,upper,size\nb1,0,3,4\r\nb2,3,9,4\n\n"), 2);
  EXPECT_EQ(read("size,id,start,end\n1,b,2,3"), 1);
  EXPECT_EQ(read(""), -1);
  EXPECT_EQ(read("id,lower,upper\na,1,2\n"), -1);
  EXPECT_EQ(read("id,lower,upper,size\na,1,2\n"), -1);
  EXPECT_EQ(read("id,lower,upper,size\na,1,2,-3\n"), -1);
  EXPECT_EQ(read("id,lower,upper,size\na,1,2,99999999999999999999\n"), -1);
}

// Line and reason of the first mistake.
std::string mistakeIn(const std::string& text) {
  Diagnostics diagnostics;
  const SourceBuffer source("x.csv", text);
  EXPECT_FALSE(readMinimalloc(source, 10, diagnostics).has_value()) << text;
  if (diagnostics.all().empty()) return "nothing";
  const Diagnostic& first = diagnostics.all().front();
  return std::to_string(source.lineColumn(first.span.begin).line) + ": " +
         first.message.substr(first.message.find(": ") + 2);
}

TEST(Minimalloc, TellsLineAndReason) {
  const std::string head = "id,lower,upper,size\na,1,2,3\n",
                    number = "3: lifetimes and sizes are integers from 0 to 2^45";
  for (const char* row : {"b,-1,2,3", "b,1,-2,3", "b,1,2,-3", "b,1,2,nan", "b,1,2,NaN", "b,1,2,inf", "b,1,2,1e3",
                          "b,1,2,", "b,1,2,0x10", "b,1,2, 3", "b,1,2,+3", "b,1,2,35184372088833",
                          "b,1,2,9223372036854775808", "b,1,2,18446744073709551616", "b,1.5,2,3"})
    EXPECT_EQ(mistakeIn(head + row + "\n"), number) << row;
  EXPECT_EQ(mistakeIn(head + "b,1,2\n"), "3: a line has 3 columns, the first one 4");
  EXPECT_EQ(mistakeIn(head + "b,1,2,3,4\n"), "3: a line has 5 columns, the first one 4");
  EXPECT_EQ(mistakeIn(head + "b,5,4,3\n"), "3: a lifetime ends before it begins");
  EXPECT_EQ(mistakeIn("a,1,2,3\n"), "1: the first line must name the columns `id`, `lower`, `upper` and `size`");
  EXPECT_EQ(mistakeIn(""), "1: the file is empty");
  std::string many = "lower,upper,size\n";
  for (int i = 0; i < 20'001; ++i) many += "1,2,3\n";
  EXPECT_EQ(mistakeIn(many), "20002: more than 20000 buffers");
}

TEST(Minimalloc, TheLargestNumberIsRead) {
  Diagnostics diagnostics;
  const auto problem =
      readMinimalloc(SourceBuffer("x.csv", "lower,upper,size\n0,35184372088832,35184372088832\n"), 10, diagnostics);
  ASSERT_TRUE(problem.has_value());
  EXPECT_EQ(problem->buffers[0].size, int64_t{1} << 45);
  EXPECT_EQ(loadBound(*problem), int64_t{1} << 45);
}

// Columns by their names, in any order; blank lines, ends of lines of either kind and lives of no length are fine.
TEST(Minimalloc, ColumnsMayStandInAnyOrder) {
  const auto read = [](const std::string& text) {
    Diagnostics diagnostics;
    const auto problem = readMinimalloc(SourceBuffer("x.csv", text), 77, diagnostics);
    std::string told;
    if (!problem) return std::string("refused");
    for (const AddressBuffer& b : problem->buffers)
      told += std::to_string(b.begin) + "-" + std::to_string(b.end) + ":" + std::to_string(b.size) + " ";
    return told + "in " + std::to_string(problem->capacity);
  };
  EXPECT_EQ(read("size,upper,id,lower\n5,3,a,1\n6,4,b,4\n"), "1-3:5 4-4:6 in 77");
  EXPECT_EQ(read("id,begin,end,size\r\na,1,3,5\r\n\r\nb,2,2,0"), "1-3:5 2-2:0 in 77");
  EXPECT_EQ(read("start,end,size\n0,0,0\n"), "0-0:0 in 77");
  EXPECT_EQ(read("start,end,size\n"), "in 77");
  EXPECT_EQ(read("start,end\n0,0\n"), "refused");
  EXPECT_EQ(read("lower,size\n0,0\n"), "refused");
  EXPECT_EQ(read("upper,size\n0,0\n"), "refused");
}

TEST(Minimalloc, MistakesStandWhereTheirLineBegins) {
  Diagnostics diagnostics;
  const SourceBuffer source("x.csv", "lower,upper,size\n1,2,3\n9,8,7\n5,4,3\n");
  EXPECT_FALSE(readMinimalloc(source, 10, diagnostics));
  ASSERT_EQ(diagnostics.all().size(), 1u) << "the first one alone";
  EXPECT_EQ(source.lineColumn(diagnostics.all()[0].span.begin).line, 3u);
  EXPECT_EQ(source.lineColumn(diagnostics.all()[0].span.begin).column, 1u);
}

// A file cut anywhere is read up to there or refused, with the line of the cut.
TEST(Minimalloc, CutFilesAreRefusedAtTheCut) {
  const std::string whole = "id,lower,upper,size\na,10,20,30\nb,15,25,30\n";
  for (size_t cut = 0; cut < whole.size(); ++cut) {
    Diagnostics diagnostics;
    const SourceBuffer source("cut", whole.substr(0, cut));
    if (readMinimalloc(source, 100, diagnostics).has_value()) continue;
    ASSERT_FALSE(diagnostics.all().empty()) << cut;
    EXPECT_EQ(source.lineColumn(diagnostics.all().front().span.begin).line, source.lineCount()) << cut;
  }
}

// The whole memory over the whole time, cut into buffers at random: only a placement without a gap fits.
AddressProblem tightProblem(uint64_t seed, size_t buffers) {
  Prng random(seed);
  AddressProblem problem{.buffers = {{.begin = 0, .end = 200, .size = 4096}}, .capacity = 4096};
  while (problem.buffers.size() < buffers) {
    const auto i = static_cast<size_t>(random.below(static_cast<int64_t>(problem.buffers.size())));
    AddressBuffer first = problem.buffers[i], second = first;
    if (random.below(2) == 0 && first.end - first.begin > 1) {
      first.end = second.begin = first.begin + 1 + random.below(first.end - first.begin - 1);
    } else if (first.size > 1) {
      first.size = 1 + random.below(first.size - 1);
      second.size -= first.size;
    } else {
      continue;
    }
    problem.buffers[i] = first;
    problem.buffers.push_back(second);
  }
  return problem;
}

TEST(Minimalloc, InstancesWithoutSlackAreSolvedOrBounded) {
  int solved = 0;
  for (uint64_t seed = 0; seed < 12; ++seed) {
    const AddressProblem problem = tightProblem(seed, 40);
    ASSERT_EQ(loadBound(problem), problem.capacity) << "seed " << seed;
    const AddressResult result = assignAddresses(problem, {.budget = WorkBudget(4'000'000)});
    EXPECT_EQ(result.lowerBound, problem.capacity) << "seed " << seed;
    EXPECT_EQ(heightOf(problem, result.offsets), result.height) << "seed " << seed;
    EXPECT_EQ(result.fits, result.height == problem.capacity) << "seed " << seed;
    EXPECT_EQ(result.proven, result.fits) << "seed " << seed;  // one fits, so that it does not cannot be proven
    solved += result.fits;
  }
  EXPECT_GE(solved, 10);
}

TEST(Minimalloc, PublicInstances) {
  const std::filesystem::path folder = test::sharedFolder() / "data/instances/minimalloc";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no reference data";
  for (const char* name : {"A", "B", "C", "D", "E"}) {
    if (test::smallTests() && *name > 'A') break;
    Diagnostics diagnostics;
    const std::optional<AddressProblem> problem = readMinimalloc(
        SourceBuffer(name, test::readFile(folder / (std::string(name) + ".1048576.csv"))), 1'048'576, diagnostics);
    ASSERT_TRUE(problem.has_value()) << name;
    AddressOptions options;
    options.useLocalSearch = false;  // it finds none of them
    options.budget = WorkBudget(400'000'000);
    const AddressResult result = assignAddresses(*problem, options);
    EXPECT_TRUE(result.fits) << name;
    EXPECT_EQ(result.method, "search") << name;
    EXPECT_EQ(heightOf(*problem, result.offsets), result.height) << name;
  }
}

}  // namespace
}  // namespace tessera
