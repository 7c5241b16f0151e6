#include "core/policy/propagate/graph_spills.h"

#include <algorithm>

#include "core/policy/kit/operand_repair.h"
#include "core/policy/kit/plan_time.h"

namespace tessera {

GraphSpills::GraphSpills(const Problem& problem, const PropagateOptions& options, Propagation& pass1, MoveTime& moves)
    : problem_(problem), options_(options), pass1_(pass1), moves_(moves) {
  const Graph& graph = problem.graph;
  fallbacks_ = {{ResultLocation::AllDram},
                {ResultLocation::Dram, ResultLocation::AllDram},
                {ResultLocation::L1Interleaved, ResultLocation::Dram, ResultLocation::AllDram}};
  tensors_.resize(graph.values.size());
  made_.assign(graph.values.size(), kNoLayout);
  auto count = static_cast<size_t>(std::max(steps(), 0));
  reads_.resize(count);
  makes_.resize(count);
  chosen_.resize(count);
  plannedTime_.assign(count, -1);
  fallbacksOf_.assign(count, 0);
  for (ValueId value : graph.values.ids()) {
    if (graph.values[value].func != graph.forward || !problem.isTensor(value)) continue;
    SpillTensorInfo& info = tensors_[static_cast<size_t>(value.index)];
    info.def = problem.live[value].def;
    info.lifetimeEnd = problem.live[value].lastUse;
    info.lastUse = info.def;
    for (const Use& use : problem.uses[value]) {
      if (problem.schedule.position[use.op] < steps())
        info.lastUse = std::max(info.lastUse, problem.schedule.position[use.op]);
    }
    info.evictable = info.def >= 0;
    if (info.def < 0) made_[static_cast<size_t>(value.index)] = pass1.layout[value];
  }
  for (int32_t step = 0; step < steps(); ++step) {
    const Op& op = graph.ops[opAt(step)];
    auto at = static_cast<size_t>(step);
    for (ValueId operand : op.operands) {
      bool known = std::find(reads_[at].begin(), reads_[at].end(), operand.index) != reads_[at].end();
      if (problem.isTensor(operand) && !known) reads_[at].push_back(operand.index);
    }
    for (ValueId result : op.results) {
      if (problem.isTensor(result)) makes_[at].push_back(result.index);
    }
    bool inL1 = mayMove(opAt(step)) && pass1.config[opAt(step)].output.isL1();
    bool interleaved = inL1 && pass1.config[opAt(step)].output.sharded() && !options.ruleBooks;
    fallbacksOf_[at] = interleaved ? 2 : (inL1 ? 1 : 0);
  }
}

SpillSettings GraphSpills::settings() const {
  const DeviceSpec& device = problem_.device;
  SpillSettings settings;
  settings.begin = device.l1UnreservedBase.count;
  settings.end = device.l1Size.count - device.l1Small.count;
  settings.granule = device.dramAlignment;
  settings.cushion = (settings.end - settings.begin) * options_.cushionPermille / 1000;
  settings.victim = options_.victim;
  settings.late = options_.lateSpill;
  settings.copyBack = options_.ruleBooks;
  settings.selfMayLeave = !options_.ruleBooks;
  return settings;
}

bool GraphSpills::isReturned(ValueId value) const { return problem_.live[value].lastUse == steps(); }

// Whether the result may go elsewhere than pass 1 put it: neither the program nor the user has fixed it.
bool GraphSpills::mayMove(OpId op) const {
  const Op& o = problem_.graph.ops[op];
  if (o.results.empty() || !problem_.isTensor(o.results[0]) || isPinned(problem_, op)) return false;
  return findOverride(problem_.options.layoutOverrides, problem_.graph, op) == nullptr;
}

int64_t GraphSpills::plannedBytes(SpillTensor tensor) const {
  LayoutId id = pass1_.layout[valueOf(tensor)];
  return id == kNoLayout ? 0 : l1BytesPerCore(pass1_.pool[id]).count;
}

int64_t GraphSpills::initialBytes(SpillTensor tensor) const {
  LayoutId id = made_[static_cast<size_t>(tensor)];
  if (tensors_[static_cast<size_t>(tensor)].def >= 0 || id == kNoLayout || !pass1_.pool[id].isL1()) return -1;
  return l1BytesPerCore(pass1_.pool[id]).count;
}

LayoutId GraphSpills::layoutAt(ValueId value, Residency residency) const {
  LayoutId made = made_[static_cast<size_t>(value.index)];
  bool left = residency != Residency::InL1 && pass1_.pool[made].isL1();
  return left ? pass1_.pool.intern(dramLayout(problem_, value)) : made;
}

OpConfig GraphSpills::configFor(OpId op, ResultLocation location) const {
  OpConfig config = keepSharedActivation(problem_, op, pass1_.config[op]);
  if (location == ResultLocation::Planned || !mayMove(op) || !config.output.isL1()) return config;
  ValueId result = problem_.graph.ops[op].results[0];
  config.output =
      location == ResultLocation::L1Interleaved ? l1InterleavedLayout(problem_, result) : dramLayout(problem_, result);
  if (std::holds_alternative<MatmulAttrs>(config.attrs))
    config.attrs = std::monostate();  // a program for a sharded result
  return config;
}

// --- asking ----------------------------------------------------------------------------------------------------------

Layouts GraphSpills::layoutsOf(const std::vector<LayoutId>& ids) const {
  Layouts layouts(ids.size());
  for (size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] != kNoLayout) layouts[i] = pass1_.pool[ids[i]];
  }
  return layouts;
}

