// Attention: over whole keys and values, of one query to a position of its own, and over the pages of a cache.

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/execute/kernel.h"
#include "core/ops/table/op_table.h"

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

struct Attention {
  AttentionShape shape{};
  const HostTensor* query = nullptr;
  const HostTensor* key = nullptr;    // [batch, key heads, keys, width]
  const HostTensor* value = nullptr;  // [batch, key heads, keys, value width]
  const HostTensor* mask = nullptr;   // broadcasts to the scores; null without one
  const HostTensor* sink = nullptr;   // one more score per head, whose weight is dropped; null without one
  size_t sinkStride = 1;              // from one head's to the next: the library pads each to a row of a tile
  double scale = 1, sinkScale = 1;
  KeyRange range{};
  std::vector<int64_t> places;  // of the first query among the keys, one per batch
};

// Keys [width][keys] and values [keys][valueWidth] of one head: the keys are transposed for addTo().
struct KeyHead {
  std::vector<double> keys, values;
};

KeyHead keyHead(const Attention& a, size_t firstKey) {
  const auto keys = static_cast<size_t>(a.shape.keys), width = static_cast<size_t>(a.shape.width),
             valueWidth = static_cast<size_t>(a.shape.valueWidth);
  KeyHead head{std::vector<double>(width * keys), std::vector<double>(keys * valueWidth)};
  for (size_t j = 0; j < keys; ++j)
    for (size_t d = 0; d < width; ++d) head.keys[d * keys + j] = a.key->at((firstKey + j) * width + d);
  for (size_t i = 0; i < head.values.size(); ++i) head.values[i] = a.value->at(firstKey * valueWidth + i);
  return head;
}

void attend(const Attention& a, HostTensor& y) {
  const AttentionShape& s = a.shape;
  std::vector<size_t> maskStrides =
      a.mask != nullptr ? broadcastStrides(a.mask->shape, s.scores()) : std::vector<size_t>();
  if (a.mask != nullptr && s.decode) std::swap(maskStrides[1], maskStrides[2]);
  const auto width = static_cast<size_t>(s.width), keys = static_cast<size_t>(s.keys);
  std::vector<double> scores(keys), values(static_cast<size_t>(s.valueWidth));
  KeyHead head;
  for (int64_t b = 0; b < s.batch; ++b)
    for (int64_t h = 0; h < s.heads; ++h) {
      const int64_t sharing = s.heads / s.keyHeads;  // heads in a row that read the same keys
      if (h % sharing == 0) head = keyHead(a, static_cast<size_t>(b * s.keyHeads + h / sharing) * keys);
      for (int64_t r = 0; r < s.queries; ++r) {
        size_t qAt =
            static_cast<size_t>(b) * s.qBatch + static_cast<size_t>(h) * s.qHead + static_cast<size_t>(r) * s.qRow;
        const double least = -std::numeric_limits<double>::infinity();
        const double dropped =
            a.sink != nullptr ? a.sink->at(static_cast<size_t>(h) * a.sinkStride) * a.sinkScale : least;
        double top = dropped;
        std::fill(scores.begin(), scores.end(), 0.0);
        for (size_t d = 0; d < width; ++d) addTo(scores, a.query->at(qAt + d), head.keys.data() + d * keys);
        for (size_t j = 0; j < keys; ++j) {
          double score = scores[j] * a.scale;
          if (a.mask != nullptr)
            score += a.mask->at(static_cast<size_t>(b) * maskStrides[0] + static_cast<size_t>(h) * maskStrides[1] +
                                static_cast<size_t>(r) * maskStrides[2] + j * maskStrides[3]);
          const int64_t behind = a.places[static_cast<size_t>(b)] + r - static_cast<int64_t>(j);
          if (behind > a.range.back || -behind > a.range.ahead) score = least;
          scores[j] = score;
          top = std::max(top, score);
        }
        double sum = a.sink != nullptr ? std::exp(dropped - top) : 0.0;
        for (double& score : scores) sum += score = std::exp(score - top);
        size_t out =
            static_cast<size_t>(b) * s.oBatch + static_cast<size_t>(h) * s.oHead + static_cast<size_t>(r) * s.oRow;
        std::fill(values.begin(), values.end(), 0.0);
        for (size_t j = 0; j < keys; ++j) addTo(values, scores[j], head.values.data() + j * values.size());
        for (size_t d = 0; d < values.size(); ++d) y.f[out + d] = static_cast<float>(values[d] / sum);
      }
    }
}

