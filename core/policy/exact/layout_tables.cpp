// The costs of the layout model: tables over places and configs, with and without prices for L1; and what an assignment means.

#include <algorithm>

#include "core/policy/exact/layout_model.h"

namespace tessera {

namespace {

// Position in a table over several lists, the last one fastest.
bool turn(std::vector<size_t>& at, const std::vector<size_t>& sizes) {
  for (size_t i = at.size(); i-- > 0;) {
    if (++at[i] < sizes[i]) return true;
    at[i] = 0;
  }
  return false;
}

}  // namespace

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

// Operand by operand: the array starts as times over the layouts read, and ends as costs over the places.
std::vector<Cost> LayoutModel::leastOver(OpId op, size_t config, const L1Prices* prices, ReadCosts& known) const {
  const OpEntry& entry = ops_[op];
  const Ways& ways = entry.ways[config];
  std::vector<Cost> costs(ways.time.size());
  for (size_t way = 0; way < costs.size(); ++way) costs[way] = wayCost(op, ways, way, prices);
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
          for (size_t a = 0; a < after; ++a) out[a] = std::min(out[a], addCost(in[a], move));
        }
      }
    }
    costs = std::move(next);
    before *= places;
  }
  return costs;
}

std::vector<Cost> LayoutModel::unaryOf(OpId op, const L1Prices* prices) const {
  const OpEntry& entry = ops_[op];
  std::vector<Cost> costs(entry.choiceConfig.size(), 0);
  const auto& results = problem_.graph.ops[op].results;
  ReadCosts known(entry.operands.size());
  for (size_t x = 0; x < costs.size(); ++x) {
    const auto config = static_cast<size_t>(entry.choiceConfig[x]);
    if (entry.isExplicit) costs[x] = wayCost(op, entry.ways[config], entry.choiceWay[x], prices);
    else if (entry.factor < 0) costs[x] = leastOver(op, config, prices, known)[0];
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
      const Ways& ways = entry.ways[static_cast<size_t>(entry.choiceConfig[x])];
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
  const size_t configs = entry.configs.size();
  std::vector<std::vector<Cost>> perConfig;
  ReadCosts known(entry.operands.size());
  for (size_t c = 0; c < configs; ++c) perConfig.push_back(leastOver(op, c, prices, known));
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
    for (size_t c = 0; c < configs; ++c) table.push_back(perConfig[c][cell]);
  } while (turn(at, sizes));
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

void LayoutModel::price(const L1Prices* prices) {
  for (OpId op : problem_.schedule.order) {
    const OpEntry& entry = ops_[op];
    if (entry.variable < 0) continue;
    graph_.setUnary(entry.variable, unaryOf(op, prices));
    if (entry.factor >= 0) graph_.setFactorTable(entry.factor, opTable(op, prices));
    for (size_t i = 0; i < entry.pairFactors.size(); ++i) {
      if (entry.pairFactors[i] >= 0) graph_.setFactorTable(entry.pairFactors[i], pairTable(op, i, prices));
    }
  }
  for (ValueId value : values_.ids()) {
    const ValueEntry& entry = values_[value];
    for (size_t stage = 0; stage < entry.stages.size(); ++stage) {
      graph_.setUnary(entry.stages[stage], stageUnary(value, stage, prices));
      if (entry.moveFactors[stage] >= 0) graph_.setFactorTable(entry.moveFactors[stage], moveTable(value, stage, prices));
    }
  }
}

// --- assignments -------------------------------------------------------------------------------------------------------

LayoutId LayoutModel::layoutIn(const Place& place, const std::vector<int>& values) const {
  return place.layouts[place.variable < 0 ? 0 : static_cast<size_t>(values[static_cast<size_t>(place.variable)])];
}

LayoutId LayoutModel::placeAt(ValueId value, OpId reader, const std::vector<int>& values) const { return layoutIn(placeOf(value, reader), values); }

LayoutId LayoutModel::madeAt(ValueId value, const std::vector<int>& values) const { return layoutIn(madePlace(value), values); }

// The cheapest combination of layouts read; of equals the first.
size_t LayoutModel::bestWay(OpId op, size_t config, const std::vector<int>& values, const L1Prices* prices) const {
  const OpEntry& entry = ops_[op];
  const Ways& ways = entry.ways[config];
  std::vector<std::vector<Cost>> moves;
  std::vector<size_t> sizes, at(entry.operands.size(), 0);
  for (size_t i = 0; i < entry.operands.size(); ++i) {
    const LayoutId place = layoutIn(entry.operands[i].place, values);
    moves.emplace_back();
    for (LayoutId as : ways.reads[i]) moves.back().push_back(read(op, entry.operands[i], place, as, prices).cost);
    sizes.push_back(ways.reads[i].size());
  }
  size_t best = 0;
  Cost least = kForbidden;
  for (size_t way = 0; way < ways.time.size(); ++way) {
    Cost cost = wayCost(op, ways, way, prices);
    for (size_t i = 0; i < at.size(); ++i) cost = addCost(cost, moves[i][at[i]]);
    if (cost < least) least = cost, best = way;
    turn(at, sizes);
  }
  return best;
}

size_t LayoutModel::chosenWay(OpId op, const std::vector<int>& values, const L1Prices* prices) const {
  const OpEntry& entry = ops_[op];
  const auto choice = static_cast<size_t>(values[static_cast<size_t>(entry.variable)]);
  return entry.isExplicit ? entry.choiceWay[choice] : bestWay(op, static_cast<size_t>(entry.choiceConfig[choice]), values, prices);
}

const LayoutModel::Ways& LayoutModel::chosenWays(OpId op, const std::vector<int>& values) const {
  const OpEntry& entry = ops_[op];
  return entry.ways[static_cast<size_t>(entry.choiceConfig[static_cast<size_t>(values[static_cast<size_t>(entry.variable)])])];
}

namespace {

ModelWay makeWay(const OpConfig& config, size_t operandCount) { return {config, std::vector<LayoutId>(operandCount, kNoLayout), 0}; }

}  // namespace

void LayoutModel::fillReads(const OpEntry& entry, const Ways& ways, size_t way, ModelWay& out) const {
  out.time = ways.time[way];
  for (size_t i = entry.operands.size(); i-- > 0;) {
    out.reads[entry.operands[i].index] = ways.reads[i][way % ways.reads[i].size()];
    way /= ways.reads[i].size();
  }
}

ModelWay LayoutModel::wayOf(OpId op, const std::vector<int>& values, const L1Prices* prices) const {
  const OpEntry& entry = ops_[op];
  const auto config = static_cast<size_t>(entry.choiceConfig[static_cast<size_t>(values[static_cast<size_t>(entry.variable)])]);
  ModelWay out = makeWay(entry.configs[config], problem_.graph.ops[op].operands.size());
  fillReads(entry, entry.ways[config], chosenWay(op, values, prices), out);
  return out;
}

int64_t LayoutModel::l1Of(OpId op, const std::vector<int>& values) const {
  if (ops_[op].variable < 0) return 0;
  return chosenWays(op, values).l1[chosenWay(op, values, nullptr)];
}

LayoutModel::OneWay LayoutModel::oneWay(OpId op, const OpConfig& config, const std::vector<LayoutId>& reads) {
  OpEntry& entry = ops_[op];
  OneWay out;
  if (entry.variable < 0) return out;
  const std::vector<Ways> usual = entry.ways;
  bool known = false;
  for (size_t c = 0; c < entry.configs.size(); ++c) {
    for (size_t way = 0; way < usual[c].time.size(); ++way) {
      ModelWay read = makeWay(entry.configs[c], problem_.graph.ops[op].operands.size());
      fillReads(entry, usual[c], way, read);
      const bool its = entry.configs[c].output == config.output && read.reads == reads && !isForbidden(usual[c].time[way]);
      known = known || its;
      if (!its) entry.ways[c].time[way] = kForbidden;
    }
  }
  out.factor = entry.isExplicit ? -1 : entry.factor;
  if (known) out.costs = out.factor >= 0 ? opTable(op, nullptr) : unaryOf(op, nullptr);
  entry.ways = usual;
  if (known) out.usual = out.factor >= 0 ? graph_.factor(out.factor).table : graph_.unary(entry.variable);
  return out;
}

std::vector<ModelWay> LayoutModel::allWays(OpId op) const {
  const OpEntry& entry = ops_[op];
  std::vector<ModelWay> all;
  for (size_t c = 0; c < entry.configs.size(); ++c) {
    for (size_t way = 0; way < entry.ways[c].time.size(); ++way) {
      if (isForbidden(entry.ways[c].time[way])) continue;
      all.push_back(makeWay(entry.configs[c], problem_.graph.ops[op].operands.size()));
      fillReads(entry, entry.ways[c], way, all.back());
    }
  }
  return all;
}

void LayoutModel::addMoves(ValueId value, LayoutId from, LayoutId to, int32_t after, int32_t before, const Wait& wait, std::vector<Move>& out) const {
  const auto& order = problem_.schedule.order;
  auto at = [&](int32_t step) { return order[static_cast<size_t>(step)]; };
  const bool staged = !values_[value].stages.empty();
  const bool leaves = wait.between == 0 && bytesAt(value, from) > 0 && before - after > 1 && pool_[to].isL1();
  if (leaves) out.push_back({at(after + 1), value, dramOf(value)});
  const bool early = bytesAt(value, to) < bytesAt(value, from);
  // One reader's own conversion is a reshard, unless it saves L1 in the meantime.
  if (from != to && early && before - after > 1 && (staged || bytesAt(value, to) > 0)) out.push_back({at(after + 1), value, to});
  else if (staged && (from != to || leaves)) out.push_back({at(before), value, to});
}

std::vector<LayoutModel::Move> LayoutModel::movesOf(const std::vector<int>& values, const L1Prices* prices) const {
  std::vector<Move> out;
  const auto& order = problem_.schedule.order;
  for (ValueId value : values_.ids()) {
    const ValueEntry& entry = values_[value];
    const bool made = entry.fixed != kNoLayout || (problem_.graph.values[value].producer.valid() && ops_[problem_.graph.values[value].producer].variable >= 0);
    if (!made || (entry.readers.empty() && !entry.returned)) continue;
    LayoutId from = madeAt(value, values);
    int32_t after = problem_.live[value].def;
    for (size_t stage = 0; stage < entry.stages.size(); ++stage) {
      const LayoutId to = entry.places[static_cast<size_t>(values[static_cast<size_t>(entry.stages[stage])])];
      const int32_t before = stepOf(entry.readers[stage]);
      addMoves(value, from, to, after, before, wait(value, from, to, after, before, prices), out);
      from = to;
      after = before;
    }
    if (entry.stages.empty() && !entry.readers.empty()) after = stepOf(entry.readers.back());
    if (entry.returned && pool_[from].isL1()) out.push_back({order[static_cast<size_t>(after + 1)], value, dramOf(value), true});
  }
  for (OpId op : problem_.schedule.order) {
    const OpEntry& entry = ops_[op];
    if (entry.variable < 0 || !prices) continue;  // without prices nobody leaves L1 for room
    const ModelWay way = wayOf(op, values, prices);
    for (const Operand& operand : entry.operands) {
      if (operand.staged || operand.place.variable < 0) continue;
      const LayoutId from = layoutIn(operand.place, values), to = way.reads[operand.index];
      addMoves(operand.value, from, to, operand.from, stepOf(op), read(op, operand, from, to, prices), out);
    }
  }
  std::stable_sort(out.begin(), out.end(), [&](const Move& a, const Move& b) { return stepOf(a.before) < stepOf(b.before); });
  return out;
}

std::vector<int> LayoutModel::assignmentOf(const Plan& plan) const {
  const PlanTrack track = trackPlan(problem_, plan, pool_);
  std::vector<int> values(static_cast<size_t>(graph_.variableCount()), 0);
  for (OpId op : problem_.schedule.order) {
    const OpEntry& entry = ops_[op];
    if (entry.variable < 0) continue;
    const bool decided = !problem_.graph.ops[op].results.empty() && values_[problem_.graph.ops[op].results[0]].fixed == kNoLayout;
    bool found = false;
    for (size_t x = 0; x < entry.choiceConfig.size() && !found; ++x) {
      const auto config = static_cast<size_t>(entry.choiceConfig[x]);
      // Of settings with the same result, the model keeps the best.
      found = !decided || entry.configs[config].output == track.config[op].output;
      if (found && entry.isExplicit) {
        ModelWay way = makeWay(entry.configs[config], track.reads[op].size());
        fillReads(entry, entry.ways[config], entry.choiceWay[x], way);
        for (const Operand& operand : entry.operands) found = found && way.reads[operand.index] == track.reads[op][operand.index];
      }
      if (found) values[static_cast<size_t>(entry.variable)] = static_cast<int>(x);
    }
    if (!found) return {};
    for (const Operand& operand : entry.operands) {
      if (!operand.staged) continue;
      const auto at = std::find(operand.place.layouts.begin(), operand.place.layouts.end(), track.at[op][operand.index]);
      if (at == operand.place.layouts.end()) return {};
      values[static_cast<size_t>(operand.place.variable)] = static_cast<int>(at - operand.place.layouts.begin());
    }
  }
  return values;
}

std::vector<int64_t> LayoutModel::usage(const std::vector<int>& values, const L1Prices* prices) const {
  const auto steps = static_cast<size_t>(problem_.schedule.steps());
  std::vector<int64_t> change(steps + 1, 0), at(steps, 0);
  auto hold = [&](int32_t after, int32_t before, int64_t bytes) {
    if (before - after < 2) return;
    change[static_cast<size_t>(after + 1)] += bytes;
    change[static_cast<size_t>(before)] -= bytes;
  };
  for (OpId op : problem_.schedule.order) {
    const OpEntry& entry = ops_[op];
    if (entry.variable < 0) continue;
    const size_t way = chosenWay(op, values, prices);
    at[static_cast<size_t>(stepOf(op))] += chosenWays(op, values).l1[way];
    const ModelWay reads = wayOf(op, values, prices);
    for (const Operand& operand : entry.operands) {
      const Wait wait = read(op, operand, layoutIn(operand.place, values), reads.reads[operand.index], prices);
      hold(operand.from, stepOf(op), wait.between);
      at[static_cast<size_t>(stepOf(op))] += wait.here;
    }
  }
  for (ValueId value : values_.ids()) {
    const ValueEntry& entry = values_[value];
    LayoutId from = entry.stages.empty() ? kNoLayout : madeAt(value, values);
    int32_t after = entry.stages.empty() ? 0 : problem_.live[value].def;
    for (size_t stage = 0; stage < entry.stages.size(); ++stage) {
      const LayoutId to = entry.places[static_cast<size_t>(values[static_cast<size_t>(entry.stages[stage])])];
      const int32_t before = stepOf(entry.readers[stage]);
      hold(after, before, wait(value, from, to, after, before, prices).between);
      from = to;
      after = before;
    }
  }
  int64_t now = 0;
  for (size_t step = 0; step < steps; ++step) {
    now += change[step];
    at[step] += now;
  }
  return at;
}

}  // namespace tessera
