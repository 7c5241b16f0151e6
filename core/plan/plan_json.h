#pragma once
// Plans as JSON, docs/schema/plan.schema.json: what a policy decided, or what a person or somebody else's program
// wants. Values are named by their SSA name ("%12"), ops by their first result's name or by their number in the
// forward function.

#include <string>
#include <string_view>

#include "core/analysis/problem.h"
#include "core/plan/plan.h"
#include "core/support/json_value.h"

namespace tessera {

inline constexpr int kPlanSchema = 1;

// Tells forward functions apart: names, ops, operands, shapes and element types, as 16 hexadecimal digits.
std::string graphFingerprint(const Graph& graph);

// `author`: the policy that made it. `optionsJson`: an object of the options under which it was made, as `readOptions`
// takes them.
std::string planJson(const Problem& problem, const Plan& plan, std::string_view author, std::string_view optionsJson);

// The name of the plan's author, "" when it does not say.
std::string_view planAuthor(JsonValue root);

// readPlan(planJson(p)) is p again. What is not said is as the program has it: its order, arguments where they arrive,
// all else in DRAM. Whatever is wrong is reported (PlanSchema, PlanElsewhere, PlanIllegal) and left out, so that the
// result can always be carried out: a complete order, layouts that fit their tensors, and moves that move something.
// What remains to be asked is what checkPlan asks: whether each op accepts it, and whether it fits.
Plan readPlan(JsonValue root, const Problem& problem, Diagnostics& diags);

}  // namespace tessera
