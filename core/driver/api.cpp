#include "core/driver/api.h"

#include "core/driver/check_passes.h"
#include "core/driver/pass_trace.h"
#include "core/driver/pipeline.h"
#include "core/driver/regret.h"
#include "core/driver/run_request.h"
#include "core/lab/layout_request.h"
#include "core/report/beam_trace_json.h"
#include "core/report/compare.h"
#include "core/report/device_json.h"
#include "core/support/json_value.h"
#include "core/support/json_writer.h"

namespace tessera {

namespace {

void writeOption(JsonWriter& w, const OptionInfo& info) {
  static constexpr const char* kTypes[] = {"choice", "integer", "number", "boolean", "text"};
  bool isNumber = info.type == OptionType::Number;
  w.beginObject();
  w.field("id", info.id);
  w.field("title", info.title);
  w.field("help", std::string_view(optionHelp(info)));
  w.field("type", kTypes[static_cast<size_t>(info.type)]);
  w.key("default");
  w.raw(optionValueJson(Options(), info.id));
  auto bound = [&](const char* name, int64_t value) {
    w.key(name);
    if (isNumber) w.fixed(value, 3);
    else w.integer(value);
  };
  bound("min", info.min);
  bound("max", info.max);
  bound("step", info.step);
  w.key("choices");
  w.beginArray();
  for (const OptionChoice& choice : optionChoices(info)) {
    w.beginObject();
    w.field("id", choice.id);
    w.field("title", choice.title);
    w.endObject();
  }
  w.endArray();
  w.key("policies");  // that read the option
  w.beginArray();
  for (std::string_view id : optionPolicies(info)) w.value(id);
  w.endArray();
  w.field("workload", info.workload);
  w.key("draft");
  if (info.draft < 0) w.null();
  else w.integer(info.draft);
  w.endObject();
}

// Opens the object; what follows differs between the page's catalog and the lab's.
void beginCatalog(JsonWriter& w) {
  w.beginObject();
  w.field("schema", kReportSchema);
  w.field("tessera", TESSERA_VERSION);
  w.key("devices");
  w.beginArray();
  for (const DeviceSpec& device : allDevices()) writeDevice(w, device);
  w.endArray();
}

void writePolicies(JsonWriter& w) {
  w.key("policies");
  w.beginArray();
  for (const PolicyInfo& policy : allPolicies()) {
    w.beginObject();
    w.field("id", policy.id);
    w.field("title", policy.title);
    w.field("description", policy.description);
    w.key("traits");
    w.beginArray();
    for (const EnumRow<PolicyTrait>& trait : kPolicyTraits) {
      if (policy.has(trait.value)) w.value(trait.id);
    }
    w.endArray();
    w.endObject();
  }
  w.endArray();
}

void writeOps(JsonWriter& w) {
  w.key("families");
  w.beginArray();
  for (size_t i = 0; i < allFamilyTitles().size(); ++i) {
    w.beginObject();
    w.field("id", familyName(static_cast<Family>(i)));
    w.field("title", allFamilyTitles()[i]);
    w.endObject();
  }
  w.endArray();
  w.key("ops");
  w.beginArray();
  for (const OpInfo& info : allOps()) {
    if (info.kind == OpKind::Opaque) continue;
    w.beginObject();
    w.field("name", info.name);
    w.field("family", familyName(info.family));
    w.field("operands", info.roles);
    w.endObject();
  }
  w.endArray();
}

void writeDiagnosticKinds(JsonWriter& w) {
  static constexpr const char* kSeverities[] = {"note", "warning", "error"};
  w.key("diagnostics");
  w.beginArray();
  for (const DiagInfo& info : allDiagKinds()) {
    w.beginObject();
    w.field("kind", info.name);
    w.field("severity", kSeverities[static_cast<size_t>(info.severity)]);
    w.field("format", info.format);
    w.endObject();
  }
  w.endArray();
}

}  // namespace

std::string apiVersion() {
  JsonWriter w;
  w.beginObject();
  w.field("tessera", TESSERA_VERSION);
  w.field("schema", kReportSchema);
  w.endObject();
  return w.take();
}

std::string apiCatalog() {
  JsonWriter w;
  beginCatalog(w);
  writePolicies(w);
  w.key("options");
  w.beginArray();
  for (const OptionInfo& info : allOptions()) writeOption(w, info);
  w.endArray();
  writeOps(w);
  writeDiagnosticKinds(w);
  w.endObject();
  return w.take();
}

std::string apiLabCatalog() {
  JsonWriter w;
  beginCatalog(w);
  w.endObject();
  return w.take();
}

std::string apiLint(Session& session, const std::string& text) {
  const LoadedGraph& loaded = session.load(kApiSourceName, text);
  return diagnosticsJson(loaded.diagnostics, loaded.source);
}

std::string apiRun(Session& session, const std::string& text, const std::string& optionsJson) {
  RunRequest request(session, text, optionsJson);
  return reportJson(request.run()->report);
}

std::string apiPasses(Session& session, const std::string& text, const std::string& optionsJson) {
  RunRequest request(session, text, optionsJson, {"ir"});
  auto finished = request.run();
  JsonWriter w;
  if (!finished->report.run) {
    w.beginObject();
    w.field("schema", kReportSchema);
    w.key("passes");
    w.beginArray(), w.endArray();
    w.key("provenance");
    w.beginArray(), w.endArray();
    w.key("lint");
    w.raw(diagnosticsJson(finished->diagnostics, request.loaded.source));
    w.endObject();
    return w.take();
  }
  bool withIr = request.document.root().get("ir").asBool().value_or(false);
  return passTraceJson(*finished, withIr);
}

std::string apiCheckPasses(Session& session, const std::string& text, const std::string& optionsJson) {
  RunRequest request(session, text, optionsJson);
  const LoadedGraph& loaded = *session.choose(request.options.function);
  PassCheckOptions asked;
  asked.run = request.options;
  PassChecks found;
  if (request.diags.hasErrors()) found.problem = request.diags.firstError();
  else if (loaded.graph && !loaded.diagnostics.hasErrors()) found = checkPasses(*loaded.graph, asked);
  JsonWriter w;
  w.beginObject();
  w.field("schema", kReportSchema);
  w.field("problem", std::string_view(found.problem));
  w.key("checks");
  w.beginArray();
  for (const PassCheck& check : found.checks) {
    bool equal = check.verdict.equal();
    w.beginObject();
    w.field("pass", check.pass->name);
    w.field("verdict", equal                                               ? "same"
                       : check.verdict.comparison == Comparison::Different ? "different"
                                                                           : "not_compared");
    w.field("text", equal ? "largest relative error " + errorText(check.verdict) : check.verdict.text);
    w.endObject();
  }
  w.endArray();
  w.endObject();
  return w.take();
}

std::string apiCompare(Session& session, const std::string& text, const std::string& runsJson) {
  Diagnostics diags;
  SourceBuffer source("runs", runsJson);
  JsonDocument document = parseRequest(source, diags);
  JsonValue runs = document.root().get("runs");
  if (!runs.isArray() && !diags.hasErrors())
    diags.report(DiagKind::BadOption, {}, {"runs", jsonKindName(runs.kind()), "an array of options"});
  session.load(kApiSourceName, text);
  JsonWriter w;
  w.beginObject();
  w.field("schema", kReportSchema);
  w.key("runs");
  w.beginArray();
  if (diags.hasErrors()) w.raw(reportJson(runAsked(session, JsonValue(), diags)->report));
  std::vector<std::unique_ptr<FinishedRun>> finished;
  std::vector<LabelledReport> reports;
  for (size_t i = 0; i < runs.size() && !diags.hasErrors(); ++i) {
    finished.push_back(runAsked(session, runs.at(i), Diagnostics()));
    const Report& report = finished.back()->report;
    w.raw(reportJson(report));
    const PolicyInfo* policy = report.run ? report.run->policy : finished.back()->policy;
    reports.push_back({std::string(policy ? policy->id : ""), &report});
  }
  w.endArray();
  w.key("comparison");
  writeComparison(w, compareRuns(reports));
  w.endObject();
  return w.take();
}

std::string apiDecisionTrace(const std::string& text) {
  SourceBuffer source("decision trace", text);
  Diagnostics diags;
  std::optional<DecisionTrace> trace;
  if (text.size() <= kMaxSourceBytes) trace = readDecisionTrace(source, diags);
  else diags.report(DiagKind::SourceTooLarge, {}, {std::to_string(text.size()), std::to_string(kMaxSourceBytes)});
  JsonWriter w;
  w.beginObject();
  w.field("schema", kReportSchema);
  writeDiagnostics(w, diags, source);
  w.key("trace");
  if (trace) writeBeamTrace(w, *trace, inferBeams(*trace), [](int64_t) -> int64_t { return -1; });
  else w.null();
  w.endObject();
  return w.take();
}

std::string apiRegret(Session& session, const std::string& text, const std::string& optionsJson) {
  RunRequest request(session, text, optionsJson);
  auto finished = request.run();
  if (finished->report.run) return regretJson(session, *finished);
  JsonWriter w;
  w.beginObject();
  w.field("schema", kReportSchema);
  w.key("regrets");
  w.null();
  w.key("lint");
  w.raw(diagnosticsJson(finished->diagnostics, request.loaded.source));
  w.endObject();
  return w.take();
}

std::string apiLayout(const std::string& requestJson) {
  Diagnostics diags;
  SourceBuffer source("request", requestJson);
  JsonDocument document = JsonDocument::parse(source, diags);
  std::vector<LabProblem> problems;
  for (const Diagnostic& diagnostic : diags.all())
    problems.push_back({"", std::string(diagInfo(diagnostic.kind).name), diagnostic.message});
  if (!problems.empty()) return labJson(LabRequest(), std::move(problems));
  LabRequest request = readLabRequest(document.root(), problems);
  return labJson(request, std::move(problems));
}

}  // namespace tessera
