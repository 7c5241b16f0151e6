// tessera embed: a run as a folder or a piece of HTML for other people's pages. docs/embedding.md.

#include <algorithm>
#include <filesystem>

#include "core/batch/new_file.h"
#include "core/cli/command.h"
#include "core/cli/embed_html.h"
#include "core/driver/run_request.h"
#include "core/report/page_text.h"

namespace tessera {

namespace {

namespace fs = std::filesystem;

struct EmbedArguments {
  std::string file;
  std::string folder;  // -o
  std::string bundle;  // --bundle: the built page, whose element is copied
  std::string at;      // --at: address of the folder, as the page sees it; with --fragment of the element's script
  std::string title;
  std::vector<std::string> compare;  // --compare: policies beside the run's own
  bool fragment = false;
  Options options;
  std::vector<std::string> given;  // ids of options
  Diagnostics diagnostics;
};

std::string parseEmbedArguments(std::span<const std::string> arguments, EmbedArguments& out) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--fragment") {
      out.fragment = true;
      continue;
    }
    if (arguments[i].rfind("--", 0) != 0) {
      if (!out.file.empty()) return "more than one file";
      out.file = arguments[i];
      continue;
    }
    std::string id, value;
    if (!splitOption(arguments, i, id, value)) return "`" + arguments[i] + "` needs a value";
    if (id == "out") out.folder = value;
    else if (id == "bundle") out.bundle = value;
    else if (id == "at") out.at = value;
    else if (id == "title") out.title = value;
    else if (id == "compare") out.compare = splitList(value);
    else if (!setOption(out.options, id, value, out.diagnostics)) return out.diagnostics.all().back().message;
    else out.given.push_back(id);
  }
  if (out.file.empty()) return "no file given";
  if (out.fragment == !out.folder.empty()) return "embed needs -o FOLDER, or --fragment";
  Options tried;
  for (const std::string& policy : out.compare)
    if (!setOption(tried, "policy", policy, out.diagnostics)) return out.diagnostics.all().back().message;
  return "";
}

// Of policy and device, and the others as one JSON object.
void addOptions(const EmbedArguments& arguments, HtmlAttributes& out) {
  std::string others;
  for (const std::string& id : arguments.given) {
    const std::string json = optionValueJson(arguments.options, id);
    if (id == "policy" || id == "device") out.emplace_back(id, json.substr(1, json.size() - 2));
    else others += (others.empty() ? "" : ",") + ("\"" + id + "\":" + json);
  }
  if (!others.empty()) out.emplace_back("options", "{" + others + "}");
  if (arguments.compare.empty()) return;
  std::string policies;
  for (const std::string& policy : arguments.compare) policies += (policies.empty() ? "" : ",") + policy;
  out.emplace_back("compare", policies);
  out.emplace_back("view", "compare");
}

// The report as JSON; with `compare` a list of one for each policy, the run's own first. "" when a run has errors.
std::string embeddedJson(EmbedArguments& arguments, Session& session) {
  chooseDefaultPolicy(arguments.options, *session.choose(arguments.options.function));
  const std::string own = arguments.options.resolved().policy;
  std::vector<std::string> policies = {own};
  for (const std::string& policy : arguments.compare)
    if (std::find(policies.begin(), policies.end(), policy) == policies.end()) policies.push_back(policy);
  std::string list;
  for (const std::string& policy : policies) {
    Options options = arguments.options;
    if (policy != own) setOption(options, "policy", policy, arguments.diagnostics);
    auto finished = runPolicy(session, options, arguments.diagnostics);
    if (list.empty() || !finished->report.run) printDiagnostics(finished->diagnostics, session.loaded()->source);
    if (!finished->report.run) return "";
    list += (list.empty() ? "" : ",") + reportJson(finished->report);
  }
  return arguments.compare.empty() ? list : "[" + list + "]";
}

// Beside the program: build/<kind>/bin/tessera and web/dist.
std::string bundleOf(const EmbedArguments& arguments) {
  if (!arguments.bundle.empty()) return arguments.bundle;
  std::error_code problem;
  const fs::path program = fs::read_symlink("/proc/self/exe", problem);
  return (program.parent_path() / "../../../web/dist").lexically_normal().string();
}

