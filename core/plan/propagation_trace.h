#pragma once
// What the pass generation went through: candidates, beams, forks, spill events. Data, filled in while the policy decides; report/ writes it.

namespace tessera {

struct PropagationTrace {};

}  // namespace tessera
