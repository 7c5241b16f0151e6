#include "core/policy/exact/layout_assignment.h"

#include <algorithm>

#include "core/solve/combinations.h"

namespace tessera {

namespace {

// Calls each(index, cost) for every candidate of a config; `ofCandidate(index)` and `ofRead(operand, layout)` are the
// parts of its cost.
template <typename OfCandidate, typename OfRead, typename Each>
void forEachCandidate(const CandidateTable& table, OfCandidate ofCandidate, OfRead ofRead, Each each) {
  std::vector<std::vector<Cost>> reads;
  std::vector<size_t> sizes, at(table.reads.size(), 0);
  for (size_t i = 0; i < table.reads.size(); ++i) {
    reads.emplace_back();
    for (LayoutId as : table.reads[i]) reads.back().push_back(ofRead(i, as));
    sizes.push_back(table.reads[i].size());
  }
  for (size_t index = 0; index < table.time.size(); ++index, nextCombination(at, sizes)) {
    Cost cost = ofCandidate(index);
    for (size_t i = 0; i < at.size(); ++i) cost = addCost(cost, reads[i][at[i]]);
    each(index, cost);
  }
}

CandidateRef chosenCandidate(const LayoutCosts& costs, const OpChoices& op, const std::vector<int>& values) {
  const auto value = static_cast<size_t>(values[static_cast<size_t>(op.variable)]);
  if (op.isExplicit) return {static_cast<size_t>(op.valueConfig[value]), op.valueCandidate[value]};
  CandidateRef best;
  for (size_t c = 0; c < op.configs.size(); ++c) {
    if (!op.makes(c, value)) continue;
    const CandidateTable& table = *op.candidates[c];
    forEachCandidate(
        table, [&](size_t index) { return costs.candidate(op, table, index); },
        [&](size_t i, LayoutId as) {
          return costs.read(op, op.operands[i], op.operands[i].domain.at(values), as).cost;
        },
        [&](size_t index, Cost cost) {
          if (cost < best.cost) best = {c, index, cost};
        });
  }
  return best;
}

// Between two moments of one value.
class MoveCollector {
 public:
  MoveCollector(const LayoutCosts& costs, const LayoutAssignment& assignment)
      : costs_(costs), choices_(costs.choices()), assignment_(assignment) {}

  std::vector<LayoutMove> run() {
    for (ValueId value : choices_.values.ids()) addMovesOf(value);
    // Without prices no value leaves L1 for room.
    for (OpId op : choices_.problem.schedule.order) {
      if (choices_.ops[op].variable >= 0 && costs_.prices()) addReadsOf(choices_.ops[op]);
    }
    std::stable_sort(moves_.begin(), moves_.end(), [&](const LayoutMove& a, const LayoutMove& b) {
      return choices_.stepOf(a.before) < choices_.stepOf(b.before);
    });
    return std::move(moves_);
  }

 private:
  OpId opAt(int32_t step) const { return choices_.problem.schedule.order[static_cast<size_t>(step)]; }

  void add(ValueId value, LayoutId from, LayoutId to, int32_t after, int32_t before, const Transfer& transfer) {
    const bool split = !choices_.values[value].segments.empty(), waits = before - after > 1;
    const int64_t bytesFrom = costs_.bytes(value, from), bytesTo = costs_.bytes(value, to);
    const bool leaves = transfer.between == 0 && bytesFrom > 0 && waits && choices_.pool[to].isL1();
    if (leaves) moves_.push_back({opAt(after + 1), value, choices_.values[value].dram});
    // One reader's own conversion is a reshard, unless it saves L1 in the meantime.
    if (from != to && bytesTo < bytesFrom && waits && (split || bytesTo > 0))
      moves_.push_back({opAt(after + 1), value, to});
    else if (split && (from != to || leaves)) moves_.push_back({opAt(before), value, to});
  }

  void addMovesOf(ValueId id) {
    const ValueChoices& value = choices_.values[id];
    const OpId producer = choices_.problem.graph.values[id].producer;
    const bool made = value.isFixed() || (producer.valid() && choices_.ops[producer].variable >= 0);
    if (!made || (value.readers.empty() && !value.returned)) return;
    LayoutId from = choices_.produced(id).at(assignment_.values);
    int32_t after = choices_.problem.live[id].def;
    for (size_t segment = 0; segment < value.segments.size(); ++segment) {
      const int32_t before = choices_.stepOf(value.readers[segment]);
      const LayoutId to = value.atSegment(segment, assignment_.values);
      add(id, from, to, after, before, costs_.transfer(id, from, to, after, before));
      from = to;
      after = before;
    }
    if (value.segments.empty() && !value.readers.empty()) after = choices_.stepOf(value.readers.back());
    if (value.returned && choices_.pool[from].isL1()) moves_.push_back({opAt(after + 1), id, value.dram, true});
  }

