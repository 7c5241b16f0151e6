#pragma once
// What the chain generation went through, as JSON for a stepper (described by web/src/model/chain_trace.ts).

#include <functional>

#include "core/ir/graph.h"
#include "core/plan/chain_trace.h"
#include "core/support/json_writer.h"

namespace tessera {

// `rowOf`: row of an op in the report, -1 when it has none. `graph`: of the problem, for names.
void writeChainTrace(JsonWriter& w, const ChainTrace& trace, const Graph& graph, const IdVec<OpId, int32_t>& rowOf);

// The final state of the chains and of what they keep in L1, without the events. `rowAt`: row of a step of the
// schedule, -1 for none.
void writeChainSummary(JsonWriter& w, const ChainTrace& trace, const Graph& graph, const IdVec<OpId, int32_t>& rowOf,
                       const std::function<int64_t(int64_t)>& rowAt);

}  // namespace tessera