// An operand that is not where pass 1 saw it is read where it is, if the op can; then from a copy where pass 1 had it;
// then from a copy that repairs the refusal.
void GraphSpills::legalize(OpId op, ResultLocation location, Bytes live) {
  OperandRepair repair(problem_, op, location == ResultLocation::AllDram);
  for (size_t i = 0; i < asked_.now.size(); ++i) {
    const bool displaced = asked_.now[i] != pass1_.layout[problem_.graph.ops[op].operands[i]];
    const LayoutId wanted = pass1_.reads[op][i];
    if (displaced && location == ResultLocation::Planned && wanted != kNoLayout) repair.prefer(i, pass1_.pool[wanted]);
  }
  now_ = layoutsOf(asked_.now);
  inputs_ = layoutsOf(asked_.reads);
  const auto validate = [&] { return validateInL1(problem_, op, now_, inputs_, asked_.config, live); };
  asked_.verdict = validate();
  while (auto conversion = repair.next(asked_.verdict, asked_.config.output, inputs_)) {
    for (; conversion; conversion = repair.again(inputs_)) {
      inputs_[conversion->operand] = conversion->to;
      asked_.reads[conversion->operand] = pass1_.pool.intern(conversion->to);
    }
    asked_.verdict = validate();
  }
}

// Every operand is read where it is; where pass 1 had it, as pass 1 reads it.
void GraphSpills::findOperands(OpId op, ResultLocation location, const std::vector<Residency>& residency) {
  const auto& operands = problem_.graph.ops[op].operands;
  asked_.now.assign(operands.size(), kNoLayout);
  asked_.reads.assign(operands.size(), kNoLayout);
  for (size_t i = 0; i < operands.size(); ++i) {
    if (!problem_.isTensor(operands[i])) continue;
    const Residency at = residency[static_cast<size_t>(operands[i].index)];
    const LayoutId now = layoutAt(operands[i], at);
    const bool displaced = now != pass1_.layout[operands[i]] && at != Residency::CopiedBack;
    asked_.now[i] = now;
    asked_.reads[i] = displaced || location != ResultLocation::Planned ? now : pass1_.reads[op][i];
    if (location == ResultLocation::AllDram && pass1_.pool[now].isL1())
      asked_.reads[i] = pass1_.pool.intern(dramLayout(problem_, operands[i]));
  }
}

