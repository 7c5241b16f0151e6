#pragma once
// The layout workarounds as a table: which operands and results must be what, and why; layout_workarounds.cpp carries
// them out. After tt-mlir lib/Dialect/TTNN/IR/TTNNWorkaroundsPass.cpp @ 19c86fca.

#include <optional>
#include <span>
#include <string_view>

#include "core/ir/graph.h"

namespace tessera {

// What an operand or a result must be; what is not given is free.
struct Wanted {
  std::optional<PageLayout> page = {};
  std::optional<DType> dtype = {};
  std::optional<BufferType> buffer = {};  // interleaved there
  bool any() const { return page || dtype || buffer; }
};

// The op as the tables see it.
struct OpTypes {
  const Op& op;
  const Graph& graph;
  bool specificationRules;

  const TensorType* operand(size_t i) const { return i < op.operands.size() ? tensorOf(op.operands[i]) : nullptr; }
  const TensorType* result() const { return op.results.empty() ? nullptr : tensorOf(op.results[0]); }
  const TensorType* tensorOf(ValueId value) const {
    const ValueType& type = graph.values[value].type;
    return type.isTensor() && type.tensor->layout ? &*type.tensor : nullptr;
  }
  DType dtype(size_t i) const { return operand(i) ? operand(i)->layout->dtype : DType::BF16; }
};

inline constexpr int kResults = -1;  // the first result
inline constexpr int kAllOperands = -2;
inline constexpr int kSecondResult = -3;
inline constexpr int kThirdResult = -4;

struct WorkaroundRow {
  OpKind op;
  int which;  // operand number or role, kResults or kAllOperands
  Wanted (*wanted)(const OpTypes&);
  std::string_view reason;
  bool withoutOptimizerOnly = false;  // with one, its choice of layout stands
  bool compilerOnly = false;          // the specification does not know it
};

std::span<const WorkaroundRow> layoutWorkaroundRows();

// Element-wise ops of two operands, whichever they are: tiles, and bytes as 32 bits.
Wanted binaryOperands(const OpTypes& types);

}  // namespace tessera
