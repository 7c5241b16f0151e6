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

}  // namespace

PassResult ttirImplicitBroadcastFold(const Graph& graph, const PassContext& context) {
  return PatternRewriter(graph).run({foldBroadcast}, context);
}

}  // namespace tessera
