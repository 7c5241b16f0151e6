#include "core/policy/chain/chain_work.h"

#include <algorithm>

#include "core/policy/kit/op_choice.h"
#include "core/support/stable_sort.h"

namespace tessera {

ChainWork::ChainWork(const Problem& problem, ChainConfigs& configs, std::vector<L1ChainConfig> chains,
                     ChainTrace& trace)
    : problem_(problem),
      configs_(configs),
      trace_(trace),
      chains_(std::move(chains)),
      chainOf_(problem.graph.ops.size(), -1),
      placeInChain_(problem.graph.ops.size(), 0),
      decided_(problem.graph.ops.size()),
      residents_(problem.graph.values.size()),
      failureAccepted_(problem.graph.ops.size()),
      reserved_(static_cast<size_t>(problem.schedule.steps()) + 1, 0),
      known_(problem.graph.ops.size()) {
  for (int32_t i = 0; i < chainCount(); ++i) {
    const std::vector<OpL1MemSpec>& specs = chain(i).specs();
    for (size_t k = 0; k < specs.size(); ++k) {
      chainOf_[specs[k].op] = i;
      placeInChain_[specs[k].op] = k;
    }
  }
}

std::vector<OpId> ChainWork::readers(ValueId value) const {
  std::vector<OpId> ops;
  for (const Use& use : problem_.uses[value]) {
    bool isReturn = opInfo(problem_.graph.ops[use.op].kind).has(kTerminator);
    if (!isReturn && std::find(ops.begin(), ops.end(), use.op) == ops.end()) ops.push_back(use.op);
  }
  stableSort(ops, [&](OpId a, OpId b) { return position(a) < position(b); });
  return ops;
}

// --- what an op sees -------------------------------------------------------------------------------------------------

OpConfig ChainWork::configOf(OpId op) const {
  if (decided_[op]) return *decided_[op];
  if (completed(chainOf_[op])) return chain(chainOf_[op]).specs()[placeInChain_[op]].config;
  return defaultConfig(problem_, op);
}

std::vector<std::optional<TensorLayout>> ChainWork::inputLayouts(OpId op) const {
  std::vector<std::optional<TensorLayout>> inputs = configs_.startingLayouts(op);
  const auto& operands = problem_.graph.ops[op].operands;
  int32_t index = chainOf_[op];
  for (size_t i = 0; i < operands.size(); ++i) {
    if (!inputs[i]) continue;
    OpId producer = problem_.graph.values[operands[i]].producer;
    if (residents_[operands[i]]) inputs[i] = *residents_[operands[i]];
    else if (completed(index) && producer.valid() && chainOf_[producer] == index) inputs[i] = configOf(producer).output;
    else if (producer.valid() && decided_[producer] && !decided_[producer]->output.isL1())
      inputs[i] = decided_[producer]->output;
  }
  if (!completed(index)) return inputs;
  for (const MemReconfigEntry& entry : chain(index).memReconfig()) {
    if (entry.edge.consumer == op) inputs[static_cast<size_t>(entry.edge.operand)] = entry.layout;
  }
  return inputs;
}

Bytes ChainWork::additionalL1(OpId op) const {
  Bytes sum = configs_.argumentL1() + activeReservations(position(op));
  int32_t index = chainOf_[op];
  if (!completed(index)) return sum;
  for (const MemReconfigEntry& entry : chain(index).memReconfig()) {
    if (entry.edge.consumer == op) sum += l1BytesPerCore(entry.layout);
  }
  const auto& operands = problem_.graph.ops[op].operands;
  for (size_t i = 0; i < operands.size(); ++i) {
    OpId producer = problem_.graph.values[operands[i]].producer;
    bool again = std::find(operands.begin(), operands.begin() + static_cast<std::ptrdiff_t>(i), operands[i]) !=
                 operands.begin() + static_cast<std::ptrdiff_t>(i);
    bool ofThisChain = producer.valid() && chainOf_[producer] == index && !residents_[operands[i]] && !again;
    if (ofThisChain) sum += l1BytesPerCore(configOf(producer).output);
  }
  return sum;
}

OpVerdict ChainWork::check(OpId op) {
  if (opInfo(problem_.graph.ops[op].kind).has(kTerminator)) return {};
  if (!known_[op]) {
    std::vector<std::optional<TensorLayout>> inputs = inputLayouts(op);
    OpConfig config = configOf(op);
    OpVerdict verdict =
        problem_.model.validateOperation({problem_.graph, op, inputs, config, Bytes(0)}, problem_.budget);
    const bool asGiven = !config.output.isL1() && config.output == defaultConfig(problem_, op).output &&
                         inputs == configs_.startingLayouts(op);
    if (!verdict.ok() && asGiven) {
      // Not our doing: the op is converted or fails whatever the chains do. What counts is that it keeps its share of
      // L1.
      verdict = {};
      verdict.output = config.output;
      verdict.constraints = problem_.model.getOpConstraints({problem_.graph, op, inputs, config, Bytes(0)});
    }
    known_[op] = verdict;
  }
  OpVerdict verdict = *known_[op];
  if (!verdict.ok()) return verdict;
  verdict.needed = verdict.constraints.peakL1MemorySize + additionalL1(op);
  admit(verdict, problem_.budget);
  return verdict;
}

// --- decisions -------------------------------------------------------------------------------------------------------

void ChainWork::forgetReaders(ValueId value) {
  for (const Use& use : problem_.uses[value]) forget(use.op);
}

void ChainWork::forgetChain(int32_t index) {
  for (const OpL1MemSpec& spec : chain(index).specs()) {
    forget(spec.op);
    forgetReaders(resultOf(spec.op));
  }
}

L1ChainConfig& ChainWork::changeChain(int32_t index) {
  undo_.push_back({.what = Undo::What::Chain, .index = index, .chain = chain(index)});
  forgetChain(index);
  return chains_[static_cast<size_t>(index)];
}

void ChainWork::setConfig(OpId op, const OpConfig& config) {
  undo_.push_back({.what = Undo::What::Config, .op = op, .config = decided_[op]});
  decided_[op] = config;
  forget(op);
  forgetReaders(resultOf(op));
}

void ChainWork::reserve(const L1Reservation& reservation, int64_t sign) {
  for (int32_t step = reservation.startStep; step <= reservation.endStep; ++step)
    reserved_[static_cast<size_t>(step)] += sign * reservation.size.count;
}

void ChainWork::keepInL1(ValueId value, const TensorLayout& layout) {
  undo_.push_back({.what = Undo::What::Resident, .value = value, .layout = residents_[value]});
  residents_[value] = layout;
  forgetReaders(value);
  OpId source = problem_.graph.values[value].producer;
  reservations_.push_back({source, position(source) + 1, problem_.live[value].lastUse, l1BytesPerCore(layout)});
  reserve(reservations_.back(), 1);
  undo_.push_back({.what = Undo::What::Reservation});
}

bool ChainWork::tryConfig(OpId op, const OpConfig& config) {
  const Mark before = mark();
  setConfig(op, config);
  if (config.output.isL1()) keepInL1(resultOf(op), config.output);
  bool runs = check(op).ok();
  for (OpId reader : readers(resultOf(op))) runs = runs && check(reader).ok();
  if (!runs) rollback(before);
  return runs;
}

void ChainWork::rollback(Mark to) {
  while (undo_.size() > to) {
    Undo last = std::move(undo_.back());
    undo_.pop_back();
    switch (last.what) {
      case Undo::What::Chain:
        chains_[static_cast<size_t>(last.index)] = std::move(last.chain);
        forgetChain(last.index);
        break;
      case Undo::What::Config:
        decided_[last.op] = last.config;
        forget(last.op);
        forgetReaders(resultOf(last.op));
        break;
      case Undo::What::Resident:
        residents_[last.value] = last.layout;
        forgetReaders(last.value);
        break;
      case Undo::What::Reservation:
        reserve(reservations_.back(), -1);
        reservations_.pop_back();
        break;
    }
  }
}

bool ChainWork::takeBack(int32_t step) {
  // Reservations are in the order of the decisions that made them; a kept result is in L1 from its own step on.
  size_t count = 0;
  for (size_t i = 0; i < reservations_.size(); ++i) {
    if (reservations_[i].startStep - 1 <= step && step <= reservations_[i].endStep) count = i + 1;
  }
  if (count == 0) return false;
  while (reservations_.size() >= count && !decisions_.empty()) {
    rollback(decisions_.back());
    decisions_.pop_back();
  }
  TESSERA_CHECK(reservations_.size() < count, "what keeps L1 taken belongs to no committed decision");
  return true;
}

ChainEvent& ChainWork::record(ChainEventKind kind, int32_t chain, OpId op) {
  ChainEvent event;
  event.kind = kind;
  event.chain = chain;
  event.op = op;
  trace_.events.push_back(std::move(event));
  return trace_.events.back();
}

void ChainWork::finishTrace() {
  for (int32_t i = 0; i < chainCount(); ++i) {
    const L1ChainConfig& c = chain(i);
    ChainSummary summary{c.ops(), c.state(), c.spillLocation, c.isConcatChain, c.failure(), -1};
    if (c.state() == L1ChainState::Completed && c.spillLocation == SpillLocation::None) {
      for (OpId reader : readers(resultOf(c.lastOp())))
        summary.mergedInto = std::max(summary.mergedInto, chainOf(reader));
    }
    trace_.chains.push_back(std::move(summary));
  }
  trace_.reservations = reservations_;
}

}  // namespace tessera
