// Attributes and shapes beside those that are read: one number is missing, too large, or another. Worked out by hand.

#include "core/ops/model/op_answers.h"
#include "core/ops/model/op_memory.h"
#include "core/ops/rules/family_rules.h"
#include "core/ops/rules/rule_book.h"
#include "core/ops/rules/window_plan.h"
#include "core/ops/shapes/shape_rules.h"
#include "core/ops/table/conv2d_config.h"
#include "tests/ops/rule_case.h"

namespace tessera::test {
namespace {

// An op beside its neighbours: shapes and attributes that fit but for one thing, or of which nothing is said.
struct ShapeAsked {
  OpKind kind;
  std::vector<Shape> operands, results;
  AttrList attrs;
  std::string message;  // part of the only diagnostic; "" when there is none
};

std::string saidOfShapes(const ShapeAsked& asked) {
  Graph graph;
  GraphBuilder builder(graph);
  const FuncId func = builder.addFunction("f");
  std::vector<ValueId> operands;
  for (const Shape& shape : asked.operands) operands.push_back(builder.addArgument(func, "", tensor(shape)));
  std::vector<ValueType> results;
  for (const Shape& shape : asked.results) results.push_back(tensor(shape));
  OpSpec spec = makeOp(asked.kind, operands, results);
  spec.attrs = asked.attrs;
  sortAttrs(spec.attrs);
  Diagnostics diags;
  checkShapes(graph, builder.append(func, spec), diags);
  std::string said;
  for (const auto& one : diags.all()) said += (said.empty() ? "" : "\n") + one.message;
  return said;
}

void expectSaid(const std::vector<ShapeAsked>& all) {
  for (const ShapeAsked& asked : all) {
    std::string text(opInfo(asked.kind).name);
    for (const Shape& shape : asked.operands) text += " " + shapeText(shape);
    for (const Shape& shape : asked.results) text += " -> " + shapeText(shape);
    for (const Attribute& attr : asked.attrs) text += " " + attr.name + "=" + attr.value.text;
    const std::string said = saidOfShapes(asked);
    if (asked.message.empty()) EXPECT_EQ(said, "") << text;
    else EXPECT_NE(said.find(asked.message), std::string::npos) << text << "\n" << said;
  }
}

constexpr int64_t kBeyond = (int64_t{1} << 30) + 1;  // no dim or window number is as large
constexpr int64_t kLargest = INT64_MAX;

AttrList without(std::string_view name, const AttrList& attrs) {
  AttrList rest;
  for (const Attribute& attr : attrs) {
    if (attr.name != name) rest.push_back(attr);
  }
  return rest;
}

// Without one of the numbers nothing is said of the window.
TEST(NearShapes, WindowsOfMissingNumbers) {
  const AttrList all = {num("batch_size", 1),  num("input_height", 28), num("input_width", 28),
                        num("in_channels", 3), num("out_channels", 16), ints("kernel_size", {3, 3})};
  const auto conv = [&](std::string_view missing, const Shape& result, std::string message) {
    return ShapeAsked{
        OpKind::TtnnConv2d, {{1, 1, 784, 3}, {1, 1, 27, 16}}, {result}, without(missing, all), std::move(message)};
  };
  const Shape wrong = {1, 1, 784, 16};
  expectSaid({conv("", {1, 1, 676, 16}, ""), conv("", wrong, "expected 1x1x676x16")});
  for (const char* name : {"batch_size", "input_height", "input_width", "in_channels", "out_channels", "kernel_size"})
    EXPECT_EQ(saidOfShapes(conv(name, wrong, "")).find("expected 1x1x676x16"), std::string::npos) << name;
  expectSaid({
      conv("", {1, 1, 16, 676}, "expected 1x1x676x16"),
      conv("", {676, 16}, "`rank(r0) == 4` does not hold"),
      conv("", {}, "expected 1x1x676x16"),
      conv("", {kLargest, kLargest}, "expected 1x1x676x16"),
  });
  const auto pool = [](int64_t batch, int64_t side) {
    AttrList attrs = test::window(side, side, 1, {1, 1});
    attrs[0] = num("batch_size", batch);
    return ShapeAsked{OpKind::TtnnMaxPool2d, {{1, 1, 1, 1}}, {{1, 1, 1, 1}}, attrs, ""};
  };
  EXPECT_NE(saidOfShapes(pool(1, 1 << 20)).find("expected 1x1x1099511627776x1"), std::string::npos);
  EXPECT_NE(saidOfShapes(pool(1 << 30, 1 << 30)).find("the result is too large"), std::string::npos);
}

TEST(NearShapes, WindowsBesideThoseThatFit) {
  const AttrList plain = {ints("stride", {1, 1}), ints("padding", {0, 0}), ints("dilation", {1, 1}), num("groups", 1)};
  const auto kConv = OpKind::TtirConv2d, kTransposed = OpKind::TtirConvTranspose2d, kPooling = OpKind::TtirPooling;
  const Shape image = {1, 28, 28, 3}, weight = {16, 3, 3, 3}, made = {1, 26, 26, 16};
  const auto pooled = [&](AttrList attrs, std::string message) {
    attrs.push_back(ints("window_dimensions", {1, 2, 2, 1}));
    return ShapeAsked{kPooling, {{1, 8, 8, 4}}, {{1, 7, 7, 4}}, std::move(attrs), std::move(message)};
  };
  const std::string perDim = "one number per dim of 1x8x8x4";
  const auto transposed = [&](std::vector<int64_t> extra, std::string message) {
    return ShapeAsked{kTransposed,
                      {{1, 4, 4, 3}, {3, 5, 2, 2}},
                      {{1, 8, 8, 5}},
                      {ints("stride", {2, 2}), ints("output_padding", std::move(extra))},
                      std::move(message)};
  };
  expectSaid({
      {kConv, {image, weight}, {made}, plain, ""},
      {kConv, {image, weight, {kLargest, kLargest}}, {made}, plain, "`rank(2) == 4 or rank(2) == 1` does not hold"},
      {kConv, {{1, 28, 28, kBeyond}, {16, kBeyond, 3, 3}}, {made}, plain, ""},
      {kConv, {image, {16, kBeyond, 3, 3}}, {made}, plain, "does not fit 3 input channels"},
      {kConv, {image, {kBeyond, 3, 3, 3}}, {made}, plain, ""},
      transposed({0, 0}, ""),
      transposed({-1, 0}, "no window fits"),
      transposed({0, -1}, "no window fits"),
      {OpKind::TtirGlobalAvgPool2d, {{7, 7, 64}}, {{1, 1, 64}}, {}, "dim(0,0) == dim(r0,0)"},
      pooled({}, ""),
      pooled({ints("window_strides", {1, 1})}, perDim),
      pooled({ints("base_dilations", {1, 1})}, perDim),
      pooled({ints("window_dilations", {1, 1})}, perDim),
      pooled({ints("padding", {0, 0, 0, 0})}, perDim),
      pooled({ints("window_strides", {1, 2, 2, 1})}, "expected 1x4x4x4"),
      {OpKind::TtirUpsample2d,
       {{1, kLargest, 4, 3}},
       {{1, 1, 1, 3}},
       {num("scale_factor", 2)},
       "small positive numbers"},
      {OpKind::TtirUpsample2d,
       {{1, 4, kLargest, 3}},
       {{1, 1, 1, 3}},
       {num("scale_factor", 2)},
       "small positive numbers"},
  });
}

// Convolutions over one dim and over three.
TEST(NearShapes, WindowsOfOneAndThreeDims) {
  const auto line = [](AttrList attrs, const Shape& result, std::string message, const Shape& weight = {6, 4, 3}) {
    return ShapeAsked{OpKind::TtnnConv1d, {{2, 10, 4}, weight}, {result}, std::move(attrs), std::move(message)};
  };
  const Shape fits = {1, 1, 16, 6};
  expectSaid({
      line({}, fits, ""),
      line({}, {1, 1, 20, 6}, "expected 1x1x16x6"),
      line({num("padding", 1)}, {1, 1, 20, 6}, ""),
      line({ints("padding", {1, 0})}, {1, 1, 18, 6}, ""),
      line({ints("padding", {})}, fits, "len(padding) == 2"),
      line({ints("padding", {})}, {1, 1, 20, 6}, "expected 1x1x16x6"),
      line({num("stride", 2)}, {1, 1, 8, 6}, ""),
      line({num("dilation", 2)}, {1, 1, 12, 6}, ""),
      line({num("dilation", int64_t{1} << 30)}, fits, "no window fits", {6, 4, int64_t{1} << 30}),
  });
  const auto space = [](AttrList attrs, const Shape& result, std::string message,
                        const Shape& weight = {6, 4, 3, 3, 3}) {
    return ShapeAsked{OpKind::TtirConv3d, {{1, 8, 8, 8, 4}, weight}, {result}, std::move(attrs), std::move(message)};
  };
  expectSaid({
      space({}, {1, 6, 6, 6, 6}, ""),
      space({num("stride", 2)}, {1, 3, 3, 3, 6}, ""),
      space({ints("stride", {1, 2, 2})}, {1, 6, 3, 3, 6}, ""),
      space({ints("stride", {1, 2, 2})}, {1, 3, 3, 3, 6}, "expected 1x6x3x3x6"),
      space({}, {1, 6, 6, 6, 6}, "no window fits", {6, 4, 9, 3, 3}),
      space({}, {1, 6, 6, 6, 6}, "no window fits", {6, 4, 3, 3, 9}),
  });
}

TEST(NearShapes, MovesBesideThoseThatFit) {
  const auto slice = [](std::string_view missing, std::vector<int64_t> step, std::string message) {
    const AttrList attrs = {ints("begins", {4, 0}), ints("ends", {0, 4}), ints("step", std::move(step))};
    return ShapeAsked{OpKind::TtirSliceStatic, {{5, 4}}, {{4, 4}}, without(missing, attrs), std::move(message)};
  };
  const auto index = [](std::vector<std::pair<const char*, int64_t>> fields, int64_t size, std::string message) {
    AttrList attrs = {num("dim", 0)};
    for (const auto& [name, value] : fields) attrs.push_back(num(name, value));
    return ShapeAsked{OpKind::TtirIndexSelect, {{10, 3}}, {{size, 3}}, std::move(attrs), std::move(message)};
  };
  const auto gathered = [](const Shape& input, const Shape& indices, const Shape& result, std::vector<int64_t> sizes,
                           std::string message) {
    return ShapeAsked{OpKind::TtirGather,
                      {input, indices},
                      {result},
                      {num("index_vector_dim", 1), ints("slice_sizes", std::move(sizes))},
                      std::move(message)};
  };
  expectSaid({
      slice("", {-1, 1}, ""),
      slice("begins", {-1, 1}, "begins"),
      slice("ends", {-1, 1}, "ends"),
      slice("", {-1}, "expected 2 integers"),
      {OpKind::TtirSliceStatic,
       {{5}},
       {{5}},
       {ints("begins", {4}), ints("ends", {-2}), ints("step", {-1})},
       "slice 4:-2 leaves a dim of 5"},
      index({{"begin", 0}, {"end", 6}, {"step", 2}}, 3, ""),
      index({{"begin", 0}, {"end", 6}, {"step", 2}}, 4, "expected 3x3"),
      index({{"begin", 0}, {"end", 6}}, 4, ""),
      index({{"begin", 0}, {"step", 2}}, 4, ""),
      index({{"end", 6}, {"step", 2}}, 4, ""),
      index({{"begin", 0}, {"length", 2}, {"stride", 4}}, 6, ""),
      index({{"begin", 0}, {"length", 2}, {"stride", 4}}, 5, "expected 6x3"),
      index({{"length", 2}, {"stride", 4}}, 5, ""),
      index({{"begin", 0}, {"length", 2}}, 5, ""),
      index({{"begin", 0}, {"length", 2}, {"stride", -1}}, 5, "from 0 to 10"),
      index({{"begin", -1}, {"length", 2}, {"stride", 4}}, 5, "within a dim of 10"),
      {OpKind::TtirPad, {{2, 3}}, {{3, 5}}, {ints("padding", {0, kLargest, 1, 1})}, "a low and a high number"},
      {OpKind::TtirPad, {{2, 3}}, {{3, 5}}, {ints("padding", {-3, 0, 1, 1})}, "a low and a high number"},
      {OpKind::TtirRepeatInterleave,
       {{2, 3}},
       {{2, 3}},
       {num("dim", 0), num("repeats", kLargest)},
       "a small positive number"},
      {OpKind::TtirEmbedding, {{4, 8}, {100, 8}}, {{4, 8, 8}}, {}, ""},
      {OpKind::TtirEmbedding, {{4, 8}, {100, 8}}, {{4, 64}}, {}, "expected one row of 8"},
      {OpKind::TtirEmbedding, {{4, 8}, {100, 8}}, {{}}, {}, "expected one row of 8"},
      {OpKind::TtirEmbedding, {{1, 1}, {100, 1}}, {{}}, {}, "expected one row of 1"},
      {OpKind::TtirEmbedding, {{kLargest, 2}, {100, 8}}, {{4, 8, 8}}, {}, "expected one row of 8"},
      {OpKind::TtirEmbedding, {{kLargest, 1}, {100, 8}}, {{4, 8, 8}}, {}, "expected one row of 8"},
      {OpKind::TtirEmbedding, {{4, 8}, {100, 8}}, {{kLargest, 8}}, {}, "expected one row of 8"},
      gathered({169, 3}, {2401, 1}, {2401, 3}, {1, 3}, ""),
      gathered({169, 3}, {2401, 1}, {2401, 3}, {-1, 3}, "sizes within 169x3"),
      gathered({kLargest, kLargest}, {2401, 1}, {2401, 3}, {kLargest, kLargest}, "sizes within"),
      gathered({169, 3}, {kLargest, 1}, {2401, 3}, {1, 3}, ""),
      gathered({169, 3}, {2401, 1}, {kLargest, 3}, {1, 3}, ""),
  });
}

// The rules of single ops: elements, encodings, lists and numbers in attributes.
TEST(NearShapes, RulesOfSingleOps) {
  const auto withElement = [](const std::string& from, const std::string& to, AttrList attrs = {}) {
    Graph graph;
    GraphBuilder builder(graph);
    const FuncId func = builder.addFunction("f");
    ValueType in = tensor({2, 3}), out = tensor({2, 3}), number = tensor({1}), whole = tensor({1}, DType::I32);
    in.tensor->element = from;
    out.tensor->element = to;
    std::vector<ValueId> operands = {builder.addArgument(func, "", in), builder.addArgument(func, "", number),
                                     builder.addArgument(func, "", whole)};
    OpSpec spec = makeOp(OpKind::TtirQuantizeUnrolled, operands, {out});
    spec.attrs = std::move(attrs);
    Diagnostics diags;
    checkShapes(graph, builder.append(func, spec), diags);
    return diags.all().empty() ? "" : diags.all()[0].message;
  };
  const auto zero = [&](const std::string& tail) { return withElement("f32", "!quant.uniform<" + tail); };
  EXPECT_EQ(zero("i8:f32, 0.1:0>"), "");
  EXPECT_NE(zero("i8:f32, 0.1:128>").find("zero_fits"), std::string::npos);
  EXPECT_EQ(zero("i8:f32, 0.1>"), "") << "no zero point";
  EXPECT_EQ(zero("i8:f32 0.1:128>"), "") << "no comma before the scale";
  EXPECT_EQ(zero("i8, 0.1>"), "") << "no colon at all";
  EXPECT_EQ(zero("i8:f32, 0.1:1x>"), "") << "no number";
  EXPECT_EQ(zero("i16:f32, 0.1:300>"), "") << "of 16 bits";

  const auto drawn = [](AttrValue low, AttrValue high) {
    return saidOfShapes({OpKind::TtirRand, {}, {{2, 3}}, {{"low", std::move(low)}, {"high", std::move(high)}}, ""});
  };
  EXPECT_EQ(drawn(f32Attr(0), f32Attr(1)), "");
  EXPECT_NE(drawn(f32Attr(1), f32Attr(0)).find("below(low,high)"), std::string::npos);
  EXPECT_NE(drawn(f32Attr(1), f32Attr(1)).find("below(low,high)"), std::string::npos);
  EXPECT_EQ(saidOfShapes({OpKind::TtirRand, {}, {{2, 3}}, {{"low", f32Attr(1)}}, ""}), "");
  EXPECT_EQ(drawn(intAttr(1), f32Attr(0)), "") << "only floats are compared";
  EXPECT_EQ(drawn(f32Attr(1), intAttr(0)), "") << "only floats are compared";

  const auto dropped = [](AttrValue probability) {
    return saidOfShapes({OpKind::TtirDropout, {{2, 3}}, {{2, 3}}, {{"prob", std::move(probability)}}, ""});
  };
  EXPECT_EQ(dropped(f32Attr(1)), "");
  EXPECT_EQ(dropped(intAttr(1)), "");
  EXPECT_NE(dropped(f32Attr(1.5)).find("above_one(prob)"), std::string::npos);
  EXPECT_NE(dropped(intAttr(2)).find("above_one(prob)"), std::string::npos);
  EXPECT_NE(dropped(intAttr(-1)).find("sign(prob)"), std::string::npos);
  EXPECT_EQ(dropped(rawAttr("mine<0>")), "") << "what is no number has no sign";

  const auto groups = [](const std::string& text) {
    return saidOfShapes({OpKind::TtirCollectiveBroadcast, {{2, 3}}, {{2, 3}}, {{"replica_groups", rawAttr(text)}}, ""});
  };
  EXPECT_EQ(groups("dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>"), "");
  EXPECT_NE(groups("dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>").find("groups"), std::string::npos);
  EXPECT_NE(groups("dense<[0, 1]> : tensor<2xi64>").find("groups"), std::string::npos);
  EXPECT_EQ(groups("dense<0> : tensor<1x1xi64>"), "") << "one number for all";
  EXPECT_EQ(groups("sparse<[[0, 0]]>"), "") << "another attribute";
  EXPECT_EQ(groups("mine<[[0, 0]]>"), "") << "another attribute";
  EXPECT_EQ(groups("dense [[0, 0]]"), "") << "no bracket";
  EXPECT_EQ(groups("dense<[[0, 0]]"), "") << "no bracket behind it";

  const auto pairs = [](const std::string& text) {
    return saidOfShapes(
        {OpKind::TtirCollectivePermute, {{2, 3}}, {{2, 3}}, {{"source_target_pairs", rawAttr(text)}}, ""});
  };
  EXPECT_EQ(pairs("dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>"), "");
  EXPECT_NE(pairs("dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>").find("pairs"), std::string::npos);
  EXPECT_EQ(pairs("dense<0> : tensor<1x2xi64>"), "") << "one number for all";
  EXPECT_EQ(pairs("mine<0>"), "");
  std::string many = "dense<[[0, 0]";
  for (int i = 0; i < 6'000; ++i) many += ", [7, 7]";
  EXPECT_EQ(pairs(many + "]>"), "") << "lists of ten thousand numbers are not gone through";

  const auto gathered = [](PageLayout from, PageLayout to) {
    Asked asked(n150(), OpKind::TtnnAllGather, {{{64, 64}, kInDram}}, {{{128, 64}, kInDram}},
                {num("all_gather_dim", 0)});
    const auto layOut = [&](ValueId value, PageLayout page) {
      TensorType& type = *asked.graph.values.edit(value).type.tensor;
      type.layout = *makeLayout(type.shape,
                                {type.dtype, BufferType::DRAM, TensorMemoryLayout::Interleaved, page, {1, 1}}, n150());
    };
    layOut(asked.graph.ops[asked.op].operands[0], from);
    layOut(asked.graph.ops[asked.op].results[0], to);
    Diagnostics diags;
    checkShapes(asked.graph, asked.op, diags);
    return diags.all().empty() ? "" : diags.all()[0].message;
  };
  EXPECT_EQ(gathered(PageLayout::Tile, PageLayout::Tile), "");
  EXPECT_EQ(gathered(PageLayout::RowMajor, PageLayout::RowMajor), "");
  EXPECT_NE(gathered(PageLayout::Tile, PageLayout::RowMajor).find("tiled(0) == tiled(r0)"), std::string::npos);
  EXPECT_NE(gathered(PageLayout::RowMajor, PageLayout::Tile).find("tiled(0) == tiled(r0)"), std::string::npos);
}

// What comes into a graph after its ops were classified is worked out like any other, and not remembered.
TEST(NearShapes, OpsThatCameLater) {
  const Tensor square = {{256, 256}, kInDram};
  Asked asked(n150(), OpKind::TtnnAbs, {square}, {square});
  Interner interner;
  OpAnswers answers(interner);
  const OpModel model(n150(), answers, answers.classify(asked.graph));
  EXPECT_TRUE(model.validateOperation(asked.query(), n150().usableL1()).ok());
  EXPECT_EQ(answers.size(), 1u);
  GraphBuilder builder(asked.graph);
  const Op first = asked.graph.ops[asked.op];
  asked.op = builder.append(asked.graph.forward, makeOp(OpKind::TtnnExp, first.operands, {tensor({256, 256})}));
  EXPECT_EQ(model.getOpRuntime(asked.query()).total(), asked.time().total());
  EXPECT_EQ(answers.size(), 1u);
}

// Long questions are forgotten before there are as many as short ones.
TEST(NearShapes, QuestionsOfManyOperands) {
  const Tensor row = {{32, 32}, kInDram};
  Asked asked(n150(), OpKind::TtnnConcat, std::vector<Tensor>(1000, row), {{{32'000, 32}, kInDram}}, {num("dim", 0)});
  Interner interner;
  OpAnswers answers(interner);
  const OpModel model(n150(), answers, answers.classify(asked.graph));
  size_t most = 0;
  for (int64_t n = 1; n <= 2'200; ++n) {  // 1,018 words each, of two million
    asked.config.attrs = MatmulAttrs{.perCoreM = n, .perCoreN = 1};
    ASSERT_TRUE(model.validateOperation(asked.query(), n150().usableL1()).ok());
    most = std::max(most, answers.size());
  }
  EXPECT_GT(most, 2'000u);
  EXPECT_LT(most, 2'100u);
  EXPECT_LT(answers.size(), 200u);
}

// Beyond 128 slices an image is tried in an eighth more each time.
TEST(NearShapes, SlicesOfLargeImages) {
  const auto slicesOf = [](int64_t height) {
    constexpr int64_t kWidth = 256, kChannels = 128;
    AttrList attrs = convolution(kWidth, kChannels, 3, "#ttnn.conv2d_slice_config<dram_height, 0>");
    for (size_t i = 0; i < attrs.size(); ++i) {
      if (attrs[i].name == "input_height") attrs[i] = num("input_height", height);
    }
    const Asked asked(n150(), OpKind::TtnnConv2d,
                      {{{1, 1, height * kWidth, kChannels}, kInDram}, {{kChannels, kChannels, 3, 3}, kInDram}},
                      {{{1, 1, (height - 2) * (kWidth - 2), kChannels}, kInDram}}, attrs);
    EXPECT_EQ(asked.refusal(), "legal");
    const OpFacts facts = factsOf(asked.graph, asked.op);
    const OpQuery query = asked.query();
    const std::optional<WindowPlan> plan = convPlan(makeView(query, asked.device, facts));
    return plan ? plan->slices : 0;
  };
  EXPECT_EQ(slicesOf(256), 1);
  EXPECT_EQ(slicesOf(1024), 3);
  EXPECT_EQ(slicesOf(40'000), 79);
  EXPECT_EQ(slicesOf(65'536), 144) << "behind 128";
  EXPECT_EQ(slicesOf(131'072), 289) << "behind 128, 144, 162, 182, 204, 229 and 257";
}

TEST(NearShapes, TimesOfSubblocksThatAreHalfThere) {
  const auto time = [](int64_t h, int64_t w) {
    const Tensor square = {{2048, 2048}, kInDram};
    Asked asked(n150(), OpKind::TtnnMatmul, {square, square}, {square});
    asked.config.attrs =
        MatmulAttrs{.perCoreM = 8, .perCoreN = 8, .in0BlockW = 4, .outSubblockH = h, .outSubblockW = w};
    return asked.time().compute.count;
  };
  const int64_t chosen = time(0, 0);
  EXPECT_EQ(time(2, 0), chosen);
  EXPECT_EQ(time(0, 2), chosen);
  EXPECT_GT(time(1, 1), chosen);
}

// What is no tensor moves nothing; an op without operands works on its result alone.
TEST(NearShapes, TrafficOfWhatIsThere) {
  const Tensor square = {{256, 256}, kInDram};
  Asked sorted(n150(), OpKind::TtnnSort, {square}, {square, {{256, 256}, kInDram, DType::U16}}, {num("dim", 1)});
  const int64_t one = 256 * 256 * 2;
  EXPECT_EQ(sorted.time().dramBytes, 3 * one);
  sorted.graph.values.edit(sorted.graph.ops[sorted.op].results[1]).type = ValueType{{}, "!ttnn.device"};
  EXPECT_EQ(sorted.time().dramBytes, 2 * one);
  const Asked nothing(n150(), OpKind::TtnnRelu, {}, {{{256, 256}, heightOver(8)}});
  EXPECT_EQ(answerInFull(nothing), "legal; ; 900 + 2576 ns, 0 B, L1 16384");
  const Asked line(n150(), OpKind::TtnnPermute, {{{64}, kInDram}}, {{{64}, kInL1}}, {ints("permutation", {0})});
  EXPECT_GT(line.time().compute.count, 0) << "one dim, into other memory";
}

// One scale for each element of the axis.
TEST(NearShapes, ScalesPerAxis) {
  const auto quantized = [](const std::string& type) {
    Graph graph;
    GraphBuilder builder(graph);
    const FuncId func = builder.addFunction("f");
    ValueType out = tensor({2, 3});
    out.tensor->element = "!quant.uniform<" + type;
    OpSpec spec = makeOp(OpKind::TtirQuantize, {builder.addArgument(func, "", tensor({2, 3}, DType::F32))}, {out});
    Diagnostics diags;
    checkShapes(graph, builder.append(func, spec), diags);
    if (diags.all().empty()) return std::string();
    return diags.all()[0].message.find("axis_fits(r0)") != std::string::npos ? std::string("axis")
                                                                             : diags.all()[0].message;
  };
  EXPECT_EQ(quantized("i8:f32:1, {0.1:0, 0.2:0, 0.3:0}>"), "");
  EXPECT_EQ(quantized("i8:f32:0, {0.1:0, 0.2:0}>"), "");
  EXPECT_EQ(quantized("i8:f32:1, {0.1:0, 0.2:0}>"), "axis");
  EXPECT_EQ(quantized("i8:f32:2, {0.1:0, 0.2:0, 0.3:0}>"), "axis");
  EXPECT_EQ(quantized("i8:f32:-1, {0.1:0, 0.2:0, 0.3:0}>"), "axis");
  EXPECT_EQ(quantized("i8:f32:x, {0.1:0, 0.2:0, 0.3:0}>"), "axis");
  EXPECT_EQ(quantized("i8:f32:1, {0.1:0, 0.2:128, 0.3:0}>"), "axis");
  EXPECT_EQ(quantized("i8:f32:1, {0.1:0, 0.2:-129, 0.3:0}>"), "axis");
  EXPECT_EQ(quantized("i16:f32:1, {0.1:0, 0.2:128, 0.3:0}>"), "");
  EXPECT_EQ(quantized("i8:f32:1, {0.1, 0.2:0, 0.3:0}>"), "") << "a scale alone";
  EXPECT_EQ(quantized("i8:f32:1, {0.1:x, 0.2:0, 0.3:0}>"), "") << "a zero point that is no number";
  EXPECT_EQ(quantized("i8:f32:1 {0.1:0}>"), "") << "no comma before the scales";
  EXPECT_EQ(quantized("i8:f32:1, 0.1:0>"), "") << "no scales per axis";
}

// Lengths and numbers of features that are counted in no 63 bits.
TEST(NearShapes, ShapesOfUncountedElements) {
  const int64_t long61 = int64_t{1} << 61;
  const Shape image = {8, 4, 5, 5}, table = {1, 1, 64, 64};
  const auto kNorm = OpKind::TtirBatchNormInference;
  expectSaid({
      {OpKind::TtirRotaryEmbedding, {{1, 8, long61, 64}, table, table}, {{1, 8, long61, 64}}, {}, ""},
      {OpKind::TtirRotaryEmbedding,
       {{1, 8, long61 - 1, 64}, table, table},
       {{1, 8, long61, 64}},
       {},
       "the shape of the operand"},
      {kNorm, {image, {4}, {4}, {4}, {4}}, {image}, {num("dimension", 1)}, ""},
      {kNorm, {image, {4}, {4}, {4}, {kLargest, kLargest}}, {image}, {num("dimension", 1)}, ""},
      {OpKind::TtirMaxPool2d,
       {{1, 8, 8, 4}},
       {{1, 8, 8, 4}},
       {ints("kernel", {INT64_MIN, 2}), ints("stride", {1, 1}), ints("padding", {0, 0, 0, 0}),
        ints("dilation", {1, 1})},
       "min(kernel) > 0"},
  });
}

// Rules and times where what decides is left out, or not said.
TEST(NearShapes, AnswersBesideThoseOfLeftOutOperands) {
  const Tensor tiles = {{256, 256}, kInDram}, rows = {{256, 256}, kDramRows};
  Asked product(n150(), OpKind::TtnnMatmul, {tiles, tiles}, {tiles});
  EXPECT_NE(product.rule(), "Matmul");
  product.inputs[1] = std::nullopt;
  EXPECT_EQ(product.rule(), "Matmul");
  Asked sum(n150(), OpKind::TtnnAdd, {tiles, tiles}, {rows});
  EXPECT_EQ(sum.refusal(), "MemoryLayoutMismatch 0");
  sum.inputs[0] = std::nullopt;
  EXPECT_EQ(sum.refusal(), "MemoryLayoutMismatch 1");
  // A cache in L1 that is written is its own result, where it is known.
  Asked cache(n150(), OpKind::TtnnFillCache, {{{4, 8, 512, 64}, kInL1}, {{1, 8, 64, 64}, kInDram}}, {});
  EXPECT_EQ(cache.constraints().outputL1BufferSize.count, 1024 / 64 * 2048);
  cache.inputs[0] = std::nullopt;
  EXPECT_EQ(cache.constraints().outputL1BufferSize.count, 0);
  // No order is no order that leaves everything where it is.
  EXPECT_EQ(Asked(n150(), OpKind::TtnnPermute, {tiles}, {tiles}, {ints("permutation", {0, 1})}).bufferText(), "");
  EXPECT_EQ(Asked(n150(), OpKind::TtnnPermute, {tiles}, {tiles}).bufferText(), "in0 2*2048, out 2*2048");
  // Tiles go into shards of tiles as they are, rows of them one by one.
  const auto sliced = [&](const Where& to) {
    return Asked(n150(), OpKind::TtnnSliceStatic, {{{512, 256}, kInDram}}, {{{256, 256}, to}}).time().compute.count;
  };
  EXPECT_EQ(sliced(heightOver(8)), 8 * 64);
  EXPECT_EQ(sliced(rowsByHeight(8)), 32 * 32);
}

// No window covers more than a quarter of a billion positions: it fits no memory, and is counted no further.
TEST(NearShapes, HalosOfEndlessImages) {
  constexpr int64_t kTall = int64_t{1} << 30;
  AttrList attrs = test::window(kTall, 1, 8, {1, 1});
  for (size_t i = 0; i < attrs.size(); ++i) {
    if (attrs[i].name == "stride") attrs[i] = ints("stride", {kTall / 2, 1});
  }
  const Asked asked(n150(), OpKind::TtnnMaxPool2d, {{{1, 1, kTall, 8}, kInDram}}, {{{1, 1, 2, 8}, kInDram}}, attrs);
  const OpFacts facts = factsOf(asked.graph, asked.op);
  ASSERT_TRUE(facts.window);
  const OpQuery query = asked.query();
  const OpView view = makeView(query, asked.device, facts);
  const int64_t halo = windowPlan(view, *facts.window, TensorMemoryLayout::HeightSharded, nullptr).haloBytes;
  EXPECT_EQ(halo, (int64_t{1} << 28) * 8 * 2);
  EXPECT_EQ(asked.refusal(), "OutOfL1");
}

// An empty tensor of any dialect is where the result goes.
TEST(NearShapes, OutputsMadeByAnyDialect) {
  for (const OpKind kind : {OpKind::TtirEmpty, OpKind::TtnnEmpty, OpKind::TensorEmpty, OpKind::TtirZeros}) {
    Graph graph;
    GraphBuilder builder(graph);
    const FuncId func = builder.addFunction("f");
    const ValueId a = builder.addArgument(func, "", tensor({2, 3})), b = builder.addArgument(func, "", tensor({2, 3}));
    const OpId made = builder.append(func, makeOp(kind, {}, {tensor({4, 3})}));
    const OpId joined =
        builder.append(func, makeOp(OpKind::TtirConcat, {a, b, graph.ops[made].results[0]}, {tensor({4, 3})}));
    EXPECT_EQ(inputCount(graph, joined), kind == OpKind::TtirZeros ? 3 : 2) << opInfo(kind).name;
  }
}

TEST(NearShapes, VerdictsInWords) {
  OpVerdict verdict;
  verdict.status = OpStatus::OutOfMemory;
  verdict.needed = Bytes(2048);
  verdict.available = Bytes(1024);
  verdict.reason = Refusal::OutOfL1;
  EXPECT_EQ(verdictText(verdict), "needs 2048 B of L1 per core, 1024 B are allowed");
  verdict.reason = Refusal::NoHole;
  EXPECT_EQ(verdictText(verdict), "needs 2048 B of L1 per core in one piece, the largest hole has 1024 B");
  verdict.reason = Refusal::CircularBufferClash;
  EXPECT_EQ(verdictText(verdict),
            "its circular buffers need 2048 B per core, up to the lowest tensor in L1 there are 1024 B");
}

// Numbers of windows beyond what is believed: the op's own rules speak of them, or nothing does.
TEST(NearShapes, WindowsBeyondBelief) {
  const auto line = [](OpKind kind, AttrList attrs, const Shape& input, const Shape& weight) {
    return saidOfShapes({kind, {input, weight}, {{2, 99, 99}}, std::move(attrs), ""});
  };
  const Shape input = {2, 10, 4}, weight = {6, 4, 3};
  const auto kLine = OpKind::TtirConv1d;
  const auto one = [&](AttrList attrs) { return line(kLine, std::move(attrs), input, weight); };
  EXPECT_NE(one({}).find("expected 2x8x6"), std::string::npos);
  EXPECT_NE(one({num("padding", 1)}).find("expected 2x10x6"), std::string::npos);
  for (const char* name : {"batch_dim", "length_dim", "channel_dim"})
    EXPECT_EQ(one({num(name, 3)}).find("expected 2x"), std::string::npos) << name;
  for (AttrList attrs : {AttrList{ints("padding", {-1, 0})}, AttrList{ints("padding", {0, -1})}})
    EXPECT_EQ(one(attrs).find("expected 2x"), std::string::npos);
  EXPECT_EQ(line(kLine, {}, input, {6, 4, 0}).find("expected 2x"), std::string::npos);
  EXPECT_EQ(line(kLine, {}, {2, kBeyond, 4}, weight).find("expected 2x"), std::string::npos);
  EXPECT_EQ(line(kLine, {}, {kBeyond, 10, 4}, weight).find("8x6"), std::string::npos);

  const auto space = [](AttrList attrs, const Shape& in, const Shape& of) {
    return saidOfShapes({OpKind::TtirConv3d, {in, of}, {{1, 9, 9, 9, 9}}, std::move(attrs), ""});
  };
  const Shape cube = {1, 8, 8, 8, 4}, kernel = {6, 4, 3, 3, 3};
  EXPECT_NE(space({}, cube, kernel).find("expected 1x6x6x6x6"), std::string::npos);
  EXPECT_NE(space({num("padding", 1)}, cube, kernel).find("expected 1x8x8x8x6"), std::string::npos);
  EXPECT_EQ(space({ints("stride", {1, 2})}, cube, kernel).find("expected 1x"), std::string::npos);
  EXPECT_EQ(space({num("padding", -1)}, cube, kernel).find("expected 1x"), std::string::npos);
  EXPECT_EQ(space({}, cube, {6, 4, 0, 3, 3}).find("expected 1x"), std::string::npos);
  EXPECT_EQ(space({}, {1, kBeyond, 8, 8, 4}, kernel).find("expected 1x"), std::string::npos);
  EXPECT_EQ(space({num("channel_dim", 1)}, cube, kernel).find("expected 1x"), std::string::npos);

  const auto pooled = [](AttrList attrs, const Shape& in) {
    attrs.push_back(ints("window_dimensions", {1, 2, 2, 1}));
    return saidOfShapes({OpKind::TtirPooling, {in}, {{1, 99, 99, 4}}, std::move(attrs), ""});
  };
  EXPECT_NE(pooled({}, {1, 8, 8, 4}).find("expected 1x7x7x4"), std::string::npos);
  EXPECT_EQ(pooled({}, {0, 8, 8, 4}).find("expected"), std::string::npos);
  EXPECT_EQ(pooled({ints("padding", {0, 0, -1, 0, 0, 0, 0, 0})}, {1, 8, 8, 4}).find("expected"), std::string::npos);
  EXPECT_EQ(pooled({ints("padding", {0, 0, 0, -1, 0, 0, 0, 0})}, {1, 8, 8, 4}).find("expected"), std::string::npos);

  const int64_t side = int64_t{1} << 20, channels = int64_t{1} << 30;
  EXPECT_NE(saidOfShapes(
                {OpKind::TtnnMaxPool2d, {{1, 1, 1, 1}}, {{1, 1, 1, 1}}, test::window(side, side, channels, {1, 1}), ""})
                .find("expected 1x1x1099511627776x1073741824"),
            std::string::npos);
  EXPECT_NE(saidOfShapes({OpKind::TtnnMaxPool2d, {{1, 1, 1, 1}}, {{}}, test::window(1, 1, 1, {1, 1}), ""})
                .find("expected 1x1x1x1"),
            std::string::npos)
      << "one element without dims";
  // A flattened image says how large it was.
  const auto flattened = [](const std::string& info) {
    return saidOfShapes({OpKind::TtirMaxPool2d,
                         {{1, 1, 64, 4}},
                         {{1, 1, 99, 4}},
                         {ints("kernel", {2, 2}),
                          ints("stride", {2, 2}),
                          ints("padding", {0, 0, 0, 0}),
                          ints("dilation", {1, 1}),
                          {"flattened_compat_info", rawAttr("#ttir<flattened_compat " + info + ">")}},
                         ""});
  };
  EXPECT_NE(flattened("batch_size = 1, input_height = 8, input_width = 8").find("expected 1x1x16x4"),
            std::string::npos);
  EXPECT_NE(flattened("batch_size = 1, input_width = 8").find("expected integers as batch_size"), std::string::npos);
  EXPECT_NE(flattened("batch_size = 1, input_height = 8").find("expected integers as batch_size"), std::string::npos);
  EXPECT_NE(flattened("input_height = 8, input_width = 8").find("expected integers as batch_size"), std::string::npos);
  expectSaid({{OpKind::TtirIndexSelect,
               {{10, 3}},
               {{5, 3}},
               {num("dim", 0), num("begin", 0), num("stride", 4), {"length", rawAttr("mine<2>")}},
               ""}});
}

}  // namespace
}  // namespace tessera::test
