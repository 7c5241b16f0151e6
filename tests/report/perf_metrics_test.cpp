// The compiler's performance metrics of ops put together by hand: multiplications, targets of the chip, the summary.

#include "core/report/perf_metrics_json.h"

#include "core/ir/builder.h"
#include "tests/driver/driver_testing.h"
#include "tests/ops/asking.h"

namespace tessera::test {
namespace {

const Where kOnTheHost{BufferType::SystemMemory, TensorMemoryLayout::None, {1, 1}, PageLayout::RowMajor};

// A function whose ops are counted.
class Counted {
 public:
  Counted() : builder_(graph_), func_(builder_.addFunction("main")) { graph_.forward = func_; }

  static ValueType type(const Shape& shape, const Where& where = kInDram) {
    ValueType out;
    LayoutRequest request{DType::BF16, where.buffer, where.memory, where.page, where.grid};
    out.tensor =
        TensorType{.shape = shape, .dtype = DType::BF16, .layout = *makeLayout(shape, request, *findDevice("n150"))};
    return out;
  }
  ValueId argument(const Shape& shape, ArgRole role = ArgRole::Input) {
    return builder_.addArgument(func_, "a" + std::to_string(number_++), type(shape), role);
  }
  ValueId append(OpKind kind, const std::vector<ValueId>& operands, const Shape& result, AttrList attrs = {},
                 const Where& where = kInDram) {
    OpSpec spec = makeOp(kind, operands, {type(result, where)});
    spec.attrs = std::move(attrs);
    sortAttrs(spec.attrs);
    return graph_.ops[builder_.append(func_, std::move(spec))].results[0];
  }
  void fill(ValueId cache, ValueId rows) { builder_.append(func_, makeOp(OpKind::TtnnFillCache, {cache, rows}, {})); }
  Graph& graph() { return graph_; }
  std::string metrics(bool verbose = true, const char* device = "n150") const {
    return perfMetricsJson(graph_, *findDevice(device), verbose);
  }

