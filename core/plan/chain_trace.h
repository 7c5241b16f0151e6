#pragma once
// What the chain generation went through: chains, solver states, merges. Data, filled in while the policy decides; report/ writes it.

namespace tessera {

struct ChainTrace {};

}  // namespace tessera
