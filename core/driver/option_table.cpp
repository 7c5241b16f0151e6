// The one table of options. A row says all there is to say about one: names, values, range, presets, and the policies
// to which it means something.

#include "core/driver/options.h"
#include "core/policy/policy.h"

namespace tessera {

namespace {

// The choices that the rows of a constant table are.
template <const auto& kRows>
std::vector<OptionChoice> choicesOf() {
  std::vector<OptionChoice> choices;
  for (const auto& row : kRows) choices.push_back({row.id, row.title});
  return choices;
}

std::vector<OptionChoice> deviceChoices() {
  std::vector<OptionChoice> choices;
  for (const DeviceSpec& device : allDevices()) choices.push_back({device.id, device.title});
  return choices;
}

std::vector<OptionChoice> fidelityChoices() {
  std::vector<OptionChoice> choices = {{kUndefinedFidelity, "As the library chooses"}};
  for (const OptionChoice& choice : choicesOf<kMathFidelities>()) choices.push_back(choice);
  return choices;
}

template <PolicyTraits kTraits>
std::vector<OptionChoice> policyChoices() {
  std::vector<OptionChoice> choices;
  for (const PolicyInfo& policy : allPolicies()) {
    if (policy.has(kTraits)) choices.push_back({policy.id, policy.title});
  }
  return choices;
}

// What the compiler's own option may name: its policies, and what it runs in a preset.
std::vector<OptionChoice> analysisChoices() {
  std::vector<OptionChoice> choices;
  for (const PolicyInfo& policy : allPolicies()) {
    bool named = policy.has(kCompilerPolicy);
    for (const PresetInfo& preset : kPresets) named = named || preset.analysisPolicy == policy.id;
    if (named) choices.push_back({policy.id, policy.title});
  }
  return choices;
}

std::vector<OptionChoice> releaseChoices() {
  std::vector<OptionChoice> choices;
  for (const L1Release& release : l1Releases()) {
    if (release.arch == Arch::WormholeB0) choices.push_back({release.date, release.date});
  }
  return choices;
}

// In the order a page should show them.
constexpr OptionInfo kOptions[] = {
    {.id = "device",
     .title = "Device",
     .help = "The chip to plan for.",
     .type = OptionType::Choice,
     .field = &Options::device,
     .choices = deviceChoices,
     .workload = true},
    {.id = "policy",
     .title = "Policy",
     .help = "Who decides where each tensor lives.",
     .type = OptionType::Choice,
     .field = &Options::policy,
     .choices = policyChoices<0>,
     .workload = true},
    {.id = "function",
     .title = "Function",
     .help = "Which forward function of the file is run; the first where none is named.",
     .type = OptionType::Text,
     .field = &Options::function,
     .workload = true},
    {.id = "preset",
     .title = "Preset",
     .help = "Defaults of the options below, where the optimizer's specification and today's compiler disagree.",
     .type = OptionType::Choice,
     .field = &Options::preset,
     .choices = choicesOf<kPresets>,
     .workload = true},
    {.id = "tensor-l1-usage-cap",
     .title = "L1 usage cap",
     .help = "Part of the usable L1 that a plan may fill.",
     .type = OptionType::Number,
     .field = &Options::l1UsageCapPermille,
     .min = 0,
     .max = 1000,
     .step = 10,
     .presets = {1000, 950}},
    {.id = "max-legal-layouts",
     .title = "Max legal layouts",
     .help = "Sharded layouts tried for each op, those over most cores first.",
     .type = OptionType::Integer,
     .field = &Options::maxLegalLayouts,
     .min = 1,
     .max = 512,
     .presets = {8, 64}},
    {.id = "l1-release",
     .title = "Device library",
     .help = "Release of the device library; it says where usable L1 begins.",
     .type = OptionType::Choice,
     .field = &Options::l1Release,
     .choices = releaseChoices,
     .presetIds = {"2025-12", "2026-04"}},
    {.id = "library-release",
     .title = "Op rules",
     .help = "Release of the device library whose rules say what an op takes and which circular buffers it has.",
     .type = OptionType::Choice,
     .field = &Options::libraryRelease,
     .choices = choicesOf<kLibraryReleases>},
    {.id = "l1-small-size",
     .title = "L1_SMALL",
     .help =
         "Bytes cut from the top of each core's L1 for index tables of convolutions and pooling; 0 takes the device's "
         "own, mostly none: the tables lie in DRAM then.",
     .type = OptionType::Integer,
     .field = &Options::l1SmallSize,
     .min = 0,
     .max = 131'072,
     .step = 1024},
    {.id = "max-grid-rows",
     .title = "Grid rows",
     .help = "Rows of cores that programs may use, at most; a device with fewer uses all of its own.",
     .type = OptionType::Integer,
     .field = &Options::maxGridRows,
     .min = 1,
     .max = kMostGridSide},
    {.id = "max-grid-cols",
     .title = "Grid columns",
     .help = "Columns of cores that programs may use, at most; a device with fewer uses all of its own.",
     .type = OptionType::Integer,
     .field = &Options::maxGridCols,
     .min = 1,
     .max = kMostGridSide},
    {.id = "enable-const-eval",
     .title = "Const-eval",
     .help = "Compute what depends on parameters and constants only once, when the model is loaded.",
     .type = OptionType::Boolean,
     .field = &Options::constEvalEnabled},
    {.id = "enable-fusing-pass",
     .title = "Fusing",
     .help = "Fold batch norms, biases and activations into convolutions and matmuls, and find attention and norm "
             "patterns.",
     .type = OptionType::Boolean,
     .field = &Options::fusingEnabled},
    {.id = "experimental-bfp8-weights",
     .title = "BFP8 weights",
     .help = "Store the weights of matmuls and convolutions in 8-bit block floats.",
     .type = OptionType::Boolean,
     .field = &Options::bfp8Weights},
    {.id = "enable-create-d2m-subgraphs",
     .title = "Fused kernels",
     .help = "Run groups of element-wise ops as one kernel of the D2M compiler.",
     .type = OptionType::Boolean,
     .field = &Options::d2mSubgraphs},
    {.id = "reoptimize",
     .title = "Re-optimize",
     .help = "Take layout ops, deallocations and program settings out of a graph that carries them, for the policy to "
             "decide anew.",
     .type = OptionType::Boolean,
     .field = &Options::reoptimize},
    {.id = "compute-cfg-math-fidelity",
     .title = "Math fidelity",
     .help = "How often the multiplier passes over its operands, for ops that do not say: more passes use more bits of "
             "them.",
     .type = OptionType::Choice,
     .field = &Options::mathFidelity,
     .choices = fidelityChoices},
    {.id = "compute-cfg-fp32-dest-acc-en",
     .title = "32-bit sums",
     .help = "Add up in 32 bits, for ops that do not say.",
     .type = OptionType::Boolean,
     .field = &Options::fp32DestAcc},
    {.id = "row-major-enabled",
     .title = "Row-major layouts",
     .help = "Also try layouts without tiles.",
     .type = OptionType::Boolean,
     .field = &Options::rowMajorEnabled},
    {.id = kAnalysisPolicyOption,
     .title = "Memory layout analysis policy",
     .help = "The compiler's name for the policy of its analysis; on the command line it also enables the analysis.",
     .type = OptionType::Choice,
     .field = &Options::memoryLayoutAnalysisPolicy,
     .choices = analysisChoices,
     .presetIds = {kPresets[0].analysisPolicy, kPresets[1].analysisPolicy}},
    {.id = kAnalysisEnabledOption,
     .title = "Memory layout analysis",
     .help = "Run the memory layout analysis policy instead of the policy chosen above. Switched off on the command "
             "line, everything stays in DRAM unless a policy is named.",
     .type = OptionType::Boolean,
     .field = &Options::memoryLayoutAnalysisEnabled},
    {.id = "l1-interleaved-fallback-analysis-enabled",
     .title = "L1 interleaved fallback",
     .help = "Move results left in DRAM to L1 interleaved where the op that runs next takes them.",
     .type = OptionType::Boolean,
     .field = &Options::l1InterleavedFallbackAnalysisEnabled,
     .appliesTo = kChainTrace,
     .ability = "have this fallback"},
    {.id = "memreconfig-enabled",
     .title = "Reshards in chains",
     .help = "Convert a tensor between two ops of a chain whose layouts do not go together.",
     .type = OptionType::Boolean,
     .field = &Options::memReconfigEnabled,
     .appliesTo = kChainTrace,
     .ability = "reshard inside chains"},
    {.id = "trace",
     .title = "Trace",
     .help = "Put what the policy went through, step by step, into the report.",
     .type = OptionType::Boolean,
     .field = &Options::trace},
    {.id = "beam-width",
     .title = "Beam width",
     .help = "How many configurations of each op are kept.",
     .type = OptionType::Integer,
     .field = &Options::beamWidth,
     .min = 1,
     .max = 64,
     .presets = {8, 8},
     .appliesTo = kBeamSearch},
    {.id = "layout-score",
     .title = "Layout score",
     .help = "What makes one path of layouts better than another.",
     .type = OptionType::Choice,
     .field = &Options::layoutScore,
     .choices = choicesOf<kBeamScores>,
     .presetIds = {"cores", "upstream"},
     .appliesTo = kBeamSearch},
    {.id = "fork-rule",
     .title = "Fork rule",
     .help = "Who decides when consumers of a value want it in different layouts.",
     .type = OptionType::Choice,
     .field = &Options::forkRule,
     .choices = choicesOf<kForkRules>,
     .presetIds = {"reshard-cost", "most-consumers"},
     .appliesTo = kBeamSearch},
    {.id = "spill-victim",
     .title = "Spill victim",
     .help = "Which tensor leaves L1 when it is full.",
     .type = OptionType::Choice,
     .field = &Options::spillVictim,
     .choices = choicesOf<kVictimRules>,
     .presetIds = {"longest-lifetime", "farthest-last-use"},
     .appliesTo = kBeamTrace},
    {.id = "spill-point",
     .title = "Spill point",
     .help = "When the victim leaves L1.",
     .type = OptionType::Choice,
     .field = &Options::spillPoint,
     .choices = choicesOf<kSpillPoints>,
     .presetIds = {"late", "early"},
     .appliesTo = kBeamTrace},
    {.id = "spill-search",
     .title = "Spill search",
     .help = "Choose what stays in L1 by dynamic programming over live sets.",
     .type = OptionType::Boolean,
     .field = &Options::spillSearch,
     .appliesTo = kBeamTrace},
    {.id = "spill-strategy",
     .title = "Spill strategy",
     .help = "What decides which tensors leave L1. All but the first decide ahead, for the layouts the policy chose, "
             "and the report says what spilling costs at least.",
     .type = OptionType::Choice,
     .field = &Options::spillStrategy,
     .choices = choicesOf<kSpillStrategies>,
     .appliesTo = kSpillStrategyApplies},
    {.id = "exact-rounds",
     .title = "Rounds of pricing L1",
     .help = "How often L1 is priced anew, where the optimum of layouts does not fit, to raise the bound and find a "
             "better plan.",
     .type = OptionType::Integer,
     .field = &Options::exactRounds,
     .min = 0,
     .max = 1000,
     .appliesTo = kLowerBound,
     .workload = true,
     .draft = 0},
    {.id = "op-rules",
     .title = "Op rules",
     .help = "What narrows the layouts tried for each op.",
     .type = OptionType::Choice,
     .field = &Options::opRules,
     .choices = choicesOf<kOpRules>,
     .presetIds = {"op-model", "rule-books"},
     .appliesTo = kBeamTrace},
    {.id = "override-output-layout",
     .title = "Override layouts",
     .help = "Fix results by hand, e.g. conv1=8x8:l1:block_sharded:tile,add2=dram.",
     .type = OptionType::Text,
     .field = &Options::overrideOutputLayout},
    {.id = "override-conv2d-config",
     .title = "Override conv2d configs",
     .help = "Fix convolution settings by hand, e.g. conv1=act_block_h_override#64.",
     .type = OptionType::Text,
     .field = &Options::overrideConv2dConfig},
    {.id = "op-order",
     .title = "Op order",
     .help =
         "Run ops right before others where data flow permits it, e.g. add2=conv3,%12=%7. Policies that order the ops "
         "of their chains themselves keep to that.",
     .type = OptionType::Text,
     .field = &Options::opOrder},
    {.id = "calibration",
     .title = "Calibration",
     .help = "Factors on predicted times, e.g. Matmul=1.25,Conv=0.9.",
     .type = OptionType::Text,
     .field = &Options::calibration},
};

std::string joined(const std::vector<std::string_view>& words, std::string_view last) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? last : std::string_view(", ");
    text += words[i];
  }
  return text;
}

}  // namespace