SpillAnswer GraphSpills::ask(int32_t step, ResultLocation location, const std::vector<Residency>& residency,
                             Bytes live) {
  const OpId op = opAt(step);
  const Op& o = problem_.graph.ops[op];
  asked_.config = configFor(op, location);
  findOperands(op, location, residency);
  legalize(op, location, live);
  // The result lies where the backend puts it.
  if (asked_.verdict.ok() && mayMove(op)) asked_.config.output = asked_.verdict.output;
  SpillAnswer answer{.status = asked_.verdict.status,
                     .reason = asked_.verdict.reason,
                     .moves = {},
                     .result = {},
                     .circularBuffers = asked_.verdict.constraints.cbRegionSize,
                     .needed = asked_.verdict.needed,
                     .available = asked_.verdict.available};
  const bool unknown = options_.ruleBooks && opInfo(o.kind).family == Family::Opaque;
  if (unknown && answer.status == OpStatus::Success) answer.status = OpStatus::NotImplemented;
  asked_.made = kNoLayout;
  Layouts results(o.results.size());  // of the first alone: only that is decided
  if (!makes_[static_cast<size_t>(step)].empty()) {
    const ValueId result = valueOf(makes_[static_cast<size_t>(step)][0]);
    const bool decided = result == o.results[0] && !problem_.pinned[result];
    asked_.made = decided ? pass1_.pool.intern(asked_.config.output) : pass1_.layout[result];
    const auto at = std::find(o.results.begin(), o.results.end(), result) - o.results.begin();
    results[static_cast<size_t>(at)] = pass1_.pool[asked_.made];
    answer.result = l1BytesPerCore(pass1_.pool[asked_.made]);
  }
  answer.moves = movesOf(problem_, op, now_, inputs_, asked_.config, results);
  return answer;
}

void GraphSpills::commit(int32_t step) {
  const auto& makes = makes_[static_cast<size_t>(step)];
  for (size_t i = 0; i < makes.size(); ++i)
    made_[static_cast<size_t>(makes[i])] = i == 0 ? asked_.made : pass1_.layout[valueOf(makes[i])];
  chosen_[static_cast<size_t>(step)] = asked_;
}

// --- costs -----------------------------------------------------------------------------------------------------------

int32_t GraphSpills::nextUse(SpillTensor tensor, int32_t step) const {
  return std::min(tessera::nextUse(problem_, valueOf(tensor), step), steps());
}

// Out once (unless it is returned from DRAM anyway), in once for every reader to come: size- and access-aware
// (docs/rules/pass-generation.md#optimal-spilling).
int64_t GraphSpills::evictionCost(SpillTensor tensor, int32_t step) const {
  ValueId value = valueOf(tensor);
  LayoutId made =
      made_[static_cast<size_t>(tensor)] == kNoLayout ? pass1_.layout[value] : made_[static_cast<size_t>(tensor)];
  if (made == kNoLayout) return 0;
  LayoutId dram = pass1_.pool.intern(dramLayout(problem_, value));
  int64_t readers = 0;
  for (const Use& use : problem_.uses[value]) {
    int32_t at = problem_.schedule.position[use.op];
    readers += at >= step && at < steps();
  }
  int64_t out = isReturned(value) ? 0 : moves_.bounded(value, made, dram);
  return addSaturated(out, mulSaturated(readers, moves_.bounded(value, dram, made)));
}

std::vector<Residency> GraphSpills::asPlanned() {
  std::vector<Residency> residency(tensors_.size(), Residency::InDram);
  for (size_t t = 0; t < tensors_.size(); ++t) {
    const LayoutId planned = pass1_.layout[valueOf(static_cast<SpillTensor>(t))];
    made_[t] = planned;
    if (planned != kNoLayout && pass1_.pool[planned].isL1()) residency[t] = Residency::InL1;
  }
  return residency;
}

bool GraphSpills::mayStartInDram(SpillTensor tensor) const {
  return tensors_[static_cast<size_t>(tensor)].def >= 0 && mayMove(problem_.graph.values[valueOf(tensor)].producer);
}

