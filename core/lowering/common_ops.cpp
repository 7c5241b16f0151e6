#include "core/lowering/common_ops.h"

#include <string>
#include <unordered_map>

#include "core/lowering/rewriter.h"
#include "core/ops/table/op_table.h"

namespace tessera {

namespace {

bool mayMerge(const Op& op) {
  const OpInfo& info = opInfo(op.kind);
  bool pure = !info.has(kInPlace) && !info.has(kCollective) && !info.has(kTerminator) && op.kind != OpKind::Opaque &&
              info.family != Family::Call && info.family != Family::Device && info.family != Family::Creation;
  bool number = op.kind == OpKind::TtirFull || op.kind == OpKind::TtirZeros || op.kind == OpKind::TtirOnes ||
                op.kind == OpKind::TtirConstant || op.kind == OpKind::TtirArange;
  const AttrValue* value = findAttr(op, "value");
  if (value != nullptr && value->text.rfind("dense_resource", 0) == 0)
    return false;  // numbers that are not in the text
  return (pure || number) && op.kind != OpKind::TtirDropout && op.results.size() == 1;
}

// What the op is and reads; equal for ops that are alike.
std::string keyOf(const Graph& graph, const Op& op) {
  std::string key = op.name;
  for (ValueId operand : op.operands) key += "," + std::to_string(operand.index);
  for (const Attribute& attr : op.attrs) key += ";" + attr.name + "=" + attr.value.text;
  const ValueType& type = graph.values[op.results[0]].type;
  key += ":";
  if (type.isTensor()) {
    for (int64_t dim : type.tensor->shape) key += std::to_string(dim) + "x";
    key += std::to_string(static_cast<int>(type.tensor->dtype));
  }
  return key;
}

}  // namespace

PassResult mergeEqualOps(const Graph& graph, const PassContext&) {
  GraphRewriter rewriter(graph);
  for (const Function& func : graph.funcs) {
    std::unordered_multimap<std::string, OpId> seen;
    for (OpId id : func.ops) {
      OpId made = rewriter.copy(id);
      const Op op = rewriter.graph().ops[made];
      if (!mayMerge(op)) continue;
      std::string key = keyOf(rewriter.graph(), op);
      bool merged = false;
      for (auto [at, end] = seen.equal_range(key); at != end && !merged; ++at) {
        ValueId first = rewriter.result(at->second);
        if (!(rewriter.graph().values[first].type == rewriter.graph().values[op.results[0]].type)) continue;
        rewriter.map(graph.ops[id].results[0], first);
        rewriter.absorb(at->second, id);
        merged = true;
      }
      if (!merged) seen.emplace(std::move(key), made);
    }
  }
  return {rewriter.finish()};
}

}  // namespace tessera
