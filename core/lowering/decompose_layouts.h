#pragma once
// DecomposeLayouts: a layout change becomes the steps the library has: to_device, from_device, to_layout (pages),
// typecast, to_memory_config (docs/rules/lowering.md#finalization; tt-mlir Transforms/TTNNDecomposeLayouts.cpp).

#include <optional>
#include <vector>

#include "core/lowering/pass.h"

namespace tessera {

enum class LayoutStepKind { ToDevice, FromDevice, ToLayout, Typecast, ToMemoryConfig };

OpKind layoutStepOp(LayoutStepKind kind);  // the op that takes such a step

struct LayoutStep {
  LayoutStepKind kind;
  TensorLayout to;
};

// The steps from one layout of a tensor to another, in the order in which the library can do them:
//   pages and element type first, the move last;
//   but: a host tensor is moved to the device first, and tiles that are taken apart leave L1 (or their shards) first.
// Empty when both are the same; nothing when an intermediate layout cannot be made.
std::optional<std::vector<LayoutStep>> layoutSteps(const Shape& shape, const TensorLayout& from, const TensorLayout& to,
                                                   const DeviceSpec& device);

// Ids stay valid: the op itself becomes the last step. A conversion that converts nothing is a problem.
PassResult decomposeLayouts(const Graph& graph, const PassContext& context);

}  // namespace tessera
