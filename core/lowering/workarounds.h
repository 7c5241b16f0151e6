#pragma once
// TTNNWorkarounds: what the library cannot do as the model wants it (docs/rules/lowering.md#stages). Layout
// workarounds change the pages or the element type of an operand or a result; decomposition workarounds make several
// ops of one. The tables in the .cpp files give the reason of each, and every use of one is a note of the pass.

#include "core/lowering/pass.h"

namespace tessera {

PassResult layoutWorkarounds(const Graph& graph, const PassContext& context);
PassResult decompositionWorkarounds(const Graph& graph, const PassContext& context);

}  // namespace tessera
