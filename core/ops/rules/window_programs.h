#pragma once
// What a convolution or pooling of an image runs on the device, one program after the other, and how long each takes:
// the halo program gathers the input positions that a core's windows cover, the convolution or pooling program works on
// them. The sizes are per core. Sources: tt-metal sliding_window/halo, conv/conv2d, pool.

#include <cstdint>

namespace tessera {

struct HaloProgram {
  bool blackhole = false;
  int64_t cores = 1;      // that hold different positions
  int64_t rowsMoved = 0;  // that the busiest core sends to others, and fills with padding
  int64_t rowsOut = 0;    // of the result's: the windows' cover
  int64_t rowBytes = 0;   // of one position's channels, as rows
  int64_t tiles = 0;      // of the input's shard when it has to be taken apart first; 0: it comes in rows
  int64_t tileCols = 1;   // of the shard
};
double haloCycles(const HaloProgram& program);

// A product of positions x window (rows x depth, tiles) and weights (depth x cols).
struct ConvProgram {
  bool blackhole = false;
  int64_t rows = 1, cols = 1, depth = 1;  // tiles of the core's result, and of the whole inner dim
  int64_t blockRows = 1, blockDepth = 1;  // tiles of one step
  int64_t windowRows = 1;                 // of the kernel: each is read as one line per position
  int64_t passes = 2;                     // math fidelity
  double activationTile = 2048;           // bytes
  double weightTile = 2048;
  bool bias = false;
  bool reusesLines = false;  // a line that the next position needs too is kept
  bool shared = false;       // block or width sharded: activations are sent from core to core, step by step
  bool ownWeights = false;   // width sharded: every core reads its own weights
};
double convProgramCycles(const ConvProgram& program);

// Kernel positions that are read for each output position, and output positions of the busiest core.
double poolProgramCycles(int64_t outputs, int64_t kernelArea, double rowBytes);

}  // namespace tessera
