#include "core/ops/model/op_memory.h"

#include "core/ops/rules/family_rules.h"

namespace tessera {

namespace {

// A policy's setting, else the attribute the op came with (tt-mlir TTNNOpsAttrs.td).
bool deallocatesActivation(const OpView& view) {
  if (view.info.family != Family::Conv) return false;
  const auto* attrs = std::get_if<Conv2dAttrs>(&view.query.config.attrs);
  if (attrs && attrs->deallocateActivation) return *attrs->deallocateActivation;
  const AttrValue* config = findAttr(view.op, "conv2d_config");
  return config && config->text.find("deallocate_activation = true") != std::string::npos;
}

std::string_view intermediateName(Family family) {
  switch (family) {
    case Family::Conv:
    case Family::Pool: return "halo";
    case Family::Embedding: return "rows";
    default: return "intermediate";
  }
}

// Where in the input the windows of a core begin: 2 bytes per output position, in L1_SMALL when the device was opened
// with some, else in DRAM (tt-metal dev_mem_map.h, conv/conv2d).
int64_t readerIndexBytes(const OpView& view) {
  bool windows = view.info.family == Family::Conv || view.info.family == Family::Pool;
  if (!windows || !view.hasResult()) return 0;
  const TensorLayout& out = view.output();
  int64_t positions = out.sharded()
                          ? mulSaturated(out.shardRows, out.page == PageLayout::Tile ? kTileSide : 1)
                          : ceilDiv(mulSaturated(tileRows(view.resultShape()), kTileSide), view.device.grid.volume());
  return mulSaturated(positions, 2);
}

}  // namespace

bool takesFirstBuffer(const OpView& view) {
  bool sameLayout = view.hasInput(0) && view.hasResult() && view.input(0) == view.output();
  bool writtenInPlace = view.info.has(kInPlace) && sameLayout && view.inputShape(0) == view.resultShape();
  return writtenInPlace || isViewOf(view);
}

OpMemory opMemory(const OpQuery& query, const DeviceSpec& device) { return opMemory(query, OpModel(device)); }

OpMemory opMemory(const OpQuery& query, const OpModel& model) {
  std::optional<OpFacts> made;
  const DeviceSpec& device = model.device();
  OpView view = makeView(query, device, model.factsFor(query, made));
  OpMemory memory;
  if (takesFirstBuffer(view)) {
    memory.aliasOf = 0;
    return memory;
  }
  const FamilyRules& rules = familyRules(view.info.family);
  int64_t indices = device.l1Small.count > 0 ? readerIndexBytes(view) : 0;
  if (indices > 0) memory.intermediates.push_back({"reader indices", BufferType::L1Small, Bytes(indices)});
  int64_t bytes = rules.intermediates ? rules.intermediates(view) : 0;
  if (bytes > 0) memory.intermediates.push_back({intermediateName(view.info.family), BufferType::L1, Bytes(bytes)});
  if (deallocatesActivation(view) && view.hasInput(0) && view.input(0).isL1()) memory.freedOperand = 0;
  return memory;
}

bool isDeallocate(OpKind kind) { return kind == OpKind::TtnnDeallocate || kind == OpKind::TtirDealloc; }

}  // namespace tessera
