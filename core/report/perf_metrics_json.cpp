#include "core/report/perf_metrics_json.h"

#include <algorithm>
#include <cstdio>

#include "core/ops/shapes/shape_rules.h"
#include "core/ops/table/compute_config.h"
#include "core/ops/table/op_table.h"
#include "core/support/json_writer.h"

namespace tessera {

namespace {

struct Summary {
  int64_t total = 0, withOutput = 0, shardable = 0, sharded = 0, effective = 0, shardedAndSpilled = 0, spilled = 0,
          host = 0;
};

struct Targets {
  int64_t params = 0, paramBytes = 0, dramBound = 0, computeBound = 0, skipped = 0;
  double rooflineMs = 0;
  int64_t flops = 0;
};

// Peak of the board's DRAM, bytes per second: the compiler's tables of 2026-08 (n150 288 GB/s, p150 512 GB/s).
int64_t dramBandwidth(const DeviceSpec& device) {
  return device.arch == Arch::Blackhole ? 512'000'000'000 : 288'000'000'000;
}

constexpr int64_t kCyclesPerTileMatmul = 32;  // HiFi2, one 32x32x32 product per core
constexpr int64_t kUtilizationPercent = 70;

int64_t tilesAlong(const Shape& shape, size_t fromEnd) {
  return fromEnd < shape.size() ? ceilDiv(std::max<int64_t>(shape[shape.size() - 1 - fromEnd], 1), kTileSide) : 1;
}

// Cycles of one product of tiles, by how often the multiplier goes over the mantissas.
int64_t cyclesPerTile(MathFidelity fidelity) {
  switch (fidelity) {
    case MathFidelity::LoFi: return 16;
    case MathFidelity::HiFi2: return 32;
    case MathFidelity::HiFi3: return 48;
    default: return 64;
  }
}

// As many digits as it takes, none behind a whole number.
std::string numberText(double number) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", number);
  return text;
}

// One entry a line, two blanks a level, as the compiler prints it.
std::string indented(std::string_view json) {
  std::string out;
  size_t depth = 0;
  bool quoted = false;
  auto line = [&] { out += "\n" + std::string(2 * depth, ' '); };
  for (size_t i = 0; i < json.size(); ++i) {
    char c = json[i];
    if (quoted) {
      out += c;
      if (c == '\\' && i + 1 < json.size()) out += json[++i];
      else if (c == '"') quoted = false;
      continue;
    }
    bool empty = i + 1 < json.size() && (json[i + 1] == '}' || json[i + 1] == ']');
    switch (c) {
      case '{':
      case '[':
        out += c;
        if (empty) out += json[++i];
        else ++depth, line();
        break;
      case '}':
      case ']':
        --depth;
        line();
        out += c;
        break;
      case ',':
        out += c;
        line();
        break;
      case ':': out += ": "; break;
      default: out += c; quoted = c == '"';
    }
  }
  return out;
}

class Metrics {
 public:
  Metrics(const Graph& graph, const DeviceSpec& device, bool verbose)
      : graph_(graph), device_(device), verbose_(verbose) {}

  std::string write() {
    findWeights();
    findMesh();
    operations_.beginArray();
    perOp_.beginArray();
    for (OpId op : graph_.funcs[graph_.forward].ops) count(op);
    operations_.endArray();
    perOp_.endArray();
    JsonWriter w;
    w.beginObject();
    writeFlops(w);
    if (verbose_) {
      w.key("operations");
      w.raw(operations_.text());
    }
    writeTargets(w);
    writeSummary(w);
    w.endObject();
    return indented(w.take());
  }

 private:
  const TensorType* tensorOf(ValueId value) const {
    const ValueType& type = graph_.values[value].type;
    return type.isTensor() ? &*type.tensor : nullptr;
  }

  // Parameters, caches and what is loaded: read from DRAM in every run.
  void findWeights() {
    weight_.resize(graph_.values.size(), false);
    spilled_.resize(graph_.values.size(), false);
    for (ValueId arg : graph_.funcs[graph_.forward].args) {
      ArgRole role = graph_.values[arg].role;
      weight_[arg] = role == ArgRole::Parameter || role == ArgRole::Constant || role == ArgRole::KvCache;
    }
    for (OpId id : graph_.funcs[graph_.forward].ops) {
      const Op& op = graph_.ops[id];
      bool moves = opInfo(op.kind).has(kToLayout) && !op.operands.empty();
      bool loads = op.kind == OpKind::TtcoreLoadCached;
      for (ValueId result : op.results) weight_[result] = loads || (moves && weight_[op.operands[0]]);
      const TensorType* to = op.results.empty() ? nullptr : tensorOf(op.results[0]);
      if (moves && to && to->layout && to->layout->isDram()) spilled_[op.operands[0]] = true;
    }
  }

