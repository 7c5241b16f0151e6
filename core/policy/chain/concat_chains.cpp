#include "core/policy/chain/chain_builder.h"
#include "core/policy/chain/chain_passes.h"
#include "core/policy/chain/merge_validation.h"

namespace tessera {

std::optional<TensorMemoryLayout> concatInputSharding(const Graph& graph, OpId concat) {
  const Op& op = graph.ops[concat];
  const AttrValue* attr = findAttr(op, "dim");
  if (op.results.empty() || !graph.values[op.results[0]].type.isTensor()) return {};
  auto rank = static_cast<int64_t>(graph.values[op.results[0]].type.tensor->shape.size());
  int64_t dim = attr && attr->kind == AttrValueKind::Integer ? attr->integer : 0;
  if (dim < 0) dim += rank;
  if (dim == rank - 1) return TensorMemoryLayout::HeightSharded;
  if (dim == rank - 2) return TensorMemoryLayout::WidthSharded;
  return {};
}

namespace {

// The chain that ends with the value, or -1.
int32_t chainEndingWith(const ChainWork& work, ValueId value) {
  OpId producer = work.problem().graph.values[value].producer;
  int32_t index = producer.valid() ? work.chainOf(producer) : -1;
  return index >= 0 && work.chain(index).lastOp() == producer && work.resultOf(producer) == value ? index : -1;
}

// The concat's inputs, each once.
std::vector<ValueId> inputsOf(const ChainWork& work, OpId concat) {
  std::vector<ValueId> inputs;
  for (ValueId operand : work.problem().graph.ops[concat].operands) {
    bool known = false;
    for (ValueId v : inputs) known |= v == operand;
    if (!known) inputs.push_back(operand);
  }
  return inputs;
}

void prefer(ChainWork& work, int32_t index, TensorMemoryLayout memory) {
  if (index < 0 || work.chain(index).isConcatChain) return;
  work.changeChain(index).preferredOutputMemLayout = memory;
  work.record(ChainEventKind::PreferenceSet, index, work.chain(index).lastOp()).note = tensorMemoryLayoutName(memory);
}

// Could every input come from a chain of its own, for the concat alone?
bool inputsAreChains(const ChainWork& work, OpId concat) {
  for (ValueId input : inputsOf(work, concat)) {
    if (chainEndingWith(work, input) < 0 || work.problem().uses[input].size() != 1) return false;
  }
  return !work.problem().pinned[work.resultOf(concat)];
}

// The whole chain has to be able to follow its last op.
void offer(ChainWork& work, int32_t index, TensorMemoryLayout memory) {
  for (OpId op : work.chain(index).ops()) work.configs().prefer(op, memory);
}

// Layout of the result: sharded as the inputs, over the first input's grid. Nothing when an input is not there in that
// form.
std::optional<TensorLayout> concatOutput(const ChainWork& work, OpId concat, TensorMemoryLayout memory,
                                         std::string& why) {
  const Problem& problem = work.problem();
  std::optional<GridShape> grid;
  for (ValueId input : inputsOf(work, concat)) {
    int32_t index = chainEndingWith(work, input);
    std::string name = "%" + problem.graph.values[input].name;
    if (!work.completed(index)) why = name + " is not the result of a completed chain";
    else if (problem.uses[input].size() != 1) why = name + " is read more than once";
    else if (work.chain(index).lastLayout().memory != memory)
      why = name + " is " + layoutText(work.chain(index).lastLayout()) + ", the concat takes " +
            std::string(tensorMemoryLayoutName(memory));
    else if (grid && !(*grid == work.chain(index).lastLayout().grid))
      why = name + " lies on another grid than the first input";
    if (!why.empty()) return {};
    grid = work.chain(index).lastLayout().grid;
  }
  ValueId result = work.resultOf(concat);
  if (!grid || problem.pinned[result]) return {};
  TensorLayout dram = dramLayout(problem, result);
  auto made =
      makeLayout(problem.tensor(result).shape, {dram.dtype, BufferType::L1, memory, dram.page, *grid}, problem.device);
  if (!made.ok()) why = made.error().text;
  return made.ok() ? std::optional(*made) : std::nullopt;
}

// All inputs stay in L1 at once: every op from the first input's end to the concat is asked with what has come together
// by then.
MergeCheck tryConcat(ChainWork& work, int32_t index, const TensorLayout& output) {
  OpId concat = work.chain(index).firstOp();
  int32_t first = work.position(concat);
  for (ValueId input : inputsOf(work, concat)) {
    int32_t source = chainEndingWith(work, input);
    work.changeChain(source).spillLocation = SpillLocation::None;
    work.keepInL1(input, work.chain(source).lastLayout());
    first = std::min(first, work.position(work.chain(source).lastOp()) + 1);
  }
  L1ChainConfig& chain = work.changeChain(index);
  chain.resolved();
  chain.complete({{OpConfig{output, {}}}, {}});
  chain.spillLocation = SpillLocation::DRAM;
  return validateScheduleRangeWithReservation(work, first, work.position(concat));
}

}  // namespace

void setConcatChainPreferences(ChainWork& work) {
  for (int32_t i = 0; i < work.chainCount(); ++i) {
    if (!work.chain(i).isConcatChain) continue;
    OpId concat = work.chain(i).firstOp();
    std::optional<TensorMemoryLayout> memory = concatInputSharding(work.problem().graph, concat);
    if (!memory) continue;
    const bool possible = inputsAreChains(work, concat);
    for (ValueId input : inputsOf(work, concat)) {
      const int32_t source = chainEndingWith(work, input);
      prefer(work, source, *memory);
      if (possible && !work.chain(source).isConcatChain) offer(work, source, *memory);
    }
    for (OpId reader : work.readers(work.resultOf(concat))) {
      int32_t consumer = work.chainOf(reader);
      if (consumer >= 0 && work.chain(consumer).firstOp() == reader) prefer(work, consumer, *memory);
    }
  }
}

void resolveConcatChains(ChainWork& work) {
  for (int32_t i = 0; i < work.chainCount(); ++i) {
    if (!work.chain(i).isConcatChain) continue;
    OpId concat = work.chain(i).firstOp();
    std::string why;
    std::optional<TensorMemoryLayout> memory = concatInputSharding(work.problem().graph, concat);
    std::optional<TensorLayout> output;
    if (!memory) why = "only the last two dims can be concatenated in shards";
    else output = concatOutput(work, concat, *memory, why);
    work.record(ChainEventKind::ConcatTried, i, concat).layout = output;
    ChainWork::Mark mark = work.mark();
    if (output) {
      MergeCheck failed = tryConcat(work, i, *output);
      if (!failed) {
        work.commit(mark);
        work.record(ChainEventKind::ChainResolved, i, concat);
        continue;
      }
      work.rollback(mark);
      recordRejection(work, i, *failed);
      why = verdictText(failed->verdict);
    }
    work.changeChain(i).fail("because the concat cannot read its inputs from L1: " +
                             (why.empty() ? std::string("its result has a given layout") : why));
    work.record(ChainEventKind::ChainFailed, i, concat).note = work.chain(i).failure();
  }
}

}  // namespace tessera
