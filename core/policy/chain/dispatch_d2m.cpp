#include "core/policy/chain/dispatch_d2m.h"

#include <algorithm>

#include "core/policy/chain/merge_validation.h"

namespace tessera {

std::vector<DispatchChainRelationship> buildDispatchChainRelationships(const ChainWork& work) {
  std::vector<DispatchChainRelationship> relationships;
  const Problem& problem = work.problem();
  for (OpId op : problem.schedule.order) {
    if (!isDispatch(problem.graph, op)) continue;
    DispatchChainRelationship r;
    r.dispatch = op;
    for (ValueId operand : problem.graph.ops[op].operands) {
      OpId producer = problem.graph.values[operand].producer;
      int32_t chain = producer.valid() ? work.chainOf(producer) : -1;
      if (r.producerChain < 0 && chain >= 0 && work.chain(chain).lastOp() == producer) r.producerChain = chain;
    }
    for (ValueId result : problem.graph.ops[op].results) {
      for (OpId reader : work.readers(result)) {
        int32_t chain = work.chainOf(reader);
        if (r.consumerChain < 0 && chain >= 0 && work.chain(chain).firstOp() == reader) r.consumerChain = chain;
      }
    }
    relationships.push_back(r);
  }
  return relationships;
}

std::vector<int32_t> computeChainSolvingOrder(int32_t chains,
                                              const std::vector<DispatchChainRelationship>& relationships) {
  std::vector<std::vector<int32_t>> after(static_cast<size_t>(chains));
  std::vector<int32_t> waitsFor(static_cast<size_t>(chains), 0);
  for (const DispatchChainRelationship& r : relationships) {
    if (r.producerChain < 0 || r.consumerChain < 0 || r.producerChain == r.consumerChain) continue;
    after[static_cast<size_t>(r.producerChain)].push_back(r.consumerChain);
    ++waitsFor[static_cast<size_t>(r.consumerChain)];
  }
  std::vector<int32_t> ready, order;  // ready: descending, so that the lowest is taken from the back
  for (int32_t i = chains; i-- > 0;) {
    if (waitsFor[static_cast<size_t>(i)] == 0) ready.push_back(i);
  }
  while (!ready.empty()) {
    int32_t chain = ready.back();
    ready.pop_back();
    order.push_back(chain);
    for (int32_t next : after[static_cast<size_t>(chain)]) {
      if (--waitsFor[static_cast<size_t>(next)] > 0) continue;
      ready.insert(std::upper_bound(ready.begin(), ready.end(), next, std::greater<>()), next);
    }
  }
  TESSERA_CHECK(order.size() == static_cast<size_t>(chains), "chains wait for each other in a circle");
  return order;
}

namespace {

// The chain's result stays sharded in L1 because a fused kernel reads it. Other readers must take it, too.
void keepForDispatch(ChainWork& work, int32_t chain) {
  const Problem& problem = work.problem();
  ValueId value = work.chainResult(chain);
  bool feedsDispatch = false;
  for (OpId reader : work.readers(value)) feedsDispatch |= isDispatch(problem.graph, reader);
  if (!feedsDispatch) return;
  ChainWork::Mark mark = work.mark();
  work.changeChain(chain).spillLocation = SpillLocation::None;
  work.keepInL1(value, work.chain(chain).lastLayout());
  int32_t begin = work.position(work.chain(chain).lastOp()) + 1;
  if (MergeCheck failed = validateScheduleRangeWithReservation(work, begin, problem.live[value].lastUse)) {
    work.rollback(mark);
    recordRejection(work, chain, *failed);
    return;
  }
  work.commit(mark);
  work.record(ChainEventKind::Reserved, chain, work.chain(chain).lastOp()).before =
      l1BytesPerCore(work.chain(chain).lastLayout()).count;
}

// Solves the chain for the input it would like best, and lets the kernel write that; without it when that does not
// work.
void solveConsumer(ChainRun& run, int32_t chain, OpId dispatch) {
  ChainWork& work = run.work();
  const Problem& problem = run.problem();
  ChainWork::Mark mark = work.mark();
  std::optional<TensorLayout> input = run.resolveChain(chain, dispatch);
  if (work.completed(chain) && input) {
    ValueId value = work.resultOf(dispatch);
    work.setConfig(dispatch, {*input, {}});
    work.keepInL1(value, *input);
    MergeCheck failed =
        validateScheduleRangeWithReservation(work, work.position(dispatch), problem.live[value].lastUse);
    if (!failed) {
      work.commit(mark);
      return;
    }
    recordRejection(work, chain, *failed);
  } else if (work.completed(chain)) {
    return;  // solved with the input in DRAM
  }
  work.rollback(mark);
  run.resolveChain(chain, {});
}

void recordOrder(ChainWork& work, const std::vector<DispatchChainRelationship>& relationships,
                 const std::vector<int32_t>& order) {
  for (const DispatchChainRelationship& r : relationships)
    work.record(ChainEventKind::DispatchRelated, r.producerChain, r.dispatch).other = r.consumerChain;
  std::string text;
  for (int32_t chain : order) text += (text.empty() ? "" : " ") + std::to_string(chain);
  if (!relationships.empty()) work.record(ChainEventKind::SolvingOrder, -1, OpId()).note = std::move(text);
}

}  // namespace

void solveChains(ChainRun& run, const std::vector<DispatchChainRelationship>& relationships) {
  ChainWork& work = run.work();
  std::vector<int32_t> order = computeChainSolvingOrder(work.chainCount(), relationships);
  recordOrder(work, relationships, order);
  for (int32_t chain : order) {
    work.trace().solvingOrder.push_back(chain);
    if (work.chain(chain).isConcatChain) continue;
    OpId dispatch;
    for (const DispatchChainRelationship& r : relationships) {
      bool decidable = r.consumerChain == chain && !run.problem().pinned[work.resultOf(r.dispatch)];
      if (decidable) dispatch = r.dispatch;
    }
    if (dispatch.valid()) solveConsumer(run, chain, dispatch);
    else run.resolveChain(chain, {});
    if (work.completed(chain)) keepForDispatch(work, chain);
  }
}

std::vector<DispatchD2MConfig> computeDispatchD2MConfigs(const ChainWork& work,
                                                         const std::vector<DispatchChainRelationship>& relationships) {
  std::vector<DispatchD2MConfig> configs;
  for (const DispatchChainRelationship& r : relationships) {
    DispatchD2MConfig config;
    config.dispatch = r.dispatch;
    Bytes left = work.problem().budget.pinned();
    if (r.producerChain >= 0) config.input = work.resident(work.chainResult(r.producerChain));
    if (!work.problem().graph.ops[r.dispatch].results.empty()) config.output = work.resident(work.resultOf(r.dispatch));
    if (config.input) left -= l1BytesPerCore(*config.input);
    if (config.output) left -= l1BytesPerCore(*config.output);
    config.l1Budget = std::max(left, Bytes(0));
    configs.push_back(std::move(config));
  }
  return configs;
}

}  // namespace tessera
