#include "core/ir/graph.h"

namespace tessera {

Op::Op() = default;
Op::Op(const Op&) = default;
Op::Op(Op&&) noexcept = default;
Op& Op::operator=(const Op&) = default;
Op& Op::operator=(Op&&) noexcept = default;
Op::~Op() = default;

Value::Value() = default;
Value::Value(const Value&) = default;
Value::Value(Value&&) noexcept = default;
Value& Value::operator=(const Value&) = default;
Value& Value::operator=(Value&&) noexcept = default;
Value::~Value() = default;

void copyModule(const Graph& from, Graph& to) {
  to.name = from.name;
  to.attrs = from.attrs;
  to.enclosing = from.enclosing;
  to.bodies = from.bodies;
}

const AttrValue* findAttr(const Op& op, std::string_view name) {
  for (const Attribute& attr : op.attrs) {
    if (attr.name == name) return &attr.value;
  }
  return nullptr;
}

IdVec<ValueId, std::vector<Use>> collectUses(const Graph& graph) {
  IdVec<ValueId, std::vector<Use>> uses(graph.values.size());
  for (const Function& func : graph.funcs) {
    for (OpId id : func.ops) {
      const Op& op = graph.ops[id];
      for (size_t i = 0; i < op.operands.size(); ++i) {
        if (uses.contains(op.operands[i])) uses[op.operands[i]].push_back({id, static_cast<int32_t>(i)});
      }
    }
  }
  return uses;
}

}  // namespace tessera
