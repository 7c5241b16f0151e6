#include "core/policy/propagate/forward_trial.h"

#include <algorithm>

#include "core/ops/rules/family_rules.h"

namespace tessera {

void ForwardTrial::compareOperands() {
  const auto& operands = problem_.graph.ops[op_].operands;
  repeated_.assign(operands.size(), 0);
  likeType_.clear();
  std::vector<int64_t> types;  // -1: no tensor
  for (size_t i = 0; i < operands.size(); ++i) {
    types.push_back(problem_.isTensor(operands[i]) ? int64_t{moves_.typeOf(operands[i])} : -1);
    likeType_.push_back(static_cast<size_t>(std::find(types.begin(), types.end(), types[i]) - types.begin()));
    for (size_t j = 0; j < i && !repeated_[i]; ++j) repeated_[i] = operands[j] == operands[i];
  }
}

void ForwardTrial::start(OpId op, const RuleBook* book, const std::vector<LayoutId>& layouts) {
  if (op != op_) {
    op_ = op;
    compareOperands();
    for (auto& kept : kept_) kept.assign(likeType_.size(), {});
    reads_.assign(layouts.size(), kNoLayout);
    inputs_.assign(layouts.size(), std::nullopt);
  }
  book_ = book;
  expected_ = layouts;
  live_ = Bytes(0);
  for (size_t i = 0; i < expected_.size(); ++i) {
    if (expected_[i] != kNoLayout && !repeated_[i]) live_ += pool_.l1Bytes(expected_[i]);
  }
  restart();
}

void ForwardTrial::restart() {
  for (size_t i = 0; i < expected_.size(); ++i) {
    if (reads_[i] == expected_[i]) continue;
    reads_[i] = expected_[i];
    inputs_[i] = reads_[i] == kNoLayout ? std::nullopt : std::optional(pool_[reads_[i]]);
  }
  copies_ = Bytes(0);
  conversions_.clear();
}

void ForwardTrial::convert(size_t operand, LayoutId to) {
  if (reads_[operand] != expected_[operand]) copies_ -= pool_.l1Bytes(reads_[operand]);
  reads_[operand] = to;
  if (to != expected_[operand]) copies_ += pool_.l1Bytes(to);
  inputs_[operand] = pool_[to];
  conversions_.push_back({operand, to});
}

int64_t ForwardTrial::reshardTime() const {
  const auto& operands = problem_.graph.ops[op_].operands;
  int64_t time = 0;
  for (const auto& [operand, to] : conversions_)
    time = addSaturated(time, moves_.bounded(operands[operand], expected_[operand], to));
  return time;
}

// What the op reads from L1 is there while it runs, with the original of every copy. The result of a view counts
// besides: its operand may have to stay for another reader.
void ForwardTrial::validate(const OpConfig& config) {
  OpQuery query{problem_.graph, op_, inputs_, config, live_ + copies_};
  query.interned = {&pool_, reads_};
  verdict_ = problem_.model.validateOperation(query, problem_.budget);
}

// What the rule book does not let the op read comes from L1 interleaved where it is sharded there, else from DRAM
// (tt-mlir MemoryLayoutPropagation.cpp, addL1InterleavedFallbacks). Refused when neither is allowed.
bool ForwardTrial::filterInputs(bool interleavedInDram) {
  if (!book_) return true;
  for (size_t i = 0; i < inputs_.size(); ++i) {
    if (!inputs_[i] || inputs_[i]->buffer == BufferType::SystemMemory) continue;
    if (acceptsInput(*book_, static_cast<int>(i), *inputs_[i])) continue;
    const ValueId value = problem_.graph.ops[op_].operands[i];
    if (!interleavedInDram && inputs_[i]->isL1() && inputs_[i]->sharded()) {
      const TensorLayout& spread = l1InterleavedLayout(problem_, value);
      if (acceptsInput(*book_, static_cast<int>(i), spread)) {
        convert(i, pool_.intern(spread));
        continue;
      }
    }
    const TensorLayout& dram = dramLayout(problem_, value);
    if (dram == *inputs_[i]) {
      refuse(static_cast<int>(i));
      return false;
    }
    convert(i, pool_.intern(dram));
  }
  return true;
}

// What is known of the operand where it is now; null: nothing.
ForwardTrial::Outcome* ForwardTrial::known(size_t operand) {
  for (Outcome& outcome : (*outcomes_)[likeType_[operand]])
    if (outcome.from == reads_[operand]) return &outcome;
  return nullptr;
}

// Chooses the outcomes of this configuration; null where the op does not judge each operand by its own type and layout.
void ForwardTrial::chooseOutcomes(const OpConfig& config, bool interleavedInDram) {
  outcomes_ = nullptr;
  if (!refusesInOrder(familyRules(opInfo(problem_.graph.ops[op_].kind).family), config.output)) return;
  if (!(config == outcomesOf_)) {
    outcomesOf_ = config;
    for (auto& kept : kept_) kept.assign(likeType_.size(), {});
  }
  outcomes_ = &kept_[interleavedInDram ? 1 : 0];
}

// Converts, one operand after the other, what is known to need it. Returns how many operands are known.
size_t ForwardTrial::convertAsKnown(OperandRepair& repair) {
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const Outcome* outcome = outcomes_ && reads_[i] != kNoLayout ? known(i) : nullptr;
    if (!outcome && reads_[i] != kNoLayout) return i;
    if (!outcome || outcome->to == outcome->from) continue;
    if (outcome->to == kNoLayout || reads_[i] != expected_[i]) return i;
    convert(i, outcome->to);
    repair.close(i);
  }
  return inputs_.size();
}

