// Shape rules, table by table: shapes that fit are silent, others name both shapes and the rule.

#include <gtest/gtest.h>

#include <limits>

#include "core/ir/builder.h"
#include "core/ops/shapes/shape_rules.h"
#include "tests/sizes.h"

namespace tessera {
namespace {

constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();

struct Case {
  OpKind kind;
  std::vector<Shape> operands;
  std::vector<Shape> results;
  AttrList attrs;
  std::string message;  // part of the only diagnostic; "" when there is none
};

ValueType tensor(const Shape& shape) {
  ValueType type;
  type.tensor = TensorType{.shape = shape};
  return type;
}

struct OneOp {
  Graph graph;
  OpId op;

  explicit OneOp(const Case& c) {
    GraphBuilder builder(graph);
    FuncId func = builder.addFunction("f");
    std::vector<ValueId> operands;
    for (const Shape& shape : c.operands) operands.push_back(builder.addArgument(func, "", tensor(shape)));
    std::vector<ValueType> results;
    for (const Shape& shape : c.results) results.push_back(tensor(shape));
    const bool indices = c.kind == OpKind::TtirSort || c.kind == OpKind::TtirTopk;
    if (indices && results.size() == 2) results[1].tensor->dtype = DType::I32;
    OpSpec spec = makeOp(c.kind, operands, results);
    spec.attrs = c.attrs;
    op = builder.append(func, spec);
  }
};

void check(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    OneOp one(c);
    Diagnostics diags;
    checkShapes(one.graph, one.op, diags);
    std::string text = std::string(opInfo(c.kind).name);
    for (const Shape& shape : c.operands) text += " " + shapeText(shape);
    for (const Shape& shape : c.results) text += " -> " + shapeText(shape);
    for (const Attribute& attr : c.attrs) text += " " + attr.name + "=" + attr.value.text;
    SCOPED_TRACE(text);
    if (c.message.empty()) {
      EXPECT_TRUE(diags.all().empty()) << diags.all().front().message;
      continue;
    }
    ASSERT_EQ(diags.all().size(), 1u);
    EXPECT_NE(diags.all().front().message.find(c.message), std::string::npos) << diags.all().front().message;
  }
}

Attribute num(std::string name, int64_t value) { return {std::move(name), intAttr(value)}; }
Attribute yes(std::string name) { return {std::move(name), boolAttr(true)}; }
Attribute no(std::string name) { return {std::move(name), boolAttr(false)}; }
Attribute nums(std::string name, std::vector<int64_t> values) {
  return {std::move(name), intArrayAttr(std::move(values))};
}

TEST(ShapeRules, Elementwise) {
  check({
      {OpKind::TtirAbs, {{2, 3}}, {{2, 3}}, {}, ""},
      {OpKind::TtirAbs, {{2, 3}}, {{3, 2}}, {}, "the result is 3x2, expected 2x3 (element-wise on 2x3)"},
      {OpKind::TtirAdd, {{2, 3}, {1, 3}}, {{2, 3}}, {}, ""},
      {OpKind::TtirAdd, {{2, 1}, {3}}, {{2, 3}}, {}, ""},
      {OpKind::TtirAdd, {{2, 3}, {}}, {{2, 3}}, {}, ""},
      {OpKind::TtirAdd, {{2, 3}, {2, 4}}, {{2, 4}}, {}, "shapes 2x3 and 2x4 do not broadcast"},
      {OpKind::TtirAdd, {{2, 3}, {2, 3}, {2, 3}}, {{2, 3}}, {}, ""},
      {OpKind::TtirAdd, {{2, 3}, {2, 3}, {2, 4}}, {{2, 3}}, {}, "the output operand is 2x4, the result is 2x3"},
      {OpKind::TtnnAdd, {{2, 3}, {2, 3}, {2, 3}}, {{2, 3}}, {}, "takes 2 operands, not 3"},
      {OpKind::TtirZeros, {}, {{2, 3}}, {nums("shape", {2, 3})}, ""},
      {OpKind::TtnnRotaryEmbedding, {{1, 8, 33, 64}, {1, 1, 33, 64}, {1, 1, 33, 64}}, {{1, 8, 33, 64}}, {}, ""},
      {OpKind::TtnnRotaryEmbedding, {{1, 8, 33, 64}, {1, 1, 33, 64}, {1, 1, 33, 64}}, {{1, 8, 64, 64}}, {}, ""},
      {OpKind::TtnnRotaryEmbedding, {{1, 8, 64, 64}, {1, 1, 64, 64}, {1, 1, 64, 64}}, {{1, 8, 64, 64}}, {}, ""},
      {OpKind::TtnnRotaryEmbedding,
       {{1, 8, 64, 64}, {1, 1, 64, 64}, {1, 1, 64, 64}},
       {{1, 8, 96, 64}},
       {},
       "the result is 1x8x96x64, expected 1x8x64x64"},
      {OpKind::TtirZeros, {{2, 3}}, {{2, 3}}, {nums("shape", {2, 3})}, "takes 0 operands, not 1"},
      {OpKind::TtnnWhere, {{1, 3}, {2, 1}, {2, 3}}, {{2, 3}}, {}, ""},
      {OpKind::TtnnTypecast, {{2, 3}}, {{6}}, {}, "the result is 6, expected 2x3"},
      {OpKind::TtirAdd, {{2, 3}, {2, 3}}, {}, {}, "has 1 results, not 0"},
  });
}

TEST(ShapeRules, Matmul) {
  check({
      {OpKind::TtirMatmul, {{2, 3}, {3, 4}}, {{2, 4}}, {}, ""},
      {OpKind::TtirMatmul, {{2, 3}, {4, 3}}, {{2, 4}}, {}, "inner dims 3 and 4 differ (operands 2x3 and 4x3)"},
      {OpKind::TtirMatmul, {{2, 3}, {4, 3}}, {{2, 4}}, {yes("transpose_b")}, ""},
      {OpKind::TtirMatmul, {{3, 2}, {3, 4}}, {{2, 4}}, {yes("transpose_a")}, ""},
      {OpKind::TtirMatmul, {{7, 1, 2, 3}, {5, 3, 4}}, {{7, 5, 2, 4}}, {}, ""},
      {OpKind::TtirMatmul, {{7, 2, 3}, {5, 3, 4}}, {{7, 2, 4}}, {}, "batch dims of 7x2x3 and 5x3x4 do not broadcast"},
      {OpKind::TtirMatmul, {{3}, {3, 4}}, {{4}}, {}, ""},
      {OpKind::TtirMatmul, {{2, 3}, {3}}, {{2}}, {}, ""},
      {OpKind::TtirMatmul, {{}, {3}}, {{}}, {}, "a scalar cannot be multiplied"},
      {OpKind::TtnnLinear, {{2, 3}, {3, 4}, {4}}, {{2, 4}}, {}, ""},
      {OpKind::TtnnLinear, {{2, 3}, {3, 4}, {5}}, {{2, 4}}, {}, "bias 5 does not broadcast to 2x4"},
      {OpKind::TtnnLinear, {{1, 3}, {3, 4}, {2, 4}}, {{2, 4}}, {}, ""},
      {OpKind::TtnnLinear, {{1, 3}, {3, 4}, {2, 4}}, {{1, 4}}, {}, "the result is 1x4, expected 2x4"},
      {OpKind::TtnnLinear, {{2, 3}, {3, 4}, {1, 1, 4}}, {{2, 4}}, {}, ""},
      {OpKind::TtirDotGeneral,
       {{8, 2, 3}, {8, 3, 4}},
       {{8, 2, 4}},
       {nums("batch_dims_lhs", {0}), nums("batch_dims_rhs", {0}), nums("contract_dims_lhs", {2}),
        nums("contract_dims_rhs", {1})},
       ""},
      {OpKind::TtirDotGeneral,
       {{8, 2, 3}, {8, 5, 4}},
       {{8, 2, 4}},
       {nums("batch_dims_lhs", {0}), nums("batch_dims_rhs", {0}), nums("contract_dims_lhs", {2}),
        nums("contract_dims_rhs", {1})},
       "contracted dims 3 and 5"},
      {OpKind::TtirDotGeneral,
       {{8, 2}, {9, 2}},
       {{8, 2}},
       {nums("batch_dims_lhs", {0}), nums("batch_dims_rhs", {0})},
       "batch dims 8 and 9"},
      {OpKind::TtirDotGeneral,
       {{2, 3}, {3, 4}},
       {{2, 4}},
       {nums("contract_dims_lhs", {9}), nums("contract_dims_rhs", {0})},
       "different dims of 2x3"},
  });
}

TEST(ShapeRules, ListsThatCannotBeRead) {
  const Attribute unread = {"contract_dims_lhs", rawAttr("mine<0>")};
  check({
      {OpKind::TtirDotGeneral, {{2, 3}, {3, 4}}, {{2, 3, 3, 4}}, {}, ""},
      {OpKind::TtirDotGeneral,
       {{2, 3}, {3, 4}},
       {{2, 4}},
       {unread, nums("contract_dims_rhs", {0})},
       "`mine<0>`, expected dims of 2x3"},
  });
}

// Every operand belongs to one segment.
TEST(ShapeRules, Segments) {
  const auto norm = [](std::vector<int64_t> segments, std::string message) {
    return Case{OpKind::TtirRmsNorm,
                {{2, 3}, {3}},
                {{2, 3}},
                {nums("normalized_shape", {3}), nums("operandSegmentSizes", std::move(segments))},
                std::move(message)};
  };
  const std::string wrong = "expected sizes that sum up to 2";
  check({norm({1, 1, 0}, ""), norm({1, 0, 1}, ""), norm({1, 0, 0}, wrong), norm({1, 1, 1}, wrong),
         norm({17, 1, 0}, wrong), norm({3, -1, 0}, wrong), norm({kHuge, kHuge, 4}, wrong), norm({}, wrong)});
}

TEST(ShapeRules, NumbersOfResults) {
  const std::string one = "has 1 results, not ", some = "has at least 1 results, not 0";
  check({
      {OpKind::ShloAdd, {{2, 3}, {2, 3}}, {{2, 3}}, {}, ""},
      {OpKind::ShloAdd, {{2, 3}, {2, 3}}, {{2, 3}, {2, 3}}, {}, one + "2"},
      {OpKind::ShloAdd, {{2, 3}, {2, 3}}, {}, {}, one + "0"},
      {OpKind::ShloSort, {{2, 3}, {2, 3}}, {{2, 3}, {2, 3}}, {}, ""},
      {OpKind::ShloSort, {{2, 3}}, {}, {}, some},
      {OpKind::ShloCustomCall, {{2, 3}}, {}, {}, ""},
      {OpKind::TtnnMax, {{2, 3}}, {}, {}, one + "0"},
      {OpKind::TtirMaxPool2dWithIndices, {{1, 4, 4, 8}}, {{1, 4, 4, 8}}, {}, "has 2 results, not 1"},
      {OpKind::TtirSort, {{2, 3}}, {{2, 3}}, {}, "has 2 results, not 1"},
      {OpKind::TtirScatter, {{2, 3}, {2, 3}, {2, 3}}, {{2, 3}, {2, 3}}, {}, one + "2"},
      {OpKind::TtirRotaryEmbedding, {{1, 2}, {1, 2}, {1, 2}}, {{1, 2}, {1, 2}}, {}, one + "2"},
      {OpKind::TtirBatchNormTraining, {{2}, {2}, {2}, {2}, {2}}, {{2}}, {}, "has 3 results, not 1"},
      {OpKind::TtirRmsNorm, {{2, 3}}, {{2, 3}, {2, 3}}, {}, one + "2"},
      {OpKind::TtirScaledDotProductAttention, {{1}, {1}, {1}}, {{1}, {1}}, {}, one + "2"},
      {OpKind::TtirJointScaledDotProductAttention, {{1}, {1}, {1}, {1}, {1}, {1}}, {{1}}, {}, "has 2 results, not 1"},
      {OpKind::TtirConcatenateHeads, {{1, 2, 3, 4}}, {{1}, {1}}, {}, one + "2"},
      {OpKind::TtirSplitQueryKeyValueAndSplitHeads, {{1, 2, 3}}, {{1}}, {}, "has 3 results, not 1"},
      {OpKind::TtirAllReduce, {{2, 3}}, {{2, 3}, {2, 3}}, {}, one + "2"},
      {OpKind::TtnnToLayout, {{2, 3}}, {{2, 3}, {2, 3}}, {}, one + "2"},
      {OpKind::TtnnPrepareConv2dBias, {{2, 3}}, {{2, 3}, {2, 3}}, {}, one + "2"},
      {OpKind::TtnnGetDevice, {}, {}, {}, one + "0"},
      {OpKind::TtnnDeallocate, {{2, 3}}, {{2, 3}}, {}, "has 0 results, not 1"},
      {OpKind::TtnnFillCache, {{1, 1, 32, 32}, {1, 1, 32, 32}}, {}, {}, ""},
  });
}

// What computes tensors is neither given anything else nor gives anything else back, but for a device at the end.
TEST(ShapeRules, WhatIsNoTensor) {
  const ValueType x = tensor({1, 4, 4, 8}), device{{}, "!ttnn.device"};
  const auto messageOf = [](OpKind kind, const std::vector<ValueType>& operands, const ValueType& result,
                            AttrList attrs) {
    Graph graph;
    GraphBuilder builder(graph);
    FuncId func = builder.addFunction("f");
    std::vector<ValueId> values;
    for (const ValueType& type : operands) values.push_back(builder.addArgument(func, "", type));
    OpSpec spec = makeOp(kind, values, {result});
    spec.attrs = std::move(attrs);
    Diagnostics diags;
    checkShapes(graph, builder.append(func, spec), diags);
    return diags.all().empty() ? "" : diags.all()[0].message;
  };
  EXPECT_EQ(messageOf(OpKind::TtirRelu, {x}, x, {}), "");
  EXPECT_EQ(messageOf(OpKind::TtirRelu, {device}, x, {}), "`ttir.relu`: operand 0 is no tensor");
  EXPECT_EQ(messageOf(OpKind::TtirRelu, {x}, device, {}), "`ttir.relu`: result 0 is no tensor");
  EXPECT_EQ(messageOf(OpKind::TtirAdd, {x, device}, x, {}), "`ttir.add`: operand 1 is no tensor");
  EXPECT_EQ(messageOf(OpKind::TtirConcat, {x, device}, x, {num("dim", 0)}), "`ttir.concat`: operand 1 is no tensor");
  EXPECT_EQ(messageOf(OpKind::TtirEmpty, {}, device, {}), "`ttir.empty`: result 0 is no tensor");
  EXPECT_EQ(messageOf(OpKind::TtnnFull, {device}, x, {}), "");
  EXPECT_EQ(messageOf(OpKind::TtnnToDevice, {x, device}, x, {}), "");
  EXPECT_EQ(messageOf(OpKind::TtnnToDevice, {device, device}, x, {}), "`ttnn.to_device`: operand 0 is no tensor");
  EXPECT_EQ(messageOf(OpKind::TtnnDistributedRmsNorm, {x, device}, x, {}), "");
  EXPECT_EQ(messageOf(OpKind::TtirToLayout, {device}, device, {}), "");
  EXPECT_EQ(messageOf(OpKind::TtnnGetDevice, {}, device, {}), "");
  EXPECT_EQ(messageOf(OpKind::ShloAdd, {x, x}, x, {}), "");
  EXPECT_EQ(messageOf(OpKind::ShloAdd, {x, device}, x, {}), "`stablehlo.add`: operand 1 is no tensor");
  EXPECT_EQ(messageOf(OpKind::ShloReduce, {x, x}, device, {}), "`stablehlo.reduce`: result 0 is no tensor");
  for (OpKind kind : {OpKind::ShloWhile, OpKind::ShloCustomCall, OpKind::ShloAfterAll, OpKind::SdyReshard})
    EXPECT_EQ(messageOf(kind, {device}, device, {}), "");
}

TEST(ShapeRules, Convolution) {
  auto attrs = [](std::vector<int64_t> stride, std::vector<int64_t> padding, int64_t groups) {
    return AttrList{nums("stride", std::move(stride)), nums("padding", std::move(padding)), nums("dilation", {1, 1}),
                    num("groups", groups)};
  };
  check({
      {OpKind::TtirConv2d, {{1, 28, 28, 3}, {16, 3, 3, 3}}, {{1, 26, 26, 16}}, attrs({1, 1}, {0, 0, 0, 0}, 1), ""},
      {OpKind::TtirConv2d,
       {{1, 28, 28, 3}, {16, 3, 3, 3}, {1, 1, 1, 16}},
       {{1, 14, 14, 16}},
       attrs({2, 2}, {1, 1}, 1),
       ""},
      {OpKind::TtirConv2d,
       {{1, 28, 28, 3}, {16, 3, 3, 3}, {15}},
       {{1, 14, 14, 16}},
       attrs({2, 2}, {1, 1}, 1),
       "bias 15 does not have one number for each of 16"},
      {OpKind::TtirConv2d,
       {{1, 28, 28, 3}, {16, 3, 3, 3}},
       {{1, 28, 28, 16}},
       attrs({1, 1}, {0, 0}, 1),
       "expected 1x26x26x16"},
      {OpKind::TtirConv2d, {{1, 28, 28, 8}, {16, 2, 3, 3}}, {{1, 26, 26, 16}}, attrs({1, 1}, {0, 0}, 4), ""},
      {OpKind::TtirConv2d,
       {{1, 28, 28, 8}, {16, 3, 3, 3}},
       {{1, 26, 26, 16}},
       attrs({1, 1}, {0, 0}, 4),
       "does not fit 8 input channels in 4 groups"},
      {OpKind::TtirConv2d,
       {{1, 3, 28, 28}, {16, 3, 3, 3}},
       {{1, 16, 26, 26}},
       {num("batch_dim", 0), num("channel_dim", 1), num("height_dim", 2), num("width_dim", 3)},
       ""},
      {OpKind::TtirConv2d,
       {{1, 3, 28, 28}, {16, 3, 3, 3}},
       {{1, 16, 26, 26}},
       {num("batch_dim", 0), num("channel_dim", 1), num("height_dim", 2), num("width_dim", -1)},
       "expected a dim from 0 to 3"},
      {OpKind::TtirConv2d, {{1, 3, 28, 28}, {16, 3, 3, 3}}, {{1, 16, 26, 26}}, {}, ""},
      {OpKind::TtirConv2d, {{1, 3, 28, 28}, {16, 3, 3, 3}}, {{1, 16, 28, 28}}, {}, "expected 1x16x26x26"},
      // top 1, left 0, bottom 2, right 0
      {OpKind::TtirConv2d, {{1, 5, 5, 1}, {1, 1, 3, 3}}, {{1, 6, 3, 1}}, attrs({1, 1}, {1, 0, 2, 0}, 1), ""},
      {OpKind::TtirConv2d, {{1, 5, 5, 1}, {1, 1, 9, 9}}, {{1, 1, 1, 1}}, attrs({1, 1}, {0, 0}, 1), "no window fits"},
      {OpKind::TtirConv2d,
       {{1, 5, 5, 1}, {1, 1, 3, 3}},
       {{1, 3, 3, 1}},
       attrs({0, 1}, {0, 0}, 1),
       "expected positive numbers"},
      {OpKind::TtirConv2d,
       {{1, 5, 5, 1}, {1, 1, 3, 3}},
       {{1, 3, 3, 1}},
       attrs({1, 1}, {-1, 0}, 1),
       "expected numbers from 0"},
      {OpKind::TtirConv2d,
       {{1, 5, 5, 1}, {1, 1, 3, 3}},
       {{1, 3, 3, 1}},
       attrs({1, 1}, {0, 0}, 0),
       "expected a positive number"},
      {OpKind::TtirConv2d,
       {{1, 5, 5, 1}, {1, 1, 3, 3}},
       {{1, 3, 3, 1}},
       attrs({kHuge, kHuge}, {kHuge, kHuge}, 1),
       "expected positive numbers"},
      {OpKind::TtirConv2d,
       {{1, 5, 5, 1}, {1, 1, 3, 3}},
       {{1, 3, 3, 1}},
       attrs({1, 1, 1}, {0, 0}, 1),
       "expected an integer or two integers"},
      {OpKind::TtirConvTranspose2d,
       {{1, 14, 14, 16}, {16, 8, 4, 4}},
       {{1, 29, 29, 8}},
       {num("stride", 2), num("padding", 1), num("output_padding", 1)},
       ""},
      {OpKind::TtirConvTranspose2d,
       {{1, 14, 14, 16}, {16, 8, 4, 4}},
       {{1, 28, 28, 8}},
       {num("stride", 2), num("padding", 1), num("output_padding", 1)},
       "expected 1x29x29x8"},
      {OpKind::TtnnConv2d,
       {{1, 1, 784, 3}, {1, 1, 27, 16}},
       {{1, 1, 676, 16}},
       {num("batch_size", 1), num("input_height", 28), num("input_width", 28), num("in_channels", 3),
        num("out_channels", 16), nums("kernel_size", {3, 3})},
       ""},
      {OpKind::TtnnConv2d,
       {{1, 1, 784, 3}, {1, 1, 27, 16}},
       {{1, 1, 784, 16}},
       {num("batch_size", 1), num("input_height", 28), num("input_width", 28), num("in_channels", 3),
        num("out_channels", 16), nums("kernel_size", {3, 3})},
       "expected 1x1x676x16"},
      {OpKind::TtnnConv2d,
       {{1, 1, 1680, 3}, {1, 1, 27, 16}},
       {{1, 1, 1680, 16}},
       {num("batch_size", 2), num("input_height", 28), num("input_width", 30), num("in_channels", 3),
        num("out_channels", 16), nums("kernel_size", {3, 3})},
       "expected 1x1x1456x16"},  // 2 * 26 * 28
      {OpKind::TtirConv3d, {{1, 8, 8, 8, 4}, {6, 4, 3, 3, 3}}, {{1, 6, 6, 6, 6}}, {}, ""},
      {OpKind::TtirConv3d, {{1, 8, 8, 8, 4}, {6, 4, 3, 3, 3}}, {{1, 8, 6, 6, 6}}, {}, "expected 1x6x6x6x6"},
  });
}

TEST(ShapeRules, ConvolutionsOverThreeDimsHaveRankFive) {
  const AttrList one = {nums("stride", {1, 1, 1})};
  check({
      {OpKind::TtirConv3d, {{1, 4, 5, 6, 2}, {3, 2, 2, 2, 2}}, {{1, 3, 4, 5, 3}}, one, ""},
      {OpKind::TtirConv3d, {{1, 4, 5, 6, 2}, {3, 2, 2, 2}}, {{1, 3, 4, 5, 3}}, one, "must both have rank 5"},
      {OpKind::TtirConv3d, {{4, 5, 6, 2}, {3, 2, 2, 2, 2}}, {{1, 3, 4, 5, 3}}, one, "must both have rank 5"},
      {OpKind::TtirConv3d, {{1, 4, 5, 6, 2}, {3, 2, 2, 2, 2}}, {{1, 3, 4, 5, 2}}, one, "expected 1x3x4x5x3"},
  });
}

TEST(ShapeRules, WindowNumbers) {
  OneOp one({OpKind::TtirConv2d, {{2, 28, 30, 8}, {16, 2, 3, 5}}, {{2, 26, 26, 16}}, {num("groups", 4)}, ""});
  std::optional<Window2d> w = window2d(one.graph, one.op);
  ASSERT_TRUE(w);
  EXPECT_EQ(w->batch, 2);
  EXPECT_EQ(w->inH, 28);
  EXPECT_EQ(w->inC, 8);
  EXPECT_EQ(w->outW, 26);
  EXPECT_EQ(w->outC, 16);
  EXPECT_EQ(w->kernelW, 5);
  EXPECT_FALSE(w->flattened);
  OneOp add({OpKind::TtirAdd, {{2}, {2}}, {{2}}, {}, ""});
  EXPECT_FALSE(window2d(add.graph, add.op));
}

TEST(ShapeRules, PoolsAndUpsampling) {
  check({
      {OpKind::TtirMaxPool2d,
       {{8, 114, 114, 64}},
       {{8, 56, 56, 64}},
       {nums("kernel", {3, 3}), nums("stride", {2, 2}), no("ceil_mode")},
       ""},
      {OpKind::TtirMaxPool2d,
       {{8, 114, 114, 64}},
       {{8, 57, 57, 64}},
       {nums("kernel", {3, 3}), nums("stride", {2, 2}), yes("ceil_mode")},
       ""},
      {OpKind::TtirMaxPool2d,
       {{8, 114, 114, 64}},
       {{8, 57, 57, 64}},
       {nums("kernel", {3, 3}), nums("stride", {2, 2})},
       "expected 8x56x56x64"},
      {OpKind::TtirGlobalAvgPool2d, {{8, 7, 7, 64}}, {{8, 1, 1, 64}}, {}, ""},
      {OpKind::TtirGlobalAvgPool2d, {{8, 7, 7, 64}}, {{8, 64}}, {}, "expected 8x1x1x64"},
      // Gaps stand between the elements of a dim, not behind the last.
      {OpKind::TtirPooling,
       {{1, 1, 4, 3}},
       {{1, 1, 6, 6}},
       {nums("window_dimensions", {1, 1, 2, 2}), nums("base_dilations", {1, 1, 2, 3})},
       ""},
      {OpKind::TtirPooling,
       {{1, 1, 4, 3}},
       {{1, 1, 7, 6}},
       {nums("window_dimensions", {1, 1, 2, 2}), nums("base_dilations", {1, 1, 2, 3})},
       "expected 1x1x6x6"},
      {OpKind::TtirPooling,
       {{2, 5, 6, 7}},
       {{2, 6, 2, 4}},
       {nums("window_dimensions", {1, 2, 3, 2}), nums("window_strides", {1, 1, 2, 1}),
        nums("window_dilations", {1, 1, 2, 3}), nums("padding", {0, 0, 2, 0, 0, 2, 0, 0})},
       ""},
      {OpKind::TtirPooling,
       {{2, 5, 6, 7}},
       {{2, 5, 6, 1}},
       {nums("window_dimensions", {1, 1, 1, 9})},
       "no window fits dim 3 of 2x5x6x7"},
      {OpKind::TtirPooling,
       {{1, 32, 32, 16}},
       {{1, 16, 16, 16}},
       {nums("window_dimensions", {1, 2, 2, 1}), nums("window_strides", {1, 2, 2, 1})},
       ""},
      {OpKind::TtirPooling,
       {{1, 32, 32, 16}},
       {{1, 16, 16, 16}},
       {nums("window_dimensions", {1, 2})},
       "one number per dim of 1x32x32x16"},
      {OpKind::TtirUpsample2d, {{1, 4, 4, 3}}, {{1, 8, 16, 3}}, {nums("scale_factor", {2, 4})}, ""},
      {OpKind::TtirUpsample2d,
       {{1, 4, 4, 3}},
       {{1, 8, 8, 3}},
       {num("scale_factor", 0)},
       "expected small positive numbers"},
  });
}

TEST(ShapeRules, Moving) {
  check({
      {OpKind::TtirConcat, {{2, 3}, {2, 5}}, {{2, 8}}, {num("dim", -1)}, ""},
      {OpKind::TtirConcat,
       {{2, 3}, {4, 5}},
       {{2, 8}},
       {num("dim", 1)},
       "operands 2x3 and 4x5 differ in more than dim 1"},
      {OpKind::TtirConcat, {{2, 3}, {2, 5}}, {{2, 8}}, {num("dim", 2)}, "a dim of a tensor of rank 2"},
      {OpKind::TtirConcat, {{kHuge, 0}, {kHuge, 0}}, {{1, 0}}, {num("dim", 0)}, "too large"},
      {OpKind::TtirReshape, {{2, 3}}, {{6}}, {nums("shape", {6})}, ""},
      {OpKind::TtirReshape, {{2, 3}}, {{7}}, {}, "operand 2x3 and result 7 have different numbers of elements"},
      {OpKind::TtirReshape, {{2, 3}}, {{6}}, {nums("shape", {5})}, "the shape of the result, 6"},
      {OpKind::TtirReshape, {{2, 3}}, {{6}}, {nums("shape", {-1})}, ""},
      {OpKind::TtirSqueeze, {{1, 3}}, {{3}}, {num("dim", 0)}, ""},
      {OpKind::TtirSqueeze, {{2, 3}}, {{3}}, {num("dim", 0)}, "dim 0 of 2x3 is not 1"},
      {OpKind::TtirUnsqueeze, {{3}}, {{3, 1}}, {num("dim", -1)}, ""},
      {OpKind::TtirUnsqueeze, {{3}}, {{3, 1}}, {num("dim", 0)}, "expected 1x3"},
      {OpKind::TtirPermute, {{2, 3, 4}}, {{4, 2, 3}}, {nums("permutation", {2, 0, 1})}, ""},
      {OpKind::TtirPermute, {{2, 3, 4}}, {{4, 2, 3}}, {nums("permutation", {2, 0})}, "expected 3 integers"},
      {OpKind::TtirPermute, {{2, 3, 4}}, {{4, 2, 3}}, {nums("permutation", {2, 0, kHuge})}, "every dim of 2x3x4 once"},
      {OpKind::TtirTranspose, {{2, 3, 4}}, {{2, 4, 3}}, {num("dim0", -1), num("dim1", -2)}, ""},
      {OpKind::TtirTranspose, {{2, 3, 4}}, {{2, 3, 4}}, {num("dim0", -1), num("dim1", -2)}, "expected 2x4x3"},
      {OpKind::TtirPad, {{2, 3}}, {{3, 5}}, {nums("padding", {1, 0, 1, 1})}, ""},
      {OpKind::TtirPad, {{2, 3}}, {{3, 5}}, {nums("padding", {kHuge, 1, 1, 1})}, "a low and a high number"},
      {OpKind::TtirRepeat, {{2, 3}}, {{4, 3}}, {nums("repeat_dimensions", {2, 1})}, ""},
      {OpKind::TtirRepeat, {{2, 3}}, {{4, 3}}, {nums("repeat_dimensions", {kHuge, 1})}, "small positive numbers"},
      {OpKind::TtirBroadcast, {{1, 3}}, {{5, 3}}, {nums("broadcast_dimensions", {5, 1})}, ""},
      {OpKind::TtirBroadcast, {{1, 3}}, {{5, 4}}, {nums("broadcast_dimensions", {5, 1})}, "expected 5x3"},
      {OpKind::TtirRepeatInterleave, {{2, 3}}, {{2, 6}}, {num("dim", 1), num("repeats", 2)}, ""},
      {OpKind::TtirRepeatInterleave, {{2, 3}}, {{2, 3}}, {num("dim", 1), num("repeats", 1)}, ""},
      // As the compiler (tt-mlir test/ttmlir/Dialect/TTNN/repeat_interleave, negative tests).
      {OpKind::TtirRepeatInterleave, {{2, 3}}, {{2, 0}}, {num("dim", 1), num("repeats", 0)}, "a small positive number"},
      {OpKind::TtirEmbedding, {{1, 32}, {100, 8}}, {{1, 32, 8}}, {}, ""},
      {OpKind::TtirEmbedding, {{1, 32}, {100, 8}}, {{1, 31, 8}}, {}, "(indices 1x32, table 100x8)"},
      {OpKind::TtirGather,
       {{169, 3}, {2401, 1}},
       {{2401, 3}},
       {num("index_vector_dim", 1), nums("slice_sizes", {1, 3})},
       ""},
      {OpKind::TtirGather,
       {{169, 3}, {2401, 1}},
       {{2401, 2}},
       {num("index_vector_dim", 1), nums("slice_sizes", {1, 3})},
       "one slice per index"},
      {OpKind::TtirFull, {}, {{2, 3}}, {nums("shape", {2, 3})}, ""},
      {OpKind::TtirFull, {}, {{2, 3}}, {nums("shape", {3, 2})}, "the shape of the result, 2x3"},
  });
}

TEST(ShapeRules, Slices) {
  auto slice = [](std::vector<int64_t> begins, std::vector<int64_t> ends, std::vector<int64_t> step) {
    return AttrList{nums("begins", std::move(begins)), nums("ends", std::move(ends)), nums("step", std::move(step))};
  };
  check({
      {OpKind::TtirSliceStatic, {{17}}, {{1}}, slice({16}, {17}, {1}), ""},
      {OpKind::TtirSliceStatic, {{5}}, {{3}}, slice({0}, {5}, {2}), ""},
      {OpKind::TtirSliceStatic, {{5}}, {{2}}, slice({-3}, {-1}, {1}), ""},
      {OpKind::TtirSliceStatic, {{5}}, {{5}}, slice({4}, {-1}, {-1}), ""},
      {OpKind::TtirSliceStatic, {{5}}, {{0}}, slice({3}, {3}, {1}), ""},
      {OpKind::TtirSliceStatic, {{5}}, {{0}}, slice({3}, {2}, {1}), "runs against its step"},
      {OpKind::TtirSliceStatic, {{5}}, {{2}}, slice({0}, {6}, {1}), "slice 0:6 leaves a dim of 5"},
      {OpKind::TtirSliceStatic, {{5}}, {{2}}, slice({0}, {5}, {0}), "numbers other than 0"},
      {OpKind::TtirSliceStatic, {{5}}, {{2}}, slice({0}, {5}, {INT64_MIN}), "numbers other than 0"},
      {OpKind::TtirSliceStatic, {{5}}, {{2}}, slice({INT64_MIN}, {kHuge}, {kHuge}), "leaves a dim of 5"},
      {OpKind::TtirSliceStatic, {{5}}, {{4}}, slice({0}, {5}, {kHuge}), "expected 1"},
      {OpKind::TtirIndexSelect, {{5, 2}}, {{3, 2}}, {num("dim", 0)}, ""},
      {OpKind::TtirIndexSelect, {{5, 2}}, {{3, 3}}, {num("dim", 0)}, "may differ in dim 0 only"},
      {OpKind::TtirSliceDynamic, {{5, 2}, {2}, {2}}, {{3}}, {}, "have different ranks"},
  });
}

TEST(ShapeRules, ReductionsAndNorms) {
  check({
      {OpKind::TtirSum, {{2, 3}}, {{2}}, {nums("dim_arg", {1}), no("keep_dim")}, ""},
      {OpKind::TtirSum, {{2, 3}}, {{2, 1}}, {nums("dim_arg", {-1}), yes("keep_dim")}, ""},
      {OpKind::TtirSum, {{2, 3}}, {{2}}, {nums("dim_arg", {1}), yes("keep_dim")}, "expected 2x1 (reduced from 2x3)"},
      {OpKind::TtirSum, {{2, 3}}, {{}}, {no("keep_dim")}, ""},
      {OpKind::TtirSum, {{2, 3}}, {{1}}, {no("keep_dim")}, ""},
      {OpKind::TtirSum, {{2, 3}}, {{2}}, {nums("dim_arg", {7}), no("keep_dim")}, "a dim of a tensor of rank 2"},
      {OpKind::TtnnSum, {{2, 3}}, {{2, 1}}, {num("dim_arg", 1), yes("keep_dim")}, ""},
      {OpKind::TtirCumsum, {{2, 3}}, {{2, 3}}, {num("dim", 1)}, ""},
      {OpKind::TtirCumsum, {{2, 3}}, {{2}}, {num("dim", 1)}, "expected 2x3"},
      {OpKind::TtirCumsum, {{2, 3}}, {{2, 3}}, {num("dim", -2)}, ""},
      {OpKind::TtirCumsum, {{2, 3}}, {{2, 3}}, {num("dim", 2)}, "a dim of a tensor of rank 2"},
      {OpKind::TtirCumsum, {{2, 3}}, {{2, 3}}, {num("dim", -3)}, "a dim of a tensor of rank 2"},
      {OpKind::TtirSoftmax, {{2, 3}}, {{2, 3}}, {num("dimension", -3)}, "a dim of a tensor of rank 2"},
      {OpKind::TtirSoftmax, {{2, 3}}, {{2, 3}}, {num("dimension", -1)}, ""},
      {OpKind::TtirSoftmax, {{2, 3}}, {{2, 3}}, {num("dimension", 2)}, "a dim of a tensor of rank 2"},
      {OpKind::TtirRmsNorm, {{2, 3}, {3}}, {{2, 3}}, {nums("normalized_shape", {3})}, ""},
      {OpKind::TtirRmsNorm, {{2, 3}, {3}}, {{2, 3}}, {nums("normalized_shape", {2})}, "the last dims of 2x3"},
      {OpKind::TtirBatchNormInference, {{8, 4, 5, 5}, {4}, {4}, {4}, {4}}, {{8, 4, 5, 5}}, {num("dimension", 1)}, ""},
      {OpKind::TtirBatchNormInference,
       {{8, 4, 5, 5}, {4}, {5}, {4}, {4}},
       {{8, 4, 5, 5}},
       {num("dimension", 1)},
       "operand 2 is 5, expected 4 numbers"},
      {OpKind::TtirBatchNormInference,
       {{8, 4, 5, 5}, {}, {}, {}, {}},
       {{8, 4, 5, 5}},
       {},
       "operand 1 is scalar, expected 4 numbers"},
      {OpKind::TtirSort, {{2, 3}}, {{2, 3}, {2, 3}}, {num("dim", 1)}, ""},
      {OpKind::TtirSort, {{2, 3}}, {{2, 3}, {2, 3}}, {num("dim", 2)}, "a dim of a tensor of rank 2"},
      {OpKind::TtirTopk, {{2, 9}}, {{2, 9}, {2, 9}}, {num("k", 9)}, ""},
      {OpKind::TtirTopk, {{2, 9}}, {{2, 4}, {2, 4}}, {num("k", 4)}, ""},
      {OpKind::TtirTopk, {{2, 9}}, {{2, 4}, {2, 4}}, {num("k", 10)}, "at most 9"},
  });
}

TEST(ShapeRules, Transformers) {
  check({
      {OpKind::TtnnScaledDotProductAttention,
       {{1, 8, 32, 64}, {1, 2, 96, 64}, {1, 2, 96, 64}},
       {{1, 8, 32, 64}},
       {},
       ""},
      {OpKind::TtnnScaledDotProductAttention,
       {{1, 8, 32, 64}, {1, 3, 96, 64}, {1, 3, 96, 64}},
       {{1, 8, 32, 64}},
       {},
       "8 query heads do not share 3 key heads"},
      {OpKind::TtnnScaledDotProductAttention,
       {{1, 8, 32, 64}, {1, 0, 96, 64}, {1, 0, 96, 64}},
       {{1, 8, 32, 64}},
       {},
       "do not share 0 key heads"},
      {OpKind::TtnnScaledDotProductAttention,
       {{1, 8, 32, 64}, {1, 8, 96, 32}, {1, 8, 96, 32}},
       {{1, 8, 32, 64}},
       {},
       "different head sizes"},
      {OpKind::TtnnScaledDotProductAttentionDecode,
       {{1, 32, 8, 64}, {32, 2, 96, 64}, {32, 2, 96, 64}, {32}},
       {{1, 32, 8, 64}},
       {},
       ""},
      {OpKind::TtnnConcatenateHeads, {{1, 24, 32, 128}}, {{1, 32, 3072}}, {}, ""},
      {OpKind::TtnnConcatenateHeads, {{1, 24, 32, 128}}, {{1, 32, 3071}}, {}, "different numbers of elements"},
      {OpKind::TtirFillCache, {{32, 8, 128, 64}, {1, 8, 18, 64}}, {}, {num("batch_offset", 31)}, ""},
      {OpKind::TtirFillCache,
       {{32, 8, 128, 64}, {1, 8, 18, 64}},
       {},
       {num("batch_offset", 32)},
       "does not fit into cache 32x8x128x64 from batch 32"},
      {OpKind::TtirFillCache,
       {{32, 8, 128, 64}, {1, 8, 18, 64}},
       {},
       {num("batch_offset", INT64_MIN)},
       "a row of the cache"},
      {OpKind::TtirFillCache, {{32, 8, 128, 64}, {1, 8, 129, 64}}, {{32, 8, 128, 64}}, {}, "does not fit into cache"},
      {OpKind::TtirUpdateCache, {{32, 8, 128, 64}, {1, 8, 32, 64}, {1}}, {}, {}, ""},
      {OpKind::TtirUpdateCache, {{32, 8, 128, 64}, {1, 4, 32, 64}, {1}}, {}, {}, "differ in heads (dim 1)"},
      {OpKind::TtirAllReduce, {{2, 3}}, {{2, 3}}, {}, ""},
      {OpKind::TtirAllGather, {{2, 3}}, {{8, 3}}, {num("all_gather_dim", 0)}, ""},
      {OpKind::TtirAllGather, {{2, 3}}, {{7, 3}}, {num("all_gather_dim", 0)}, "by a whole factor"},
      {OpKind::TtirAllGather, {{3, 3}}, {{8, 3}}, {num("all_gather_dim", 0)}, "by a whole factor"},
      {OpKind::TtirMeshPartition, {{1024, 3}}, {{512, 3}}, {num("dim", 0)}, ""},
      {OpKind::TtirReduceScatter, {{1024, 3}}, {{0, 3}}, {num("scatter_dim", 0)}, "by a whole factor"},
  });
}

// Every op with absurd attributes and shapes: whatever is said, nothing breaks. Small: an op with one of the values.
TEST(ShapeRules, AbsurdNumbersAreSafe) {
  const std::vector<std::string> names = {"dim",
                                          "dim0",
                                          "dim1",
                                          "dim_arg",
                                          "dimension",
                                          "permutation",
                                          "begins",
                                          "ends",
                                          "step",
                                          "padding",
                                          "stride",
                                          "dilation",
                                          "groups",
                                          "kernel",
                                          "kernel_size",
                                          "output_padding",
                                          "repeats",
                                          "repeat_dimensions",
                                          "broadcast_dimensions",
                                          "k",
                                          "batch_size",
                                          "input_height",
                                          "input_width",
                                          "in_channels",
                                          "out_channels",
                                          "channels",
                                          "scale_factor",
                                          "shape",
                                          "window_dimensions",
                                          "window_strides",
                                          "base_dilations",
                                          "window_dilations",
                                          "slice_sizes",
                                          "normalized_shape",
                                          "batch_offset",
                                          "all_gather_dim",
                                          "scatter_dim",
                                          "batch_dim",
                                          "channel_dim",
                                          "contract_dims_lhs",
                                          "batch_dims_lhs"};
  const std::vector<Shape> shapes = {{}, {0}, {4, 4, 4, 4}, {kHuge}, {kHuge, 1, 1, 1}, {1, 1 << 30, 1 << 30, 1}};
  size_t cases = 0;
  for (const OpInfo& info : allOps()) {
    if (info.kind == OpKind::Opaque) continue;
    for (int64_t value : {int64_t{0}, int64_t{-1}, int64_t{1} << 30, kHuge, INT64_MIN}) {
      if (test::smallTests() && cases++ % 6 != 0) continue;
      for (const Shape& shape : shapes) {
        for (bool list : {false, true}) {
          Case c{info.kind, {}, {shape}, {}, ""};
          for (int i = 0; i < operandBounds(info).least; ++i) c.operands.push_back(shape);
          for (const std::string& name : names)
            c.attrs.push_back(list ? nums(name, std::vector<int64_t>(4, value)) : num(name, value));
          OneOp one(c);
          Diagnostics diags;
          checkShapes(one.graph, one.op, diags);
          window2d(one.graph, one.op);
        }
      }
    }
  }
}

}  // namespace
}  // namespace tessera
