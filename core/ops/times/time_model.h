#pragma once
// How long an op takes: one FamilyTime per op family, in a time_*.cpp file per group of families. Legality and memory
// are in family_rules.h. Times are those of the device profiler: from the first core's start to the last core's end,
// without the gap between two programs (0.6-0.8 us, tt-metal pgm_dispatch_golden.json). Queries are arithmetic on
// shapes and layouts only.

#include "core/ops/rules/family_rules.h"

namespace tessera {

struct FamilyTime {
  double (*computeCycles)(const OpView&);            // of the busiest core
  int64_t (*readBytes)(const OpView&, int operand);  // read once from where the operand lives
  double (*startCycles)(const OpView&);  // what nothing overlaps: start of the kernels, first tiles in, last tiles out
  // Bytes per clock that all banks of DRAM give, where pages are not read interleaved; 0: they are. Null: always.
  double (*dramPerClock)(const OpView&) = nullptr;
};
const FamilyTime& familyTime(Family family);

extern const FamilyTime kEltwiseTime, kQuantizeTime;                         // time_eltwise.cpp
extern const FamilyTime kMatmulTime;                                         // time_matmul.cpp
extern const FamilyTime kConvTime, kPoolTime;                                // time_conv.cpp
extern const FamilyTime kReductionTime, kSoftmaxTime, kSortTime, kNormTime;  // time_reduce.cpp
extern const FamilyTime kMoveTime, kLayoutTime;                              // time_move.cpp
extern const FamilyTime kReshapeTime, kPermuteTime, kViewTime, kConcatTime, kSliceTime, kPickTime, kEmbeddingTime,
    kUpsampleTime;  // time_view.cpp
extern const FamilyTime kAttentionTime, kRotaryTime, kCacheTime, kCollectiveTime, kGenericTime,
    kNoTime;  // time_attention.cpp

// The time of one op by its family's entry; 0 for views and ops that take no device time.
OpTime opTime(const OpView& view);

// --- shared by the time files ----------------------------------------------------------------------------------------

// Start of a kernel that streams tiles: less when nothing crosses the network.
double kernelStart(const OpView& view);
// ceil(tiles / cores) * cyclesPerTile
int64_t tilesTimesCycles(const OpView& view, int64_t tiles, int64_t cyclesPerTile);
// Unpack and pack of the result's tiles, nothing computed.
double moveCycles(const OpView& view);
// Bytes read: the whole operand, padding included; or as much of it as the result has elements, for ops that pick a
// part.
int64_t readWhole(const OpView& view, int operand);
int64_t readResultSized(const OpView& view, int operand);
// A page from or to another core or DRAM, cycles of the core that moves it: alone, or one of many in flight.
// time_pages.cpp.
double readAndWait(const OpView& view, BufferType from, double bytes);
double writeAndWait(const OpView& view, double bytes);
double writeUnderWay(const OpView& view, double bytes);
double readUnderWay(const OpView& view, double bytes);
double rowBytes(const Shape& shape, DType dtype);  // of one row of a row-major tensor
int64_t rowCount(const Shape& shape);
double shareOf(int64_t units, int64_t cores);  // of the busiest core
// Cycles of one 32x32x32 tile multiply-accumulate of operands 0 and 1 (tt-metal GEMM_FLOPS.md, matmul/device).
int64_t tileMacCycles(const OpView& view);
// Passes of the multiplier, 1 (LoFi) to 4 (HiFi4): what the op's compute config says, else what the library takes for
// products.
int64_t fidelityPasses(const OpView& view);

}  // namespace tessera
