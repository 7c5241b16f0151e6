// Which ops names mean, overrides that change nothing, and what waits on the host.

#include "core/analysis/layout_overrides.h"
#include "tests/policy/test_graphs.h"
#include "tests/short_forms.h"

namespace tessera::test {
namespace {

const char* const kSorted =
    "func.func @main(%x: tensor<4x64xbf16>) -> (tensor<4x64xbf16>, tensor<4x64xsi32>, tensor<4x64xsi32>) {\n"
    "  %s:2 = \"ttnn.sort\"(%x) <{descending = true, dim = -1 : si32, stable = false}> : (tensor<4x64xbf16>) -> "
    "(tensor<4x64xbf16>, tensor<4x64xsi32>) loc(\"here\")\n"
    "  %n = \"ttnn.abs\"(%s#1) : (tensor<4x64xsi32>) -> tensor<4x64xsi32> loc(\"%n\")\n"
    "  return %s#0, %s#1, %n : tensor<4x64xbf16>, tensor<4x64xsi32>, tensor<4x64xsi32>\n}\n";

TEST(NamedOps, ByPlaceOrByAnyResult) {
  const Graph graph = graphOf(kSorted);
  const OpId sort = producerOf(graph, "s"), abs = producerOf(graph, "n");
  for (const char* name : {"%s", "%s:1", "here"}) {
    EXPECT_TRUE(overrideNames(name, graph, sort)) << name;
    EXPECT_FALSE(overrideNames(name, graph, abs)) << name;
  }
  for (const char* name : {"s", "%s:2", "", "%", "%here", "n"}) EXPECT_FALSE(overrideNames(name, graph, sort)) << name;
  EXPECT_TRUE(overrideNames("%n", graph, abs));
  EXPECT_FALSE(overrideNames("n", graph, abs));
}

// Types that are the same on the device; one result of another type is enough for a change.
TEST(NamedOps, OverridesOfTheTypeThatIsThereAreIdle) {
  const Graph graph = graphOf(kSorted);
  const auto left = [&](const char* text) {
    Diagnostics diags;
    LayoutOverrides overrides = parseLayoutOverrides(text, diags);
    EXPECT_TRUE(diags.all().empty()) << diags.all().front().message;
    dropIdleOverrides(overrides, graph);
    return overrides.size();
  };
  EXPECT_EQ(left("%n=si32"), 0u);
  EXPECT_EQ(left("%n=i64"), 0u) << "stored as si32";
  EXPECT_EQ(left("%n=u32"), 1u);
  EXPECT_EQ(left("%n=si32:tile"), 1u);
  EXPECT_EQ(left("%n=si32:dram"), 1u);
  EXPECT_EQ(left("%n=2x2:si32"), 1u);
  EXPECT_EQ(left("%s=bf16"), 1u) << "its second result is of another type";
  EXPECT_EQ(left("nobody=bf16"), 0u);
}

TEST(NamedOps, GridsThatAreNone) {
  for (const char* grid : {"3000000000x1", "1x3000000000", "0x4", "4x0", "4x", "x4", "4x4x4", "4*4"}) {
    Diagnostics diags;
    parseLayoutOverrides(std::string("op=") + grid, diags);
    EXPECT_EQ(diags.errorCount(), 1u) << grid;
  }
  Diagnostics diags;
  const LayoutOverrides overrides = parseLayoutOverrides("op=2147483647x1", diags);
  EXPECT_EQ(diags.errorCount(), 0u);
  EXPECT_EQ(overrides.at(0).settings.grid->rows, 2147483647);
}

// Weights and biases wait in rows; what is read by something else as well lies on the device.
TEST(NamedOps, WeightsAndBiasesOfConvolutionsWaitOnTheHost) {
  const std::string conv =
      "<{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 32 : i32, input_height = 8 "
      ": i32, input_width = 8 : i32, kernel_size = array<i32: 1, 1>, out_channels = 32 : i32, padding = array<i32: 0, "
      "0>, stride = array<i32: 1, 1>}> : (tensor<1x1x64x32xbf16>, tensor<32x32x1x1xbf16>, tensor<1x1x1x32xbf16>) -> "
      "tensor<1x1x64x32xbf16>\n";
  const Graph graph = graphOf(
      "func.func @main(%x: tensor<1x1x64x32xbf16>, %w: tensor<32x32x1x1xbf16>, %b: tensor<1x1x1x32xbf16>, %c: "
      "tensor<1x1x1x32xbf16>) -> (tensor<1x1x64x32xbf16>, tensor<1x1x64x32xbf16>) {\n  %0 = \"ttnn.conv2d\"(%x, %w, "
      "%b) " +
      conv + "  %1 = \"ttnn.conv2d\"(%0, %w, %c) " + conv +
      "  %2 = \"ttnn.add\"(%1, %c) : (tensor<1x1x64x32xbf16>, tensor<1x1x1x32xbf16>) -> tensor<1x1x64x32xbf16>\n"
      "  return %1, %2 : tensor<1x1x64x32xbf16>, tensor<1x1x64x32xbf16>\n}\n");
  const Problem problem = analysed(graph, *findDevice("n150"), {});
  const auto place = [&](const char* name) {
    const auto& pinned = problem.pinned[valueNamed(graph, name)];
    return pinned ? layoutText(*pinned) : std::string("free");
  };
  EXPECT_EQ(place("x"), "DRAM");
  EXPECT_EQ(place("w"), "host rm");
  EXPECT_EQ(place("b"), "host rm");
  EXPECT_EQ(place("c"), "DRAM");
  EXPECT_EQ(place("1"), "free");
}

}  // namespace
}  // namespace tessera::test
