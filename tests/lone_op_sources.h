#pragma once
// The ops that tests ask about one by one: of the golden cases and of the short cases of passes, made small, and of
// what the passes make of them.

#include <deque>

#include "core/execute/shrink_graph.h"
#include "tests/golden_texts.h"
#include "tests/lone_ops.h"
#include "tests/lowering/lowering_testing.h"
#include "tests/lowering/short_case.h"

namespace tessera::test {

struct LoneOpSources {
  std::deque<Graph> graphs;  // the ops refer to them
  LoneOps lone;

  LoneOpSources() {
    const LoweringSetup setup;
    for (const GoldenText& golden : goldenTexts({"answers", "cases", "lowering"})) {
      const Imported imported = importText(golden.text);
      if (imported.graph) add(shrinkGraph(*imported.graph).graph, lower(*imported.graph, setup.context).graph);
    }
    for (const std::filesystem::path& path : caseFiles()) {
      for (const ShortCase& one : readCases(path)) {
        if (smallTests()) continue;
        CaseSetup setting(one.settings);
        const Imported imported = importText(setting.mlir(one.lines));
        if (imported.graph) add(shrinkGraph(*imported.graph).graph, setting.run(*imported.graph).graph);
      }
    }
  }

 private:
  void add(Graph before, Graph after) {
    for (Graph* graph : {&before, &after}) {
      graphs.push_back(std::move(*graph));
      lone.add(graphs.back());
    }
  }
};

}  // namespace tessera::test
