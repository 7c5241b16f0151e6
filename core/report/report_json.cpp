// The report JSON; docs/schema/report.schema.json describes it.

#include "core/lowering/as_it_stands.h"
#include "core/report/device_json.h"
#include "core/report/report.h"
#include "core/report/run_json.h"

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
  w.field("layouts", report.graph && carriesLayouts(*report.graph));
  w.key("forward");
  w.beginArray();
  for (const ForwardFunction& function : report.forward) {
    w.beginObject();
    w.field("name", std::string_view(function.name));
    w.field("ops", function.ops);
    w.endObject();
  }
  w.endArray();
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
  if (report.run) writeRun(w, report);
  else w.null();
  w.endObject();
  return w.take();
}

}  // namespace tessera
