// What a page (a tile, or a row of a row-major tensor) costs the core that moves it. Most data movement kernels ask for
// one page and wait for it before they ask for the next, so it is the latency that counts, not the width of the
// network.
//
// Latencies: tt-metal data_movement/common/common.cpp (DRAM read 358 Wormhole / 529 Blackhole cycles, L1 read 259 /
// 403, L1 write 256 / 404). Blackhole's figures for whole pages are fitted to profiled kernels on 20 cores that do
// nothing else (copies of rows of 512 bytes, element-wise ops, transposes of whole tiles, tilizing with padding: 480
// cycles at 6 bytes, 537 at 512, 646 at 2,048, 790 at 4,096). Reads among many are that table's rates: what issuing one
// takes (512 bytes: 13.9 and 12.4 a clock), and 28.4 and 50 bytes per clock of longer ones.

#include "core/ops/times/time_model.h"

#include <algorithm>

namespace tessera {

namespace {

struct PageRates {
  double dramRead, l1Read, write;  // cycles of waiting
  double waitedPerClock;           // bytes per clock beyond that, with one page in flight
  double issue;                    // cycles of one write among many
  double issuedPerClock;
  double readIssue;  // cycles of one read among many
  double readPerClock;
};
constexpr PageRates kPageWormhole = {358, 259, 270, 28, 40, 24, 36.9, 28.4};
constexpr PageRates kPageBlackhole = {500, 403, 410, 14, 45, 28, 41.4, 50};
const PageRates& pageRatesOf(const OpView& view) {
  return view.device.arch == Arch::Blackhole ? kPageBlackhole : kPageWormhole;
}

}  // namespace

double readAndWait(const OpView& view, BufferType from, double bytes) {
  const PageRates& r = pageRatesOf(view);
  return (from == BufferType::L1 ? r.l1Read : r.dramRead) + bytes / r.waitedPerClock;
}

double writeAndWait(const OpView& view, double bytes) {
  return pageRatesOf(view).write + bytes / (2 * pageRatesOf(view).waitedPerClock);
}

double writeUnderWay(const OpView& view, double bytes) {
  return pageRatesOf(view).issue + bytes / pageRatesOf(view).issuedPerClock;
}

double readUnderWay(const OpView& view, double bytes) {
  return std::max(pageRatesOf(view).readIssue, bytes / pageRatesOf(view).readPerClock);
}

double rowBytes(const Shape& shape, DType dtype) {
  return static_cast<double>(dimFromEnd(shape, 0)) * static_cast<double>(tileBytes(dtype)) /
         static_cast<double>(kTileSide * kTileSide);
}

int64_t rowCount(const Shape& shape) {
  int64_t rows = 1;
  for (size_t i = 1; i < shape.size(); ++i) rows = mulSaturated(rows, dimFromEnd(shape, i));
  return rows;
}

double shareOf(int64_t units, int64_t cores) {
  return static_cast<double>(ceilDiv(units, std::max<int64_t>(cores, 1)));
}

}  // namespace tessera
