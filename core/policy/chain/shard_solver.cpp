#include "core/policy/chain/shard_solver.h"

#include <algorithm>

namespace tessera {

namespace {

std::string opText(const Graph& graph, OpId op) {
  const Op& o = graph.ops[op];
  return o.results.empty() ? o.name : "%" + graph.values[o.results[0]].name + " " + o.name;
}

}  // namespace

ShardSolver::ShardSolver(const Problem& problem, ChainConfigs& configs, std::vector<OpId> ops,
                         ShardSolverOptions options, int32_t chain, std::vector<ChainEvent>* events)
    : problem_(problem),
      configs_(configs),
      ops_(std::move(ops)),
      options_(std::move(options)),
      chain_(chain),
      events_(events) {
  for (OpId op : ops_) {
    edges_.push_back({{producerOf(op), op, 0}, false, {}});
    inputs_.push_back(configs_.startingLayouts(op));
  }
  chosen_.assign(ops_.size(), -1);
}

OpId ShardSolver::producerOf(OpId op) const {
  const auto& operands = problem_.graph.ops[op].operands;
  return operands.empty() ? OpId{} : problem_.graph.values[operands[0]].producer;
}

bool ShardSolver::resolve() {
  for (OpId op : ops_) {
    const std::vector<OpConfig>& configs = configs_.of(op);
    if (configs.size() > PathSets::kMaxConfigs) {
      failure_ = opText(problem_.graph, op) + " has " + std::to_string(configs.size()) +
                 " configs, the solver's bitsets hold " + std::to_string(PathSets::kMaxConfigs) +
                 "; lower --max-legal-layouts";
      return false;
    }
    std::vector<int64_t> cores;
    for (const OpConfig& config : configs) cores.push_back(config.output.grid.volume());
    paths_.addNode(std::move(cores));
  }
  if (!preprocessFirstOp()) return false;
  for (size_t consumer = 1; consumer < ops_.size(); ++consumer) {
    if (!resolveStep(consumer)) return false;
  }
  std::vector<PathSets::Update> updates;
  bool consistent = true;
  for (size_t i = 0; i < ops_.size() && consistent; ++i) consistent = paths_.propagate(static_cast<int>(i), &updates);
  recordUpdates(updates);
  if (!consistent) return fail(edges_.back(), "constraints leave no config");
  return true;
}

std::optional<Bytes> ShardSolver::needed(size_t op, const TensorLayout& input, const OpConfig& config,
                                         Bytes additional) {
  std::vector<std::optional<TensorLayout>>& inputs = inputs_[op];
  std::optional<TensorLayout> start = inputs[0];
  inputs[0] = input;
  OpVerdict verdict =
      problem_.model.validateOperation({problem_.graph, ops_[op], inputs, config, additional}, problem_.budget);
  inputs[0] = start;
  // The op must write what was asked (docs/rules/d2m-chains.md#solving): a solver that assumes another layout than the
  // library's is wrong.
  bool asAsked = verdict.output == config.output;
  if (verdict.ok() && asAsked) return verdict.constraints.peakL1MemorySize + additional;
  if (!verdict.ok()) lastRefusal_ = verdict;
  return {};
}

const OverrideReshardEdge* ShardSolver::overrideOn(const SolverEdge& edge) const {
  for (const OverrideReshardEdge& wanted : options_.overrideReshardEdges) {
    if (wanted.consumer == edge.edge.consumer && wanted.operand == edge.edge.operand) return &wanted;
  }
  return nullptr;
}

// --- the edge into the chain -----------------------------------------------------------------------------------------

bool ShardSolver::preprocessFirstOp() {
  SolverEdge& edge = edges_[0];
  const std::vector<OpConfig>& configs = configs_.of(ops_[0]);
  if (inputs_[0].empty() || !inputs_[0][0]) return fail(edge, "it has no tensor as operand 0");
  PathSets::Bitset valid;
  if (options_.dispatch.valid() && solveForOptimalFirstOpInput()) return true;
  if (!overrideOn(edge)) {
    // supportsInterleavedInputShardedOutput: the input as it arrives, which is interleaved in DRAM unless the caller
    // put it elsewhere.
    for (size_t i = 0; i < configs.size(); ++i) {
      if (needed(0, *inputs_[0][0], configs[i], configs_.argumentL1())) valid.set(i);
    }
    record(ChainEventKind::FirstOp, edge, static_cast<int64_t>(configs.size()), static_cast<int64_t>(valid.count()));
    if (valid.any()) {
      paths_.keepOnly(0, valid);
      return true;
    }
  }
  if (!insertReshard(edge, 0)) return fail(edge, "no config takes the chain's input, resharded or not");
  for (size_t i = 0; i < configs.size(); ++i) {
    if (!edge.reshardMap[i].empty()) valid.set(i);
  }
  paths_.keepOnly(0, valid);
  return true;
}

// Which layout should the kernel before the chain write? Every sharded layout of its result against every config of the
// first op; the first pair that works is taken, as published (there is no score yet).
bool ShardSolver::solveForOptimalFirstOpInput() {
  const Op& first = problem_.graph.ops[ops_[0]];
  size_t operand = 0;
  while (operand < first.operands.size() &&
         problem_.graph.values[first.operands[operand]].producer != options_.dispatch)
    ++operand;
  if (operand == first.operands.size()) return false;
  const std::vector<TensorLayout>& candidates = configs_.sharded(first.operands[operand]);
  const std::vector<OpConfig>& configs = configs_.of(ops_[0]);
  std::vector<std::optional<TensorLayout>> inputs = inputs_[0];
  int64_t combinations = 0;
  size_t best = 0;
  for (const TensorLayout& candidate : candidates) {
    inputs[operand] = candidate;
    Bytes additional = configs_.argumentL1() + l1BytesPerCore(candidate);
    for (size_t i = 0; i < configs.size(); ++i) {
      OpVerdict verdict =
          problem_.model.validateOperation({problem_.graph, ops_[0], inputs, configs[i], additional}, problem_.budget);
      if (!verdict.ok() || !(verdict.output == configs[i].output)) continue;
      if (combinations++ == 0) firstOpInput_ = candidate, best = i;
    }
  }
  SolverEdge edge{{options_.dispatch, ops_[0], static_cast<int32_t>(operand)}, false, {}};
  record(ChainEventKind::FirstOpInput, edge, static_cast<int64_t>(candidates.size()),
         static_cast<int64_t>(firstOpInput_ ? 1 : 0), combinations);
  if (events_ && firstOpInput_) events_->back().layout = *firstOpInput_;
  if (!firstOpInput_) return false;
  inputs_[0][operand] = *firstOpInput_;
  PathSets::Bitset one;
  one.set(best);
  paths_.keepOnly(0, one);
  return true;
}

// --- edges inside the chain ------------------------------------------------------------------------------------------

bool ShardSolver::resolveStep(size_t consumer) {
  SolverEdge& edge = edges_[consumer];
  auto node = static_cast<int>(consumer);
  if (!overrideOn(edge)) {
    std::vector<ConfigPath> paths = pathsBetween(consumer);
    auto count = static_cast<int64_t>(paths.size());
    bool added = paths_.addEdge(node - 1, node, std::move(paths));
    record(ChainEventKind::Paths, edge, static_cast<int64_t>(paths_.valid(node - 1).count()),
           static_cast<int64_t>(added ? paths_.valid(node).count() : 0), count);
    if (added) return true;
  }
  if (!options_.memReconfigEnabled)
    return fail(edge, "no pair of configs works, and reshards inside chains are switched off");
  if (!insertReshard(edge, consumer)) return fail(edge, "no pair of configs works, resharded or not");
  if (!paths_.addEdge(node - 1, node, pathsFromReshardMap(edge, consumer)))
    return fail(edge, "a reshard does not fit L1");
  return true;
}

std::vector<ConfigPath> ShardSolver::pathsBetween(size_t consumer) {
  const std::vector<OpConfig>& producers = configs_.of(ops_[consumer - 1]);
  const std::vector<OpConfig>& consumers = configs_.of(ops_[consumer]);
  const PathSets::Bitset& valid = paths_.valid(static_cast<int>(consumer) - 1);
  std::vector<ConfigPath> paths;
  for (size_t p = 0; p < producers.size(); ++p) {
    if (!valid.test(p)) continue;
    // Configs that write the same layout are the same to the consumer: ask once.
    size_t alike = 0;
    while (!(producers[alike].output == producers[p].output) || !valid.test(alike)) ++alike;
    auto producer = static_cast<int32_t>(p);
    if (alike < p) {
      const size_t known = paths.size();
      for (size_t i = 0; i < known; ++i) {
        if (paths[i].producer == static_cast<int32_t>(alike)) paths.push_back({producer, paths[i].consumer});
      }
      continue;
    }
    Bytes additional = configs_.argumentL1() + l1BytesPerCore(producers[p].output);
    for (size_t c = 0; c < consumers.size(); ++c) {
      if (needed(consumer, producers[p].output, consumers[c], additional))
        paths.push_back({producer, static_cast<int32_t>(c)});
    }
  }
  return paths;
}

bool ShardSolver::insertReshard(SolverEdge& edge, size_t consumer) {
  const std::vector<OpConfig>& configs = configs_.of(ops_[consumer]);
  const OverrideReshardEdge* wanted = overrideOn(edge);
  edge.resharded = true;
  edge.reshardMap.assign(configs.size(), {});
  int64_t found = 0, choices = 0;
  for (const TensorLayout& layout : configs_.sharded(problem_.graph.ops[ops_[consumer]].operands[0])) {
    if (wanted && wanted->layout && !wanted->layout->accepts(layout)) continue;
    Bytes additional = configs_.argumentL1() + l1BytesPerCore(layout);
    for (size_t c = 0; c < configs.size(); ++c) {
      std::optional<Bytes> bytes = needed(consumer, layout, configs[c], additional);
      if (!bytes) continue;
      found += edge.reshardMap[c].empty();
      ++choices;
      edge.reshardMap[c].push_back({layout, *bytes});
    }
  }
  record(ChainEventKind::ReshardInserted, edge, static_cast<int64_t>(configs.size()), found, choices);
  return found > 0;
}

// A reshard makes every config of the producer go with every config in the map, as long as the tensor and its copy fit
// together.
std::vector<ConfigPath> ShardSolver::pathsFromReshardMap(const SolverEdge& edge, size_t consumer) const {
  const std::vector<OpConfig>& producers = configs_.of(ops_[consumer - 1]);
  std::vector<ConfigPath> paths;
  for (size_t p = 0; p < producers.size(); ++p) {
    Bytes own = l1BytesPerCore(producers[p].output);
    for (size_t c = 0; c < edge.reshardMap.size(); ++c) {
      bool fits = std::any_of(edge.reshardMap[c].begin(), edge.reshardMap[c].end(),
                              [&](const ReshardChoice& choice) { return problem_.budget.fits(choice.needed + own); });
      if (fits) paths.push_back({static_cast<int32_t>(p), static_cast<int32_t>(c)});
    }
  }
  return paths;
}

bool ShardSolver::set(size_t op, size_t config) {
  std::vector<PathSets::Update> updates;
  bool consistent = paths_.set(static_cast<int>(op), static_cast<int>(config), &updates);
  recordUpdates(updates);
  if (consistent) chosen_[op] = static_cast<int32_t>(config);
  return consistent;
}

// --- the answer ------------------------------------------------------------------------------------------------------

// ttnn-optimizer.md 3.5.1: the cores the result lies on, then most cores. All choices are in tiles, so that tiles stay
// tiles.
ShardSolver::ReshardChoice ShardSolver::bestReshard(const SolverEdge& edge, size_t consumer, const OpConfig& config,
                                                    Bytes producerL1) const {
  const std::vector<ReshardChoice>& choices = edge.reshardMap[static_cast<size_t>(chosen_[consumer])];
  const ReshardChoice* best = nullptr;
  bool onCores = false;
  for (const ReshardChoice& choice : choices) {
    if (!problem_.budget.fits(choice.needed + producerL1)) continue;
    bool sameCores = choice.layout.memory == config.output.memory && choice.layout.grid == config.output.grid;
    if (best != nullptr && (onCores || !sameCores)) continue;
    best = &choice;
    onCores = sameCores;
  }
  TESSERA_CHECK(best != nullptr, "a chosen config has a reshard that fits");
  return *best;
}

ShardSolverSolution ShardSolver::finish() const {
  ShardSolverSolution solution;
  for (size_t i = 0; i < ops_.size(); ++i) {
    TESSERA_CHECK(chosen_[i] >= 0, "every op of the chain has a config");
    const OpConfig& config = configs_.of(ops_[i])[static_cast<size_t>(chosen_[i])];
    solution.configs.push_back(config);
    if (!edges_[i].resharded) continue;
    Bytes producerL1 = i > 0 ? l1BytesPerCore(solution.configs[i - 1].output) : Bytes(0);
    TensorLayout layout = bestReshard(edges_[i], i, config, producerL1).layout;
    // The producer may have ended up with just that layout.
    bool already = i > 0 && solution.configs[i - 1].output == layout;
    if (!already) solution.memReconfig.push_back({edges_[i].edge, layout});
  }
  return solution;
}

bool ShardSolver::fail(const SolverEdge& edge, std::string_view what) {
  failure_ = "at operand " + std::to_string(edge.edge.operand) + " of " + opText(problem_.graph, edge.edge.consumer) +
             ": " + std::string(what);
  if (lastRefusal_) failure_ += " (" + verdictText(*lastRefusal_) + ")";
  record(ChainEventKind::EdgeFailed, edge, 0, 0);
  if (events_) events_->back().verdict = lastRefusal_;
  return false;
}

void ShardSolver::record(ChainEventKind kind, const SolverEdge& edge, int64_t before, int64_t after, int64_t paths) {
  if (!events_) return;
  ChainEvent event;
  event.kind = kind;
  event.chain = chain_;
  event.op = edge.edge.consumer;
  event.producer = edge.edge.producer;
  event.operand = edge.edge.operand;
  event.before = before;
  event.after = after;
  event.paths = paths;
  events_->push_back(std::move(event));
}

void ShardSolver::recordUpdates(const std::vector<PathSets::Update>& updates) {
  if (!events_) return;
  for (const PathSets::Update& u : updates) {
    const SolverEdge& edge = edges_[static_cast<size_t>(u.consumer)];
    record(ChainEventKind::Propagated, edge, static_cast<int64_t>(u.producerBefore),
           static_cast<int64_t>(u.consumerBefore), static_cast<int64_t>(u.paths));
    events_->back().producerAfter = static_cast<int64_t>(u.producerAfter);
    events_->back().consumerAfter = static_cast<int64_t>(u.consumerAfter);
  }
}

}  // namespace tessera
