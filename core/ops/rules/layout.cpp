// Layout and memory changes: to_layout, to_memory_config, to_device, move ... Sources: tt-metal data_movement; tt-mlir
// TestOpModelLib.cpp of 2025-11.

#include <algorithm>

#include "core/ops/rules/family_rules.h"
#include "core/ops/rules/layout_copy.h"

namespace tessera {

namespace {

// Taking tiles apart, or making them, does not shard at the same time: the library does that in a step of its own. A
// change of the memory alone does neither.
Refused toLayoutLegality(const OpView& view) {
  if (!view.hasInput(0) || !view.hasResult()) return {};
  const TensorLayout& in = view.input(0);
  const TensorLayout& out = view.output();
  if (view.info.kind == OpKind::TtnnToMemoryConfig && in.page != out.page) return {Refusal::PageMismatch, 0};
  if (view.info.kind != OpKind::TtnnToLayout) return {};
  bool onHost = in.buffer == BufferType::SystemMemory || out.buffer == BufferType::SystemMemory;
  return in.page != out.page && out.sharded() && !in.sharded() && !onHost ? Refused{Refusal::MemoryLayoutMismatch, 0}
                                                                          : Refused{};
}

void copyBuffers(const TensorLayout& in, const TensorLayout& out, const Shape& shape, BufferList& buffers) {
  if (in.buffer == BufferType::SystemMemory || out.buffer == BufferType::SystemMemory) return;
  if (in.page != out.page) {
    constexpr int64_t kLongestRow = 64;
    int64_t row = std::min(tileCols(shape), kLongestRow);
    buffers.tiles("row in", row, in.dtype);
    buffers.tiles("row out", row, out.dtype);
  } else if (in.sharded() && out.sharded()) {
    buffers.tiles("page", 1, out.dtype);
  } else if (out.sharded()) {
    buffers.tiles("staging", 4, in.dtype);             // on their way to aligned addresses; the shard is the other end
  } else if (in.sharded() || in.dtype == out.dtype) {  // a copy that converts nothing has one buffer for both ends
    buffers.tiles("in0 and out", 2, out.dtype);
  } else {
    buffers.tiles("in0", 2, in.dtype);
    buffers.tiles("out", 2, out.dtype);
  }
}

void toLayoutBuffers(const OpView& view, BufferList& buffers) {
  if (view.hasInput(0) && view.hasResult()) copyBuffers(view.input(0), view.output(), view.resultShape(), buffers);
}

}  // namespace

Bytes layoutCopyBuffers(const TensorLayout& in, const TensorLayout& out, const Shape& shape) {
  BufferList buffers;
  copyBuffers(in, out, shape, buffers);
  return Bytes(buffers.ownBytes());
}

const FamilyRules kToLayoutRules = {{"Layout change", "tt-metal data_movement"}, toLayoutLegality, toLayoutBuffers};

}  // namespace tessera
