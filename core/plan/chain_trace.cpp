#include "core/plan/chain_trace.h"

namespace tessera {

namespace {

constexpr std::string_view kEvents[] = {
#define TESSERA_CHAIN_EVENT(name) #name,
#include "core/plan/chain_events.def"
#undef TESSERA_CHAIN_EVENT
};

}  // namespace

std::string_view l1ChainStateName(L1ChainState state) {
  switch (state) {
    case L1ChainState::InBuild: return "InBuild";
    case L1ChainState::Built: return "Built";
    case L1ChainState::Resolved: return "Resolved";
    case L1ChainState::Completed: return "Completed";
    case L1ChainState::Failed: return "Failed";
  }
  return "";
}

std::string_view spillLocationName(SpillLocation location) {
  switch (location) {
    case SpillLocation::None: return "None";
    case SpillLocation::L1Interleaved: return "L1Interleaved";
    case SpillLocation::DRAM: return "DRAM";
  }
  return "";
}

std::string_view chainEventName(ChainEventKind kind) { return kEvents[static_cast<size_t>(kind)]; }

std::string_view chainBreakText(ChainBreak rule) {
  switch (rule) {
    case ChainBreak::None: return "";
    case ChainBreak::NotShardable: return "not in the list of shardable ops";
    case ChainBreak::NoLegalConfigs: return "no legal sharded config";
    case ChainBreak::SeveralUses: return "its result is read more than once";
    case ChainBreak::NotFirstOperand: return "the next op does not read it as operand 0";
    case ChainBreak::NoReadyReader: return "no reader of it can run next";
    case ChainBreak::Dispatch: return "the next op is a fused kernel";
    case ChainBreak::Concat: return "a concat stands in a chain of its own";
  }
  return "";
}

}  // namespace tessera
