#include <algorithm>
#include <string>

#include "core/policy/exact/layout_lp.h"
#include "core/solve/lp_text.h"

namespace tessera {

namespace {

std::string nameOf(int variable, size_t value) { return "x" + std::to_string(variable) + "_" + std::to_string(value); }

// Between two moments a value stays in L1 (it costs the move and holds bytes) or leaves L1 and comes back.
class JointLp {
 public:
  JointLp(const LayoutCosts& costs, int64_t capacity)
      : costs_(costs),
        choices_(costs.choices()),
        held_(static_cast<size_t>(choices_.problem.schedule.steps())),
        capacity_(capacity) {}

  std::string write() {
    for (size_t v = 0; v < choices_.variables.size(); ++v) {
      const LayoutChoices::Variable& variable = choices_.variables[v];
      const size_t domain = variable.op.valid() ? choices_.ops[variable.op].valueConfig.size()
                                                : choices_.values[variable.value].layouts.size();
      LpText::Sum one;
      for (size_t x = 0; x < domain; ++x) {
        one.add(1, nameOf(static_cast<int>(v), x));
        lp_.binary(nameOf(static_cast<int>(v), x));
      }
      lp_.row(one, "=", 1);
    }
    for (OpId op : choices_.problem.schedule.order) {
      if (choices_.ops[op].variable >= 0) writeOp(choices_.ops[op]);
    }
    for (ValueId value : choices_.values.ids()) writeValue(value);
    for (const LpText::Sum& held : held_) lp_.row(held, "<=", capacity_);
    return lp_.take();
  }

 private:
  // Part of a live range: from a layout of a domain to the reader's layout.
  struct Stretch {
    ValueId value;
    const LayoutDomain& from;
    int32_t after, before;  // steps
    bool waits;             // it holds L1 on the steps in between
    bool livesOn;           // at step `before` the value stays in L1 beside the copy
  };

  std::string fresh(const char* prefix) { return prefix + std::to_string(next_++); }

  void hold(int32_t after, int32_t before, int64_t bytes, const std::string& name) {
    for (int32_t step = std::max(after + 1, 0); step < before; ++step)
      held_[static_cast<size_t>(step)].add(bytes, name);
  }

  // One flow per pair of a layout before and a layout wanted; each side's flows add up to its choice.
  void link(const Stretch& stretch, const std::vector<LayoutId>& to, const std::vector<LpText::Sum>& wanted) {
    std::vector<LpText::Sum> arriving = wanted;
    const LayoutDomain& from = stretch.from;
    for (size_t a = 0; a < from.layouts.size(); ++a) {
      LpText::Sum leaving;
      if (from.open()) leaving.add(-1, nameOf(from.variable, a));
      for (size_t b = 0; b < to.size(); ++b) addFlows(stretch, from.layouts[a], to[b], leaving, arriving[b]);
      lp_.row(leaving, "=", from.open() ? 0 : 1);
    }
    for (const LpText::Sum& sum : arriving) lp_.row(sum, "=", 0);
  }

  void addFlows(const Stretch& stretch, LayoutId a, LayoutId b, LpText::Sum& leaving, LpText::Sum& arriving) {
    auto add = [&](Cost cost, int64_t bytes, int64_t here) {
      if (isForbidden(cost)) return;
      const std::string name = fresh("f");
      lp_.binary(name);
      lp_.objective.add(cost, name);
      leaving.add(1, name);
      arriving.add(1, name);
      if (stretch.waits) hold(stretch.after, stretch.before, bytes, name);
      if (here > 0) held_[static_cast<size_t>(stretch.before)].add(here, name);
    };
    const ValueId value = stretch.value;
    const int64_t here = stretch.livesOn && a != b ? costs_.bytes(value, a) : 0;
    add(costs_.moves().of(value, a, b), std::min(costs_.bytes(value, a), costs_.bytes(value, b)), here);
    if (!stretch.waits || !choices_.pool[a].isL1()) return;
    const LayoutId dram = choices_.values[value].dram;
    add(addCost(costs_.moves().of(value, a, dram), costs_.moves().of(value, dram, b)), 0, 0);
  }

