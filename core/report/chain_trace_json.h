#pragma once
// What the chain generation went through, as JSON for a stepper (described by web/src/model/chain_trace.ts).

#include "core/ir/graph.h"
#include "core/plan/chain_trace.h"
#include "core/support/json_writer.h"

namespace tessera {

// `rowOf`: row of an op in the report, -1 when it has none. `graph`: of the problem, for names.
void writeChainTrace(JsonWriter& w, const ChainTrace& trace, const Graph& graph, const IdVec<OpId, int32_t>& rowOf);

}  // namespace tessera
