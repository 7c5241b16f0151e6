#include "core/policy/exact/layout_tables.h"

#include <algorithm>
#include <utility>

#include "core/solve/combinations.h"
#include "core/support/check.h"

namespace tessera {

namespace {

// The costs of one op, minimised over its candidates.
class OpTables {
 public:
  OpTables(const LayoutCosts& costs, const OpChoices& op) : costs_(costs), op_(op), readCosts_(op.operands.size()) {}

  // Of its variable.
  std::vector<Cost> unary() {
    const LayoutChoices& choices = costs_.choices();
    std::vector<Cost> out(op_.valueConfig.size(), 0);
    for (size_t x = 0; x < out.size(); ++x) {
      const auto config = static_cast<size_t>(op_.valueConfig[x]);
      if (op_.isExplicit) out[x] = costs_.candidate(op_, *op_.candidates[config], op_.valueCandidate[x]);
      else if (op_.scope.empty()) out[x] = leastOver(x)[0];
      for (ValueId result : choices.problem.graph.ops[op_.op].results) {
        if (!choices.problem.isTensor(result)) continue;
        const ValueChoices& value = choices.values[result];
        if (value.segments.empty() && !value.isFixed())
          out[x] = addCost(out[x], costs_.returned(result, op_.outputs[config]));
      }
    }
    // What explicit ops read from one layout only.
    for (size_t i = 0; op_.isExplicit && i < op_.operands.size(); ++i) {
      if (op_.operands[i].domain.open()) continue;
      const std::vector<Cost> reads = ofOperand(i);
      for (size_t x = 0; x < out.size(); ++x) out[x] = addCost(out[x], reads[x]);
    }
    return out;
  }

  // Of an explicit op: over (the operand's layouts, the op's values).
  std::vector<Cost> ofOperand(size_t operand) {
    const OperandChoice& source = op_.operands[operand];
    std::vector<Cost> table;
    const size_t values = op_.valueConfig.size();
    table.resize(source.domain.layouts.size() * values);
    for (size_t x = 0; x < values; ++x) {
      const CandidateTable& candidates = *op_.candidates[static_cast<size_t>(op_.valueConfig[x])];
      size_t index = op_.valueCandidate[x];
      for (size_t i = op_.operands.size(); --i > operand;) index /= candidates.reads[i].size();
      const std::vector<LayoutId>& reads = candidates.reads[operand];
      const std::vector<Cost>& costs = readCosts(operand, reads[index % reads.size()]);
      for (size_t from = 0; from < costs.size(); ++from) table[from * values + x] = costs[from];
    }
    return table;
  }

  // Over the op's scope.
  std::vector<Cost> table() {
    std::vector<std::vector<Cost>> perValue;
    for (size_t x = 0; x < op_.valueConfig.size(); ++x) perValue.push_back(leastOver(x));
    std::vector<size_t> sizes(op_.scope.size() - 1), at(sizes.size(), 0), slot(op_.operands.size(), 0);
    for (size_t i = 0; i < op_.operands.size(); ++i) {
      const LayoutDomain& domain = op_.operands[i].domain;
      if (!domain.open()) continue;
      slot[i] = static_cast<size_t>(std::find(op_.scope.begin(), op_.scope.end(), domain.variable) - op_.scope.begin());
      sizes[slot[i]] = domain.layouts.size();
    }
    std::vector<Cost> table;
    do {
      size_t cell = 0;
      for (size_t i = 0; i < op_.operands.size(); ++i) {
        const LayoutDomain& domain = op_.operands[i].domain;
        cell = cell * domain.layouts.size() + (domain.open() ? at[slot[i]] : 0);
      }
      for (const std::vector<Cost>& costs : perValue) table.push_back(costs[cell]);
    } while (nextCombination(at, sizes));
    return table;
  }

