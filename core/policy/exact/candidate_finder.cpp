#include "core/policy/exact/candidate_finder.h"

#include <algorithm>
#include <utility>

#include "core/ops/model/op_answers.h"
#include "core/ops/rules/family_rules.h"
#include "core/policy/exact/candidates.h"
#include "core/policy/kit/op_choice.h"
#include "core/policy/kit/operand_repair.h"
#include "core/solve/combinations.h"

namespace tessera {

namespace {

// Combinations of layouts read that are put to the op model per config; beyond, operands are read in fewer layouts.
constexpr size_t kMaxCombinations = 4096;
// Entries of one op's table; beyond, the op is explicit: its variable selects the candidate, with one table per
// operand.
constexpr size_t kMaxTable = 65'536;
constexpr size_t kMaxExplicitCombinations = 256;  // for one variable has a value for each
constexpr int kFewestReads = 3;                   // level of readOptions() that leaves one option per operand

// True when config `b` is never faster and never smaller than `a` with the same result and the same layouts read.
bool dominates(const OpChoices& op, size_t a, size_t b) {
  const CandidateTable &better = *op.candidates[a], &worse = *op.candidates[b];
  if (op.outputs[a] != op.outputs[b] || better.reads != worse.reads) return false;
  for (size_t i = 0; i < worse.time.size(); ++i) {
    if (worse.time[i] < better.time[i] || (!isForbidden(worse.time[i]) && worse.l1[i] < better.l1[i])) return false;
  }
  return true;
}

// Of configs that dominate each other the first stays.
void dropDominatedConfigs(OpChoices& op) {
  for (size_t a = op.configs.size(); a-- > 0;) {
    bool dominated = false;
    for (size_t b = 0; b < op.configs.size() && !dominated; ++b)
      dominated = b != a && dominates(op, b, a) && (b < a || !dominates(op, a, b));
    if (!dominated) continue;
    const auto at = static_cast<std::ptrdiff_t>(a);
    op.configs.erase(op.configs.begin() + at);
    op.outputs.erase(op.outputs.begin() + at);
    op.candidates.erase(op.candidates.begin() + at);
  }
}

}  // namespace

void addUnique(std::vector<LayoutId>& list, LayoutId id) {
  if (id != kNoLayout && std::find(list.begin(), list.end(), id) == list.end()) list.push_back(id);
}

std::vector<OpConfig> CandidateFinder::configsOf(OpChoices& op) const {
  std::vector<LayoutId> around;
  for (const OperandChoice& operand : op.operands) {
    for (LayoutId id : operand.domain.layouts) addUnique(around, id);
  }
  std::vector<OpConfig> configs = candidateConfigs(problem_, programs_, op.op, around, pool_, op.cut);
  const Op& o = problem_.graph.ops[op.op];
  const bool decided = !o.results.empty() && problem_.isTensor(o.results[0]) && !isPinned(problem_, op.op);
  if (!decided) return configs;
  for (const PlanTrack& plan : plans_) addConfig(configs, plan.config[op.op]);
  return configs;
}

CandidateFinder::UsualReads CandidateFinder::usualReads(const OpChoices& op) const {
  const Op& o = problem_.graph.ops[op.op];
  const bool hasResult = !o.results.empty() && problem_.isTensor(o.results[0]);
  UsualReads all;
  for (const OperandChoice& operand : op.operands) {
    all.push_back({pool_.intern(dramLayout(problem_, operand.value)),
                   pool_.intern(l1InterleavedLayout(problem_, operand.value)),
                   hasResult && problem_.tensor(o.results[0]).shape == problem_.tensor(operand.value).shape});
  }
  return all;
}

// The layouts in which each operand may be read, fewer with every level. Where they combine to more than `limit` the
// list ends before the operand that passes it.
CandidateFinder::Reads CandidateFinder::readOptions(const OpChoices& op, const UsualReads& usual,
                                                    const OpConfig& config, int level, size_t limit) const {
  Reads all;
  size_t combinations = 1;  // at most `limit`, so the product of two sizes fits
  all.reserve(op.operands.size());
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const OperandChoice& operand = op.operands[i];
    std::vector<LayoutId> options;
    options.reserve(operand.domain.layouts.size() + 4);
    const bool open = operand.domain.open();
    const TensorLayout& first = pool_[operand.domain.layouts[0]];
    const bool onHost = first.buffer == BufferType::SystemMemory;
    if (!open || level == 0) {
      for (LayoutId id : operand.domain.layouts) addUnique(options, id);
    }
    if (open) addUnique(options, usual[i].dram);
    if (open && level < kFewestReads) addUnique(options, usual[i].l1Interleaved);
    if ((open || usual[i].resultShape) && !onHost && level < 2) {
      if (auto aligned = alignedWith(problem_, operand.value, first, config.output))
        addUnique(options, pool_.intern(*aligned));
    }
    for (const PlanTrack& plan : plans_) {
      if (plan.config[op.op] == config) addUnique(options, plan.reads[op.op][operand.index]);
    }
    combinations *= options.size();
    if (combinations > limit) break;
    all.push_back(std::move(options));
  }
  return all;
}

