// Sizes of what moves elements without computing: reshapes, permutations, slices, paddings and repetitions.

#include <algorithm>
#include <iterator>
#include <numeric>

#include "core/execute/dim_relations.h"
#include "core/support/units.h"

namespace tessera {

bool DimRelations::reshape(const Dims& from, const Dims& to) {
  Dims a, b;
  auto isOne = [&](DimVar var) { return solver_.sizeOf(var) == 1; };
  std::remove_copy_if(from.begin(), from.end(), std::back_inserter(a), isOne);
  std::remove_copy_if(to.begin(), to.end(), std::back_inserter(b), isOne);
  size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    Dims left, right;
    int64_t pa = 1, pb = 1;
    if (i < a.size()) left.push_back(a[i]), pa = solver_.sizeOf(a[i++]);
    if (j < b.size()) right.push_back(b[j]), pb = solver_.sizeOf(b[j++]);
    while (pa != pb) {
      if (pa < pb && i < a.size()) left.push_back(a[i]), pa = mulSaturated(pa, solver_.sizeOf(a[i++]));
      else if (j < b.size()) right.push_back(b[j]), pb = mulSaturated(pb, solver_.sizeOf(b[j++]));
      else break;
    }
    if (left.size() == 1 && right.size() == 1) solver_.equal(left[0], right[0]);
    else solver_.product(1, std::move(left), 1, std::move(right));
  }
  return true;
}

bool DimRelations::permute(OpId id, const Op& op) {
  const Dims& x = in(op, 0);
  const int64_t rank = std::ssize(x);
  std::vector<size_t> order;
  for (size_t d = 0; d < x.size(); ++d) order.push_back(d);
  std::vector<int64_t> named = ints(op, "permutation");
  const bool outside = std::any_of(named.begin(), named.end(), [&](int64_t d) { return d < -rank || d >= rank; });
  if (outside || (!named.empty() && named.size() != x.size()) || out(op).size() != x.size())
    return fail(id, "its permutation does not name every dim");
  if (!named.empty()) {
    for (size_t d = 0; d < x.size(); ++d) order[d] = dimOf(named[d], x.size());
  } else if (x.size() >= 2) {
    const size_t a = dimOf(integer(op, "dim0", -2), x.size()), b = dimOf(integer(op, "dim1", -1), x.size());
    if (a < x.size() && b < x.size()) std::swap(order[a], order[b]);
  }
  for (size_t d = 0; d < x.size(); ++d) solver_.equal(out(op)[d], x[order[d]]);
  return true;
}

bool DimRelations::slice(OpId id, const Op& op) {
  const Dims& x = in(op, 0);
  if (findAttr(op, "dim") != nullptr && x.size() == out(op).size()) {  // index, index_select: along one dim
    for (size_t d = 0; d < x.size(); ++d) {
      if (d != dimOf(integer(op, "dim", 0), x.size())) solver_.equal(x[d], out(op)[d]);
      else solver_.fix(x[d]), solver_.fix(out(op)[d]);
    }
    return true;
  }
  std::vector<int64_t> begins = ints(op, "begins"), ends = ints(op, "ends"), steps = ints(op, "step");
  if (begins.size() != x.size() || ends.size() != x.size()) return fail(id, "only static slices can be shrunk");
  for (size_t d = 0; d < x.size(); ++d) {
    int64_t size = solver_.sizeOf(x[d]), begin = begins[d] < 0 ? begins[d] + size : begins[d],
            end = ends[d] < 0 ? ends[d] + size : ends[d];
    sliceDim({id, d, begin, end, -1}, x[d], out(op)[d], d < steps.size() ? steps[d] : 1);
  }
  return true;
}

// From begin to end of one dim; both in elements.
void DimRelations::sliceDim(ScaledSlice slice, DimVar from, DimVar to, int64_t step) {
  int64_t size = solver_.sizeOf(from), begin = slice.begin, end = slice.end;
  int64_t unit = std::gcd(std::gcd(begin, end), size);
  constexpr int64_t kMostUnits = 16;  // of more there is little to shrink
  // Every so-manieth element of the whole dim.
  bool every = step > 1 && size % step == 0 && begin >= 0 && begin < step && solver_.sizeOf(to) * step == size;
  if (every) {
    solver_.product(1, {from}, step, {to});
    slice.begin = 0;
    slice.end = 1;
    slice.beginOffset = begin;
    slice.endOffset = end - size;
    slice.unit = from;
    slices_.push_back(slice);
  } else if (step != 1) {
    solver_.fix(from);
    solver_.fix(to);
  } else if (begin == 0 && end == size) {
    solver_.equal(from, to);
    slice.begin = 0;
    slice.end = 1;
    slice.unit = from;
    slices_.push_back(slice);
  } else if (size / unit > kMostUnits && begin == 0 && end > size / 2) {  // the last elements are cut off
    solver_.sum(from, {to}, size - end);
    slice.end = 1;
    slice.unit = to;
    slices_.push_back(slice);
  } else if (size / unit > kMostUnits && end == size && begin < size / 2) {  // the first elements are
    solver_.sum(from, {to}, begin);
    slice.beginOffset = begin;
    slice.begin = 0;
    slice.end = 1;
    slice.unit = from;
    slices_.push_back(slice);
  } else if (unit > 1 && (size / unit <= kMostUnits || end > kMostUnits)) {
    slice.unit = solver_.add(unit);
    solver_.product(1, {from}, size / unit, {slice.unit});
    solver_.product(1, {to}, (end - begin) / unit, {slice.unit});
    slice.begin = begin / unit;
    slice.end = end / unit;
    slices_.push_back(slice);
  } else {
    solver_.atLeast(from, end);
    solver_.fix(to);
  }
}

bool DimRelations::pad(const Op& op) {
  std::vector<int64_t> padding = ints(op, "padding");
  for (size_t d = 0; d < in(op, 0).size() && 2 * d + 1 < padding.size(); ++d)
    solver_.sum(out(op)[d], {in(op, 0)[d]}, padding[2 * d] + padding[2 * d + 1]);
  return true;
}

bool DimRelations::repeat(OpId id, const Op& op) {
  const Dims& x = in(op, 0);
  const Dims& y = out(op);
  if (x.size() != y.size()) return fail(id, "repetition to another rank");
  for (size_t d = 0; d < x.size(); ++d) {
    if (solver_.sizeOf(x[d]) == 1) continue;  // the repetition becomes the new size
    ratio(x[d], y[d]);
  }
  return true;
}

}  // namespace tessera
