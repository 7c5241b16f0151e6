// Erasing inverse views: permutes and reshapes move behind the ops they do not matter to, or before them, until they
// meet their inverse and both go (compiler: ttir-erase-inverse-ops).

#include <algorithm>

#include "core/lowering/common_ops.h"
#include "core/lowering/prepare/prepare.h"
#include "core/lowering/prepare/view_map.h"
#include "core/lowering/prepare/views.h"
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

// The view that makes the value, when it may be passed: nobody needs it as it is, or only ops that it can pass, too.
// Weights' views are computed once, so they stay.
std::optional<ViewMap> movableView(const PatternRewriter& p, ValueId value) {
  if (!p.isTensor(value)) return {};
  OpId made = p.def(value);
  if (!made.valid() || !p.read(made, 0).valid() || p.constant(value)) return {};
  if (p.useCount(value) > 1 && !p.allUsers(value, absorbs)) return {};
  return mapOf(p, made);
}

bool tooManyDims(const ViewMap& map) {
  return !map.isPermute() && std::max(map.from.size(), map.to.size()) > kMostDims;
}

// Whether a view passes an op with several operands when another operand is no such view: for the compiler only where
// that is a weight or a number.
enum class Others { ConstantOnly, Small };

// The operands without the view: what it reads where an operand is such a view, small operands and weights seen from
// the other side.
bool operandsAcross(PatternRewriter& p, OpId root, const ViewMap& back, Others others, std::vector<ValueId>& operands) {
  for (size_t i = 0; i < p.inputs(root); ++i) {
    ValueId value = p.in(root, i);
    std::optional<ViewMap> own = movableView(p, value);
    std::optional<ViewMap> wanted = mapFor(p.shape(value), back);
    bool same = own && wanted && sameViewMap(own->inverse(), *wanted);
    if (same) {
      operands.push_back(p.read(p.def(value), 0));
      continue;
    }
    bool whole = p.shape(value) == p.resultShape(root) && elementCount(p.shape(value)) != 1;
    bool stays = whole || (others == Others::ConstantOnly && elementCount(p.shape(value)) != 1);
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
  bool elementwise = isElementwise(opInfo(p.kind(root)).family), concat = p.kind(root) == OpKind::TtirConcat;
  std::optional<ViewMap> view;
  for (size_t i = 0; i < p.inputs(root); ++i) {
    if (!p.isTensor(p.in(root, i))) return false;
    bool candidate = elementwise ? p.shape(p.in(root, i)) == p.resultShape(root) : i == 0;
    if (candidate && !view) view = movableView(p, p.in(root, i));
  }
  if (!view || (elementwise && p.inputs(root) > 1 && tooManyDims(*view))) return false;
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

// view(op(x)) = op(view(x))
bool moveBefore(PatternRewriter& p, OpId root) {
  bool isView = p.kind(root) == OpKind::TtirPermute || p.kind(root) == OpKind::TtirReshape;
  if (!isView || !p.isTensor(p.in(root, 0))) return false;
  ValueId value = p.in(root, 0);
  OpId inner = p.def(value);
  if (!inner.valid() || p.op(inner).results.size() != 1 || p.constant(value)) return false;
  const Op op = p.op(inner);
  bool broadcast = op.kind == OpKind::TtirBroadcast;
  if (!isPassable(op.kind) && !broadcast) return false;
  std::optional<ViewMap> map = p.kind(root) == OpKind::TtirPermute
                                   ? std::optional(permuteMap(p.shape(value), permutationOf(p.old(root))))
                                   : reshapeMap(p.shape(value), p.resultShape(root));
  if (!map || !allReadersAre(p, value, root)) return false;
  size_t count = static_cast<size_t>(inputCount(p.graph(), inner));
  bool wide = std::max(map->from.size(), map->to.size()) > kMostDims;
  if (count == 0 || (wide && (broadcast || (count > 1 && isElementwise(opInfo(op.kind).family))))) return false;
  const Shape in = p.shape(op.operands[0]);
  bool sameShape = isElementwise(opInfo(op.kind).family) || broadcast;
  Family family = opInfo(op.kind).family;
  std::optional<ViewMap> before = sameShape                     ? map
                                  : family == Family::Reduction ? mapBeforeReduction(op, in, *map)
                                                                : mapFor(in, *map);
  if (!before) return false;
  std::optional<OpAcross> across = opAcross(op, in, p.shape(value), *before);
  if (!across || !sameViewMap(across->result, *map)) return false;
  std::vector<ValueId> operands;
  for (size_t i = 0; i < count; ++i) {
    ValueId operand = p.read(inner, i);
    bool seen = sameShape || family == Family::Concat || i == 0;
    if (!operand.valid()) return false;
    std::optional<ViewMap> own = family == Family::Concat ? mapFor(p.shape(operand), *map) : before;
    if (!own) return false;
    ValueId made = seen ? valueAcross(p, root, operand, *own) : operand;
    if (!made.valid()) return false;
    operands.push_back(made);
  }
  p.took(inner);
  OpSpec spec = makeOp(op.kind, std::move(operands), {p.type(root)});
  spec.attrs = std::move(across->attrs);
  p.replace(root, std::move(spec));
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

// As far as one direction goes. Each walk moves a view past one op; `left` bounds the ops visited.
PassResult moveAllTheWay(PassResult from, const std::vector<PatternRewriter::Pattern>& patterns,
                         const PassContext& context, int64_t& left) {
  while (left > 0) {
    left -= std::max<int64_t>(1, static_cast<int64_t>(from.graph.ops.size()));
    PassResult moved{withEqualOpsMerged(PatternRewriter(from.graph).run(patterns, context).graph)};
    if (sameGraph(moved.graph, from.graph)) return from;
    from = std::move(moved);
  }
  return from;
}

// The compiler's own search: all the way up, all the way down, until the numbers of views after both repeat; up again
// if there were fewer up there (tt-mlir lib/Dialect/TTIR/Transforms/EraseInverseOps/EraseInverseOps.cpp).
PassResult commuteUntilCountsRepeat(const Graph& graph, const PassContext& context) {
  constexpr int kMostRounds = 100;
  constexpr int64_t kMostVisits = 4'000'000;
  const std::vector<PatternRewriter::Pattern> up = {moveBefore, mergePermute, mergePermutesAcrossReshape, mergeReshape};
  const std::vector<PatternRewriter::Pattern> down = {mergePermute, mergePermutesAcrossReshape, mergeReshape,
                                                      moveBehind<Others::ConstantOnly>};
  int64_t left = kMostVisits, above = -1, below = -1;
  PassResult now{graph};
  for (int round = 0; round < kMostRounds && left > 0; ++round) {
    if (context.settings.flag("enable-commute-upwards", true)) now = moveAllTheWay(std::move(now), up, context, left);
    const int64_t nowAbove = costOf(now.graph).views;
    if (context.settings.flag("enable-commute-downwards", true))
      now = moveAllTheWay(std::move(now), down, context, left);
    const int64_t nowBelow = costOf(now.graph).views;
    if (nowAbove == above && nowBelow == below) {
      return nowAbove < nowBelow ? moveAllTheWay(std::move(now), up, context, left) : std::move(now);
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
  if (!context.options.specificationRules) return commuteUntilCountsRepeat(graph, context);
  bool force = context.settings.flag("force", false);
  const int mostWalks = force ? 16 : 8;
  auto behind =
      context.options.specificationRules || force ? moveBehind<Others::Small> : moveBehind<Others::ConstantOnly>;
  PassResult best{graph};
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
      PassResult tried = best;
      int idle = 0;
      bool same = false;
      for (int walk = 0; walk < mostWalks && (force || idle < 2); ++walk) {
        PassResult moved{withEqualOpsMerged(PatternRewriter(tried.graph).run(patterns, context).graph)};
        same = sameGraph(moved.graph, tried.graph);
        if (same) break;
        ViewCost cost = costOf(moved.graph);
        tried = std::move(moved);
        idle = cheaper(cost, least) ? 0 : idle + 1;
        if (!force && idle > 0) continue;
        best = tried;
        least = cost;
        ++accepted;
      }
      if (same || idle >= 2) exhausted[upwards] = accepted;
    }
    changed = accepted - changed;
  }
  return best;
}

}  // namespace tessera
