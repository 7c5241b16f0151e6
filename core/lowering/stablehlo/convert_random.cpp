// Random and quantized numbers.

#include "core/lowering/stablehlo/convert.h"

namespace tessera::shlo {

bool rng(PatternRewriter& p, OpId root) {
  const Op& op = p.old(root);
  double low = 0, high = 1;
  if (op.kind == OpKind::ShloRng) {
    if (word(op, "rng_distribution") != "UNIFORM" || op.operands.size() < 2)
      return refuse(p, root, "the library draws uniform numbers only");
    std::optional<double> from = p.splat(p.in(root, 0)), to = p.splat(p.in(root, 1));
    if (!from || !to || !(*from < *to)) return refuse(p, root, "its bounds are known at run time only");
    low = *from;
    high = *to;
  } else {
    // The state is passed on; the bits are numbers of the whole range of u32.
    if (op.results.size() != 2 || op.operands.empty() ||
        p.typeOf(p.in(root, 0)) != p.oldGraph().values[op.results[0]].type)
      return refuse(p, root, "it has no state and bits");
    ValueType type = p.oldGraph().values[op.results[1]].type;
    if (!type.isTensor()) return refuse(p, root, "its bits are no tensor");
    ValueId drawn = emit(p, root, OpKind::TtirRand, {}, p.typeWith(type, DType::F32),
                         {{"size", intListAttr(type.tensor->shape)},
                          {"low", f32Attr(0.0)},
                          {"high", f32Attr(4294967040.0)},
                          {"seed", intAttr(0, "ui32")}});
    p.mapResult(root, 1, emit(p, root, OpKind::TtirTypecast, {drawn}, type));
    return p.becomes(root, p.in(root, 0));
  }
  return finish(p, root, OpKind::TtirRand, {},
                {{"size", intListAttr(p.resultShape(root))},
                 {"low", f32Attr(low)},
                 {"high", f32Attr(high)},
                 {"seed", intAttr(0, "ui32")}});
}

bool quantized(PatternRewriter& p, OpId root) {
  if (!tensors(p, root, 1) || shapeOf(p, root, 0) != p.resultShape(root)) return refuse(p, root, "its shapes differ");
  OpKind kind = targetOf(p.kind(root));
  bool again = kind == OpKind::TtirQuantize && !p.typeOf(p.in(root, 0)).tensor->element.empty();
  return finish(p, root, again ? OpKind::TtirRequantize : kind, {p.in(root, 0)});
}

}  // namespace tessera::shlo
