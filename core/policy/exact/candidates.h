#pragma once
// Which configs of an op and which layouts of its operands the exact policy chooses from.

#include <vector>

#include "core/analysis/problem.h"
#include "core/ir/layout_pool.h"

namespace tessera {

// At most this many result layouts per op besides those that a given plan uses: interleaved ones always, of the sharded ones the
// first that the analysis lists. More are only asked for by --max-legal-layouts.
inline constexpr size_t kMaxResultLayouts = 24;

// `operandLayouts`: where the operands may be. The legal configs; sharded operands' grids over the result; what was refused with
// operands where they start and a reshard may cure; DRAM. An op about which nothing is to be decided has one config.
std::vector<OpConfig> candidateConfigs(const Problem& problem, OpId op, const std::vector<LayoutId>& operandLayouts, const LayoutPool& pool);

// Adds a config that a plan uses, or that the op model makes of another one; false when it is known.
bool addConfig(std::vector<OpConfig>& configs, const OpConfig& config);

// A convolution may free its input only when nobody reads it afterwards.
OpConfig keepSharedInput(const Problem& problem, OpId op, OpConfig config);

// The layout over the grid of a sharded result that spares an op the network; none when there is no such layout.
std::optional<TensorLayout> alignedWith(const Problem& problem, ValueId operand, const TensorLayout& now, const TensorLayout& result);

}  // namespace tessera
