#include "core/ops/model/op_model.h"

#include <algorithm>

#include "core/ops/model/op_answers.h"
#include "core/ops/times/time_model.h"

namespace tessera {

namespace {

// Results of one op share one layout; each result takes its own part of L1.
Bytes resultsL1(const OpView& view, const TensorLayout& layout) {
  const auto tensors = std::count_if(view.op.results.begin(), view.op.results.end(),
                                     [&](ValueId result) { return view.query.graph.values[result].type.isTensor(); });
  return Bytes(mulSaturated(l1BytesPerCore(layout).count, tensors));
}

TensorLayout producedLayout(const OpView& view, const FamilyRules& rules) {
  return rules.produced ? rules.produced(view) : view.output();
}

void fillVerdict(OpAnswer& answer, const OpView& view, const FamilyRules& rules) {
  Refused refused = rules.legality(view);
  answer.reason = refused.reason;
  answer.operand = refused.operand;
  if (refused.reason == Refusal::UnknownOp) answer.status = OpStatus::NotImplemented;
  else if (refused) answer.status = OpStatus::MetalBackendError;
  else answer.output = producedLayout(view, rules);
}

OpConstraints constraintsOf(const OpView& view, const FamilyRules& rules) {
  OpConstraints constraints;
  if (rules.circularBuffers) {
    BufferList buffers;
    rules.circularBuffers(view, buffers);
    constraints.cbL1PeakSize = Bytes(buffers.ownBytes());
    constraints.cbRegionSize = Bytes(buffers.regionBytes(view.device.dramAlignment));
  }
  TensorLayout produced = producedLayout(view, rules);
  // The compiler's query reports the first result alone (published sort row: 2048 bytes of two results).
  constraints.outputL1BufferSize = view.hasResult() ? l1BytesPerCore(produced) : Bytes(0);
  constraints.tensorL1PeakSize = resultsL1(view, produced);
  if (rules.intermediates)
    constraints.tensorL1PeakSize = Bytes(addSaturated(constraints.tensorL1PeakSize.count, rules.intermediates(view)));
  // What is written in place was there before: it is the answer, but nothing new.
  if (view.info.has(kInPlace) && view.op.results.empty() && view.hasInput(0))
    constraints.outputL1BufferSize = l1BytesPerCore(view.input(0));
  constraints.peakL1MemorySize =
      Bytes(addSaturated(constraints.cbL1PeakSize.count, constraints.tensorL1PeakSize.count));
  return constraints;
}

}  // namespace

void OpModel::complete(OpAnswer& answer, uint8_t parts, const OpQuery& query, const OpFacts& facts) const {
  OpView view = makeView(query, device_, facts);
  if (answer.known == 0) {
    answer.output = query.config.output;
    // Nothing of such a query can be worked out: constraints and time stay 0.
    if (Refused refused = malformed(view)) {
      answer.status = OpStatus::MetalBackendError;
      answer.reason = refused.reason;
      answer.operand = refused.operand;
      answer.known = OpAnswer::kEverything;
    }
  }
  uint8_t missing = parts & static_cast<uint8_t>(~answer.known);
  const FamilyRules& rules = familyRules(view.info.family);
  if (missing & OpAnswer::kVerdict) fillVerdict(answer, view, rules);
  bool legalOnly = (missing & OpAnswer::kLegalConstraints) && answer.status == OpStatus::Success &&
                   !(answer.known & OpAnswer::kConstraints);
  if (legalOnly) missing |= OpAnswer::kConstraints;
  if (missing & OpAnswer::kConstraints) answer.constraints = constraintsOf(view, rules);
  if (missing & OpAnswer::kTime) answer.time = opTime(view);
  answer.known |= missing;
}

InternedInputs OpModel::intern(std::span<const std::optional<TensorLayout>> inputs, std::vector<LayoutId>& ids) const {
  return answers_ ? answers_->intern(inputs, ids) : InternedInputs();
}

OpModel OpModel::about(const Graph& graph) const {
  return answers_ ? OpModel(device_, *answers_, answers_->classify(graph)) : OpModel(device_);
}

bool OpModel::remembers(const Graph& graph, OpId op) const {
  return answers_ && answers_->knows(*classes_) && &graph == &classes_->graph && classes_->of.contains(op) &&
         classes_->of[op] != OpClasses::kNone;
}

std::optional<uint32_t> OpModel::classIn(const OpAnswers& answers, const Graph& graph, OpId op) const {
  if (answers_ != &answers || !remembers(graph, op)) return {};
  return classes_->of[op];
}

const OpAnswer& OpModel::ask(const OpQuery& query, uint8_t parts, OpAnswer& unremembered) const {
  if (Refusal foreign = foreignQuery(query); foreign != Refusal::None) {
    unremembered.status = OpStatus::MetalBackendError;
    unremembered.reason = foreign;
    unremembered.output = query.config.output;
    return unremembered;
  }
  if (!remembers(query.graph, query.op)) {
    complete(unremembered, parts, query, factsOf(query.graph, query.op));
    return unremembered;
  }
  const uint32_t opClass = classes_->of[query.op];
  OpAnswer& answer = answers_->find(opClass, query);
  if ((answer.known & parts) != parts) complete(answer, parts, query, answers_->facts(opClass, query.graph, query.op));
  return answer;
}

OpVerdict OpModel::validateOperation(const OpQuery& query, L1Budget& budget) const {
  OpAnswer made;
  const OpAnswer& answer = ask(query, OpAnswer::kVerdict | OpAnswer::kLegalConstraints, made);
  OpVerdict verdict{answer.status, answer.reason, answer.operand, answer.output, {}, {}, {}};
  if (!verdict.ok()) return verdict;
  verdict.constraints = answer.constraints;
  verdict.needed = verdict.constraints.peakL1MemorySize + query.additionalL1;
  admit(verdict, budget);
  return verdict;
}

OpVerdict OpModel::validateOperation(const OpQuery& query, Bytes budget) const {
  L1Budget asked(budget);
  return validateOperation(query, asked);
}

void admit(OpVerdict& verdict, L1Budget& budget) {
  verdict.available = budget.bytes();
  if (budget.fits(verdict.needed)) return;
  verdict.status = OpStatus::OutOfMemory;
  verdict.reason = Refusal::OutOfL1;
}

const OpFacts& OpModel::factsFor(const OpQuery& query, std::optional<OpFacts>& made) const {
  if (remembers(query.graph, query.op)) return answers_->facts(classes_->of[query.op], query.graph, query.op);
  made = factsOf(query.graph, query.op);
  return *made;
}

OpFigures OpModel::figuresOf(const OpQuery& query) const {
  if (const Refusal foreign = foreignQuery(query); foreign != Refusal::None)
    return {.status = OpStatus::MetalBackendError, .reason = foreign, .output = query.config.output};
  std::optional<OpFacts> made;
  return figuresOf(query, factsFor(query, made));
}

OpFigures OpModel::figuresOf(const OpQuery& query, const OpFacts& facts) const {
  OpAnswer answer;
  complete(answer, OpAnswer::kVerdict | OpAnswer::kLegalConstraints, query, facts);
  if (answer.status == OpStatus::Success) complete(answer, OpAnswer::kTime, query, facts);
  OpFigures figures;
  figures.aliases = takesFirstBuffer(makeView(query, device_, facts));
  figures.status = answer.status;
  figures.reason = answer.reason;
  figures.operand = answer.operand;
  figures.output = answer.output;
  figures.constraints = answer.constraints;
  figures.time = answer.time.total();
  return figures;
}

OpConstraints OpModel::getOpConstraints(const OpQuery& query) const {
  OpAnswer made;
  return ask(query, OpAnswer::kConstraints, made).constraints;
}

std::vector<CircularBuffer> OpModel::getCircularBuffers(const OpQuery& query) const {
  BufferList buffers;
  if (foreignQuery(query) != Refusal::None) return {};
  std::optional<OpFacts> made;
  OpView view = makeView(query, device_, factsFor(query, made));
  const FamilyRules& rules = familyRules(view.info.family);
  if (rules.circularBuffers && !malformed(view)) rules.circularBuffers(view, buffers);
  return buffers.all();
}

OpRule OpModel::ruleOf(const OpQuery& query) const {
  if (foreignQuery(query) != Refusal::None) return {"Malformed query", ""};
  std::optional<OpFacts> made;
  OpView view = makeView(query, device_, factsFor(query, made));
  const FamilyRules& rules = familyRules(view.info.family);
  return rules.ruleFor && !malformed(view) ? rules.ruleFor(view) : rules.rule;
}

OpTime OpModel::getOpRuntime(const OpQuery& query) const {
  OpAnswer made;
  return ask(query, OpAnswer::kTime, made).time;
}

}  // namespace tessera
