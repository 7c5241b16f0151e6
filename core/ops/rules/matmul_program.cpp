#include "core/ops/rules/matmul_program.h"

#include <algorithm>
#include <numeric>

namespace tessera {

bool productSumsInFp32(const OpView& view) { return sumsInFp32(view, view.output().dtype == DType::F32); }

const MatmulAttrs* askedProgram(const OpView& view) {
  const auto* asked = std::get_if<MatmulAttrs>(&view.query.config.attrs);
  const std::optional<TensorLayout>& writtenFor = view.facts.programResult;
  bool own =
      !asked && view.facts.program &&
      (!writtenFor || (writtenFor->memory == view.output().memory && writtenFor->buffer == view.output().buffer));
  if (own) asked = &*view.facts.program;
  return asked && asked->perCoreM > 0 && asked->perCoreN > 0 ? asked : nullptr;
}

namespace {

// What the library keeps out of its own plans: the region of small buffers with which the compiler opens the device
// (tt-mlir Validation/OpConstraintValidation.cpp).
constexpr int64_t kSmallBufferRegion = 65'536;

int64_t libraryL1(const OpView& view) {
  return view.device.usableL1().count - std::max<int64_t>(kSmallBufferRegion - view.device.l1Small.count, 0);
}

struct TileSizes {
  int64_t a, b, out, bias;  // bias 0: there is none
};
TileSizes tileSizes(const OpView& view) {
  int bias = operandOf(view, "bias");
  return {view.inputTile(0), view.inputTile(1), view.outputTile(), view.hasInput(bias) ? view.inputTile(bias) : 0};
}

// The library's estimate: operand blocks twice, the result, its intermediate copy, and the bias.
int64_t estimate(const TileSizes& t, int64_t m, int64_t n, int64_t w) {
  return 2 * m * w * t.a + 2 * n * w * t.b + 2 * m * n * t.out + m * t.bias;
}

// Largest part of the result, then of the inner dim, that fits when whole blocks do not.
void shrinkToFit(const OpView& view, MatmulBlocks& blocks) {
  TileSizes t = tileSizes(view);
  int64_t room = libraryL1(view);
  // Nothing larger than L1 is tried, so the loops are short however large the operands are.
  int64_t widest = largestDivisorUpTo(blocks.blockW, room / (2 * (t.a + t.b)));
  for (int64_t w = widest; w >= 1; w = w > 1 ? largestDivisorUpTo(blocks.blockW, w - 1) : 0) {
    int64_t best = 0;
    int64_t tallest = largestDivisorUpTo(blocks.perCoreM, room / (2 * w * t.a));
    for (int64_t h = tallest; h >= 1; h = h > 1 ? largestDivisorUpTo(blocks.perCoreM, h - 1) : 0) {
      // The widest that fits beside this height, from the estimate's form.
      int64_t left = room - estimate(t, h, 0, w), each = 2 * w * t.b + 2 * h * t.out;
      if (left <= each) continue;
      int64_t n = largestDivisorUpTo(blocks.perCoreN, (left - 1) / each);
      bool squarer = h * n == best && std::max(h, n) < std::max(blocks.outH, blocks.outW);
      if (h * n <= best && !squarer) continue;
      best = h * n;
      blocks.outH = h;
      blocks.outW = n;
    }
    if (best == 0) continue;
    blocks.blockW = w;
    return;
  }
  blocks.outH = blocks.outW = blocks.blockW = 1;
}

// One dim over all cores, the other whole on each.
MatmulBlocks oneDim(const OpView& view, const MatmulTiles& tiles, bool wide) {
  int64_t cores = view.device.grid.volume();
  MatmulBlocks blocks;
  blocks.program = wide ? MatmulProgramKind::MultiCast1dIn0 : MatmulProgramKind::MultiCast1dIn1;
  (wide ? blocks.perCoreM : blocks.perCoreN) = wide ? tiles.m : tiles.n;
  int64_t& split = wide ? blocks.perCoreN : blocks.perCoreM;
  int64_t all = wide ? tiles.n : tiles.m;
  split = ceilDiv(all, cores);
  blocks.cores = ceilDiv(all, split);
  blocks.blockW = tiles.k % 2 == 0 ? 2 : 1;
  return blocks;
}

// Both dims over the grid, the inner dim in as many blocks as there are columns.
MatmulBlocks twoDim(const OpView& view, const MatmulTiles& tiles) {
  GridShape grid = view.device.grid;
  MatmulBlocks blocks;
  blocks.perCoreM = ceilDiv(tiles.m, grid.rows);
  blocks.perCoreN = ceilDiv(tiles.n, grid.cols);
  blocks.cores = ceilDiv(tiles.m, blocks.perCoreM) * ceilDiv(tiles.n, blocks.perCoreN);
  blocks.blockW = tiles.k % grid.cols == 0 ? tiles.k / grid.cols : 1;
  return blocks;
}

bool allDram(const OpView& view) { return view.input(0).isDram() && view.input(1).isDram() && view.output().isDram(); }

// Interleaved operands and result, no program asked for.
MatmulBlocks interleavedBlocks(const OpView& view, const MatmulTiles& tiles) {
  constexpr int64_t kNarrow = 8;  // times as long as wide
  constexpr int64_t kLargestFactor = 16;
  TileSizes t = tileSizes(view);
  int64_t w = tiles.k % 2 == 0 ? 2 : 1;
  int64_t factor = kLargestFactor;
  while (factor > 1 && estimate(t, factor, factor, w) >= libraryL1(view)) factor /= 2;
  int64_t blocksY = ceilDiv(tiles.m, factor), blocksX = ceilDiv(tiles.n, factor);
  bool dram = allDram(view);
  bool narrow =
      std::max(tiles.m, tiles.n) > kNarrow * std::min(tiles.m, tiles.n) || (dram && std::min(tiles.m, tiles.n) == 1);
  // More blocks than cores, or a single one: nothing to share, tiles are spread over the cores.
  bool single = blocksX * blocksY == 1 && !narrow;
  if (!dram && (single || blocksX * blocksY > view.device.grid.volume())) {
    MatmulBlocks plain;
    plain.oneTile = true;
    plain.program = MatmulProgramKind::Plain;
    plain.cores = std::min(tiles.batches * tiles.m * tiles.n, view.device.grid.volume());
    return plain;
  }
  MatmulBlocks blocks;
  bool oneRow = blocksY == 1 && blocksX > 1 && blocksX <= view.device.grid.cols;
  if ((narrow && tiles.n > tiles.m) || oneRow || (!dram && blocksY == 1)) blocks = oneDim(view, tiles, true);
  else if (narrow || (!dram && blocksX == 1)) blocks = oneDim(view, tiles, false);
  else if (dram) blocks = twoDim(view, tiles);
  else {
    blocks.perCoreM = blocks.perCoreN = factor;
    blocks.blockW = w;
    blocks.cores = blocksX * blocksY;
  }
  return blocks;
}

MatmulProgramKind programOf(TensorMemoryLayout sharding) {
  switch (sharding) {
    case TensorMemoryLayout::WidthSharded: return MatmulProgramKind::MultiCast1dIn0;
    case TensorMemoryLayout::HeightSharded: return MatmulProgramKind::MultiCast1dIn1;
    default: return MatmulProgramKind::MultiCast2d;
  }
}

// A sharded first operand fixes who computes what. With batches of weights, every core has whole products.
MatmulBlocks shardedBlocks(const TensorLayout& a, const MatmulTiles& tiles) {
  int64_t allRows = tiles.batches * tiles.m;
  MatmulBlocks blocks;
  if (tiles.batchedWeights && a.memory != TensorMemoryLayout::WidthSharded) {
    blocks.program = MatmulProgramKind::Reuse;
    blocks.perCoreM = ceilDiv(allRows, a.grid.rows);
    blocks.perCoreN = tiles.n;
    blocks.blockW = std::gcd(a.shardCols, tiles.k);
    blocks.aInPlace = true;
    blocks.cores = coresUsed(a);
    return blocks;
  }
  blocks.perCoreM = ceilDiv(allRows, a.memory == TensorMemoryLayout::WidthSharded ? 1 : a.grid.rows);
  blocks.perCoreN = ceilDiv(tiles.n, a.memory == TensorMemoryLayout::HeightSharded ? 1 : a.grid.cols);
  blocks.program = programOf(a.memory);
  blocks.aInPlace = a.memory == TensorMemoryLayout::HeightSharded;
  blocks.scratch = !blocks.aInPlace;
  blocks.blockW = blocks.aInPlace ? tiles.k : std::gcd(a.shardCols, tiles.k);
  if (a.memory == TensorMemoryLayout::BlockSharded && tiles.k % a.grid.cols != 0) blocks.blockW = 1;
  blocks.cores = coresUsed(a);
  return blocks;
}

// The program that the compiler asks for when the result is sharded.
MatmulBlocks compilerBlocks(const TensorLayout& out, const MatmulTiles& tiles) {
  MatmulBlocks blocks;
  blocks.perCoreM = std::max<int64_t>(out.shardRows, 1);
  blocks.perCoreN = std::max<int64_t>(out.shardCols, 1);
  blocks.program = programOf(out.memory);
  blocks.cores = coresUsed(out);
  int64_t even = tiles.k % 2 == 0 ? 2 : 1;
  if (out.memory == TensorMemoryLayout::HeightSharded) blocks.blockW = tiles.k;
  else if (out.memory == TensorMemoryLayout::WidthSharded && tiles.n <= 128)
    blocks.blockW = tiles.k % 8 == 0 ? 8 : tiles.k % 4 == 0 ? 4 : even;
  else blocks.blockW = even;
  return blocks;
}

// The blocks that a program names.
void takeProgram(const OpView& view, const MatmulTiles& tiles, const MatmulAttrs& asked, MatmulBlocks& blocks) {
  constexpr MatmulProgramKind kAsked[] = {MatmulProgramKind::MultiCast2d, MatmulProgramKind::MultiCast1dIn0,
                                          MatmulProgramKind::MultiCast1dIn1, MatmulProgramKind::Reuse,
                                          MatmulProgramKind::DramSharded};
  blocks.program = kAsked[static_cast<size_t>(asked.program)];
  blocks.perCoreM = asked.perCoreM;
  blocks.perCoreN = asked.perCoreN;
  blocks.blockW = std::max<int64_t>(asked.in0BlockW, 1);
  blocks.oneTile = false;
  if (asked.program == MatmulProgram::Reuse) {
    blocks.aInPlace = shardedInL1(view.input(0));
    blocks.bInPlace = shardedInL1(view.input(1));
    blocks.scratch = false;
    int64_t all =
        mulSaturated(ceilDiv(mulSaturated(tiles.batches, tiles.m), blocks.perCoreM), ceilDiv(tiles.n, blocks.perCoreN));
    blocks.cores = std::min(all, view.device.grid.volume());
  } else if (asked.program == MatmulProgram::DramSharded) {
    // Each core takes a bank's share of the columns, in as few subblocks as the destination registers allow, all alike.
    int64_t banks = std::max<int64_t>(view.device.dramBanks, 1), share = ceilDiv(tiles.n, banks);
    int64_t subblocks = ceilDiv(share, productSumsInFp32(view) ? 4 : 8);
    constexpr int64_t kMost = int64_t{1} << 24;  // beyond any L1
    blocks.perCoreN = std::min(ceilDiv(share, subblocks) * subblocks, kMost);
    blocks.aInPlace = false;
    blocks.scratch = false;
    blocks.cores = banks;
  } else if (!view.input(0).sharded() && !view.output().sharded()) {
    const ResultBlocks all = resultBlocks(tiles, asked);
    blocks.cores = std::min(mulSaturated(all.rows, all.cols), view.device.grid.volume());
  }
}

}  // namespace

std::string_view matmulProgramTitle(MatmulProgramKind kind) {
  switch (kind) {
    case MatmulProgramKind::MultiCast2d: return "Matmul: 2-D multicast";
    case MatmulProgramKind::MultiCast1dIn0: return "Matmul: 1-D multicast of in0";
    case MatmulProgramKind::MultiCast1dIn1: return "Matmul: 1-D multicast of in1";
    case MatmulProgramKind::Reuse: return "Matmul: reuse, whole products per core";
    case MatmulProgramKind::DramSharded: return "Matmul: weights sharded over DRAM banks";
    case MatmulProgramKind::Plain: return "Matmul: tile by tile, nothing shared";
  }
  return "";
}

Subblock preferredSubblock(int64_t h, int64_t w, int64_t most, bool wholeRows) {
  // The library's order of preference: what fills the destination registers first (tt-metal matmul/device).
  constexpr Subblock kSubblocks[] = {{4, 2}, {2, 4}, {8, 1}, {1, 8}, {7, 1}, {1, 7}, {3, 2}, {2, 3}, {6, 1}, {1, 6},
                                     {5, 1}, {1, 5}, {2, 2}, {4, 1}, {1, 4}, {3, 1}, {1, 3}, {2, 1}, {1, 2}, {1, 1}};
  for (Subblock s : kSubblocks) {
    if (s.h * s.w > most) continue;
    const bool fits = wholeRows ? s.w == w : w % s.w == 0;
    if (fits && h % s.h == 0) return s;
  }
  return {1, 1};
}

ResultBlocks resultBlocks(const MatmulTiles& tiles, const MatmulAttrs& program) {
  const int64_t rows = tiles.batchedWeights ? tiles.m : mulSaturated(tiles.batches, tiles.m);
  return {ceilDiv(rows, program.perCoreM), ceilDiv(tiles.n, program.perCoreN)};
}

void fillSubblock(MatmulAttrs& program, int64_t most) {
  for (int64_t h = 1; h <= most; ++h) {
    for (int64_t w = 1; h * w <= most; ++w) {
      const bool divides = program.perCoreM % h == 0 && program.perCoreN % w == 0;
      if (!divides || (h > 1 && w != program.perCoreN)) continue;
      if (h * w < program.outSubblockH * program.outSubblockW) continue;
      program.outSubblockH = h;
      program.outSubblockW = w;
    }
  }
}

MatmulTiles matmulTiles(const OpView& view) {
  MatmulTiles tiles;
  const Shape& out = view.resultShape();
  const Shape& a = view.inputShape(0);
  const Shape& b = view.inputShape(1);
  tiles.m = ceilDiv(dimFromEnd(out, 1), kTileSide);
  tiles.n = tileCols(out);
  tiles.k = ceilDiv(dimFromEnd(a, attrFlag(view, "transpose_a") ? 1 : 0), kTileSide);
  for (size_t i = 2; i < out.size(); ++i) tiles.batches *= dimFromEnd(out, i);
  for (size_t i = 2; i < b.size(); ++i) tiles.batchedWeights |= dimFromEnd(b, i) > 1;
  return tiles;
}

MatmulBlocks matmulBlocks(const OpView& view, const MatmulTiles& tiles) {
  const TensorLayout& a = view.input(0);
  const TensorLayout& out = view.output();
  MatmulBlocks blocks;
  bool whole = true;
  if (shardedInL1(a)) {
    blocks = shardedBlocks(a, tiles);
  } else if (shardedInL1(out)) {
    blocks = compilerBlocks(out, tiles);
  } else {
    blocks = interleavedBlocks(view, tiles);
    whole = estimate(tileSizes(view), blocks.perCoreM, blocks.perCoreN, blocks.blockW) < libraryL1(view);
  }
  const MatmulAttrs* asked = askedProgram(view);
  if (asked) takeProgram(view, tiles, *asked, blocks);
  blocks.outH = blocks.perCoreM;
  blocks.outW = blocks.perCoreN;
  if (asked && asked->outBlockH > 0 && asked->outBlockW > 0 && asked->program != MatmulProgram::DramSharded) {
    blocks.outH = std::min(asked->outBlockH, blocks.perCoreM);
    blocks.outW = std::min(asked->outBlockW, blocks.perCoreN);
    return blocks;
  }
  if (!whole && !blocks.oneTile) shrinkToFit(view, blocks);
  return blocks;
}

namespace {

// Format of the sums between two steps: 32 bits where asked for, bf16 where the packer adds to what lies in L1
// (tt-metal matmul/device).
DType partialsFormat(const OpView& view, int64_t steps) {
  if (productSumsInFp32(view)) return DType::F32;
  bool packerAdds = steps > (view.hasInput(operandOf(view, "bias")) ? 1 : 2) && view.output().dtype != DType::F32;
  return packerAdds ? DType::BF16 : view.output().dtype;
}

}  // namespace

void productBuffers(const OpView& view, const MatmulTiles& tiles, const MatmulBlocks& blocks, BufferList& buffers) {
  DType a = view.input(0).dtype, b = view.input(1).dtype, out = view.output().dtype;
  if (blocks.oneTile) {
    buffers.tiles("in0", 2, a);
    buffers.tiles("in1", 2, b);
    return buffers.tiles("out", 2, out);
  }
  constexpr int64_t kScratch = 64;
  bool reuse = blocks.program == MatmulProgramKind::Reuse,
       dramSharded = blocks.program == MatmulProgramKind::DramSharded;
  // Buffered twice when there is a second block. A shard holds all batches.
  bool sharded = shardedInL1(view.input(0)) || shardedInL1(view.output());
  bool several = tiles.k > blocks.blockW || (tiles.batches > 1 && !sharded);
  int64_t depth = several || reuse || dramSharded ? 2 : 1;
  int64_t depthB = dramSharded ? 3 : depth;  // of one bank, as fast as it gives
  int64_t blockA = mulSaturated(blocks.outH, blocks.blockW * depth), blockOut = mulSaturated(blocks.outH, blocks.outW);
  if (blocks.aInPlace) buffers.inOperand("in0", shardTiles(view.input(0)), view, 0);
  else buffers.tiles("in0", blockA, a);
  if (!blocks.aInPlace && attrFlag(view, "transpose_a")) buffers.tiles("transposed in0", blockA, a);
  if (blocks.bInPlace) buffers.inOperand("in1", shardTiles(view.input(1)), view, 1);
  else buffers.tiles("in1", mulSaturated(blocks.outW, blocks.blockW * depthB), b);
  if (blocks.scratch || dramSharded) buffers.inOperand("shard of in0", shardTiles(view.input(0)), view, 0);
  if (blocks.scratch) buffers.pages("scratch", 1, kScratch, a);
  // A bank's columns are no core's shard: they are sent to where the result lies.
  if (dramSharded) buffers.tiles("out before reshard", blockOut, out);
  if (shardedInL1(view.output())) buffers.inResult("out", shardTiles(view.output()), view);
  else buffers.tiles("out", blockOut, out);
  // Partial sums share the result's buffer, unless they are of another format.
  DType partials = partialsFormat(view, ceilDiv(tiles.k, std::max<int64_t>(blocks.blockW, 1)));
  if (partials != out) buffers.tiles("partials", blockOut, partials);
}

}  // namespace tessera
