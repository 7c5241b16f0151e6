#include "core/lowering/layout_workaround_table.h"

#include <algorithm>

#include "core/ops/table/op_table.h"

namespace tessera {

namespace {

constexpr Wanted kRows32{PageLayout::RowMajor, DType::U32};

Wanted rowsOfU32(const OpTypes&) { return kRows32; }
Wanted rowsOnly(const OpTypes&) { return {PageLayout::RowMajor, {}}; }
Wanted rowsOfBf16(const OpTypes&) { return {PageLayout::RowMajor, DType::BF16}; }
Wanted bf16(const OpTypes&) { return {{}, DType::BF16}; }
Wanted u32(const OpTypes&) { return {{}, DType::U32}; }
Wanted u32IfSigned(const OpTypes& t) { return t.dtype(2) == DType::I32 ? Wanted{{}, DType::U32} : Wanted{}; }
Wanted f32IfInteger(const OpTypes& t) {
  return isInteger(t.dtype(0)) || isInteger(t.dtype(1)) ? Wanted{{}, DType::F32} : Wanted{};
}
Wanted i32IfFloat(const OpTypes& t) { return isInteger(t.dtype(0)) ? Wanted{} : Wanted{{}, DType::I32}; }
Wanted bf16IfInteger(const OpTypes& t) { return isInteger(t.dtype(0)) ? Wanted{{}, DType::BF16} : Wanted{}; }
// The specification reduces integers as bf16, the compiler of 2026 as f32.
Wanted floatIfInteger(const OpTypes& t) {
  if (!isInteger(t.dtype(0))) return {};
  return {{}, t.specificationRules ? DType::BF16 : DType::F32};
}
Wanted tiles(const OpTypes&) { return {PageLayout::Tile, {}}; }
Wanted tilesOfIndices(const OpTypes& t) {
  bool isUnsigned = t.dtype(1) == DType::U32 || t.dtype(1) == DType::U16;
  return {PageLayout::Tile, isUnsigned ? std::nullopt : std::optional(DType::U32)};
}
// Places along a dim that 16 bits can count.
Wanted shortIndices(const OpTypes& t) {
  const AttrValue* dim = findAttr(t.op, "dim");
  const TensorType* type = t.operand(0);
  if (!type || type->shape.empty()) return {};
  auto rank = static_cast<int64_t>(type->shape.size());
  int64_t at = dim == nullptr ? rank - 1 : dim->integer < 0 ? dim->integer + rank : dim->integer;
  if (at < 0 || at >= rank) return {};
  return {{}, type->shape[static_cast<size_t>(at)] <= 65535 ? DType::U16 : DType::U32};
}
Wanted f32IfLongInteger(const OpTypes& t) {
  return t.dtype(0) == DType::I32 || t.dtype(0) == DType::U32 ? Wanted{{}, DType::F32} : Wanted{};
}
Wanted rowsOfU16(const OpTypes&) { return {PageLayout::RowMajor, DType::U16}; }
Wanted tilesOfBf16(const OpTypes&) { return {PageLayout::Tile, DType::BF16}; }
Wanted f32(const OpTypes&) { return {{}, DType::F32}; }
Wanted l1RowsOfU16(const OpTypes&) { return {PageLayout::RowMajor, DType::U16, BufferType::L1}; }
Wanted l1RowsOfBf16(const OpTypes&) { return {PageLayout::RowMajor, DType::BF16, BufferType::L1}; }
// What sorting knows: 16-bit integers and bf16.
Wanted sortable(const OpTypes& t) {
  if (isInteger(t.dtype(0))) return t.dtype(0) == DType::U16 ? Wanted{} : Wanted{{}, DType::U16};
  return t.dtype(0) == DType::F32 ? Wanted{{}, DType::BF16} : Wanted{};
}
// Places along the last dim, padded to a power of two.
Wanted sortedPlaces(const OpTypes& t) {
  const TensorType* type = t.operand(0);
  if (!type || type->shape.empty()) return {};
  int64_t padded = 1;
  while (padded < type->shape.back() && padded < (int64_t{1} << 40)) padded *= 2;
  return {{}, padded < 65535 ? DType::U16 : DType::U32};
}
Wanted bf16UnlessShort(const OpTypes& t) {
  return t.dtype(0) == DType::BF16 || t.dtype(0) == DType::BFP8 ? Wanted{} : Wanted{{}, DType::BF16};
}
Wanted bf16UnlessBlockFloat(const OpTypes& t) {
  return t.dtype(0) == DType::BF16 || isBlockFloat(t.dtype(0)) ? Wanted{} : Wanted{{}, DType::BF16};
}
bool tiledNumbers(const OpTypes& t, size_t operand) {
  const TensorType* type = t.operand(operand);
  return type && type->layout->page == PageLayout::Tile &&
         (type->dtype == DType::F32 || type->dtype == DType::BF16 || type->dtype == DType::I32);
}
Wanted rowsIfTiledValues(const OpTypes& t) {
  return tiledNumbers(t, 0) || tiledNumbers(t, 2) ? Wanted{PageLayout::RowMajor, {}} : Wanted{};
}
Wanted rowsIfTiledPlaces(const OpTypes& t) { return tiledNumbers(t, 1) ? Wanted{PageLayout::RowMajor, {}} : Wanted{}; }
bool isShortUnsigned(DType dtype) { return dtype == DType::U8 || dtype == DType::U16; }
Wanted u32IfStrided(const OpTypes& t) {
  const AttrValue* step = findAttr(t.op, "step");
  bool strided = step && std::any_of(step->ints.begin(), step->ints.end(), [](int64_t s) { return s > 1; });
  return strided && isShortUnsigned(t.dtype(0)) ? Wanted{{}, DType::U32} : Wanted{};
}
Wanted rowsToSlice(const OpTypes& t) {
  return {PageLayout::RowMajor, isShortUnsigned(t.dtype(0)) ? std::optional(DType::U32) : std::nullopt};
}
// Parts of tiles would have to be moved.
Wanted rowsIfRagged(const OpTypes& t) {
  const TensorType* type = t.result();
  if (!type) return {};
  size_t rank = type->shape.size();
  bool whole = rank >= 2 && type->shape[rank - 1] % kTileSide == 0 && type->shape[rank - 2] % kTileSide == 0;
  return whole ? Wanted{} : Wanted{PageLayout::RowMajor, {}};
}
Wanted i32IfUnsigned(const OpTypes& t) {
  return isInteger(t.dtype(0)) && t.dtype(0) != DType::I32 ? Wanted{PageLayout::Tile, DType::I32}
                                                           : Wanted{PageLayout::Tile, {}};
}
Wanted i32IfByte(const OpTypes& t) { return t.dtype(0) == DType::U8 ? Wanted{{}, DType::I32} : Wanted{}; }

// The predicate has the type of the values; integers are compared as f32.
Wanted predicateLikeValues(const OpTypes& t) {
  if (isInteger(t.dtype(2))) return {{}, DType::F32};
  return t.dtype(0) != t.dtype(2) ? Wanted{{}, t.dtype(2)} : Wanted{};
}
Wanted valuesAsF32(const OpTypes& t) { return isInteger(t.dtype(2)) ? Wanted{{}, DType::F32} : Wanted{}; }

// Elements are put in front: tiles would have to be taken apart.
Wanted padded(const OpTypes& t) {
  Wanted wanted = bf16IfInteger(t);
  const AttrValue* padding = findAttr(t.op, "padding");
  for (size_t i = 0; padding && i < padding->ints.size(); i += 2) {
    if (padding->ints[i] != 0) wanted.page = PageLayout::RowMajor;
  }
  return wanted;
}

// Ragged tiles are padded before they are joined, and only floats are.
Wanted joined(const OpTypes& t) {
  const AttrValue* dim = findAttr(t.op, "dim");
  if (!dim || !isInteger(t.dtype(0))) return {};
  bool ragged = false;
  for (size_t i = 0; i < t.op.operands.size(); ++i) {
    const TensorType* type = t.operand(i);
    if (!type) return {};
    auto rank = static_cast<int64_t>(type->shape.size());
    int64_t at = dim->integer < 0 ? dim->integer + rank : dim->integer;
    ragged = ragged || (at >= 0 && at < rank && type->shape[static_cast<size_t>(at)] % kTileSide != 0);
  }
  return ragged ? Wanted{{}, DType::BF16} : Wanted{};
}
// Facts: the compiler's tables of operand workarounds as of 2026, with the library's issues where they name one.
constexpr WorkaroundRow kLayoutWorkarounds[] = {
    {OpKind::TtnnEmbedding, 0, rowsOfU32,
     "the library reads indices as rows of unsigned numbers (tt-metal issue 14915)"},
    {OpKind::TtnnEmbedding, 1, bf16, "the table must be bf16"},
    {OpKind::TtnnEmbedding, kResults, bf16, "the result has the table's type, bf16"},
    {OpKind::TtnnEmbeddingBackward, 0, rowsOfU32,
     "the library reads indices as rows of unsigned numbers (tt-metal issue 14915)"},
    {OpKind::TtnnEmbeddingBackward, 1, bf16, "the table must be bf16", false, true},
    {OpKind::TtnnEmbeddingBackward, 2, bf16, "gradients must be bf16", false, true},
    {OpKind::TtnnEmbeddingBackward, kResults, bf16, "gradients must be bf16", false, true},
    {OpKind::TtnnAdamw, 1, bf16, "gradients must be bf16", false, true},
    {OpKind::TtnnArgmax, 0, rowsOnly, "argmax reads rows"},
    {OpKind::TtnnArgmax, kResults, rowsOfU32, "argmax writes rows of unsigned indices"},
    {OpKind::TtnnUpdateCache, 2, u32IfSigned, "the update index must be unsigned"},
    {OpKind::TtnnWhere, 0, predicateLikeValues,
     "the predicate must have the type of the values (tt-metal issue 17998)"},
    {OpKind::TtnnWhere, 1, valuesAsF32, "integers are selected as f32 (tt-metal issue 24511)"},
    {OpKind::TtnnWhere, 2, valuesAsF32, "integers are selected as f32 (tt-metal issue 24511)"},
    {OpKind::TtnnWhere, kResults, valuesAsF32, "integers are selected as f32 (tt-metal issue 24511)"},
    {OpKind::TtnnDivide, kAllOperands, f32IfInteger, "integers are divided as f32 (tt-metal issue 25112)"},
    {OpKind::TtnnDivide, kResults, f32IfInteger, "integers are divided as f32 (tt-metal issue 25112)"},
    {OpKind::TtnnPowTensor, kAllOperands, f32IfInteger, "integers are raised to powers as f32 (tt-metal issue 25112)"},
    {OpKind::TtnnPowTensor, kResults, f32IfInteger, "integers are raised to powers as f32 (tt-metal issue 25112)"},
    {OpKind::TtnnLogicalLeftShift, kAllOperands, i32IfFloat, "shifts work on 32-bit integers only"},
    {OpKind::TtnnLogicalLeftShift, kResults, i32IfFloat, "shifts work on 32-bit integers only"},
    {OpKind::TtnnLogicalRightShift, kAllOperands, i32IfFloat, "shifts work on 32-bit integers only"},
    {OpKind::TtnnLogicalRightShift, kResults, i32IfFloat, "shifts work on 32-bit integers only"},
    {OpKind::TtnnPad, 0, padded, "no padding in front of tiles, and of floats only (tt-metal issue 10987)"},
    {OpKind::TtnnPad, kResults, padded, "no padding in front of tiles, and of floats only (tt-metal issue 10987)"},
    {OpKind::TtnnPermute, 0, f32IfLongInteger, "32-bit integers are permuted as f32 (tt-metal issue 19950)"},
    {OpKind::TtnnPermute, kResults, f32IfLongInteger, "32-bit integers are permuted as f32 (tt-metal issue 19950)"},
    {OpKind::TtnnReshape, 0, i32IfByte, "bytes are reshaped as si32 (tt-metal issue 27843)"},
    {OpKind::TtnnReshape, kResults, i32IfByte, "bytes are reshaped as si32 (tt-metal issue 27843)"},
    {OpKind::TtnnConcat, kAllOperands, joined, "ragged tiles are padded before they are joined, and only floats are"},
    {OpKind::TtnnConcat, kResults, joined, "ragged tiles are padded before they are joined, and only floats are"},
    {OpKind::TtnnSum, 0, floatIfInteger, "integers are reduced as floats (tt-metal issue 21071)"},
    {OpKind::TtnnSum, kResults, floatIfInteger, "integers are reduced as floats (tt-metal issue 21071)"},
    {OpKind::TtnnMax, 0, floatIfInteger, "integers are reduced as floats (tt-metal issue 21071)"},
    {OpKind::TtnnMax, kResults, floatIfInteger, "integers are reduced as floats (tt-metal issue 21071)"},
    {OpKind::TtnnMin, 0, floatIfInteger, "integers are reduced as floats (tt-metal issue 21071)"},
    {OpKind::TtnnMin, kResults, floatIfInteger, "integers are reduced as floats (tt-metal issue 21071)"},
    {OpKind::TtnnMean, 0, floatIfInteger, "integers are reduced as floats (tt-metal issue 21071)"},
    {OpKind::TtnnMean, kResults, floatIfInteger, "integers are reduced as floats (tt-metal issue 21071)"},
    {OpKind::TtnnGather, 0, tiles, "gathers read tiles", false, true},
    {OpKind::TtnnGather, 1, tilesOfIndices, "gathers read tiles of unsigned indices", false, true},
    {OpKind::TtnnSort, 0, sortable, "sorting knows bf16 and 16-bit integers (tt-metal issue 37322)", false, true},
    {OpKind::TtnnSort, kResults, sortable, "sorting knows bf16 and 16-bit integers (tt-metal issue 37322)", false,
     true},
    {OpKind::TtnnSort, kSecondResult, sortedPlaces, "places are counted in 16 bits where they fit", false, true},
    {OpKind::TtnnTopk, 0, bf16UnlessShort, "topk knows bf16 and bfp8 (tt-metal issue 40086)", false, true},
    {OpKind::TtnnTopk, kResults, bf16UnlessShort, "topk knows bf16 and bfp8 (tt-metal issue 40086)", false, true},
    {OpKind::TtnnTopk, kSecondResult, shortIndices, "places are counted in 16 bits where they fit", false, true},
    {OpKind::TtnnTanh, kAllOperands, bf16, "the accurate tanh knows bf16 (tt-metal issue 22593)", false, true},
    {OpKind::TtnnTanh, kResults, bf16, "the accurate tanh knows bf16 (tt-metal issue 22593)", false, true},
    {OpKind::TtnnProd, 0, bf16, "products of elements are of bf16", false, true},
    {OpKind::TtnnProd, kResults, bf16, "products of elements are of bf16", false, true},
    {OpKind::TtnnGroupNorm, 0, bf16, "the kernel knows bf16 (tt-metal issue 37551)", false, true},
    {OpKind::TtnnGroupNorm, 2, rowsOfBf16, "weights come in rows of bf16 (tt-metal issue 37551)", false, true},
    {OpKind::TtnnGroupNorm, 3, rowsOfBf16, "weights come in rows of bf16 (tt-metal issue 37551)", false, true},
    {OpKind::TtnnGroupNorm, kResults, bf16, "the kernel knows bf16 (tt-metal issue 37551)", false, true},
    {OpKind::TtnnPagedUpdateCache, 2, rowsOnly, "places come in rows", false, true},
    {OpKind::TtnnPagedUpdateCache, 3, rowsOnly, "page tables come in rows", false, true},
    {OpKind::TtnnPagedFillCache, 2, rowsOnly, "page tables come in rows", false, true},
    {OpKind::TtnnPagedFillCache, 3, rowsOnly, "batch numbers come in rows", false, true},
    {OpKind::TtnnSampling, 1, rowsOnly, "sampling reads rows", false, true},
    {OpKind::TtnnSampling, 2, rowsOfU32, "sampling reads rows", false, true},
    {OpKind::TtnnSampling, 3, rowsOnly, "sampling reads rows", false, true},
    {OpKind::TtnnSampling, 4, rowsOnly, "sampling reads rows", false, true},
    {OpKind::TtnnSampling, kResults, rowsOfU32, "sampling writes rows of unsigned indices", false, true},
    {OpKind::TtnnScaledDotProductAttention, 0, bf16, "attention knows no f32 (tt-metal issue 36717)", false, true},
    {OpKind::TtnnScaledDotProductAttention, 1, bf16, "attention knows no f32 (tt-metal issue 36717)", false, true},
    {OpKind::TtnnScaledDotProductAttention, 2, bf16, "attention knows no f32 (tt-metal issue 36717)", false, true},
    {OpKind::TtnnScaledDotProductAttention, 3, bf16, "attention knows no f32 (tt-metal issue 36717)", false, true},
    {OpKind::TtnnScaledDotProductAttention, kResults, bf16, "attention knows no f32 (tt-metal issue 36717)", false,
     true},
    {OpKind::TtnnScaledDotProductAttentionDecode, 0, bf16, "attention knows no f32 (tt-metal issue 36717)", false,
     true},
    {OpKind::TtnnScaledDotProductAttentionDecode, 1, bf16, "attention knows no f32 (tt-metal issue 36717)", false,
     true},
    {OpKind::TtnnScaledDotProductAttentionDecode, 2, bf16, "attention knows no f32 (tt-metal issue 36717)", false,
     true},
    {OpKind::TtnnScaledDotProductAttentionDecode, 3, bf16, "attention knows no f32 (tt-metal issue 36717)", false,
     true},
    {OpKind::TtnnScaledDotProductAttentionDecode, kResults, bf16, "attention knows no f32 (tt-metal issue 36717)",
     false, true},
    {OpKind::TtnnPagedScaledDotProductAttentionDecode, 3, rowsOnly, "page tables come in rows", false, true},
    {OpKind::TtnnPagedScaledDotProductAttentionDecode, 5, rowsOnly, "positions come in rows", false, true},
    {OpKind::TtnnChunkedScaledDotProductAttention, 3, rowsOnly, "page tables come in rows", false, true},
    {OpKind::TtnnChunkedScaledDotProductAttention, 4, rowsOnly, "positions come in rows", false, true},
    {OpKind::TtnnFlashMlaPrefill, kAllOperands, bf16UnlessBlockFloat, "attention knows no f32 (tt-metal issue 36717)",
     false, true},
    {OpKind::TtnnFlashMlaPrefill, kResults, bf16UnlessBlockFloat, "attention knows no f32 (tt-metal issue 36717)",
     false, true},
    {OpKind::TtnnSdpaFw, kAllOperands, bf16, "attention for training knows bf16", false, true},
    {OpKind::TtnnSdpaFw, kResults, bf16, "attention for training knows bf16", false, true},
    {OpKind::TtnnSdpaFw, kSecondResult, f32, "sums of exponentials are f32", false, true},
    {OpKind::TtnnSdpaBw, 0, bf16, "attention for training knows bf16", false, true},
    {OpKind::TtnnSdpaBw, 1, bf16, "attention for training knows bf16", false, true},
    {OpKind::TtnnSdpaBw, 2, bf16, "attention for training knows bf16", false, true},
    {OpKind::TtnnSdpaBw, 3, bf16, "attention for training knows bf16", false, true},
    {OpKind::TtnnSdpaBw, 4, bf16, "attention for training knows bf16", false, true},
    {OpKind::TtnnSdpaBw, 5, f32, "sums of exponentials are f32", false, true},
    {OpKind::TtnnSdpaBw, 6, bf16, "attention for training knows bf16", false, true},
    {OpKind::TtnnSdpaBw, kResults, bf16, "attention for training knows bf16", false, true},
    {OpKind::TtnnSdpaBw, kSecondResult, bf16, "attention for training knows bf16", false, true},
    {OpKind::TtnnSdpaBw, kThirdResult, bf16, "attention for training knows bf16", false, true},
    {OpKind::TtnnSparseMatmul, 2, rowsOfBf16, "sparsity comes in rows of 16 bits (tt-metal issue 39126)", false, true},
    {OpKind::TtnnAllToAllDispatch, 0, rowsOfBf16, "tokens come in rows of bf16 (tt-metal issue 39127)", false, true},
    {OpKind::TtnnAllToAllDispatch, 1, rowsOfU16, "experts come in rows of 16 bits (tt-metal issue 39127)", false, true},
    {OpKind::TtnnAllToAllDispatch, 2, rowsOfU16, "experts come in rows of 16 bits (tt-metal issue 39127)", false, true},
    {OpKind::TtnnAllToAllDispatch, kResults, rowsOfBf16, "tokens come in rows of bf16 (tt-metal issue 39127)", false,
     true},
    {OpKind::TtnnAllToAllDispatch, kSecondResult, rowsOfU16, "experts come in rows of 16 bits (tt-metal issue 39127)",
     false, true},
    {OpKind::TtnnAllToAllCombine, 0, rowsOfBf16, "tokens come in rows of bf16 (tt-metal issue 39127)", false, true},
    {OpKind::TtnnAllToAllCombine, 1, rowsOfU16, "experts come in rows of 16 bits (tt-metal issue 39127)", false, true},
    {OpKind::TtnnAllToAllCombine, 2, rowsOfU16, "experts come in rows of 16 bits (tt-metal issue 39127)", false, true},
    {OpKind::TtnnAllToAllCombine, kResults, rowsOfBf16, "tokens come in rows of bf16 (tt-metal issue 39127)", false,
     true},
    {OpKind::TtnnMoeExpertTokenRemap, 0, rowsOfBf16, "weights come in rows of bf16 (tt-metal issue 39128)", false,
     true},
    {OpKind::TtnnMoeExpertTokenRemap, 1, rowsOfU16, "experts come in rows of 16 bits (tt-metal issue 39128)", false,
     true},
    {OpKind::TtnnMoeExpertTokenRemap, 2, rowsOfU16, "experts come in rows of 16 bits (tt-metal issue 39128)", false,
     true},
    {OpKind::TtnnMoeExpertTokenRemap, kResults, rowsOfBf16, "weights come in rows of bf16 (tt-metal issue 39128)",
     false, true},
    {OpKind::TtnnMoeExpertTokenRemap, kSecondResult, rowsOfU16,
     "experts come in rows of 16 bits (tt-metal issue 39128)", false, true},
    {OpKind::TtnnTopkRouterGpt, kResults, l1RowsOfU16, "the kernel writes rows in L1", false, true},
    {OpKind::TtnnTopkRouterGpt, kSecondResult, l1RowsOfBf16, "the kernel writes rows in L1", false, true},
    {OpKind::TtnnScatter, 0, rowsIfTiledValues, "tiles are scattered along short dims only", false, true},
    {OpKind::TtnnScatter, 1, rowsIfTiledPlaces, "tiles are scattered along short dims only", false, true},
    {OpKind::TtnnScatter, 2, rowsIfTiledValues, "tiles are scattered along short dims only", false, true},
    {OpKind::TtnnScatter, kResults, rowsIfTiledValues, "tiles are scattered along short dims only", false, true},
    {OpKind::TtnnSliceStatic, 0, u32IfStrided, "short integers are sliced with a step as 32 bits", false, true},
    {OpKind::TtnnSliceStatic, kResults, u32IfStrided, "short integers are sliced with a step as 32 bits", false, true},
    {OpKind::TtnnSliceDynamic, 0, rowsToSlice, "bounds in tensors need rows (tt-metal issue 42778)", false, true},
    {OpKind::TtnnSliceDynamic, kResults, rowsToSlice, "bounds in tensors need rows (tt-metal issue 42778)", false,
     true},
    {OpKind::TtnnDropout, 0, bf16, "dropout knows bf16 (tt-metal issue 36543)", false, true},
    {OpKind::TtnnDropout, kResults, bf16, "dropout knows bf16 (tt-metal issue 36543)", false, true},
    {OpKind::TtnnGeluBw, kAllOperands, bf16, "the gradient of gelu knows bf16", false, true},
    {OpKind::TtnnGeluBw, kResults, bf16, "the gradient of gelu knows bf16", false, true},
    {OpKind::TtnnBitwiseNot, 0, i32IfUnsigned, "bits of signed integers are turned (tt-metal issue 31373)", false,
     true},
    {OpKind::TtnnBitwiseNot, kResults, i32IfUnsigned, "bits of signed integers are turned (tt-metal issue 31373)",
     false, true},
    {OpKind::TtnnMeshPartition, 0, rowsIfRagged, "parts that are no whole tiles are cut from rows", false, true},
    {OpKind::TtnnMeshPartition, kResults, rowsIfRagged, "parts that are no whole tiles are cut from rows", false, true},
    {OpKind::TtnnConv3d, 0, rowsOfBf16, "volumes come in rows of bf16 (tt-metal issue 35436)", false, true},
    {OpKind::TtnnConv3d, 1, bf16, "weights are bf16 (tt-metal issue 35436)", false, true},
    {OpKind::TtnnConv3d, 2, tilesOfBf16, "biases are tiles of bf16 (tt-metal issue 35436)", false, true},
    {OpKind::TtnnConv3d, kResults, bf16, "convolutions of volumes give bf16 (tt-metal issue 35436)", false, true},
    {OpKind::TtnnMaxPool2dWithIndices, 0, rowsOfBf16, "pools write rows of bf16, so they read them", true, true},
    {OpKind::TtnnMaxPool2dWithIndices, kResults, rowsOfBf16, "pools write rows of bf16", true, true},
    {OpKind::TtnnMaxPool2dWithIndices, kSecondResult, rowsOfU16, "pools write places in 16 bits", true, true},
    {OpKind::TtnnErf, 0, bf16IfInteger, "the error function reads floats", false, true},
    {OpKind::TtnnErf, kResults, bf16IfInteger, "the error function reads floats", false, true},
    {OpKind::TtnnErfc, 0, bf16IfInteger, "the error function reads floats", false, true},
    {OpKind::TtnnErfc, kResults, bf16IfInteger, "the error function reads floats", false, true},
    {OpKind::TtnnSliceDynamic, 1, u32, "bounds are unsigned"},
    {OpKind::TtnnSliceDynamic, 2, u32, "bounds are unsigned"},
    {OpKind::TtnnConv2d, 0, rowsOnly, "large activations come in rows (tt-metal issue 19762)", true},
    {OpKind::TtnnConvTranspose2d, 0, rowsOnly, "large activations come in rows (tt-metal issue 19762)", true},
    {OpKind::TtnnMaxPool2d, 0, rowsOfBf16, "pools write rows of bf16, so they read them", true},
    {OpKind::TtnnMaxPool2d, kResults, rowsOfBf16, "pools write rows of bf16", true},
    {OpKind::TtnnAvgPool2d, 0, rowsOfBf16, "pools write rows of bf16, so they read them", true},
    {OpKind::TtnnAvgPool2d, kResults, rowsOfBf16, "pools write rows of bf16", true},
    {OpKind::TtnnUpsample, 0, rowsOfBf16, "upsampling reads and writes rows of bf16"},
    {OpKind::TtnnUpsample, kResults, rowsOfBf16, "upsampling reads and writes rows of bf16"},
    {OpKind::TtnnUpsample2d, 0, rowsOfBf16, "upsampling reads and writes rows of bf16"},
    {OpKind::TtnnUpsample2d, kResults, rowsOfBf16, "upsampling reads and writes rows of bf16"},
};

}  // namespace

std::span<const WorkaroundRow> layoutWorkaroundRows() { return kLayoutWorkarounds; }

Wanted binaryOperands(const OpTypes& t) {
  Wanted wanted;
  bool bytes = false;
  for (size_t i = 0; i < 2; ++i) {
    const TensorType* type = t.operand(i);
    if (!type) return {};
    if (type->layout->page != PageLayout::Tile) wanted.page = PageLayout::Tile;
    bytes = bytes || type->layout->dtype == DType::U8;
  }
  bool bitwise =
      t.op.kind == OpKind::TtnnBitwiseAnd || t.op.kind == OpKind::TtnnBitwiseOr || t.op.kind == OpKind::TtnnBitwiseXor;
  if (bytes) wanted.dtype = bitwise ? DType::U32 : DType::I32;
  return wanted;
}

}  // namespace tessera
