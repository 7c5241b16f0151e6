#pragma once
// Pass 1, forward: goes through the schedule and keeps the K best candidates of each op
// (docs/rules/pass-generation.md#layout-propagation and beam search). Knows nothing about memory pressure: an op must
// fit together with what it reads, nothing else.

#include "core/policy/kit/matmul_programs.h"
#include "core/policy/propagate/beam_memory.h"
#include "core/policy/propagate/combinations.h"
#include "core/policy/propagate/forward_trial.h"

namespace tessera {

class ForwardPass {
 public:
  using RuleBookOf = const RuleBook& (*)(OpKind);
  // `memory`: of the answers that the problem's model remembers in; null: every op is worked out.
  ForwardPass(const Problem& problem, const PropagateOptions& options, MoveTime& moves,
              RuleBookOf ruleBookOf = ruleBook, BeamMemory* memory = nullptr);

  Beams run();

 private:
  // Rewritten for every op.
  struct Work {
    OpId op;
    std::vector<Source> sources;
    std::vector<int32_t> sourceOf;  // by operand; -1: no tensor
    std::vector<Combination> combinations;
    std::vector<OpConfig> configs;
    std::vector<LayoutId> layouts;  // of the operands at the trial's start
    std::vector<BeamEntry> found;
    int64_t mostCores = 0;           // of what is legal: what does not narrow the path
    const RuleBook* book = nullptr;  // null: none is used
  };

  // A combination that was refused at an operand which no conversion helps.
  struct RefusedHead {
    const Combination* combination = nullptr;
    size_t operands = 0;      // up to the refused one
    int32_t evaluations = 0;  // that it took
    OpVerdict verdict;
    int32_t reshards = 0;
  };

  void processOp(OpId op, OpBeam& beam);
  bool writeQuestion();
  void decide(OpBeam& beam);
  void findSources();
  void findConfigs();
  std::vector<LayoutId> operandLayouts() const;
  void tryAll(OpBeam& beam);
  Candidate tryCombinations(const OpConfig& config, OpBeam& beam);
  bool headsRefuse(const OpConfig& config) const;
  const RefusedHead* refusedHead(const std::vector<RefusedHead>& refused, const Combination& combination) const;
  void tryByHints(OpBeam& beam);
  bool tryOne(const OpConfig& config, const Combination& combination, OpBeam& beam);
  LayoutId layoutOf(size_t operand, const Combination& combination) const;
  void startTrial(const Combination& combination);
  bool bookTakes(const OpConfig& config) const;
  bool keepLegal(const OpConfig& config, const Combination& combination, OpBeam& beam);
  bool alignOperands(const OpConfig& config, const Combination& combination, OpBeam& beam);
  bool readFromDram(const OpConfig& config, const Combination& combination, OpBeam& beam);
  void traceTrial(const OpConfig& config, bool legal, OpBeam& beam) const;
  OpConfig asProduced(const OpConfig& config) const;
  void keep(const OpConfig& config, const Combination& combination);
  void addFallback(OpBeam& beam);
  void select(OpBeam& beam);
  int64_t ownCores(const OpConfig& config) const;
  int64_t inputDramBytes() const;
  bool onlyReturned(ValueId value) const;

  const Problem& problem_;
  const PropagateOptions& options_;
  LayoutPool& pool_;
  MoveTime& moves_;
  RuleBookOf ruleBookOf_;
  BeamMemory* memory_;
  IdVec<ValueId, int64_t> readers_;  // ops, at least 1
  Key question_;
  Beams beams_;
  Work work_;
  ForwardTrial trial_;
  FasterPrograms programs_;
};

}  // namespace tessera
