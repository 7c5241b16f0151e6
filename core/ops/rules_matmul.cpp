// Matmul and linear. Device reference 4.3; compiler reference 1.6, 2.3.

#include <algorithm>

#include "core/ops/matmul_program.h"

namespace tessera {

namespace {

bool complete(const OpView& view) { return view.hasInput(0) && view.hasInput(1) && view.hasResult(); }

// The first operand sharded or not, the others interleaved; a sharded result lies as a sharded first operand does.
Refused matmulLegality(const OpView& view) {
  if (Refused refused = requireTiles(view)) return refused;
  if (!complete(view)) return {};
  for (int i = 1; i < view.operandCount(); ++i) {
    if (view.hasInput(i) && view.input(i).sharded()) return {Refusal::InputMustBeInterleaved, i};
  }
  const TensorLayout& a = view.input(0);
  const TensorLayout& out = view.output();
  if (out.sharded() && matmulTiles(view).batchedWeights) return {Refusal::BatchedMatmulSharded};
  bool alike = a.memory == out.memory && a.grid == out.grid;
  return a.sharded() && out.sharded() && !alike ? Refused{Refusal::ShardingMismatch, 0} : Refused{};
}

// A bias without a program of our own is added by a second op (three operands, two tiles each) after the product.
int64_t matmulBuffers(const OpView& view) {
  if (!complete(view)) return 0;
  MatmulTiles tiles = matmulTiles(view);
  int64_t bytes = matmulBufferBytes(view, tiles, matmulBlocks(view, tiles));
  int bias = operandOf(view, "bias");
  if (!view.hasInput(bias)) return bytes;
  return std::max(bytes, 4 * view.outputTile() + 2 * view.inputTile(bias));
}

int64_t matmulCycles(const OpView& view) {
  constexpr int64_t kSenderBytesPerCycle = 16;  // 114-145 ns per bf16 tile (device reference 5.3, fitted)
  constexpr int64_t kHandshakeCycles = 250;     // fitted to the small products of the published tables
  if (!complete(view)) return 0;
  MatmulTiles tiles = matmulTiles(view);
  MatmulBlocks blocks = matmulBlocks(view, tiles);
  int64_t all = mulSaturated(mulSaturated(tiles.batches, tiles.m), tiles.n);
  int64_t cores = std::max<int64_t>(blocks.cores, 1);
  // Shards hold all batches; everything else goes through them one after the other.
  bool sharded = shardedInL1(view.input(0)) || shardedInL1(view.output());
  int64_t perCore = blocks.oneTile ? ceilDiv(all, cores) : mulSaturated(mulSaturated(blocks.perCoreM, blocks.perCoreN), sharded ? 1 : tiles.batches);
  int64_t cycles = mulSaturated(mulSaturated(std::max(std::min(perCore, all), ceilDiv(all, cores)), tiles.k), tileMacCycles(view));
  // A second operand that every core needs whole is read by one core and sent to the others before anything can start.
  if (blocks.aInPlace) return addSaturated(cycles, mulSaturated(mulSaturated(tiles.k, tiles.n), view.inputTile(1)) / kSenderBytesPerCycle);
  // Every block of the inner dim is sent around with a handshake.
  return cycles + (blocks.oneTile ? 0 : ceilDiv(tiles.k, blocks.blockW) * kHandshakeCycles);
}

}  // namespace

const FamilyRules kMatmulRules = {matmulLegality, matmulBuffers, matmulCycles, readWhole};

}  // namespace tessera