// Lists of layouts per operand, all combinations of which are candidates of the config. Where even the fewest options
// combine to more than `limit`, the combinations are given one by one: everything in DRAM, and what each plan reads.
std::vector<CandidateFinder::Reads> CandidateFinder::readsOf(OpChoices& op, const UsualReads& usual,
                                                             const OpConfig& config, size_t limit) const {
  for (int level = op.isExplicit ? 1 : 0; level <= kFewestReads; ++level) {
    Reads reads = readOptions(op, usual, config, level, limit);
    if (reads.size() == op.operands.size()) {
      std::vector<Reads> all;
      all.push_back(std::move(reads));  // a braced list would copy them
      return all;
    }
    op.cut = true;
  }
  Reads plain;
  for (const OperandChoice& operand : op.operands) {
    const bool open = operand.domain.open();
    plain.push_back({open ? pool_.intern(dramLayout(problem_, operand.value)) : operand.domain.layouts[0]});
  }
  std::vector<Reads> all{plain};
  for (const PlanTrack& plan : plans_) {
    if (!(plan.config[op.op] == config)) continue;
    Reads reads = plain;
    for (size_t i = 0; i < op.operands.size(); ++i) {
      const LayoutId read = plan.reads[op.op][op.operands[i].index];
      if (read != kNoLayout) reads[i] = {read};
    }
    if (std::find(all.begin(), all.end(), reads) == all.end()) all.push_back(std::move(reads));
  }
  return all;
}

// A refused operand that has one layout only gets one more option: the layout that the op takes instead. False when
// there is none.
bool CandidateFinder::repair(const Question& question, const CandidateFigures& refused, const std::vector<size_t>& at,
                             CandidateTable& table) const {
  for (size_t i = 0; i < question.op.operands.size(); ++i) {
    const OperandChoice& operand = question.op.operands[i];
    std::vector<LayoutId>& options = table.reads[i];
    if (static_cast<int>(operand.index) != refused.operand || operand.domain.open() || options.size() > 3) continue;
    auto repaired =
        repairedLayout(problem_, refused.reason, question.config.output, operand.value, pool_[options[at[i]]]);
    const size_t before = options.size();
    if (repaired) addUnique(options, pool_.intern(*repaired));
    return options.size() > before;
  }
  return false;
}

Layouts CandidateFinder::inputsOf(const Question& question, const CandidateTable& table,
                                  const std::vector<size_t>& at) const {
  Layouts inputs(question.op.operandCount);
  for (size_t i = 0; i < at.size(); ++i) inputs[question.op.operands[i].index] = pool_[table.reads[i][at[i]]];
  return inputs;
}

CandidateFigures CandidateFinder::figuresOf(const Question& question, const CandidateTable& table,
                                            const std::vector<size_t>& at) const {
  const Layouts inputs = inputsOf(question, table, at);
  const OpFigures all = problem_.model.figuresOf({problem_.graph, question.op.op, inputs, question.config, Bytes(0)});
  CandidateFigures figures{true,
                           all.time,
                           all.constraints.peakL1MemorySize,
                           all.constraints.outputL1BufferSize,
                           kNoLayout,
                           all.operand,
                           all.status,
                           all.reason,
                           all.aliases};
  if (all.status == OpStatus::Success) figures.produced = pool_.intern(all.output);
  return figures;
}

