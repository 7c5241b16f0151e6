#include "core/plan/shared_buffer.h"

#include "core/ops/table/op_table.h"

namespace tessera {

namespace {

// A row of tiles holds up to 32 rows of the tensor, and every matrix of a batch begins a new one. The number of tensor
// rows after which padding comes between two rows; 0 when no padding lies between any two.
int64_t rowsUpToPadding(const Shape& shape, PageLayout page) {
  if (page == PageLayout::RowMajor || shape.size() < 2) return 0;
  const int64_t rows = shape[shape.size() - 2];
  bool oneMatrix = true;
  for (size_t i = 0; i + 2 < shape.size(); ++i) oneMatrix = oneMatrix && shape[i] == 1;
  return oneMatrix || rows % kTileSide == 0 ? 0 : rows;
}

int64_t rowLength(const Shape& shape) { return shape.empty() ? 1 : shape.back(); }

bool isIdentity(const std::vector<int64_t>& permutation) {
  for (size_t i = 0; i < permutation.size(); ++i) {
    if (permutation[i] != static_cast<int64_t>(i)) return false;
  }
  return true;
}

// The elements of the result, row by row, are those of the operand in the same order.
bool keepsElementOrder(const Op& op, const Shape& in, const Shape& out) {
  switch (opInfo(op.kind).family) {
    case Family::Reshape: return true;
    case Family::Permute: {
      const AttrValue* permutation = findAttr(op, "permutation");
      return permutation && isIdentity(permutation->ints);
    }
    default: return in == out;  // nothing is padded or repeated
  }
}

}  // namespace

bool sharesFirstBuffer(const Graph& graph, OpId id, const TensorLayout& operand, const TensorLayout& result) {
  const Op& op = graph.ops[id];
  const OpInfo& info = opInfo(op.kind);
  if (op.operands.empty() || op.results.empty()) return false;
  const ValueType& from = graph.values[op.operands[0]].type;
  const ValueType& to = graph.values[op.results[0]].type;
  if (!from.isTensor() || !to.isTensor()) return false;
  const Shape &in = from.tensor->shape, &out = to.tensor->shape;
  if (info.has(kInPlace) && operand == result && in == out) return true;
  if (!info.has(kView) || !keepsElementOrder(op, in, out)) return false;
  const bool samePlace = operand.buffer == result.buffer && operand.memory == result.memory &&
                         (!operand.sharded() || operand.grid == result.grid);
  const bool samePages =
      operand.page == result.page && operand.dtype == result.dtype && rowLength(in) == rowLength(out);
  return samePlace && samePages && rowsUpToPadding(in, operand.page) == rowsUpToPadding(out, result.page);
}

}  // namespace tessera
