#pragma once
// A StableHLO text through all passes up to TTIR, computed before and after.

#include "tests/compare_graphs.h"
#include "tests/lowering/lowering_testing.h"

namespace tessera::test {

inline std::string mainWith(const std::string& arguments, const std::string& result, const std::string& body) {
  return "func.func @main(" + arguments + ") -> " + result + " {\n" + body + "\n  return %r : " + result + "\n}\n";
}

// The graph after all passes up to TTIR; "" or what went wrong.
inline std::string wrongAfterConversion(const std::string& text, Graph& converted) {
  LoweringSetup setup;
  const Graph graph = graphOfText(text);
  converted = graph;
  for (const PassInfo& pass : allPasses()) {
    if (pass.stage != PassStage::Stablehlo) continue;
    LoweringResult one = passOn(pass.name, converted, setup);
    converted = std::move(one.graph);
    for (const PassLog& log : one.logs)
      for (const PassLogNote& note : log.problems) return note.name + ": " + note.text;
  }
  for (const Op& op : converted.ops)
    if (op.func.valid() && op.name.rfind("stablehlo.", 0) == 0) return op.name + " is left";
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    const ComparisonVerdict verdict = compareGraphs(graph, converted, seed, 1e-4);
    if (!verdict.equal()) return verdict.text;
  }
  return "";
}

}  // namespace tessera::test
