// Element-wise ops, typecast, quantization. Sources: tt-budabackend perf_lib/op_model/params,
// ttnn-op-runtime-predictor.

#include "core/ops/rules/eltwise_programs.h"
#include "core/ops/times/time_model.h"

#include <algorithm>

namespace tessera {

namespace {

// Cycles per 32x32 tile and core for ops that run on the vector unit: Wormhole measured (tt-budabackend
// perf_lib/op_model/params; exp from the 2,088 ns per tile of the TTNN op, erf from a profiled one), Blackhole from
// profiled kernels, or 0.8 of Wormhole where there are none (the ratio of relu, exp and atan is 0.72-0.88).
struct VectorCost {
  std::string_view op;  // name without dialect
  int64_t wormhole;
  int64_t blackhole;
};
constexpr VectorCost kVectorCosts[] = {
    {"abs", 171, 137},     {"add", 50, 20},      {"atan", 2100, 1500},  {"cos", 1548, 1238},   {"div", 965, 772},
    {"erf", 3600, 2880},   {"exp", 2088, 1510},  {"gelu", 270, 216},    {"log", 718, 574},     {"maximum", 334, 267},
    {"minimum", 334, 267}, {"multiply", 55, 20}, {"neg", 171, 137},     {"pow", 2800, 2240},   {"reciprocal", 910, 728},
    {"relu", 322, 282},    {"relu6", 322, 282},  {"rsqrt", 1820, 1456}, {"sigmoid", 266, 213}, {"silu", 321, 257},
    {"sin", 910, 728},     {"sqrt", 910, 728},   {"square", 204, 163},  {"subtract", 50, 20},  {"tanh", 204, 163},
    {"typecast", 56, 45},
};
constexpr int64_t kDefaultVectorCycles = 300;
constexpr int64_t kToInteger = 1380;  // typecast to a 32-bit integer, profiled

int64_t vectorCost(const OpView& view) {
  bool blackhole = view.device.arch == Arch::Blackhole;
  bool toInteger = view.output().dtype == DType::U32 || view.output().dtype == DType::I32;
  if (view.is("typecast") && toInteger) return kToInteger;
  for (const VectorCost& cost : kVectorCosts) {
    if (view.is(cost.op)) return blackhole ? cost.blackhole : cost.wormhole;
  }
  return kDefaultVectorCycles;
}

// Two operands of a binary op are unpacked one after the other for each tile: 69 cycles of bf16, 43 of bfp8 (profiled,
// where they lie).
double unpackCycles(const OpView& view) {
  if (!view.hasInput(0) || !view.hasInput(1)) return 0;
  constexpr double kEach = 14, kBytesPerClock = 74;
  return kEach + static_cast<double>(view.inputTile(0) + view.inputTile(1)) / kBytesPerClock;
}

// Shards that lie as the result does are computed where they are. Uneven ones of two operands are read tile by tile
// like any other tensor (tt-metal eltwise/binary_ng), unless their format is one of blocks: the library keeps an older
// kernel for those.
bool inPlace(const OpView& view) {
  for (int i = 0; i < view.operandCount(); ++i) {
    if (!view.hasInput(i)) continue;
    if (!shardedLikeOutput(view, i)) return false;
    const TensorLayout& layout = view.input(i);
    bool uneven =
        layout.page == PageLayout::Tile && tileRows(view.inputShape(i)) % std::max<int64_t>(layout.shardRows, 1) != 0;
    if (uneven && view.operandCount() > 1 && !isBlockFloat(layout.dtype)) return false;
  }
  return view.hasResult() && view.operandCount() > 0;
}

// The reader of a streaming kernel asks for a tile of each operand and waits for them. With few cores this is what
// bounds them (profiled on 20 cores: 645 cycles a tile of one operand, 770 of two). An operand that is repeated over
// rows or columns is spread over the tile by the processor; how much that takes is profiled too.
double fetchCycles(const OpView& view) {
  constexpr double kSecond = 125, kSpreadRow = 1150, kSpreadColumn = 580;
  if (!view.hasInput(0) || inPlace(view)) return 0;
  double longest = 0, more = 0;
  for (int i = 0; i < view.operandCount(); ++i) {
    if (!view.hasInput(i)) continue;
    const Shape &in = view.inputShape(i), &out = view.resultShape();
    longest = std::max(longest, readAndWait(view, view.input(i).buffer, static_cast<double>(view.inputTile(i))));
    bool rows = dimFromEnd(in, 1) < dimFromEnd(out, 1), columns = dimFromEnd(in, 0) < dimFromEnd(out, 0);
    if (i > 0 && !(rows && columns)) more += kSecond;
    if (rows && !columns) more += kSpreadRow;
    if (columns && !rows) more += kSpreadColumn;
  }
  return longest + more;
}

// One kernel of the op, on the busiest core.
double kernelCycles(const OpView& view) {
  if (!view.hasResult()) return 0;
  // 32-bit elements halve what the destination registers hold (ttnn-op-runtime-predictor: 2,500-2,760 against 2,088 ns
  // of exp).
  constexpr double kWide = 1.28;
  auto each = static_cast<double>(vectorCost(view));
  if (view.outputTile() > 2048 && !view.is("typecast")) each *= kWide;
  double perTile = std::max({each, unpackCycles(view), fetchCycles(view)});
  // Shards that are read like any other tensor are shared out to all cores.
  bool spread = view.hasInput(1) && shardedLikeOutput(view, 0) && !inPlace(view);
  return shareOf(tileCount(view.resultShape()), spread ? view.device.grid.volume() : computeCores(view)) * perTile;
}

double vectorCycles(const OpView& view) {
  return kernelCycles(view) * static_cast<double>(eltwisePrograms(view).kernels);
}
double vectorStart(const OpView& view) {
  return kernelStart(view) * static_cast<double>(eltwisePrograms(view).kernels);
}

// What one kernel writes the next one reads, and stores where the first operand is.
int64_t vectorReads(const OpView& view, int operand) {
  const int64_t whole = readWhole(view, operand);
  if (operand != 0 || !view.hasResult()) return whole;
  const EltwisePrograms programs = eltwisePrograms(view);
  const int64_t between =
      mulSaturated(tileCount(view.resultShape()), tileBytes(programs.worksIn.value_or(view.output().dtype)));
  return addSaturated(whole, mulSaturated(2 * (programs.kernels - 1), between));
}

double quantizeCycles(const OpView& view) {
  constexpr int64_t kPerTile = 300;
  return view.hasResult() ? tilesTimesCycles(view, tileCount(view.resultShape()), kPerTile) : 0;
}

}  // namespace

const FamilyTime kEltwiseTime = {vectorCycles, vectorReads, vectorStart};
const FamilyTime kQuantizeTime = {quantizeCycles, readWhole, kernelStart};

}  // namespace tessera
