#pragma once
// A question to the op model and the parts of its answer: legality, bytes per core, circular buffers, time.

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/ir/graph.h"
#include "core/ir/layout_pool.h"
#include "core/ops/table/compute_config.h"
#include "core/ops/table/op_config.h"
#include "core/ops/table/op_table.h"
#include "core/support/units.h"

namespace tessera {

// ttnn-optimizer.md 3.4.1.
enum class OpStatus { Success, OutOfMemory, MetalBackendError, NotImplemented };

// Why a query was refused; figures are in the verdict.
enum class Refusal {
#define TESSERA_REFUSAL(name, text) name,
#include "core/ops/table/refusals.def"
#undef TESSERA_REFUSAL
};
std::string_view refusalName(Refusal);  // "OutOfL1"
std::string_view refusalText(Refusal);  // one clause for people

// ttnn-optimizer.md 3.4.2; bytes per core. Inputs are not counted: they are there before the op starts.
struct OpConstraints {
  Bytes cbL1PeakSize;        // circular buffers that are not backed by a tensor
  Bytes cbRegionSize;        // the same as placed from the bottom of L1: each begins at an address aligned for DRAM
  Bytes tensorL1PeakSize;    // tensors the op allocates: results, intermediates
  Bytes peakL1MemorySize;    // both together
  Bytes outputL1BufferSize;  // the first result; 0 when it is in DRAM
};

// A circular buffer that a program of the op has on every core it runs on. What a tensor backs takes no L1 of its own.
enum class BackedBy : uint8_t { Nothing, Operand, Result };
struct CircularBuffer {
  std::string_view name;  // "in0", "weights", "out"
  int64_t pages = 0;      // tiles or rows
  int64_t bytes = 0;      // of all pages
  DType dtype = DType::BF16;
  BackedBy backedBy = BackedBy::Nothing;
  int operand = -1;  // that backs it
};
inline int64_t ownBytes(const CircularBuffer& buffer) {
  return buffer.backedBy == BackedBy::Nothing ? buffer.bytes : 0;
}

// The rule that answers a query, and where its facts stand.
struct OpRule {
  std::string_view name;    // "Matmul: 2-D multicast"
  std::string_view source;  // "tt-metal matmul/device"
};

// Device time of one op, split by what takes it. The parts overlap but for `fixed`: total = fixed + max(compute, dram,
// noc).
struct OpTime {
  Nanoseconds fixed;      // start of the kernels, first tiles in, last tiles out
  Nanoseconds compute;    // busiest core
  Nanoseconds dram;       // aggregate DRAM bandwidth
  Nanoseconds noc;        // busiest core's traffic to other cores' L1
  int64_t dramBytes = 0;  // read and written by all cores
  int64_t nocBytes = 0;   // between cores, all cores
  int64_t cores = 0;      // that compute
  Nanoseconds total() const;
};

// A query's inputs by their number in a pool; none when `pool` is null.
struct InternedInputs {
  const LayoutPool* pool = nullptr;
  std::span<const LayoutId> ids = {};  // kNoLayout where there is no input
};

struct OpQuery {
  const Graph& graph;
  OpId op;
  // One entry per operand; none for operands that are no tensors.
  std::span<const std::optional<TensorLayout>> inputs;
  const OpConfig& config;
  // L1 bytes per core that are taken while the op runs besides what it allocates itself: its L1 inputs and every other
  // live tensor.
  Bytes additionalL1;
  // How exactly it computes; what is not set here is as the op's `compute_config` says, else as the library chooses.
  ComputeConfig compute = {};
  InternedInputs interned = {};  // set by a search that has interned the inputs already
};

struct OpVerdict {
  OpStatus status = OpStatus::Success;
  Refusal reason = Refusal::None;
  int operand = -1;     // the refused operand; -1 when it is the result or the op as a whole
  TensorLayout output;  // what the op really produces; valid on Success
  OpConstraints constraints;
  Bytes needed;     // OutOfMemory: peak plus additionalL1
  Bytes available;  // OutOfMemory: the budget
  bool ok() const { return status == OpStatus::Success; }
};

// What the op model knows of a query apart from the budget, all at once.
struct OpFigures {
  OpStatus status = OpStatus::Success;  // never OutOfMemory
  Refusal reason = Refusal::None;
  int operand = -1;
  TensorLayout output;  // this and the rest: of a legal query
  OpConstraints constraints;
  Nanoseconds time;
  bool aliases = false;  // the result is the first operand's buffer (opMemory's aliasOf), legal or not
};

// One sentence with the figures.
std::string verdictText(const OpVerdict& verdict);

}  // namespace tessera
