#pragma once
// The decomposition workarounds, one function each; decomposition_workarounds.cpp has the table. After tt-mlir
// lib/Dialect/TTNN/Transforms/Workarounds/Decomposition @ 19c86fca.

#include "core/lowering/ttnn_ops.h"

namespace tessera {

// shape_workarounds.cpp: ops that the library knows for some ranks, sizes or dims only.
bool reduceOneByOne(TtnnOps& t);
bool gatherOnMoreDims(TtnnOps& t);
bool reduceAcrossChipsOnFourDims(TtnnOps& t);
bool reduceByScatterAndGather(TtnnOps& t);
bool gatherInTwoDims(TtnnOps& t);
bool gatherWithoutNegatives(TtnnOps& t);
bool argmaxOverTheLastDim(TtnnOps& t);
bool embeddingOfFlatTable(TtnnOps& t);
bool sliceOfShortRows(TtnnOps& t);
bool padInFourDims(TtnnOps& t);
bool softmaxOfSafeWidth(TtnnOps& t);
bool samplingInFourDims(TtnnOps& t);
bool routeToEightExperts(TtnnOps& t);
bool upsampleOfWholeTiles(TtnnOps& t);

// op_workarounds.cpp: ops that are spelled out.
bool linearAsMatmul(TtnnOps& t);
bool groupNormOfWholeTiles(TtnnOps& t);
bool groupNormOfTiledAffine(TtnnOps& t);

// attention_workarounds.cpp
bool attentionOfWholeTiles(TtnnOps& t);
bool decodeMaskForEachHead(TtnnOps& t);
bool decodeSinkOfWholeTiles(TtnnOps& t);
bool decodeWithoutApproximation(TtnnOps& t);
bool splitHeadsByViews(TtnnOps& t);
bool joinHeadsByViews(TtnnOps& t);
bool rotaryOfWholeTiles(TtnnOps& t);

}  // namespace tessera
