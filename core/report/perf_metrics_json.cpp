#include "core/report/perf_metrics_json.h"

#include <algorithm>

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
  int64_t rooflineNs = 0;
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

class Metrics {
 public:
  Metrics(const Report& report, bool verbose)
      : run_(*report.run), graph_(run_.applied.graph), device_(*report.device), verbose_(verbose) {}

  std::string write() {
    findWeights();
    operations_.beginArray();
    for (OpId op : graph_.funcs[graph_.forward].ops) count(op);
    operations_.endArray();
    JsonWriter w;
    w.beginObject();
    writeSummary(w);
    writeTargets(w);
    w.key("flops");
    w.beginObject();
    w.field("total", targets_.flops);
    w.endObject();
    if (verbose_) {
      w.key("operations");
      w.raw(operations_.text());
    }
    w.endObject();
    return w.take();
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
      bool moves = opInfo(op.kind).has(kToLayout) && op.operands.size() == 1;
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
    if (family == Family::Matmul && op.operands.size() >= 2) {
      const TensorType* a = tensorOf(op.operands[0]);
      const TensorType* result = tensorOf(op.results[0]);
      if (!a || !result) return;
      bool transposed = false;
      if (const AttrValue* attr = findAttr(op, "transpose_a")) transposed = attr->integer != 0;
      int64_t depth = tilesAlong(a->shape, transposed ? 1 : 0);
      account(op, {1}, depth * matrixTiles(result->shape));
    } else if (op.kind == OpKind::TtnnScaledDotProductAttention ||
               op.kind == OpKind::TtnnScaledDotProductAttentionDecode) {
      const TensorType* query = op.operands.size() >= 3 ? tensorOf(op.operands[0]) : nullptr;
      const TensorType* key = query ? tensorOf(op.operands[1]) : nullptr;
      if (key)
        account(
            op, {1, 2},
            2 * matrixTiles(query->shape) * tilesAlong(key->shape, 1));  // scores, and their product with the values
    }
  }

  static int64_t matrixTiles(const Shape& shape) {
    int64_t tiles = tilesAlong(shape, 0) * tilesAlong(shape, 1);
    for (size_t i = 0; i + 2 < shape.size(); ++i) tiles = mulSaturated(tiles, std::max<int64_t>(shape[i], 1));
    return tiles;
  }

  void account(const Op& op, std::initializer_list<size_t> operands, int64_t tileProducts) {
    int64_t scalars = 0;
    for (size_t i : operands) {
      bool weight = i < op.operands.size() && weight_[op.operands[i]] && tensorOf(op.operands[i]);
      if (weight) scalars = addSaturated(scalars, elementCount(tensorOf(op.operands[i])->shape).value_or(0));
    }
    targets_.flops = addSaturated(targets_.flops, mulSaturated(tileProducts, 2 * kTileSide * kTileSide * kTileSide));
    if (scalars == 0) {
      ++targets_.skipped;
      return;
    }
    int64_t bytes = mulSaturated(scalars, 17) / 16;  // a block of 16 scalars and its exponent
    int64_t dramNs = mulSaturated(bytes, 1000) / (dramBandwidth(device_) / 1'000'000);
    int64_t cycles = mulSaturated(tileProducts, kCyclesPerTileMatmul) / std::max<int64_t>(device_.grid.volume(), 1);
    int64_t computeNs = mulSaturated(cycles, 1000) / std::max<int64_t>(device_.clockMhz, 1);
    targets_.params = addSaturated(targets_.params, scalars);
    targets_.paramBytes = addSaturated(targets_.paramBytes, bytes);
    ++(dramNs >= computeNs ? targets_.dramBound : targets_.computeBound);
    targets_.rooflineNs = addSaturated(targets_.rooflineNs, std::max(dramNs, computeNs));
  }

  // --- writing

  static void percentage(JsonWriter& w, const char* name, int64_t part, int64_t whole) {
    w.key(name);
    w.fixed(whole > 0 ? part * 10000 / whole : 0, 2);
  }

  void writeSummary(JsonWriter& w) const {
    w.key("summary");
    w.beginObject();
    w.field("total_ops", summary_.total);
    w.field("total_ops_with_output_tensor", summary_.withOutput);
    w.field("total_shardable_ops", summary_.shardable);
    w.field("sharded_ops", summary_.sharded);
    w.field("effectively_sharded_ops", summary_.effective);
    w.field("sharded_and_spilled_ops", summary_.shardedAndSpilled);
    w.field("dram_spilled_ops", summary_.spilled);
    w.field("system_memory_ops", summary_.host);
    percentage(w, "sharded_percentage", summary_.sharded, summary_.shardable);
    percentage(w, "effectively_sharded_percentage", summary_.effective, summary_.shardable);
    percentage(w, "spilled_percentage", summary_.spilled, summary_.shardable);
    percentage(w, "system_memory_percentage", summary_.host, summary_.withOutput);
    w.endObject();
  }

  void writeTargets(JsonWriter& w) const {
    w.key("perf_targets");
    w.beginObject();
    w.field("arch", archName(device_.arch));
    w.field("num_chips", 1);
    w.field("dram_bandwidth_bytes_per_sec", dramBandwidth(device_));
    w.field("aiclk_hz", device_.clockMhz * 1'000'000);
    w.field("num_tensix_cores", device_.grid.volume());
    w.field("cycles_per_tile_matmul", kCyclesPerTileMatmul);
    w.field("params_count", targets_.params);
    w.field("params_memory_bytes", targets_.paramBytes);
    w.field("dram_bound_ops", targets_.dramBound);
    w.field("compute_bound_ops", targets_.computeBound);
    w.field("skipped_ops", targets_.skipped);
    w.key("roofline_ms");
    w.fixed(targets_.rooflineNs, 6);
    w.key("top_perf_estimate_ms");
    w.fixed(mulSaturated(targets_.rooflineNs, 100) / kUtilizationPercent, 6);
    w.endObject();
  }

  const RunOutcome& run_;
  const Graph& graph_;
  const DeviceSpec& device_;
  bool verbose_;
  IdVec<ValueId, bool> weight_;
  IdVec<ValueId, bool> spilled_;
  Summary summary_;
  Targets targets_;
  JsonWriter operations_;
};

}  // namespace

std::string perfMetricsJson(const Report& report, bool verbose) { return Metrics(report, verbose).write(); }

}  // namespace tessera
