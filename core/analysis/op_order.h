#pragma once
// `--op-order`: ops that a user runs right before others. The graph has them there afterwards, so that every policy,
// the simulator and what is exported see the new order.

#include "core/analysis/layout_overrides.h"

namespace tessera {

// The settings are the name of the op before which it runs.
using OpMoves = std::vector<NamedOverride<std::string>>;

// "add2=conv3,%12=%7"; mistakes are reported (BadOverride, DuplicateOverride) and the entry is left out.
OpMoves parseOpOrder(std::string_view text, Diagnostics& diags);
// The moves carried out one after the other. Names that mean no op of the forward function, and moves that would put an
// op before what makes its operands or behind what reads its result, are reported and left out.
Graph withOpOrder(const Graph& graph, const OpMoves& moves, Diagnostics& diags);

}  // namespace tessera
