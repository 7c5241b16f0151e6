#pragma once
// Layouts and configurations of an op that are worth trying besides the legal ones of the analysis.

#include "core/ir/layout_pool.h"
#include "core/policy/kit/matmul_programs.h"
#include "core/policy/kit/op_choice.h"

namespace tessera {

// Adds a configuration; false when it is in the list already.
bool addConfig(std::vector<OpConfig>& configs, const OpConfig& config);
// All configurations of the op with this result layout, under the user's overrides: a program that is faster than the
// library's own comes last.
std::vector<OpConfig> configsWith(const Problem& problem, FasterPrograms& programs, OpId op,
                                  const TensorLayout& layout);

// The value in L1, sharded over the same cores as `like`; none when its shape does not allow that.
std::optional<TensorLayout> shardedLike(const Problem& problem, ValueId value, DType dtype, PageLayout page,
                                        const TensorLayout& like);
// The op's result over the cores of its sharded operands, which may be in the given layouts: it needs no reshard there.
std::vector<TensorLayout> layoutsOverOperandGrids(const Problem& problem, OpId op,
                                                  const std::vector<LayoutId>& operands, const LayoutPool& pool);
// Sharded result layouts that were refused with the operands where they start, and that a reshard may make possible
// (docs/rules/pass-generation.md#layout-propagation). As many as the cut of the analysis left room for.
std::vector<TensorLayout> layoutsAfterReshard(const Problem& problem, OpId op);
// The sharded results that the library's convolution makes: over as many cores as divide the work evenly (tt-metal
// conv/conv2d, determine_parallel_config). Empty when the op is no convolution of images.
std::vector<TensorLayout> convolutionLayouts(const Problem& problem, OpId op);

}  // namespace tessera
