#pragma once
// The compiler's decision_trace.json, version 3 (tt-mlir Diagnostics/DecisionTrace.cpp), field by field.

#include <string>

#include "core/import/decision_trace.h"

namespace tessera {

std::string decisionTraceJson(const DecisionTrace& trace);

}  // namespace tessera