 private:
  // What reading the operand in this layout costs from each layout of its domain. The op's configs share it.
  const std::vector<Cost>& readCosts(size_t operand, LayoutId as) {
    auto& known = readCosts_[operand];
    for (const auto& entry : known) {
      if (entry.first == as) return entry.second;
    }
    const OperandChoice& source = op_.operands[operand];
    std::vector<Cost> costs;
    for (LayoutId from : source.domain.layouts) costs.push_back(costs_.read(op_, source, from, as).cost);
    known.emplace_back(as, std::move(costs));
    return known.back().second;
  }

  // Operand by operand, turns an array over the layouts read into one over the layouts of the operands' domains.
  void replaceReads(const CandidateTable& candidates, std::vector<Cost>& costs) {
    size_t before = 1, after = costs.size();
    for (size_t i = 0; i < op_.operands.size(); ++i) {
      const size_t options = candidates.reads[i].size(), layouts = op_.operands[i].domain.layouts.size();
      after /= options;
      std::vector<Cost> moves(layouts * options);
      for (size_t r = 0; r < options; ++r) {
        const std::vector<Cost>& from = readCosts(i, candidates.reads[i][r]);
        for (size_t p = 0; p < layouts; ++p) moves[p * options + r] = from[p];
      }
      std::vector<Cost> next(before * layouts * after, kForbidden);
      for (size_t b = 0; b < before; ++b) {
        for (size_t p = 0; p < layouts; ++p) {
          Cost* out = &next[(b * layouts + p) * after];
          for (size_t r = 0; r < options; ++r) {
            const Cost move = moves[p * options + r];
            const Cost* in = &costs[(b * options + r) * after];
            if (isForbidden(move)) continue;
            for (size_t a = 0; a < after; ++a) out[a] = std::min(out[a], in[a] + move);
          }
        }
      }
      costs = std::move(next);
      before *= layouts;
    }
  }

  // The least over the candidates with the value's result, per combination of the operands' layouts.
  std::vector<Cost> leastOver(size_t value) {
    std::vector<Cost> least;
    std::vector<char> done(op_.configs.size(), 0);
    for (size_t c = 0; c < op_.configs.size(); ++c) {
      if (done[c] || !op_.makes(c, value)) continue;
      const CandidateTable& candidates = *op_.candidates[c];
      std::vector<Cost> costs(candidates.time.size(), kForbidden);
      // Configs that read in the same layouts are taken together.
      for (size_t d = c; d < op_.configs.size(); ++d) {
        if (!op_.makes(d, value) || op_.candidates[d]->reads != candidates.reads) continue;
        done[d] = 1;
        for (size_t i = 0; i < costs.size(); ++i)
          costs[i] = std::min(costs[i], costs_.candidate(op_, *op_.candidates[d], i));
      }
      replaceReads(candidates, costs);
      if (least.empty()) least = std::move(costs);
      else
        for (size_t i = 0; i < least.size(); ++i) least[i] = std::min(least[i], costs[i]);
    }
    return least;
  }

