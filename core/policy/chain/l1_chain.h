#pragma once
// L1ChainConfig: a run of ops whose intermediate results stay in L1, and how far it has come
// (ttnn-optimizer.md 3.2.1, 3.2.4, appendix A).

#include <optional>
#include <string>
#include <vector>

#include "core/ir/graph.h"
#include "core/ops/table/op_config.h"
#include "core/plan/chain_trace.h"

namespace tessera {

// An operand of an op, seen from its producer (invalid: an argument).
struct ChainEdge {
  OpId producer;
  OpId consumer;
  int32_t operand = 0;
  friend bool operator==(const ChainEdge&, const ChainEdge&) = default;
};

// The operand is read through a copy in this layout.
struct MemReconfigEntry {
  ChainEdge edge;
  TensorLayout layout;
  friend bool operator==(const MemReconfigEntry&, const MemReconfigEntry&) = default;
};

struct OpL1MemSpec {
  OpId op;
  int32_t tensorSplitFactor = 1;  // always 1: nothing splits tensors
  OpConfig config;                // of a Completed chain
};

// What a solver found for one chain.
struct ShardSolverSolution {
  std::vector<OpConfig> configs;              // one per op
  std::vector<MemReconfigEntry> memReconfig;  // by consumer's place in the chain, then operand
};

class L1ChainConfig {
 public:
  L1ChainState state() const { return state_; }
  bool empty() const { return specs_.empty(); }
  const std::vector<OpL1MemSpec>& specs() const { return specs_; }
  std::vector<OpId> ops() const;
  OpId firstOp() const { return specs_.front().op; }
  OpId lastOp() const { return specs_.back().op; }
  const TensorLayout& lastLayout() const { return specs_.back().config.output; }
  const std::vector<MemReconfigEntry>& memReconfig() const { return memReconfig_; }
  const std::string& failure() const { return failure_; }

  // InBuild
  void addOp(OpId op);
  void build();  // -> Built
  // Built
  void resolved();  // -> Resolved
  // Resolved, or Built for a chain of one concat
  void complete(const ShardSolverSolution& solution);  // -> Completed
  // Built, Resolved or Completed (its plan turned out not to fit)
  void fail(std::string why);  // -> Failed
  // Completed: an operand that was converted is read as it is, or the other way round.
  void dropMemReconfig(OpId consumer, int32_t operand);

  SpillLocation spillLocation = SpillLocation::DRAM;
  bool isConcatChain = false;
  std::optional<TensorMemoryLayout> preferredOutputMemLayout;

 private:
  std::vector<OpL1MemSpec> specs_;
  std::vector<MemReconfigEntry> memReconfig_;
  L1ChainState state_ = L1ChainState::InBuild;
  std::string failure_;
};

}  // namespace tessera
