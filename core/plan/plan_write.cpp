// Plans to JSON, and what tells the graphs apart for which they are made.

#include "core/plan/config_json.h"
#include "core/plan/layout_json.h"
#include "core/plan/moves.h"
#include "core/plan/plan_json.h"
#include "core/support/fingerprint.h"

namespace tessera {

namespace {

class PlanWriter {
 public:
  PlanWriter(const Problem& problem, const Plan& plan)
      : problem_(problem), plan_(plan), layouts_(problem.device), numberOf_(problem.graph.ops.size(), -1) {
    const std::vector<OpId>& ops = problem.graph.funcs[problem.graph.forward].ops;
    for (size_t i = 0; i < ops.size(); ++i) numberOf_[ops[i]] = static_cast<int32_t>(i);
  }

  std::string write(std::string_view author, std::string_view optionsJson) {
    w_.beginObject();
    w_.field("schema", kPlanSchema);
    w_.field("policy", author);
    w_.field("graph", std::string_view(graphFingerprint(problem_.graph)));
    w_.key("options");
    w_.raw(optionsJson);
    writeOrder();
    writeValues();
    writeConfigs();
    writeMoves();
    layouts_.write(w_);
    w_.endObject();
    return w_.take();
  }

 private:
  std::string nameOf(ValueId value) const { return "%" + problem_.graph.values[value].name; }
  void opField(std::string_view name, OpId op) {
    const Op& o = problem_.graph.ops[op];
    if (o.results.empty()) w_.field(name, numberOf_[op]);
    else w_.field(name, std::string_view(nameOf(o.results[0])));
  }
  int32_t layoutOf(ValueId value, const TensorLayout& layout) {
    return layouts_.indexOf(problem_.tensor(value).shape, layout);
  }

  void writeOrder() {
    if (plan_.order == problem_.graph.funcs[problem_.graph.forward].ops) return;
    w_.key("order");
    w_.beginArray();
    for (OpId op : plan_.order) w_.integer(numberOf_[op]);
    w_.endArray();
  }

  void writeValues() {
    w_.key("values");
    w_.beginObject();
    for (ValueId value : plan_.layout.ids()) {
      const bool forward = problem_.graph.values[value].func == problem_.graph.forward;
      if (forward && plan_.layout[value]) w_.field(nameOf(value), layoutOf(value, *plan_.layout[value]));
    }
    w_.endObject();
  }

  // The result that a config's layout is of.
  ValueId tensorResult(OpId op) const {
    for (ValueId result : problem_.graph.ops[op].results) {
      if (problem_.isTensor(result)) return result;
    }
    return {};
  }

  void writeConfigs() {
    w_.key("configs");
    w_.beginArray();
    for (OpId op : problem_.graph.funcs[problem_.graph.forward].ops) {
      if (!plan_.config.contains(op)) continue;
      const OpConfig& config = plan_.config[op];
      const ValueId result = tensorResult(op);
      const bool elsewhere = result.valid() && plan_.layout[result] && !(config.output == *plan_.layout[result]);
      if (!elsewhere && std::holds_alternative<std::monostate>(config.attrs)) continue;
      w_.beginObject();
      opField("op", op);
      if (elsewhere) w_.field("output", layoutOf(result, config.output));
      writeConfigAttrs(w_, config);
      w_.endObject();
    }
    w_.endArray();
  }

  void writeMoves() {
    w_.key("reshards");
    w_.beginArray();
    for (const Reshard& reshard : plan_.reshards) {
      const ValueId value = problem_.graph.ops[reshard.consumer].operands[static_cast<size_t>(reshard.operand)];
      w_.beginObject();
      opField("op", reshard.consumer);
      w_.field("operand", reshard.operand);
      w_.field("to", layoutOf(value, reshard.to));
      w_.endObject();
    }
    w_.endArray();
    w_.key("spills");
    w_.beginArray();
    for (const Spill& spill : plan_.spills) {
      w_.beginObject();
      w_.field("value", std::string_view(nameOf(spill.value)));
      opField("before", spill.before);
      w_.field("to", layoutOf(spill.value, spill.to));
      w_.field("cause", spillCauseName(spill.cause));
      w_.endObject();
    }
    w_.endArray();
  }

  const Problem& problem_;
  const Plan& plan_;
  LayoutRequestTable layouts_;
  IdVec<OpId, int32_t> numberOf_;
  JsonWriter w_;
};

}  // namespace

std::string graphFingerprint(const Graph& graph) {
  Fingerprint print;
  const Function& func = graph.funcs[graph.forward];
  const auto addType = [&](ValueId value) {
    const ValueType& type = graph.values[value].type;
    print.add(graph.values[value].name);
    if (!type.isTensor()) return print.add(type.opaque);
    print.add(dtypeName(type.tensor->dtype));
    for (int64_t dim : type.tensor->shape) print.add(dim);
  };
  for (ValueId arg : func.args) addType(arg);
  for (OpId op : func.ops) {
    print.add(graph.ops[op].name);
    for (ValueId operand : graph.ops[op].operands) print.add(graph.values[operand].name);
    for (ValueId result : graph.ops[op].results) addType(result);
  }
  return print.text();
}

std::string planJson(const Problem& problem, const Plan& plan, std::string_view author, std::string_view optionsJson) {
  return PlanWriter(problem, plan).write(author, optionsJson);
}

}  // namespace tessera
