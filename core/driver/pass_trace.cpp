#include "core/driver/pass_trace.h"

#include "core/import/export_mlir.h"
#include "core/ops/table/op_table.h"
#include "core/support/json_writer.h"
#include "core/transform/result_attributes.h"

namespace tessera {

namespace {

void append(PassTrace& trace, LoweringResult result) {
  for (PassLog& log : result.logs) trace.logs.push_back(std::move(log));
  for (Graph& graph : result.graphs) trace.graphs.push_back(std::move(graph));
  trace.final = std::move(result.graph);
}

const char* stageName(PassStage stage) {
  constexpr const char* kNames[] = {"stablehlo", "prepare", "lower", "analyse", "optimize", "finalize", "release"};
  return kNames[static_cast<size_t>(stage)];
}

void writeNotes(JsonWriter& w, const char* name, const std::vector<PassLogNote>& notes) {
  w.key(name);
  w.beginArray();
  for (const PassLogNote& note : notes) {
    w.beginObject();
    w.field("op", std::string_view(note.op));
    w.field("name", std::string_view(note.name));
    w.field("loc", std::string_view(note.loc));
    w.field("text", std::string_view(note.text));
    w.endObject();
  }
  w.endArray();
}

void writePass(JsonWriter& w, const PassLog& log, const Graph* graph, const DeviceSpec& device) {
  w.beginObject();
  w.field("name", log.pass->name);
  w.field("title", log.pass->title);
  w.field("description", log.pass->description);
  w.field("stage", stageName(log.pass->stage));
  w.field("changed", log.changed);
  w.field("added", log.added);
  w.field("removed", log.removed);
  writeNotes(w, "notes", log.notes);
  writeNotes(w, "problems", log.problems);
  if (graph != nullptr) w.field("ir", std::string_view(exportMlir(*graph, &device)));
  w.endObject();
}

std::string shortName(const Graph& graph, const Op& op) {
  return op.results.empty() ? op.name : "%" + graph.values[op.results[0]].name;
}

void writeOp(JsonWriter& w, const Graph& graph, OpId id) {
  const Op& op = graph.ops[id];
  w.field("op", std::string_view(shortName(graph, op)));
  w.field("name", std::string_view(op.name));
}

// What became of every op of the source; ops that no other stands for have an empty list.
void writeProvenance(JsonWriter& w, const Graph& source, const Graph& final) {
  std::vector<std::vector<OpId>> became = descendants(final, source.ops.size());
  w.key("provenance");
  w.beginArray();
  for (const Function& func : source.funcs) {
    for (OpId id : func.ops) {
      w.beginObject();
      writeOp(w, source, id);
      w.key("became");
      w.beginArray();
      for (OpId to : became[static_cast<size_t>(id.index)]) {
        if (final.ops[to].kind == OpKind::TtnnDeallocate) continue;
        w.beginObject();
        writeOp(w, final, to);
        w.endObject();
      }
      w.endArray();
      w.endObject();
    }
  }
  w.endArray();
}

}  // namespace

PassTrace tracePasses(const FinishedRun& finished, PassDetail detail) {
  const RunOutcome& run = *finished.report.run;
  const LoweringOptions& options = finished.lowered->options;
  PassContext context{finished.device, run.problem->model, run.problem->budget, options};
  PassTrace trace;
  if (detail != PassDetail::Notes) append(trace, lower(*finished.loaded->graph, context, detail));
  else append(trace, {finished.lowered->result.graph, finished.lowered->result.logs, {}, {}});  // the run has notes
  // The optimizer is the policy; its plan is known.
  AppliedPlan applied = applyPlan(finished.lowered->result.graph, run.plan, finished.device.grid);
  for (const PassInfo& pass : allPasses()) {
    if (pass.stage != PassStage::Optimize || !options.optimizer) continue;
    trace.logs.push_back(logBetween(pass, finished.lowered->result.graph, applied.graph));
    if (detail == PassDetail::Graphs) trace.graphs.push_back(applied.graph);
  }
  context.configs = &run.plan.config;
  append(trace, finalize(applied.graph, context, detail));
  if (!options.asItStands)
    trace.final = withResultAttributes(std::move(trace.final), finished.device, options.specificationRules);
  append(trace, release(trace.final, context, detail));
  return trace;
}

std::string passTraceJson(const FinishedRun& finished, bool withIr) {
  PassTrace trace = tracePasses(finished, withIr ? PassDetail::Graphs : PassDetail::Counts);
  JsonWriter w;
  w.beginObject();
  w.field("schema", kReportSchema);
  w.key("passes");
  w.beginArray();
  for (size_t i = 0; i < trace.logs.size(); ++i)
    writePass(w, trace.logs[i], withIr ? &trace.graphs[i] : nullptr, finished.device);
  w.endArray();
  if (withIr) w.field("ir", std::string_view(exportMlir(*finished.loaded->graph, &finished.device)));
  writeProvenance(w, *finished.loaded->graph, trace.final);
  w.endObject();
  return w.take();
}

}  // namespace tessera
