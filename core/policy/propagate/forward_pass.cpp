#include "core/policy/propagate/forward_pass.h"

#include <algorithm>

#include "core/policy/legalize.h"
#include "core/policy/placement.h"
#include "core/support/stable_sort.h"

namespace tessera {

namespace {

// Tries per op beyond which the rest is left out; the beam says so. Reached only by ops with many operands and layouts.
constexpr int32_t kMaxEvaluations = 8192;

bool isMoreLikely(const BeamEntry& a, const BeamEntry& b, BeamScore score) { return betterScore(score, a.score, b.score); }

}  // namespace

ForwardPass::ForwardPass(const Problem& problem, const PropagateOptions& options, LayoutPool& pool, ReshardCost& reshards, RuleBookOf ruleBookOf)
    : problem_(problem), options_(options), pool_(pool), reshards_(reshards), ruleBookOf_(ruleBookOf) {}

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
  auto width = static_cast<size_t>(std::max(options_.beamWidth, 1));
  work_.combinations = combine(work_.sources, options_.score, std::max(width * width, size_t{1}), beam.combinationsCut);
  beam.crossProduct = static_cast<int32_t>(work_.combinations.size());
  findConfigs();
  if (work_.book) tryByHints(beam);
  else tryAll(beam);
  if (work_.found.empty()) addFallback(beam);
  select(beam);
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
    OpId producer = problem_.graph.values[value].producer;
    bool first = producer.valid() && problem_.graph.ops[producer].results[0] == value;
    if (first && !beams_[producer].entries.empty()) source.beam = &beams_[producer];
    if (problem_.pinned[value]) source.fixed = pool_.intern(*problem_.pinned[value]);
    else if (!source.beam) source.fixed = pool_.intern(dramLayout(problem_, value));
    int64_t readers = 0;
    for (const Use& use : problem_.uses[value]) readers += !opInfo(problem_.graph.ops[use.op].kind).has(kTerminator);
    source.readers = std::max<int64_t>(readers, 1);
    work_.sourceOf[i] = static_cast<int32_t>(work_.sources.size());
    work_.sources.push_back(source);
  }
}

// --- which result layouts are tried ----------------------------------------------------------------------------------

void ForwardPass::addConfig(const OpConfig& config) {
  for (const OpConfig& known : work_.configs) {
    if (known == config) return;
  }
  work_.configs.push_back(config);
}

// The grids of sharded operands over the result: what stays on the same cores needs no reshard.
void ForwardPass::addOperandGrids() {
  ValueId result = problem_.graph.ops[work_.op].results[0];
  std::vector<LayoutId> seen;
  for (const Source& source : work_.sources) {
    for (int32_t slot = 0; slot < source.slots(); ++slot) {
      LayoutId id = source.layout(slot);
      const TensorLayout& in = pool_[id];
      if (!in.isL1() || !in.sharded() || std::find(seen.begin(), seen.end(), id) != seen.end()) continue;
      seen.push_back(id);
      auto made = makeLayout(problem_.tensor(result).shape, {dramLayout(problem_, result).dtype, BufferType::L1, in.memory, PageLayout::Tile, in.grid}, problem_.device);
      if (!made.ok()) continue;
      const Conv2dConfigOverride* conv = findOverride(problem_.options.conv2dOverrides, problem_.graph, work_.op);
      for (const OpConfig& config : legalOpConfigs(problem_.graph, work_.op, {*made}, {}, conv)) addConfig(config);
    }
  }
}

// Layouts that were refused with the operands where they start: a reshard may make them possible (seed 001: "configs requiring
// reshards but enabling more cores"). As many as the cut left room for.
void ForwardPass::addCurable() {
  const LegalOpLayouts& legal = problem_.legal[work_.op];
  int32_t sharded = 0;
  for (const TensorLayout& layout : legal.layouts) sharded += layout.sharded();
  const Conv2dConfigOverride* conv = findOverride(problem_.options.conv2dOverrides, problem_.graph, work_.op);
  for (const RejectedLayout& rejected : legal.rejected) {
    if (sharded >= problem_.options.maxLegalLayouts) return;
    if (rejected.verdict.status != OpStatus::MetalBackendError || !rejected.layout.sharded()) continue;
    ++sharded;
    for (const OpConfig& config : legalOpConfigs(problem_.graph, work_.op, {rejected.layout}, {}, conv)) addConfig(config);
  }
}

