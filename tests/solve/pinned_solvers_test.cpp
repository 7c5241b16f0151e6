// What the solvers answer to random problems, whole: values, orders, methods, bounds, messages, prices, certificates.
// Answers as good as others are told from them here.

#include <gtest/gtest.h>

#include <algorithm>

#include "core/solve/addresses/address_solver.h"
#include "core/solve/certificate.h"
#include "core/solve/selection/dominance.h"
#include "core/solve/selection/dual_solver.h"
#include "core/solve/selection/elimination_tree.h"
#include "core/solve/selection/selection_solver.h"
#include "core/solve/spilling/spill_solver.h"
#include "tests/pinned.h"
#include "tests/solve/random_model.h"

namespace tessera::test {
namespace {

PinnedFile& pins = PinnedFile::named("pinned_solvers");
constexpr uint64_t kSeeds = 30;  // of a line

template <class T>
void addAll(Fingerprint& print, const std::vector<T>& numbers) {
  print.add(static_cast<int64_t>(numbers.size()));
  for (const T number : numbers) print.add(static_cast<int64_t>(number));
}

FactorGraph modelOf(uint64_t seed) {
  Prng random(seed * 77);
  const testing_selection::RandomSpec spec{.variables = static_cast<int>(4 + random.below(9)),
                                           .domain = static_cast<int>(2 + random.below(4)),
                                           .factors = static_cast<int>(4 + random.below(14)),
                                           .arity = static_cast<int>(2 + random.below(3)),
                                           .maxCost = 3 + random.below(40),
                                           .forbiddenPercent = static_cast<int>(random.below(12)),
                                           .window = static_cast<int>(3 + random.below(8))};
  return testing_selection::randomModel(seed, spec);
}

TEST(PinnedSolvers, Orders) {
  for (const OrderKind kind : {OrderKind::MinFill, OrderKind::MinTable, OrderKind::Rounds}) {
    Fingerprint print;
    int64_t cells = 0, depth = 0;
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
      const EliminationOrder order = eliminationOrder(modelOf(seed), kind, kMaxCells);
      addAll(print, order.variables);
      for (const int64_t figure : {int64_t{order.width}, int64_t{order.depth}, order.cells}) print.add(figure);
      cells += order.cells, depth += order.depth;
    }
    pins.expect("order " + std::to_string(static_cast<int>(kind)),
                "cells " + std::to_string(cells) + ", depth " + std::to_string(depth) + ", print " + digits(print));
  }
}

TEST(PinnedSolvers, Elimination) {
  Fingerprint print;
  Cost sum = 0;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    const FactorGraph model = modelOf(seed);
    EliminationTree tree(model, chooseOrder(model, kMaxCells));
    const EliminationSolution solution = tree.solve();
    addAll(print, solution.values);
    sum += solution.feasible ? solution.cost : 0;
    print.add(solution.bucketsComputed);
    for (const auto& costs : tree.minMarginals().costs) addAll(print, costs);
    for (int v = 0; v < model.variableCount(); ++v) {
      addAll(print, tree.message(v).separator);
      addAll(print, tree.message(v).costs);
    }
    tree.force(0, 0);
    const EliminationSolution forced = tree.solve();
    print.add(forced.cost), print.add(forced.bucketsComputed);
  }
  pins.expect("elimination", "cost " + std::to_string(sum) + ", print " + digits(print));
}

