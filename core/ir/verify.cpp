#include "core/ir/verify.h"

#include <string>
#include <string_view>
#include <unordered_set>

#include "core/ir/bodies.h"
#include "core/ir/named_values.h"

namespace tessera {

std::string_view graphRuleName(GraphRule rule) {
  switch (rule) {
    case GraphRule::ForwardFunction: return "ForwardFunction";
    case GraphRule::FunctionName: return "FunctionName";
    case GraphRule::FunctionBody: return "FunctionBody";
    case GraphRule::ArgumentLink: return "ArgumentLink";
    case GraphRule::OpList: return "OpList";
    case GraphRule::OpName: return "OpName";
    case GraphRule::OperandId: return "OperandId";
    case GraphRule::OperandFunction: return "OperandFunction";
    case GraphRule::OperandOrder: return "OperandOrder";
    case GraphRule::ResultLink: return "ResultLink";
    case GraphRule::ResultName: return "ResultName";
    case GraphRule::ValueName: return "ValueName";
    case GraphRule::OrphanValue: return "OrphanValue";
    case GraphRule::ReturnLast: return "ReturnLast";
    case GraphRule::ReturnTypes: return "ReturnTypes";
    case GraphRule::AttrOrder: return "AttrOrder";
    case GraphRule::AttrText: return "AttrText";
    case GraphRule::TypeShape: return "TypeShape";
    case GraphRule::TypeOpaque: return "TypeOpaque";
  }
  return "";
}

namespace {

constexpr std::string_view kReturnName = "func.return";

class Verifier {
 public:
  explicit Verifier(const Graph& graph)
      : graph_(graph),
        listed_(graph.ops.size(), false),
        linked_(graph.values.size(), false),
        defined_(graph.values.size(), false),
        valueNames_(graph) {
    valueNames_.reserve(graph.values.size());
  }

  std::vector<Defect> run() {
    checkAttrs(graph_.attrs, {}, {});
    checkForward();
    std::unordered_set<std::string_view> names;
    for (FuncId id : graph_.funcs.ids()) {
      const Function& func = graph_.funcs[id];
      if (func.name.empty() || !names.insert(func.name).second) {
        report(GraphRule::FunctionName, {}, {}, "function `@" + func.name + "`: names must be unique and not empty");
      }
      checkFunction(id);
    }
    checkOrphans();
    return std::move(defects_);
  }

 private:
  void report(GraphRule rule, OpId op, ValueId value, std::string text) {
    defects_.push_back({rule, op, value, std::move(text)});
  }

  std::string opText(OpId id) const { return "op " + std::to_string(id.index) + " (" + graph_.ops[id].name + ")"; }

  void checkForward() {
    bool anyBody = false;
    for (const Function& func : graph_.funcs) anyBody = anyBody || !func.ops.empty();
    bool good = graph_.forward.valid()
                    ? graph_.funcs.contains(graph_.forward) && !graph_.funcs[graph_.forward].ops.empty()
                    : !anyBody;
    if (!good) report(GraphRule::ForwardFunction, {}, {}, "the forward function must be one with a body");
  }

  void checkFunction(FuncId id) {
    const Function& func = graph_.funcs[id];
    checkAttrs(func.attrs, {}, {});
    for (const ValueType& type : func.resultTypes) checkType(type, {});
    if (func.ops.empty() && !func.isPrivate)
      report(GraphRule::FunctionBody, {}, {}, "public function `@" + func.name + "` has no body");
    for (size_t i = 0; i < func.args.size(); ++i) checkArgument(id, func.args[i], i);
    for (OpId op : func.ops) checkListing(id, op);
    for (OpId op : func.ops) {
      if (graph_.ops.contains(op)) checkOp(id, op);
    }
    if (!func.ops.empty()) checkReturn(func);
  }

  void checkArgument(FuncId func, ValueId id, size_t index) {
    bool good = graph_.values.contains(id) && !linked_[id] && !graph_.values[id].producer.valid() &&
                graph_.values[id].func == func && graph_.values[id].index == static_cast<int32_t>(index);
    if (!good)
      report(GraphRule::ArgumentLink, {}, id,
             "argument " + std::to_string(index) + " does not point back to its function");
    if (!graph_.values.contains(id)) return;
    checkAttrs(graph_.values[id].attrs, {}, id);
    checkNewValue(func, id);
  }

  void checkListing(FuncId func, OpId id) {
    if (!graph_.ops.contains(id)) {
      report(GraphRule::OpList, id, {}, "the function lists an op that does not exist");
      return;
    }
    if (listed_[id] || graph_.ops[id].func != func) {
      report(GraphRule::OpList, id, {}, opText(id) + " is listed twice, or by a function that is not its own");
    }
    listed_[id] = true;
  }

