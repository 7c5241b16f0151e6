#pragma once
// What a person may ask of the policies beyond the problem itself. One struct per generation, next to its policies.

#include "core/policy/chain/chain_options.h"
#include "core/policy/exact/exact_options.h"
#include "core/policy/propagate/propagate_options.h"

namespace tessera {

struct PolicyOptions {
  ChainOptions chain;
  PropagateOptions propagate;
  ExactOptions exact;
  bool keepsSchedule = false;  // a plan in another order than the problem's is not wanted: an empty one does
};

}  // namespace tessera
