// Every op of the golden cases and of what the passes make of them, alone and with one thing of it changed: what is
// said when it is read, its smaller sizes and what is computed, a line per kind of op. Where it is refused when it is
// read, its kernel is called by itself: kernels answer for what they are given.

#include "core/execute/interpreter.h"
#include "core/execute/shrink_graph.h"
#include "core/ir/constant_value.h"
#include "tests/execute/pinned_numbers.h"
#include "tests/lone_op_sources.h"
#include "tests/pinned.h"

namespace tessera::test {
namespace {

PinnedFile& loneOpPins = PinnedFile::named("pinned_lone_ops");

struct KindLine {
  int asked = 0, read = 0, small = 0, done = 0;
  Fingerprint print;
};

// Drawing numbers that are refused for their size would take longer than all else.
int64_t bytesOfArguments(const Graph& graph) {
  int64_t bytes = 0;
  for (const ValueId arg : graph.funcs[graph.forward].args) {
    const ValueType& type = graph.values[arg].type;
    if (type.isTensor()) bytes += 4 * std::min<int64_t>(elementCount(type.tensor->shape).value_or(1 << 28), 1 << 28);
  }
  return bytes;
}

void executeRead(const Graph& graph, KindLine& line) {
  const ExecutionBudget budget{int64_t{1} << 22, int64_t{1} << 18};
  ++line.read;
  const ShrunkGraph shrunk = shrinkGraph(graph);
  line.small += shrunk.shrunk;
  line.print.add(shrunk.problem);
  if (shrunk.shrunk) line.print.add(exportMlir(shrunk.graph));
  if (bytesOfArguments(graph) > budget.bytes) return line.print.add("too large");
  const Execution run = execute(graph, randomInputs(graph, 1), budget);
  line.done += run.status == ExecutionStatus::Done;
  line.print.add(run.text);
  addTensors(line.print, run.results);
}

bool isSmall(const Graph& graph) {
  return std::none_of(graph.values.begin(), graph.values.end(), [](const Value& value) {
    return value.type.isTensor() && elementCount(value.type.tensor->shape).value_or(INT64_MAX) > (1 << 16);
  });
}

void callKernel(const Graph& graph, KindLine& line) {
  const Op& op = graph.ops[placeOfLoneOp(graph)];
  const Kernel kernel = findKernel(op.name);
  if (kernel == nullptr || !isSmall(graph)) return;
  std::vector<HostTensor> inputs(op.operands.size());
  KernelCall call{graph, op, {}, std::vector<HostTensor>(op.results.size()), {}};
  for (size_t i = 0; i < inputs.size(); ++i) {
    const ValueType& type = graph.values[op.operands[i]].type;
    call.in.push_back(type.isTensor() ? &inputs[i] : nullptr);
    if (!type.isTensor()) continue;
    inputs[i] = makeTensor(type.tensor->shape, isFloatType(type.tensor->dtype));
    for (size_t k = 0; k < inputs[i].size(); ++k) inputs[i].set(k, static_cast<double>(k % 3));
  }
  kernel(call);
  line.done += call.error.empty();
  line.print.add(call.error), line.print.add(int64_t{call.unknown});
  addTensors(line.print, call.out);
}

void ask(const Graph& graph, KindLine& line) {
  ++line.asked;
  const Imported imported = importText(exportMlir(graph));
  line.print.add(imported.report());
  if (imported.graph) executeRead(*imported.graph, line);
  else callKernel(graph, line);
}

class PinnedLoneOps : public testing::TestWithParam<size_t> {};

TEST_P(PinnedLoneOps, ReadAndExecuted) {
  for (const auto& [name, forms] : LoneOpSources::ofPart(GetParam())) {
    KindLine line;
    for (const LoneOp* one : forms) {
      ask(one->graph(), line);
      for (const LoneOp& changed : changedOps(*one)) ask(changed.graph(), line);
    }
    if (smallTests()) continue;
    loneOpPins.expect(name, std::to_string(line.asked) + " asked, " + std::to_string(line.read) + " read, " +
                                std::to_string(line.small) + " small, " + std::to_string(line.done) + " done, print " +
                                digits(line.print));
  }
}

INSTANTIATE_TEST_SUITE_P(Parts, PinnedLoneOps, testing::Range(size_t{0}, LoneOpSources::kParts));

}  // namespace
}  // namespace tessera::test