  const LayoutCosts& costs_;
  const OpChoices& op_;
  std::vector<std::vector<std::pair<LayoutId, std::vector<Cost>>>> readCosts_;  // per operand and layout read
};

// Over (the layouts before, the segment's layouts).
std::vector<Cost> transferTable(const LayoutCosts& costs, ValueId value, size_t segment) {
  const LayoutChoices& choices = costs.choices();
  const SegmentSpan span = choices.segmentSpan(value, segment);
  std::vector<Cost> table;
  for (LayoutId from : choices.segmentStart(value, segment).layouts) {
    for (LayoutId to : choices.values[value].layouts)
      table.push_back(costs.transfer(value, from, to, span.after, span.before).cost);
  }
  return table;
}

// Of a segment's variable: the move from where nothing is to be chosen, and the return.
std::vector<Cost> segmentCosts(const LayoutCosts& costs, ValueId id, size_t segment) {
  const ValueChoices& value = costs.choices().values[id];
  std::vector<Cost> out(value.layouts.size(), 0);
  if (segment == 0 && !costs.choices().produced(id).open()) out = transferTable(costs, id, segment);
  if (segment + 1 < value.segments.size()) return out;
  for (size_t p = 0; p < out.size(); ++p) out[p] = addCost(out[p], costs.returned(id, value.layouts[p]));
  return out;
}

std::vector<Cost> costsOf(const LayoutCosts& costs, const LayoutChoices::Variable& variable) {
  return variable.op.valid() ? OpTables(costs, costs.choices().ops[variable.op]).unary()
                             : segmentCosts(costs, variable.value, variable.segment);
}

// Of what belongs to the op, or else to the segment of the value.
bool isPriced(const LayoutCosts& costs, OpId op, ValueId value, size_t segment) {
  const LayoutChoices& choices = costs.choices();
  return op.valid() ? costs.priced(choices.ops[op]) : costs.priced(choices.segmentSpan(value, segment));
}

void addLayouts(std::vector<uint32_t>& key, const std::vector<LayoutId>& layouts) {
  key.push_back(static_cast<uint32_t>(layouts.size()));
  key.insert(key.end(), layouts.begin(), layouts.end());
}

void addOperand(std::vector<uint32_t>& key, const OpChoices& op, const OperandChoice& operand) {
  key.push_back(static_cast<uint32_t>(operand.split) << 1 | static_cast<uint32_t>(operand.domain.open()));
  // Which position in the scope: an operand may stand twice, and copies of one value have a variable each.
  key.push_back(
      static_cast<uint32_t>(std::find(op.scope.begin(), op.scope.end(), operand.domain.variable) - op.scope.begin()));
  addLayouts(key, operand.domain.layouts);
}

// Tables by what they are made of. Those of steps without a price are kept and shared.
class SharedTables {
 public:
  SharedTables(const LayoutCosts& costs, ExactMemory& memory)
      : costs_(costs), memory_(memory), shift_(costs.prices() ? static_cast<uint32_t>(costs.prices()->shift) : 0) {}

  CostTable of(const LayoutChoices::Table& table) const {
    return table.op.valid() ? ofOp(costs_.choices().ops[table.op], table.index)
                            : ofTransfer(table.value, static_cast<size_t>(table.index));
  }

 private:
  // Of the op; of an explicit op's operand `index`, about which alone its table is.
  CostTable ofOp(const OpChoices& op, int32_t index) const {
    const auto make = [&] {
      return index < 0 ? OpTables(costs_, op).table() : OpTables(costs_, op).ofOperand(static_cast<size_t>(index));
    };
    if (costs_.priced(op)) return make();
    std::vector<uint32_t> key{0, shift_, op.opClass, static_cast<uint32_t>(index)};
    if (index < 0) {
      for (const OperandChoice& operand : op.operands) addOperand(key, op, operand);
      addLayouts(key, op.outputs);
    } else {
      addOperand(key, op, op.operands[static_cast<size_t>(index)]);
    }
    for (const auto& table : op.candidates) addWords(key, reinterpret_cast<uintptr_t>(table.get()));
    return find(key, op.candidates, make);
  }

  CostTable ofTransfer(ValueId value, size_t segment) const {
    const LayoutChoices& choices = costs_.choices();
    if (costs_.priced(choices.segmentSpan(value, segment))) return transferTable(costs_, value, segment);
    std::vector<uint32_t> key{1, shift_, costs_.moves().typeOf(value)};
    addLayouts(key, choices.segmentStart(value, segment).layouts);
    addLayouts(key, choices.values[value].layouts);
    return find(key, {}, [&] { return transferTable(costs_, value, segment); });
  }

  template <typename Make>
  CostTable find(const std::vector<uint32_t>& key, const std::vector<std::shared_ptr<const CandidateTable>>& candidates,
                 Make make) const {
    KeptTable& known = numbered(memory_.tables, memory_.tableKeys.numberOf(key));
    L1Budget& budget = costs_.choices().problem.budget;
    if (known.table.size() > 0 && known.range.holds(budget.bytes().count)) return known.table;
    budget.takeRange();
    known = {CostTable(make()), {}, candidates};
    known.range = budget.takeRange();
    memory_.cells += static_cast<int64_t>(known.table.size());
    return known.table;
  }

