// The layout model under a capacity as an integer program, for solvers of other people: nothing here searches, and nothing is priced.

#include <algorithm>
#include <string>

#include "core/policy/exact/layout_model.h"

namespace tessera {

namespace {

// CPLEX LP format: an objective, rows, binaries. Lines are kept short, as readers of the format want them.
class LpText {
 public:
  struct Sum {
    std::string text;
    size_t terms = 0;
    void add(int64_t factor, const std::string& name) {
      if (factor == 0) return;
      text += (terms++ % 8 == 7 ? "\n " : " ") + std::string(factor < 0 ? "- " : "+ ") + std::to_string(factor < 0 ? -factor : factor) + " " + name;
    }
  };
  Sum objective;
  void row(const Sum& sum, const char* relation, int64_t right) {
    if (sum.terms > 0) rows_ += " c" + std::to_string(count_++) + ":" + sum.text + " " + relation + " " + std::to_string(right) + "\n";
  }
  void binary(const std::string& name) { binaries_ += " " + name + "\n"; }
  std::string take() const { return "Minimize\n obj:" + (objective.terms > 0 ? objective.text : " 0 x") + "\nSubject To\n" + rows_ + "Binaries\n" + binaries_ + "End\n"; }

 private:
  std::string rows_, binaries_;
  int64_t count_ = 0;
};

std::string nameOf(int variable, size_t value) { return "x" + std::to_string(variable) + "_" + std::to_string(value); }

}  // namespace

// Between two moments a value stays near (it costs the move and holds bytes) or leaves L1 and comes back.
class LayoutModel::LpWriter {
 public:
  LpWriter(const LayoutModel& model, int64_t capacity) : model_(model), held_(static_cast<size_t>(model.problem_.schedule.steps())), capacity_(capacity) {}

  std::string write() {
    for (int v = 0; v < model_.graph_.variableCount(); ++v) {
      LpText::Sum one;
      for (size_t x = 0; x < static_cast<size_t>(model_.graph_.domain(v)); ++x) {
        one.add(1, nameOf(v, x));
        lp_.binary(nameOf(v, x));
      }
      lp_.row(one, "=", 1);
    }
    for (OpId op : model_.problem_.schedule.order) {
      if (model_.ops_[op].variable >= 0) writeOp(op);
    }
    for (ValueId value : model_.values_.ids()) writeValue(value);
    for (const LpText::Sum& held : held_) lp_.row(held, "<=", capacity_);
    return lp_.take();
  }

 private:
  std::string fresh(const char* prefix) { return prefix + std::to_string(next_++); }

  void hold(int32_t after, int32_t before, int64_t bytes, const std::string& name) {
    for (int32_t step = std::max(after + 1, 0); step < before; ++step) held_[static_cast<size_t>(step)].add(bytes, name);
  }

  // One flow per pair of what a side has and what the other wants; each side's flows add up to its choice.
  void link(ValueId value, const Place& from, const std::vector<LayoutId>& to, const std::vector<LpText::Sum>& wanted, int32_t after, int32_t before, bool waits, OpId reader,
            bool livesOn) {
    std::vector<LpText::Sum> arriving = wanted;
    for (size_t a = 0; a < from.layouts.size(); ++a) {
      LpText::Sum leaving;
      if (from.variable >= 0) leaving.add(-1, nameOf(from.variable, a));
      for (size_t b = 0; b < to.size(); ++b) flow(value, from.layouts[a], to[b], after, before, waits, reader, livesOn, leaving, arriving[b]);
      lp_.row(leaving, "=", from.variable >= 0 ? 0 : 1);
    }
    for (const LpText::Sum& sum : arriving) lp_.row(sum, "=", 0);
  }

  void flow(ValueId value, LayoutId a, LayoutId b, int32_t after, int32_t before, bool waits, OpId reader, bool livesOn, LpText::Sum& leaving, LpText::Sum& arriving) {
    auto add = [&](Cost cost, int64_t bytes, int64_t here) {
      if (isForbidden(cost)) return;
      const std::string name = fresh("f");
      lp_.binary(name);
      lp_.objective.add(cost, name);
      leaving.add(1, name);
      arriving.add(1, name);
      if (waits) hold(after, before, bytes, name);
      if (here > 0) held_[static_cast<size_t>(model_.stepOf(reader))].add(here, name);
    };
    const int64_t here = livesOn && a != b ? model_.bytesAt(value, a) : 0;
    add(model_.moves_.of(value, a, b), std::min(model_.bytesAt(value, a), model_.bytesAt(value, b)), here);
    if (!waits || !model_.pool_[a].isL1()) return;
    const LayoutId dram = model_.dramOf(value);
    add(addCost(model_.moves_.of(value, a, dram), model_.moves_.of(value, dram, b)), 0, 0);
  }

