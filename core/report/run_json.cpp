#include "core/report/run_json.h"

#include "core/plan/moves.h"
#include "core/report/beam_trace_json.h"
#include "core/report/chain_trace_json.h"
#include "core/report/chains.h"
#include "core/report/exact_json.h"
#include "core/report/layout_table.h"
#include "core/report/plan_text.h"
#include "core/report/run_summary_json.h"
#include "core/report/step_json.h"

namespace tessera {

namespace {

const char* roleName(ArgRole role) {
  switch (role) {
    case ArgRole::None: return "none";
    case ArgRole::Input: return "input";
    case ArgRole::Parameter: return "parameter";
    case ArgRole::Constant: return "constant";
    case ArgRole::KvCache: return "kv_cache";
  }
  return "";
}

const char* spaceName(DeviceMemory space) {
  constexpr const char* kNames[] = {"l1", "l1_small", "dram"};
  return kNames[static_cast<int>(space)];
}

const char* statusName(CandidateStatus status) {
  switch (status) {
    case CandidateStatus::Chosen: return "chosen";
    case CandidateStatus::Rejected: return "rejected";
    case CandidateStatus::Worse: return "worse";
  }
  return "";
}

class RunWriter {
 public:
  RunWriter(JsonWriter& w, const Report& report)
      : w_(w),
        report_(report),
        run_(*report.run),
        graph_(run_.program->applied.graph),
        chains_(findChains(graph_, run_.program->sim.steps)) {
    valueIndex_.resize(graph_.values.size(), -1);
    stepOf_.resize(graph_.ops.size(), -1);
    intermediates_.resize(graph_.ops.size());
    for (const SimBuffer& b : run_.program->sim.buffers) {
      if (!b.value.valid()) intermediates_[run_.program->sim.steps[static_cast<size_t>(b.from)].op].push_back(&b);
    }
    roomOf_.resize(graph_.ops.size(), nullptr);
    for (const RoomEvent& event : run_.plan.room)
      if (graph_.values[event.value].producer == event.at) roomOf_[event.at] = &event;
    for (OpId op : graph_.ops.ids()) {
      const auto& move = run_.program->applied.inserted[op];
      if (move && move->room >= 0) roomOf_[op] = &run_.plan.room[static_cast<size_t>(move->room)];
    }
    for (size_t i = 0; i < run_.program->sim.steps.size(); ++i)
      stepOf_[run_.program->sim.steps[i].op] = static_cast<int32_t>(i);
    const Function& func = graph_.funcs[graph_.forward];
    for (ValueId arg : func.args) addValue(arg);
    for (OpId op : func.ops) {
      for (ValueId result : graph_.ops[op].results) addValue(result);
    }
  }

  void write() {
    w_.reserve(aboutBytes());
    w_.beginObject();
    w_.field("function", std::string_view(graph_.funcs[graph_.forward].name));
    writeRows();
    writeValues();
    writeBuffers();
    writeChains();
    writeDecisions();
    writeWarnings(w_, run_);
    if (run_.log.chain) {
      w_.key("chainSummary");
      writeChainSummary(w_, *run_.log.chain, run_.problem->graph, stepOf_,
                        [&](int64_t step) { return rowAt(run_.plan.order, step); });
    }
    if (report_.withTraces && run_.log.chain) {
      w_.key("chainTrace");
      writeChainTrace(w_, *run_.log.chain, run_.problem->graph, stepOf_);
    }
    writePropagation();
    if (run_.log.exact) {
      w_.key("exact");
      writeExact(w_, *run_.log.exact);
    }
    writeSpilling(w_, run_);
    writeEvents();
    writeTotals(w_, run_, chains_.chains.size());
    writePlacement(w_, run_.program->placement);
    w_.field("l1Budget", run_.problem->budget.bytes().count);
    w_.field("plan", std::string_view(planText(run_)));
    writeDefects(w_, run_);
    layouts_.write(w_);
    w_.endObject();
  }

 private:
  // Somewhat more than reports of large graphs take.
  size_t aboutBytes() const {
    size_t bytes = run_.program->sim.steps.size() * 1500;
    for (const Decision& decision : run_.log.decisions) bytes += 250 + decision.candidates.size() * 150;
    return bytes;
  }
  void addValue(ValueId value) {
    valueIndex_[value] = static_cast<int32_t>(values_.size());
    values_.push_back(value);
  }
  void writeIndexList(const char* name, const std::vector<ValueId>& values) {
    w_.key(name);
    w_.beginArray();
    for (ValueId v : values) w_.integer(valueIndex_[v]);
    w_.endArray();
  }

