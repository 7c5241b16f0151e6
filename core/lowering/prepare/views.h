#pragma once
// Patterns about views that several passes use.

#include "core/lowering/prepare/pattern.h"

namespace tessera {

// Views that do nothing go, views of views become one.
bool mergeReshape(PatternRewriter& p, OpId root);
bool mergePermute(PatternRewriter& p, OpId root);
// permute(reshape(permute(x))) as one permute at most, when the reshape only merges or splits dims.
bool mergePermutesAcrossReshape(PatternRewriter& p, OpId root);

std::vector<int64_t> permutationOf(const Op& op);
// The permutation that undoes it.
std::vector<int64_t> inverseOf(const std::vector<int64_t>& order);
bool isIdentity(const std::vector<int64_t>& order);
// Does the permutation leave the order of all dims other than 1 as it is? Then it is a reshape.
bool movesOnlyOnes(const std::vector<int64_t>& order, const Shape& shape);
// The last two of `rank` dims swapped.
std::vector<int64_t> swapLastTwo(size_t rank);
// The shape without leading ones.
Shape withoutLeadingOnes(const Shape& shape);

}  // namespace tessera
