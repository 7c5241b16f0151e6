// What StableHLO ops say about sizes. Where an op says too much (dilated windows, slices of parts), its dims stay as
// they are.

#include <algorithm>
#include <cstdlib>

#include "core/execute/dim_relations.h"
#include "core/execute/stablehlo_attrs.h"
#include "core/ops/table/op_table.h"

namespace tessera {

namespace {

std::string_view stringOf(const Op& op, std::string_view name) {
  const AttrValue* a = findAttr(op, name);
  return a == nullptr ? std::string_view() : std::string_view(a->string);
}

// What the relations below take for granted of an op, whose shapes nobody has checked: as many operands, of which the
// first (or all) have the rank of the result, or at least one dim.
enum class Ranks { Any, First, FirstTwo, All, SomeDims };
struct ShloForm {
  OpKind kind;
  size_t operands;
  Ranks ranks;
};
constexpr ShloForm kShloForms[] = {
    {OpKind::ShloReshape, 1, Ranks::Any},
    {OpKind::ShloTranspose, 1, Ranks::Any},
    {OpKind::ShloBroadcastInDim, 1, Ranks::Any},
    {OpKind::ShloConcatenate, 1, Ranks::All},
    {OpKind::ShloSlice, 1, Ranks::First},
    {OpKind::ShloPad, 1, Ranks::First},
    {OpKind::ShloDotGeneral, 2, Ranks::Any},
    {OpKind::ShloDot, 2, Ranks::Any},
    {OpKind::ShloConvolution, 2, Ranks::Any},
    {OpKind::ShloReduceWindow, 1, Ranks::Any},
    {OpKind::ShloSelectAndScatter, 2, Ranks::Any},
    {OpKind::ShloReduce, 1, Ranks::Any},
    {OpKind::ShloGather, 2, Ranks::Any},
    {OpKind::ShloScatter, 2, Ranks::Any},
    {OpKind::ShloDynamicSlice, 1, Ranks::First},
    {OpKind::ShloDynamicUpdateSlice, 2, Ranks::FirstTwo},
    {OpKind::ShloBatchNormInference, 1, Ranks::Any},
    {OpKind::ShloBatchNormTraining, 1, Ranks::Any},
    {OpKind::ShloBatchNormGrad, 1, Ranks::Any},
    {OpKind::ChloTopK, 1, Ranks::SomeDims},
    {OpKind::ShloAllGather, 1, Ranks::Any},
    {OpKind::ShloReduceScatter, 1, Ranks::Any},
    {OpKind::ShloAllToAll, 1, Ranks::Any},
};

}  // namespace

bool DimRelations::hasForm(OpKind kind, const Op& op) const {
  for (const ShloForm& form : kShloForms) {
    if (form.kind != kind) continue;
    size_t alike = 0;
    while (alike < op.operands.size() && in(op, alike).size() == out(op).size()) ++alike;
    if (op.operands.size() < form.operands) return false;
    switch (form.ranks) {
      case Ranks::Any: return true;
      case Ranks::First: return alike >= 1;
      case Ranks::FirstTwo: return alike >= 2;
      case Ranks::All: return alike == op.operands.size();
      case Ranks::SomeDims:
        for (size_t r = 0; r < op.results.size(); ++r) {
          if (out(op, r).empty() || out(op, r).size() != in(op, 0).size()) return false;
        }
        return true;
    }
  }
  return true;
}

void DimRelations::fixAll(const Op& op) {
  for (ValueId id : op.operands) {
    for (DimVar var : dims_[id]) solver_.fix(var);
  }
  for (ValueId id : op.results) {
    for (DimVar var : dims_[id]) solver_.fix(var);
  }
}

// Operands and results are those of the function.
bool DimRelations::call(const Op& op, std::string_view attr) {
  const AttrValue* callee = findAttr(op, attr);
  if (callee == nullptr) return false;
  for (const Function& func : graph_.funcs) {
    if (func.name != callee->string || func.ops.empty()) continue;
    for (size_t i = 0; i < func.args.size() && i < op.operands.size(); ++i) same(in(op, i), dims_[func.args[i]]);
    const Op& last = graph_.ops[func.ops.back()];
    for (size_t i = 0; i < op.results.size() && i < last.operands.size(); ++i)
      same(out(op, i), dims_[last.operands[i]]);
    return true;
  }
  return false;
}

void DimRelations::partOf(DimVar whole, DimVar part) {
  if (solver_.sizeOf(whole) == solver_.sizeOf(part)) return solver_.equal(whole, part);
  solver_.fix(whole);
  solver_.fix(part);
}

bool DimRelations::stablehloDot(const Op& op) {
  DotDims dot = readShloDot(op);
  const Dims &a = in(op, 0), &b = in(op, 1), &y = out(op);
  if (op.name == "stablehlo.dot") dot = {{}, {}, {static_cast<int64_t>(a.size()) - 1}, {0}};
  std::vector<bool> takenA(a.size(), false), takenB(b.size(), false);
  size_t at = 0;
  auto pair = [&](const std::vector<int64_t>& l, const std::vector<int64_t>& r, bool kept) {
    for (size_t i = 0; i < l.size() && i < r.size(); ++i) {
      size_t da = dimOf(l[i], a.size()), db = dimOf(r[i], b.size());
      if (da >= a.size() || db >= b.size()) continue;
      takenA[da] = takenB[db] = true;
      solver_.equal(a[da], b[db]);
      if (kept && at < y.size()) solver_.equal(a[da], y[at++]);
    }
  };
  pair(dot.batchLeft, dot.batchRight, true);
  pair(dot.sumLeft, dot.sumRight, false);
  for (size_t d = 0; d < a.size(); ++d) {
    if (!takenA[d] && at < y.size()) solver_.equal(a[d], y[at++]);
  }
  for (size_t d = 0; d < b.size(); ++d) {
    if (!takenB[d] && at < y.size()) solver_.equal(b[d], y[at++]);
  }
  return true;
}

// Groups of features, or of the batch: their number stays, unless each holds one element; then it follows the size and
// shrink_graph.cpp rewrites it. `whole` is what they divide, `part` what one holds, `outputs` the kernel's outputs.
void DimRelations::grouped(int64_t groups, DimVar whole, DimVar part, DimVar outputs) {
  if (groups == 1) return solver_.equal(whole, part);
  if (groups == solver_.sizeOf(whole)) {
    solver_.fix(part);
    return ratio(whole, outputs);
  }
  solver_.product(1, {whole}, groups, {part});
  DimVar perGroup = solver_.add(std::max<int64_t>(solver_.sizeOf(outputs) / groups, 1));
  solver_.product(1, {outputs}, groups, {perGroup});
}

// Moving windows one by one: the dilated and padded input holds the output and the rest of one dilated kernel, so that
// gradients, whose kernels are as large as images, are made smaller, too. Else the kernel stays as it is.
void DimRelations::spatialDim(const ShloWindow& w, size_t i, DimVar from, DimVar kernel, DimVar to) {
  int64_t padding = w.low[i] + w.high[i], base = w.baseDilation[i], dilation = w.dilation[i];
  constexpr int64_t kMostTerms = 64;
  bool summed = w.stride[i] == 1 && base >= 1 && dilation >= 1 && base <= kMostTerms && dilation <= kMostTerms;
  int64_t padded = base * (solver_.sizeOf(from) - 1) + 1 + padding;
  if (!summed || padded < 1) {
    solver_.fix(kernel);
    if (base == 1) return solver_.window(from, to, {padding, solver_.sizeOf(kernel), w.stride[i], dilation});
    solver_.fix(from);
    return solver_.fix(to);
  }
  DimVar room = solver_.add(padded);
  solver_.sum(room, Dims(static_cast<size_t>(base), from), 1 - base + padding);
  Dims parts(static_cast<size_t>(dilation), kernel);
  parts.push_back(to);
  solver_.sum(room, std::move(parts), -dilation);
}

bool DimRelations::stablehloConvolution(const Op& op) {
  ShloWindow w = readShloWindow(op, in(op, 0).size() < 2 ? 0 : in(op, 0).size() - 2, "window_strides", "rhs_dilation");
  ShloConv c;
  const Dims &x = in(op, 0), &k = in(op, 1), &y = out(op);
  int64_t groups = integer(op, "feature_group_count", 1), batches = integer(op, "batch_group_count", 1);
  bool plain = w.isSane() && readShloConv(op, c) && c.input.spatial.size() + 2 == x.size() && k.size() == x.size() &&
               y.size() == x.size() && groups > 0 && batches > 0;
  if (!plain) return fixAll(op), true;
  auto at = [](const Dims& dims, int64_t d) { return dims[static_cast<size_t>(d)]; };
  DimVar outputs = at(k, c.kernel.first);
  solver_.equal(outputs, at(y, c.output.second));
  grouped(groups, at(x, c.input.second), at(k, c.kernel.second), outputs);
  grouped(batches, at(x, c.input.first), at(y, c.output.first), outputs);
  for (size_t i = 0; i < c.input.spatial.size(); ++i)
    spatialDim(w, i, at(x, c.input.spatial[i]), at(k, c.kernel.spatial[i]), at(y, c.output.spatial[i]));
  return true;
}

// A window as large as the dim stays so: shrink_graph.cpp rewrites it.
void DimRelations::stablehloWindow(const Op& op, const Dims& x, const Dims& y) {
  ShloWindow w = readShloWindow(op, x.size(), "window_strides", "window_dilations");
  std::vector<int64_t> sizes = ints(op, "window_dimensions");
  sizes.resize(x.size(), 1);
  if (!w.isSane()) return fixAll(op);
  for (size_t d = 0; d < x.size() && d < y.size(); ++d) {
    int64_t padding = w.low[d] + w.high[d], from = solver_.sizeOf(x[d]), to = solver_.sizeOf(y[d]);
    bool moves = sizes[d] > 1 || w.stride[d] > 1 || padding > 0;
    bool whole = sizes[d] == from && w.baseDilation[d] == 1 && w.dilation[d] == 1;
    if (!moves) solver_.equal(x[d], y[d]);
    else if (whole && padding == 0) continue;
    else if (whole && padding == from - 1 && to == from) solver_.equal(x[d], y[d]);
    else if (whole || w.baseDilation[d] != 1) solver_.fix(x[d]), solver_.fix(y[d]);
    else solver_.window(x[d], y[d], {padding, sizes[d], w.stride[d], w.dilation[d]});
  }
}

// Windows of the operand in the result (gather) or in the updates (scatter).
bool DimRelations::stablehloPick(const Op& op, const ShloPick& pick, const Dims& y) {
  const Dims &x = in(op, 0), &indices = in(op, 1);
  std::vector<bool> isOffset(y.size(), false);
  for (int64_t d : pick.offset) {
    if (d >= 0 && static_cast<size_t>(d) < y.size()) isOffset[static_cast<size_t>(d)] = true;
  }
  // Constants among the indices stay what they are: dims of usual sizes that they name stay, too.
  constexpr int64_t kKeptRows = 4096;
  for (int64_t d : pick.map) {
    size_t dim = dimOf(d, x.size());
    if (dim < x.size() && solver_.sizeOf(x[dim]) <= kKeptRows) solver_.fix(x[dim]);
  }
  size_t next = 0;
  for (size_t d = 0; d < x.size(); ++d) {
    auto holds = [&](const std::vector<int64_t>& list) {
      return std::find(list.begin(), list.end(), static_cast<int64_t>(d)) != list.end();
    };
    if (holds(pick.collapsed) || holds(pick.batchOperand) || next >= pick.offset.size()) continue;
    size_t at = dimOf(pick.offset[next++], y.size());
    if (at < y.size()) partOf(x[d], y[at]);
  }
  for (size_t i = 0; i < pick.batchOperand.size() && i < pick.batchIndices.size(); ++i) {
    const size_t dx = dimOf(pick.batchOperand[i], x.size()), di = dimOf(pick.batchIndices[i], indices.size());
    if (dx < x.size() && di < indices.size()) solver_.equal(x[dx], indices[di]);
  }
  size_t at = 0;
  for (size_t d = 0; d < indices.size(); ++d) {
    if (static_cast<int64_t>(d) == pick.vectorDim) {
      solver_.fix(indices[d]);
      continue;
    }
    while (at < y.size() && isOffset[at]) ++at;
    if (at < y.size()) solver_.equal(indices[d], y[at++]);
  }
  return true;
}

bool DimRelations::stablehloSlice(OpId id, const Op& op) {
  const Dims& x = in(op, 0);
  std::vector<int64_t> begins = ints(op, "start_indices"), ends = ints(op, "limit_indices"),
                       steps = ints(op, "strides");
  if (begins.size() == 1) begins.assign(x.size(), begins[0]);  // one number for all dims, as older files have it
  if (ends.size() == 1) ends.assign(x.size(), ends[0]);
  if (begins.size() != x.size() || ends.size() != x.size()) return fixAll(op), true;
  for (size_t d = 0; d < x.size(); ++d) {
    int64_t step = steps.size() == x.size() ? steps[d] : steps.empty() ? 1 : steps[0];
    sliceDim({id, d, begins[d], ends[d], -1, "start_indices", "limit_indices"}, x[d], out(op)[d], step);
  }
  return true;
}

bool DimRelations::stablehloBroadcast(const Op& op) {
  const Dims &x = in(op, 0), &y = out(op);
  std::vector<int64_t> dims = ints(op, "broadcast_dimensions");
  for (size_t i = 0; i < dims.size() && i < x.size(); ++i) {
    const size_t at = dimOf(dims[i], y.size());
    if (at >= y.size()) continue;
    DimVar to = y[at];
    if (solver_.sizeOf(x[i]) == solver_.sizeOf(to)) solver_.equal(x[i], to);
  }
  return true;
}

bool DimRelations::stablehloPad(const Op& op) {
  const Dims &x = in(op, 0), &y = out(op);
  std::vector<int64_t> low = ints(op, "edge_padding_low"), high = ints(op, "edge_padding_high"),
                       interior = ints(op, "interior_padding");
  for (size_t d = 0; d < y.size() && d < low.size() && d < high.size(); ++d) {
    if (d < interior.size() && interior[d] != 0) solver_.fix(y[d]), solver_.fix(x[d]);
    else solver_.sum(y[d], {x[d]}, low[d] + high[d]);
  }
  return true;
}

bool DimRelations::stablehloTopK(const Op& op) {
  const Dims &x = in(op, 0), &y = out(op);
  for (size_t r = 0; r < op.results.size(); ++r) {
    if (out(op, r).size() != x.size()) return fixAll(op), true;
    for (size_t d = 0; d + 1 < y.size(); ++d) solver_.equal(x[d], out(op, r)[d]);
    solver_.fix(out(op, r).back());
  }
  solver_.atLeast(x.back(), solver_.sizeOf(y.back()));
  return true;
}

bool DimRelations::stablehlo(OpId id, const Op& op) {
  if (op.results.empty()) return true;
  OpKind kind = opKindFromName(op.name);
  const Dims& y = out(op);
  if (!hasForm(kind, op)) return fixAll(op), true;
  switch (kind) {
    case OpKind::ShloConstant:
    case OpKind::SdyConstant:
    case OpKind::ShloIota: return creation(op);
    case OpKind::ShloReshape: return reshape(in(op, 0), y);
    case OpKind::ShloTranspose: return permute(id, op);
    case OpKind::ShloBroadcastInDim: return stablehloBroadcast(op);
    case OpKind::ShloConcatenate: return concatAlong(op, op.operands.size(), "dimension");
    case OpKind::ShloSlice: return stablehloSlice(id, op);
    case OpKind::ShloPad: return stablehloPad(op);
    case OpKind::ShloDotGeneral:
    case OpKind::ShloDot: return stablehloDot(op);
    case OpKind::ShloConvolution: return stablehloConvolution(op);
    case OpKind::ShloReduceWindow: return stablehloWindow(op, in(op, 0), y), true;
    case OpKind::ShloSelectAndScatter: same(in(op, 0), y); return stablehloWindow(op, in(op, 0), in(op, 1)), true;
    case OpKind::ShloReduce: return stablehloReduce(op);
    case OpKind::ShloGather: return stablehloPick(op, readShloPick(op, "dimension_numbers"), y);
    case OpKind::ShloScatter:
      same(in(op, 0), y);
      return op.operands.size() < 3 || stablehloPick(op, readShloPick(op, "scatter_dimension_numbers"), in(op, 2));
    case OpKind::ShloDynamicSlice:
      for (size_t d = 0; d < y.size(); ++d) partOf(in(op, 0)[d], y[d]);
      return true;
    case OpKind::ShloDynamicUpdateSlice:
      same(in(op, 0), y);
      for (size_t d = 0; d < y.size(); ++d) partOf(in(op, 0)[d], in(op, 1)[d]);
      return true;
    case OpKind::ShloBatchNormInference:
    case OpKind::ShloBatchNormTraining:
    case OpKind::ShloBatchNormGrad: return stablehloBatchNorm(op);
    case OpKind::ChloTopK: return stablehloTopK(op);
    case OpKind::ShloAllGather:
    case OpKind::ShloReduceScatter:
    case OpKind::ShloAllToAll:
      for (size_t d = 0; d < y.size() && d < in(op, 0).size(); ++d) ratio(in(op, 0)[d], y[d]);
      return true;
    case OpKind::ShloUniformQuantize:
    case OpKind::ShloUniformDequantize: return quantization(id, op);
    case OpKind::ShloWhile: return loop(op);
    case OpKind::ShloIf:
    case OpKind::ShloCase: return branches(op);
    case OpKind::ShloComposite: fixNamed(op); return call(op, "decomposition") || (fixAll(op), true);
    case OpKind::ShloCustomCall: return customCall(op);
    default: return alike(op);
  }
}

bool DimRelations::stablehloReduce(const Op& op) {
  const Dims &x = in(op, 0), &y = out(op);
  std::vector<int64_t> dims = ints(op, "dimensions");
  for (size_t d = 0, at = 0; d < x.size(); ++d) {
    bool reduced = std::find(dims.begin(), dims.end(), static_cast<int64_t>(d)) != dims.end();
    if (!reduced && at < y.size()) solver_.equal(x[d], y[at++]);
  }
  for (size_t r = 1; r < op.results.size(); ++r) {
    if (r < op.operands.size()) same(x, in(op, r));
    same(y, out(op, r));
  }
  return true;
}

bool DimRelations::stablehloBatchNorm(const Op& op) {
  const Dims& x = in(op, 0);
  size_t dim = dimOf(integer(op, "feature_index", 0), x.size());
  if (dim >= x.size()) return fixAll(op), true;
  auto relate = [&](const Dims& other) {
    if (other.size() == x.size()) same(x, other);
    else if (other.size() == 1) solver_.equal(x[dim], other[0]);
  };
  for (size_t i = 1; i < op.operands.size(); ++i) relate(in(op, i));
  for (size_t r = 0; r < op.results.size(); ++r) relate(out(op, r));
  return true;
}

// Sizes that the attributes name keep: groups and the number of largest elements. Those of a norm are the operand's
// last dims; shrink_graph.cpp rewrites them.
void DimRelations::fixNamed(const Op& op) {
  const AttrValue* named = findAttr(op, "composite_attributes");
  if (named == nullptr || op.operands.empty()) return;
  bool groups = named->text.find("num_groups") != std::string::npos,
       most = named->text.find("k = ") != std::string::npos;
  if (!groups && !most) return;
  const Dims& x = in(op, 0);
  for (size_t d = 0; d < x.size() && groups; ++d) solver_.fix(x[d]);
  for (size_t r = 0; r < op.results.size(); ++r) {
    const Dims& y = out(op, r);
    if (y.empty()) continue;
    solver_.fix(y.back());
    if (!x.empty()) solver_.atLeast(x.back(), std::min(solver_.sizeOf(x.back()), solver_.sizeOf(y.back())));
  }
}

// Nothing is known of what the call computes: dims of one size stay equal, small ones as they are, and one that is
// alone keeps its proportion to the largest of its place in another tensor.
void DimRelations::bySize(const Op& op) {
  constexpr int64_t kSmall = 32;
  struct Dim {
    DimVar var;
    int64_t size;
    size_t back;  // from the last dim
  };
  std::vector<Dim> all;
  auto add = [&](ValueId id) {
    const Dims& dims = dims_[id];
    for (size_t d = 0; d < dims.size(); ++d) all.push_back({dims[d], solver_.sizeOf(dims[d]), dims.size() - d});
  };
  for (ValueId id : op.operands) add(id);
  for (ValueId id : op.results) add(id);
  for (const Dim& dim : all) {
    if (dim.size <= kSmall) {
      solver_.fix(dim.var);
      continue;
    }
    size_t alike = 0;
    const Dim* largest = nullptr;
    for (const Dim& other : all) {
      if (other.size == dim.size) solver_.equal(dim.var, other.var), ++alike;
      bool multiple = other.size > dim.size && other.back == dim.back && other.size % dim.size == 0 &&
                      other.size / dim.size <= kSmall;
      if (multiple && (largest == nullptr || other.size > largest->size)) largest = &other;
    }
    if (alike > 1) continue;
    if (largest != nullptr) ratio(largest->var, dim.var);
    else solver_.fix(dim.var);
  }
}

bool DimRelations::customCall(const Op& op) {
  const AttrValue* target = findAttr(op, "call_target_name");
  std::string_view name = target == nullptr ? std::string_view() : std::string_view(target->string);
  if (name == "mhlo.topk" && op.operands.size() == 1 && !out(op).empty() && in(op, 0).size() == out(op).size())
    return stablehloTopK(op);
  bool marks = name.substr(0, 7) == "tt.mark";
  if (name.substr(0, 3) == "tt." && expertCall(name.substr(3), op)) return true;
  if (name.substr(0, 3) == "tt." && name != "tt.sharding_constraint" && !marks) return bySize(op), true;
  bool parts = op.operands.size() == 1 && op.results.size() == 1 && in(op, 0).size() == out(op).size();
  if (!parts) return fixAll(op), true;
  for (size_t d = 0; d < out(op).size(); ++d) ratio(in(op, 0)[d], out(op)[d]);
  return true;
}

void DimRelations::throughFunction(std::string_view name, const std::vector<Dims>& arguments,
                                   const std::vector<Dims>& results) {
  for (const Function& func : graph_.funcs) {
    if (func.name != name || func.ops.empty()) continue;
    for (size_t i = 0; i < func.args.size() && i < arguments.size(); ++i) same(arguments[i], dims_[func.args[i]]);
    const Op& last = graph_.ops[func.ops.back()];
    for (size_t i = 0; i < results.size() && i < last.operands.size(); ++i) same(results[i], dims_[last.operands[i]]);
  }
}

// What a loop carries has one size in all turns. Operands: carried, captured by the test, captured by the body.
bool DimRelations::loop(const Op& op) {
  const AttrValue* captures = findAttr(op, "captures");
  size_t carried = op.results.size(), ofTest = 0;
  if (captures != nullptr && captures->ints.size() == 2) ofTest = static_cast<size_t>(captures->ints[0]);
  if (op.operands.size() < carried + ofTest) return fixAll(op), true;
  std::vector<Dims> state, test, body;
  for (size_t i = 0; i < carried; ++i) {
    same(in(op, i), out(op, i));
    state.push_back(in(op, i));
  }
  test = body = state;
  for (size_t i = carried; i < op.operands.size(); ++i) (i < carried + ofTest ? test : body).push_back(in(op, i));
  throughFunction(stringOf(op, "body"), test, {});
  throughFunction(stringOf(op, "body1"), body, state);
  return true;
}

bool DimRelations::branches(const Op& op) {
  const AttrValue* captures = findAttr(op, "captures");
  std::vector<Dims> results;
  for (size_t i = 0; i < op.results.size(); ++i) results.push_back(out(op, i));
  size_t from = 1;
  for (size_t r = 0;; ++r) {
    std::string attr = r == 0 ? "body" : "body" + std::to_string(r);
    if (findAttr(op, attr) == nullptr) return true;
    std::vector<Dims> arguments;
    size_t count = captures != nullptr && r < captures->ints.size() ? static_cast<size_t>(captures->ints[r]) : 0;
    for (size_t i = 0; i < count && from < op.operands.size(); ++i) arguments.push_back(in(op, from++));
    throughFunction(stringOf(op, attr), arguments, results);
  }
}

// Operands of the result's shape, and scalars.
bool DimRelations::alike(const Op& op) {
  for (size_t r = 0; r < op.results.size(); ++r) {
    const Dims& y = out(op, r);
    for (size_t i = 0; i < op.operands.size(); ++i) {
      if (op.results.size() > 1 && i != r && op.kind != OpKind::ShloSort) continue;
      const Dims& x = in(op, i);
      if (x.size() == y.size()) broadcast(x, y);
      else if (!x.empty()) return fixAll(op), true;
    }
  }
  return true;
}

}  // namespace tessera
