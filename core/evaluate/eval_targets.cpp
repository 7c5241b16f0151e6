// tessera eval targets: what the library's own tests expect of single ops. A row counts when it is the time of one op;
// most name an op of a model without its shapes, which is a miss, not a row less.

#include "core/evaluate/eval_times.h"
#include "core/ir/builder.h"
#include "core/profile/profile_text.h"
#include "core/support/json_value.h"

namespace tessera {

namespace {

// Nanoseconds of one of the column's units; 0 for metrics that are no time of an op (frames per second, compile time,
// gaps).
double unitOf(std::string_view metric) {
  constexpr std::string_view kNs[] = {"kernel_duration_ns", "expected_duration_ns"};
  constexpr std::string_view kUs[] = {"kernel_duration_us", "perf_target_us", "expected_kernel_duration_us",
                                      "expected_kernel_duration_4u_us", "expected_kernel_duration_6u_us"};
  for (std::string_view name : kNs) {
    if (metric == name) return 1;
  }
  for (std::string_view name : kUs) {
    if (metric == name) return 1000;
  }
  return 0;
}

std::optional<DType> namedType(std::string_view name) {
  if (name == "bfloat16") return DType::BF16;
  if (name == "bfloat8_b") return DType::BFP8;
  if (name == "float32") return DType::F32;
  return {};
}

std::optional<int64_t> convTime(const DeviceSpec& device, JsonValue config) {
  bool whole = true;
  auto number = [&](std::string_view name) {
    int64_t value = config.get(name).asInteger().value_or(-1);
    whole = whole && value >= 0 && value < (1 << 20);
    return value;
  };
  int64_t batch = number("batch_size"), in = number("input_channels"), out = number("output_channels");
  int64_t h = number("input_height"), w = number("input_width"), kh = number("kernel_h"), kw = number("kernel_w");
  int64_t sh = number("stride_h"), sw = number("stride_w"), ph = number("pad_h"), pw = number("pad_w"),
          groups = number("groups");
  std::optional<DType> weight = namedType(config.get("weights_dtype").asString().value_or(""));
  std::optional<DType> result = namedType(config.get("output_dtype").asString().value_or(""));
  if (!whole || !weight || !result || sh < 1 || sw < 1 || groups < 1 || batch < 1 || in < groups || out < 1 || kh < 1 ||
      kw < 1)
    return {};
  if (h + 2 * ph < kh || w + 2 * pw < kw) return {};
  int64_t outH = (h + 2 * ph - kh) / sh + 1, outW = (w + 2 * pw - kw) / sw + 1;
  std::string_view shards = config.get("shard_layout").asString().value_or("");
  TimedTensor place{{}, DType::BF16, BufferType::L1, TensorMemoryLayout::BlockSharded, device.grid};
  auto volume = static_cast<int32_t>(device.grid.volume());
  if (shards == "HEIGHT_SHARDED") place.memory = TensorMemoryLayout::HeightSharded, place.grid = {volume, 1};
  if (shards == "WIDTH_SHARDED") place.memory = TensorMemoryLayout::WidthSharded, place.grid = {1, volume};
  TimedTensor input = place, output = place;
  input.shape = {1, 1, batch * h * w, in};
  output.shape = {1, 1, batch * outH * outW, out};
  output.dtype = *result;
  TimedOp op{OpKind::TtnnConv2d, {input, {{out, in / groups, kh, kw}, *weight}}, output};
  op.attrs = {{"batch_size", intAttr(batch)},
              {"dilation", intArrayAttr({1, 1})},
              {"groups", intAttr(groups)},
              {"in_channels", intAttr(in)},
              {"input_height", intAttr(h)},
              {"input_width", intAttr(w)},
              {"kernel_size", intArrayAttr({kh, kw})},
              {"out_channels", intAttr(out)},
              {"padding", intArrayAttr({ph, pw})},
              {"stride", intArrayAttr({sh, sw})}};
  std::string fidelity = lowerCase(config.get("math_fidelity").asString().value_or(""));
  if (fidelity == "lofi" || fidelity.substr(0, 4) == "hifi") {
    op.attrs.push_back(
        {"compute_config", rawAttr("#ttnn.device_compute_kernel_config<math_fidelity = " + fidelity + ">")});
  }
  if (config.get("enable_activation_reuse").asBool().value_or(false))
    op.attrs.push_back({"conv2d_config", rawAttr("#ttnn.conv2d_config<enable_activation_reuse = true>")});
  return modelTime(device, std::move(op));
}

// Exchanges between the chips of a mesh of 8 x 4 that share one model (hidden width 8,192 over 4, attention 1,280 over
// 4 and feed-forward 3,584 over 8): "4k_seq and sh-256w" has the rows of a sequence and the width of what one chip
// brings. A full width is reduced and scattered, a part of it gathered.
struct MeshWidth {
  int64_t full, part;
};
constexpr MeshWidth kMeshWidths[] = {{2048, 256}, {1280, 320}, {3584, 896}};

std::optional<int64_t> exchangeTime(const DeviceSpec& device, std::string_view shape) {
  std::optional<int64_t> rows = numberAfter(shape, ""), width = numberAfter(shape, " and sh-");
  if (!rows || !width || *rows < 1 || *rows > (1 << 20)) return {};
  if (contains(shape, "k_seq")) *rows *= 1024;
  for (const MeshWidth& mesh : kMeshWidths) {
    if (*width != mesh.full && *width != mesh.part) continue;
    TimedTensor full{{1, 1, *rows, mesh.full}, DType::BFP8}, part{{1, 1, *rows, mesh.part}, DType::BFP8};
    bool gathers = *width == mesh.part;
    return modelTime(
        device,
        {gathers ? OpKind::TtnnAllGather : OpKind::TtnnReduceScatter, {gathers ? part : full}, gathers ? full : part});
  }
  return {};
}

JsonDocument configOf(const EvalRequest& request, std::string_view text) {
  SourceBuffer source(request.file, std::string(text));
  Diagnostics diagnostics;
  return JsonDocument::parse(source, diagnostics);
}

std::optional<int64_t> targetTime(const EvalRequest& request, const CsvTable& t, size_t row) {
  std::string_view op = t.text(row, "op"), config = t.text(row, "config"), arch = t.text(row, "arch");
  const DeviceSpec& device = *findDevice(arch.substr(0, 9) == "blackhole" ? "p150" : "n150");
  if (op == "conv2d") return convTime(device, configOf(request, config).root());
  if (contains(config, "\"shape_id\""))
    return exchangeTime(device, configOf(request, config).root().get("shape_id").asString().value_or(""));
  return {};
}

}  // namespace

EvalResult evalTargets(const EvalRequest& request) {
  EvalResult result;
  CsvTable t;
  if (!readTable(request, t, result)) return result;
  TimedSeries all, known;
  for (size_t i = 0; i < t.rows.size(); ++i) {
    double unit = unitOf(t.text(i, "metric")), value = t.number(i, "value");
    if (unit <= 0 || value <= 0) continue;
    std::string name = std::string(t.text(i, "op")) + " " + std::string(t.text(i, "arch")) + " " +
                       std::string(t.text(i, "config")).substr(0, 60);
    TimedRow row{name, value * unit, targetTime(request, t, i), std::string(t.text(i, "op"))};
    if (row.model) known.rows.push_back(row);
    all.rows.push_back(std::move(row));
  }
  result = timedResult(all);
  result.families = timedResult(known).families;  // the others have no model by which to compare them
  result.summary = "with shapes: " + known.line() + "\n";
  return result;
}

}  // namespace tessera
