// Matmul and linear. Device reference 1.4, 4.3, 5.1, 5.3.

#include <algorithm>

#include "core/ops/matmul_program.h"
#include "core/ops/time_model.h"

namespace tessera {

int64_t tileMacCycles(const OpView& view) {
  constexpr int64_t kLoFi = 16;
  bool blackhole = view.device.arch == Arch::Blackhole;
  DType a = view.input(0).dtype, b = view.input(1).dtype;
  bool f32 = a == DType::F32 && b == DType::F32;
  int64_t passes = f32 ? (blackhole ? 4 : 3) : isBlockFloat(a) && isBlockFloat(b) ? 1 : 2;
  if (const AttrValue* config = findAttr(view.op, "compute_config")) {
    size_t at = config->text.find("hifi");
    if (at != std::string::npos && at + 4 < config->text.size()) passes = std::clamp(config->text[at + 4] - '0', 1, 4);
    else if (config->text.find("lofi") != std::string::npos) passes = 1;
  }
  // However few passes, operands must be unpacked (device reference 5.1, fitted).
  int64_t tile = std::max(view.inputTile(0), view.inputTile(1));
  int64_t unpack = tile > 1088 ? (blackhole ? 36 : 45) : tile > 576 ? (blackhole ? 18 : 25) : 18;
  return std::max(passes * kLoFi, unpack);
}

namespace {

int64_t matmulCycles(const OpView& view) {
  constexpr int64_t kSenderBytesPerCycle = 16;  // 114-145 ns per bf16 tile (device reference 5.3, fitted)
  constexpr int64_t kHandshakeCycles = 250;     // fitted to the small products of the published tables
  if (!view.hasInput(0) || !view.hasInput(1) || !view.hasResult()) return 0;
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

const FamilyTime kMatmulTime = {matmulCycles, readWhole};

}  // namespace tessera
