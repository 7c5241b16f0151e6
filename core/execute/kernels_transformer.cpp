// Attention, rotary embedding, heads, key/value caches, and collectives as one device of a mesh sees them.

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/execute/kernel.h"

namespace tessera {

namespace {

struct AttentionShape {
  int64_t batch, heads, keyHeads, queries, keys, width, valueWidth;
  // Strides of batch, head, row in the query and in the result.
  size_t qBatch, qHead, qRow, oBatch, oHead, oRow;
  bool decode;  // one query, which stands before the heads in the query and in the mask

  Shape scores() const { return decode ? Shape{batch, queries, heads, keys} : Shape{batch, heads, queries, keys}; }
};

// The keys that a query sees: those from `back` before its own place to `ahead` behind it.
struct KeyRange {
  int64_t back, ahead;
};

// All keys, or up to the query's own; within a window of so many of them, or of half as many to either side.
KeyRange keyRange(bool causal, int64_t window) {
  constexpr int64_t kAll = std::numeric_limits<int64_t>::max();
  if (window <= 0) return {kAll, causal ? 0 : kAll};
  return causal ? KeyRange{window - 1, 0} : KeyRange{window / 2, window / 2};
}

// Keys [width][keys] and values [keys][valueWidth] of one head: the keys are transposed for addTo().
struct KeyHead {
  std::vector<double> keys, values;
};

KeyHead keyHead(const AttentionShape& s, const HostTensor& k, const HostTensor& v, size_t firstKey) {
  const auto keys = static_cast<size_t>(s.keys), width = static_cast<size_t>(s.width),
             valueWidth = static_cast<size_t>(s.valueWidth);
  KeyHead head{std::vector<double>(width * keys), std::vector<double>(keys * valueWidth)};
  for (size_t j = 0; j < keys; ++j)
    for (size_t d = 0; d < width; ++d) head.keys[d * keys + j] = k.at((firstKey + j) * width + d);
  for (size_t i = 0; i < head.values.size(); ++i) head.values[i] = v.at(firstKey * valueWidth + i);
  return head;
}

// `sink`: one more score per head beside those of the keys, times `sinkScale`, whose weight is dropped; null without
// one.
void attend(const KernelCall& c, const AttentionShape& s, const HostTensor* mask, const Shape& maskShape,
            const HostTensor* sink, double scale, double sinkScale, KeyRange range, HostTensor& y) {
  const HostTensor& q = c.input(0);
  std::vector<size_t> maskStrides = mask != nullptr ? broadcastStrides(maskShape, s.scores()) : std::vector<size_t>();
  if (mask != nullptr && s.decode) std::swap(maskStrides[1], maskStrides[2]);
  const auto width = static_cast<size_t>(s.width), keys = static_cast<size_t>(s.keys);
  std::vector<double> scores(keys), values(static_cast<size_t>(s.valueWidth));
  KeyHead head;
  for (int64_t b = 0; b < s.batch; ++b)
    for (int64_t h = 0; h < s.heads; ++h) {
      const int64_t sharing = s.heads / s.keyHeads;  // heads in a row that read the same keys
      if (h % sharing == 0)
        head = keyHead(s, c.input(1), c.input(2), static_cast<size_t>(b * s.keyHeads + h / sharing) * keys);
      for (int64_t r = 0; r < s.queries; ++r) {
        size_t qAt =
            static_cast<size_t>(b) * s.qBatch + static_cast<size_t>(h) * s.qHead + static_cast<size_t>(r) * s.qRow;
        const double least = -std::numeric_limits<double>::infinity();
        const double dropped = sink != nullptr ? sink->at(static_cast<size_t>(h)) * sinkScale : least;
        double top = dropped;
        std::fill(scores.begin(), scores.end(), 0.0);
        for (size_t d = 0; d < width; ++d) addTo(scores, q.at(qAt + d), head.keys.data() + d * keys);
        for (size_t j = 0; j < keys; ++j) {
          double score = scores[j] * scale;
          if (mask != nullptr)
            score += mask->at(static_cast<size_t>(b) * maskStrides[0] + static_cast<size_t>(h) * maskStrides[1] +
                              static_cast<size_t>(r) * maskStrides[2] + j * maskStrides[3]);
          const int64_t behind = r + s.keys - s.queries - static_cast<int64_t>(j);
          if (behind > range.back || -behind > range.ahead) score = least;
          scores[j] = score;
          top = std::max(top, score);
        }
        double sum = sink != nullptr ? std::exp(dropped - top) : 0.0;
        for (double& score : scores) sum += score = std::exp(score - top);
        size_t out =
            static_cast<size_t>(b) * s.oBatch + static_cast<size_t>(h) * s.oHead + static_cast<size_t>(r) * s.oRow;
        std::fill(values.begin(), values.end(), 0.0);
        for (size_t j = 0; j < keys; ++j) addTo(values, scores[j], head.values.data() + j * values.size());
        for (size_t d = 0; d < values.size(); ++d) y.f[out + d] = static_cast<float>(values[d] / sum);
      }
    }
}

void runAttention(KernelCall& c) {
  if (!c.inputs(3)) return;
  const Shape& q = c.input(0).shape;
  const Shape& k = c.input(1).shape;
  const Shape& v = c.input(2).shape;
  bool decode = c.op.name.find("_decode") != std::string::npos;
  if (!c.need(q.size() == 4 && k.size() == 4 && v.size() == 4, "query, key and value must have rank 4")) return;
  AttentionShape s{};
  s.decode = decode;
  s.batch = k[0];
  s.keyHeads = k[1];
  s.keys = k[2];
  s.width = q[3];
  s.valueWidth = v[3];
  s.heads = decode ? q[2] : q[1];
  s.queries = decode ? q[0] : q[2];
  bool fits = k[3] == q[3] && v[0] == k[0] && v[1] == k[1] && v[2] == k[2] && s.keyHeads > 0 &&
              s.heads % s.keyHeads == 0 && s.batch == (decode ? q[1] : q[0]);
  if (!c.need(fits && (!decode || q[0] == 1), "query, key and value do not fit together")) return;
  const HostTensor* mask = c.optionalInput(3, 3);
  std::vector<int64_t> segments = c.ints("operandSegmentSizes");
  if (segments.size() > 3 && segments[3] == 0) mask = nullptr;
  const size_t beforeSink = mask != nullptr ? 4 : 3;
  const bool sinks = !decode && segments.size() == 5 && segments[4] == 1;
  const HostTensor* sink = sinks ? c.optionalInput(3, beforeSink) : nullptr;
  const size_t expected = beforeSink + (sink != nullptr ? 1 : 0);
  if (!c.known(c.in.size() <= expected, "positions, page tables and sinks of one query are not executed")) return;
  if (!c.need(sink == nullptr || sink->shape == Shape{1, s.heads, 1, 1}, "the sink is not one number per head")) return;
  Shape maskShape;
  if (mask != nullptr) {
    maskShape = mask->shape;
    std::optional<Shape> both = broadcastOf(maskShape, s.scores());
    if (!c.need(both && *both == s.scores(), "the mask does not broadcast to the scores")) return;
  }
  Shape shape = q;
  shape[3] = s.valueWidth;
  if (!c.make(0, shape, true)) return;
  std::vector<size_t> sq = stridesOf(q), so = stridesOf(shape);
  s.qBatch = sq[decode ? 1 : 0];
  s.qHead = sq[decode ? 2 : 1];
  s.qRow = sq[decode ? 0 : 2];
  s.oBatch = so[decode ? 1 : 0];
  s.oHead = so[decode ? 2 : 1];
  s.oRow = so[decode ? 0 : 2];
  double scale = c.number("scale", 1.0 / std::sqrt(static_cast<double>(s.width)));
  bool causal = !decode && c.flag("is_causal", mask == nullptr);
  const int64_t window = c.integer("sliding_window_size", 0);
  if (!c.known(!decode || window <= 0, "sliding windows of one query are not executed")) return;
  // The library's kernel scales the sink like a score (tt-metal issue 40470); TTIR's op does not.
  const double sinkScale = c.op.name.rfind("ttnn.", 0) == 0 ? scale : 1.0;
  attend(c, s, mask, maskShape, sink, scale, sinkScale, keyRange(causal, window), c.out[0]);
}

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
    {"scaled_dot_product_attention", runAttention},
    {"scaled_dot_product_attention_decode", runAttention},
    {"rotary_embedding", runRotary},
    {"concatenate_heads", runConcatHeads},
    {"nlp_concat_heads", runConcatHeads},
    {"split_query_key_value_and_split_heads", runSplitHeads},
    {"fill_cache", runFillCache},
    {"update_cache", runUpdateCache},
    {"mesh_partition", runPartition},
    {"reduce_scatter", runPartition},
    {"all_reduce", runAllReduce},
    {"all_gather", runAllGather},
    {"", nullptr},
};

}  // namespace tessera