std::span<const OptionInfo> allOptions() { return kOptions; }

const OptionInfo* findOption(std::string_view id) {
  for (const OptionInfo& info : kOptions) {
    if (info.id == id) return &info;
  }
  return nullptr;
}

std::vector<OptionChoice> optionChoices(const OptionInfo& info) {
  return info.choices ? info.choices() : std::vector<OptionChoice>();
}

std::vector<std::string_view> optionPolicies(const OptionInfo& info) {
  std::vector<std::string_view> ids;
  for (const PolicyInfo& policy : allPolicies()) {
    if (policy.has(info.appliesTo)) ids.push_back(policy.id);
  }
  return ids;
}

std::string optionPolicyNames(const OptionInfo& info) { return joined(optionPolicies(info), " and "); }

std::string optionHelp(const OptionInfo& info) {
  std::vector<std::string_view> others;
  for (const PolicyInfo& policy : allPolicies()) {
    if (!policy.has(info.appliesTo)) others.push_back(policy.id);
  }
  if (others.empty()) return std::string(info.help);
  const std::vector<std::string_view> policies = optionPolicies(info);
  const bool few = policies.size() <= others.size();
  return (few ? joined(policies, ", ") : "Every policy but " + joined(others, " and ")) + ": " + std::string(info.help);
}

}  // namespace tessera
