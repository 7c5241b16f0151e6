// Implicit broadcast folding: an element-wise op reads what its broadcast operand was made of.

#include <algorithm>

#include "core/lowering/prepare/pattern.h"
#include "core/lowering/prepare/prepare.h"

namespace tessera {

namespace {

// The shape element-wise operands broadcast to; empty and false when they do not fit.
bool broadcastTo(const std::vector<Shape>& shapes, Shape& out) {
  out.clear();
  for (const Shape& shape : shapes) {
    if (shape.size() > out.size()) out.insert(out.begin(), shape.size() - out.size(), 1);
    for (size_t back = 1; back <= shape.size(); ++back) {
      int64_t& dim = out[out.size() - back];
      int64_t other = shape[shape.size() - back];
      if (dim != other && dim != 1 && other != 1) return false;
      if (dim == 1) dim = other;
    }
  }
  return true;
}

bool foldBroadcast(PatternRewriter& p, OpId root) {
  Family family = opInfo(p.kind(root)).family;
  if (family != Family::EltwiseBinary && family != Family::EltwiseTernary) return false;
  size_t count = p.inputs(root);
  std::vector<ValueId> operands;
  std::vector<Shape> shapes;
  for (size_t i = 0; i < count; ++i) {
    operands.push_back(p.in(root, i));
    if (!p.isTensor(operands.back())) return false;
    shapes.push_back(p.shape(operands.back()));
  }
  bool changed = false;
  for (size_t i = 0; i < count; ++i) {
    OpId broadcast = p.def(operands[i], OpKind::TtirBroadcast);
    ValueId source = p.read(broadcast, 0);
    if (!source.valid()) continue;
    std::vector<Shape> tried = shapes;
    tried[i] = p.shape(source);
    Shape result;
    if (!broadcastTo(tried, result) || result != p.resultShape(root)) continue;  // nobody else has the full shape
    shapes = std::move(tried);
    operands[i] = source;
    p.took(broadcast);
    changed = true;
  }
  if (!changed) return false;
  OpSpec spec = makeOp(p.kind(root), std::move(operands), {p.type(root)});
  spec.attrs = p.old(root).attrs;
  p.replace(root, std::move(spec));
  return true;
}

// What an operand was before it was broadcast, and the shape that the op has then.
bool peelBroadcasts(PatternRewriter& p, std::vector<ValueId>& operands, Shape& result) {
  bool changed = false;
  std::vector<Shape> shapes;
  for (ValueId& operand : operands) {
    OpId broadcast = p.def(operand, OpKind::TtirBroadcast);
    if (ValueId source = p.read(broadcast, 0); source.valid()) {
      p.took(broadcast);
      operand = source;
      changed = true;
    }
    shapes.push_back(p.shape(operand));
  }
  const size_t rank = result.size();
  return changed && broadcastTo(shapes, result) && result.size() == rank;
}

// As the compiler: broadcasts that no operand needs come behind the op, one for each there was.
bool foldOrMoveBroadcasts(PatternRewriter& p, OpId root) {
  Family family = opInfo(p.kind(root)).family;
  if (family != Family::EltwiseBinary && family != Family::EltwiseTernary) return false;
  constexpr int kMostLayers = 8;
  std::vector<ValueId> operands;
  for (size_t i = 0; i < p.inputs(root); ++i) {
    operands.push_back(p.in(root, i));
    if (!p.isTensor(operands.back())) return false;
  }
  std::vector<Shape> behind;  // of the results of broadcasts, the last one first
  Shape now = p.resultShape(root);
  bool changed = false;
  for (int layer = 0; layer < kMostLayers; ++layer) {
    std::vector<ValueId> tried = operands;
    Shape next = now;
    const size_t took = p.takenSoFar();
    if (!peelBroadcasts(p, tried, next)) {
      p.takeBack(took);
      break;
    }
    if (next != now) behind.push_back(now);
    operands = std::move(tried);
    now = std::move(next);
    changed = true;
  }
  if (!changed) return false;
  OpSpec spec = makeOp(p.kind(root), std::move(operands), {p.typeWith(p.type(root), now)});
  spec.attrs = p.old(root).attrs;
  ValueId value = p.replace(root, std::move(spec));
  for (; !behind.empty(); behind.pop_back()) {
    const Shape& to = behind.back();
    std::vector<int64_t> factors;
    for (size_t d = 0; d < to.size(); ++d) factors.push_back(p.shape(value)[d] == to[d] ? 1 : to[d]);
    OpSpec broadcast = makeOp(OpKind::TtirBroadcast, {value}, {p.typeWith(p.typeOf(value), to)});
    broadcast.attrs = {{"broadcast_dimensions", intArrayAttr(factors)}};
    value = p.emit(root, std::move(broadcast));
  }
  return p.seenAs(root, value);
}

}  // namespace

PassResult ttirImplicitBroadcastFold(const Graph& graph, const PassContext& context) {
  return PatternRewriter(graph).run({context.options.specificationRules ? foldBroadcast : foldOrMoveBroadcasts});
}

}  // namespace tessera