  void addReadsOf(const OpChoices& op) {
    const AssignedOp& assigned = assignment_.ops[op.op];
    for (const OperandChoice& operand : op.operands) {
      if (operand.split || !operand.domain.open()) continue;
      const LayoutId from = assigned.at[operand.index], to = assigned.candidate.reads[operand.index];
      add(operand.value, from, to, operand.definedAt, choices_.stepOf(op.op), costs_.read(op, operand, from, to));
    }
  }

  const LayoutCosts& costs_;
  const LayoutChoices& choices_;
  const LayoutAssignment& assignment_;
  std::vector<LayoutMove> moves_;
};

}  // namespace

LayoutAssignment readAssignment(const LayoutCosts& costs, std::vector<int> values, const LayoutAssignment* earlier) {
  const LayoutChoices& choices = costs.choices();
  LayoutAssignment out{std::move(values), IdVec<OpId, AssignedOp>(choices.ops.size())};
  for (const OpChoices& op : choices.ops) {
    if (op.variable < 0) continue;
    AssignedOp& assigned = out.ops[op.op];
    assigned.priced = costs.priced(op);
    assigned.at.assign(op.operandCount, kNoLayout);
    for (const OperandChoice& operand : op.operands) assigned.at[operand.index] = operand.domain.at(out.values);
    if (earlier && !assigned.priced && !earlier->ops[op.op].priced) {
      const auto variable = static_cast<size_t>(op.variable);
      const AssignedOp& known = earlier->ops[op.op];
      if (earlier->values[variable] == out.values[variable] && known.at == assigned.at) {
        assigned = known;
        continue;
      }
    }
    assigned.chosen = chosenCandidate(costs, op, out.values);
    assigned.candidate = op.candidate(assigned.chosen);
    assigned.l1 = op.candidates[assigned.chosen.config]->l1[assigned.chosen.index];
  }
  return out;
}

std::vector<CandidateRef> candidatesFrom(const OpChoices& op, MoveTime& moves, const std::vector<LayoutId>& now) {
  std::vector<CandidateRef> all;
  for (size_t c = 0; c < op.configs.size(); ++c) {
    const CandidateTable& table = *op.candidates[c];
    forEachCandidate(
        table, [&](size_t index) { return table.time[index]; },
        [&](size_t i, LayoutId as) {
          const LayoutId from = now[op.operands[i].index];
          return from == kNoLayout ? 0 : moves.of(op.operands[i].value, from, as);
        },
        [&](size_t index, Cost cost) {
          if (!isForbidden(cost)) all.push_back({c, index, cost});
        });
  }
  return all;
}

std::vector<LayoutMove> movesOf(const LayoutCosts& costs, const LayoutAssignment& assignment) {
  return MoveCollector(costs, assignment).run();
}

Key keyOf(const LayoutAssignment& assignment, const std::vector<LayoutMove>& moves) {
  Key key;
  for (const AssignedOp& op : assignment.ops) {
    key.push_back(static_cast<uint32_t>(op.chosen.config));
    key.push_back(static_cast<uint32_t>(op.chosen.index));
  }
  for (const LayoutMove& move : moves) {
    key.insert(key.end(), {static_cast<uint32_t>(move.before.index), static_cast<uint32_t>(move.value.index),
                           static_cast<uint32_t>(move.to), static_cast<uint32_t>(move.returns)});
  }
  return key;
}

std::vector<int64_t> l1Usage(const LayoutCosts& costs, const LayoutAssignment& assignment) {
  const LayoutChoices& choices = costs.choices();
  const auto steps = static_cast<size_t>(choices.problem.schedule.steps());
  std::vector<int64_t> change(steps + 1, 0), usage(steps, 0);
  auto hold = [&](int32_t after, int32_t before, int64_t bytes) {
    if (before - after < 2) return;
    change[static_cast<size_t>(after + 1)] += bytes;
    change[static_cast<size_t>(before)] -= bytes;
  };
  for (const OpChoices& op : choices.ops) {
    if (op.variable < 0) continue;
    const AssignedOp& assigned = assignment.ops[op.op];
    const int32_t step = choices.stepOf(op.op);
    usage[static_cast<size_t>(step)] += assigned.l1;
    for (const OperandChoice& operand : op.operands) {
      const Transfer transfer =
          costs.read(op, operand, assigned.at[operand.index], assigned.candidate.reads[operand.index]);
      hold(operand.definedAt, step, transfer.between);
      usage[static_cast<size_t>(step)] += transfer.atRead;
    }
  }
  for (ValueId id : choices.values.ids()) {
    const ValueChoices& value = choices.values[id];
    LayoutId from = kNoLayout;
    for (size_t segment = 0; segment < value.segments.size(); ++segment) {
      const SegmentSpan span = choices.segmentSpan(id, segment);
      if (segment == 0) from = choices.produced(id).at(assignment.values);
      const LayoutId to = value.atSegment(segment, assignment.values);
      hold(span.after, span.before, costs.transfer(id, from, to, span.after, span.before).between);
      from = to;
    }
  }
  int64_t now = 0;
  for (size_t step = 0; step < steps; ++step) {
    now += change[step];
    usage[step] += now;
  }
  return usage;
}

}  // namespace tessera
