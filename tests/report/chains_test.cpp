#include "core/report/chains.h"

#include "tests/policy/random_graph.h"
#include "tests/policy/test_graphs.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

// Chains by the names of their rows: "0 1 2|3".
std::string chainsText(const PolicyRun& run) {
  std::string text;
  for (const L1Chain& chain : findChains(run.applied.graph, run.sim.steps).chains) {
    if (!text.empty()) text += "|";
    for (size_t i = 0; i < chain.steps.size(); ++i) {
      const Op& op = run.applied.graph.ops[run.sim.steps[static_cast<size_t>(chain.steps[i])].op];
      text += (i ? " " : "") + (op.results.empty() ? op.name : run.applied.graph.values[op.results[0]].name);
    }
  }
  return text;
}

const std::string kT = "tensor<256x256xbf16>";
std::string unary(const char* name, const char* op, const char* operand) {
  return std::string("  %") + name + " = \"" + op + "\"(%" + operand + ") : (" + kT + ") -> " + kT + "\n";
}
std::string binary(const char* name, const char* a, const char* b) {
  return std::string("  %") + name + " = \"ttir.add\"(%" + a + ", %" + b + ") : (" + kT + ", " + kT + ") -> " + kT +
         "\n";
}
std::string mainOf(const std::string& body, const char* returned) {
  return "func.func @main(%a: " + kT + ") -> " + kT + " {\n" + body + "  return %" + returned + " : " + kT + "\n}\n";
}

TEST(Chains, LinkOpsByResultsThatStayInL1) {
  auto run = runOn(
      graphOf(mainOf(unary("x", "ttir.relu", "a") + unary("y", "ttir.exp", "x") + unary("z", "ttir.exp", "y"), "z")),
      "Greedy");
  EXPECT_EQ(chainsText(*run), "x y z z_return");  // the last op writes elsewhere
}

TEST(Chains, ThereAreNoneInDram) {
  auto run = runOn(graphOf(mainOf(unary("x", "ttir.relu", "a"), "x")), "DRAM");
  EXPECT_EQ(chainsText(*run), "");
  for (int32_t chain : findChains(run->applied.graph, run->sim.steps).chainOfStep) EXPECT_EQ(chain, -1);
}

// The first reader goes on with the chain, the second begins one of its own; the join continues that of its lowest
// operand.
TEST(Chains, ForksAndJoins) {
  auto run = runOn(graphOf(mainOf(unary("x", "ttir.relu", "a") + unary("l", "ttir.exp", "x") +
                                      unary("r", "ttir.sqrt", "x") + binary("j", "r", "l"),
                                  "j")),
                   "Greedy");
  EXPECT_EQ(chainsText(*run), "x l|r j j_return");
}

TEST(Chains, EveryStepIsInAtMostOneAndLanesNeverOverlap) {
  for (uint64_t seed = 0; seed < test::seeds(100); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto run = runOn(graphOf(randomGraphText(seed)), "Greedy");
    L1Chains found = findChains(run->applied.graph, run->sim.steps);
    ASSERT_EQ(found.chainOfStep.size(), run->sim.steps.size());
    std::vector<int32_t> owner(run->sim.steps.size(), -1);
    int32_t lastFirst = -1;
    for (size_t c = 0; c < found.chains.size(); ++c) {
      const L1Chain& chain = found.chains[c];
      ASSERT_FALSE(chain.steps.empty());
      EXPECT_TRUE(std::is_sorted(chain.steps.begin(), chain.steps.end()));
      EXPECT_GT(chain.steps.front(), lastFirst) << "chains come by their first step";
      lastFirst = chain.steps.front();
      for (int32_t step : chain.steps) {
        EXPECT_EQ(owner[static_cast<size_t>(step)], -1);
        owner[static_cast<size_t>(step)] = static_cast<int32_t>(c);
      }
      for (size_t d = 0; d < c; ++d) {
        const L1Chain& other = found.chains[d];
        bool apart = other.steps.back() < chain.steps.front() || chain.steps.back() < other.steps.front();
        EXPECT_TRUE(apart || other.lane != chain.lane)
            << "chains " << d << " and " << c << " share lane " << chain.lane;
      }
    }
    EXPECT_EQ(owner, found.chainOfStep);
  }
}

TEST(Chains, LanesAreFilledFromTheLeft) {
  for (uint64_t seed = 0; seed < test::seeds(50); ++seed) {
    auto run = runOn(graphOf(randomGraphText(seed)), "Greedy");
    L1Chains found = findChains(run->applied.graph, run->sim.steps);
    for (size_t c = 0; c < found.chains.size(); ++c) {
      for (int32_t lane = 0; lane < found.chains[c].lane; ++lane) {
        bool busy = false;
        for (size_t d = 0; d < c; ++d)
          busy |= found.chains[d].lane == lane && found.chains[d].steps.back() >= found.chains[c].steps.front();
        EXPECT_TRUE(busy) << "seed " << seed << ": lane " << lane << " was free for chain " << c;
      }
    }
  }
}

// Two chains that follow each other share a lane, also when one lies beside both.
TEST(Chains, TheFirstLaneThatIsFreeIsTaken) {
  Graph graph;
  GraphBuilder builder(graph);
  const FuncId func = builder.addFunction("main");
  const auto typeIn = [](const LayoutRequest& request) {
    ValueType type;
    type.tensor = TensorType{
        .shape = {32, 32}, .dtype = DType::BF16, .layout = *makeLayout({32, 32}, request, *findDevice("n150"))};
    return type;
  };
  const ValueType dram = typeIn({DType::BF16, BufferType::DRAM, TensorMemoryLayout::Interleaved});
  const ValueType l1 = typeIn({DType::BF16, BufferType::L1, TensorMemoryLayout::Interleaved, PageLayout::Tile, {8, 8}});
  const ValueId in = builder.addArgument(func, "a", dram);
  std::vector<SimStep> steps;
  const auto append = [&](ValueId from, const ValueType& type) {
    const OpId op = builder.append(func, makeOp(OpKind::TtnnRelu, {from}, {type}));
    steps.emplace_back().op = op;
    return graph.ops[op].results[0];
  };
  const ValueId long1 = append(in, l1);     // 0: chain 0
  const ValueId short1 = append(in, l1);    // 1: chain 1
  append(short1, dram);                     // 2: its end
  const ValueId short2 = append(in, l1);    // 3: chain 2
  const ValueId long2 = append(long1, l1);  // 4
  append(short2, dram);                     // 5: the end of chain 2
  append(long2, dram);                      // 6: the end of chain 0
  append(in, l1);                           // 7: chain 3
  const L1Chains found = findChains(graph, steps);
  std::string text;
  for (const L1Chain& chain : found.chains) {
    for (const int32_t step : chain.steps) text += std::to_string(step) + " ";
    text += "on " + std::to_string(chain.lane) + "; ";
  }
  EXPECT_EQ(text, "0 4 6 on 0; 1 2 on 1; 3 5 on 1; 7 on 0; ");
  EXPECT_EQ(found.chainOfStep, (std::vector<int32_t>{0, 1, 1, 2, 0, 2, 0, 3}));
}

}  // namespace
}  // namespace tessera::test