void ForwardPass::findConfigs() {
  work_.configs.clear();
  const Op& o = problem_.graph.ops[work_.op];
  if (o.results.empty() || !problem_.isTensor(o.results[0]) || isPinned(problem_, work_.op)) {
    work_.configs.push_back(defaultConfig(problem_, work_.op));
    return;
  }
  bool overridden = findOverride(problem_.options.layoutOverrides, problem_.graph, work_.op) != nullptr;
  if (!overridden) addOperandGrids();
  auto addLevel = [&](bool l1, bool sharded) {
    for (const OpConfig& config : problem_.configs[work_.op]) {
      if (config.output.isL1() == l1 && config.output.sharded() == sharded) addConfig(config);
    }
  };
  addLevel(true, true);
  if (!overridden && options_.score != BeamScore::First) addCurable();
  addLevel(true, false);
  addLevel(false, true);
  addLevel(false, false);
  // DRAM works for every op; an analysis that refused it leaves it as the last resort.
  if (!overridden) addConfig(defaultConfig(problem_, work_.op));
}

// --- trying ----------------------------------------------------------------------------------------------------------

void ForwardPass::startTrial(const Combination& combination) {
  const Op& o = problem_.graph.ops[work_.op];
  trial_.inputs.resize(o.operands.size());
  trial_.expected.resize(o.operands.size());
  trial_.reads.resize(o.operands.size());
  trial_.reshards = 0;
  trial_.reshardTime = 0;
  trial_.copiesInL1 = false;
  for (size_t i = 0; i < o.operands.size(); ++i) {
    int32_t source = work_.sourceOf[i];
    LayoutId layout = source < 0 ? kNoLayout : work_.sources[static_cast<size_t>(source)].layout(combination.slots[static_cast<size_t>(source)]);
    trial_.expected[i] = trial_.reads[i] = layout;
    if (layout == kNoLayout) trial_.inputs[i].reset();
    else trial_.inputs[i] = pool_[layout];
  }
}

void ForwardPass::convert(size_t operand, const TensorLayout& to) {
  ValueId value = problem_.graph.ops[work_.op].operands[operand];
  LayoutId id = pool_.intern(to);
  trial_.inputs[operand] = to;
  trial_.reads[operand] = id;
  ++trial_.reshards;
  ReshardCost::Cost cost = reshards_.of(value, trial_.expected[operand], id);
  trial_.reshardTime += cost.nanoseconds;
  trial_.copiesInL1 = trial_.copiesInL1 || to.isL1();
}

// What the op reads from L1 is there while it runs, with the original of every copy.
void ForwardPass::validate(const OpConfig& config) {
  Bytes taken;
  const auto& operands = problem_.graph.ops[work_.op].operands;
  for (size_t i = 0; i < operands.size(); ++i) {
    if (!trial_.inputs[i]) continue;
    bool copied = trial_.reads[i] != trial_.expected[i], again = false;
    for (size_t j = 0; j < i; ++j) again = again || operands[j] == operands[i];
    if (copied) taken += l1BytesPerCore(*trial_.inputs[i]);
    if (!again) taken += l1BytesPerCore(pool_[trial_.expected[i]]);
  }
  trial_.verdict = problem_.model.validateOperation({problem_.graph, work_.op, trial_.inputs, config, taken});
}

// What the rule book does not let the op read comes from DRAM. False when that is not allowed either.
bool ForwardPass::filterInputs() {
  if (!work_.book) return true;
  for (size_t i = 0; i < trial_.inputs.size(); ++i) {
    if (!trial_.inputs[i] || trial_.inputs[i]->buffer == BufferType::SystemMemory) continue;
    if (acceptsInput(*work_.book, static_cast<int>(i), *trial_.inputs[i])) continue;
    TensorLayout dram = dramLayout(problem_, problem_.graph.ops[work_.op].operands[i]);
    if (dram == *trial_.inputs[i]) return false;
    convert(i, dram);
  }
  return true;
}

