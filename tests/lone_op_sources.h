#pragma once
// The ops that tests ask about one by one: of the golden cases and of the short cases of passes, made small, and of
// what the passes make of them.

#include <deque>
#include <map>

#include "core/execute/shrink_graph.h"
#include "tests/golden_texts.h"
#include "tests/lone_ops.h"
#include "tests/lowering/lowering_testing.h"
#include "tests/lowering/short_case.h"

namespace tessera::test {

class LoneOpSources {
 public:
  // Of every part the ops of some kinds, by name; made once for a program.
  static constexpr size_t kParts = 16;
  static std::map<std::string, std::vector<const LoneOp*>> ofPart(size_t part) {
    static const LoneOpSources all;
    std::map<std::string, std::vector<const LoneOp*>> out;
    for (const LoneOp& one : all.lone_.ops()) {
      Fingerprint print;
      print.add(one.name);
      if (std::stoul(print.text().substr(0, 2), nullptr, 16) % kParts == part) out[one.name].push_back(&one);
    }
    return out;
  }

 private:
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

  void add(Graph before, Graph after) {
    for (Graph* graph : {&before, &after}) {
      graphs_.push_back(std::move(*graph));
      lone_.add(graphs_.back());
    }
  }

  std::deque<Graph> graphs_;  // the ops refer to them
  LoneOps lone_;
};

}  // namespace tessera::test
