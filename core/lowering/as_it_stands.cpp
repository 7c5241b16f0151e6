#include "core/lowering/as_it_stands.h"

#include <algorithm>

#include "core/lowering/rewriter.h"
#include "core/ops/model/op_memory.h"
#include "core/ops/table/op_table.h"

namespace tessera {

namespace {

TensorLayout inDram(const TensorType& type, PageLayout page, const DeviceSpec& device) {
  LayoutRequest request;
  request.dtype = type.layout ? type.layout->dtype : deviceDType(type.dtype);
  request.page = page;
  auto made = makeLayout(type.shape, request, device);
  if (made.ok()) return *made;
  TensorLayout onePage;  // no layout can be made for a tensor without elements
  onePage.dtype = request.dtype;
  onePage.shardRows = onePage.shardCols = 1;
  return onePage;
}

bool onDevice(const TensorType& type) { return type.layout && (type.layout->isDram() || type.layout->isL1()); }

// A layout op that changes where a tensor lies, and neither its pages nor its element type.
bool onlyMoves(const Graph& graph, const Op& op) {
  const bool layoutOp = opInfo(op.kind).has(kToLayout) || op.kind == OpKind::TtnnToMemoryConfig;
  if (!layoutOp || op.operands.empty() || op.results.size() != 1) return false;
  const ValueType &from = graph.values[op.operands[0]].type, &to = graph.values[op.results[0]].type;
  if (!from.isTensor() || !to.isTensor() || !onDevice(*from.tensor) || !onDevice(*to.tensor)) return false;
  return from.tensor->shape == to.tensor->shape && from.tensor->layout->page == to.tensor->layout->page &&
         from.tensor->layout->dtype == to.tensor->layout->dtype;
}

// `#ttnn.conv2d_config<weights_dtype = bf16, shard_layout = height_sharded>` without what a layout decides.
std::string withoutShards(const std::string& text) {
  constexpr std::string_view kDecided[] = {"shard_layout", "act_block_h_override",  "override_sharding_config",
                                           "core_grid",    "deallocate_activation", "reshard_if_not_optimal"};
  const size_t open = text.find('<');
  if (open == std::string::npos || text.back() != '>') return text;
  std::string kept, part;
  int depth = 0;
  const auto flush = [&] {
    const size_t begin = part.find_first_not_of(' ');
    const std::string name =
        begin == std::string::npos ? "" : part.substr(begin, part.find_first_of(" =", begin) - begin);
    const bool decided = std::find(std::begin(kDecided), std::end(kDecided), name) != std::end(kDecided);
    if (!name.empty() && !decided) kept += (kept.empty() ? "" : ", ") + part.substr(begin);
    part.clear();
  };
  for (char c : std::string_view(text).substr(open + 1, text.size() - open - 2)) {
    depth += c == '<' || c == '[' || c == '(' ? 1 : c == '>' || c == ']' || c == ')' ? -1 : 0;
    if (c == ',' && depth == 0) flush();
    else part += c;
  }
  flush();
  return text.substr(0, open + 1) + kept + ">";
}

// The op's results in DRAM, and nothing that says how a layout is made.
void forgetDecisions(Graph& graph, Op& op, const DeviceSpec& device) {
  if (op.kind == OpKind::TtcoreLoadCached) return;
  for (ValueId result : op.results) {
    if (!graph.values[result].type.isTensor()) continue;
    TensorType& type = *graph.values.edit(result).type.tensor;
    if (!onDevice(type)) continue;
    type.layout = inDram(type, type.layout->page, device);
    type.written.reset();
  }
  for (Attribute& attr : op.attrs) {
    if (attr.name == "conv2d_config") attr.value.text = withoutShards(attr.value.text);
  }
  std::erase_if(op.attrs.own(), [](const Attribute& attr) {
    return attr.name == "matmul_program_config" || attr.name == "memory_config";
  });
}

}  // namespace

bool carriesLayouts(const Graph& graph) {
  if (!graph.forward.valid()) return false;
  bool some = false;
  for (OpId id : graph.funcs[graph.forward].ops) {
    const Op& op = graph.ops[id];
    if (op.name.rfind("ttir.", 0) == 0) return false;
    for (ValueId result : op.results) {
      const ValueType& type = graph.values[result].type;
      some = some || (type.isTensor() && type.tensor->layout);
    }
  }
  return some;
}

Graph withAllLayouts(const Graph& graph, const DeviceSpec& device) {
  Graph out = graph;
  for (ValueId id : graph.values.ids()) {
    const Value& value = graph.values[id];
    if (value.func != out.forward || !value.type.isTensor() || value.type.tensor->layout) continue;
    TensorType& type = *out.values.edit(id).type.tensor;
    type.layout = inDram(type, PageLayout::Tile, device);
    type.encoding.clear();
  }
  return out;
}

Graph withoutDecisions(const Graph& graph, const DeviceSpec& device) {
  GraphRewriter rewriter(graph);
  for (FuncId func : graph.funcs.ids()) {
    const bool forward = func == graph.forward;
    for (OpId id : graph.funcs[func].ops) {
      const Op& op = graph.ops[id];
      if (forward && isDeallocate(op.kind)) continue;
      if (forward && onlyMoves(graph, op)) {
        rewriter.map(op.results[0], rewriter.now(op.operands[0]));
        continue;
      }
      const OpId made = rewriter.copy(id);
      if (forward) forgetDecisions(rewriter.graph(), rewriter.graph().ops.edit(made), device);
    }
  }
  return rewriter.finish();
}

}  // namespace tessera