  const char* rowKind(OpId op) const {
    if (run_.program->applied.inserted[op]) return moveName(run_.program->applied.inserted[op]->kind);
    return opInfo(graph_.ops[op].kind).has(kTerminator) ? "terminator" : "op";
  }

  // Why the plan moves a tensor here: of ops that it inserted.
  void writeCause(OpId op) {
    const std::optional<InsertedMove>& move = run_.program->applied.inserted[op];
    if (move) w_.field("cause", move->cause ? spillCauseName(*move->cause) : "operand");
  }

  void writeRoom(const RoomEvent& event) {
    constexpr const char* kRules[] = {"step", "search", "prices"};
    w_.key("room");
    w_.beginObject();
    w_.field("rule", kRules[static_cast<int>(event.rule)]);
    w_.field("row", stepOf_[event.wanted]);
    w_.field("reason", refusalName(event.reason));
    w_.field("text", refusalText(event.reason));
    w_.field("own", event.own.count);
    w_.field("occupied", event.occupied.count);
    w_.field("needed", event.needed.count);
    w_.field("available", event.available.count);
    w_.endObject();
  }

  void writeRows() {
    w_.key("rows");
    w_.beginArray();
    for (size_t i = 0; i < run_.program->sim.steps.size(); ++i)
      writeRow(run_.program->sim.steps[i], chains_.chainOfStep[i]);
    w_.endArray();
  }

  void writeRow(const SimStep& step, int32_t chain) {
    const Op& op = graph_.ops[step.op];
    w_.beginObject();
    w_.field("kind", rowKind(step.op));
    writeCause(step.op);
    if (roomOf_[step.op]) writeRoom(*roomOf_[step.op]);
    w_.field("op", std::string_view(op.name));
    w_.field("name", std::string_view(op.results.empty() ? std::string() : "%" + graph_.values[op.results[0]].name));
    w_.field("label", std::string_view(op.loc));
    w_.field("family", familyName(opInfo(op.kind).family));
    w_.field("chain", chain);
    writeIndexList("operands", op.operands);
    writeIndexList("results", op.results);
    w_.field("cores", step.time.cores);
    writeStep(w_, step);
    bool elsewhere = step.produced && !op.results.empty();
    w_.field("produced",
             elsewhere ? layouts_.indexOf(graph_.values[op.results[0]].type.tensor->shape, *step.produced) : -1);
    w_.field("freedOperand", step.freedOperand.valid() ? valueIndex_[step.freedOperand] : -1);
    writeIntermediates(step.op);
    writePlace(op.span);
    w_.endObject();
  }

  void writeIntermediates(OpId op) {
    w_.key("intermediates");
    w_.beginArray();
    for (const SimBuffer* buffer : intermediates_[op]) {
      w_.beginObject();
      w_.field("name", buffer->name);
      w_.field("space", spaceName(buffer->space));
      w_.field("bytes", buffer->bytes);
      w_.endObject();
    }
    w_.endArray();
  }

  void writePlace(Span span) {
    w_.key("place");
    if (span.end == 0) return w_.null();
    LineColumn at = report_.source->lineColumn(span.begin);
    w_.beginObject();
    w_.field("line", at.line);
    w_.field("column", at.utf16Column);
    w_.endObject();
  }

  void writeValues() {
    auto uses = collectUses(graph_);
    w_.key("values");
    w_.beginArray();
    for (ValueId v : values_) {
      const Value& value = graph_.values[v];
      bool tensor = value.type.isTensor();
      w_.beginObject();
      w_.field("name", std::string_view("%" + value.name));
      w_.field("label", std::string_view(value.producer.valid() ? graph_.ops[value.producer].loc : value.label));
      w_.field("role", value.producer.valid() ? "result" : roleName(value.role));
      w_.field("shape", std::string_view(tensor ? shapeText(value.type.tensor->shape) : value.type.opaque));
      w_.field("dtype", tensor ? dtypeName(value.type.tensor->dtype) : std::string_view());
      bool laidOut = tensor && value.type.tensor->layout;
      w_.field("layout", laidOut ? layouts_.indexOf(value.type.tensor->shape, *value.type.tensor->layout) : -1);
      w_.field("producer", value.producer.valid() ? stepOf_[value.producer] : -1);
      w_.key("uses");
      w_.beginArray();
      int32_t last = -1;
      for (const Use& use : uses[v]) {
        if (stepOf_[use.op] != last) w_.integer(stepOf_[use.op]);
        last = stepOf_[use.op];
      }
      w_.endArray();
      w_.endObject();
    }
    w_.endArray();
  }