  void checkOp(FuncId func, OpId id) {
    const Op& op = graph_.ops[id];
    if (op.name.empty()) report(GraphRule::OpName, id, {}, opText(id) + " has no name");
    checkAttrs(op.attrs, id, {});
    for (ValueId operand : op.operands) checkOperand(func, id, operand);
    for (size_t i = 0; i < op.results.size(); ++i) checkResult(func, id, i);
  }

  void checkOperand(FuncId func, OpId id, ValueId operand) {
    if (!graph_.values.contains(operand)) {
      report(GraphRule::OperandId, id, operand, opText(id) + " has an operand that does not exist");
    } else if (graph_.values[operand].func != func) {
      report(GraphRule::OperandFunction, id, operand, opText(id) + " uses a value of another function");
    } else if (!defined_[operand]) {
      report(GraphRule::OperandOrder, id, operand,
             opText(id) + " uses `" + graph_.values[operand].name + "` before its definition");
    }
  }

  void checkResult(FuncId func, OpId id, size_t index) {
    const Op& op = graph_.ops[id];
    ValueId result = op.results[index];
    if (!graph_.values.contains(result) || linked_[result]) {
      report(GraphRule::ResultLink, id, result, opText(id) + ": a result does not exist or is listed twice");
      return;
    }
    const Value& value = graph_.values[result];
    if (value.producer != id || value.func != func || value.index != static_cast<int32_t>(index)) {
      report(GraphRule::ResultLink, id, result, opText(id) + ": a result does not point back to it");
    }
    ValueId first = op.results.front();
    bool named = index == 0 || (graph_.values.contains(first) &&
                                value.name == graph_.values[first].name + ":" + std::to_string(index));
    if (!named)
      report(GraphRule::ResultName, id, result,
             opText(id) + ": result " + std::to_string(index) + " has a name of its own");
    checkNewValue(func, result);
  }

  void checkNewValue(FuncId func, ValueId id) {
    const Value& value = graph_.values[id];
    linked_[id] = true;
    defined_[id] = true;
    if (value.name.empty() || valueNames_.has(func, value.name))
      report(GraphRule::ValueName, {}, id, "value name `" + value.name + "` is empty or taken");
    else valueNames_.add(func, id);
    checkType(value.type, id);
  }

  void checkReturn(const Function& func) {
    for (OpId id : func.ops) {
      if (!graph_.ops.contains(id)) return;
      bool isReturn = graph_.ops[id].name == kReturnName;
      if (isReturn != (id == func.ops.back())) {
        report(GraphRule::ReturnLast, id, {},
               opText(id) + ": the return must be the last op of `@" + func.name + "`, once");
        return;
      }
    }
    const Op& last = graph_.ops[func.ops.back()];
    bool same = last.operands.size() == func.resultTypes.size();
    for (size_t i = 0; same && i < last.operands.size(); ++i) {
      same = graph_.values.contains(last.operands[i]) && graph_.values[last.operands[i]].type == func.resultTypes[i];
    }
    if (!same)
      report(GraphRule::ReturnTypes, func.ops.back(), {},
             "the return of `@" + func.name + "` does not match its result types");
  }

  void checkAttrs(const AttrList& attrs, OpId op, ValueId value) {
    for (size_t i = 0; i < attrs.size(); ++i) {
      if (i > 0 && attrs[i].name <= attrs[i - 1].name) {
        report(GraphRule::AttrOrder, op, value, "attribute `" + attrs[i].name + "` is out of order or there twice");
      }
      if (attrs[i].value.text.empty())
        report(GraphRule::AttrText, op, value, "attribute `" + attrs[i].name + "` has no text");
    }
  }

  void checkType(const ValueType& type, ValueId value) {
    if (!type.isTensor()) {
      if (type.opaque.empty()) report(GraphRule::TypeOpaque, {}, value, "a type that is no tensor has no text");
      return;
    }
    bool good = elementCount(type.tensor->shape).has_value();
    for (int64_t dim : type.tensor->shape) good = good && dim >= 0;
    if (!good)
      report(GraphRule::TypeShape, {}, value, "shape " + shapeText(type.tensor->shape) + " is negative or too large");
  }

  void checkOrphans() {
    for (OpId id : graph_.ops.ids()) {
      if (!listed_[id] && graph_.ops[id].func.valid())
        report(GraphRule::OpList, id, {}, opText(id) + " is in no function's list");
    }
    for (ValueId id : graph_.values.ids()) {
      if (linked_[id] || !graph_.values[id].func.valid()) continue;
      report(GraphRule::OrphanValue, {}, id,
             "value `" + graph_.values[id].name + "` is neither an argument nor a result");
    }
  }

  const Graph& graph_;
  std::vector<Defect> defects_;
  IdVec<OpId, char> listed_;
  IdVec<ValueId, char> linked_;
  IdVec<ValueId, char> defined_;
  NamedValues valueNames_;
};

}  // namespace

std::vector<Defect> verifyGraph(const Graph& graph) {
  if (!graph.bodies) return Verifier(graph).run();
  const Graph whole = withBodiesInside(graph);
  return Verifier(whole).run();
}

}  // namespace tessera
