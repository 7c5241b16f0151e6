#pragma once
// The pattern families of the fusing pass; fuse.cpp has their order.

#include "core/lowering/prepare/pattern.h"

namespace tessera {

// fuse_activation.cpp
bool fuseRelu(PatternRewriter& p, OpId root);
bool fuseSilu(PatternRewriter& p, OpId root);
bool fuseGelu(PatternRewriter& p, OpId root);
bool fuseConversionsAround(PatternRewriter& p, OpId root);

// fuse_clamp.cpp
bool clampTensorToScalar(PatternRewriter& p, OpId root);
bool fuseRelu6(PatternRewriter& p, OpId root);
bool fuseHardsigmoid(PatternRewriter& p, OpId root);
bool fuseMish(PatternRewriter& p, OpId root);

// fuse_norm.cpp
bool fuseReductionReshape(PatternRewriter& p, OpId root);
bool fuseMean(PatternRewriter& p, OpId root);
bool fuseImageMean(PatternRewriter& p, OpId root);
bool fuseSoftmax(PatternRewriter& p, OpId root);
bool fuseMaskedSoftmax(PatternRewriter& p, OpId root);
bool fuseRmsNorm(PatternRewriter& p, OpId root);
bool fuseRmsNormWeight(PatternRewriter& p, OpId root);
bool explainLayerNorm(PatternRewriter& p, OpId root);

// fuse_linear.cpp
bool foldBatchNorm(PatternRewriter& p, OpId root);
bool fuseConvBias(PatternRewriter& p, OpId root);
bool fuseConvMultiply(PatternRewriter& p, OpId root);
bool fusePermuteIntoProduct(PatternRewriter& p, OpId root);
bool fuseLinear(PatternRewriter& p, OpId root);
bool fuseLinearWithAnyBias(PatternRewriter& p, OpId root);
bool fuseConvSum(PatternRewriter& p, OpId root);
bool fuseActivation(PatternRewriter& p, OpId root);
bool fusePadding(PatternRewriter& p, OpId root);
bool fuseVolumePadding(PatternRewriter& p, OpId root);

// fuse_attention.cpp
bool fuseRotaryEmbedding(PatternRewriter& p, OpId root);
bool fuseSplitRotaryEmbedding(PatternRewriter& p, OpId root);
bool explainRotaryEmbedding(PatternRewriter& p, OpId root);
bool fuseAttention(PatternRewriter& p, OpId root);

// fuse_heads.cpp
bool fuseConcatenatedHeads(PatternRewriter& p, OpId root);
bool fuseCacheUpdate(PatternRewriter& p, OpId root);

// fuse_shared.cpp
bool fuseSharedProducts(PatternRewriter& p, OpId root);
bool sliceBeforeProduct(PatternRewriter& p, OpId root);
bool fuseRepeats(PatternRewriter& p, OpId root);
bool fuseTopk(PatternRewriter& p, OpId root);

// fuse_split_heads.cpp
bool fuseSplitHeads(PatternRewriter& p, OpId root);

// Shared by the families.
// The value behind reshapes and broadcasts; `took` tells the rewriter which ops were passed.
ValueId behindViews(PatternRewriter& p, ValueId value);
ValueId behindCasts(PatternRewriter& p, ValueId value);
// `value` = x * c, in either order: x, and c in `factor`. Invalid when it is not.
ValueId scaledBySplat(PatternRewriter& p, ValueId value, OpKind kind, double& factor);

}  // namespace tessera
