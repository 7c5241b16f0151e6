// The integer program of layouts and L1 as text: what is paid for a result that is read twice and returned.

#include <map>
#include <sstream>

#include "core/policy/exact/exact_search.h"
#include "core/policy/exact/layout_lp.h"
#include "tests/policy/chain/chain_testing.h"

namespace tessera::test {
namespace {

// Factors of the objective by name.
std::map<std::string, int64_t> objectiveOf(const std::string& lp) {
  std::istringstream in(lp.substr(lp.find("obj:") + 4, lp.find("Subject To") - lp.find("obj:") - 4));
  std::map<std::string, int64_t> factors;
  std::string sign, name;
  for (int64_t factor = 0; in >> sign >> factor >> name;) factors[name] += sign == "-" ? -factor : factor;
  return factors;
}

// %0 has a layout when it is made and one between its readers and after each; it is stored for the return from the last
// of them alone. %1 and %2 are stored as they are made. In DRAM nothing is to pay.
TEST(ExactLp, TheStoreForTheReturnIsPaidOnce) {
  const Graph graph = graphOf(GraphText("32x32")
                                  .arg("%a")
                                  .op("%0", "ttnn.exp", {"%a"})
                                  .op("%1", "ttnn.neg", {"%0"})
                                  .op("%2", "ttnn.abs", {"%0"})
                                  .returning({"%0", "%1", "%2"}));
  const Problem problem = analysed(graph, allDevices()[0], {});
  PolicyMemory memory;
  memory.prepare(problem.device);
  const std::vector<Plan> none;
  ExactSearch search(problem, none, memory.exact);
  ASSERT_TRUE(search.layouts().feasible);
  const std::string lp = writeJointLp(search.choices(), search.moves(), 1'000'000);
  std::map<std::string, int64_t> stores;
  for (const auto& [name, factor] : objectiveOf(lp)) {
    if (name[0] == 'x') stores[name] = factor;
  }
  const LayoutChoices& choices = search.choices();
  std::map<std::string, int64_t> expected;
  const auto expectStores = [&](ValueId value, int32_t variable, const std::vector<LayoutId>& layouts) {
    const LayoutId dram = search.pool().intern(dramLayout(problem, value));
    for (size_t x = 0; x < layouts.size(); ++x) {
      if (!search.pool()[layouts[x]].isL1()) continue;
      expected["x" + std::to_string(variable) + "_" + std::to_string(x)] = search.moves().of(value, layouts[x], dram);
    }
  };
  const ValueId shared = valueNamed(graph, "0");
  ASSERT_EQ(choices.values[shared].segments.size(), 2u);
  expectStores(shared, choices.values[shared].segments[1], choices.values[shared].layouts);
  for (const char* name : {"1", "2"}) {
    const OpChoices& op = choices.ops[producerOf(graph, name)];
    std::vector<LayoutId> layouts;
    for (size_t x = 0; x < op.valueConfig.size(); ++x) layouts.push_back(op.outputOf(x));
    expectStores(valueNamed(graph, name), op.variable, layouts);
  }
  EXPECT_GE(expected.size(), 6u);
  EXPECT_EQ(stores, expected);
  // A row of capacity for every step at which something may be held.
  size_t rows = 0;
  for (size_t at = lp.find("<= 1000000\n"); at != std::string::npos; at = lp.find("<= 1000000\n", at + 1)) ++rows;
  EXPECT_EQ(rows, 3u);
}

}  // namespace
}  // namespace tessera::test