 private:
  Graph graph_;
  GraphBuilder builder_;
  FuncId func_;
  int number_ = 0;
};

Attribute number(std::string name, int64_t value) { return {std::move(name), intAttr(value)}; }
Attribute flag(std::string name) { return {std::move(name), boolAttr(true)}; }
Attribute list(std::string name, std::vector<int64_t> values) {
  return {std::move(name), intArrayAttr(std::move(values))};
}
Attribute fidelityOf(const std::string& name) {
  return {"compute_config", rawAttr("#ttnn.device_compute_kernel_config<math_fidelity = " + name + ">")};
}

struct FlopsCase {
  OpKind kind;
  std::vector<Shape> operands;
  Shape result;
  AttrList attrs;
  int64_t flops;  // 0: not counted
};

TEST(PerfMetricsByHand, MultiplicationsAndAdditions) {
  const Shape query = {1, 8, 64, 32}, keys = {1, 8, 96, 32}, window = {1, 1, 25, 16}, image = {1, 1, 100, 32};
  const FlopsCase cases[] = {
      {OpKind::TtnnMatmul, {{64, 128}, {128, 256}}, {64, 256}, {}, 2 * 128 * 64 * 256},
      {OpKind::TtnnMatmul, {{32, 128}, {32, 256}}, {128, 256}, {flag("transpose_a")}, 2 * 32 * 128 * 256},
      {OpKind::TtnnMatmul, {{128}, {128, 256}}, {256}, {flag("transpose_a")}, 2 * 128 * 256},
      {OpKind::TtnnLinear, {{2, 64, 128}, {128, 256}}, {2, 64, 256}, {}, 2 * 2 * 128 * 64 * 256},
      // Two products of each query with each key.
      {OpKind::TtnnScaledDotProductAttention, {query, keys, keys}, query, {}, 4 * 8 * 64 * 32 * 96},
      {OpKind::TtnnScaledDotProductAttention, {query, keys, keys}, query, {flag("is_causal")}, 2 * 8 * 64 * 32 * 96},
      {OpKind::TtnnScaledDotProductAttention,
       {query, keys, keys},
       query,
       {number("sliding_window_size", 40)},
       4 * 8 * 64 * 32 * 40},
      {OpKind::TtnnScaledDotProductAttention,
       {query, keys, keys},
       query,
       {number("sliding_window_size", 97)},
       4 * 8 * 64 * 32 * 96},
      {OpKind::TtnnScaledDotProductAttention,
       {query, keys, keys},
       query,
       {number("sliding_window_size", 0)},
       4 * 8 * 64 * 32 * 96},
      {OpKind::TtnnScaledDotProductAttentionDecode,
       {query, keys, keys},
       query,
       {flag("is_causal")},
       4 * 8 * 64 * 32 * 96},
      // 16 / 4 channels of a window of 3 x 3 for each of 3200 results.
      {OpKind::TtnnConv2d,
       {window, {32, 4, 3, 3}},
       image,
       {number("in_channels", 16), number("groups", 4), number("out_channels", 32), list("kernel_size", {3, 3})},
       2 * 4 * 9 * 3200},
      {OpKind::TtnnConv2d,
       {window, {32, 16, 5, 1}},
       image,
       {number("in_channels", 16), list("kernel_size", {5, 1})},
       2 * 16 * 5 * 3200},
      {OpKind::TtnnConv2d,
       {window, {32, 16, 3, 1}},
       image,
       {number("in_channels", 16), number("kernel_size", 3)},
       2 * 16 * 3 * 3200},
      {OpKind::TtnnConv2d, {window, {32, 16, 1, 1}}, image, {number("in_channels", 0)}, 2 * 3200},
      // A window of 2 x 2 of 32 / 2 channels for each of 400 elements that are read.
      {OpKind::TtnnConvTranspose2d,
       {window, {16, 16, 2, 2}},
       image,
       {number("in_channels", 16), number("groups", 2), number("out_channels", 32), list("kernel_size", {2, 2})},
       2 * 16 * 4 * 400},
      {OpKind::TtnnRelu, {image}, image, {}, 0},
      {OpKind::TtnnAllReduce, {{64, 128}}, {64, 128}, {number("cluster_axis", 1)}, 0},
      // Four chips along axis 1: three additions for four elements; two along axis 0.
      {OpKind::TtnnAllReduce,
       {{64, 128}},
       {64, 128},
       {{"reduce_type", rawAttr("#ttcore.reduce_type<sum>")}, number("cluster_axis", 1)},
       64 * 128 * 3 / 4},
      {OpKind::TtnnAllReduce,
       {{64, 128}},
       {64, 128},
       {{"reduce_type", rawAttr("#ttcore.reduce_type<sum>")}},
       64 * 128 / 2},
      {OpKind::TtnnAllReduce,
       {{64, 128}},
       {64, 128},
       {{"reduce_type", rawAttr("#ttcore.reduce_type<sum>")}, number("cluster_axis", 2)},
       0},
  };
  Counted all;
  all.graph().attrs.push_back({"ttcore.device", stringAttr("<workerGrid, meshShape = 2x4, chipIds = [0]>")});
  int64_t sum = 0;
  size_t counted = 0;
  for (const FlopsCase& c : cases) {
    std::vector<ValueId> operands;
    for (const Shape& shape : c.operands) operands.push_back(all.argument(shape));
    all.append(c.kind, operands, c.result, c.attrs);
    sum += c.flops;
  }
  const Json metrics(all.metrics());
  const JsonValue perOp = metrics["flops"].get("per_op");
  for (const FlopsCase& c : cases) {
    if (c.flops == 0) continue;
    const JsonValue one = perOp.at(counted);
    EXPECT_EQ(one.get("flops").asInteger(), c.flops) << opInfo(c.kind).name << " " << counted;
    EXPECT_EQ(one.get("operation").asString(), opInfo(c.kind).name);
    EXPECT_EQ(one.get("math_fidelity").asString(), "hifi4");
    ++counted;
  }
  EXPECT_EQ(perOp.size(), counted);
  EXPECT_EQ(metrics["flops"].get("total_flops").asInteger(), sum);
  EXPECT_EQ(metrics["perf_targets"].get("skipped_ops").asInteger(), 10) << "products without weights";
  EXPECT_FALSE(Json(all.metrics(false))["flops"].get("per_op").present());
}

// The least of the passes that an op takes over the mantissas: 16, 32, 48 or 64 cycles for 2 * 32 * 32 * 32 flops.
TEST(PerfMetricsByHand, ThePeakIsThatOfTheFastestOp) {
  const auto peak = [](const std::vector<std::string>& fidelities, const char* device) {
    Counted counted;
    for (const std::string& name : fidelities) {
      const AttrList attrs = name.empty() ? AttrList() : AttrList{fidelityOf(name)};
      counted.append(OpKind::TtnnMatmul, {counted.argument({32, 32}), counted.argument({32, 32})}, {32, 32}, attrs);
    }
    return *Json(counted.metrics(true, device))["flops"].get("peak_flops_per_sec").asInteger();
  };
  const int64_t perCycle = int64_t{64} * 1'000'000'000;  // 64 cores at 1 GHz
  EXPECT_EQ(peak({}, "n150"), perCycle * 1024);
  EXPECT_EQ(peak({""}, "n150"), perCycle * 1024);
  EXPECT_EQ(peak({"hifi4", "hifi3"}, "n150"), perCycle * (65536 / 48));
  EXPECT_EQ(peak({"hifi2", "hifi3"}, "n150"), perCycle * 2048);
  EXPECT_EQ(peak({"lofi", ""}, "n150"), perCycle * 4096);
  EXPECT_EQ(peak({""}, "p150"), int64_t{130} * 1024 * findDevice("p150")->clockMhz * 1'000'000);
}

// Weights are read at 17 bytes for 16 scalars and 288 GB/s; a product of tiles takes 32 cycles of one of 64 cores.
TEST(PerfMetricsByHand, WeightsOrProductsBound) {
  Counted counted;
  const ValueId parameter = counted.argument({128, 256}, ArgRole::Parameter),
                constant = counted.argument({1024, 32}, ArgRole::Constant),
                cache = counted.argument({1, 8, 96, 32}, ArgRole::KvCache);
  counted.append(OpKind::TtnnMatmul, {counted.argument({64, 128}), parameter}, {64, 256});
  counted.append(OpKind::TtnnMatmul, {counted.argument({2048, 1024}), constant}, {2048, 32});
  counted.append(OpKind::TtnnMatmul, {parameter, counted.argument({256, 64})}, {128, 64});
  const ValueId moved = counted.append(OpKind::TtnnToMemoryConfig, {parameter}, {128, 256});
  counted.append(OpKind::TtnnMatmul, {counted.argument({64, 128}), moved}, {64, 256});
  const ValueId input = counted.append(OpKind::TtnnToMemoryConfig, {counted.argument({128, 256})}, {128, 256});
  counted.append(OpKind::TtnnMatmul, {counted.argument({64, 128}), input}, {64, 256});
  counted.append(OpKind::TtnnScaledDotProductAttentionDecode, {counted.argument({1, 8, 32, 32}), cache, cache},
                 {1, 8, 32, 32});
  const Json metrics(counted.metrics());
  const JsonValue targets = metrics["perf_targets"];
  const int64_t scalars = 128 * 256 + 1024 * 32 + 128 * 256 + 2 * 8 * 96 * 32;
  EXPECT_EQ(targets.get("params_count").asInteger(), scalars);
  EXPECT_EQ(targets.get("params_memory_bytes").asInteger(), scalars / 16 * 17);
  EXPECT_EQ(targets.get("skipped_ops").asInteger(), 2) << "a weight on the left, an input that is moved";
  EXPECT_EQ(targets.get("dram_bound_ops").asInteger(), 3);
  EXPECT_EQ(targets.get("compute_bound_ops").asInteger(), 1);
  // 34,816 bytes twice, 52,224 of the cache; 32 x 64 products of tiles on 64 cores.
  const double milliseconds = (34816 * 2 + 52224) / 288e9 * 1e3 + 2048 * 32 / 64 / 1e9 * 1e3;
  EXPECT_NEAR(*targets.get("roofline_ms").asNumber(), milliseconds, 1e-12);
  EXPECT_NEAR(*targets.get("top_perf_estimate_ms").asNumber(), milliseconds / 0.7, 1e-12);
  EXPECT_EQ(targets.get("dram_bandwidth_bytes_per_sec").asInteger(), 288'000'000'000);
  EXPECT_EQ(targets.get("num_tensix_cores").asInteger(), 64);
  EXPECT_EQ(targets.get("aiclk_hz").asInteger(), 1'000'000'000);
  EXPECT_EQ(targets.get("arch").asString(), "wormhole_b0");
  const Json blackhole(counted.metrics(true, "p150"));
  EXPECT_EQ(blackhole["perf_targets"].get("dram_bandwidth_bytes_per_sec").asInteger(), 512'000'000'000);
  EXPECT_EQ(blackhole["perf_targets"].get("arch").asString(), "blackhole");
}

// The depth of a transposed first operand is its rows: 32 tiles, for 256 tiles of result.
TEST(PerfMetricsByHand, ATransposedOperandsDepthIsItsRows) {
  Counted counted;
  const ValueId weights = counted.argument({1024, 32}, ArgRole::Parameter);
  counted.append(OpKind::TtnnMatmul, {counted.argument({1024, 8192}), weights}, {8192, 32}, {flag("transpose_a")});
  const Json metrics(counted.metrics());
  EXPECT_NEAR(*metrics["perf_targets"].get("roofline_ms").asNumber(), 32 * 256 * 32 / 64 / 1e9 * 1e3, 1e-12);
  EXPECT_EQ(metrics["perf_targets"].get("compute_bound_ops").asInteger(), 1);
  EXPECT_EQ(metrics["flops"].get("total_flops").asInteger(), int64_t{2} * 1024 * 8192 * 32);
}

// 64 x 1 tiles of 8 heads of queries with 3 tiles of keys, and as much with the values; a causal mask leaves half.
TEST(PerfMetricsByHand, TheRooflineLeavesOutWhatACausalMaskHides) {
  for (const bool causal : {false, true}) {
    Counted counted;
    const ValueId cache = counted.argument({1, 8, 96, 32}, ArgRole::KvCache);
    counted.append(OpKind::TtnnScaledDotProductAttention, {counted.argument({1, 8, 2048, 32}), cache, cache},
                   {1, 8, 2048, 32}, causal ? AttrList{flag("is_causal")} : AttrList{});
    const Json metrics(counted.metrics());
    const double products = 2 * 8 * 64 * 3 / (causal ? 2 : 1);
    EXPECT_NEAR(*metrics["perf_targets"].get("roofline_ms").asNumber(), products * 32 / 64 / 1e9 * 1e3, 1e-12);
    EXPECT_EQ(metrics["perf_targets"].get("compute_bound_ops").asInteger(), 1);
  }
}

// Four ops that may be sharded: one stays in shards, one leaves them for DRAM, one leaves L1 interleaved, one is in
// DRAM; a move, a constant and a result on the host are counted as ops only, two that write into a cache as ops without
// a result.
TEST(PerfMetricsByHand, TheSummaryCountsShardsAndSpills) {
  Counted counted;
  const ValueId in = counted.argument({256, 256});
  const ValueId stays = counted.append(OpKind::TtnnRelu, {in}, {256, 256}, {}, blockOver(8, 8));
  const ValueId leaves = counted.append(OpKind::TtnnExp, {stays}, {256, 256}, {}, blockOver(8, 8));
  const ValueId spilled = counted.append(OpKind::TtnnToMemoryConfig, {leaves}, {256, 256});
  const ValueId interleaved = counted.append(OpKind::TtnnNeg, {spilled}, {256, 256}, {}, kInL1);
  const ValueId back = counted.append(OpKind::TtnnToMemoryConfig, {interleaved}, {256, 256});
  const ValueId inDram = counted.append(OpKind::TtnnAbs, {back}, {256, 256});
  counted.append(OpKind::TtnnZeros, {}, {256, 256});
  counted.append(OpKind::TtnnFromDevice, {inDram}, {256, 256}, {}, kOnTheHost);
  counted.fill(in, inDram);
  counted.fill(in, back);
  const Json metrics(counted.metrics());
  const std::pair<const char*, int64_t> kCounts[] = {
      {"total_shardable_ops", 4},
      {"sharded_ops", 2},
      {"effectively_sharded_ops", 1},
      {"dram_spilled_ops", 2},
      {"system_memory_ops", 1},
      {"sharded_and_spilled_ops", 1},
      {"total_ops", 10},
      {"total_ops_with_output_tensor", 8},
  };
  const JsonValue summary = metrics["summary"];
  for (const auto& [key, count] : kCounts) EXPECT_EQ(summary.get(key).asInteger(), count) << key;
  EXPECT_EQ(summary.get("sharded_percentage").asNumber(), 50);
  EXPECT_EQ(summary.get("effectively_sharded_percentage").asNumber(), 25);
  EXPECT_EQ(summary.get("spilled_percentage").asNumber(), 50);
  EXPECT_EQ(summary.get("system_memory_percentage").asNumber(), 12.5) << "of what has a result";
  const JsonValue operations = metrics["operations"];
  ASSERT_EQ(operations.size(), 8u);
  EXPECT_EQ(operations.at(1).get("name").asString(), "ttnn.exp");
  EXPECT_EQ(operations.at(1).get("output_layout").asString(), "L1 block 8x8");
  EXPECT_EQ(operations.at(1).get("is_sharded").asBool(), true);
  EXPECT_EQ(operations.at(1).get("is_spilled_to_dram").asBool(), true);
  EXPECT_EQ(operations.at(0).get("is_spilled_to_dram").asBool(), false);
  EXPECT_EQ(operations.at(3).get("is_sharded").asBool(), false);
  EXPECT_EQ(operations.at(3).get("is_spilled_to_dram").asBool(), true);
  EXPECT_EQ(operations.at(5).get("is_spilled_to_dram").asBool(), false);
}

TEST(PerfMetricsByHand, AGraphOfNothingHasNoParts) {
  const Json metrics(Counted().metrics());
  EXPECT_EQ(metrics["summary"].get("total_ops").asInteger(), 0);
  EXPECT_EQ(metrics["summary"].get("sharded_percentage").asNumber(), 0);
  EXPECT_EQ(metrics["operations"].size(), 0u);
}

}  // namespace
}  // namespace tessera::test
