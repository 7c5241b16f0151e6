#include "core/analysis/layout_overrides.h"

#include <limits>

#include "core/analysis/override_text.h"
#include "core/ir/text/text_cursor.h"
#include "core/ops/table/op_table.h"

namespace tessera {
namespace {

constexpr Span kNoPlace{};

std::string code(std::string_view text) { return "`" + std::string(text) + "`"; }

// "2x4"; nothing when it is no grid, a grid with a zero when a side is 0.
std::optional<GridShape> parseGrid(std::string_view text) {
  TextCursor cursor(text);
  const std::optional<int64_t> rows = cursor.number();
  if (!rows || !cursor.eatChar('x')) return std::nullopt;
  const std::optional<int64_t> cols = cursor.number();
  if (!cols || !cursor.atEnd() || *rows > std::numeric_limits<int32_t>::max() ||
      *cols > std::numeric_limits<int32_t>::max())
    return std::nullopt;
  return GridShape{static_cast<int32_t>(*rows), static_cast<int32_t>(*cols)};
}

bool beginsLikeAGrid(std::string_view text) { return !text.empty() && TextCursor::isDigit(text.front()); }

// Puts a value that may be given once only.
template <class T>
bool put(std::optional<T>& slot, std::optional<T> value, std::string_view op, std::string_view what,
         Diagnostics& diags) {
  if (slot) {
    diags.report(DiagKind::DuplicateOverride, kNoPlace, {op, what});
    return false;
  }
  slot = std::move(value);
  return true;
}

bool readLayoutSegment(std::string_view segment, std::string_view op, OutputLayoutOverride& into, Diagnostics& diags) {
  if (beginsLikeAGrid(segment)) {
    const std::optional<GridShape> grid = parseGrid(segment);
    if (!grid || grid->rows < 1 || grid->cols < 1)
      return badOverride(op, "the grid", code(segment), "rows x columns such as `8x8`, both at least 1", diags);
    return put(into.grid, grid, op, "grid", diags);
  }
  if (const auto buffer = parseBufferType(segment)) return put(into.buffer, buffer, op, "buffer type", diags);
  if (const auto memory = parseTensorMemoryLayout(segment); memory && *memory != TensorMemoryLayout::None) {
    return put(into.memory, memory, op, "memory layout", diags);
  }
  if (const auto page = parsePageLayout(segment)) return put(into.page, page, op, "page layout", diags);
  if (const auto dtype = parseDType(segment)) return put(into.dtype, dtype, op, "element type", diags);
  return badOverride(op, "a part", code(segment),
                     "a grid, a buffer type, a memory layout, `tile` or `row_major`, or an element type", diags);
}

bool readLayout(std::string_view text, std::string_view op, OutputLayoutOverride& into, Diagnostics& diags) {
  for (std::string_view segment : splitParts(text, ':')) {
    if (!readLayoutSegment(segment, op, into, diags)) return false;
  }
  return true;
}

bool putBool(std::optional<bool>& slot, std::string_view key, std::string_view value, std::string_view op,
             Diagnostics& diags) {
  if (value != "true" && value != "false") return badOverride(op, code(key), code(value), "`true` or `false`", diags);
  return put(slot, std::optional(value == "true"), op, code(key), diags);
}

bool putNumber(std::optional<int64_t>& slot, std::string_view key, std::string_view value, int64_t multipleOf,
               int64_t least, std::string_view op, Diagnostics& diags) {
  TextCursor cursor(value);
  const std::optional<int64_t> number = cursor.number();
  if (!number || !cursor.atEnd() || *number % multipleOf != 0 || *number < least ||
      *number > std::numeric_limits<int32_t>::max()) {
    return badOverride(
        op, code(key), code(value),
        multipleOf > 1 ? "a multiple of 32, or 0 for the library's choice" : "a whole number of at least 1", diags);
  }
  return put(slot, number, op, code(key), diags);
}

bool readConvItem(std::string_view item, std::string_view op, Conv2dConfigOverride& into, Diagnostics& diags) {
  const size_t hash = item.find('#');
  if (hash == std::string_view::npos) return badOverride(op, "a setting", code(item), "`key#value`", diags);
  const std::string_view key = trimmed(item.substr(0, hash));
  const std::string_view value = trimmed(item.substr(hash + 1));
  if (key == "deallocate_activation") return putBool(into.deallocateActivation, key, value, op, diags);
  if (key == "reallocate_halo_output") return putBool(into.reallocateHaloOutput, key, value, op, diags);
  if (key == "reshard_if_not_optimal") return putBool(into.reshardIfNotOptimal, key, value, op, diags);
  if (key == "override_sharding_config") return putBool(into.overrideShardingConfig, key, value, op, diags);
  if (key == "transpose_shards") return putBool(into.transposeShards, key, value, op, diags);
  if (key == "enable_act_double_buffer") return putBool(into.enableActDoubleBuffer, key, value, op, diags);
  if (key == "enable_weights_double_buffer") return putBool(into.enableWeightsDoubleBuffer, key, value, op, diags);
  if (key == "act_block_h_override") return putNumber(into.actBlockHOverride, key, value, kTileSide, 0, op, diags);
  if (key == "act_block_w_div") return putNumber(into.actBlockWDiv, key, value, 1, 1, op, diags);
  if (key == "activation") {
    TextCursor cursor(value);
    if (cursor.word().empty() || !cursor.atEnd())
      return badOverride(op, code(key), code(value), "the name of an activation such as `relu`", diags);
    return put(into.activation, std::optional(std::string(value)), op, code(key), diags);
  }
  if (key == "weights_dtype") {
    const std::optional<DType> dtype = parseDType(value);
    if (!dtype || deviceDType(*dtype) != *dtype)
      return badOverride(op, code(key), code(value), "an element type of the device such as `bf16`", diags);
    return put(into.weightsDtype, dtype, op, code(key), diags);
  }
  if (key == "shard_layout") {
    const std::optional<TensorMemoryLayout> memory = parseTensorMemoryLayout(value);
    if (!memory || !isSharded(*memory))
      return badOverride(op, code(key), code(value), "`height_sharded`, `width_sharded` or `block_sharded`", diags);
    return put(into.shardLayout, memory, op, code(key), diags);
  }
  if (key == "core_grid") {
    const std::optional<GridShape> grid = parseGrid(value);
    if (!grid || grid->rows < 1 || grid->cols < 1)
      return badOverride(op, code(key), code(value), "rows x columns such as `8x8`", diags);
    return put(into.coreGrid, grid, op, code(key), diags);
  }
  if (key == "output_layout") {
    const std::optional<PageLayout> page = parsePageLayout(value);
    if (!page) return badOverride(op, code(key), code(value), "`tile` or `row_major`", diags);
    return put(into.outputLayout, page, op, code(key), diags);
  }
  return badOverride(op, "a setting", code(key), "a field of conv2d_config", diags);
}

bool readConv(std::string_view text, std::string_view op, Conv2dConfigOverride& into, Diagnostics& diags) {
  for (std::string_view item : splitParts(text, ':')) {
    if (!readConvItem(item, op, into, diags)) return false;
  }
  return true;
}

// The op of `<op>_in_<n>_layout` and n; nothing when the name has another form.
struct InputConversion {
  std::string_view op;
  int64_t operand = 0;
};
std::optional<InputConversion> inputConversion(std::string_view name) {
  constexpr std::string_view kSuffix = "_layout";
  if (name.size() <= kSuffix.size() || name.substr(name.size() - kSuffix.size()) != kSuffix) return std::nullopt;
  name.remove_suffix(kSuffix.size());
  const size_t in = name.rfind("_in_");
  if (in == std::string_view::npos) return std::nullopt;
  TextCursor cursor(name.substr(in + 4));
  const std::optional<int64_t> operand = cursor.number();
  if (!operand || !cursor.atEnd()) return std::nullopt;
  return InputConversion{name.substr(0, in), *operand};
}

template <class Settings>
const Settings* findIn(const std::vector<NamedOverride<Settings>>& overrides, const Graph& graph, OpId op) {
  for (const NamedOverride<Settings>& named : overrides) {
    if (overrideNames(named.op, graph, op)) return &named.settings;
  }
  return nullptr;
}

std::string gridText(GridShape grid) { return std::to_string(grid.rows) + "x" + std::to_string(grid.cols); }

}  // namespace

bool OutputLayoutOverride::accepts(const TensorLayout& layout) const {
  return (!grid || *grid == layout.grid) && (!buffer || *buffer == layout.buffer) &&
         (!memory || *memory == layout.memory) && (!page || *page == layout.page) &&
         (!dtype || deviceDType(*dtype) == layout.dtype);
}

LayoutOverrides parseLayoutOverrides(std::string_view text, Diagnostics& diags) {
  return parseEntries<OutputLayoutOverride>(text, readLayout, diags);
}
Conv2dOverrides parseConv2dOverrides(std::string_view text, Diagnostics& diags) {
  return parseEntries<Conv2dConfigOverride>(text, readConv, diags);
}

bool overrideNames(std::string_view name, const Graph& graph, OpId op) {
  if (name.empty()) return false;
  if (name.front() != '%') return graph.ops[op].loc == name;
  for (ValueId result : graph.ops[op].results) {
    if (graph.values[result].name == name.substr(1)) return true;
  }
  return false;
}

const OutputLayoutOverride* findOverride(const LayoutOverrides& overrides, const Graph& graph, OpId op) {
  return findIn(overrides, graph, op);
}
const Conv2dConfigOverride* findOverride(const Conv2dOverrides& overrides, const Graph& graph, OpId op) {
  return findIn(overrides, graph, op);
}

void checkOverrides(const LayoutOverrides& overrides, const Graph& graph, const DeviceSpec& device,
                    Diagnostics& diags) {
  for (const NamedOverride<OutputLayoutOverride>& named : overrides) {
    const std::optional<InputConversion> conversion = inputConversion(named.op);
    bool known = false;
    for (OpId op : graph.ops.ids()) {
      if (!graph.ops[op].func.valid()) continue;
      known = known || overrideNames(named.op, graph, op);
      known = known || (conversion && overrideNames(conversion->op, graph, op) &&
                        conversion->operand < static_cast<int64_t>(graph.ops[op].operands.size()));
    }
    if (!known) diags.report(DiagKind::UnknownOverrideOp, kNoPlace, {named.op});
    const std::optional<GridShape>& grid = named.settings.grid;
    const bool fits = !grid || grid->volume() <= device.grid.volume();
    if (!fits)
      badOverride(named.op, "the grid", code(gridText(*grid)),
                  "at most the " + std::to_string(device.grid.volume()) + " cores of " + std::string(device.id), diags);
  }
}

void checkOverrides(const Conv2dOverrides& overrides, const Graph& graph, Diagnostics& diags) {
  for (const NamedOverride<Conv2dConfigOverride>& named : overrides) {
    bool known = false;
    bool isConv = false;
    for (OpId op : graph.ops.ids()) {
      if (!graph.ops[op].func.valid() || !overrideNames(named.op, graph, op)) continue;
      known = true;
      isConv = isConv || opInfo(graph.ops[op].kind).has(kHasConvConfig);
    }
    if (!known) diags.report(DiagKind::UnknownOverrideOp, kNoPlace, {named.op});
    else if (!isConv) badOverride(named.op, "the op", "no convolution", "an op with a conv2d_config", diags);
  }
}

void dropIdleOverrides(LayoutOverrides& overrides, const Graph& graph) {
  auto idle = [&](const NamedOverride<OutputLayoutOverride>& named) {
    const OutputLayoutOverride& fixed = named.settings;
    if (!fixed.dtype || fixed.grid || fixed.buffer || fixed.memory || fixed.page) return false;
    for (OpId op : graph.ops.ids()) {
      if (!graph.ops[op].func.valid() || !overrideNames(named.op, graph, op)) continue;
      for (ValueId result : graph.ops[op].results) {
        const ValueType& type = graph.values[result].type;
        if (type.isTensor() && deviceDType(type.tensor->dtype) != deviceDType(*fixed.dtype)) return false;
      }
    }
    return true;
  };
  std::erase_if(overrides, idle);
}

}  // namespace tessera
