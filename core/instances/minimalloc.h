#pragma once
// The public instances of MiniMalloc: address assignment within a capacity.

#include <optional>

#include "core/solve/addresses/address_solver.h"
#include "core/support/diagnostics.h"

namespace tessera {

// "id,lower,upper,size" (or with begin/start and end): one buffer per line, half-open lifetimes. Reports mistakes
// with their place; nothing is returned then.
std::optional<AddressProblem> readMinimalloc(const SourceBuffer& source, int64_t capacity, Diagnostics& diagnostics);

}  // namespace tessera
