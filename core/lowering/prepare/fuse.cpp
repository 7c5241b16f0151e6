// The fusing pass: which patterns, in which order. A pattern sees what earlier ones made of the ops before it, so
// attention finds its softmax fused, and an activation its linear.

#include "core/lowering/prepare/fuse.h"

#include <algorithm>
#include <initializer_list>

#include "core/lowering/prepare/prepare.h"

namespace tessera {

namespace {

// What the value was before ops of these kinds, which the pattern takes in.
ValueId behind(PatternRewriter& p, ValueId value, std::initializer_list<OpKind> kinds, int most) {
  for (int depth = 0; depth < most; ++depth) {
    OpId made = p.def(value);
    if (!made.valid() || std::find(kinds.begin(), kinds.end(), p.op(made).kind) == kinds.end()) return value;
    ValueId source = p.read(made, 0);
    if (!source.valid()) return value;
    p.took(made);
    value = source;
  }
  return value;
}

}  // namespace

ValueId behindViews(PatternRewriter& p, ValueId value) {
  return behind(p, value, {OpKind::TtirReshape, OpKind::TtirBroadcast}, 8);
}

ValueId behindCasts(PatternRewriter& p, ValueId value) { return behind(p, value, {OpKind::TtirTypecast}, 4); }

ValueId scaledBySplat(PatternRewriter& p, ValueId value, OpKind kind, double& factor) {
  OpId made = p.def(value, kind);
  if (!made.valid()) return {};
  for (size_t side = 0; side < 2; ++side) {
    std::optional<double> number = p.splat(p.op(made).operands[1 - side]);
    ValueId x = number ? p.read(made, side) : ValueId{};
    // The factor may be one number in a larger tensor, but must not make the result larger than x.
    if (!x.valid() || !p.isTensor(x) || p.shape(x) != p.shape(value)) continue;
    factor = *number;
    p.took(made);
    return x;
  }
  return {};
}

namespace {

using Patterns = std::vector<PatternRewriter::Pattern>;

void append(Patterns& patterns, std::initializer_list<PatternRewriter::Pattern> more) {
  patterns.insert(patterns.end(), more);
}

// What needs nothing decomposed.
Patterns patternsAsWritten() {
  return {foldBatchNorm, fusePadding, fuseConvBias, fuseRelu6, fuseHardsigmoid, fuseMish, fuseRelu, fuseSilu, fuseGelu};
}

// Before 2025-12: no norms and no attention (tt-mlir pulls 6326, 5999), means of images only (2, 3 of four dims),
// caches found in scatters; rotary embeddings only behind the moves of views (pull 8465 came later).
Patterns patternsOf(const PassContext& context) {
  const LoweringOptions& options = context.options;
  const bool of2025 = options.release == CompilerRelease::Autumn2025;
  Patterns patterns = patternsAsWritten();
  append(patterns, {of2025 ? fuseImageMean : fuseMean, fuseReductionReshape, fuseSoftmax, fuseMaskedSoftmax});
  if (of2025) {
    append(patterns, {fuseCacheUpdate, fuseConcatenatedHeads});
  } else {
    append(patterns, {fuseRmsNorm, fuseRmsNormWeight, explainLayerNorm, fuseRotaryEmbedding, explainRotaryEmbedding,
                      fuseAttention, fuseConversionsAround});
    if (!options.specificationRules)
      append(patterns,
             {fuseSplitRotaryEmbedding, fuseConcatenatedHeads, fuseRepeats, fuseTopk, fuseVolumePadding, fuseConvSum});
  }
  if (!of2025 && !options.specificationRules) append(patterns, {fuseLinearWithAnyBias});
  append(patterns, {fuseLinear});
  if (options.specificationRules) return patterns;
  const bool multiply = options.convMultiply.value_or(options.optimizer);
  if (context.settings.flag("ttnn-enable-conv2d-with-multiply-pattern", multiply)) append(patterns, {fuseConvMultiply});
  if (context.settings.flag("enable-permute-matmul-fusion", options.permuteMatmul))
    append(patterns, {fusePermuteIntoProduct});
  return patterns;
}

// One list of patterns after the other; the rules of 2025 know the first alone.
PassResult runBoth(const Graph& graph, const PassContext& context, Patterns first, Patterns then) {
  PassResult result = PatternRewriter(graph).run(first);
  if (context.options.release == CompilerRelease::Autumn2025) return result;
  PassResult last = PatternRewriter(result.graph).run(then);
  carryNotes(result, last);
  return last;
}

}  // namespace

// The specification fuses before it decomposes. Attention, norms and products wait: they are found in what
// decomposition and the folding of broadcasts make.
PassResult ttirFusingFirst(const Graph& graph, const PassContext&) {
  return PatternRewriter(graph).run(patternsAsWritten());
}

PassResult ttirFusing(const Graph& graph, const PassContext& context) {
  // Activations come last: what is read inside a pattern may be read once only now, and a relu may be part of a relu6.
  // The compiler leaves them to ttnn-fusing; it puts products together once they have their biases.
  Patterns last = {fuseActivation};
  if (!context.options.specificationRules) last = {fuseSharedProducts, sliceBeforeProduct};
  return runBoth(graph, context, patternsOf(context), last);
}

// What stands next to each other only now that views have moved.
PassResult ttirLateFusing(const Graph& graph, const PassContext& context) {
  Patterns patterns = patternsOf(context);
  if (context.options.release == CompilerRelease::Autumn2025) append(patterns, {fuseRotaryEmbedding});
  else append(patterns, {fuseSharedProducts, sliceBeforeProduct});
  return runBoth(graph, context, patterns, {fuseSplitHeads});
}

}  // namespace tessera
