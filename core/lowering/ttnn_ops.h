#pragma once
// TtnnOps: the TTNN ops that take the place of one op whose tensors have layouts. What is made stands for that op, and
// lies as its operands do: an interleaved tensor gives interleaved ones.

#include <initializer_list>
#include <string_view>
#include <vector>

#include "core/lowering/pass.h"
#include "core/lowering/rewriter.h"
#include "core/ops/table/op_table.h"

namespace tessera {

class TtnnOps {
 public:
  TtnnOps(const Graph& from, const PassContext& context, GraphRewriter& rewriter, IdVec<FuncId, ValueId>& devices,
          OpId old)
      : from_(from),
        context_(context),
        rewriter_(rewriter),
        devices_(devices),
        old_(old),
        op_(from.ops[old]),
        firstNew_(rewriter.graph().ops.size()) {}

  // --- the op
  const Op& op() const { return op_; }
  const PassContext& context() const { return context_; }
  size_t inputs() const { return op_.operands.size(); }
  // The value an operand is now; by number, or by role where the op counts its operands (operandSegmentSizes). Invalid
  // when there is none, or when it is no tensor.
  ValueId in(size_t operand) const;
  ValueId role(size_t role) const;
  // An operand whatever it is: the device, too.
  ValueId raw(size_t operand) const { return rewriter_.now(op_.operands[operand]); }
  // Segment sizes of the op, or none.
  std::vector<int64_t> segments() const;
  const ValueType& resultType(size_t index = 0) const { return from_.values[op_.results[index]].type; }
  const Shape& resultShape(size_t index = 0) const { return resultType(index).tensor->shape; }
  int64_t integer(std::string_view name, int64_t fallback) const;
  bool flag(std::string_view name) const { return integer(name, 0) != 0; }
  std::vector<int64_t> ints(std::string_view name) const;

  // --- values of the new graph
  const ValueType& type(ValueId value) const { return rewriter_.graph().values[value].type; }
  const Shape& shape(ValueId value) const { return type(value).tensor->shape; }
  DType dtype(ValueId value) const { return type(value).tensor->dtype; }
  ValueType like(const ValueType& type, Shape shape) const;
  ValueType like(const ValueType& type, DType dtype) const;
  ValueId device();

  // --- making ops
  ValueId make(OpKind kind, std::vector<ValueId> operands, ValueType type, AttrList attrs = {});
  ValueId reshape(ValueId value, const Shape& shape);
  ValueId permute(ValueId value, const std::vector<int64_t>& order);
  ValueId slice(ValueId value, const std::vector<int64_t>& begins, const std::vector<int64_t>& ends);
  // [begin, end) of one dim, all of the others.
  ValueId sliceDim(ValueId value, size_t dim, int64_t begin, int64_t end);
  // Up to `shape`, behind the elements there are.
  ValueId padTo(ValueId value, const Shape& shape, double number = 0);
  ValueId repeatTo(ValueId value, const Shape& shape);
  ValueId full(const ValueType& type, double number);
  ValueId binary(OpKind kind, ValueId a, ValueId b, const Shape& shape);
  ValueId unary(OpKind kind, ValueId a);
  // The op itself with other operands, attributes and result types; all results.
  std::vector<ValueId> again(std::vector<ValueId> operands, AttrList attrs, std::vector<ValueType> types);
  // With the same attributes.
  ValueId again(std::vector<ValueId> operands, ValueType type) {
    return again(std::move(operands), op_.attrs, {type})[0];
  }

  // What readers of a result see from now on.
  void becomes(ValueId value, size_t result = 0);

 private:
  const Graph& from_;
  const PassContext& context_;
  GraphRewriter& rewriter_;
  IdVec<FuncId, ValueId>& devices_;  // of each function, as far as one was got
  OpId old_;
  const Op& op_;
  size_t firstNew_;  // ops made here have this id or a later one
};

// A rule makes other ops in the place of one; false when it leaves it.
struct TtnnRule {
  OpKind op;
  bool (*rewrite)(TtnnOps&);
  std::string_view reason;
  bool (*enabled)(const PassContext&) = nullptr;  // null: always
};

// One walk with the rules of a table, the first that fits for each op; what they make is not looked at again. Several
// walks, until nothing changes, when `rounds` says so.
PassResult applyTtnnRules(const Graph& graph, const PassContext& context, std::span<const TtnnRule> rules,
                          int rounds = 1);

// A dim counted from the end when it is negative.
int64_t dimFromEnd(int64_t dim, size_t rank);

}  // namespace tessera
