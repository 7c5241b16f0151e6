// Sizes of attention and of what it reads: caches, and their pages.

#include <algorithm>

#include "core/execute/dim_relations.h"
#include "core/ir/constant_value.h"

namespace tessera {

bool DimRelations::cache(const Op& op) {
  if (op.name.find("paged_") != std::string::npos) return pagedCache(op);
  const Dims& c = in(op, 0);
  const Dims& x = in(op, 1);
  if (c.size() != 4 || x.size() != 4) return true;
  if (!op.results.empty()) same(c, out(op));
  solver_.equal(c[1], x[1]);
  solver_.equal(c[3], x[3]);
  bool fill = op.name.find("fill_cache") != std::string::npos;
  if (!fill) {
    solver_.equal(c[0], x[2]);
    return true;
  }
  solver_.atLeast(c[0], integer(op, "batch_offset", 0) + solver_.sizeOf(x[0]));
  if (solver_.sizeOf(x[0]) > 1) solver_.equal(c[0], x[0]);
  // The cache holds at least what is filled in.
  DimVar rest = solver_.add(std::max<int64_t>(solver_.sizeOf(c[2]) - solver_.sizeOf(x[2]), 1));
  if (solver_.sizeOf(c[2]) > solver_.sizeOf(x[2])) solver_.sum(c[2], {x[2], rest}, 0);
  else solver_.equal(c[2], x[2]);
  return true;
}

// Pages [pages, heads, rows of each, width] and the table [users, pages of each user]. Which rows a page has stays.
bool DimRelations::pagedCache(const Op& op) {
  const Dims &c = in(op, 0), &x = in(op, 1);
  if (c.size() != 4 || x.size() != 4) return true;
  if (!op.results.empty()) same(c, out(op));
  solver_.equal(c[3], x[3]);
  solver_.fix(c[2]);
  const bool fill = op.name.find("fill_cache") != std::string::npos;
  const size_t table = fill ? 2 : 3;
  if (!tensor(op, table) || in(op, table).size() != 2) return true;
  const Dims& pages = in(op, table);
  if (fill) {
    solver_.equal(x[1], c[1]);
    // All rows lie in the pages of a user.
    for (DimVar var : {x[2], pages[1], pages[0]}) solver_.fix(var);
    if (tensor(op, 3) && in(op, 3).size() == 1) solver_.equal(in(op, 3)[0], x[0]);
    return true;
  }
  if (solver_.sizeOf(c[1]) == solver_.sizeOf(x[2])) solver_.equal(c[1], x[2]);
  else
    for (DimVar var : {c[1], x[2]}) solver_.fix(var);
  solver_.equal(x[1], pages[0]);
  if (in(op, 2).size() == 1) solver_.equal(in(op, 2)[0], x[1]);
  return true;
}

bool DimRelations::attention(OpId id, const Op& op) {
  if (op.kind != OpKind::TtirScaledDotProductAttention && op.kind != OpKind::TtnnScaledDotProductAttention)
    return oneQuery(id, op);
  const Dims& q = in(op, 0);
  const Dims& k = in(op, 1);
  const Dims& v = in(op, 2);
  if (q.size() != 4 || k.size() != 4 || v.size() != 4) return true;
  solver_.equal(q[0], k[0]);
  solver_.equal(q[3], k[3]);
  ratio(q[1], k[1]);
  for (size_t d = 0; d < 3; ++d) solver_.equal(k[d], v[d]), solver_.equal(q[d], out(op)[d]);
  solver_.equal(v[3], out(op)[3]);
  if (tensor(op, 3)) broadcast(in(op, 3), {q[0], q[1], q[2], k[2]});
  return true;
}

// Attention of one query per user, and of a chunk of queries, over whole keys or over pages: the query is [1, users,
// heads, width], that of a chunk [users, heads, rows, width]. Whatever else it reads has a size per user, or stays.
bool DimRelations::oneQuery(OpId id, const Op& op) {
  static constexpr std::string_view kForms[] = {
      "scaled_dot_product_attention_decode", "paged_scaled_dot_product_attention_decode",
      "paged_flash_multi_latent_attention_decode", "chunked_scaled_dot_product_attention"};
  const size_t form = static_cast<size_t>(
      std::find(std::begin(kForms), std::end(kForms), std::string_view(op.name).substr(5)) - std::begin(kForms));
  const Dims &q = in(op, 0), &k = in(op, 1), &y = out(op);
  if (form == std::size(kForms) || q.size() != 4 || k.size() != 4 || y.size() != 4)
    return fail(id, "no rule for its sizes");
  const bool chunk = form == 3, paged = form != 0;
  const DimVar users = q[chunk ? 0 : 1], heads = q[chunk ? 1 : 2];
  for (size_t d = 0; d < 3; ++d) solver_.equal(q[d], y[d]);
  solver_.equal(q[3], k[3]);
  if (solver_.sizeOf(k[1]) != 1) ratio(heads, k[1]);  // any number of heads shares the keys of one
  if (paged) solver_.fix(k[2]);
  else solver_.equal(users, k[0]);
  const bool ownValues = op.operands.size() > 2 && in(op, 2).size() == 4 && tensor(op, 2);
  if (ownValues) {
    for (size_t d = 0; d < 3; ++d) solver_.equal(k[d], in(op, 2)[d]);
    solver_.equal(in(op, 2)[3], y[3]);
    if (paged && solver_.sizeOf(k[3]) == solver_.sizeOf(y[3])) solver_.equal(k[3], y[3]);  // caches of one shape
  }
  if (form == 2) {  // values are so many numbers of the keys, as an attribute says
    for (DimVar var : {k[3], y[3]}) solver_.fix(var);
    if (ownValues) solver_.fix(in(op, 2)[3]);
  }
  for (size_t i = ownValues ? 3 : 2; i < op.operands.size(); ++i) {
    if (!tensor(op, i)) continue;
    const Dims& other = in(op, i);
    const bool flat = other.size() == 1 || other.size() == 2;
    const bool sink = flat && isFloatType(graph_.values[op.operands[i]].type.tensor->dtype);
    const DimVar first = sink ? heads : users;  // positions and page tables have a row per user
    if (flat && solver_.sizeOf(other[0]) == solver_.sizeOf(first)) solver_.equal(other[0], first);
    else if (other.size() == 4 && !paged &&
             (solver_.sizeOf(other[3]) == solver_.sizeOf(k[2]) || solver_.sizeOf(other[3]) == 1))
      broadcast(other, {users, q[0], heads, k[2]});                                                  // the mask
    else if (other.size() == 4 && solver_.sizeOf(other[3]) == solver_.sizeOf(y[3])) same(other, y);  // what is written
    else
      for (DimVar var : other) solver_.fix(var);
  }
  return true;
}

}  // namespace tessera
