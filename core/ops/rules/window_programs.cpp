#include "core/ops/rules/window_programs.h"

#include <algorithm>
#include <cmath>

namespace tessera {

namespace {

double d(int64_t value) { return static_cast<double>(std::max<int64_t>(value, 0)); }

}  // namespace

// Taking tiles apart, copying what stays on the core and sending the rest go on at once. What is sent crosses the
// network; the more cores send, the less each of them gets through (profiled, Blackhole: 10-23 bytes per clock and core
// of 20 cores; all of 86 and 103 together 520-720). Wormhole's links are half as wide.
double haloCycles(const HaloProgram& p) {
  constexpr double kStart = 1000, kSentPerClock = 18, kSentByAll = 560, kCopied = 50;
  constexpr double kTile = 100, kPerBand = 340;  // cycles, as for other conversions into rows
  double chip = p.blackhole ? 1.0 : 0.5;
  double sentPerClock = chip * std::min(kSentPerClock, kSentByAll / std::max(d(p.cores), 1.0));
  double apart = d(p.tiles) * (kTile + kPerBand / std::max(d(p.tileCols), 1.0));
  double sent = d(p.rowsMoved) * d(p.rowBytes) / sentPerClock;
  double copied = d(p.rowsOut - p.rowsMoved) * d(p.rowBytes) / (kCopied * chip);
  return kStart + std::max({apart, sent, copied});
}

// The steps of a height-sharded convolution do not overlap: lines of the window are read, made into tiles and
// multiplied, the weights come in between through one sender, sums are put aside between steps, the bias is added last.
// Cycles fitted to profiled Blackhole kernels (HiFi4, HiFi2 and LoFi, 20 to 110 cores), on either half of them: a line
// 15 for one of two readers, a tile made 57 (tt-metal conv2d_op_program_factory_common.cpp: 60-72), 18.8 bytes of
// weights per clock; 50 for a tile put aside or added to (1.4: add 50). A block-sharded one sends activations from core
// to core, once per step of the inner dim, while the last ones are multiplied, and waits for all.
double convProgramCycles(const ConvProgram& p) {
  constexpr double kLine = 15, kTilize = 57, kPass = 14.5, kWeightsPerClock = 18.8, kAside = 50, kStep = 1200,
                   kSentPerClock = 45;
  double chip = p.blackhole ? 1.0 : 0.6;
  double outputs = d(p.rows) * d(p.cols);
  double macs = outputs * d(p.depth) * kPass * d(p.passes);
  double weights = d(p.cols) * d(p.depth) * p.weightTile / kWeightsPerClock;
  double depthBlocks = std::max(std::ceil(d(p.depth) / std::max(d(p.blockDepth), 1.0)), 1.0);
  double bias = p.bias ? outputs * kAside : 0;
  if (!p.shared) {
    double lines = d(p.rows) * 32 * (p.reusesLines ? 1 : d(p.windowRows)) / (p.blockRows > 1 ? 2 : 1);
    return d(p.rows) * d(p.depth) * kTilize + macs + weights + lines * kLine + outputs * (depthBlocks - 1) * kAside +
           bias;
  }
  double rowBlocks = std::max(std::ceil(d(p.rows) / std::max(d(p.blockRows), 1.0)), 1.0);
  double sent = d(p.rows) * d(p.depth) * p.activationTile / (kSentPerClock * chip);
  return rowBlocks * depthBlocks * kStep + std::max(macs, sent) + (p.ownWeights ? weights : 0) + bias;
}

// Two readers share the positions of more than one output. Profiled: 38 cycles a line of a window of 2,048, one output.
double poolProgramCycles(int64_t outputs, int64_t kernelArea, double rowBytes) {
  constexpr double kLine = 37, kOutput = 150, kPerClock = 28;
  double readers = outputs > 1 ? 2 : 1;
  return d(outputs) * (kOutput + d(kernelArea) * std::max(kLine, rowBytes / kPerClock)) / readers;
}

}  // namespace tessera
