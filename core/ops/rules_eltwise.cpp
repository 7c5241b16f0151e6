// Element-wise ops, with broadcasting, and typecast. Device reference 4.1, 4.2; compiler reference 1.6 (default rule book).

#include <algorithm>

#include "core/ops/family_rules.h"

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

int64_t vectorCycles(std::string_view fullName) {
  std::string_view base = fullName.substr(fullName.find('.') + 1);
  for (const VectorCost& cost : kVectorCosts) {
    if (cost.op == base) return cost.cycles;
  }
  return kDefaultVectorCycles;
}

bool isBroadcast(const OpView& view, int operand) { return view.inputShape(operand) != view.resultShape(); }

// A destination-passing output operand is not read.
bool isRead(const OpView& view, int operand) {
  return operandRole(view.info, operand, view.operandCount()) != "out";
}

Refused eltwiseLegality(const OpView& view) {
  if (Refused refused = requireTiles(view); refused.reason != Refusal::None) return refused;
  if (!view.hasResult()) return {};
  for (int i = 0; i < view.operandCount(); ++i) {
    if (!view.hasInput(i) || !isRead(view, i) || !view.input(i).sharded()) continue;
    if (isBroadcast(view, i)) return {Refusal::BroadcastOperandSharded, i};
    bool alike = view.input(i).memory == view.output().memory && view.input(i).grid == view.output().grid;
    if (view.output().sharded() && !alike) return {Refusal::ShardingMismatch, i};
  }
  return {};
}

int64_t eltwiseCycles(const OpView& view) {
  if (!view.hasResult()) return 0;
  return tilesTimesCycles(view, tileCount(view.resultShape()), vectorCycles(view.info.name));
}

int64_t eltwiseReadBytes(const OpView& view, int operand) { return isRead(view, operand) ? readWhole(view, operand) : 0; }

Refused typecastLegality(const OpView& view) {
  if (Refused refused = eltwiseLegality(view); refused.reason != Refusal::None) return refused;
  bool same = !view.hasInput(0) || view.input(0).memory == view.output().memory;
  return same ? Refused{} : Refused{Refusal::MemoryLayoutMismatch, 0};
}

}  // namespace

const FamilyRules kEltwiseRules = {eltwiseLegality, doubleBufferedTiles, eltwiseCycles, eltwiseReadBytes};
const FamilyRules kTypecastRules = {typecastLegality, doubleBufferedTiles, eltwiseCycles, eltwiseReadBytes};

}  // namespace tessera