  void writeOp(OpId op) {
    const OpEntry& entry = model_.ops_[op];
    std::vector<std::vector<LayoutId>> reads(entry.operands.size());
    std::vector<std::vector<LpText::Sum>> wanted(entry.operands.size());
    auto readSum = [&](size_t operand, LayoutId id) -> LpText::Sum& {
      const auto at = static_cast<size_t>(std::find(reads[operand].begin(), reads[operand].end(), id) - reads[operand].begin());
      if (at == reads[operand].size()) {
        reads[operand].push_back(id);
        wanted[operand].emplace_back();
      }
      return wanted[operand][at];
    };
    std::vector<LpText::Sum> ofChoice(entry.choiceConfig.size());
    for (size_t x = 0; x < ofChoice.size(); ++x) ofChoice[x].add(-1, nameOf(entry.variable, x));
    for (size_t c = 0; c < entry.configs.size(); ++c) {
      const Ways& ways = *entry.ways[c];
      for (size_t way = 0; way < ways.time.size(); ++way) {
        if (isForbidden(ways.time[way])) continue;
        const std::string name = fresh("w");
        lp_.binary(name);
        lp_.objective.add(ways.time[way], name);
        held_[static_cast<size_t>(model_.stepOf(op))].add(ways.l1[way], name);
        for (size_t x = 0; x < ofChoice.size(); ++x) {
          const bool its = entry.isExplicit ? entry.choiceConfig[x] == static_cast<int32_t>(c) && entry.choiceWay[x] == way : model_.makes(entry, c, x);
          if (its) ofChoice[x].add(1, name);
        }
        ModelWay read{{}, std::vector<LayoutId>(model_.problem_.graph.ops[op].operands.size(), kNoLayout), 0};
        model_.fillReads(entry, ways, way, read);
        for (size_t i = 0; i < entry.operands.size(); ++i) readSum(i, read.reads[entry.operands[i].index]).add(-1, name);
      }
    }
    for (const LpText::Sum& sum : ofChoice) lp_.row(sum, "=", 0);
    for (size_t i = 0; i < entry.operands.size(); ++i) {
      const Operand& operand = entry.operands[i];
      const bool waits = operand.place.variable >= 0 && !operand.staged;
      link(operand.value, operand.place, reads[i], wanted[i], operand.from, model_.stepOf(op), waits, op, operand.staged && operand.livesOn);
    }
    for (size_t x = 0; x < entry.choiceConfig.size(); ++x) {
      for (ValueId result : model_.problem_.graph.ops[op].results) {
        const bool here = model_.problem_.isTensor(result) && model_.values_[result].stages.empty() && model_.values_[result].fixed == kNoLayout;
        if (here) lp_.objective.add(model_.returnCost(result, entry.outputs[static_cast<size_t>(entry.choiceConfig[x])], nullptr), nameOf(entry.variable, x));
      }
    }
  }

  void writeValue(ValueId value) {
    const ValueEntry& entry = model_.values_[value];
    for (size_t stage = 0; stage < entry.stages.size(); ++stage) {
      const Place from = stage == 0 ? model_.madePlace(value) : Place{entry.stages[stage - 1], entry.places};
      const int32_t after = stage == 0 ? model_.problem_.live[value].def : model_.stepOf(entry.readers[stage - 1]);
      std::vector<LpText::Sum> wanted(entry.places.size());
      for (size_t p = 0; p < wanted.size(); ++p) wanted[p].add(-1, nameOf(entry.stages[stage], p));
      link(value, from, entry.places, wanted, after, model_.stepOf(entry.readers[stage]), true, entry.readers[stage], false);
      if (stage + 1 < entry.stages.size()) continue;
      for (size_t p = 0; p < wanted.size(); ++p) lp_.objective.add(model_.returnCost(value, entry.places[p], nullptr), nameOf(entry.stages[stage], p));
    }
  }

  const LayoutModel& model_;
  std::vector<LpText::Sum> held_;  // per step
  int64_t capacity_;
  LpText lp_;
  int64_t next_ = 0;
};

std::string LayoutModel::writeLp(int64_t capacity) const { return LpWriter(*this, capacity).write(); }

}  // namespace tessera