// The cost function of spilling, for every search: what the device takes longer. A step is charged as the simulator
// charges it: the op where its operands and its result are, and the moves in front of it.
int64_t GraphSpills::stepTime(int32_t step, ResultLocation location, const std::vector<Residency>& residency) {
  const SpillAnswer answer = ask(step, location, residency, Bytes(0));
  int64_t time = answer.status == OpStatus::Success ? 0 : int64_t{1} << 40;
  const OpId op = opAt(step);
  const auto& operands = problem_.graph.ops[op].operands;
  for (size_t i = 0; i < operands.size(); ++i) {
    if (asked_.now[i] != asked_.reads[i])
      time = addSaturated(time, moves_.bounded(operands[i], asked_.now[i], asked_.reads[i]));
  }
  const Cost own = moves_.ofOp({problem_.graph, op, inputs_, asked_.config, Bytes(0)});
  return addSaturated(time, std::min(own, Cost{1} << 40));
}

int64_t GraphSpills::plannedTime(int32_t step, const std::vector<Residency>& residency) {
  int64_t& time = plannedTime_[static_cast<size_t>(step)];
  if (time < 0) time = stepTime(step, ResultLocation::Planned, residency);
  return time;
}

int64_t GraphSpills::readDelta(SpillTensor tensor, int32_t step, std::vector<Residency>& residency) {
  const int64_t planned = plannedTime(step, residency);
  residency[static_cast<size_t>(tensor)] = Residency::InDram;
  const int64_t away = stepTime(step, ResultLocation::Planned, residency);
  residency[static_cast<size_t>(tensor)] = Residency::InL1;
  return away - planned;
}

// A result that is returned goes to DRAM in the end, wherever it is made.
int64_t GraphSpills::startDelta(SpillTensor tensor, const std::vector<Residency>& residency) {
  if (!mayStartInDram(tensor)) return 0;
  const ValueId value = valueOf(tensor);
  const int32_t def = tensors_[static_cast<size_t>(tensor)].def;
  const int64_t planned = plannedTime(def, residency);
  int64_t delta = stepTime(def, ResultLocation::Dram, residency) - planned;
  const LayoutId dram = pass1_.pool.intern(dramLayout(problem_, value));
  if (isReturned(value)) delta -= moves_.bounded(value, pass1_.layout[value], dram);
  return delta;
}

// As a value of the spilling problem: its readers before the return, and what each saves by finding it in L1.
SpillValue GraphSpills::valueToKeep(SpillTensor tensor, std::vector<Residency>& residency) {
  constexpr int64_t kMostCost = int64_t{1} << 40;
  const ValueId value = valueOf(tensor);
  const LayoutId planned = pass1_.layout[value], dram = pass1_.pool.intern(dramLayout(problem_, value));
  SpillValue out{.size = plannedBytes(tensor),
                 .def = tensors_[static_cast<size_t>(tensor)].def,
                 .uses = {},
                 .storeCost = 0,
                 .reloadCosts = {}};
  // Away at all: it leaves after it was made, or is made in DRAM, whichever is cheaper.
  const int64_t store = isReturned(value) ? 0 : moves_.bounded(value, planned, dram);
  const int64_t start = mayStartInDram(tensor) ? startDelta(tensor, residency) : store;
  out.storeCost = std::clamp<int64_t>(std::min(store, start), 0, kMostCost);
  for (const Use& use : problem_.uses[value]) {
    const int32_t step = problem_.schedule.position[use.op];
    // Uses come in the order of the program, which need not be that of the schedule.
    const auto at = std::lower_bound(out.uses.begin(), out.uses.end(), step);
    if (step >= steps() || (at != out.uses.end() && *at == step)) continue;
    const int64_t more = readDelta(tensor, step, residency);
    out.reloadCosts.insert(out.reloadCosts.begin() + (at - out.uses.begin()), std::clamp<int64_t>(more, 0, kMostCost));
    out.uses.insert(at, step);
  }
  return out;
}

