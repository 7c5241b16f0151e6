#include "core/report/problem_candidates.h"

#include <algorithm>

#include "core/policy/kit/candidate_layouts.h"
#include "core/policy/kit/operand_repair.h"

namespace tessera {

namespace {

class Offer {
 public:
  Offer(const Problem& problem, OpId op) : problem_(problem), op_(op), start_(startingReads(problem, op)) {}

  std::vector<OfferedCandidate> take() {
    for (const OpConfig& config : configs()) {
      ask(config, start_);
      askMoved(config, [&](size_t i) { return overGridOf(config, i); });
      askMoved(config, [&](size_t i) { return interleaved(i); });
    }
    return std::move(found_);
  }

 private:
  std::vector<OpConfig> configs() const {
    std::vector<OpConfig> configs = {defaultConfig(problem_, op_)};
    if (isPinned(problem_, op_)) return configs;
    if (findOverride(problem_.options.layoutOverrides, problem_.graph, op_)) configs.clear();
    for (const OpConfig& config : problem_.configs[op_])
      addConfig(configs, keepSharedActivation(problem_, op_, config));
    return configs;
  }

  // Host tensors wait for the library, layout ops of the program say themselves what they read.
  bool movable(size_t operand) const {
    return start_[operand] && start_[operand]->buffer != BufferType::SystemMemory && !isPinned(problem_, op_);
  }
  ValueId operand(size_t i) const { return problem_.graph.ops[op_].operands[i]; }
  std::optional<TensorLayout> overGridOf(const OpConfig& config, size_t i) const {
    if (!config.output.sharded() || !config.output.isL1()) return {};
    return shardedLike(problem_, operand(i), start_[i]->dtype, start_[i]->page, config.output);
  }
  std::optional<TensorLayout> interleaved(size_t i) const { return l1InterleavedLayout(problem_, operand(i)); }

  // The first operand alone, and all of them.
  template <class To>
  void askMoved(const OpConfig& config, const To& to) {
    std::vector<std::optional<TensorLayout>> reads = start_;
    bool first = true;
    size_t moved = 0;
    for (size_t i = 0; i < reads.size(); ++i) {
      if (!movable(i)) continue;
      const std::optional<TensorLayout> there = to(i);
      if (there && !(*there == *reads[i])) reads[i] = *there, ++moved;
      if (first && moved > 0) ask(config, reads);
      first = false;
    }
    if (moved > 1) ask(config, reads);
  }

  void ask(const OpConfig& config, std::vector<std::optional<TensorLayout>> reads) {
    OperandRepair repair(problem_, op_, false);
    OpVerdict verdict = validate(config, reads);
    while (auto conversion = repair.next(verdict, config.output, reads)) {
      for (; conversion; conversion = repair.again(reads)) reads[conversion->operand] = conversion->to;
      verdict = validate(config, reads);
    }
    if (!verdict.ok()) return;
    OpConfig made = config;
    if (!isPinned(problem_, op_)) made.output = verdict.output;
    for (const OfferedCandidate& known : found_) {
      if (known.config == made && known.reads == reads) return;
    }
    const OpFigures figures = problem_.model.figuresOf({problem_.graph, op_, reads, made, Bytes(0)});
    found_.push_back({made, std::move(reads), figures.time, figures.constraints, figures.aliases});
  }

  OpVerdict validate(const OpConfig& config, const std::vector<std::optional<TensorLayout>>& reads) const {
    Bytes taken;
    for (const auto& layout : reads) taken += layout ? l1BytesPerCore(*layout) : Bytes(0);
    return problem_.model.validateOperation({problem_.graph, op_, reads, config, taken}, problem_.budget);
  }

  const Problem& problem_;
  const OpId op_;
  const std::vector<std::optional<TensorLayout>> start_;
  std::vector<OfferedCandidate> found_;
};

}  // namespace

std::vector<std::optional<TensorLayout>> startingReads(const Problem& problem, OpId op) {
  std::vector<std::optional<TensorLayout>> layouts;
  for (ValueId operand : problem.graph.ops[op].operands) {
    layouts.emplace_back();
    if (problem.isTensor(operand)) layouts.back() = problem.pinned[operand].value_or(dramLayout(problem, operand));
  }
  return layouts;
}

std::vector<OfferedCandidate> offeredCandidates(const Problem& problem, OpId op) { return Offer(problem, op).take(); }

}  // namespace tessera
