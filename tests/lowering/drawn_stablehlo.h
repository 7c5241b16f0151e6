#pragma once
// StableHLO ops of every form that their numbers of dims allow, drawn by seed.

#include <algorithm>
#include <string>
#include <vector>

#include "tests/policy/random_graph.h"

namespace tessera::test {

using Numbers = std::vector<int64_t>;

inline std::string listText(const Numbers& numbers) {
  std::string out;
  for (const int64_t n : numbers) out += (out.empty() ? "" : ", ") + std::to_string(n);
  return out;
}
inline std::string tensorOf(const Numbers& shape, const std::string& element = "f32") {
  std::string out = "tensor<";
  for (const int64_t dim : shape) out += std::to_string(dim) + "x";
  return out + element + ">";
}
// `count` of 0 .. most-1, in their order.
inline Numbers someOf(SplitMix64& random, int64_t most, size_t count) {
  Numbers all;
  for (int64_t i = 0; i < most; ++i) all.push_back(i);
  while (all.size() > count) all.erase(all.begin() + random.below(static_cast<int64_t>(all.size())));
  return all;
}
inline void shuffle(SplitMix64& random, Numbers& list) {
  for (size_t i = list.size(); i > 1; --i)
    std::swap(list[i - 1], list[static_cast<size_t>(random.below(static_cast<int64_t>(i)))]);
}

struct Drawn {
  std::string arguments, result, body;
};
using Draw = Drawn (*)(SplitMix64&);

// --- windows at indexed places ---------------------------------------------------------------------------------------

// A gather, or the scatter that goes the other way: windows of an operand at places that a tensor of indices names.
struct Places {
  Numbers operand, indices, windows, result;  // shapes; the result is that of the updates
  Numbers offset, collapsed, batchOperand, batchIndices, map, sizes;
  int64_t vectorDim = 0;
  std::string known;  // the indices, where windows are larger than one place

  explicit Places(SplitMix64& random) {
    const int64_t rank = 1 + random.below(4);
    Numbers batch;
    for (int64_t i = random.below(3); i > 0; --i) batch.push_back(1 + random.below(3));
    Numbers freeBatch = someOf(random, static_cast<int64_t>(batch.size()), batch.size());
    Numbers batchPlaces;  // among the batch dims, per batch dim of the operand
    bool parts = false;
    for (int64_t d = 0; d < rank; ++d) {
      int64_t dim = 1 + random.below(5), size = dim;
      const int64_t role = random.below(4);
      if (role == 3 && !freeBatch.empty()) {  // walked along with the indices
        const auto at = random.below(static_cast<int64_t>(freeBatch.size()));
        batchOperand.push_back(d);
        batchPlaces.push_back(freeBatch[static_cast<size_t>(at)]);
        freeBatch.erase(freeBatch.begin() + at);
        dim = batch[static_cast<size_t>(batchPlaces.back())];
        size = 1;
      } else if (role == 0) {  // one place of it
        map.push_back(d);
        collapsed.push_back(d);
        size = 1;
      } else {  // a part at a place, or the whole
        if (role == 1) map.push_back(d);
        if (role == 1) size = 1 + random.below(dim);
        parts = parts || (role == 1 && size > 1);
        windows.push_back(size);
      }
      operand.push_back(dim);
      sizes.push_back(size);
    }
    if (map.empty()) addIndexedDim(random);
    shuffle(random, map);
    const bool implied = map.size() == 1 && random.oneIn(3);
    indices = batch;
    vectorDim = implied ? static_cast<int64_t>(batch.size()) : random.below(static_cast<int64_t>(batch.size()) + 1);
    if (!implied) indices.insert(indices.begin() + vectorDim, static_cast<int64_t>(map.size()));
    for (const int64_t place : batchPlaces) batchIndices.push_back(place + (!implied && place >= vectorDim ? 1 : 0));
    offset = someOf(random, static_cast<int64_t>(batch.size() + windows.size()), windows.size());
    size_t window = 0, next = 0;
    for (size_t d = 0; d < batch.size() + windows.size(); ++d) {
      const bool filled = window < offset.size() && offset[window] == static_cast<int64_t>(d);
      result.push_back(filled ? windows[window++] : batch[next++]);
    }
    if (parts) writeIndices(random, batch);
  }

