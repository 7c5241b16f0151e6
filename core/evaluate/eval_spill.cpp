// tessera eval spill: the compiler's scenarios of spill management. Each is put to the sweep that graphs go through,
// with the compiler's settings; a scenario agrees when everything it expects holds.

#include <algorithm>

#include "core/evaluate/eval_json.h"
#include "core/policy/propagate/spill_scenario.h"

namespace tessera {

namespace {

constexpr int64_t kMostBytes = int64_t{1} << 40;  // no L1 is that large; keeps sums within 63 bits
constexpr size_t kMostOps = 100'000;

class ScenarioReader {
 public:
  explicit ScenarioReader(JsonValue value) : value_(value) {}

  // False when the scenario cannot be read; `mistake` says why.
  bool read(SpillScenario& out, std::string& mistake) {
    out.name = text(value_.get("name"));
    out.budget = bytes(value_.get("budget"), -1);
    JsonValue ops = value_.get("ops");
    if (out.budget < 0 || !ops.isArray() || ops.size() > kMostOps) {
      mistake = "needs a budget and a list of ops";
      return false;
    }
    for (size_t i = 0; i < ops.size(); ++i) {
      ScenarioOp op;
      if (!readOp(ops.at(i), out, op, mistake)) return false;
      out.ops.push_back(std::move(op));
    }
    JsonValue returns = value_.get("returns");
    for (size_t i = 0; i < returns.size(); ++i) {
      int32_t index = find(out, text(returns.at(i)));
      if (index >= 0) out.returned.push_back(index);
    }
    return true;
  }

  static int32_t find(const SpillScenario& scenario, std::string_view name) {
    for (size_t i = 0; i < scenario.ops.size(); ++i) {
      if (scenario.ops[i].name == name) return static_cast<int32_t>(i);
    }
    return -1;
  }
  static std::string text(JsonValue value) { return value.isString() ? std::string(*value.asString()) : std::string(); }

 private:
  static int64_t bytes(JsonValue value, int64_t otherwise) {
    std::optional<int64_t> number = value.asInteger();
    return number && *number >= 0 && *number <= kMostBytes ? *number : otherwise;
  }

  static std::optional<OpStatus> status(std::string_view name) {
    if (name == "Success") return OpStatus::Success;
    if (name == "NotImplemented") return OpStatus::NotImplemented;
    if (name == "MetalBackendError") return OpStatus::MetalBackendError;
    if (name == "OutOfMemory" || name == "OutOfMemoryError") return OpStatus::OutOfMemory;
    return {};
  }

  bool readOp(JsonValue from, const SpillScenario& soFar, ScenarioOp& op, std::string& mistake) {
    op.name = text(from.get("name"));
    op.l1 = bytes(from.get("l1"), 0);
    op.circularBuffers = bytes(from.get("cb"), 0);
    op.dramCircularBuffers = bytes(from.get("dram_cb"), -1);
    op.requiresL1Input = from.get("requires_l1_input").asBool().value_or(false);
    std::string kind = text(from.get("kind"));
    op.isView = kind == "view" || kind == "reshape" || kind == "alias" || from.get("view").asBool().value_or(false);
    op.isSink = kind == "sink";
    op.fixed = kind == "reshard" || kind == "to_memory_config";
    if (from.get("force_status").isString()) {
      op.forced = status(text(from.get("force_status")));
      if (!op.forced) {
        mistake = "op " + op.name + ": unknown status `" + text(from.get("force_status")) + "`";
        return false;
      }
    }
    JsonValue inputs = from.get("inputs");
    for (size_t i = 0; i < inputs.size(); ++i) {
      int32_t index = find(soFar, text(inputs.at(i)));
      if (index < 0) op.readsArgument = true;
      else if (std::find(op.inputs.begin(), op.inputs.end(), index) == op.inputs.end()) op.inputs.push_back(index);
    }
    if (op.name.empty() || find(soFar, op.name) >= 0) {
      mistake = "ops need names of their own";
      return false;
    }
    return true;
  }

  JsonValue value_;
};

// What a scenario expects, checked one by one.
class Expectations {
 public:
  Expectations(const SpillScenario& scenario, const ScenarioResult& result) : scenario_(scenario), result_(result) {}

