#include "core/cli/opt_arguments.h"

#include <algorithm>

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

// An option of MLIR's driver: a switch, or one that takes a value behind `=` or as the next argument.
struct DriverFlag {
  std::string_view name;
  bool OptArguments::*member;  // null: taken, and of no effect here
};
constexpr DriverFlag kDriverFlags[] = {
    {"mlir-print-debuginfo", &OptArguments::printLocations},
    {"mlir-print-local-scope", &OptArguments::localScope},
    {"mlir-print-ir-after-all", &OptArguments::printAfterAll},
    {"print-ir-after-all", &OptArguments::printAfterAll},
    {"ttnn-collect-perf-metrics", &OptArguments::perfMetrics},
    {"ttnn-perf-metrics-verbose-output-enabled", &OptArguments::verbosePerfMetrics},
    {"ttcore-wrap-device-module", &OptArguments::wrapModule},
    {"ttcore-unwrap-device-module", &OptArguments::unwrapModule},
    {"ttcore-mark-functions-as-forward", nullptr},  // every public function with a body is one
    {"allow-unregistered-dialect", nullptr},        // unknown ops are always read
    {"mlir-disable-threading", nullptr},
    {"mlir-print-op-generic", nullptr},
    {"mlir-print-ir-module-scope", nullptr},
    {"mlir-print-stacktrace-on-diagnostic", nullptr},
    {"verify-each", nullptr},  // always
};

bool isDriverValue(std::string_view name) {
  return name == "mlir-print-ir-after" || name == "ttnn-perf-metrics-output-file" ||
         name == "mlir-elide-elementsattrs-if-larger" || name == "mlir-elide-resource-strings-if-larger";
}

void addNames(std::string_view list, std::vector<std::string>& out) {
  while (!list.empty()) {
    size_t end = std::min(list.find(','), list.size());
    if (end > 0) out.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

std::string takeDriverValue(const Argument& argument, std::string_view value, OptArguments& out) {
  if (value.empty()) return "`" + std::string(argument.name) + "` needs a value";
  if (argument.name == "mlir-print-ir-after") addNames(value, out.printAfter);
  if (argument.name == "ttnn-perf-metrics-output-file") out.perfMetricsFile = value;
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

std::string takePass(std::string_view name, std::string_view value, OptArguments& out) {
  if (isPipelineName(name)) return out.pipeline = true, takeOptions(value, out);
  if (name == "ttcore-register-device") return takeOptions(value, out);
  if (name == "ttnn-collect-perf-metrics" && !value.empty()) {
    out.perfMetrics = true;
    return takeOptions(value, out);
  }
  for (const DriverFlag& flag : kDriverFlags) {
    if (flag.name != name) continue;
    if (!value.empty() && value != "true" && value != "false")
      return "option `" + std::string(name) + "` is " + std::string(value) + ", expected true or false";
    if (flag.member != nullptr) out.*flag.member = value != "false";
    return "";
  }
  if (const PassInfo* pass = findPass(name)) {
    out.passes.push_back({pass, {}});
    // Of its two passes only some of the pipeline's options are options.
    const bool whole = pass->stage == PassStage::Optimize && pass->part == OptimizerPart::Whole;
    std::string mistake = whole ? "" : parsePassSettings(*pass, value, out.passes.back().settings);
    if (pass->stage != PassStage::Optimize || !mistake.empty()) return mistake;
    return takeOptions("optimizer-pass-enabled=true " + std::string(value), out);
  }
  return "unknown option `" + std::string(name) + "`";
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
  if (mistake.rfind("unknown option", 0) != 0) return mistake;
  // Options of the pipeline may stand beside it as well as in it.
  return takeOptions(std::string(name) + "=" + std::string(argument.value), out);
}

Argument readArgument(std::string_view text) {
  text.remove_prefix(text.rfind("--", 0) == 0 ? 2 : 1);
  return splitWord(text);
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
      for (const PassOption& option : pass.options) {
        const bool number = option.type == PassOptionType::Integer;
        text += "      " + std::string(option.name) + "=";
        text += !option.choices.empty() ? std::string(option.choices) : number ? "NUMBER" : "";
        text += option.type == PassOptionType::Flag   ? "true false\n"
                : option.type == PassOptionType::Text ? "TEXT\n"
                                                      : "\n";
      }
    }
  }
  return text;
}

bool OptArguments::printsAfter(std::string_view pass) const {
  return printAfterAll || std::find(printAfter.begin(), printAfter.end(), pass) != printAfter.end();
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
    if (isDriverValue(argument.name)) {
      bool next = !argument.hasValue && i + 1 < arguments.size();
      mistake = takeDriverValue(argument, next ? std::string_view(arguments[++i]) : argument.value, out);
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
