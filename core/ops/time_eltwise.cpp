// Element-wise ops, typecast, quantization. Device reference 1.4, 5.3.

#include "core/ops/time_model.h"

#include <algorithm>

namespace tessera {

namespace {

// Cycles per 32x32 tile and core for ops that run on the vector unit (device reference 1.4, Wormhole, measured);
// exp from the measured 2,088 ns per tile of the TTNN op.
struct VectorCost {
  std::string_view op;  // name without dialect
  int64_t cycles;
};
constexpr VectorCost kVectorCosts[] = {
    {"abs", 171},     {"add", 50},       {"cos", 1548},     {"div", 965},     {"erf", 1000},       {"exp", 2088},
    {"gelu", 270},    {"log", 718},      {"maximum", 334},  {"minimum", 334}, {"multiply", 55},    {"neg", 171},
    {"pow", 2800},    {"reciprocal", 910}, {"relu", 322},   {"relu6", 322},   {"rsqrt", 1820},     {"sigmoid", 266},
    {"silu", 321},    {"sin", 910},      {"sqrt", 910},     {"square", 204},  {"subtract", 50},    {"tanh", 204},
    {"typecast", 56},
};
constexpr int64_t kDefaultVectorCycles = 300;

// The reader of a streaming kernel asks for one tile and waits for it: the latency of DRAM (device reference 1.6: 358 and 529 cycles)
// and the tile itself. With few cores this is what bounds them (profiler rows on 20 cores: 620-650 cycles a tile).
double fetchCycles(const OpView& view) {
  if (!view.hasInput(0) || !view.input(0).isDram()) return 0;
  bool blackhole = view.device.arch == Arch::Blackhole;
  int64_t each = (blackhole ? 529 : 358) + view.inputTile(0) / (blackhole ? 50 : 28);
  return static_cast<double>(tilesTimesCycles(view, tileCount(view.resultShape()), each));
}

double vectorCycles(const OpView& view) {
  if (!view.hasResult()) return 0;
  int64_t cycles = kDefaultVectorCycles;
  for (const VectorCost& cost : kVectorCosts) {
    if (view.is(cost.op)) cycles = cost.cycles;
  }
  // 32-bit elements halve what the destination registers hold (device reference 5.3: 2,500-2,760 against 2,088 ns of exp).
  constexpr double kWide = 1.28;
  double all = static_cast<double>(tilesTimesCycles(view, tileCount(view.resultShape()), cycles));
  return std::max(view.outputTile() > 2048 ? all * kWide : all, fetchCycles(view));
}

double quantizeCycles(const OpView& view) {
  constexpr int64_t kPerTile = 300;
  return view.hasResult() ? tilesTimesCycles(view, tileCount(view.resultShape()), kPerTile) : 0;
}

}  // namespace

const FamilyTime kEltwiseTime = {vectorCycles, readWhole, kernelStart};
const FamilyTime kQuantizeTime = {quantizeCycles, readWhole, kernelStart};

}  // namespace tessera
