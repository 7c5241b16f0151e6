#pragma once
// A problem with its ops in another order, for policies that schedule.

#include "core/analysis/problem.h"

namespace tessera {

// `order`: all ops of the forward function, producers first. `legal` and `configs` stay empty: they do not depend on
// the order, so the caller takes them from the given problem.
Problem problemInOrder(const Problem& given, const std::vector<OpId>& order);

}  // namespace tessera
