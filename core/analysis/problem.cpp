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

// A tensor that cannot be stored (no elements): it takes one page of DRAM and may not be moved.
TensorLayout emptyTensorLayout(const Problem& problem, ValueId value) {
  TensorLayout layout;
  layout.dtype = deviceDType(problem.tensor(value).dtype);
  layout.shardRows = 1;
  layout.shardCols = 1;
  return layout;
}

StandardLayouts standardLayouts(const Problem& problem, ValueId value) {
  const TensorLayout dram = tryLayout(problem, value, BufferType::DRAM).value_or(emptyTensorLayout(problem, value));
  return {dram, tryLayout(problem, value, BufferType::L1).value_or(dram)};
}

// Weights and biases of convolutions stay on the host, row-major, until the library has prepared them for the device
// (docs/rules/lowering.md#prepared-convolution-weights); what the caller passes in for const-eval stays there too.
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
  LayoutRequest request{
      deviceDType(type.dtype), BufferType::SystemMemory, TensorMemoryLayout::None, PageLayout::RowMajor, {}};
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
  const OpInfo& producer = opInfo(problem.graph.ops[value.producer].kind);
  bool chosenByProgram = (producer.has(kToLayout) || producer.family == Family::Device) && type.layout;
  bool onHost = type.layout && type.layout->buffer == BufferType::SystemMemory;
  // Lowering says where rows are written (workarounds, row-major propagation); policies choose among tiles.
  bool rows = type.layout && type.layout->page == PageLayout::RowMajor && !problem.options.rowMajorEnabled;
  if (chosenByProgram || onHost || rows) return type.layout;
  return {};
}

}  // namespace

Bytes l1Budget(const DeviceSpec& device, const ProblemOptions& options) {
  return Bytes(device.usableL1().count * options.l1UsageCapPermille / 1000);
}

namespace {

// Where the operands are before anything is decided: pinned, or in DRAM.
std::vector<std::optional<TensorLayout>> startingLayouts(const Problem& problem, OpId op) {
  std::vector<std::optional<TensorLayout>> layouts;
  for (ValueId operand : problem.graph.ops[op].operands) {
    if (!problem.isTensor(operand)) layouts.push_back(std::nullopt);
    else layouts.push_back(problem.pinned[operand] ? *problem.pinned[operand] : dramLayout(problem, operand));
  }
  return layouts;
}

void findLegalConfigs(Problem& problem, Diagnostics& diags) {
  const ProblemOptions& options = problem.options;
  bool rows = options.rowMajorEnabled;
  for (const auto& named : options.layoutOverrides) rows = rows || named.settings.page == PageLayout::RowMajor;
  LegalLayoutCache cache(problem.device, {rows});
  LegalOpLayoutOptions limits{options.maxLegalLayouts, options.rowMajorEnabled, options.askOpModel};
  for (OpId op : problem.schedule.order) {
    const Op& o = problem.graph.ops[op];
    if (o.results.empty() || !problem.isTensor(o.results[0]) || problem.pinned[o.results[0]]) continue;
    const OutputLayoutOverride* fixed = findOverride(options.layoutOverrides, problem.graph, op);
    problem.legal[op] = legalOpLayouts(problem.graph, op, startingLayouts(problem, op), cache, problem.model,
                                       problem.budget, limits, fixed, diags);
    const Conv2dConfigOverride* conv = findOverride(options.conv2dOverrides, problem.graph, op);
    problem.configs[op] = legalOpConfigs(problem.graph, op, problem.legal[op].layouts, {}, conv);
  }
}

}  // namespace

Problem analyse(const Graph& graph, const OpModel& model, const ProblemOptions& options, L1Budget& budget,
                Diagnostics& diags) {
  Schedule schedule = programOrderSchedule(graph);
  Liveness live = computeLiveness(graph, schedule);
  Problem problem{graph,           model.device(),     options, model, budget, std::move(schedule),
                  std::move(live), collectUses(graph), {},      {},    {},     {}};
  problem.standard.resize(graph.values.size());
  problem.pinned.resize(graph.values.size());
  problem.legal.resize(graph.ops.size());
  problem.configs.resize(graph.ops.size());
  for (ValueId value : graph.values.ids()) {
    if (!problem.isTensor(value)) continue;
    problem.standard[value] = standardLayouts(problem, value);
    if (graph.values[value].func != graph.forward) continue;
    const std::optional<TensorLayout>& written = problem.tensor(value).layout;
    problem.pinned[value] = options.asItStands && written ? written : pinnedLayout(problem, value);
  }
  budget.takeRange();
  if (!options.asItStands) findLegalConfigs(problem, diags);
  problem.budgets = budget.takeRange();
  return problem;
}

}  // namespace tessera