  std::string check(JsonValue expect) {
    for (size_t i = 0; i < expect.size(); ++i) checkOne(expect.keyAt(i), expect.at(i));
    bool failureExpected = expect.get("fails").asBool().value_or(false);
    if (result_.fails && !failureExpected) miss("fails: " + result_.diagnostic);
    return misses_;
  }

 private:
  void checkOne(std::string_view key, JsonValue value) {
    std::string name(key);
    auto count = [&](size_t is) {
      std::optional<int64_t> wanted = value.asInteger();
      if (!wanted || *wanted != static_cast<int64_t>(is)) miss(name + " is " + std::to_string(is));
    };
    if (key == "evictions") {
      if (names(value) != result_.evictions) miss("evicts " + list(result_.evictions));
    } else if (key == "first_eviction") {
      bool right = !result_.evictions.empty() && opName(result_.evictions[0]) == ScenarioReader::text(value);
      if (!right) miss("evicts " + list(result_.evictions));
    } else if (key == "spilled" || key == "not_spilled") {
      for (int32_t op : names(value)) {
        if (evicted(op) != (key == "spilled")) miss(opName(op) + (evicted(op) ? " is spilled" : " is not spilled"));
      }
    } else if (key == "stays_l1") {
      for (int32_t op : names(value)) {
        if (evicted(op) || demoted(op)) miss(opName(op) + " leaves L1");
      }
    } else if (key == "demoted") {
      for (int32_t op : names(value)) {
        if (!demoted(op)) miss(opName(op) + " is not demoted");
      }
    } else if (key == "demotions") {
      count(result_.demoted.size());
    } else if (key == "spills" || key == "eviction_count") {
      count(result_.evictions.size());
    } else if (key == "min_spills") {
      if (static_cast<int64_t>(result_.evictions.size()) < value.asInteger().value_or(INT64_MAX))
        count(result_.evictions.size());
    } else if (key == "fails") {
      if (result_.fails != value.asBool().value_or(false)) miss(result_.fails ? "fails" : "does not fail");
    } else if (key == "diagnostic_contains") {
      bool named = value.isString() && result_.diagnostic.find(*value.asString()) != std::string::npos;
      if (!named) miss("says `" + result_.diagnostic + "`");
    } else {
      miss("expects `" + name + "`, which is not known");
    }
  }

  std::vector<int32_t> names(JsonValue value) {
    std::vector<int32_t> ops;
    for (size_t i = 0; i < value.size(); ++i) {
      int32_t op = ScenarioReader::find(scenario_, ScenarioReader::text(value.at(i)));
      if (op < 0) miss("names no op: " + ScenarioReader::text(value.at(i)));
      else ops.push_back(op);
    }
    return ops;
  }
  const std::string& opName(int32_t op) const { return scenario_.ops[static_cast<size_t>(op)].name; }
  bool evicted(int32_t op) const {
    return std::find(result_.evictions.begin(), result_.evictions.end(), op) != result_.evictions.end();
  }
  bool demoted(int32_t op) const {
    return std::find(result_.demoted.begin(), result_.demoted.end(), op) != result_.demoted.end();
  }
  std::string list(const std::vector<int32_t>& ops) const {
    std::string text;
    for (int32_t op : ops) text += (text.empty() ? "" : ", ") + opName(op);
    return text.empty() ? "nothing" : text;
  }
  void miss(const std::string& text) { misses_ += (misses_.empty() ? "" : "; ") + text; }

  const SpillScenario& scenario_;
  const ScenarioResult& result_;
  std::string misses_;
};

}  // namespace

EvalResult evalSpill(const EvalRequest& request) {
  EvalResult result;
  const EvalJson file(request, "scenarios", result);
  const JsonValue scenarios = file.rows();
  if (!result.problem.empty()) return result;
  for (size_t i = 0; i < scenarios.size(); ++i) {
    ++result.rows;
    SpillScenario scenario;
    std::string mistake;
    if (ScenarioReader(scenarios.at(i)).read(scenario, mistake))
      mistake = Expectations(scenario, runScenario(scenario)).check(scenarios.at(i).get("expect"));
    if (mistake.empty()) ++result.agree;
    else result.misses.push_back({scenario.name.empty() ? "scenario " + std::to_string(i) : scenario.name, mistake});
  }
  return result;
}

}  // namespace tessera
