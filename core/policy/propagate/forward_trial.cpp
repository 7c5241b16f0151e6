#include "core/policy/propagate/forward_trial.h"

namespace tessera {

void ForwardTrial::findRepeats() {
  const auto& operands = problem_.graph.ops[op_].operands;
  repeated_.assign(operands.size(), 0);
  for (size_t i = 0; i < operands.size(); ++i) {
    for (size_t j = 0; j < i && !repeated_[i]; ++j) repeated_[i] = operands[j] == operands[i];
  }
}

void ForwardTrial::start(OpId op, const RuleBook* book, std::vector<LayoutId> layouts) {
  if (op != op_) {
    op_ = op;
    findRepeats();
  }
  book_ = book;
  expected_ = std::move(layouts);
  now_.assign(expected_.size(), std::nullopt);
  live_ = Bytes(0);
  for (size_t i = 0; i < expected_.size(); ++i) {
    if (expected_[i] == kNoLayout) continue;
    now_[i] = pool_[expected_[i]];
    if (!repeated_[i]) live_ += pool_.l1Bytes(expected_[i]);
  }
  restart();
}

void ForwardTrial::restart() {
  reads_ = expected_;
  inputs_ = now_;
  copies_ = Bytes(0);
  reshardCount_ = 0;
  reshardTime_ = 0;
}

void ForwardTrial::convert(size_t operand, const TensorLayout& to) {
  if (reads_[operand] != expected_[operand]) copies_ -= pool_.l1Bytes(reads_[operand]);
  reads_[operand] = pool_.intern(to);
  if (reads_[operand] != expected_[operand]) copies_ += pool_.l1Bytes(reads_[operand]);
  inputs_[operand] = to;
  ++reshardCount_;
  const ValueId value = problem_.graph.ops[op_].operands[operand];
  reshardTime_ = addSaturated(reshardTime_, moves_.bounded(value, expected_[operand], reads_[operand]));
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
        convert(i, spread);
        continue;
      }
    }
    const TensorLayout& dram = dramLayout(problem_, value);
    if (dram == *inputs_[i]) {
      refuse(static_cast<int>(i));
      return false;
    }
    convert(i, dram);
  }
  return true;
}

void ForwardTrial::legalize(const OpConfig& config, bool interleavedInDram) {
  OperandRepair repair(problem_, op_, interleavedInDram);
  for (size_t i = 0; i < inputs_.size(); ++i) {
    if (reads_[i] != expected_[i]) repair.close(i);
  }
  validate(config);
  while (auto conversion = repair.next(verdict_, config.output, inputs_)) {
    for (; conversion; conversion = repair.again(inputs_)) convert(conversion->operand, conversion->to);
    validate(config);
  }
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
    if (!(to == *inputs_[i]) && inputs_[i]->buffer != BufferType::SystemMemory) convert(i, to);
  }
  if (reshardCount_ > 0) validate(config);
  return reshardCount_ > 0;
}

bool ForwardTrial::runFromDram(const OpConfig& config) {
  for (size_t i = 0; i < inputs_.size(); ++i) {
    if (inputs_[i] && inputs_[i]->isL1()) convert(i, dramLayout(problem_, problem_.graph.ops[op_].operands[i]));
  }
  if (reshardCount_ > 0) validate(config);
  return reshardCount_ > 0;
}

}  // namespace tessera
