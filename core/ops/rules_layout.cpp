// Layout and memory changes: to_layout, to_memory_config, to_device, move ... Device reference 4.0, 4.10; compiler reference 4.6.

#include <algorithm>

#include "core/ops/family_rules.h"
#include "core/ops/op_memory.h"

namespace tessera {

namespace {

// Taking tiles apart, or making them, does not shard at the same time: the library does that in a step of its own.
Refused toLayoutLegality(const OpView& view) {
  if (!view.hasInput(0) || !view.hasResult() || view.info.kind != OpKind::TtnnToLayout) return {};
  const TensorLayout& in = view.input(0);
  const TensorLayout& out = view.output();
  bool onHost = in.buffer == BufferType::SystemMemory || out.buffer == BufferType::SystemMemory;
  return in.page != out.page && out.sharded() && !in.sharded() && !onHost ? Refused{Refusal::MemoryLayoutMismatch, 0} : Refused{};
}

int64_t toLayoutBuffers(const OpView& view) {
  if (!view.hasInput(0) || !view.hasResult()) return 0;
  return layoutCopyBuffers(view.input(0), view.output(), view.resultShape()).count;
}

}  // namespace

Bytes layoutCopyBuffers(const TensorLayout& in, const TensorLayout& out, const Shape& shape) {
  if (in.buffer == BufferType::SystemMemory || out.buffer == BufferType::SystemMemory) return Bytes(0);
  int64_t tileIn = tileBytes(in.dtype), tileOut = tileBytes(out.dtype);
  if (in.page != out.page) {  // a row of tiles in and out
    constexpr int64_t kLongestRow = 64;
    return Bytes(std::min(tileCols(shape), kLongestRow) * (tileIn + tileOut));
  }
  if (in.sharded() && out.sharded()) return Bytes(tileOut);  // one page
  if (out.sharded()) return Bytes(4 * tileIn);               // pages on their way to aligned addresses; the shard is the other end
  if (in.sharded()) return Bytes(2 * tileOut);
  return Bytes(2 * tileIn + (in.dtype == out.dtype ? 0 : 2 * tileOut));  // a copy that converts nothing has one buffer for both ends
}

const FamilyRules kToLayoutRules = {toLayoutLegality, toLayoutBuffers};

}  // namespace tessera
