#include "core/study/desk.h"

#include <chrono>

#include "core/driver/run_request.h"
#include "core/study/measure.h"
#include "core/study/study_html.h"

namespace tessera {

namespace {

int64_t wallMicroseconds() {
  using namespace std::chrono;
  return duration_cast<microseconds>(steady_clock::now().time_since_epoch()).count();
}

std::string textIn(JsonValue value) { return std::string(value.asString().value_or("")); }

std::vector<StudyGraph> graphsOf(JsonValue list) {
  std::vector<StudyGraph> graphs;
  for (size_t i = 0; i < list.size(); ++i) {
    const JsonValue one = list.at(i);
    graphs.push_back({"", textIn(one.get("path")), textIn(one.get("hash")), one.get("bytes").asInteger().value_or(0),
                      one.get("lines").asInteger().value_or(0)});
  }
  nameGraphs(graphs);
  return graphs;
}

// As they go to the engine: those of the group that differ from the defaults, and the policy.
void writeRunOptions(JsonWriter& w, const StudyGroup& group, const std::string& policy) {
  Options options = group.options;
  Diagnostics none;
  setOption(options, "policy", policy, none);  // of a policy from outside the problem is that of the default one
  w.key("options");
  w.beginObject();
  for (const OptionInfo& info : allOptions()) {
    const std::string value = optionValueJson(options, info.id);
    const bool said = value != optionValueJson(Options(), info.id) || info.id == "device";
    if (!said && info.id != "policy") continue;
    w.key(info.id);
    w.raw(value);
  }
  w.endObject();
}

void writeDeskRun(JsonWriter& w, const Study& study, const StudyRun& run) {
  const StudyGroup& group = study.groups[run.group];
  const StudyGraph& graph = study.graphs[group.graph];
  w.beginObject();
  w.field("key", std::string_view(run.key));
  w.field("path", std::string_view(graph.path));
  w.field("graph", std::string_view(graph.name));
  w.field("device", std::string_view(group.device));
  w.key("values");
  w.beginArray();
  for (const std::string& value : group.values) w.value(std::string_view(value));
  w.endArray();
  w.field("policy", std::string_view(run.policy));
  w.field("listed", run.listed);
  w.field("group", run.group);
  w.field("work", group.work / static_cast<int64_t>(group.runs.size()));
  writeRunOptions(w, group, run.policy);
  w.endObject();
}

}  // namespace

std::string StudyDesk::begin(const std::string& requestJson) {
  const SourceBuffer source("study", requestJson);
  Diagnostics mistakes;
  const JsonDocument document = parseRequest(source, mistakes);
  const JsonValue root = document.root();
  std::string mistake = mistakes.all().empty() ? "" : mistakes.all().front().message;
  StudyArguments arguments = readStudyArguments(root.get("arguments"), mistake);
  std::vector<StudyGraph> graphs = graphsOf(root.get("graphs"));
  study_ = makeStudy(std::move(arguments), std::move(graphs), {TESSERA_VERSION, textIn(root.get("build"))}, {});
  if (study_.mistake.empty()) study_.mistake = mistake;
  JsonWriter w;
  w.beginObject();
  w.field("mistake", std::string_view(study_.mistake));
  w.key("graphs");
  w.beginArray();
  for (const StudyGraph& graph : study_.graphs) w.value(std::string_view(graph.name));
  w.endArray();
  w.key("runs");
  w.beginArray();
  for (const StudyRun& run : study_.runs) writeDeskRun(w, study_, run);
  w.endArray();
  w.endObject();
  return w.take();
}

std::string StudyDesk::keep(const std::string& key, const std::string& text) {
  std::optional<KeptRun> run = readKeptText("run", text, key);
  if (run) kept_[key] = std::move(*run);
  return run ? "{\"kept\":true}" : "{\"kept\":false}";
}

std::string StudyDesk::fail(const std::string& key, const std::string& status, const std::string& reason) {
  KeptRun run;
  run.status = findRunStatus(status).value_or(RunStatus::Crashed);
  run.reason = reason;
  kept_[key] = std::move(run);
  return "{\"kept\":true}";
}

StudyResults StudyDesk::results(const TakeLines& lines) const {
  return collectStudy(
      study_,
      [&](const std::string& key) {
        const auto found = kept_.find(key);
        return found == kept_.end() ? std::nullopt : std::optional(found->second);
      },
      lines);
}

std::string StudyDesk::study() const {
  const StudyResults found = results({});
  JsonWriter w;
  w.beginObject();
  w.key("study");
  w.raw(studyJson(study_, found.rows));
  w.key("costs");
  w.beginArray();
  for (const StudyRow& row : found.rows) w.integer(row.kept.policyTime);
  w.endArray();
  w.field("missing", found.missing.size());
  w.endObject();
  return w.take();
}

std::string StudyDesk::file(const std::string& name, const std::string& page) const {
  std::string text;
  const bool losses = name == "spills.csv";
  if (losses) text = lossHeader(study_);
  const StudyResults found = results([&](const StudyRun& run, const KeptRun& kept) {
    if (losses) text += withRun(study_, run, kept.losses);
  });
  bool known = losses;
  auto make = [&](const char* file, auto content) {
    if (name != file) return;
    known = true;
    text = content();
  };
  make("runs.csv", [&] { return runsCsv(study_, found.rows); });
  make("study.json", [&] { return studyJson(study_, found.rows); });
  make("study.html", [&] { return studyHtml(study_, found.rows, studyJson(study_, found.rows), page); });
  JsonWriter w;
  w.beginObject();
  w.key("text");
  if (known) w.value(std::string_view(text));
  else w.null();
  w.endObject();
  return w.take();
}

std::string apiStudyGraph(const std::string& path, const std::string& text) {
  const bool json = path.size() > 5 && path.compare(path.size() - 5, 5, ".json") == 0;
  const StudyGraph graph = describeGraph(path, text);
  JsonWriter w;
  w.beginObject();
  w.field("graph", !json || looksLikeGraphJson(text));
  w.field("hash", std::string_view(graph.hash));
  w.field("bytes", graph.bytes);
  w.field("lines", graph.ops);
  w.endObject();
  return w.take();
}

std::string apiStudyRun(Session& session, const std::string& name, const std::string& text,
                        const std::string& requestJson) {
  const SourceBuffer source("study", requestJson);
  Diagnostics mistakes;
  const JsonDocument document = parseRequest(source, mistakes);
  MeasureRequest asked;
  readOptions(asked.options, document.root().get("options"), mistakes);
  asked.plan = document.root().get(kPlanKey);
  asked.clock = wallMicroseconds;
  KeptRun kept;
  if (mistakes.hasErrors()) {
    kept.status = RunStatus::Refused;
    kept.reason = mistakes.all().front().message;
  } else {
    session.load(name, text);
    kept = measureRun(session, asked);
  }
  return keptText(textIn(document.root().get("key")), kept);
}

}  // namespace tessera
