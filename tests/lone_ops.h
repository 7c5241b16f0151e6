#pragma once
// Ops of graphs, each alone in a function of its own, and what they become when one thing of them is changed: a type,
// an operand, an attribute. Which of them is legal is for the steps to say that are asked about them.

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/ir/builder.h"
#include "core/ops/table/op_table.h"
#include "core/support/fingerprint.h"

namespace tessera::test {

// An operand: a constant stays one, everything else is an argument. `same` is the number of the operand before it that
// is the same value, or -1.
struct LoneOperand {
  ValueType type;
  ArgRole role = ArgRole::None;
  std::vector<OpSpec> constant;  // none, or one
  int same = -1;
};

struct LoneOp {
  OpKind kind{};
  std::string name;
  std::vector<LoneOperand> operands;
  std::vector<ValueType> results;
  AttrList attrs;
  const Graph* from = nullptr;  // its module and the bodies of its regions

  // The function: arguments, constants, the op, a return of its results.
  Graph graph() const {
    Graph out;
    if (from != nullptr) copyModule(*from, out);
    GraphBuilder builder(out);
    const FuncId func = builder.addFunction("main");
    out.forward = func;
    std::vector<ValueId> values;
    for (const LoneOperand& one : operands) {
      if (one.same >= 0) values.push_back(values[static_cast<size_t>(one.same)]);
      else if (one.constant.empty()) values.push_back(builder.addArgument(func, "a", one.type, one.role));
      else values.push_back(builder.result(builder.append(func, one.constant[0])));
    }
    OpSpec spec = makeOp(kind, std::move(values), results);
    spec.name = name, spec.attrs = attrs;
    const OpId op = builder.append(func, std::move(spec));
    builder.append(func, makeOp(OpKind::FuncReturn, out.ops[op].results, {}));
    builder.setResultTypes(func, results);
    return out;
  }
};

// Where the op stands in graph(): before the return.
inline OpId placeOfLoneOp(const Graph& graph) { return graph.funcs[graph.forward].ops.rbegin()[1]; }

inline LoneOp loneOp(const Graph& from, OpId id) {
  const Op& op = from.ops[id];
  LoneOp out{op.kind, op.name, {}, {}, op.attrs, &from};
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const Value& value = from.values[op.operands[i]];
    LoneOperand& one = out.operands.emplace_back(LoneOperand{value.type, value.role, {}, -1});
    for (size_t j = 0; j < i && one.same < 0; ++j)
      if (op.operands[j] == op.operands[i]) one.same = static_cast<int>(j);
    if (!value.producer.valid()) continue;
    const Op& made = from.ops[value.producer];
    if (made.operands.empty() && made.results.size() == 1)
      one.constant.push_back({made.kind, made.name, {}, {value.type}, made.attrs});
  }
  for (const ValueId result : op.results) out.results.push_back(from.values[result].type);
  return out;
}

// Of ops that differ only in sizes and in the values of their attributes, the first.
class LoneOps {
 public:
  void add(const Graph& graph) {
    for (const Function& func : graph.funcs) {
      for (const OpId id : func.ops) {
        if (graph.ops[id].kind == OpKind::Opaque || graph.ops[id].kind == OpKind::FuncReturn) continue;
        if (seen_.insert(formOf(graph, graph.ops[id])).second) ops_.push_back(loneOp(graph, id));
      }
    }
  }
  const std::vector<LoneOp>& ops() const { return ops_; }

 private:
  static std::string typeForm(const ValueType& type) {
    if (!type.isTensor()) return " " + type.opaque;
    return " " + std::to_string(type.tensor->shape.size()) + std::string(dtypeName(type.tensor->dtype)) +
           type.tensor->element;
  }
  static std::string formOf(const Graph& graph, const Op& op) {
    std::string form = op.name;
    for (const ValueId operand : op.operands) {
      const OpId producer = graph.values[operand].producer;
      form += typeForm(graph.values[operand].type);
      form += producer.valid() && graph.ops[producer].operands.empty() ? "c" : "";
    }
    form += " ->";
    for (const ValueId result : op.results) form += typeForm(graph.values[result].type);
    for (const Attribute& attr : op.attrs) form += " " + attr.name;
    return form;
  }

  std::set<std::string> seen_;
  std::vector<LoneOp> ops_;
};

// --- what is changed ---------------------------------------------------------------------------------------------

// Other dims, another rank, other elements, no tensor.
inline std::vector<ValueType> otherTypes(const ValueType& type) {
  std::vector<ValueType> out;
  if (!type.isTensor()) return out;
  const auto add = [&](const std::function<void(TensorType&)>& change) {
    out.push_back(type);
    change(*out.back().tensor);
  };
  const Shape& shape = type.tensor->shape;
  for (size_t d = 0; d < shape.size(); ++d) {
    for (const int64_t size : {int64_t{1}, shape[d] + 1, shape[d] * 2})
      if (size != shape[d]) add([&](TensorType& t) { t.shape[d] = size; });
  }
  add([](TensorType& t) { t.shape.insert(t.shape.begin(), 1); });
  if (!shape.empty()) add([](TensorType& t) { t.shape.erase(t.shape.begin()); });
  if (shape.size() > 1) add([](TensorType& t) { t.shape.pop_back(); });
  for (const DType dtype : {DType::BF16, DType::F32, DType::I32, DType::U8}) {
    if (dtype != type.tensor->dtype) add([&](TensorType& t) { t.dtype = dtype, t.spelled.clear(), t.element.clear(); });
  }
  out.push_back({std::nullopt, "!ttnn.device"});
  return out;
}

