#pragma once
// How convolutions and poolings of images are cut over cores: rows of output positions, halos, and the sharded copies
// they need. Sources: tt-metal sliding_window/halo, conv/conv2d, pool.

#include "core/ops/rules/family_rules.h"
#include "core/ops/shapes/shape_rules.h"

namespace tessera {

struct WindowPlan {
  Window2d window;  // of one slice
  TensorMemoryLayout scheme = TensorMemoryLayout::HeightSharded;
  int64_t outRows = 1;     // output positions per core, in tiles
  int64_t inChannels = 1;  // per core, padded
  int64_t outCols = 1;     // output channels per core, in tiles
  int64_t cores = 1;
  int64_t scalar = 2;     // bytes of one input element; block formats are taken apart to bf16
  int64_t haloBytes = 0;  // per core: the positions that a core's windows cover
  int64_t slices = 1;     // that the image is computed in, one after the other
};
// `sharded` is the sharded input or result that fixes the grid; null: all cores.
WindowPlan windowPlan(const OpView& view, const Window2d& window, TensorMemoryLayout scheme,
                      const TensorLayout* sharded);
// Positions of the input, without padding: the most that the windows of a core's outputs cover, and the most that a
// core has to send to others. Shards of `inRows` positions and of `outRows` outputs drift apart from core to core where
// they are not cut alike.
struct HaloRows {
  int64_t covered = 0, sent = 0;
};
HaloRows haloRows(const Window2d& window, int64_t cores, int64_t inRows, int64_t outRows);
const TensorLayout* shardedEnd(const OpView& view);  // input before result; null when neither is sharded in L1

// L1 tensors beyond the results: a sharded copy of an input that is not sharded, then the halo beside the sharded
// results, then those beside the results where they were asked. Without a plan every core has its share of input and
// results.
int64_t windowIntermediates(const OpView& view, const std::optional<WindowPlan>& plan);

// The weights of a convolution as a matrix, in elements: channels per group times the kernel's area, and output
// channels. Weights that were prepared already come as (1, 1, depth, channels). One by one where the op has none.
struct WeightMatrix {
  int64_t depth = 1;
  int64_t channels = 1;
};
WeightMatrix weightMatrix(const OpView& view);

// The plan of a 2-D convolution: over the cores of what is sharded, else as the library would shard it, in slices where
// the op asks for them (rules/conv.cpp).
std::optional<WindowPlan> convPlan(const OpView& view);

}  // namespace tessera
