#include "core/cli/pipeline_options.h"

#include <charconv>

#include "core/policy/policy.h"

namespace tessera {

namespace {

void setOptimizer(Options& options, bool on) {
  options.lowering.optimizer = on;
  if (!on) options.policy = floorPolicy().id;
  else if (policyHas(options.policy, kFloor)) options.policy = presetOf(options.preset).policy;
}

// Level 1: the optimizer's passes without any layout in L1.
void setLevel(Options& options, int64_t level) {
  setOptimizer(options, level >= 1);
  if (level == 1) options.policy = floorPolicy().id;
}

struct Flag {
  std::string_view name;
  void (*set)(Options&, bool);
};
constexpr Flag kFlags[] = {
    {"optimizer-pass-enabled", setOptimizer},  // docs/rules/lowering.md#pipeline-options
    {"enable-optimizer", setOptimizer},
    {"implicit-broadcast-folding-enabled", [](Options& o, bool on) { o.lowering.implicitBroadcastFolding = on; }},
    {"enable-implicit-broadcast-folding-pass", [](Options& o, bool on) { o.lowering.implicitBroadcastFolding = on; }},
    {"enable-erase-inverse-ops-pass", [](Options& o, bool on) { o.lowering.eraseInverseOps = on; }},
    {"enable-remove-dead-values", [](Options& o, bool on) { o.lowering.removeDeadValues = on; }},
    {"enable-layout-workaround-pass", [](Options& o, bool on) { o.lowering.layoutWorkarounds = on; }},
    {"enable-decomposition-workaround-pass", [](Options& o, bool on) { o.lowering.decompositionWorkarounds = on; }},
    {"disable-workarounds",
     [](Options& o, bool on) { o.lowering.layoutWorkarounds = o.lowering.decompositionWorkarounds = !on; }},
    {"row-major-propagation-enabled", [](Options& o, bool on) { o.lowering.rowMajorPropagation = on; }},
    {"enable-ttnn-decomposition-pass", [](Options& o, bool on) { o.lowering.ttnnDecomposition = on; }},
    {"enable-fusing-conv2d-with-multiply-pattern", [](Options& o, bool on) { o.lowering.convMultiply = on; }},
    {"enable-permute-matmul-fusion", [](Options& o, bool on) { o.lowering.permuteMatmul = on; }},
    {"enable-const-eval-inputs-to-system-memory", [](Options& o, bool on) { o.lowering.constEvalInputsOnHost = on; }},
    {"enable-quant-dequant-conversion-pass", [](Options& o, bool on) { o.lowering.quantDequant = on; }},
    // What they switch is done elsewhere, or always, or never.
    {"enable-cpu-hoisted-const-eval", [](Options&, bool) {}},
    {"enable-compile-time-stats", [](Options&, bool) {}},
    {"enable-decision-trace", [](Options&, bool) {}},
    {"use-mock-allocator-state", [](Options&, bool) {}},
    {"check-unique-locs", [](Options&, bool) {}},
    {"enable-greedy-optimizer", [](Options&, bool) {}},
};

// "2,4": how many chips the mesh has along each dim.
bool readMeshShape(std::string_view text, std::vector<int64_t>& out) {
  constexpr int64_t kMostChipsPerDim = 1024;
  std::vector<int64_t> dims;
  while (!text.empty()) {
    std::string_view word = text.substr(0, text.find_first_of(",x"));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    int64_t dim = 0;
    auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), dim);
    if (error != std::errc() || end != word.data() + word.size() || dim < 1 || dim > kMostChipsPerDim) return false;
    dims.push_back(dim);
  }
  if (dims.empty() || dims.size() > 2) return false;
  if (dims.size() == 1) dims.insert(dims.begin(), 1);
  out = dims;
  return true;
}

std::optional<CompositeResolution> compositeResolution(std::string_view value) {
  if (value == "validate") return CompositeResolution::Validate;
  if (value == "force-promote") return CompositeResolution::ForcePromote;
  if (value == "inline") return CompositeResolution::Inline;
  return {};
}

