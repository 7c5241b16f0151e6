#include "core/analysis/legal_op_layouts.h"

#include <algorithm>

namespace tessera {
namespace {

// The first tensor result; invalid when the op has none.
ValueId tensorResult(const Graph& graph, OpId op) {
  for (ValueId result : graph.ops[op].results) {
    if (graph.values[result].type.isTensor()) return result;
  }
  return {};
}

// The program fixes the layout of the result.
bool keepsItsLayout(const Graph& graph, OpId op, const TensorType& type) {
  const OpInfo& info = opInfo(graph.ops[op].kind);
  return type.layout.has_value() &&
         (info.has(kToLayout) || info.family == Family::Device || info.kind == OpKind::TtnnEmpty);
}

class Collector {
 public:
  Collector(const Graph& graph, OpId op, std::span<const std::optional<TensorLayout>> inputs, const OpModel& model,
            L1Budget& budget, bool ask, bool shardedRows)
      : graph_(graph), op_(op), inputs_(inputs), model_(model), budget_(budget), ask_(ask), shardedRows_(shardedRows) {
    if (ask) interned_ = model.intern(inputs, ids_);
  }
  Collector(const Collector&) = delete;
  Collector& operator=(const Collector&) = delete;

  // Adds up to `limit` layouts that the op accepts.
  void add(const std::vector<TensorLayout>& candidates, size_t limit, LegalOpLayouts& into) const {
    size_t taken = 0;
    for (size_t i = 0; i < candidates.size(); ++i) {
      if (taken >= limit) {
        into.notTried += candidates.size() - i;
        return;
      }
      if (accepts(candidates[i], into)) {
        into.layouts.push_back(candidates[i]);
        ++taken;
      }
    }
  }

 private:
  bool accepts(const TensorLayout& candidate, LegalOpLayouts& into) const {
    if (!ask_) return true;
    const OpConfig config{candidate, {}};
    OpQuery query{graph_, op_, inputs_, config, Bytes(0)};
    query.interned = interned_;
    const OpVerdict verdict = model_.validateOperation(query, budget_);
    // Operands start in tiles: one that has to be in rows is converted, or its producer writes rows, too. Rows are cut
    // into shards only for a user who asks for it: what there is of them over more cores than tiles have is no gain.
    const bool becauseOfOperand = candidate.page == PageLayout::RowMajor && verdict.operand >= 0 &&
                                  verdict.status == OpStatus::MetalBackendError &&
                                  (shardedRows_ || !candidate.sharded());
    if (verdict.ok() || becauseOfOperand) return true;
    into.rejected.push_back({candidate, verdict});
    return false;
  }

