// tessera eval gemm, matmul_hs, exp: products and exponentials of published tables (tt-metal GEMM_FLOPS.md,
// ttnn-op-runtime-predictor).

#include <algorithm>
#include <cstdlib>

#include "core/evaluate/eval_times.h"
#include "core/ir/builder.h"
#include "core/ops/rules/family_rules.h"

namespace tessera {

namespace {

std::optional<DType> blockType(std::string_view name) {
  if (name == "BFLOAT16") return DType::BF16;
  if (name == "BFLOAT8_B") return DType::BFP8;
  if (name == "BFLOAT4_B") return DType::BFP4;
  return {};
}

// "13x10" is columns x rows.
std::optional<GridShape> gridOf(std::string_view text) {
  size_t x = text.find('x');
  if (x == std::string_view::npos) return {};
  int64_t cols = std::strtol(std::string(text.substr(0, x)).c_str(), nullptr, 10);
  int64_t rows = std::strtol(std::string(text.substr(x + 1)).c_str(), nullptr, 10);
  if (cols < 1 || rows < 1 || cols > 64 || rows > 64) return {};
  return GridShape{static_cast<int32_t>(rows), static_cast<int32_t>(cols)};
}

int64_t tilesOf(int64_t elements, int64_t parts) { return std::max<int64_t>(elements / parts / 32, 1); }

// The report's tuned program: one step per column of the grid, each cut into as many as L1 needs, and large results in
// blocks of 8x8 tiles, of 16x16 for 4-bit operands (tt-metal's benchmark of 2-D products, read 2026-11).
MatmulAttrs tunedProgram(int64_t m, int64_t k, int64_t n, GridShape grid, DType dtype, bool sharded) {
  MatmulAttrs p;
  p.perCoreM = tilesOf(m, grid.rows);
  p.perCoreN = tilesOf(n, grid.cols);
  p.in0BlockW = tilesOf(k, grid.cols);
  int64_t largest = dtype == DType::BFP4 ? 16 : sharded || p.perCoreM * p.perCoreN <= 192 ? 16 : 8;
  p.outBlockH = largestDivisorUpTo(p.perCoreM, largest);
  p.outBlockW = largestDivisorUpTo(p.perCoreN, largest);
  int64_t tile = tileBytes(dtype), room = 1'350'000;
  auto bytes = [&] {
    int64_t own = sharded ? p.perCoreM * tilesOf(k, grid.cols) : 0;  // the operand's shard beside its blocks
    return (2 * p.in0BlockW * (p.outBlockH + p.outBlockW) + p.outBlockH * p.outBlockW + own) * tile;
  };
  while (p.in0BlockW > 1 && bytes() > room) p.in0BlockW = largestDivisorUpTo(p.in0BlockW, p.in0BlockW - 1);
  constexpr int64_t kWidths[] = {8, 7, 6, 5, 4, 3, 2, 1};
  if (sharded) {
    p.outSubblockH = 1;
    for (int64_t w : kWidths) {
      if (p.outSubblockW == 0 && p.outBlockW % w == 0) p.outSubblockW = w;
    }
  }
  return p;
}

std::optional<int64_t> gemmTime(const CsvTable& t, size_t i) {
  std::optional<DType> dtype = blockType(t.text(i, "dtype"));
  std::optional<GridShape> grid = gridOf(t.text(i, "grid"));
  const DeviceSpec* board = findDevice(t.text(i, "arch") == "blackhole" ? "p150" : "n150");
  int64_t m = t.count(i, "m"), k = t.count(i, "k"), n = t.count(i, "n");
  if (!dtype || !grid || m < 1 || k < 1 || n < 1) return {};
  DeviceSpec device = *board;
  device.grid = *grid;
  bool ownA = t.text(i, "in0_storage") == "L1", ownOut = t.text(i, "out_storage") == "L1";
  auto place = [&](int64_t rows, int64_t cols, bool sharded) {
    if (!sharded) return TimedTensor{{rows, cols}, *dtype};
    return TimedTensor{{rows, cols}, *dtype, BufferType::L1, TensorMemoryLayout::BlockSharded, *grid};
  };
  TimedOp op{OpKind::TtnnMatmul, {place(m, k, ownA), place(k, n, false)}, place(m, n, ownOut)};
  std::string fidelity(t.text(i, "fidelity"));
  for (char& c : fidelity) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  if (fidelity != "lofi" && fidelity.substr(0, 4) != "hifi") return {};
  op.attrs = {{"compute_config", rawAttr("#ttnn.device_compute_kernel_config<math_fidelity = " + fidelity + ">")}};
  if (t.text(i, "config").substr(0, 5) == "tuned") op.config = tunedProgram(m, k, n, *grid, *dtype, ownA);
  return modelTime(device, std::move(op));
}

}  // namespace

// The newest version of the report, device time; rows without one are not measured. One line per architecture, then
// all.
EvalResult evalGemm(const EvalRequest& request) {
  EvalResult result;
  CsvTable t;
  if (!readTable(request, t, result)) return result;
  std::string newest;
  for (size_t i = 0; i < t.rows.size(); ++i) newest = std::max(newest, std::string(t.text(i, "doc_version")));
  TimedSeries all, wormhole, blackhole;
  for (size_t i = 0; i < t.rows.size(); ++i) {
    double measured = t.number(i, "derived_device_time_ns");
    if (t.text(i, "doc_version") != newest || measured <= 0) continue;
    std::string name;
    for (const char* part : {"board", "config", "m", "k", "n", "grid", "out_storage", "dtype", "fidelity"})
      name += (name.empty() ? "" : " ") + std::string(t.text(i, part));
    TimedRow row{name, measured, gemmTime(t, i)};
    for (const char* part : {"arch", "config", "dtype", "fidelity", "out_storage"})
      row.family += (row.family.empty() ? "" : " ") + std::string(t.text(i, part));
    (t.text(i, "arch") == "blackhole" ? blackhole : wormhole).rows.push_back(row);
    all.rows.push_back(std::move(row));
  }
  result = timedResult(all);
  result.summary = "wormhole_b0 " + wormhole.line() + "\nblackhole " + blackhole.line() + "\n";
  return result;
}

namespace {

// What the library takes by itself where both ends are shards of whole rows: all of the inner dim at once, subblocks of
// whole rows of the result or single tiles.
MatmulAttrs ownProgram(int64_t m, int64_t k, int64_t n, int64_t cores) {
  constexpr int64_t kRegisters = 8;  // tiles
  MatmulAttrs p{.program = MatmulProgram::MultiCast1dIn1, .outSubblockH = 1, .outSubblockW = 1};
  p.perCoreM = ceilDiv(ceilDiv(m, kTileSide), cores);
  p.perCoreN = ceilDiv(n, kTileSide);
  p.in0BlockW = ceilDiv(k, kTileSide);
  if (p.perCoreN > kRegisters) return p;
  p.outSubblockW = p.perCoreN;
  p.outSubblockH = largestDivisorUpTo(p.perCoreM, kRegisters / p.perCoreN);
  return p;
}

}  // namespace

EvalResult evalMatmulHs(const EvalRequest& request) {
  EvalResult result;
  CsvTable t;
  if (!readTable(request, t, result)) return result;
  // The table is of 2025-06; how a product is cut into blocks depends on the L1 of that release (tt-metal
  // dev_mem_map.h).
  DeviceSpec device = withL1Release(*findDevice("n150"), "2025-06").value_or(*findDevice("n150"));
  TimedSeries series;
  for (size_t i = 0; i < t.rows.size(); ++i) {
    int64_t m = t.count(i, "m_size"), k = t.count(i, "k_size"), n = t.count(i, "n_size"),
            cores = t.count(i, "num_cores");
    TimedRow row{std::to_string(m) + "x" + std::to_string(k) + "x" + std::to_string(n) + " on " + std::to_string(cores),
                 t.number(i, "duration"),
                 {},
                 std::to_string(cores) + " cores"};
    if (m > 0 && k > 0 && n > 0 && cores > 0 && cores <= device.grid.volume()) {
      auto height = [&](int64_t rows, int64_t cols) {
        return TimedTensor{{rows, cols},
                           DType::BF16,
                           BufferType::L1,
                           TensorMemoryLayout::HeightSharded,
                           {static_cast<int32_t>(cores), 1}};
      };
      row.model = modelTime(
          device, {OpKind::TtnnMatmul, {height(m, k), {{k, n}}}, height(m, n), {}, ownProgram(m, k, n, cores)});
    }
    series.rows.push_back(std::move(row));
  }
  return timedResult(series);
}

EvalResult evalExp(const EvalRequest& request) {
  struct Type {
    std::string_view column;
    DType dtype;
  };
  constexpr Type kTypes[] = {{"bfloat8", DType::BFP8},
                             {"bfloat16", DType::BF16},
                             {"float32", DType::F32},
                             {"uint16", DType::U16},
                             {"uint32", DType::U32}};
  EvalResult result;
  CsvTable t;
  if (!readTable(request, t, result)) return result;
  const DeviceSpec& device = *findDevice("n300");
  TimedSeries series, clean;
  for (size_t i = 0; i < t.rows.size(); ++i) {
    TimedTensor tensor;
    TimedRow row{"", t.number(i, "median_ns"), {}};
    for (std::string_view d : {"d0", "d1", "d2", "d3"}) {
      if (t.count(i, d) > 0) tensor.shape.push_back(t.count(i, d));
      if (t.count(i, d) > 0) row.name += (row.name.empty() ? "" : "x") + std::string(t.text(i, d));
    }
    bool typed = false;
    for (Type type : kTypes) {
      if (t.count(i, type.column) != 1) continue;
      tensor.dtype = type.dtype;
      typed = true;
      row.name += " " + std::string(type.column);
    }
    bool l1 = t.count(i, "input_L1") == 1;
    row.name += l1 ? " L1" : " DRAM";
    // The table marks rows that hold another row's time, as where shapes and times were joined.
    const bool suspect = t.count(i, "suspect_row") == 1;
    row.family = suspect ? std::string(kImpossible) : row.name.substr(row.name.find(' ') + 1);
    if (l1) tensor.buffer = BufferType::L1, tensor.grid = device.grid;
    if (typed && !tensor.shape.empty()) row.model = modelTime(device, {OpKind::TtnnExp, {tensor}, tensor});
    if (!suspect) clean.rows.push_back(row);
    series.rows.push_back(std::move(row));
  }
  result = timedResult(series);
  result.summary = "not marked as suspect: " + clean.line() + "\n";
  return result;
}

}  // namespace tessera
