#include "core/policy/kit/op_in_l1.h"

#include "core/ops/model/op_memory.h"
#include "core/ops/rules/layout_copy.h"

namespace tessera {

namespace {

bool isCopied(const Layouts& now, const Layouts& inputs, size_t operand) {
  return inputs[operand] && !(*inputs[operand] == *now[operand]);
}

// The operand is read for the last time when its copy is made, before the op itself runs.
bool diesAtCopy(const Problem& problem, OpId op, const Layouts& now, const Layouts& inputs, size_t operand) {
  const auto& operands = problem.graph.ops[op].operands;
  if (!diesAt(problem, operands[operand], op)) return false;
  for (size_t i = 0; i < operands.size(); ++i) {
    if (operands[i] == operands[operand] && (i > operand || !isCopied(now, inputs, i))) return false;
  }
  return true;
}

// The results' part of the moves; `copyOf` says which move made the copy of an operand, -1 for none.
void addResults(const Problem& problem, OpId op, const OpMemory& does, const std::vector<int32_t>& copyOf,
                const OpConfig& config, const Layouts& layouts, std::vector<L1Move>& moves) {
  const Op& o = problem.graph.ops[op];
  for (size_t i = 0; i < o.results.size(); ++i) {
    if (!layouts[i] || !layouts[i]->isL1()) continue;
    const bool shares = i == 0 && does.aliasOf >= 0 && *layouts[i] == config.output;
    const int32_t copy = shares ? copyOf[static_cast<size_t>(does.aliasOf)] : -1;
    if (copy < 0) moves.push_back({.allocate = shares ? Bytes(0) : l1BytesPerCore(*layouts[i])});
    L1Move& move = copy < 0 ? moves.back() : moves[static_cast<size_t>(copy)];
    if (shares && copy < 0) move.aliasOf = o.operands[static_cast<size_t>(does.aliasOf)].index;
    move.tensor = o.results[i].index;
    move.evictionBuffers = evictionBuffers(problem, o.results[i], *layouts[i]);
  }
}

}  // namespace

Bytes copiesL1(const Layouts& now, const Layouts& inputs) {
  Bytes bytes;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (isCopied(now, inputs, i)) bytes += l1BytesPerCore(*inputs[i]);
  }
  return bytes;
}

OpVerdict validateInL1(const Problem& problem, OpId op, const Layouts& now, const Layouts& inputs,
                       const OpConfig& config, Bytes live) {
  OpQuery query{problem.graph, op, inputs, config, live + copiesL1(now, inputs)};
  if (opMemory(query, problem.model).aliasOf >= 0) query.additionalL1 -= l1BytesPerCore(config.output);
  return problem.model.validateOperation(query, problem.budget);
}

bool fillsL1Alone(OpStatus status, Bytes needed, Bytes peak, Bytes output, const OpConfig& config) {
  return status == OpStatus::OutOfMemory && needed <= peak && !config.output.isL1() && output.count == 0;
}

bool fillsL1Alone(const OpVerdict& verdict, const OpConfig& config) {
  return fillsL1Alone(verdict.status, verdict.needed, verdict.constraints.peakL1MemorySize,
                      verdict.constraints.outputL1BufferSize, config);
}

std::vector<L1Move> movesOf(const Problem& problem, OpId op, const Layouts& now, const Layouts& inputs,
                            const OpConfig& config, const Layouts& results) {
  std::vector<L1Move> moves;
  const Op& o = problem.graph.ops[op];
  std::vector<int32_t> copyOf(inputs.size(), -1);
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!isCopied(now, inputs, i)) continue;
    copyOf[i] = static_cast<int32_t>(moves.size());
    moves.push_back({.allocate = l1BytesPerCore(*inputs[i]),
                     .circularBuffers = layoutCopyBuffers(*now[i], *inputs[i], problem.tensor(o.operands[i]).shape)});
    if (diesAtCopy(problem, op, now, inputs, i)) moves.back().freedAfter = o.operands[i].index;
  }
  if (opInfo(o.kind).has(kTerminator)) return moves;
  const OpMemory does = opMemory({problem.graph, op, inputs, config, Bytes(0)}, problem.model);
  for (const OpIntermediate& intermediate : does.intermediates) {
    if (intermediate.buffer == BufferType::L1) moves.push_back({.allocate = intermediate.bytes});
  }
  if (does.freedOperand >= 0) {
    const auto i = static_cast<size_t>(does.freedOperand);
    const bool original = copyOf[i] < 0 && diesAt(problem, o.operands[i], op);
    moves.push_back({.allocate = Bytes(0), .freedAfter = original ? o.operands[i].index : -1, .freedMove = copyOf[i]});
  }
  addResults(problem, op, does, copyOf, config, results, moves);
  return moves;
}

Bytes evictionBuffers(const Problem& problem, ValueId value, const TensorLayout& layout) {
  const bool isArgument = !problem.graph.values[value].producer.valid();
  if (isArgument || !layout.isL1()) return Bytes(0);
  return layoutCopyBuffers(layout, dramLayout(problem, value), problem.tensor(value).shape);
}

}  // namespace tessera