// Bytes per core of L1 of what is read, a layout of a value once.
Bytes CandidateFinder::bytesRead(const Question& question, const CandidateTable& table,
                                 const std::vector<size_t>& at) const {
  const std::vector<OperandChoice>& operands = question.op.operands;
  Bytes taken;
  for (size_t i = 0; i < at.size(); ++i) {
    bool counted = false;  // by an earlier operand
    for (size_t j = 0; j < i; ++j)
      counted = counted || (operands[j].value == operands[i].value && table.reads[j][at[j]] == table.reads[i][at[i]]);
    if (!counted) taken += pool_.l1Bytes(table.reads[i][at[i]]);
  }
  return taken;
}

// Sets the candidate's time and bytes when it is legal. `index`: of the combination.
void CandidateFinder::judge(const Question& question, const CandidateFigures& figures, const std::vector<size_t>& at,
                            size_t index, CandidateTable& table, ConfigAnswer& answer) const {
  if (figures.status != OpStatus::Success) return;
  const OpConfig& config = question.config;
  const OpKind kind = problem_.graph.ops[question.op.op].kind;
  const bool converts = kind == OpKind::TtnnToLayout || kind == OpKind::TtnnToTensorSpec;
  const int64_t budget = problem_.budget.bytes().count;
  Bytes beside = bytesRead(question, table, at);
  if (figures.aliases) beside -= pool_.l1Bytes(question.output);
  const Bytes needed = beside + figures.peak;
  const bool fits = answer.range.admit(needed.count, budget);
  const bool alone = !fits && fillsL1Alone(OpStatus::OutOfMemory, needed, figures.peak, figures.output, config);
  const bool elsewhere = fits && question.mayDiffer && figures.produced != question.output;
  if (elsewhere) addConfig(answer.produced, {pool_[figures.produced], config.attrs});
  if (!alone && (!fits || elsewhere)) return;
  answer.anyLegal = true;
  table.aliases = table.aliases || figures.aliases;
  int64_t time = figures.time.count;
  if (converts) {
    const Layouts inputs = inputsOf(question, table, at);
    time = moves_.ofOp({problem_.graph, question.op.op, inputs, config, beside});
  }
  table.time[index] = std::min(time, kMaxTotalCost >> 16);
  table.l1[index] = alone ? budget : needed.count;
  if (alone) answer.range.pin(budget);
}

// Goes on to the last combination that begins like this one up to the operand; returns how many were skipped.
size_t skipRest(const OpChoices& op, int32_t operand, const std::vector<size_t>& sizes, std::vector<size_t>& at) {
  size_t skipped = 0, cells = 1;
  for (size_t i = sizes.size(); i-- > 0 && static_cast<int32_t>(op.operands[i].index) > operand;) {
    skipped += (sizes[i] - 1 - at[i]) * cells;
    cells *= sizes[i];
    at[i] = sizes[i] - 1;
  }
  return skipped;
}

// Every combination of the options; true when an operand was repaired, so that there are more of them.
bool CandidateFinder::askAll(const Question& question, KnownFigures& known, CandidateTable& table,
                             ConfigAnswer& answer) const {
  const auto count = static_cast<size_t>(combinationsOf(table.reads));
  const KnownFigures::Places places = known.admit(table.reads);
  answer.anyLegal = false;
  table.time.assign(count, kForbidden);
  table.l1.assign(count, 0);
  std::vector<size_t> sizes, at(question.op.operands.size(), 0);
  for (const auto& options : table.reads) sizes.push_back(options.size());
  for (size_t index = 0; index < count; ++index, nextCombination(at, sizes)) {
    CandidateFigures& figures = known.at(places, at);
    if (!figures.known) figures = figuresOf(question, table, at);
    judge(question, figures, at, index, table, answer);
    if (figures.operand < 0) continue;
    if (repair(question, figures, at, table)) return true;
    if (question.inOrder) index += skipRest(question.op, figures.operand, sizes, at);
  }
  return false;
}

