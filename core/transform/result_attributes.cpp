#include "core/transform/result_attributes.h"

#include "core/ir/builder.h"
#include "core/ops/table/op_table.h"

namespace tessera {

namespace {

constexpr std::string_view kDtypes = "#ttcore.supportedDataTypes<";

std::string memoryConfigText(const TensorLayout& layout, const DeviceSpec& device) {
  std::string text = memoryConfigAttr(layout).text;
  if (!layout.sharded()) return text;
  const int64_t side = layout.page == PageLayout::Tile ? kTileSide : 1;
  text.pop_back();
  return text + ", #ttnn.shard_spec<<" + coreRangesText(canonicalCoreRanges(layout, device)) + ">, <" +
         std::to_string(layout.shardRows * side) + "x" + std::to_string(layout.shardCols * side) + ">, <row_major>>>";
}

}  // namespace

Graph withResultAttributes(Graph graph, const DeviceSpec& device, bool everyOp) {
  GraphBuilder builder(graph);
  for (OpId id : graph.funcs[graph.forward].ops) {
    const Op& op = graph.ops[id];
    if (op.results.empty() || !graph.values[op.results[0]].type.isTensor()) continue;
    const std::optional<TensorLayout>& layout = graph.values[op.results[0]].type.tensor->layout;
    if (!layout || layout->buffer == BufferType::SystemMemory) continue;
    const AttrValue* had = findAttr(op, "memory_config");
    const OpInfo& info = opInfo(op.kind);
    const bool library = info.name.substr(0, 5) == "ttnn." && info.family != Family::Opaque;
    const bool wanted = had ? had->text.rfind("#ttnn.memory_config", 0) == 0
                            : everyOp && library && layout->isL1() && !info.has(kNoCompute) && !info.has(kToLayout);
    if (wanted) builder.setAttr(id, "memory_config", rawAttr(memoryConfigText(*layout, device)));
    const AttrValue* dtype = findAttr(graph.ops[id], "dtype");
    if (info.has(kSaysDtype) && (dtype ? dtype->text.rfind(kDtypes, 0) == 0 : everyOp))
      builder.setAttr(id, "dtype", rawAttr(std::string(kDtypes) + std::string(tileDTypeName(layout->dtype)) + ">"));
  }
  return graph;
}

}  // namespace tessera
