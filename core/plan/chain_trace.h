#pragma once
// What the chain generation went through: chains, solver states, merges. Data, filled in while the policy decides;
// report/ writes it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ops/model/op_model.h"

namespace tessera {

// ttnn-optimizer.md 3.2.4.
enum class L1ChainState { InBuild, Built, Resolved, Completed, Failed };
std::string_view l1ChainStateName(L1ChainState state);

// Where the result of a chain's last op goes (ttnn-optimizer.md 4.1.4).
enum class SpillLocation { None, L1Interleaved, DRAM };
std::string_view spillLocationName(SpillLocation location);

// One thing that happened, in order. The comments say which fields an event fills beyond `kind`.
enum class ChainEventKind {
#define TESSERA_CHAIN_EVENT(name) name,
#include "core/plan/chain_events.def"
#undef TESSERA_CHAIN_EVENT
};
std::string_view chainEventName(ChainEventKind kind);  // "ChainStarted"

// Why a chain ends at an op (ttnn-optimizer.md 3.2.3; docs/rules/d2m-chains.md#chains).
enum class ChainBreak {
  None,
  NotShardable,
  NoLegalConfigs,
  SeveralUses,
  NotFirstOperand,
  NoReadyReader,
  Dispatch,
  Concat
};
std::string_view chainBreakText(ChainBreak rule);

struct ChainEvent {
  ChainEventKind kind{};
  int32_t chain = -1;  // index into ChainTrace::chains
  int32_t other = -1;  // another chain
  OpId op;
  OpId producer;  // of the edge; invalid: an argument
  int32_t operand = -1;
  ChainBreak rule = ChainBreak::None;
  // Configs tried and left (FirstOp, ReshardInserted), valid at the producer and at the consumer (Paths), or the same
  // before a propagation; accumulated cores and cores (ConfigPicked); bytes per core in `before` (reservations,
  // merges).
  int64_t before = 0;
  int64_t after = 0;
  int64_t producerAfter = 0;  // Propagated
  int64_t consumerAfter = 0;
  int64_t paths = 0;  // pairs of configs on the edge
  std::optional<TensorLayout> layout;
  std::optional<OpVerdict> verdict;  // why not
  std::string note;
};

// A chain as it ended up.
struct ChainSummary {
  std::vector<OpId> ops;
  L1ChainState state = L1ChainState::InBuild;
  SpillLocation spill = SpillLocation::DRAM;
  bool isConcatChain = false;
  std::string failure;
  int32_t mergedInto = -1;  // chain that reads this one's result from L1
};

struct L1Reservation {
  OpId source;            // whose result is kept in L1
  int32_t startStep = 0;  // first step after the source
  int32_t endStep = 0;    // step of the last reader
  Bytes size;
};

struct DispatchD2MConfig {
  OpId dispatch;
  std::optional<TensorLayout> input;
  std::optional<TensorLayout> output;
  Bytes l1Budget;
};

struct ChainTrace {
  std::vector<ChainEvent> events;
  std::vector<ChainSummary> chains;
  std::vector<OpId> schedule;  // of the ops that take part
  std::vector<L1Reservation> reservations;
  std::vector<int32_t> solvingOrder;
  std::vector<DispatchD2MConfig> dispatches;
};

}  // namespace tessera
