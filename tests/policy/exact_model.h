#pragma once
// What policy Exact makes of a graph before it searches: the choices and their costs.

#include "core/policy/exact/exact_search.h"
#include "tests/policy/random_graph.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {

struct Model {
  std::unique_ptr<PolicyRun> run;
  std::vector<Plan> baselines;
  std::unique_ptr<ExactSearch> search;

  Model(Graph graph, const ProblemOptions& options) : run(runOn(std::move(graph), "DRAM", options)) {
    baselines = {run->plan};
    search = std::make_unique<ExactSearch>(*run->problem, baselines, run->memory.exact);
  }
};

inline Model randomModel(uint64_t seed, const ProblemOptions& options = {}) {
  return Model(graphOf(randomGraphText(seed, RandomGraphOptions{.images = seed % 4 == 0})), options);
}

// `count` results of relu, concatenated.
inline std::string manyRead(int count) {
  const std::string t = "tensor<64x64xbf16>", all = "tensor<" + std::to_string(64 * count) + "x64xbf16>";
  std::string arguments, body, reads, types;
  for (int i = 0; i < count; ++i) {
    const std::string name = "%r" + std::to_string(i), from = "%a" + std::to_string(i);
    arguments += (i ? ", " : "") + from + ": " + t;
    body += "  " + name + " = \"ttir.relu\"(" + from + ") : (" + t + ") -> " + t + "\n";
    reads += (i ? ", " : "") + name;
    types += (i ? ", " : "") + t;
  }
  return "func.func @main(" + arguments + ") -> " + all + " {\n" + body + "  %c = \"ttir.concat\"(" + reads +
         ") <{dim = 0 : si32}> : (" + types + ") -> " + all + "\n  return %c : " + all + "\n}\n";
}

inline OpId opOf(const Graph& graph, OpKind kind) {
  for (OpId op : graph.ops.ids())
    if (graph.ops[op].kind == kind) return op;
  return {};
}

}  // namespace tessera::test
