// What the matmul programs take, when one is asked for by name. Sources: tt-metal matmul/device, validation.

#include "core/ops/rules/matmul_program.h"

namespace tessera {

namespace {

bool in(const TensorLayout& layout, BufferType buffer, TensorMemoryLayout memory) {
  return layout.buffer == buffer && layout.memory == memory;
}

// Blocks of the result divide what a core has of it, subblocks divide blocks and fit the destination registers, and
// steps divide the inner dim.
bool blocksDivide(const OpView& view, const MatmulTiles& tiles, const MatmulAttrs& p) {
  int64_t outH = p.outBlockH > 0 ? p.outBlockH : p.perCoreM, outW = p.outBlockW > 0 ? p.outBlockW : p.perCoreN;
  if (p.perCoreM % outH != 0 || p.perCoreN % outW != 0) return false;
  if (p.in0BlockW > 0 && tiles.k % p.in0BlockW != 0) return false;
  if (p.outSubblockH < 1 || p.outSubblockW < 1) return true;  // left to the library
  const int64_t most = productSumsInFp32(view) ? 4 : 8;
  return p.outSubblockH * p.outSubblockW <= most && outH % p.outSubblockH == 0 && outW % p.outSubblockW == 0;
}

// Whole products on every core: no operand is sent to others, and no batch of weights is used twice.
Refused reuseLegality(const OpView& view, const MatmulTiles& tiles, const MatmulAttrs& p) {
  const TensorLayout &a = view.input(0), &b = view.input(1), &out = view.output();
  if (a.memory == TensorMemoryLayout::WidthSharded || (a.sharded() && !a.isL1())) return {Refusal::ProgramOperand, 0};
  bool alike = b.memory == a.memory && b.grid == a.grid && b.buffer == a.buffer;
  if (b.sharded() && !alike) return {Refusal::ProgramOperand, 1};
  if (out.sharded() && (out.memory != a.memory || out.grid != a.grid || !out.isL1())) return {Refusal::ProgramResult};
  if (tiles.batches > 1 && !tiles.batchedWeights) return {Refusal::ProgramShape, 1};
  bool rows = a.sharded() ? p.perCoreM == a.shardRows : tiles.m % p.perCoreM == 0 || p.perCoreM % tiles.m == 0;
  return rows && p.perCoreN == tiles.n ? Refused{} : Refused{Refusal::ProgramBlocks};
}

// One row of tiles, spread over cores by columns; each bank has columns of the weights.
Refused dramShardedLegality(const OpView& view, const MatmulTiles& tiles, const MatmulAttrs& p) {
  const TensorLayout& a = view.input(0);
  if (!in(a, BufferType::L1, TensorMemoryLayout::WidthSharded)) return {Refusal::ProgramOperand, 0};
  if (!in(view.input(1), BufferType::DRAM, TensorMemoryLayout::WidthSharded)) return {Refusal::ProgramOperand, 1};
  if (!in(view.output(), BufferType::L1, TensorMemoryLayout::WidthSharded)) return {Refusal::ProgramResult};
  if (tiles.m != 1 || tiles.batches != 1) return {Refusal::ProgramShape, 0};
  bool steps = p.in0BlockW > 0 && a.shardCols % p.in0BlockW == 0;
  return steps && p.perCoreM == 1 && p.perCoreN == view.output().shardCols ? Refused{}
                                                                           : Refused{Refusal::ProgramBlocks};
}

// A core for every block of the result: rows and columns of blocks on those of the grid, in either order, or in one
// line.
bool blocksFitGrid(const OpView& view, const MatmulTiles& tiles, const MatmulAttrs& p) {
  const ResultBlocks all = resultBlocks(tiles, p);
  const GridShape grid = view.device.grid;
  if (p.program != MatmulProgram::MultiCast2d) return mulSaturated(all.rows, all.cols) <= grid.volume();
  return (all.rows <= grid.rows && all.cols <= grid.cols) || (all.rows <= grid.cols && all.cols <= grid.rows);
}

// One operand is sent round. A shard of the first lies as the program goes: over the columns in steps that divide it,
// over the rows with all of a row.
Refused multicastLegality(const OpView& view, const MatmulTiles& tiles, const MatmulAttrs& p) {
  const TensorLayout &a = view.input(0), &out = view.output();
  bool in0 = p.program == MatmulProgram::MultiCast1dIn0, in1 = p.program == MatmulProgram::MultiCast1dIn1;
  TensorMemoryLayout own = in0   ? TensorMemoryLayout::WidthSharded
                           : in1 ? TensorMemoryLayout::HeightSharded
                                 : TensorMemoryLayout::BlockSharded;
  bool oneLine =
      out.memory == TensorMemoryLayout::BlockSharded && ((in0 && out.grid.rows == 1) || (in1 && out.grid.cols == 1));
  if (out.sharded() && out.memory != own && !oneLine) return {Refusal::ProgramResult};
  if (in1 && out.sharded() && p.perCoreN != tiles.n) return {Refusal::ProgramBlocks};
  if (!a.sharded() && !out.sharded() && !blocksFitGrid(view, tiles, p)) return {Refusal::ProgramBlocks};
  if (!a.sharded()) return {};
  bool column = !in0 && !in1 && a.memory == TensorMemoryLayout::HeightSharded;
  if (a.memory != own && !column) return {Refusal::ProgramOperand, 0};
  if (in0 && p.perCoreM != mulSaturated(tiles.batches, tiles.m)) return {Refusal::ProgramBlocks};
  bool steps = p.in0BlockW < 1 || (column ? p.in0BlockW == tiles.k : !in0 || a.shardCols % p.in0BlockW == 0);
  return steps ? Refused{} : Refused{Refusal::ProgramBlocks, 0};
}

}  // namespace

Refused programLegality(const OpView& view, const MatmulAttrs& p) {
  MatmulTiles tiles = matmulTiles(view);
  if (!blocksDivide(view, tiles, p)) return {Refusal::ProgramBlocks};
  switch (p.program) {
    case MatmulProgram::Reuse: return reuseLegality(view, tiles, p);
    case MatmulProgram::DramSharded: return dramShardedLegality(view, tiles, p);
    default: return multicastLegality(view, tiles, p);
  }
}

}  // namespace tessera