// Converts one refused operand after the other; each at most once.
void ForwardPass::legalize(const OpConfig& config, bool onlyDram) {
  const auto& operands = problem_.graph.ops[work_.op].operands;
  validate(config);
  while (!trial_.verdict.ok() && trial_.verdict.operand >= 0) {
    auto i = static_cast<size_t>(trial_.verdict.operand);
    if (i >= operands.size() || !trial_.inputs[i] || trial_.reads[i] != trial_.expected[i]) return;
    auto to = cureOperand(problem_, trial_.verdict.reason, config.output, operands[i], *trial_.inputs[i]);
    if (!to) return;
    if (onlyDram && !to->sharded()) to = dramLayout(problem_, operands[i]);
    if (*to == *trial_.inputs[i]) return;
    convert(i, *to);
    validate(config);
  }
}

bool ForwardPass::tryOne(const OpConfig& config, const Combination& combination, OpBeam& beam) {
  if (beam.evaluations >= kMaxEvaluations) {
    beam.combinationsCut = true;
    return false;
  }
  ++beam.evaluations;
  startTrial(combination);
  if (!filterInputs()) return false;
  legalize(config, false);
  if (trial_.verdict.status == OpStatus::OutOfMemory && trial_.copiesInL1) {
    OpVerdict first = trial_.verdict;
    startTrial(combination);
    if (!filterInputs()) return false;
    legalize(config, true);
    if (!trial_.verdict.ok()) trial_.verdict = first;
  }
  if (trial_.verdict.ok() && work_.book && !acceptsCombination(*work_.book, trial_.inputs, config.output)) return false;
  if (trial_.verdict.ok() && work_.book && !work_.book->exploreReshards && trial_.reshards > 0 && config.output.isL1()) return false;
  bool legal = trial_.verdict.ok();
  if (legal) keep(asProduced(config), combination);
  if (options_.keepEvaluations) traceTrial(config, legal, beam);
  return legal;
}

// The result lies where the backend puts it, not where it was asked for (compiler reference 1.5), unless someone has fixed it.
OpConfig ForwardPass::asProduced(const OpConfig& config) const {
  OpConfig produced = config;
  bool fixed = isPinned(problem_, work_.op) || findOverride(problem_.options.layoutOverrides, problem_.graph, work_.op);
  if (!fixed) produced.output = trial_.verdict.output;
  return produced;
}

void ForwardPass::traceTrial(const OpConfig& config, bool legal, OpBeam& beam) const {
  TraceEvaluation evaluation;
  evaluation.hint = traceLayout(config.output);
  evaluation.valid = legal;
  for (const auto& input : trial_.inputs) evaluation.inputs.push_back(input ? traceLayout(*input) : "null");
  if (legal) {
    evaluation.score = traceScore(work_.found.back().score);
    evaluation.output = traceLayout(work_.found.back().config.output);
  } else {
    evaluation.failureReason = verdictText(trial_.verdict);
  }
  beam.trace.push_back(std::move(evaluation));
}

// Same shape and sharded result: the operand copied onto the result's cores is read without the network.
bool ForwardPass::alignOperands(const OpConfig& config, const Combination& combination, OpBeam& beam) {
  const Op& o = problem_.graph.ops[work_.op];
  if (o.results.empty() || !config.output.sharded()) return false;
  startTrial(combination);
  ++beam.evaluations;
  for (size_t i = 0; i < o.operands.size(); ++i) {
    bool sameShape = trial_.inputs[i] && problem_.tensor(o.operands[i]).shape == problem_.tensor(o.results[0]).shape;
    if (!sameShape || trial_.inputs[i]->page != config.output.page) continue;
    TensorLayout to = config.output;
    to.dtype = trial_.inputs[i]->dtype;
    if (!(to == *trial_.inputs[i]) && trial_.inputs[i]->buffer != BufferType::SystemMemory) convert(i, to);
  }
  if (trial_.reshards == 0) return false;
  validate(config);
  bool legal = trial_.verdict.ok();
  if (legal) keep(asProduced(config), combination);
  if (options_.keepEvaluations) traceTrial(config, legal, beam);
  return legal;
}

