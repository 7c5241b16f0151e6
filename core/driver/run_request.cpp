#include "core/driver/run_request.h"

namespace tessera {

namespace {

std::unique_ptr<FinishedRun> runWith(Session& session, Options& options, JsonValue plan, const Diagnostics& diags) {
  chooseDefaultPolicy(options, *session.choose(options.function));
  if (!plan.present() || plan.kind() == JsonKind::Null) return runPolicy(session, options, diags);
  auto prepared = prepareRun(session, options, diags);
  if (prepared->problem) runPlan(*prepared, plan);
  return prepared;
}

}  // namespace

JsonDocument parseRequest(const SourceBuffer& source, Diagnostics& diags) {
  bool blank = source.text().find_first_not_of(" \t\r\n") == std::string_view::npos;
  if (blank) return JsonDocument();
  Diagnostics found;
  JsonDocument document = JsonDocument::parse(source, found);
  for (Diagnostic d : found.all()) {
    d.span = {};
    diags.add(d);
  }
  return document;
}

std::unique_ptr<FinishedRun> runAsked(Session& session, JsonValue run, const Diagnostics& diags) {
  Options options;
  Diagnostics all = diags;
  readOptions(options, run, all, std::span(&kPlanKey, 1));
  return runWith(session, options, run.get(kPlanKey), all);
}

RunRequest::RunRequest(Session& in, const std::string& text, const std::string& optionsJson,
                       std::initializer_list<std::string_view> alsoAllowed)
    : session(in),
      source("options", optionsJson),
      document(parseRequest(source, diags)),
      loaded(in.load(kApiSourceName, text)) {
  std::vector<std::string_view> allowed(alsoAllowed);
  allowed.push_back(kPlanKey);
  readOptions(options, document.root(), diags, allowed);
}

std::unique_ptr<FinishedRun> RunRequest::run() {
  return runWith(session, options, document.root().get(kPlanKey), diags);
}

}  // namespace tessera