// The operands before the refused one can be read as they are; all where none is refused.
void ForwardTrial::learn(size_t from) {
  const bool none = verdict_.ok() || verdict_.status == OpStatus::OutOfMemory;
  const size_t end = none ? inputs_.size() : static_cast<size_t>(std::max(verdict_.operand, 0));
  for (size_t i = from; outcomes_ && i < end; ++i)
    if (reads_[i] != kNoLayout && !known(i)) (*outcomes_)[likeType_[i]].push_back({reads_[i], reads_[i]});
}

void ForwardTrial::legalize(const OpConfig& config, bool interleavedInDram) {
  OperandRepair repair(problem_, op_, interleavedInDram);
  for (size_t i = 0; i < inputs_.size(); ++i) {
    if (reads_[i] != expected_[i]) repair.close(i);
  }
  chooseOutcomes(config, interleavedInDram);
  const size_t settled = convertAsKnown(repair);
  validate(config);
  learn(settled);
  while (auto conversion = repair.next(verdict_, config.output, inputs_)) {
    const size_t operand = conversion->operand;
    const Outcome made{reads_[operand], pool_.intern(conversion->to)};
    for (; conversion; conversion = repair.again(inputs_)) convert(conversion->operand, made.to);
    validate(config);
    if (outcomes_ && verdict_.operand != static_cast<int>(operand)) (*outcomes_)[likeType_[operand]].push_back(made);
    learn(settled);
  }
  const auto refused = static_cast<size_t>(std::max(verdict_.operand, 0));
  if (outcomes_ && verdict_.operand >= 0 && reads_[refused] == expected_[refused] && !known(refused))
    (*outcomes_)[likeType_[refused]].push_back({reads_[refused], kNoLayout});
}

bool ForwardTrial::run(const OpConfig& config) {
  if (!filterInputs(false)) return false;
  legalize(config, false);
  if (verdict_.status != OpStatus::OutOfMemory || copies_.count == 0) return true;
  const OpVerdict first = verdict_;
  restart();
  if (!filterInputs(true)) return false;
  legalize(config, true);
  if (!verdict_.ok()) verdict_ = first;
  return true;
}

bool ForwardTrial::onlySpreads() const {
  for (size_t i = 0; i < reads_.size(); ++i) {
    if (reads_[i] == expected_[i]) continue;
    const TensorLayout &from = pool_[expected_[i]], &to = pool_[reads_[i]];
    if (!from.isL1() || !from.sharded() || !to.isL1() || to.sharded()) return false;
  }
  return true;
}

bool ForwardTrial::runAligned(const OpConfig& config) {
  const Op& o = problem_.graph.ops[op_];
  for (size_t i = 0; i < o.operands.size(); ++i) {
    const bool sameShape = inputs_[i] && problem_.tensor(o.operands[i]).shape == problem_.tensor(o.results[0]).shape;
    if (!sameShape || inputs_[i]->page != config.output.page) continue;
    TensorLayout to = config.output;
    to.dtype = inputs_[i]->dtype;
    if (!(to == *inputs_[i]) && inputs_[i]->buffer != BufferType::SystemMemory) convert(i, pool_.intern(to));
  }
  if (!conversions_.empty()) validate(config);
  return !conversions_.empty();
}

bool ForwardTrial::runFromDram(const OpConfig& config) {
  for (size_t i = 0; i < inputs_.size(); ++i) {
    if (inputs_[i] && inputs_[i]->isL1())
      convert(i, pool_.intern(dramLayout(problem_, problem_.graph.ops[op_].operands[i])));
  }
  if (!conversions_.empty()) validate(config);
  return !conversions_.empty();
}

}  // namespace tessera