  void writeBuffers() {
    w_.key("buffers");
    w_.beginArray();
    for (const SimBuffer& b : run_.program->sim.buffers) {
      w_.beginObject();
      w_.field("value", b.value.valid() ? valueIndex_[b.value] : -1);
      w_.field("name", b.name);
      w_.field("space", spaceName(b.space));
      w_.field("address", b.address);
      w_.field("bytes", b.bytes);
      w_.field("from", b.from);
      w_.field("to", b.to);
      w_.field("aliasOf", b.aliasOf);
      w_.endObject();
    }
    w_.endArray();
  }

  void writeChains() {
    w_.key("chains");
    w_.beginArray();
    for (const L1Chain& chain : chains_.chains) {
      w_.beginObject();
      w_.field("lane", chain.lane);
      w_.key("rows");
      w_.beginArray();
      for (int32_t step : chain.steps) w_.integer(step);
      w_.endArray();
      w_.endObject();
    }
    w_.endArray();
  }

  void writeDecisions() {
    w_.key("decisions");
    w_.beginArray();
    for (const Decision& d : run_.log.decisions) {
      const Shape& shape = graph_.values[d.value].type.tensor->shape;
      w_.beginObject();
      w_.field("row", stepOf_[d.op]);
      w_.field("value", valueIndex_[d.value]);
      w_.field("summary", std::string_view(d.summary));
      w_.key("candidates");
      w_.beginArray();
      for (const Candidate& c : d.candidates) writeCandidate(c, shape);
      w_.endArray();
      w_.endObject();
    }
    w_.endArray();
  }

  void writePropagation() {
    const auto& trace = run_.log.propagation;
    if (!report_.withTraces || !trace) return;
    w_.key("propagationTrace");
    writeBeamTrace(w_, trace->decisions, trace->beams,
                   [&](int64_t step) { return rowAt(run_.problem->schedule.order, step); });
  }

  // Row of a step of a policy's order of the ops, which has no reshards and spills yet; -1 for none.
  int64_t rowAt(const std::vector<OpId>& order, int64_t step) const {
    bool known =
        step >= 0 && step < static_cast<int64_t>(order.size()) && stepOf_.contains(order[static_cast<size_t>(step)]);
    return known ? stepOf_[order[static_cast<size_t>(step)]] : -1;
  }

  // There are thousands of them: what says nothing is left out.
  void writeCandidate(const Candidate& c, const Shape& shape) {
    w_.beginObject();
    w_.field("layout", layouts_.indexOf(shape, c.layout));
    w_.field("status", statusName(c.status));
    if (c.verdict.ok()) {
      if (!c.note.empty()) w_.field("text", std::string_view(c.note));
    } else {
      w_.field("reason", refusalName(c.verdict.reason));
      w_.field("text", std::string_view(verdictText(c.verdict)));
    }
    if (c.verdict.status == OpStatus::OutOfMemory) {
      w_.field("needed", c.verdict.needed.count);
      w_.field("available", c.verdict.available.count);
    }
    w_.endObject();
  }

  void writeEvents() {
    w_.key("events");
    w_.beginArray();
    for (const SimEvent& e : run_.program->sim.events) {
      bool elsewhere =
          e.space == DeviceMemory::Dram && e.kind != EventKind::OutOfMemory;  // the page draws L1; DRAM is in `buffers`
      if (elsewhere || e.kind == EventKind::Run) continue;
      w_.beginObject();
      w_.field("step", e.step);
      w_.field("kind", eventName(e));
      w_.field("value", e.value.valid() ? valueIndex_[e.value] : -1);
      w_.field("space", spaceName(e.space));
      w_.field("address", e.address);
      w_.field("bytes", e.bytes);
      w_.endObject();
    }
    w_.endArray();
  }

  static const char* eventName(const SimEvent& e) {
    switch (e.kind) {
      case EventKind::Alloc: return "alloc";
      case EventKind::Alias: return "alias";
      case EventKind::Run: return "run";
      case EventKind::Free: return "free";
      case EventKind::OutOfMemory: return "out_of_memory";
      case EventKind::Clash: return "clash";
    }
    return "";
  }

  JsonWriter& w_;
  const Report& report_;
  const RunOutcome& run_;
  const Graph& graph_;
  L1Chains chains_;
  LayoutTable layouts_;
  std::vector<ValueId> values_;
  IdVec<ValueId, int32_t> valueIndex_;
  IdVec<OpId, std::vector<const SimBuffer*>> intermediates_;
  IdVec<OpId, int32_t> stepOf_;
  IdVec<OpId, const RoomEvent*> roomOf_;  // null: room does not decide it
};

}  // namespace

void writeRun(JsonWriter& w, const Report& report) { RunWriter(w, report).write(); }

}  // namespace tessera
