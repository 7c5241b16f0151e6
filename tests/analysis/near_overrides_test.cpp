// What a user fixes by hand, spelled nearly right; and ops without a tensor, a layout or a function, which nothing is
// fixed for and nothing is chosen for.

#include "core/analysis/conv_settings.h"
#include "core/analysis/layout_overrides.h"
#include "core/analysis/legal_op_layouts.h"
#include "core/analysis/op_order.h"
#include "core/analysis/override_origins.h"
#include "core/ir/builder.h"
#include "tests/policy/test_graphs.h"
#include "tests/short_forms.h"

namespace tessera::test {
namespace {

// Each field that is given has to be the layout's; as many cores in another form are another grid.
TEST(NearOverrides, OneFieldThatDiffersIsEnough) {
  const TensorLayout layout =
      *makeLayout({256, 64}, {.buffer = BufferType::L1, .memory = TensorMemoryLayout::HeightSharded, .grid = {8, 1}},
                  allDevices()[0]);
  EXPECT_TRUE((OutputLayoutOverride{}.accepts(layout)));
  const OutputLayoutOverride all{GridShape{8, 1}, BufferType::L1, TensorMemoryLayout::HeightSharded, PageLayout::Tile,
                                 DType::BF16};
  EXPECT_TRUE(all.accepts(layout));
  for (const GridShape grid : {GridShape{1, 8}, GridShape{2, 4}, GridShape{4, 2}, GridShape{8, 2}, GridShape{7, 1}}) {
    OutputLayoutOverride other = all;
    other.grid = grid;
    EXPECT_FALSE(other.accepts(layout)) << grid.rows << "x" << grid.cols;
  }
  const auto refuses = [&](auto change) {
    OutputLayoutOverride other = all, alone;
    change(other), change(alone);
    return !other.accepts(layout) && !alone.accepts(layout);
  };
  EXPECT_TRUE(refuses([](OutputLayoutOverride& o) { o.buffer = BufferType::DRAM; }));
  EXPECT_TRUE(refuses([](OutputLayoutOverride& o) { o.memory = TensorMemoryLayout::WidthSharded; }));
  EXPECT_TRUE(refuses([](OutputLayoutOverride& o) { o.page = PageLayout::RowMajor; }));
  EXPECT_TRUE(refuses([](OutputLayoutOverride& o) { o.dtype = DType::F32; }));
}

// A type that the device does not have asks for the one in whose place it is stored.
TEST(NearOverrides, ATypeIsMetAsTheDeviceStoresIt) {
  const auto accepted = [](DType asked, DType stored) {
    const auto layout = makeLayout({64, 64}, {.dtype = stored}, allDevices()[0]);
    EXPECT_TRUE(layout);
    return layout && OutputLayoutOverride{.dtype = asked}.accepts(*layout);
  };
  EXPECT_TRUE(accepted(DType::F64, DType::F32));
  EXPECT_TRUE(accepted(DType::I64, DType::I32));
  EXPECT_FALSE(accepted(DType::F64, DType::BF16));
  EXPECT_FALSE(accepted(DType::I64, DType::U32));
}

std::string firstSaid(const Diagnostics& diags) {
  return diags.all().empty() ? std::string() : diags.all().front().message;
}

ValueType noTensor() {
  ValueType token;
  token.opaque = "!x.token";
  return token;
}

// A function of one op.
struct SingleOp {
  Graph graph;
  OpId op;

