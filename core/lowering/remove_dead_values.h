#pragma once
// RemoveDeadValues: ops whose results nobody reads leave the graph, in all functions.

#include "core/lowering/pass.h"

namespace tessera {

// Ops that write into an operand, talk to other devices or manage the device stay, whoever reads them.
PassResult removeDeadValues(const Graph& graph, const PassContext& context);

// The same inside another pass; ops and values are numbered anew in program order.
Graph withoutDeadOps(Graph graph);
// The same where ids stay: dead ops are in no function any more.
void takeOutDeadOps(Graph& graph);

}  // namespace tessera
