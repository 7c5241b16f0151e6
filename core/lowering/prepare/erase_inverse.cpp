// Erasing inverse views: permutes and reshapes move behind the ops they do not matter to, or before them, until they
// meet their inverse and both go (compiler: ttir-erase-inverse-ops).

#include <algorithm>

#include "core/ir/builder.h"
#include "core/lowering/common_ops.h"
#include "core/lowering/prepare/prepare.h"
#include "core/lowering/prepare/view_map.h"
#include "core/lowering/prepare/views.h"
#include "core/lowering/remove_dead_values.h"
#include "core/ops/shapes/shape_rules.h"
#include "core/support/units.h"

namespace tessera {

namespace {

// The library's broadcasts take no more dims than this.
constexpr size_t kMostDims = 5;

bool isElementwise(Family family) {
  return family == Family::EltwiseUnary || family == Family::EltwiseBinary || family == Family::EltwiseTernary ||
         family == Family::Typecast;
}

bool isPassable(OpKind kind) {
  switch (kind) {
    case OpKind::TtirSum:
    case OpKind::TtirMean:
    case OpKind::TtirMax:
    case OpKind::TtirMin:
    case OpKind::TtirSoftmax:
    case OpKind::TtirRmsNorm:
    case OpKind::TtirLayerNorm:
    case OpKind::TtirConcat:
    case OpKind::TtirSliceStatic:
    case OpKind::TtirPad: return true;
    default: return isElementwise(opInfo(kind).family) && kind != OpKind::TtirReverse;
  }
}

// Readers that a view can pass or melt into.
bool absorbs(const Op& user) {
  Family family = opInfo(user.kind).family;
  return isPassable(user.kind) || family == Family::Reshape || family == Family::Permute;
}

// Whether a view passes an op with several operands when another operand is no such view: for the compiler only where
// that is a weight or a number. Until 2025 a reshape did not pass where that is broadcast.
enum class Others { WholeConstantOnly, ConstantOnly, Small };

// The view that makes the value, when it may be passed: nobody needs it as it is, or only ops that it can pass, too.
// Weights' views are computed once, so they stay.
std::optional<ViewMap> movableView(const PatternRewriter& p, ValueId value, Others others) {
  if (!p.isTensor(value)) return {};
  OpId made = p.def(value);
  if (!made.valid() || !p.read(made, 0).valid() || p.constant(value)) return {};
  if (p.useCount(value) > 1 && (others != Others::Small || !p.allUsers(value, absorbs))) return {};
  return mapOf(p, made);
}

bool tooManyDims(const ViewMap& map) {
  return !map.isPermute() && std::max(map.from.size(), map.to.size()) > kMostDims;
}

// The operands without the view: what it reads where an operand is such a view, small operands and weights seen from
// the other side.
bool operandsAcross(PatternRewriter& p, OpId root, const ViewMap& back, Others others, std::vector<ValueId>& operands) {
  for (size_t i = 0; i < p.inputs(root); ++i) {
    ValueId value = p.in(root, i);
    std::optional<ViewMap> own = movableView(p, value, others);
    std::optional<ViewMap> wanted = mapFor(p.shape(value), back);
    bool same = own && wanted && sameViewMap(own->inverse(), *wanted);
    if (same) {
      operands.push_back(p.read(p.def(value), 0));
      continue;
    }
    bool whole = p.shape(value) == p.resultShape(root) && elementCount(p.shape(value)) != 1;
    bool stays = whole || (others != Others::Small && elementCount(p.shape(value)) != 1);
    if (others == Others::WholeConstantOnly && !back.isPermute() && p.shape(value) != p.resultShape(root)) return false;
    if (p.kind(root) == OpKind::TtirConcat || (stays && !p.constant(value))) return false;
    if (elementCount(p.shape(value)) == 1) {
      size_t rank = std::min(back.to.size(), p.shape(value).size());
      operands.push_back(p.emitReshape(root, value, Shape(rank, 1)));
      continue;
    }
    ValueId seen = valueAcross(p, root, value, back);
    if (!seen.valid()) return false;
    operands.push_back(seen);
  }
  return true;
}

// op(view(x)) = view(op(x))
template <Others kOthers>
bool moveBehind(PatternRewriter& p, OpId root) {
  if (!isPassable(p.kind(root)) || p.old(root).results.size() != 1) return false;
  if (kOthers != Others::Small && opInfo(p.kind(root)).family == Family::EltwiseTernary) return false;
  bool elementwise = isElementwise(opInfo(p.kind(root)).family), concat = p.kind(root) == OpKind::TtirConcat;
  std::optional<ViewMap> view;
  for (size_t i = 0; i < p.inputs(root); ++i) {
    if (!p.isTensor(p.in(root, i))) return false;
    bool candidate = elementwise ? p.shape(p.in(root, i)) == p.resultShape(root) : i == 0;
    if (candidate && !view) view = movableView(p, p.in(root, i), kOthers);
  }
  if (!view || (elementwise && p.inputs(root) > 1 && tooManyDims(*view))) return false;
  // The compiler moves these up only.
  bool upOnly = (concat && !view->isPermute()) || p.kind(root) == OpKind::TtirRmsNorm;
  if (kOthers != Others::Small && upOnly) return false;
  ViewMap back = view->inverse();
  std::optional<OpAcross> across = opAcross(p.old(root), p.shape(p.in(root, 0)), p.resultShape(root), back);
  if (elementwise) across = OpAcross{p.old(root).attrs, back};
  if (!across) return false;
  std::vector<ValueId> operands;
  if (elementwise || concat) {
    if (!operandsAcross(p, root, back, kOthers, operands)) return false;
  } else {
    operands.push_back(p.read(p.def(p.in(root, 0)), 0));
    for (size_t i = 1; i < p.inputs(root); ++i) operands.push_back(p.in(root, i));
  }
  OpSpec spec = makeOp(p.kind(root), std::move(operands), {p.typeWith(p.type(root), across->result.to)});
  spec.attrs = std::move(across->attrs);
  ValueId made = p.replace(root, std::move(spec));
  return p.seenAs(root, emitView(p, root, made, across->result.inverse()));
}

// Every reader of the old value is this very view.
bool allReadersAre(const PatternRewriter& p, ValueId value, OpId view) {
  return p.allReaders(value, [&](const Op& user) {
    return user.kind == p.old(view).kind && user.operands.size() == p.old(view).operands.size() &&
           p.oldGraph().values[user.results[0]].type == p.type(view) &&
           (user.kind == OpKind::TtirReshape || permutationOf(user) == permutationOf(p.old(view)));
  });
}

// The view of a reduction's operand that gives this view of its result. Dims that the reduction drops stay where they
// are.
std::optional<ViewMap> mapBeforeReduction(const Op& op, const Shape& in, const ViewMap& map) {
  bool keep = PatternRewriter::integer(op, "keep_dim", 0) != 0;
  if (keep || !map.isPermute()) return mapFor(in, map);
  std::vector<bool> reduced(in.size(), false);
  for (int64_t d : PatternRewriter::ints(op, "dim_arg")) {
    size_t place = static_cast<size_t>(d < 0 ? d + static_cast<int64_t>(in.size()) : d);
    if (place >= in.size()) return {};
    reduced[place] = true;
  }
  std::vector<int64_t> kept, order;
  for (size_t d = 0; d < in.size(); ++d) {
    if (!reduced[d]) kept.push_back(static_cast<int64_t>(d));
  }
  if (kept.size() != map.order.size()) return {};
  size_t next = 0;
  for (size_t d = 0; d < in.size(); ++d)
    order.push_back(reduced[d] ? static_cast<int64_t>(d) : kept[static_cast<size_t>(map.order[next++])]);
  return permuteMap(in, order);
}

// What `op` computes of the operands seen through a view of its result, or nothing when the view cannot pass it.
// `operand` gives the op's operands in the new graph.
template <class Operand>
std::optional<OpSpec> behindView(PatternRewriter& p, OpId root, const Op& op, size_t count, Operand operand,
                                 const ViewMap& map, const Shape& result, const ValueType& type) {
  Family family = opInfo(op.kind).family;
  bool broadcast = op.kind == OpKind::TtirBroadcast, sameShape = isElementwise(family) || broadcast;
  bool wide = std::max(map.from.size(), map.to.size()) > kMostDims;
  if (count == 0 || !operand(0).valid() || (wide && (broadcast || (count > 1 && isElementwise(family))))) return {};
  const Shape in = p.shape(operand(0));
  std::optional<ViewMap> before = sameShape                     ? map
                                  : family == Family::Reduction ? mapBeforeReduction(op, in, map)
                                                                : mapFor(in, map);
  std::optional<OpAcross> across = before ? opAcross(op, in, result, *before) : std::nullopt;
  if (!across || !sameViewMap(across->result, map)) return {};
  std::vector<ValueId> operands;
  for (size_t i = 0; i < count; ++i) {
    ValueId value = operand(i);
    if (!value.valid()) return {};
    bool seen = sameShape || family == Family::Concat || i == 0;
    std::optional<ViewMap> own = family == Family::Concat ? mapFor(p.shape(value), map) : before;
    if (!own) return {};
    operands.push_back(seen ? valueAcross(p, root, value, *own) : value);
    if (!operands.back().valid()) return {};
  }
  OpSpec spec = makeOp(op.kind, std::move(operands), {type});
  spec.attrs = std::move(across->attrs);
  return spec;
}

std::optional<ViewMap> mapOfView(const Op& view, const Shape& from, const Shape& to) {
  if (view.kind == OpKind::TtirPermute) return permuteMap(from, permutationOf(view));
  return reshapeMap(from, to);
}

// view(op(x)) = op(view(x)), found at the view.
bool moveBefore(PatternRewriter& p, OpId root) {
  bool isView = p.kind(root) == OpKind::TtirPermute || p.kind(root) == OpKind::TtirReshape;
  if (!isView || !p.isTensor(p.in(root, 0))) return false;
  ValueId value = p.in(root, 0);
  OpId inner = p.def(value);
  if (!inner.valid() || p.op(inner).results.size() != 1 || p.constant(value)) return false;
  const Op op = p.op(inner);
  if (!isPassable(op.kind) && op.kind != OpKind::TtirBroadcast) return false;
  std::optional<ViewMap> map = mapOfView(p.old(root), p.shape(value), p.resultShape(root));
  if (!map || !allReadersAre(p, value, root)) return false;
  size_t count = static_cast<size_t>(inputCount(p.graph(), inner));
  std::optional<OpSpec> spec = behindView(
      p, root, op, count, [&](size_t i) { return p.read(inner, i); }, *map, p.shape(value), p.type(root));
  if (!spec) return false;
  p.took(inner);
  p.replace(root, std::move(*spec));
  return true;
}

// The op's readers are one and the same view, which may pass it by the compiler's rules of that time.
bool mayPassUp(const PatternRewriter& p, OpId root, const Op& view, CompilerRelease release) {
  const Op& op = p.old(root);
  const bool permute = view.kind == OpKind::TtirPermute;
  // Views of many dims into fewer have hardly an inverse.
  const Shape &from = p.resultShape(root), &to = p.oldGraph().values[view.results[0]].type.tensor->shape;
  if (!permute && from.size() >= 6 && to.size() < from.size()) return false;
  if (op.kind == OpKind::TtirBroadcast) return true;
  if (!isPassable(op.kind) || opInfo(op.kind).family == Family::EltwiseTernary) return false;
  if (release != CompilerRelease::Autumn2025) return true;
  switch (opInfo(op.kind).family) {
    case Family::Reduction: return permute && PatternRewriter::integer(op, "keep_dim", 0) != 0;
    case Family::EltwiseUnary:
    case Family::EltwiseBinary:
    case Family::Typecast:
    case Family::Concat: return true;
    default: break;
  }
  if (op.kind != OpKind::TtirSliceStatic) return false;
  // A reshape that only adds or takes leading dims stays.
  bool same = true;
  for (size_t i = 1; i <= std::min(from.size(), to.size()); ++i)
    same = same && from[from.size() - i] == to[to.size() - i];
  return permute || !same;
}

// view(op(x)) = op(view(x)), found at the op and made in its place, as the compiler does.
template <CompilerRelease kRelease>
bool moveUp(PatternRewriter& p, OpId root) {
  if (p.old(root).results.size() != 1 || !p.type(root).isTensor() || p.readers(root).empty()) return false;
  const OpId first = p.readers(root).front();
  const Op& view = p.old(first);
  if (view.kind != OpKind::TtirPermute && view.kind != OpKind::TtirReshape) return false;
  const ValueType type = p.oldGraph().values[view.results[0]].type;
  for (OpId reader : p.readers(root)) {
    const Op& other = p.old(reader);
    if (other.kind != view.kind || other.operands.size() != view.operands.size() ||
        !(p.oldGraph().values[other.results[0]].type == type) ||
        (view.kind == OpKind::TtirPermute && permutationOf(other) != permutationOf(view)))
      return false;
  }
  if (!mayPassUp(p, root, view, kRelease)) return false;
  bool constant = true;
  for (size_t i = 0; i < p.inputs(root); ++i) constant = constant && p.constant(p.in(root, i));
  std::optional<ViewMap> map = mapOfView(view, p.resultShape(root), type.tensor->shape);
  if (constant || !map) return false;
  std::optional<OpSpec> spec = behindView(
      p, root, p.old(root), p.inputs(root),
      [&](size_t i) { return p.isTensor(p.in(root, i)) ? p.in(root, i) : ValueId{}; }, *map, p.resultShape(root), type);
  if (!spec) return false;
  std::vector<OpId> readers(p.readers(root).begin(), p.readers(root).end());
  ValueId made = p.replace(root, std::move(*spec));
  for (OpId reader : readers) p.settle(reader, made);
  return true;
}

// Bytes that permutes move, how many views there are, and the bytes that reshapes move. Only what runs: views of
// weights are computed once.
struct ViewCost {
  int64_t permuted = 0, views = 0, reshaped = 0;
};
ViewCost costOf(const Graph& graph) {
  ViewCost cost;
  IdVec<ValueId, bool> constant(graph.values.size(), false);
  for (ValueId id : graph.values.ids()) {
    const Value& value = graph.values[id];
    constant[id] = !value.producer.valid() && (value.role == ArgRole::Parameter || value.role == ArgRole::Constant);
  }
  for (const Function& func : graph.funcs) {
    for (OpId id : func.ops) {
      const Op& op = graph.ops[id];
      bool fixed = !op.results.empty() &&
                   std::all_of(op.operands.begin(), op.operands.end(), [&](ValueId v) { return constant[v]; });
      for (ValueId result : op.results) constant[result] = fixed;
      bool permute = op.kind == OpKind::TtirPermute, reshape = op.kind == OpKind::TtirReshape;
      if (fixed || (!permute && !reshape)) continue;
      ++cost.views;
      int64_t& moved = permute ? cost.permuted : cost.reshaped;
      moved = addSaturated(moved, elementCount(graph.values[op.results[0]].type.tensor->shape).value_or(0));
    }
  }
  return cost;
}

bool cheaper(const ViewCost& a, const ViewCost& b) {
  if (a.permuted != b.permuted) return a.permuted < b.permuted;
  return a.views < b.views || (a.views == b.views && a.reshaped < b.reshaped);
}

int64_t opsIn(const Graph& graph) {
  size_t count = 0;
  for (const Function& func : graph.funcs) count += func.ops.size();
  return static_cast<int64_t>(count);
}

// As far as one direction goes. Each walk moves a view past one op; `left` bounds the ops visited.
Graph moveAllTheWay(Graph from, const std::vector<PatternRewriter::Pattern>& patterns, int64_t& left) {
  while (left > 0) {
    left -= std::max<int64_t>(1, opsIn(from));
    Graph moved = withEqualOpsMerged(PatternRewriter(from).walk(patterns));
    if (sameGraph(moved, from)) return from;
    from = std::move(moved);
  }
  return from;
}

// The compiler's own search: all the way up, all the way down, until the numbers of views after both repeat; up again
// if there were fewer up there (tt-mlir lib/Dialect/TTIR/Transforms/EraseInverseOps/EraseInverseOps.cpp).
Graph commuteUntilCountsRepeat(const Graph& graph, const PassContext& context) {
  const int64_t mostRounds = context.settings.integer("max-iterations", 100);
  constexpr int64_t kMostVisits = 4'000'000;
  const std::vector<PatternRewriter::Pattern> up = {context.options.release == CompilerRelease::Autumn2025
                                                        ? moveUp<CompilerRelease::Autumn2025>
                                                        : moveUp<CompilerRelease::Summer2026>,
                                                    mergePermute, mergePermutesAcrossReshape, mergeReshape};
  const std::vector<PatternRewriter::Pattern> down = {mergePermute, mergePermutesAcrossReshape, mergeReshape,
                                                      context.options.release == CompilerRelease::Autumn2025
                                                          ? moveBehind<Others::WholeConstantOnly>
                                                          : moveBehind<Others::ConstantOnly>};
  int64_t left = kMostVisits, above = -1, below = -1;
  Graph now = graph;
  for (int64_t round = 0; round < mostRounds && left > 0; ++round) {
    if (context.settings.flag("enable-commute-upwards", true)) now = moveAllTheWay(std::move(now), up, left);
    const int64_t nowAbove = costOf(now).views;
    if (context.settings.flag("enable-commute-downwards", true)) now = moveAllTheWay(std::move(now), down, left);
    const int64_t nowBelow = costOf(now).views;
    if (nowAbove == above && nowBelow == below) {
      return nowAbove < nowBelow ? moveAllTheWay(std::move(now), up, left) : std::move(now);
    }
    above = nowAbove;
    below = nowBelow;
  }
  return now;
}

}  // namespace

// Several views one behind the other pass an op one per walk. Moving is kept only where something goes, unless the
// option `force` says that everything moves that can.
PassResult ttirEraseInverseOps(const Graph& graph, const PassContext& context) {
  if (!context.options.specificationRules) return {compactGraph(commuteUntilCountsRepeat(graph, context))};
  bool force = context.settings.flag("force", false);
  const int mostWalks = force ? 16 : 8;
  auto behind =
      context.options.specificationRules || force ? moveBehind<Others::Small> : moveBehind<Others::ConstantOnly>;
  std::optional<Graph> best;  // what is kept; none: the given graph
  ViewCost least = costOf(graph);
  int accepted = 0;             // walks kept so far
  int exhausted[2] = {-1, -1};  // per direction: `accepted` when walking on last found nothing
  for (int round = 0, changed = 1; changed > 0 && round < (force ? 1 : 4); ++round) {
    changed = accepted;
    for (bool upwards : {true, false}) {
      if (!context.settings.flag(upwards ? "enable-commute-upwards" : "enable-commute-downwards", true)) continue;
      if (exhausted[upwards] == accepted) continue;
      std::vector<PatternRewriter::Pattern> patterns = {mergePermute, mergePermutesAcrossReshape, mergeReshape};
      patterns.insert(force ? patterns.begin() : patterns.end(), upwards ? moveBefore : behind);
      std::optional<Graph> tried;  // what is built on it and not kept yet
      int idle = 0;
      bool same = false;
      for (int walk = 0; walk < mostWalks && (force || idle < 2); ++walk) {
        const Graph& from = tried ? *tried : best ? *best : graph;
        Graph moved = withEqualOpsMerged(PatternRewriter(from).walk(patterns));
        same = sameGraph(moved, from);
        if (same) break;
        const ViewCost cost = costOf(moved);
        idle = cheaper(cost, least) ? 0 : idle + 1;
        if (!force && idle > 0) {
          tried = std::move(moved);
          continue;
        }
        best = std::move(moved);
        tried.reset();
        least = cost;
        ++accepted;
      }
      if (same || idle >= 2) exhausted[upwards] = accepted;
    }
    changed = accepted - changed;
  }
  return {best ? compactGraph(std::move(*best)) : graph};
}

}  // namespace tessera
