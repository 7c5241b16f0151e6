// The fusing pass: which patterns, in which order. A pattern sees what earlier ones made of the ops before it, so
// attention finds its softmax fused, and an activation its linear.

#include "core/lowering/prepare/fuse.h"

#include "core/lowering/prepare/prepare.h"

namespace tessera {

ValueId behindViews(PatternRewriter& p, ValueId value) {
  for (int depth = 0; depth < 8; ++depth) {
    OpId made = p.def(value);
    if (!made.valid() || (p.op(made).kind != OpKind::TtirReshape && p.op(made).kind != OpKind::TtirBroadcast))
      return value;
    ValueId source = p.read(made, 0);
    if (!source.valid()) return value;
    p.took(made);
    value = source;
  }
  return value;
}

ValueId behindCasts(PatternRewriter& p, ValueId value) {
  for (int depth = 0; depth < 4; ++depth) {
    OpId made = p.def(value, OpKind::TtirTypecast);
    ValueId source = p.read(made, 0);
    if (!source.valid()) return value;
    p.took(made);
    value = source;
  }
  return value;
}

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

// Before 2025-12: no norms and no attention (tt-mlir pulls 6326, 5999), means of images only (2, 3 of four dims),
// caches found in scatters; rotary embeddings only behind the moves of views (pull 8465 came later).
std::vector<PatternRewriter::Pattern> patternsOf2025() {
  return {foldBatchNorm,
          fusePadding,
          fuseConvBias,
          fuseRelu6,
          fuseHardsigmoid,
          fuseMish,
          fuseRelu,
          fuseSilu,
          fuseGelu,
          fuseImageMean,
          fuseReductionReshape,
          fuseSoftmax,
          fuseMaskedSoftmax,
          fuseCacheUpdate,
          fuseConcatenatedHeads,
          fuseLinear};
}

std::vector<PatternRewriter::Pattern> patternsOf(const LoweringOptions& options) {
  if (options.release == CompilerRelease::Autumn2025) return patternsOf2025();
  std::vector<PatternRewriter::Pattern> patterns = {foldBatchNorm,
                                                    fusePadding,
                                                    fuseConvBias,
                                                    fuseRelu6,
                                                    fuseHardsigmoid,
                                                    fuseMish,
                                                    fuseRelu,
                                                    fuseSilu,
                                                    fuseGelu,
                                                    fuseMean,
                                                    fuseReductionReshape,
                                                    fuseSoftmax,
                                                    fuseMaskedSoftmax,
                                                    fuseRmsNorm,
                                                    fuseRmsNormWeight,
                                                    explainLayerNorm,
                                                    fuseRotaryEmbedding,
                                                    explainRotaryEmbedding,
                                                    fuseAttention,
                                                    fuseConversionsAround,
                                                    fuseLinear};
  if (!options.specificationRules)
    patterns.insert(patterns.end() - 1, {fuseConcatenatedHeads, fuseRepeats, fuseTopk, fuseVolumePadding});
  return patterns;
}

}  // namespace

// The specification fuses before it decomposes. Attention, norms and products wait: they are found in what
// decomposition and the folding of broadcasts make.
PassResult ttirFusingFirst(const Graph& graph, const PassContext& context) {
  return PatternRewriter(graph).run(
      {foldBatchNorm, fusePadding, fuseConvBias, fuseRelu6, fuseHardsigmoid, fuseMish, fuseRelu, fuseSilu, fuseGelu},
      context);
}

PassResult ttirFusing(const Graph& graph, const PassContext& context) {
  // Activations come last: what is read inside a pattern may be read once only now, and a relu may be part of a relu6.
  // The compiler leaves them to ttnn-fusing; it puts products together once they have their biases.
  std::vector<PatternRewriter::Pattern> last = {fuseActivation};
  if (!context.options.specificationRules) last = {fuseSharedProducts, sliceBeforeProduct};
  PassResult first = PatternRewriter(graph).run(patternsOf(context.options), context);
  if (context.options.release == CompilerRelease::Autumn2025) return first;
  PassResult second = PatternRewriter(first.graph).run(last, context);
  carryNotes(first, second);
  return second;
}

// What stands next to each other only now that views have moved.
PassResult ttirLateFusing(const Graph& graph, const PassContext& context) {
  std::vector<PatternRewriter::Pattern> patterns = patternsOf(context.options);
  if (context.options.release == CompilerRelease::Autumn2025) patterns.push_back(fuseRotaryEmbedding);
  else patterns.insert(patterns.end(), {fuseSharedProducts, sliceBeforeProduct});
  PassResult first = PatternRewriter(graph).run(patterns, context);
  if (context.options.release == CompilerRelease::Autumn2025) return first;
  PassResult second = PatternRewriter(first.graph).run({fuseSplitHeads}, context);
  carryNotes(first, second);
  return second;
}

}  // namespace tessera
