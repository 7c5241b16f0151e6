#pragma once
// What policies keep between calls. It changes no answer, only what an answer costs: everything is found by the whole
// question.

#include <optional>

#include "core/ops/model/op_answers.h"
#include "core/policy/exact/exact_memory.h"
#include "core/policy/propagate/beam_memory.h"

namespace tessera {

class PolicyMemory {
 public:
  PolicyMemory() = default;
  PolicyMemory(const PolicyMemory&) = delete;
  PolicyMemory& operator=(const PolicyMemory&) = delete;

  // Before questions about a device: forgets everything when it is another one, or when too much is kept.
  void prepare(const DeviceSpec& device) {
    exact.makeRoom();
    if (device_ == device && !interner.full() && !exact.full()) return;
    interner = {};
    answers.clear();
    moves.clear();
    beams.clear();
    exact.clear();
    device_ = device;
  }

  Interner interner;
  OpAnswers answers{interner};
  MoveMemory moves{interner};
  BeamMemory beams{answers};
  ExactMemory exact{moves};

 private:
  std::optional<DeviceSpec> device_;
};

}  // namespace tessera
