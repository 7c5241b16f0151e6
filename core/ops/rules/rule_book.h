#pragma once
// The compiler's per-op rules for the beam search, as data (tt-mlir Analysis/OpRules): which operand layouts are tried,
// which result layouts are asked for, whether operands may be resharded. They narrow the search; what is legal is the
// op model's business.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/ir/tensor_layout.h"
#include "core/ops/table/op_table.h"

namespace tessera {

// Operand layouts that are tried; what a filter rejects is read from DRAM interleaved.
enum class InputFilter : uint8_t {
  Any,
  Interleaved,  // no sharded ones
  NotWidthSharded,
  NotHeightSharded,
  HeightOrInterleaved,
  DramOrSharded,
  DramInterleaved,
};
// Result layouts that are asked for. "Null" leaves the layout to the backend: what the first operand has.
enum class OutputHints : uint8_t {
  NullThenSharded,  // sharded ones only when the backend's own choice is not sharded
  AllConfigs,       // every legal layout with every setting
  NullOnly,
  NonSharded,
  NullAndSharded,    // concat: null is DRAM; sharded ones of whole tiles only
  ShardedOrDram,     // matmul: L1 interleaved results are dropped
  ViewOrNonSharded,  // a view: null; else not sharded
};
enum class InputCombination : uint8_t {
  Any,
  SameTypeAsResult,  // operand 0 and the result, when both are sharded
  AllAlike,          // every operand alike, and the result like them when they are sharded
};
enum class ScoreAdjustment : uint8_t { None, RmsNorm };

struct OperandRule {
  int8_t operand = -1;  // -1: every operand without a rule of its own
  InputFilter filter = InputFilter::Any;
};

struct RuleBook {
  std::string_view op;  // name without dialect; "" for a family's rule
  Family family = Family::Opaque;
  OperandRule operands[3] = {};  // the first that names the operand counts; then the first for every operand
  OutputHints hints = OutputHints::NullThenSharded;
  InputCombination combination = InputCombination::Any;
  bool exploreReshards = true;
  ScoreAdjustment adjust = ScoreAdjustment::None;
};

// The op's own rule, else its family's, else the default one.
const RuleBook& ruleBook(OpKind kind);

bool acceptsInput(const RuleBook& book, int operand, const TensorLayout& layout);
bool acceptsCombination(const RuleBook& book, std::span<const std::optional<TensorLayout>> inputs,
                        const TensorLayout& output);

}  // namespace tessera