// Every config with the combinations, best history first. With several operands the first combination that needs no reshard ends
// the search for this config: later ones have a worse history and gain nothing (by time: until their history alone is worse).
void ForwardPass::tryAll(OpBeam& beam) {
  bool byTime = options_.score == BeamScore::Time, mayReshard = options_.score != BeamScore::First;
  for (const OpConfig& config : work_.configs) {
    Candidate looked{config.output, CandidateStatus::Rejected, {}, 0, ""};
    bool any = false;
    int64_t best = INT64_MAX;
    for (const Combination& combination : work_.combinations) {
      if (byTime && combination.history.time >= best) break;
      bool legal = tryOne(config, combination, beam);
      if (!any) looked.verdict = trial_.verdict, looked.reshards = trial_.reshards;
      if (!legal) {
        bool operandsMatter = trial_.verdict.operand >= 0 || trial_.verdict.status == OpStatus::OutOfMemory;
        legal = mayReshard && alignOperands(config, combination, beam);
        if (!legal && !operandsMatter) break;
        if (!legal) continue;
      }
      bool free = trial_.reshards == 0;
      if (!any || trial_.reshards < looked.reshards) looked.verdict = trial_.verdict, looked.reshards = trial_.reshards;
      any = true;
      if (byTime) best = std::min(best, work_.found.back().score.time);
      if (free && !byTime && work_.sources.size() > 1) break;
    }
    if (any && byTime && work_.sourceOf.size() > 1) alignOperands(config, work_.combinations[0], beam);
    if (any) looked.status = CandidateStatus::Worse;
    if (options_.keepLooked) beam.looked.push_back(std::move(looked));
  }
}

// --- the rule books' way: per combination, first what the backend would choose, then the hints --------------------------------

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

}  // namespace

void ForwardPass::tryByHints(OpBeam& beam) {
  const RuleBook& book = *work_.book;
  const Op& o = problem_.graph.ops[work_.op];
  bool hasResult = !o.results.empty() && problem_.isTensor(o.results[0]) && !isPinned(problem_, work_.op);
  bool fixed = findOverride(problem_.options.layoutOverrides, problem_.graph, work_.op) != nullptr || !hasResult;
  bool asksBackend = !fixed && book.hints != OutputHints::AllConfigs && book.hints != OutputHints::NonSharded && book.hints != OutputHints::ShardedOrDram;
  std::vector<bool> worked(work_.configs.size(), false), tried(work_.configs.size(), false);
  std::vector<OpVerdict> verdicts(work_.configs.size());
  auto attempt = [&](size_t i, const Combination& combination) {
    bool legal = tryOne(work_.configs[i], combination, beam);
    if (!worked[i]) verdicts[i] = trial_.verdict;
    tried[i] = true;
    worked[i] = worked[i] || legal;
    return legal;
  };
  auto isDefault = [&](const TensorLayout& layout) { return layout.isDram() && !layout.sharded(); };
  for (const Combination& combination : work_.combinations) {
    bool sharded = false, any = false;
    if (asksBackend) {
      // What the backend does by itself: the result is stored as the first operand is.
      startTrial(combination);
      for (size_t i = 0; i < work_.configs.size(); ++i) {
        const TensorLayout& out = work_.configs[i].output;
        bool like = !trial_.inputs.empty() && trial_.inputs[0] && trial_.inputs[0]->buffer == out.buffer && trial_.inputs[0]->memory == out.memory &&
                    (!out.sharded() || trial_.inputs[0]->grid == out.grid);
        startTrial(combination);
        if (!like || !attempt(i, combination)) {
          startTrial(combination);
          continue;
        }
        any = true;
        sharded = sharded || out.sharded();
        break;
      }
    }
    bool enough = (book.hints == OutputHints::NullThenSharded && sharded) || (book.hints == OutputHints::ViewOrNonSharded && any);
    for (size_t i = 0; i < work_.configs.size() && !enough; ++i) {
      if (fixed || hinted(book.hints, work_.configs[i].output)) any = attempt(i, combination) || any;
    }
    // Where the backend's choice cannot be had, the result goes to DRAM.
    for (size_t i = 0; i < work_.configs.size() && !any; ++i) {
      if (isDefault(work_.configs[i].output)) any = attempt(i, combination);
    }
  }
  for (size_t i = 0; i < work_.configs.size(); ++i) {
    if (!tried[i]) continue;
    if (options_.keepLooked) beam.looked.push_back({work_.configs[i].output, worked[i] ? CandidateStatus::Worse : CandidateStatus::Rejected, verdicts[i], 0, ""});
  }
}

