#include "core/analysis/problem.h"

#include <gtest/gtest.h>

#include "tests/analysed.h"
#include "tests/policy/test_graphs.h"
#include "tests/short_forms.h"

namespace tessera::test {
namespace {

// The sharded layouts that the value's producer may write; none for arguments.
std::vector<TensorLayout> shardedOf(const Problem& problem, ValueId value) {
  std::vector<TensorLayout> sharded;
  OpId producer = problem.graph.values[value].producer;
  if (!producer.valid()) return sharded;
  for (const TensorLayout& layout : problem.legal[producer].layouts) {
    if (layout.sharded()) sharded.push_back(layout);
  }
  return sharded;
}

TEST(L1Budget, IsTheCappedPartRoundedDown) {
  DeviceSpec device = n150();
  device.l1Size = Bytes(2001);
  device.l1UnreservedBase = Bytes(1000);
  device.l1Small = Bytes(0);
  EXPECT_EQ(l1Budget(device, {.l1UsageCapPermille = 1000}).count, 1001);
  EXPECT_EQ(l1Budget(device, {.l1UsageCapPermille = 950}).count, 950);  // 950.95
  EXPECT_EQ(l1Budget(device, {.l1UsageCapPermille = 999}).count, 999);  // 999.999
  EXPECT_EQ(l1Budget(device, {.l1UsageCapPermille = 10}).count, 10);
  device.l1Small = Bytes(1);
  EXPECT_EQ(l1Budget(device, {.l1UsageCapPermille = 1000}).count, 1000);
}

TEST(L1Budget, OfThePresetSeedIs1364KiB) {
  EXPECT_EQ(l1Budget(n150(), {}).count, 1'396'448);
  EXPECT_EQ(l1Budget(n150(), {.l1UsageCapPermille = 950}).count, 1'326'625);
}

TEST(Problem, ModelHasTheBudget) {
  Graph graph =
      graphOf("func.func @main(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {\n  return %a : tensor<64x64xbf16>\n}\n");
  Problem problem = analysed(graph, n150(), {.l1UsageCapPermille = 500});
  EXPECT_EQ(problem.budget.bytes().count, 1'396'448 / 2);
}

const char* const kLayouts =
    "#dram = #ttnn.buffer_type<dram>\n#l1 = #ttnn.buffer_type<l1>\n#system_memory = #ttnn.buffer_type<system_memory>\n"
    "#in = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<16x16x!ttcore.tile<32x32, bf16>, #dram>, "
    "<interleaved>>\n"
    "#host = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<512x512xbf16, #system_memory>>\n"
    "#block = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<2x2x!ttcore.tile<32x32, bf16>, #l1>, "
    "<block_sharded>>\n"
    "func.func @main(%host: tensor<512x512xbf16, #host>, %in: tensor<512x512xbf16, #in>, %plain: tensor<512x512xbf16>) "
    "-> "
    "tensor<512x512xbf16, #in> {\n"
    "  %0 = \"ttnn.to_memory_config\"(%in) : (tensor<512x512xbf16, #in>) -> tensor<512x512xbf16, #block>\n"
    "  %1 = \"ttnn.relu\"(%0) : (tensor<512x512xbf16, #block>) -> tensor<512x512xbf16, #block>\n"
    "  %2 = \"ttnn.from_device\"(%1) : (tensor<512x512xbf16, #block>) -> tensor<512x512xbf16, #host>\n"
    "  %3 = \"ttnn.to_memory_config\"(%1) : (tensor<512x512xbf16, #block>) -> tensor<512x512xbf16, #in>\n"
    "  return %3 : tensor<512x512xbf16, #in>\n}\n";

TEST(Problem, PinsArgumentsResultsOfLayoutOpsAndHostTensors) {
  Graph graph = graphOf(kLayouts);
  ASSERT_TRUE(graph.forward.valid());
  Problem problem = analysed(graph, n150(), {});
  auto pinned = [&](const char* name) { return problem.pinned[valueNamed(graph, name)]; };
  auto written = [&](const char* name) { return *graph.values[valueNamed(graph, name)].type.tensor->layout; };
  for (const char* name : {"host", "in", "0", "2", "3"}) {
    ASSERT_TRUE(pinned(name).has_value()) << name;
    EXPECT_EQ(*pinned(name), written(name)) << name;
  }
  ASSERT_TRUE(pinned("plain").has_value());
  EXPECT_EQ(*pinned("plain"), dramLayout(problem, valueNamed(graph, "plain")));
  EXPECT_FALSE(pinned("1").has_value()) << "the layout of a computed value is the policy's to decide";
  EXPECT_EQ(pinned("host")->buffer, BufferType::SystemMemory);
}

// Rows that the program writes stay, unless policies may choose rows.
TEST(Problem, RowsArePinnedWherePoliciesChooseAmongTiles) {
  const Graph graph = graphOf(
      "#rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<512x512xbf16, #ttnn.buffer_type<dram>>, "
      "<interleaved>>\n"
      "func.func @main(%a: tensor<512x512xbf16>) -> tensor<512x512xbf16> {\n"
      "  %0 = \"ttnn.relu\"(%a) : (tensor<512x512xbf16>) -> tensor<512x512xbf16, #rows>\n"
      "  %1 = \"ttnn.relu\"(%0) : (tensor<512x512xbf16, #rows>) -> tensor<512x512xbf16>\n"
      "  return %1 : tensor<512x512xbf16>\n}\n");
  ASSERT_TRUE(graph.forward.valid());
  const ValueId rows = valueNamed(graph, "0");
  const Problem tiles = analysed(graph, n150(), {});
  ASSERT_TRUE(tiles.pinned[rows].has_value());
  EXPECT_EQ(*tiles.pinned[rows], *graph.values[rows].type.tensor->layout);
  EXPECT_FALSE(analysed(graph, n150(), {.rowMajorEnabled = true}).pinned[rows].has_value());
}

// Weights that const-eval has made wait on the host for the library to prepare them, unless somebody else reads them.
TEST(Problem, CachedWeightsOfConvolutionsStayOnTheHost) {
  const std::string weight = "tensor<64x64x3x3xbf16>", image = "tensor<1x32x32x64xbf16>";
  const Graph graph =
      graphOf("func.func private @made(%v: " + weight + ") -> " + weight + " {\n  return %v : " + weight + "\n}\n" +
              "func.func @main(%x: " + image + ", %w: " + weight + ") -> (" + image + ", " + weight + ") {\n" +
              "  %0 = ttcore.load_cached(@made, [%w]) : (" + weight + ") -> " + weight + "\n" +
              "  %1 = ttcore.load_cached(@made, [%w]) : (" + weight + ") -> " + weight + "\n" +
              "  %2 = \"ttir.relu\"(%1) : (" + weight + ") -> " + weight + "\n" +
              "  %3 = \"ttir.conv2d\"(%x, %0) <{stride = 1 : i32, padding = 1 : i32, dilation = 1 : i32, groups = 1 : "
              "i32}> : (" +
              image + ", " + weight + ") -> " + image + "\n  return %3, %2 : " + image + ", " + weight + "\n}\n");
  ASSERT_TRUE(graph.forward.valid());
  const Problem problem = analysed(graph, n150(), {});
  const auto& cached = problem.pinned[valueNamed(graph, "0")];
  ASSERT_TRUE(cached);
  EXPECT_EQ(cached->buffer, BufferType::SystemMemory);
  EXPECT_EQ(cached->page, PageLayout::RowMajor);
  const auto& other = problem.pinned[valueNamed(graph, "1")];
  EXPECT_TRUE(!other || other->isDram());
}

// What the caller passes in for const-eval waits on the host: parameters and constants, but no inputs.
TEST(Problem, ParametersAndConstantsOfConstEvalStayOnTheHost) {
  const std::string t = "tensor<64x64xbf16>";
  std::string text =
      "func.func private @made(%v: " + t + ") -> " + t + " {\n  return %v : " + t + "\n}\nfunc.func @main(";
  for (const char* role : {"parameter", "constant", "input"})
    text += (*role == 'p' ? "%" : ", %") + std::string(role) + ": " + t +
            " {ttcore.argument_type = #ttcore.argument_type<" + role + ">}";
  text += ") -> (" + t + ", " + t + ", " + t + ") {\n";
  for (const char* role : {"parameter", "constant", "input"})
    text += "  %of_" + std::string(role) + " = ttcore.load_cached(@made, [%" + role + "]) : (" + t + ") -> " + t + "\n";
  const Graph graph =
      graphOf(text + "  return %of_parameter, %of_constant, %of_input : " + t + ", " + t + ", " + t + "\n}\n");
  ASSERT_TRUE(graph.forward.valid());
  const Problem problem = analysed(graph, n150(), {});
  const auto onHost = [&](const char* name) {
    const auto& place = problem.pinned[valueNamed(graph, name)];
    return place && place->buffer == BufferType::SystemMemory;
  };
  EXPECT_TRUE(onHost("parameter"));
  EXPECT_TRUE(onHost("constant"));
  EXPECT_FALSE(onHost("input"));
}

TEST(Problem, OffersTheFirstLegalShardedLayoutsAndNoneForPinnedValues) {
  Graph graph = graphOf(kLayouts);
  ValueId one = valueNamed(graph, "1");
  for (int32_t most : {1, 3, 8, 64, 512}) {
    Problem problem = analysed(graph, n150(), {.maxLegalLayouts = most, .askOpModel = false});
    auto all = legalTensorLayouts({512, 512}, DType::BF16, n150()).sharded(PageLayout::Tile);
    ASSERT_GT(all.size(), 8u);
    size_t expected = std::min(all.size(), static_cast<size_t>(most));
    ASSERT_EQ(shardedOf(problem, one).size(), expected);
    for (size_t i = 0; i < expected; ++i) EXPECT_EQ(shardedOf(problem, one)[i], all[i]);
    for (const char* name : {"in", "plain", "0", "3"})
      EXPECT_TRUE(shardedOf(problem, valueNamed(graph, name)).empty()) << name;
  }
}

TEST(Problem, ShardedLayoutsAreInL1AndComeByNumberOfCores) {
  Graph graph = graphOf(kLayouts);
  Problem problem = analysed(graph, n150(), {.maxLegalLayouts = 512, .askOpModel = false});
  int64_t last = n150().grid.volume();
  for (const TensorLayout& layout : shardedOf(problem, valueNamed(graph, "1"))) {
    EXPECT_TRUE(layout.isL1() && layout.sharded());
    EXPECT_EQ(layout.page, PageLayout::Tile);
    EXPECT_LE(layout.grid.volume(), last);
    last = layout.grid.volume();
  }
}

TEST(Problem, ScalarsHaveLayouts) {
  Graph graph = graphOf(
      "func.func @main(%a: tensor<f32>) -> tensor<f32> {\n  %0 = \"ttir.relu\"(%a) : (tensor<f32>) -> tensor<f32>\n"
      "  return %0 : tensor<f32>\n}\n");
  ASSERT_TRUE(graph.forward.valid());
  Problem problem = analysed(graph, n150(), {});
  ValueId zero = valueNamed(graph, "0");
  EXPECT_FALSE(problem.pinned[zero].has_value());
  EXPECT_TRUE(dramLayout(problem, zero).isDram());
  EXPECT_EQ(dramLayout(problem, zero).shardRows, 1);
  EXPECT_EQ(dramLayout(problem, zero).shardCols, 1);
  EXPECT_TRUE(l1InterleavedLayout(problem, zero).isL1());
  EXPECT_EQ(l1BytesPerCore(l1InterleavedLayout(problem, zero)).count, tileBytes(DType::F32));
}

// A tensor without elements cannot be stored; it takes a page of DRAM and nobody moves it.
TEST(Problem, TensorsWithoutElementsArePinnedToDram) {
  Graph graph = graphOf(
      "func.func @main(%a: tensor<0x32xbf16>) -> tensor<0x32xbf16> {\n"
      "  %0 = \"ttir.relu\"(%a) : (tensor<0x32xbf16>) -> tensor<0x32xbf16>\n  return %0 : tensor<0x32xbf16>\n}\n");
  ASSERT_TRUE(graph.forward.valid());
  Problem problem = analysed(graph, n150(), {});
  for (const char* name : {"a", "0"}) {
    ValueId value = valueNamed(graph, name);
    ASSERT_TRUE(problem.pinned[value].has_value()) << name;
    EXPECT_TRUE(problem.pinned[value]->isDram());
    EXPECT_TRUE(shardedOf(problem, value).empty());
    EXPECT_EQ(dramLayout(problem, value), *problem.pinned[value]);
    EXPECT_TRUE(l1InterleavedLayout(problem, value).isDram());
  }
}

TEST(Problem, ElementTypesAreThoseOfTheDevice) {
  Graph graph = graphOf(
      "func.func @main(%a: tensor<64x64xi64>) -> tensor<64x64xi64> {\n"
      "  %0 = \"ttir.abs\"(%a) : (tensor<64x64xi64>) -> tensor<64x64xi64>\n  return %0 : tensor<64x64xi64>\n}\n");
  Problem problem = analysed(graph, n150(), {});
  EXPECT_EQ(dramLayout(problem, valueNamed(graph, "0")).dtype, deviceDType(DType::I64));
  for (const TensorLayout& layout : shardedOf(problem, valueNamed(graph, "0")))
    EXPECT_EQ(layout.dtype, deviceDType(DType::I64));
}

TEST(Problem, OtherFunctionsAreNotAnalysed) {
  Graph graph = graphOf(
      "func.func @main(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {\n"
      "  %0 = call @other(%a) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n  return %0 : tensor<64x64xbf16>\n}\n"
      "func.func private @other(%x: tensor<64x64xbf16>) -> tensor<64x64xbf16> {\n"
      "  %y = \"ttir.exp\"(%x) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n  return %y : tensor<64x64xbf16>\n}\n");
  Problem problem = analysed(graph, n150(), {});
  for (ValueId value : graph.values.ids()) {
    if (graph.values[value].func == graph.forward) continue;
    EXPECT_FALSE(problem.pinned[value].has_value());
    EXPECT_TRUE(shardedOf(problem, value).empty());
  }
}

}  // namespace
}  // namespace tessera::test
