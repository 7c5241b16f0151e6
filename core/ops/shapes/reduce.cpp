// Reductions, scans, softmax, normalization, sorting.

#include <algorithm>

#include "core/ops/shapes/shape_context.h"

namespace tessera {

namespace {

// The dims to reduce; an op without the attribute reduces all of them. Nothing after a report.
std::optional<std::vector<char>> reducedDims(const ShapeContext& c, const Shape& input) {
  std::string_view name = c.has("dim_arg") ? "dim_arg" : "dim";
  std::vector<char> reduced(input.size(), 1);
  std::vector<int64_t> dims;
  if (const std::vector<int64_t>* values = c.ints(name)) dims = *values;
  else if (auto value = c.integer(name)) dims = {*value};
  else return reduced;
  if (dims.empty()) return reduced;
  std::fill(reduced.begin(), reduced.end(), 0);
  for (int64_t value : dims) {
    std::optional<size_t> dim = c.dim(name, value, input.size());
    if (!dim) return {};
    reduced[*dim] = 1;
  }
  return reduced;
}

Shape reducedShape(const Shape& input, const std::vector<char>& reduced, bool keep) {
  Shape shape;
  for (size_t i = 0; i < input.size(); ++i) {
    if (!reduced[i]) shape.push_back(input[i]);
    else if (keep) shape.push_back(1);
  }
  return shape;
}

}  // namespace

void checkReduction(const ShapeContext& c) {
  const Shape* input = c.input(0);
  const Shape* result = c.result();
  if (input == nullptr || result == nullptr) return;
  if (c.info.has(kScan)) {
    std::optional<int64_t> value = c.integer("dim");
    if (value && !c.dim("dim", *value, input->size())) return;
    return c.expectResult(0, *input, "the shape of the operand");
  }
  std::optional<std::vector<char>> reduced = reducedDims(c, *input);
  if (!reduced) return;
  Shape kept = reducedShape(*input, *reduced, true);
  Shape dropped = reducedShape(*input, *reduced, false);
  // Without keep_dim both are accepted; a full reduction may also leave a tensor of ones of any rank.
  bool allOnes = dropped.empty() && std::all_of(result->begin(), result->end(), [](int64_t dim) { return dim == 1; });
  if (allOnes || (!c.has("keep_dim") && *result == kept)) return;
  c.expectResult(0, c.flag("keep_dim", false) ? kept : dropped, "reduced from " + shapeText(*input));
}

void checkSoftmax(const ShapeContext& c) {
  const Shape* input = c.input(0);
  if (input == nullptr) return;
  std::optional<int64_t> value = c.needInteger("dimension");
  if (value && c.dim("dimension", *value, input->size())) c.expectResult(0, *input, "the shape of the operand");
}

namespace {

// Batch norm: one number per feature in each further operand.
void checkFeatures(const ShapeContext& c, const Shape& input) {
  std::optional<size_t> dim = c.dim("dimension", c.integer("dimension").value_or(1), input.size());
  if (!dim) return;
  for (int i = 1; i < c.inputs; ++i) {
    const Shape* feature = c.input(i);
    std::optional<int64_t> count = feature != nullptr ? elementCount(*feature) : std::nullopt;
    if (count && *count != input[*dim]) {
      return c.mismatch("operand " + std::to_string(i) + " is " + shapeText(*feature) + ", expected " +
                        std::to_string(input[*dim]) + " numbers: one per feature of " + shapeText(input));
    }
  }
}

}  // namespace

void checkNorm(const ShapeContext& c) {
  const Shape* input = c.input(0);
  if (input == nullptr) return;
  switch (c.info.kind) {
    case OpKind::TtirBatchNormInference:
    case OpKind::TtirBatchNorm:
    case OpKind::TtirBatchNormTraining: checkFeatures(c, *input); break;
    case OpKind::TtirDistributedLayerNorm:
    case OpKind::TtirDistributedRmsNorm:
    case OpKind::TtnnDistributedLayerNorm:
    case OpKind::TtnnDistributedRmsNorm: return;
    default: break;
  }
  c.expectResult(0, *input, "the shape of the operand");
  const std::vector<int64_t>* normalized = c.ints("normalized_shape");
  if (normalized == nullptr) return;
  bool suffix =
      normalized->size() <= input->size() && std::equal(normalized->rbegin(), normalized->rend(), input->rbegin());
  if (!suffix) c.badAttr("normalized_shape", "the last dims of " + shapeText(*input));
}

void checkSort(const ShapeContext& c) {
  const Shape* input = c.input(0);
  if (input == nullptr) return;
  bool topk = c.info.kind == OpKind::TtirTopk || c.info.kind == OpKind::TtnnTopk;
  std::optional<size_t> dim = c.dim("dim", c.integer("dim").value_or(-1), input->size());
  if (!dim) return;
  Shape expected = *input;
  if (topk) {
    std::optional<int64_t> k = c.needInteger("k");
    if (!k) return;
    if (*k < 0 || *k > expected[*dim])
      return c.badAttr("k", "at most " + std::to_string(expected[*dim]) + ", the size of dim " + std::to_string(*dim));
    expected[*dim] = *k;
  }
  for (int i = 0; i < static_cast<int>(c.op.results.size()); ++i) {
    c.expectResult(i, expected, topk ? "the largest of " + shapeText(*input) : "the shape of the operand");
  }
}

}  // namespace tessera
