#pragma once
// Repairs a refused op by converting the operand that it does not accept.

#include "core/policy/kit/op_in_l1.h"

namespace tessera {

// A layout of the refused operand that the op may accept, when its result is `output`: over the result's grid where the
// two must match, L1 interleaved where it must be interleaved, DRAM where it must be in DRAM. None when converting the
// operand cannot help.
std::optional<TensorLayout> repairedLayout(const Problem& problem, Refusal reason, const TensorLayout& output,
                                           ValueId operand, const TensorLayout& now);

// One repair of one op: the caller converts what next() says, and then again(), and asks the op model again, until
// nothing comes. Every operand is repaired at most once, so this ends.
class OperandRepair {
 public:
  // `interleavedInDram`: copies that need not be sharded go to DRAM, to save L1.
  OperandRepair(const Problem& problem, OpId op, bool interleavedInDram);

  struct Conversion {
    size_t operand = 0;
    TensorLayout to;
  };
  std::optional<Conversion> next(const OpVerdict& verdict, const TensorLayout& output, const Layouts& inputs);
  // Another operand that the op would refuse like the last two, where it judges its operands alike, with the layout
  // that next() gave; none otherwise.
  std::optional<Conversion> again(const Layouts& inputs);
  // The operand stays as it is.
  void close(size_t operand) { repaired_[operand] = true; }
  // A layout that is tried for the operand before it is repaired.
  void prefer(size_t operand, const TensorLayout& layout);

 private:
  bool sameType(size_t a, size_t b) const;

  const Problem& problem_;
  const std::vector<ValueId>& operands_;
  bool interleavedInDram_, alike_;
  std::vector<bool> repaired_;
  Layouts preferred_;  // empty: none is
  // The last refused operand that was repaired: why, where it was, where to; whether the one before was refused alike.
  std::optional<Conversion> last_;
  Refusal reason_ = Refusal::None;
  TensorLayout from_;
  bool twice_ = false;
};

}  // namespace tessera
