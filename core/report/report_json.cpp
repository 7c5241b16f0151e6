// The only writer of the report JSON; web/src/model/report.ts describes it.

#include <algorithm>

#include "core/plan/print_plan.h"
#include "core/report/beam_trace_json.h"
#include "core/report/chain_trace_json.h"
#include "core/report/exact_json.h"
#include "core/report/chains.h"
#include "core/report/device_json.h"
#include "core/report/report.h"
#include "core/report/step_json.h"
#include "core/support/json_writer.h"

namespace tessera {

namespace {

const char* severityName(Severity severity) {
  switch (severity) {
    case Severity::Note: return "note";
    case Severity::Warning: return "warning";
    case Severity::Error: return "error";
  }
  return "";
}

// Layouts of a run, each listed once.
class LayoutTable {
 public:
  int32_t indexOf(const Shape& shape, const TensorLayout& layout) {
    for (size_t i = 0; i < entries_.size(); ++i) {  // recent entries are the likely ones
      const Entry& e = entries_[entries_.size() - 1 - i];
      if (i >= kLookBack) break;
      if (e.layout == layout && e.shape == shape) return static_cast<int32_t>(entries_.size() - 1 - i);
    }
    entries_.push_back({shape, layout});
    return static_cast<int32_t>(entries_.size()) - 1;
  }
  void write(JsonWriter& w) const {
    w.key("layouts");
    w.beginArray();
    for (const Entry& e : entries_) writeLayout(w, e.shape, e.layout);
    w.endArray();
  }

 private:
  static constexpr size_t kLookBack = 64;
  struct Entry {
    Shape shape;
    TensorLayout layout;
  };
  static void writeLayout(JsonWriter& w, const Shape& shape, const TensorLayout& layout) {
    w.beginObject();
    w.field("buffer", bufferTypeName(layout.buffer));
    w.field("memory", tensorMemoryLayoutName(layout.memory));
    w.field("page", pageLayoutName(layout.page));
    w.field("dtype", dtypeName(layout.dtype));
    w.key("grid");
    w.beginArray(), w.integer(layout.grid.rows), w.integer(layout.grid.cols), w.endArray();
    w.key("shard");
    w.beginArray(), w.integer(layout.shardRows), w.integer(layout.shardCols), w.endArray();
    w.field("text", std::string_view(layoutText(layout)));
    w.field("bytesPerCore", l1BytesPerCore(layout).count);
    w.field("totalBytes", totalBytes(shape, layout).count);
    w.endObject();
  }
  std::vector<Entry> entries_;
};

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
      : w_(w), report_(report), run_(*report.run), graph_(run_.applied.graph), chains_(findChains(graph_, run_.sim.steps)) {
    valueIndex_.resize(graph_.values.size(), -1);
    stepOf_.resize(graph_.ops.size(), -1);
    intermediates_.resize(graph_.ops.size());
    for (const SimBuffer& b : run_.sim.buffers) {
      if (!b.value.valid()) intermediates_[run_.sim.steps[static_cast<size_t>(b.from)].op].push_back(&b);
    }
    for (size_t i = 0; i < run_.sim.steps.size(); ++i) stepOf_[run_.sim.steps[i].op] = static_cast<int32_t>(i);
    const Function& func = graph_.funcs[graph_.forward];
    for (ValueId arg : func.args) addValue(arg);
    for (OpId op : func.ops) {
      for (ValueId result : graph_.ops[op].results) addValue(result);
    }
  }

  void write() {
    w_.beginObject();
    w_.field("function", std::string_view(graph_.funcs[graph_.forward].name));
    writeRows();
    writeValues();
    writeBuffers();
    writeChains();
    writeDecisions();
    writeWarnings();
    if (run_.log.chain) {
      w_.key("chainSummary");
      writeChainSummary(w_, *run_.log.chain, run_.problem->graph, stepOf_, [&](int64_t step) { return rowAt(run_.plan.order, step); });
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
    writeSpilling();
    writeEvents();
    writeTotals();
    writePlacement();
    w_.field("l1Budget", run_.problem->model.l1Budget().count);
    w_.field("plan", std::string_view(planText(run_)));
    writeDefects();
    layouts_.write(w_);
    w_.endObject();
  }

 private:
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
    if (run_.applied.inserted[op] == InsertedAs::Reshard) return "reshard";
    if (run_.applied.inserted[op] == InsertedAs::Spill) return "spill";
    return opInfo(graph_.ops[op].kind).has(kTerminator) ? "return" : "op";
  }

  void writeRows() {
    w_.key("rows");
    w_.beginArray();
    for (size_t i = 0; i < run_.sim.steps.size(); ++i) writeRow(run_.sim.steps[i], chains_.chainOfStep[i]);
    w_.endArray();
  }

