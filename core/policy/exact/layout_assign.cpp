// What an assignment of the layout model means: which way every op runs, where values lie and when they move.

#include <algorithm>

#include "core/policy/exact/layout_model.h"

namespace tessera {

LayoutId LayoutModel::layoutIn(const Place& place, const std::vector<int>& values) const {
  return place.layouts[place.variable < 0 ? 0 : static_cast<size_t>(values[static_cast<size_t>(place.variable)])];
}

LayoutId LayoutModel::placeAt(ValueId value, OpId reader, const std::vector<int>& values) const { return layoutIn(placeOf(value, reader), values); }

LayoutId LayoutModel::madeAt(ValueId value, const std::vector<int>& values) const { return layoutIn(madePlace(value), values); }

// The cheapest setting and combination of layouts read; of equals the first.
LayoutModel::Chosen LayoutModel::bestWay(OpId op, size_t choice, const std::vector<int>& values, const L1Prices* prices) const {
  const OpEntry& entry = ops_[op];
  Chosen best;
  Cost least = kForbidden;
  for (size_t c = 0; c < entry.configs.size(); ++c) {
    if (!makes(entry, c, choice)) continue;
    const Ways& ways = *entry.ways[c];
    std::vector<std::vector<Cost>> moves;
    std::vector<size_t> sizes, at(entry.operands.size(), 0);
    for (size_t i = 0; i < entry.operands.size(); ++i) {
      const LayoutId place = layoutIn(entry.operands[i].place, values);
      moves.emplace_back();
      for (LayoutId as : ways.reads[i]) moves.back().push_back(read(op, entry.operands[i], place, as, prices).cost);
      sizes.push_back(ways.reads[i].size());
    }
    for (size_t way = 0; way < ways.time.size(); ++way) {
      Cost cost = wayCost(op, ways, way, prices);
      for (size_t i = 0; i < at.size(); ++i) cost = addCost(cost, moves[i][at[i]]);
      if (cost < least) least = cost, best = {c, way};
      nextCombination(at, sizes);
    }
  }
  return best;
}

LayoutModel::Chosen LayoutModel::chosenWay(OpId op, const std::vector<int>& values, const L1Prices* prices) const {
  const OpEntry& entry = ops_[op];
  const auto choice = static_cast<size_t>(values[static_cast<size_t>(entry.variable)]);
  if (entry.isExplicit) return {static_cast<size_t>(entry.choiceConfig[choice]), entry.choiceWay[choice]};
  return bestWay(op, choice, values, prices);
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
  const Chosen chosen = chosenWay(op, values, prices);
  ModelWay out = makeWay(entry.configs[chosen.config], problem_.graph.ops[op].operands.size());
  fillReads(entry, *entry.ways[chosen.config], chosen.way, out);
  return out;
}

int64_t LayoutModel::l1Of(OpId op, const std::vector<int>& values) const {
  if (ops_[op].variable < 0) return 0;
  const Chosen chosen = chosenWay(op, values, nullptr);
  return ops_[op].ways[chosen.config]->l1[chosen.way];
}

LayoutModel::OneWay LayoutModel::oneWay(OpId op, const OpConfig& config, const std::vector<LayoutId>& reads) {
  OpEntry& entry = ops_[op];
  OneWay out;
  if (entry.variable < 0) return out;
  // The same op with this way only.
  const auto usual = entry.ways;
  std::vector<std::vector<size_t>> its(entry.configs.size());  // per config: the combination that is this way
  bool known = false;
  for (size_t c = 0; c < entry.configs.size(); ++c) {
    Ways one{.reads = {}, .time = {kForbidden}, .l1 = {0}};
    for (const Operand& operand : entry.operands) one.reads.push_back({reads[operand.index]});
    for (size_t way = 0; way < usual[c]->time.size(); ++way) {
      ModelWay read = makeWay(entry.configs[c], problem_.graph.ops[op].operands.size());
      fillReads(entry, *usual[c], way, read);
      if (!(entry.configs[c].output == config.output) || read.reads != reads || isForbidden(usual[c]->time[way])) continue;
      its[c].push_back(way);
      one.time[0] = std::min(one.time[0], usual[c]->time[way]);
      known = true;
    }
    entry.ways[c] = std::make_shared<const Ways>(std::move(one));
  }
  out.factor = entry.isExplicit ? -1 : entry.factor;
  if (known && entry.isExplicit) {
    out.costs = graph_.unary(entry.variable);
    for (size_t x = 0; x < out.costs.size(); ++x) {
      const auto& ways = its[static_cast<size_t>(entry.choiceConfig[x])];
      if (std::find(ways.begin(), ways.end(), entry.choiceWay[x]) == ways.end()) out.costs[x] = kForbidden;
    }
  } else if (known) {
    out.costs = out.factor >= 0 ? opTable(op, nullptr) : unaryOf(op, nullptr);
  }
  entry.ways = usual;
  return out;
}

std::vector<LayoutModel::WayRef> LayoutModel::waysFrom(OpId op, const std::vector<LayoutId>& now) const {
  const OpEntry& entry = ops_[op];
  std::vector<WayRef> all;
  for (size_t c = 0; c < entry.configs.size(); ++c) {
    const Ways& ways = *entry.ways[c];
    std::vector<std::vector<Cost>> moves;
    std::vector<size_t> sizes, at(entry.operands.size(), 0);
    for (size_t i = 0; i < entry.operands.size(); ++i) {
      const Operand& operand = entry.operands[i];
      const LayoutId from = now[operand.index];
      moves.emplace_back();
      for (LayoutId as : ways.reads[i]) moves.back().push_back(from == kNoLayout ? 0 : moves_.of(operand.value, from, as));
      sizes.push_back(ways.reads[i].size());
    }
    for (size_t way = 0; way < ways.time.size(); ++way, nextCombination(at, sizes)) {
      Cost cost = ways.time[way];
      for (size_t i = 0; i < at.size(); ++i) cost = addCost(cost, moves[i][at[i]]);
      if (!isForbidden(cost)) all.push_back({c, way, cost});
    }
  }
  return all;
}

ModelWay LayoutModel::wayAt(OpId op, const WayRef& ref) const {
  ModelWay way = makeWay(ops_[op].configs[ref.config], problem_.graph.ops[op].operands.size());
  fillReads(ops_[op], *ops_[op].ways[ref.config], ref.way, way);
  return way;
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
        fillReads(entry, *entry.ways[config], entry.choiceWay[x], way);
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
    const Chosen chosen = chosenWay(op, values, prices);
    at[static_cast<size_t>(stepOf(op))] += entry.ways[chosen.config]->l1[chosen.way];
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