inline std::string elementOf(const AttrValue& value) {
  const size_t open = value.text.find("array<"), colon = value.text.find(" : ");
  if (open == 0) return value.text.substr(6, value.text.find_first_of(":>") - 6);
  return colon == std::string::npos ? "i64"
                                    : value.text.substr(colon + 3, value.text.find_first_of(",]", colon) - colon - 3);
}

inline std::vector<AttrValue> otherLists(const AttrValue& value) {
  std::vector<std::vector<int64_t>> lists;
  const std::vector<int64_t>& ints = value.ints;
  for (size_t i = 0; i < ints.size() && i < 6; ++i) {
    for (const int64_t number : {int64_t{0}, int64_t{-1}, ints[i] + 1, ints[i] * 2}) {
      if (number == ints[i]) continue;
      lists.push_back(ints);
      lists.back()[i] = number;
    }
    if (i > 0 && ints[i] != ints[i - 1]) lists.push_back(ints), std::swap(lists.back()[i], lists.back()[i - 1]);
  }
  if (!ints.empty()) lists.push_back(ints), lists.back().pop_back();
  lists.push_back(ints), lists.back().push_back(ints.empty() ? 1 : ints.back());
  std::vector<AttrValue> out;
  for (std::vector<int64_t>& list : lists) out.push_back(intArrayAttr(std::move(list), elementOf(value)));
  return out;
}

// Of an attribute that is none of the simple kinds, with one number in it changed.
inline std::vector<AttrValue> otherTexts(const AttrValue& value) {
  std::vector<AttrValue> out;
  const std::string& text = value.text;
  for (size_t at = text.find_first_of("0123456789"); at != std::string::npos && out.size() < 24;) {
    const size_t end = std::min(text.find_first_not_of("0123456789", at), text.size());
    const char before = at > 0 ? text[at - 1] : ' ';
    if (std::isalpha(static_cast<unsigned char>(before)) == 0 && before != '_' && end - at < 10) {
      const int64_t number = std::stoll(text.substr(at, end - at));
      for (const int64_t other : {number + 1, int64_t{0}})
        if (other != number) out.push_back(rawAttr(text.substr(0, at) + std::to_string(other) + text.substr(end)));
    }
    at = text.find_first_of("0123456789", end);
  }
  return out;
}

inline std::vector<AttrValue> otherValues(const AttrValue& value) {
  std::vector<AttrValue> out;
  const size_t colon = value.text.rfind(" : ");
  const std::string type = colon == std::string::npos ? "i64" : value.text.substr(colon + 3);
  switch (value.kind) {
    case AttrValueKind::Bool: return {boolAttr(value.integer == 0)};
    case AttrValueKind::Integer:
      for (const int64_t number : {int64_t{0}, int64_t{1}, int64_t{-1}, value.integer + 1, value.integer * 2})
        if (number != value.integer) out.push_back(intAttr(number, type));
      return out;
    case AttrValueKind::Float: return {f32Attr(0), f32Attr(value.number * 2 + 1), f32Attr(-value.number)};
    case AttrValueKind::String:
      if (value.text.rfind('"', 0) == 0) return {stringAttr(""), stringAttr(value.string + "_")};
      return {};
    case AttrValueKind::IntArray: return otherLists(value);
    default: return otherTexts(value);
  }
}

// Every op that differs from this one in one operand, result or attribute.
inline std::vector<LoneOp> changedOps(const LoneOp& one) {
  std::vector<LoneOp> out;
  for (size_t i = 0; i < one.operands.size(); ++i) {
    for (const ValueType& type : otherTypes(one.operands[i].type)) {
      out.push_back(one);
      out.back().operands[i] = {type, one.operands[i].role, {}, -1};
    }
    out.push_back(one), out.back().operands[i].same = -1, out.back().operands[i].constant.clear();
    if (i > 0) out.push_back(one), out.back().operands[i].same = 0;
  }
  if (!one.operands.empty()) {
    out.push_back(one), out.back().operands.pop_back();
    out.push_back(one), out.back().operands.push_back({one.operands.back().type, ArgRole::None, {}, -1});
    out.push_back(one), out.back().operands.clear();
  }
  if (one.operands.size() > 1 && one.operands[1].same < 0)
    out.push_back(one), std::swap(out.back().operands[0], out.back().operands[1]);
  for (size_t i = 0; i < one.results.size(); ++i) {
    for (const ValueType& type : otherTypes(one.results[i])) out.push_back(one), out.back().results[i] = type;
  }
  if (!one.results.empty()) {
    out.push_back(one), out.back().results.pop_back();
    out.push_back(one), out.back().results.push_back(one.results.back());
  }
  for (size_t i = 0; i < one.attrs.size(); ++i) {
    out.push_back(one);
    std::vector<Attribute>& attrs = out.back().attrs.own();
    attrs.erase(attrs.begin() + static_cast<std::ptrdiff_t>(i));
    for (AttrValue& value : otherValues(one.attrs.list()[i].value))
      out.push_back(one), out.back().attrs[i].value = std::move(value);
  }
  return out;
}

}  // namespace tessera::test
