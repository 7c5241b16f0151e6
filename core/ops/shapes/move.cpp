// Ops that move elements without computing: concat, reshape, permute, slice, pad, repeat, lookup, creation.

#include <algorithm>

#include "core/ops/shapes/shape_context.h"
#include "core/support/units.h"

namespace tessera {

void checkConcat(const ShapeContext& c) {
  const Shape* first = c.input(0);
  if (first == nullptr) return;
  std::optional<int64_t> value = c.needInteger("dim");
  std::optional<size_t> dim = value ? c.dim("dim", *value, first->size()) : std::nullopt;
  if (!dim) return;
  Shape expected = *first;
  for (int i = 1; i < c.inputs; ++i) {
    const Shape* next = c.input(i);
    if (next == nullptr) return;
    bool fits = next->size() == expected.size();
    for (size_t d = 0; fits && d < expected.size(); ++d) fits = d == *dim || (*next)[d] == expected[d];
    if (!fits)
      return c.mismatch("operands " + shapesText(*first, *next) + " differ in more than dim " + std::to_string(*dim));
    if (!addChecked(expected[*dim], (*next)[*dim], expected[*dim]))
      return c.mismatch("dim " + std::to_string(*dim) + " of the result is too large");
  }
  c.expectResult(0, expected, "concatenated along dim " + std::to_string(*dim));
}

namespace {

void checkReshapeItself(const ShapeContext& c, const Shape& input, const Shape& result) {
  if (elementCount(input) != elementCount(result)) {
    return c.mismatch("operand " + shapeText(input) + " and result " + shapeText(result) +
                      " have different numbers of elements");
  }
  const std::vector<int64_t>* shape = c.ints("shape");
  if (shape == nullptr) return;
  bool fits = shape->size() == result.size();
  for (size_t i = 0; fits && i < result.size(); ++i) fits = (*shape)[i] == result[i] || (*shape)[i] == -1;
  if (!fits) c.badAttr("shape", "the shape of the result, " + shapeText(result));
}

}  // namespace

void checkReshape(const ShapeContext& c) {
  const Shape* input = c.input(0);
  const Shape* result = c.result();
  if (input == nullptr || result == nullptr) return;
  bool squeeze = c.info.kind == OpKind::TtirSqueeze || c.info.kind == OpKind::TtnnSqueeze;
  bool unsqueeze = c.info.kind == OpKind::TtirUnsqueeze || c.info.kind == OpKind::TtnnUnsqueeze;
  if (!squeeze && !unsqueeze) return checkReshapeItself(c, *input, *result);
  std::optional<int64_t> value = c.needInteger("dim");
  std::optional<size_t> dim = value ? c.dim("dim", *value, input->size() + (unsqueeze ? 1 : 0)) : std::nullopt;
  if (!dim) return;
  Shape expected = *input;
  if (unsqueeze) {
    expected.insert(expected.begin() + static_cast<std::ptrdiff_t>(*dim), 1);
  } else {
    if (expected[*dim] != 1)
      return c.mismatch("dim " + std::to_string(*dim) + " of " + shapeText(*input) + " is not 1");
    expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(*dim));
  }
  c.expectResult(0, expected, "from " + shapeText(*input));
}

