// Flattening of sliding windows: convolutions and pools read and write (1, 1, N*H*W, C); what the image was is an
// attribute.

#include "core/lowering/prepare/prepare.h"
#include "core/lowering/prepare/views.h"
#include "core/ops/shapes/shape_rules.h"
#include "core/support/units.h"

namespace tessera {

namespace {

// Places of batch, height, width and channel.
std::vector<int64_t> dimOrder(const PatternRewriter& p, OpId root, const Window2d& w) {
  const Op& op = p.old(root);
  if (findAttr(op, "channel_dim") != nullptr) {
    return {p.integer(op, "batch_dim", 0), p.integer(op, "height_dim", 1), p.integer(op, "width_dim", 2),
            p.integer(op, "channel_dim", 3)};
  }
  // Programs without a word on the order of dims may mean NCHW (docs/rules/lowering.md#windows).
  bool last = p.resultShape(root) == Shape{w.batch, w.outH, w.outW, w.outC};
  return last ? std::vector<int64_t>{0, 1, 2, 3} : std::vector<int64_t>{0, 2, 3, 1};
}

bool isWindowOp(OpKind kind) {
  switch (kind) {
    case OpKind::TtirConv2d:
    case OpKind::TtirConvTranspose2d:
    case OpKind::TtirMaxPool2d:
    case OpKind::TtirMaxPool2dWithIndices:
    case OpKind::TtirAvgPool2d: return true;
    default: return false;
  }
}

bool flattenWindow(PatternRewriter& p, OpId root) {
  if (!isWindowOp(p.kind(root)) || findAttr(p.old(root), "flattened_compat_info") != nullptr) return false;
  std::optional<Window2d> w = window2d(p.oldGraph(), root);
  int64_t in = 0, out = 0;
  bool sane = w && mulChecked(w->batch, w->inH, in) && mulChecked(in, w->inW, in) &&
              mulChecked(w->batch, w->outH, out) && mulChecked(out, w->outW, out);
  if (!sane) {
    p.nearMiss(root, "the window's numbers do not fit its shapes");
    return false;
  }
  std::vector<int64_t> order = dimOrder(p, root, *w);
  ValueId image = p.emitPermute(root, p.in(root, 0), order);
  ValueId flat = p.emitReshape(root, image, {1, 1, in, w->inC});
  OpSpec spec = makeOp(p.kind(root), {flat}, {});
  for (ValueId result : p.old(root).results)
    spec.resultTypes.push_back(p.typeWith(p.oldGraph().values[result].type, Shape{1, 1, out, w->outC}));
  for (size_t i = 1; i < p.inputs(root); ++i) spec.operands.push_back(p.in(root, i));
  for (const Attribute& attr : p.old(root).attrs) {
    bool placed = attr.name == "batch_dim" || attr.name == "height_dim" || attr.name == "width_dim" ||
                  attr.name == "channel_dim" || attr.name == "channel_last";
    if (!placed) spec.attrs.push_back(attr);
  }
  spec.attrs.push_back(
      {"flattened_compat_info",
       rawAttr("#ttir<flattened_compat batch_size = " + std::to_string(w->batch) +
               ", input_height = " + std::to_string(w->inH) + ", input_width = " + std::to_string(w->inW) + ">")});
  p.replace(root, std::move(spec));
  for (size_t i = 0; i < p.old(root).results.size(); ++i) {
    ValueId back = p.emitReshape(root, p.nowOf(p.old(root).results[i]), {w->batch, w->outH, w->outW, w->outC});
    p.mapResult(root, i, p.emitPermute(root, back, inverseOf(order)));
  }
  return true;
}

}  // namespace

PassResult ttirFlattenSlidingWindow(const Graph& graph, const PassContext&) {
  return PatternRewriter(graph).run({mergePermute, mergePermutesAcrossReshape, mergeReshape, flattenWindow});
}

}  // namespace tessera
