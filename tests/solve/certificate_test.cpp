// Writes certificates and compares them with the files that the checker's tests read (web/test/fixtures/certificates).
// UPDATE_GOLDEN=1 rewrites those.

#include "core/solve/certificate.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/solve/selection/selection_solver.h"
#include "tests/solve/random_model.h"

namespace tessera {
namespace {

void expectFile(const std::string& name, const std::string& text) {
  const std::filesystem::path file =
      std::filesystem::path(TESSERA_SOURCE_DIR) / "web/test/fixtures/certificates" / (name + ".json");
  if (std::getenv("UPDATE_GOLDEN")) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text << '\n';
  }
  std::ifstream in(file);
  std::stringstream expected;
  expected << in.rdbuf();
  EXPECT_EQ(text + "\n", expected.str()) << name;
}

TEST(Certificate, Elimination) {
  const testing_selection::RandomSpec spec{
      .variables = 8, .domain = 3, .factors = 10, .arity = 3, .maxCost = 50, .forbiddenPercent = 8, .window = 4};
  expectFile("p1_elimination", selectionCertificate(testing_selection::randomModel(4, spec), {}));
}

TEST(Certificate, NoSolution) {
  FactorGraph model;
  model.addVariable({0, 1});
  model.addVariable({0, kForbidden});
  model.addFactor({0, 1}, {kForbidden, 0, kForbidden, 0});
  expectFile("p1_no_solution", selectionCertificate(model, {}));
  expectFile("p1_no_solution_by_bounds", selectionCertificate(model, {}, 1));
}

TEST(Certificate, Reparametrisation) {
  const testing_selection::RandomSpec spec{
      .variables = 8, .domain = 3, .factors = 12, .arity = 3, .maxCost = 50, .forbiddenPercent = 6, .window = 8};
  const FactorGraph model = testing_selection::randomModel(9, spec);
  const SelectionResult result = solveSelection(model, {});
  ASSERT_TRUE(result.feasible);
  expectFile("p1_reparametrisation", selectionCertificate(model, result.values, 1));
}

TEST(Certificate, Spill) {
  SpillProblem problem{.steps = 8, .capacity = {9, 9, 4, 9, 9, 3, 9, 9}, .values = {}};
  problem.values.push_back({.size = 4, .def = 0, .uses = {3, 6}, .storeCost = 5, .reloadCosts = {4, 4}});
  problem.values.push_back({.size = 3, .def = 0, .uses = {4, 7}, .storeCost = 2, .reloadCosts = {3, 3}});
  problem.values.push_back({.size = 2, .def = 1, .uses = {7}, .storeCost = 0, .reloadCosts = {9}});
  problem.values.push_back({.size = 20, .def = 1, .uses = {2, 4}, .storeCost = 1, .reloadCosts = {7, 7}});
  expectFile("p2", spillCertificate(problem, solveSpill(problem, {})));
}

TEST(Certificate, Addresses) {
  AddressProblem problem{.buffers = {{0, 4, 8}, {2, 6, 5}, {5, 9, 7}, {3, 3, 100}, {0, 9, 2}}, .capacity = 0};
  expectFile("p3", addressCertificate(problem, assignAddresses(problem, {})));
}

}  // namespace
}  // namespace tessera