  SingleOp(OpKind kind, const std::vector<ValueType>& operands, const std::vector<ValueType>& results,
           AttrList attrs = {}) {
    GraphBuilder builder(graph);
    const FuncId func = builder.addFunction("f");
    graph.forward = func;
    std::vector<ValueId> values;
    for (const ValueType& type : operands) values.push_back(builder.addArgument(func, "a", type));
    OpSpec spec = kind == OpKind::Opaque
                      ? OpSpec{.kind = kind, .name = "x.op", .operands = values, .resultTypes = results}
                      : makeOp(kind, values, results);
    spec.attrs = std::move(attrs);
    spec.loc = "it";
    op = builder.append(func, std::move(spec));
  }
  // It stands in no function any more.
  SingleOp& remove() {
    graph.ops.edit(op).func = FuncId{};
    return *this;
  }
};

SingleOp convolutionOf(const ValueType& result, AttrList attrs = {}) {
  return {OpKind::TtnnConv2d, {tensor({1, 1, 64, 64}), tensor({64, 64, 1, 1})}, {result}, std::move(attrs)};
}

TEST(OverrideSpelling, PartsOfALayoutThatAreNone) {
  const auto said = [](const char* text) {
    Diagnostics diags;
    EXPECT_TRUE(parseLayoutOverrides(text, diags).empty()) << text;
    EXPECT_EQ(diags.errorCount(), 1u) << text;
    return firstSaid(diags);
  };
  EXPECT_NE(said("a=none").find("a part is `none`"), std::string::npos) << "the memory layout of host tensors";
  EXPECT_NE(said("a=l1:none").find("a part is `none`"), std::string::npos);
  EXPECT_NE(said("=dram").find("the entry is `=dram`, expected `op=settings`"), std::string::npos);
  EXPECT_NE(said(" =dram").find("expected `op=settings`"), std::string::npos);
  EXPECT_NE(said("=").find("expected `op=settings`"), std::string::npos);
}

TEST(OverrideSpelling, AnOpIsNamedOnceWhateverStandsBetween) {
  Diagnostics diags;
  const LayoutOverrides overrides = parseLayoutOverrides("a=dram,b=l1,a=l1,c=dram,b=dram", diags);
  ASSERT_EQ(overrides.size(), 3u);
  EXPECT_EQ(overrides[0].op + overrides[1].op + overrides[2].op, "abc");
  EXPECT_EQ(overrides[0].settings.buffer, BufferType::DRAM);
  EXPECT_EQ(overrides[1].settings.buffer, BufferType::L1);
  EXPECT_EQ(diags.errorCount(), 2u);
  EXPECT_EQ(firstSaid(diags), "override of `a`: the op is given twice");
}

TEST(OverrideSpelling, SettingsOfConvolutionsThatAreNone) {
  const auto said = [](const std::string& setting) {
    Diagnostics diags;
    const bool none = parseConv2dOverrides("c=" + setting, diags).empty();
    EXPECT_EQ(none, diags.errorCount() == 1) << setting;
    return firstSaid(diags);
  };
  const std::pair<const char*, const char*> kBroken[] = {
      {"act_block_h_override#32x", "a multiple of 32, or 0 for the library's choice"},
      {"act_block_h_override#32 64", "a multiple of 32, or 0 for the library's choice"},
      {"act_block_h_override#2147483648", "a multiple of 32, or 0 for the library's choice"},
      {"act_block_w_div#2147483648", "a whole number of at least 1"},
      {"act_block_w_div#2.5", "a whole number of at least 1"},
      {"activation#", "the name of an activation such as `relu`"},
      {"activation#2relu", "the name of an activation such as `relu`"},
      {"activation#relu;", "the name of an activation such as `relu`"},
      {"weights_dtype#float", "an element type of the device such as `bf16`"},
      {"weights_dtype#", "an element type of the device such as `bf16`"},
      {"shard_layout#diagonal", "`height_sharded`, `width_sharded` or `block_sharded`"},
      {"shard_layout#none", "`height_sharded`, `width_sharded` or `block_sharded`"},
      {"core_grid#8", "rows x columns such as `8x8`"},
      {"core_grid#8x0", "rows x columns such as `8x8`"},
      {"core_grid#x8", "rows x columns such as `8x8`"},
      {"core_grid#8x8x8", "rows x columns such as `8x8`"},
      {"output_layout#", "`tile` or `row_major`"},
      {"transpose_shards#TRUE", "`true` or `false`"},
      {"#relu", "a field of conv2d_config"},
      {"Activation#relu", "a field of conv2d_config"},
  };
  for (const auto& [setting, expected] : kBroken)
    EXPECT_NE(said(setting).find(std::string("expected ") + expected), std::string::npos) << said(setting);
  for (const char* fine : {"act_block_h_override#2147483616", "act_block_w_div#2147483647", "core_grid#1x1"})
    EXPECT_EQ(said(fine), "") << fine;
}

// `<op>_in_<n>_layout` is a conversion only when all of it stands there.
TEST(OverrideNames, ConversionsAreWrittenOut) {
  const SingleOp one(OpKind::TtnnRelu, {tensor({64, 64})}, {tensor({64, 64})});
  const auto unknown = [&](const std::string& name) {
    Diagnostics diags;
    checkOverrides(parseLayoutOverrides(name + "=l1", diags), one.graph, n150(), diags);
    return firstSaid(diags);
  };
  EXPECT_EQ(unknown("it"), "");
  EXPECT_EQ(unknown("it_in_0_layout"), "");
  for (const char* name :
       {"it_layout", "it_0_layout", "it_in_0", "it_in_0x_layout", "it_in__layout", "_in_0_layout", "_layout", "layout",
        "it_in_0_layouts", "it_in_-1_layout", "it_in_99999999999999999999_layout", "it_in_1_layout"})
    EXPECT_NE(unknown(name).find("which is not in the graph"), std::string::npos) << name;
}

TEST(OverrideNames, OpsThatWereRemovedAreNotInTheGraph) {
  SingleOp conv = convolutionOf(tensor({1, 1, 64, 64}));
  Diagnostics diags;
  const LayoutOverrides layouts = parseLayoutOverrides("it=l1,it_in_0_layout=dram", diags);
  const Conv2dOverrides settings = parseConv2dOverrides("it=activation#relu", diags);
  const auto mistakes = [&] {
    Diagnostics found;
    checkOverrides(layouts, conv.graph, n150(), found);
    checkOverrides(settings, conv.graph, found);
    return found.errorCount();
  };
  const auto config = [&] {
    const Graph after = withConvSettings(conv.graph, settings, diags);
    return findAttr(after.ops[conv.op], "conv2d_config") != nullptr;
  };
  const auto idle = [&] {
    LayoutOverrides overrides = parseLayoutOverrides("it=f32", diags);
    dropIdleOverrides(overrides, conv.graph);
    return overrides.empty();
  };
  EXPECT_EQ(mistakes(), 0u);
  EXPECT_TRUE(config());
  EXPECT_FALSE(idle());
  conv.remove();
  EXPECT_EQ(mistakes(), 3u);
  EXPECT_FALSE(config());
  EXPECT_TRUE(idle()) << "no op has another type";
  EXPECT_TRUE(diags.all().empty());
}

TEST(OverrideNames, OnlyAnElementTypeAloneIsIdle) {
  const SingleOp one(OpKind::Opaque, {}, {noTensor(), tensor({64, 64}, DType::BF16)});
  const auto left = [&](const char* text) {
    Diagnostics diags;
    LayoutOverrides overrides = parseLayoutOverrides(text, diags);
    EXPECT_EQ(overrides.size(), 1u) << text;
    dropIdleOverrides(overrides, one.graph);
    return overrides.size();
  };
  EXPECT_EQ(left("it=bf16"), 0u) << "what is no tensor has no type to change";
  EXPECT_EQ(left("it=f32"), 1u);
  EXPECT_EQ(left("it=bf16:interleaved"), 1u);
  EXPECT_EQ(left("it=bf16:l1"), 1u);
  EXPECT_EQ(left("it=interleaved"), 1u);
}

// An origin that the source does not have stands for none of its ops.
TEST(OverrideNames, OriginsOutsideOfTheSourceAreNone) {
  const SingleOp source(OpKind::TtnnExp, {tensor({64, 64})}, {tensor({64, 64})});
  SingleOp lowered(OpKind::TtnnRelu, {tensor({64, 64})}, {tensor({64, 64})});
  lowered.graph.ops.edit(lowered.op).loc = "another";
  const auto followed = [&](OpId origin) {
    lowered.graph.ops.edit(lowered.op).origins = {origin};
    LayoutOverrides overrides = {{"it", {}}};
    followOrigins(overrides, source.graph, lowered.graph);
    return overrides[0].op;
  };
  const std::string result = "%" + lowered.graph.values[lowered.graph.ops[lowered.op].results[0]].name;
  EXPECT_EQ(followed(source.op), result);
  EXPECT_EQ(followed(OpId{1}), "it");
  EXPECT_EQ(followed(OpId{1000}), "it");
}

// The config is set all the same; where the result lies is changed only when the program says where.
TEST(ConvSettingsOf, ResultsThatHaveNoLayoutKeepNone) {
  for (const ValueType& result : {tensor({1, 1, 64, 64}), noTensor()}) {
    const SingleOp conv = convolutionOf(result);
    Diagnostics diags;
    const Graph after = withConvSettings(conv.graph, parseConv2dOverrides("it=output_layout#row_major", diags), diags);
    EXPECT_TRUE(diags.all().empty());
    const AttrValue* config = findAttr(after.ops[conv.op], "conv2d_config");
    ASSERT_NE(config, nullptr);
    EXPECT_NE(config->text.find("output_layout = row_major"), std::string::npos) << config->text;
    EXPECT_EQ(after.values[after.ops[conv.op].results[0]].type, result);
  }
}

TEST(ConvSettingsOf, OtherOpsHaveNone) {
  const SingleOp one(OpKind::TtnnRelu, {tensor({64, 64})}, {tensor({64, 64})});
  Diagnostics diags;
  const Graph after = withConvSettings(one.graph, parseConv2dOverrides("it=activation#relu", diags), diags);
  EXPECT_EQ(findAttr(after.ops[one.op], "conv2d_config"), nullptr);
  checkOverrides(parseConv2dOverrides("it=activation#relu", diags), one.graph, diags);
  EXPECT_NE(firstSaid(diags).find("an op with a conv2d_config"), std::string::npos);
}

LegalOpLayouts chosenFor(const SingleOp& one, const char* overrides, Diagnostics& diags) {
  std::vector<std::optional<TensorLayout>> inputs;
  for (ValueId operand : one.graph.ops[one.op].operands) {
    const ValueType& type = one.graph.values[operand].type;
    inputs.push_back(type.isTensor() ? std::optional<TensorLayout>(*makeLayout(type.tensor->shape, {}, n150()))
                                     : std::nullopt);
  }
  LegalLayoutCache cache(n150(), {});
  const LayoutOverrides parsed = parseLayoutOverrides(overrides, diags);
  const OpModel model(n150());
  L1Budget budget(n150().usableL1());
  return legalOpLayouts(one.graph, one.op, inputs, cache, model, budget, {}, findOverride(parsed, one.graph, one.op),
                        diags);
}

TEST(LegalLayoutsOf, OpsWithoutATensorHaveNone) {
  Diagnostics diags;
  EXPECT_TRUE(chosenFor(SingleOp(OpKind::Opaque, {}, {noTensor()}), "", diags).layouts.empty());
  EXPECT_TRUE(chosenFor(SingleOp(OpKind::Opaque, {}, {}), "it=dram", diags).layouts.empty());
  const SingleOp second(OpKind::Opaque, {}, {noTensor(), tensor({64, 64})});
  EXPECT_FALSE(chosenFor(second, "", diags).layouts.empty()) << "the first result that is a tensor counts";
  EXPECT_TRUE(diags.all().empty()) << firstSaid(diags);
}

// All four parts leave one layout; on the host there are no cores to lay a tensor out over.
TEST(LegalLayoutsOf, AResultMayBeFixedToTheHost) {
  const SingleOp one(OpKind::TtnnRelu, {tensor({64, 64})}, {tensor({64, 64})});
  Diagnostics diags;
  for (const char* text :
       {"it=1x1:system_memory:interleaved:row_major", "it=8x8:system_memory:block_sharded:row_major"}) {
    const LegalOpLayouts legal = chosenFor(one, text, diags);
    ASSERT_EQ(legal.layouts.size(), 1u) << text;
    EXPECT_EQ(legal.layouts[0].buffer, BufferType::SystemMemory) << text;
    EXPECT_EQ(legal.layouts[0].memory, TensorMemoryLayout::None) << text;
    EXPECT_EQ(legal.layouts[0].page, PageLayout::RowMajor) << text;
  }
  EXPECT_TRUE(diags.all().empty()) << firstSaid(diags);
}

TEST(MatmulProgramsOf, ProductsThatAreNoneHaveNoProgram) {
  const TensorLayout shards = *makeLayout(
      {64, 64}, {.buffer = BufferType::L1, .memory = TensorMemoryLayout::HeightSharded, .grid = {2, 1}}, n150());
  const auto has = [&](const ValueType& a, const ValueType& b, const ValueType& result) {
    const SingleOp one(OpKind::TtnnMatmul, {a, b}, {result});
    return matmulProgramConfig(one.graph, one.op, shards).has_value();
  };
  const ValueType fine = tensor({64, 64});
  EXPECT_TRUE(has(fine, fine, fine));
  EXPECT_FALSE(has(noTensor(), fine, fine));
  EXPECT_FALSE(has(fine, noTensor(), fine));
  EXPECT_FALSE(has(fine, fine, noTensor()));
  EXPECT_FALSE(has(fine, fine, tensor({0, 64})));
  EXPECT_FALSE(has(fine, fine, tensor({64, 0})));
  EXPECT_FALSE(has(fine, fine, tensor({int64_t{1} << 62, int64_t{1} << 62})));
}

// Steps of two tiles of the inner size, of one where that is odd; a flag that is a number transposes nothing.
TEST(MatmulProgramsOf, StepsDivideTheInnerSize) {
  const auto step = [](int64_t k, int64_t columns, AttrList attrs = {}) {
    const TensorLayout layout =
        *makeLayout({32, 32 * columns},
                    {.buffer = BufferType::L1, .memory = TensorMemoryLayout::WidthSharded, .grid = {1, 8}}, n150());
    const SingleOp one(OpKind::TtnnMatmul, {tensor({32, 32 * k}), tensor({32 * k, 32 * columns})},
                       {tensor({32, 32 * columns})}, std::move(attrs));
    return matmulProgramConfig(one.graph, one.op, layout)->in0BlockW;
  };
  EXPECT_EQ(step(8, 129), 2);
  EXPECT_EQ(step(7, 129), 1);
  EXPECT_EQ(step(7, 128), 1);
  EXPECT_EQ(step(12, 128), 4);
  EXPECT_EQ(step(8, 64, {{"transpose_a", boolAttr(true)}}), 1) << "of its one row of tiles";
  EXPECT_EQ(step(8, 64, {{"transpose_a", intAttr(1)}}), 8);
  EXPECT_EQ(step(8, 64, {{"transpose_a", stringAttr("true")}}), 8);
}

}  // namespace
}  // namespace tessera::test
