// The compiler's performance metrics of ops with more, fewer or other operands than usual, and of sizes without end.

#include "core/ir/builder.h"
#include "core/report/perf_metrics_json.h"
#include "tests/driver/driver_testing.h"

namespace tessera::test {
namespace {

class MetricsOf {
 public:
  MetricsOf() : builder_(graph_), func_(builder_.addFunction("main")) { graph_.forward = func_; }

  static ValueType tensor(const Shape& shape) {
    ValueType out;
    const auto layout =
        makeLayout(shape, {DType::BF16, BufferType::DRAM, TensorMemoryLayout::Interleaved, PageLayout::Tile, {1, 1}},
                   *findDevice("n150"));
    EXPECT_TRUE(layout.ok());
    out.tensor = TensorType{.shape = shape, .dtype = DType::BF16, .layout = *layout};
    return out;
  }
  ValueId argument(const Shape& shape, ArgRole role = ArgRole::Input) {
    return builder_.addArgument(func_, "a" + std::to_string(number_++), tensor(shape), role);
  }
  // A value that is no tensor.
  ValueId device(ArgRole role = ArgRole::Input) {
    return builder_.addArgument(func_, "d" + std::to_string(number_++), ValueType(), role);
  }
  ValueId append(OpKind kind, const std::vector<ValueId>& operands, const Shape& result) {
    return graph_.ops[builder_.append(func_, makeOp(kind, operands, {tensor(result)}))].results[0];
  }
  std::unique_ptr<Json> metrics() const {
    return std::make_unique<Json>(perfMetricsJson(graph_, *findDevice("n150"), true));
  }
  int64_t target(const char* name) const { return (*metrics())["perf_targets"].get(name).asInteger().value_or(-1); }
  int64_t flops() const { return (*metrics())["flops"].get("total_flops").asInteger().value_or(-1); }
  int64_t summary(const char* name) const { return (*metrics())["summary"].get(name).asInteger().value_or(-1); }

