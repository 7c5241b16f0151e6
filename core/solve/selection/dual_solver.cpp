#include "core/solve/selection/dual_solver.h"

#include <algorithm>

#include "core/support/check.h"

namespace tessera {

namespace {

// A pruned value's message: so far below zero that the table less the message is forbidden.
constexpr Cost kDeadMessage = -kForbidden;

// Rounds towards minus infinity, so that what is left over is never negative.
Cost floorDiv(Cost a, Cost b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

}  // namespace

DualSolver::DualSolver(const FactorGraph& model) : model_(model) {
  TESSERA_CHECK(model.costsFit(), "the costs of the model are small enough to be added");
  slotsOf_.resize(at(model.variableCount()));
  for (int v = 0; v < model.variableCount(); ++v) {
    unary_.push_back(model.unary(v));
    dead_.emplace_back(at(model.domain(v)), 0);
    aliveCount_.push_back(model.domain(v));
    workPerSweep_ += model.domain(v);
  }
  reduced_ = unary_;
  for (int f = 0; f < model.factorCount(); ++f) {
    const Factor& factor = model.factor(f);
    firstSlot_.push_back(slots_.size());
    const auto [least, most] = std::minmax_element(factor.scope.begin(), factor.scope.end());
    for (size_t i = 0; i < factor.scope.size(); ++i) {
      const int v = factor.scope[i];
      slotsOf_[at(v)].push_back(static_cast<int>(slots_.size()));
      slots_.push_back({.factor = f,
                        .index = i,
                        .first = v == *least,
                        .last = v == *most,
                        .message = std::vector<Cost>(at(model.domain(v)), 0)});
    }
    hard_.push_back(std::find_if(factor.table.begin(), factor.table.end(), isForbidden) != factor.table.end());
    workPerSweep_ += static_cast<int64_t>(factor.table.size() * 2 * (factor.scope.size() - 1));
  }
  for (int v = 0; v < model.variableCount(); ++v)
    for (int x = 0; x < model.domain(v); ++x)
      if (isForbidden(unary_[at(v)][at(x)])) prune(v, x);
  trail_.clear();  // not to be undone
}

// best[x] = the least the factor can cost when its variable takes x, less what its other variables already hold.
void DualSolver::gather(const Slot& slot, std::vector<Cost>& best) const {
  if (model_.factor(slot.factor).scope.size() == 2) gatherPair(slot, best);
  else gatherAny(slot, best);
}

void DualSolver::gatherPair(const Slot& slot, std::vector<Cost>& best) const {
  const Factor& factor = model_.factor(slot.factor);
  const std::vector<Cost>& other = slots_[firstSlot_[at(slot.factor)] + (1 - slot.index)].message;
  const size_t columns = at(model_.domain(factor.scope[1]));
  const size_t rows = at(model_.domain(factor.scope[0]));
  if (slot.index == 1) {
    best.assign(columns, kForbidden);
    for (size_t r = 0; r < rows; ++r) {
      if (other[r] == kDeadMessage) continue;
      const Cost* row = factor.table.data() + r * columns;
      for (size_t c = 0; c < columns; ++c) best[c] = std::min(best[c], row[c] - other[r]);
    }
    return;
  }
  best.resize(rows);
  for (size_t r = 0; r < rows; ++r) {
    const Cost* row = factor.table.data() + r * columns;
    Cost least = kForbidden;
    for (size_t c = 0; c < columns; ++c) least = std::min(least, row[c] - other[c]);
    best[r] = least;
  }
}

// Row by row: the variables before the last one have one value each in a row, so what they hold is added up once.
void DualSolver::gatherAny(const Slot& slot, std::vector<Cost>& best) const {
  const Factor& factor = model_.factor(slot.factor);
  const Slot* ends = &slots_[firstSlot_[at(slot.factor)]];
  const size_t inner = factor.scope.size() - 1;
  const size_t columns = at(model_.domain(factor.scope[inner]));
  const std::vector<char>& own = dead_[at(factor.scope[slot.index])];
  best.assign(own.size(), kForbidden);
  std::vector<size_t> values(inner, 0);
  for (size_t begin = 0; begin < factor.table.size(); begin += columns) {
    Cost held = 0;
    bool dead = slot.index < inner && own[values[slot.index]];
    for (size_t i = 0; i < inner && !dead; ++i) {
      if (i == slot.index) continue;
      dead = ends[i].message[values[i]] == kDeadMessage;
      held += ends[i].message[values[i]];
    }
    if (!dead) gatherRow(slot, factor.table.data() + begin, held, slot.index < inner ? values[slot.index] : 0, best);
    for (size_t i = inner; i-- > 0;) {
      if (++values[i] < ends[i].message.size()) break;
      values[i] = 0;
    }
  }
}

// One row of gatherAny(): along the slot's own variable when it is the last one, else all for its value `x`.
void DualSolver::gatherRow(const Slot& slot, const Cost* row, Cost held, size_t x, std::vector<Cost>& best) const {
  const size_t inner = model_.factor(slot.factor).scope.size() - 1;
  if (slot.index == inner) {
    for (size_t c = 0; c < best.size(); ++c)
      best[c] = std::min(best[c], isForbidden(row[c]) ? kForbidden : row[c] - held);
    return;
  }
  const std::vector<Cost>& last = slots_[firstSlot_[at(slot.factor)] + inner].message;
  Cost least = kForbidden;
  for (size_t c = 0; c < last.size(); ++c) least = std::min(least, isForbidden(row[c]) ? kForbidden : row[c] - last[c]);
  if (!isForbidden(least)) best[x] = std::min(best[x], least - held);
}

// Collects the messages of the tables before this variable, and hands an equal share of the sum to those after it.
void DualSolver::visit(int variable, bool forward) {
  std::vector<Cost>& total = reduced_[at(variable)];
  total = unary_[at(variable)];
  int behind = 0, ahead = 0;
  for (int s : slotsOf_[at(variable)]) {
    Slot& slot = slots_[at(s)];
    const bool isStart = forward ? slot.first : slot.last;
    const bool isEnd = forward ? slot.last : slot.first;
    behind += !isStart;
    ahead += !isEnd;
    if (!isStart) {
      gather(slot, best_);
      for (size_t x = 0; x < best_.size(); ++x) {
        if (dead_[at(variable)][x]) continue;
        if (isForbidden(best_[x])) prune(variable, static_cast<int>(x));
        else slot.message[x] = best_[x];
      }
    }
    for (size_t x = 0; x < total.size(); ++x)
      if (!dead_[at(variable)][x]) total[x] += slot.message[x];
  }
  const std::vector<char>& dead = dead_[at(variable)];
  for (size_t x = 0; x < total.size(); ++x)
    if (dead[x]) total[x] = kForbidden;
  if (ahead == 0) return;
  const Cost shares = std::max(behind, ahead);
  for (size_t x = 0; x < total.size(); ++x) {
    if (dead[x]) continue;
    const Cost share = floorDiv(total[x], shares);
    for (int s : slotsOf_[at(variable)]) {
      Slot& slot = slots_[at(s)];
      if (forward ? slot.last : slot.first) continue;
      slot.message[x] -= share;
      total[x] -= share;
    }
  }
}

Cost DualSolver::sweep() {
  const int n = model_.variableCount();
  for (int v = 0; v < n; ++v) visit(v, true);
  for (int v = n; v-- > 0;) visit(v, false);
  // After its last variable was visited a table's least cost is 0, so the variables' minima are the bound.
  Cost bound = 0;
  for (const std::vector<Cost>& costs : reduced_) bound = addCost(bound, *std::min_element(costs.begin(), costs.end()));
  bound_ = isForbidden(bound) ? kForbidden : bound;
  return bound_;
}

// What the factor adds per value of the slot's variable, given the variables with smaller indices; the others choose
// the best.
void DualSolver::decodeRow(const Slot& slot, const std::vector<int>& values, std::vector<Cost>& row) const {
  const Factor& factor = model_.factor(slot.factor);
  const Slot* ends = &slots_[firstSlot_[at(slot.factor)]];
  const int self = factor.scope[slot.index];
  const size_t arity = factor.scope.size();
  row.assign(at(model_.domain(self)), kForbidden);
  std::vector<size_t> low(arity), high(arity), place(arity);
  for (size_t i = 0; i < arity; ++i) {
    const int v = factor.scope[i];
    low[i] = v < self ? at(values[at(v)]) : 0;
    high[i] = v < self ? low[i] + 1 : at(model_.domain(v));
  }
  place = low;
  while (true) {
    size_t cell = 0;
    for (size_t i = 0; i < arity; ++i) cell = cell * at(model_.domain(factor.scope[i])) + place[i];
    Cost cost = factor.table[cell];
    for (size_t i = 0; i < arity && !isForbidden(cost); ++i)
      if (factor.scope[i] > self)
        cost = ends[i].message[place[i]] == kDeadMessage ? kForbidden : cost - ends[i].message[place[i]];
    row[place[slot.index]] = std::min(row[place[slot.index]], cost);
    size_t i = arity;
    while (i > 0 && ++place[i - 1] == high[i - 1]) {
      place[i - 1] = low[i - 1];
      --i;
    }
    if (i == 0) return;
  }
}

void DualSolver::propagate(std::vector<std::vector<char>>& dead, std::vector<int>& queue) const {
  while (!queue.empty()) {
    const int v = queue.back();
    queue.pop_back();
    for (int s : slotsOf_[at(v)]) {
      const Slot& slot = slots_[at(s)];
      const Factor& factor = model_.factor(slot.factor);
      if (!hard_[at(slot.factor)] || factor.scope.size() != 2) continue;
      const int other = factor.scope[1 - slot.index];
      const size_t step = slot.index == 0 ? at(model_.domain(other)) : 1;
      const size_t otherStep = slot.index == 0 ? 1 : at(model_.domain(v));
      std::vector<char>& theirs = dead[at(other)];
      size_t alive = 0, lost = 0;
      for (size_t y = 0; y < theirs.size(); ++y) {
        if (theirs[y]) continue;
        bool supported = false;
        for (size_t x = 0; x < dead[at(v)].size() && !supported; ++x)
          supported = !dead[at(v)][x] && !isForbidden(factor.table[x * step + y * otherStep]);
        ++alive;
        if (!supported) theirs[y] = 2, ++lost;
      }
      // A variable that would lose all its values keeps them: the caller may repair the assignment.
      for (char& state : theirs)
        if (state == 2) state = alive == lost ? 0 : 1;
      if (lost > 0 && lost < alive) queue.push_back(other);
    }
  }
}

Cost DualSolver::decode(std::vector<int>& values) const {
  std::vector<std::vector<char>> dead = dead_;
  std::vector<int> queue;
  values.assign(at(model_.variableCount()), 0);
  std::vector<Cost> total, row;
  Cost cost = 0;
  for (int v = 0; v < model_.variableCount(); ++v) {
    total = unary_[at(v)];
    for (int s : slotsOf_[at(v)]) {
      const Slot& slot = slots_[at(s)];
      if (slot.first) {
        for (size_t x = 0; x < total.size(); ++x)
          if (!dead_[at(v)][x]) total[x] += slot.message[x];
        continue;
      }
      decodeRow(slot, values, row);
      for (size_t x = 0; x < total.size(); ++x)
        total[x] = isForbidden(total[x]) ? kForbidden : addCost(total[x], row[x]);
    }
    std::vector<char>& gone = dead[at(v)];
    size_t best = 0;
    for (size_t x = 1; x < total.size(); ++x)
      if (gone[best] || (!gone[x] && total[x] < total[best])) best = x;
    if (isForbidden(total[best]) || gone[best]) cost = kForbidden;  // the caller may repair the assignment
    for (size_t x = 0; x < gone.size(); ++x) gone[x] = x != best;
    queue.push_back(v);
    propagate(dead, queue);
    values[at(v)] = static_cast<int>(best);
  }
  if (isForbidden(cost)) return kForbidden;
  for (int v = 0; v < model_.variableCount(); ++v) cost = addCost(cost, unary_[at(v)][at(values[at(v)])]);
  for (const Factor& factor : model_.factors()) cost = addCost(cost, factor.table[tableIndex(model_, factor, values)]);
  return isForbidden(cost) ? kForbidden : cost;
}

// The cost of the tables around one variable, per value of it, with the others fixed.
void DualSolver::exactRow(int variable, const std::vector<int>& values, std::vector<Cost>& row) const {
  row = unary_[at(variable)];
  for (int s : slotsOf_[at(variable)]) {
    const Factor& factor = model_.factor(slots_[at(s)].factor);
    size_t stride = 1;
    for (size_t i = factor.scope.size() - 1; i > slots_[at(s)].index; --i) stride *= at(model_.domain(factor.scope[i]));
    const size_t base = tableIndex(model_, factor, values) - stride * at(values[at(variable)]);
    for (size_t x = 0; x < row.size(); ++x) row[x] = addCost(row[x], factor.table[base + x * stride]);
  }
}

void DualSolver::improve(std::vector<int>& values, Cost& cost) const {
  constexpr int kMostRounds = 30;
  std::vector<Cost> row;
  std::vector<char> waiting(at(model_.variableCount()), 1);  // something beside the variable has changed
  bool changed = true;
  for (int round = 0; changed && round < kMostRounds; ++round) {
    changed = false;
    for (int v = 0; v < model_.variableCount(); ++v) {
      if (!std::exchange(waiting[at(v)], 0)) continue;
      exactRow(v, values, row);
      const size_t now = at(values[at(v)]);
      const size_t best = at(static_cast<int>(std::min_element(row.begin(), row.end()) - row.begin()));
      if (isForbidden(row[best]) || row[best] >= row[now]) continue;
      values[at(v)] = static_cast<int>(best);
      changed = true;
      for (int s : slotsOf_[at(v)])
        for (int other : model_.factor(slots_[at(s)].factor).scope) waiting[at(other)] |= other != v;
    }
  }
  cost = 0;
  for (int v = 0; v < model_.variableCount(); ++v) cost = addCost(cost, unary_[at(v)][at(values[at(v)])]);
  for (const Factor& factor : model_.factors()) cost = addCost(cost, factor.table[tableIndex(model_, factor, values)]);
  if (isForbidden(cost)) cost = kForbidden;
}

void DualSolver::setUnary(int variable, const std::vector<Cost>& costs) {
  unary_[at(variable)] = costs;
  for (size_t x = 0; x < costs.size(); ++x)
    if (isForbidden(costs[x]) && !dead_[at(variable)][x]) prune(variable, static_cast<int>(x));
}

void DualSolver::prune(int variable, int value) {
  dead_[at(variable)][at(value)] = 1;
  --aliveCount_[at(variable)];
  reduced_[at(variable)][at(value)] = kForbidden;
  for (int s : slotsOf_[at(variable)]) slots_[at(s)].message[at(value)] = kDeadMessage;
  trail_.emplace_back(variable, value);
}

void DualSolver::undo(size_t mark) {
  while (trail_.size() > mark) {
    const auto [variable, value] = trail_.back();
    trail_.pop_back();
    dead_[at(variable)][at(value)] = 0;
    ++aliveCount_[at(variable)];
    for (int s : slotsOf_[at(variable)]) slots_[at(s)].message[at(value)] = 0;
  }
}

int64_t DualSolver::fixByBound(Cost upper) {
  if (isForbidden(bound_)) return 0;
  int64_t count = 0;
  for (int v = 0; v < model_.variableCount(); ++v) {
    const std::vector<Cost>& costs = reduced_[at(v)];
    const Cost least = *std::min_element(costs.begin(), costs.end());
    for (size_t x = 0; x < costs.size(); ++x)
      if (!dead_[at(v)][x] && bound_ - least + costs[x] >= upper) prune(v, static_cast<int>(x)), ++count;
  }
  return count;
}

}  // namespace tessera
