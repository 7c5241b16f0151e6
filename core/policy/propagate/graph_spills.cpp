#include "core/policy/propagate/graph_spills.h"

#include <algorithm>

#include "core/ops/op_memory.h"
#include "core/policy/legalize.h"
#include "core/policy/placement.h"

namespace tessera {

GraphSpills::GraphSpills(const Problem& problem, const PropagateOptions& options, Propagation& pass1, ReshardCost& reshards)
    : problem_(problem), options_(options), pass1_(pass1), reshards_(reshards) {
  const Graph& graph = problem.graph;
  ladders_ = {{ResultPlace::AllDram},
              {ResultPlace::Dram, ResultPlace::AllDram},
              {ResultPlace::L1Interleaved, ResultPlace::Dram, ResultPlace::AllDram}};
  tensors_.resize(graph.values.size());
  made_.assign(graph.values.size(), kNoLayout);
  auto count = static_cast<size_t>(std::max(steps(), 0));
  reads_.resize(count);
  makes_.resize(count);
  chosen_.resize(count);
  ladderOf_.assign(count, 0);
  for (ValueId value : graph.values.ids()) {
    if (graph.values[value].func != graph.forward || !problem.isTensor(value)) continue;
    SpillTensorInfo& info = tensors_[static_cast<size_t>(value.index)];
    info.def = problem.live[value].def;
    info.lifetimeEnd = problem.live[value].lastUse;
    info.lastUse = info.def;
    for (const Use& use : problem.uses[value]) {
      if (problem.schedule.position[use.op] < steps()) info.lastUse = std::max(info.lastUse, problem.schedule.position[use.op]);
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
    ladderOf_[at] = interleaved ? 2 : (inL1 ? 1 : 0);
  }
}

SpillSettings GraphSpills::settings() const {
  const DeviceSpec& device = problem_.device;
  SpillSettings settings;
  settings.begin = device.l1UnreservedBase.count;
  settings.end = device.l1Size.count - device.l1Small.count;
  settings.granule = device.dramAlignment;
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

LayoutId GraphSpills::layoutAt(ValueId value, TensorHome home) const {
  LayoutId made = made_[static_cast<size_t>(value.index)];
  bool left = home != TensorHome::InL1 && pass1_.pool[made].isL1();
  return left ? pass1_.pool.intern(dramLayout(problem_, value)) : made;
}

namespace {

// A convolution may free its input only when nobody else reads it (seed 001, fork handling).
void keepForkedInput(const Problem& problem, OpId op, OpConfig& config) {
  auto* attrs = std::get_if<Conv2dAttrs>(&config.attrs);
  const Op& o = problem.graph.ops[op];
  if (!attrs || o.operands.empty()) return;
  bool lastReader = problem.live[o.operands[0]].lastUse == problem.schedule.position[op];
  bool isArgument = !problem.graph.values[o.operands[0]].producer.valid();
  if (attrs->deallocateActivation.value_or(false) && (!lastReader || isArgument)) attrs->deallocateActivation = false;
}

}  // namespace

OpConfig GraphSpills::configFor(OpId op, ResultPlace place) const {
  OpConfig config = pass1_.config[op];
  keepForkedInput(problem_, op, config);
  if (place == ResultPlace::Planned || !mayMove(op) || !config.output.isL1()) return config;
  ValueId result = problem_.graph.ops[op].results[0];
  config.output = place == ResultPlace::L1Interleaved ? l1InterleavedLayout(problem_, result) : dramLayout(problem_, result);
  if (std::holds_alternative<MatmulAttrs>(config.attrs)) config.attrs = std::monostate();  // a program for a sharded result
  return config;
}

// --- asking ----------------------------------------------------------------------------------------------------------

void GraphSpills::validate(OpId op, int64_t live) {
  const auto& operands = problem_.graph.ops[op].operands;
  inputs_.assign(operands.size(), std::nullopt);
  for (size_t i = 0; i < operands.size(); ++i) {
    if (asked_.reads[i] == kNoLayout) continue;
    inputs_[i] = pass1_.pool[asked_.reads[i]];
    if (asked_.reads[i] != asked_.now[i]) live += l1BytesPerCore(*inputs_[i]).count;
  }
  asked_.verdict = problem_.model.validateOperation({problem_.graph, op, inputs_, asked_.config, Bytes(live)});
}

// An operand that is not where pass 1 saw it is read where it is, if the op can; then from a copy where pass 1 had it; then from
// whatever copy cures the refusal. Each operand goes at most two steps, so this ends.
void GraphSpills::legalize(OpId op, ResultPlace place, const std::vector<bool>& displaced, int64_t live) {
  const auto& operands = problem_.graph.ops[op].operands;
  std::vector<int> tries(operands.size(), 0);
  validate(op, live);
  while (!asked_.verdict.ok() && asked_.verdict.operand >= 0) {
    auto i = static_cast<size_t>(asked_.verdict.operand);
    if (i >= operands.size() || asked_.reads[i] == kNoLayout) return;
    LayoutId wanted = pass1_.reads[op][i];
    if (tries[i] == 0 && displaced[i] && place == ResultPlace::Planned && wanted != asked_.reads[i]) {
      asked_.reads[i] = wanted;
    } else if (tries[i] < 2) {
      auto to = cureOperand(problem_, asked_.verdict.reason, asked_.config.output, operands[i], pass1_.pool[asked_.reads[i]]);
      if (!to) return;
      if (place == ResultPlace::AllDram && !to->sharded()) to = dramLayout(problem_, operands[i]);
      LayoutId id = pass1_.pool.intern(*to);
      if (id == asked_.reads[i]) return;
      asked_.reads[i] = id;
      tries[i] = 1;
    } else {
      return;
    }
    ++tries[i];
    validate(op, live);
  }
}

SpillAnswer GraphSpills::ask(int32_t step, ResultPlace place, const std::vector<TensorHome>& home, int64_t live) {
  OpId op = opAt(step);
  const Op& o = problem_.graph.ops[op];
  SpillAnswer answer;
  asked_.config = configFor(op, place);
  asked_.now.assign(o.operands.size(), kNoLayout);
  asked_.reads.assign(o.operands.size(), kNoLayout);
  std::vector<bool> displaced(o.operands.size(), false);
  for (size_t i = 0; i < o.operands.size(); ++i) {
    if (!problem_.isTensor(o.operands[i])) continue;
    TensorHome at = home[static_cast<size_t>(o.operands[i].index)];
    LayoutId now = layoutAt(o.operands[i], at);
    displaced[i] = now != pass1_.layout[o.operands[i]];
    asked_.now[i] = now;
    asked_.reads[i] = displaced[i] || place != ResultPlace::Planned ? now : pass1_.reads[op][i];
    if (at == TensorHome::CopiedBack && place == ResultPlace::Planned) asked_.reads[i] = pass1_.reads[op][i];
    bool away = place == ResultPlace::AllDram && pass1_.pool[now].isL1();
    if (away) asked_.reads[i] = pass1_.pool.intern(dramLayout(problem_, o.operands[i]));
  }
  legalize(op, place, displaced, live);
  // The result lies where the backend puts it.
  if (asked_.verdict.ok() && mayMove(op)) asked_.config.output = asked_.verdict.output;
  answer.status = asked_.verdict.status;
  answer.reason = asked_.verdict.reason;
  bool unknown = options_.ruleBooks && opInfo(o.kind).family == Family::Opaque;
  if (unknown && answer.status == OpStatus::Success) answer.status = OpStatus::NotImplemented;
  asked_.made = kNoLayout;
  if (!makes_[static_cast<size_t>(step)].empty()) {
    ValueId result = valueOf(makes_[static_cast<size_t>(step)][0]);
    bool first = result == o.results[0] && !problem_.pinned[result];
    asked_.made = first ? pass1_.pool.intern(asked_.config.output) : pass1_.layout[result];
    answer.resultBytes = l1BytesPerCore(pass1_.pool[asked_.made]).count;
    if (answer.resultBytes > 0) answer.leaveBuffers = layoutCopyBuffers(pass1_.pool[asked_.made], dramLayout(problem_, result), problem_.tensor(result).shape).count;
  }
  answer.circularBuffers = asked_.verdict.constraints.cbRegionSize.count;
  describeMoves(step, answer);
  return answer;
}

// Read here for the last time. What is returned leaves right after, by a copy of its own.
bool GraphSpills::diesAt(int32_t step, ValueId value) const {
  const SpillTensorInfo& info = tensors_[static_cast<size_t>(value.index)];
  return info.def >= 0 && info.lastUse <= step && !isReturned(value);
}

// The operand is read for the last time when its copy is made, before the op itself runs.
bool GraphSpills::diesAtCopy(int32_t step, size_t operand) const {
  const auto& operands = problem_.graph.ops[opAt(step)].operands;
  if (!diesAt(step, operands[operand])) return false;
  for (size_t i = 0; i < operands.size(); ++i) {
    if (operands[i] == operands[operand] && (asked_.reads[i] == asked_.now[i] || i > operand)) return false;
  }
  return true;
}

// In the order in which the runtime will do it: copies of operands, what the op makes for itself, the operand it frees early, its
// result; a view is its operand's buffer.
void GraphSpills::describeMoves(int32_t step, SpillAnswer& answer) const {
  const auto& operands = problem_.graph.ops[opAt(step)].operands;
  std::vector<int32_t> copyOf(operands.size(), -1);
  for (size_t i = 0; i < operands.size(); ++i) {
    if (asked_.reads[i] == asked_.now[i]) continue;
    const TensorLayout &from = pass1_.pool[asked_.now[i]], &to = pass1_.pool[asked_.reads[i]];
    SpillMove copy;
    copy.bytes = l1BytesPerCore(to).count;
    if (from.isL1() && diesAtCopy(step, i)) copy.freedAfter = operands[i].index;
    copy.circularBuffers = layoutCopyBuffers(from, to, problem_.tensor(operands[i]).shape).count;
    copyOf[i] = static_cast<int32_t>(answer.moves.size());
    answer.moves.push_back(copy);
  }
  OpMemory does = opMemory({problem_.graph, opAt(step), inputs_, asked_.config, Bytes(0)}, problem_.model);
  for (const OpIntermediate& intermediate : does.intermediates) {
    if (intermediate.buffer == BufferType::L1) answer.moves.push_back({.bytes = intermediate.bytes.count});
  }
  if (does.freedOperand >= 0) {
    auto i = static_cast<size_t>(does.freedOperand);
    SpillMove freed;
    freed.freedMove = copyOf[i];
    bool inL1 = asked_.now[i] != kNoLayout && pass1_.pool[asked_.now[i]].isL1();
    if (copyOf[i] < 0 && inL1 && diesAt(step, operands[i])) freed.freedAfter = operands[i].index;
    answer.moves.push_back(freed);
  }
  if (answer.resultBytes <= 0) return;
  if (does.aliasOf < 0) return answer.addResult(answer.resultBytes);
  auto i = static_cast<size_t>(does.aliasOf);
  answer.resultMove = copyOf[i];
  if (copyOf[i] < 0) answer.aliasOf = operands[i].index;
}

void GraphSpills::commit(int32_t step) {
  const auto& makes = makes_[static_cast<size_t>(step)];
  for (size_t i = 0; i < makes.size(); ++i) made_[static_cast<size_t>(makes[i])] = i == 0 ? asked_.made : pass1_.layout[valueOf(makes[i])];
  chosen_[static_cast<size_t>(step)] = asked_;
}

// --- costs -----------------------------------------------------------------------------------------------------------

int32_t GraphSpills::nextUse(SpillTensor tensor, int32_t step) const {
  int32_t next = steps();
  for (const Use& use : problem_.uses[valueOf(tensor)]) {
    int32_t at = problem_.schedule.position[use.op];
    if (at >= step) next = std::min(next, at);
  }
  return next;
}

// Out once (unless it is returned from DRAM anyway), in once for every reader to come: size- and access-aware (seed 001).
int64_t GraphSpills::evictionCost(SpillTensor tensor, int32_t step) const {
  ValueId value = valueOf(tensor);
  LayoutId made = made_[static_cast<size_t>(tensor)] == kNoLayout ? pass1_.layout[value] : made_[static_cast<size_t>(tensor)];
  if (made == kNoLayout) return 0;
  LayoutId dram = pass1_.pool.intern(dramLayout(problem_, value));
  int64_t readers = 0;
  for (const Use& use : problem_.uses[value]) {
    int32_t at = problem_.schedule.position[use.op];
    readers += at >= step && at < steps();
  }
  int64_t out = isReturned(value) ? 0 : reshards_.of(value, made, dram).nanoseconds;
  return addSaturated(out, mulSaturated(readers, reshards_.of(value, dram, made).nanoseconds));
}

std::vector<TensorHome> GraphSpills::asPlanned() {
  std::vector<TensorHome> home(tensors_.size(), TensorHome::InDram);
  for (size_t t = 0; t < tensors_.size(); ++t) {
    const LayoutId planned = pass1_.layout[valueOf(static_cast<SpillTensor>(t))];
    made_[t] = planned;
    if (planned != kNoLayout && pass1_.pool[planned].isL1()) home[t] = TensorHome::InL1;
  }
  return home;
}

bool GraphSpills::mayStartInDram(SpillTensor tensor) const {
  return tensors_[static_cast<size_t>(tensor)].def >= 0 && mayMove(problem_.graph.values[valueOf(tensor)].producer);
}

// As a value of P2: its readers before the return, and what each saves by finding it in L1.
P2Value GraphSpills::valueToKeep(SpillTensor tensor) {
  constexpr int64_t kMostCost = int64_t{1} << 40;
  const ValueId value = valueOf(tensor);
  const LayoutId planned = pass1_.layout[value], dram = pass1_.pool.intern(dramLayout(problem_, value));
  P2Value out{.size = plannedBytes(tensor), .def = tensors_[static_cast<size_t>(tensor)].def, .uses = {}, .storeCost = 0, .reloadCosts = {}};
  if (!isReturned(value)) out.storeCost = std::min(reshards_.of(value, planned, dram).nanoseconds, kMostCost);
  for (const Use& use : problem_.uses[value]) {
    const int32_t step = problem_.schedule.position[use.op];
    // Uses come in the order of the program, which need not be that of the schedule.
    const auto place = std::lower_bound(out.uses.begin(), out.uses.end(), step);
    if (step >= steps() || (place != out.uses.end() && *place == step)) continue;
    const LayoutId read = pass1_.reads[use.op][static_cast<size_t>(use.operand)];
    const int64_t more = reshards_.of(value, dram, read).nanoseconds - reshards_.of(value, planned, read).nanoseconds;
    out.reloadCosts.insert(out.reloadCosts.begin() + (place - out.uses.begin()), std::clamp<int64_t>(more, 0, kMostCost));
    out.uses.insert(place, step);
  }
  return out;
}

SpillDecision GraphSpills::spillProblem() {
  SpillDecision out;
  const std::vector<TensorHome> home = asPlanned();
  int64_t budget = problem_.model.l1Budget().count;
  for (SpillTensor t = 0; t < static_cast<SpillTensor>(tensors_.size()); ++t) {
    if (home[static_cast<size_t>(t)] != TensorHome::InL1) continue;
    if (!tensors_[static_cast<size_t>(t)].evictable) {
      budget -= plannedBytes(t);
      continue;
    }
    P2Value value = valueToKeep(t);
    if (value.uses.empty()) continue;
    out.problem.values.push_back(std::move(value));
    out.tensors.push_back(t);
  }
  out.problem.steps = steps();
  for (int32_t step = 0; step < steps(); ++step) {
    const SpillAnswer answer = ask(step, ResultPlace::Planned, home, 0);
    int64_t own = answer.circularBuffers + (answer.resultMove < 0 ? answer.resultBytes : 0);
    for (const SpillMove& move : answer.moves) own = addSaturated(own, move.bytes);
    for (SpillTensor read : reads(step)) {
      if (home[static_cast<size_t>(read)] == TensorHome::InL1 && tensors_[static_cast<size_t>(read)].evictable) own = addSaturated(own, plannedBytes(read));
    }
    if (answer.aliasOf >= 0) own -= answer.resultBytes;  // the operand's buffer under another name
    out.problem.capacity.push_back(std::max<int64_t>(budget - own, 0));
  }
  return out;
}

SpillSearchProblem GraphSpills::searchProblem() {
  SpillSearchProblem out;
  out.budget = problem_.model.l1Budget().count;
  out.tensors.resize(tensors_.size());
  const std::vector<TensorHome> home = asPlanned();
  for (size_t t = 0; t < tensors_.size(); ++t) {
    ValueId value = valueOf(static_cast<SpillTensor>(t));
    LayoutId planned = pass1_.layout[value];
    if (home[t] != TensorHome::InL1) continue;
    SpillSearchTensor& tensor = out.tensors[t];
    tensor.def = tensors_[t].def;
    tensor.lastUse = std::max(tensors_[t].lastUse, 0);
    tensor.bytes = plannedBytes(static_cast<SpillTensor>(t));
    LayoutId dram = pass1_.pool.intern(dramLayout(problem_, value));
    tensor.writeCost = isReturned(value) ? 0 : reshards_.of(value, planned, dram).nanoseconds;
    tensor.readCost = reshards_.of(value, dram, planned).nanoseconds;
    tensor.evictable = tensors_[t].evictable;
    tensor.mayStartInDram = mayStartInDram(static_cast<SpillTensor>(t));
  }
  for (int32_t step = 0; step < steps(); ++step) {
    SpillAnswer answer = ask(step, ResultPlace::Planned, home, 0);
    SpillSearchStep out1{answer.circularBuffers, reads(step), makes(step)};
    for (const SpillMove& move : answer.moves) out1.others += move.bytes;
    if (answer.resultMove >= 0) out1.others -= answer.resultBytes;
    out.steps.push_back(std::move(out1));
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
    std::vector<std::optional<TensorLayout>> inputs(choice.reads.size());
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (choice.reads[i] != kNoLayout) inputs[i] = pass1_.pool[choice.reads[i]];
    }
    auto operand = static_cast<size_t>(use.operand);
    bool direct = choice.reads[operand] == choice.now[operand];
    int64_t as = problem_.model.getOpRuntime({problem_.graph, use.op, inputs, choice.config, Bytes(0)}).total().count;
    inputs[operand] = dram;
    if (direct && problem_.model.validateOperation({problem_.graph, use.op, inputs, choice.config, Bytes(0)}).ok()) {
      gain += problem_.model.getOpRuntime({problem_.graph, use.op, inputs, choice.config, Bytes(0)}).total().count - as;
    } else if (choice.reads[operand] != kNoLayout) {
      LayoutId from = pass1_.pool.intern(dram);
      gain += reshards_.of(value, from, choice.reads[operand]).nanoseconds - reshards_.of(value, choice.now[operand], choice.reads[operand]).nanoseconds;
    }
  }
  return gain;
}

// --- the plan --------------------------------------------------------------------------------------------------------

Plan GraphSpills::plan(const SpillOutcome& outcome, std::string_view policyName) const {
  const Graph& graph = problem_.graph;
  Plan plan;
  plan.policy = policyName;
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
    before[static_cast<size_t>(step)].push_back({value, op, dramLayout(problem_, value), early ? SpillCause::Memory : SpillCause::FunctionReturn});
  }
  for (const auto& spills : before) plan.spills.insert(plan.spills.end(), spills.begin(), spills.end());
  for (int32_t step = 0; step < steps(); ++step) {
    const Choice& choice = chosen_[static_cast<size_t>(step)];
    OpId op = opAt(step);
    plan.config[op] = choice.config;
    for (size_t i = 0; i < choice.reads.size(); ++i) {
      if (choice.reads[i] != choice.now[i]) plan.reshards.push_back({op, static_cast<int32_t>(i), pass1_.pool[choice.reads[i]]});
    }
  }
  return plan;
}

}  // namespace tessera
