#include "core/policy/exact/layout_costs.h"

#include <algorithm>

namespace tessera {

bool LayoutCosts::priced(int32_t first, int32_t last) const {
  return prices_ && last >= first &&
         prices_->upTo[static_cast<size_t>(last) + 1] != prices_->upTo[static_cast<size_t>(std::max(first, 0))];
}

bool LayoutCosts::priced(const SegmentSpan& segment) const { return priced(segment.after + 1, segment.before - 1); }

bool LayoutCosts::priced(const OpChoices& op) const {
  const int32_t step = choices_.stepOf(op.op);
  int32_t first = step;
  for (const OperandChoice& operand : op.operands) {
    if (operand.domain.open() && !operand.split) first = std::min(first, operand.definedAt + 1);
  }
  return priced(first, step);
}

Cost LayoutCosts::held(int32_t first, int32_t last, int64_t bytes) const {
  if (!prices_ || bytes == 0 || last < first) return 0;
  const Cost perByte =
      prices_->upTo[static_cast<size_t>(last) + 1] - prices_->upTo[static_cast<size_t>(std::max(first, 0))];
  return mulSaturated(perByte, bytes);
}

int64_t LayoutCosts::bytes(ValueId value, LayoutId layout) const {
  return choices_.values[value].sharesBuffer ? 0 : choices_.pool.l1Bytes(layout).count;
}

// The value stays where it is or moves at once, whichever takes less L1; or it leaves L1 and comes back.
Transfer LayoutCosts::transfer(ValueId value, LayoutId from, LayoutId to, int32_t after, int32_t before) const {
  Transfer direct;
  direct.between = std::min(bytes(value, from), bytes(value, to));
  const Cost hold = held(after + 1, before - 1, direct.between);
  direct.cost = addCost(scaled(moves_.of(value, from, to)), hold);
  const bool mayLeave = choices_.pool[from].isL1() && (from != to || hold > 0);
  if (!mayLeave) return direct;
  const LayoutId dram = choices_.values[value].dram;
  const Cost round = scaled(addCost(moves_.of(value, from, dram), moves_.of(value, dram, to)));
  return round < direct.cost ? Transfer{round, 0, 0} : direct;
}

Transfer LayoutCosts::read(const OpChoices& op, const OperandChoice& operand, LayoutId from, LayoutId as) const {
  const int32_t step = choices_.stepOf(op.op);
  if (operand.domain.open() && !operand.split) return transfer(operand.value, from, as, operand.definedAt, step);
  Transfer now{scaled(moves_.of(operand.value, from, as)), 0, 0};
  if (operand.split && operand.livesOn && from != as) {
    now.atRead = bytes(operand.value, from);
    now.cost = addCost(now.cost, held(step, step, now.atRead));
  }
  return now;
}

Cost LayoutCosts::candidate(const OpChoices& op, const CandidateTable& table, size_t index) const {
  if (isForbidden(table.time[index])) return kForbidden;
  const int32_t step = choices_.stepOf(op.op);
  return addCost(scaled(table.time[index]), held(step, step, table.l1[index]));
}

Cost LayoutCosts::returned(ValueId value, LayoutId from) const {
  if (!choices_.values[value].returned || !choices_.pool[from].isL1()) return 0;
  return scaled(moves_.of(value, from, choices_.values[value].dram));
}

}  // namespace tessera
