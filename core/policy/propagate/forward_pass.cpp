#include "core/policy/propagate/forward_pass.h"

#include <algorithm>

#include "core/ops/rules/family_rules.h"
#include "core/policy/kit/candidate_layouts.h"
#include "core/support/stable_sort.h"

namespace tessera {

namespace {

// Tries per op beyond which the rest is left out; the beam says so. Reached only by ops with many operands and layouts.
constexpr int32_t kMaxEvaluations = 8192;

}  // namespace

ForwardPass::ForwardPass(const Problem& problem, const PropagateOptions& options, MoveTime& moves,
                         RuleBookOf ruleBookOf, BeamMemory* memory)
    : problem_(problem),
      options_(options),
      pool_(moves.pool()),
      moves_(moves),
      ruleBookOf_(ruleBookOf),
      memory_(memory),
      readers_(problem.graph.values.size(), 1),
      trial_(problem, moves),
      programs_(problem) {
  for (ValueId value : readers_.ids()) {
    int64_t readers = 0;
    for (const Use& use : problem.uses[value]) readers += !opInfo(problem.graph.ops[use.op].kind).has(kTerminator);
    readers_[value] = std::max<int64_t>(readers, 1);
  }
}

Beams ForwardPass::run() {
  beams_.resize(problem_.graph.ops.size());
  for (OpId op : problem_.schedule.order) {
    if (!opInfo(problem_.graph.ops[op].kind).has(kTerminator)) processOp(op, beams_[op]);
  }
  return std::move(beams_);
}

void ForwardPass::processOp(OpId op, OpBeam& beam) {
  work_.op = op;
  work_.found.clear();
  work_.mostCores = 0;
  work_.book = options_.ruleBooks ? &ruleBookOf_(problem_.graph.ops[op].kind) : nullptr;
  findSources();
  if (!writeQuestion()) return decide(beam);
  if (memory_->recall(question_, problem_.budget, beam)) return;
  const BudgetRange before = problem_.budget.takeRange();
  decide(beam);
  const BudgetRange own = problem_.budget.takeRange();
  memory_->keep(question_, own, beam);
  problem_.budget.cut(before);
  problem_.budget.cut(own);
}

void ForwardPass::decide(OpBeam& beam) {
  findConfigs();
  auto width = static_cast<size_t>(std::max(options_.beamWidth, 1));
  work_.combinations = combine(work_.sources, options_.score, std::max(width * width, size_t{1}), beam.combinationsCut);
  beam.crossProduct = static_cast<int32_t>(work_.combinations.size());
  if (work_.book) tryByHints(beam);
  else tryAll(beam);
  if (work_.found.empty()) addFallback(beam);
  select(beam);
}

// All that decide() reads, but the budget; what findConfigs() makes, by what it is made of. False where nothing is
// kept: no class is known, the op is named by an override, or the trace wants every try.
bool ForwardPass::writeQuestion() {
  const auto opClass = memory_ ? problem_.model.classIn(memory_->answers(), problem_.graph, work_.op) : std::nullopt;
  if (!opClass || options_.keepEvaluations) return false;
  if (findOverride(problem_.options.layoutOverrides, problem_.graph, work_.op) != nullptr ||
      findOverride(problem_.options.conv2dOverrides, problem_.graph, work_.op) != nullptr)
    return false;
  const auto add = [this](auto part) { addWords(question_, static_cast<uint64_t>(part)); };
  const Op& o = problem_.graph.ops[work_.op];
  question_.clear();
  question_.push_back(*opClass);
  add(options_.beamWidth);
  add(options_.score);
  add(options_.keepCandidates);
  add(reinterpret_cast<uintptr_t>(work_.book));
  add(isPinned(problem_, work_.op));
  add(!o.results.empty() && onlyReturned(o.results[0]));
  for (int32_t source : work_.sourceOf) add(source);
  for (const Source& source : work_.sources) {
    add(source.readers);
    add(source.beam != nullptr);
    add(source.slots());
    for (int32_t slot = 0; slot < source.slots(); ++slot) {
      add(source.layout(slot));
      if (!source.beam) continue;
      const PathScore& path = source.beam->entries[static_cast<size_t>(slot)].score;
      for (const int64_t part : {int64_t{path.minCores}, int64_t{path.minChosenCores}, path.reshards, path.time})
        add(part);
    }
  }
  // With the legal layouts these say which refused ones a reshard may make possible, too.
  add(problem_.options.askOpModel);
  add(problem_.options.maxLegalLayouts);
  for (const OpConfig& config : problem_.configs[work_.op]) {
    add(pool_.intern(config.output));
    appendAttrs(question_, config);
  }
  return true;
}

void ForwardPass::findSources() {
  const Op& o = problem_.graph.ops[work_.op];
  work_.sources.clear();
  work_.sourceOf.assign(o.operands.size(), -1);
  for (size_t i = 0; i < o.operands.size(); ++i) {
    ValueId value = o.operands[i];
    if (!problem_.isTensor(value)) continue;
    for (size_t known = 0; known < work_.sources.size(); ++known) {
      if (work_.sources[known].value == value) work_.sourceOf[i] = static_cast<int32_t>(known);
    }
    if (work_.sourceOf[i] >= 0) continue;
    Source source;
    source.value = value;
    source.mostSlots = options_.mostPerOperand;
    OpId producer = problem_.graph.values[value].producer;
    bool first = producer.valid() && problem_.graph.ops[producer].results[0] == value;
    if (first && !beams_[producer].entries.empty()) source.beam = &beams_[producer];
    if (problem_.pinned[value]) source.fixed = pool_.intern(*problem_.pinned[value]);
    else if (!source.beam) source.fixed = pool_.intern(dramLayout(problem_, value));
    source.readers = readers_[value];
    work_.sourceOf[i] = static_cast<int32_t>(work_.sources.size());
    work_.sources.push_back(source);
  }
}

// --- which result layouts are tried ----------------------------------------------------------------------------------

// All that the operands may be in, each layout once.
std::vector<LayoutId> ForwardPass::operandLayouts() const {
  std::vector<LayoutId> layouts;
  for (const Source& source : work_.sources) {
    for (int32_t slot = 0; slot < source.slots(); ++slot) {
      if (std::find(layouts.begin(), layouts.end(), source.layout(slot)) == layouts.end())
        layouts.push_back(source.layout(slot));
    }
  }
  return layouts;
}

void ForwardPass::findConfigs() {
  work_.configs.clear();
  const Op& o = problem_.graph.ops[work_.op];
  if (o.results.empty() || !problem_.isTensor(o.results[0]) || isPinned(problem_, work_.op)) {
    work_.configs.push_back(defaultConfig(problem_, work_.op));
    return;
  }
  bool overridden = findOverride(problem_.options.layoutOverrides, problem_.graph, work_.op) != nullptr;
  auto addLayouts = [&](const std::vector<TensorLayout>& layouts) {
    for (const TensorLayout& layout : layouts) {
      for (const OpConfig& config : configsWith(problem_, programs_, work_.op, layout))
        addConfig(work_.configs, config);
    }
  };
  const std::vector<TensorLayout> ofLibrary = work_.book && !overridden && opInfo(o.kind).family == Family::Conv
                                                  ? convolutionLayouts(problem_, work_.op)
                                                  : std::vector<TensorLayout>();
  if (!ofLibrary.empty()) addLayouts(ofLibrary);
  else if (!overridden) addLayouts(layoutsOverOperandGrids(problem_, work_.op, operandLayouts(), pool_));
  auto addLevel = [&](bool l1, bool sharded) {
    for (const OpConfig& config : problem_.configs[work_.op]) {
      if (config.output.isL1() != l1 || config.output.sharded() != sharded) continue;
      if (const auto program = programs_.of(work_.op, config.output))
        addConfig(work_.configs, {config.output, *program});
      addConfig(work_.configs, config);
    }
  };
  if (ofLibrary.empty()) addLevel(true, true);
  if (ofLibrary.empty() && !overridden && options_.score != BeamScore::First)
    addLayouts(layoutsAfterReshard(problem_, work_.op));
  addLevel(true, false);
  addLevel(false, true);
  addLevel(false, false);
  // DRAM works for every op; an analysis that refused it leaves it as the last resort.
  if (!overridden) addConfig(work_.configs, defaultConfig(problem_, work_.op));
}

// --- trying ----------------------------------------------------------------------------------------------------------

LayoutId ForwardPass::layoutOf(size_t operand, const Combination& combination) const {
  if (work_.sourceOf[operand] < 0) return kNoLayout;
  const auto source = static_cast<size_t>(work_.sourceOf[operand]);
  return work_.sources[source].layout(combination.slots[source]);
}

void ForwardPass::startTrial(const Combination& combination) {
  work_.layouts.resize(work_.sourceOf.size());
  for (size_t i = 0; i < work_.layouts.size(); ++i) work_.layouts[i] = layoutOf(i, combination);
  trial_.start(work_.op, work_.book, work_.layouts);
}

bool ForwardPass::tryOne(const OpConfig& config, const Combination& combination, OpBeam& beam) {
  if (beam.evaluations >= kMaxEvaluations) {
    beam.combinationsCut = true;
    return false;
  }
  ++beam.evaluations;
  startTrial(combination);
  if (!trial_.run(config)) return false;
  if (trial_.verdict().ok() && work_.book && !bookTakes(config)) {
    trial_.refuse();
    return false;
  }
  return keepLegal(config, combination, beam);
}

bool ForwardPass::bookTakes(const OpConfig& config) const {
  if (!acceptsCombination(*work_.book, trial_.inputs(), config.output)) return false;
  return work_.book->exploreReshards || trial_.onlySpreads() || !config.output.isL1();
}

bool ForwardPass::keepLegal(const OpConfig& config, const Combination& combination, OpBeam& beam) {
  const bool legal = trial_.verdict().ok();
  if (legal) keep(asProduced(config), combination);
  if (options_.keepEvaluations) traceTrial(config, legal, beam);
  return legal;
}

// The result lies where the backend puts it, not where it was asked for (tt-mlir Analysis/MemoryLayoutPropagation.cpp),
// unless someone has fixed it.
OpConfig ForwardPass::asProduced(const OpConfig& config) const {
  OpConfig produced = config;
  bool fixed = isPinned(problem_, work_.op) || findOverride(problem_.options.layoutOverrides, problem_.graph, work_.op);
  if (!fixed) produced.output = trial_.verdict().output;
  return produced;
}

void ForwardPass::traceTrial(const OpConfig& config, bool legal, OpBeam& beam) const {
  TraceEvaluation evaluation;
  evaluation.hint = traceLayout(config.output);
  evaluation.valid = legal;
  for (const auto& input : trial_.inputs()) evaluation.inputs.push_back(input ? traceLayout(*input) : "null");
  if (legal) {
    evaluation.score = traceScore(work_.found.back().score);
    evaluation.output = traceLayout(work_.found.back().config.output);
  } else {
    evaluation.failureReason = verdictText(trial_.verdict());
  }
  beam.trace.push_back(std::move(evaluation));
}

bool ForwardPass::alignOperands(const OpConfig& config, const Combination& combination, OpBeam& beam) {
  if (problem_.graph.ops[work_.op].results.empty() || !config.output.sharded()) return false;
  ++beam.evaluations;
  startTrial(combination);
  return trial_.runAligned(config) && keepLegal(config, combination, beam);
}

// Shards of the operands leave no room for these of the result: a reshard that enables more cores.
bool ForwardPass::readFromDram(const OpConfig& config, const Combination& combination, OpBeam& beam) {
  if (!config.output.sharded()) return false;
  ++beam.evaluations;
  startTrial(combination);
  return trial_.runFromDram(config) && keepLegal(config, combination, beam);
}

// Every config with the combinations, best history first. With several operands the first combination that needs no
// reshard ends the search for this config: later ones have a worse history and gain nothing (by time: until their
// history alone is worse).
void ForwardPass::tryAll(OpBeam& beam) {
  for (const OpConfig& config : work_.configs) {
    Candidate tried = tryCombinations(config, beam);
    if (options_.keepCandidates) beam.tried.push_back(std::move(tried));
  }
}

Candidate ForwardPass::tryCombinations(const OpConfig& config, OpBeam& beam) {
  bool byTime = options_.score == BeamScore::Time, mayReshard = options_.score != BeamScore::First;
  Candidate tried{config.output, CandidateStatus::Rejected, {}, 0, ""};
  std::vector<RefusedHead> refused;
  const bool inOrder = headsRefuse(config);
  bool any = false;
  int64_t best = INT64_MAX;
  for (const Combination& combination : work_.combinations) {
    if (byTime && combination.history.time >= best) break;
    if (const RefusedHead* head = refusedHead(refused, combination)) {
      beam.combinationsCut = beam.combinationsCut || beam.evaluations >= kMaxEvaluations;
      beam.evaluations += head->evaluations;
      if (!any) tried.verdict = head->verdict, tried.reshards = head->reshards;
      continue;
    }
    const int32_t before = beam.evaluations;
    bool legal = tryOne(config, combination, beam);
    if (!any) tried.verdict = trial_.verdict(), tried.reshards = trial_.reshards();
    if (!legal) {
      RefusedHead head{&combination, 0, 0, trial_.verdict(), trial_.reshards()};
      const int32_t operand = head.verdict.operand;
      const bool lacksRoom = head.verdict.status == OpStatus::OutOfMemory;
      legal = mayReshard && alignOperands(config, combination, beam);
      if (!legal && mayReshard && lacksRoom) legal = readFromDram(config, combination, beam);
      if (!legal && operand < 0 && !lacksRoom) break;
      if (!legal) {
        head.operands = static_cast<size_t>(operand + 1);
        head.evaluations = beam.evaluations - before;
        if (inOrder && operand >= 0 && before < kMaxEvaluations) refused.push_back(head);
        continue;
      }
    }
    bool free = trial_.reshards() == 0;
    if (!any || trial_.reshards() < tried.reshards)
      tried.verdict = trial_.verdict(), tried.reshards = trial_.reshards();
    any = true;
    if (byTime) best = std::min(best, work_.found.back().score.time);
    if (free && !byTime && work_.sources.size() > 1) break;
  }
  if (any && byTime && work_.sourceOf.size() > 1) alignOperands(config, work_.combinations[0], beam);
  if (any) tried.status = CandidateStatus::Worse;
  return tried;
}

// The op judges its operands in order, and none of them is of the result's shape: alignOperands() converts none, so
// that what is said about the first operands holds whatever the others are. A trace wants every try.
bool ForwardPass::headsRefuse(const OpConfig& config) const {
  const Op& o = problem_.graph.ops[work_.op];
  const FamilyRules& rules = familyRules(opInfo(o.kind).family);
  if (options_.keepEvaluations || o.results.empty() || !refusesInOrder(rules, config.output)) return false;
  const auto asResult = [&](ValueId operand) {
    return !problem_.isTensor(operand) || problem_.tensor(operand).shape == problem_.tensor(o.results[0]).shape;
  };
  return std::none_of(o.operands.begin(), o.operands.end(), asResult);
}

const ForwardPass::RefusedHead* ForwardPass::refusedHead(const std::vector<RefusedHead>& refused,
                                                         const Combination& combination) const {
  for (const RefusedHead& head : refused) {
    size_t same = 0;
    while (same < head.operands && layoutOf(same, combination) == layoutOf(same, *head.combination)) ++same;
    if (same == head.operands) return &head;
  }
  return nullptr;
}

// --- with rule books: per combination, first what the backend would choose, then the hints ---------------------------

namespace {

bool hinted(OutputHints hints, const TensorLayout& layout) {
  switch (hints) {
    case OutputHints::NullThenSharded: return layout.sharded();
    case OutputHints::AllConfigs: return true;
    case OutputHints::NullOnly: return false;
    case OutputHints::NonSharded:
    case OutputHints::ViewOrNonSharded: return !layout.sharded();
    case OutputHints::NullAndSharded: return layout.sharded();
    case OutputHints::ShardedOrDram: return layout.sharded() || layout.isDram();
  }
  return false;
}

// Concat hangs on shards of a result whose last two dims are no whole tiles (tt-metal issue 41504).
bool asksForShards(OutputHints hints, const TensorType& result) {
  const Shape& shape = result.shape;
  const size_t rank = shape.size();
  return hints != OutputHints::NullAndSharded || rank < 2 ||
         (shape[rank - 1] % kTileSide == 0 && shape[rank - 2] % kTileSide == 0);
}

}  // namespace

void ForwardPass::tryByHints(OpBeam& beam) {
  const RuleBook& book = *work_.book;
  const Op& o = problem_.graph.ops[work_.op];
  bool hasResult = !o.results.empty() && problem_.isTensor(o.results[0]) && !isPinned(problem_, work_.op);
  bool fixed = findOverride(problem_.options.layoutOverrides, problem_.graph, work_.op) != nullptr || !hasResult;
  // Concat by itself writes to DRAM, which is what is left below.
  bool asksBackend = !fixed && book.hints != OutputHints::AllConfigs && book.hints != OutputHints::NonSharded &&
                     book.hints != OutputHints::ShardedOrDram && book.hints != OutputHints::NullAndSharded;
  const bool shards = !hasResult || asksForShards(book.hints, *problem_.graph.values[o.results[0]].type.tensor);
  std::vector<bool> worked(work_.configs.size(), false), tried(work_.configs.size(), false);
  std::vector<OpVerdict> verdicts(work_.configs.size());
  auto attempt = [&](size_t i, const Combination& combination) {
    bool legal = tryOne(work_.configs[i], combination, beam);
    if (!worked[i]) verdicts[i] = trial_.verdict();
    tried[i] = true;
    worked[i] = worked[i] || legal;
    return legal;
  };
  auto isDefault = [&](const TensorLayout& layout) { return layout.isDram() && !layout.sharded(); };
  for (const Combination& combination : work_.combinations) {
    bool sharded = false, any = false, view = false;
    // What the backend does by itself: the result is stored as the first operand is; interleaved in the same memory
    // where the op does not write it so.
    for (bool asInput : {true, false}) {
      for (size_t i = 0; i < work_.configs.size() && asksBackend && !any; ++i) {
        const TensorLayout& out = work_.configs[i].output;
        startTrial(combination);
        const std::optional<TensorLayout> in = trial_.inputs().empty() ? std::nullopt : trial_.inputs()[0];
        bool like =
            in && in->buffer == out.buffer && in->memory == out.memory && (!out.sharded() || in->grid == out.grid);
        bool inL1 = in && in->sharded() && in->buffer == out.buffer && !out.sharded();
        if (!(asInput ? like : inL1)) continue;
        view =
            book.hints == OutputHints::ViewOrNonSharded && in &&
            problem_.model.figuresOf({problem_.graph, work_.op, trial_.inputs(), work_.configs[i], Bytes(0)}).aliases;
        if (book.hints == OutputHints::ViewOrNonSharded && !view) continue;
        any = attempt(i, combination);
        sharded = any && out.sharded();
      }
    }
    bool enough = (book.hints == OutputHints::NullThenSharded && sharded) || (view && any);
    for (size_t i = 0; i < work_.configs.size() && !enough; ++i) {
      const TensorLayout& out = work_.configs[i].output;
      if (fixed || (hinted(book.hints, out) && (shards || !out.sharded()))) any = attempt(i, combination) || any;
    }
    // Where the backend's choice cannot be had, the result goes to DRAM.
    for (size_t i = 0; i < work_.configs.size() && !any; ++i) {
      if (isDefault(work_.configs[i].output)) any = attempt(i, combination);
    }
  }
  for (size_t i = 0; i < work_.configs.size(); ++i) {
    if (!tried[i]) continue;
    if (options_.keepCandidates)
      beam.tried.push_back({work_.configs[i].output, worked[i] ? CandidateStatus::Worse : CandidateStatus::Rejected,
                            verdicts[i], 0, ""});
  }
}

// --- scoring and keeping ---------------------------------------------------------------------------------------------

// Cores that work on the result: an interleaved one where it could be sharded, or one in DRAM, gives them up, unless
// the op has a program that says among how many it is cut.
int64_t ForwardPass::ownCores(const OpConfig& config) const {
  if (!config.output.isL1()) return 0;
  if (config.output.sharded()) return coresUsed(config.output);
  return std::max<int64_t>(coresOfProgram(problem_, {problem_.graph, work_.op, trial_.inputs(), config, Bytes(0)}), 1);
}

int64_t ForwardPass::inputDramBytes() const {
  int64_t bytes = 0;
  for (size_t i = 0; i < trial_.inputs().size(); ++i) {
    const auto& in = trial_.inputs()[i];
    if (in && !in->isL1()) bytes = addSaturated(bytes, mulSaturated(shardSizeInBytes(*in).count, in->grid.volume()));
  }
  return bytes;
}

bool ForwardPass::onlyReturned(ValueId value) const {
  for (const Use& use : problem_.uses[value]) {
    if (opInfo(problem_.graph.ops[use.op].kind).has(kTerminator)) return true;
  }
  return false;
}

void ForwardPass::keep(const OpConfig& config, const Combination& combination) {
  const Op& o = problem_.graph.ops[work_.op];
  bool hasResult = !o.results.empty() && problem_.isTensor(o.results[0]);
  BeamEntry entry;
  entry.config = config;
  entry.verdict = trial_.verdict();
  entry.reshards = trial_.reshards();
  if (hasResult) entry.output = pool_.intern(config.output);
  entry.operands.reserve(trial_.reads().size());
  for (size_t i = 0; i < trial_.reads().size(); ++i) {
    int32_t source = work_.sourceOf[i];
    bool hasBeam = source >= 0 && work_.sources[static_cast<size_t>(source)].beam;
    entry.operands.push_back(
        {hasBeam ? combination.slots[static_cast<size_t>(source)] : -1, trial_.expected()[i], trial_.reads()[i]});
  }
  PathScore& score = entry.score;
  score = combination.history;
  score.reshards += trial_.reshards() * PathScore::kShare;
  score.isL1 = hasResult && config.output.isL1();
  score.isSharded = hasResult && config.output.sharded();
  score.requiresReshard = trial_.reshards() > 0;
  score.inputDramBytes = inputDramBytes();
  score.coreCount = hasResult ? config.output.grid.volume() : 0;
  score.outputL1Usage = trial_.verdict().constraints.outputL1BufferSize.count;
  if (work_.book && work_.book->adjust == ScoreAdjustment::RmsNorm && !trial_.inputs().empty() && trial_.inputs()[0]) {
    if (trial_.inputs()[0]->sharded()) {
      score.coreCount = trial_.inputs()[0]->grid.volume();
      score.requiresReshard = false;
    } else {
      auto tiles = physicalShape(problem_.tensor(o.operands[0]).shape, PageLayout::Tile);
      score.coreCount = tiles.ok() ? tiles->rows : 1;
    }
  }
  if (hasResult) {
    entry.ownCores = static_cast<int32_t>(ownCores(config));
    work_.mostCores = std::max<int64_t>(work_.mostCores, entry.ownCores);
  }
  if (options_.score == BeamScore::Time) {
    OpTime time = problem_.model.getOpRuntime({problem_.graph, work_.op, trial_.inputs(), config, Bytes(0)});
    score.time = addSaturated(score.time, addSaturated(time.total().count, trial_.reshardTime()));
    if (hasResult && config.output.isL1() && onlyReturned(o.results[0])) {
      LayoutId dram = pool_.intern(dramLayout(problem_, o.results[0]));
      score.time = addSaturated(score.time, moves_.bounded(o.results[0], entry.output, dram));
    }
  }
  work_.found.push_back(std::move(entry));
}

// Nothing is legal: DRAM, as it is. The run will say what fails.
void ForwardPass::addFallback(OpBeam& beam) {
  beam.usedDramFallback = true;
  OpConfig config = defaultConfig(problem_, work_.op);
  startTrial(work_.combinations[0]);
  trial_.runThroughDram(config);
  keep(config, work_.combinations[0]);
}

void ForwardPass::select(OpBeam& beam) {
  std::vector<BeamEntry>& found = work_.found;
  BeamScore kind = options_.score;
  for (BeamEntry& entry : found) {
    if (entry.output == kNoLayout) continue;
    entry.score.minCores = std::min(entry.score.minCores, entry.ownCores);
    if (entry.ownCores < work_.mostCores)
      entry.score.minChosenCores = std::min(entry.score.minChosenCores, entry.ownCores);
  }
  std::vector<int32_t> order(found.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int32_t>(i);
  auto at = [&](int32_t i) -> BeamEntry& { return found[static_cast<size_t>(i)]; };
  stableSort(order, [&](int32_t a, int32_t b) { return betterScore(kind, at(a).score, at(b).score); });
  auto width = static_cast<size_t>(std::max(options_.beamWidth, 1));
  for (int32_t i : order) {
    if (beam.entries.size() >= width) break;
    // Two candidates with the same layout: the better one, unless the other has fewer reshards behind a narrower op.
    // The compiler keeps both.
    bool dominated = false;
    for (const BeamEntry& kept : beam.entries) {
      bool same = kept.output == at(i).output && kind != BeamScore::Upstream;
      bool saves = kind == BeamScore::Cores && at(i).score.reshards < kept.score.reshards;
      dominated = dominated || (same && !saves);
    }
    if (!dominated) beam.entries.push_back(std::move(at(i)));
  }
  int64_t leastTime = INT64_MAX, leastReshards = INT64_MAX;
  for (const BeamEntry& entry : beam.entries) {
    leastTime = std::min(leastTime, entry.score.time);
    leastReshards = std::min(leastReshards, entry.score.reshards);
  }
  for (BeamEntry& entry : beam.entries) {
    entry.score.time -= leastTime;
    entry.score.reshards -= leastReshards;
  }
}

}  // namespace tessera