void checkPermute(const ShapeContext& c) {
  const Shape* input = c.input(0);
  if (input == nullptr) return;
  Shape expected = *input;
  if (c.info.kind == OpKind::TtirTranspose || c.info.kind == OpKind::TtnnTranspose) {
    std::optional<int64_t> value0 = c.needInteger("dim0"), value1 = c.needInteger("dim1");
    if (!value0 || !value1) return;
    std::optional<size_t> dim0 = c.dim("dim0", *value0, input->size()), dim1 = c.dim("dim1", *value1, input->size());
    if (!dim0 || !dim1) return;
    std::swap(expected[*dim0], expected[*dim1]);
    return c.expectResult(
        0, expected,
        "dims " + std::to_string(*dim0) + " and " + std::to_string(*dim1) + " of " + shapeText(*input) + " swapped");
  }
  const std::vector<int64_t>* order = c.needInts("permutation", input->size());
  if (order == nullptr) return;
  std::vector<char> seen(input->size(), 0);
  for (size_t i = 0; i < order->size(); ++i) {
    int64_t from = (*order)[i];
    if (from < 0 || from >= static_cast<int64_t>(input->size()) || seen[static_cast<size_t>(from)]) {
      return c.badAttr("permutation", "every dim of " + shapeText(*input) + " once");
    }
    seen[static_cast<size_t>(from)] = 1;
    expected[i] = (*input)[static_cast<size_t>(from)];
  }
  c.expectResult(0, expected, shapeText(*input) + " permuted");
}

namespace {

// Elements of [begin, end) at that step; nothing after a report.
std::optional<int64_t> slicedDim(const ShapeContext& c, int64_t dim, int64_t begin, int64_t end, int64_t step) {
  if (step == 0 || step == INT64_MIN) return c.badAttr("step", "numbers other than 0"), std::nullopt;
  if (begin < 0 && begin >= -dim) begin += dim;
  if (end < 0 && end >= -dim && step > 0) end += dim;
  if (begin == end) return 0;  // nothing, wherever that is
  bool inside = begin >= 0 && begin <= dim && end >= -1 && end <= dim;
  if (!inside) {
    c.mismatch("slice " + std::to_string(begin) + ":" + std::to_string(end) + " leaves a dim of " +
               std::to_string(dim));
    return {};
  }
  int64_t length = step > 0 ? end - begin : begin - end;
  if (length < 0) {
    c.mismatch("slice " + std::to_string(begin) + ":" + std::to_string(end) + " runs against its step " +
               std::to_string(step));
    return {};
  }
  int64_t stride = step > 0 ? step : -step;
  return (length - 1) / stride + 1;
}

void checkSliceStatic(const ShapeContext& c, const Shape& input) {
  const std::vector<int64_t>* begins = c.needInts("begins", input.size());
  const std::vector<int64_t>* ends = c.needInts("ends", input.size());
  if (begins == nullptr || ends == nullptr) return;
  const std::vector<int64_t>* steps = c.has("step") ? c.needInts("step", input.size()) : nullptr;
  if (c.has("step") && steps == nullptr) return;
  Shape expected;
  for (size_t i = 0; i < input.size(); ++i) {
    std::optional<int64_t> size = slicedDim(c, input[i], (*begins)[i], (*ends)[i], steps != nullptr ? (*steps)[i] : 1);
    if (!size) return;
    expected.push_back(*size);
  }
  c.expectResult(0, expected, "sliced from " + shapeText(input));
}

// index: begin, end and step along one dim.
std::optional<int64_t> indexedDim(const ShapeContext& c, int64_t dim) {
  std::optional<int64_t> begin = c.integer("begin"), end = c.integer("end"), step = c.integer("step");
  if (!begin || !end || !step) return {};
  return slicedDim(c, dim, *begin, *end, *step);
}

// index_select: from `begin` on, every `stride` elements (0: once) a run of `length`.
std::optional<int64_t> selectedDim(const ShapeContext& c, int64_t dim) {
  std::optional<int64_t> begin = c.integer("begin"), length = c.integer("length"), given = c.integer("stride");
  if (!begin || !length || !given) return {};
  const int64_t stride = *given == 0 ? dim : *given;
  if (stride < 0 || stride > dim) return c.badAttr("stride", "from 0 to " + std::to_string(dim)), std::nullopt;
  if (*begin < 0 || *begin >= dim) return c.badAttr("begin", "within a dim of " + std::to_string(dim)), std::nullopt;
  if (*length < 1 || *length > stride || *length > dim - *begin)
    return c.badAttr("length", "from 1 to the stride, within a dim of " + std::to_string(dim)), std::nullopt;
  const int64_t runs = (dim - *begin - 1) / stride + 1;
  const int64_t lastRun = std::min(*length, dim - *begin - (runs - 1) * stride);
  return (runs - 1) * *length + lastRun;  // at most dim
}

// One dim may change, the others stay.
void checkOtherDims(const ShapeContext& c, const Shape& input, std::string_view dimAttr) {
  const Shape* result = c.result();
  std::optional<int64_t> value = c.integer(dimAttr);
  if (result == nullptr || !value) return;
  std::optional<size_t> dim = c.dim(dimAttr, *value, input.size());
  if (!dim) return;
  bool fits = result->size() == input.size();
  for (size_t i = 0; fits && i < input.size(); ++i) fits = i == *dim || (*result)[i] == input[i];
  if (!fits)
    return c.mismatch("operand " + shapeText(input) + " and result " + shapeText(*result) + " may differ in dim " +
                      std::to_string(*dim) + " only");
  std::optional<int64_t> size = c.has("length") ? selectedDim(c, input[*dim]) : indexedDim(c, input[*dim]);
  Shape expected = input;
  if (size) expected[*dim] = *size;
  if (size) c.expectResult(0, expected, "taken from " + shapeText(input));
}

}  // namespace