  static bool counts(const OpInfo& info) {
    switch (info.family) {
      case Family::Device:
      case Family::Return:
      case Family::Call: return false;
      default: return true;
    }
  }

  void count(OpId id) {
    const Op& op = graph_.ops[id];
    const OpInfo& info = opInfo(op.kind);
    if (!counts(info)) return;
    ++summary_.total;
    const TensorType* result = op.results.empty() ? nullptr : tensorOf(op.results[0]);
    if (!result || !result->layout) return;
    ++summary_.withOutput;
    bool shardable = info.family != Family::ToLayout && info.family != Family::Creation;
    bool sharded = result->layout->isL1() && result->layout->sharded();
    bool spilled = spilled_[op.results[0]] && result->layout->isL1();
    if (shardable) {
      ++summary_.shardable;
      summary_.sharded += sharded;
      summary_.effective += sharded && !spilled;
      summary_.shardedAndSpilled += sharded && spilled;
      summary_.spilled += spilled;
    }
    summary_.host += result->layout->buffer == BufferType::SystemMemory;
    target(op);
    if (verbose_) describe(op, *result, sharded, spilled);
  }

  void describe(const Op& op, const TensorType& result, bool sharded, bool spilled) {
    operations_.beginObject();
    operations_.field("name", std::string_view(op.name));
    operations_.field("location", std::string_view(op.loc));
    operations_.field("output_layout", std::string_view(layoutText(*result.layout)));
    operations_.field("is_sharded", sharded);
    operations_.field("is_spilled_to_dram", spilled);
    operations_.endObject();
  }

  // --- what the chip could do

  void target(const Op& op) {
    Family family = opInfo(op.kind).family;
    countFlops(op, flopsOf(op));
    if (family == Family::Matmul && op.operands.size() >= 2) {
      const TensorType* a = tensorOf(op.operands[0]);
      const TensorType* result = tensorOf(op.results[0]);
      if (!a || !result) return;
      bool transposed = false;
      if (const AttrValue* attr = findAttr(op, "transpose_a")) transposed = attr->integer != 0;
      int64_t depth = tilesAlong(a->shape, transposed ? 1 : 0);
      account(op, {1}, mulSaturated(depth, matrixTiles(result->shape)));
    } else if (op.kind == OpKind::TtnnScaledDotProductAttention ||
               op.kind == OpKind::TtnnScaledDotProductAttentionDecode) {
      const TensorType* query = op.operands.size() >= 3 ? tensorOf(op.operands[0]) : nullptr;
      const TensorType* key = query ? tensorOf(op.operands[1]) : nullptr;
      if (!key) return;
      int64_t products = mulSaturated(2 * matrixTiles(query->shape), ceilDiv(keysOf(op, key->shape), kTileSide));
      account(op, {1, 2}, isCausal(op) ? products / 2 : products);  // scores, and their product with the values
    }
  }

  static bool isCausal(const Op& op) {
    const AttrValue* causal = findAttr(op, "is_causal");
    return op.kind == OpKind::TtnnScaledDotProductAttention && causal && causal->integer != 0;
  }

  // Keys that one query is compared with.
  static int64_t keysOf(const Op& op, const Shape& keys) {
    int64_t count = keys.size() >= 2 ? std::max<int64_t>(keys[keys.size() - 2], 1) : 1;
    const AttrValue* window = findAttr(op, "sliding_window_size");
    return window && window->integer > 0 ? std::min(count, window->integer) : count;
  }

  // A convolution gathers a window of its group's channels for every result, a transposed one scatters every input
  // into such a window of results.
  static int64_t convolutionFlops(const Op& op, int64_t read, int64_t made) {
    auto number = [&](std::string_view name) {
      const AttrValue* attr = findAttr(op, name);
      return attr ? std::max<int64_t>(attr->integer, 1) : 1;
    };
    const AttrValue* kernel = findAttr(op, "kernel_size");
    int64_t area = kernel ? std::max<int64_t>(kernel->integer, 1) : 1;
    for (size_t i = 0; kernel && i < kernel->ints.size(); ++i)
      area = mulSaturated(area, std::max<int64_t>(kernel->ints[i], 1));
    const bool transposed = op.kind == OpKind::TtnnConvTranspose2d;
    const int64_t channels = number(transposed ? "out_channels" : "in_channels") / number("groups");
    return mulSaturated(mulSaturated(2, channels), mulSaturated(area, transposed ? read : made));
  }

