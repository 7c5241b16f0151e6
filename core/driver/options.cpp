#include "core/driver/options.h"

#include <cmath>

#include "core/analysis/override_origins.h"
#include "core/policy/propagate/spill_strategy.h"
#include "core/support/json_writer.h"

namespace tessera {

namespace {

struct Preset {
  std::string_view id;
  std::string_view title;
};

constexpr Preset kPresets[] = {
    {"seed", "Seed documents"},
    {"upstream", "Upstream compiler, 2026-08"},
};

// What an option means when it is not given. Design table of presets; seed: documents 000-004, upstream: the compiler of 2026-08.
struct PresetValue {
  std::string_view preset;
  std::string_view option;
  std::variant<int64_t, std::string_view> value;
};

constexpr PresetValue kPresetValues[] = {
    {"seed", "tensor-l1-usage-cap", int64_t{1000}},
    {"seed", "max-legal-layouts", int64_t{8}},
    {"seed", "l1-release", "2025-12"},
    {"upstream", "tensor-l1-usage-cap", int64_t{950}},
    {"upstream", "max-legal-layouts", int64_t{64}},
    {"upstream", "l1-release", "2026-04"},
    {"seed", "beam-width", int64_t{8}},
    {"seed", "layout-score", "cores"},
    {"seed", "fork-rule", "reshard-cost"},
    {"seed", "spill-victim", "longest-lifetime"},
    {"seed", "spill-point", "late"},
    {"seed", "op-rules", "op-model"},
    {"upstream", "beam-width", int64_t{8}},
    {"upstream", "layout-score", "upstream"},
    {"upstream", "fork-rule", "most-consumers"},
    {"upstream", "spill-victim", "farthest-last-use"},
    {"upstream", "spill-point", "early"},
    {"upstream", "op-rules", "rule-books"},
};

std::vector<OptionChoice> deviceChoices() {
  std::vector<OptionChoice> choices;
  for (const DeviceSpec& device : allDevices()) choices.push_back({device.id, device.title});
  return choices;
}

std::vector<OptionChoice> policyChoices() {
  std::vector<OptionChoice> choices;
  for (const PolicyInfo& policy : allPolicies()) choices.push_back({policy.id, policy.title});
  return choices;
}

std::vector<OptionChoice> presetChoices() {
  std::vector<OptionChoice> choices;
  for (const Preset& preset : kPresets) choices.push_back({preset.id, preset.title});
  return choices;
}

std::vector<OptionChoice> releaseChoices() {
  std::vector<OptionChoice> choices;
  for (const L1Release& release : l1Releases()) {
    if (release.arch == Arch::WormholeB0) choices.push_back({release.date, release.date});
  }
  return choices;
}

std::vector<OptionChoice> libraryChoices() { return {{"2025-11", "2025-11"}, {"2026-04", "2026-04"}}; }
std::vector<OptionChoice> fidelityChoices() {
  return {{"undefined", "As the library chooses"}, {"lofi", "LoFi"}, {"hifi2", "HiFi2"}, {"hifi3", "HiFi3"}, {"hifi4", "HiFi4"}};
}
std::vector<OptionChoice> scoreChoices() { return {{"cores", "Cores, then reshards"}, {"upstream", "The compiler's six fields"}, {"time", "Time"}}; }
std::vector<OptionChoice> forkChoices() { return {{"reshard-cost", "Least reshard cost"}, {"most-consumers", "Most agreeing consumers"}}; }
std::vector<OptionChoice> victimChoices() {
  return {{"longest-lifetime", "Longest remaining lifetime"}, {"farthest-last-use", "Farthest last use"}, {"farthest-next-use", "Farthest next use"}, {"cost-per-byte", "Least cost per byte"}};
}
std::vector<OptionChoice> spillPointChoices() { return {{"late", "Right before the room is needed"}, {"early", "Right after it was made"}}; }
std::vector<OptionChoice> strategyChoices() {
  return {{"policy", "As the policy goes"}, {"farthest-last-use", "Farthest last use"}, {"farthest-next-use", "Farthest next use"}, {"cost-aware", "Most bytes and time per cost"}, {"certified", "Certified optimum"}};
}
std::vector<OptionChoice> opRulesChoices() { return {{"op-model", "What the op model takes"}, {"rule-books", "The compiler's rule books"}}; }

constexpr std::string_view kAnalysisPolicy = "memory-layout-analysis-policy";
constexpr std::string_view kAnalysisEnabled = "memory-layout-analysis-enabled";

// The policies of the compiler's option of that name, and the one that was to come.
std::vector<OptionChoice> analysisPolicyChoices() {
  std::vector<OptionChoice> choices;
  for (std::string_view id : {"DFSharding", "GreedyL1Interleaved", "BFInterleaved", "DFSharding2"}) {
    if (const PolicyInfo* policy = findPolicy(id)) choices.push_back({policy->id, policy->title});
  }
  return choices;
}

// In the order a page should show them.
constexpr OptionInfo kOptions[] = {
    {"device", "Device", "The chip to plan for.", OptionType::Choice, &Options::device, 0, 0, 1, deviceChoices},
    {"policy", "Policy", "Who decides where each tensor lives.", OptionType::Choice, &Options::policy, 0, 0, 1, policyChoices},
    {"preset", "Preset", "Defaults of the options below, where the seed documents and today's compiler disagree.", OptionType::Choice,
     &Options::preset, 0, 0, 1, presetChoices},
    {"tensor-l1-usage-cap", "L1 usage cap", "Part of the usable L1 that a plan may fill.", OptionType::Number,
     &Options::l1UsageCapPermille, 10, 1000, 10},
    {"max-legal-layouts", "Max legal layouts", "Sharded layouts tried for each op, those over most cores first.", OptionType::Integer,
     &Options::maxLegalLayouts, 1, 512, 1},
    {"l1-release", "Device library", "Release of the device library; it says where usable L1 begins.", OptionType::Choice,
     &Options::l1Release, 0, 0, 1, releaseChoices},
    {"library-release", "Op rules", "Release of the device library whose rules say what an op takes and which circular buffers it has.", OptionType::Choice,
     &Options::libraryRelease, 0, 0, 1, libraryChoices},
    {"l1-small-size", "L1_SMALL", "Bytes cut from the top of each core's L1 for index tables of convolutions and pooling; with 0 these lie in DRAM.",
     OptionType::Integer, &Options::l1SmallSize, 0, 131'072, 1024},
    {"max-grid-rows", "Grid rows", "Rows of cores that programs may use, at most; a device with fewer uses all of its own.", OptionType::Integer,
     &Options::maxGridRows, 1, kMostGridSide, 1},
    {"max-grid-cols", "Grid columns", "Columns of cores that programs may use, at most; a device with fewer uses all of its own.", OptionType::Integer,
     &Options::maxGridCols, 1, kMostGridSide, 1},
    {"enable-const-eval", "Const-eval", "Compute what depends on parameters and constants only once, when the model is loaded.",
     OptionType::Boolean, &Options::constEvalEnabled},
    {"enable-fusing-pass", "Fusing", "Fold batch norms, biases and activations into convolutions and matmuls, and find attention and norm patterns.",
     OptionType::Boolean, &Options::fusingEnabled},
    {"experimental-bfp8-weights", "BFP8 weights", "Store the weights of matmuls and convolutions in 8-bit block floats.", OptionType::Boolean,
     &Options::bfp8Weights},
    {"enable-create-d2m-subgraphs", "Fused kernels", "Run groups of element-wise ops as one kernel of the D2M compiler.", OptionType::Boolean,
     &Options::d2mSubgraphs},
    {"compute-cfg-math-fidelity", "Math fidelity", "How often the multiplier passes over its operands, for ops that do not say: more passes use more bits of them.",
     OptionType::Choice, &Options::mathFidelity, 0, 0, 1, fidelityChoices},
    {"compute-cfg-fp32-dest-acc-en", "32-bit sums", "Add up in 32 bits, for ops that do not say.", OptionType::Boolean, &Options::fp32DestAcc},
    {"row-major-enabled", "Row-major layouts", "Also try layouts without tiles.", OptionType::Boolean, &Options::rowMajorEnabled},
    {kAnalysisPolicy, "Memory layout analysis policy", "The compiler's name for the policy of the chain generation; on the command line it also enables the analysis.",
     OptionType::Choice, &Options::memoryLayoutAnalysisPolicy, 0, 0, 1, analysisPolicyChoices},
    {kAnalysisEnabled, "Memory layout analysis", "Run the memory layout analysis policy instead of the policy chosen above.", OptionType::Boolean,
     &Options::memoryLayoutAnalysisEnabled},
    {"l1-interleaved-fallback-analysis-enabled", "L1 interleaved fallback", "Chains: move results left in DRAM to L1 interleaved where the op that runs next takes them.",
     OptionType::Boolean, &Options::l1InterleavedFallbackAnalysisEnabled},
    {"memreconfig-enabled", "Reshards in chains", "Chains: convert a tensor between two ops of a chain whose layouts do not go together.", OptionType::Boolean,
     &Options::memReconfigEnabled},
    {"trace", "Trace", "Put what the policy went through, step by step, into the report.", OptionType::Boolean, &Options::trace},
    {"beam-width", "Beam width", "Beam: how many ways to run each op are kept.", OptionType::Integer, &Options::beamWidth, 1, 64, 1},
    {"layout-score", "Layout score", "Beam: what makes one path of layouts better than another.", OptionType::Choice, &Options::layoutScore, 0, 0, 1, scoreChoices},
    {"fork-rule", "Fork rule", "Beam: who decides when consumers of a value want it in different layouts.", OptionType::Choice, &Options::forkRule, 0, 0, 1, forkChoices},
    {"spill-victim", "Spill victim", "Greedy, Beam: which tensor leaves L1 when it is full.", OptionType::Choice, &Options::spillVictim, 0, 0, 1, victimChoices},
    {"spill-point", "Spill point", "Greedy, Beam: when the victim leaves L1.", OptionType::Choice, &Options::spillPoint, 0, 0, 1, spillPointChoices},
    {"spill-search", "Spill search", "Greedy, Beam: choose what stays in L1 by dynamic programming over live sets.", OptionType::Boolean, &Options::spillSearch},
    {"spill-strategy", "Spill strategy", "Every policy but Exact and DRAM: what decides which tensors leave L1. All but the first decide ahead, for the layouts the policy chose, and the report says what spilling costs at least.",
     OptionType::Choice, &Options::spillStrategy, 0, 0, 1, strategyChoices},
    {"exact-rounds", "Rounds of pricing L1", "Exact: how often L1 is priced anew, where the optimum of layouts does not fit, to raise the bound and find a better plan.",
     OptionType::Integer, &Options::exactRounds, 0, 1000, 1},
    {"op-rules", "Op rules", "Greedy, Beam: what narrows the layouts tried for each op.", OptionType::Choice, &Options::opRules, 0, 0, 1, opRulesChoices},
    {"override-output-layout", "Override layouts", "Fix results by hand, e.g. conv1=8x8:l1:block_sharded:tile,add2=dram.",
     OptionType::Text, &Options::overrideOutputLayout},
    {"override-conv2d-config", "Override conv2d configs", "Fix convolution settings by hand, e.g. conv1=act_block_h_override#64.",
     OptionType::Text, &Options::overrideConv2dConfig},
};

const OptionInfo* findOption(std::string_view id) {
  for (const OptionInfo& info : kOptions) {
    if (info.id == id) return &info;
  }
  return nullptr;
}

std::string choiceList(const OptionInfo& info) {
  std::string list;
  for (const OptionChoice& choice : optionChoices(info)) list += (list.empty() ? "" : ", ") + std::string(choice.id);
  return list;
}

std::string permilleText(int64_t permille) {
  JsonWriter w;
  w.fixed(permille, 3);
  return w.take();
}

std::string expectation(const OptionInfo& info) {
  switch (info.type) {
    case OptionType::Choice: return "one of " + choiceList(info);
    case OptionType::Integer: return "an integer from " + std::to_string(info.min) + " to " + std::to_string(info.max);
    case OptionType::Number: return "a number from " + permilleText(info.min) + " to " + permilleText(info.max);
    case OptionType::Boolean: return "true or false";
    case OptionType::Text: return "a text";
  }
  return "";
}

bool setChoice(Options& options, const OptionInfo& info, std::string_view text, Span span, Diagnostics& diags) {
  bool known = false;
  for (const OptionChoice& choice : optionChoices(info)) known |= choice.id == text;
  if (!known) {
    if (info.id == "device") diags.report(DiagKind::UnknownDevice, span, {text, choiceList(info)});
    else if (info.id == "policy") diags.report(DiagKind::UnknownPolicy, span, {text, choiceList(info)});
    else diags.report(DiagKind::BadOption, span, {info.id, text, expectation(info)});
    return false;
  }
  options.*std::get<std::string Options::*>(info.field) = text;
  return true;
}

// `value` is in thousandths for a Number.
bool setNumber(Options& options, const OptionInfo& info, int64_t value, std::string_view shown, Span span, Diagnostics& diags) {
  if (value < info.min || value > info.max) {
    diags.report(DiagKind::BadOption, span, {info.id, shown, expectation(info)});
    return false;
  }
  options.*std::get<int64_t Options::*>(info.field) = value;
  return true;
}

bool parseDecimal(std::string_view text, int decimals, int64_t& out) {
  std::string copy(text);
  char* end = nullptr;
  double number = std::strtod(copy.c_str(), &end);
  bool whole = end && *end == '\0' && !copy.empty();
  if (!whole || !(std::abs(number) < 1e12)) return false;
  double scaled = number * std::pow(10, decimals);
  out = std::llround(scaled);
  return decimals > 0 || static_cast<double>(out) == number;
}

}  // namespace

Options Options::resolved() const {
  Options out = *this;
  if (memoryLayoutAnalysisEnabled) out.policy = memoryLayoutAnalysisPolicy;
  for (const PresetValue& from : kPresetValues) {
    if (from.preset != preset) continue;
    const OptionField& field = findOption(from.option)->field;
    if (const auto* number = std::get_if<int64_t>(&from.value)) {
      int64_t& value = out.*std::get<int64_t Options::*>(field);
      if (value < 0) value = *number;
    } else {
      std::string& value = out.*std::get<std::string Options::*>(field);
      if (value.empty()) value = std::get<std::string_view>(from.value);
    }
  }
  return out;
}

PolicyOptions Options::policyOptions() const {
  PolicyOptions out;
  out.chain.memReconfigEnabled = memReconfigEnabled;
  out.chain.l1InterleavedFallbackAnalysisEnabled = l1InterleavedFallbackAnalysisEnabled;
  PropagateOptions& p = out.propagate;
  p.beamWidth = static_cast<int32_t>(beamWidth);
  p.score = layoutScore == "time" ? BeamScore::Time : (layoutScore == "upstream" ? BeamScore::Upstream : BeamScore::Cores);
  p.fork = forkRule == "most-consumers" ? ForkRule::MostConsumers : ForkRule::ReshardCost;
  p.victim = VictimRule::LongestLifetime;
  if (spillVictim == "farthest-last-use") p.victim = VictimRule::FarthestLastUse;
  if (spillVictim == "farthest-next-use") p.victim = VictimRule::FarthestNextUse;
  if (spillVictim == "cost-per-byte") p.victim = VictimRule::CostPerByte;
  p.lateSpill = spillPoint != "early";
  p.spillSearch = spillSearch;
  for (const SpillStrategy strategy : {SpillStrategy::FarthestLastUse, SpillStrategy::FarthestNextUse, SpillStrategy::CostAware, SpillStrategy::Certified}) {
    if (spillStrategy == spillStrategyName(strategy) && policy != "Exact") p.strategy = strategy;
  }
  p.ruleBooks = opRules == "rule-books";
  out.exact.rounds = static_cast<int32_t>(exactRounds);
  out.exact.certificate = certificate;
  p.keepEvaluations = keepEvaluations || trace;
  return out;
}

void checkOptions(const Options& given, Diagnostics& diags) {
  const std::string policy = given.resolved().policy;
  if (given.analysisSwitchedOff && given.memoryLayoutAnalysisEnabled) {
    diags.report(DiagKind::ContradictoryOptions, {}, {kAnalysisEnabled, "false", kAnalysisPolicy, given.memoryLayoutAnalysisPolicy});
  }
  if (given.policy != Options().policy && given.policy != policy) diags.report(DiagKind::OptionIgnored, {}, {"policy", given.policy, "`" + std::string(kAnalysisEnabled) + "` selects " + policy});
  if (given.spillStrategy != Options().spillStrategy && (policy == "Exact" || policy == "DRAM")) {
    diags.report(DiagKind::OptionIgnored, {}, {"spill-strategy", given.spillStrategy, "the policy is " + policy + (policy == "DRAM" ? ", which leaves L1 empty" : ", which decides layouts and spills together")});
  }
  bool chains = policy == "DFSharding" || policy == "DFSharding2";
  if (given.l1InterleavedFallbackAnalysisEnabled && !chains) {
    diags.report(DiagKind::OptionIgnored, {}, {"l1-interleaved-fallback-analysis-enabled", "true", "only DFSharding and DFSharding2 have this fallback, the policy is " + policy});
  }
  if (!given.memReconfigEnabled && !chains) {
    diags.report(DiagKind::OptionIgnored, {}, {"memreconfig-enabled", "false", "only DFSharding and DFSharding2 reshard inside chains, the policy is " + policy});
  }
}

LoweringOptions Options::loweringOptions() const {
  LoweringOptions out = lowering;
  out.constEval = constEvalEnabled;
  out.fusing = fusingEnabled;
  out.bfp8Weights = bfp8Weights;
  out.d2mSubgraphs = d2mSubgraphs;
  out.compute.fidelity = parseMathFidelity(mathFidelity);
  if (fp32DestAcc) out.compute.fp32DestAcc = true;
  return out;
}

Bytes Options::l1Budget(const DeviceSpec& forDevice) const {
  ProblemOptions cap;
  cap.l1UsageCapPermille = static_cast<int32_t>(l1UsageCapPermille);
  return tessera::l1Budget(forDevice, cap);
}

namespace {

// What `find` finds in an option's text, each message with the option's name before it.
template <class Find>
void findInOption(std::string_view option, Diagnostics& diags, Find find) {
  Diagnostics found;
  find(found);
  for (Diagnostic one : found.all()) {
    one.message = "option `" + std::string(option) + "`: " + one.message;
    diags.add(one);
  }
}

}  // namespace

ProblemOptions Options::problemOptions(const Graph& source, const Graph& graph, const DeviceSpec& forDevice, Diagnostics& diags) const {
  ProblemOptions out;
  out.askOpModel = preset == "seed";
  findInOption("override-output-layout", diags, [&](Diagnostics& found) {
    out.layoutOverrides = parseLayoutOverrides(overrideOutputLayout, found);
    followOrigins(out.layoutOverrides, source, graph);
    checkOverrides(out.layoutOverrides, graph, forDevice, found);
  });
  findInOption("override-conv2d-config", diags, [&](Diagnostics& found) {
    out.conv2dOverrides = parseConv2dOverrides(overrideConv2dConfig, found);
    followOrigins(out.conv2dOverrides, source, graph);
    checkOverrides(out.conv2dOverrides, graph, found);
  });
  out.l1UsageCapPermille = static_cast<int32_t>(l1UsageCapPermille);
  out.maxLegalLayouts = static_cast<int32_t>(maxLegalLayouts);
  out.rowMajorEnabled = rowMajorEnabled;
  return out;
}

std::span<const OptionInfo> allOptions() { return kOptions; }

std::vector<OptionChoice> optionChoices(const OptionInfo& info) { return info.choices ? info.choices() : std::vector<OptionChoice>(); }

std::string optionValueJson(const Options& given, std::string_view id) {
  Options options = given.resolved();
  const OptionInfo* info = findOption(id);
  JsonWriter w;
  if (!info) w.null();
  else if (const auto* text = std::get_if<std::string Options::*>(&info->field)) w.value(std::string_view(options.*(*text)));
  else if (const auto* flag = std::get_if<bool Options::*>(&info->field)) w.boolean(options.*(*flag));
  else if (info->type == OptionType::Number) w.fixed(options.*std::get<int64_t Options::*>(info->field), 3);
  else w.integer(options.*std::get<int64_t Options::*>(info->field));
  return w.take();
}

std::vector<OptionValue> optionValues(const Options& options) {
  std::vector<OptionValue> values;
  for (const OptionInfo& info : kOptions) values.push_back({info.id, optionValueJson(options, info.id)});
  return values;
}

bool setOption(Options& options, std::string_view id, std::string_view text, Diagnostics& diags) {
  const OptionInfo* info = findOption(id);
  if (!info) {
    diags.report(DiagKind::UnknownOption, {}, {id});
    return false;
  }
  if (info->type == OptionType::Choice) {
    bool known = setChoice(options, *info, text, {}, diags);
    if (known && id == kAnalysisPolicy) options.memoryLayoutAnalysisEnabled = true;
    return known;
  }
  if (info->type == OptionType::Text) {
    options.*std::get<std::string Options::*>(info->field) = text;
    return true;
  }
  int64_t number = 0;
  if (info->type == OptionType::Boolean && (text == "true" || text == "false")) {
    // Next to a policy given by its name, switching the analysis off is a contradiction: checkOptions() says so.
    bool off = id == kAnalysisEnabled && text == "false";
    if (off) options.analysisSwitchedOff = true;
    else options.*std::get<bool Options::*>(info->field) = text == "true";
    return true;
  }
  bool isNumber = (info->type == OptionType::Integer || info->type == OptionType::Number) && parseDecimal(text, info->type == OptionType::Number ? 3 : 0, number);
  if (isNumber) return setNumber(options, *info, number, text, {}, diags);
  diags.report(DiagKind::BadOption, {}, {id, text, expectation(*info)});
  return false;
}

void readOptions(Options& options, JsonValue object, Diagnostics& diags, std::string_view other) {
  if (!object.present()) return;
  if (!object.isObject()) {
    diags.report(DiagKind::BadOption, {}, {"options", jsonKindName(object.kind()), "an object"});
    return;
  }
  for (size_t i = 0; i < object.size(); ++i) {
    JsonValue value = object.at(i);
    std::string_view id = object.keyAt(i);
    if (value.kind() == JsonKind::Null || (!other.empty() && id == other)) continue;
    const OptionInfo* info = findOption(id);
    if (!info) {
      diags.report(DiagKind::UnknownOption, {}, {id});
      continue;
    }
    auto number = value.asNumber();
    if (info->type == OptionType::Choice && value.isString()) {
      setChoice(options, *info, *value.asString(), {}, diags);
    } else if (info->type == OptionType::Text && value.isString()) {
      options.*std::get<std::string Options::*>(info->field) = *value.asString();
    } else if (info->type == OptionType::Boolean && value.asBool()) {
      options.*std::get<bool Options::*>(info->field) = *value.asBool();
    } else if (info->type == OptionType::Integer && value.asInteger()) {
      setNumber(options, *info, *value.asInteger(), std::to_string(*value.asInteger()), {}, diags);
    } else if (info->type == OptionType::Number && number && std::abs(*number) < 1e9) {
      setNumber(options, *info, std::llround(*number * 1000), "out of range", {}, diags);
    } else {
      diags.report(DiagKind::BadOption, {}, {id, jsonKindName(value.kind()), expectation(*info)});
    }
  }
}

}  // namespace tessera
