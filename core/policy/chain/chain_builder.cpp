#include "core/policy/chain/chain_builder.h"

#include "core/policy/chain/dfs_scheduler.h"

namespace tessera {

bool isShardable(const Graph& graph, OpId op) { return opInfo(graph.ops[op].kind).has(kShardable); }
bool isDispatch(const Graph& graph, OpId op) { return opInfo(graph.ops[op].kind).family == Family::D2m; }
bool isConcat(const Graph& graph, OpId op) { return opInfo(graph.ops[op].kind).family == Family::Concat; }

namespace {

class ChainBuilder {
 public:
  ChainBuilder(const Problem& problem, ChainConfigs& configs, const ChainBuildOptions& options, ChainTrace& trace)
      : problem_(problem), configs_(configs), options_(options), trace_(trace), scheduler_(problem), chains_(1) {}

  BuiltChains run() {
    OpId current;
    while (scheduler_.hasUnscheduledOps()) {
      if (!current.valid()) current = scheduler_.first();
      scheduler_.scheduleOp(current);
      record(ChainEventKind::Scheduled, current, ChainBreak::None);
      current = visit(current);
    }
    closeChain();
    chains_.pop_back();
    BuiltChains built{std::move(chains_), scheduler_.scheduled(), scheduler_.wholeOrder()};
    return built;
  }

 private:
  // Puts a scheduled op into the chain; the op to go on with, or none when the chain ends here.
  OpId visit(OpId op) {
    const Graph& graph = problem_.graph;
    if (options_.isolateConcats && isConcat(graph, op)) {
      leave(op, ChainBreak::Concat);
      closeChain();
      chains_.back().isConcatChain = true;
      join(op);
      closeChain();
      return {};
    }
    ChainBreak rule = whyNot(op);
    if (rule != ChainBreak::None) {
      leave(op, rule);
      closeChain();
      return {};
    }
    join(op);
    OpId next = scheduler_.readyReader(op);
    rule = whyNotOn(op, next);
    if (rule == ChainBreak::None) return next;
    record(ChainEventKind::ChainBroke, op, rule);
    closeChain();
    return {};
  }

  // validForSharding of the walkthrough.
  ChainBreak whyNot(OpId op) {
    if (isDispatch(problem_.graph, op)) return ChainBreak::Dispatch;
    if (!isShardable(problem_.graph, op)) return ChainBreak::NotShardable;
    return configs_.of(op).empty() ? ChainBreak::NoLegalConfigs : ChainBreak::None;
  }

  // The rules for going on to `next`.
  ChainBreak whyNotOn(OpId op, OpId next) const {
    if (!next.valid()) return scheduler_.useCount(op) > 1 ? ChainBreak::SeveralUses : ChainBreak::NoReadyReader;
    if (scheduler_.useCount(op) != 1) return ChainBreak::SeveralUses;
    const Op& reader = problem_.graph.ops[next];
    if (problem_.graph.values[reader.operands[0]].producer != op) return ChainBreak::NotFirstOperand;
    return isDispatch(problem_.graph, next) ? ChainBreak::Dispatch : ChainBreak::None;
  }

  void join(OpId op) {
    bool starts = chains_.back().empty();
    chains_.back().addOp(op);
    record(starts ? ChainEventKind::ChainStarted : ChainEventKind::ChainGrew, op, ChainBreak::None);
  }

  void leave(OpId op, ChainBreak rule) {
    if (!chains_.back().empty()) record(ChainEventKind::ChainBroke, chains_.back().lastOp(), rule);
    if (rule != ChainBreak::Concat) record(ChainEventKind::OpLeftOut, op, rule);
  }

  void closeChain() {
    if (chains_.back().empty()) return;
    chains_.back().build();
    chains_.emplace_back();
  }

  void record(ChainEventKind kind, OpId op, ChainBreak rule) {
    ChainEvent event;
    event.kind = kind;
    bool inChain = kind != ChainEventKind::Scheduled && kind != ChainEventKind::OpLeftOut;
    event.chain = inChain ? static_cast<int32_t>(chains_.size()) - 1 : -1;
    event.op = op;
    event.rule = rule;
    trace_.events.push_back(std::move(event));
  }

  const Problem& problem_;
  ChainConfigs& configs_;
  const ChainBuildOptions& options_;
  ChainTrace& trace_;
  DfsScheduler scheduler_;
  std::vector<L1ChainConfig> chains_;  // the last one is in build
};

}  // namespace

BuiltChains buildL1Chains(const Problem& problem, ChainConfigs& configs, const ChainBuildOptions& options,
                          ChainTrace& trace) {
  BuiltChains built = ChainBuilder(problem, configs, options, trace).run();
  trace.schedule = built.scheduled;
  return built;
}

}  // namespace tessera