 private:
  Graph graph_;
  GraphBuilder builder_;
  FuncId func_;
  int number_ = 0;
};

// A weight that is moved stays one, whether or not the device stands behind it. What is copied into a tensor that is
// there already is none.
TEST(PerfMetricsOperands, AWeightMayBeMovedToANamedDevice) {
  const auto params = [](bool named, OpKind kind = OpKind::TtnnToDevice, bool copied = false) {
    MetricsOf all;
    std::vector<ValueId> operands = {all.argument({128, 256}, ArgRole::Parameter)};
    if (named) operands.push_back(all.device());
    if (copied) operands.push_back(all.argument({128, 256}));
    const ValueId moved = all.append(kind, operands, {128, 256});
    all.append(OpKind::TtnnMatmul, {all.argument({64, 128}), moved}, {64, 256});
    return std::pair(all.target("params_count"), all.target("skipped_ops"));
  };
  const std::pair<int64_t, int64_t> weight = {128 * 256, 0}, none = {0, 1};
  EXPECT_EQ(params(false), weight);
  EXPECT_EQ(params(true), weight);
  EXPECT_EQ(params(true, OpKind::TtnnToLayout), weight);
  EXPECT_EQ(params(false, OpKind::TtnnCopy, true), none);
}

// What leaves L1 for DRAM is spilled, whether or not the move names the device.
TEST(PerfMetricsOperands, AMoveToANamedDeviceSpills) {
  for (bool named : {false, true}) {
    Graph graph;
    GraphBuilder builder(graph);
    const FuncId func = builder.addFunction("main");
    graph.forward = func;
    const ValueType inDram = MetricsOf::tensor({64, 64});
    ValueType inL1 = inDram;
    inL1.tensor->layout =
        *makeLayout({64, 64}, {DType::BF16, BufferType::L1, TensorMemoryLayout::BlockSharded, PageLayout::Tile, {2, 2}},
                    *findDevice("n150"));
    const ValueId argument = builder.addArgument(func, "a", inDram, ArgRole::Input),
                  device = builder.addArgument(func, "d", ValueType(), ArgRole::Input);
    const ValueId made = graph.ops[builder.append(func, makeOp(OpKind::TtnnRelu, {argument}, {inL1}))].results[0];
    std::vector<ValueId> operands = {made};
    if (named) operands.push_back(device);
    builder.append(func, makeOp(OpKind::TtnnToLayout, operands, {inDram}));
    const Json metrics(perfMetricsJson(graph, *findDevice("n150"), false));
    EXPECT_EQ(metrics["summary"].get("sharded_and_spilled_ops").asInteger(), 1) << named;
    EXPECT_EQ(metrics["summary"].get("effectively_sharded_ops").asInteger(), 0) << named;
  }
}

// Ops that lack an operand, or have one that is no tensor, have no target; what can be counted of them is.
TEST(PerfMetricsOperands, WhatIsNoTensorIsNotCounted) {
  struct Row {
    const char* what;
    OpKind kind;
    std::string operands;  // t: a tensor, d: a device, p: a device among the parameters
    int64_t flops, skipped;
  };
  const Shape shape = {1, 8, 64, 64};
  const int64_t product = int64_t{2} * 64 * 8 * 64 * 64, attention = 2 * product;
  const OpKind matmul = OpKind::TtnnMatmul, sdpa = OpKind::TtnnScaledDotProductAttention;
  const Row rows[] = {
      {"a product", matmul, "tt", product, 1},
      {"of one operand", matmul, "t", product, 0},
      {"of none", matmul, "", 0, 0},
      {"of a device", matmul, "dt", 0, 0},
      {"by a device", matmul, "td", product, 1},
      {"by a device that is a parameter", matmul, "tp", product, 1},
      {"attention", sdpa, "ttt", attention, 1},
      {"without values", sdpa, "tt", attention, 0},
      {"without keys", sdpa, "t", 0, 0},
      {"with a device for its keys", sdpa, "tdt", 0, 0},
      {"with a device for its queries", sdpa, "dtt", 0, 0},
      {"with a parameter for its values that is none", sdpa, "ttp", attention, 1},
  };
  for (const Row& row : rows) {
    MetricsOf all;
    std::vector<ValueId> operands;
    for (char c : row.operands)
      operands.push_back(c == 't' ? all.argument(shape) : c == 'd' ? all.device() : all.device(ArgRole::Parameter));
    all.append(row.kind, operands, shape);
    EXPECT_EQ(all.flops(), row.flops) << row.what;
    EXPECT_EQ(all.target("skipped_ops"), row.skipped) << row.what;
    EXPECT_EQ(all.target("params_count"), 0) << row.what;
    EXPECT_EQ(all.summary("total_ops"), 1) << row.what;
  }
}

// 2^69 products of tiles, or 2^70 of queries with keys and of these with values: computing bounds them, however much is
// read.
TEST(PerfMetricsOperands, ProductsWithoutEndAreBoundByComputing) {
  constexpr int64_t k28 = int64_t{1} << 28;
  MetricsOf product;
  product.append(OpKind::TtnnMatmul, {product.argument({k28, k28}), product.argument({k28, k28}, ArgRole::Parameter)},
                 {k28, k28});
  EXPECT_EQ(product.target("compute_bound_ops"), 1);
  EXPECT_EQ(product.target("dram_bound_ops"), 0);
  MetricsOf attention;
  const ValueId cache = attention.argument({1, 1, k28, k28}, ArgRole::KvCache);
  attention.append(OpKind::TtnnScaledDotProductAttention, {attention.argument({1, 1, k28, k28}), cache, cache},
                   {1, 1, k28, k28});
  EXPECT_EQ(attention.target("compute_bound_ops"), 1);
  EXPECT_EQ(attention.target("dram_bound_ops"), 0);
}

}  // namespace
}  // namespace tessera::test
