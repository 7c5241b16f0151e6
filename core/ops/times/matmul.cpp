// Matmul and linear. Sources: tt-metal GEMM_FLOPS.md, data_movement/common/common.cpp, matmul/device,
// ttnn-op-runtime-predictor.
//
// The library's kernels run in steps. A step is one block of the inner dim: sender cores read their operand's block and
// send it to the cores of their row or column, every core multiplies it. Buffers hold two blocks, so sending and
// multiplying overlap, but for the first block, which is waited for, and the last one, which nothing is sent behind. A
// result that is cut into several blocks goes through all steps for each. Constants marked "fitted" hold on either half
// of the published rows when fitted on the other (products of the GEMM report of 2026-04, device cycles; height-sharded
// products of the runtime predictor).

#include <algorithm>
#include <cmath>

#include "core/ops/rules/matmul_program.h"
#include "core/ops/times/time_model.h"

namespace tessera {

namespace {

struct MatmulRates {
  double start;           // cycles before the first block is asked for and after the last result; fitted
  double perMac;          // cycles of a tile multiply-accumulate beyond its passes of 16; fitted
  double unpackPerClock;  // bytes of the operand that changes with every multiply-accumulate; fitted
  double unpackRow;       // cycles per row of a subblock to change the operand that is kept, bf16; fitted
  double issue;           // cycles to ask for one tile; fitted
  double relayPerClock;   // bytes that one core reads from DRAM and sends on, one after the other; fitted
  double sendPerClock;    // bytes that one core sends out of its own L1; fitted
  double handshake;       // cycles of a block: read latency, waiting for the receivers; fitted
  double resultPerClock;  // bytes of results written to DRAM by all cores between two blocks of the result; fitted
  double lastVisible;     // part of the last write that nothing hides; fitted
  double oneSender;       // bytes per clock that one core reads from DRAM and sends to all others; fitted
  double ownRead;  // bytes per clock of all cores where each reads its own rows, over the NoC that is meant for writing
  double ownWrite;  // and of results over the one that is meant for reading
  double restart;   // cycles of a batch: nothing overlaps with the one before; profiled
};
// ownRead, ownWrite: Wormhole published (tt-metal data_movement/common/common.cpp), Blackhole profiled (tall products
// on 86 and 103 cores).
constexpr MatmulRates kMatmulWormhole = {1070, 2.4, 55.3, 27, 33, 18.1, 46.9, 440, 134, 0.29, 18.1, 70, 52, 2000};
constexpr MatmulRates kMatmulBlackhole = {4400, 1.9, 88, 8, 12, 47, 60, 1250, 300, 0.18, 17.7, 142, 100, 1000};
const MatmulRates& matmulRatesOf(const OpView& view) {
  return view.device.arch == Arch::Blackhole ? kMatmulBlackhole : kMatmulWormhole;
}

Subblock subblockOf(const OpView& view, const MatmulBlocks& blocks) {
  const MatmulAttrs* asked = askedProgram(view);
  if (asked && asked->outSubblockH > 0 && asked->outSubblockW > 0) {
    return {asked->outSubblockH, asked->outSubblockW};
  }
  bool wholeRows = shardedInL1(view.output()) &&
                   blocks.program != MatmulProgramKind::DramSharded;  // or tile by tile: a sharded result
  const int64_t most = productSumsInFp32(view) ? 4 : 8;               // tiles in the destination registers
  // A result that is sharded has a program of the compiler's, with subblocks of its own.
  if (wholeRows && !asked && blocks.program != MatmulProgramKind::Reuse) {
    MatmulAttrs written{.perCoreM = blocks.perCoreM, .perCoreN = blocks.perCoreN};
    fillSubblock(written, most);
    return {written.outSubblockH, written.outSubblockW};
  }
  return preferredSubblock(blocks.outH, wholeRows ? blocks.perCoreN : blocks.outW, most, wholeRows);
}

// Cycles of one 32x32x32 multiply-accumulate in a subblock: the passes, or unpacking its operands.
double macCycles(const OpView& view, Subblock s) {
  constexpr double kBf16Tile = 2048;
  const MatmulRates& r = matmulRatesOf(view);
  double tile = static_cast<double>(std::max(view.inputTile(0), view.inputTile(1)));
  double area = static_cast<double>(s.h) * static_cast<double>(s.w);
  double row = r.unpackRow * tile / kBf16Tile / (s.w == 1 ? 1.0 : area);
  return std::max(16.0 * static_cast<double>(fidelityPasses(view)) + r.perMac, tile / r.unpackPerClock + row);
}

// Cycles of a step: while a subblock is multiplied, the one before is packed into L1 by four packers of 16 bytes per
// clock each (tt-isa-documentation L1.md). The destination registers change hands once per subblock; fitted to
// height-sharded products with one tile of inner dim, of 1, 3 and 6 tiles a subblock (102, 167 and 300 cycles), as is
// what a tile costs beyond its bytes.
double stepCompute(const OpView& view, const MatmulBlocks& blocks, double k, bool onlyStep) {
  constexpr double kHandover = 58, kPackTile = 8, kPackPerClock = 64;
  const Subblock s = subblockOf(view, blocks);
  const double area = static_cast<double>(s.h) * static_cast<double>(s.w);
  const DType sums = productSumsInFp32(view) ? DType::F32 : DType::BF16;
  const double tile = static_cast<double>(onlyStep ? view.outputTile() : tileBytes(sums));
  const double packed = kHandover + area * (tile / kPackPerClock + kPackTile);
  const double tiles = static_cast<double>(blocks.outH) * static_cast<double>(blocks.outW);
  return tiles / area * std::max(area * k * macCycles(view, s), packed);
}

// Blocks of a core's rows when the first operand is its shard: beside it lie the result's shard and the library's
// estimate of buffers.
int64_t shardBlocks(const OpView& view, const MatmulBlocks& blocks, const MatmulTiles& tiles) {
  double a = static_cast<double>(view.inputTile(0)), b = static_cast<double>(view.inputTile(1)),
         out = static_cast<double>(view.outputTile());
  double k = static_cast<double>(tiles.k), n = static_cast<double>(blocks.perCoreN),
         m = static_cast<double>(blocks.perCoreM);
  double room = static_cast<double>(view.device.usableL1().count) - m * k * a - m * n * out - 2 * k * n * b;
  double each = 2 * k * a + 2 * n * out;
  int64_t most = room > each ? static_cast<int64_t>(std::min(room / each, m)) : 1;
  int64_t height = largestDivisorUpTo(blocks.perCoreM, most);
  return ceilDiv(blocks.perCoreM, std::max<int64_t>(height, 1));
}

// Without sharing, every tile of both operands is fetched when it is needed, one after the other.
double plainCycles(const OpView& view, double macs) {
  constexpr double kMatmulWormholeFetch = 360,
                   kMatmulBlackholeFetch = 530;  // DRAM read latency, cycles (tt-metal data_movement/common/common.cpp)
  double fetch = view.device.arch == Arch::Blackhole ? kMatmulBlackholeFetch : kMatmulWormholeFetch;
  double bytes = static_cast<double>(view.inputTile(0) + view.inputTile(1));
  return macs * std::max(macCycles(view, {1, 1}),
                         2 * fetch + bytes / (static_cast<double>(view.device.nocBytesPerClock) * 0.8));
}

// One operand is sent to all cores, and each of them reads its own rows of the other.
bool readsOwnRows(const MatmulBlocks& blocks, const MatmulTiles& tiles) {
  return blocks.cores > 1 && blocks.perCoreN >= tiles.n && blocks.perCoreM < tiles.m;
}

double stepsCycles(const OpView& view, const MatmulTiles& tiles, const MatmulBlocks& blocks) {
  const MatmulRates& r = matmulRatesOf(view);
  double a = static_cast<double>(view.inputTile(0)), b = static_cast<double>(view.inputTile(1));
  double h = static_cast<double>(blocks.outH), w = static_cast<double>(blocks.outW),
         k = static_cast<double>(std::min(blocks.blockW, tiles.k));
  double steps = static_cast<double>(ceilDiv(tiles.k, std::max<int64_t>(blocks.blockW, 1)));
  double compute = stepCompute(view, blocks, k, steps <= 1);
  if (blocks.aInPlace) {
    double times = static_cast<double>(shardBlocks(view, blocks, tiles));
    return times * (r.handshake + w * k * (r.issue + b / r.oneSender)) + compute;
  }
  bool ownA = shardedInL1(view.input(0)), ownRows = !ownA && readsOwnRows(blocks, tiles);
  double relayB = r.handshake + w * k * (r.issue + b / r.relayPerClock);
  double relayA = r.handshake + h * k * (ownA ? r.issue / 4 + a / r.sendPerClock : r.issue + a / r.relayPerClock);
  if (ownRows) relayA = std::max(relayA, h * k * a * static_cast<double>(blocks.cores) / r.ownRead);
  double relay = std::max(relayA, relayB);
  double blocksOfResult = static_cast<double>(ceilDiv(blocks.perCoreM, blocks.outH)) *
                          static_cast<double>(ceilDiv(blocks.perCoreN, blocks.outW));
  // The longer of both; where they are alike, each waits for the other now and then. Roots of squares are exact in
  // every build.
  double c2 = compute * compute, s2 = relay * relay;
  double step = std::sqrt(std::sqrt(c2 * c2 + s2 * s2));
  double once = relay + (steps - 1) * step + compute;
  double write = 0;
  if (!shardedInL1(view.output())) {
    bool ownWrite = ownRows && view.output().isDram();
    write = h * w * static_cast<double>(view.outputTile()) * static_cast<double>(blocks.cores) /
            (ownWrite ? r.ownWrite : r.resultPerClock);
    if (blocksOfResult <= 1 && !ownWrite) write *= r.lastVisible;
  }
  return blocksOfResult * (once + write);
}

// Whole products per core: each reads what it needs of both operands, block after block of the result.
double reuseCycles(const OpView& view, const MatmulTiles& tiles, const MatmulBlocks& blocks) {
  const MatmulRates& r = matmulRatesOf(view);
  double h = static_cast<double>(blocks.outH), w = static_cast<double>(blocks.outW),
         k = static_cast<double>(std::min(blocks.blockW, tiles.k));
  auto fetch = [&](double blockTiles, int64_t tile) {
    return r.handshake + blockTiles * (r.issue + static_cast<double>(tile) / r.relayPerClock);
  };
  double fetchA = blocks.aInPlace ? 0 : fetch(h * k, view.inputTile(0)),
         fetchB = blocks.bInPlace ? 0 : fetch(w * k, view.inputTile(1));
  double first = std::max(fetchA, fetchB), compute = h * w * k * macCycles(view, subblockOf(view, blocks));
  double steps = static_cast<double>(ceilDiv(tiles.k, std::max<int64_t>(blocks.blockW, 1)));
  double each = first + (steps - 1) * std::max(first, compute) + compute;
  double all = std::ceil(static_cast<double>(tiles.batches) * static_cast<double>(tiles.m) / h) *
               std::ceil(static_cast<double>(tiles.n) / w);
  double rounds = std::ceil(all / static_cast<double>(std::max<int64_t>(blocks.cores, 1)));
  double write = shardedInL1(view.output()) ? 0
                                            : h * w * static_cast<double>(view.outputTile()) *
                                                  static_cast<double>(blocks.cores) / r.resultPerClock;
  return rounds * (each + write) + r.restart * (rounds - 1);
}

// What one core beside a DRAM bank reads, bytes per clock (tt-metal Saturating_DRAM_bandwidth.md: 22.2 GB/s of a bank
// at 1 GHz, 92 % of the peak).
double bankPerClock(const OpView& view) { return view.device.arch == Arch::Blackhole ? 43.6 : 22.2; }

// A core beside each bank reads that bank's columns of the weights, three blocks ahead, and multiplies them by the row
// that all have got.
double dramShardedCycles(const OpView& view, const MatmulTiles& tiles, const MatmulBlocks& blocks) {
  const MatmulRates& r = matmulRatesOf(view);
  double k = static_cast<double>(blocks.blockW),
         columns = static_cast<double>(ceilDiv(tiles.n, std::max<int64_t>(blocks.cores, 1)));
  double read = columns * k * static_cast<double>(view.inputTile(1)) / bankPerClock(view);
  double send = r.handshake + k * (r.issue / 4 + static_cast<double>(view.inputTile(0)) / r.sendPerClock);
  double compute = static_cast<double>(blocks.outW) * k * macCycles(view, subblockOf(view, blocks));
  double steps = static_cast<double>(ceilDiv(tiles.k, std::max<int64_t>(blocks.blockW, 1)));
  double resharded = columns * static_cast<double>(view.outputTile()) / r.sendPerClock;
  return std::max(read, send) + (steps - 1) * std::max({read, send, compute}) + compute + resharded;
}

double bankwisePerClock(const OpView& view) {
  const MatmulAttrs* asked = view.hasInput(0) && view.hasInput(1) && view.hasResult() ? askedProgram(view) : nullptr;
  bool bankwise = asked && asked->program == MatmulProgram::DramSharded;
  return bankwise ? bankPerClock(view) * static_cast<double>(std::max<int64_t>(view.device.dramBanks, 1)) : 0;
}

bool complete(const OpView& view) { return view.hasInput(0) && view.hasInput(1) && view.hasResult(); }

double matmulCycles(const OpView& view) {
  if (!complete(view)) return 0;
  MatmulTiles tiles = matmulTiles(view);
  MatmulBlocks blocks = matmulBlocks(view, tiles);
  double all = static_cast<double>(tiles.batches) * static_cast<double>(tiles.m) * static_cast<double>(tiles.n);
  double cores = static_cast<double>(std::max<int64_t>(blocks.cores, 1));
  if (blocks.oneTile) return plainCycles(view, std::ceil(all / cores) * static_cast<double>(tiles.k));
  if (blocks.program == MatmulProgramKind::Reuse) return reuseCycles(view, tiles, blocks);
  if (blocks.program == MatmulProgramKind::DramSharded) return dramShardedCycles(view, tiles, blocks);
  // Shards hold all batches, and a program that is asked for takes them as rows; else they go one after the other.
  bool sharded = shardedInL1(view.input(0)) || shardedInL1(view.output());
  bool rows = sharded || (askedProgram(view) && !tiles.batchedWeights);
  double batches = rows ? 1.0 : static_cast<double>(tiles.batches);
  return stepsCycles(view, tiles, blocks) * batches +
         (blocks.cores > 1 ? matmulRatesOf(view).restart * (batches - 1) : 0);
}

double matmulStart(const OpView& view) { return matmulRatesOf(view).start; }

}  // namespace

// tt-metal matmul/device: what the library takes by itself.
int64_t fidelityPasses(const OpView& view) {
  if (std::optional<MathFidelity> asked = computeConfig(view).fidelity) return static_cast<int64_t>(*asked);
  DType a = view.input(0).dtype, b = view.input(1).dtype;
  if (a == DType::F32 && b == DType::F32) return view.device.arch == Arch::Blackhole ? 4 : 3;
  return isBlockFloat(a) && isBlockFloat(b) ? 1 : 2;
}

int64_t tileMacCycles(const OpView& view) { return static_cast<int64_t>(std::ceil(macCycles(view, {4, 2}))); }

const FamilyTime kMatmulTime = {matmulCycles, readWhole, matmulStart, bankwisePerClock};

}  // namespace tessera