  const LayoutCosts& costs_;
  ExactMemory& memory_;
  uint32_t shift_;
};

}  // namespace

FactorGraph layoutGraph(const LayoutCosts& costs, ExactMemory& memory) {
  const LayoutChoices& choices = costs.choices();
  FactorGraph graph;
  for (const LayoutChoices::Variable& variable : choices.variables) graph.addVariable(costsOf(costs, variable));
  const SharedTables shared(costs, memory);
  for (const LayoutChoices::Table& table : choices.tables) graph.addFactor(table.scope, shared.of(table));
  TESSERA_CHECK(static_cast<size_t>(graph.factorCount()) == choices.tables.size(),
                "a table is over two variables or more");
  return graph;
}

const FactorGraph& RepricedGraph::at(const LayoutCosts& costs) {
  const LayoutChoices& choices = costs.choices();
  const bool first = !graph_;
  if (first) {
    graph_ = layoutGraph(costs, memory_);
    variablePriced_.resize(choices.variables.size());
    tablePriced_.resize(choices.tables.size());
  }
  const auto changes = [&](char& was, bool is) { return std::exchange(was, is) || is; };
  const SharedTables shared(costs, memory_);
  for (size_t v = 0; v < choices.variables.size(); ++v) {
    const LayoutChoices::Variable& variable = choices.variables[v];
    if (changes(variablePriced_[v], isPriced(costs, variable.op, variable.value, variable.segment)) && !first)
      graph_->setUnary(static_cast<int>(v), costsOf(costs, variable));
  }
  for (size_t t = 0; t < choices.tables.size(); ++t) {
    const LayoutChoices::Table& table = choices.tables[t];
    if (changes(tablePriced_[t], isPriced(costs, table.op, table.value, static_cast<size_t>(table.index))) && !first)
      graph_->setFactorTable(static_cast<int>(t), shared.of(table));
  }
  return *graph_;
}

ForcedCosts forceCandidate(const LayoutCosts& costs, const FactorGraph& usual, OpId id, const TensorLayout& output,
                           const std::vector<LayoutId>& reads) {
  const OpChoices& op = costs.choices().ops[id];
  if (op.variable < 0) return {};
  OpChoices forced = op;  // with one candidate per config: this one, or none
  ForcedCosts out{op.table, op.isExplicit ? usual.unary(op.variable) : std::vector<Cost>()};
  std::vector<char> allowed(op.valueConfig.size(), 0);
  bool known = false;
  for (size_t c = 0; c < op.configs.size(); ++c) {
    CandidateTable only{.reads = {}, .time = {kForbidden}, .l1 = {0}};
    for (const OperandChoice& operand : op.operands) only.reads.push_back({reads[operand.index]});
    for (size_t i = 0; i < op.candidates[c]->time.size(); ++i) {
      const int64_t time = op.candidates[c]->time[i];
      if (isForbidden(time) || !(op.configs[c].output == output) || op.candidate({c, i}).reads != reads) continue;
      only.time[0] = std::min(only.time[0], time);
      known = true;
      for (size_t x = 0; op.isExplicit && x < allowed.size(); ++x)
        if (op.valueConfig[x] == static_cast<int32_t>(c) && op.valueCandidate[x] == i) allowed[x] = 1;
    }
    forced.candidates[c] = std::make_shared<const CandidateTable>(std::move(only));
  }
  if (!known) return {};
  for (size_t x = 0; op.isExplicit && x < allowed.size(); ++x)
    if (!allowed[x]) out.costs[x] = kForbidden;
  if (!op.isExplicit) out.costs = out.table >= 0 ? OpTables(costs, forced).table() : OpTables(costs, forced).unary();
  return out;
}

}  // namespace tessera
