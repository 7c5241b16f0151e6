// Rotary embedding, heads, key/value caches, and collectives as one device of a mesh sees them.

#include <optional>

#include "core/execute/kernel.h"

namespace tessera {

namespace {

// x * cos + rotate_half(x) * sin, with rotate_half(x) = (-second half, first half).
void runRotary(KernelCall& c) {
  if (!c.inputs(3)) return;
  const HostTensor& x = c.input(0);
  const HostTensor& cosine = c.input(1);
  const HostTensor& sine = c.input(2);
  std::optional<Shape> a = broadcastOf(x.shape, cosine.shape), b = broadcastOf(x.shape, sine.shape);
  bool fits =
      !x.shape.empty() && x.shape.back() % 2 == 0 && a && *a == x.shape && b && *b == x.shape && c.in.size() == 3;
  if (!c.need(fits, "cos and sin do not broadcast to the operand")) return;
  // The library's result has whole tiles of rows; what is past the operand's is padding.
  Shape shape = x.shape;
  const TensorType* type = c.resultType();
  size_t row = shape.size() - 2;
  if (shape.size() >= 2 && type != nullptr && type->shape.size() == shape.size() && type->shape[row] > shape[row])
    shape[row] = type->shape[row];
  if (!c.make(0, shape, true)) return;
  std::vector<size_t> places = stridesOf(shape);
  int64_t width = x.shape.back(), half = width / 2;
  Odometer at(x.shape, {broadcastStrides(cosine.shape, x.shape), broadcastStrides(sine.shape, x.shape), places});
  for (size_t i = 0; i < x.size(); ++i, at.next()) {
    int64_t d = at.index().back();
    double rotated = d < half ? -x.at(i + static_cast<size_t>(half)) : x.at(i - static_cast<size_t>(half));
    c.out[0].f[at.offset(2)] = static_cast<float>(x.at(i) * cosine.at(at.offset(0)) + rotated * sine.at(at.offset(1)));
  }
}

// [batch, heads, rows, width] to [batch, rows, heads * width].
void runConcatHeads(KernelCall& c) {
  if (!c.inputs(1) || !c.need(c.input(0).shape.size() == 4, "the operand must have rank 4")) return;
  const Shape& in = c.input(0).shape;
  const TensorType* type = c.resultType();
  Shape flat = {in[0], in[2], in[1] * in[3]}, four = {in[0], 1, in[2], in[1] * in[3]};
  if (!c.make(0, type != nullptr && type->shape == four ? four : flat, true)) return;
  std::vector<size_t> s = stridesOf(in);
  Odometer at({in[0], in[2], in[1], in[3]}, {{s[0], s[2], s[1], s[3]}});
  for (float& y : c.out[0].f) {
    y = static_cast<float>(c.input(0).at(at.offset(0)));
    at.next();
  }
}

// [batch, rows, (heads + 2 * kv heads) * width] to queries, keys and values [batch, heads, rows, width]; keys may be
// turned. With a second operand the first has the queries alone.
void runSplitHeads(KernelCall& c) {
  if (!c.inputs(1)) return;
  const HostTensor& x = c.input(0);
  const HostTensor* both = c.optionalInput(1, 1);
  const int64_t heads = c.integer("num_heads", 0), keys = c.integer("num_kv_heads", heads);
  const bool turned = c.flag("transpose_key", false);
  int64_t parts = both != nullptr ? heads : heads + 2 * keys;
  bool fits = x.shape.size() == 3 && heads > 0 && keys > 0 && c.out.size() == 3 && x.shape[2] % parts == 0;
  int64_t width = fits ? x.shape[2] / parts : 0;
  fits = fits && (both == nullptr || (both->shape.size() == 3 && both->shape[0] == x.shape[0] &&
                                      both->shape[1] == x.shape[1] && both->shape[2] == 2 * keys * width));
  if (!c.need(fits, "the operand does not have the columns of all heads")) return;
  for (size_t role = 0; role < 3; ++role) {
    const HostTensor& from = role > 0 && both != nullptr ? *both : x;
    int64_t count = role == 0 ? heads : keys;
    int64_t first = role == 0 ? 0 : (both != nullptr ? 0 : heads * width) + (role == 2 ? keys * width : 0);
    Shape shape = {x.shape[0], count, x.shape[1], width};
    if (role == 1 && turned) std::swap(shape[2], shape[3]);
    if (!c.make(role, shape, true)) return;
    Odometer at(shape, {});
    for (float& y : c.out[role].f) {
      int64_t row = at.index()[role == 1 && turned ? 3 : 2], column = at.index()[role == 1 && turned ? 2 : 3];
      int64_t place = (at.index()[0] * x.shape[1] + row) * from.shape[2] + first + at.index()[1] * width + column;
      y = static_cast<float>(from.at(static_cast<size_t>(place)));
      at.next();
    }
  }
}

// cache[offset + b, :, 0 .. rows, :] = input[b].
void runFillCache(KernelCall& c) {
  if (!c.inputs(2)) return;
  HostTensor& cache = *c.in[0];
  const HostTensor& x = c.input(1);
  int64_t offset = c.integer("batch_offset", 0);
  bool fits = cache.shape.size() == 4 && x.shape.size() == 4 && cache.real == x.real && cache.shape[1] == x.shape[1] &&
              cache.shape[3] == x.shape[3] && offset >= 0 && offset <= cache.shape[0] &&
              x.shape[0] <= cache.shape[0] - offset && x.shape[2] <= cache.shape[2];
  if (!c.need(fits, "the input does not fit into the cache")) return;
  std::vector<size_t> s = stridesOf(cache.shape);
  Odometer at(x.shape, {s});
  for (size_t i = 0; i < x.size(); ++i, at.next())
    cache.set(static_cast<size_t>(offset) * s[0] + at.offset(0), x.at(i));
  if (!c.out.empty()) c.out[0] = cache;
}

// cache[offset + b, h, index, :] = input[0, h, b, :]; one index for all batches, or one each.
void runUpdateCache(KernelCall& c) {
  if (!c.inputs(3)) return;
  HostTensor& cache = *c.in[0];
  const HostTensor& x = c.input(1);
  const HostTensor& index = c.input(2);
  int64_t offset = c.integer("batch_offset", 0);
  bool fits = cache.shape.size() == 4 && x.shape.size() == 4 && cache.real == x.real && x.shape[0] == 1 &&
              cache.shape[1] == x.shape[1] && cache.shape[3] == x.shape[3] && offset >= 0 && offset <= cache.shape[0] &&
              x.shape[2] <= cache.shape[0] - offset && index.size() >= 1;
  if (!c.need(fits, "the input does not fit into the cache")) return;
  std::vector<size_t> s = stridesOf(cache.shape);
  Odometer at(x.shape, {});
  for (size_t i = 0; i < x.size(); ++i, at.next()) {
    auto batch = static_cast<size_t>(at.index()[2]);
    int64_t row = index.integerAt(batch < index.size() ? batch : 0);
    if (!c.need(row >= 0 && row < cache.shape[2], "the index is outside of the cache")) return;
    cache.set((static_cast<size_t>(offset) + batch) * s[0] + static_cast<size_t>(at.index()[1]) * s[1] +
                  static_cast<size_t>(row) * s[2] + static_cast<size_t>(at.index()[3]),
              x.at(i));
  }
  if (!c.out.empty()) c.out[0] = cache;
}

// Where the rows of a paged cache [pages, heads, rows of a page, width] lie: row r of user u in page table[u][r /
// rows].
struct PagedRows {
  const HostTensor& cache;
  const HostTensor& table;  // [users, pages of each]

