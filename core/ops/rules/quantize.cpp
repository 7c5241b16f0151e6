// Quantize, dequantize, requantize: chains of element-wise ops inside one op. Derived from the published rows (tt-mlir
// TestOpModelLib.cpp of 2025-11) and the buffers of element-wise ops (tt-metal eltwise/binary_ng).

#include <algorithm>

#include "core/ops/rules/family_rules.h"

namespace tessera {

namespace {

constexpr int64_t kIntTile = 4096;   // tile of si32
constexpr int64_t kRealTile = 2048;  // tile of bf16, in which scales are applied

bool perChannel(const OpView& view) {
  return findAttr(view.op, "axis") != nullptr && view.hasInput(1) && dimFromEnd(view.inputShape(1), 0) > 1;
}

// quantize divides reals and converts at the end; the others subtract the zero point as integers first. A vector of
// scales or zero points is spread over the rows of a tile.
void quantizeBuffers(const OpView& view, BufferList& buffers) {
  DType dtype = view.is("quantize") ? DType::BF16 : DType::I32;
  for (std::string_view name : {"in0", "in1"}) buffers.tiles(name, 2, dtype);
  if (perChannel(view)) buffers.tiles("row of in1", 2, dtype);
  buffers.tiles("out", 2, dtype);  // the conversions between both types take no more
}

// L1 of operand `i` expanded to the rank of the input, as vectors of one value per channel are.
int64_t expanded(const OpView& view, int i, int64_t tile) {
  return perChannel(view) && view.hasInput(i) && view.input(i).isL1() ? tile : 0;
}

// Intermediates lie where the input lies, the last one where the result is asked for.
int64_t quantizeIntermediates(const OpView& view) {
  if (!view.hasInput(0) || !view.hasResult()) return 0;
  int64_t tiles = view.input(0).isL1() ? ceilDiv(tileCount(view.inputShape(0)), view.device.grid.volume()) : 0;
  int64_t result = l1BytesPerCore(view.output()).count;
  int64_t vectors = expanded(view, 1, kRealTile) + expanded(view, 2, kIntTile);
  int64_t shifted = tiles * kIntTile, real = tiles * kRealTile;
  if (view.is("quantize")) return vectors + real;  // divided; the sum takes its place
  // Vectors are converted once more. The integers are freed when the result is made.
  if (view.is("dequantize")) return 2 * vectors + std::max(shifted + real, real + result) - result;
  // requantize holds everything of both halves to its end.
  vectors += expanded(view, 3, kRealTile) + expanded(view, 4, kIntTile);
  return 2 * vectors + shifted + 4 * real;
}

}  // namespace

const FamilyRules kQuantizeRules = {{"Quantization", "tt-mlir TestOpModelLib.cpp of 2025-11"},
                                    interleavedTiles,
                                    quantizeBuffers,
                                    quantizeIntermediates};

}  // namespace tessera
