#pragma once
// The op model: may this op run with these layouts, what does it take of L1, how long does it take? Pure: the answer depends
// on the query only. It stands in for the compiler's op-model library (seed 000, 3.4; device reference 0).

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/device/device_spec.h"
#include "core/ir/graph.h"
#include "core/ops/compute_config.h"
#include "core/ops/op_config.h"
#include "core/ops/op_table.h"
#include "core/support/units.h"

namespace tessera {

// Seed 000, 3.4.1.
enum class OpStatus { Success, OutOfMemory, MetalBackendError, NotImplemented };

// Why a query was refused; figures are in the verdict.
enum class Refusal {
#define TESSERA_REFUSAL(name, text) name,
#include "core/ops/refusals.def"
#undef TESSERA_REFUSAL
};
std::string_view refusalName(Refusal);  // "OutOfL1"
std::string_view refusalText(Refusal);  // one clause for people

// Seed 000, 3.4.2; bytes per core. Inputs are not counted: they are there before the op starts.
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
  int operand = -1;       // that backs it
};
inline int64_t ownBytes(const CircularBuffer& buffer) { return buffer.backedBy == BackedBy::Nothing ? buffer.bytes : 0; }

// The rule that answers a query, and where its facts stand.
struct OpRule {
  std::string_view name;    // "Matmul: 2-D multicast"
  std::string_view source;  // "device reference 4.3"
};

// Device time of one op, split by what takes it. The parts overlap but for `fixed`: total = fixed + max(compute, dram, noc).
struct OpTime {
  Nanoseconds fixed;    // start of the kernels, first tiles in, last tiles out
  Nanoseconds compute;  // busiest core
  Nanoseconds dram;     // aggregate DRAM bandwidth
  Nanoseconds noc;      // busiest core's traffic to other cores' L1
  int64_t dramBytes = 0;  // read and written by all cores
  int64_t nocBytes = 0;   // between cores, all cores
  int64_t cores = 0;      // that compute
  Nanoseconds total() const;
};

struct OpQuery {
  const Graph& graph;
  OpId op;
  // One entry per operand; none for operands that are no tensors.
  std::span<const std::optional<TensorLayout>> inputs;
  const OpConfig& config;
  // L1 bytes per core that are taken while the op runs besides what it allocates itself: its L1 inputs and every other live tensor.
  Bytes additionalL1;
  // How exactly it computes; what is not set here is as the op's `compute_config` says, else as the library chooses.
  ComputeConfig compute = {};
};

struct OpVerdict {
  OpStatus status = OpStatus::Success;
  Refusal reason = Refusal::None;
  int operand = -1;        // the refused operand; -1 when it is the result or the op as a whole
  TensorLayout output;     // what the op really produces; valid on Success
  OpConstraints constraints;
  Bytes needed;            // OutOfMemory: peak plus additionalL1
  Bytes available;         // OutOfMemory: the budget
  bool ok() const { return status == OpStatus::Success; }
};

// What the op model knows of a query apart from the budget, all at once.
struct OpFigures {
  OpStatus status = OpStatus::Success;  // never OutOfMemory
  Refusal reason = Refusal::None;
  int operand = -1;
  TensorLayout output;                  // this and the rest: of a legal query
  OpConstraints constraints;
  Nanoseconds time;
  bool aliases = false;                 // the result is the first operand's buffer (opMemory's aliasOf), legal or not
};

// One sentence with the figures.
std::string verdictText(const OpVerdict& verdict);

// The budgets for which answers are the same: everything that was allowed stays so, and everything refused.
struct BudgetRange {
  int64_t from = 0, below = INT64_MAX;
  bool holds(int64_t budget) const { return from <= budget && budget < below; }
  // `needed` was put to `budget`: true when it fits.
  bool admit(int64_t needed, int64_t budget) {
    if (needed <= budget) from = std::max(from, needed);
    else below = std::min(below, needed);
    return needed <= budget;
  }
  // Something depends on the budget itself.
  void pin(int64_t budget) {
    from = std::max(from, budget);
    below = std::min(below, addSaturated(budget, 1));
  }
  void cut(const BudgetRange& other) {
    from = std::max(from, other.from);
    below = std::min(below, other.below);
  }
};

class OpMemo;
struct Conversion;
struct OpAnswer;
struct OpFacts;

class OpModel {
 public:
  // `l1Budget`: usable L1 per core times the usage cap.
  OpModel(const DeviceSpec& device, Bytes l1Budget) : device_(device), l1Budget_(l1Budget) {}
  // Remembers its answers about the ops of `unchanging`, which must neither change nor move while the model or a copy of it is asked;
  // the copies share what they remember. Queries about other graphs are answered as without a memo.
  OpModel(const DeviceSpec& device, Bytes l1Budget, const Graph& unchanging);
  // Goes on with what was remembered: about the same graph and an equal device.
  OpModel(const DeviceSpec& device, Bytes l1Budget, std::shared_ptr<OpMemo> memo) : device_(device), l1Budget_(l1Budget), memo_(std::move(memo)) {}
  const std::shared_ptr<OpMemo>& memo() const { return memo_; }
  // For which budgets all that is answered from now on is the same; null: nobody asks any more. A copy reports to the same range.
  void watch(BudgetRange* range) const { watched_ = range; }
  // Within the budget? Of a legal query's verdict: it gets the budget as `available`, and is OutOfMemory when it needs more.
  bool fits(Bytes needed) const { return watched_ ? watched_->admit(needed.count, l1Budget_.count) : needed <= l1Budget_; }
  void admit(OpVerdict& verdict) const;

  OpVerdict validateOperation(const OpQuery& query) const;
  // Of a legal query; an illegal one gives what its formulas say.
  OpConstraints getOpConstraints(const OpQuery& query) const;
  OpTime getOpRuntime(const OpQuery& query) const;
  // A single `ttnn.to_layout`; legal when it also fits the budget by itself.
  Conversion conversion(const ValueType& type, const TensorLayout& from, const TensorLayout& to) const;
  // Not remembered: for searches that keep answers themselves.
  OpFigures figuresOf(const OpQuery& query) const;
  // Of the program of the op that takes most, in the order they are made; what no tensor backs sums up to cbL1PeakSize. Worked out anew
  // on every call.
  std::vector<CircularBuffer> getCircularBuffers(const OpQuery& query) const;
  OpRule ruleOf(const OpQuery& query) const;

  // Of a query that belongs to its op; `made` holds what is not remembered.
  const OpFacts& factsFor(const OpQuery& query, std::optional<OpFacts>& made) const;

  const DeviceSpec& device() const { return device_; }
  // Who looks at the number itself gets an answer for this budget alone: searches compare by fits().
  Bytes l1Budget() const {
    if (watched_) watched_->pin(l1Budget_.count);
    return l1Budget_;
  }

 private:
  void complete(OpAnswer& answer, uint8_t parts, const OpQuery& query, const OpFacts& facts) const;
  const OpAnswer& ask(const OpQuery& query, uint8_t parts, OpAnswer& unremembered) const;

  const DeviceSpec& device_;
  Bytes l1Budget_;
  std::shared_ptr<OpMemo> memo_;  // null: every query is worked out
  mutable BudgetRange* watched_ = nullptr;  // takes note, and has no part in any answer
};

}  // namespace tessera
