#pragma once
// The problem as JSON, docs/schema/problem.schema.json: everything that a policy outside of the program needs to
// decide, with time and L1 of every candidate and of every conversion. Ops that are alike share their candidates,
// layouts and settings are listed once: large graphs stay small.

#include <string>
#include <string_view>

#include "core/analysis/problem.h"

namespace tessera {

inline constexpr int kProblemSchema = 1;

// `optionsJson`: an object of the options that make this problem, as `readOptions` takes them.
std::string problemJson(const Problem& problem, std::string_view optionsJson);

}  // namespace tessera
