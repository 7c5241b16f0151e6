// Ops that few files hold: attributes of another kind than their definition gives them, numbers at the ends of 64 bits,
// operands that are no tensors, results in formats that their rows do not have.

#include "core/ops/model/interner.h"
#include "core/ops/shapes/shape_rules.h"
#include "tests/import/import_testing.h"
#include "tests/ops/op_rows.h"
#include "tests/ops/rule_case.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

// What is said of a row of op | attributes | operands | results; "" for nothing.
std::string saidOfRow(const std::string& text) {
  std::vector<std::string> row = splitRow(text, '|');
  row.resize(4);
  return importText(programOfRow(row)).report();
}

// Numbers of either kind stand for a float, integers and lists of them for one another; nothing else does.
TEST(RareOps, AttributesOfAnotherKind) {
  const std::string product = " | 4x3xf32 4x5xf32 | 3x5xf32", same = " | 4x3xf32 | 4x3xf32",
                    joined = " | 4x3xf32 4x3xf32 | 4x6xf32";
  const std::pair<std::string, std::string> rows[] = {
      {"ttir.matmul | transpose_a = true" + product, ""},
      {"ttir.matmul | transpose_a" + product, ""},
      {"ttir.matmul | transpose_a = false" + product, "inner dims 3 and 4 differ"},
      {"ttir.matmul | transpose_a = \"true\"" + product, "expected bool"},
      {"ttir.matmul | transpose_a = array<i64: 1>" + product, "expected bool"},
      {"ttir.matmul | transpose_a = 1.0 : f32" + product, "expected bool"},
      {"ttir.leaky_relu | parameter = 1 : i64" + same, ""},
      {"ttir.leaky_relu | parameter = 1.0 : f32" + same, ""},
      {"ttir.leaky_relu | parameter = \"1.0\"" + same, "expected f32"},
      {"ttir.leaky_relu | parameter = array<i64: 1>" + same, "expected f32"},
      {"ttir.broadcast | broadcast_dimensions = array<i64: 1, 1>" + same, ""},
      {"ttir.broadcast | broadcast_dimensions = 1.0 : f32" + same, "expected array<i64>"},
      {"ttir.broadcast | broadcast_dimensions = \"1, 1\"" + same, "expected array<i64>"},
      {"ttir.concat | dim = 1 : si32" + joined, ""},
      {"ttir.concat | dim = 1.0 : f32" + joined, "expected si32"},
      {"ttir.concat | dim = \"1\"" + joined, "expected si32"},
  };
  for (const auto& [row, message] : rows) {
    const std::string said = saidOfRow(row);
    if (message.empty()) EXPECT_EQ(said, "") << row;
    else EXPECT_NE(said.find(message), std::string::npos) << row << "\n" << said;
  }
}

// A difference that does not fit 64 bits is not compared.
TEST(RareOps, RangesOverAllNumbers) {
  const auto said = [](const std::string& start, const std::string& end, const std::string& step, int64_t size) {
    return saidOfRow("ttir.arange | arange_dimension = 0 : i64, start = " + start + " : si64, end = " + end +
                     " : si64, step = " + step + " : si64 | | " + std::to_string(size) + "xf32");
  };
  const std::string least = "-9223372036854775808", most = "9223372036854775807", quarter = "4611686018427387904";
  EXPECT_EQ(said(least, "0", quarter, 2), "");
  EXPECT_EQ(said("-1", most, quarter, 2), "");
  EXPECT_EQ(said("0", "8", "4", 2), "");
  EXPECT_NE(said("0", "8", "4", 3).find("does not hold: 2 and 3"), std::string::npos);
  EXPECT_NE(said("0", most, quarter, 2).find("does not hold: 1 and 2"), std::string::npos);
}

// What says how an image was flattened is read in numbers; where one is none, that is said instead of the window.
TEST(RareOps, FlattenedImages) {
  const auto said = [](const std::string& batch) {
    return saidOfRow("ttir.conv2d | flattened_compat_info = #ttir.flattened_compat<batch_size = " + batch +
                     ", input_height = 4, input_width = 4>, groups = 1 : i32, stride = array<i32: 1, 1>, padding = "
                     "array<i32: 0, 0, 0, 0>, dilation = array<i32: 1, 1> | 1x1x16x3xf32 8x3x3x3xf32 | 1x1x5x8xf32");
  };
  EXPECT_NE(said("1").find("expected 1x1x4x8"), std::string::npos);
  for (const char* none : {"x", "1-2", "-", "99999999999999999999"})
    EXPECT_NE(said(none).find("expected integers as batch_size, input_height and input_width"), std::string::npos)
        << none;
  // 2^30 images of 2^34 rows are 2^64 positions, which are not none.
  AttrList attrs = convolution(1, 1, 1);
  for (Attribute& attr : attrs) {
    if (attr.name == "batch_size") attr = num("batch_size", int64_t{1} << 30);
    if (attr.name == "input_height") attr = num("input_height", 17);
    if (attr.name == "stride") attr = ints("stride", {int64_t{1} << 30, 1});
    if (attr.name == "padding") attr = ints("padding", {1, 0, 0, 0});
  }
  sortAttrs(attrs);
  OpSpec spec = makeOp(OpKind::TtnnConvTranspose2d, {}, {tensor({1, 1, 0, 1})});
  spec.attrs = attrs;
  EXPECT_NE(shapeMistake(spec, {tensor({1, 1, 1, 1}), tensor({1, 1, 1, 1})}).find("the result is too large"),
            std::string::npos);
}

