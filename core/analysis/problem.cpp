#include "core/analysis/problem.h"

#include <algorithm>

namespace tessera {

namespace {

std::optional<TensorLayout> tryLayout(const Problem& problem, ValueId value, BufferType buffer) {
  const TensorType& type = problem.tensor(value);
  LayoutRequest request;
  request.dtype = deviceDType(type.dtype);
  request.buffer = buffer;
  request.grid = buffer == BufferType::L1 ? problem.device.grid : GridShape{};
  auto made = makeLayout(type.shape, request, problem.device);
  if (!made.ok()) return {};
  return *made;
}

// A tensor that cannot be stored (no elements): it takes one page of DRAM and nobody may move it.
TensorLayout emptyTensorLayout(const Problem& problem, ValueId value) {
  TensorLayout layout;
  layout.dtype = deviceDType(problem.tensor(value).dtype);
  layout.shardRows = 1;
  layout.shardCols = 1;
  return layout;
}

// Weights and biases of convolutions stay on the host, row-major, until the library has prepared them for the device
// (seed 003, PrepareConv2dWeightsAndBias); what the caller passes in for const-eval stays there too.
bool staysOnHost(const Problem& problem, ValueId id) {
  const Value& value = problem.graph.values[id];
  bool cached = value.producer.valid() && problem.graph.ops[value.producer].kind == OpKind::TtcoreLoadCached;
  bool constant = value.role == ArgRole::Parameter || value.role == ArgRole::Constant;
  if ((!cached && value.producer.valid()) || problem.uses[id].empty()) return false;
  for (const Use& use : problem.uses[id]) {
    const OpInfo& info = opInfo(problem.graph.ops[use.op].kind);
    bool weight = info.family == Family::Conv && use.operand > 0;
    bool constEval = info.kind == OpKind::TtcoreLoadCached && constant;
    if (!weight && !constEval) return false;
  }
  return true;
}

TensorLayout hostLayout(const Problem& problem, ValueId id) {
  const TensorType& type = problem.tensor(id);
  LayoutRequest request{deviceDType(type.dtype), BufferType::SystemMemory, TensorMemoryLayout::None, PageLayout::RowMajor, {}};
  auto made = makeLayout(type.shape, request, problem.device);
  return made.ok() ? *made : dramLayout(problem, id);
}

std::optional<TensorLayout> pinnedLayout(const Problem& problem, ValueId id) {
  const Value& value = problem.graph.values[id];
  const TensorType& type = *value.type.tensor;
  if (!tryLayout(problem, id, BufferType::DRAM)) return emptyTensorLayout(problem, id);
  bool isArgument = !value.producer.valid();
  if (!type.layout && staysOnHost(problem, id)) return hostLayout(problem, id);
  if (isArgument) return type.layout ? *type.layout : dramLayout(problem, id);
  bool chosenByProgram = opInfo(problem.graph.ops[value.producer].kind).has(kToLayout) && type.layout;
  bool onHost = type.layout && type.layout->buffer == BufferType::SystemMemory;
  if (chosenByProgram || onHost) return type.layout;
  return {};
}

}  // namespace

Bytes l1Budget(const DeviceSpec& device, const ProblemOptions& options) {
  return Bytes(device.usableL1().count * options.l1UsageCapPermille / 1000);
}

TensorLayout dramLayout(const Problem& problem, ValueId value) {
  return tryLayout(problem, value, BufferType::DRAM).value_or(emptyTensorLayout(problem, value));
}

TensorLayout l1InterleavedLayout(const Problem& problem, ValueId value) {
  return tryLayout(problem, value, BufferType::L1).value_or(dramLayout(problem, value));
}

Problem analyse(const Graph& graph, const DeviceSpec& device, const ProblemOptions& options) {
  Schedule schedule = programOrderSchedule(graph);
  Liveness live = computeLiveness(graph, schedule);
  Problem problem{graph, device, options, OpModel(device, l1Budget(device, options)), std::move(schedule), std::move(live), collectUses(graph), {}, {}};
  problem.pinned.resize(graph.values.size());
  problem.sharded.resize(graph.values.size());
  LegalLayoutCache layouts(device, {options.rowMajorEnabled});
  for (ValueId value : graph.values.ids()) {
    if (graph.values[value].func != graph.forward || !problem.isTensor(value)) continue;
    problem.pinned[value] = pinnedLayout(problem, value);
    if (problem.pinned[value]) continue;
    const auto& tiled = layouts.get(problem.tensor(value).shape, problem.tensor(value).dtype).sharded(PageLayout::Tile);
    size_t count = std::min(tiled.size(), static_cast<size_t>(options.maxLegalLayouts));
    problem.sharded[value].assign(tiled.begin(), tiled.begin() + static_cast<std::ptrdiff_t>(count));
  }
  return problem;
}

}  // namespace tessera
