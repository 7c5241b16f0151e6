#pragma once
// What an op does to memory besides allocating its results: buffers it shares with an operand, tensors it makes and
// frees again, operands it frees before it has run. The policies' Placement and the simulator both ask here, so that
// they speak of the same op.

#include <string_view>
#include <vector>

#include "core/ops/model/op_model.h"

namespace tessera {

// A tensor that an op allocates before its results and frees when it has run. Bytes per core, as allocated.
struct OpIntermediate {
  std::string_view name;  // "halo"
  BufferType buffer = BufferType::L1;
  Bytes bytes;
};

struct OpMemory {
  // Result 0 is this operand's buffer: a view (tt-mlir Analysis/OpRules), or written in place (kInPlace). -1: none.
  int aliasOf = -1;
  // Freed once the intermediates are there, before the results are allocated: a convolution's activation. -1: none.
  int freedOperand = -1;
  std::vector<OpIntermediate> intermediates;
};

OpMemory opMemory(const OpQuery& query, const DeviceSpec& device);
// The same by what the model remembers of the op.
OpMemory opMemory(const OpQuery& query, const OpModel& model);

// The explicit release of a value (`ttnn.deallocate`, `ttir.dealloc`).
bool isDeallocate(OpKind kind);

}  // namespace tessera