// The operands of an op by their roles in the op table, where it says which of them it has (operandSegmentSizes); null
// where one is missing.
class Roles {
 public:
  explicit Roles(const KernelCall& c) : call_(c), segments_(c.ints("operandSegmentSizes")) {}
  bool told() const { return !segments_.empty(); }
  const HostTensor* operator[](std::string_view role) const {
    std::string_view rest = opInfo(call_.op.kind).roles;
    size_t at = 0;
    for (const int64_t size : segments_) {
      const size_t end = std::min(rest.find(' '), rest.size());
      std::string_view name = rest.substr(0, end);
      if (!name.empty() && name.back() == '?') name.remove_suffix(1);
      if (name == role) return size == 1 && call_.hasInput(at) ? call_.in[at] : nullptr;
      at += size == 1 ? 1 : 0;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return nullptr;
  }

 private:
  const KernelCall& call_;
  std::vector<int64_t> segments_;
};

// Sizes and strides from query, key and value; `decode`: the query is [1, batch, heads, width].
bool readSizes(KernelCall& c, bool decode, Attention& a) {
  const Shape &q = a.query->shape, &k = a.key->shape, &v = a.value->shape;
  if (!c.need(q.size() == 4 && k.size() == 4 && v.size() == 4, "query, key and value must have rank 4")) return false;
  AttentionShape& s = a.shape;
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
  if (!c.need(fits && (!decode || q[0] == 1), "query, key and value do not fit together")) return false;
  Shape shape = q;
  shape[3] = s.valueWidth;
  if (!c.make(0, shape, true)) return false;
  std::vector<size_t> sq = stridesOf(q), so = stridesOf(shape);
  s.qBatch = sq[decode ? 1 : 0];
  s.qHead = sq[decode ? 2 : 1];
  s.qRow = sq[decode ? 0 : 2];
  s.oBatch = so[decode ? 1 : 0];
  s.oHead = so[decode ? 2 : 1];
  s.oRow = so[decode ? 0 : 2];
  a.places.assign(static_cast<size_t>(s.batch), s.keys - s.queries);
  a.scale = c.number("scale", 1.0 / std::sqrt(static_cast<double>(s.width)));
  // The library's kernel scales the sink like a score (tt-metal issue 40470), and TTIR's ops of one query are the
  // library's; TTIR's op of many queries does not.
  a.sinkScale = decode || c.op.name.rfind("ttnn.", 0) == 0 ? a.scale : 1.0;
  return true;
}

bool readMask(KernelCall& c, const HostTensor* mask, Attention& a) {
  a.mask = mask;
  if (mask == nullptr) return true;
  std::optional<Shape> both = broadcastOf(mask->shape, a.shape.scores());
  return c.need(both && *both == a.shape.scores(), "the mask does not broadcast to the scores");
}

// One query per user: without positions it sees all keys, else those up to its own position, which is one of them.
bool readPositions(KernelCall& c, const HostTensor* positions, Attention& a) {
  const int64_t window = c.integer("sliding_window_size", 0);
  a.range = keyRange(positions != nullptr, positions != nullptr ? window : 0);
  if (positions == nullptr) return c.known(window <= 0, "a sliding window without positions is not executed");
  if (!c.need(!positions->real && positions->size() == a.places.size(), "there is no position for each user"))
    return false;
  for (size_t b = 0; b < a.places.size(); ++b) {
    a.places[b] = positions->i[b];
    if (!c.need(a.places[b] >= 0 && a.places[b] < a.shape.keys, "a position is outside of the keys")) return false;
  }
  return true;
}

bool readSink(KernelCall& c, const HostTensor* sink, Attention& a) {
  a.sink = sink;
  if (sink == nullptr) return true;
  const bool padded = sink->shape.size() == 2 && sink->shape[0] == a.shape.heads && sink->shape[1] > 0;
  if (padded) a.sinkStride = static_cast<size_t>(sink->shape[1]);
  return c.known(padded || static_cast<int64_t>(sink->size()) == a.shape.heads,
                 "a sink that is not one number per head is not executed");
}

void runAttention(KernelCall& c) {
  if (!c.inputs(3)) return;
  Attention a;
  a.query = c.in[0];
  a.key = c.in[1];
  a.value = c.in[2];
  if (!readSizes(c, false, a)) return;
  const HostTensor* mask = c.optionalInput(3, 3);
  std::vector<int64_t> segments = c.ints("operandSegmentSizes");
  if (segments.size() > 3 && segments[3] == 0) mask = nullptr;
  const size_t beforeSink = mask != nullptr ? 4 : 3;
  const bool sinks = segments.size() == 5 && segments[4] == 1;
  a.sink = sinks ? c.optionalInput(3, beforeSink) : nullptr;
  const size_t expected = beforeSink + (a.sink != nullptr ? 1 : 0);
  if (!c.known(c.in.size() <= expected, "further operands of attention are not executed")) return;
  if (!c.need(a.sink == nullptr || a.sink->shape == Shape{1, a.shape.heads, 1, 1},
              "the sink is not one number per head") ||
      !readMask(c, mask, a))
    return;
  a.range = keyRange(c.flag("is_causal", mask == nullptr), c.integer("sliding_window_size", 0));
  attend(a, c.out[0]);
}

// Of one query: "query key value mask? cur_pos? sink?".
void runDecode(KernelCall& c) {
  if (!c.inputs(3)) return;
  Attention a;
  a.query = c.in[0];
  a.key = c.in[1];
  a.value = c.in[2];
  const Roles roles(c);
  const HostTensor* mask = roles.told() ? roles["mask"] : c.optionalInput(3, 3);
  if (!c.known(roles.told() || c.in.size() <= 4, "operands without a word on what they are")) return;
  if (!readSizes(c, true, a) || !readMask(c, mask, a) || !readPositions(c, roles["cur_pos"], a) ||
      !readSink(c, roles["sink"], a))
    return;
  attend(a, c.out[0]);
}

// Keys or values of every user out of the pages [pages, heads, rows of a page, width] of a cache that its table
// [users, pages of each] names, as [users, heads, rows, width]; of the width its first `width` numbers.
bool fromPages(KernelCall& c, const HostTensor& pages, const HostTensor& table, int64_t width, HostTensor& out) {
  const bool ranks = pages.shape.size() == 4 && table.shape.size() == 2 && !table.real;
  if (!c.need(ranks && width > 0 && width <= pages.shape[3], "pages and their table do not fit together")) return false;
  const int64_t users = table.shape[0], each = table.shape[1], heads = pages.shape[1], rows = pages.shape[2];
  const Shape shape = {users, heads, each * rows, width};
  constexpr int64_t kMost = int64_t{1} << 26;
  if (!c.known(elementCount(shape).value_or(kMost) < kMost, "the pages of all users are too many")) return false;
  out = makeTensor(shape, true);
  for (int64_t u = 0; u < users; ++u)
    for (int64_t p = 0; p < each; ++p) {
      const int64_t page = table.integerAt(static_cast<size_t>(u * each + p));
      if (!c.need(page >= 0 && page < pages.shape[0], "a page is outside of the cache")) return false;
      for (int64_t h = 0; h < heads; ++h)
        for (int64_t r = 0; r < rows; ++r) {
          const auto from = static_cast<size_t>(((page * heads + h) * rows + r) * pages.shape[3]);
          const auto to = static_cast<size_t>(((u * heads + h) * each * rows + p * rows + r) * width);
          for (size_t d = 0; d < static_cast<size_t>(width); ++d)
            out.f[to + d] = static_cast<float>(pages.at(from + d));
        }
    }
  return true;
}

// `valueInKey`: keys hold the values in their first numbers where there are none of their own.
void runPaged(KernelCall& c, bool valueInKey) {
  if (!c.inputs(2)) return;
  const Roles roles(c);
  const HostTensor *table = roles["page_table"], *values = roles["value"];
  if (!c.known(table != nullptr && (values != nullptr || valueInKey), "operands without a word on what they are"))
    return;
  if (values == nullptr) values = c.in[1];
  const Shape& v = values->shape;
  const int64_t valueWidth = valueInKey ? c.integer("head_dim_v", 0) : v.empty() ? 0 : v.back();
  HostTensor key, value;
  if (!c.need(c.input(1).shape.size() == 4, "the cache must have rank 4") ||
      !fromPages(c, c.input(1), *table, c.input(1).shape[3], key) || !fromPages(c, *values, *table, valueWidth, value))
    return;
  Attention a;
  a.query = c.in[0];
  a.key = &key;
  a.value = &value;
  if (!readSizes(c, true, a) || !readMask(c, roles["mask"], a) || !readPositions(c, roles["cur_pos"], a) ||
      !readSink(c, roles["sink"], a))
    return;
  attend(a, c.out[0]);
}

void runPagedDecode(KernelCall& c) { runPaged(c, false); }
void runPagedLatent(KernelCall& c) { runPaged(c, true); }

// As many queries as keys, which hold the values in their first `head_dim_v` numbers where there are none of their own:
// "query key value? mask?".
void runLatentPrefill(KernelCall& c) {
  if (!c.inputs(2)) return;
  const std::vector<int64_t> segments = c.ints("operandSegmentSizes");
  const bool told = segments.size() == 4 && segments[0] == 1 && segments[1] == 1;
  if (!c.known(told || c.in.size() == 2, "operands without a word on what they are")) return;
  const bool values = told && segments[2] == 1, masked = told && segments[3] == 1;
  const HostTensor& key = c.input(1);
  const int64_t width = c.integer("head_dim_v", 0);
  if (!c.inputs(2 + (values ? 1 : 0) + (masked ? 1 : 0)) ||
      !c.need(key.shape.size() == 4 && width > 0 && (values || width <= key.shape[3]), "keys hold no such values"))
    return;
  HostTensor inKey;
  Attention a;
  a.query = c.in[0];
  a.key = &key;
  a.value = values ? c.in[2] : &inKey;
  if (!values) {
    inKey = makeTensor({key.shape[0], key.shape[1], key.shape[2], width}, true);
    const auto from = static_cast<size_t>(key.shape[3]), to = static_cast<size_t>(width);
    for (size_t i = 0; i < inKey.size(); ++i) inKey.f[i] = static_cast<float>(key.at(i / to * from + i % to));
  }
  const HostTensor* mask = masked ? c.in[values ? 3 : 2] : nullptr;
  if (!readSizes(c, false, a) || !readMask(c, mask, a)) return;
  a.range = keyRange(c.flag("is_causal", mask == nullptr), 0);
  attend(a, c.out[0]);
}

// A chunk of queries [batch, heads, rows, width] from the place that the fifth operand says.
void runChunked(KernelCall& c) {
  if (!c.inputs(5)) return;
  HostTensor key, value;
  const HostTensor &pages = c.input(1), &values = c.input(2), &start = c.input(4);
  const bool ranks = pages.shape.size() == 4 && values.shape.size() == 4 && start.size() == 1 && !start.real;
  if (!c.need(ranks, "the cache must have rank 4 and the chunk one place") ||
      !fromPages(c, pages, c.input(3), pages.shape[3], key) ||
      !fromPages(c, values, c.input(3), values.shape[3], value))
    return;
  Attention a;
  a.query = c.in[0];
  a.key = &key;
  a.value = &value;
  if (!readSizes(c, false, a)) return;
  const int64_t place = start.i[0];
  if (!c.need(place >= 0 && place < a.shape.keys, "the chunk begins outside of the keys")) return;
  std::fill(a.places.begin(), a.places.end(), place);
  a.range = keyRange(true, 0);
  attend(a, c.out[0]);
}

}  // namespace

constinit const NamedKernel kAttentionKernels[] = {
    {"scaled_dot_product_attention", runAttention},
    {"scaled_dot_product_attention_decode", runDecode},
    {"paged_scaled_dot_product_attention_decode", runPagedDecode},
    {"paged_flash_multi_latent_attention_decode", runPagedLatent},
    {"chunked_scaled_dot_product_attention", runChunked},
    {"flash_mla_prefill", runLatentPrefill},
    {"", nullptr},
};

}  // namespace tessera
