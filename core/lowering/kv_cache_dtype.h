#pragma once

#include "core/lowering/pass.h"

namespace tessera {

// Caches of keys and values in another element type (option target-dtype): arguments that are caches, what is filled
// into them, and what they are returned as; the compiler's ttnn-kv-cache-dtype-conversion.
PassResult convertKvCaches(const Graph& graph, const PassContext& context);

}  // namespace tessera