ConfigAnswer CandidateFinder::ask(const Question& question, Reads reads) const {
  ConfigAnswer answer;
  CandidateTable table{.reads = std::move(reads)};
  Key key{question.op.opClass, static_cast<uint32_t>(question.output)};
  appendAttrs(key, question.config);
  KnownFigures& known = numbered(memory_.figures, memory_.figureKeys.numberOf(key));
  const auto before = static_cast<int64_t>(known.size());
  for (size_t round = 0; round <= question.op.operands.size(); ++round) {
    if (!askAll(question, known, table, answer)) break;
  }
  constexpr auto kWords = static_cast<int64_t>(sizeof(CandidateFigures) / sizeof(int64_t));
  memory_.figureCells += kWords * (static_cast<int64_t>(known.size()) - before);
  answer.candidates = std::make_shared<const CandidateTable>(std::move(table));
  return answer;
}

const ConfigAnswer& CandidateFinder::answerOf(const OpChoices& op, const OpConfig& config, Reads reads) const {
  const bool mayDiffer = !isPinned(problem_, op.op) &&
                         !findOverride(problem_.options.layoutOverrides, problem_.graph, op.op) &&
                         !problem_.graph.ops[op.op].results.empty();
  const LayoutId output = pool_.intern(config.output);
  std::vector<uint32_t> key{op.opClass, mayDiffer, static_cast<uint32_t>(output)};
  appendAttrs(key, config);
  for (size_t i = 0; i < reads.size(); ++i) {
    key.push_back(static_cast<uint32_t>(op.operands[i].domain.open()));
    key.push_back(static_cast<uint32_t>(reads[i].size()));
    key.insert(key.end(), reads[i].begin(), reads[i].end());
  }
  AnswersByBudget<ConfigAnswer>& known = numbered(memory_.configs, memory_.configKeys.numberOf(key));
  if (const ConfigAnswer* answer = known.at(problem_.budget.bytes().count)) return *answer;
  problem_.budget.takeRange();
  const bool inOrder = refusesInOrder(familyRules(opInfo(problem_.graph.ops[op.op].kind).family), config.output);
  ConfigAnswer answer = ask({op, config, mayDiffer, output, inOrder}, std::move(reads));
  answer.range.cut(problem_.budget.takeRange());  // of the moves
  memory_.cells += static_cast<int64_t>(2 * answer.candidates->time.size());
  return known.add(std::move(answer));
}

// Nothing is legal: the op is scheduled in DRAM all the same; the simulator reports the failure.
void CandidateFinder::addFallback(OpChoices& op) const {
  op.refused = true;
  OpConfig config = keepSharedActivation(problem_, op.op, defaultConfig(problem_, op.op));
  CandidateTable table;
  std::vector<std::optional<TensorLayout>> inputs(op.operandCount);
  for (const OperandChoice& operand : op.operands) {
    table.reads.push_back(
        {operand.domain.open() ? pool_.intern(dramLayout(problem_, operand.value)) : operand.domain.layouts[0]});
    inputs[operand.index] = pool_[table.reads.back()[0]];
  }
  const OpQuery query{problem_.graph, op.op, inputs, config, Bytes(0)};
  table.time = {std::min(moves_.ofOp(query), kMaxTotalCost >> 16)};
  table.l1 = {0};
  op.configs.push_back(config);
  op.outputs.push_back(pool_.intern(config.output));
  op.candidates.push_back(std::make_shared<const CandidateTable>(std::move(table)));
}

