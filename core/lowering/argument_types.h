#pragma once
// What arguments of functions are, and which types their weights shall be stored in.

#include "core/lowering/pass.h"

namespace tessera {

// Roles of arguments, from the option argument-types ("forward=input,parameter,constant;backward=..."); the compiler's
// tt-populate-argument-types.
PassResult populateArgumentTypes(const Graph& graph, const PassContext& context);
// An argument's ttcore.weight_dtype reaches the products that read it, through views and conversions; the compiler's
// ttir-propagate-weight-dtype.
PassResult propagateWeightDtype(const Graph& graph, const PassContext& context);

}  // namespace tessera
