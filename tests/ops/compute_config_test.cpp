// Math fidelity and 32-bit sums as a query, an op and the compiler's options say them.

#include "core/ops/table/compute_config.h"

#include <gtest/gtest.h>

#include "core/driver/pipeline.h"
#include "core/ir/builder.h"
#include "core/ops/model/op_answers.h"
#include "tests/short_forms.h"

namespace tessera::test {
namespace {

ComputeConfig at(MathFidelity fidelity) { return {fidelity, {}}; }

// A product of m x k and k x n, all in DRAM, whose op says `attr`.
struct Product {
  Graph graph;
  OpId op;
  std::vector<std::optional<TensorLayout>> inputs;
  OpConfig config;

  Product(int64_t m, int64_t k, int64_t n, DType dtype, const char* attr = "") {
    GraphBuilder builder(graph);
    FuncId func = builder.addFunction("main");
    auto layoutOf = [&](const Shape& shape) {
      return *makeLayout(shape, {dtype, BufferType::DRAM, TensorMemoryLayout::Interleaved, PageLayout::Tile, {1, 1}},
                         n150());
    };
    auto typeOf = [&](const Shape& shape) {
      TensorType type;
      type.shape = shape;
      type.dtype = dtype;
      return ValueType{type, ""};
    };
    std::vector<ValueId> operands;
    for (const Shape& shape : {Shape{m, k}, Shape{k, n}}) {
      operands.push_back(builder.addArgument(func, "a", typeOf(shape)));
      inputs.push_back(layoutOf(shape));
    }
    OpSpec spec = makeOp(OpKind::TtnnMatmul, operands, {typeOf({m, n})});
    if (*attr) spec.attrs = {{"compute_config", rawAttr(attr)}};
    op = builder.append(func, std::move(spec));
    config.output = layoutOf({m, n});
  }
  OpQuery query(const ComputeConfig& compute = {}) const { return {graph, op, inputs, config, Bytes(0), compute}; }
};

int64_t timeOf(const Product& product, const ComputeConfig& compute = {}) {
  return OpModel(n150()).getOpRuntime(product.query(compute)).total().count;
}

TEST(ComputeConfig, IsRead) {
  for (const char* name : {"lofi", "hifi2", "hifi3", "hifi4"})
    EXPECT_EQ(enumId(kMathFidelities, *parseEnum(kMathFidelities, name)), name);
  EXPECT_FALSE(parseEnum(kMathFidelities, "hifi5") || parseEnum(kMathFidelities, ""));
  ComputeConfig config = parseComputeConfig(
      "#ttnn.device_compute_kernel_config<math_fidelity = hifi3, packer_l1_acc = true, fp32_dest_acc_en = true>");
  EXPECT_EQ(config, (ComputeConfig{MathFidelity::HiFi3, true}));
  for (const char* broken : {"", "math_fidelity", "math_fidelity = ", "<math_fidelity = hifi9, fp32_dest_acc_en = 1>",
                             "><", "fp32_dest_acc_en<<<"}) {
    EXPECT_EQ(parseComputeConfig(broken), ComputeConfig{}) << broken;
  }
}

TEST(ComputeConfig, MorePassesTakeLongerWhereTheMatrixUnitIsTheBound) {
  Product product(4096, 4096, 4096, DType::BFP4);
  int64_t lofi = timeOf(product, at(MathFidelity::LoFi)), hifi2 = timeOf(product, at(MathFidelity::HiFi2));
  int64_t hifi3 = timeOf(product, at(MathFidelity::HiFi3)), hifi4 = timeOf(product, at(MathFidelity::HiFi4));
  EXPECT_LT(lofi, hifi2);
  EXPECT_LT(hifi2, hifi3);
  EXPECT_LT(hifi3, hifi4);
  EXPECT_GT(hifi4, 2 * lofi) << "four passes for one";
  // 16 bits are unpacked no faster than two passes need them (tt-metal GEMM_FLOPS.md).
  Product wide(4096, 4096, 4096, DType::BF16);
  EXPECT_LE(timeOf(wide, at(MathFidelity::LoFi)), timeOf(wide, at(MathFidelity::HiFi2)));
  EXPECT_LT(timeOf(wide, at(MathFidelity::HiFi2)), timeOf(wide, at(MathFidelity::HiFi4)));
}

TEST(ComputeConfig, WhatTheMemoryBoundsDoesNotChange) {
  Product vector(32, 8192, 8192, DType::BF16);
  OpModel model(n150());
  OpTime lofi = model.getOpRuntime(vector.query(at(MathFidelity::LoFi))),
         hifi4 = model.getOpRuntime(vector.query(at(MathFidelity::HiFi4)));
  EXPECT_EQ(lofi.dram.count, hifi4.dram.count);
  EXPECT_EQ(lofi.dramBytes, hifi4.dramBytes);
  EXPECT_LE(lofi.total().count, hifi4.total().count);
  EXPECT_LT(static_cast<double>(hifi4.total().count), 1.1 * static_cast<double>(lofi.total().count));
}

TEST(ComputeConfig, TheQueryComesBeforeTheOpAndTheOpBeforeTheLibrary) {
  Product silent(2048, 2048, 2048, DType::BF16),
      exact(2048, 2048, 2048, DType::BF16, "#ttnn.device_compute_kernel_config<math_fidelity = hifi4>");
  EXPECT_EQ(timeOf(silent), timeOf(silent, at(MathFidelity::HiFi2)))
      << "the library's choice for bf16 (tt-metal matmul/device)";
  EXPECT_EQ(timeOf(exact), timeOf(silent, at(MathFidelity::HiFi4)));
  EXPECT_EQ(timeOf(exact, at(MathFidelity::HiFi2)), timeOf(silent));
  // A model that remembers tells them apart.
  Interner interner;
  OpAnswers answers(interner);
  const OpModel remembers(n150(), answers, answers.classify(silent.graph));
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(remembers.getOpRuntime(silent.query(at(MathFidelity::HiFi4))).total().count, timeOf(exact));
    EXPECT_EQ(remembers.getOpRuntime(silent.query()).total().count, timeOf(silent));
  }
}

// tt-metal matmul/device: partial sums of another format have a buffer of their own.
TEST(ComputeConfig, SumsIn32BitsTakeABufferOfTheirOwn) {
  OpModel model(n150());
  auto buffers = [&](const Product& product, const ComputeConfig& compute) {
    return model.getOpConstraints(product.query(compute)).cbL1PeakSize.count;
  };
  Product product(1024, 1024, 1024, DType::BF16);
  const ComputeConfig wide{{}, true}, narrow{{}, false};
  const int64_t out = 4 * 4;  // tiles of the result per core
  EXPECT_EQ(buffers(product, wide), buffers(product, {}) + out * 4096);
  EXPECT_EQ(buffers(product, narrow), buffers(product, {}));
  EXPECT_EQ(buffers(Product(1024, 1024, 1024, DType::F32), wide), buffers(Product(1024, 1024, 1024, DType::F32), {}))
      << "the result has 32 bits anyway";
  // 8-bit results of many steps are added up in bf16.
  Product blocks(1024, 1024, 1024, DType::BFP8);
  std::vector<CircularBuffer> all = model.getCircularBuffers(blocks.query());
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all.back().name, "partials");
  EXPECT_EQ(all.back().bytes, out * 2048);
}

