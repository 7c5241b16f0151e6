// Attention, heads, key/value caches, collectives.

#include <algorithm>

#include "core/ops/shapes/shape_context.h"
#include "core/support/units.h"

namespace tessera {

void checkAttention(const ShapeContext& c) {
  const Shape* query = c.input(0);
  const Shape* key = c.input(1);
  const Shape* value = c.input(2);
  if (query == nullptr || key == nullptr || value == nullptr || c.result() == nullptr) return;
  bool decode = c.info.kind == OpKind::TtirScaledDotProductAttentionDecode ||
                c.info.kind == OpKind::TtnnScaledDotProductAttentionDecode;
  bool prefill =
      c.info.kind == OpKind::TtirScaledDotProductAttention || c.info.kind == OpKind::TtnnScaledDotProductAttention;
  if (!decode && !prefill)
    return;  // paged, chunked, latent and joint forms carry further tensors; their shapes are not checked
  std::string all = shapeText(*query) + ", " + shapesText(*key, *value);
  if (query->size() != 4 || key->size() != 4 || value->size() != 4)
    return c.mismatch("query, key and value (" + all + ") must have rank 4");
  int64_t heads = (*query)[decode ? 2 : 1];
  int64_t keyHeads = (*key)[1];
  if ((*key)[3] != (*query)[3])
    return c.mismatch("query and key (" + shapesText(*query, *key) + ") have different head sizes");
  if ((*value)[1] != keyHeads || (*value)[2] != (*key)[2])
    return c.mismatch("key and value (" + shapesText(*key, *value) + ") differ in heads or length");
  if (keyHeads <= 0 || heads % keyHeads != 0) {
    return c.mismatch(std::to_string(heads) + " query heads do not share " + std::to_string(keyHeads) +
                      " key heads evenly (" + all + ")");
  }
  Shape expected = *query;
  expected[3] = (*value)[3];
  c.expectResult(0, expected, "the query's shape with the value's head size");
}

// The library pads the length to whole tiles, and releases differ in whether the result's type says so.
void checkRotaryEmbedding(const ShapeContext& c) {
  const Shape* input = c.input(0);
  const Shape* result = c.result();
  if (input == nullptr || result == nullptr) return;
  Shape padded = *input;
  if (padded.size() >= 2 && padded[padded.size() - 2] < (int64_t{1} << 60)) {
    int64_t& length = padded[padded.size() - 2];
    length = (length + 31) / 32 * 32;
  }
  if (*result != padded) c.expectResult(0, *input, "the shape of the operand");
}

void checkHeadReshape(const ShapeContext& c) {
  // Heads are moved, maybe padded to a tile in the decode forms; the plain forms keep every element.
  switch (c.info.kind) {
    case OpKind::TtirConcatenateHeads:
    case OpKind::TtnnConcatenateHeads:
    case OpKind::TtirNlpConcatHeads:
    case OpKind::TtnnNlpConcatHeads: break;
    default: return;
  }
  const Shape* input = c.input(0);
  const Shape* result = c.result();
  if (input == nullptr || result == nullptr) return;
  if (input->size() != 4)
    return c.mismatch("operand " + shapeText(*input) + " must be batch x heads x length x head size");
  if (elementCount(*input) != elementCount(*result))
    c.mismatch("operand " + shapeText(*input) + " and result " + shapeText(*result) +
               " have different numbers of elements");
}

void checkKvCache(const ShapeContext& c) {
  const Shape* cache = c.input(0);
  const Shape* input = c.input(1);
  if (cache == nullptr || input == nullptr) return;
  if (c.result() != nullptr) c.expectResult(0, *cache, "the shape of the cache");
  bool fill = c.info.kind == OpKind::TtirFillCache || c.info.kind == OpKind::TtnnFillCache;
  bool update = c.info.kind == OpKind::TtirUpdateCache || c.info.kind == OpKind::TtnnUpdateCache;
  if ((!fill && !update) || cache->size() != 4 || input->size() != 4) return;
  if ((*cache)[1] != (*input)[1] || (*cache)[3] != (*input)[3]) {
    return c.mismatch("cache " + shapeText(*cache) + " and input " + shapeText(*input) +
                      " differ in heads (dim 1) or head size (dim 3)");
  }
  if (!fill) return;
  int64_t offset = c.integer("batch_offset").value_or(0);
  if (offset < 0 || offset > (*cache)[0]) return c.badAttr("batch_offset", "a row of the cache " + shapeText(*cache));
  if ((*input)[0] > (*cache)[0] - offset || (*input)[2] > (*cache)[2]) {
    c.mismatch("input " + shapeText(*input) + " does not fit into cache " + shapeText(*cache) + " from batch " +
               std::to_string(offset));
  }
}

namespace {

// One dim grows or shrinks by the number of devices, which we do not know: one must divide the other.
void checkScaledDim(const ShapeContext& c, std::string_view dimAttr, bool grows) {
  const Shape* input = c.input(0);
  const Shape* result = c.result();
  std::optional<int64_t> value = c.integer(dimAttr);
  if (input == nullptr || result == nullptr || !value) return;
  std::optional<size_t> dim = c.dim(dimAttr, *value, input->size());
  if (!dim) return;
  bool fits = result->size() == input->size();
  for (size_t i = 0; fits && i < input->size(); ++i) fits = i == *dim || (*result)[i] == (*input)[i];
  int64_t small = fits ? (grows ? (*input)[*dim] : (*result)[*dim]) : 0;
  int64_t large = fits ? (grows ? (*result)[*dim] : (*input)[*dim]) : 0;
  fits = fits && (small == large || (small > 0 && large % small == 0));
  if (!fits) {
    c.mismatch("operand " + shapeText(*input) + " and result " + shapeText(*result) + " may differ in dim " +
               std::to_string(*dim) + " only, by a whole factor");
  }
}

}  // namespace

void checkCollective(const ShapeContext& c) {
  switch (c.info.kind) {
    case OpKind::TtirAllReduce:
    case OpKind::TtnnAllReduce:
    case OpKind::TtirCollectivePermute:
    case OpKind::TtnnCollectivePermute:
    case OpKind::TtirCollectiveBroadcast:
    case OpKind::TtnnCollectiveBroadcast:
      if (c.input(0) != nullptr) c.expectResult(0, *c.input(0), "the shape of the operand");
      return;
    case OpKind::TtirAllGather:
    case OpKind::TtnnAllGather: return checkScaledDim(c, "all_gather_dim", true);
    case OpKind::TtirReduceScatter:
    case OpKind::TtnnReduceScatter: return checkScaledDim(c, "scatter_dim", false);
    case OpKind::TtirMeshPartition:
    case OpKind::TtnnMeshPartition: return checkScaledDim(c, "dim", false);
    default: return;
  }
}

}  // namespace tessera