  // Multiplications and additions of one chip; 0 for what is not counted.
  int64_t flopsOf(const Op& op) const {
    const TensorType* a = op.operands.empty() ? nullptr : tensorOf(op.operands[0]);
    const TensorType* result = op.results.empty() ? nullptr : tensorOf(op.results[0]);
    if (!a || !result || a->shape.empty()) return 0;
    const int64_t made = elementCount(result->shape).value_or(0), read = elementCount(a->shape).value_or(0);
    const OpInfo& info = opInfo(op.kind);
    if (info.family == Family::Matmul) {
      const AttrValue* transposed = findAttr(op, "transpose_a");
      size_t last = a->shape.size() - 1;
      int64_t depth = a->shape[transposed && transposed->integer != 0 && last > 0 ? last - 1 : last];
      return mulSaturated(2 * std::max<int64_t>(depth, 1), made);
    }
    if (op.kind == OpKind::TtnnScaledDotProductAttention || op.kind == OpKind::TtnnScaledDotProductAttentionDecode) {
      const TensorType* key = op.operands.size() >= 2 ? tensorOf(op.operands[1]) : nullptr;
      int64_t flops = key ? mulSaturated(mulSaturated(4, read), keysOf(op, key->shape)) : 0;
      return isCausal(op) ? flops / 2 : flops;
    }
    if (info.family == Family::Conv) return convolutionFlops(op, read, made);
    if (info.family == Family::Collective && findAttr(op, "reduce_type") != nullptr) {
      const AttrValue* axis = findAttr(op, "cluster_axis");
      size_t at = axis ? static_cast<size_t>(std::clamp<int64_t>(axis->integer, 0, 7)) : 0;
      int64_t chips = at < mesh_.size() ? mesh_[at] : 1;
      return chips > 1 ? mulSaturated(read, chips - 1) / chips : 0;
    }
    return 0;
  }

  void countFlops(const Op& op, int64_t flops) {
    if (flops <= 0) return;
    targets_.flops = addSaturated(targets_.flops, flops);
    const AttrValue* config = findAttr(op, "compute_config");
    MathFidelity fidelity =
        config ? parseComputeConfig(config->text).fidelity.value_or(MathFidelity::HiFi4) : MathFidelity::HiFi4;
    leastCycles_ = std::min(leastCycles_, cyclesPerTile(fidelity));
    perOp_.beginObject();
    perOp_.field("flops", flops);
    perOp_.field("math_fidelity", enumId(kMathFidelities, fidelity));
    perOp_.field("operation", std::string_view(op.name));
    perOp_.endObject();
  }

  static int64_t matrixTiles(const Shape& shape) {
    int64_t tiles = tilesAlong(shape, 0) * tilesAlong(shape, 1);
    for (size_t i = 0; i + 2 < shape.size(); ++i) tiles = mulSaturated(tiles, std::max<int64_t>(shape[i], 1));
    return tiles;
  }

  // `operands`: those that may be weights; the op has them.
  void account(const Op& op, std::initializer_list<size_t> operands, int64_t tileProducts) {
    int64_t scalars = 0;
    for (size_t i : operands) {
      const bool weight = weight_[op.operands[i]] && tensorOf(op.operands[i]);
      if (weight) scalars = addSaturated(scalars, elementCount(tensorOf(op.operands[i])->shape).value_or(0));
    }
    if (scalars == 0) {
      ++targets_.skipped;
      return;
    }
    int64_t bytes = mulSaturated(scalars, 17) / 16;  // a block of 16 scalars and its exponent
    double dramMs = static_cast<double>(bytes) / static_cast<double>(dramBandwidth(device_)) * 1e3;
    double cycles = static_cast<double>(tileProducts) * static_cast<double>(kCyclesPerTileMatmul) /
                    static_cast<double>(std::max<int64_t>(device_.grid.volume(), 1));
    double computeMs = cycles / (static_cast<double>(std::max<int64_t>(device_.clockMhz, 1)) * 1e3);
    targets_.params = addSaturated(targets_.params, scalars);
    targets_.paramBytes = addSaturated(targets_.paramBytes, bytes);
    ++(dramMs >= computeMs ? targets_.dramBound : targets_.computeBound);
    targets_.rooflineMs += std::max(dramMs, computeMs);
  }

