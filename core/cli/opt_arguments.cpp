#include "core/cli/opt_arguments.h"

#include <algorithm>
#include <charconv>

#include "core/cli/pipeline_options.h"
#include "core/cli/system_desc.h"

namespace tessera {

namespace {

struct Argument {
  std::string_view name;
  std::string_view value;
  bool hasValue = false;
};

Argument splitWord(std::string_view text) {
  size_t equals = text.find('=');
  if (equals == std::string_view::npos) return {text, {}, false};
  return {text.substr(0, equals), text.substr(equals + 1), true};
}

// A switch of MLIR's driver.
struct DriverSwitch {
  std::string_view name;
  bool OptArguments::*member = nullptr;  // null: of no effect
  bool always = false;                   // what the switch asks for is so in any case
  std::string_view why{};                // it has no effect otherwise
};
constexpr std::string_view kOwnForm = "functions, calls and constants are printed in one form only";
constexpr std::string_view kNoMeasure = "passes are not measured one by one";
constexpr std::string_view kNoDump = "graphs are printed before and after passes only";
constexpr DriverSwitch kDriverSwitches[] = {
    {"mlir-print-debuginfo", &OptArguments::printLocations},
    {"mlir-print-local-scope", &OptArguments::localScope},
    {"mlir-print-ir-before-all", &OptArguments::printBeforeAll},
    {"mlir-print-ir-after-all", &OptArguments::printAfterAll},
    {"print-ir-after-all", &OptArguments::printAfterAll},
    {"ttnn-collect-perf-metrics", &OptArguments::perfMetrics},
    {"ttnn-perf-metrics-verbose-output-enabled", &OptArguments::verbosePerfMetrics},
    {"ttcore-wrap-device-module", &OptArguments::wrapModule},
    {"ttcore-unwrap-device-module", &OptArguments::unwrapModule},
    {"ttcore-mark-functions-as-forward", nullptr, true, "every public function with a body is one"},
    {"allow-unregistered-dialect", nullptr, true, "unknown ops are always read"},
    {"mlir-disable-threading", nullptr, true, "passes run one after the other"},
    {"mlir-print-ir-module-scope", nullptr, true, "what is printed is the whole module"},
    {"verify-each", nullptr, true, "every pass is checked"},
    {"mlir-print-op-generic", nullptr, false, kOwnForm},
    {"mlir-print-assume-verified", nullptr, false, kOwnForm},
    {"mlir-print-skip-regions", nullptr, false, kOwnForm},
    {"mlir-print-unique-ssa-ids", nullptr, false, kOwnForm},
    {"mlir-print-value-users", nullptr, false, kOwnForm},
    {"mlir-use-nameloc-as-prefix", nullptr, false, kOwnForm},
    {"mlir-pretty-debuginfo", nullptr, false, "places are printed in one form only"},
    {"mlir-print-ir-after-change", nullptr, false, kNoDump},
    {"mlir-print-ir-after-failure", nullptr, false, kNoDump},
    {"mlir-print-op-on-diagnostic", nullptr, false, "a diagnostic shows the line of the file"},
    {"mlir-print-stacktrace-on-diagnostic", nullptr, false, "a diagnostic shows the line of the file"},
    {"mlir-timing", nullptr, false, kNoMeasure},
    {"mlir-pass-statistics", nullptr, false, kNoMeasure},
};

// An option of MLIR's driver whose value is `=VALUE` or the next argument.
struct DriverValue {
  std::string_view name;
  bool (*set)(std::string_view value, OptArguments& out);  // false: not such a value; null: of no effect
  std::string_view why{};
};

void addNames(std::string_view list, std::vector<std::string>& out);

bool setElideLarger(std::string_view value, OptArguments& out) {
  auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), out.elideLarger);
  return error == std::errc() && end == value.data() + value.size() && out.elideLarger >= 0;
}

constexpr DriverValue kDriverValues[] = {
    {"mlir-print-ir-before", [](std::string_view v, OptArguments& out) { return addNames(v, out.printBefore), true; }},
    {"mlir-print-ir-after", [](std::string_view v, OptArguments& out) { return addNames(v, out.printAfter), true; }},
    {"mlir-elide-elementsattrs-if-larger", setElideLarger},
    {"ttnn-perf-metrics-output-file",
     [](std::string_view v, OptArguments& out) { return out.perfMetricsFile = v, true; }},
    {"mlir-elide-resource-strings-if-larger", nullptr, "the bytes of resources are never printed"},
    {"mlir-print-elementsattrs-with-hex-if-larger", nullptr, "numbers are printed as they were read"},
    {"mlir-print-ir-tree-dir", nullptr, kNoDump},
    {"mlir-timing-display", nullptr, kNoMeasure},
    {"mlir-pass-statistics-display", nullptr, kNoMeasure},
    {"mlir-pass-pipeline-crash-reproducer", nullptr, "a graph that a pass fails on is in `run --json`"},
};

