#include "core/report/chains.h"

namespace tessera {

namespace {

bool inL1(const Graph& graph, ValueId value) {
  const ValueType& type = graph.values[value].type;
  return type.isTensor() && type.tensor->layout && type.tensor->layout->isL1();
}

void assignLanes(std::vector<L1Chain>& chains) {
  std::vector<int32_t> busyUntil;  // per lane: last step of its last chain
  for (L1Chain& chain : chains) {
    size_t lane = 0;
    while (lane < busyUntil.size() && busyUntil[lane] >= chain.steps.front()) ++lane;
    if (lane == busyUntil.size()) busyUntil.push_back(-1);
    busyUntil[lane] = chain.steps.back();
    chain.lane = static_cast<int32_t>(lane);
  }
}

}  // namespace

L1Chains findChains(const Graph& graph, const std::vector<SimStep>& steps) {
  L1Chains out;
  out.chainOfStep.assign(steps.size(), -1);
  IdVec<OpId, int32_t> openEnd(graph.ops.size(), -1);  // chain whose last op this is
  for (size_t i = 0; i < steps.size(); ++i) {
    auto step = static_cast<int32_t>(i);
    const Op& op = graph.ops[steps[i].op];
    bool keepsInL1 = !op.results.empty() && inL1(graph, op.results[0]);
    int32_t chain = -1;
    for (ValueId operand : op.operands) {
      OpId producer = graph.values[operand].producer;
      if (!producer.valid() || !inL1(graph, operand) || openEnd[producer] < 0) continue;
      chain = openEnd[producer];
      openEnd[producer] = -1;
      break;
    }
    if (chain < 0 && keepsInL1) {
      chain = static_cast<int32_t>(out.chains.size());
      out.chains.emplace_back();
    }
    if (chain < 0) continue;
    out.chains[static_cast<size_t>(chain)].steps.push_back(step);
    out.chainOfStep[i] = chain;
    if (keepsInL1) openEnd[steps[i].op] = chain;
  }
  assignLanes(out.chains);
  return out;
}

}  // namespace tessera
