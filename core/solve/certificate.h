#pragma once
// Certificates: a problem, a solution and the reason for its bound, as JSON that a small checker of another language verifies
// (web/src/certificate/check.ts). The checker needs no search, only sums and minima.
//
// Another kind, "layouts", is written by core/policy/exact: a plan's bound, as a p1 certificate of its layout model with priced L1.
//
// All certificates: {"certificate": 1, "problem": "p1" | "p2" | "p3", "cost": .., "lowerBound": .., ...}; a forbidden cost is null,
// an integer beyond 2^53 a string. `lowerBound` is what the certificate proves; the solver itself may know a better one.
//
// p1: "unary" [[..]], "factors" [{"scope", "table"}], "values" or null, and "proof", one of
//   {"kind": "elimination", "order": [v, ..], "messages": [{"separator": [..], "costs": [..]}, ..]}: one message per variable of the
//     order. A table belongs to the first eliminated variable of its scope (those of one value count only when there is no other), a
//     message to the first eliminated one of its separator. For every assignment, a message is at most the sum of what belongs to its
//     variable. The bound is the sum of the messages with no separator.
//   {"kind": "reparametrisation", "dead": [[v, x], ..], "messages": [[[..] per variable of the scope] per factor]}: each dead value is
//     forbidden by its own cost, or in some table by forbidden entries and earlier dead values alone. The bound is the sum of the
//     least entries, over what is not dead, of variables plus their messages and of tables less theirs.
// p2: "capacity", "values" [{"size", "def", "uses", "storeCost", "reloadCosts"}], "keep" [[0 | 1, ..]], "proof"
//   {"shift", "prices": [[step, price], ..]}: of what crosses a step at least the excess over its capacity must be dropped, and a
//     dropped segment covers min(size, excess) of it. (Segments larger than a capacity they cross are dropped beforehand.)
// p3: "capacity", "buffers" [[begin, end, size], ..], "offsets", "time": the moment whose live sizes add up to the bound.

#include <string>

#include "core/solve/p1_model.h"
#include "core/solve/p2_spill.h"
#include "core/solve/p3_place.h"

namespace tessera {

// Solves again by elimination when its tables have at most `cellLimit` cells; else by reparametrisation, for the given values (may be
// empty: no solution is known). `lowerBound`, when given, receives what it proves.
std::string p1Certificate(const FactorGraph& model, const std::vector<int>& values, int64_t cellLimit = 200'000, Cost* lowerBound = nullptr);
std::string p2Certificate(const P2Problem& problem, const P2Result& result);
std::string p3Certificate(const P3Problem& problem, const P3Result& result);

}  // namespace tessera
