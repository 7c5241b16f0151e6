// Random inputs, and the comparison of two graphs on them.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <unordered_map>
#include <utility>

#include "core/execute/interpreter.h"
#include "core/execute/rounding_steps.h"
#include "core/execute/stablehlo_attrs.h"
#include "core/ir/builder.h"
#include "core/ir/constant_value.h"
#include "core/ops/table/op_table.h"

namespace tessera {

namespace {

// SplitMix64 (Steele, Lea, Flood, 2014).
uint64_t nextRandom(uint64_t& state) {
  uint64_t z = (state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

double unitOf(uint64_t bits) { return static_cast<double>(bits >> 40) / 16777216.0; }  // [0, 1)

std::string_view withoutDialect(std::string_view name) {
  size_t dot = name.find('.');
  return dot == std::string_view::npos ? name : name.substr(dot + 1);
}

bool isOneOf(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

constexpr int64_t kAnyInteger = 100;  // integers that are no places stay below it

// What values must be for the graph to compute numbers: positive (variances, operands of square roots and logarithms,
// and what those are sums or products of), or below the number of rows of a table whose places they are; through calls,
// too.
class InputNeeds {
 public:
  explicit InputNeeds(const Graph& graph)
      : graph_(graph), positive_(graph.values.size(), false), below_(graph.values.size(), kAnyInteger) {
    for (FuncId id : graph.funcs.ids()) byName_.emplace(graph.funcs[id].name, id);
  }

  bool positive(ValueId value) const { return positive_[value]; }
  int64_t below(ValueId value) const { return std::max<int64_t>(below_[value], 1); }

  void find() {
    constexpr int kMostRounds = 8;  // as deep as calls nest
    for (int round = 0; round < kMostRounds && !std::exchange(settled_, true); ++round) {
      for (const Function& func : graph_.funcs) {
        for (size_t i = func.ops.size(); i > 0; --i) look(graph_.ops[func.ops[i - 1]]);
      }
    }
  }

 private:
  void limit(const Op& op, size_t operand, int64_t rows) {
    if (operand >= op.operands.size()) return;
    ValueId value = op.operands[operand];
    if (rows >= below_[value]) return;
    below_[value] = rows;
    settled_ = false;
  }

  int64_t sizeOf(const Op& op, size_t operand, int64_t dim) const {
    if (operand >= op.operands.size() || !graph_.values[op.operands[operand]].type.isTensor()) return kAnyInteger;
    const Shape& shape = graph_.values[op.operands[operand]].type.tensor->shape;
    if (dim < 0) dim += static_cast<int64_t>(shape.size());
    return dim >= 0 && dim < static_cast<int64_t>(shape.size()) ? shape[static_cast<size_t>(dim)] : kAnyInteger;
  }

  // Places in tables and caches.
  void lookAtPlaces(const Op& op) {
    Family family = opInfo(op.kind).family;
    OpKind kind = family == Family::Opaque ? opKindFromName(op.name) : op.kind;
    auto number = [&](std::string_view name) {
      const AttrValue* a = findAttr(op, name);
      return a != nullptr && a->kind == AttrValueKind::Integer ? a->integer : int64_t{0};
    };
    if (family == Family::Embedding) limit(op, 0, sizeOf(op, 1, -2));
    if (family == Family::KvCache || family == Family::Attention) lookAtCache(op);
    if (family == Family::Gather) limit(op, 1, sizeOf(op, 0, number("dim")));
    bool scatter = kind == OpKind::ShloScatter;
    if (kind == OpKind::ShloGather || scatter) {
      ShloPick pick = readShloPick(op, scatter ? "scatter_dimension_numbers" : "dimension_numbers");
      for (int64_t d : pick.map) limit(op, 1, sizeOf(op, 0, d));
    }
    size_t first = kind == OpKind::ShloDynamicSlice ? 1 : kind == OpKind::ShloDynamicUpdateSlice ? 2 : SIZE_MAX;
    for (size_t i = first; i < op.operands.size(); ++i) limit(op, i, sizeOf(op, 0, static_cast<int64_t>(i - first)));
  }

  // Rows of a cache, pages of one and the rows in the pages of a user.
  void lookAtCache(const Op& op) {
    const bool cache = opInfo(op.kind).family == Family::KvCache,
               paged = op.name.find("paged_") != std::string::npos || op.name.find("chunked_") != std::string::npos;
    const size_t pages = cache ? 0 : 1;
    for (size_t i = pages + 1; i < op.operands.size(); ++i) {
      const int64_t rows = sizeOf(op, pages, 2);
      const bool table = paged && rankOf(op, i) == 2;
      int64_t users = 0, perUser = 1;
      for (size_t t = pages + 1; paged && t < op.operands.size(); ++t) {
        if (rankOf(op, t) == 2) users = sizeOf(op, t, 0), perUser = sizeOf(op, t, 1);
      }
      const bool user = cache && paged && i == 3;  // of paged_fill_cache
      limit(op, i, table ? sizeOf(op, pages, 0) : user ? users : mulSaturated(rows, perUser));
    }
  }

  size_t rankOf(const Op& op, size_t operand) const {
    const ValueType& type = graph_.values[op.operands[operand]].type;
    return type.isTensor() ? type.tensor->shape.size() : 0;
  }

  // What integers are made of.
  void passLimit(const Op& op) {
    int64_t least = kAnyInteger;
    for (ValueId result : op.results) least = std::min(least, below_[result]);
    if (least == kAnyInteger || op.kind == OpKind::FuncCall) return;
    for (size_t i = 0; i < op.operands.size(); ++i) {
      const ValueType& type = graph_.values[op.operands[i]].type;
      bool integer = type.isTensor() && !isFloatType(type.tensor->dtype) && type.tensor->dtype != DType::I1;
      if (integer) limit(op, i, least);
    }
  }

  void mark(ValueId value) {
    if (positive_[value]) return;
    positive_[value] = true;
    settled_ = false;
  }

  void look(const Op& op) {
    lookAtPlaces(op);
    passLimit(op);
    std::string_view name = withoutDialect(op.name);
    bool norm = isOneOf(name, {"batch_norm_inference", "batch_norm", "batch_norm_grad"});
    if (norm && op.operands.size() >= 5) mark(op.operands[name == "batch_norm_grad" ? 3 : 4]);
    bool root = isOneOf(name, {"sqrt", "rsqrt", "log", "log1p", "log_plus_one", "log2", "log10", "pow", "power"});
    if (root && !op.operands.empty()) mark(op.operands[0]);
    if (op.kind == OpKind::FuncCall) return lookThrough(op);
    bool wanted = !op.results.empty() && positive_[op.results[0]];
    bool passes = isOneOf(name, {"add", "convert", "broadcast_in_dim", "reduce", "multiply", "reshape", "permute",
                                 "broadcast", "typecast", "transpose", "squeeze", "unsqueeze", "slice_static", "slice",
                                 "custom_call", "copy", "sharding_constraint", "optimization_barrier"});
    bool square = name == "multiply" && op.operands.size() >= 2 && op.operands[0] == op.operands[1];
    if (!wanted || !passes || square) return;
    for (ValueId operand : op.operands) mark(operand);
  }

  void lookThrough(const Op& call) {
    const AttrValue* callee = findAttr(call, "callee");
    auto at = callee == nullptr ? byName_.end() : byName_.find(callee->string);
    if (at == byName_.end() || graph_.funcs[at->second].ops.empty()) return;
    const Function& func = graph_.funcs[at->second];
    const Op& last = graph_.ops[func.ops.back()];
    for (size_t i = 0; i < call.results.size() && i < last.operands.size(); ++i) {
      if (positive_[call.results[i]]) mark(last.operands[i]);
      limit(last, i, below_[call.results[i]]);
    }
    for (size_t i = 0; i < call.operands.size() && i < func.args.size(); ++i) {
      if (positive_[func.args[i]]) mark(call.operands[i]);
      limit(call, i, below_[func.args[i]]);
    }
  }

  const Graph& graph_;
  IdVec<ValueId, bool> positive_;
  IdVec<ValueId, int64_t> below_;  // of integers
  std::unordered_map<std::string_view, FuncId> byName_;
  bool settled_ = false;
};

std::string shortNumber(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

// A tensor whose numbers are all smaller is compared as if one of them were as large: the difference of equal numbers
// about 1 is off by some 6e-8 in f32, what is computed of it by less. A number minus the mean of equal numbers was seen
// to be 3e-8, their variance 1.4e-14, where another order of the same sums gives exactly 0.
constexpr double kLeastMagnitude = 1e-4;

// The largest finite number: what errors of the tensor are relative to.
double magnitudeOf(const HostTensor& a) {
  double magnitude = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    if (std::isfinite(a.at(i))) magnitude = std::max(magnitude, std::fabs(a.at(i)));
  }
  return magnitude == 0 ? 1 : std::max(magnitude, kLeastMagnitude);
}

// A pass may compute more carefully, as a softmax that takes off the largest value first: what was no number before
// says nothing of the number after.
double distance(double x, double y) {
  if (x == y || std::isnan(x)) return 0;
  return std::isfinite(x) && std::isfinite(y) ? std::fabs(x - y) : HUGE_VAL;
}

struct Tolerance {
  double real = 0;
  // 0: none. Else one in a hundred numbers may be another one, so far away at most; one always where that is finite.
  double step = 0;
};

// Adds the differences of one result to the verdict; true when it is within the tolerance.
bool compareTensors(const HostTensor& a, const HostTensor& b, Tolerance tolerance, const std::string& what,
                    ComparisonVerdict& verdict) {
  auto differ = [&](std::string text) {
    verdict.comparison = Comparison::Different;
    verdict.text = what + " " + std::move(text);
    return false;
  };
  if (a.size() != b.size() || a.shape != b.shape)
    return differ("is " + shapeText(a.shape) + " before and " + shapeText(b.shape) + " after");
  const double magnitude = magnitudeOf(a);
  bool exact = !a.real && !b.real;
  const bool stepped = tolerance.step > 0 && a.real == b.real;
  const double farthest = exact ? tolerance.step : tolerance.step * (1 + tolerance.real);
  const size_t always = std::isfinite(tolerance.step) ? 1 : 0;
  size_t mayBeNext = stepped ? std::max<size_t>(a.size() / 100, always) : 0;
  size_t worst = a.size(), lost = 0, found = 0;  // no number before; those that are one after
  double worstRel = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    lost += std::isnan(a.at(i)) ? 1 : 0;
    found += std::isnan(a.at(i)) && !std::isnan(b.at(i)) ? 1 : 0;
    double abs = distance(a.at(i), b.at(i));
    if (abs == 0) continue;
    verdict.maxAbs = std::max(verdict.maxAbs, abs);
    verdict.maxRel = std::max(verdict.maxRel, abs / magnitude);
    bool wrong = exact || abs / magnitude > tolerance.real;
    if (wrong && abs <= farthest && mayBeNext > 0) {
      --mayBeNext;
      continue;
    }
    if (wrong && (worst == a.size() || abs / magnitude > worstRel)) {
      worst = i;
      worstRel = abs / magnitude;
    }
  }
  if (found > 0 && lost == a.size()) {
    verdict.comparison = Comparison::NotExecutable;
    verdict.text = what + " is no number anywhere before";
    return false;
  }
  if (worst == a.size()) return true;
  return differ("differs: element " + std::to_string(worst) + " of " + shapeText(a.shape) + " is " +
                shortNumber(a.at(worst)) + " before and " + shortNumber(b.at(worst)) + " after (relative error " +
                shortNumber(worstRel) + ")");
}

bool stopped(const Execution& e, const char* which, ComparisonVerdict& verdict) {
  if (e.status == ExecutionStatus::Done) return false;
  verdict.comparison = e.status == ExecutionStatus::OverBudget ? Comparison::OverBudget : Comparison::NotExecutable;
  verdict.text = std::string(which) + ": " + e.text;
  return true;
}

}  // namespace

Graph withNeededConstants(Graph graph, uint64_t seed) {
  InputNeeds needs(graph);
  needs.find();
  constexpr int64_t kMostElements = 1 << 16;
  uint64_t state = ~seed;
  for (OpId id : graph.ops.ids()) {
    const Op& op = graph.ops[id];
    if (op.results.size() != 1 || !graph.values[op.results[0]].type.isTensor()) continue;
    const TensorType& type = *graph.values[op.results[0]].type.tensor;
    bool real = isFloatType(type.dtype);
    int64_t below = needs.below(op.results[0]), count = elementCount(type.shape).value_or(0);
    if (real ? !needs.positive(op.results[0]) : below == kAnyInteger) continue;
    for (size_t place = 0; place < op.attrs.size(); ++place) {
      const Attribute& attr = op.attrs[place];
      size_t colon = attr.value.text.rfind(" : ");
      bool elided = attr.name == "value" && attr.value.text.rfind("dense_resource", 0) == 0;
      if (!elided || colon == std::string::npos || count < 1 || count > kMostElements) continue;
      std::string text = "dense<[";
      for (int64_t i = 0; i < count; ++i) {
        uint64_t bits = nextRandom(state);
        char number[32];
        if (real) std::snprintf(number, sizeof number, "%.6f", 0.25 + unitOf(bits));
        text += (i > 0 ? ", " : "") + (real ? number : std::to_string(static_cast<int64_t>(bits >> 33) % below));
      }
      graph.ops.edit(id).attrs[place].value = rawAttr(text + "]>" + attr.value.text.substr(colon));
    }
  }
  return graph;
}

std::vector<HostTensor> randomInputs(const Graph& graph, uint64_t seed) {
  std::vector<HostTensor> inputs;
  if (!graph.forward.valid()) return inputs;
  InputNeeds needs(graph);
  needs.find();
  uint64_t state = seed;
  for (ValueId arg : graph.funcs[graph.forward].args) {
    const ValueType& type = graph.values[arg].type;
    inputs.emplace_back();
    if (!type.isTensor()) continue;
    // Larger than any budget: left empty, and refused for its shape when executed.
    std::optional<int64_t> count = elementCount(type.tensor->shape);
    if (!count || *count > (int64_t{1} << 27)) continue;
    inputs.back() = makeTensor(type.tensor->shape, isFloatType(type.tensor->dtype));
    HostTensor& t = inputs.back();
    for (size_t i = 0; i < t.size(); ++i) {
      uint64_t bits = nextRandom(state);
      double unit = unitOf(bits);
      if (!t.real) t.i[i] = static_cast<int64_t>(bits >> 33) % (type.tensor->dtype == DType::I1 ? 2 : needs.below(arg));
      else t.f[i] = static_cast<float>(needs.positive(arg) ? 0.25 + unit : 2.0 * unit - 1.0);
    }
  }
  return inputs;
}

namespace {

// The steps of the results.
std::vector<double> resultSteps(const Graph& graph) {
  std::vector<double> out;
  if (!graph.forward.valid() || graph.funcs[graph.forward].ops.empty()) return out;
  const IdVec<ValueId, double> steps = roundingSteps(graph);
  for (ValueId value : graph.ops[graph.funcs[graph.forward].ops.back()].operands) out.push_back(steps[value]);
  return out;
}

// Results, then arguments at the end.
std::vector<const HostTensor*> outcomesOf(const Execution& execution) {
  std::vector<const HostTensor*> out;
  for (const HostTensor& t : execution.results) out.push_back(&t);
  for (const HostTensor& t : execution.arguments) out.push_back(&t);
  return out;
}

using OutcomeTypes = std::vector<std::optional<DType>>;

// Element types of the results, then of the arguments; none for what is no tensor.
OutcomeTypes outcomeTypes(const Graph& graph) {
  OutcomeTypes out;
  if (!graph.forward.valid()) return out;
  const Function& func = graph.funcs[graph.forward];
  auto add = [&](const ValueType& type) {
    out.push_back(type.isTensor() ? std::optional(type.tensor->dtype) : std::nullopt);
  };
  for (const ValueType& type : func.resultTypes) add(type);
  for (ValueId arg : func.args) add(graph.values[arg].type);
  return out;
}

// The compiler stores i8 as ui8 and i16 as ui16: the same bits, read as another number.
bool sameBitsUnsigned(DType before, DType after) {
  return (before == DType::I8 && after == DType::U8) || (before == DType::I16 && after == DType::U16);
}

ComparisonVerdict compareOutcomes(const Execution& a, const Execution& b, double tolerance,
                                  const std::vector<double>& steps, const OutcomeTypes& types,
                                  const OutcomeTypes& laterTypes) {
  ComparisonVerdict verdict;
  const std::vector<const HostTensor*> before = outcomesOf(a), after = outcomesOf(b);
  for (size_t i = 0; i < before.size() && i < after.size(); ++i) {
    const bool result = i < a.results.size();
    const std::string what =
        result ? "result " + std::to_string(i) : "argument " + std::to_string(i - a.results.size()) + " at the end";
    ComparisonVerdict one = verdict;
    const bool asBits = i < types.size() && i < laterTypes.size() && types[i] && laterTypes[i] &&
                        sameBitsUnsigned(*types[i], *laterTypes[i]);
    const HostTensor later = asBits ? convertTo(*after[i], *types[i]) : *after[i];
    const bool same =
        compareTensors(*before[i], later, {tolerance, result && i < steps.size() ? steps[i] : 0}, what, one);
    verdict.maxAbs = one.maxAbs;
    verdict.maxRel = one.maxRel;
    const bool told = verdict.result >= 0 && one.comparison == verdict.comparison;
    if (same || told || verdict.comparison == Comparison::Different) continue;
    verdict.comparison = one.comparison;
    verdict.text = one.text;
    verdict.result = static_cast<int32_t>(i);
  }
  return verdict;
}

}  // namespace

GraphSeries::GraphSeries(const Graph& first, uint64_t seed, const ExecutionBudget& budget)
    : budget_(budget), inputs_(randomInputs(first, seed)), graph_(first), last_(execute(first, inputs_, budget)) {
  // Where numbers overflow nothing can be compared: smaller inputs, as long as that helps.
  constexpr float kSmaller = 0.25f;
  constexpr int kMostTries = 4;
  for (int i = 0; i < kMostTries && last_.overflows > 0; ++i) {
    std::vector<HostTensor> inputs = inputs_;
    for (HostTensor& t : inputs) {
      for (float& x : t.f) x *= kSmaller;
    }
    Execution again = execute(first, inputs, budget);
    if (again.status != ExecutionStatus::Done || again.overflows >= last_.overflows) return;
    inputs_ = std::move(inputs);
    last_ = std::move(again);
  }
}

ComparisonVerdict GraphSeries::next(const Graph& after, double tolerance) {
  ComparisonVerdict verdict;
  if (sameGraph(graph_, after)) {  // most passes change nothing of most graphs
    stopped(last_, "before", verdict);
    return verdict;
  }
  const std::vector<double> steps = resultSteps(graph_);
  const OutcomeTypes types = outcomeTypes(graph_);
  graph_ = after;
  Execution b = execute(after, inputs_, budget_);
  const Execution a = std::exchange(last_, std::move(b));
  if (stopped(a, "before", verdict)) return verdict;
  if (stopped(last_, "after", verdict)) {
    if (last_.malformed) verdict.comparison = Comparison::Different;
    return verdict;
  }
  if (a.results.size() != last_.results.size()) {
    verdict.comparison = Comparison::Different;
    verdict.text =
        std::to_string(a.results.size()) + " results before, " + std::to_string(last_.results.size()) + " after";
    return verdict;
  }
  return compareOutcomes(a, last_, tolerance, steps, types, outcomeTypes(after));
}

}  // namespace tessera