  // The layouts in which an operand may be read, each with the candidates that read it so.
  struct Reads {
    std::vector<LayoutId> layouts;
    std::vector<LpText::Sum> wanted;
    LpText::Sum& of(LayoutId id) {
      const auto at = static_cast<size_t>(std::find(layouts.begin(), layouts.end(), id) - layouts.begin());
      if (at == layouts.size()) {
        layouts.push_back(id);
        wanted.emplace_back();
      }
      return wanted[at];
    }
  };

  void writeOp(const OpChoices& op) {
    const int32_t step = choices_.stepOf(op.op);
    const std::vector<Reads> reads = writeCandidates(op, step);
    for (size_t i = 0; i < op.operands.size(); ++i) {
      const OperandChoice& operand = op.operands[i];
      const bool waits = operand.domain.open() && !operand.split;
      link({operand.value, operand.domain, operand.definedAt, step, waits, operand.split && operand.livesOn},
           reads[i].layouts, reads[i].wanted);
    }
    for (size_t x = 0; x < op.valueConfig.size(); ++x) {
      for (ValueId result : choices_.problem.graph.ops[op.op].results) {
        const bool here = choices_.problem.isTensor(result) && choices_.values[result].segments.empty() &&
                          !choices_.values[result].isFixed();
        if (here) lp_.objective.add(costs_.returned(result, op.outputOf(x)), nameOf(op.variable, x));
      }
    }
  }

  std::vector<Reads> writeCandidates(const OpChoices& op, int32_t step) {
    std::vector<Reads> reads(op.operands.size());
    std::vector<LpText::Sum> ofValue(op.valueConfig.size());
    for (size_t x = 0; x < ofValue.size(); ++x) ofValue[x].add(-1, nameOf(op.variable, x));
    for (size_t c = 0; c < op.configs.size(); ++c) {
      const CandidateTable& table = *op.candidates[c];
      for (size_t i = 0; i < table.time.size(); ++i) {
        if (isForbidden(table.time[i])) continue;
        const std::string name = fresh("w");
        lp_.binary(name);
        lp_.objective.add(table.time[i], name);
        held_[static_cast<size_t>(step)].add(table.l1[i], name);
        for (size_t x = 0; x < ofValue.size(); ++x) {
          const bool its = op.isExplicit ? op.valueConfig[x] == static_cast<int32_t>(c) && op.valueCandidate[x] == i
                                         : op.makes(c, x);
          if (its) ofValue[x].add(1, name);
        }
        const OpCandidate candidate = op.candidate({c, i});
        for (size_t o = 0; o < op.operands.size(); ++o)
          reads[o].of(candidate.reads[op.operands[o].index]).add(-1, name);
      }
    }
    for (const LpText::Sum& sum : ofValue) lp_.row(sum, "=", 0);
    return reads;
  }

  void writeValue(ValueId id) {
    const ValueChoices& value = choices_.values[id];
    for (size_t segment = 0; segment < value.segments.size(); ++segment) {
      const SegmentSpan span = choices_.segmentSpan(id, segment);
      std::vector<LpText::Sum> wanted(value.layouts.size());
      for (size_t p = 0; p < wanted.size(); ++p) wanted[p].add(-1, nameOf(value.segments[segment], p));
      link({id, choices_.segmentStart(id, segment), span.after, span.before, true, false}, value.layouts, wanted);
      if (segment + 1 < value.segments.size()) continue;
      for (size_t p = 0; p < wanted.size(); ++p)
        lp_.objective.add(costs_.returned(id, value.layouts[p]), nameOf(value.segments[segment], p));
    }
  }

  const LayoutCosts& costs_;  // without prices
  const LayoutChoices& choices_;
  std::vector<LpText::Sum> held_;  // per step
  int64_t capacity_;
  LpText lp_;
  int64_t next_ = 0;
};

}  // namespace

std::string writeJointLp(const LayoutChoices& choices, MoveTime& moves, int64_t capacity) {
  return JointLp(LayoutCosts(choices, moves), capacity).write();
}

}  // namespace tessera