TEST(RareOps, OperandsThatAreNoTensors) {
  for (const char* type : {"none", "tensor<*xf32>", "!ttnn.device"}) {
    const ValueType opaque{.opaque = type};
    EXPECT_NE(shapeMistake(makeOp(OpKind::TtirExp, {}, {tensor({4})}), {opaque}).find("operand 0 is no tensor"),
              std::string::npos)
        << type;
    EXPECT_NE(shapeMistake(makeOp(OpKind::TtirExp, {}, {opaque}), {tensor({4})}).find("result 0 is no tensor"),
              std::string::npos)
        << type;
  }
  // Who asks for the window of an op that was not checked is told of none.
  const ValueType image = tensor({1, 8, 8, 3}), weight = tensor({16, 3, 3, 3}), result = tensor({1, 6, 6, 16});
  const auto hasWindow = [&](const ValueType& first, const ValueType& second) {
    Graph graph;
    GraphBuilder builder(graph);
    const FuncId f = builder.addFunction("f");
    const ValueId a = builder.addArgument(f, "a", first), b = builder.addArgument(f, "b", second);
    return window2d(graph, builder.append(f, makeOp(OpKind::TtirConv2d, {a, b}, {result}))).has_value();
  };
  EXPECT_TRUE(hasWindow(image, weight));
  EXPECT_FALSE(hasWindow({.opaque = "none"}, weight));
  EXPECT_FALSE(hasWindow(image, {.opaque = "none"}));
}

// Rows out of shards of rows go into shards of the same kind, of rows as well.
TEST(RareOps, RowsIntoOtherShards) {
  const auto cut = [](const Where& into) {
    return Asked(n150(), OpKind::TtnnSliceStatic, {{{512, 1024}, rowsByHeight(8)}}, {{{256, 1024}, into}},
                 {ints("begins", {0, 0}), ints("ends", {256, 1024}), ints("step", {1, 1})})
        .refusal();
  };
  EXPECT_EQ(cut(rowsByHeight(8)), "legal");
  const Where block{BufferType::L1, TensorMemoryLayout::BlockSharded, {4, 4}, PageLayout::RowMajor},
      width{BufferType::L1, TensorMemoryLayout::WidthSharded, {1, 8}, PageLayout::RowMajor};
  for (const Where& into : {block, width, heightOver(8), kL1Rows}) EXPECT_EQ(cut(into), "ShardingMismatch 0");
}

// An upsampled image is rows, of which block formats have none.
TEST(RareOps, UpsampledIntoFormatsWithoutRows) {
  const auto produced = [](DType dtype) {
    const Asked asked(n150(), OpKind::TtnnUpsample, {{{1, 16, 16, 64}, kDramRows}}, {{{1, 32, 32, 64}, kInDram, dtype}},
                      {ints("scale_factor", {2, 2})});
    EXPECT_EQ(asked.refusal(), "legal");
    return layoutText(asked.verdict().output) + " " + std::string(dtypeName(asked.verdict().output.dtype));
  };
  EXPECT_EQ(produced(DType::BF16), "DRAM rm bf16");
  EXPECT_EQ(produced(DType::BFP8), "DRAM bfp_bf8");
}

// What a session keeps it keeps up to a limit.
TEST(RareOps, NumbersOfASessionComeToAnEnd) {
  Interner words;
  words.types.numberOf(Key(Interner::kMostWords / 2));
  words.classes.numberOf(Key(Interner::kMostWords / 2));
  EXPECT_FALSE(words.full());
  words.classes.numberOf({1});
  EXPECT_TRUE(words.full());
  if (smallTests()) return;
  Interner layouts;
  TensorLayout layout;
  for (; layouts.layouts.size() < Interner::kMostLayouts; ++layout.shardRows) layouts.layouts.intern(layout);
  EXPECT_FALSE(layouts.full());
  layouts.layouts.intern(layout);
  EXPECT_TRUE(layouts.full());
}

}  // namespace
}  // namespace tessera::test
