#include "core/lowering/fallback_outputs.h"

#include <algorithm>

#include "core/ir/legal_tensor_layouts.h"

namespace tessera {

const char* fallbackLevelName(FallbackLevel level) {
  switch (level) {
    case FallbackLevel::Layout: return "layout";
    case FallbackLevel::Memory: return "memory";
    case FallbackLevel::Sharding: return "sharding";
    case FallbackLevel::Conversions: return "conversions";
  }
  return "";
}

std::vector<FallbackOutput> fallbackOutputs(const Shape& shape, const TensorLayout& wanted, const DeviceSpec& device) {
  std::vector<FallbackOutput> outputs;
  auto add = [&](const TensorLayout& layout, FallbackLevel level) {
    for (const FallbackOutput& other : outputs) {
      if (other.layout == layout) return;
    }
    if (!(layout == wanted)) outputs.push_back({layout, level});
  };
  const PageLayout other = wanted.page == PageLayout::Tile ? PageLayout::RowMajor : PageLayout::Tile;
  auto inOtherPages = makeLayout(shape, {wanted.dtype, wanted.buffer, wanted.memory, other, wanted.grid}, device);
  if (inOtherPages.ok()) add(*inOtherPages, FallbackLevel::Layout);
  const LegalTensorLayouts legal =
      legalTensorLayouts(shape, wanted.dtype, device, {.rowMajorEnabled = wanted.page == PageLayout::RowMajor});
  if (wanted.sharded()) {
    for (const TensorLayout& layout : legal.sharded(wanted.page)) add(layout, FallbackLevel::Sharding);
  }
  for (BufferType buffer : {BufferType::L1, BufferType::DRAM}) {
    if (buffer == BufferType::L1 && !wanted.isL1()) continue;
    for (PageLayout page : {wanted.page, PageLayout::Tile, PageLayout::RowMajor}) {
      const GridShape grid = buffer == BufferType::L1 ? device.grid : GridShape{};
      auto layout = makeLayout(shape, {wanted.dtype, buffer, TensorMemoryLayout::Interleaved, page, grid}, device);
      if (layout.ok()) add(*layout, FallbackLevel::Memory);
    }
  }
  return outputs;
}

TakenL1::TakenL1(const Graph& graph) {
  position_.resize(graph.ops.size(), -1);
  madeAt_.resize(graph.values.size(), -1);
  lastUseAt_.resize(graph.values.size(), -1);
  int64_t at = 0;
  for (OpId id : graph.funcs[graph.forward].ops) {
    position_[id] = at;
    for (ValueId operand : graph.ops[id].operands) lastUseAt_[operand] = at;
    for (ValueId result : graph.ops[id].results) madeAt_[result] = at;
    ++at;
  }
}

Bytes TakenL1::sum(OpId op, const Graph& now, bool withLastUses) const {
  Bytes taken(0);
  const int64_t at = position_[op];
  for (ValueId value : lastUseAt_.ids()) {
    const bool isLive = madeAt_[value] < at && (lastUseAt_[value] > at || (withLastUses && lastUseAt_[value] == at));
    const ValueType& type = now.values[value].type;
    if (isLive && type.isTensor() && type.tensor->layout && type.tensor->layout->isL1())
      taken += l1BytesPerCore(*type.tensor->layout);
  }
  return taken;
}

}  // namespace tessera