  const Graph& graph_;
  OpId op_;
  std::span<const std::optional<TensorLayout>> inputs_;
  std::vector<LayoutId> ids_;
  InternedInputs interned_;  // the same by number
  const OpModel& model_;
  L1Budget& budget_;
  bool ask_;
  bool shardedRows_;
};

std::string opText(const Graph& graph, OpId op) {
  return graph.ops[op].loc.empty() ? graph.ops[op].name : graph.ops[op].loc;
}

// The one layout of a full override, when it can be made at all.
void addFixed(const Graph& graph, OpId op, const TensorType& type, const OutputLayoutOverride& fixed,
              const DeviceSpec& device, LegalOpLayouts& into, Diagnostics& diags) {
  const bool host = *fixed.buffer == BufferType::SystemMemory;
  const LayoutRequest request{.dtype = fixed.dtype.value_or(type.dtype),
                              .buffer = *fixed.buffer,
                              .memory = host ? TensorMemoryLayout::None : *fixed.memory,
                              .page = *fixed.page,
                              .grid = *fixed.grid};
  const Result<TensorLayout, LayoutDefect> layout = makeLayout(type.shape, request, device);
  if (layout) into.layouts.push_back(*layout);
  else diags.report(DiagKind::OverrideLeavesNothing, graph.ops[op].span, {opText(graph, op), layout.error().text});
}

}  // namespace

LegalOpLayouts legalOpLayouts(const Graph& graph, OpId op, std::span<const std::optional<TensorLayout>> inputs,
                              LegalLayoutCache& cache, const OpModel& model, L1Budget& budget,
                              const LegalOpLayoutOptions& options, const OutputLayoutOverride* fixed,
                              Diagnostics& diags) {
  LegalOpLayouts legal;
  const ValueId result = tensorResult(graph, op);
  if (!result.valid()) return legal;
  const TensorType& type = *graph.values[result].type.tensor;
  if (keepsItsLayout(graph, op, type)) {
    legal.layouts.push_back(*type.layout);
    return legal;
  }
  if (fixed && fixed->full()) {
    addFixed(graph, op, type, *fixed, model.device(), legal, diags);
    return legal;
  }
  const LegalTensorLayouts& candidates = cache.get(type.shape, fixed && fixed->dtype ? *fixed->dtype : type.dtype);
  const bool rowsFixed = fixed && fixed->page == PageLayout::RowMajor;
  const bool rowsToo = options.rowMajorEnabled || rowsFixed;
  const Collector collector(graph, op, inputs, model, budget, options.askOpModel, rowsFixed);
  for (PageLayout page : {PageLayout::Tile, PageLayout::RowMajor}) {
    if (page == PageLayout::Tile || rowsToo) collector.add(candidates.interleaved(page), SIZE_MAX, legal);
  }
  const size_t most = static_cast<size_t>(std::max(options.maxLegalLayouts, 0));
  const size_t rowMajorMost = rowsToo ? most / 2 : 0;
  collector.add(candidates.sharded(PageLayout::Tile), most - rowMajorMost, legal);
  if (rowsToo) collector.add(candidates.sharded(PageLayout::RowMajor), rowMajorMost, legal);
  if (fixed) {
    std::vector<TensorLayout>& layouts = legal.layouts;
    layouts.erase(std::remove_if(layouts.begin(), layouts.end(),
                                 [&](const TensorLayout& layout) { return !fixed->accepts(layout); }),
                  layouts.end());
    if (layouts.empty()) {
      diags.report(DiagKind::OverrideLeavesNothing, graph.ops[op].span,
                   {opText(graph, op),
                    "none of the layouts kept by --max-legal-layouts fits it; give grid, buffer type, memory layout "
                    "and page layout"});
    }
  }
  return legal;
}

namespace {

// The values of one setting: what the user fixed, else what is searched, else "unset" alone.
template <class T>
std::vector<std::optional<T>> choices(const std::optional<T>& fixed, const std::vector<T>& searched) {
  if (fixed) return {fixed};
  std::vector<std::optional<T>> all;
  for (const T value : searched) all.push_back(value);
  if (all.empty()) all.push_back(std::nullopt);
  return all;
}

// All combinations, by an odometer whose last wheel turns fastest.
std::vector<Conv2dAttrs> conv2dSettings(const Conv2dSearchSpace& space, const Conv2dConfigOverride& fixed) {
  const auto heights = choices(fixed.actBlockHOverride, space.actBlockHOverride);
  const auto deallocates = choices(fixed.deallocateActivation, space.deallocateActivation);
  const auto reshards = choices(fixed.reshardIfNotOptimal, space.reshardIfNotOptimal);
  const size_t wheels[] = {heights.size(), deallocates.size(), reshards.size()};
  size_t at[] = {0, 0, 0};
  std::vector<Conv2dAttrs> settings;
  while (true) {
    settings.push_back({heights[at[0]], deallocates[at[1]], reshards[at[2]]});
    size_t wheel = std::size(wheels);
    while (wheel > 0 && ++at[wheel - 1] == wheels[wheel - 1]) at[--wheel] = 0;
    if (wheel == 0) return settings;
  }
}

// Setting reshard_if_not_optimal means nothing unless a shard layout is asked for (tt-mlir TTNNOpsAttrs.td).
bool sensible(const Conv2dAttrs& attrs, const TensorLayout& layout) {
  return !attrs.reshardIfNotOptimal.value_or(false) || layout.sharded();
}

bool boolAttrOf(const Op& op, std::string_view name) {
  const AttrValue* attr = findAttr(op, name);
  return attr && attr->kind == AttrValueKind::Bool && attr->integer != 0;
}

int64_t tilesOf(int64_t extent) { return ceilDiv(std::max<int64_t>(extent, 1), kTileSide); }

// The largest of 8, 4, 2, 1 that divides `tiles`.
int64_t blockDividing(int64_t tiles) {
  for (int64_t block : {8, 4, 2}) {
    if (tiles % block == 0) return block;
  }
  return 1;
}

// The largest divisor of `tiles` that fits the destination registers: 8 tiles of 16 bits (tt-metal matrix_engine.md),
// half as many of 32.
int64_t subblockWidth(int64_t tiles, int64_t most) {
  for (int64_t width = most; width > 1; --width) {
    if (tiles % width == 0) return width;
  }
  return 1;
}

}  // namespace

std::optional<MatmulAttrs> matmulProgramConfig(const Graph& graph, OpId op, const TensorLayout& output) {
  const Op& matmul = graph.ops[op];
  const ValueId result = tensorResult(graph, op);
  if (!output.isL1() || !output.sharded() || !result.valid() || matmul.operands.size() < 2) return std::nullopt;
  const ValueType& a = graph.values[matmul.operands[0]].type;
  const ValueType& b = graph.values[matmul.operands[1]].type;
  if (!a.isTensor() || !b.isTensor() || a.tensor->shape.size() < 2 || b.tensor->shape.size() < 2) return std::nullopt;
  const Shape& shapeB = b.tensor->shape;
  for (size_t i = 0; i + 2 < shapeB.size(); ++i) {
    if (shapeB[i] != 1) return std::nullopt;
  }
  const Result<PhysicalShape, LayoutDefect> tiles =
      physicalShape(graph.values[result].type.tensor->shape, PageLayout::Tile);
  if (!tiles || tiles->rows == 0 || tiles->cols == 0) return std::nullopt;
  const Shape& shapeA = a.tensor->shape;
  const int64_t k = tilesOf(shapeA[shapeA.size() - (boolAttrOf(matmul, "transpose_a") ? 2 : 1)]);

  MatmulAttrs attrs{.outSubblockH = 1};
  const int64_t cores = output.grid.volume();
  const bool twoDimensional =
      output.memory == TensorMemoryLayout::BlockSharded && output.grid.rows > 1 && output.grid.cols > 1;
  const bool byWidth = output.memory == TensorMemoryLayout::WidthSharded ||
                       (output.memory == TensorMemoryLayout::BlockSharded && output.grid.rows == 1);
  if (twoDimensional) {
    attrs.program = MatmulProgram::MultiCast2d;
    attrs.perCoreM = ceilDiv(tiles->rows, output.grid.rows);
    attrs.perCoreN = ceilDiv(tiles->cols, output.grid.cols);
    attrs.in0BlockW = k % 2 == 0 ? 2 : 1;
  } else if (byWidth) {
    attrs.program = MatmulProgram::MultiCast1dIn0;
    attrs.perCoreM = tiles->rows;
    attrs.perCoreN = ceilDiv(tiles->cols, cores);
    attrs.in0BlockW = tiles->cols > 128 ? (k % 2 == 0 ? 2 : 1) : blockDividing(k);
  } else {
    attrs.program = MatmulProgram::MultiCast1dIn1;
    attrs.perCoreM = ceilDiv(tiles->rows, cores);
    attrs.perCoreN = tiles->cols;
    attrs.in0BlockW = k;
  }
  const AttrValue* compute = findAttr(matmul, "compute_config");
  attrs.outSubblockW =
      subblockWidth(attrs.perCoreN, compute && parseComputeConfig(compute->text).fp32DestAcc.value_or(false) ? 4 : 8);
  return attrs;
}

std::vector<OpConfig> legalOpConfigs(const Graph& graph, OpId op, const std::vector<TensorLayout>& layouts,
                                     const Conv2dSearchSpace& space, const Conv2dConfigOverride* fixed) {
  const OpInfo& info = opInfo(graph.ops[op].kind);
  std::vector<OpConfig> configs;
  if (info.has(kHasConvConfig)) {
    const std::vector<Conv2dAttrs> settings = conv2dSettings(space, fixed ? *fixed : Conv2dConfigOverride{});
    for (const TensorLayout& layout : layouts) {
      for (const Conv2dAttrs& attrs : settings) {
        if (sensible(attrs, layout)) configs.push_back({layout, attrs});
      }
    }
    return configs;
  }
  for (const TensorLayout& layout : layouts) configs.push_back({layout, {}});
  return configs;
}

}  // namespace tessera
