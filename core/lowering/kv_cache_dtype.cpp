#include "core/lowering/kv_cache_dtype.h"

#include "core/lowering/rewriter.h"
#include "core/lowering/ttnn_attrs.h"
#include "core/ops/table/op_table.h"

namespace tessera {

namespace {

// The type with its elements stored otherwise; nothing when it has no layout or there is no such one.
std::optional<ValueType> storedAs(const ValueType& type, DType dtype, const DeviceSpec& device) {
  if (!type.isTensor() || !type.tensor->layout || type.tensor->layout->dtype == dtype) return {};
  std::optional<TensorLayout> layout = withDType(type.tensor->shape, *type.tensor->layout, dtype, device);
  if (!layout) return {};
  ValueType out = typeWithLayout(type, *layout);
  out.tensor->dtype = dtype;
  out.tensor->element.clear();
  return out;
}

// What is written has the cache's type; only an update of pages packs its one row anew.
bool wantsTypeOfCache(OpKind kind) {
  return kind == OpKind::TtnnFillCache || kind == OpKind::TtnnUpdateCache || kind == OpKind::TtnnPagedFillCache;
}

}  // namespace

PassResult convertKvCaches(const Graph& graph, const PassContext& context) {
  const std::string* target = context.settings.find("target-dtype");
  std::optional<DType> dtype = target != nullptr && *target != "none" ? parseDType(*target) : std::nullopt;
  if (!dtype) return {graph};
  GraphRewriter rewriter(graph);
  IdVec<ValueId, bool> cache(graph.values.size(), false);
  std::vector<PassNote> notes;
  for (const Function& func : graph.funcs) {
    for (ValueId arg : func.args) {
      if (graph.values[arg].role != ArgRole::KvCache) continue;
      std::optional<ValueType> type = storedAs(graph.values[arg].type, *dtype, context.device);
      if (!type) continue;
      rewriter.graph().values.edit(rewriter.now(arg)).type = *type;
      cache[arg] = true;
    }
    for (OpId id : func.ops) {
      const Op& op = graph.ops[id];
      bool fills = wantsTypeOfCache(op.kind) && op.operands.size() > 1 && cache[op.operands[0]];
      std::optional<ValueType> type;
      if (fills) type = storedAs(graph.values[op.operands[1]].type, *dtype, context.device);
      ValueId converted;
      if (type) {
        OpSpec spec = makeOp(OpKind::TtnnTypecast, {rewriter.now(op.operands[1])}, {*type});
        spec.attrs = {{"dtype", dtypeAttr(*dtype)}};
        converted = rewriter.result(rewriter.emitFor(id, std::move(spec)));
      }
      OpId made = rewriter.copy(id);
      if (converted.valid()) rewriter.graph().ops.edit(made).operands[1] = converted;
      // An op that writes into its cache gives the cache back.
      bool passesOn = opInfo(op.kind).family == Family::KvCache && op.results.size() == 1 && cache[op.operands[0]];
      if (passesOn) {
        cache[op.results[0]] = true;
        ValueId was = rewriter.now(op.operands[0]), is = rewriter.now(op.results[0]);
        rewriter.graph().values.edit(is).type = ValueType(rewriter.graph().values[was].type);
      }
      if (fills) notes.push_back({made, "fills a cache of " + std::string(dtypeName(*dtype))});
    }
  }
  return {rewriter.finish(), std::move(notes)};
}

}  // namespace tessera
