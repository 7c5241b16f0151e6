#pragma once
// Which configs of an op and which layouts of its operands the exact policy chooses from.

#include "core/policy/kit/candidate_layouts.h"

namespace tessera {

// At most this many result layouts per op besides those that a given plan uses: interleaved ones always, of the sharded
// ones the first that the analysis lists. More only with --max-legal-layouts.
inline constexpr size_t kMaxResultLayouts = 24;

// `operandLayouts`: where the operands may be. The legal configs; sharded operands' grids over the result; what a
// reshard may make possible; DRAM. An op about which nothing is to be decided has one config. `cut` becomes true when
// there would be more.
std::vector<OpConfig> candidateConfigs(const Problem& problem, FasterPrograms& programs, OpId op,
                                       const std::vector<LayoutId>& operandLayouts, const LayoutPool& pool, bool& cut);

// The layout over the grid of a sharded result that spares an op the network; none when there is no such layout.
std::optional<TensorLayout> alignedWith(const Problem& problem, ValueId operand, const TensorLayout& now,
                                        const TensorLayout& result);

}  // namespace tessera