  std::string numbers(bool scatter) const {
    const auto list = [](const char* name, const Numbers& dims) {
      return dims.empty() ? std::string() : std::string(name) + " = [" + listText(dims) + "], ";
    };
    return (scatter ? "#stablehlo.scatter<" : "#stablehlo.gather<") +
           list(scatter ? "update_window_dims" : "offset_dims", offset) +
           list(scatter ? "inserted_window_dims" : "collapsed_slice_dims", collapsed) +
           list(scatter ? "input_batching_dims" : "operand_batching_dims", batchOperand) +
           list(scatter ? "scatter_indices_batching_dims" : "start_indices_batching_dims", batchIndices) +
           list(scatter ? "scatter_dims_to_operand_dims" : "start_index_map", map) +
           "index_vector_dim = " + std::to_string(vectorDim) + ">";
  }
  std::string argument() const { return known.empty() ? ", %i: " + tensorOf(indices, "i32") : ""; }

 private:
  void addIndexedDim(SplitMix64& random) {
    map.push_back(static_cast<int64_t>(operand.size()));
    collapsed.push_back(map.back());
    operand.push_back(2 + random.below(3));
    sizes.push_back(1);
  }
  // Windows that lie inside, whatever the order of the parts.
  void writeIndices(SplitMix64& random, const Numbers& batch) {
    int64_t count = 1;
    for (const int64_t dim : batch) count *= dim;
    const bool has = indices.size() > batch.size();
    int64_t behind = 1;  // elements behind the dim of the parts
    for (size_t d = static_cast<size_t>(vectorDim) + 1; has && d < indices.size(); ++d) behind *= indices[d];
    const auto all = count * static_cast<int64_t>(map.size());
    std::string list;
    for (int64_t i = 0; i < all; ++i) {
      const auto part = static_cast<size_t>(has ? i / behind % static_cast<int64_t>(map.size()) : 0);
      const auto dim = static_cast<size_t>(map[part]);
      list += (i > 0 ? ", " : "") + std::to_string(random.below(operand[dim] - sizes[dim] + 1));
    }
    known = "  %l = stablehlo.constant dense<[" + list + "]> : " + tensorOf({all}, "i32") +
            "\n  %i = stablehlo.reshape %l : (" + tensorOf({all}, "i32") + ") -> " + tensorOf(indices, "i32") + "\n";
  }
};

inline Drawn gatherOf(SplitMix64& random) {
  const Places p(random);
  return {"%x: " + tensorOf(p.operand) + p.argument(), tensorOf(p.result),
          p.known + "  %r = \"stablehlo.gather\"(%x, %i) <{dimension_numbers = " + p.numbers(false) +
              ", slice_sizes = array<i64: " + listText(p.sizes) + ">}> : (" + tensorOf(p.operand) + ", " +
              tensorOf(p.indices, "i32") + ") -> " + tensorOf(p.result)};
}

inline Drawn scatterOf(SplitMix64& random) {
  const Places p(random);
  const char* const kBodies[] = {"add", "multiply", "maximum", "minimum"};
  return {"%x: " + tensorOf(p.operand) + p.argument() + ", %u: " + tensorOf(p.result), tensorOf(p.operand),
          p.known + "  %r = \"stablehlo.scatter\"(%x, %i, %u) <{scatter_dimension_numbers = " + p.numbers(true) +
              "}> ({\n  ^bb0(%p: tensor<f32>, %q: tensor<f32>):\n    %s = stablehlo." + kBodies[random.below(4)] +
              " %p, %q : tensor<f32>\n    stablehlo.return %s : tensor<f32>\n  }) : (" + tensorOf(p.operand) + ", " +
              tensorOf(p.indices, "i32") + ", " + tensorOf(p.result) + ") -> " + tensorOf(p.operand)};
}

// --- sums ------------------------------------------------------------------------------------------------------------

inline Drawn productOf(SplitMix64& random) {
  const int64_t batches = random.below(3), sums = random.below(3), left = random.below(3), right = random.below(3);
  Numbers batch, sum, a, b;
  for (int64_t i = 0; i < batches; ++i) batch.push_back(1 + random.below(3));
  for (int64_t i = 0; i < sums; ++i) sum.push_back(1 + random.below(4));
  // Where the dims stand in each operand: 0.. are those of the batch, then those summed over, then its own.
  const auto placed = [&](int64_t own, Numbers& shape, Numbers& batchDims, Numbers& sumDims, Numbers& kept) {
    Numbers order = someOf(random, batches + sums + own, static_cast<size_t>(batches + sums + own));
    shuffle(random, order);
    batchDims.assign(static_cast<size_t>(batches), 0);
    sumDims.assign(static_cast<size_t>(sums), 0);
    for (size_t d = 0; d < order.size(); ++d) {
      const int64_t which = order[d];
      if (which < batches) batchDims[static_cast<size_t>(which)] = static_cast<int64_t>(d);
      else if (which < batches + sums) sumDims[static_cast<size_t>(which - batches)] = static_cast<int64_t>(d);
      shape.push_back(which < batches          ? batch[static_cast<size_t>(which)]
                      : which < batches + sums ? sum[static_cast<size_t>(which - batches)]
                                               : 1 + random.below(4));
      if (which >= batches + sums) kept.push_back(shape.back());
    }
  };
  Numbers batchA, batchB, sumA, sumB, result = batch;
  placed(left, a, batchA, sumA, result);
  placed(right, b, batchB, sumB, result);
  return {"%a: " + tensorOf(a) + ", %b: " + tensorOf(b), tensorOf(result),
          "  %r = stablehlo.dot_general %a, %b, batching_dims = [" + listText(batchA) + "] x [" + listText(batchB) +
              "], contracting_dims = [" + listText(sumA) + "] x [" + listText(sumB) + "] : (" + tensorOf(a) + ", " +
              tensorOf(b) + ") -> " + tensorOf(result)};
}

// From what changes nothing: other values to begin with the compiler ignores.
inline Drawn reductionOf(SplitMix64& random) {
  Numbers shape, result;
  for (int64_t d = 1 + random.below(4); d > 0; --d) shape.push_back(1 + random.below(5));
  const Numbers dims = someOf(random, static_cast<int64_t>(shape.size()),
                              static_cast<size_t>(1 + random.below(static_cast<int64_t>(shape.size()))));
  for (size_t d = 0; d < shape.size(); ++d)
    if (std::find(dims.begin(), dims.end(), static_cast<int64_t>(d)) == dims.end()) result.push_back(shape[d]);
  const std::pair<const char*, const char*> kinds[] = {
      {"add", "0.0"}, {"multiply", "1.0"}, {"maximum", "0xFF800000"}, {"minimum", "0x7F800000"}};
  const auto [body, start] = kinds[random.below(4)];
  return {"%x: " + tensorOf(shape), tensorOf(result),
          std::string("  %z = stablehlo.constant dense<") + start +
              "> : tensor<f32>\n  %r = stablehlo.reduce(%x init: %z) applies stablehlo." + body +
              " across dimensions = [" + listText(dims) + "] : (" + tensorOf(shape) + ", tensor<f32>) -> " +
              tensorOf(result)};
}

inline Drawn batchNormOf(SplitMix64& random) {
  Numbers shape;
  for (int64_t d = 2 + random.below(3); d > 0; --d) shape.push_back(2 + random.below(3));
  const int64_t feature = random.below(static_cast<int64_t>(shape.size()));
  const std::string x = tensorOf(shape), c = tensorOf({shape[static_cast<size_t>(feature)]});
  const std::string settings = "<{epsilon = 0.001 : f32, feature_index = " + std::to_string(feature) + " : i64}>";
  if (random.oneIn(2))
    return {"%x: " + x + ", %s: " + c + ", %o: " + c, x,
            "  %r, %m, %v = \"stablehlo.batch_norm_training\"(%x, %s, %o) " + settings + " : (" + x + ", " + c + ", " +
                c + ") -> (" + x + ", " + c + ", " + c + ")"};
  return {"%x: " + x + ", %s: " + c + ", %m: " + c + ", %v: " + c + ", %g: " + x, x,
          "  %r, %gs, %go = \"stablehlo.batch_norm_grad\"(%x, %s, %m, %v, %g) " + settings + " : (" + x + ", " + c +
              ", " + c + ", " + c + ", " + x + ") -> (" + x + ", " + c + ", " + c + ")"};
}

// --- windows and moves -----------------------------------------------------------------------------------------------

inline Drawn windowOf(SplitMix64& random) {
  const bool channelsLast = random.oneIn(2);
  const size_t first = channelsLast ? 1 : 2;
  Numbers shape, window(4, 1), strides(4, 1), padding(8, 0), result;
  for (int64_t d = 0; d < 4; ++d) shape.push_back(1 + random.below(3));
  const bool sum = random.oneIn(2);
  for (size_t d = first; d < first + 2; ++d) {
    shape[d] = 4 + random.below(5);
    window[d] = 2 + random.below(2);
    strides[d] = 1 + random.below(3);
    for (size_t side = 0; side < 2; ++side) padding[2 * d + side] = random.oneIn(2) ? random.below(window[d]) : 0;
  }
  std::string pairs;
  for (size_t d = 0; d < 4; ++d) {
    result.push_back((shape[d] + padding[2 * d] + padding[2 * d + 1] - window[d]) / strides[d] + 1);
    pairs += (d > 0 ? ", [" : "[") + listText({padding[2 * d], padding[2 * d + 1]}) + "]";
  }
  return {"%x: " + tensorOf(shape), tensorOf(result),
          std::string("  %z = stablehlo.constant dense<") + (sum ? "0.0" : "0xFF800000") +
              "> : tensor<f32>\n  %r = \"stablehlo.reduce_window\"(%x, %z) <{padding = dense<[" + pairs +
              "]> : tensor<4x2xi64>, window_dimensions = array<i64: " + listText(window) +
              ">, window_strides = array<i64: " + listText(strides) +
              ">}> ({\n  ^bb0(%p: tensor<f32>, %q: tensor<f32>):\n    %s = stablehlo." + (sum ? "add" : "maximum") +
              " %p, %q : tensor<f32>\n    stablehlo.return %s : tensor<f32>\n  }) : (" + tensorOf(shape) +
              ", tensor<f32>) -> " + tensorOf(result)};
}

// Slices with steps, paddings (inside too), reversals, transpositions and broadcasts, one behind the other.
inline Drawn movesOf(SplitMix64& random) {
  Numbers shape;
  for (int64_t d = 1 + random.below(3); d > 0; --d) shape.push_back(2 + random.below(5));
  Drawn out{"%x: " + tensorOf(shape), "", "  %z = stablehlo.constant dense<0.5> : tensor<f32>\n"};
  std::string value = "%x";
  const auto rank = static_cast<int64_t>(shape.size());
  for (int64_t step = 0, steps = 2 + random.below(3); step < steps; ++step) {
    const std::string to = step + 1 == steps ? "%r" : "%v" + std::to_string(step), from = tensorOf(shape);
    Numbers now = shape;
    std::string text;
    if (const int64_t kind = random.below(4); kind == 0) {
      for (size_t d = 0; d < shape.size(); ++d) {
        const int64_t begin = random.below(shape[d]), end = begin + 1 + random.below(shape[d] - begin),
                      by = 1 + random.below(2);
        text += (d > 0 ? ", " : "") + std::to_string(begin) + ":" + std::to_string(end) + ":" + std::to_string(by);
        now[d] = (end - begin + by - 1) / by;
      }
      text = "stablehlo.slice " + value + " [" + text + "] : (" + from + ") -> " + tensorOf(now);
    } else if (kind == 1) {
      Numbers low, high, inside;
      for (size_t d = 0; d < shape.size(); ++d) {
        low.push_back(random.below(3)), high.push_back(random.below(3)), inside.push_back(random.oneIn(4) ? 1 : 0);
        now[d] = shape[d] + low[d] + high[d] + std::max<int64_t>(shape[d] - 1, 0) * inside[d];
      }
      text = "stablehlo.pad " + value + ", %z, low = [" + listText(low) + "], high = [" + listText(high) +
             "], interior = [" + listText(inside) + "] : (" + from + ", tensor<f32>) -> " + tensorOf(now);
    } else if (kind == 2) {
      Numbers order = someOf(random, rank, static_cast<size_t>(rank));
      shuffle(random, order);
      for (size_t d = 0; d < now.size(); ++d) now[d] = shape[static_cast<size_t>(order[d])];
      text = "stablehlo.transpose " + value + ", dims = [" + listText(order) + "] : (" + from + ") -> " + tensorOf(now);
    } else {
      const Numbers dims = someOf(random, rank, static_cast<size_t>(1 + random.below(rank)));
      text = "stablehlo.reverse " + value + ", dims = [" + listText(dims) + "] : " + from;
    }
    out.body += "  " + to + " = " + text + "\n";
    shape = now;
    value = to;
  }
  out.body.pop_back();
  out.result = tensorOf(shape);
  return out;
}

struct DrawnForm {
  const char* name;
  Draw draw;
  uint64_t count;  // of seeds that meet its forms
};
inline constexpr DrawnForm kDrawnForms[] = {
    {"gathers", gatherOf, 120},      {"scatters", scatterOf, 120},     {"products", productOf, 60},
    {"reductions", reductionOf, 60}, {"batch norms", batchNormOf, 24}, {"windows", windowOf, 60},
    {"moves", movesOf, 60},
};

inline std::string drawnText(const DrawnForm& form, uint64_t seed) {
  SplitMix64 random(seed * 1000003);
  const Drawn one = form.draw(random);
  return "func.func @main(" + one.arguments + ") -> " + one.result + " {\n" + one.body +
         "\n  return %r : " + one.result + "\n}\n";
}

}  // namespace tessera::test