bool bad(std::string_view name, std::string_view value, std::string_view expected, Diagnostics& diags) {
  diags.report(DiagKind::BadOption, {}, {name, value, expected});
  return false;
}

bool setOne(std::string_view name, std::string_view value, Options& options, Diagnostics& diags) {
  for (const Flag& flag : kFlags) {
    if (flag.name != name) continue;
    if (!value.empty() && value != "true" && value != "false") return bad(name, value, "true or false", diags);
    flag.set(options, value != "false");
    return true;
  }
  auto number = [&](int64_t most, int64_t& out) {
    auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), out);
    return error == std::errc() && end == value.data() + value.size() && out >= 0 && out <= most;
  };
  int64_t count = 0;
  if (name == "optimization-level") {
    if (!number(2, count)) return bad(name, value, "0, 1 or 2", diags);
    setLevel(options, count);
    return true;
  }
  if (name == "max-fallback-attempts") {
    if (!number(1'000'000, count)) return bad(name, value, "an integer from 0 to 1000000", diags);
    options.lowering.maxFallbackAttempts = count;
    return true;
  }
  if (name == "mock-system-desc-arch") {
    if (value != "wormhole_b0" && value != "blackhole") return bad(name, value, "wormhole_b0 or blackhole", diags);
    options.device = value == "blackhole" ? "p150" : "n150";
    return true;
  }
  if (name == "experimental-weight-dtype") {
    if (value != "none" && value != "bfp_bf8" && value != "bfp_bf4")
      return bad(name, value, "none, bfp_bf8 or bfp_bf4", diags);
    options.bfp8Weights = value == "bfp_bf8";
    options.lowering.bfp4Weights = value == "bfp_bf4";
    return true;
  }
  if (name == "mesh-shape")
    return readMeshShape(value, options.lowering.meshShape) || bad(name, value, "one or two positive integers", diags);
  if (name == "composite-resolution") {
    std::optional<CompositeResolution> read = compositeResolution(value);
    if (!read) return bad(name, value, "validate, force-promote or inline", diags);
    options.lowering.compositeResolution = *read;
    return true;
  }
  if (name == "compiler-release") {
    if (value != "auto" && value != "2025-11" && value != "2026-08")
      return bad(name, value, "auto, 2025-11 or 2026-08", diags);
    options.lowering.release = value == "2025-11"   ? CompilerRelease::Autumn2025
                               : value == "2026-08" ? CompilerRelease::Summer2026
                                                    : CompilerRelease::Auto;
    return true;
  }
  if (name == "target-bit-width") {
    if (!number(64, count) || (count != 8 && count != 16 && count != 32 && count != 64))
      return bad(name, value, "8, 16, 32 or 64", diags);
    options.lowering.quantBits = count;
    return true;
  }
  if (name == "argument-types") return options.lowering.argumentTypes = value, true;
  if (name == "override-conv3d-config") return options.lowering.overrideConv3dConfig = value, true;
  if (name == "decision-trace-dir") return true;
  if (!setOption(options, name, value.empty() ? "true" : value, diags)) return false;
  if (name == "policy" || name == kAnalysisPolicyOption) options.lowering.optimizer = true;
  return true;
}

}  // namespace

Options pipelineDefaults() {
  Options options;
  options.preset = kCompilerPreset.id;
  setLevel(options, 0);
  return options;
}

bool parsePipelineOptions(std::string_view text, Options& options, Diagnostics& diags) {
  // The preset comes first: other options take their defaults from it.
  for (bool preset : {true, false}) {
    std::string_view rest = text;
    while (true) {
      size_t begin = rest.find_first_not_of(" \t\n");
      if (begin == std::string_view::npos) break;
      rest.remove_prefix(begin);
      std::string_view word = rest.substr(0, rest.find_first_of(" \t\n"));
      rest.remove_prefix(word.size());
      size_t equals = word.find('=');
      std::string_view value = equals == std::string_view::npos ? std::string_view() : word.substr(equals + 1);
      if ((word.substr(0, equals) == "preset") != preset) continue;
      if (!setOne(word.substr(0, equals), value, options, diags)) return false;
    }
  }
  return true;
}

}  // namespace tessera
