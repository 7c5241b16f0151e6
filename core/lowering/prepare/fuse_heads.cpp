// Heads put side by side, and caches of keys and values.

#include <algorithm>

#include "core/lowering/prepare/fuse.h"
#include "core/lowering/prepare/views.h"

namespace tessera {

// permute [batch, heads, rows, width] to [batch, rows, heads, width], then a reshape that joins the last two dims, and
// perhaps the first two.
bool fuseConcatenatedHeads(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirReshape || !p.isTensor(p.in(root, 0))) return false;
  OpId permute = p.def(p.in(root, 0), OpKind::TtirPermute);
  ValueId x = p.read(permute, 0);
  if (!x.valid() || p.shape(x).size() != 4 || permutationOf(p.op(permute)) != std::vector<int64_t>{0, 2, 1, 3})
    return false;
  const Shape& in = p.shape(x);
  const Shape& out = p.resultShape(root);
  const int64_t hidden = in[1] * in[3];
  bool joined = out == Shape{in[0], in[2], hidden}, flat = out == Shape{in[0] * in[2], hidden};
  if (!joined && !flat) return false;
  p.took(permute);
  ValueId made = p.replace(
      root, makeOp(OpKind::TtirConcatenateHeads, {x}, {p.typeWith(p.type(root), Shape{in[0], in[2], hidden})}),
      "concatenate_heads from permute and reshape");
  return joined || p.seenAs(root, p.emitReshape(root, made, out));
}

namespace {

bool inOneDim(const Shape& shape) {
  return std::count_if(shape.begin(), shape.end(), [](int64_t dim) { return dim != 1; }) <= 1;
}

// The argument with one number for each of `rows` that the value is worked out of: where a cache is written.
ValueId positionsBehind(PatternRewriter& p, ValueId value, int64_t rows) {
  constexpr size_t kMostOps = 64;
  std::vector<ValueId> open = {value};
  for (size_t next = 0; next < open.size() && next < kMostOps; ++next) {
    OpId made = p.def(open[next]);
    if (made.valid()) {
      for (ValueId operand : p.op(made).operands) {
        if (std::find(open.begin(), open.end(), operand) == open.end()) open.push_back(operand);
      }
      continue;
    }
    if (p.isTensor(open[next]) && inOneDim(p.shape(open[next])) && elementCount(p.shape(open[next])) == rows)
      return open[next];
  }
  return {};
}

}  // namespace

// scatter(cache, positions, new rows): several rows are taken to start at row 0, as the compiler does (tt-mlir
// lib/Dialect/TTIR/Transforms/TTIRFusing.cpp of 2025, CacheFillUpdatePattern).
bool fuseCacheUpdate(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirScatter || p.inputs(root) < 3) return false;
  ValueId cache = p.in(root, 0), indices = p.in(root, 1), rows = p.in(root, 2);
  if (!p.isTensor(cache) || !p.isTensor(indices) || !p.isTensor(rows)) return false;
  const Shape a = p.shape(cache), b = p.shape(rows), at = p.shape(indices);
  if (a.size() != 4 || b.size() != 4 || a[0] != b[0] || a[1] != b[1] || a[3] != b[3]) return false;
  bool list = inOneDim(at) && elementCount(at) == b[2], grid = at == Shape{a[0], a[1], b[2], a[3], 4};
  ValueId positions = list || grid ? positionsBehind(p, indices, b[2]) : ValueId{};
  if (!positions.valid() || p.shape(positions).size() != 1) return false;
  bool fill = b[2] != 1;
  if (fill ? b[2] > a[2] : b[0] != 1) {
    p.nearMiss(root, fill ? "more rows than the cache has" : "a row for each of several batches");
    return false;
  }
  if (p.readAfter(root, cache)) {
    p.nearMiss(root, "the cache is read as it was behind the scatter");
    return false;
  }
  OpSpec spec = makeOp(fill ? OpKind::TtirFillCache : OpKind::TtirUpdateCache, {cache, rows}, {p.type(root)});
  if (!fill) spec.operands.push_back(positions);
  spec.attrs = {{"batch_offset", intAttr(0, "i32")}};
  p.replace(root, std::move(spec), fill ? "fill_cache from a scatter" : "update_cache from a scatter");
  return true;
}

}  // namespace tessera
