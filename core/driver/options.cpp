#include "core/driver/options.h"

#include <cmath>
#include <cstring>

#include "core/analysis/override_origins.h"
#include "core/support/json_writer.h"

namespace tessera {

namespace {

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
  if (info.id == "policy") options.policyGiven = true;
  return true;
}

// `value` is in thousandths for a Number.
bool setNumber(Options& options, const OptionInfo& info, int64_t value, std::string_view shown, Span span,
               Diagnostics& diags) {
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
  const size_t at = presetIndex(preset);
  for (const OptionInfo& info : allOptions()) {
    if (const auto* number = std::get_if<int64_t Options::*>(&info.field)) {
      int64_t& value = out.*(*number);
      if (value < 0 && info.presets[at] >= 0) value = info.presets[at];
    } else if (const auto* text = std::get_if<std::string Options::*>(&info.field)) {
      std::string& value = out.*(*text);
      if (value.empty()) value = info.presetIds[at];
    }
  }
  if (memoryLayoutAnalysisEnabled) out.policy = out.memoryLayoutAnalysisPolicy;
  else if (analysisSwitchedOff && !policyGiven) out.policy = floorPolicy().id;
  return out;
}

bool parseCalibration(const std::string& text, TimeFactors& out) {
  for (const char* at = text.c_str(); *at != '\0';) {
    const char* equals = std::strchr(at, '=');
    if (!equals) return false;
    const std::string_view name(at, static_cast<size_t>(equals - at));
    size_t family = 0;
    while (family < allFamilyTitles().size() && familyName(static_cast<Family>(family)) != name) ++family;
    char* end = nullptr;
    const double factor = std::strtod(equals + 1, &end);
    const bool whole = end != equals + 1 && (*end == ',' || *end == '\0');
    if (family == allFamilyTitles().size() || !whole || !(factor >= 0.001 && factor <= 1000)) return false;
    out[family] = static_cast<int32_t>(std::llround(factor * 1000));
    at = *end == ',' ? end + 1 : end;
  }
  return true;
}

PolicyOptions Options::policyOptions() const {
  PolicyOptions out;
  out.chain.memReconfigEnabled = memReconfigEnabled;
  out.chain.l1InterleavedFallbackAnalysisEnabled = l1InterleavedFallbackAnalysisEnabled;
  out.chain.fallbackBounds =
      presetOf(preset).specificationRules ? FallbackBounds::AnyReaders : FallbackBounds::NextReader;
  PropagateOptions& p = out.propagate;
  p.beamWidth = static_cast<int32_t>(beamWidth);
  if (maxInputCandidatesPerOperand >= 0) p.mostPerOperand = static_cast<int32_t>(maxInputCandidatesPerOperand);
  p.score = parseEnum(kBeamScores, layoutScore).value_or(p.score);
  p.fork = parseEnum(kForkRules, forkRule).value_or(p.fork);
  p.victim = parseEnum(kVictimRules, spillVictim).value_or(p.victim);
  p.lateSpill = parseEnum(kSpillPoints, spillPoint).value_or(p.lateSpill);
  p.spillSearch = spillSearch;
  if (!mockAllocatorState) p.cushionPermille = kSumTrackerCushion;
  if (!policyHas(policy, kLowerBound)) p.strategy = parseEnum(kSpillStrategies, spillStrategy).value_or(p.strategy);
  p.ruleBooks = parseEnum(kOpRules, opRules).value_or(p.ruleBooks);
  out.exact.rounds = static_cast<int32_t>(exactRounds);
  out.exact.certificate = certificate;
  p.keepEvaluations = keepEvaluations || trace;
  p.keepSpillProof = certificate;
  return out;
}

namespace {

// Given to a policy that does not read them. One that proves a bound runs the others beside it, which do; and the
// optimum may be wanted beside any run.
void reportUnreadOptions(const Options& given, const std::string& policy, Diagnostics& diags) {
  if (policyHas(policy, kLowerBound)) return;
  Options usual;
  usual.preset = given.preset;
  for (const OptionInfo& info : allOptions()) {
    if (info.appliesTo == 0 || policyHas(policy, info.appliesTo) || info.appliesTo == kLowerBound) continue;
    if (info.appliesTo == kSpillStrategyApplies) continue;  // told above, with the reason
    std::string value = optionValueJson(given, info.id);
    if (value == optionValueJson(usual, info.id)) continue;
    if (info.type == OptionType::Choice) value = value.substr(1, value.size() - 2);  // an identifier in quotes
    std::string_view ability = info.ability;
    if (ability.empty()) ability = optionPolicies(info).size() == 1 ? "reads it" : "read it";
    diags.report(
        DiagKind::OptionIgnored, {},
        {info.id, value, "only " + optionPolicyNames(info) + " " + std::string(ability) + ", the policy is " + policy});
  }
}

}  // namespace

void checkOptions(const Options& given, Diagnostics& diags) {
  const std::string policy = given.resolved().policy;
  if (given.analysisSwitchedOff && given.memoryLayoutAnalysisEnabled) {
    diags.report(DiagKind::ContradictoryOptions, {}, {kAnalysisEnabledOption, "false", kAnalysisPolicyOption, policy});
  } else if (given.analysisSwitchedOff && given.policyGiven && !policyHas(policy, kFloor)) {
    diags.report(DiagKind::ContradictoryOptions, {}, {kAnalysisEnabledOption, "false", "policy", policy});
  }
  if (given.policyGiven && given.memoryLayoutAnalysisEnabled && given.policy != policy)
    diags.report(DiagKind::OptionIgnored, {},
                 {"policy", given.policy, "`" + std::string(kAnalysisEnabledOption) + "` selects " + policy});
  if (given.spillStrategy != Options().spillStrategy && !policyHas(policy, kSpillStrategyApplies)) {
    const char* why =
        policyHas(policy, kFloor) ? ", which leaves L1 empty" : ", which decides layouts and spills together";
    diags.report(DiagKind::OptionIgnored, {}, {"spill-strategy", given.spillStrategy, "the policy is " + policy + why});
  }
  TimeFactors factors{};
  if (!parseCalibration(given.calibration, factors))
    diags.report(DiagKind::BadOption, {}, {"calibration", given.calibration, "Matmul=1.25"});
  reportUnreadOptions(given, policy, diags);
}

LoweringOptions Options::loweringOptions() const {
  LoweringOptions out = lowering;
  out.constEval = constEvalEnabled;
  out.specificationRules = presetOf(preset).specificationRules;
  out.fusing = fusingEnabled;
  out.bfp8Weights = bfp8Weights;
  out.d2mSubgraphs = d2mSubgraphs;
  out.reoptimize = reoptimize;
  out.compute.fidelity = parseEnum(kMathFidelities, mathFidelity);
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

ProblemOptions Options::problemOptions(const Graph& source, const Graph& graph, const DeviceSpec& forDevice,
                                       Diagnostics& diags) const {
  ProblemOptions out;
  out.askOpModel = presetOf(preset).askOpModel;
  findInOption("override-output-layout", diags, [&](Diagnostics& found) {
    out.layoutOverrides = parseLayoutOverrides(overrideOutputLayout, found);
    followOrigins(out.layoutOverrides, source, graph);
    checkOverrides(out.layoutOverrides, graph, forDevice, found);
    dropIdleOverrides(out.layoutOverrides, graph);
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

std::optional<Graph> Options::inOpOrder(const Graph& source, const Graph& graph, Diagnostics& diags) const {
  std::optional<Graph> ordered;
  findInOption("op-order", diags, [&](Diagnostics& found) {
    OpMoves moves = parseOpOrder(opOrder, found);
    followOrigins(moves, source, graph);
    if (!moves.empty()) ordered = withOpOrder(graph, moves, found);
  });
  return ordered;
}

std::string optionValueJson(const Options& given, std::string_view id) {
  Options options = given.resolved();
  const OptionInfo* info = findOption(id);
  JsonWriter w;
  if (!info) w.null();
  else if (const auto* text = std::get_if<std::string Options::*>(&info->field))
    w.value(std::string_view(options.*(*text)));
  else if (const auto* flag = std::get_if<bool Options::*>(&info->field)) w.boolean(options.*(*flag));
  else if (info->type == OptionType::Number) w.fixed(options.*std::get<int64_t Options::*>(info->field), 3);
  else w.integer(options.*std::get<int64_t Options::*>(info->field));
  return w.take();
}

std::vector<OptionValue> optionValues(const Options& options) {
  std::vector<OptionValue> values;
  for (const OptionInfo& info : allOptions()) values.push_back({info.id, optionValueJson(options, info.id)});
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
    if (known && id == kAnalysisPolicyOption) options.memoryLayoutAnalysisEnabled = true;
    return known;
  }
  if (info->type == OptionType::Text) {
    options.*std::get<std::string Options::*>(info->field) = text;
    return true;
  }
  int64_t number = 0;
  if (info->type == OptionType::Boolean && (text == "true" || text == "false")) {
    // Next to a policy given by its name, switching the analysis off is a contradiction: checkOptions() says so.
    bool off = id == kAnalysisEnabledOption && text == "false";
    if (off) options.analysisSwitchedOff = true;
    else options.*std::get<bool Options::*>(info->field) = text == "true";
    return true;
  }
  bool isNumber = (info->type == OptionType::Integer || info->type == OptionType::Number) &&
                  parseDecimal(text, info->type == OptionType::Number ? 3 : 0, number);
  if (isNumber) return setNumber(options, *info, number, text, {}, diags);
  diags.report(DiagKind::BadOption, {}, {id, text, expectation(*info)});
  return false;
}

void readOptions(Options& options, JsonValue object, Diagnostics& diags, std::span<const std::string_view> others) {
  if (!object.present()) return;
  if (!object.isObject()) {
    diags.report(DiagKind::BadOption, {}, {"options", jsonKindName(object.kind()), "an object"});
    return;
  }
  for (size_t i = 0; i < object.size(); ++i) {
    JsonValue value = object.at(i);
    std::string_view id = object.keyAt(i);
    if (value.kind() == JsonKind::Null || std::find(others.begin(), others.end(), id) != others.end()) continue;
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