  // Of head 0; nothing outside of the cache.
  std::optional<size_t> place(int64_t user, int64_t row) const {
    const int64_t each = cache.shape[2], page = row / each;
    if (row < 0 || user < 0 || user >= table.shape[0] || page >= table.shape[1]) return {};
    const int64_t at = table.integerAt(static_cast<size_t>(user * table.shape[1] + page));
    if (at < 0 || at >= cache.shape[0]) return {};
    return static_cast<size_t>((at * cache.shape[1] * each + row % each) * cache.shape[3]);
  }
};

// Row `at` of head h of the cache becomes the row of the operand that begins at `from`.
void writeRow(HostTensor& cache, size_t at, int64_t head, const HostTensor& x, size_t from) {
  const size_t to = at + static_cast<size_t>(head * cache.shape[2] * cache.shape[3]);
  for (size_t d = 0; d < static_cast<size_t>(cache.shape[3]); ++d) cache.set(to + d, x.at(from + d));
}

bool pagedShapes(KernelCall& c, const HostTensor& table) {
  const Shape &cache = c.input(0).shape, &x = c.input(1).shape;
  const bool fits = cache.size() == 4 && x.size() == 4 && table.shape.size() == 2 && !table.real && cache[2] > 0 &&
                    cache[3] == x[3] && c.input(0).real == c.input(1).real;
  return c.need(fits, "the input does not fit into the pages");
}

// [batch, heads, rows, width] from row 0 of the users that the last operand names, or of user 0.
void runPagedFillCache(KernelCall& c) {
  if (!c.inputs(3) || !pagedShapes(c, c.input(2))) return;
  HostTensor& cache = *c.in[0];
  const HostTensor& x = c.input(1);
  const HostTensor* users = c.optionalInput(3, 3);
  const bool fits = x.shape[1] == cache.shape[1] &&
                    (users == nullptr ? x.shape[0] == 1 : static_cast<int64_t>(users->size()) == x.shape[0]);
  if (!c.need(fits, "the input does not fit into the pages")) return;
  const PagedRows rows{cache, c.input(2)};
  size_t from = 0;
  for (int64_t b = 0; b < x.shape[0]; ++b)
    for (int64_t h = 0; h < x.shape[1]; ++h)
      for (int64_t r = 0; r < x.shape[2]; ++r, from += static_cast<size_t>(x.shape[3])) {
        const auto at = rows.place(users == nullptr ? 0 : users->integerAt(static_cast<size_t>(b)), r);
        if (!c.need(at.has_value(), "a row is outside of the cache")) return;
        writeRow(cache, *at, h, x, from);
      }
  if (!c.out.empty()) c.out[0] = cache;
}

// [1, users, heads, width], heads beyond those of the cache being padding: of each user the row that the third operand
// says.
void runPagedUpdateCache(KernelCall& c) {
  if (!c.inputs(3)) return;
  const HostTensor* table = c.optionalInput(3, 3);
  if (!c.known(table != nullptr, "only caches with a page table are updated by rows of users") ||
      !pagedShapes(c, *table))
    return;
  HostTensor& cache = *c.in[0];
  const HostTensor &x = c.input(1), &row = c.input(2);
  const bool fits = x.shape[0] == 1 && static_cast<int64_t>(row.size()) == x.shape[1] &&
                    table->shape[0] == x.shape[1] && x.shape[2] >= cache.shape[1];
  if (!c.need(fits, "the input does not fit into the pages")) return;
  const PagedRows rows{cache, *table};
  for (int64_t u = 0; u < x.shape[1]; ++u) {
    const auto at = rows.place(u, row.integerAt(static_cast<size_t>(u)));
    if (!c.need(at.has_value(), "a row is outside of the cache")) return;
    for (int64_t h = 0; h < cache.shape[1]; ++h)
      writeRow(cache, *at, h, x, static_cast<size_t>((u * x.shape[2] + h) * x.shape[3]));
  }
  if (!c.out.empty()) c.out[0] = cache;
}

// The first device of the mesh: it keeps the first part of what is split.
void runPartition(KernelCall& c) {
  size_t dim = 0;
  const TensorType* type = c.resultType();
  if (!c.inputs(1) || !c.need(type != nullptr, "the result is no tensor")) return;
  const HostTensor& x = c.input(0);
  if (!c.dim(c.integer(c.has("scatter_dim") ? "scatter_dim" : "dim", 0), x.shape.size(), dim)) return;
  Shape shape = x.shape;
  if (!c.need(type->shape.size() == shape.size() && type->shape[dim] <= shape[dim],
              "the result is no part of the operand"))
    return;
  shape[dim] = type->shape[dim];
  if (!c.make(0, shape, x.real)) return;
  Odometer at(shape, {stridesOf(x.shape)});
  for (size_t i = 0; i < c.out[0].size(); ++i, at.next()) {
    if (x.real) c.out[0].f[i] = x.f[at.offset(0)];
    else c.out[0].i[i] = x.i[at.offset(0)];
  }
}

// The other devices are taken to contribute zero to a sum, and the same to a gather.
void runAllReduce(KernelCall& c) {
  if (c.inputs(1) && c.make(0, c.input(0).shape, c.input(0).real)) c.out[0] = *c.in[0];
}

void runAllGather(KernelCall& c) {
  size_t dim = 0;
  const TensorType* type = c.resultType();
  if (!c.inputs(1) || !c.need(type != nullptr, "the result is no tensor")) return;
  const HostTensor& x = c.input(0);
  if (!c.dim(c.integer("all_gather_dim", 0), x.shape.size(), dim)) return;
  Shape shape = x.shape;
  if (!c.need(type->shape.size() == shape.size() && shape[dim] > 0 && type->shape[dim] % shape[dim] == 0,
              "the result is no multiple of the operand"))
    return;
  shape[dim] = type->shape[dim];
  if (!c.make(0, shape, x.real)) return;
  std::vector<size_t> strides = stridesOf(x.shape);
  Odometer at(shape, {});
  for (size_t i = 0; i < c.out[0].size(); ++i, at.next()) {
    size_t from = 0;
    for (size_t d = 0; d < shape.size(); ++d) from += static_cast<size_t>(at.index()[d] % x.shape[d]) * strides[d];
    c.out[0].set(i, x.at(from));
  }
}

}  // namespace

constinit const NamedKernel kTransformerKernels[] = {
    {"rotary_embedding", runRotary},
    {"concatenate_heads", runConcatHeads},
    {"nlp_concat_heads", runConcatHeads},
    {"split_query_key_value_and_split_heads", runSplitHeads},
    {"fill_cache", runFillCache},
    {"update_cache", runUpdateCache},
    {"paged_fill_cache", runPagedFillCache},
    {"paged_update_cache", runPagedUpdateCache},
    {"mesh_partition", runPartition},
    {"reduce_scatter", runPartition},
    {"all_reduce", runAllReduce},
    {"all_gather", runAllGather},
    {"", nullptr},
};

}  // namespace tessera
