#pragma once
// Problem: everything a policy may know, computed once. A bundle for one call; it refers to the graph and the device.

#include <optional>
#include <vector>

#include "core/analysis/legal_tensor_layouts.h"
#include "core/analysis/schedule.h"
#include "core/ops/op_model.h"

namespace tessera {

struct ProblemOptions {
  int32_t l1UsageCapPermille = 1000;  // --tensor-l1-usage-cap: part of the usable L1, in thousandths
  int32_t maxLegalLayouts = 8;        // --max-legal-layouts: sharded layouts tried per op
  bool rowMajorEnabled = false;       // --row-major-enabled
};

struct Problem {
  const Graph& graph;
  const DeviceSpec& device;
  ProblemOptions options;
  OpModel model;
  Schedule schedule;
  Liveness live;
  IdVec<ValueId, std::vector<Use>> uses;
  // Layouts that are given and may not be changed: arguments as they arrive, results of layout ops, host tensors.
  IdVec<ValueId, std::optional<TensorLayout>> pinned;
  // Sharded L1 layouts per tensor value, most cores first, at most maxLegalLayouts; equal types share one computation.
  IdVec<ValueId, std::vector<TensorLayout>> sharded;

  const TensorType& tensor(ValueId value) const { return *graph.values[value].type.tensor; }
  bool isTensor(ValueId value) const { return graph.values[value].type.isTensor(); }
};

// usable L1 times the cap, rounded down.
Bytes l1Budget(const DeviceSpec& device, const ProblemOptions& options);

Problem analyse(const Graph& graph, const DeviceSpec& device, const ProblemOptions& options);

// DRAM interleaved in tiles, what every tensor starts as (seed 003, TTNNLayout), and L1 interleaved over all cores. Made for the
// value's element type on the device. Both always exist for a tensor the importer accepted.
TensorLayout dramLayout(const Problem& problem, ValueId value);
TensorLayout l1InterleavedLayout(const Problem& problem, ValueId value);

}  // namespace tessera