  void writeRow(const SimStep& step, int32_t chain) {
    const Op& op = graph_.ops[step.op];
    w_.beginObject();
    w_.field("kind", rowKind(step.op));
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
    w_.field("produced", elsewhere ? layouts_.indexOf(graph_.values[op.results[0]].type.tensor->shape, *step.produced) : -1);
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
    for (const SimBuffer& b : run_.sim.buffers) {
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

  void writeWarnings() {
    w_.key("warnings");
    w_.beginArray();
    for (const std::string& text : run_.log.warnings) w_.value(std::string_view(text));
    w_.endArray();
  }

  void writePropagation() {
    const auto& trace = run_.log.propagation;
    if (!report_.withTraces || !trace) return;
    w_.key("propagationTrace");
    writeBeamTrace(w_, trace->decisions, trace->beams, [&](int64_t step) { return rowAt(run_.problem->schedule.order, step); });
  }

  // Row of a step of a policy's order of the ops, which has no reshards and spills yet; -1 for none.
  int64_t rowAt(const std::vector<OpId>& order, int64_t step) const {
    bool known = step >= 0 && step < static_cast<int64_t>(order.size()) && stepOf_.contains(order[static_cast<size_t>(step)]);
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
    for (const SimEvent& e : run_.sim.events) {
      bool elsewhere = e.space == DeviceMemory::Dram && e.kind != EventKind::OutOfMemory;  // the page draws L1; DRAM is in `buffers`
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

  void writeTotals() {
    int64_t ops = 0, l1Results = 0;
    for (const SimStep& step : run_.sim.steps) {
      const Op& op = graph_.ops[step.op];
      if (run_.applied.inserted[step.op] != InsertedAs::No || op.results.empty()) continue;
      ++ops;
      const ValueType& type = graph_.values[op.results[0]].type;
      l1Results += type.isTensor() && type.tensor->layout && type.tensor->layout->isL1();
    }
    w_.key("totals");
    w_.beginObject();
    w_.field("time", run_.sim.time.count);
    w_.field("ops", ops);
    w_.field("dramBytes", run_.sim.dramBytes);
    w_.field("spills", run_.plan.spills.size());
    w_.field("reshards", run_.plan.reshards.size());
    w_.field("l1Results", l1Results);
    w_.field("peakL1", run_.sim.peakL1.count);
    w_.field("peakStep", run_.sim.peakStep);
    w_.field("peakDramPerBank", run_.sim.peakDramPerBank);
    w_.field("chains", chains_.chains.size());
    w_.field("failures", run_.sim.failures);
    w_.field("refused", run_.sim.refused);
    w_.endObject();
  }

  void writeSpilling() {
    if (!run_.log.spilling) return;
    const SpillTrace& trace = *run_.log.spilling;
    w_.key("spilling");
    w_.beginObject();
    w_.field("strategy", trace.strategy);
    w_.field("cost", trace.cost);
    w_.field("carriedOut", trace.carriedOut);
    w_.field("lowerBound", trace.lowerBound);
    w_.field("proven", trace.proven);
    w_.field("farthestLastUse", trace.farthestLastUse);
    w_.field("farthestNextUse", trace.farthestNextUse);
    w_.field("costAware", trace.costAware);
    w_.field("certified", trace.certified);
    w_.field("values", trace.values);
    w_.field("contested", trace.contested);
    w_.endObject();
  }

  void writePlacement() {
    const PlannedPlacement& placement = run_.placement;
    w_.key("placement");
    w_.beginObject();
    w_.field("firstFit", placement.firstFit);
    w_.field("planned", placement.planned);
    w_.field("bound", placement.bound);
    w_.field("fragmentation", placement.fragmentation());
    w_.field("proven", placement.proven());
    w_.field("method", placement.method);
    w_.key("addresses");
    w_.beginArray();
    for (int64_t address : placement.addresses) w_.integer(address);
    w_.endArray();
    w_.endObject();
  }

  void writeDefects() {
    w_.key("defects");
    w_.beginArray();
    for (const ReportDefect& d : run_.defects) {
      w_.beginObject();
      w_.field("checker", d.checker);
      w_.field("rule", std::string_view(d.rule));
      w_.field("text", std::string_view(d.text));
      w_.endObject();
    }
    w_.endArray();
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
};

void writeInput(JsonWriter& w, const Report& report) {
  size_t functions = 0, ops = 0, opaque = 0;
  if (report.graph) {
    functions = report.graph->funcs.size();
    for (const Function& func : report.graph->funcs) {
      ops += func.ops.size();
      for (OpId op : func.ops) opaque += report.graph->ops[op].kind == OpKind::Opaque;
    }
  }
  w.key("input");
  w.beginObject();
  w.field("format", report.isJson ? "json" : "mlir");
  w.field("name", std::string_view(report.graph ? report.graph->name : std::string()));
  w.field("bytes", report.source->text().size());
  w.field("lines", report.source->lineCount());
  w.field("functions", functions);
  w.field("ops", ops);
  w.field("opaqueOps", opaque);
  w.endObject();
}

}  // namespace

void writeDiagnostics(JsonWriter& w, const Diagnostics& diagnostics, const SourceBuffer& source) {
  w.key("diagnostics");
  w.beginArray();
  for (const Diagnostic& d : diagnostics.all()) {
    LineColumn begin = source.lineColumn(d.span.begin), end = source.lineColumn(d.span.end);
    w.beginObject();
    w.field("severity", severityName(d.severity));
    w.field("kind", diagInfo(d.kind).name);
    w.field("message", std::string_view(d.message));
    w.field("line", begin.line);
    w.field("column", begin.utf16Column);
    w.field("endLine", end.line);
    w.field("endColumn", end.utf16Column);
    w.key("notes");
    w.beginArray();
    for (const std::string& note : d.notes) w.value(std::string_view(note));
    w.endArray();
    w.endObject();
  }
  w.endArray();
  w.field("droppedDiagnostics", diagnostics.dropped());
}

std::string diagnosticsJson(const Diagnostics& diagnostics, const SourceBuffer& source) {
  JsonWriter w;
  w.beginObject();
  w.field("schema", kReportSchema);
  writeDiagnostics(w, diagnostics, source);
  w.endObject();
  return w.take();
}

std::string reportJson(const Report& report) {
  JsonWriter w;
  w.beginObject();
  w.field("schema", kReportSchema);
  w.field("tessera", TESSERA_VERSION);
  w.field("ok", report.ok());
  writeInput(w, report);
  writeDiagnostics(w, *report.diagnostics, *report.source);
  w.key("options");
  w.beginObject();
  for (const OptionValue& option : report.options) {
    w.key(option.id);
    w.raw(option.json);
  }
  w.endObject();
  w.key("device");
  if (report.device) writeDevice(w, *report.device);
  else w.null();
  w.key("policy");
  if (report.run) {
    w.beginObject();
    w.field("id", report.run->policy->id);
    w.field("title", report.run->policy->title);
    w.endObject();
  } else {
    w.null();
  }
  w.key("run");
  if (report.run) RunWriter(w, report).write();
  else w.null();
  w.endObject();
  return w.take();
}

std::string planText(const RunOutcome& run) {
  const SimResult& sim = run.sim;
  std::string text = printPlan(*run.problem, run.plan);
  text += "--  time " + std::to_string(sim.time.count) + " ns  dram " + std::to_string(sim.dramBytes) + " B  peak L1 " +
          std::to_string(sim.peakL1.count) + "/" + std::to_string(run.problem->model.l1Budget().count) +
          (sim.peakStep < 0 ? "" : " at step " + std::to_string(sim.peakStep)) + "  reshards " + std::to_string(run.plan.reshards.size()) + "  spills " +
          std::to_string(run.plan.spills.size()) + "  failures " + std::to_string(sim.failures) +
          (sim.refused > 0 ? "  refused " + std::to_string(sim.refused) : "") + "\n";
  return text;
}

std::string spillingText(const RunOutcome& run) {
  if (!run.log.spilling) return "";
  const SpillTrace& trace = *run.log.spilling;
  const auto time = [](int64_t count) { return std::to_string(count) + " ns"; };
  return "--  spilling  " + std::string(trace.strategy) + " " + time(trace.cost) + "  carried out " + time(trace.carriedOut) + "  bound " + time(trace.lowerBound) +
         (trace.proven ? " (proven)" : "") + "  farthest last use " + time(trace.farthestLastUse) + "  farthest next use " + time(trace.farthestNextUse) +
         "  cost-aware " + time(trace.costAware) + "  certified " + time(trace.certified) + "\n";
}

std::string placementText(const RunOutcome& run) {
  const PlannedPlacement& placement = run.placement;
  const auto bytes = [](int64_t count) { return std::to_string(count) + " B"; };
  return "--  L1 addresses  first fit " + bytes(placement.firstFit) + "  planned " + bytes(placement.planned) + " (" + std::string(placement.method) + ")  bound " +
         bytes(placement.bound) + "  fragmentation " + bytes(placement.fragmentation()) + "\n";
}

}  // namespace tessera
