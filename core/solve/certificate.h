#pragma once
// Certificates: a problem, a solution and the reason for its bound, as JSON that a small checker of another language
// verifies (web/src/certificate/check.ts). The checker needs no search, only sums and minima.
//
// Another kind, "layouts", is written by core/policy/exact: a plan's bound, as a p1 certificate of its layout model,
// whose costs are multiplied by 2^"shift"; with priced L1 the whole capacity is worth "total" of them.
//
// All certificates: {"certificate": 1, "problem": "p1" | "p2" | "p3", "cost": .., "lowerBound": .., ...}; a forbidden
// cost is null, an integer beyond 2^53 a string. `lowerBound` is what the certificate proves; the solver's own may be
// higher.
//
// p1 (layout selection): "unary" [[..]], "factors" [{"scope", "table"}], "values" or null, and "proof", one of
//   {"kind": "elimination", "order": [v, ..], "messages": [{"separator": [..], "costs": [..]}, ..]}: one message per
//     variable of the order. A table belongs to the first eliminated variable of its scope (those of one value count
//     only when there is no other), a message to the first eliminated one of its separator. For every assignment, a
//     message is at most the sum of what belongs to its variable. The bound is the sum of the messages with no
//     separator.
//   {"kind": "reparametrisation", "dead": [[v, x], ..], "messages": [[[..] per variable of the scope] per factor]}:
//   each
//     dead value is forbidden by its own cost, or in some table by forbidden entries and earlier dead values alone. The
//     bound is the sum of the least entries, over what is not dead, of variables plus their messages and of tables less
//     theirs.
// p2 (spilling): "capacity", "values" [{"size", "def", "uses", "storeCost", "reloadCosts"}], "keep" [[0 | 1, ..]],
// "proof"
//   {"shift", "prices": [[step, price], ..]}: of the segments that cross a step at least the excess over its capacity
//   must
//     be dropped, and a dropped segment covers min(size, excess) of it. (Segments larger than a capacity they cross are
//     dropped beforehand.)
// p3 (addresses): "capacity", "buffers" [[begin, end, size], ..], "offsets", "time": the time whose live sizes add up
// to
//   the bound.

#include <string>

#include "core/solve/addresses/address_solver.h"
#include "core/solve/selection/factor_graph.h"
#include "core/solve/spilling/spill_solver.h"

namespace tessera {

// Solves again by elimination when its tables have at most `cellLimit` cells; else by reparametrisation, for the given
// values (empty: no incumbent). `lowerBound`, when given, receives the proven bound.
std::string selectionCertificate(const FactorGraph& model, const std::vector<int>& values, int64_t cellLimit = 200'000,
                                 Cost* lowerBound = nullptr);
std::string spillCertificate(const SpillProblem& problem, const SpillResult& result);
std::string addressCertificate(const AddressProblem& problem, const AddressResult& result);

}  // namespace tessera
