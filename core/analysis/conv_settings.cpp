#include "core/analysis/conv_settings.h"

#include "core/ir/builder.h"
#include "core/ops/table/conv2d_config.h"
#include "core/ops/table/op_table.h"

namespace tessera {

namespace {

class ConvSettings {
 public:
  ConvSettings(std::string_view op, const Conv2dConfigOverride& fixed, std::string_view had, Diagnostics& diags)
      : op_(op), fixed_(fixed), text_(had.empty() ? "#ttnn.conv2d_config<>" : std::string(had)), diags_(diags) {}

  std::string text() {
    flag("deallocate_activation", fixed_.deallocateActivation);
    flag("reallocate_halo_output", fixed_.reallocateHaloOutput);
    flag("reshard_if_not_optimal", fixed_.reshardIfNotOptimal);
    flag("override_sharding_config", fixed_.overrideShardingConfig);
    flag("enable_act_double_buffer", fixed_.enableActDoubleBuffer);
    flag("enable_weights_double_buffer", fixed_.enableWeightsDoubleBuffer);
    if (fixed_.weightsDtype) set("weights_dtype", std::string(dtypeName(*fixed_.weightsDtype)));
    if (fixed_.actBlockHOverride) set("act_block_h_override", std::to_string(*fixed_.actBlockHOverride));
    if (fixed_.shardLayout) set("shard_layout", std::string(tensorMemoryLayoutName(*fixed_.shardLayout)));
    if (fixed_.outputLayout) set("output_layout", std::string(pageLayoutName(*fixed_.outputLayout)));
    setActivation();
    setBlockWidth();
    setGrid();
    setTransposedShards();
    return text_;
  }

 private:
  void set(std::string_view name, const std::string& value) { text_ = withConv2dConfigField(text_, name, value); }
  void flag(std::string_view name, const std::optional<bool>& value) {
    if (value) set(name, *value ? "true" : "false");
  }
  void refuse(std::string_view key, const std::string& seen, std::string_view rule) {
    diags_.report(DiagKind::BadOverride, {}, {op_, "`" + std::string(key) + "`", "`" + seen + "`", rule});
  }

  // Kernels of convolutions end with any element-wise op of one operand that the library knows.
  void setActivation() {
    if (!fixed_.activation) return;
    const OpKind kind = opKindFromName("ttnn." + *fixed_.activation);
    if (opInfo(kind).family != Family::EltwiseUnary)
      return refuse("activation", *fixed_.activation, "an element-wise op of the library such as `relu`");
    set("activation", "<op_type = " + *fixed_.activation + ">");
  }

  bool shardedAs(TensorMemoryLayout memory) const {
    return conv2dConfigField(text_, "shard_layout") == tensorMemoryLayoutName(memory);
  }

  // tt-metal tech_reports/CNNs/ttcnn.md, Conv2dConfig.
  void setBlockWidth() {
    if (!fixed_.actBlockWDiv) return;
    if (*fixed_.actBlockWDiv > 1 && !shardedAs(TensorMemoryLayout::WidthSharded))
      return refuse("act_block_w_div", std::to_string(*fixed_.actBlockWDiv),
                    "1, or `shard_layout#width_sharded` beside it: only those blocks are cut along their width");
    set("act_block_w_div", std::to_string(*fixed_.actBlockWDiv));
  }

  void setGrid() {
    if (!fixed_.coreGrid) return;
    const GridShape grid = *fixed_.coreGrid;
    const std::string seen = std::to_string(grid.rows) + "x" + std::to_string(grid.cols);
    if (!fixed_.overrideShardingConfig.value_or(false))
      return refuse("core_grid", seen,
                    "`override_sharding_config#true` beside it: without that the library takes cores by itself");
    set("core_grid", "#ttnn.core_range_set<[#ttnn.core_range<(0,0), (" + std::to_string(grid.cols - 1) + "," +
                         std::to_string(grid.rows - 1) + ")>]>");
  }

  void setTransposedShards() {
    if (!fixed_.transposeShards) return;
    if (*fixed_.transposeShards && !shardedAs(TensorMemoryLayout::BlockSharded))
      return refuse("transpose_shards", "true",
                    "`shard_layout#block_sharded` beside it: other shards lie in one line and have no transpose");
    set("transpose_shards", *fixed_.transposeShards ? "true" : "false");
  }

  std::string_view op_;
  const Conv2dConfigOverride& fixed_;
  std::string text_;
  Diagnostics& diags_;
};

}  // namespace

Graph withConvSettings(const Graph& from, const Conv2dOverrides& overrides, Diagnostics& diags) {
  Graph graph = from;
  GraphBuilder builder(graph);
  for (const NamedOverride<Conv2dConfigOverride>& named : overrides) {
    for (OpId id : from.ops.ids()) {
      const Op& op = from.ops[id];
      if (!op.func.valid() || !overrideNames(named.op, from, id) || !opInfo(op.kind).has(kHasConvConfig)) continue;
      const AttrValue* had = findAttr(op, "conv2d_config");
      const std::string text =
          ConvSettings(named.op, named.settings, had ? std::string_view(had->text) : std::string_view(), diags).text();
      builder.setAttr(id, "conv2d_config", rawAttr(text));
      const bool rows = named.settings.outputLayout == PageLayout::RowMajor;
      if (!rows || op.results.empty() || !graph.values[op.results[0]].type.isTensor()) continue;
      // Where rows are written is the program's to say: policies choose among tiles.
      TensorType& type = *graph.values.edit(op.results[0]).type.tensor;
      if (!type.layout) continue;
      const Result<PhysicalShape, LayoutDefect> whole = physicalShape(type.shape, PageLayout::RowMajor);
      if (!whole) continue;
      type.layout->page = PageLayout::RowMajor;
      type.layout->shardRows = whole->rows;
      type.layout->shardCols = whole->cols;
      type.encoding.clear();
    }
  }
  return graph;
}

}  // namespace tessera
