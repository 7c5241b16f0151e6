#pragma once
// Seeded random factor graphs and their optimum by enumeration.

#include <vector>

#include "core/solve/selection/factor_graph.h"

namespace tessera::testing_selection {

struct RandomSpec {
  int variables = 5;
  int domain = 3;  // 1 .. domain values each
  int factors = 6;
  int arity = 3;         // 2 .. arity
  int64_t maxCost = 20;  // -maxCost/4 .. maxCost
  int forbiddenPercent = 10;
  int window = 1000;  // variables of one factor lie within so many indices
};

inline Cost randomCost(Prng& random, const RandomSpec& spec) {
  if (random.below(100) < spec.forbiddenPercent) return kForbidden;
  return random.below(spec.maxCost + spec.maxCost / 4 + 1) - spec.maxCost / 4;
}

inline FactorGraph randomModel(uint64_t seed, const RandomSpec& spec) {
  Prng random(seed);
  FactorGraph model;
  for (int v = 0; v < spec.variables; ++v) {
    std::vector<Cost> costs(static_cast<size_t>(1 + random.below(spec.domain)));
    for (Cost& cost : costs) cost = randomCost(random, spec);
    model.addVariable(std::move(costs));
  }
  for (int f = 0; f < spec.factors; ++f) {
    std::vector<int> scope;
    const int64_t arity = 2 + random.below(spec.arity - 1);
    const int64_t base = random.below(spec.variables);
    for (int64_t i = 0; i < arity; ++i) {
      const int v = static_cast<int>((base + random.below(spec.window)) % spec.variables);
      bool isNew = true;
      for (int other : scope) isNew = isNew && other != v;
      if (isNew) scope.push_back(v);
    }
    size_t cells = 1;
    for (int v : scope) cells *= static_cast<size_t>(model.domain(v));
    std::vector<Cost> table(cells);
    for (Cost& cost : table) cost = randomCost(random, spec);
    model.addFactor(std::move(scope), std::move(table));
  }
  return model;
}

// Enumerates every assignment. kForbidden when there is no solution.
inline Cost bruteForce(const FactorGraph& model, int fixedVariable = -1, int fixedValue = -1) {
  std::vector<int> values(static_cast<size_t>(model.variableCount()), 0);
  Cost best = kForbidden;
  while (true) {
    if (fixedVariable < 0 || values[static_cast<size_t>(fixedVariable)] == fixedValue) {
      const Cost cost = model.evaluate(values);
      if (cost < best) best = cost;
    }
    size_t i = values.size();
    while (i > 0) {
      if (++values[i - 1] < model.domain(static_cast<int>(i - 1))) break;
      values[--i] = 0;
    }
    if (i == 0) return best;
  }
}

}  // namespace tessera::testing_selection