TEST(ComputeConfig, TheOptionsReachEveryOpThatDoesNotSay) {
  const char* text =
      R"(func.func @main(%a: tensor<1024x1024xbf16>, %b: tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16> {
  %0 = "ttir.matmul"(%a, %b) : (tensor<1024x1024xbf16>, tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16>
  %1 = "ttir.relu"(%0) : (tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16>
  return %1 : tensor<1024x1024xbf16>
})";
  Session session;
  session.load("products.mlir", text);
  auto total = [&](const char* fidelity, const char* sums, std::string& attr) {
    Options options;
    Diagnostics diags;
    options.policy = "DRAM";
    EXPECT_TRUE(setOption(options, "compute-cfg-math-fidelity", fidelity, diags));
    EXPECT_TRUE(setOption(options, "compute-cfg-fp32-dest-acc-en", sums, diags));
    auto finished = runPolicy(session, options, diags);
    EXPECT_TRUE(finished->report.run.has_value());
    if (!finished->report.run) return int64_t{0};
    for (const Op& op : finished->report.run->program->applied.graph.ops) {
      const AttrValue* found = findAttr(op, "compute_config");
      EXPECT_TRUE(!found || op.kind == OpKind::TtnnMatmul);
      if (found) attr = found->text;
    }
    return finished->report.run->program->sim.time.count;
  };
  std::string none, lofi, hifi4, sums;
  int64_t untouched = total("undefined", "false", none);
  EXPECT_EQ(none, "");
  EXPECT_LE(total("lofi", "false", lofi), untouched);
  EXPECT_GT(total("hifi4", "false", hifi4), untouched);
  EXPECT_GE(total("undefined", "true", sums), untouched);
  EXPECT_EQ(lofi, "#ttnn.device_compute_kernel_config<math_fidelity = lofi>");
  EXPECT_EQ(sums, "#ttnn.device_compute_kernel_config<fp32_dest_acc_en = true>");
}

}  // namespace
}  // namespace tessera::test