void checkSlice(const ShapeContext& c) {
  const Shape* input = c.input(0);
  if (input == nullptr) return;
  switch (c.info.kind) {
    case OpKind::TtirSliceStatic:
    case OpKind::TtnnSliceStatic:
    case OpKind::TtirSlice:
    case OpKind::TtnnSlice: return checkSliceStatic(c, *input);
    case OpKind::TtirSliceDynamic:
    case OpKind::TtnnSliceDynamic: {
      const Shape* result = c.result();
      if (result != nullptr && result->size() != input->size())
        c.mismatch("operand " + shapeText(*input) + " and result " + shapeText(*result) + " have different ranks");
      return;
    }
    default: return checkOtherDims(c, *input, "dim");
  }
}

void checkPad(const ShapeContext& c) {
  const Shape* input = c.input(0);
  if (input == nullptr) return;
  const std::vector<int64_t>* padding = c.needInts("padding", input->size() * 2);
  if (padding == nullptr) return;
  Shape expected = *input;
  for (size_t i = 0; i < expected.size(); ++i) {
    bool good = addChecked(expected[i], (*padding)[2 * i], expected[i]) &&
                addChecked(expected[i], (*padding)[2 * i + 1], expected[i]);
    if (!good || expected[i] < 0)
      return c.badAttr("padding", "a low and a high number per dim of " + shapeText(*input));
  }
  c.expectResult(0, expected, shapeText(*input) + " padded");
}

namespace {

void checkRepeatInterleave(const ShapeContext& c, const Shape& input) {
  std::optional<int64_t> repeats = c.needInteger("repeats"), value = c.needInteger("dim");
  std::optional<size_t> dim = value ? c.dim("dim", *value, input.size()) : std::nullopt;
  if (!repeats || !dim) return;
  Shape expected = input;
  if (*repeats <= 0 || !mulChecked(expected[*dim], *repeats, expected[*dim]))
    return c.badAttr("repeats", "a small positive number");
  c.expectResult(0, expected, "dim " + std::to_string(*dim) + " of " + shapeText(input) + " repeated");
}

}  // namespace

void checkRepeat(const ShapeContext& c) {
  const Shape* input = c.input(0);
  if (input == nullptr) return;
  OpKind kind = c.info.kind;
  if (kind == OpKind::TtirRepeatInterleave || kind == OpKind::TtnnRepeatInterleave)
    return checkRepeatInterleave(c, *input);
  std::string_view name = kind == OpKind::TtirBroadcast ? "broadcast_dimensions"
                          : c.has("repeat_dims")        ? "repeat_dims"
                                                        : "repeat_dimensions";
  const std::vector<int64_t>* factors = c.ints(name);
  if (factors == nullptr) {
    (void)c.needInts(name, input->size());
    return;
  }
  // More factors than dims: the shape gets leading ones, as in torch.
  if (factors->size() < input->size()) return c.badAttr(name, "one number per dim of " + shapeText(*input));
  Shape expected(factors->size() - input->size(), 1);
  expected.insert(expected.end(), input->begin(), input->end());
  for (size_t i = 0; i < expected.size(); ++i) {
    if ((*factors)[i] < 0 || !mulChecked(expected[i], (*factors)[i], expected[i]))
      return c.badAttr(name, "small positive numbers");
  }
  c.expectResult(0, expected, shapeText(*input) + " repeated");
}

