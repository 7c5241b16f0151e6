#include "core/policy/exact/layout_model.h"

#include <algorithm>

#include "core/ops/op_class.h"
#include "core/ops/op_memo.h"
#include "core/policy/legalize.h"
#include "core/policy/placement.h"

namespace tessera {

namespace {

// Combinations of layouts read that are put to the op model per config; beyond, operands are read in fewer layouts.
constexpr size_t kMaxCombinations = 4096;
// Entries of one op's table; beyond, its variable says how it reads its operands, with one table per operand.
constexpr size_t kMaxTable = 65'536;
constexpr size_t kMaxExplicitCombinations = 256;
constexpr int kFewestReads = 3;  // level of readOptions() that leaves one option per operand

void addUnique(std::vector<LayoutId>& list, LayoutId id) {
  if (id != kNoLayout && std::find(list.begin(), list.end(), id) == list.end()) list.push_back(id);
}

size_t product(const std::vector<std::vector<LayoutId>>& lists) {
  int64_t all = 1;
  for (const auto& list : lists) all = mulSaturated(all, static_cast<int64_t>(list.size()));
  return static_cast<size_t>(all);
}

}  // namespace

LayoutModel::LayoutModel(const Problem& problem, ExactMemory& memory, MoveTime& moves, std::span<const Plan* const> seeds)
    : problem_(problem), memory_(memory), pool_(memory.pool), moves_(moves), ops_(problem.graph.ops.size()), values_(problem.graph.values.size()), dram_(problem.graph.values.size(), kNoLayout) {
  for (const Plan* seed : seeds) seeds_.push_back(trackPlan(problem, *seed, pool_));
  readValues();
  for (OpId op : problem.schedule.order) addOp(op);
  price(nullptr);
}

// --- values ----------------------------------------------------------------------------------------------------------

void LayoutModel::readValues() {
  const Graph& graph = problem_.graph;
  for (OpId op : problem_.schedule.order) {
    for (ValueId operand : graph.ops[op].operands) {
      if (!problem_.isTensor(operand)) continue;
      ValueEntry& entry = values_[operand];
      ++entry.uses;
      if (opInfo(graph.ops[op].kind).has(kTerminator)) entry.returned = true;
      else if (entry.readers.empty() || entry.readers.back() != op) entry.readers.push_back(op);
    }
  }
  for (ValueId value : graph.values.ids()) {
    if (graph.values[value].func != graph.forward || !problem_.isTensor(value)) continue;
    const OpId producer = graph.values[value].producer;
    const bool decided = producer.valid() && !problem_.pinned[value] && graph.ops[producer].results[0] == value;
    if (decided) continue;
    values_[value].fixed = pool_.intern(problem_.pinned[value] ? *problem_.pinned[value] : dramLayout(problem_, value));
    if (!producer.valid()) addStages(value);
  }
}

LayoutModel::Place LayoutModel::madePlace(ValueId value) const {
  const ValueEntry& entry = values_[value];
  if (entry.fixed != kNoLayout) return {-1, {entry.fixed}};
  const OpEntry& maker = ops_[problem_.graph.values[value].producer];
  Place place{maker.variable, {}};
  for (int32_t config : maker.choiceConfig) place.layouts.push_back(maker.outputs[static_cast<size_t>(config)]);
  return place;
}

LayoutModel::Place LayoutModel::placeOf(ValueId value, OpId reader) const {
  const ValueEntry& entry = values_[value];
  if (entry.stages.empty()) return madePlace(value);
  const auto at = std::find(entry.readers.begin(), entry.readers.end(), reader) - entry.readers.begin();
  return {entry.stages[static_cast<size_t>(at)], entry.places};
}

// A value that is read several times may move before each reader.
void LayoutModel::addStages(ValueId value) {
  ValueEntry& entry = values_[value];
  if (entry.uses < 2 || entry.readers.empty()) return;
  const Place made = madePlace(value);
  for (LayoutId id : made.layouts) addUnique(entry.places, id);
  const bool onHost = pool_[made.layouts[0]].buffer == BufferType::SystemMemory;
  const bool rows = pool_[made.layouts[0]].page == PageLayout::RowMajor;
  if (!onHost && !rows) {
    addUnique(entry.places, pool_.intern(dramLayout(problem_, value)));
    addUnique(entry.places, pool_.intern(l1InterleavedLayout(problem_, value)));
  }
  for (const PlanTrack& seed : seeds_) {
    for (OpId reader : entry.readers) {
      const auto& operands = problem_.graph.ops[reader].operands;
      for (size_t i = 0; i < operands.size(); ++i) {
        if (operands[i] == value) addUnique(entry.places, seed.at[reader][i]);
      }
    }
  }
  if (entry.places.size() < 2) return;
  for (size_t stage = 0; stage < entry.readers.size(); ++stage) {
    const std::vector<Cost> zero(entry.places.size(), 0);
    entry.stages.push_back(graph_.addVariable(zero));
    const int before = stage == 0 ? made.variable : entry.stages[stage - 1];
    const size_t from = stage == 0 ? made.layouts.size() : entry.places.size();
    const std::vector<Cost> table(from * entry.places.size(), 0);  // price() fills it
    entry.moveFactors.push_back(before < 0 ? -1 : graph_.addFactor({before, entry.stages[stage]}, table));
  }
}

// --- ops -------------------------------------------------------------------------------------------------------------

void LayoutModel::findOperands(OpId op, OpEntry& entry) {
  const auto& operands = problem_.graph.ops[op].operands;
  for (size_t i = 0; i < operands.size(); ++i) {
    if (!problem_.isTensor(operands[i])) continue;
    const ValueEntry& value = values_[operands[i]];
    Operand operand{.index = i, .value = operands[i], .place = placeOf(operands[i], op)};
    operand.staged = !value.stages.empty();
    operand.livesOn = value.returned || (!value.readers.empty() && value.readers.back() != op);
    operand.from = problem_.live[operands[i]].def;
    entry.operands.push_back(std::move(operand));
  }
}

std::vector<OpConfig> LayoutModel::configsOf(OpId op, const OpEntry& entry) const {
  std::vector<LayoutId> around;
  for (const Operand& operand : entry.operands) {
    for (LayoutId id : operand.place.layouts) addUnique(around, id);
  }
  std::vector<OpConfig> configs = candidateConfigs(problem_, op, around, pool_);
  const Op& o = problem_.graph.ops[op];
  const bool decided = !o.results.empty() && problem_.isTensor(o.results[0]) && !isPinned(problem_, op);
  if (!decided) return configs;
  for (const PlanTrack& seed : seeds_) addConfig(configs, seed.config[op]);
  return configs;
}

// The layouts in which each operand may be read, fewer with every level.
std::vector<std::vector<LayoutId>> LayoutModel::readOptions(OpId op, const OpEntry& entry, const OpConfig& config, int level) const {
  const Op& o = problem_.graph.ops[op];
  std::vector<std::vector<LayoutId>> all;
  all.reserve(entry.operands.size());
  for (const Operand& operand : entry.operands) {
    std::vector<LayoutId> options;
    options.reserve(operand.place.layouts.size() + 4);
    const bool open = operand.place.variable >= 0;
    const TensorLayout& first = pool_[operand.place.layouts[0]];
    const bool onHost = first.buffer == BufferType::SystemMemory;
    const bool sameShape = !o.results.empty() && problem_.isTensor(o.results[0]) && problem_.tensor(o.results[0]).shape == problem_.tensor(operand.value).shape;
    if (!open || level == 0) {
      for (LayoutId id : operand.place.layouts) addUnique(options, id);
    }
    if (open) addUnique(options, dramOf(operand.value));
    if (open && level < kFewestReads) addUnique(options, pool_.intern(l1InterleavedLayout(problem_, operand.value)));
    if ((open || sameShape) && !onHost && level < 2) {
      if (auto aligned = alignedWith(problem_, operand.value, first, config.output)) addUnique(options, pool_.intern(*aligned));
    }
    for (const PlanTrack& seed : seeds_) {
      if (seed.config[op] == config) addUnique(options, seed.reads[op][operand.index]);
    }
    all.push_back(std::move(options));
  }
  return all;
}

// An operand in one place only that the op refuses there gets the layout that cures it as one more option. False when there is none.
bool LayoutModel::cure(const Question& question, const OpVerdict& verdict, const std::vector<std::optional<TensorLayout>>& inputs, Ways& ways) {
  for (size_t i = 0; i < question.entry.operands.size(); ++i) {
    const Operand& operand = question.entry.operands[i];
    if (static_cast<int>(operand.index) != verdict.operand || operand.place.variable >= 0 || ways.reads[i].size() > 3) continue;
    auto cured = cureOperand(problem_, verdict.reason, question.config.output, operand.value, *inputs[operand.index]);
    const size_t before = ways.reads[i].size();
    if (cured) addUnique(ways.reads[i], pool_.intern(*cured));
    return ways.reads[i].size() > before;
  }
  return false;
}

// Puts every combination of the options to the op model; when an operand was cured, all is asked again.
TriedWays LayoutModel::askWays(const Question& question, std::vector<std::vector<LayoutId>> reads) {
  const auto& [op, entry, config, mayDiffer] = question;
  const bool converts = problem_.graph.ops[op].kind == OpKind::TtnnToLayout || problem_.graph.ops[op].kind == OpKind::TtnnToTensorSpec;
  const int64_t budget = problem_.model.l1Budget().count;
  std::vector<std::optional<TensorLayout>> inputs(problem_.graph.ops[op].operands.size());
  TriedWays tried;
  Ways ways{.reads = std::move(reads)};
  bool again = true;
  for (size_t round = 0; again && round <= entry.operands.size(); ++round) {
    again = tried.any = false;
    const size_t count = product(ways.reads);
    ways.time.assign(count, kForbidden);
    ways.l1.assign(count, 0);
    std::vector<size_t> at(entry.operands.size(), 0);
    for (size_t way = 0; way < count && !again; ++way) {
      Bytes taken;
      for (size_t i = 0; i < at.size(); ++i) {
        inputs[entry.operands[i].index] = pool_[ways.reads[i][at[i]]];
        bool counted = false;  // read in the same layout by an earlier operand
        for (size_t j = 0; j < i; ++j) counted = counted || (entry.operands[j].value == entry.operands[i].value && ways.reads[j][at[j]] == ways.reads[i][at[i]]);
        if (!counted) taken += l1BytesPerCore(*inputs[entry.operands[i].index]);
      }
      OpQuery query{problem_.graph, op, inputs, config, taken};
      const OpFigures figures = problem_.model.figuresOf(query);
      if (figures.aliases) query.additionalL1 -= l1BytesPerCore(config.output);
      const int64_t needed = query.additionalL1.count + figures.constraints.peakL1MemorySize.count;
      OpVerdict verdict{figures.status, figures.reason, figures.operand, figures.output, figures.constraints, Bytes(needed), Bytes(budget)};
      if (verdict.ok() && !tried.range.admit(needed, budget)) verdict.status = OpStatus::OutOfMemory;
      const bool alone = !verdict.ok() && fillsL1Alone(verdict, query, config);
      const bool elsewhere = verdict.ok() && mayDiffer && !(verdict.output == config.output);
      if (elsewhere) addConfig(tried.produced, {verdict.output, config.attrs});
      if (alone || (verdict.ok() && !elsewhere)) {
        tried.any = true;
        ways.aliases = ways.aliases || figures.aliases;
        ways.time[way] = std::min(converts ? moves_.ofOp(query) : figures.time.count, kMaxTotalCost >> 16);
        ways.l1[way] = alone ? budget : needed;
        if (alone) tried.range = {std::max(tried.range.from, budget), std::min(tried.range.below, budget + 1)};
      } else if (verdict.operand >= 0) {
        again = cure(question, verdict, inputs, ways);
      }
      for (size_t i = at.size(); i-- > 0;) {
        if (++at[i] < ways.reads[i].size()) break;
        at[i] = 0;
      }
    }
  }
  tried.ways = std::make_shared<const Ways>(std::move(ways));
  return tried;
}

const TriedWays& LayoutModel::tryWays(OpId op, const OpEntry& entry, const OpConfig& config, std::vector<std::vector<LayoutId>> reads) {
  const Op& o = problem_.graph.ops[op];
  const bool mayDiffer = !isPinned(problem_, op) && !findOverride(problem_.options.layoutOverrides, problem_.graph, op) && !o.results.empty();
  std::vector<uint32_t> key{entry.kind, mayDiffer, static_cast<uint32_t>(pool_.intern(config.output))};
  appendAttrs(key, config);
  for (size_t i = 0; i < reads.size(); ++i) {
    key.push_back(static_cast<uint32_t>(entry.operands[i].place.variable >= 0));
    key.push_back(static_cast<uint32_t>(reads[i].size()));
    key.insert(key.end(), reads[i].begin(), reads[i].end());
  }
  KeptWays& kept = numbered(memory_.ways, memory_.wayKeys.numberOf(key));
  const int64_t budget = problem_.model.l1Budget().count;
  for (const TriedWays& known : kept.answers) {
    if (known.range.holds(budget)) return known;
  }
  BudgetRange moves;
  moves_.watch(&moves);
  TriedWays tried = askWays({op, entry, config, mayDiffer}, std::move(reads));
  moves_.watch(nullptr);
  tried.range.cut(moves);
  memory_.cells += static_cast<int64_t>(2 * tried.ways->time.size());
  return kept.add(std::move(tried));
}

// Nothing is legal: DRAM, as it is. The run will say what fails.
void LayoutModel::addFallback(OpId op, OpEntry& entry) {
  entry.refused = true;
  OpConfig config = keepSharedInput(problem_, op, defaultConfig(problem_, op));
  Ways ways;
  std::vector<std::optional<TensorLayout>> inputs(problem_.graph.ops[op].operands.size());
  for (const Operand& operand : entry.operands) {
    const bool open = operand.place.variable >= 0;
    ways.reads.push_back({open ? pool_.intern(dramLayout(problem_, operand.value)) : operand.place.layouts[0]});
    inputs[operand.index] = pool_[ways.reads.back()[0]];
  }
  const OpQuery query{problem_.graph, op, inputs, config, Bytes(0)};
  ways.time = {std::min(moves_.ofOp(query), kMaxTotalCost >> 16)};
  ways.l1 = {0};
  entry.configs.push_back(config);
  entry.outputs.push_back(pool_.intern(config.output));
  entry.ways.push_back(std::make_shared<const Ways>(std::move(ways)));
}

void LayoutModel::findWays(OpId op, OpEntry& entry, const std::vector<OpConfig>& given) {
  int64_t places = 1;
  for (const Operand& operand : entry.operands) places = mulSaturated(places, static_cast<int64_t>(operand.place.layouts.size()));
  std::vector<LayoutId> results;
  for (const OpConfig& config : given) addUnique(results, pool_.intern(config.output));
  entry.isExplicit = mulSaturated(places, static_cast<int64_t>(results.size())) > static_cast<int64_t>(kMaxTable);
  const size_t limit = entry.isExplicit ? kMaxExplicitCombinations : kMaxCombinations;
  std::vector<OpConfig> configs = given;
  for (size_t c = 0; c < configs.size(); ++c) {
    std::vector<std::vector<LayoutId>> reads;
    for (int level = entry.isExplicit ? 1 : 0; level <= kFewestReads; ++level) {
      reads = readOptions(op, entry, configs[c], level);
      if (product(reads) <= limit) break;
    }
    if (product(reads) > kMaxCombinations) continue;
    const TriedWays& tried = tryWays(op, entry, configs[c], std::move(reads));
    if (tried.any) {
      entry.configs.push_back(configs[c]);
      entry.outputs.push_back(pool_.intern(configs[c].output));
      entry.ways.push_back(tried.ways);
    }
    if (configs.size() > 2 * kMaxResultLayouts) continue;
    for (const OpConfig& more : tried.produced) addConfig(configs, more);
  }
  if (entry.configs.empty()) addFallback(op, entry);
  if (!entry.isExplicit) dropDominated(entry);
  for (const auto& ways : entry.ways) {
    for (int64_t time : ways->time) wayCount_ += !isForbidden(time);
  }
}

// Two settings of an op with the same result layout, of which one is never faster and never smaller: it goes.
void LayoutModel::dropDominated(OpEntry& entry) {
  auto atLeast = [&](size_t a, size_t b) {
    const Ways &one = *entry.ways[a], &other = *entry.ways[b];
    if (entry.outputs[a] != entry.outputs[b] || one.reads != other.reads) return false;
    for (size_t way = 0; way < one.time.size(); ++way) {
      if (one.time[way] < other.time[way] || (!isForbidden(one.time[way]) && one.l1[way] < other.l1[way])) return false;
    }
    return true;
  };
  for (size_t a = entry.configs.size(); a-- > 0;) {
    bool beaten = false;
    for (size_t b = 0; b < entry.configs.size() && !beaten; ++b) beaten = b != a && atLeast(a, b) && (b < a || !atLeast(b, a));
    if (!beaten) continue;
    const auto at = static_cast<std::ptrdiff_t>(a);
    entry.configs.erase(entry.configs.begin() + at);
    entry.outputs.erase(entry.outputs.begin() + at);
    entry.ways.erase(entry.ways.begin() + at);
  }
}

void LayoutModel::makeVariable(OpEntry& entry) {
  for (size_t c = 0; c < entry.configs.size(); ++c) {
    if (!entry.isExplicit) {
      const bool first = std::find(entry.outputs.begin(), entry.outputs.begin() + static_cast<std::ptrdiff_t>(c), entry.outputs[c]) == entry.outputs.begin() + static_cast<std::ptrdiff_t>(c);
      if (first) entry.choiceConfig.push_back(static_cast<int32_t>(c));
      continue;
    }
    for (size_t way = 0; way < entry.ways[c]->time.size(); ++way) {
      if (isForbidden(entry.ways[c]->time[way])) continue;
      entry.choiceConfig.push_back(static_cast<int32_t>(c));
      entry.choiceWay.push_back(way);
    }
  }
  const size_t choices = entry.choiceConfig.size();
  const std::vector<Cost> zero(choices, 0);
  entry.variable = graph_.addVariable(zero);
  size_t cells = choices;
  for (const Operand& operand : entry.operands) {
    const int variable = operand.place.variable;
    if (entry.isExplicit) {
      const std::vector<Cost> table(operand.place.layouts.size() * choices, 0);
      entry.pairFactors.push_back(variable < 0 ? -1 : graph_.addFactor({variable, entry.variable}, table));
    } else if (variable >= 0 && std::find(entry.scope.begin(), entry.scope.end(), variable) == entry.scope.end()) {
      entry.scope.push_back(variable);
      cells *= operand.place.layouts.size();
    }
  }
  if (entry.scope.empty()) return;
  entry.scope.push_back(entry.variable);
  const std::vector<Cost> table(cells, 0);
  entry.factor = graph_.addFactor(entry.scope, table);
}

void LayoutModel::addOp(OpId op) {
  const Op& o = problem_.graph.ops[op];
  if (opInfo(o.kind).has(kTerminator)) return;
  OpEntry& entry = ops_[op];
  entry.kind = static_cast<uint32_t>(memory_.classes.numberOf(opClassKey(problem_.graph, op)));
  findOperands(op, entry);
  findWays(op, entry, configsOf(op, entry));
  makeVariable(entry);
  // A view may lie in a buffer that lives on under another name; it is not counted twice, and so not at all.
  bool shares = false;
  for (const auto& ways : entry.ways) shares = shares || (ways->aliases && entry.operands[0].livesOn);
  for (ValueId result : o.results) {
    if (!problem_.isTensor(result)) continue;
    values_[result].sharesBuffer = shares;
    addStages(result);
  }
}

}  // namespace tessera
