#pragma once
// What the exact policy found: bounds, regrets, certificate. Data, filled in while the policy decides; report/ writes it.

namespace tessera {

struct ExactTrace {};

}  // namespace tessera
