// The costs of the layout model: tables over places and configs, with and without prices for L1.

#include <algorithm>

#include "core/policy/exact/layout_model.h"

namespace tessera {

// --- what waiting and reading cost ------------------------------------------------------------------------------------

Cost LayoutModel::held(const L1Prices* prices, int32_t first, int32_t last, int64_t bytes) const {
  if (!prices || bytes == 0 || last < first) return 0;
  const Cost perByte = prices->upTo[static_cast<size_t>(last) + 1] - prices->upTo[static_cast<size_t>(std::max(first, 0))];
  return mulSaturated(perByte, bytes);
}

int64_t LayoutModel::bytesAt(ValueId value, LayoutId id) const {
  if (values_[value].sharesBuffer) return 0;
  const auto at = static_cast<size_t>(id);
  if (l1Bytes_.size() <= at) l1Bytes_.resize(pool_.size(), -1);
  if (l1Bytes_[at] < 0) l1Bytes_[at] = l1BytesPerCore(pool_[id]).count;
  return l1Bytes_[at];
}

LayoutId LayoutModel::dramOf(ValueId value) const {
  if (dram_[value] == kNoLayout) dram_[value] = pool_.intern(dramLayout(problem_, value));
  return dram_[value];
}

// From `from`, after step `after`, to `to`, when step `before` runs: it stays where it is or moves at once, whichever takes less L1;
// or it leaves L1 and comes back.
LayoutModel::Wait LayoutModel::wait(ValueId value, LayoutId from, LayoutId to, int32_t after, int32_t before, const L1Prices* prices) const {
  Wait direct;
  direct.between = std::min(bytesAt(value, from), bytesAt(value, to));
  const Cost hold = held(prices, after + 1, before - 1, direct.between);
  direct.cost = addCost(scaled(moves_.of(value, from, to), prices), hold);
  const bool mayLeave = pool_[from].isL1() && (from != to || hold > 0);
  if (!mayLeave) return direct;
  const LayoutId dram = dramOf(value);
  const Cost round = scaled(addCost(moves_.of(value, from, dram), moves_.of(value, dram, to)), prices);
  return round < direct.cost ? Wait{round, 0, 0} : direct;
}

LayoutModel::Wait LayoutModel::read(OpId op, const Operand& operand, LayoutId place, LayoutId as, const L1Prices* prices) const {
  const int32_t step = stepOf(op);
  if (operand.place.variable >= 0 && !operand.staged) return wait(operand.value, place, as, operand.from, step, prices);
  Wait now{scaled(moves_.of(operand.value, place, as), prices), 0, 0};
  if (operand.staged && operand.livesOn && place != as) {
    now.here = bytesAt(operand.value, place);
    now.cost = addCost(now.cost, held(prices, step, step, now.here));
  }
  return now;
}

Cost LayoutModel::wayCost(OpId op, const Ways& ways, size_t way, const L1Prices* prices) const {
  if (isForbidden(ways.time[way])) return kForbidden;
  return addCost(scaled(ways.time[way], prices), held(prices, stepOf(op), stepOf(op), ways.l1[way]));
}

Cost LayoutModel::returnCost(ValueId value, LayoutId place, const L1Prices* prices) const {
  if (!values_[value].returned || !pool_[place].isL1()) return 0;
  return scaled(moves_.of(value, place, dramOf(value)), prices);
}

// --- tables ----------------------------------------------------------------------------------------------------------

const std::vector<Cost>& LayoutModel::readCosts(OpId op, size_t operand, LayoutId as, const L1Prices* prices, ReadCosts& known) const {
  auto& ofOperand = known[operand];
  for (const auto& entry : ofOperand) {
    if (entry.first == as) return entry.second;
  }
  const Operand& source = ops_[op].operands[operand];
  std::vector<Cost> costs;
  for (LayoutId place : source.place.layouts) costs.push_back(read(op, source, place, as, prices).cost);
  ofOperand.emplace_back(as, std::move(costs));
  return ofOperand.back().second;
}

// Operand by operand: the array is over the layouts read, and ends over the places.
void LayoutModel::replaceReads(OpId op, const Ways& ways, const L1Prices* prices, ReadCosts& known, std::vector<Cost>& costs) const {
  const OpEntry& entry = ops_[op];
  size_t before = 1, after = costs.size();
  for (size_t i = 0; i < entry.operands.size(); ++i) {
    const Operand& operand = entry.operands[i];
    const size_t options = ways.reads[i].size(), places = operand.place.layouts.size();
    after /= options;
    std::vector<Cost> moves(places * options);
    for (size_t r = 0; r < options; ++r) {
      const std::vector<Cost>& from = readCosts(op, i, ways.reads[i][r], prices, known);
      for (size_t p = 0; p < places; ++p) moves[p * options + r] = from[p];
    }
    std::vector<Cost> next(before * places * after, kForbidden);
    for (size_t b = 0; b < before; ++b) {
      for (size_t p = 0; p < places; ++p) {
        Cost* out = &next[(b * places + p) * after];
        for (size_t r = 0; r < options; ++r) {
          const Cost move = moves[p * options + r];
          const Cost* in = &costs[(b * options + r) * after];
          if (isForbidden(move)) continue;
          for (size_t a = 0; a < after; ++a) out[a] = std::min(out[a], in[a] + move);
        }
      }
    }
    costs = std::move(next);
    before *= places;
  }
}

std::vector<Cost> LayoutModel::leastOver(OpId op, size_t choice, const L1Prices* prices, ReadCosts& known) const {
  const OpEntry& entry = ops_[op];
  std::vector<Cost> least;
  std::vector<char> done(entry.configs.size(), 0);
  for (size_t c = 0; c < entry.configs.size(); ++c) {
    if (done[c] || !makes(entry, c, choice)) continue;
    const Ways& ways = *entry.ways[c];
    std::vector<Cost> costs(ways.time.size(), kForbidden);
    // Settings that read in the same layouts are taken together.
    for (size_t d = c; d < entry.configs.size(); ++d) {
      if (!makes(entry, d, choice) || entry.ways[d]->reads != ways.reads) continue;
      done[d] = 1;
      for (size_t way = 0; way < costs.size(); ++way) costs[way] = std::min(costs[way], wayCost(op, *entry.ways[d], way, prices));
    }
    replaceReads(op, ways, prices, known, costs);
    if (least.empty()) least = std::move(costs);
    else for (size_t i = 0; i < least.size(); ++i) least[i] = std::min(least[i], costs[i]);
  }
  return least;
}

std::vector<Cost> LayoutModel::unaryOf(OpId op, const L1Prices* prices) const {
  const OpEntry& entry = ops_[op];
  std::vector<Cost> costs(entry.choiceConfig.size(), 0);
  const auto& results = problem_.graph.ops[op].results;
  ReadCosts known(entry.operands.size());
  for (size_t x = 0; x < costs.size(); ++x) {
    const auto config = static_cast<size_t>(entry.choiceConfig[x]);
    if (entry.isExplicit) costs[x] = wayCost(op, *entry.ways[config], entry.choiceWay[x], prices);
    else if (entry.factor < 0) costs[x] = leastOver(op, x, prices, known)[0];
    for (ValueId result : results) {
      if (problem_.isTensor(result) && values_[result].stages.empty() && values_[result].fixed == kNoLayout) costs[x] = addCost(costs[x], returnCost(result, entry.outputs[config], prices));
    }
  }
  // What explicit ops read from one place only.
  for (size_t i = 0; entry.isExplicit && i < entry.operands.size(); ++i) {
    if (entry.operands[i].place.variable >= 0) continue;
    const std::vector<Cost> reads = pairTable(op, i, prices);
    for (size_t x = 0; x < costs.size(); ++x) costs[x] = addCost(costs[x], reads[x]);
  }
  return costs;
}

// Over (the operand's places, the op's choices).
std::vector<Cost> LayoutModel::pairTable(OpId op, size_t operand, const L1Prices* prices) const {
  const OpEntry& entry = ops_[op];
  const Operand& source = entry.operands[operand];
  std::vector<Cost> table;
  for (LayoutId place : source.place.layouts) {
    for (size_t x = 0; x < entry.choiceConfig.size(); ++x) {
      const Ways& ways = *entry.ways[static_cast<size_t>(entry.choiceConfig[x])];
      size_t way = entry.choiceWay[x];
      for (size_t i = entry.operands.size(); --i > operand;) way /= ways.reads[i].size();
      table.push_back(read(op, source, place, ways.reads[operand][way % ways.reads[operand].size()], prices).cost);
    }
  }
  return table;
}

std::vector<Cost> LayoutModel::opTable(OpId op, const L1Prices* prices) const {
  const OpEntry& entry = ops_[op];
  std::vector<size_t> sizes;
  for (int variable : entry.scope) sizes.push_back(static_cast<size_t>(graph_.domain(variable)));
  std::vector<std::vector<Cost>> perChoice;
  ReadCosts known(entry.operands.size());
  for (size_t x = 0; x < entry.choiceConfig.size(); ++x) perChoice.push_back(leastOver(op, x, prices, known));
  sizes.pop_back();
  std::vector<Cost> table;
  std::vector<size_t> at(sizes.size(), 0);
  do {
    size_t cell = 0;
    for (const Operand& operand : entry.operands) {
      cell *= operand.place.layouts.size();
      if (operand.place.variable < 0) continue;
      const auto slot = std::find(entry.scope.begin(), entry.scope.end(), operand.place.variable) - entry.scope.begin();
      cell += at[static_cast<size_t>(slot)];
    }
    for (const std::vector<Cost>& costs : perChoice) table.push_back(costs[cell]);
  } while (nextCombination(at, sizes));
  return table;
}

std::vector<Cost> LayoutModel::moveTable(ValueId value, size_t stage, const L1Prices* prices) const {
  const ValueEntry& entry = values_[value];
  const std::vector<LayoutId> from = stage == 0 ? madePlace(value).layouts : entry.places;
  const int32_t after = stage == 0 ? problem_.live[value].def : stepOf(entry.readers[stage - 1]);
  std::vector<Cost> table;
  for (LayoutId a : from) {
    for (LayoutId b : entry.places) table.push_back(wait(value, a, b, after, stepOf(entry.readers[stage]), prices).cost);
  }
  return table;
}

std::vector<Cost> LayoutModel::stageUnary(ValueId value, size_t stage, const L1Prices* prices) const {
  const ValueEntry& entry = values_[value];
  std::vector<Cost> costs(entry.places.size(), 0);
  if (entry.moveFactors[stage] < 0) costs = moveTable(value, stage, prices);
  const bool last = stage + 1 == entry.stages.size();
  for (size_t p = 0; last && p < costs.size(); ++p) costs[p] = addCost(costs[p], returnCost(value, entry.places[p], prices));
  return costs;
}

template <typename Make>
CostTable LayoutModel::shared(const std::vector<uint32_t>& key, const std::vector<std::shared_ptr<const Ways>>& ways, Make make) const {
  KeptTable& known = numbered(memory_.tables, memory_.tableKeys.numberOf(key));
  if (known.table.size() > 0 && known.range.holds(problem_.model.l1Budget().count)) return known.table;
  BudgetRange range;
  moves_.watch(&range);
  known = {CostTable(make()), {}, ways};
  moves_.watch(nullptr);
  known.range = range;
  memory_.cells += static_cast<int64_t>(known.table.size());
  return known.table;
}

namespace {

void addLayouts(std::vector<uint32_t>& key, const std::vector<LayoutId>& layouts) {
  key.push_back(static_cast<uint32_t>(layouts.size()));
  key.insert(key.end(), layouts.begin(), layouts.end());
}

}  // namespace

bool LayoutModel::isPriced(const L1Prices* prices, int32_t first, int32_t last) const {
  return prices && last >= first && prices->upTo[static_cast<size_t>(last) + 1] != prices->upTo[static_cast<size_t>(std::max(first, 0))];
}

CostTable LayoutModel::sharedOpTable(OpId op, const L1Prices* prices) const {
  const OpEntry& entry = ops_[op];
  int32_t first = stepOf(op);
  for (const Operand& operand : entry.operands) {
    if (operand.place.variable >= 0 && !operand.staged) first = std::min(first, operand.from + 1);
  }
  if (isPriced(prices, first, stepOf(op))) return opTable(op, prices);
  std::vector<uint32_t> key{0, prices ? static_cast<uint32_t>(prices->shift) : 0, entry.kind};
  for (const Operand& operand : entry.operands) {
    key.push_back(static_cast<uint32_t>(operand.staged) << 1 | static_cast<uint32_t>(operand.place.variable >= 0));
    // Which position in the scope: an operand may stand twice, and copies of one value have a variable each.
    key.push_back(static_cast<uint32_t>(std::find(entry.scope.begin(), entry.scope.end(), operand.place.variable) - entry.scope.begin()));
    addLayouts(key, operand.place.layouts);
  }
  addLayouts(key, entry.outputs);
  for (const auto& ways : entry.ways) addWords(key, reinterpret_cast<uintptr_t>(ways.get()));
  return shared(key, entry.ways, [&] { return opTable(op, prices); });
}

CostTable LayoutModel::sharedMoveTable(ValueId value, size_t stage, const L1Prices* prices) const {
  const ValueEntry& entry = values_[value];
  const int32_t after = stage == 0 ? problem_.live[value].def : stepOf(entry.readers[stage - 1]);
  if (isPriced(prices, after + 1, stepOf(entry.readers[stage]) - 1)) return moveTable(value, stage, prices);
  std::vector<uint32_t> key{1, prices ? static_cast<uint32_t>(prices->shift) : 0, moves_.typeOf(value)};
  addLayouts(key, stage == 0 ? madePlace(value).layouts : entry.places);
  addLayouts(key, entry.places);
  return shared(key, {}, [&] { return moveTable(value, stage, prices); });
}

void LayoutModel::price(const L1Prices* prices) {
  for (OpId op : problem_.schedule.order) {
    const OpEntry& entry = ops_[op];
    if (entry.variable < 0) continue;
    graph_.setUnary(entry.variable, unaryOf(op, prices));
    if (entry.factor >= 0) graph_.setFactorTable(entry.factor, sharedOpTable(op, prices));
    for (size_t i = 0; i < entry.pairFactors.size(); ++i) {
      if (entry.pairFactors[i] >= 0) graph_.setFactorTable(entry.pairFactors[i], pairTable(op, i, prices));
    }
  }
  for (ValueId value : values_.ids()) {
    const ValueEntry& entry = values_[value];
    for (size_t stage = 0; stage < entry.stages.size(); ++stage) {
      graph_.setUnary(entry.stages[stage], stageUnary(value, stage, prices));
      if (entry.moveFactors[stage] >= 0) graph_.setFactorTable(entry.moveFactors[stage], sharedMoveTable(value, stage, prices));
    }
  }
}

}  // namespace tessera
