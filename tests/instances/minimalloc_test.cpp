// Address assignment on the public instances, and damaged files.

#include "core/instances/minimalloc.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

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

TEST(Minimalloc, PublicInstances) {
  const char* shared = std::getenv("TESSERA_SHARED");
  const std::filesystem::path folder =
      (shared ? std::filesystem::path(shared) : std::filesystem::path(TESSERA_SOURCE_DIR) / "../shared") /
      "data/instances/minimalloc";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no reference data";
  for (const char* name : {"A", "B", "C", "D", "E"}) {
    if (test::smallTests() && *name > 'B') break;
    std::ifstream file(folder / (std::string(name) + ".1048576.csv"));
    std::stringstream text;
    text << file.rdbuf();
    Diagnostics diagnostics;
    const std::optional<AddressProblem> problem =
        readMinimalloc(SourceBuffer(name, text.str()), 1'048'576, diagnostics);
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
