#pragma once
// Problem: everything a policy may know, computed once. A bundle for one call; it refers to the graph, the device and
// the budget.

#include <optional>
#include <vector>

#include "core/analysis/legal_op_layouts.h"
#include "core/analysis/schedule.h"
#include "core/ops/model/op_model.h"

namespace tessera {

struct ProblemOptions {
  int32_t l1UsageCapPermille = 1000;  // --tensor-l1-usage-cap: part of the usable L1, in thousandths
  int32_t maxLegalLayouts = 8;        // --max-legal-layouts: sharded layouts tried per op
  bool rowMajorEnabled = false;       // --row-major-enabled
  bool asItStands = false;            // every tensor is pinned where the graph has it, and no op has a choice
  bool askOpModel = true;             // only layouts that the op model accepts count; else the first ones unasked
  LayoutOverrides layoutOverrides;    // --override-output-layout
  Conv2dOverrides conv2dOverrides;    // --override-conv2d-config
  friend bool operator==(const ProblemOptions&, const ProblemOptions&) = default;
};

// Where every tensor may be, whatever op makes it. Made for the value's element type on the device; both always exist
// for a tensor the importer accepted.
struct StandardLayouts {
  TensorLayout dram;           // interleaved in tiles: what every tensor starts as (docs/rules/lowering.md#layouts)
  TensorLayout l1Interleaved;  // over all cores
};

struct Problem {
  const Graph& graph;
  const DeviceSpec& device;
  ProblemOptions options;
  OpModel model;
  L1Budget& budget;  // of everything that is asked about the problem
  Schedule schedule;
  Liveness live;
  IdVec<ValueId, std::vector<Use>> uses;
  IdVec<ValueId, StandardLayouts> standard;  // of tensors
  // Layouts that are given and may not be changed: arguments as they arrive, results of layout ops, host tensors.
  IdVec<ValueId, std::optional<TensorLayout>> pinned;
  // What each op of the forward function may produce, with its operands where they start (ttnn-optimizer.md 3.1.3), and
  // with which settings (3.1.4). Empty for ops without tensor result and ops whose result is pinned.
  IdVec<OpId, LegalOpLayouts> legal;
  IdVec<OpId, std::vector<OpConfig>> configs;  // of convolutions they free the activation: see keepSharedActivation
  BudgetRange budgets = {};                    // of L1, for which all of this is the same

  const TensorType& tensor(ValueId value) const { return *graph.values[value].type.tensor; }
  bool isTensor(ValueId value) const { return graph.values[value].type.isTensor(); }
};

// usable L1 times the cap, rounded down.
Bytes l1Budget(const DeviceSpec& device, const ProblemOptions& options);

// An override that cannot be met is reported; a problem with such an error must not be given to a policy.
// `model`: of the device. The budget must be l1Budget() of the options and, like graph and device, outlive the problem.
Problem analyse(const Graph& graph, const OpModel& model, const ProblemOptions& options, L1Budget& budget,
                Diagnostics& diags);

inline const TensorLayout& dramLayout(const Problem& problem, ValueId value) { return problem.standard[value].dram; }
inline const TensorLayout& l1InterleavedLayout(const Problem& problem, ValueId value) {
  return problem.standard[value].l1Interleaved;
}

}  // namespace tessera
