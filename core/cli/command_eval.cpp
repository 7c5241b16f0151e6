#include "core/evaluate/eval.h"

#include <cstdio>

#include "core/cli/command.h"
#include "core/support/json_writer.h"

namespace tessera {

namespace {

constexpr EvalKind kKinds[] = {
    {"opmodel", evalOpModel}, {"spill", evalSpill},   {"gemm", evalGemm}, {"matmul_hs", evalMatmulHs},
    {"exp", evalExp},         {"points", evalPoints}, {"ops", evalOps},   {"targets", evalTargets},
};

// Tenths of a percent, rounded down: 100.0 means all of them.
std::string percent(int64_t part, int64_t whole) {
  int64_t tenths = whole > 0 ? part * 1000 / whole : 1000;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

std::string percentText(double part) {
  char text[40];
  std::snprintf(text, sizeof text, "%.1f%%", 100 * part);
  return text;
}

std::string toJson(std::string_view kind, const EvalResult& result) {
  JsonWriter w;
  w.beginObject();
  w.field("kind", kind);
  w.field("rows", result.rows);
  w.field("agree", result.agree);
  if (!result.figures.empty()) w.field("figures", std::string_view(result.figures));
  w.key("families");
  w.beginArray();
  for (const EvalFamily& family : result.families) {
    w.beginObject();
    w.field("name", std::string_view(family.name));
    w.field("rows", family.rows);
    w.field("median_abs_err", percentText(family.median));
    w.field("p90", percentText(family.p90));
    w.endObject();
  }
  w.endArray();
  w.key("misses");
  w.beginArray();
  for (const EvalMiss& miss : result.misses) {
    w.beginObject();
    w.field("row", std::string_view(miss.row));
    w.field("text", std::string_view(miss.text));
    w.endObject();
  }
  w.endArray();
  w.endObject();
  return w.take() + "\n";
}

}  // namespace

int evalCommand(std::span<const std::string> arguments) {
  EvalRequest request;
  std::string kind;
  for (const std::string& argument : arguments) {
    if (argument == "--verbose") request.verbose = true;
    else if (argument == "--json") request.json = true;
    else if (argument == "--families") request.families = true;
    else if (argument.rfind("--", 0) == 0) return usage("unknown argument `" + argument + "`");
    else if (kind.empty()) kind = argument;
    else if (request.file.empty()) request.file = argument;
    else return usage("more than one file");
  }
  for (const EvalKind& known : kKinds) {
    if (known.name != kind) continue;
    if (request.file.empty()) return usage("no file given");
    EvalResult result = known.run(request);
    if (!result.problem.empty()) {
      put(stderr, "tessera: " + result.problem + "\n");
      return kExitDiagnostics;
    }
    if (request.json) {
      put(stdout, toJson(kind, result));
      return kExitFine;
    }
    if (request.verbose) {
      for (const EvalMiss& miss : result.misses) put(stdout, miss.row + ": " + miss.text + "\n");
    }
    for (size_t i = 0; request.families && i < result.families.size(); ++i) {
      const EvalFamily& family = result.families[i];
      put(stdout, "family " + family.name + ": rows " + std::to_string(family.rows) + " median_abs_err " +
                      percentText(family.median) + " p90 " + percentText(family.p90) + "\n");
    }
    std::string figures = result.figures.empty() ? "agree " + percent(result.agree, result.rows) + "%" : result.figures;
    put(stdout, result.summary + "rows " + std::to_string(result.rows) + " " + figures + "\n");
    return kExitFine;
  }
  return usage(kind.empty() ? "eval needs a kind" : "unknown kind of evaluation `" + kind + "`");
}

}  // namespace tessera
