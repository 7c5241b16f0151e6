#pragma once
// Options of a run: one struct with documented defaults, one table that the command line, the JSON of the page and
// catalog() share.

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/analysis/op_order.h"
#include "core/analysis/problem.h"
#include "core/driver/presets.h"
#include "core/lowering/pass.h"
#include "core/policy/policy.h"
#include "core/policy/policy_options.h"
#include "core/report/report.h"
#include "core/support/diagnostics.h"
#include "core/support/json_value.h"

namespace tessera {

inline constexpr int64_t kMostGridSide = 16;  // no chip of the catalog has more

inline constexpr std::string_view kUndefinedFidelity = "undefined";  // as the op says, else as the library chooses
inline constexpr std::string_view kAnalysisPolicyOption = "memory-layout-analysis-policy";
inline constexpr std::string_view kAnalysisEnabledOption = "memory-layout-analysis-enabled";

struct Options {
  std::string device = "n150";
  std::string policy{kPresets[0].policy};
  std::string preset{kPresets[0].id};
  std::string function;   // forward function to run; "" is the first
  std::string l1Release;  // device library release that says where usable L1 begins; "" takes the preset's
  std::string libraryRelease = "2025-11";  // whose rules the op model follows
  int64_t l1UsageCapPermille = -1;         // -1 takes the preset's; likewise below
  int64_t maxLegalLayouts = -1;
  int64_t l1SmallSize = 0;  // bytes that opening the device cuts from the top of L1; 0: what its row says
  int64_t maxGridRows =
      kMostGridSide;  // cores that programs may use: those of the device within this many rows and columns
  int64_t maxGridCols = kMostGridSide;
  bool rowMajorEnabled = false;
  bool constEvalEnabled = true;
  bool fusingEnabled = true;
  bool bfp8Weights = false;
  bool d2mSubgraphs = false;
  bool reoptimize = false;
  std::string mathFidelity{kUndefinedFidelity};
  bool fp32DestAcc = false;  // false: as the op says, else as the library chooses
  LoweringOptions lowering;  // of `tessera opt`: what the options above do not say
  int64_t beamWidth = -1;
  // Of `tessera opt`: a decision trace in a file, what the optimizer was asked, and which tracker fills L1.
  bool decisionTrace = false;
  std::string decisionTraceDir = "ttrt-artifacts/decision_trace";
  bool compileTimeStats = false;
  bool mockAllocatorState = true;
  int64_t maxInputCandidatesPerOperand = -1;  // of `tessera opt`: of the optimizer's first pass; -1: no limit
  std::string layoutScore, forkRule, spillVictim, spillPoint, opRules;  // "" takes the preset's
  bool spillSearch = false;
  std::string spillStrategy = "policy";
  // ttnn-optimizer.md appendix B. When enabled, memoryLayoutAnalysisPolicy decides instead of `policy`.
  std::string memoryLayoutAnalysisPolicy;  // "" takes the preset's
  bool memoryLayoutAnalysisEnabled = false;
  bool l1InterleavedFallbackAnalysisEnabled = false;
  bool memReconfigEnabled = true;
  bool trace = false;                // the report says what the policy went through
  bool analysisSwitchedOff = false;  // `--memory-layout-analysis-enabled false` was given; not an option of its own
  int64_t exactRounds = 60;          // policy Exact: rounds of pricing L1
  bool policyGiven = false;          // a policy was asked for by name; not an option of its own
  bool certificate = false;          // for --certificate; not an option of its own
  bool keepEvaluations = false;      // for --decision-trace; not an option of its own
  std::string overrideOutputLayout;  // the compiler's own notation, core/analysis/layout_overrides.h
  std::string overrideConv2dConfig;
  std::string opOrder;      // ops that run right before others, core/analysis/op_order.h
  std::string calibration;  // factors on predicted times

  // With every "take the preset's" filled in.
  Options resolved() const;
  // Of resolved options; mistakes in the overrides are reported.
  ProblemOptions problemOptions(const Graph& source, const Graph& lowered, const DeviceSpec& device,
                                Diagnostics& diags) const;
  // The graph with its ops in the order that is asked for; nothing when none is.
  std::optional<Graph> inOpOrder(const Graph& source, const Graph& lowered, Diagnostics& diags) const;
  // Of resolved options: which passes run before and after the policy.
  LoweringOptions loweringOptions() const;
  Bytes l1Budget(const DeviceSpec& device) const;
  // Of resolved options: what the policies are asked beyond the problem.
  PolicyOptions policyOptions() const;
};

// "Matmul=1.25,Conv=0.9", each from 0.001 to 1000; false when there is a mistake.
bool parseCalibration(const std::string& text, TimeFactors& out);

// Options that contradict each other (ContradictoryOptions), or that mean nothing to the policy that runs
// (OptionIgnored).
void checkOptions(const Options& given, Diagnostics& diags);

enum class OptionType { Choice, Integer, Number, Boolean, Text };

struct OptionChoice {
  std::string_view id;
  std::string_view title;
};

// Where an option's value is kept: Choice and Text as text, Integer as it is, Number in thousandths. Empty text and -1
// mean "take the preset's" where the row has a value for each preset.
using OptionField = std::variant<std::string Options::*, int64_t Options::*, bool Options::*>;

struct OptionInfo {
  std::string_view id;  // the compiler's name where it has one
  std::string_view title;
  std::string_view help;
  OptionType type;
  OptionField field;
  int64_t min = 0;  // Integer, and Number in thousandths
  int64_t max = 0;
  int64_t step = 1;
  std::vector<OptionChoice> (*choices)() = nullptr;        // of a Choice
  std::array<int64_t, kPresetCount> presets = {-1, -1};    // of an Integer or Number: the value of each preset
  std::array<std::string_view, kPresetCount> presetIds{};  // of a Choice: likewise
  PolicyTraits appliesTo = 0;                              // policies without these traits do not read the option
  std::string_view ability{};  // what such policies cannot do, for the warning (OptionIgnored); "reads it" where empty
  bool workload = false;       // other values make a run of another length, whose kept work is of no use to this one
  int64_t draft = -1;          // a value with which the run is quicker and its answer a first one; -1: none
};

// The rows of option_table.cpp, in the order a page should show them.
std::span<const OptionInfo> allOptions();
const OptionInfo* findOption(std::string_view id);                     // null when unknown
std::vector<OptionChoice> optionChoices(const OptionInfo& info);       // of a Choice
std::vector<std::string_view> optionPolicies(const OptionInfo& info);  // that read the option
std::string optionPolicyNames(const OptionInfo& info);                 // the same as "DFSharding and DFSharding2"
std::string optionHelp(const OptionInfo& info);  // with the policies before it, where not all read the option
// The option's value as JSON.
std::string optionValueJson(const Options& options, std::string_view id);

// Sets one option from text (command line). False after reporting UnknownOption or BadOption.
bool setOption(Options& options, std::string_view id, std::string_view text, Diagnostics& diags);
// Sets options from an object {"id": value}; an absent or null value is skipped, and the keys `others`, which are the
// caller's.
void readOptions(Options& options, JsonValue object, Diagnostics& diags, std::span<const std::string_view> others = {});

std::vector<OptionValue> optionValues(const Options& options);

}  // namespace tessera
