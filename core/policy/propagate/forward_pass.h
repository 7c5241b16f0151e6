#pragma once
// Pass 1, forward: goes through the schedule and keeps the K best ways to run each op (seed 001, L1 sharding propagation and beam
// search). Knows nothing about memory pressure: an op must fit together with what it reads, nothing else.

#include "core/ops/rule_book.h"
#include "core/policy/propagate/beam.h"
#include "core/policy/propagate/combinations.h"
#include "core/policy/propagate/reshard_cost.h"

namespace tessera {

class ForwardPass {
 public:
  using RuleBookOf = const RuleBook& (*)(OpKind);
  ForwardPass(const Problem& problem, const PropagateOptions& options, LayoutPool& pool, ReshardCost& reshards, RuleBookOf ruleBookOf = ruleBook);

  Beams run();

 private:
  // One try of one config with one combination.
  struct Trial {
    std::vector<std::optional<TensorLayout>> inputs;
    std::vector<LayoutId> expected;
    std::vector<LayoutId> reads;
    OpVerdict verdict;
    int32_t reshards = 0;
    int64_t reshardTime = 0;
    bool copiesInL1 = false;
  };
  // Rewritten for every op.
  struct Work {
    OpId op;
    std::vector<Source> sources;
    std::vector<int32_t> sourceOf;     // by operand; -1: no tensor
    std::vector<Combination> combinations;
    std::vector<OpConfig> configs;
    std::vector<BeamEntry> found;
    int64_t mostCores = 0;             // of what is legal: what does not narrow the path
    const RuleBook* book = nullptr;    // null: none is used
  };

  void processOp(OpId op, OpBeam& beam);
  void findSources();
  void findConfigs();
  void addOperandGrids();
  void addCurable();
  void addConfig(const OpConfig& config);
  void tryAll(OpBeam& beam);
  void tryByHints(OpBeam& beam);
  bool tryOne(const OpConfig& config, const Combination& combination, OpBeam& beam);
  void startTrial(const Combination& combination);
  void legalize(const OpConfig& config, bool onlyDram);
  void validate(const OpConfig& config);
  bool filterInputs();
  void convert(size_t operand, const TensorLayout& to);
  bool alignOperands(const OpConfig& config, const Combination& combination, OpBeam& beam);
  void traceTrial(const OpConfig& config, bool legal, OpBeam& beam) const;
  OpConfig asProduced(const OpConfig& config) const;
  void keep(const OpConfig& config, const Combination& combination);
  void addFallback(OpBeam& beam);
  void select(OpBeam& beam);
  int64_t ownCores(const TensorLayout& layout) const;
  int64_t inputDramBytes() const;
  bool onlyReturned(ValueId value) const;

  const Problem& problem_;
  const PropagateOptions& options_;
  LayoutPool& pool_;
  ReshardCost& reshards_;
  RuleBookOf ruleBookOf_;
  Beams beams_;
  Work work_;
  Trial trial_;
};

}  // namespace tessera
