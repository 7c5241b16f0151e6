// Calls of the page about problems, plans, files made from a run, and logs.

#include "core/driver/api.h"
#include "core/driver/run_request.h"
#include "core/import/export_mlir.h"
#include "core/report/decision_trace_json.h"
#include "core/report/model_explorer_json.h"
#include "core/report/override_text.h"
#include "core/report/pass_log_json.h"
#include "core/report/trace_event_json.h"
#include "core/support/json_writer.h"

namespace tessera {

namespace {

// A file made from a run that got through; "" where such a run has none.
struct ExportKind {
  std::string_view id, file;
  std::string (*make)(const FinishedRun& finished);
};

std::string exportedDecisions(const FinishedRun& finished) {
  const auto& trace = finished.report.run->log.propagation;
  return trace ? decisionTraceJson(trace->decisions) : "";
}

std::string exportedCertificate(const FinishedRun& finished) {
  const auto& exact = finished.report.run->log.exact;
  return exact ? exact->certificate : "";
}

constexpr ExportKind kExportKinds[] = {
    {"trace-events", "trace_events.json", [](const FinishedRun& run) { return traceEventJson(run.report); }},
    {"decision-trace", "decision_trace.json", exportedDecisions},
    {"certificate", "certificate.json", exportedCertificate},
    {"plan", "plan.json", planOut},
    {"overrides", "overrides.txt", [](const FinishedRun& run) { return overrideText(*run.report.run); }},
    {"model-explorer", "model_explorer.json", [](const FinishedRun& run) { return modelExplorerJson(run.report); }},
    {"mlir", "laid_out.mlir", [](const FinishedRun& run) { return exportMlir(finalGraph(run), &run.device); }},
};

const ExportKind* findExport(std::string_view id) {
  for (const ExportKind& kind : kExportKinds) {
    if (kind.id == id) return &kind;
  }
  return nullptr;
}

// "trace-events, decision-trace or plan"
std::string exportIds() {
  std::string text;
  for (size_t i = 0; i < std::size(kExportKinds); ++i)
    text += (i == 0 ? "" : i + 1 == std::size(kExportKinds) ? " or " : ", ") + std::string(kExportKinds[i].id);
  return text;
}

}  // namespace

std::string apiExport(Session& session, const std::string& text, const std::string& optionsJson,
                      const std::string& what) {
  RunRequest request(session, text, optionsJson);
  const ExportKind* kind = findExport(what);
  if (!kind) request.diags.report(DiagKind::BadOption, {}, {"what", what, exportIds()});
  request.options.keepEvaluations = what == "decision-trace";
  request.options.certificate = what == "certificate";
  auto finished = request.run();
  const std::string content = kind && finished->report.run ? kind->make(*finished) : "";
  JsonWriter w;
  w.beginObject();
  w.field("schema", kReportSchema);
  writeDiagnostics(w, finished->diagnostics, request.loaded.source);
  const std::pair<std::string_view, std::string_view> fields[] = {{"file", kind ? kind->file : ""},
                                                                  {"content", content}};
  for (auto [key, value] : fields) {
    w.key(key);
    if (content.empty()) w.null();
    else w.value(value);
  }
  w.endObject();
  return w.take();
}

std::string apiProblem(Session& session, const std::string& text, const std::string& optionsJson) {
  RunRequest request(session, text, optionsJson);
  auto prepared = prepareRun(session, request.options, request.diags);
  JsonWriter w;
  w.beginObject();
  w.field("schema", kReportSchema);
  writeDiagnostics(w, prepared->diagnostics, request.loaded.source);
  w.key("problem");
  if (prepared->problem) w.raw(problemOut(*prepared));
  else w.null();
  w.endObject();
  return w.take();
}

std::string apiLogFeed(Session& session, const std::string& bytes) {
  if (!session.log) session.log.emplace();
  session.log->feed(bytes);
  return "{}";
}

std::string apiLogEnd(Session& session) {
  if (!session.log) session.log.emplace();
  const PassLogText log = session.log->finish();
  session.log.reset();
  return passLogJson(log);
}

std::string apiLogDump(const std::string& bytes) {
  JsonWriter w;
  w.beginObject();
  w.field("schema", kReportSchema);
  w.field("text", std::string_view(dumpText(bytes)));
  w.endObject();
  return w.take();
}

}  // namespace tessera
