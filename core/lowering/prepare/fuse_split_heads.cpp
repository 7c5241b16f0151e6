// Queries, keys and values cut out of one product and taken apart into heads: one op of the library (tt-mlir
// lib/Dialect/TTNN/Transforms/Fusing/SplitQKVFusingPatterns.cpp).

#include <algorithm>

#include "core/lowering/prepare/fuse.h"
#include "core/lowering/prepare/view_map.h"
#include "core/lowering/prepare/views.h"

namespace tessera {

namespace {

enum Role : size_t { kQuery, kKey, kValue };
constexpr size_t kRoles = 3;

// slice, reshape to [batch, rows, heads, width], permute to [batch, heads, rows, width]; the permute may be missing
// where it would move nothing.
struct Head {
  OpId last;  // of the chain
  OpId reshape;
  int64_t from = 0, to = 0;  // columns of the product
  Shape shape;               // of the last
  size_t role = kRoles;
  int64_t heads() const { return shape[1]; }
};

const Shape& oldShapeOf(const PatternRewriter& p, ValueId value) {
  return p.oldGraph().values[value].type.tensor->shape;
}

OpId onlyReader(const PatternRewriter& p, OpId op) {
  std::span<const OpId> readers = p.readers(op);
  return readers.size() == 1 ? readers.front() : OpId{};
}

// The columns that the slice takes, all of the other dims; nothing when it is another slice.
bool takesColumns(const PatternRewriter& p, OpId slice, const Shape& whole, Head& head) {
  const Op& op = p.old(slice);
  std::vector<int64_t> begins = p.ints(op, "begins"), ends = p.ints(op, "ends"), steps = p.ints(op, "step");
  if (begins.size() != whole.size() || ends.size() != whole.size() || steps.size() != whole.size()) return false;
  for (size_t d = 0; d < whole.size(); ++d) {
    bool all = begins[d] == 0 && ends[d] == whole[d];
    if (steps[d] != 1 || (d + 1 < whole.size() && !all)) return false;
  }
  head.from = begins.back();
  head.to = ends.back();
  return true;
}

std::optional<Head> headBehind(const PatternRewriter& p, OpId slice, const Shape& whole) {
  Head head;
  if (p.kind(slice) != OpKind::TtirSliceStatic || !takesColumns(p, slice, whole, head)) return {};
  OpId reshape = onlyReader(p, slice);
  if (!reshape.valid() || p.kind(reshape) != OpKind::TtirReshape) return {};
  const Shape four = oldShapeOf(p, p.old(reshape).results[0]);
  if (four.size() != 4) return {};
  OpId permute = onlyReader(p, reshape);
  bool turned = permute.valid() && p.kind(permute) == OpKind::TtirPermute &&
                permutationOf(p.old(permute)) == std::vector<int64_t>{0, 2, 1, 3};
  int64_t rows = 1, columns = head.to - head.from;
  for (size_t d = 0; d + 1 < whole.size(); ++d) rows *= whole[d];
  bool split = turned ? four[0] * four[1] == rows && four[2] * four[3] == columns
                      : four[0] * four[2] == rows && four[1] * four[3] == columns && (four[1] == 1 || four[2] == 1);
  if (!split) return {};
  head.reshape = reshape;
  head.last = turned ? permute : reshape;
  head.shape = oldShapeOf(p, p.old(head.last).results[0]);
  return head;
}

// The operand of an attention that the value reaches; kRoles when it reaches none or several.
size_t roleOf(const PatternRewriter& p, ValueId start) {
  constexpr size_t kMostValues = 256;
  std::vector<ValueId> open = {start};
  size_t found = kRoles;
  for (size_t next = 0; next < open.size() && next < kMostValues; ++next) {
    for (OpId reader : p.readersOfOld(open[next])) {
      const Op& op = p.old(reader);
      bool attention = op.kind == OpKind::TtirScaledDotProductAttention ||
                       op.kind == OpKind::TtirScaledDotProductAttentionDecode ||
                       op.kind == OpKind::TtirPagedScaledDotProductAttentionDecode;
      for (size_t i = 0; attention && i < std::min(op.operands.size(), kRoles); ++i) {
        if (op.operands[i] != open[next]) continue;
        if (found != kRoles && found != i) return kRoles;
        found = i;
      }
      for (ValueId result : op.results) {
        if (!attention && std::find(open.begin(), open.end(), result) == open.end()) open.push_back(result);
      }
    }
  }
  return found;
}

// Each head's role: what attention does with it, or by their numbers: the queries have the most heads, and come first.
bool assignRoles(const PatternRewriter& p, std::vector<Head>& heads) {
  size_t known = 0, seen = 0;
  for (Head& head : heads) {
    head.role = roleOf(p, p.old(head.last).results[0]);
    known += head.role != kRoles ? 1 : 0;
    seen |= head.role != kRoles ? size_t{1} << head.role : 0;
  }
  if (known == kRoles) return seen == 7;
  if (known != 0) return false;
  size_t query = 0;
  for (size_t i = 1; i < kRoles; ++i) query = heads[i].heads() > heads[query].heads() ? i : query;
  size_t next = kKey;
  for (size_t i = 0; i < kRoles; ++i) heads[i].role = i == query ? static_cast<size_t>(kQuery) : next++;
  return true;
}

// The three chains behind the product, by their columns, which follow each other from the first on.
std::vector<Head> headsOf(const PatternRewriter& p, OpId root) {
  std::vector<Head> heads;
  for (OpId reader : p.readers(root)) {
    if (std::optional<Head> head = headBehind(p, reader, p.resultShape(root))) heads.push_back(std::move(*head));
  }
  std::sort(heads.begin(), heads.end(), [](const Head& a, const Head& b) { return a.from < b.from; });
  if (heads.size() != kRoles || heads[0].from != 0 || heads[1].from != heads[0].to || heads[2].from != heads[1].to ||
      !assignRoles(p, heads))
    return {};
  const Head *q = nullptr, *k = nullptr, *v = nullptr;
  for (const Head& head : heads) (head.role == kQuery ? q : head.role == kKey ? k : v) = &head;
  bool fit =
      q->shape[3] == k->shape[3] && k->shape == v->shape && q->shape[0] == k->shape[0] && q->shape[2] == k->shape[2];
  return fit ? heads : std::vector<Head>();
}

// The weight or bias with its columns in the order of the roles: its concat in another order. What stands behind the
// three stays there.
ValueId inOrderOfRoles(PatternRewriter& p, OpId root, ValueId value, const std::vector<Head>& heads) {
  bool ordered = true;
  for (size_t i = 0; i < kRoles; ++i) ordered = ordered && heads[i].role == i;
  if (ordered) return value;
  OpId concat = p.def(value, OpKind::TtirConcat);
  if (!concat.valid() || p.op(concat).operands.size() < kRoles) return {};
  OpSpec spec = p.specOf(concat);
  const size_t dim = static_cast<size_t>(std::max<int64_t>(p.integer(p.op(concat), "dim", 0), 0));
  for (size_t i = 0; i < kRoles; ++i) {
    ValueId part = p.read(concat, i);
    if (!part.valid() || dim >= p.shape(part).size() || p.shape(part)[dim] != heads[i].to - heads[i].from) return {};
    spec.operands[heads[i].role] = part;
  }
  return p.emit(root, std::move(spec));
}

}  // namespace

bool fuseSplitHeads(PatternRewriter& p, OpId root) {
  bool product = p.kind(root) == OpKind::TtirMatmul || p.kind(root) == OpKind::TtirLinear;
  if (!product || p.inputs(root) < 2 || p.readers(root).size() < kRoles) return false;
  std::vector<Head> heads = headsOf(p, root);
  if (heads.empty()) return false;
  OpSpec spec{p.kind(root), p.old(root).name, {p.in(root, 0)}, {p.type(root)}, p.old(root).attrs, {}, {}, {}, {}};
  for (size_t i = 1; i < p.inputs(root); ++i) {
    spec.operands.push_back(inOrderOfRoles(p, root, p.in(root, i), heads));
    if (!spec.operands.back().valid()) return false;
  }
  ValueId all = p.replace(root, std::move(spec));
  const Shape whole = p.shape(all);
  const int64_t columns = heads.back().to;
  if (columns != whole.back()) {
    Shape ends = whole;
    ends.back() = columns;
    OpSpec slice = makeOp(OpKind::TtirSliceStatic, {all}, {p.typeWith(p.typeOf(all), ends)});
    slice.attrs = {{"begins", intListAttr(Shape(whole.size(), 0))},
                   {"ends", intListAttr(ends)},
                   {"step", intListAttr(Shape(whole.size(), 1))}};
    all = p.emit(root, std::move(slice));
  }
  std::vector<const Head*> byRole(kRoles);
  for (const Head& head : heads) byRole[head.role] = &head;
  const Shape& query = byRole[kQuery]->shape;
  ValueId input = p.emitReshape(root, all, {query[0], query[2], columns});
  OpSpec split = makeOp(OpKind::TtirSplitQueryKeyValueAndSplitHeads, {input}, {});
  for (const Head* head : byRole) split.resultTypes.push_back(p.typeWith(p.type(root), head->shape));
  split.attrs = {{"num_heads", intAttr(query[1], "ui32")}, {"transpose_key", boolAttr(false)}};
  if (byRole[kKey]->heads() != query[1])
    split.attrs.push_back({"num_kv_heads", intAttr(byRole[kKey]->heads(), "ui32")});
  const std::vector<ValueId> results = p.op(p.def(p.emit(root, std::move(split)))).results;
  for (size_t i = 0; i < kRoles; ++i) p.settle(byRole[i]->last, results[i]);
  p.note(results[0], "split_query_key_value_and_split_heads from three slices");
  return true;
}

}  // namespace tessera