// Of selection with every method; without a tree the bounds have to do.
TEST(PinnedSolvers, Selection) {
  for (const int way : {0, 1, 2, 3}) {
    Fingerprint print;
    Cost sum = 0, lower = 0;
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
      const FactorGraph model = modelOf(seed);
      SelectionOptions options{.budget = WorkBudget(way == 3 ? 20'000 : 2'000'000)};
      options.useTree = way == 0, options.useDominance = way == 1, options.useReducedCosts = way != 2;
      if (way == 1) options.useTree = true, options.cellLimit = 300;
      const SelectionResult result = solveSelection(model, options);
      addAll(print, result.values);
      print.add(result.method);
      for (const int64_t figure :
           {result.cost, result.lowerBound, int64_t{result.proven}, int64_t{result.width}, result.cells})
        print.add(figure);
      sum += result.feasible ? result.cost : 0, lower += isForbidden(result.lowerBound) ? 0 : result.lowerBound;
      print.add(selectionCertificate(model, result.values, seed % 2 ? 200'000 : 1));
    }
    pins.expect("selection " + std::to_string(way),
                "cost " + std::to_string(sum) + ", bound " + std::to_string(lower) + ", print " + digits(print));
  }
}

TEST(PinnedSolvers, Bounds) {
  Fingerprint print;
  Cost bounds = 0, costs = 0;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    const FactorGraph model = modelOf(seed);
    DualSolver solver(model);
    for (int round = 0; round < 4; ++round) print.add(solver.sweep());
    std::vector<int> values;
    Cost cost = solver.decode(values);
    addAll(print, values);
    print.add(cost);
    if (!isForbidden(cost)) solver.improve(values, cost);
    addAll(print, values);
    bounds += isForbidden(solver.bound()) ? 0 : solver.bound(), costs += isForbidden(cost) ? 0 : cost;
    const size_t mark = solver.mark();
    print.add(solver.fixByBound(cost));
    for (const auto& [variable, value] : solver.pruned()) print.add(variable * 100 + value);
    print.add(solver.sweep());
    solver.undo(mark);
    print.add(solver.sweep());
    for (int v = 0; v < model.variableCount(); ++v) addAll(print, solver.reduced(v)), print.add(solver.aliveCount(v));
    WorkBudget budget;
    const ReducedModel reduced = removeDominated(model, budget);
    print.add(reduced.removed), print.add(budget.left());
    for (const auto& kept : reduced.kept) addAll(print, kept);
    Cost offset = 0;
    print.add(writeWcsp(model, "model", offset)), print.add(offset), print.add(writeLp(model));
  }
  pins.expect("bounds",
              "bound " + std::to_string(bounds) + ", cost " + std::to_string(costs) + ", print " + digits(print));
}

SpillProblem spillOf(uint64_t seed) {
  Prng random(seed * 31 + 5);
  SpillProblem problem{.steps = static_cast<int>(6 + random.below(16)), .capacity = {}, .values = {}};
  for (int64_t v = 4 + random.below(14); v > 0; --v) {
    SpillValue value{.size = 1 + random.below(6),
                     .def = static_cast<int>(random.below(problem.steps)),
                     .uses = {},
                     .storeCost = random.below(4),
                     .reloadCosts = {}};
    for (int64_t uses = 1 + random.below(3); uses > 0; --uses)
      value.uses.push_back(static_cast<int>(value.def + random.below(problem.steps - value.def)));
    std::sort(value.uses.begin(), value.uses.end());
    for (size_t i = 0; i < value.uses.size(); ++i) value.reloadCosts.push_back(random.below(5));
    problem.values.push_back(value);
  }
  for (int s = 0; s < problem.steps; ++s) problem.capacity.push_back(4 + random.below(10));
  return problem;
}

TEST(PinnedSolvers, Spilling) {
  for (const size_t limit : {size_t{20'000}, size_t{3}}) {
    Fingerprint print;
    Cost sum = 0;
    for (uint64_t seed = 0; seed < 2 * kSeeds; ++seed) {
      const SpillProblem problem = spillOf(seed);
      const SpillResult result = solveSpill(problem, {.stateLimit = limit});
      for (const auto& kept : result.keep) addAll(print, kept);
      for (const auto& [step, price] : result.prices) print.add(step), print.add(price);
      print.add(result.method);
      for (const int64_t figure : {result.cost, result.lowerBound, result.states,
                                   static_cast<int64_t>(result.contested), int64_t{result.priceShift}})
        print.add(figure);
      print.add(spillCertificate(problem, result));
      sum += result.cost;
      for (const SpillRule rule : {SpillRule::FarthestLastUse, SpillRule::FarthestNextUse, SpillRule::CostAware}) {
        for (const auto& kept : spillByRule(problem, rule)) addAll(print, kept);
      }
    }
    pins.expect("spilling " + std::to_string(limit), "cost " + std::to_string(sum) + ", print " + digits(print));
  }
}

TEST(PinnedSolvers, Addresses) {
  for (const bool local : {true, false}) {
    Fingerprint print;
    int64_t heights = 0;
    for (uint64_t seed = 0; seed < 2 * kSeeds; ++seed) {
      Prng random(seed + 400);
      AddressProblem problem;
      for (int64_t n = 5 + random.below(14); n > 0; --n) {
        const int64_t begin = random.below(12);
        problem.buffers.push_back({begin, begin + 1 + random.below(7), 1 + random.below(7)});
      }
      problem.capacity = seed % 2 ? 0 : loadBound(problem);
      AddressOptions options{.budget = WorkBudget(200'000), .localWork = 2'000};
      options.useLocalSearch = local;
      const AddressResult result = assignAddresses(problem, options);
      addAll(print, result.offsets);
      print.add(result.method);
      for (const int64_t figure :
           {result.height, result.lowerBound, result.nodes, int64_t{result.fits}, int64_t{result.proven}})
        print.add(figure);
      print.add(addressCertificate(problem, result));
      heights += result.height;
    }
    pins.expect(std::string("addresses ") + (local ? "with" : "without") + " local search",
                "heights " + std::to_string(heights) + ", print " + digits(print));
  }
}

// --- larger problems, on which searches branch, prune and give up ---------------------------------------------------

constexpr uint64_t kLargeSeeds = 5;

TEST(PinnedLarge, Selection) {
  for (const int way : {0, 1, 2, 3}) {
    Fingerprint print;
    Cost sum = 0, lower = 0;
    for (uint64_t seed = 0; seed < kLargeSeeds; ++seed) {
      const testing_selection::RandomSpec spec{
          .variables = 40, .domain = 4, .factors = 90, .arity = 3, .maxCost = 60, .forbiddenPercent = 2, .window = 9};
      const FactorGraph model = testing_selection::randomModel(seed + 900, spec);
      SelectionOptions options{.cellLimit = way == 0 ? 1 << 20 : 2'000, .budget = WorkBudget(600'000)};
      options.useTree = way != 3, options.useDominance = way != 2, options.useReducedCosts = way != 1;
      const SelectionResult result = solveSelection(model, options);
      addAll(print, result.values);
      print.add(result.method);
      for (const int64_t figure :
           {result.cost, result.lowerBound, int64_t{result.proven}, int64_t{result.width}, result.cells})
        print.add(figure);
      sum += result.feasible ? result.cost : 0, lower += isForbidden(result.lowerBound) ? 0 : result.lowerBound;
    }
    pins.expect("large selection " + std::to_string(way),
                "cost " + std::to_string(sum) + ", bound " + std::to_string(lower) + ", print " + digits(print));
  }
}

// More segments at once than a word of a state holds.
TEST(PinnedLarge, Spilling) {
  for (const size_t limit : {size_t{300}, size_t{2}}) {
    Fingerprint print;
    Cost sum = 0, lower = 0;
    for (uint64_t seed = 0; seed < kLargeSeeds; ++seed) {
      Prng random(seed + 70);
      SpillProblem problem{.steps = 40, .capacity = {}, .values = {}};
      for (int v = 0; v < 110; ++v) {
        SpillValue value{.size = 1 + random.below(30),
                         .def = static_cast<int>(random.below(30)),
                         .uses = {},
                         .storeCost = random.below(9),
                         .reloadCosts = {}};
        for (int64_t uses = 1 + random.below(4); uses > 0; --uses)
          value.uses.push_back(static_cast<int>(value.def + random.below(problem.steps - value.def)));
        std::sort(value.uses.begin(), value.uses.end());
        for (size_t i = 0; i < value.uses.size(); ++i) value.reloadCosts.push_back(1 + random.below(20));
        problem.values.push_back(value);
      }
      const std::vector<int64_t> load = loads(problem, keepAll(problem));
      for (const int64_t bytes : load) problem.capacity.push_back(bytes * 3 / 4 + random.below(40));
      const SpillResult result = solveSpill(problem, {.stateLimit = limit, .budget = WorkBudget(60'000)});
      for (const auto& kept : result.keep) addAll(print, kept);
      print.add(result.method);
      for (const int64_t figure :
           {result.cost, result.lowerBound, result.states, static_cast<int64_t>(result.contested)})
        print.add(figure);
      sum += result.cost, lower += result.lowerBound;
    }
    pins.expect("large spilling " + std::to_string(limit),
                "cost " + std::to_string(sum) + ", bound " + std::to_string(lower) + ", print " + digits(print));
  }
}

TEST(PinnedLarge, Addresses) {
  for (const int switches : {0, 1, 2, 3}) {
    Fingerprint print;
    int64_t heights = 0, nodes = 0;
    for (uint64_t seed = 0; seed < kLargeSeeds; ++seed) {
      Prng random(seed + 4000);
      AddressProblem problem;
      for (int64_t n = 30 + random.below(30); n > 0; --n) {
        const int64_t begin = random.below(40);
        problem.buffers.push_back({begin, begin + 1 + random.below(14), 1 + random.below(40)});
      }
      problem.capacity = loadBound(problem) + random.below(3);
      AddressOptions options{.budget = WorkBudget(150'000), .localWork = 3'000};
      options.useSectionBounds = switches & 1, options.usePostponed = switches & 2;
      const AddressResult result = assignAddresses(problem, options);
      addAll(print, result.offsets);
      print.add(result.method);
      for (const int64_t figure :
           {result.height, result.lowerBound, result.nodes, int64_t{result.fits}, int64_t{result.proven}})
        print.add(figure);
      heights += result.height, nodes += result.nodes;
    }
    pins.expect("large addresses " + std::to_string(switches),
                "heights " + std::to_string(heights) + ", nodes " + std::to_string(nodes) + ", print " + digits(print));
  }
}

// Short lives, so that what is left falls apart while it is searched.
TEST(PinnedLarge, AddressesOfShortLives) {
  Fingerprint print;
  int64_t heights = 0, nodes = 0, found = 0;
  for (uint64_t seed = 0; seed < 12; ++seed) {
    Prng random(seed + 9000);
    AddressProblem problem;
    for (int64_t n = 60 + random.below(40); n > 0; --n) {
      const int64_t begin = random.below(40);
      problem.buffers.push_back({begin, begin + 2 + random.below(8), 1 + random.below(40)});
    }
    problem.capacity = loadBound(problem);
    AddressOptions options{.budget = WorkBudget(40'000), .useLocalSearch = false};
    const AddressResult result = assignAddresses(problem, options);
    addAll(print, result.offsets);
    print.add(result.nodes), print.add(result.method);
    heights += result.height, nodes += result.nodes, found += result.fits;
  }
  pins.expect("short lives", "heights " + std::to_string(heights) + ", nodes " + std::to_string(nodes) + ", " +
                                 std::to_string(found) + " fit, print " + digits(print));
}

TEST(PinnedLarge, LocalSearch) {
  Fingerprint print;
  int64_t heights = 0, local = 0;
  for (uint64_t seed = 0; seed < 8; ++seed) {
    Prng random(seed + 700);
    AddressProblem problem;
    for (int64_t n = 40 + random.below(30); n > 0; --n) {
      const int64_t begin = random.below(24);
      problem.buffers.push_back({begin, begin + 1 + random.below(12), 1 + random.below(60)});
    }
    problem.capacity = loadBound(problem);
    AddressOptions options{.localWork = 100'000, .seed = seed};
    options.useSearch = false;
    const AddressResult result = assignAddresses(problem, options);
    addAll(print, result.offsets);
    heights += result.height, local += result.method == "local search";
  }
  pins.expect("local search",
              "heights " + std::to_string(heights) + ", " + std::to_string(local) + " by it, print " + digits(print));
}

}  // namespace
}  // namespace tessera::test