SpillDecision GraphSpills::spillProblem() {
  SpillDecision out;
  std::vector<Residency> residency = asPlanned();
  int64_t budget = problem_.budget.pinned().count;
  for (SpillTensor t = 0; t < static_cast<SpillTensor>(tensors_.size()); ++t) {
    if (residency[static_cast<size_t>(t)] != Residency::InL1) continue;
    if (!tensors_[static_cast<size_t>(t)].evictable) {
      budget -= plannedBytes(t);
      continue;
    }
    SpillValue value = valueToKeep(t, residency);
    if (value.uses.empty()) continue;
    out.problem.values.push_back(std::move(value));
    out.tensors.push_back(t);
  }
  out.problem.steps = steps();
  for (int32_t step = 0; step < steps(); ++step) {
    const SpillAnswer answer = ask(step, ResultLocation::Planned, residency, Bytes(0));
    int64_t own = answer.circularBuffers.count;
    for (const L1Move& move : answer.moves) own = addSaturated(own, move.allocate.count);
    for (SpillTensor read : reads(step)) {
      if (residency[static_cast<size_t>(read)] == Residency::InL1 && tensors_[static_cast<size_t>(read)].evictable)
        own = addSaturated(own, plannedBytes(read));
    }
    out.problem.capacity.push_back(std::max<int64_t>(budget - own, 0));
  }
  return out;
}

SpillSearchProblem GraphSpills::searchProblem() {
  SpillSearchProblem out;
  out.budget = problem_.budget.pinned().count;
  out.tensors.resize(tensors_.size());
  std::vector<Residency> residency = asPlanned();
  for (size_t t = 0; t < tensors_.size(); ++t) {
    ValueId value = valueOf(static_cast<SpillTensor>(t));
    LayoutId planned = pass1_.layout[value];
    if (residency[t] != Residency::InL1) continue;
    SpillSearchTensor& tensor = out.tensors[t];
    tensor.def = tensors_[t].def;
    tensor.lastUse = std::max(tensors_[t].lastUse, 0);
    tensor.bytes = plannedBytes(static_cast<SpillTensor>(t));
    LayoutId dram = pass1_.pool.intern(dramLayout(problem_, value));
    tensor.writeCost = isReturned(value) ? 0 : moves_.bounded(value, planned, dram);
    tensor.evictable = tensors_[t].evictable;
    tensor.mayStartInDram = mayStartInDram(static_cast<SpillTensor>(t));
    tensor.startCost = startDelta(static_cast<SpillTensor>(t), residency);
  }
  for (int32_t step = 0; step < steps(); ++step) {
    const SpillAnswer answer = ask(step, ResultLocation::Planned, residency, Bytes(0));
    SpillSearchStep asked{answer.circularBuffers.count, reads(step), {}, makes(step)};
    for (const L1Move& move : answer.moves) {
      if (move.tensor < 0) asked.others += move.allocate.count;
    }
    for (SpillTensor read : asked.reads) {
      const bool inL1 = residency[static_cast<size_t>(read)] == Residency::InL1;
      asked.readCosts.push_back(inL1 ? readDelta(read, step, residency) : 0);
    }
    out.steps.push_back(std::move(asked));
  }
  return out;
}

int64_t GraphSpills::lateGain(SpillTensor victim, int32_t evictedAt) {
  ValueId value = valueOf(victim);
  TensorLayout dram = dramLayout(problem_, value);
  int64_t gain = 0;
  for (const Use& use : problem_.uses[value]) {
    int32_t step = problem_.schedule.position[use.op];
    if (step >= evictedAt || step >= steps()) continue;
    const Choice& choice = chosen_[static_cast<size_t>(step)];
    Layouts inputs = layoutsOf(choice.reads);
    auto operand = static_cast<size_t>(use.operand);
    bool direct = choice.reads[operand] == choice.now[operand];
    int64_t as = problem_.model.getOpRuntime({problem_.graph, use.op, inputs, choice.config, Bytes(0)}).total().count;
    inputs[operand] = dram;
    if (direct &&
        problem_.model.validateOperation({problem_.graph, use.op, inputs, choice.config, Bytes(0)}, problem_.budget)
            .ok()) {
      gain += problem_.model.getOpRuntime({problem_.graph, use.op, inputs, choice.config, Bytes(0)}).total().count - as;
    } else if (choice.reads[operand] != kNoLayout) {
      LayoutId from = pass1_.pool.intern(dram);
      gain += moves_.bounded(value, from, choice.reads[operand]) -
              moves_.bounded(value, choice.now[operand], choice.reads[operand]);
    }
  }
  return gain;
}

