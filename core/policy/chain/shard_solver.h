#pragma once
// ShardSolver: one chain's configs, chosen together (ttnn-optimizer.md 3.3). Each op keeps a set of configs; the op
// model is asked which pairs of neighbouring configs work; what has no partner goes; of what is left the configs with
// most cores are taken.
//
// Its limits are the published ones (3.3.9): operand 0 only, one edge without a path fails the chain, one chain at a
// time, reshards only where nothing else works.

#include <optional>
#include <vector>

#include "core/policy/chain/chain_configs.h"
#include "core/policy/chain/l1_chain.h"
#include "core/policy/chain/path_sets.h"

namespace tessera {

// An operand that the user wants resharded (`--override-output-layout=<op>_in_<n>_layout=...`).
struct OverrideReshardEdge {
  OpId consumer;
  int32_t operand = 0;
  const OutputLayoutOverride* layout = nullptr;
};

struct ShardSolverOptions {
  bool memReconfigEnabled = true;
  std::vector<OverrideReshardEdge> overrideReshardEdges;
  // The fused kernel that writes the first op's input in whatever layout suits (docs/rules/d2m-chains.md#solving);
  // invalid: none.
  OpId dispatch;
};

class ShardSolver {
 public:
  // `events` may be null; events get chain number `chain`.
  ShardSolver(const Problem& problem, ChainConfigs& configs, std::vector<OpId> ops, ShardSolverOptions options,
              int32_t chain = -1, std::vector<ChainEvent>* events = nullptr);

  // False when the chain has no solution; failure() says at which edge and why.
  bool resolve();
  const std::string& failure() const { return failure_; }

  // After resolve(): per config of an op of the chain; -1 for configs that are out.
  const std::vector<int64_t>& produceMaxCoreUsage(size_t op) { return paths_.maxCoreUsage(static_cast<int>(op)); }
  const std::vector<OpConfig>& configs(size_t op) const { return configs_.of(ops_[op]); }
  // The op gets this config; its neighbours lose what does not go with it.
  bool set(size_t op, size_t config);
  // After every op is set.
  ShardSolverSolution finish() const;
  // Layout that the fused kernel before the chain should write; only with options.dispatch, and when something fitted.
  const std::optional<TensorLayout>& resolvedFirstOpInputLayout() const { return firstOpInput_; }

 private:
  // A layout that the consumer's config takes on the edge, and the L1 the op needs then.
  struct ReshardChoice {
    TensorLayout layout;
    Bytes needed;
  };
  struct SolverEdge {
    ChainEdge edge;
    bool resharded = false;
    std::vector<std::vector<ReshardChoice>> reshardMap;  // per consumer config
  };

  bool preprocessFirstOp();
  bool solveForOptimalFirstOpInput();
  bool resolveStep(size_t consumer);
  std::vector<ConfigPath> pathsBetween(size_t consumer);
  bool insertReshard(SolverEdge& edge, size_t consumer);
  std::vector<ConfigPath> pathsFromReshardMap(const SolverEdge& edge, size_t consumer) const;
  const OverrideReshardEdge* overrideOn(const SolverEdge& edge) const;
  // The op with operand 0 in this layout; keeps the refusal for failure().
  std::optional<Bytes> needed(size_t op, const TensorLayout& input, const OpConfig& config, Bytes additional);
  bool fail(const SolverEdge& edge, std::string_view what);
  void record(ChainEventKind kind, const SolverEdge& edge, int64_t before, int64_t after, int64_t paths = 0);
  void recordUpdates(const std::vector<PathSets::Update>& updates);
  ReshardChoice bestReshard(const SolverEdge& edge, size_t consumer, const OpConfig& config, Bytes producerL1) const;
  OpId producerOf(OpId op) const;

  const Problem& problem_;
  ChainConfigs& configs_;
  std::vector<OpId> ops_;
  ShardSolverOptions options_;
  int32_t chain_;
  std::vector<ChainEvent>* events_;
  PathSets paths_;
  std::vector<SolverEdge> edges_;  // edges_[i] leads to ops_[i]; the first one into the chain
  std::vector<std::vector<std::optional<TensorLayout>>> inputs_;  // where the ops' operands start
  std::vector<int32_t> chosen_;
  std::optional<TensorLayout> firstOpInput_;
  std::optional<OpVerdict> lastRefusal_;
  std::string failure_;
};

}  // namespace tessera
