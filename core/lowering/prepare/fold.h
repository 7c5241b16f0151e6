#pragma once
// The pattern families of canonicalization; canonicalize.cpp has their order.

#include "core/lowering/prepare/pattern.h"

namespace tessera {

// fold_constants.cpp
bool foldViewOfNumbers(PatternRewriter& p, OpId root);
// The same, but what comes out is a constant; one number that was only reshaped is a full.
bool foldViewOfConstant(PatternRewriter& p, OpId root);
bool foldTypecastOfNumbers(PatternRewriter& p, OpId root);
bool foldNegOfNumbers(PatternRewriter& p, OpId root);
bool foldSumOfNumbers(PatternRewriter& p, OpId root);
bool foldComparison(PatternRewriter& p, OpId root);
bool foldLogical(PatternRewriter& p, OpId root);
bool foldWhere(PatternRewriter& p, OpId root);
// Only 0 and 1 are in it.
bool isTruth(const PatternRewriter& p, ValueId value);
// Of a number that may have been rounded to a double: 2^53 itself may stand for 2^53 + 1.
bool surelyExact(double whole);
// zeros, ones or full with the number in every element; a constant where `full` has no room for it.
OpSpec numberSpec(const ValueType& type, double number);
// The attribute `value` of a constant of this type, with elements of another: booleans become 0 and 1, integers too
// wide the nearest one. Nothing when the text does not hold a tensor.
std::optional<AttrValue> constantAs(const AttrValue& value, const TensorType& type, DType to);

// fold_ops.cpp
bool dropIdentityPool(PatternRewriter& p, OpId root);
bool dropIdentityRepeat(PatternRewriter& p, OpId root);
bool dropIdentityMeshShard(PatternRewriter& p, OpId root);
bool simplifyConcat(PatternRewriter& p, OpId root);
bool dropEmptyScatter(PatternRewriter& p, OpId root);
bool mergeReverse(PatternRewriter& p, OpId root);
bool simplifySlice(PatternRewriter& p, OpId root);
bool turnComparison(PatternRewriter& p, OpId root);
bool linearWithoutBias(PatternRewriter& p, OpId root);
bool embeddingWithoutUnitDims(PatternRewriter& p, OpId root);
bool matmulOfMergedBatches(PatternRewriter& p, OpId root);
bool pointwiseConv3d(PatternRewriter& p, OpId root);
bool spreadClampBounds(PatternRewriter& p, OpId root);
bool foldTopkOfOne(PatternRewriter& p, OpId root);

// canonicalize.cpp
// Constants stand at the front of their function. As the compiler's driver moves them: one by one, in front of all that
// is there, unless what stands before one is the start or a constant that was looked at already.
Graph withConstantsInFront(Graph graph);

// decompose.cpp
// transpose is a permute, squeeze and unsqueeze are reshapes.
bool normalizeView(PatternRewriter& p, OpId root);

// fold_ttnn.cpp: on ops with layouts.
bool foldTtnnPermute(PatternRewriter& p, OpId root);
bool mergeTtnnReshape(PatternRewriter& p, OpId root);
bool foldTtnnConcat(PatternRewriter& p, OpId root);
bool foldTtnnRepeatInterleave(PatternRewriter& p, OpId root);
bool foldTtnnRepeatOfMatmul(PatternRewriter& p, OpId root);
bool foldTtnnSplatConstant(PatternRewriter& p, OpId root);
bool mergeLayoutChanges(PatternRewriter& p, OpId root);

}  // namespace tessera
