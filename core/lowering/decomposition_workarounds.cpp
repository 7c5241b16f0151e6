// The table of decomposition workarounds.

#include "core/lowering/workaround_rules.h"
#include "core/lowering/workarounds.h"

namespace tessera {

namespace {

constexpr std::string_view kOneDim = "the library reduces one dim at a time (docs/rules/lowering.md#reductions)";

bool bySpecification(const PassContext& context) { return context.options.specificationRules; }
bool byCompiler(const PassContext& context) { return !context.options.specificationRules; }
bool until2025(const PassContext& context) { return context.options.release == CompilerRelease::Autumn2025; }
bool since2026(const PassContext& context) { return byCompiler(context) && !until2025(context); }
bool onBlackhole(const PassContext& context) { return byCompiler(context) && context.device.arch == Arch::Blackhole; }

constexpr TtnnRule kWorkarounds[] = {
    {OpKind::TtnnSum, reduceOneByOne, kOneDim, bySpecification},
    {OpKind::TtnnMean, reduceOneByOne, kOneDim, bySpecification},
    {OpKind::TtnnMax, reduceOneByOne, kOneDim, bySpecification},
    {OpKind::TtnnMin, reduceOneByOne, kOneDim, bySpecification},
    {OpKind::TtnnProd, reduceOneByOne, kOneDim, bySpecification},
    {OpKind::TtnnAllGather, gatherOnMoreDims, "chips gather tensors of two dims at least", byCompiler},
    {OpKind::TtnnAllReduce, reduceByScatterAndGather, "chips scatter the sums and gather them again", until2025},
    {OpKind::TtnnAllReduce, reduceAcrossChipsOnFourDims, "chips reduce tensors of four dims", byCompiler},
    {OpKind::TtnnReduceScatter, reduceAcrossChipsOnFourDims, "chips reduce tensors of four dims", byCompiler},
    {OpKind::TtnnGather, gatherInTwoDims, "gathers read two dims at least (tt-metal issue 45155)", byCompiler},
    {OpKind::TtnnGather, gatherWithoutNegatives, "gathers read unsigned places", byCompiler},
    {OpKind::TtnnArgmax, argmaxOverTheLastDim, "the library finds the largest of the last dim", byCompiler},
    {OpKind::TtnnEmbedding, embeddingOfFlatTable, "tables have four dims at most", byCompiler},
    {OpKind::TtnnSliceStatic, sliceOfShortRows, "two rows must fit in L1", byCompiler},
    {OpKind::TtnnPad, padInFourDims, "the library pads the last dims of four", byCompiler},
    {OpKind::TtnnSoftmax, softmaxOfSafeWidth, "the kernel for wide rows needs blocks that divide its buffers",
     byCompiler},
    {OpKind::TtnnSampling, samplingInFourDims, "sampling reads four dims", byCompiler},
    {OpKind::TtnnTopkRouterGpt, routeToEightExperts, "the kernel routes to a multiple of eight", byCompiler},
    {OpKind::TtnnUpsample, upsampleOfWholeTiles, "bilinear upsampling works on whole tiles of channels", byCompiler},
    {OpKind::TtnnUpsample2d, upsampleOfWholeTiles, "bilinear upsampling works on whole tiles of channels", byCompiler},
    {OpKind::TtnnLinear, linearAsMatmul, "the kernel adds one row to a product with one matrix", byCompiler},
    {OpKind::TtnnGroupNorm, groupNormOfWholeTiles, "the kernel works on whole tiles of channels", byCompiler},
    {OpKind::TtnnGroupNorm, groupNormOfTiledAffine, "the kernel reads weights in rows of one tile", byCompiler},
    {OpKind::TtnnScaledDotProductAttention, attentionOfWholeTiles, "attention works on heads of whole tiles",
     byCompiler},
    {OpKind::TtnnScaledDotProductAttentionDecode, decodeMaskForEachHead,
     "a mask has as many heads as the queries (tt-metal issue 39910)", byCompiler},
    {OpKind::TtnnScaledDotProductAttentionDecode, decodeSinkOfWholeTiles, "a sink fills a row of tiles", byCompiler},
    {OpKind::TtnnPagedScaledDotProductAttentionDecode, decodeWithoutApproximation,
     "on this chip the exponential is not approximated", onBlackhole},
    {OpKind::TtnnSplitQueryKeyValueAndSplitHeads, splitHeadsByViews, "the kernel splits heads of whole tiles",
     byCompiler},
    {OpKind::TtnnConcatenateHeads, joinHeadsByViews, "the kernel joins heads of whole tiles that fit in L1", since2026},
    {OpKind::TtnnRotaryEmbedding, rotaryOfWholeTiles, "the kernel turns whole tiles of rows (tt-metal issue 31567)",
     byCompiler},
};

}  // namespace

PassResult decompositionWorkarounds(const Graph& graph, const PassContext& context) {
  constexpr int kMostRounds = 4;
  return applyTtnnRules(graph, context, kWorkarounds, context.options.specificationRules ? 1 : kMostRounds);
}

}  // namespace tessera
