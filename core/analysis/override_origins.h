#pragma once
// Overrides that name ops of the source. Lowering fuses and renames: a user who asks for the layout of `conv1` means
// the convolution that took the batch norm and the relu after it, whatever its name is now.

#include "core/analysis/op_order.h"

namespace tessera {

// Names that no op of `lowered` has, but one of `source` has, become the name of the op that stands for it: the last in
// the forward functions that computes, or the last view when none does. Names that stay unknown are left for
// checkOverrides.
void followOrigins(LayoutOverrides& overrides, const Graph& source, const Graph& lowered);
void followOrigins(Conv2dOverrides& overrides, const Graph& source, const Graph& lowered);
void followOrigins(OpMoves& moves, const Graph& source, const Graph& lowered);

}  // namespace tessera