// --- scoring and keeping ---------------------------------------------------------------------------------------------

// Cores that work on the result: an interleaved one where it could be sharded, or one in DRAM, gives them up.
int64_t ForwardPass::ownCores(const TensorLayout& layout) const {
  if (!layout.isL1()) return 0;
  return layout.sharded() ? coresUsed(layout) : 1;
}

int64_t ForwardPass::inputDramBytes() const {
  int64_t bytes = 0;
  for (size_t i = 0; i < trial_.inputs.size(); ++i) {
    const auto& in = trial_.inputs[i];
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
  entry.verdict = trial_.verdict;
  entry.reshards = trial_.reshards;
  if (hasResult) entry.output = pool_.intern(config.output);
  entry.operands.reserve(trial_.reads.size());
  for (size_t i = 0; i < trial_.reads.size(); ++i) {
    int32_t source = work_.sourceOf[i];
    bool hasBeam = source >= 0 && work_.sources[static_cast<size_t>(source)].beam;
    entry.operands.push_back({hasBeam ? combination.slots[static_cast<size_t>(source)] : -1, trial_.expected[i], trial_.reads[i]});
  }
  PathScore& score = entry.score;
  score = combination.history;
  score.reshards += trial_.reshards * PathScore::kShare;
  score.isL1 = hasResult && config.output.isL1();
  score.isSharded = hasResult && config.output.sharded();
  score.requiresReshard = trial_.reshards > 0;
  score.inputDramBytes = inputDramBytes();
  score.coreCount = hasResult ? config.output.grid.volume() : 0;
  score.outputL1Usage = trial_.verdict.constraints.outputL1BufferSize.count;
  if (work_.book && work_.book->adjust == ScoreAdjustment::RmsNorm && !trial_.inputs.empty() && trial_.inputs[0]) {
    if (trial_.inputs[0]->sharded()) {
      score.coreCount = trial_.inputs[0]->grid.volume();
      score.requiresReshard = false;
    } else {
      auto tiles = physicalShape(problem_.tensor(o.operands[0]).shape, PageLayout::Tile);
      score.coreCount = tiles.ok() ? tiles->rows : 1;
    }
  }
  if (hasResult) work_.mostCores = std::max(work_.mostCores, ownCores(config.output));
  if (options_.score == BeamScore::Time) {
    OpTime time = problem_.model.getOpRuntime({problem_.graph, work_.op, trial_.inputs, config, Bytes(0)});
    score.time = addSaturated(score.time, addSaturated(time.total().count, trial_.reshardTime));
    if (hasResult && config.output.isL1() && onlyReturned(o.results[0])) {
      LayoutId dram = pool_.intern(dramLayout(problem_, o.results[0]));
      score.time = addSaturated(score.time, reshards_.of(o.results[0], entry.output, dram).nanoseconds);
    }
  }
  work_.found.push_back(std::move(entry));
}

// Nothing is legal: DRAM, as it is. The run will say what fails.
void ForwardPass::addFallback(OpBeam& beam) {
  beam.usedDramFallback = true;
  OpConfig config = defaultConfig(problem_, work_.op);
  startTrial(work_.combinations[0]);
  legalize(config, true);
  keep(config, work_.combinations[0]);
}

void ForwardPass::select(OpBeam& beam) {
  std::vector<BeamEntry>& found = work_.found;
  BeamScore kind = options_.score;
  for (BeamEntry& entry : found) {
    if (entry.output == kNoLayout) continue;
    int64_t own = ownCores(entry.config.output);
    if (own < work_.mostCores) entry.score.minCores = std::min(entry.score.minCores, static_cast<int32_t>(own));
  }
  std::vector<int32_t> order(found.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int32_t>(i);
  auto at = [&](int32_t i) -> BeamEntry& { return found[static_cast<size_t>(i)]; };
  stableSort(order, [&](int32_t a, int32_t b) { return isMoreLikely(at(a), at(b), kind); });
  auto width = static_cast<size_t>(std::max(options_.beamWidth, 1));
  for (int32_t i : order) {
    if (beam.entries.size() >= width) break;
    // Two ways to the same layout: the better one, unless the other has fewer reshards behind a narrower op. The compiler keeps both.
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