// The element and the engine that it loads when somebody changes something; "" when all is well.
std::string copyBundle(const std::string& bundle, const std::string& folder) {
  const auto copying = fs::copy_options::recursive | fs::copy_options::overwrite_existing;
  const fs::path from(bundle), to(folder);
  std::error_code problem;
  if (!fs::exists(from / "embed" / "tessera-playground.js", problem))
    return "`" + bundle +
           "` holds no embed/tessera-playground.js: build the page (scripts/play --build-only) or say "
           "where it is with --bundle";
  fs::copy(from / "embed", to / "embed", copying, problem);
  if (problem) return "cannot copy the element: " + problem.message();
  if (!makeFolder((to / "engine").string()).empty()) return "cannot make `" + (to / "engine").string() + "`";
  for (const char* name : {"tessera.js", "tessera.wasm"}) {
    fs::copy_file(from / "engine" / name, to / "engine" / name, fs::copy_options::overwrite_existing, problem);
    if (problem) return "cannot copy the engine: " + problem.message();
  }
  return "";
}

std::string writeWhole(const std::string& path, std::string_view text) {
  NewFile file(path);
  file.add(text);
  return file.finish();
}

// graph, report, poster, fragment and a page with it, beside the element's files.
std::string writeFolder(const EmbedArguments& arguments, const LoadedGraph& graph, const std::string& json,
                        JsonValue made) {
  const std::string& folder = arguments.folder;
  if (std::string problem = makeFolder(folder); !problem.empty()) return problem;
  const std::string name = graph.isJson ? "graph.json" : "graph.mlir";
  const auto fragment = [&](const std::string& at) {
    EmbedParts parts;
    parts.script = at + "embed/tessera-playground.js";
    parts.attributes = {{"name", arguments.title}, {"src", at + name}, {"report", at + "report.json"}};
    addOptions(arguments, parts.attributes);
    parts.poster = "<img src=\"" + htmlText(at) + "poster.svg\" alt=\"" + htmlText(arguments.title) + "\">\n";
    return embedFragment(parts, made, arguments.title);
  };
  const std::string& at = arguments.at;
  const std::pair<std::string, std::string> files[] = {
      {name, std::string(graph.source.text())},
      {"report.json", json},
      {"poster.svg", posterSvg(firstReport(made), arguments.title)},
      {"fragment.html", fragment(at.empty() || at.back() == '/' ? at : at + "/")},
      {"index.html", embedPage(fragment(""), arguments.title)}};
  for (const auto& [file, text] : files)
    if (std::string problem = writeWhole(folder + "/" + file, text); !problem.empty()) return problem;
  return copyBundle(bundleOf(arguments), folder);
}

// All of it in one piece, for a page that has the element's script already or is told where it is.
std::string wholeFragment(const EmbedArguments& arguments, const std::string& graph, const std::string& json,
                          JsonValue made) {
  EmbedParts parts;
  parts.script = arguments.at;
  parts.attributes = {{"name", arguments.title}};
  addOptions(arguments, parts.attributes);
  parts.poster = posterSvg(firstReport(made), arguments.title);
  parts.report = json;
  if (fitsScript(graph)) parts.graph = graph;
  else put(stderr, "tessera: the graph cannot stand in HTML as it is: the fragment cannot be run again\n");
  return embedFragment(parts, made, arguments.title);
}

}  // namespace

int embedCommand(std::span<const std::string> given) {
  EmbedArguments arguments;
  if (std::string mistake = parseEmbedArguments(given, arguments); !mistake.empty()) return usage(mistake);
  std::string graph;
  if (!readFile(arguments.file, graph)) return usage("cannot read `" + arguments.file + "`");
  Session session;
  session.load(arguments.file == "-" ? "<stdin>" : arguments.file, graph);
  const SourceBuffer source("report", embeddedJson(arguments, session));
  if (source.text().empty()) return kExitDiagnostics;
  Diagnostics ours;
  const JsonDocument document = JsonDocument::parse(source, ours);
  if (ours.hasErrors()) return usage("the report is too large to be embedded");
  if (arguments.title.empty())
    arguments.title = arguments.file == "-" ? "graph" : fs::path(arguments.file).stem().string();
  const std::string json(source.text());
  if (arguments.fragment) {
    put(stdout, wholeFragment(arguments, graph, json, document.root()));
    return kExitFine;
  }
  const std::string problem = writeFolder(arguments, *session.loaded(), json, document.root());
  return problem.empty() ? kExitFine : usage(problem);
}

}  // namespace tessera