void checkEmbedding(const ShapeContext& c) {
  const Shape* indices = c.input(0);
  const Shape* weight = c.input(1);
  const Shape* result = c.result();
  if (indices == nullptr || weight == nullptr || result == nullptr) return;
  if (weight->size() < 2) return c.mismatch("table " + shapeText(*weight) + " must have rank 2 or more");
  bool backward = c.info.kind == OpKind::TtirEmbeddingBackward || c.info.kind == OpKind::TtnnEmbeddingBackward;
  if (backward) {
    if (elementCount(*result) != elementCount(*weight))
      c.mismatch("the result is " + shapeText(*result) + ", expected the table's " + shapeText(*weight));
    return;
  }
  std::optional<int64_t> lookups = elementCount(*indices), elements = elementCount(*result);
  int64_t expected = 0;
  bool fits = lookups && elements && mulChecked(*lookups, weight->back(), expected) && expected == *elements &&
              !result->empty() && result->back() == weight->back();
  if (!fits) {
    c.mismatch("the result is " + shapeText(*result) + ", expected one row of " + std::to_string(weight->back()) +
               " for each index (indices " + shapeText(*indices) + ", table " + shapeText(*weight) + ")");
  }
}

void checkGather(const ShapeContext& c) {
  const Shape* input = c.input(0);
  const Shape* indices = c.input(1);
  const Shape* result = c.result();
  if (input == nullptr || indices == nullptr || result == nullptr) return;
  OpKind kind = c.info.kind;
  bool scatter = kind == OpKind::TtirScatter || kind == OpKind::TtnnScatter || kind == OpKind::TtirScatterInDim ||
                 kind == OpKind::TtnnScatterInDim;
  if (scatter) return c.expectResult(0, *input, "the shape of the operand");
  const std::vector<int64_t>* sizes = c.ints("slice_sizes");
  if (kind != OpKind::TtirGather || sizes == nullptr) return;
  if (sizes->size() != input->size()) return c.badAttr("slice_sizes", "one number per dim of " + shapeText(*input));
  // Every index vector picks one slice.
  int64_t elements = 1;
  for (size_t i = 0; i < sizes->size(); ++i) {
    bool inside = (*sizes)[i] >= 0 && (*sizes)[i] <= (*input)[i];
    if (!inside || !mulChecked(elements, (*sizes)[i], elements))
      return c.badAttr("slice_sizes", "sizes within " + shapeText(*input));
  }
  int64_t vectorDim = c.integer("index_vector_dim").value_or(-1);
  for (size_t i = 0; i < indices->size(); ++i) {
    if (static_cast<int64_t>(i) != vectorDim && !mulChecked(elements, (*indices)[i], elements)) return;
  }
  std::optional<int64_t> count = elementCount(*result);
  if (count && *count != elements) {
    c.mismatch("the result " + shapeText(*result) + " does not hold one slice per index (operand " + shapeText(*input) +
               ", indices " + shapeText(*indices) + ")");
  }
}

void checkCreation(const ShapeContext& c) {
  const Shape* result = c.result();
  if (result == nullptr) return;
  for (std::string_view name : {"shape", "size"}) {
    const std::vector<int64_t>* shape = c.ints(name);
    if (shape != nullptr && *shape != *result) c.badAttr(name, "the shape of the result, " + shapeText(*result));
  }
}

}  // namespace tessera