// All that search() reads, but the budget and overrides.
Key CandidateFinder::questionOf(const OpChoices& op) const {
  const Op& o = problem_.graph.ops[op.op];
  const bool decided = !o.results.empty() && problem_.isTensor(o.results[0]);
  Key key{op.opClass, static_cast<uint32_t>(problem_.options.askOpModel),
          static_cast<uint32_t>(problem_.options.maxLegalLayouts),
          static_cast<uint32_t>(!o.operands.empty() && diesAt(problem_, o.operands[0], op.op))};
  const auto addLayout = [&](const TensorLayout& layout) {
    key.push_back(static_cast<uint32_t>(pool_.intern(layout)));
  };
  const auto addPinned = [&](ValueId value) {
    key.push_back(problem_.pinned[value].has_value());
    if (problem_.pinned[value]) addLayout(*problem_.pinned[value]);
  };
  if (decided) addPinned(o.results[0]);
  for (const OperandChoice& operand : op.operands) {
    addPinned(operand.value);
    key.push_back(static_cast<uint32_t>(operand.domain.open()));
    key.push_back(static_cast<uint32_t>(operand.domain.layouts.size()));
    key.insert(key.end(), operand.domain.layouts.begin(), operand.domain.layouts.end());
  }
  const auto addLayouts = [&](const std::vector<TensorLayout>& layouts) {
    key.push_back(static_cast<uint32_t>(layouts.size()));
    for (const TensorLayout& layout : layouts) addLayout(layout);
  };
  addLayouts(problem_.legal[op.op].layouts);
  addLayouts(layoutsAfterReshard(problem_, op.op));
  for (const PlanTrack& plan : plans_) {
    addLayout(plan.config[op.op].output);
    appendAttrs(key, plan.config[op.op]);
    for (const OperandChoice& operand : op.operands)
      key.push_back(static_cast<uint32_t>(plan.reads[op.op][operand.index]));
  }
  return key;
}

void CandidateFinder::find(OpChoices& op) const {
  const ProblemOptions& options = problem_.options;
  const bool named = findOverride(options.layoutOverrides, problem_.graph, op.op) ||
                     findOverride(options.conv2dOverrides, problem_.graph, op.op);
  if (named) {
    search(op);
    return;
  }
  const size_t number = memory_.opKeys.numberOf(questionOf(op));
  AnswersByBudget<FoundCandidates>& known = numbered(memory_.ops, number);
  if (const FoundCandidates* found = known.at(problem_.budget.bytes().count)) {
    static_cast<OpCandidates&>(op) = found->candidates;
    return;
  }
  const BudgetRange range = search(op);
  memory_.cells += static_cast<int64_t>(op.configs.size() * (sizeof(OpConfig) / sizeof(int64_t)));
  known.add({op, range});
}

// Fills in the candidates; returns the budgets for which they are these.
BudgetRange CandidateFinder::search(OpChoices& op) const {
  problem_.budget.takeRange();
  BudgetRange range;
  std::vector<OpConfig> configs = configsOf(op);
  int64_t cells = 1;
  for (const OperandChoice& operand : op.operands)
    cells = mulSaturated(cells, static_cast<int64_t>(operand.domain.layouts.size()));
  std::vector<LayoutId> results;
  for (const OpConfig& config : configs) addUnique(results, pool_.intern(config.output));
  op.isExplicit = mulSaturated(cells, static_cast<int64_t>(results.size())) > static_cast<int64_t>(kMaxTable);
  const size_t limit = op.isExplicit ? kMaxExplicitCombinations : kMaxCombinations;
  op.cut = op.cut || op.isExplicit;
  const UsualReads usual = usualReads(op);
  for (size_t c = 0; c < configs.size(); ++c) {
    for (Reads& reads : readsOf(op, usual, configs[c], limit)) {
      range.cut(problem_.budget.takeRange());
      const ConfigAnswer& answer = answerOf(op, configs[c], std::move(reads));
      range.cut(answer.range);
      if (answer.anyLegal) {
        op.configs.push_back(configs[c]);
        op.outputs.push_back(pool_.intern(configs[c].output));
        op.candidates.push_back(answer.candidates);
      }
      op.cut = op.cut || (configs.size() > 2 * kMaxResultLayouts && !answer.produced.empty());
      if (configs.size() > 2 * kMaxResultLayouts) continue;
      for (const OpConfig& produced : answer.produced) addConfig(configs, produced);
    }
  }
  if (op.configs.empty()) addFallback(op);
  if (!op.isExplicit) dropDominatedConfigs(op);
  range.cut(problem_.budget.takeRange());
  return range;
}

}  // namespace tessera