Cost GraphSpills::timeOf(const SpillOutcome& outcome) const {
  const Cost time = planTime(problem_, plan(outcome), moves_);
  return outcome.failed.empty() ? time : addCost(time, Cost{1} << 40);
}

SpillOutcome GraphSpills::withoutPressure() {
  const std::vector<Residency> residency(tensors_.size(), Residency::InL1);
  for (int32_t step = 0; step < steps(); ++step) {
    ask(step, ResultLocation::Planned, residency, Bytes(0));
    commit(step);
  }
  SpillOutcome outcome;
  outcome.evictedAt.assign(tensors_.size(), -1);
  outcome.location.assign(static_cast<size_t>(std::max(steps(), 0)), ResultLocation::Planned);
  return outcome;
}

// --- the plan --------------------------------------------------------------------------------------------------------

Plan GraphSpills::plan(const SpillOutcome& outcome) const {
  const Graph& graph = problem_.graph;
  Plan plan;
  plan.order = problem_.schedule.order;
  plan.layout.resize(graph.values.size());
  plan.config.resize(graph.ops.size());
  std::vector<std::vector<Spill>> before(plan.order.size());
  std::vector<std::vector<SpillAbsence>> absences(tensors_.size());
  for (const SpillAbsence& absence : outcome.absences) absences[static_cast<size_t>(absence.tensor)].push_back(absence);
  for (ValueId value : graph.values.ids()) {
    LayoutId made = made_[static_cast<size_t>(value.index)];
    if (made == kNoLayout) continue;
    plan.layout[value] = pass1_.pool[made];
    if (!pass1_.pool[made].isL1()) continue;
    for (const SpillAbsence& absence : absences[static_cast<size_t>(value.index)]) {
      const auto from = static_cast<size_t>(absence.from), until = static_cast<size_t>(absence.until);
      before[from].push_back({value, plan.order[from], dramLayout(problem_, value), SpillCause::Memory});
      before[until].push_back({value, plan.order[until], pass1_.pool[made], SpillCause::Shared});
    }
    const SpillTensorInfo& info = tensors_[static_cast<size_t>(value.index)];
    int32_t evicted = outcome.evictedAt[static_cast<size_t>(value.index)];
    bool needed = evicted >= 0 && (info.lastUse >= evicted || isReturned(value));
    // What is returned from L1 leaves it after its last reader: nobody else wants it there.
    int32_t returned = isReturned(value) ? (info.def < 0 ? steps() : info.lastUse + 1) : -1;
    bool early = needed && (returned < 0 || evicted < returned);
    int32_t step = early ? evicted : returned;
    if (step < 0) continue;
    OpId op = plan.order[static_cast<size_t>(step)];
    before[static_cast<size_t>(step)].push_back(
        {value, op, dramLayout(problem_, value), early ? SpillCause::Memory : SpillCause::FunctionReturn});
  }
  for (const auto& spills : before) plan.spills.insert(plan.spills.end(), spills.begin(), spills.end());
  for (int32_t step = 0; step < steps(); ++step) {
    const Choice& choice = chosen_[static_cast<size_t>(step)];
    OpId op = opAt(step);
    plan.config[op] = choice.config;
    for (size_t i = 0; i < choice.reads.size(); ++i) {
      if (choice.reads[i] != choice.now[i])
        plan.reshards.push_back({op, static_cast<int32_t>(i), pass1_.pool[choice.reads[i]]});
    }
  }
  return plan;
}

}  // namespace tessera