  // --- writing

  static void percentage(JsonWriter& w, const char* name, int64_t part, int64_t whole) {
    w.key(name);
    w.fixed(whole > 0 ? part * 10000 / whole : 0, 2);
  }

  void writeFlops(JsonWriter& w) const {
    int64_t perCore = 2 * kTileSide * kTileSide * kTileSide / leastCycles_;
    w.key("flops");
    w.beginObject();
    w.field("peak_flops_per_sec", perCore * device_.grid.volume() * device_.clockMhz * 1'000'000);
    if (verbose_) {
      w.key("per_op");
      w.raw(perOp_.text());
    }
    w.field("total_flops", targets_.flops);
    w.endObject();
  }

  void writeSummary(JsonWriter& w) const {
    w.key("summary");
    w.beginObject();
    w.field("dram_spilled_ops", summary_.spilled);
    percentage(w, "effectively_sharded_percentage", summary_.effective, summary_.shardable);
    w.field("effectively_sharded_ops", summary_.effective);
    w.field("sharded_and_spilled_ops", summary_.shardedAndSpilled);
    w.field("sharded_ops", summary_.sharded);
    percentage(w, "sharded_percentage", summary_.sharded, summary_.shardable);
    percentage(w, "spilled_percentage", summary_.spilled, summary_.shardable);
    w.field("system_memory_ops", summary_.host);
    percentage(w, "system_memory_percentage", summary_.host, summary_.withOutput);
    w.field("total_ops", summary_.total);
    w.field("total_ops_with_output_tensor", summary_.withOutput);
    w.field("total_shardable_ops", summary_.shardable);
    w.endObject();
  }

  void writeTargets(JsonWriter& w) const {
    w.key("perf_targets");
    w.beginObject();
    w.field("aiclk_hz", device_.clockMhz * 1'000'000);
    w.field("arch", archName(device_.arch));
    w.field("compute_bound_ops", targets_.computeBound);
    w.field("cycles_per_tile_matmul", kCyclesPerTileMatmul);
    w.field("dram_bandwidth_bytes_per_sec", dramBandwidth(device_));
    w.field("dram_bound_ops", targets_.dramBound);
    w.field("num_chips", 1);
    w.field("num_tensix_cores", device_.grid.volume());
    w.field("params_count", targets_.params);
    w.field("params_memory_bytes", targets_.paramBytes);
    w.key("roofline_ms");
    w.raw(numberText(targets_.rooflineMs));
    w.field("skipped_ops", targets_.skipped);
    w.key("top_perf_estimate_ms");
    w.raw(numberText(targets_.rooflineMs * 100 / static_cast<double>(kUtilizationPercent)));
    w.endObject();
  }

  // "meshShape = 1x4" of the module's device.
  void findMesh() {
    for (const Attribute& attr : graph_.attrs) {
      size_t at = attr.value.string.find("meshShape = ");
      if (attr.name != "ttcore.device" || at == std::string::npos) continue;
      int64_t number = 0;
      bool digits = false;
      for (at += 12; at <= attr.value.string.size(); ++at) {
        char c = at < attr.value.string.size() ? attr.value.string[at] : ',';
        if (c >= '0' && c <= '9' && number < 1 << 20) {
          number = number * 10 + (c - '0');
          digits = true;
          continue;
        }
        if (digits) mesh_.push_back(number);
        number = 0;
        digits = false;
        if (c != 'x') return;
      }
    }
  }

  const Graph& graph_;
  const DeviceSpec& device_;
  bool verbose_;
  IdVec<ValueId, bool> weight_;
  IdVec<ValueId, bool> spilled_;
  Summary summary_;
  Targets targets_;
  JsonWriter operations_, perOp_;
  std::vector<int64_t> mesh_;  // chips along each axis
  int64_t leastCycles_ = 64;
};

}  // namespace

std::string perfMetricsJson(const Graph& graph, const DeviceSpec& device, bool verbose) {
  return Metrics(graph, device, verbose).write();
}

}  // namespace tessera
