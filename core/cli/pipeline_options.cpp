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
    {"enable-l1-sharding-layouts",
     [](Options& o, bool on) {
       if (!on) o.policy = floorPolicy().id;
     }},
    {"enable-compile-time-stats", [](Options& o, bool on) { o.compileTimeStats = on; }},
    {"enable-decision-trace", [](Options& o, bool on) { o.decisionTrace = o.keepEvaluations = on; }},
    {"use-mock-allocator-state", [](Options& o, bool on) { o.mockAllocatorState = on; }},
};

// Options of the compiler whose effect is not modelled: accepted, and said so.
struct WithoutEffect {
  std::string_view name;
  std::string_view why;
};
constexpr WithoutEffect kWithoutEffect[] = {
    {"enable-cpu-hoisted-const-eval", "functions on the host's processor are not made"},
    {"enable-quant-dequant-conversion-pass", "the pass is not there"},
    {"check-unique-locs", "ops are told apart by themselves, whatever their locations"},
    {"max-reshard-candidates-per-type",
     "a reshard is thought of for every layout that an op takes, not for the first 4"},
    {"trace", "there is no report to put it into; `enable-decision-trace` writes the optimizer's"},
    {"enable-greedy-optimizer", "the policy is named by `memory-layout-analysis-policy`"},
    {"argument-types", "roles are given by the pass `tt-populate-argument-types`"},
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

std::optional<int64_t> numberUpTo(std::string_view value, int64_t most) {
  int64_t out = 0;
  auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), out);
  if (error != std::errc() || end != value.data() + value.size() || out < 0 || out > most) return {};
  return out;
}

bool setOptimizationLevel(Options& options, std::string_view value) {
  std::optional<int64_t> level = numberUpTo(value, 2);
  if (level) setLevel(options, *level);
  return level.has_value();
}

bool setFallbackAttempts(Options& options, std::string_view value) {
  std::optional<int64_t> attempts = numberUpTo(value, 1'000'000);
  if (attempts) options.lowering.maxFallbackAttempts = *attempts;
  return attempts.has_value();
}

// At least one, so that there is something to choose from.
bool setInputCandidates(Options& options, std::string_view value) {
  std::optional<int64_t> most = numberUpTo(value, 1'000'000);
  if (!most || *most < 1) return false;
  options.maxInputCandidatesPerOperand = *most;
  return true;
}

bool setMockArch(Options& options, std::string_view value) {
  if (value != "wormhole_b0" && value != "blackhole") return false;
  options.device = value == "blackhole" ? "p150" : "n150";
  return true;
}

bool setWeightType(Options& options, std::string_view value) {
  if (value != "none" && value != "bfp_bf8" && value != "bfp_bf4") return false;
  options.bfp8Weights = value == "bfp_bf8";
  options.lowering.bfp4Weights = value == "bfp_bf4";
  return true;
}

bool setMeshShape(Options& options, std::string_view value) { return readMeshShape(value, options.lowering.meshShape); }

bool setCompositeResolution(Options& options, std::string_view value) {
  CompositeResolution& out = options.lowering.compositeResolution;
  if (value == "validate") return out = CompositeResolution::Validate, true;
  if (value == "force-promote") return out = CompositeResolution::ForcePromote, true;
  if (value == "inline") return out = CompositeResolution::Inline, true;
  return false;
}

bool setRelease(Options& options, std::string_view value) {
  CompilerRelease& out = options.lowering.release;
  if (value == "auto") return out = CompilerRelease::Auto, true;
  if (value == "2025-11") return out = CompilerRelease::Autumn2025, true;
  if (value == "2026-08") return out = CompilerRelease::Summer2026, true;
  return false;
}

bool setBitWidth(Options& options, std::string_view value) {
  std::optional<int64_t> bits = numberUpTo(value, 64);
  if (!bits || (*bits != 8 && *bits != 16 && *bits != 32 && *bits != 64)) return false;
  options.lowering.quantBits = *bits;
  return true;
}

bool setConv3dOverride(Options& options, std::string_view value) {
  return options.lowering.overrideConv3dConfig = value, true;
}

bool setTraceFolder(Options& options, std::string_view value) {
  return options.decisionTraceDir = value, !value.empty();
}

// An option of the pipelines that is not an option of a run under the same name and with the same values.
struct PipelineOption {
  std::string_view name;
  std::string_view expected;                              // what its value may be, for the diagnostic
  bool (*set)(Options& options, std::string_view value);  // false: not such a value
};

constexpr PipelineOption kPipelineOptions[] = {
    {"optimization-level", "0, 1 or 2", setOptimizationLevel},
    {"max-fallback-attempts", "an integer from 0 to 1000000", setFallbackAttempts},
    {"max-input-candidates-per-operand", "an integer from 1 to 1000000", setInputCandidates},
    {"mock-system-desc-arch", "wormhole_b0 or blackhole", setMockArch},
    {"experimental-weight-dtype", "none, bfp_bf8 or bfp_bf4", setWeightType},
    {"mesh-shape", "one or two positive integers", setMeshShape},
    {"composite-resolution", "validate, force-promote or inline", setCompositeResolution},
    {"compiler-release", "auto, 2025-11 or 2026-08", setRelease},
    {"target-bit-width", "8, 16, 32 or 64", setBitWidth},
    {"override-conv3d-config", "text", setConv3dOverride},
    {"decision-trace-dir", "a folder", setTraceFolder},
};

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
  for (const WithoutEffect& option : kWithoutEffect) {
    if (option.name == name) return diags.report(DiagKind::OptionIgnored, {}, {name, value, option.why}), true;
  }
  for (const PipelineOption& option : kPipelineOptions) {
    if (option.name == name) return option.set(options, value) || bad(name, value, option.expected, diags);
  }
  // What is named alone is switched on; a text that is empty stays so.
  const OptionInfo* info = findOption(name);
  const bool alone = value.empty() && (info == nullptr || info->type != OptionType::Text);
  if (!setOption(options, name, alone ? "true" : value, diags)) return false;
  if (name == "policy" || name == kAnalysisPolicyOption) options.lowering.optimizer = true;
  return true;
}

}  // namespace

std::vector<PipelineOptionInfo> pipelineOptions() {
  std::vector<PipelineOptionInfo> out;
  for (const Flag& flag : kFlags) out.push_back({flag.name, "true or false", ""});
  for (const PipelineOption& option : kPipelineOptions) out.push_back({option.name, option.expected, ""});
  for (const WithoutEffect& option : kWithoutEffect) out.push_back({option.name, "", option.why});
  return out;
}

Options pipelineDefaults() {
  Options options;
  options.preset = kCompilerPreset.id;
  options.maxInputCandidatesPerOperand = 64;
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
