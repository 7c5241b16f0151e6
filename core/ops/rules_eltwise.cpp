// Element-wise ops and typecast. Device reference 4.1, 4.2, 4.12; compiler reference 1.6 (default rule book) and 4.6.

#include <algorithm>

#include "core/ops/family_rules.h"

namespace tessera {

namespace {

// Dims from the end are equal to the result's or 1.
Refused broadcasts(const OpView& view) {
  if (!view.hasResult()) return {};
  const Shape& out = view.resultShape();
  for (int i = 0; i < view.operandCount(); ++i) {
    if (!view.hasInput(i)) continue;
    const Shape& in = view.inputShape(i);
    for (size_t d = 0; d < in.size(); ++d) {
      if (dimFromEnd(in, d) != 1 && dimFromEnd(in, d) != dimFromEnd(out, d)) return {Refusal::ShapeMismatch, i};
    }
  }
  return {};
}

bool isBroadcast(const OpView& view, int operand) { return view.inputShape(operand) != view.resultShape(); }

// One row of the operand is used for all rows of the result's tiles. (One element, or one column, is not such a row.)
bool isRowBroadcast(const OpView& view, int operand) {
  const Shape& in = view.inputShape(operand);
  const Shape& out = view.resultShape();
  return dimFromEnd(in, 1) == 1 && dimFromEnd(out, 1) > 1 && dimFromEnd(in, 0) == dimFromEnd(out, 0) && dimFromEnd(out, 0) > 1;
}

// --- one operand -----------------------------------------------------------------------------------------------------

// The result is stored as the operand is: neither interleaved to sharded nor back (the library of 2025-11; later ones can).
Refused unaryLegality(const OpView& view) {
  // typecast takes rows as well, interleaved ones (compiler reference 1.10, row-major propagation).
  bool rows = view.is("typecast") && view.hasInput(0) && view.hasResult() && view.input(0).page == PageLayout::RowMajor && view.output().page == PageLayout::RowMajor;
  if (rows) return interleavedOnly(view);
  Refused refused = requireTiles(view);
  return refused ? refused : sameSharding(view, Refusal::MemoryLayoutMismatch);
}

// Two tiles in, two out; sharded tensors are their own buffers. A copy that converts nothing has one buffer for both ends.
int64_t unaryBuffers(const OpView& view) {
  if (!view.hasInput(0) || !view.hasResult()) return 0;
  bool scratch = view.is("cbrt") || view.is("hardshrink") || view.is("logit");
  int64_t bytes = scratch ? 2 * view.inputTile(0) : 0;
  if (shardedLikeOutput(view, 0)) return bytes;
  bool plainCopy = view.is("assign") && view.input(0).dtype == view.output().dtype;
  return bytes + 2 * view.inputTile(0) + (plainCopy ? 0 : 2 * view.outputTile());
}

// --- two operands ----------------------------------------------------------------------------------------------------

// Operands may be stored in any way: what does not lie where the result lies is read over the network (device reference 4.2).
Refused binaryLegality(const OpView& view) {
  Refused refused = requireTiles(view);
  return refused ? refused : broadcasts(view);
}

// Every operand is stored exactly as the result and has its shape; or the second is spread over the columns of a
// height-sharded first one. Then what is sharded is its own buffer.
bool worksInPlace(const OpView& view) {
  if (!shardedLikeOutput(view, 0) || isBroadcast(view, 0)) return false;
  for (int i = 1; i < view.operandCount(); ++i) {
    if (!view.hasInput(i)) continue;
    bool same = shardedLikeOutput(view, i) && !isBroadcast(view, i);
    bool column = !view.input(i).sharded() && dimFromEnd(view.inputShape(i), 0) == 1 && isBroadcast(view, i) &&
                  view.input(0).memory == TensorMemoryLayout::HeightSharded;
    if (!same && !column) return false;
  }
  return true;
}

int64_t binaryBuffers(const OpView& view) {
  if (!view.hasResult()) return 0;
  bool inPlace = worksInPlace(view);
  bool activations = view.is("logical_and") || view.is("logical_or") || view.is("logical_xor");  // each operand becomes 0 or 1 first
  int64_t bytes = inPlace ? 0 : 2 * view.outputTile();
  for (int i = 0; i < view.operandCount(); ++i) {
    if (!view.hasInput(i)) continue;
    int64_t tile = view.inputTile(i);
    if (!inPlace || !view.input(i).sharded()) bytes += 2 * tile;
    if (activations) bytes += tile;
    if (isRowBroadcast(view, i)) bytes += 2 * tile;  // the row spread over a tile
  }
  return bytes;
}

// --- three operands --------------------------------------------------------------------------------------------------

// A sharded operand lies as the result does and has its shape.
Refused ternaryLegality(const OpView& view) {
  if (Refused refused = binaryLegality(view)) return refused;
  if (!view.hasResult()) return {};
  for (int i = 0; i < view.operandCount(); ++i) {
    if (!view.hasInput(i) || !view.input(i).sharded()) continue;
    if (isBroadcast(view, i)) return {Refusal::BroadcastOperandSharded, i};
    if (view.output().sharded() && !shardedLikeOutput(view, i)) return {Refusal::ShardingMismatch, i};
  }
  return {};
}

}  // namespace

const FamilyRules kUnaryRules = {unaryLegality, unaryBuffers};
const FamilyRules kBinaryRules = {binaryLegality, binaryBuffers};
const FamilyRules kTernaryRules = {ternaryLegality, twoTilesEach};

}  // namespace tessera