void noteWithoutEffect(std::string_view name, std::string_view why, OptArguments& out) {
  out.warnings.push_back("option `" + std::string(name) + "` has no effect: " + std::string(why));
}

const DriverValue* findDriverValue(std::string_view name) {
  for (const DriverValue& row : kDriverValues) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

void addNames(std::string_view list, std::vector<std::string>& out) {
  while (!list.empty()) {
    size_t end = std::min(list.find(','), list.size());
    if (end > 0) out.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

std::string takeDriverValue(const DriverValue& row, std::string_view value, OptArguments& out) {
  if (value.empty()) return "`" + std::string(row.name) + "` needs a value";
  if (row.set == nullptr) return noteWithoutEffect(row.name, row.why, out), "";
  if (!row.set(value, out)) return "option `" + std::string(row.name) + "` cannot be `" + std::string(value) + "`";
  return "";
}

std::string takeDriverSwitch(const DriverSwitch& row, std::string_view value, OptArguments& out) {
  if (!value.empty() && value != "true" && value != "false")
    return "option `" + std::string(row.name) + "` is " + std::string(value) + ", expected true or false";
  const bool on = value != "false";
  if (row.member != nullptr) out.*row.member = on;
  else if (on != row.always) noteWithoutEffect(row.name, row.why, out);
  return "";
}

// "name=value name=value" of the device's description, and of the pipeline.
std::string takeOptions(std::string_view text, OptArguments& out) {
  std::string rest;
  while (true) {
    size_t begin = text.find_first_not_of(" \t\n");
    if (begin == std::string_view::npos) break;
    text.remove_prefix(begin);
    std::string_view word = text.substr(0, text.find_first_of(" \t\n"));
    text.remove_prefix(word.size());
    Argument option = splitWord(word);
    if (option.name == kSystemDescOption)
      out.warnings.push_back(takeSystemDesc(std::string(option.value), out.options));
    else if (option.name == "ttnn-perf-metrics-enabled") out.perfMetrics = option.value != "false";
    else if (option.name == "ttnn-perf-metrics-verbose-output-enabled")
      out.verbosePerfMetrics = option.value != "false";
    else if (option.name == "ttnn-perf-metrics-output-file") out.perfMetricsFile = option.value;
    else rest += std::string(word) + " ";
  }
  const size_t known = out.diagnostics.all().size();
  if (!parsePipelineOptions(rest, out.options, out.diagnostics)) return out.diagnostics.all().back().message;
  for (size_t i = known; i < out.diagnostics.all().size(); ++i)
    out.warnings.push_back(out.diagnostics.all()[i].message);
  return "";
}

bool isPipelineName(std::string_view name) {
  return name == "ttir-to-ttnn-backend-pipeline" || name == "ttir-to-ttnn-runtime-pipeline" ||
         name == "ttir-to-ttnn-common-pipeline";
}

std::string unknownOption(std::string_view name) { return "unknown option `" + std::string(name) + "`"; }

std::string takePass(std::string_view name, std::string_view value, OptArguments& out) {
  if (isPipelineName(name)) return out.pipeline = true, takeOptions(value, out);
  if (name == "ttcore-register-device") return takeOptions(value, out);
  if (name == "ttnn-collect-perf-metrics" && value.find('=') != std::string_view::npos) {
    out.perfMetrics = true;
    return takeOptions(value, out);
  }
  for (const DriverSwitch& row : kDriverSwitches) {
    if (row.name == name) return takeDriverSwitch(row, value, out);
  }
  if (const PassInfo* pass = findPass(name)) {
    out.passes.push_back({pass, {}});
    // Of its two passes only some of the pipeline's options are options.
    const bool whole = pass->stage == PassStage::Optimize && pass->part == OptimizerPart::Whole;
    std::string mistake = whole ? "" : parsePassSettings(*pass, value, out.passes.back().settings);
    if (out.passes.back().settings.flag("force", false))
      noteWithoutEffect("force", "views move as far as they can in any case, but for the preset `seed`", out);
    if (pass->stage != PassStage::Optimize || !mistake.empty()) return mistake;
    return takeOptions("optimizer-pass-enabled=true " + std::string(value), out);
  }
  return unknownOption(name);
}

bool isNameChar(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_'; }

// builtin.module(ttcore.device_module(builtin.module(a,b{x=1 y=2}))): the passes in their order, whatever op they are
// nested under.
std::string takePassPipeline(std::string_view text, OptArguments& out) {
  for (size_t i = 0; i < text.size();) {
    if (!isNameChar(text[i])) {
      ++i;
      continue;
    }
    size_t end = i;
    while (end < text.size() && isNameChar(text[end])) ++end;
    std::string_view name = text.substr(i, end - i);
    std::string_view options;
    if (end < text.size() && text[end] == '{') {
      size_t close = text.find('}', end);
      if (close == std::string_view::npos) return "`pass-pipeline`: `{` is never closed";
      options = text.substr(end + 1, close - end - 1);
      end = close + 1;
    }
    bool anchor = end < text.size() && text[end] == '(';
    if (!anchor) {
      if (std::string mistake = takePass(name, options, out); !mistake.empty()) return mistake;
    }
    i = end;
  }
  return "";
}

std::string takeArgument(const Argument& argument, OptArguments& out) {
  std::string_view name = argument.name;
  if (name == "pass-pipeline") return takePassPipeline(argument.value, out);
  if (name == "split-input-file") {
    out.splitInput = argument.value != "false";
    if (argument.hasValue && argument.value != "true" && argument.value != "false") out.splitMarker = argument.value;
    return "";
  }
  if (name == "verify-diagnostics") {
    if (argument.hasValue && argument.value != "lines") return "option `verify-diagnostics` takes `lines` or nothing";
    out.verifyDiagnostics = argument.hasValue ? VerifyDiagnostics::Lines : VerifyDiagnostics::Text;
    return "";
  }
  std::string mistake = takePass(name, argument.value, out);
  if (mistake != unknownOption(name)) return mistake;
  // Options of the pipeline may stand beside it as well as in it.
  return takeOptions(std::string(name) + "=" + std::string(argument.value), out);
}

Argument readArgument(std::string_view text) {
  text.remove_prefix(text.rfind("--", 0) == 0 ? 2 : 1);
  return splitWord(text);
}

}  // namespace

namespace {

std::string passOptionHelp(const PassOption& option) {
  const bool number = option.type == PassOptionType::Integer;
  std::string text = "      " + std::string(option.name) + "=";
  text += !option.choices.empty() ? std::string(option.choices) : number ? "NUMBER" : "";
  text += option.type == PassOptionType::Flag ? "true false" : option.type == PassOptionType::Text ? "TEXT" : "";
  return text + "\n";
}

}  // namespace

std::string optHelp() {
  std::string text =
      "usage: tessera opt FILE [--PIPELINE[=\"OPTION=VALUE ...\"] | --PASS[=\"OPTION=VALUE ...\"]...]\n\n"
      "The compiler's command line. Pipelines: ttir-to-ttnn-backend-pipeline, ttir-to-ttnn-runtime-pipeline,\n"
      "ttir-to-ttnn-common-pipeline; their options are those of `tessera run` and the compiler's.\n\n"
      "passes, in the order of the pipeline; then those that run when named only:\n";
  for (std::span<const PassInfo> table : {allPasses(), namedPasses()}) {
    for (const PassInfo& pass : table) {
      text += "  --" + std::string(pass.name) + "\n      " + std::string(pass.description) + "\n";
      for (const PassOption& option : pass.options) text += passOptionHelp(option);
    }
  }
  text += "\noptions of the pipelines:\n";
  for (const PipelineOptionInfo& option : pipelineOptions()) {
    text += "  " + std::string(option.name) + "=";
    text += option.why.empty() ? std::string(option.expected) : "  (no effect: " + std::string(option.why) + ")";
    text += "\n";
  }
  text += "\noptions of MLIR's driver:\n";
  for (std::string_view name : driverOptions()) text += "  --" + std::string(name) + "\n";
  return text;
}

std::vector<std::string_view> driverOptions() {
  std::vector<std::string_view> names;
  for (const DriverSwitch& row : kDriverSwitches) names.push_back(row.name);
  for (const DriverValue& row : kDriverValues) names.push_back(row.name);
  return names;
}

bool OptArguments::printsBefore(std::string_view pass) const {
  return printBeforeAll || std::find(printBefore.begin(), printBefore.end(), pass) != printBefore.end();
}

bool OptArguments::printsAfter(std::string_view pass) const {
  return printAfterAll || std::find(printAfter.begin(), printAfter.end(), pass) != printAfter.end();
}

bool OptArguments::printsOnTheWay() const {
  return printBeforeAll || printAfterAll || !printBefore.empty() || !printAfter.empty();
}

std::string parseOptArguments(std::span<const std::string> arguments, OptArguments& out) {
  out.options = pipelineDefaults();
  bool anyFile = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& text = arguments[i];
    if (text.size() < 2 || text[0] != '-') {
      if (anyFile) return "more than one file";
      anyFile = true;
      out.file = text;
      continue;
    }
    Argument argument = readArgument(text);
    std::string mistake;
    if (const DriverValue* row = findDriverValue(argument.name)) {
      bool next = !argument.hasValue && i + 1 < arguments.size();
      mistake = takeDriverValue(*row, next ? std::string_view(arguments[++i]) : argument.value, out);
    } else {
      mistake = takeArgument(argument, out);
    }
    if (!mistake.empty()) return mistake;
  }
  if (!anyFile) return "no file given";
  if (out.pipeline && !out.passes.empty()) return "give the pipeline or single passes, not both";
  return "";
}

}  // namespace tessera
