#pragma once
// How the device library blocks a matrix multiplication: what it would choose by itself, what the compiler asks for,
// and the circular buffers that follow. Sources: tt-metal matmul/device; tt-mlir TTNNOpsAttrs.td. Sizes in tiles.

#include "core/ops/rules/family_rules.h"

namespace tessera {

struct MatmulTiles {
  int64_t batches = 1;
  int64_t m = 1, n = 1, k = 1;  // of one batch
  bool batchedWeights = false;  // the second operand has batches of its own
};
MatmulTiles matmulTiles(const OpView& view);

// Reuse: batches of their own, every core whole products. DramSharded: a core beside each DRAM bank multiplies that
// bank's weights. Plain: tiles one by one, nothing is shared.
enum class MatmulProgramKind : uint8_t { MultiCast2d, MultiCast1dIn0, MultiCast1dIn1, Reuse, DramSharded, Plain };
std::string_view matmulProgramTitle(MatmulProgramKind kind);

struct MatmulBlocks {
  MatmulProgramKind program = MatmulProgramKind::MultiCast2d;
  int64_t perCoreM = 1, perCoreN = 1;  // result of one core
  int64_t blockW = 1;                  // of the inner dim, at a time
  int64_t outH = 1, outW = 1;          // of the result, at a time; perCore when it fits at once
  int64_t cores = 1;
  bool aInPlace = false;  // height sharded: the operand's shard is the buffer
  bool scratch = false;   // block or width sharded: shards are sent around
  bool bInPlace = false;  // likewise the second operand's shard
  bool oneTile = false;   // the plain program: tiles one by one, nothing is shared
};
// The program that is asked for: by the query's config, else by the op where the result lies as it did when that was
// written. Null: none.
const MatmulAttrs* askedProgram(const OpView& view);
// Whether the asked program takes these operands (tt-metal matmul/device, validation).
Refused programLegality(const OpView& view, const MatmulAttrs& program);
MatmulBlocks matmulBlocks(const OpView& view, const MatmulTiles& tiles);

// Tiles of the result that are summed at once in the destination registers.
struct Subblock {
  int64_t h = 1, w = 1;
};
// What the library takes of a block of h x w tiles, of `most` tiles at most; `wholeRows`: as wide as the block, or one
// tile wide.
Subblock preferredSubblock(int64_t h, int64_t w, int64_t most, bool wholeRows);

// Blocks of the result over all cores, where nothing but the program says how it is cut: batches that share their
// weights are rows of one product (fuse_batch).
struct ResultBlocks {
  int64_t rows = 1, cols = 1;
};
ResultBlocks resultBlocks(const MatmulTiles& tiles, const MatmulAttrs& program);

// Subblocks of a program whose result is sharded: as many tiles as the destination registers hold, `most`, in whole
// rows of what the core has, or in one row of tiles (tt-metal matmul/device, validation).
void fillSubblock(MatmulAttrs& program, int64_t most);

// Asked for, or because the result is F32 (tt-metal matmul/device).
bool productSumsInFp32(const OpView& view);

void productBuffers(const OpView& view, const MatmulTiles& tiles, const MatmulBlocks& blocks, BufferList& buffers);

}  // namespace tessera
